//! The words by which a title is found in a heading or in what a gap says is missing, and by which a list of gaps is
//! known. All English, all data.

use gapless_domain::words::phrases;
use std::sync::LazyLock;

/// What a subject doesn't begin with in a title.
pub(super) const ARTICLES: [&str; 7] = ["the", "a", "an", "each", "every", "any", "all"];

/// Words that stand for something that was named before.
pub(super) const PRONOUNS: [&str; 10] = [
    "it", "this", "that", "these", "those", "they", "there", "we", "you", "both",
];

/// What a clause begins with that comes before the main one.
pub(super) const CONDITION_WORDS: [&str; 11] = [
    "if", "when", "while", "after", "before", "once", "on", "in", "for", "where", "until",
];

/// Verbs of which the words before them are the subject.
pub(super) static VERBS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/verbs.txt")).collect());

/// Words that no title ends with.
pub(super) const SMALL_WORDS: [&str; 38] = [
    "a", "an", "the", "of", "at", "or", "and", "in", "on", "to", "for", "from", "by", "with",
    "without", "that", "which", "who", "is", "are", "be", "its", "their", "as", "than", "into",
    "when", "if", "not", "no", "but", "so", "how", "what", "whether", "between", "per", "via",
];

/// Headings that say nothing about what stands below them.
pub(super) static EMPTY_TITLES: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/empty_titles.txt")).collect());

/// Words of a gap's heading that are about the gap and not about the thing.
pub(super) static HEADING_WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/heading_words.txt")).collect());

/// Words in the title of a section that lists gaps rather than being about a thing.
pub(super) static LISTING_WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/listing_words.txt")).collect());
