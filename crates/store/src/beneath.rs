//! Reaches folders and files below `.gapless` without following links: the one way in for everything that this crate
//! opens there by name. A folder is opened component by component from the folder that the user named, and is held open, so
//! that nothing put in its place later is met.
//!
//! Where the system has no handles for folders, and for archives and SQLite's files, each component is looked at instead,
//! right before it is used.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

/// What a person who meets something misplaced can do.
pub const MISPLACED_HINT: &str =
    "gapless never puts that there: it came with the folder, or another program made it";

/// Something below `.gapless` that gapless never put there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    #[error(
        "{} is a link to {}, and gapless doesn't follow links below .gapless: remove it",
        path.display(), target.display()
    )]
    Link { path: PathBuf, target: PathBuf },
    #[error(
        "{} is a second name of another file (a hard link), and gapless would write to that: remove it",
        path.display()
    )]
    SecondName { path: PathBuf },
    #[error("{} is {is}, and gapless needs a {needed} there: remove it", path.display())]
    Kind {
        path: PathBuf,
        is: &'static str,
        needed: &'static str,
    },
}

impl Misplaced {
    /// True for an error that says so.
    pub fn caused(error: &io::Error) -> bool {
        let inner = error.get_ref();
        inner.is_some_and(|inner| inner.is::<Misplaced>())
    }

    fn of(path: &Path, found: FileType, needed: &'static str) -> io::Error {
        let path = path.to_owned();
        io::Error::other(match found.is_symlink() {
            true => Self::Link {
                target: fs::read_link(&path).unwrap_or_default(),
                path,
            },
            false => Self::Kind {
                path,
                is: kind_of(found),
                needed,
            },
        })
    }
}

fn kind_of(found: FileType) -> &'static str {
    match () {
        () if found.is_dir() => "a folder",
        () if found.is_file() => "a file",
        () => "a pipe, a socket or a device",
    }
}

/// A folder that was reached without following links, held open.
#[derive(Debug)]
pub struct Held {
    #[cfg(unix)]
    handle: File,
    path: PathBuf,
}

impl Held {
    /// Opens a folder below `base`, which the user named and whose links are followed.
    pub fn open(base: &Path, inside: &Path) -> io::Result<Self> {
        Self::walk(base, inside, |_| Err(ErrorKind::NotFound.into()))
    }

    /// Like [`Self::open`], and makes the folders that are missing.
    pub fn make(base: &Path, inside: &Path) -> io::Result<Self> {
        Self::walk(base, inside, |missing| match fs::create_dir(missing) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            made => made,
        })
    }

    fn walk(
        base: &Path,
        inside: &Path,
        missing: impl Fn(&Path) -> io::Result<()>,
    ) -> io::Result<Self> {
        let mut held = Self::named(base)?;
        for part in inside.components() {
            let Component::Normal(name) = part else {
                return Err(ErrorKind::InvalidFilename.into());
            };
            let name = Path::new(name);
            held = match held.enter(name) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    missing(&held.at(name))?;
                    held.enter(name)?
                }
                entered => entered?,
            };
        }
        Ok(held)
    }

    /// Opens a folder of this one.
    pub fn inside(&self, name: &Path) -> io::Result<Self> {
        self.enter(name)
    }

    /// The folder's path, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file of the folder; never a link, and never waiting for the other end of a pipe.
    pub fn file(&self, name: &str, options: &mut OpenOptions) -> io::Result<File> {
        let (at, shown) = (self.at(Path::new(name)), self.path.join(name));
        open_regular(&at, &shown, options)
    }

    /// Opens a file that is written in place: it may have no second name, by which something outside would be written.
    pub fn own_file(&self, name: &str, options: &mut OpenOptions) -> io::Result<File> {
        let file = self.file(name, options)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            if file.metadata()?.nlink() > 1 {
                let path = self.path.join(name);
                return Err(io::Error::other(Misplaced::SecondName { path }));
            }
        }
        Ok(file)
    }

    /// Fails if something other than a regular file has this name.
    pub fn check_file(&self, name: &str) -> io::Result<()> {
        regular_or_absent(&self.at(Path::new(name)), &self.path.join(name))
    }

    /// The names of what is in the folder.
    pub fn names(&self) -> io::Result<Vec<std::ffi::OsString>> {
        let entries = fs::read_dir(self.at(Path::new("")))?;
        entries.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// The text of a regular file of the folder.
    pub fn read_to_string(&self, name: &str) -> io::Result<String> {
        let mut text = String::new();
        self.file(name, OpenOptions::new().read(true))?
            .read_to_string(&mut text)?;
        Ok(text)
    }
}

#[cfg(unix)]
impl Held {
    fn named(base: &Path) -> io::Result<Self> {
        // A bare file name has an empty parent.
        let base = match base.as_os_str().is_empty() {
            true => Path::new("."),
            false => base,
        };
        Ok(Self {
            handle: open_folder(rustix::fs::CWD, base, rustix::fs::OFlags::empty())?,
            path: base.to_owned(),
        })
    }

    fn enter(&self, name: &Path) -> io::Result<Self> {
        let path = self.path.join(name);
        match open_beneath(&self.handle, name) {
            Ok(handle) => Ok(Self { handle, path }),
            Err(error) => match fs::symlink_metadata(self.at(name)) {
                Ok(found) if !found.is_dir() => {
                    Err(Misplaced::of(&path, found.file_type(), "folder"))
                }
                _ => Err(error),
            },
        }
    }

    /// Where something of the folder is, by the handle if the system has paths for those.
    pub fn at(&self, name: &Path) -> PathBuf {
        use std::os::fd::AsRawFd;
        if cfg!(target_os = "linux") {
            let by_handle = PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_raw_fd()));
            if by_handle.is_dir() {
                return by_handle.join(name);
            }
        }
        self.path.join(name)
    }
}

/// Opens a folder in another one, never through a link.
#[cfg(unix)]
fn open_beneath(folder: &File, name: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Mode, OFlags, ResolveFlags};
        use rustix::io::Errno;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(folder, name, flags, Mode::empty(), resolve) {
            // Kernels before 5.6 don't have it, and some sandboxes forbid what they don't know.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return Ok(opened?.into()),
        }
    }
    open_folder(folder, name, rustix::fs::OFlags::NOFOLLOW)
}

#[cfg(unix)]
fn open_folder(
    from: impl std::os::fd::AsFd,
    path: &Path,
    more: rustix::fs::OFlags,
) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | more;
    Ok(rustix::fs::openat(from, path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
impl Held {
    fn named(base: &Path) -> io::Result<Self> {
        let path = base.to_owned();
        fs::metadata(base).map(|_| Self { path })
    }

    fn enter(&self, name: &Path) -> io::Result<Self> {
        let path = self.path.join(name);
        let found = fs::symlink_metadata(&path)?;
        match found.is_dir() {
            true => Ok(Self { path }),
            false => Err(Misplaced::of(&path, found.file_type(), "folder")),
        }
    }

    pub fn at(&self, name: &Path) -> PathBuf {
        self.path.join(name)
    }
}

fn open_regular(at: &Path, shown: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let misplaced = |found: Metadata| Misplaced::of(shown, found.file_type(), "file");
    // Looked at before, since opening a device can have an effect of its own.
    match fs::symlink_metadata(at) {
        Ok(found) if !found.is_file() => return Err(misplaced(found)),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(at)?;
    let found = file.metadata()?;
    match found.is_file() {
        true => Ok(file),
        false => Err(misplaced(found)),
    }
}

/// Fails if something other than a regular file has this path.
pub(crate) fn is_regular_or_absent(path: &Path) -> io::Result<()> {
    regular_or_absent(path, path)
}

fn regular_or_absent(at: &Path, shown: &Path) -> io::Result<()> {
    match fs::symlink_metadata(at) {
        Ok(found) if !found.is_file() => Err(Misplaced::of(shown, found.file_type(), "file")),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_and_pipes_are_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path();
        fs::create_dir_all(base.join("a/b")).unwrap();
        fs::write(base.join("a/b/file"), "text").unwrap();
        symlink("b", base.join("a/linked")).unwrap();
        symlink("file", base.join("a/b/link")).unwrap();

        let held = Held::open(base, Path::new("a/b")).unwrap();
        assert_eq!(held.read_to_string("file").unwrap(), "text");
        let refused = [
            held.read_to_string("link").unwrap_err(),
            Held::open(base, Path::new("a/linked")).unwrap_err(),
            Held::make(base, Path::new("a/linked/c")).unwrap_err(),
            Held::make(base, Path::new("a/b/file/c")).unwrap_err(),
        ];
        for error in refused {
            assert!(Misplaced::caused(&error), "{error}");
        }
        let outside = Held::open(base, Path::new("a/../..")).unwrap_err();
        assert_eq!(outside.kind(), ErrorKind::InvalidFilename);
    }

    #[test]
    fn a_folder_swapped_for_a_link_later_is_not_met() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path();
        let held = Held::make(base, Path::new("session")).unwrap();
        fs::rename(base.join("session"), base.join("moved")).unwrap();
        fs::create_dir(base.join("elsewhere")).unwrap();
        symlink("elsewhere", base.join("session")).unwrap();
        if cfg!(target_os = "linux") {
            fs::write(held.at(Path::new("file")), "text").unwrap();
            assert!(base.join("moved/file").is_file());
            assert!(!base.join("elsewhere/file").exists());
        }
    }
}
