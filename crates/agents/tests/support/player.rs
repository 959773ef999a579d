//! Plays the programs of presets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gapless_agents::{Agent, Definition, OpenContext, Presets, open};
use tempfile::TempDir;

/// A program of ours that stands in for a preset's.
pub struct Player {
    folder: TempDir,
}

impl Player {
    pub fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("script"), script).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// The preset of that name with the script for its program, and these keys over its own. The script finds its own
    /// folder as `$TRACES`.
    pub fn plays(&self, like: &str, model: &str, keys: &str) -> Arc<dyn Agent> {
        let program = self.folder.path().join("program");
        if !program.exists() {
            let text = format!(
                "#!/bin/sh\nTRACES='{0}'\n. '{0}/script'\n",
                self.folder.path().display()
            );
            write_program(&program, &text);
        }
        let text = format!("like = '{like}'\nprogram = '{}'\n{keys}", program.display());
        let definition: Definition = toml::from_str(&text).unwrap();
        let mut presets = Presets::default();
        presets
            .add_all(vec![("player".to_owned(), definition)])
            .unwrap();
        let context = OpenContext {
            presets: Arc::new(presets),
            ..OpenContext::unattended(Path::new("/"))
        };
        open(&format!("player{model}"), &context).unwrap()
    }
}

/// Writes a program through another process: one of ours that still has it open while another test forks would keep it
/// from being executed.
fn write_program(path: &Path, text: &str) {
    let copied = std::process::Command::new("sh")
        .args(["-c", "printf %s \"$2\" > \"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(path)
        .arg(text)
        .status()
        .unwrap();
    assert!(copied.success());
}
