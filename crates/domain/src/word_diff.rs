//! Compares the changed lines of a hunk word by word. White space is not compared: it is that of the new text, and of the old one in
//! what was removed.

use std::ops::Range;

use similar::DiffOp;

use crate::line_diff::{LineHunk, Mark, word_changes};

/// A line as it reads with its changed words.
#[derive(Debug, PartialEq, Eq)]
pub enum WordLine {
    /// A line that is the same, new, or gone as a whole.
    Whole(Mark, String),
    /// A line with its words, put together by what became of them.
    Changed(Vec<(Mark, String)>),
}

/// Blocks with more words than this are shown by line: comparing them would take long, and nobody reads it word by word.
const MOST_WORDS: usize = 20_000;

/// The lines of a hunk, without their ends.
pub fn word_lines(hunk: &LineHunk<'_>) -> Vec<WordLine> {
    let mut lines = Vec::new();
    let is_same = |line: &(Mark, &str)| line.0 == Mark::Same;
    for block in hunk.lines.chunk_by(|a, b| is_same(a) == is_same(b)) {
        let of = |wanted: Mark| -> Vec<&str> {
            let lines = block.iter().filter(|(mark, _)| *mark == wanted);
            lines.map(|(_, line)| *line).collect()
        };
        match by_words(&of(Mark::Removed), &of(Mark::Added)) {
            Some(changed) => lines.extend(changed),
            None => lines.extend(block.iter().map(|(mark, line)| whole(*mark, line))),
        }
    }
    lines
}

fn whole(mark: Mark, line: &str) -> WordLine {
    WordLine::Whole(mark, line.trim_end_matches(['\n', '\r']).to_owned())
}

/// A word with the white space before it.
#[derive(Debug, Clone)]
struct Word<'t> {
    space: String,
    text: &'t str,
}

impl Word<'_> {
    /// Whether it has letters or digits.
    fn says_something(&self) -> bool {
        self.text.contains(char::is_alphanumeric)
    }

    fn begins_line(&self) -> bool {
        self.space.contains('\n')
    }
}

/// The words of some lines: what has letters or digits is one word together with the marks inside it, like `10,000` or `GAP-API-001`;
/// any other mark is one of its own.
fn words<'t>(lines: &[&'t str]) -> Vec<Word<'t>> {
    let mut words: Vec<Word<'t>> = Vec::new();
    let mut space = String::new();
    for (index, line) in lines.iter().enumerate() {
        let mut rest = line.trim_end_matches(['\n', '\r']);
        if index > 0 {
            space.push('\n');
        }
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if first.is_whitespace() => {
                    let length = rest.find(|c: char| !c.is_whitespace());
                    let (blank, after) = rest.split_at(length.unwrap_or(rest.len()));
                    space.push_str(blank);
                    rest = after;
                    continue;
                }
                _ if is_letter(first) => length_of_word(rest),
                _ => first.len_utf8(),
            };
            let (text, after) = rest.split_at(length);
            let space = std::mem::take(&mut space);
            words.push(Word { space, text });
            rest = after;
        }
    }
    words
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn length_of_word(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let joins = matches!(character, '.' | ',' | ':' | '-' | '/' | '\'' | '’');
        let goes_on = characters.peek().is_some_and(|(_, next)| is_letter(*next));
        let belongs = is_letter(character) || (joins && goes_on);
        if !belongs {
            return at;
        }
    }
    text.len()
}

/// What became of some words that stand together, by their places in both texts.
#[derive(Debug, Clone)]
struct Run {
    old: Range<usize>,
    new: Range<usize>,
    is_equal: bool,
}

/// The words of both texts.
struct Texts<'t> {
    old: Vec<Word<'t>>,
    new: Vec<Word<'t>>,
}

impl Texts<'_> {
    fn size(&self, run: &Run) -> usize {
        said(&self.old[run.old.clone()]).max(said(&self.new[run.new.clone()]))
    }

    fn runs(&self) -> Vec<Run> {
        let old: Vec<&str> = self.old.iter().map(|word| word.text).collect();
        let new: Vec<&str> = self.new.iter().map(|word| word.text).collect();
        let mut runs: Vec<Run> = Vec::new();
        for change in word_changes(&old, &new) {
            let run = Run {
                old: change.old_range(),
                new: change.new_range(),
                is_equal: matches!(change, DiffOp::Equal { .. }),
            };
            match self.joined(&runs, &run) {
                Some(joined) => {
                    runs.truncate(runs.len() - 2);
                    runs.push(joined);
                }
                None => runs.push(run),
            }
        }
        for index in 1..runs.len().saturating_sub(1) {
            self.align(&mut runs, index);
        }
        runs
    }

    /// Moves a change that only removes or only adds to where its first word begins a line, if it reads the same there:
    /// `a. b.` less `. b` is `a. b.` less ` b.`.
    fn align(&self, runs: &mut [Run], index: usize) {
        let run = &runs[index];
        let (words, range) = match (run.old.is_empty(), run.new.is_empty()) {
            (false, true) => (&self.old, run.old.clone()),
            (true, false) => (&self.new, run.new.clone()),
            _ => return,
        };
        let (before, after) = (&runs[index - 1], &runs[index + 1]);
        if run.is_equal || !before.is_equal || !after.is_equal {
            return;
        }
        // One word always stays on either side.
        let slides = |by: usize| words[range.start + by - 1].text == words[range.end + by - 1].text;
        let most = (1..after.old.len()).take_while(|by| slides(*by)).last();
        let by = (1..=most.unwrap_or(0)).find(|by| words[range.start + by].begins_line());
        let Some(by) = by.filter(|_| !words[range.start].begins_line()) else {
            return;
        };
        for (run, start, end) in [(index - 1, 0, by), (index, by, by), (index + 1, by, 0)] {
            let run = &mut runs[run];
            run.old = run.old.start + start..run.old.end + end;
            run.new = run.new.start + start..run.new.end + end;
        }
    }

    /// A change together with the one before it, where the words between them are so few that they are the same by chance.
    fn joined(&self, before: &[Run], change: &Run) -> Option<Run> {
        let [.., first, between] = before else {
            return None;
        };
        let least = self.size(first).min(self.size(change));
        let joins = between.is_equal && !change.is_equal && self.size(between) * 2 < least;
        joins.then_some(Run {
            old: first.old.start..change.old.end,
            new: first.new.start..change.new.end,
            is_equal: false,
        })
    }
}

fn said(words: &[Word<'_>]) -> usize {
    words.iter().filter(|word| word.says_something()).count()
}

/// Removed and added lines as lines with changed words; nothing where too little of them is the same.
fn by_words(removed: &[&str], added: &[&str]) -> Option<Vec<WordLine>> {
    let texts = Texts {
        old: words(removed),
        new: words(added),
    };
    let count = texts.old.len() + texts.new.len();
    if texts.old.is_empty() || texts.new.is_empty() || count > MOST_WORDS {
        return None;
    }
    let runs = texts.runs();
    let equal = runs.iter().filter(|run| run.is_equal);
    let same: usize = equal.map(|run| texts.size(run)).sum();
    let is_changed = runs.iter().any(|run| !run.is_equal);
    if !is_changed || same * 2 < said(&texts.old).min(said(&texts.new)) {
        return None;
    }
    let mut page = Page::default();
    let mut before: Option<&Run> = None;
    for run in &runs {
        match run.is_equal {
            true => page.equal(&texts, run, before),
            false => page.change(&texts, run),
        }
        before = Some(run);
    }
    page.end_line(Mark::Same);
    Some(page.lines)
}

/// Lines in the making.
#[derive(Default)]
struct Page {
    lines: Vec<WordLine>,
    line: Vec<(Mark, String)>,
}

impl Page {
    fn equal(&mut self, texts: &Texts<'_>, run: &Run, before: Option<&Run>) {
        let (old, new) = (&texts.old[run.old.clone()], &texts.new[run.new.clone()]);
        for (index, word) in new.iter().enumerate() {
            let is_behind_removed = index == 0 && before.is_some_and(|run| run.new.is_empty());
            let space = match old.first() {
                // What was removed began the line, and the rest of the line follows it.
                Some(old) if is_behind_removed && !old.begins_line() => &old.space,
                _ => &word.space,
            };
            self.space(Mark::Same, space);
            self.put(Mark::Same, word.text);
        }
    }

    fn change(&mut self, texts: &Texts<'_>, run: &Run) {
        let (old, new) = (&texts.old[run.old.clone()], &texts.new[run.new.clone()]);
        self.words(Mark::Removed, old, true);
        let ends_line = texts.old.get(run.old.end).is_none_or(Word::begins_line);
        let has_space = match new.first() {
            Some(word) if !old.is_empty() => ends_line && word.begins_line(),
            _ => true,
        };
        self.words(Mark::Added, new, has_space);
    }

    fn words(&mut self, mark: Mark, words: &[Word<'_>], with_first_space: bool) {
        for (index, word) in words.iter().enumerate() {
            match index {
                0 if with_first_space => self.space(Mark::Same, &word.space),
                0 => {}
                _ => self.space(mark, &word.space),
            }
            self.put(mark, word.text);
        }
    }

    fn space(&mut self, mark: Mark, space: &str) {
        for (index, part) in space.split('\n').enumerate() {
            if index > 0 {
                self.end_line(mark);
            }
            self.put(mark, part);
        }
    }

    fn put(&mut self, mark: Mark, text: &str) {
        match self.line.last_mut() {
            _ if text.is_empty() => {}
            Some((last, line)) if *last == mark => line.push_str(text),
            _ => self.line.push((mark, text.to_owned())),
        }
    }

    /// Ends a line; `blank` is what one without words is.
    fn end_line(&mut self, blank: Mark) {
        let line = std::mem::take(&mut self.line);
        let mut marks = line.iter().filter(|(_, text)| !text.trim().is_empty());
        let mark = marks.next().map_or(blank, |(mark, _)| *mark);
        let is_whole = marks.all(|(other, _)| *other == mark);
        self.lines.push(match is_whole {
            true => WordLine::Whole(mark, line.into_iter().map(|(_, text)| text).collect()),
            false => WordLine::Changed(line),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_diff::line_hunks;

    fn shown(old: &str, new: &str) -> Vec<String> {
        let hunks = line_hunks(old, new, 1);
        let lines = hunks.iter().flat_map(word_lines);
        lines
            .map(|line| match line {
                WordLine::Whole(mark, text) => format!("{}{text}", mark.sign()),
                WordLine::Changed(parts) => parts.iter().fold("~".to_owned(), |line, part| {
                    line + &match part {
                        (Mark::Same, text) => text.clone(),
                        (Mark::Added, text) => format!("{{+{text}+}}"),
                        (Mark::Removed, text) => format!("[-{text}-]"),
                    }
                }),
            })
            .collect()
    }

    #[test]
    fn a_changed_number_is_marked_in_its_line() {
        assert_eq!(
            shown(
                "# Caps\n\nThe daily cap is 50,000 EUR.\n",
                "# Caps\n\nThe daily cap is 10,000 EUR for each seller.\n"
            ),
            [
                " ",
                "~The daily cap is [-50,000-]{+10,000+} EUR{+ for each seller+}."
            ]
            .map(|line| line.replace("EUR{+ for each seller+}", "EUR {+for each seller+}"))
        );
    }

    #[test]
    fn lines_that_have_little_in_common_stay_whole() {
        assert_eq!(
            shown("TBD\n", "Records are kept for 30 days.\n"),
            ["-TBD", "+Records are kept for 30 days."]
        );
        assert_eq!(shown("a\n", "a\nA new line.\n"), [" a", "+A new line."]);
    }

    #[test]
    fn a_paragraph_that_was_broken_anew_shows_its_words() {
        assert_eq!(
            shown(
                "One two three four\nfive six seven.\n",
                "One two three\nfour five and a half six\nseven.\n"
            ),
            [" One two three", "~four five {+and a half+} six", " seven."]
        );
    }

    #[test]
    fn a_removed_line_between_changed_ones_is_whole() {
        assert_eq!(
            shown(
                "It is blue and tall.\nIt is made of wood.\nIt costs 5 EUR a piece.\n",
                "It is red and tall.\nIt costs 6 EUR a piece.\n"
            ),
            [
                "~It is [-blue-]{+red+} and tall.",
                "-It is made of wood.",
                "~It costs [-5-]{+6+} EUR a piece."
            ]
        );
    }

    #[test]
    fn a_first_word_that_goes_leaves_the_rest_in_its_line() {
        assert_eq!(
            shown(
                "a b c d.\nPerhaps it stays as it is.\n",
                "a b x d.\nit stays as it is.\n"
            ),
            ["~a b [-c-]{+x+} d.", "~[-Perhaps-] it stays as it is."]
        );
    }

    #[test]
    fn white_space_alone_is_shown_by_line() {
        assert_eq!(shown("a b\r\n", "a  b\n"), ["-a b", "+a  b"]);
    }
}
