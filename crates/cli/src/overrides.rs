//! Texts that a user puts in place of built-in ones: prompt templates of the workspace (`.gapless/prompts/<name>.md`, for
//! retries `retry/<name>.md`) and examples of a session (`examples/<role>.md` in its folder).

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;

use gapless_domain::Role;
use gapless_mediator::prompts::TEMPLATES;
use gapless_store::{Held, MISPLACED_HINT, Misplaced, SessionName};

use crate::files::brought;
use crate::spelling::did_you_mean;
use crate::{Failure, Kind, Result, Workspace};

/// The templates of the workspace by name. A file that would override nothing is an error, since it looks like one.
pub(crate) fn prompts(workspace: &Workspace) -> Result<BTreeMap<String, String>> {
    let overrides = Overrides {
        inside: workspace.root(),
        kind: Kind::Prompt,
        what: "prompt template",
        known: TEMPLATES.map(|(name, _)| name).to_vec(),
    };
    let folder = Held::open(workspace.root(), &Path::new(".gapless").join("prompts"));
    overrides.read(folder, &workspace.gapless().join("prompts"), "")
}

/// The canonical examples of a session by role. An empty file means no example.
pub(crate) fn examples(
    workspace: &Workspace,
    name: &SessionName,
) -> Result<BTreeMap<Role, String>> {
    let overrides = Overrides {
        inside: workspace.root(),
        kind: Kind::Example,
        what: "example",
        known: Role::ALL.map(Role::stem).to_vec(),
    };
    let folder = workspace.folder(name);
    let found = overrides.read(folder.open("examples"), &folder.root().join("examples"), "")?;
    Ok(Role::ALL
        .into_iter()
        .filter_map(|role| Some((role, found.get(role.stem())?.clone())))
        .collect())
}

/// Files that replace built-in texts of the same name.
struct Overrides<'w> {
    /// The workspace's folder.
    inside: &'w Path,
    kind: Kind,
    what: &'static str,
    known: Vec<&'static str>,
}

impl Overrides<'_> {
    /// The files of a folder by name, those of a folder in it with its name before theirs.
    fn read(
        &self,
        folder: io::Result<Held>,
        shown: &Path,
        prefix: &str,
    ) -> Result<BTreeMap<String, String>> {
        let entries = folder.and_then(|folder| Ok((folder.names()?, folder)));
        let (names, folder) = match entries {
            Ok(entries) => entries,
            // Where `.gapless` itself is no folder, that is told by who wants to write there.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(BTreeMap::new());
            }
            Err(error) => return Err(self.unreadable(shown, &error)),
        };
        let mut found = BTreeMap::new();
        for name in names {
            let file = name.to_string_lossy();
            let path = folder.path().join(&name);
            // Editors leave such files behind; they are nobody's.
            if file.starts_with('.') || file.ends_with('~') {
                continue;
            }
            let inner = format!("{prefix}{file}/");
            if self.known.iter().any(|name| name.starts_with(&inner)) {
                found.extend(self.read(folder.inside(Path::new(&name)), &path, &inner)?);
                continue;
            }
            let named = format!("{prefix}{file}");
            let stem = named.strip_suffix(".md").unwrap_or(&named);
            if !self.known.contains(&stem) || !named.ends_with(".md") {
                return Err(self.unknown(&path, &named));
            }
            let checked = folder.check_file(&file);
            checked.map_err(|error| self.unreadable(&path, &error))?;
            let text = brought::read(&path, self.inside, self.kind)?;
            found.insert(stem.to_owned(), text);
        }
        Ok(found)
    }

    fn unknown(&self, path: &Path, file: &str) -> Failure {
        let known: Vec<String> = self.known.iter().map(|name| format!("{name}.md")).collect();
        let hint = match did_you_mean(file, known.iter().map(String::as_str)) {
            Some(near) => format!("{near} Known are {}", known.join(", ")),
            None => format!("known are {}", known.join(", ")),
        };
        let message = format!("{} is no {}", path.display(), self.what);
        Failure::new(self.kind, message).hint(hint)
    }

    fn unreadable(&self, path: &Path, error: &io::Error) -> Failure {
        if Misplaced::caused(error) {
            return Failure::new(Kind::Folder, error).hint(MISPLACED_HINT);
        }
        let message = format!("{} can't be read: {error}", path.display());
        Failure::new(self.kind, message)
            .hint(format!("it is the folder or a file of a {}", self.what))
    }
}
