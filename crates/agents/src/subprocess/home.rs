//! A home of a run's own: the program's settings as gapless wants them, and the user's sign-in. A file with a sign-in is a link to
//! the user's where links can be made, else a copy. A program that writes a new one in the place of the link has renewed the
//! sign-in: the user's file gets it, unless it changed meanwhile.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gapless_domain::{ExecutionError, ExecutionErrorKind};

/// What a run's own home holds; paths are below it.
#[derive(Debug, Default)]
pub(crate) struct Home {
    pub(crate) folders: Vec<String>,
    pub(crate) files: Vec<(String, String)>,
    pub(crate) sign_in: Vec<SignInFile>,
}

/// A file with the user's sign-in, and where it is in the home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignInFile {
    pub(crate) users: PathBuf,
    pub(crate) at: PathBuf,
}

/// A home that was made.
#[derive(Debug)]
pub(crate) struct Furnished {
    sign_in: Vec<Brought>,
}

/// A sign-in that was brought along, with what it was.
#[derive(Debug)]
struct Brought {
    users: PathBuf,
    own: PathBuf,
    before: Vec<u8>,
}

impl Home {
    /// Makes the home in a folder that doesn't exist yet.
    pub(crate) fn furnish(self, at: PathBuf) -> Result<Furnished, ExecutionError> {
        self.make(&at).map_err(|error| {
            let message = format!("no home could be made for the program: {error}");
            ExecutionError::new(ExecutionErrorKind::Provider, message)
        })
    }

    fn make(self, at: &Path) -> io::Result<Furnished> {
        fs::create_dir(at)?;
        for folder in &self.folders {
            fs::create_dir_all(at.join(folder))?;
        }
        for (name, text) in &self.files {
            let path = at.join(name);
            make_parent(&path)?;
            new_private(&path)?.write_all(text.as_bytes())?;
        }
        let mut sign_in = Vec::new();
        for file in self.sign_in {
            // A link of the user's own, to where they keep such files, stays.
            let users = file.users.canonicalize()?;
            let own = at.join(&file.at);
            make_parent(&own)?;
            let before = fs::read(&users)?;
            bring(&users, &own, &before)?;
            sign_in.push(Brought { users, own, before });
        }
        Ok(Furnished { sign_in })
    }
}

impl Furnished {
    /// Gives a renewed sign-in to the user. Where that fails, the program signs them in once more the next time.
    pub(crate) fn keep_sign_in(&self) {
        for file in &self.sign_in {
            let _ = file.keep();
        }
    }
}

impl Brought {
    fn keep(&self) -> io::Result<()> {
        if !fs::symlink_metadata(&self.own)?.is_file() {
            return Ok(());
        }
        let now = fs::read(&self.own)?;
        let is_renewed = now != self.before && !now.trim_ascii().is_empty();
        if !is_renewed || fs::read(&self.users)? != self.before {
            return Ok(());
        }
        let folder = self.users.parent().unwrap_or(Path::new("."));
        let mut renewed = tempfile::NamedTempFile::new_in(folder)?;
        renewed.write_all(&now)?;
        let permissions = fs::metadata(&self.users)?.permissions();
        renewed.as_file().set_permissions(permissions)?;
        renewed.as_file().sync_all()?;
        renewed.persist(&self.users)?;
        Ok(())
    }
}

fn bring(users: &Path, own: &Path, before: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    {
        let _ = before;
        std::os::unix::fs::symlink(users, own)
    }
    #[cfg(not(unix))]
    {
        let _ = users;
        new_private(own)?.write_all(before)
    }
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// A new file that only the user can read.
fn new_private(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// A user's sign-in and a home with it.
    fn brought(place: &Path) -> (PathBuf, PathBuf, Furnished) {
        let users = place.join("auth.json");
        fs::write(&users, "old").unwrap();
        let home = Home {
            folders: vec!["empty".to_owned()],
            files: vec![(".x/settings".to_owned(), "{}".to_owned())],
            sign_in: vec![SignInFile {
                users: users.clone(),
                at: ".x/auth.json".into(),
            }],
        };
        let furnished = home.furnish(place.join("home")).unwrap();
        (users, place.join("home/.x/auth.json"), furnished)
    }

    #[test]
    fn a_sign_in_that_is_renewed_in_place_is_the_users() {
        let place = tempfile::tempdir().unwrap();
        let (users, own, furnished) = brought(place.path());
        assert_eq!(fs::read_to_string(&own).unwrap(), "old");
        fs::write(&own, "new").unwrap();
        furnished.keep_sign_in();
        assert_eq!(fs::read_to_string(users).unwrap(), "new");
        assert!(place.path().join("home/empty").is_dir());
        let settings = fs::read_to_string(place.path().join("home/.x/settings"));
        assert_eq!(settings.unwrap(), "{}");
    }

    #[test]
    fn a_sign_in_that_replaces_the_link_is_given_to_the_user() {
        let place = tempfile::tempdir().unwrap();
        let (users, own, furnished) = brought(place.path());
        fs::remove_file(&own).unwrap();
        fs::write(&own, "new").unwrap();
        furnished.keep_sign_in();
        assert_eq!(fs::read_to_string(users).unwrap(), "new");
    }

    #[test]
    fn a_sign_in_that_changed_meanwhile_or_was_emptied_is_left_alone() {
        for (renewed, meanwhile) in [("new", "newer"), ("", "old")] {
            let place = tempfile::tempdir().unwrap();
            let (users, own, furnished) = brought(place.path());
            fs::remove_file(&own).unwrap();
            fs::write(&own, renewed).unwrap();
            fs::write(&users, meanwhile).unwrap();
            furnished.keep_sign_in();
            assert_eq!(fs::read_to_string(users).unwrap(), meanwhile);
        }
    }

    #[test]
    fn a_link_that_the_program_removed_signs_nobody_out() {
        let place = tempfile::tempdir().unwrap();
        let (users, own, furnished) = brought(place.path());
        fs::remove_file(own).unwrap();
        furnished.keep_sign_in();
        assert_eq!(fs::read_to_string(users).unwrap(), "old");
    }
}
