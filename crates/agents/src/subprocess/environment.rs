//! What of gapless' own environment a program gets: what an allow list names and nothing else. Values that look like
//! secrets are taken out of whatever the program says.

use std::ffi::{OsStr, OsString};

/// What any program needs to run at all, to find its files and the network. A `*` stands for anything at either end.
const USUAL: [&str; 33] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TMPDIR",
    "TMP",
    "TEMP",
    "XDG_*",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    // Windows
    "SYSTEMROOT",
    "PATHEXT",
    "COMSPEC",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
];

/// Shorter values are no secrets, and taking them out would garble texts.
const SHORTEST_SECRET: usize = 12;
const HIDDEN: &str = "[hidden]";

/// The variables that a program gets.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    variables: Vec<(OsString, OsString)>,
}

/// Names only: the values are nobody's business.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.variables.iter().map(|(name, _)| name);
        f.debug_set().entries(names).finish()
    }
}

impl Environment {
    /// Gapless' own variables, as far as they are usual or one of `more` names them.
    pub(crate) fn allowed<'a>(more: impl Iterator<Item = &'a str> + Clone) -> Self {
        Self::of(std::env::vars_os(), more)
    }

    pub(crate) fn of<'a>(
        all: impl Iterator<Item = (OsString, OsString)>,
        more: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let variables = all
            .filter(|(name, _)| {
                let name = name.to_string_lossy();
                let mut patterns = USUAL.into_iter().chain(more.clone());
                patterns.any(|pattern| matches(pattern, &name))
            })
            .collect();
        Self { variables }
    }

    pub(crate) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// The value of a variable that the program gets, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        let mut all = self.variables.iter();
        let (_, value) = all.find(|(own, value)| own == name && !value.is_empty())?;
        Some(value)
    }

    /// Takes away the variables that one of `patterns` names.
    pub(crate) fn without<'a>(mut self, patterns: impl Iterator<Item = &'a str> + Clone) -> Self {
        self.variables.retain(|(name, _)| {
            let name = name.to_string_lossy();
            !patterns.clone().any(|pattern| matches(pattern, &name))
        });
        self
    }

    /// A text without the secrets that the program was given.
    pub(crate) fn redacted(&self, text: String) -> String {
        let mut text = text;
        for (name, value) in &self.variables {
            let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
            let is_secret = ["KEY", "TOKEN", "SECRET", "PASSWORD"]
                .iter()
                .any(|word| name.to_uppercase().contains(word));
            if is_secret && value.len() >= SHORTEST_SECRET && text.contains(value.as_ref()) {
                text = text.replace(value.as_ref(), HIDDEN);
            }
        }
        text
    }
}

/// Compares with a pattern that may have a `*` at either end.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(""), _) => true,
        (Some(rest), Some(_)) => text.contains(rest.strip_suffix('*').unwrap_or(rest)),
        (Some(end), None) => text.ends_with(end),
        (None, Some(start)) => text.starts_with(start),
        (None, None) => text == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(all: &[(&str, &str)], more: &[&str]) -> Environment {
        let all = all.iter().map(|(name, value)| (name.into(), value.into()));
        Environment::of(all, more.iter().copied())
    }

    #[test]
    fn only_what_is_usual_or_named_is_passed() {
        let all = [
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("AWS_SECRET", "s"),
            ("MY_KEY", "k"),
            ("MY_OTHER", "o"),
            ("OTHER", "x"),
        ];
        let names = |more: &[&str]| {
            let environment = environment(&all, more);
            let names = environment.variables.iter();
            names
                .map(|(name, _)| name.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["PATH", "LC_ALL"]);
        assert_eq!(
            names(&["MY_*", "OTHER"]),
            ["PATH", "LC_ALL", "MY_KEY", "MY_OTHER", "OTHER"]
        );
        assert_eq!(names(&["*_SECRET"]), ["PATH", "LC_ALL", "AWS_SECRET"]);
    }

    #[test]
    fn secrets_are_taken_out_of_texts_and_of_debug_output() {
        let environment = environment(
            &[
                ("MY_API_KEY", "sk-0123456789"),
                ("MY_MODE", "sk-0123456789x"),
                ("MY_TOKEN", "abc"),
            ],
            &["MY_*"],
        );
        let said = environment.redacted("key sk-0123456789 is not valid, abc".to_owned());
        assert_eq!(said, "key [hidden] is not valid, abc");
        assert!(!format!("{environment:?}").contains("sk-"));
    }

    #[test]
    fn a_star_stands_for_anything_at_either_end() {
        for (pattern, text, fits) in [
            ("*429*", "status: 429 Too Many", true),
            ("*429", "status: 429", true),
            ("*429", "status: 429 Too Many", false),
            ("*", "", true),
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
