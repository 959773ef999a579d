//! Takes away a thread's right to write to some folders, with Landlock, for it and for what it starts. Landlock only knows what is
//! allowed, so everything beside the way to these folders is: what lies directly in a folder above them can't be made, removed or
//! renamed. Signals to processes outside are refused too, where the kernel can.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

/// The first version in which files can be moved between folders and can't be cut (Linux 6.2).
const NEEDED: ABI = ABI::V3;

/// Whether this kernel can do it.
pub(super) fn is_available() -> bool {
    ruleset().and_then(Ruleset::create).is_ok()
}

/// Restricts this thread; false if the kernel doesn't.
pub(super) fn restrict(protected: &[PathBuf]) -> bool {
    enforce(protected).is_ok_and(|status| status != RulesetStatus::NotEnforced)
}

fn ruleset() -> Result<Ruleset, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(NEEDED))
}

fn enforce(protected: &[PathBuf]) -> Result<RulesetStatus, RulesetError> {
    let mut created = ruleset()?
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::Signal)?
        .create()?;
    for path in writable(protected) {
        let in_folder = AccessFs::from_write(NEEDED);
        let access = match path.is_dir() {
            true => in_folder,
            false => in_folder & AccessFs::from_file(NEEDED),
        };
        // What can't be opened can't be written to either.
        if let Ok(opened) = PathFd::new(&path) {
            created = created.add_rule(PathBeneath::new(opened, access))?;
        }
    }
    Ok(created.restrict_self()?.ruleset)
}

/// Everything that lies in a folder above a protected one and doesn't lead to one. Links are left out: what they point to has
/// a place of its own.
fn writable(protected: &[PathBuf]) -> Vec<PathBuf> {
    let protected: BTreeSet<PathBuf> = protected.iter().map(|path| real(path)).collect();
    let above: BTreeSet<&Path> = protected
        .iter()
        .flat_map(|path| path.ancestors().skip(1))
        .collect();
    let entries = above.iter().filter_map(|folder| fs::read_dir(folder).ok());
    let entries = entries.flatten().filter_map(|entry| {
        let entry = entry.ok()?;
        (!entry.file_type().ok()?.is_symlink()).then(|| entry.path())
    });
    entries
        .filter(|path| !protected.contains(path) && !above.contains(path.as_path()))
        // Below another protected folder.
        .filter(|path| !path.ancestors().any(|folder| protected.contains(folder)))
        .collect()
}

/// The path without links, also where its last parts don't exist yet.
fn real(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(real), ..) => real,
        (Err(_), Some(parent), Some(name)) => real(parent).join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_to_a_protected_folder_is_not_writable() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        for folder in ["a/b/.gapless/sessions", "a/other", "c"] {
            fs::create_dir_all(place.join(folder)).unwrap();
        }
        fs::write(place.join("a/b/spec.md"), "").unwrap();
        std::os::unix::fs::symlink(place.join("a/b/.gapless"), place.join("a/link")).unwrap();
        let found = writable(&[place.join("a/b/.gapless"), place.join("c/missing/state")]);
        let mut found: Vec<PathBuf> = found
            .into_iter()
            .filter_map(|path| path.strip_prefix(&place).map(Path::to_owned).ok())
            .collect();
        found.sort();
        assert_eq!(found, [Path::new("a/b/spec.md"), Path::new("a/other")]);
    }
}
