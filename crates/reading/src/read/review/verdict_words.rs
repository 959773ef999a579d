//! Verdicts in words: which of them a text states, and how a condition or a note behind an approval changes it.

use gapless_domain::named;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::super::lexicon::{Lexicon, Match, Word, first_words, folded_set, words_in};
use super::item_text::is_finding_noun;
use super::ratings::rating_at;

/// What a review comes to, the strictest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    NoIssuesFound,
    Approve,
    ApproveWithNotes,
    Revise,
}

named!(Verdict);

impl Verdict {
    /// True where it lets the proposal pass.
    pub fn approves(self) -> bool {
        self != Verdict::Revise
    }
}

#[derive(Clone, Copy)]
struct Phrase {
    verdict: Verdict,
    /// True where it counts only if nothing of the sentence follows.
    alone: bool,
}

static VERDICTS: LazyLock<Lexicon<Phrase>> = LazyLock::new(|| {
    Lexicon::of_groups(include_str!("../words/verdicts.txt"), |group| {
        let (name, alone) = match group.strip_suffix(" alone") {
            Some(name) => (name, true),
            None => (group, false),
        };
        let name = name.replace(' ', "_").to_uppercase();
        let verdict = Verdict::ALL.into_iter().find(|it| it.name() == name)?;
        Some(Phrase { verdict, alone })
    })
});

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Modifier {
    WithoutReservation,
    WithNotes,
    Conditional,
}

static MODIFIERS: LazyLock<Lexicon<Modifier>> = LazyLock::new(|| {
    Lexicon::of_groups(include_str!("../words/verdict_modifiers.txt"), |group| {
        Some(match group {
            "without reservation" => Modifier::WithoutReservation,
            "with notes" => Modifier::WithNotes,
            "conditional" => Modifier::Conditional,
            _ => return None,
        })
    })
});

/// Verdicts and notes in the sentences of a conclusion.
static PROSE: LazyLock<Lexicon<Verdict>> = LazyLock::new(|| {
    Lexicon::of_groups(include_str!("../words/verdict_prose.txt"), |group| {
        Some(match group {
            "approve" => Verdict::Approve,
            "notes" => Verdict::ApproveWithNotes,
            "revise" => Verdict::Revise,
            _ => return None,
        })
    })
});

static NOTE_NOUNS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| folded_set(include_str!("../words/note_nouns.txt")));

static TAILS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| folded_set(include_str!("../words/verdict_tails.txt")));

static FILLERS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| folded_set(include_str!("../words/verdict_fillers.txt")));

const NEGATIONS: [&str; 10] = [
    "not", "cannot", "cant", "never", "dont", "isnt", "arent", "wont", "doesnt", "no",
];

/// How many words of a text are looked at for a verdict and what changes it.
const LONGEST_STATEMENT: usize = 32;
/// How many words may stand before the verdict in its sentence.
const MOST_FILLERS: usize = 14;

/// The verdict that a text states in its first words: behind a label, or in a sentence about the proposal.
pub(super) fn stated_verdict(text: &str) -> Option<Verdict> {
    let verdict = match find(text) {
        Some(found) => found.verdict,
        None => implied_verdict(text)?,
    };
    (!is_template(text)).then_some(verdict)
}

/// A verdict by its shape, where its words are not known: what something needs, requires or is not, or what it comes with.
fn implied_verdict(text: &str) -> Option<Verdict> {
    let end = text
        .find(['.', ';', '–', '—', '(', '\n'])
        .unwrap_or(text.len());
    let mut words = words_in(&text[..end]);
    words.retain(|word| !word.is_sign() && !word.is_number());
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    if words.len() > LONGEST_IMPLIED {
        return None;
    }
    match words.as_slice() {
        [] => None,
        [
            "not",
            "applicable" | "reviewed" | "assessed" | "started" | "done",
            ..,
        ]
        | ["not", "yet", "reviewed" | "assessed" | "started", ..] => None,
        ["need" | "require" | "requires", "no" | "nothing", ..] => Some(Verdict::Approve),
        [
            "need" | "needing" | "require" | "requires" | "requiring",
            _,
            ..,
        ] => Some(Verdict::Revise),
        ["not" | "cannot" | "cant" | "dont", _, ..] | ["do" | "does" | "can", "not", _, ..] => {
            Some(Verdict::Revise)
        }
        [
            "no" | "none" | "nothing",
            ..,
            "required" | "needed" | "requested" | "necessary",
        ] => Some(Verdict::Approve),
        [
            _,
            ..,
            "required" | "needed" | "requested" | "necessary" | "outstanding" | "pending"
            | "withheld" | "denied",
        ] => Some(Verdict::Revise),
        [_, "with", rest @ ..] if rest.iter().any(|word| NOTE_NOUNS.contains(*word)) => {
            Some(Verdict::ApproveWithNotes)
        }
        _ => None,
    }
}

/// How many words a verdict has at most that is known by its shape.
const LONGEST_IMPLIED: usize = 8;

/// The verdict of a text that is nothing but a verdict, with a reason behind a dash or in brackets at most.
pub(super) fn whole_verdict(text: &str) -> Option<Verdict> {
    let found = find(text)?;
    let behind = text.get(found.end..).unwrap_or("");
    let whole = found.modified || is_end(behind) || is_tail(behind);
    (whole && !is_template(text)).then_some(found.verdict)
}

/// Single words that are verdicts under any label; others may be the state of anything: `Build: passed`.
const PLAIN_VERDICTS: [&str; 9] = [
    "approved", "approve", "lgtm", "rejected", "reject", "accepted", "accept", "endorsed", "revise",
];

/// The verdict of a text that is nothing but a verdict and could be nothing else.
pub(super) fn unmistakable_verdict(text: &str) -> Option<Verdict> {
    let found = find(text)?;
    let plain = found.phrase.contains(' ') || PLAIN_VERDICTS.contains(&found.phrase);
    whole_verdict(text).filter(|_| plain)
}

/// True where the words up to the end of the sentence belong to the verdict: `ready for integration`.
fn is_tail(behind: &str) -> bool {
    let end = behind
        .find(['.', ',', ';', ':', '(', '–', '—'])
        .unwrap_or(behind.len());
    words_in(&behind[..end])
        .iter()
        .all(|word| word.is_sign() || TAILS.contains(&word.text))
}

/// The verdict of a paragraph that concludes: the strictest that its sentences have words for, if they approve or revise at all.
pub(super) fn prose_verdict(text: &str) -> Option<Verdict> {
    let words = words_in(text);
    let mut found: Vec<Verdict> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match PROSE.at(&words[at..]) {
            Some(phrase) => {
                let mut before = words[at.saturating_sub(NEGATION_REACH)..at].iter();
                let negated = before.any(|word| NEGATIONS.contains(&word.text.as_str()));
                match (negated, phrase.means) {
                    (true, Verdict::Approve) => found.push(Verdict::Revise),
                    (true, _) => {}
                    (false, verdict) => found.push(verdict),
                }
                at += phrase.length;
            }
            None => at += 1,
        }
    }
    let mut verdicts = found.iter();
    let judges = verdicts.any(|verdict| *verdict != Verdict::ApproveWithNotes);
    let strictest = found.into_iter().max();
    strictest.filter(|_| judges && !is_template(text))
}

/// How many words before a phrase may deny it.
const NEGATION_REACH: usize = 2;

/// True where a text offers verdicts to choose from, as templates do.
fn is_template(text: &str) -> bool {
    let options = text.split(['|', '/']).filter(|part| find(part).is_some());
    let text = text.trim_matches(['*', '`', ' ', ':']);
    let placeholder = text.starts_with(['<', '{', '['])
        && text.ends_with(['>', '}', ']'])
        && (text.starts_with(['<', '{']) || text.contains(['|', '/']));
    placeholder || options.count() > 1
}

struct Found {
    verdict: Verdict,
    phrase: &'static str,
    /// The byte behind its words.
    end: usize,
    /// True where words behind an approval changed it.
    modified: bool,
}

fn find(text: &str) -> Option<Found> {
    let words = first_words(text, LONGEST_STATEMENT);
    let mut negated = false;
    for at in 0..words.len().min(MOST_FILLERS) {
        let word = &words[at];
        let phrase = VERDICTS
            .at(&words[at..])
            .filter(|found| fits(text, &words, at, found));
        if let Some(found) = phrase.or_else(|| nothing_found(text, &words, at)) {
            return judge(text, &words, at, &found, negated);
        }
        negated |= NEGATIONS.contains(&word.text.as_str());
        let passes = word.is_sign() || word.is_number() || FILLERS.contains(&word.text);
        let is_id = is_part_of_id(text, word);
        if !passes && !is_id {
            return None;
        }
    }
    None
}

/// `No remaining issues`: any noun of findings with `no` before it. `No critical issues` leaves others open.
fn nothing_found(text: &str, words: &[Word], at: usize) -> Option<Match<Phrase>> {
    if words[at].text != "no" {
        return None;
    }
    let is_noun = |word: &Word| is_finding_noun(&word.text);
    let noun = (1..=MOST_ADJECTIVES).find(|offset| words.get(at + offset).is_some_and(is_noun))?;
    let adjectives = &words[at + 1..at + noun];
    let rated = (0..adjectives.len()).any(|index| rating_at(&adjectives[index..]).is_some());
    let blocking = adjectives.iter().any(|word| word.text == "blocking");
    let written = &text[words[at].span.start..words[at + noun].span.end];
    if written.contains('_') || (rated && !blocking) {
        return None;
    }
    let verdict = match blocking {
        true => Verdict::ApproveWithNotes,
        false => Verdict::NoIssuesFound,
    };
    let found = words.get(at + noun + 1).is_some_and(|word| {
        ["found", "identified", "left", "remaining"].contains(&word.text.as_str())
    });
    Some(Match {
        length: noun + 1 + usize::from(found),
        phrase: "no issues",
        means: Phrase {
            verdict,
            alone: true,
        },
    })
    .filter(|phrase| is_end(&text[words[at + phrase.length - 1].span.end..]))
}

/// How many words may stand between `no` and the noun.
const MOST_ADJECTIVES: usize = 4;

/// True for the parts of `GAP-FLOW-001`.
fn is_part_of_id(text: &str, word: &Word) -> bool {
    let (before, behind) = (&text[..word.span.start], &text[word.span.end..]);
    let capitals = text[word.span.clone()].chars().all(|c| !c.is_lowercase());
    capitals && (before.ends_with('-') || behind.starts_with('-'))
}

/// True where the words are the phrase also in their marks and in what follows.
fn fits(text: &str, words: &[Word], at: usize, found: &Match<Phrase>) -> bool {
    let span = words[at].span.start..words[at + found.length - 1].span.end;
    let written = &text[span.clone()];
    // A constant is written as it is, or it is another.
    let exact =
        !written.contains('_') || written.replace('_', " ").eq_ignore_ascii_case(found.phrase);
    exact
        && (!found.means.alone
            || is_end(&text[span.end..])
            || modifier(text, words, at, found).is_some())
}

/// True where a sentence, or a part of it, ends here.
fn is_end(behind: &str) -> bool {
    let behind = behind.trim_start_matches(['*', '`', '_', '"', '\u{201d}', '\u{fe0f}']);
    let next = behind.trim_start();
    let mut chars = next.chars();
    match chars.next() {
        None => true,
        Some(c) if ".,;:!()[]–—|\n".contains(c) => true,
        Some('-') => behind.starts_with(' ') && chars.next() == Some(' '),
        Some(c) => !c.is_alphanumeric() && !c.is_ascii(),
    }
}

fn judge(
    text: &str,
    words: &[Word],
    at: usize,
    found: &Match<Phrase>,
    negated: bool,
) -> Option<Found> {
    let next = at + found.length;
    let mut end = words[next - 1].span.end;
    let approves = found.means.verdict.approves();
    let denies_nothing = found.means.verdict == Verdict::NoIssuesFound;
    if negated && (!approves || denies_nothing) {
        return None;
    }
    let mut verdict = found.means.verdict;
    let mut modified = false;
    if negated {
        verdict = Verdict::Revise;
    } else if approves && let Some(changed) = modifier(text, words, at, found) {
        modified = true;
        end = text.len();
        verdict = match changed {
            Modifier::WithoutReservation => verdict,
            Modifier::WithNotes => verdict.max(Verdict::ApproveWithNotes),
            Modifier::Conditional => Verdict::Revise,
        };
    } else if approves && text[end..].starts_with('*') && !text[end..].starts_with("**") {
        // `APPROVED*` points to a note.
        verdict = verdict.max(Verdict::ApproveWithNotes);
    }
    Some(Found {
        verdict,
        phrase: found.phrase,
        end,
        modified,
    })
}

/// What the words right behind an approval make of it. They belong to its sentence.
fn modifier(text: &str, words: &[Word], at: usize, found: &Match<Phrase>) -> Option<Modifier> {
    let next = at + found.length;
    let end = words[next - 1].span.end;
    let mut following = words[next..].to_vec();
    following.retain(|word| !word.is_sign());
    let first = following.first()?;
    let between = text.get(end..first.span.start)?;
    if between.contains(['.', '!', '\n']) {
        return None;
    }
    let mut words_only = following.clone();
    words_only.retain(|word| !word.is_number());
    if let Some(found) = MODIFIERS.at(&words_only) {
        return Some(found.means);
    }
    // `APPROVED for integration, subject to …`: a condition later in the sentence counts too.
    let sentence_end = text[end..]
        .find(['.', '!', '\n'])
        .map_or(text.len(), |at| end + at);
    let within = following.partition_point(|word| word.span.start < sentence_end);
    let rest = &following[..within];
    if !between.contains(['-', '–', '—', ':']) && has_notes(rest) {
        return Some(Modifier::WithNotes);
    }
    (1..rest.len().min(MOST_FILLERS)).find_map(|at| {
        let found = MODIFIERS.at(&rest[at..])?;
        (found.means == Modifier::Conditional
            && found.length + usize::from(STRONG.contains(&rest[at].text.as_str())) > 1)
            .then_some(found.means)
    })
}

/// `Accepted, 2 nits noted`: notes stand in the words right behind an approval.
fn has_notes(words: &[Word]) -> bool {
    let near = &words[..words.len().min(NOTE_REACH)];
    near.iter().enumerate().any(|(at, word)| {
        let denies = |word: &Word| ["no", "without", "not", "all"].contains(&word.text.as_str());
        NOTE_NOUNS.contains(&word.text) && !near[..at].iter().any(denies)
    })
}

/// How many words behind an approval are looked at for notes.
const NOTE_REACH: usize = 6;

/// Words that make an approval conditional also where they stand later in its sentence.
const STRONG: [&str; 4] = ["pending", "contingent", "provided", "conditional"];

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::*;

    #[test]
    fn verdicts_are_stated_in_many_ways() {
        for (text, verdict) in [
            ("**APPROVED** - fine", Approve),
            ("APPROVED with minor observation", ApproveWithNotes),
            ("APPROVED*", ApproveWithNotes),
            ("APPROVED_WITH_NOTES", ApproveWithNotes),
            ("needs_revision", Revise),
            ("NO_ISSUES_FOUND", NoIssuesFound),
            (
                "✅ Ready to integrate with three minor clarifications",
                ApproveWithNotes,
            ),
            ("The proposal is ready to integrate.", Approve),
            ("This is not ready.", Revise),
            ("I cannot approve this yet", Revise),
            ("I recommend approval.", Approve),
            ("Approved subject to the changes above", Revise),
            ("APPROVED for integration, pending the fix", Revise),
            ("Conditional approval", Revise),
            ("CONDITIONAL", Revise),
            ("Approved with conditions", Revise),
            ("Approved with no changes", Approve),
            ("APPROVED. With this, the round ends", Approve),
            ("GAP-FLOW-001 is approved", Approve),
            ("LGTM with nits", ApproveWithNotes),
            ("Go", Approve),
            ("Accept the resolution as written", Approve),
            ("Request changes", Revise),
        ] {
            assert_eq!(stated_verdict(text), Some(verdict), "{text}");
        }
        for text in [
            "RESOLVED. It is approved",
            "Approvedly",
            "NO_ISSUE_FOUND",
            "APPROVED | NEEDS_REVISION",
            "[APPROVED/NEEDS_REVISION]",
            "<APPROVED>",
            "Go over the section again",
            "I cannot say NO_ISSUES_FOUND here.",
            "does not need changes",
        ] {
            assert_eq!(stated_verdict(text), None, "{text}");
        }
    }

    #[test]
    fn a_whole_text_may_be_a_verdict() {
        for text in [
            "APPROVED ✓",
            "No Issues Found",
            "Approved with notes",
            "✅ LGTM!",
            "APPROVED (round 2)",
        ] {
            assert!(whole_verdict(text).is_some(), "{text}");
        }
        for text in [
            "Accept header handling",
            "Approved headers",
            "Reject duplicates",
            "The proposal accepts late data",
        ] {
            assert_eq!(whole_verdict(text), None, "{text}");
        }
    }
}
