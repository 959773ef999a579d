//! The specs that a command line names: files, the markdown in folders, and globs, sorted by path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gapless_domain::delivery::refined_of;
use globset::GlobBuilder;
use ignore::WalkBuilder;

use crate::{Failure, Kind, Result};

/// The files that the words of a command line mean, each once, in order of their names; as they are shown.
pub(crate) fn named(here: &Path, words: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = BTreeSet::new();
    for word in words {
        let path = here.join(word);
        let found = match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                markdown_in(&path, word, |file| !is_refined(&here.join(file)))?
            }
            Ok(_) => vec![word.clone()],
            Err(_) if is_glob(word) => matching(here, word)?,
            // Reading it will say what is wrong.
            Err(_) => vec![word.clone()],
        };
        if found.is_empty() {
            let message = format!("no markdown file was found for {}", word.display());
            return Err(Failure::new(Kind::Spec, message)
                .hint("name files, folders or globs; files are found by .md and .markdown, and what .gitignore names is left out"));
        }
        files.extend(found);
    }
    Ok(files.into_iter().collect())
}

/// Beginnings of the names of markdown files that are about a project and no spec of it.
const NO_SPECS: [&str; 15] = [
    "readme",
    "changelog",
    "changes",
    "history",
    "contributing",
    "code_of_conduct",
    "code-of-conduct",
    "license",
    "licence",
    "security",
    "authors",
    "notice",
    "agents",
    "claude",
    "gemini",
];

/// Words in the names of markdown files that are most likely specs.
const SPECS: [&str; 6] = ["spec", "requirement", "design", "rfc", "prd", "proposal"];

/// The markdown files right in a folder that may be specs, those named like one first.
pub(crate) fn likely_specs(folder: &Path) -> Vec<PathBuf> {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().to_lowercase()
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut specs: Vec<PathBuf> = files
        .filter(|path| is_markdown(path) && path.is_file() && !is_refined(path))
        .filter(|path| {
            let name = name(path);
            !name.starts_with('.') && !NO_SPECS.iter().any(|known| name.starts_with(known))
        })
        .collect();
    specs.sort_by_key(|path| {
        let name = name(path);
        let like_one = SPECS.iter().any(|word| name.contains(word));
        (!like_one, path.clone())
    });
    specs
}

fn is_glob(word: &Path) -> bool {
    word.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// True for the refined spec that a session wrote beside its spec.
fn is_refined(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut specs = refined_of(&name).into_iter();
    specs.any(|spec| path.with_file_name(spec).is_file())
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("md") || extension.eq_ignore_ascii_case("markdown")
    })
}

/// The markdown files below a folder for which `wanted` holds, hidden and ignored ones left out.
fn markdown_in(
    folder: &Path,
    shown: &Path,
    wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkBuilder::new(folder).build() {
        let entry = entry.map_err(|error| Failure::unreadable(Kind::Spec, shown, &error))?;
        let path = entry.path();
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let below = path.strip_prefix(folder).unwrap_or(path);
        let named = shown.join(below);
        if is_file && is_markdown(path) && wanted(&named) {
            files.push(named);
        }
    }
    Ok(files)
}

fn matching(here: &Path, pattern: &Path) -> Result<Vec<PathBuf>> {
    let text = pattern.to_string_lossy();
    let wrong = |error: globset::Error| {
        Failure::new(Kind::Usage, format!("`{text}` is no glob: {error}"))
            .hint("like 'specs/**/*.md', in quotes")
    };
    let glob = GlobBuilder::new(&text)
        .literal_separator(true)
        .build()
        .map_err(wrong)?;
    let matcher = glob.compile_matcher();
    // The walk begins where the pattern begins to leave things open.
    let fixed: PathBuf = pattern
        .components()
        .take_while(|part| !is_glob(Path::new(part.as_os_str())))
        .collect();
    let folder = here.join(&fixed);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    markdown_in(&folder, &fixed, |path| matcher.is_match(path))
}
