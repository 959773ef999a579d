//! Texts by hash: what agents and people wrote is kept once, and events name it by its hash.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The BLAKE3 hash of a text, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextHash([u8; 32]);

impl TextHash {
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first eight bytes as a number: a source of deterministic spread, for example for jitter.
    pub fn seed(&self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(first)
    }
}

impl fmt::Display for TextHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for TextHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", &self.to_string()[..12])
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a text hash (64 hexadecimal digits)")]
pub struct NotATextHash(String);

impl FromStr for TextHash {
    type Err = NotATextHash;

    fn from_str(text: &str) -> Result<Self, NotATextHash> {
        blake3::Hash::from_hex(text)
            .map(|hash| Self(*hash.as_bytes()))
            .map_err(|_| NotATextHash(text.to_owned()))
    }
}

crate::names::serde_as_string!(TextHash);

/// Looks texts up by hash.
pub trait Texts {
    /// The text of this hash, or `None` where the keeper doesn't have it.
    fn text(&self, hash: &TextHash) -> Option<Arc<str>>;

    /// The text of a hash that an event names, which the keeper must have.
    fn require(&self, hash: &TextHash) -> Result<Arc<str>, MissingText> {
        self.text(hash).ok_or(MissingText(*hash))
    }
}

/// A text that an event names is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text {0} is not in the store")]
pub struct MissingText(pub TextHash);

/// Texts in memory: those an outcome brings along, and a keeper for tests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextMap(BTreeMap<TextHash, Arc<str>>);

impl TextMap {
    pub fn keep(&mut self, text: &str) -> TextHash {
        let hash = TextHash::of(text);
        self.0.entry(hash).or_insert_with(|| Arc::from(text));
        hash
    }

    pub fn iter(&self) -> impl Iterator<Item = (&TextHash, &Arc<str>)> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn extend(&mut self, other: TextMap) {
        self.0.extend(other.0);
    }
}

impl Texts for TextMap {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.0.get(hash).cloned()
    }
}

/// Two keepers as one: what is new in this outcome, and what was kept before.
pub struct Layered<'a> {
    pub fresh: &'a TextMap,
    pub kept: &'a dyn Texts,
}

impl Texts for Layered<'_> {
    fn text(&self, hash: &TextHash) -> Option<Arc<str>> {
        self.fresh.text(hash).or_else(|| self.kept.text(hash))
    }
}

/// Cuts a text to a length in bytes, at a line where there is one, and says so.
pub fn shortened(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(longest);
    let line = text[..end].rfind('\n').filter(|at| *at > end / 2);
    let cut = line.unwrap_or(end);
    format!(
        "{}\n[shortened: {} of {} characters]",
        &text[..cut],
        cut,
        text.len()
    )
}

/// A text as a quotation in markdown.
pub fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

/// A text on one line, its white space in single blanks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text for a table cell: on one line, with its bars escaped.
pub fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

/// Items with commas between them.
pub fn comma_list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    comma_list_of(items, usize::MAX)
}

/// The first items with commas between them, and how many there are beside them: `a, b and 3 more`.
pub fn comma_list_of<T: ToString>(items: impl IntoIterator<Item = T>, most: usize) -> String {
    let mut items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    let more = items.len().saturating_sub(most);
    items.truncate(most);
    match more {
        0 => items.join(", "),
        more => format!("{} and {more} more", items.join(", ")),
    }
}
