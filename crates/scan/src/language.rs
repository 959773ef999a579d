//! Tells whether the prose of a spec is in the language that the rules know.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gapless_domain::words::phrases;
use gapless_markdown::BlockKind;
use serde::Serialize;

use crate::Facts;

/// The language of a spec's prose, as far as the rules care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    English,
    /// The rules that read words find next to nothing in it.
    Unknown,
}

static FUNCTION_WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let lines = phrases(include_str!("words/function_words.txt"));
    lines.flat_map(str::split_whitespace).collect()
});

/// Fewer words are no prose that could be told.
const FEWEST_WORDS: usize = 25;
/// English prose has one such word in two or three, a list of English names at least one in this many.
const ONE_IN: usize = 25;

fn is_function_word(word: &str) -> bool {
    const LONGEST: usize = 8;
    let mut buffer = [0; LONGEST];
    let Some(lower) = buffer.get_mut(..word.len()) else {
        return false;
    };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).is_ok_and(|lower| FUNCTION_WORDS.contains(lower))
}

pub fn language_of(facts: &Facts<'_>) -> Language {
    let (mut all, mut english, mut letters) = (0, 0, 0);
    let prose = facts.sentences.iter().filter(|sentence| {
        let kind = &facts.block_of(sentence).kind;
        matches!(kind, BlockKind::Paragraph | BlockKind::Item)
    });
    let words = prose.flat_map(|sentence| facts.words_of(sentence));
    for word in words.filter(|word| word.is_plain()) {
        let text = facts.text(word.span());
        all += 1;
        match text.is_ascii() {
            true => english += usize::from(is_function_word(text)),
            false => letters += text.chars().filter(|c| !c.is_ascii()).count(),
        }
    }
    // Some scripts put no space between words.
    let enough = all >= FEWEST_WORDS || letters >= 3 * FEWEST_WORDS;
    match enough && english * ONE_IN < all.max(letters / 3) {
        true => Language::Unknown,
        false => Language::English,
    }
}
