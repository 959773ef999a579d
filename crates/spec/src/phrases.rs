//! The words by which a title is found in a heading or in what a gap says is missing, and by which a list of gaps is
//! known. All English, all data.

use gapless_domain::words::phrases;
use std::sync::LazyLock;

/// How people say that something is not said. What follows is the thing; a question word shortly behind begins it.
pub(super) static UNSAID: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/unsaid.txt")).collect());

/// What else stands before the thing itself.
pub(super) static LEADING: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/leading.txt")).collect());

/// What stands behind it.
pub(super) static TRAILING: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("words/trailing.txt")).collect());

pub(super) const QUESTION_WORDS: [&str; 9] = [
    "how", "what", "which", "when", "where", "whether", "who", "whose", "why",
];

/// Behind a comma these begin another clause; other words go on with a list.
pub(super) const CLAUSE_WORDS: [&str; 27] = [
    "the", "its", "their", "a", "an", "or", "and", "nor", "but", "so", "yet", "neither", "because",
    "since", "while", "although", "if", "as", "then", "no", "not", "nothing", "only", "though",
    "unless", "until", "this",
];

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
