//! How grave a review calls something: severities in any wording, and the words for blocking and not blocking.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::super::lexicon::{Lexicon, Match, Word, folded_set, words_in};
use super::super::vocabulary::SEVERITY_WORDS;
use super::names::leading_id;
use gapless_domain::Severity;

/// What a heading, a tag or a field says about severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rating {
    named: Option<Severity>,
    blocking: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RatingWord {
    Named(Severity),
    Blocking,
    NonBlocking,
}

static RATINGS: LazyLock<Lexicon<RatingWord>> = LazyLock::new(|| {
    let mut ratings = Lexicon::of_groups(include_str!("../words/severities.txt"), |group| {
        Some(match group {
            "blocking" => RatingWord::Blocking,
            "non blocking" => RatingWord::NonBlocking,
            severity => RatingWord::Named(severity.parse().ok()?),
        })
    });
    let plain = SEVERITY_WORDS
        .iter()
        .map(|(word, severity)| (*word, RatingWord::Named(*severity)));
    ratings.extend(plain);
    ratings
});

static COMPANIONS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| folded_set(include_str!("../words/severity_companions.txt")));

/// Words for findings, which a tag may name beside its severity: `[HIGH issue]`.
const FINDING_NOUNS: [&str; 8] = [
    "issue", "problem", "finding", "concern", "nit", "comment", "defect", "gap",
];

impl Rating {
    pub fn named(severity: Severity) -> Self {
        Self {
            named: Some(severity),
            blocking: None,
        }
    }

    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// The severity; what is called blocking is HIGH at least, what is called not blocking MEDIUM at most.
    pub fn severity(self) -> Option<Severity> {
        match (self.named, self.blocking) {
            (Some(named), Some(true)) => Some(named.max(Severity::High)),
            (Some(named), _) => Some(named),
            (None, Some(true)) => Some(Severity::High),
            (None, Some(false)) => Some(Severity::Medium),
            (None, None) => None,
        }
    }

    /// True where the severity follows from "blocking" or "not blocking" and is not named itself.
    pub fn is_inferred(self) -> bool {
        self.severity() != self.named
    }

    pub(super) fn add(&mut self, word: RatingWord) {
        match word {
            RatingWord::Named(severity) => self.named = self.named.max(Some(severity)),
            RatingWord::Blocking => self.blocking = Some(true),
            RatingWord::NonBlocking => self.blocking = self.blocking.or(Some(false)),
        }
    }
}

/// The rating that these words begin with.
pub(super) fn rating_at(words: &[Word]) -> Option<Match<RatingWord>> {
    RATINGS.at(words)
}

/// True where the word before says that a rating does not hold: `not critical`.
pub(super) fn is_negated(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|word| ["not", "non", "no"].contains(&word.text.as_str()))
}

/// The rating of words that say nothing else.
fn whole_rating(words: &[Word]) -> Option<Rating> {
    let mut rating = Rating::default();
    let mut at = 0;
    while at < words.len() {
        match rating_at(&words[at..]) {
            Some(found) => {
                if !is_negated(words, at) || found.means == RatingWord::NonBlocking {
                    rating.add(found.means);
                }
                at += found.length;
            }
            None if is_companion(&words[at]) => at += 1,
            None => return None,
        }
    }
    (!rating.is_none()).then_some(rating)
}

/// True for a word that a severity may have beside it and that says nothing else.
pub(super) fn is_companion(word: &Word) -> bool {
    word.is_number()
        || word.is_sign()
        || COMPANIONS.contains(&word.text)
        || FINDING_NOUNS.contains(&word.text.as_str())
}

/// The rating of a field's value or a table's cell: `HIGH (was MEDIUM)`, `🔴 Critical`, `Must fix - it breaks clients`.
pub(super) fn rating_of_value(value: &str) -> Option<Rating> {
    // No severity goes on for a paragraph before its first mark.
    let value = value.get(..LONGEST_VALUE).unwrap_or(value);
    let mut parts = value
        .split(['(', ',', ';', '.', '–', '—', ':', '/'])
        .flat_map(|part| part.split(" - "))
        .map(words_in)
        .filter(|words| !words.is_empty());
    let first = parts.next()?;
    let from = first.iter().position(|word| !word.is_sign());
    let mut rating = whole_rating(&first[from.unwrap_or(0)..])?;
    // `P1 - blocking`, `High (must fix)`.
    if let Some(more) = parts.next().as_deref().and_then(whole_rating)
        && more.blocking.is_some()
    {
        rating.blocking = rating.blocking.or(more.blocking);
    }
    Some(rating)
}

/// A severity that stands before a text as its tag, and the text behind it: `[HIGH] x`, `**MUST FIX:** x`, `🟡 x`, `nit: x`.
pub(super) fn leading_rating(text: &str) -> Option<(Rating, &str)> {
    let mut rest = text.trim_start_matches(['*', '_', ' ']);
    let mut by_sign: Option<Rating> = None;
    while let Some(sign) = words_in(rest.get(..first_chars(rest)).unwrap_or("")).first()
        && sign.is_sign()
        && sign.span.start == 0
    {
        by_sign = by_sign.or_else(|| whole_rating(std::slice::from_ref(sign)));
        rest = rest[sign.span.end..].trim_start_matches(['\u{fe0f}', ' ']);
    }
    let by_word = bracketed_rating(rest)
        .or_else(|| bold_rating(rest))
        .or_else(|| labelling_rating(rest));
    match (by_word, by_sign) {
        (Some((rating, behind)), _) => Some((rating, behind.trim_start_matches(BEHIND_TAG))),
        (None, Some(rating)) => Some((rating, rest)),
        (None, None) => None,
    }
}

const BEHIND_TAG: [char; 8] = ['*', ':', ' ', '-', '–', '—', '_', ']'];

/// The end of the first characters of a text: as much as a sign needs.
fn first_chars(text: &str) -> usize {
    text.char_indices().nth(1).map_or(text.len(), |(at, _)| at)
}

fn bracketed_rating(text: &str) -> Option<(Rating, &str)> {
    let bare = text.trim_start_matches(['*', '`']);
    let close = match bare.chars().next()? {
        '[' => ']',
        '(' => ')',
        _ => return None,
    };
    let end = bare.find(close).filter(|end| *end <= LONGEST_LABEL)?;
    let rating = whole_rating(&words_in(&bare[1..end]))?;
    Some((rating, bare[end + 1..].trim_start_matches(['*', '`'])))
}

fn bold_rating(text: &str) -> Option<(Rating, &str)> {
    let (inner, behind) = text.strip_prefix("**")?.split_once("**")?;
    let short = inner.len() <= LONGEST_LABEL;
    match short.then(|| whole_rating(&words_in(inner))).flatten() {
        Some(rating) => Some((rating, behind)),
        // `**Major: the title**`
        None => labelling_rating(inner).map(|(rating, rest)| {
            let from = "**".len() + inner.len() - rest.len();
            (rating, &text[from..])
        }),
    }
}

/// `HIGH: x`, `Must fix - x`: the words before a colon or a dash are a rating and nothing else.
fn labelling_rating(text: &str) -> Option<(Rating, &str)> {
    let near = (0..=LONGEST_LABEL.min(text.len()))
        .rev()
        .find_map(|end| text.get(..end))?;
    let marks = [":", " - ", " – ", " — "];
    let found = marks.iter();
    let found = found.filter_map(|mark| Some((near.find(mark)?, *mark)));
    let (at, mark) = found.min()?;
    if near[..at].contains(['[', '(']) || leading_id(text).is_some() {
        return None;
    }
    let rating = whole_rating(&words_in(&text[..at]))?;
    Some((rating, &text[at + mark.len()..]))
}

/// How many bytes of a value are looked at for its severity.
const LONGEST_VALUE: usize = 80;

/// How many bytes a severity before a colon may have.
const LONGEST_LABEL: usize = 40;

/// A severity at the end of a title, in brackets or behind a dash: `Labels fade (P2)`.
pub(super) fn trailing_rating(text: &str) -> Option<(Rating, &str)> {
    let bare = text.trim_end_matches(['*', ' ', '.', '`']);
    for dash in [" - ", " – ", " — "] {
        if let Some((title, tag)) = bare.rsplit_once(dash)
            && tag.len() <= LONGEST_LABEL
            && let Some(rating) = whole_rating(&words_in(tag))
        {
            return Some((rating, title.trim_end()));
        }
    }
    let open = match bare.chars().next_back()? {
        ']' => '[',
        ')' => '(',
        _ => return None,
    };
    let start = bare.rfind(open)?;
    let inner = &bare[start + 1..bare.len() - 1];
    let rating = (inner.len() <= LONGEST_LABEL).then(|| whole_rating(&words_in(inner)))??;
    Some((rating, bare[..start].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Severity::{Critical, High, Low, Medium};

    #[test]
    fn tags_of_many_kinds_lead() {
        for (text, severity, behind) in [
            ("[HIGH] labels fade", High, "labels fade"),
            ("**[P1]** labels fade", High, "labels fade"),
            ("(LOW): labels fade", Low, "labels fade"),
            ("**MUST FIX:** labels fade", High, "labels fade"),
            ("**Major** – labels fade", High, "labels fade"),
            ("🔴 labels fade", Critical, "labels fade"),
            ("🟡 **Minor:** labels fade", Low, "labels fade"),
            ("nit: labels fade", Low, "labels fade"),
            ("HIGH - labels fade", High, "labels fade"),
            ("SHOULD CLARIFY: labels fade", Medium, "labels fade"),
            ("**Blocker: labels fade**", Critical, "labels fade**"),
            ("[Medium, blocking] labels fade", High, "labels fade"),
        ] {
            let (rating, rest) = leading_rating(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (rating.severity(), rest),
                (Some(severity), behind),
                "{text}"
            );
        }
        for text in [
            "High latency is not bounded",
            "Critical path: labels fade",
            "[labels] fade",
            "Consider varnish",
            "**Minor versions** break: labels",
            "must: ",
        ] {
            assert!(
                leading_rating(text).is_none_or(|(_, rest)| rest.is_empty()),
                "{text}"
            );
        }
    }

    #[test]
    fn values_begin_with_a_rating() {
        for (value, severity) in [
            ("HIGH (was MEDIUM)", High),
            ("🔴 Critical", Critical),
            ("P2", Medium),
            ("Medium - blocking", High),
            ("non-blocking", Medium),
            ("🟢", Low),
        ] {
            let rating = rating_of_value(value).unwrap();
            assert_eq!(rating.severity(), Some(severity), "{value}");
        }
        assert_eq!(rating_of_value("clients retry for ever"), None);
    }

    #[test]
    fn a_severity_may_stand_behind_a_title() {
        let (rating, title) = trailing_rating("Labels fade (P2)").unwrap();
        assert_eq!((rating.severity(), title), (Some(Medium), "Labels fade"));
        assert!(trailing_rating("Labels fade (again)").is_none());
    }
}
