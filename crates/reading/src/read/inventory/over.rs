//! What an entry says where it is no gap: that it is over or answered, that there is none, that it is an aside to another
//! entry, or that it is an instruction of a template.

use std::sync::LazyLock;

use super::super::fields::is_none_word;
use super::super::gap_line::{bracketed, strip_checkbox};
use super::super::vocabulary::{has_word, words_of};
use super::names::{asks, other_id};
use super::word_lists::{ASIDE_LABELS, OVER_FOREIGN, has_phrase, in_lower_case, is_chinese};
use gapless_domain::gap_ids_in;
use gapless_domain::words::phrases;

static NONE: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/none_begins.txt")).collect());
static NONE_WITHIN: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/none_within.txt")).collect());
static NONE_TAILS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/none_tails.txt")).collect());
static ANSWERS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/answer_labels.txt")).collect());
static NOT_YET: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/not_yet.txt")).collect());
static TEMPLATE: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/template_phrases.txt")).collect());
static TEMPLATE_BEGINS: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/template_begins.txt")).collect());

/// How far from the start of a sentence a label and the word behind it may reach.
const LONGEST_LABEL: usize = 80;

pub(super) const CHECKS: [char; 3] = ['✅', '☑', '✔'];

/// True for the words that say that something is open no more.
pub(super) fn is_done_word(word: &str) -> bool {
    const DONE: [&str; 14] = [
        "resolved",
        "closed",
        "done",
        "answered",
        "decided",
        "accepted",
        "settled",
        "fixed",
        "completed",
        "wontfix",
        "addressed",
        "clarified",
        "confirmed",
        "implemented",
    ];
    has_word(&DONE, word)
}

/// True where an entry says that it is open no more: `[x] …`, `~~…~~`, `Resolved: …`, `OQ-1 (answered): …`, `… ✅ ten`.
pub(super) fn is_over(text: &str) -> bool {
    let words = strip_checkbox(text);
    let is_checked = text.starts_with("[x] ") || text.starts_with("[X] ");
    let (_, behind) = name_at_start(words).unwrap_or(("", words));
    is_checked
        || words.contains(CHECKS)
        || is_struck(words)
        || is_struck(behind)
        || is_labelled_done(words)
        || says_done_in_brackets(behind)
        || ends_done(words)
        || has_answer_within(words)
}

fn is_struck(words: &str) -> bool {
    let bare = words.trim_start_matches(['*', '_', ':', '`', ' ']);
    bare.starts_with("~~")
}

/// The words of an entry without what says that it is over.
pub(super) fn without_marks(text: &str) -> &str {
    strip_checkbox(text)
        .trim_start_matches(['~', '✅', '☑', '✔', ' '])
        .trim_start_matches(['*', '_'])
}

/// `Resolved: which` and `[DONE] which`.
fn is_labelled_done(words: &str) -> bool {
    let bare = words.trim_start_matches(['*', '_', '[', '(']);
    let first = words_of(bare).next().unwrap_or("");
    let behind = bare.strip_prefix(first).unwrap_or("");
    let labels = behind
        .trim_start_matches(['*', '_'])
        .starts_with([':', ']', ')']);
    is_done_word(first) && labels
}

fn name_at_start(words: &str) -> Option<(&str, &str)> {
    let bare = words.trim_start_matches(['*', '`', '_']);
    match gap_ids_in(bare.get(..24).unwrap_or(bare)).first() {
        Some(found) if found.at == 0 => Some(bare.split_at_checked(found.id.to_string().len())?),
        _ => other_id(words),
    }
}

fn says_done_in_brackets(rest: &str) -> bool {
    let mut rest = rest.trim_start_matches(['*', '`', '_', ' ']);
    while let Some((inner, behind)) =
        bracketed(rest, '[', ']').or_else(|| bracketed(rest, '(', ')'))
    {
        if begins_over(inner) {
            return true;
        }
        rest = behind;
    }
    false
}

/// `Which format? (resolved in R2)` and `Which format? — decided: CSV`.
fn ends_done(words: &str) -> bool {
    let bare = words.trim_end_matches(['.', '*', '_', '`', ' ']);
    let brackets = [(')', '('), (']', '['), ('）', '（')];
    let closed = brackets.iter().find(|(close, _)| bare.ends_with(*close));
    let inner = closed.and_then(|(_, open)| Some(bare.rsplit_once(*open)?.1));
    let dashed = [" — ", " – ", " - ", " → ", " -> ", " => "];
    let behind = dashed.iter().filter_map(|dash| bare.rsplit_once(dash));
    inner.is_some_and(begins_over) || behind.into_iter().any(|(_, behind)| begins_over(behind))
}

fn begins_over(words: &str) -> bool {
    let first = words_of(words).next().unwrap_or("");
    let is_open = asks(words) || words_of(words).nth(1).is_some_and(is_not_yet);
    let lower = in_lower_case(words, 1);
    let is_foreign = OVER_FOREIGN.contains(&lower.as_str())
        || is_chinese(&lower) && has_phrase(&OVER_FOREIGN, &lower);
    (is_done_word(first) || is_foreign) && !is_open
}

pub(super) fn is_not_yet(word: &str) -> bool {
    NOT_YET.contains(&word.to_lowercase().as_str())
}

/// `Which format? **Answer:** CSV.`: the label stands where a sentence begins.
fn has_answer_within(words: &str) -> bool {
    let ends = words.match_indices(['?', '.', '!', '？', '。']);
    ends.filter_map(|(at, end)| words.get(at + end.len()..))
        .any(is_answer)
}

/// True where a text begins with an answer: `**Decision:** CSV`. `Decision: pending` is none.
pub(super) fn is_answer(words: &str) -> bool {
    // The label stands near; an endless text is not looked through for it.
    let near = &words[..words.floor_char_boundary(LONGEST_LABEL)];
    let bare = near.trim_start_matches([' ', '*', '_', '[', '(', '-', '+', '>', '→', '✅']);
    let Some((label, value)) = bare.split_once([':', '：']) else {
        return false;
    };
    let label = label.trim_end_matches(['*', '_', ' ']);
    let label = label.split(['(', ' ']).next().unwrap_or("");
    let first = words_of(value).next().unwrap_or("");
    let is_said = !first.is_empty() && !is_not_yet(first);
    ANSWERS.contains(&label.to_lowercase().as_str()) && is_said && !asks(words)
}

/// True where a line below an entry answers it, `A: …` too, or says that its status is one of being done.
pub(super) fn is_answered_below(text: &str) -> bool {
    let mut lines = text.lines().skip(1);
    lines.any(|line| {
        let bare = line.trim_start_matches([' ', '\t', '-', '*', '+', '>', '_']);
        let (label, value) = bare.split_once([':', '：']).unwrap_or(("", ""));
        let label = label.trim_end_matches(['*', '_']);
        let value = value.trim_start_matches([' ', '*', '_', '`', '✅']);
        let first = words_of(value).next().unwrap_or("");
        let is_said = !first.is_empty() && !is_not_yet(first);
        is_answer(bare)
            || matches!(label, "A" | "Ans") && is_said && !asks(value)
            || label.eq_ignore_ascii_case("status") && begins_over(value)
            || bare.starts_with(CHECKS)
    })
}

/// `Pro: …`, `Option B: …`, `Recommendation: …`: words about a question.
pub(super) fn is_aside(words: &str) -> bool {
    let bare = words.trim_start_matches(['*', '_']);
    let Some((label, value)) = bare.split_once([':', '：', ')', '.']) else {
        return false;
    };
    let label = label.trim_end_matches(['*', '_']);
    let mut names = label.split_whitespace();
    let first = names.next().unwrap_or("").to_lowercase();
    // Chinese has no space before the number: `选项A：…`.
    let unnumbered = first.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let is_label = ASIDE_LABELS.contains(&first.as_str())
        || is_chinese(unnumbered) && ASIDE_LABELS.contains(&unnumbered);
    let is_known = is_label && !value.trim().is_empty();
    // A second word numbers it.
    let is_short = names.next().is_none_or(|word| word.len() <= 2) && names.next().is_none();
    is_known && is_short && !asks(words)
}

/// `None so far.`, `N/A`, `No open questions at this time.`, `There are no unresolved issues.`
pub(super) fn says_none(words: &str) -> bool {
    let bare = words.trim_matches(['*', '_', '`', ' ', '(', ')', '[', ']', '~']);
    let lower = bare.to_lowercase();
    is_none_word(bare)
        || bare.trim_matches(['-', '—', '–', '.', ' ']).is_empty()
        || NONE.iter().any(|none| begins_as_none(&lower, none))
        || !asks(bare) && (counts_none(&lower) || denies_within(&lower))
}

/// `Вопросов нет.` and `（全部已解决，无残留项）`, in a first sentence that is short.
fn denies_within(lower: &str) -> bool {
    let first = lower.split(['.', '。', '\n']).next().unwrap_or("");
    let words = in_lower_case(first, 16);
    first.chars().count() <= 80 && has_phrase(&NONE_WITHIN, &words)
}

fn begins_as_none(lower: &str, none: &str) -> bool {
    let Some(behind) = lower.strip_prefix(none) else {
        return false;
    };
    if is_chinese(none) {
        let first = behind.split(['。', '，', '；', '.', ',', ';']).next();
        let first = first.unwrap_or("").trim();
        return first.chars().count() <= 8 && !first.ends_with(['?', '？']);
    }
    let next = behind.chars().next();
    let is_end =
        next.is_none_or(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '—' | '–' | '(' | '*' | '_'));
    let dash = [" -", " –", " —", " ("]
        .iter()
        .any(|dash| behind.starts_with(dash));
    let tail = words_of(behind).next().unwrap_or("");
    let is_short = words_of(behind).nth(4).is_none() && !none.is_ascii();
    // `Nothing is said of retries` leaves something open.
    if none == "nothing" && matches!(tail, "is" | "was" | "known" | "found" | "to" | "from") {
        return false;
    }
    is_end || dash || behind.starts_with(' ') && (NONE_TAILS.contains(&tail) || is_short)
}

/// `No known issues.`, `This proposal has no open questions.`
fn counts_none(lower: &str) -> bool {
    const COUNTED: [&str; 10] = [
        "questions",
        "question",
        "issues",
        "gaps",
        "concerns",
        "problems",
        "unknowns",
        "items",
        "points",
        "decisions",
    ];
    let words: Vec<&str> = words_of(lower).take(24).collect();
    let is_short = words.len() <= 20;
    let denies = |at: usize| match words[at] {
        "no" => true,
        "any" | "further" => words[..at]
            .iter()
            .rev()
            .take(3)
            .any(|w| matches!(*w, "not" | "t" | "without")),
        _ => false,
    };
    let counted = |at: usize| {
        words
            .iter()
            .skip(at + 1)
            .take(4)
            .any(|w| COUNTED.contains(w))
    };
    is_short && (0..words.len().min(8)).any(|at| denies(at) && counted(at))
}

/// True for the words of a template: `What parts of the design do you expect to resolve …?`, `Describe what changes.`
pub(super) fn is_of_template(words: &str) -> bool {
    let lower = in_lower_case(words, 60);
    let begins = |begin: &&&str| {
        let behind = lower.strip_prefix(**begin);
        behind.is_some_and(|behind| behind.starts_with(' '))
    };
    let asked = lower.replace("unresolved questions ", "");
    has_phrase(&TEMPLATE, &asked) || TEMPLATE_BEGINS.iter().find(begins).is_some()
}

/// True where all of a text is in italics: so templates set what they tell the author.
pub(super) fn is_in_italics(words: &str) -> bool {
    let bare = words.trim();
    ['_', '*'].into_iter().any(|mark| {
        let inner = bare
            .strip_prefix(mark)
            .and_then(|inner| inner.strip_suffix(mark));
        inner.is_some_and(|inner| {
            !inner.is_empty() && !inner.starts_with(mark) && !inner.contains(mark)
        })
    })
}

/// `All questions were answered in the review.`, and not `the split is fixed`.
pub(super) fn tells_of_the_end(words: &str) -> bool {
    const BEFORE: [&str; 9] = [
        "been", "are", "is", "was", "were", "all", "now", "get", "already",
    ];
    const OF_THE_LIST: [&str; 16] = [
        "all",
        "both",
        "each",
        "every",
        "everything",
        "it",
        "these",
        "they",
        "this",
        "those",
        "questions",
        "issues",
        "points",
        "items",
        "decisions",
        "concerns",
    ];
    const NOT_YET: [&str; 6] = ["not", "until", "once", "before", "still", "unresolved"];
    /// How many words a sentence may have up to where it says so.
    const LONGEST: usize = 14;
    let mut sentences = words.split(['.', '!', ';', '\n']);
    let all: Vec<&str> = words_of(words).take(40).collect();
    let is_open = all.iter().any(|word| has_word(&NOT_YET, word));
    let ends = |sentence: &str| {
        let words: Vec<&str> = words_of(sentence).take(LONGEST).collect();
        let done = words
            .windows(2)
            .position(|pair| has_word(&BEFORE, pair[0]) && is_done_word(pair[1]));
        let of_list = |at: usize| words[..=at].iter().any(|word| has_word(&OF_THE_LIST, word));
        done.is_some_and(of_list)
    };
    !is_open && sentences.any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_are_over_say_so() {
        for over in [
            "[x] who pays",
            "~~OQ-1~~ who pays",
            "**~~Who pays?~~**",
            "OQ-1: ~~who pays?~~ we do",
            "✅ who pays",
            "**Depth** — ✅ ten by default",
            "**Resolved:** who pays",
            "[DONE] who pays",
            "OQ-1 [RESOLVED]: who pays",
            "**GAP-AA-001** [HIGH] (answered in R2): who pays",
            "Who pays? (resolved in R2)",
            "Who pays? — decided: we do",
            "Who pays? **Answer:** we do.",
            "Who pays? Decision: the team.",
            "Wer zahlt? (geklärt)",
        ] {
            assert!(is_over(over), "{over}");
        }
        for open in [
            "[ ] who pays",
            "Done is what?",
            "OQ-1 [HIGH]: is it resolved?",
            "GAP-AA-001 (section: Done): who pays",
            "Closed shops: who pays?",
            "Who pays? Decision: pending.",
            "Who pays? **Answer:** TBD",
            "Who pays? Recommendation: we do.",
            "Is an order (closed by its owner) paid?",
            "How a dispute is resolved",
        ] {
            assert!(!is_over(open), "{open}");
        }
    }

    #[test]
    fn answers_below_an_entry_are_seen() {
        assert!(is_answered_below("- Who pays?\n  - **Answer:** we do"));
        assert!(is_answered_below("Q: Who pays?\nA: we do"));
        assert!(is_answered_below("### Who pays?\n\n**Status:** Resolved\n"));
        assert!(!is_answered_below("- Who pays?\n  - Recommendation: we do"));
        assert!(!is_answered_below("- Who pays?\n  - Decision: TBD"));
        assert!(!is_answered_below("- Who pays?\n  - Status: open"));
    }

    #[test]
    fn entries_that_say_that_there_is_nothing_are_known() {
        for none in [
            "None",
            "None.",
            "_None_",
            "n/a",
            "NA",
            "None; the pages have it already.",
            "None at this time, since the review settled all of it.",
            "No open questions.",
            "There are no unresolved issues at the moment.",
            "We don't have any open questions.",
            "Keine.",
            "Aucune pour le moment",
            "Нет",
            "暂无",
            "无。",
            "Ninguna bloqueante.",
            "None deferred. This run was interactive.",
            "无重大待定项。其余留作后续独立变更",
            "No hay pendientes funcionales para el corte actual.",
            "Scope-changing вопросов нет. The rest is planned.",
            "（第三步提问已全部解决，无残留项）",
            "Es gibt derzeit keine offenen Fragen.",
        ] {
            assert!(says_none(none), "{none}");
        }
        for some in [
            "None of the limits is known",
            "No decision on who pays",
            "Nothing says who pays",
            "Names of the fields",
            "No retry: is that right?",
            "Почему вопросов нет?",
            "无法确定超时时间应该是多少秒？",
        ] {
            assert!(!says_none(some), "{some}");
        }
    }

    #[test]
    fn the_end_of_a_list_is_told_of_the_list() {
        for over in [
            "All questions were answered in the review.",
            "This is resolved.",
            "We met. These points have been settled in March.",
        ] {
            assert!(tells_of_the_end(over), "{over}");
        }
        for open in [
            "Nobody knows how it adapts; the split is fixed.",
            "All of this must be decided before it is closed.",
            "The list is closed when the window is.",
        ] {
            assert!(!tells_of_the_end(open), "{open}");
        }
    }

    #[test]
    fn the_words_of_templates_are_known() {
        for template in [
            "What parts of the design do you expect to resolve before it is merged?",
            "Describe the open questions.",
            "Optional, but suggested for first drafts.",
            "What is this feature?",
        ] {
            assert!(is_of_template(template), "{template}");
        }
        for own in [
            "Do you want to start with cards?",
            "Who describes the fields?",
        ] {
            assert!(!is_of_template(own), "{own}");
        }
        assert!(is_in_italics("_Say what is open._") && is_in_italics("*Say what is open.*"));
        assert!(!is_in_italics("**Retention**") && !is_in_italics("_a_ and _b_"));
    }

    #[test]
    fn asides_to_a_question_are_known() {
        for aside in [
            "Pro: fast",
            "**Cons:** slow",
            "Option A: fast",
            "Recommendation: A",
            "A) fast",
        ] {
            assert!(is_aside(aside), "{aside}");
        }
        for own in [
            "Option names",
            "Pros and cons of caching",
            "A queue: which?",
            "Note: is it so?",
        ] {
            assert!(!is_aside(own), "{own}");
        }
    }
}
