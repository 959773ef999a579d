//! The titles of parts: from the heading that the Engineer wrote, else from what the gap says is missing.

use super::phrases::{
    CLAUSE_WORDS, EMPTY_TITLES, HEADING_WORDS, LEADING, QUESTION_WORDS, SMALL_WORDS, TRAILING,
    UNSAID,
};
use gapless_domain::gap_ids_in;
use gapless_reading::read::PLACEHOLDER_WORDS;

/// What a part is called when nothing gives it a title.
pub(super) const NAMELESS: &str = "Details";

const LONGEST_DERIVED: usize = 60;
const LONGEST_WRITTEN: usize = 120;

/// The title that a heading of the Engineer gives: without gap ids and talk of resolving; `None` where that leaves
/// nothing that says what the part is about.
pub(super) fn from_heading(raw: &str) -> Option<String> {
    let ids: Vec<String> = gap_ids_in(raw).iter().map(|f| f.id.to_string()).collect();
    let mut words: Vec<&str> = raw.split_whitespace().collect();
    let about_gap = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.is_empty()
            || ids.iter().any(|id| word.contains(id.as_str()))
            || is_one_of(bare, &HEADING_WORDS)
            || bare.bytes().all(|b| b.is_ascii_digit())
    };
    if !ids.is_empty() || words.first().is_some_and(|w| is_gap_heading_word(w)) {
        let lead = words.iter().take_while(|word| about_gap(word)).count();
        words.drain(..lead);
        if words.first().is_some_and(|w| w.eq_ignore_ascii_case("of")) {
            words.remove(0);
            let lead = words.iter().take_while(|word| about_gap(word)).count();
            words.drain(..lead);
        }
        while words.last().is_some_and(about_gap) {
            words.pop();
        }
    }
    let title = words.join(" ");
    let title = whole_brackets(title.trim_matches([':', '-', '–', '—', ',', '.', ' ']));
    worded(&shortened(title, LONGEST_WRITTEN))
}

fn is_gap_heading_word(word: &str) -> bool {
    let words = ["gap", "resolution", "revision", "resolution:", "revision:"];
    is_one_of(word, &words)
}

/// True for one of these words, in capitals or not.
fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// `(Retry schedule)` is a title in brackets; brackets inside are its own.
fn whole_brackets(title: &str) -> &str {
    match title.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) if !inner.contains(['(', ')']) => inner.trim(),
        _ => title,
    }
}

/// A title from what a gap says is missing.
pub(super) fn from_description(description: &str) -> Option<String> {
    let bare = without_ids(description);
    let clause = first_clause(&bare);
    let mut rest = clause;
    for _ in 0..6 {
        let before = rest;
        if let Some(behind) = UNSAID.iter().find_map(|opener| without_lead(rest, opener)) {
            rest = from_question_word(behind);
        } else if let Some(behind) = LEADING.iter().find_map(|lead| without_lead(rest, lead)) {
            rest = behind;
        }
        if let Some(front) = TRAILING.iter().find_map(|end| without_end(rest, end)) {
            rest = front;
        }
        if rest == before {
            break;
        }
    }
    if bare.len() < description.len() {
        rest = without_small_end(rest);
    }
    let title = shortened(&without_placeholders(rest), LONGEST_DERIVED);
    worded(&escaped_html(&title)).or_else(|| worded(&shortened(clause, LONGEST_DERIVED)))
}

/// A title doesn't say that something is still to be written: that has been written.
fn without_placeholders(title: &str) -> String {
    let is_mark = |word: &str| {
        let word = word.trim_matches(['(', ')', ',', ':', ';', '.', '*', '_']);
        let is_unknown = word.len() >= 3 && word.bytes().all(|b| b == b'?');
        is_unknown || PLACEHOLDER_WORDS.contains(&word)
    };
    let shown = |word| if is_mark(word) { "…" } else { word };
    title.split(' ').map(shown).collect::<Vec<_>>().join(" ")
}

/// A description without the gaps that it names: ids are no words of a title.
fn without_ids(description: &str) -> String {
    let mut bare = String::with_capacity(description.len());
    let mut at = 0;
    for found in gap_ids_in(description) {
        bare += &description[at..found.at];
        at = found.at + found.id.to_string().len();
    }
    bare + &description[at..]
}

fn without_small_end(text: &str) -> &str {
    let mut rest = text.trim_end();
    while let Some((front, last)) = rest.rsplit_once(char::is_whitespace)
        && is_small(last)
    {
        rest = front.trim_end();
    }
    rest
}

fn is_small(word: &str) -> bool {
    is_one_of(word.trim_end_matches([',', ':', ';']), &SMALL_WORDS)
}

/// The title with a capital, where it has words of its own.
fn worded(title: &str) -> Option<String> {
    let title = title.trim();
    let has_words = title.chars().any(char::is_alphanumeric) && !says_only_that(title);
    if !has_words || is_one_of(title, &EMPTY_TITLES) {
        return None;
    }
    let mut chars = title.chars();
    let first = chars.next()?;
    Some(first.to_uppercase().chain(chars).collect())
}

/// Up to where the sentence or its first clause ends.
fn first_clause(text: &str) -> &str {
    let text = text.trim();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        at += word.len();
        let bare = word.trim_end();
        let next = text[at..].trim_start();
        let ends_sentence = bare.ends_with(['.', '?', '!', ';', ':']) && !is_abbreviation(bare);
        let ends_clause = bare.ends_with(',') && begins_clause(next);
        let dashed = matches!(bare, "-" | "–" | "—");
        let clause = text[..at].trim_end();
        let clause = clause.trim_end_matches(['.', '?', '!', ';', ':', ',', '-', '–', '—', ' ']);
        let in_code = text[..at].matches('`').count() % 2 == 1;
        let ends = (ends_sentence || ends_clause || dashed) && !in_code;
        if ends && clause.len() > 2 && !says_only_that(clause) {
            return clause;
        }
    }
    text.trim_end_matches(['.', '?', '!', ';', ':', ',', ' '])
}

/// True where a text says that something is missing and not what.
fn says_only_that(text: &str) -> bool {
    is_one_of(text, &UNSAID) || is_one_of(text, &LEADING) || is_one_of(text, &TRAILING)
}

fn is_abbreviation(word: &str) -> bool {
    let known = ["e.g.", "i.e.", "etc.", "vs.", "incl.", "approx."];
    is_one_of(word.trim_start_matches('('), &known)
}

fn begins_clause(rest: &str) -> bool {
    let word = rest.split_whitespace().next().unwrap_or("");
    is_one_of(word, &CLAUSE_WORDS) || is_one_of(word, &QUESTION_WORDS)
}

/// What follows these words at the start of a text, if anything does.
fn without_lead<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let start = text.get(..lead.len())?;
    let behind = &text[lead.len()..];
    let bounded = behind.starts_with(|c: char| c.is_whitespace() || c == ':');
    (bounded && start.eq_ignore_ascii_case(lead))
        .then(|| behind.trim_start_matches([':', ' ', '\t']))
        .filter(|rest| !rest.is_empty())
}

fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let at = text.len().checked_sub(end.len())?;
    let last = text.get(at..)?;
    let front = &text[..at];
    (front.ends_with(char::is_whitespace) && last.eq_ignore_ascii_case(end))
        .then(|| front.trim_end_matches([' ', '\t', ',', ':', '-', '–', '—']))
        .filter(|rest| !rest.is_empty())
}

/// `a receiver how to order events` begins with its question, if that comes soon.
fn from_question_word(text: &str) -> &str {
    let mut at = 0;
    for word in text.split_inclusive(' ').take(4) {
        if is_one_of(word.trim(), &QUESTION_WORDS) {
            return &text[at..];
        }
        at += word.len();
    }
    text
}

/// Cuts at a word; a cut title ends with no small word, and leaves no bracket or code open.
fn shortened(text: &str, longest: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut length = 0;
    let mut kept: Vec<&str> = Vec::new();
    for word in &words {
        let with = length + word.chars().count() + usize::from(!kept.is_empty());
        if with > longest {
            break;
        }
        length = with;
        kept.push(word);
    }
    if kept.len() < words.len() {
        while kept.last().is_some_and(|last| is_small(last)) {
            kept.pop();
        }
    }
    let mut title = kept.join(" ");
    if title.is_empty() {
        title = words
            .first()
            .map_or(String::new(), |word| word.chars().take(longest).collect());
    }
    if title.matches('`').count() % 2 == 1
        && let Some(at) = title.rfind('`')
    {
        title.truncate(at);
    }
    if title.matches('(').count() > title.matches(')').count()
        && let Some(at) = title.rfind('(')
    {
        title.truncate(at);
    }
    title.trim_end_matches([' ', ',', ':', ';']).to_owned()
}

/// A description is plain words: what looks like a tag in it, outside code, is shown.
fn escaped_html(title: &str) -> String {
    let mut in_code = false;
    let mut shown = String::with_capacity(title.len());
    for c in title.chars() {
        in_code ^= c == '`';
        if c == '<' && !in_code {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// The words of a title as the text of a link, also in a table.
pub(super) fn as_link_text(plain: &str) -> String {
    let mut text = String::with_capacity(plain.len());
    for c in plain.chars() {
        if matches!(
            c,
            '\\' | '[' | ']' | '|' | '<' | '>' | '*' | '_' | '`' | '&' | '~' | '#' | '!'
        ) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_read_like_headings_of_a_spec() {
        let shown: Vec<String> = [
            "The retry schedule, its end, the treatment of `Retry-After`, and more are missing.",
            "It is not said which responses count as an acknowledgement, how long an attempt waits",
            "Nothing tells a receiver how to order two events about the same object, or how long",
            "Nothing says how many attempts one endpoint may have in flight, so a slow receiver",
            "There is no way to replace an endpoint's secret, neither as routine",
            "Pagination, the form of errors, safe repetition and request limits are not defined.",
            "Sending a delivery again is mentioned, but not what exactly is sent",
            "The metrics that the service exposes and the thresholds that page the on-call engineer are not listed.",
            "It is not said how long envelopes, response excerpts, attempts and backups are kept, where they are",
            "No wireframes for PathSpec editor",
            "Optional segment propagation unclear. If `optional: true` on a `Static` node, do children follow?",
            "What is the retry schedule?",
            "Missing: limits",
            "Index strategy for JSON columns not specified",
            "no timeout for <id>",
            "missing",
            "Need `optional: true` for deep trees; else they are cut",
            "No retry policy for failed jobs is defined",
            "the limit of GAP-API-001 is not said",
            "gap-free numbering of invoices is undefined",
        ]
        .iter()
        .map(|text| from_description(text).unwrap_or("(none)".to_owned()))
        .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn headings_give_titles_without_talk_of_the_gap() {
        for (raw, title) in [
            (
                "Gap Resolution: GAP-AA-001: Retry schedule",
                "Retry schedule",
            ),
            (
                "Gap Resolution: GAP-AA-001 (Optional Propagation)",
                "Optional Propagation",
            ),
            ("GAP-AA-001 Resolution: the limits", "The limits"),
            ("Retry for the poor", "Retry for the poor"),
            ("Solution space", "Solution space"),
        ] {
            assert_eq!(from_heading(raw).as_deref(), Some(title), "{raw}");
        }
        for nothing in [
            "Gap Resolution: GAP-AA-001",
            "Gap Resolution: GAP-AA-001 (Revised)",
            "Revision: GAP-AA-001 + GAP-AA-002",
            "Resolution of GAP-AA-001",
            "Gap Resolution: GAP-AA-001 (round 2)",
            "Proposed Solution",
            "...",
            "",
        ] {
            assert_eq!(from_heading(nothing), None, "{nothing}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_description_gives_one_line(text in "(\\PC|[ `(<,.]|no |missing|the ){0,40}") {
            if let Some(title) = from_description(&text) {
                proptest::prop_assert!(!title.contains('\n') && title.chars().count() <= 130);
            }
            from_heading(&text);
        }
    }
}
