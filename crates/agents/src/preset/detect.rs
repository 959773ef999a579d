//! The finding of agents without asking any of them: which programs are on PATH, whose keys are set, who has signed in
//! as far as files tell; and the choice that `auto` makes of that. Who can be found is a list, so that a further backend is a
//! further entry.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use super::Presets;
use crate::supervisor::RUN_VARIABLE;
use crate::{Environment, http};

/// An agent that may be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// As it is named on the command line.
    pub agent: String,
    pub vendor: String,
    pub needs: Needs,
    /// Variables of which one is enough to be let in.
    pub keys: Vec<String>,
    /// Files that are there once somebody signed in; `file#word` wants the word in it.
    pub signed_in: Vec<String>,
    /// How it is had, for people.
    pub install: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Needs {
    /// A program on PATH.
    Program(String),
    /// One of its keys.
    Key,
}

/// What lets an agent in, as far as it can be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// This variable is set.
    Key(String),
    /// This file says that somebody signed in.
    SignedIn(PathBuf),
    NotSeen,
}

/// What was seen of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    pub candidate: Candidate,
    /// The program, where it needs one and it is there.
    pub program: Option<PathBuf>,
    pub credentials: Credentials,
}

impl Sighting {
    pub fn is_there(&self) -> bool {
        match self.candidate.needs {
            Needs::Program(_) => self.program.is_some(),
            Needs::Key => self.credentials != Credentials::NotSeen,
        }
    }
}

/// Where agents are looked for.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    pub path: OsString,
    pub home: PathBuf,
    /// The names of the variables that are set to something.
    pub variables: Vec<String>,
}

impl Surroundings {
    pub fn of_this_process() -> Self {
        let variables = std::env::vars_os()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect();
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        Self {
            path: std::env::var_os("PATH").unwrap_or_default(),
            home: std::env::var_os(home).unwrap_or_default().into(),
            variables,
        }
    }

    pub fn look(&self, candidate: Candidate) -> Sighting {
        let program = match &candidate.needs {
            Needs::Program(program) => self.find(program),
            Needs::Key => None,
        };
        let (mut keys, mut signs) = (candidate.keys.iter(), candidate.signed_in.iter());
        let credentials = match keys.find(|key| self.variables.contains(key)) {
            Some(key) => Credentials::Key(key.clone()),
            None => signs
                .find_map(|sign| self.signed_in(sign))
                .map_or(Credentials::NotSeen, Credentials::SignedIn),
        };
        Sighting {
            candidate,
            program,
            credentials,
        }
    }

    pub(super) fn find(&self, program: &str) -> Option<PathBuf> {
        let endings: &[&str] = if cfg!(windows) {
            &["", ".exe", ".cmd", ".bat"]
        } else {
            &[""]
        };
        let named = |folder: &Path| {
            let mut names = endings
                .iter()
                .map(|ending| folder.join(format!("{program}{ending}")));
            names.find(|path| is_executable(path))
        };
        if program.contains(std::path::is_separator) {
            return named(Path::new(""));
        }
        std::env::split_paths(&self.path)
            .filter(|folder| folder.is_absolute())
            .find_map(|folder| named(&folder))
    }

    fn signed_in(&self, sign: &str) -> Option<PathBuf> {
        /// A file of settings is small; nothing is looked for further in.
        const LOOKED_AT: u64 = 4 * 1024 * 1024;
        let (file, word) = sign.split_once('#').unwrap_or((sign, ""));
        let path = match file.strip_prefix("~/") {
            Some(inside) => self.home.join(inside),
            None => PathBuf::from(file),
        };
        // A pipe would be waited for.
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        let file = is_file.then(|| File::open(&path).ok()).flatten()?;
        let mut text = Vec::new();
        file.take(LOOKED_AT).read_to_end(&mut text).ok()?;
        let has_word = String::from_utf8_lossy(&text).contains(word);
        (!text.is_empty() && has_word).then_some(path)
    }
}

fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if metadata.permissions().mode() & 0o111 == 0 {
            return false;
        }
    }
    metadata.is_file()
}

/// Everyone who can be found, in the order in which they are taken: programs first.
pub fn candidates(presets: &Presets) -> Vec<Candidate> {
    let programs = presets.names().filter_map(|name| {
        let definition = presets.get(name)?;
        Some(Candidate {
            agent: name.to_owned(),
            vendor: definition.vendor.clone().unwrap_or_else(|| name.to_owned()),
            needs: Needs::Program(definition.program.clone()?),
            keys: definition.keys.clone().unwrap_or_default(),
            signed_in: definition.signed_in.clone().unwrap_or_default(),
            install: definition.install.clone().unwrap_or_default(),
        })
    });
    let over_http = http::usual().map(|usual| Candidate {
        vendor: vendor_of(usual.provider, presets).unwrap_or_default(),
        needs: Needs::Key,
        keys: usual.keys.iter().map(|key| (*key).to_owned()).collect(),
        signed_in: Vec::new(),
        install: format!("set {}", usual.keys.join(" or ")),
        agent: usual.agent,
    });
    programs.chain(over_http).collect()
}

/// Whose model an agent asks, as far as its name says it.
pub fn vendor_of(agent: &str, presets: &Presets) -> Option<String> {
    if let Some((definition, _)) = presets.meant_by(agent) {
        return definition.vendor.clone();
    }
    let vendor = match agent.split(':').next().unwrap_or(agent).trim() {
        "anthropic" => "anthropic",
        "openai" => "openai",
        "gemini" => "google",
        _ => return None,
    };
    Some(vendor.to_owned())
}

/// Chooses an agent of those that were seen: one that can be let in before one of which that can't be seen, and of another
/// vendor than `beside` where there is one.
pub fn choose<'s>(sightings: &'s [Sighting], beside: Option<&str>) -> Option<&'s Sighting> {
    let there = sightings.iter().filter(|seen| seen.is_there());
    // Of equals the first one.
    there.min_by_key(|seen| {
        let same_vendor = beside == Some(seen.candidate.vendor.as_str());
        (same_vendor, seen.credentials == Credentials::NotSeen)
    })
}

/// What a program says to `--version`; none where it doesn't within a few seconds.
pub async fn version(program: &OsStr) -> Option<String> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let environment = Environment::allowed(std::iter::empty());
    let output = tokio::process::Command::new(program)
        .arg("--version")
        .env_clear()
        .envs(environment.variables().iter().cloned())
        // It is no agent yet, and may decide nothing either.
        .env(RUN_VARIABLE, "version")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, output).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_version = |line: &&str| line.chars().any(|c| c.is_ascii_digit());
    let line = text.lines().map(str::trim).find(is_version)?;
    Some(line.chars().filter(|c| !c.is_control()).take(80).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(agent: &str, vendor: &str, needs: Needs) -> Candidate {
        Candidate {
            agent: agent.to_owned(),
            vendor: vendor.to_owned(),
            needs,
            keys: vec![format!("{}_KEY", agent.to_uppercase())],
            signed_in: vec![
                format!("~/.{agent}/auth.json"),
                format!("~/.{agent}.json#account"),
            ],
            install: String::new(),
        }
    }

    fn chosen(seen: &[Sighting], beside: Option<&str>) -> Option<String> {
        choose(seen, beside).map(|seen| seen.candidate.agent.clone())
    }

    #[cfg(unix)]
    #[test]
    fn programs_keys_and_sign_ins_are_seen_without_a_call() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for (name, mode) in [("one", 0o755), ("two", 0o644)] {
            std::fs::write(bin.join(name), "").unwrap();
            std::fs::set_permissions(bin.join(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        let mut around = Surroundings {
            path: std::env::join_paths([Path::new("relative"), &bin]).unwrap(),
            home: folder.path().to_owned(),
            variables: vec!["THREE_KEY".to_owned()],
        };
        let program = |name: &str| Needs::Program(name.to_owned());
        let one = around.look(candidate("one", "a", program("one")));
        assert_eq!(one.program, Some(bin.join("one")));
        assert_eq!(one.credentials, Credentials::NotSeen);
        assert!(
            !around
                .look(candidate("two", "a", program("two")))
                .is_there()
        );
        let three = around.look(candidate("three", "b", Needs::Key));
        assert!(three.is_there());
        assert_eq!(three.credentials, Credentials::Key("THREE_KEY".to_owned()));

        // Without a word, a file has to have something in it; with one, that word.
        let file = folder.path().join(".one.json");
        std::fs::write(&file, "{}").unwrap();
        let look = |around: &Surroundings| around.look(candidate("one", "a", program("one")));
        assert_eq!(look(&around).credentials, Credentials::NotSeen);
        std::fs::write(&file, "{\"account\":1}").unwrap();
        assert_eq!(look(&around).credentials, Credentials::SignedIn(file));
        around.variables.push("ONE_KEY".to_owned());
        assert_eq!(
            look(&around).credentials,
            Credentials::Key("ONE_KEY".to_owned())
        );
    }

    #[test]
    fn who_can_be_let_in_goes_first_and_another_vendor_before_that() {
        let seen = |agent: &str, vendor: &str, there: bool, key: bool| Sighting {
            candidate: candidate(agent, vendor, Needs::Program(agent.to_owned())),
            program: there.then(|| PathBuf::from(agent)),
            credentials: match key {
                true => Credentials::Key("K".to_owned()),
                false => Credentials::NotSeen,
            },
        };
        let all = [
            seen("a", "x", true, false),
            seen("b", "y", false, true),
            seen("c", "z", true, true),
            seen("d", "z", true, true),
        ];
        assert_eq!(chosen(&all, None).as_deref(), Some("c"));
        assert_eq!(chosen(&all, Some("z")).as_deref(), Some("a"));
        assert_eq!(chosen(&all[..2], Some("x")).as_deref(), Some("a"));
        assert_eq!(chosen(&all[1..2], None), None);
    }

    #[test]
    fn every_preset_can_be_found() {
        let found = candidates(&Presets::default());
        let agents: Vec<&str> = found.iter().map(|one| one.agent.as_str()).collect();
        let programs = ["claude", "codex", "gemini", "opencode"];
        let over_http = ["anthropic", "openai", "gemini"];
        assert_eq!(agents[..4], programs);
        let providers: Vec<&str> = agents[4..]
            .iter()
            .filter_map(|agent| Some(agent.split_once(':')?.0))
            .collect();
        assert_eq!(providers, over_http);
        assert!(
            found
                .iter()
                .all(|one| !one.keys.is_empty() && !one.install.is_empty())
        );
    }
}
