//! The titles of parts: from the heading that the Engineer wrote, else from what the text is about.

use super::phrases::{
    ARTICLES, CONDITION_WORDS, EMPTY_TITLES, HEADING_WORDS, PRONOUNS, SMALL_WORDS, VERBS,
};
use gapless_domain::gap_ids_in;

/// What a part is called when nothing gives it a title.
pub(super) const NAMELESS: &str = "Details";

const LONGEST_DERIVED: usize = 60;
const LONGEST_WRITTEN: usize = 120;
/// How many words a subject has at most.
const LONGEST_SUBJECT: usize = 5;

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

/// A title from what a text says: the words in bold that it begins with, else what its first sentence is about.
pub(super) fn from_content(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| is_prose(line))?;
    let line = line.trim_start_matches(|c: char| {
        matches!(c, '-' | '+' | '.' | ')' | ' ') || c.is_ascii_digit()
    });
    let bold = line.strip_prefix("**").and_then(|rest| {
        let (lead, _) = rest.split_once("**")?;
        Some(lead.trim_end_matches([':', '.', ' ']))
    });
    let lead = bold.filter(|lead| lead.chars().count() <= LONGEST_DERIVED);
    worded(&escaped_html(lead.or_else(|| subject(line))?))
}

/// True for a line of plain text or of a list.
fn is_prose(line: &str) -> bool {
    let is_list = line.starts_with("- ") || line.starts_with("* ");
    let marks = ['#', '|', '>', '`', '~', '<', '='];
    !line.is_empty() && (is_list || !line.starts_with(marks))
}

/// The words before the verb of a sentence, where they name something.
fn subject(sentence: &str) -> Option<&str> {
    let first = sentence.split_whitespace().next()?;
    let sentence = match is_one_of(first, &CONDITION_WORDS) {
        true => sentence.split_once(", ")?.1,
        false => sentence,
    };
    let sentence = ARTICLES
        .iter()
        .find_map(|article| without_lead(sentence, article))
        .unwrap_or(sentence);
    let mut end = 0;
    for (count, word) in sentence.split_inclusive(' ').enumerate() {
        let bare = word.trim();
        if is_one_of(bare, &VERBS) {
            let subject = sentence[..end].trim();
            let pronoun = count == 1 && is_one_of(subject, &PRONOUNS);
            return (count > 0 && !pronoun && !subject.contains(['*', '[', ']']))
                .then_some(subject);
        }
        if count == LONGEST_SUBJECT || bare.ends_with([',', '.', ':', ';', '!', '?']) {
            return None;
        }
        end += word.len();
    }
    None
}

/// The title with a capital, where it has words of its own.
fn worded(title: &str) -> Option<String> {
    let title = title.trim();
    let has_words = title.chars().any(char::is_alphanumeric);
    if !has_words || is_one_of(title, &EMPTY_TITLES) {
        return None;
    }
    let mut chars = title.chars();
    let first = chars.next()?;
    Some(first.to_uppercase().chain(chars).collect())
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

fn is_small(text: &str) -> bool {
    is_one_of(text.trim_end_matches([',', ':', ';']), &SMALL_WORDS)
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
    fn a_text_gives_the_title_of_what_it_is_about() {
        for (text, title) in [
            ("The daily cap is 50,000 EUR.", "Daily cap"),
            ("Failed payments are retried 3 times.", "Failed payments"),
            ("**Retry schedule.** After 1 minute.", "Retry schedule"),
            ("When a job fails, the worker must stop.", "Worker"),
            (
                "\n- Each `Retry-After` header has seconds.",
                "`Retry-After` header",
            ),
        ] {
            assert_eq!(from_content(text).as_deref(), Some(title), "{text}");
        }
        for nothing in [
            "It is 50 EUR.",
            "There is no limit.",
            "50 EUR.",
            "| a | b |\n|---|---|",
            "Sends all of the things that it has got at once to is",
            "",
        ] {
            assert_eq!(from_content(nothing), None, "{nothing}");
        }
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
        fn any_text_gives_one_line(text in "(\\PC|[ `(<,.]|no |missing|the ){0,40}") {
            if let Some(title) = from_content(&text) {
                proptest::prop_assert!(!title.contains('\n') && title.chars().count() <= 130);
            }
            from_heading(&text);
        }
    }
}
