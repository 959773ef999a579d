//! The lexicon: classes of words and phrases, read once from a data file, and how to find them in a text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const LEXICON: [&str; 2] = [
    include_str!("../words/lexicon.txt"),
    include_str!("../words/asking.txt"),
];

macro_rules! classes {
    ($($class:ident $name:literal),* $(,)?) => {
        /// What a word or phrase tells a rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Class { $($class),* }

        impl Class {
            fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Class::$class),)*
                    _ => None,
                }
            }
        }
    };
}

classes! {
    Neutral "neutral", Must "must", Should "should", May "may", Will "will", Not "not", Condition "condition", Ears "ears",
    Actor "actor", Degree "degree", Dimension "dimension", VagueCount "vaguecount", VagueTime "vaguetime", Quality "quality",
    Manner "manner", Fitting "fitting", Escape "escape", Performing "performing", OpenEnd "openend", Undecided "undecided",
    Unit "unit", NeedsUnit "needsunit", Within "within", Call "call", Queue "queue", Write "write", Failure "failure",
    Secret "secret", Protect "protect", Personal "personal", Privacy "privacy", Handling "handling", Listing "listing",
    Bounded "bounded", Cache "cache", Fresh "fresh", Retrying "retrying", RetryBound "retrybound", Terminal "terminal",
    Statish "statish", Bound "bound", TypeWord "typeword", Boundless "boundless", Passive "passive", Imperative "imperative",
    RetryPlan "retryplan", Paged "paged", Soft "soft", Able "able", Speaker "speaker", Telling "telling", Remote "remote",
    Durable "durable", CountVerb "countverb", Encrypting "encrypting", Keeping "keeping",
    Promise "promise", Repeated "repeated", Aging "aging", Choice "choice", Enough "enough", Measure "measure",
    Criterion "criterion", Matter "matter", Ideal "ideal", Wavering "wavering", Exposed "exposed", Access "access",
    Piling "piling", Kept "kept", Outside "outside", Timed "timed", Open "open", Throttled "throttled", Upload "upload",
    Sized "sized", Delivered "delivered", Guarantee "guarantee", Shared "shared", Conflict "conflict", Daily "daily",
    Zoned "zoned", Payload "payload", Described "described", SignIn "signin", Vendor "vendor", Keyed "keyed",
    Deleting "deleting", Deletion "deletion", Comparing "comparing", Notifying "notifying", Channel "channel",
    Token "token", Lifetime "lifetime", Rounded "rounded", Money "money", Bulk "bulk", Partial "partial",
    Adding "adding", Existing "existing", Contended "contended", Atomic "atomic", Stored "stored",
    Damaged "damaged", Exiting "exiting", Optioned "optioned", Defaulted "defaulted",
    Pooled "pooled", Capacity "capacity",
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Classes(u128);

impl Classes {
    pub const fn of(class: Class) -> Self {
        Self(1 << class as u8)
    }

    pub const fn with(self, class: Class) -> Self {
        Self(self.0 | 1 << class as u8)
    }

    pub fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    pub fn meets(self, other: Classes) -> bool {
        self.0 & other.0 != 0
    }

    pub fn join(&mut self, other: Classes) {
        self.0 |= other.0;
    }
}

struct Entry {
    /// The words behind the first.
    rest: Vec<&'static str>,
    classes: Classes,
}

/// The words and phrases, by their first word. Never iterated, so that its order can't show.
pub struct Lexicon {
    first: BTreeMap<&'static str, Vec<Entry>>,
    /// For each length of a word and each first letter, whether any entry begins so: most words are none.
    shapes: [u32; 32],
}

/// Words longer than this are in no entry.
const LONGEST_WORD: usize = 24;

static SHARED: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(&LEXICON));

impl Lexicon {
    pub fn shared() -> &'static Self {
        &SHARED
    }

    fn read(files: &[&'static str]) -> Self {
        let mut phrases: BTreeMap<Vec<&'static str>, Classes> = BTreeMap::new();
        let mut class = Class::Neutral;
        let lines = files.iter().flat_map(|file| file.lines());
        for line in lines.map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                class = Class::named(name).unwrap_or(Class::Neutral);
                continue;
            }
            for phrase in line.split(',').map(str::trim).filter(|p| !p.is_empty()) {
                let words: Vec<&str> = phrase.split(' ').collect();
                phrases.entry(words).or_default().join(Classes::of(class));
            }
        }
        let mut first: BTreeMap<&'static str, Vec<Entry>> = BTreeMap::new();
        let mut shapes = [0; 32];
        for (words, classes) in phrases {
            let Some((head, rest)) = words.split_first() else {
                continue;
            };
            if let Some(bit) = letter(head) {
                shapes[head.len().min(31)] |= bit;
            }
            first.entry(head).or_default().push(Entry {
                rest: rest.to_vec(),
                classes,
            });
        }
        for entries in first.values_mut() {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.rest.len()));
        }
        Self { first, shapes }
    }

    /// The phrases that begin with the first of these words, longest first, each with how many words it has.
    /// A neutral phrase is given only where it is the longest.
    pub fn find<'w>(
        &'static self,
        word: &str,
        following: impl Fn(usize) -> Option<&'w str>,
        mut found: impl FnMut(usize, Classes),
    ) {
        let mut buffer = [0; LONGEST_WORD];
        let Some(key) = lowered(word, &mut buffer) else {
            return;
        };
        match letter(key) {
            Some(bit) if self.shapes[key.len().min(31)] & bit == 0 => return,
            _ => {}
        }
        let Some(entries) = self.first.get(key) else {
            return;
        };
        let mut is_first = true;
        for entry in entries {
            let stands = entry.rest.iter().enumerate().all(|(index, wanted)| {
                following(index + 1).is_some_and(|word| word.eq_ignore_ascii_case(wanted))
            });
            if !stands {
                continue;
            }
            let neutral = entry.classes.has(Class::Neutral);
            if !neutral || is_first {
                found(1 + entry.rest.len(), entry.classes);
            }
            if neutral && is_first {
                return;
            }
            is_first = false;
        }
    }
}

/// A bit for the first letter of a lowercase word; digits and others have none and are always looked up.
fn letter(word: &str) -> Option<u32> {
    match word.as_bytes().first() {
        Some(byte @ b'a'..=b'z') => Some(1 << (byte - b'a')),
        _ => None,
    }
}

fn lowered<'b>(word: &str, buffer: &'b mut [u8; LONGEST_WORD]) -> Option<&'b str> {
    let bytes = buffer.get_mut(..word.len())?;
    bytes.copy_from_slice(word.as_bytes());
    bytes.make_ascii_lowercase();
    std::str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, bool)> {
        let words: Vec<&str> = text.split(' ').collect();
        let mut all = Vec::new();
        Lexicon::shared().find(
            words[0],
            |index| words.get(index).copied(),
            |length, classes| all.push((length, classes.has(Class::Neutral))),
        );
        all
    }

    #[test]
    fn every_class_of_the_file_is_known_and_every_entry_lowercase() {
        let lines = LEXICON.iter().flat_map(|file| file.lines());
        for line in lines.filter(|line| !line.starts_with('#')) {
            match line.strip_prefix('[') {
                Some(name) => assert!(Class::named(name.trim_end_matches(']')).is_some(), "{line}"),
                None => assert_eq!(line, line.to_lowercase()),
            }
        }
    }

    #[test]
    fn the_longest_phrase_shields_where_it_is_neutral() {
        assert_eq!(found("eventually consistent reads"), [(2, true)]);
        assert_eq!(found("as soon as possible"), [(4, false)]);
        assert_eq!(found("As Soon as it comes"), [(3, true)]);
        assert_eq!(found("unheard of"), []);
    }
}
