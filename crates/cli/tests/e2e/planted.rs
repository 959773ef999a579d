//! What people have in their home and their projects for programs: hooks, servers, memories, skills, variables. None of it may run
//! or go out. Texts have `PLANTED` in them, commands leave a mark.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Marks of what ran.
pub struct Marks(PathBuf);

impl Marks {
    pub fn in_folder(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn command(&self, name: &str) -> String {
        format!("touch {}", self.0.join(name).display())
    }

    pub fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect()
    }
}

const NAMED: &str = "---\nname: planted\ndescription: PLANTED-NAMED\n---\nPLANTED-BODY\n";

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Plants in a person's home.
pub fn in_home(home: &Path, marks: &Marks) {
    plant(home, marks, "home");
    for (folder, memory) in [
        (".claude", "CLAUDE.md"),
        (".codex", "AGENTS.md"),
        (".gemini", "GEMINI.md"),
        (".config/opencode", "AGENTS.md"),
    ] {
        put(home, &format!("{folder}/{memory}"), "PLANTED-MEMORY\n");
        put(home, &format!("{folder}/skills/planted/SKILL.md"), NAMED);
        put(home, &format!("{folder}/agents/planted.md"), NAMED);
        put(home, &format!("{folder}/commands/planted.md"), NAMED);
    }
    put(home, ".agents/skills/planted/SKILL.md", NAMED);
    put(home, ".gemini/.env", "GEMINI_SYSTEM_MD=1\n");
    put(home, ".gemini/system.md", "PLANTED-SYSTEM\n");
    let servers = json!({"mcpServers": {"planted": server(marks, "claude-home")}});
    put(home, ".claude.json", &servers.to_string());
    let opencode = json!({
        "mcp": {"planted": {"type": "local", "command": ["sh", "-c", marks.command("opencode-mcp")], "enabled": true}},
        "instructions": [home.join("AGENTS.md")],
        "username": "PLANTED-NAME",
    });
    put(
        home,
        ".config/opencode/opencode.json",
        &opencode.to_string(),
    );
    let plugin = format!(
        "import fs from 'fs'; export const Planted = async () => {{ fs.writeFileSync('{}', ''); return {{}} }}",
        marks.0.join("opencode-plugin").display()
    );
    put(home, ".config/opencode/plugin/planted.js", &plugin);
    put(home, "secret.txt", "SECRET-OUTSIDE\n");
}

/// Plants in a project or a code base.
pub fn in_project(folder: &Path, marks: &Marks) {
    plant(folder, marks, "project");
    put(folder, ".claude/skills/planted/SKILL.md", NAMED);
    put(folder, ".agents/skills/planted/SKILL.md", NAMED);
    put(folder, ".gemini/system.md", "PLANTED-SYSTEM\n");
    let servers = json!({"mcpServers": {"planted": server(marks, "claude-project")}});
    put(folder, ".mcp.json", &servers.to_string());
    let opencode = json!({
        "mcp": {"planted": {"type": "local", "command": ["sh", "-c", marks.command("opencode-project")], "enabled": true}},
        "instructions": ["AGENTS.md"],
    });
    put(folder, "opencode.json", &opencode.to_string());
    put(folder, ".opencode/agent/planted.md", NAMED);
}

/// Plants what is the same in a home and in a project.
fn plant(folder: &Path, marks: &Marks, place: &str) {
    for memory in [
        "CLAUDE.md",
        "AGENTS.md",
        "GEMINI.md",
        "sub/CLAUDE.md",
        "sub/AGENTS.md",
        "sub/GEMINI.md",
    ] {
        put(folder, memory, "PLANTED-MEMORY\n");
    }
    let variables = format!(
        "PLANTED_VARIABLE=1\nGEMINI_SYSTEM_MD={}\nANTHROPIC_CUSTOM_HEADERS=x-planted: PLANTED\n",
        folder.join("GEMINI.md").display()
    );
    put(folder, ".env", &variables);
    let hook = |name: &str| json!([{"hooks": [{"type": "command", "name": name, "command": marks.command(&format!("{place}-{name}"))}]}]);
    let claude = json!({
        "hooks": {"SessionStart": hook("start"), "UserPromptSubmit": hook("prompt"), "PreToolUse": hook("tool"), "Stop": hook("stop")},
        "permissions": {"allow": ["Read(//**)", "Bash"], "additionalDirectories": ["/"]},
        "env": {"ANTHROPIC_CUSTOM_HEADERS": "x-planted: PLANTED"},
    });
    put(folder, ".claude/settings.json", &claude.to_string());
    put(folder, ".claude/settings.local.json", &claude.to_string());
    let codex = format!(
        "notify = [\"sh\", \"-c\", \"{0}\"]\ndeveloper_instructions = \"PLANTED-INSTRUCTIONS\"\n\
         [mcp_servers.planted]\ncommand = \"sh\"\nargs = [\"-c\", \"{0}\"]\n",
        marks.command(&format!("{place}-codex"))
    );
    put(folder, ".codex/config.toml", &codex);
    put(
        folder,
        ".codex/hooks.json",
        &json!({"hooks": {"SessionStart": hook("codex-start")}}).to_string(),
    );
    let gemini = json!({
        "mcpServers": {"planted": server(marks, &format!("{place}-gemini"))},
        "hooksConfig": {"enabled": true},
        "hooks": {"SessionStart": hook("gemini-start"), "BeforeAgent": hook("gemini-agent"), "BeforeModel": hook("gemini-model")},
        "tools": {"discoveryCommand": marks.command(&format!("{place}-gemini-tools"))},
    });
    put(folder, ".gemini/settings.json", &gemini.to_string());
}

fn server(marks: &Marks, name: &str) -> Value {
    json!({"command": "sh", "args": ["-c", marks.command(name)]})
}
