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
        letters += text.chars().filter(|c| !c.is_ascii()).count();
        english += usize::from(FUNCTION_WORDS.contains(text.to_ascii_lowercase().as_str()));
    }
    // Some scripts put no space between words.
    let enough = all >= FEWEST_WORDS || letters >= 3 * FEWEST_WORDS;
    match enough && english * ONE_IN < all.max(letters / 3) {
        true => Language::Unknown,
        false => Language::English,
    }
}
