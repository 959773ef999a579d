//! What of the user's a program with a home of its own gets to see: which key or sign-in lets it in, and which variables say where
//! its home is.

use std::path::{Path, PathBuf};

use super::definition::{Definition, HomeFolder};
use crate::Environment;
use crate::subprocess::{Home, SignInFile};

/// A run's own home as a definition wants it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OwnHome {
    pub(super) folders: Vec<HomeFolder>,
    pub(super) sign_in: Vec<SignInFile>,
    /// Variables that are set with it.
    pub(super) set: Vec<(String, String)>,
}

impl OwnHome {
    /// `None` where the definition has none, or where the sign-in would not be in it.
    pub(super) fn of(definition: &Definition, environment: &Environment) -> Option<Self> {
        let folders = definition.home.clone().filter(|home| !home.is_empty())?;
        let mut keys = definition.keys.iter().flatten();
        let key = keys.find(|key| environment.get(key).is_some());
        if key.is_none() && definition.home_needs_key.unwrap_or(false) {
            return None;
        }
        let sign_in: Vec<SignInFile> = folders
            .iter()
            .flat_map(|folder| brought(folder, environment))
            .collect();
        let set = match key {
            Some(key) => definition.with_key.get(key),
            None if sign_in.is_empty() => None,
            None => Some(&definition.with_sign_in),
        };
        Some(Self {
            folders,
            sign_in,
            set: set.cloned().unwrap_or_default().into_iter().collect(),
        })
    }

    /// The variables that name its folders.
    pub(super) fn variables(&self, home: &Path) -> Vec<(String, String)> {
        let folders = self.folders.iter();
        let named = folders.map(|folder| {
            let at = match folder.at.as_str() {
                "" => home.to_owned(),
                at => home.join(at),
            };
            (folder.variable.clone(), at.to_string_lossy().into_owned())
        });
        named.collect()
    }

    /// What is to be made for a run.
    pub(super) fn home(&self, files: Vec<(String, String)>) -> Home {
        let folders = self.folders.iter().map(|folder| folder.at.clone());
        Home {
            folders: folders.collect(),
            files,
            sign_in: self.sign_in.clone(),
        }
    }
}

/// The files with the user's sign-in that are there.
fn brought(folder: &HomeFolder, environment: &Environment) -> Vec<SignInFile> {
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let in_home = |usual: &str| match usual.strip_prefix('~') {
        Some(rest) => {
            let home = PathBuf::from(environment.get(home)?);
            Some(home.join(rest.trim_start_matches('/')))
        }
        None => Some(PathBuf::from(usual)),
    };
    let named = environment.get(&folder.variable).map(PathBuf::from);
    let Some(users) = named.or_else(|| in_home(folder.usual.as_deref()?)) else {
        return Vec::new();
    };
    let files = folder.sign_in.iter().map(|name| SignInFile {
        users: users.join(name),
        at: Path::new(&folder.at).join(name),
    });
    files.filter(|file| file.users.is_file()).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITION: &str = "program = 'p'\nkeys = ['P_KEY']\nwith_sign_in = { P_AUTH = 'file' }\n\
        [[home]]\nvariable = 'HOME'\n[[home]]\nvariable = 'P_HOME'\nusual = '~/.p'\nat = '.p'\nsign_in = ['auth.json']\n\
        [with_key.P_KEY]\nP_AUTH = 'key'\n";

    fn own(more: &str, variables: &[(&str, &Path)]) -> Option<OwnHome> {
        let definition: Definition = toml::from_str(&format!("{more}\n{DEFINITION}")).unwrap();
        let all = variables.iter();
        let all = all.map(|(name, value)| ((*name).into(), value.as_os_str().to_owned()));
        OwnHome::of(&definition, &Environment::of(all, ["P_*"].into_iter()))
    }

    #[test]
    fn the_sign_in_is_found_where_the_user_has_it() {
        let place = tempfile::tempdir().unwrap();
        let usual = place.path().join(".p");
        std::fs::create_dir(&usual).unwrap();
        std::fs::write(usual.join("auth.json"), "{}").unwrap();
        let home = ("HOME", place.path());
        let found = own("", &[home]).unwrap();
        assert_eq!(found.sign_in[0].users, usual.join("auth.json"));
        assert_eq!(found.sign_in[0].at, Path::new(".p/auth.json"));
        assert_eq!(found.set, [("P_AUTH".to_owned(), "file".to_owned())]);
        let variables = found.variables(Path::new("/run"));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(variables, [pair("HOME", "/run"), pair("P_HOME", "/run/.p")]);

        let elsewhere = place.path().join("elsewhere");
        let none = own("", &[home, ("P_HOME", &elsewhere)]).unwrap();
        assert_eq!((none.sign_in, none.set), (vec![], vec![]));
    }

    #[test]
    fn a_key_goes_before_a_sign_in() {
        let place = tempfile::tempdir().unwrap();
        let (home, key) = (("HOME", place.path()), ("P_KEY", Path::new("k")));
        let found = own("", &[home, key]).unwrap();
        assert_eq!(found.set, [("P_AUTH".to_owned(), "key".to_owned())]);
        assert!(own("home_needs_key = true", &[home, key]).is_some());
        assert_eq!(own("home_needs_key = true", &[home]), None);
    }
}
