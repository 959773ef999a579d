//! The marks by which authors leave something to be filled in: TODO and its kin, `???`, `<TBD date>`, `[TBD: …]`,
//! `[NEEDS CLARIFICATION: …]`, and the words for it in other languages. A mark that is only spoken of is none. Linear in
//! the length of the text.

use std::ops::Range;

use super::super::vocabulary::{PLACEHOLDER_WORDS, has_word, words_of};
use super::clarifications::{CLARIFY, clarifications};
use super::foreign_marks::{foreign_marks, may_have_foreign_marks};
use super::spoken_of::{COUNTED, SPOKEN_OF, is_quote, word_before};
use gapless_domain::GapId;
use gapless_domain::ids::Found;

/// What follows such a word where it is a verb: `TODO list the fields`.
const OBJECTS: [&str; 9] = [
    "the", "all", "a", "an", "every", "which", "what", "how", "out",
];

/// States that things to do go through: a `TODO` beside them is one too.
pub(super) const LATER_STATES: [&str; 7] = [
    "DONE",
    "DOING",
    "PROGRESS",
    "IN_PROGRESS",
    "COMPLETED",
    "FINISHED",
    "WIP",
];

/// Something left open in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Left {
    /// The sentence around it.
    pub sentence: Range<usize>,
    /// The marks themselves, in order.
    pub spans: Vec<Range<usize>>,
    /// Where the words begin that belong to the mark: behind it.
    pub behind: usize,
    /// What is asked, where the mark says it.
    pub asked: Option<Range<usize>>,
    /// True where a question of its own reaches into the sentence.
    pub is_shared: bool,
}

impl Left {
    /// The same, where the text begins at this byte.
    pub fn shifted(mut self, by: usize) -> Self {
        let shift = |range: &Range<usize>| range.start + by..range.end + by;
        self.sentence = self.sentence.start + by..self.sentence.end + by;
        self.spans = self.spans.iter().map(shift).collect();
        self.asked = self.asked.as_ref().map(shift);
        self.behind += by;
        self
    }

    /// One for each of these gaps of the sentence that has a mark right before it, with the words since the gap before.
    pub fn shared_out(&self, gaps: &[Found<GapId>]) -> Vec<(Self, GapId)> {
        const NEAR: usize = 3;
        let mut start = self.sentence.start;
        let mut shares = Vec::new();
        for gap in gaps {
            let at = self.sentence.start + gap.at;
            let end = at + gap.id.to_string().len();
            let upto = self.spans.partition_point(|span| span.end <= at);
            let mark = upto.checked_sub(1).map(|index| self.spans[index].clone());
            if let Some(mark) = mark.filter(|mark| at - mark.end <= NEAR && mark.start >= start) {
                let own = Self {
                    sentence: start..mark.end,
                    behind: mark.end,
                    spans: vec![mark],
                    asked: None,
                    is_shared: true,
                };
                shares.push((own, gap.id.clone()));
            }
            start = end;
        }
        shares
    }
}

/// What a block of text leaves open, in order. Code and links are blanked out in it already.
pub(super) fn left_open(text: &str) -> Vec<Left> {
    if !may_have_marks(text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut plain: Vec<u8> = text.as_bytes().to_vec();
    let sentences = sentences(text);
    let asked = clarifications(text);
    let asked_at: Vec<Range<usize>> = asked.iter().map(|asked| asked.span.clone()).collect();
    for asked in asked {
        let at = sentences.partition_point(|sentence| sentence.end <= asked.span.start);
        let Some(first) = sentences.get(at) else {
            continue;
        };
        // The question may have sentences of its own.
        let last = sentences.partition_point(|sentence| sentence.start < asked.span.end);
        let end = sentences[last.saturating_sub(1).max(at)].end;
        plain[asked.span.clone()].fill(b' ');
        found.push(Left {
            sentence: near(text, first.start..end.max(asked.span.end), &asked.span),
            behind: asked.words.start,
            spans: vec![asked.span],
            asked: Some(asked.words),
            is_shared: false,
        });
    }
    // Only whole clarifications were blanked out, from one bracket to another.
    let plain = String::from_utf8(plain).unwrap_or_default();
    for sentence in sentences {
        let words = plain.get(sentence.clone()).unwrap_or("");
        let marks: Vec<Range<usize>> = marks_in(words)
            .into_iter()
            .map(|mark| sentence.start + mark.start..sentence.start + mark.end)
            .collect();
        if let Some(first) = marks.first() {
            let from = asked_at.partition_point(|asked| asked.end <= sentence.start);
            let next = asked_at.get(from);
            let is_shared = next.is_some_and(|asked| asked.start < sentence.end);
            found.push(Left {
                behind: first.end,
                sentence,
                spans: marks,
                asked: None,
                is_shared,
            });
        }
    }
    found.sort_by_key(|left| (left.sentence.start, left.behind));
    found
}

/// False for a text that has no mark in any form: most have none, and need not be read word by word.
fn may_have_marks(text: &str) -> bool {
    let in_any_case = |word: &str| {
        let mut places = text.as_bytes().windows(word.len());
        places.any(|place| place.eq_ignore_ascii_case(word.as_bytes()))
    };
    PLACEHOLDER_WORDS.iter().any(|word| text.contains(word))
        || text.contains("???")
        || text.contains(CLARIFY)
        || in_any_case("tbd")
        || (text.contains([':', '<', '[', '(']) && ["todo", "tbc"].into_iter().any(in_any_case))
        || may_have_foreign_marks(text)
}

/// As much of a sentence as stands near its mark: many marks in an endless one are not worth reading it for each.
fn near(text: &str, sentence: Range<usize>, mark: &Range<usize>) -> Range<usize> {
    const BEFORE: usize = 160;
    const BEHIND: usize = 80;
    let mut start = sentence.start.max(mark.start.saturating_sub(BEFORE));
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let mut end = sentence.end.min(mark.end + BEHIND);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    start..end
}

/// A word of a sentence that may be a mark.
struct Token {
    at: Range<usize>,
    /// True where no word stands before it.
    leads: bool,
    /// How many straight quotes stand before it.
    quotes: usize,
    /// True between “ and ”, or « and ».
    is_quoted: bool,
}

/// The marks of a sentence; none where they are only spoken of.
fn marks_in(sentence: &str) -> Vec<Range<usize>> {
    let mut marks: Vec<Token> = Vec::new();
    let mut tokens = sentence.char_indices().peekable();
    let (mut leads, mut quotes, mut is_quoted) = (true, 0, false);
    let mut names_states = false;
    while let Some((start, c)) = tokens.next() {
        match c {
            '"' => quotes += 1,
            '“' | '«' => is_quoted = true,
            '”' | '»' => is_quoted = false,
            _ => {}
        }
        let is_question = c == '?';
        let belongs = |c: char| match is_question {
            true => c == '?',
            false => c.is_alphanumeric(),
        };
        if !belongs(c) {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((at, c)) = tokens.next_if(|(_, c)| belongs(*c)) {
            end = at + c.len_utf8();
        }
        let token = Token {
            at: start..end,
            leads: std::mem::take(&mut leads),
            quotes,
            is_quoted,
        };
        let word = &sentence[start..end];
        let is_mark = match is_question {
            // `Can you???` only asks loudly.
            true => word.len() >= 3 && !sentence[..start].ends_with(char::is_alphanumeric),
            false => is_word_mark(sentence, &token),
        };
        names_states |= LATER_STATES.contains(&word);
        if is_mark {
            marks.push(token);
        }
    }
    let spans: Vec<Range<usize>> = marks.iter().map(|mark| mark.at.clone()).collect();
    if is_a_list_of_marks(sentence, &spans) {
        return Vec::new();
    }
    let foreign = foreign_marks(sentence);
    marks.retain(|mark| {
        let is_cited = mark.is_quoted || mark.quotes % 2 == 1 && quotes > mark.quotes;
        let is_label = mark.leads && sentence[mark.at.end..].starts_with([':', '*', '_', '(']);
        let is_state = names_states && !is_label && &sentence[mark.at.clone()] == "TODO";
        !is_cited && !is_state && !is_spoken_of(sentence, mark)
    });
    let own = marks.into_iter().map(|mark| in_angles(sentence, mark.at));
    let mut spans: Vec<Range<usize>> = own.chain(foreign).collect();
    spans.sort_by_key(|span| span.start);
    spans.dedup_by(|next, last| next.start < last.end);
    spans
}

/// `<TBD date>` is one mark, with the backticks that authors put around it.
fn in_angles(sentence: &str, mark: Range<usize>) -> Range<usize> {
    const LONGEST: usize = 80;
    let (before, behind) = (&sentence[..mark.start], &sentence[mark.end..]);
    if !before.ends_with('<') {
        return mark;
    }
    let near = &behind[..behind.floor_char_boundary(LONGEST)];
    let Some(close) = near
        .find(['<', '>'])
        .filter(|at| near[*at..].starts_with('>'))
    else {
        return mark;
    };
    let (start, end) = (mark.start - 1, mark.end + close + 1);
    let ticks = before[..start].len() - before[..start].trim_end_matches('`').len();
    let is_ticked = ticks > 0
        && sentence[end..].len() >= ticks
        && sentence[end..].bytes().take(ticks).all(|byte| byte == b'`');
    match is_ticked {
        true => start - ticks..end + ticks,
        false => start..end,
    }
}

fn is_word_mark(sentence: &str, token: &Token) -> bool {
    let word = &sentence[token.at.clone()];
    let before = sentence[..token.at.start].trim_end_matches('_');
    let behind = sentence[token.at.end..].trim_start_matches('_');
    let in_any_case = token.leads
        && behind.trim_start_matches('*').starts_with(':')
        && has_word(&["TODO", "TBD"], word);
    let pairs = [('<', '>'), ('[', ']'), ('(', ')')];
    let is_bracketed = pairs.iter().any(|(open, close)| {
        before.ends_with(*open) && (behind.starts_with(*close) || *open == '<')
    });
    let is_lower =
        word.eq_ignore_ascii_case("TBD") || is_bracketed && has_word(&["TBC", "TODO"], word);
    if !in_any_case && !is_lower && !PLACEHOLDER_WORDS.contains(&word) {
        return false;
    }
    let joins = |c: char| c.is_alphanumeric() || c == '-';
    let mut next = behind.chars();
    let goes_on = match next.next() {
        Some('.') => next.next().is_some_and(char::is_alphanumeric),
        Some(c) => joins(c),
        None => false,
    };
    let is_behind = |mark: &&str| before.trim_end_matches('/').ends_with(mark);
    let continues = match before.chars().next_back() {
        Some('/') => !PLACEHOLDER_WORDS.iter().any(is_behind),
        Some(c) => joins(c) || matches!(c, '.' | '\\'),
        None => false,
    };
    let is_pattern = word == "XXX" && is_a_pattern(before, behind);
    !goes_on && !continues && !is_pattern
}

/// `XXX XXXX` is the pattern of a number.
fn is_a_pattern(before: &str, behind: &str) -> bool {
    let belongs = |b: u8| b.is_ascii_digit() || matches!(b, b'X' | b'-' | b'(' | b')');
    let is_blank = |word: &str| !word.is_empty() && word.bytes().all(belongs);
    let next = behind.strip_prefix(' ').and_then(|b| b.split(' ').next());
    let last = before.strip_suffix(' ').and_then(|b| b.rsplit(' ').next());
    next.is_some_and(is_blank) || last.is_some_and(is_blank)
}

/// Whether different marks stand side by side: `TODO, TBD and ???`.
fn is_a_list_of_marks(sentence: &str, marks: &[Range<usize>]) -> bool {
    marks.windows(2).any(|pair| {
        let between = sentence.get(pair[0].end..pair[1].start).unwrap_or("");
        let mut words = words_of(between);
        let joined = between.len() <= 12 && words.all(|word| matches!(word, "and" | "or" | "nor"));
        joined && sentence[pair[0].clone()] != sentence[pair[1].clone()]
    })
}

fn is_spoken_of(sentence: &str, mark: &Token) -> bool {
    let (before, behind) = (&sentence[..mark.at.start], &sentence[mark.at.end..]);
    if before.chars().next_back().is_some_and(is_quote) || behind.starts_with(is_quote) {
        return true;
    }
    // `<TODO list>` says what is to be filled in.
    if before.ends_with('<') {
        return false;
    }
    let is_task = matches!(&sentence[mark.at.clone()], "TODO" | "FIXME");
    let (before, behind) = around_named_marks(before, behind);
    let mut next = behind.strip_prefix(' ').map(words_of);
    let mut word = || next.as_mut().and_then(Iterator::next).unwrap_or("");
    let is_named = has_word(&SPOKEN_OF, word()) && !(mark.leads && has_word(&OBJECTS, word()));
    let last = word_before(before);
    has_word(&COUNTED, last) || is_task && (is_named || has_word(&["a"], last))
}

/// What is before and behind `TODO/FIXME/XXX`, of which one is a mark.
fn around_named_marks<'t>(before: &'t str, behind: &'t str) -> (&'t str, &'t str) {
    const NAMED: [&str; 6] = ["TODO", "FIXME", "XXX", "HACK", "TBD", "TBC"];
    let (mut before, mut behind) = (before, behind);
    while let Some(rest) = before.strip_suffix('/') {
        match NAMED.iter().find_map(|name| rest.strip_suffix(name)) {
            Some(rest) => before = rest,
            None => break,
        }
    }
    while let Some(rest) = behind.strip_prefix('/') {
        match NAMED.iter().find_map(|name| rest.strip_prefix(name)) {
            Some(rest) => behind = rest,
            None => break,
        }
    }
    (before, behind)
}

/// A text cut behind every end of a sentence that nothing in lower case follows.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let Some((_, space)) = chars.peek().copied().filter(|(_, c)| c.is_whitespace()) else {
            continue;
        };
        let mut next = Some(space);
        while let Some((_, c)) = chars.next_if(|(_, c)| c.is_whitespace()) {
            next = Some(c);
        }
        if let Some((_, c)) = chars.peek() {
            next = Some(*c);
        }
        // `???` is no end of a sentence, and neither is an abbreviation.
        let is_mark = text[..=at].ends_with("???");
        if !is_mark && !next.is_some_and(char::is_lowercase) {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found.push(start..text.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<&str> {
        left_open(text)
            .into_iter()
            .flat_map(|left| left.spans)
            .map(|span| &text[span])
            .collect()
    }

    #[test]
    fn marks_are_whole_words_that_stand_for_something() {
        for (text, expected) in [
            ("The timeout is TBD.", &["TBD"][..]),
            ("TODO(anna): ask legal", &["TODO"]),
            ("**TBD** and _FIXME_", &[]),
            ("_FIXME_ later", &["FIXME"]),
            ("todo: ask", &["todo"]),
            ("**Todo:** ask", &["Todo"]),
            ("within ??? ms. Then ???? more", &["???", "????"]),
            ("The limit is TBD and the window is TBD.", &["TBD", "TBD"]),
            (
                "x [NEEDS CLARIFICATION: a [b]. Or c?] y",
                &["[NEEDS CLARIFICATION: a [b]. Or c?]"],
            ),
            ("a TBD number of retries", &["TBD"]),
            ("Größe: TBD€", &["TBD"]),
            ("TODO list the fields", &["TODO"]),
            ("TODO: what follows on DONE?", &["TODO"]),
            ("It is 5\" wide and TBD long.", &["TBD"]),
            ("[NEEDS CLARIFICATION]", &["[NEEDS CLARIFICATION]"]),
            ("from <TBD date> to <tbd>", &["<TBD date>", "<tbd>"]),
            ("from `<TBD date>` on", &["`<TBD date>`"]),
            ("kept for [TBD: how long] days", &["[TBD: how long]"]),
            ("kept for [TBD by legal]", &["[TBD by legal]"]),
            ("kept for [TBD] days (tbc)", &["TBD", "tbc"]),
            ("The size is tbd.", &["tbd"]),
            ("within ??? ms (???)", &["???", "???"]),
            ("Die Frist ist noch offen.", &["noch offen"]),
            ("Frist: offen", &["offen"]),
            ("La durée est à définir.", &["à définir"]),
            ("El plazo (por definir) corre.", &["por definir"]),
            ("超时时间待定。", &["待定"]),
            ("Срок: уточнить", &["уточнить"]),
            ("x [NEEDS CLARIFICATION: y\nz", &["[NEEDS CLARIFICATION: y"]),
        ] {
            assert_eq!(marks(text), expected, "{text}");
        }
    }

    #[test]
    fn marks_that_are_spoken_of_are_none() {
        for text in [
            "A todo list has items.",
            "The TODO list is shown.",
            "No TODO may remain, and each TBD is counted.",
            "Lines with TODO, TBD or FIXME are counted.",
            "Both TODO/TBD and ??? are marks.",
            "It says \"TODO\" there.",
            "It says “TODO: later” there.",
            "see docs/TODO.md and TODO.md",
            "TODO-list, TBD-1, NOTBD, TBDs, MY_TODO",
            "Really? Yes??",
            "\"[NEEDS CLARIFICATION: x]\"",
            "No [NEEDS CLARIFICATION] markers remain",
            "Write [NEEDS CLARIFICATION: …] there",
            "He wrote \"the limit is TBD for now\" there.",
            "He wrote “the limit is TBD for now” there.",
            "A card goes from TODO to DONE.",
            "TODO, DOING and DONE",
            "Call +1 XXX XXX XXXX now",
            "TODO app",
            "Todos are shown. A Todo has a title.",
            "Can you do that???",
            "The [TODO list] is shown.",
            "Die API ist offen für alle.",
            "Der Laden ist offen.",
            "Le format à définir par la suite sert ici",
            "Нужно уточнить сроки у заказчика",
            "待定的订单",
        ] {
            assert_eq!(marks(text), [""; 0], "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(TODO|TBD|\\?\\?\\?|\\[NEEDS CLARIFICATION|\\]|[ .:\"ö\\n]|\\PC){0,40}") {
            for left in left_open(&text) {
                for span in left.spans {
                    proptest::prop_assert!(text.get(span).is_some());
                }
                proptest::prop_assert!(text.get(left.sentence).is_some());
                proptest::prop_assert!(text.get(left.behind..).is_some());
            }
        }
    }
}
