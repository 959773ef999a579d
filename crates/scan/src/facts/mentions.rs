//! What a spec speaks of anywhere, so that a rule about the whole spec can tell whether its question is answered somewhere.

use std::ops::Range;

use super::lexicon::{Classes, Lexicon};
use super::spec_text::SpecText;

/// The classes of all words: of the prose with its headings, and of the names in code.
pub fn mentioned_in(text: &SpecText<'_>) -> Classes {
    let mut mentioned = Classes::default();
    for sentence in &text.sentences {
        mentioned.join(sentence.classes);
    }
    let spans = text.document.code_spans.iter();
    for span in spans.chain(&text.document.code_blocks) {
        in_code(&text.document.source, span.clone(), &mut mentioned);
    }
    mentioned
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
