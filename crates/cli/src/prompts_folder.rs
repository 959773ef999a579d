//! Owns the prompt templates that a workspace puts in place of the built-in ones: `.gapless/prompts/<name>.md`.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;

use gapless_core::prompts::TEMPLATES;

use crate::failure::{Failure, Kind, nearest};
use crate::workspace::Workspace;

/// The templates of the workspace by name. A file that would override nothing is an error, since it looks like one.
pub fn read(workspace: &Workspace) -> Result<BTreeMap<String, String>, Failure> {
    let folder = workspace.gapless().join("prompts");
    let wrong = |message: String| Failure::new(Kind::Prompt, message);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        // Where `.gapless` itself is no folder, that is told by who wants to write there.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(BTreeMap::new());
        }
        Err(error) => {
            return Err(
                wrong(format!("{} can't be read: {error}", folder.display()))
                    .hint("it is a folder of prompt templates"),
            );
        }
    };
    let mut prompts = BTreeMap::new();
    for entry in entries {
        let unreadable = |error| wrong(format!("{} can't be read: {error}", folder.display()));
        let path = entry.map_err(unreadable)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        // Editors leave such files behind; they are nobody's template.
        if file.starts_with('.') || file.ends_with('~') {
            continue;
        }
        let known = TEMPLATES.map(|(name, _)| name);
        let name = file.strip_suffix(".md").unwrap_or(&file);
        if !known.contains(&name) || !file.ends_with(".md") {
            let known = known.map(|name| format!("{name}.md"));
            let hint = match nearest(&file, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`? Known are {}", known.join(", ")),
                None => format!("known are {}", known.join(", ")),
            };
            return Err(wrong(format!("{} is no prompt template", path.display())).hint(hint));
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| wrong(format!("{} can't be read: {error}", path.display())))?;
        prompts.insert(name.to_owned(), text);
    }
    Ok(prompts)
}
