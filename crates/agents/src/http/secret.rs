//! Keys: they go into a request and nowhere else. No output of this program shows one, also where a provider
//! repeats it.

use std::fmt;

/// What stands where a key stood.
const HIDDEN: &str = "[key]";

/// What is shorter than this is no key of anybody's, and may be a word of a document.
const SHORTEST_IN_DOCUMENTS: usize = 8;

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

    /// A message without the key.
    pub(crate) fn hidden_in(&self, message: &str) -> String {
        message.replace(&self.0, HIDDEN)
    }

    /// A document without the key.
    pub(crate) fn hidden_in_document(&self, text: String) -> String {
        match self.0.len() >= SHORTEST_IN_DOCUMENTS && text.contains(&self.0) {
            true => self.hidden_in(&text),
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
        assert_eq!(key.hidden_in("wrong key sk-canary-1."), "wrong key [key].");
        assert_eq!(
            key.hidden_in_document("a sk-canary-1 b".into()),
            "a [key] b"
        );
        assert_eq!(Secret::new("  "), None);
    }

    #[test]
    fn a_short_key_takes_no_words_out_of_documents() {
        let key = Secret::new("test").unwrap();
        assert_eq!(key.hidden_in("the key test"), "the key [key]");
        assert_eq!(key.hidden_in_document("a test".into()), "a test");
    }
}
