//! What the title of a section says about its role, by words that are data.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::super::lexicon::{Lexicon, Word, folded_set, words_in};
use super::super::vocabulary::has_word;
use super::names::unnumbered;
use super::ratings::{self, Rating, RatingWord, rating_at};
use gapless_domain::{gap_ids_in, issue_ids_in};
use gapless_markdown::blank;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::VariantArray)]
pub enum SectionRole {
    /// Says of itself that it has no findings.
    NoFindings,
    /// Goes through earlier issues.
    Verification,
    NewGaps,
    /// What was looked at: checklists, criteria.
    Examined,
    Praise,
    /// Next steps, tests, roadmaps.
    Plan,
    SignOff,
    /// Repeats or introduces.
    Summary,
    Findings,
    /// Notes and recommendations, which may be findings.
    Remarks,
    Title,
    Review,
    Verdict,
    Finding,
    Other,
}

impl SectionRole {
    pub fn name(self) -> &'static str {
        match self {
            SectionRole::NoFindings => "no findings",
            SectionRole::Verification => "earlier issues",
            SectionRole::NewGaps => "new gaps",
            SectionRole::Examined => "examined",
            SectionRole::Praise => "praise",
            SectionRole::Plan => "plan",
            SectionRole::SignOff => "sign-off",
            SectionRole::Summary => "summary",
            SectionRole::Findings => "findings",
            SectionRole::Remarks => "remarks",
            SectionRole::Title => "title",
            SectionRole::Review => "review of a gap",
            SectionRole::Verdict => "verdict",
            SectionRole::Finding => "finding",
            SectionRole::Other => "other",
        }
    }

    /// True where nothing in the section raises an issue or states a verdict, whatever its words.
    pub(super) fn is_barred(self) -> bool {
        matches!(
            self,
            SectionRole::NoFindings
                | SectionRole::NewGaps
                | SectionRole::Praise
                | SectionRole::Plan
        )
    }
}

/// What a phrase of a title means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TitleWord {
    Role(SectionRole),
    /// A verdict may follow.
    VerdictLabel,
    /// Issues of earlier rounds that are open follow.
    StillOpen,
}

static ROLES: LazyLock<Lexicon<TitleWord>> = LazyLock::new(|| {
    Lexicon::of_groups(include_str!("../words/section_roles.txt"), |group| {
        let mut roles = SectionRole::VARIANTS.iter();
        match group {
            "verdict" => Some(TitleWord::VerdictLabel),
            "still open" => Some(TitleWord::StillOpen),
            name => roles
                .find(|role| role.name() == name)
                .map(|role| TitleWord::Role(*role)),
        }
    })
});

static COMPANIONS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| folded_set(include_str!("../words/title_companions.txt")));

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TitleReading {
    pub role: Option<SectionRole>,
    /// The words that gave the role.
    pub phrase: &'static str,
    pub rating: Rating,
    /// True where the title is one under which verdicts stand.
    pub is_verdict_label: bool,
    /// The bytes of the title behind such a label.
    pub value: Range<usize>,
    /// True where the title is about issues that are still open.
    pub is_still_open: bool,
    /// True where every word of the title is one that titles of a role have.
    pub is_covered: bool,
}

/// Reads a title. `None` where its words say nothing about a role.
pub(super) fn read_title(title: &str) -> Option<TitleReading> {
    let bare = unnumbered(title);
    let offset = title.len() - bare.len();
    let title = with_blank_ids(bare);
    let mut reading = TitleReading::default();
    let parts = parts_of(&title);
    reading.is_covered = true;
    for part in &parts {
        let had_label = reading.is_verdict_label;
        if !reading.take(&words_of_title(&title[part.clone()])) {
            reading.is_covered = false;
            break;
        }
        if reading.is_verdict_label && !had_label {
            reading.value = offset + part.end..offset + title.len();
        }
    }
    let denied = denies(&words_of_title(&title));
    let says = reading.role.is_some() || reading.is_verdict_label || !reading.rating.is_none();
    (says && !(denied && reading.role == Some(SectionRole::Findings))).then_some(reading)
}

impl TitleReading {
    /// Takes a part of a title; false where it has words that no title of a role has.
    fn take(&mut self, words: &[Word]) -> bool {
        let mut taken = self.clone();
        let mut only_rating = true;
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let role = ROLES.at(&words[at..]);
            let rating = rating_at(&words[at..]);
            if let Some(found) = role {
                only_rating = false;
                taken.take_word(found.means, found.phrase);
            }
            if let Some(found) = rating
                && (!ratings::is_negated(words, at) || found.means == RatingWord::NonBlocking)
            {
                taken.rating.add(found.means);
            }
            let length = role
                .map_or(0, |found| found.length)
                .max(rating.map_or(0, |f| f.length));
            match length {
                0 if ratings::is_companion(word) => at += 1,
                0 if COMPANIONS.contains(&word.text) => {
                    only_rating = false;
                    at += 1;
                }
                0 => return false,
                length => at += length,
            }
        }
        // A severity beside words of any topic is no rating: `Major version`.
        if taken.role.is_none() && !only_rating && !taken.is_verdict_label {
            taken.rating = self.rating;
        }
        *self = taken;
        true
    }

    fn take_word(&mut self, word: TitleWord, phrase: &'static str) {
        match word {
            TitleWord::VerdictLabel => self.is_verdict_label = true,
            TitleWord::StillOpen => {
                self.is_still_open = true;
                (self.role, self.phrase) = (Some(SectionRole::Findings), phrase);
            }
            TitleWord::Role(_) if self.is_still_open => {}
            TitleWord::Role(role) => {
                let both = [self.role, Some(role)];
                let mixed = both.contains(&Some(SectionRole::Praise))
                    && both.contains(&Some(SectionRole::Findings));
                // `Strengths and weaknesses` is neither.
                let role = if mixed { SectionRole::Other } else { role };
                if mixed || self.role.is_none_or(|known| role < known) {
                    (self.role, self.phrase) = (Some(role), phrase);
                }
            }
        }
    }
}

/// True for `No issues`, which is no title of a section with issues.
fn denies(words: &[Word]) -> bool {
    let first = words.iter().find(|word| !word.is_sign());
    first.is_some_and(|word| ["no", "none", "zero"].contains(&word.text.as_str()))
}

/// The words of a title without numbers: `Status of round 2 issues` is about the issues of a round.
fn words_of_title(title: &str) -> Vec<Word> {
    let mut words = words_in(title);
    words.retain(|word| !word.is_number());
    words
}

/// The longest title, in words, that is read by some of its words.
const LONGEST_LOOSE_TITLE: usize = 8;

/// Reads a title of which only some words say what it is for: `Where the proposal falls short`, `Minor items to tidy up`.
pub(super) fn read_title_loosely(title: &str) -> Option<TitleReading> {
    let words = words_of_title(&with_blank_ids(title));
    if words.len() > LONGEST_LOOSE_TITLE || title.ends_with(['.', '?', '!']) || denies(&words) {
        return None;
    }
    let mut reading = TitleReading::default();
    for at in 0..words.len() {
        if let Some(found) = ROLES.at(&words[at..]) {
            reading.take_word(found.means, found.phrase);
        }
        if let Some(found) = rating_at(&words[at..])
            && (!ratings::is_negated(&words, at) || found.means == RatingWord::NonBlocking)
        {
            reading.rating.add(found.means);
        }
    }
    let role = reading.role?;
    let findings = matches!(role, SectionRole::Findings | SectionRole::Remarks);
    reading.is_verdict_label = false;
    (findings || role < SectionRole::Summary).then_some(reading)
}

/// A text in which spaces stand for the ids of gaps and issues, so that every place stays what it is.
fn with_blank_ids(text: &str) -> Cow<'_, str> {
    if !text.contains('-') {
        return Cow::Borrowed(text);
    }
    let gaps = gap_ids_in(text).into_iter();
    let gaps = gaps.map(|found| (found.at, found.id.to_string()));
    let issues = issue_ids_in(text).into_iter();
    let issues = issues.map(|found| (found.at, found.id.to_string()));
    let ids = gaps.chain(issues).map(|(at, id)| at..at + id.len());
    let mut ids: Vec<Range<usize>> = ids.collect();
    ids.sort_by_key(|range| range.start);
    Cow::Owned(blank(text, &ids))
}

/// The parts of a title: a colon, a dash between spaces and brackets separate them.
fn parts_of(title: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut chars = title.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let spaced = before == ' ' && chars.peek().is_none_or(|(_, next)| *next == ' ');
        let ends = match c {
            ':' => chars
                .peek()
                .is_none_or(|(_, next)| *next == ' ' || *next == '*'),
            '-' => spaced,
            '–' | '—' | '(' | ')' | '[' | ']' | '|' => true,
            _ => false,
        };
        if ends {
            parts.push(start..at);
            start = at + c.len_utf8();
        }
        before = c;
    }
    parts.push(start..title.len());
    let says = |c: char| !c.is_whitespace() && c != '*';
    parts.retain(|part| title[part.clone()].contains(says));
    parts
}

/// True for a label under which verdicts stand.
pub(super) fn is_verdict_label(name: &str) -> bool {
    let known = read_title(name).is_some_and(|title| title.is_verdict_label && title.is_covered);
    known || ends_as_verdict_label(name)
}

/// `Combined verdict`: a label of few words that ends with one for verdicts and nothing else.
pub(super) fn ends_as_verdict_label(name: &str) -> bool {
    let last = name.trim_end_matches(['*', ' ']).rsplit(' ').next();
    let known = [
        "verdict",
        "decision",
        "disposition",
        "determination",
        "judgement",
        "judgment",
    ];
    name.split_whitespace().count() <= 4 && last.is_some_and(|last| has_word(&known, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_domain::Severity;

    #[test]
    fn titles_have_roles() {
        use SectionRole::*;
        for (title, role) in [
            ("Concerns", Findings),
            ("3. Identified gaps", Findings),
            ("Remaining observations (non-blocking)", Findings),
            ("Minor Observations (Not Issues)", NoFindings),
            ("Issue Resolution Verification", Verification),
            ("What Works Well", Praise),
            ("Positive findings", Praise),
            ("Strengths and weaknesses", Other),
            ("Recommended next steps", Plan),
            ("Testing Strategy", Plan),
            ("Sign-off", SignOff),
            ("Summary of issues", Summary),
            ("High-level design", Summary),
            ("Suggestions", Remarks),
            ("New Gaps Identified", NewGaps),
            ("Round 3: Concerns", Findings),
            ("✅ Strengths", Praise),
            ("Required Changes Before Approval", Findings),
        ] {
            let found = read_title(title).and_then(|reading| reading.role);
            assert_eq!(found, Some(role), "{title}");
        }
        for title in [
            "Retry budget",
            "CRITICAL Gap Warning",
            "Round 2",
            "Major version",
        ] {
            let found = read_title(title);
            assert!(found.is_none(), "{title}: {found:?}");
        }
    }

    #[test]
    fn titles_have_ratings() {
        use Severity::*;
        for (title, severity) in [
            ("Critical Issues", Critical),
            ("MUST CLARIFY (Blocking)", High),
            ("SHOULD CLARIFY", Medium),
            ("MINOR", Low),
            ("🔴 Blockers", Critical),
            ("P1", High),
            ("Low Priority / Nits", Low),
            ("Minor Issues (Non-Blocking)", Low),
            ("Remaining observations (non-blocking)", Medium),
            ("Must fix before merge", High),
        ] {
            let rating = read_title(title).unwrap().rating;
            assert_eq!(rating.severity(), Some(severity), "{title}");
        }
    }

    #[test]
    fn a_label_has_what_follows_it() {
        let reading = read_title("Overall Verdict: APPROVED").unwrap();
        assert!(reading.is_verdict_label);
        assert_eq!(&"Overall Verdict: APPROVED"[reading.value], ": APPROVED");
    }
}
