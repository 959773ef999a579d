//! What authors write in other languages where something is still to be filled in: `noch offen`, `à définir`, `待定`. It
//! counts where a sentence, brackets or a cell end with it; what means more than one thing counts only alone.

use std::ops::Range;
use std::sync::LazyLock;

use super::word_lists::is_chinese;
use gapless_domain::words::phrases;

/// How far around a phrase is looked.
const NEAR: usize = 40;

/// Where a phrase has to stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    AtEnd,
    Alone,
}

static MARKS: LazyLock<Vec<(&str, Standing)>> = LazyLock::new(|| {
    let mut standing = Standing::AtEnd;
    let mut marks = Vec::new();
    for line in phrases(include_str!("../words/marks_foreign.txt")) {
        match line {
            "[end]" => standing = Standing::AtEnd,
            "[alone]" => standing = Standing::Alone,
            phrase => marks.push((phrase, standing)),
        }
    }
    marks.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    marks
});

/// False for a text that has none of these phrases.
pub(super) fn may_have_foreign_marks(text: &str) -> bool {
    let lower = text.to_lowercase();
    MARKS.iter().any(|(phrase, _)| lower.contains(phrase))
}

/// True for a text that is nothing but such a mark which may mean something else.
pub(super) fn is_doubtful_mark(text: &str) -> bool {
    let lower = text.trim_matches(['*', '_', ' ']).to_lowercase();
    MARKS.contains(&(lower.as_str(), Standing::Alone))
}

/// The marks of a sentence that are in other languages.
pub(super) fn foreign_marks(sentence: &str) -> Vec<Range<usize>> {
    let lower = sentence.to_lowercase();
    // Where a letter has another length in lower case, no place in one text is one in the other.
    if lower.len() != sentence.len() || !may_have_foreign_marks(sentence) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for (phrase, standing) in MARKS.iter() {
        for (at, _) in lower.match_indices(phrase) {
            let span = at..at + phrase.len();
            if sentence.is_char_boundary(span.start)
                && sentence.is_char_boundary(span.end)
                && stands(&lower, &span, *standing)
            {
                found.push(span);
            }
        }
    }
    // Of two that overlap, the one that begins first is the longer.
    found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    found.dedup_by(|next, last| next.start < last.end);
    found
}

fn stands(lower: &str, span: &Range<usize>, standing: Standing) -> bool {
    let emphasis = ['*', '_', ' ', '\n'];
    // What stands near decides.
    let start = lower.ceil_char_boundary(span.start.saturating_sub(NEAR));
    let end = lower.floor_char_boundary(span.end + NEAR);
    let (before, behind) = (&lower[start..span.start], &lower[span.end..end]);
    let is_whole = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '"' | '“' | '„' | '«');
    let is_bounded = match is_chinese(&lower[span.clone()]) {
        true => true,
        false => before.chars().next_back().is_none_or(is_whole),
    };
    let behind = behind.trim_start_matches(emphasis);
    let rest = behind
        .trim_start_matches(['.', '!', '…'])
        .trim_matches(emphasis);
    let is_last = rest.is_empty() || rest == "|";
    let closes = behind.starts_with([')', ']', '）', '】']);
    let pauses = behind.starts_with(['。', '，', '；', '、', ';']);
    let before = before.trim_end_matches(emphasis);
    let is_first = before.trim_end_matches(['|', '-', '>', ' ']).is_empty();
    let opens = before.ends_with(['(', '[', '（', '【']);
    is_bounded
        && match standing {
            Standing::AtEnd => is_last || closes || pauses || is_first && behind.starts_with(':'),
            Standing::Alone => {
                let leads = before.ends_with([':', '：', '=']) || is_first;
                leads && (is_last || pauses)
                    || opens && closes
                    || is_first && behind.starts_with(':')
            }
        }
}
