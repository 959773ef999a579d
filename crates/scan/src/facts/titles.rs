//! Tells from the title of a section whether it binds anybody, and from the label of a block.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gapless_domain::words::phrases;

/// Titles by their words: those that count anywhere in a title, and those that count as the whole of it.
pub struct Titles {
    within: BTreeSet<&'static str>,
    whole: BTreeSet<&'static str>,
}

impl Titles {
    pub fn of(list: &'static str) -> Self {
        let mut titles = Self {
            within: BTreeSet::new(),
            whole: BTreeSet::new(),
        };
        for phrase in phrases(list) {
            match phrase.strip_prefix('=') {
                Some(whole) => titles.whole.insert(whole),
                None => titles.within.insert(phrase),
            };
        }
        titles
    }

    pub fn have(&self, title: &str) -> bool {
        self.have_plain(&plain(title))
    }

    fn have_plain(&self, title: &str) -> bool {
        self.whole.contains(title) || runs(title).any(|run| self.within.contains(run))
    }
}

/// The runs of a few words in a text whose words are separated by one space.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST: usize = 5;
    let starts = std::iter::once(0).chain(text.match_indices(' ').map(|(at, _)| at + 1));
    starts.flat_map(move |start| {
        let rest = &text[start..];
        let ends = rest.match_indices(' ').map(|(at, _)| at);
        let ends = ends.chain(std::iter::once(rest.len()));
        ends.take(LONGEST).map(move |end| &rest[..end])
    })
}

static INFORMATIVE: LazyLock<Titles> =
    LazyLock::new(|| Titles::of(include_str!("../words/informative_sections.txt")));

static BINDING: LazyLock<Titles> =
    LazyLock::new(|| Titles::of(include_str!("../words/binding_sections.txt")));

static LABELS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/informing_labels.txt")).collect());

/// What a title says about its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearing {
    /// It informs: nothing in it is a requirement.
    Informs,
    /// It obliges: what it lists is required, even without a verb.
    Obliges,
    /// The title doesn't say; the sentences do.
    Open,
}

/// What a title says about its section, whatever is above it.
pub fn bearing_of(title: &str) -> Bearing {
    let plain = plain(title);
    if INFORMATIVE.have_plain(&plain) || lists_open_matters(&plain) {
        Bearing::Informs
    } else if BINDING.have_plain(&plain) {
        Bearing::Obliges
    } else {
        Bearing::Open
    }
}

/// `Acceptance criteria` bind below a user story as well.
pub fn binds_anywhere(title: &str) -> bool {
    let plain = plain(title);
    plain.contains("acceptance")
        || plain == "requirements"
        || plain.ends_with("functional requirements")
}

/// `Open product questions`, `Open decisions`.
pub fn lists_open_matters(title: &str) -> bool {
    let mut words = title
        .split(' ')
        .skip_while(|word| !matches!(*word, "open" | "unresolved"));
    words.next().is_some()
        && words.any(|word| {
            matches!(
                word,
                "question" | "questions" | "issues" | "points" | "decisions" | "items"
            )
        })
}

/// A title in small letters, without its number, its marks and what it says about itself.
fn plain(title: &str) -> String {
    let mut plain = String::new();
    let words = title.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        let is_number = plain.is_empty() && word.starts_with(|c: char| c.is_ascii_digit());
        let is_remark = ["mandatory", "optional"].contains(&word.to_lowercase().as_str());
        if is_number || is_remark {
            continue;
        }
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(&word.to_lowercase());
    }
    plain
}

/// Whether a block begins with a label that informs, as in `**Rationale**: …`, or is the line of a user story.
pub fn informs(block: &str) -> bool {
    const LONGEST_LABEL: usize = 40;
    let text = block.trim_start_matches(['*', '_', ' ', '[', ']', 'x', '-']);
    let head = text.char_indices().nth(LONGEST_LABEL);
    let head = &text[..head.map_or(text.len(), |(at, _)| at)];
    let label = head.split_once(':').map(|(label, _)| label);
    let is_label = label.is_some_and(|label| {
        let label = label.trim_end_matches(['*', '_', ' ']);
        LABELS.contains(label.to_lowercase().as_str())
    });
    let is_pointer = block.trim_end().ends_with(')') && is_lone_link(block);
    is_label || is_pointer || is_story(text)
}

/// A link and nothing else, as in lists of references.
fn is_lone_link(block: &str) -> bool {
    let link = block
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("));
    link.is_some_and(|(_, target)| {
        !target
            .trim_end_matches([')', ' ', '\n'])
            .contains([' ', ')'])
    })
}

/// `As a cashier, I want …`
fn is_story(text: &str) -> bool {
    const HEAD: usize = 200;
    if !text.starts_with(['A', 'a']) {
        return false;
    }
    let lower: String = text.chars().take(HEAD).collect::<String>().to_lowercase();
    let lower = lower.replace(['*', '_'], "");
    let role =
        lower.starts_with("as a ") || lower.starts_with("as an ") || lower.starts_with("as the ");
    role && [
        " i want",
        " i need",
        " i can",
        " i would",
        " i'd",
        " i should",
        " i am",
    ]
    .iter()
    .any(|wish| lower.contains(wish))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_whether_a_section_binds() {
        use Bearing::{Informs, Obliges, Open};
        let cases = [
            ("2. Background", Informs),
            ("Motivation *(optional)*", Informs),
            ("Alternatives considered", Informs),
            ("Why this priority?", Informs),
            ("User stories", Informs),
            ("User scenarios & testing *(mandatory)*", Obliges),
            ("Appendix B: Words", Informs),
            ("Non-goals", Informs),
            ("15. Open Product Questions", Informs),
            ("Opening hours", Open),
            ("3.2 Non-functional requirements", Obliges),
            ("Application context menu", Open),
            ("Issue tracker", Open),
            ("Summary of an order", Open),
            ("Delivery", Open),
        ];
        for (title, expected) in cases {
            assert_eq!(bearing_of(title), expected, "{title}");
        }
    }

    #[test]
    fn labels_and_user_stories_inform() {
        for block in [
            "**Rationale**: nobody reads it twice",
            "**Why this priority:** it earns money",
            "As a librarian, I want to lend books quickly",
            "**As an** editor **I want** to see drafts",
        ] {
            assert!(informs(block), "{block}");
        }
        for block in [
            "**Retention**: rows are kept for a while",
            "The rationale: the client waits",
            "As a rule, the client waits.",
            "As an order is sent, I/O starts.",
        ] {
            assert!(!informs(block), "{block}");
        }
    }
}
