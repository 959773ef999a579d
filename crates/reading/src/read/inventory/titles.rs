//! What a title says of the entries below it: that they are open, that they may be, that they are open no more.

use std::sync::LazyLock;

use super::super::vocabulary::{has_word, words_of};
use super::listing::Listing;
use super::over::{is_done_word, is_over};
use super::word_lists::{ASIDE_LABELS, OVER_FOREIGN, has_phrase};
use gapless_domain::words::phrases;

/// Titles that list what is open.
static OPEN: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_sections.txt")).collect());
/// Titles in other languages that do.
static FOREIGN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = phrases(include_str!("../words/open_sections_foreign.txt"));
    lines.filter(|line| !line.starts_with('[')).collect()
});
/// Titles that may.
const PERHAPS: [&str; 7] = [
    "questions",
    "gaps",
    "issues",
    "missing",
    "todo",
    "todos",
    "to do",
];
/// Words that make a title one of those in front of the words below.
const FIRST: [&str; 9] = [
    "open",
    "known",
    "unresolved",
    "unanswered",
    "outstanding",
    "remaining",
    "pending",
    "undecided",
    "identified",
];
/// Those of them that may stand further away: `Open product questions`.
const FAR: [&str; 6] = [
    "open",
    "unresolved",
    "unanswered",
    "outstanding",
    "undecided",
    "pending",
];
/// How many words may stand between.
const MOST_BETWEEN: usize = 2;
/// What `open` belongs to before these: `Open source questions`.
const NAMES_WITH_OPEN: [&str; 9] = [
    "source",
    "sourcing",
    "api",
    "access",
    "telemetry",
    "graph",
    "policy",
    "data",
    "id",
];
static SECOND: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_section_seconds.txt")).collect());
/// Nouns that only what is wanted stands behind: `Input needed`.
static WANTED: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_section_wants.txt")).collect());
/// What makes a title one of those behind the nouns.
const TURNED: [&str; 8] = [
    "needed",
    "outstanding",
    "pending",
    "remaining",
    "requested",
    "required",
    "undecided",
    "unresolved",
];
/// What is still to be done: `Questions to answer`.
static VERBS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_section_verbs.txt")).collect());
/// Whom questions are for.
const READERS: [&str; 9] = [
    "review",
    "reviewer",
    "reviewers",
    "discussion",
    "team",
    "stakeholders",
    "product",
    "legal",
    "design",
];
static OTHERS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/open_section_others.txt")).collect());

/// Words of one title, without the numbers before them.
fn title_words(title: &str) -> Vec<String> {
    words_of(title)
        .skip_while(|word| word.bytes().all(|b| b.is_ascii_digit()))
        .take(12)
        .map(str::to_lowercase)
        .collect()
}

/// True where a title says that everything below it is open: `11. Open Questions`, `Known gaps`, `TBD`.
pub fn lists_what_is_open(title: &str) -> bool {
    listing_of(title) == Some(Listing::Open)
}

/// What a title says about the entries below it, if it does.
pub(super) fn listing_of(title: &str) -> Option<Listing> {
    let words = title_words(title);
    let whole = words.join(" ");
    if says_over(&words, &whole) {
        return Some(Listing::Closed);
    }
    if let Some(behind) = behind_what_is_open(&words) {
        let others = || words.iter().any(|word| OTHERS.contains(&word.as_str()));
        return Some(match tells_about(&words, behind) || others() {
            true => Listing::Perhaps,
            false => Listing::Open,
        });
    }
    // As authors write it for themselves; `Todo` may be what the spec is about.
    let is_shouted = whole == "todo" && title.contains("TODO");
    if is_shouted || OPEN.contains(&whole.as_str()) || has_phrase(&FOREIGN, &whole) {
        return Some(Listing::Open);
    }
    // `Type gaps` lists gaps; a `Gap summary` counts them.
    let ends_so = words.len() <= 4
        && words.last().is_some_and(|word| word == "gaps")
        && !words
            .iter()
            .any(|word| matches!(word.as_str(), "the" | "no" | "closing" | "filling"));
    let asks_somebody = whole.starts_with("questions for ");
    (PERHAPS.contains(&whole.as_str()) || ends_so || asks_somebody).then_some(Listing::Perhaps)
}

/// How many words of a title there are up to the end of the first that say what is open.
fn behind_what_is_open(words: &[String]) -> Option<usize> {
    let is = |list: &[&str], at: usize| words.get(at).is_some_and(|w| list.contains(&w.as_str()));
    let near = |at: usize| is(&FIRST, at) && is(&SECOND, at + 1);
    let far = |at: usize| {
        let is_name = words[at] == "open" && is(&NAMES_WITH_OPEN, at + 1);
        let mut ends = (at + 2)..(at + 2 + MOST_BETWEEN);
        let end = ends.find(|end| is(&SECOND, *end))?;
        (is(&FAR, at) && !is_name).then_some(end + 1)
    };
    let turned = |at: usize| (is(&SECOND, at) || is(&WANTED, at)) && is(&TURNED, at + 1);
    let to_do = |at: usize| {
        let to = is(&["to"], at + 1) && (is(&SECOND, at) || is(&WANTED, at));
        let verb = at + 2 + usize::from(is(&["be"], at + 2));
        (to && is(&VERBS, verb)).then_some(verb + 1)
    };
    let asked = |at: usize| {
        let reader = at + 2 + usize::from(is(&["the", "our"], at + 2));
        let asks = is(&["questions"], at) && is(&["for", "to"], at + 1);
        (asks && is(&READERS, reader)).then_some(reader + 1)
    };
    (0..words.len()).find_map(|at| match near(at) || turned(at) {
        true => Some(at + 2),
        false => far(at).or_else(|| to_do(at)).or_else(|| asked(at)),
    })
}

/// `Open questions (resolved)`, `Resolved questions`, `Answered`, `No open questions`.
fn says_over(words: &[String], whole: &str) -> bool {
    // `To be resolved` is still to be done.
    const YET: [&str; 7] = ["be", "not", "to", "until", "before", "never", "yet"];
    let is_yet = |at: usize| {
        let before = words[..at].iter().rev().take(2);
        before.into_iter().any(|word| has_word(&YET, word))
    };
    let is_done = |(at, word): (usize, &String)| is_done_word(word) && !is_yet(at);
    let is_said = words.iter().enumerate().any(is_done) || has_phrase(&OVER_FOREIGN, whole);
    let is_list = |word: &String| {
        let word = word.as_str();
        SECOND.contains(&word) && !matches!(word, "item" | "items" | "point" | "points")
            || PERHAPS.contains(&word)
    };
    let lists = words.iter().any(is_list) || has_phrase(&FOREIGN, whole);
    let is_none = whole.starts_with("no ") && behind_what_is_open(words).is_some();
    is_said && (lists || words.len() == 1) || is_none
}

/// True where a title says that what stands below it is over: `Answered in review`, `Which format? — decided`.
pub(super) fn begins_done(title: &str) -> bool {
    let words = title_words(title);
    words.first().is_some_and(|word| is_done_word(word)) || is_over(title)
}

/// True where a label names what is listed beside what is open: `**Assumptions:**`.
pub(super) fn names_others(label: &str) -> bool {
    let words = title_words(label);
    words.len() == 1 && OTHERS.contains(&words[0].as_str())
}

/// A title such as `How open issues are shown` or `Open issues view`: what stands below it is told, not left open.
fn tells_about(title: &[String], behind: usize) -> bool {
    const FIRST: [&str; 8] = [
        "how", "when", "handling", "showing", "managing", "viewing", "listing", "tracking",
    ];
    const NEXT: [&str; 8] = [
        "view", "screen", "page", "tab", "panel", "endpoint", "badge", "count",
    ];
    let has =
        |words: &[&str], at: usize| title.get(at).is_some_and(|w| words.contains(&w.as_str()));
    has(&FIRST, 0) || has(&NEXT, behind)
}

/// Sections beside the entries of a list, which tell how to read it.
pub(super) fn tells_of_the_list(title: &str) -> bool {
    const TELLING: [&str; 11] = [
        "background",
        "context",
        "introduction",
        "legend",
        "note",
        "notes",
        "overview",
        "process",
        "purpose",
        "status",
        "summary",
    ];
    let words = title_words(title);
    let is_aside = words.len() <= 2
        && words
            .first()
            .is_some_and(|first| ASIDE_LABELS.contains(&first.as_str()));
    is_aside || words.first().is_none_or(|first| has_word(&TELLING, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_list_what_is_open_are_known() {
        for title in [
            "Open Questions",
            "TODO",
            "11. Open Questions",
            "Known gaps and limits",
            "TBD",
            "To be decided",
            "Unresolved issues",
            "Appendix: open points",
            "Decisions pending",
            "15. Open Product Questions",
            "Outstanding design decisions",
            "Decisions needed",
            "Input needed from legal",
            "Unresolved technical questions",
            "Questions for review",
            "Questions to be answered before launch",
            "Points to clarify",
            "Open questions (to be resolved)",
            "Open questions not answered yet",
            "Offene Fragen",
            "7. Noch zu klären",
            "Questions en suspens",
            "Décisions à prendre",
            "Preguntas abiertas",
            "Открытые вопросы",
            "八、待定问题",
            "待确认事项",
        ] {
            assert_eq!(listing_of(title), Some(Listing::Open), "{title}");
        }
        for title in [
            "4.3 GAPS",
            "Type System Gaps",
            "Issues",
            "Todos",
            "To do",
            "How open questions are shown",
            "Open issues view",
            "Risks and open questions",
            "Questions for candidates",
        ] {
            assert_eq!(listing_of(title), Some(Listing::Perhaps), "{title}");
        }
        for title in [
            "Open Questions (Resolved)",
            "Resolved questions",
            "Open questions — answered",
            "No open questions",
            "Answered",
            "Closed issues",
            "Geklärte offene Fragen",
            "待定问题（已解决）",
        ] {
            assert_eq!(listing_of(title), Some(Listing::Closed), "{title}");
        }
        for title in [
            "User Questions This View Answers",
            "Gap Summary",
            "Known limitations",
            "Opening hours",
            "Issue tracker",
            "TODO app",
            "To do lists",
            "Closing the gaps",
            "Accepted payment methods",
            "Fixed costs",
            "Open source questions",
            "Decisions",
            "Fields to show",
            "",
        ] {
            let listing = listing_of(title);
            assert!(
                !matches!(listing, Some(Listing::Open | Listing::Perhaps)),
                "{title}"
            );
        }
    }
}
