//! Texts that a user puts in place of built-in ones: prompt templates of the workspace (`.gapless/prompts/<name>.md`, for
//! retries `retry/<name>.md`) and examples of a session (`examples/<role>.md` in its folder).

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use gapless_domain::Role;
use gapless_mediator::prompts::TEMPLATES;
use gapless_store::SessionName;

use crate::spelling::did_you_mean;
use crate::{Failure, Kind, Result, Workspace};

/// The templates of the workspace by name. A file that would override nothing is an error, since it looks like one.
pub(crate) fn prompts(workspace: &Workspace) -> Result<BTreeMap<String, String>> {
    let folder = workspace.gapless().join("prompts");
    let overrides = Overrides {
        kind: Kind::Prompt,
        what: "prompt template",
        known: TEMPLATES.map(|(name, _)| name).to_vec(),
    };
    overrides.read(&folder, "")
}

/// The canonical examples of a session by role. An empty file means no example.
pub(crate) fn examples(
    workspace: &Workspace,
    name: &SessionName,
) -> Result<BTreeMap<Role, String>> {
    let overrides = Overrides {
        kind: Kind::Example,
        what: "example",
        known: Role::ALL.map(Role::stem).to_vec(),
    };
    let folder = workspace.folder(name).root().join("examples");
    let found = overrides.read(&folder, "")?;
    Ok(Role::ALL
        .into_iter()
        .filter_map(|role| Some((role, found.get(role.stem())?.clone())))
        .collect())
}

/// Files that replace built-in texts of the same name.
struct Overrides {
    kind: Kind,
    what: &'static str,
    known: Vec<&'static str>,
}

impl Overrides {
    /// The files of a folder by name, those of a folder in it with its name before theirs.
    fn read(&self, folder: &Path, prefix: &str) -> Result<BTreeMap<String, String>> {
        let wrong = |message: String| Failure::new(self.kind, message);
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            // Where `.gapless` itself is no folder, that is told by who wants to write there.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(BTreeMap::new());
            }
            Err(error) => {
                return Err(
                    wrong(format!("{} can't be read: {error}", folder.display()))
                        .hint(format!("it is a folder with a file for each {}", self.what)),
                );
            }
        };
        let mut found = BTreeMap::new();
        for entry in entries {
            let unreadable = |error| wrong(format!("{} can't be read: {error}", folder.display()));
            let path = entry.map_err(unreadable)?.path();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            // Editors leave such files behind; they are nobody's.
            if file.starts_with('.') || file.ends_with('~') {
                continue;
            }
            let inner = format!("{prefix}{file}/");
            if path.is_dir() && self.known.iter().any(|name| name.starts_with(&inner)) {
                found.extend(self.read(&path, &inner)?);
                continue;
            }
            let file = format!("{prefix}{file}");
            let name = file.strip_suffix(".md").unwrap_or(&file);
            if !self.known.contains(&name) || !file.ends_with(".md") {
                let known: Vec<String> =
                    self.known.iter().map(|name| format!("{name}.md")).collect();
                let hint = match did_you_mean(&file, known.iter().map(String::as_str)) {
                    Some(near) => format!("{near} Known are {}", known.join(", ")),
                    None => format!("known are {}", known.join(", ")),
                };
                let message = format!("{} is no {}", path.display(), self.what);
                return Err(wrong(message).hint(hint));
            }
            let text = fs::read_to_string(&path)
                .map_err(|error| wrong(format!("{} can't be read: {error}", path.display())))?;
            found.insert(name.to_owned(), text);
        }
        Ok(found)
    }
}
