//! The names of sessions and where the files of one lie: `.gapless/sessions/<name>/`.

use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use crate::beneath::Held;
use crate::durable;

/// The name of a session, safe as the name of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` can't name a session: a name is 1 to 64 lowercase letters, digits, `_` and `-`, the first a letter or digit"
)]
pub struct BadSessionName(pub String);

impl SessionName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionName {
    type Err = BadSessionName;

    fn from_str(name: &str) -> Result<Self, BadSessionName> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let fits = (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|byte| plain(byte) || byte == b'_' || byte == b'-')
            && name.bytes().next().is_some_and(plain);
        match fits {
            true => Ok(Self(name.to_owned())),
            false => Err(BadSessionName(name.to_owned())),
        }
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The folder of one session. Nothing is made on disk before something is written to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFolder {
    gapless: PathBuf,
    root: PathBuf,
}

impl SessionFolder {
    /// The folder of a session below `gapless`, the project's `.gapless`.
    pub fn new(gapless: &Path, name: &SessionName) -> Self {
        Self {
            gapless: gapless.to_owned(),
            root: gapless.join("sessions").join(name.as_str()),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Opens a folder of the session, its own for "", without following links from `.gapless` on.
    pub fn open(&self, inside: &str) -> io::Result<Held> {
        let (base, below) = self.base_and_below(inside)?;
        Held::open(base, &below)
    }

    /// Like [`Self::open`], and makes the folders that are missing.
    pub fn make(&self, inside: &str) -> io::Result<Held> {
        let (base, below) = self.base_and_below(inside)?;
        Held::make(base, &below)
    }

    /// Fails if the folder, or one above it up to `.gapless`, is a link or no folder. One that is missing is fine.
    pub(crate) fn check(&self, inside: &str) -> io::Result<()> {
        durable::found(self.open(inside)).map(drop)
    }

    fn base_and_below(&self, inside: &str) -> io::Result<(&Path, PathBuf)> {
        let base = self.gapless.parent().unwrap_or(Path::new(""));
        let below = self.root.strip_prefix(base).map_err(io::Error::other)?;
        Ok((base, below.join(inside)))
    }

    /// Where a file of the session lies; `None` for a path that leads out of the folder or names nothing in it.
    pub fn file(&self, path: &str) -> Option<PathBuf> {
        // A backslash separates on some systems only: the same path must mean the same file everywhere.
        let inside = !path.contains(['\\', '\0'])
            && !path.ends_with('/')
            && Path::new(path)
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
            && Path::new(path).file_name().is_some();
        inside.then(|| self.root.join(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sessions() {
        for good in ["a", "0", "billing-v2", "a_b", &"x".repeat(64)] {
            assert!(good.parse::<SessionName>().is_ok(), "{good}");
        }
        let long = "x".repeat(65);
        for bad in ["", "-a", "_a", "A", "a.b", "a/b", "..", "é", "a b", &long] {
            let refused = Err(BadSessionName(bad.to_owned()));
            assert_eq!(bad.parse::<SessionName>(), refused);
        }
    }

    #[test]
    fn paths_stay_in_the_folder() {
        let folder = SessionFolder::new(Path::new(".gapless"), &"s".parse().unwrap());
        assert_eq!(
            folder.file("round_001/summary.md"),
            Some(PathBuf::from(".gapless/sessions/s/round_001/summary.md"))
        );
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a/..",
            "./a",
            "a/",
            "a\\b",
            ".",
            "a\0",
        ] {
            assert_eq!(folder.file(bad), None, "{bad:?}");
        }
    }
}
