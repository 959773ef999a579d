//! Keys: they go into a request and nowhere else. No output of this program shows one, also where a provider
//! repeats it.

use std::fmt;

/// What stands where a key stood.
const HIDDEN: &str = "[key]";

/// What is shorter than this is no key of anybody's, and may be a word or a letter of any text. A provider that needs no key is
/// often given such a stand-in.
const SHORTEST: usize = 8;

/// A key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// `None` for a blank one.
    pub(crate) fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        (!value.is_empty()).then(|| Self(value.to_owned()))
    }

    /// The key itself, for the header of a request.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text without the key.
    pub(crate) fn hidden_in(&self, text: String) -> String {
        match self.0.len() >= SHORTEST && text.contains(&self.0) {
            true => text.replace(&self.0, HIDDEN),
            false => text,
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_nowhere() {
        let key = Secret::new(" sk-canary-1 \n").unwrap();
        assert_eq!(
            format!("{key:?} {:#?}", Some(&key)),
            "[key] Some(\n    [key],\n)"
        );
        let said = key.hidden_in("wrong key sk-canary-1.".into());
        assert_eq!(said, "wrong key [key].");
        assert_eq!(Secret::new("  "), None);
    }

    #[test]
    fn a_short_key_takes_no_letters_out_of_texts() {
        for (key, shown) in [
            ("e", true),
            ("test", true),
            ("7 chars", true),
            ("8 chars!", false),
        ] {
            let text = format!("the test key {key} is refused");
            let hidden = Secret::new(key).unwrap().hidden_in(text.clone());
            assert_eq!(hidden == text, shown, "{key}");
        }
    }
}
