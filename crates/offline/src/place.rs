//! Where a gap stands: the words that it quotes, the line of the spec that they are from, and titles that fit the place.

use gapless_domain::{AssignedGap, one_line};

const LONGEST_PLACE: usize = 60;
const LONGEST_LINE: usize = 400;

/// What a description quotes, in quotes or as code, in order.
pub(crate) fn quotes(description: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = description;
    while let Some(at) = rest.find(['"', '`']) {
        let mark = &rest[at..=at];
        let inner = &rest[at + 1..];
        let Some(end) = inner.find(mark) else {
            break;
        };
        let quote = inner[..end].trim().trim_end_matches('…');
        if !quote.is_empty() {
            found.push(quote);
        }
        rest = &inner[end + 1..];
    }
    found
}

/// The words that choose among defaults: what a rule quotes and where that stands, or all that is said of a gap by hand.
pub(crate) fn words(gap: &AssignedGap, spec: &str) -> String {
    if gap.rule.is_none() {
        // Its section says where it belongs, and not what it is about.
        return gap.description.to_lowercase();
    }
    let section = gap.section.as_deref().unwrap_or_default();
    let quotes = quotes(&gap.description);
    let line = quotes.first().map(|quote| line_of(quote, section, spec));
    let line = line.unwrap_or_default();
    format!("{}\n{line}\n{section}", quotes.join("\n")).to_lowercase()
}

/// The line of the spec that a quote is from, in its section where that has it.
fn line_of(quote: &str, section: &str, spec: &str) -> String {
    let (mut inside, mut first) = (false, None);
    for line in spec.lines() {
        if let Some(title) = heading(line) {
            inside = title == section;
        }
        if line.contains(quote) {
            if inside {
                return cut(line, LONGEST_LINE);
            }
            first = first.or(Some(line));
        }
    }
    first.map_or(String::new(), |line| cut(line, LONGEST_LINE))
}

/// The first characters of a text.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    let cut: String = text.chars().take(longest).collect();
    cut.trim_end().to_owned()
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let is_heading = title.len() < line.len() && title.starts_with(' ');
    is_heading.then(|| title.trim().trim_end_matches('#').trim_end())
}

/// A default's title where it stands: `Timeouts: Payment`. Below a section of the same name it is another one.
pub(crate) fn title(of_default: &str, gap: &AssignedGap) -> String {
    let place = plain(gap.section.as_deref().unwrap_or_default());
    if place.is_empty() {
        return of_default.to_owned();
    }
    match place.eq_ignore_ascii_case(of_default) {
        true => format!("{of_default}: what holds"),
        false => format!("{of_default}: {place}"),
    }
}

/// Words as a title can have them: on one line, short, without marks that markdown reads.
pub(crate) fn plain(words: &str) -> String {
    plain_to(words, LONGEST_PLACE)
}

/// As `plain`, at another length.
pub(crate) fn plain_to(words: &str, longest: usize) -> String {
    let marks = ['`', '*', '_', '#', '<', '>', '[', ']', '|', '\\', '&', '~'];
    let kept = one_line(&words.replace(marks, " "));
    cut(kept.trim_matches([':', '.', ',', ' ']), longest)
}
