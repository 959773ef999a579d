//! What a spec speaks of anywhere, so that a rule about the whole spec can tell whether its question is answered somewhere.

use std::ops::Range;

use super::lexicon::{Classes, Lexicon};
use super::sections::Section;
use super::spec_text::SpecText;

/// The classes of all words: of the prose with its headings, and of the names in code.
pub fn mentioned_in(text: &SpecText<'_>) -> Classes {
    let mut mentioned = Classes::default();
    let introduces: Vec<bool> = text.sections.iter().map(introduces).collect();
    for sentence in &text.sentences {
        if !introduces[sentence.section] {
            mentioned.join(sentence.classes);
        }
    }
    let spans = text.document.code_spans.iter();
    for span in spans.chain(&text.document.code_blocks) {
        in_code(&text.document.source, span.clone(), &mut mentioned);
    }
    mentioned
}

/// Whether a section only leads to what the spec says: it praises what others must do, and answers no question.
fn introduces(section: &Section) -> bool {
    const TITLES: [&str; 9] = [
        "introduction",
        "background",
        "motivation",
        "overview",
        "problem",
        "problem statement",
        "vision",
        "abstract",
        "executive summary",
    ];
    let title = section
        .title
        .trim_start_matches(|c: char| !c.is_alphabetic());
    TITLES.iter().any(|known| title.eq_ignore_ascii_case(known))
}

/// The parts of names in code: `maxRetryCount` and `max_retry_count` have three.
fn in_code(source: &str, span: Range<usize>, mentioned: &mut Classes) {
    let code = source.get(span).unwrap_or("");
    for name in code.split(|c: char| !c.is_alphanumeric()) {
        let mut rest = name;
        while !rest.is_empty() {
            let mut letters = rest.char_indices().skip(1);
            let humps = letters.find(|(at, c)| {
                c.is_uppercase() && rest[..*at].ends_with(|before: char| !before.is_uppercase())
            });
            let (part, behind) = rest.split_at(humps.map_or(rest.len(), |(at, _)| at));
            Lexicon::shared().find(part, |_| None, |_, classes| mentioned.join(classes));
            rest = behind;
        }
    }
}
