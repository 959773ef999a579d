//! What a person ticked and typed in one question of a form, held against the question. Where that has no single
//! meaning, it is no answer, and what is wrong is said with its line.

use std::collections::BTreeMap;

use gapless_domain::{Field, comma_list, one_line};

use super::Entry;
use super::lines::{Tick, boxed, field};
use super::parts::{Line, Part};

/// The longest text of a field, in characters.
const LONGEST_TEXT: usize = 20_000;

/// How many lines above the boxes are held against the question.
const MOST_LOOKED_AT: usize = 500;

/// How much of a line is repeated.
const SHOWN: usize = 60;

/// What came back for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is ticked and nothing typed.
    Empty,
    Filled(Filled),
    /// It has no single meaning; each fault says why.
    Faulty(Vec<Fault>),
}

/// An answer, with what stands beside it and is not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The line of the box that is ticked.
    pub line: u32,
    pub option: String,
    pub fields: BTreeMap<String, String>,
    pub remark: Option<Remark>,
}

/// What is wrong with an answer, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub line: u32,
    pub what: String,
}

/// A line that somebody added where nothing is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub line: u32,
    pub text: String,
}

/// Where text begins in the lines of a part.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: usize,
    at: usize,
}

/// A box or a field with the lines that belong to it.
struct Block<'e> {
    what: What<'e>,
    begins: Place,
    end: usize,
}

enum What<'e> {
    Box { tick: Tick, label: String },
    Field(&'e Field),
}

/// What the words behind a box or a field are.
struct Typed {
    /// Where they begin, and the words themselves.
    line: u32,
    text: String,
    /// They follow the words of the form, as these were written.
    follows: bool,
}

impl Part {
    /// True where a box is ticked, whatever it is a box of.
    pub fn has_tick(&self) -> bool {
        let mut lines = self.body.iter().filter(|line| !line.is_code);
        lines.any(|line| boxed(&line.text).is_some_and(|(tick, ..)| tick == Tick::Ticked))
    }

    /// What a person made of a question.
    pub fn read(&self, entry: &Entry) -> Verdict {
        let blocks = self.blocks(entry);
        let mut reader = Reader {
            part: self,
            entry,
            faults: Vec::new(),
            ticked: Vec::new(),
            below: BTreeMap::new(),
            fields: BTreeMap::new(),
        };
        for block in &blocks {
            reader.take(block);
        }
        let first = blocks
            .first()
            .map_or(self.body.len(), |block| block.begins.line);
        let remark = self.remark(entry, first);
        reader.verdict(remark)
    }

    /// The boxes and fields of a question, in the order of their lines.
    fn blocks<'e>(&self, entry: &'e Entry) -> Vec<Block<'e>> {
        let mut blocks: Vec<Block<'e>> = Vec::new();
        for (index, line) in self.body.iter().enumerate() {
            let Some((what, at)) = begun(line, entry) else {
                continue;
            };
            if let Some(before) = blocks.last_mut() {
                before.end = index;
            }
            blocks.push(Block {
                what,
                begins: Place { line: index, at },
                end: self.body.len(),
            });
        }
        blocks
    }

    /// The words from a place on, without those that the form has there.
    fn typed(&self, block: &Block<'_>, known: &str) -> Typed {
        let mut known = words(known);
        let mut expected = known.next();
        let mut first = None;
        // The line of the last word that is the form's own.
        let mut own = block.begins.line;
        'lines: for index in block.begins.line..block.end {
            let line = &self.body[index];
            let from = match index == block.begins.line {
                true => block.begins.at,
                false => 0,
            };
            for (at, word) in spans(&line.text, from) {
                let plain = plain(word);
                match &expected {
                    _ if plain.is_empty() && expected.is_some() => {}
                    Some(next) if *next == plain => (expected, own) = (known.next(), index),
                    _ if index == own && is_decoration(word) => {}
                    _ => {
                        first = Some(Place { line: index, at });
                        break 'lines;
                    }
                }
            }
        }
        let Some(place) = first else {
            return Typed {
                line: self.body[block.begins.line].number,
                text: String::new(),
                follows: true,
            };
        };
        Typed {
            line: self.body[place.line].number,
            text: self.text(place, block.end),
            follows: expected.is_none(),
        }
    }

    /// The lines from a place on as a text: without the indentation that they share, and the space around them.
    fn text(&self, from: Place, end: usize) -> String {
        let first = &self.body[from.line].text[from.at..];
        let rest = &self.body[from.line + 1..end];
        let indents = rest.iter().filter(|line| !line.text.trim().is_empty());
        let shared = indents
            .map(|line| line.text.len() - line.text.trim_start_matches(' ').len())
            .min()
            .unwrap_or(0);
        let mut text = first.trim_end().to_owned();
        for line in rest {
            text.push('\n');
            text += line.text.get(shared..).unwrap_or_default().trim_end();
        }
        text.trim().to_owned()
    }

    /// The first line above the boxes that is not the form's own.
    fn remark(&self, entry: &Entry, end: usize) -> Option<Remark> {
        let known = plain_text(&entry.blank);
        let above = self.body[..end].iter().take(MOST_LOOKED_AT);
        let mut added = above.filter(|line| {
            let text = line.text.trim_start();
            let said = plain_text(text);
            // Quotes and the line on severity and days may have changed since.
            !said.is_empty() && !text.starts_with(['>', '*']) && !known.contains(&said)
        });
        added.next().map(|line| Remark {
            line: line.number,
            text: shown(&line.text),
        })
    }
}

/// The box or field that a line begins, and where what is behind its name begins.
fn begun<'e>(line: &Line, entry: &'e Entry) -> Option<(What<'e>, usize)> {
    if line.is_code {
        return None;
    }
    if let Some((tick, label, at)) = boxed(&line.text) {
        let known = entry
            .options
            .iter()
            .any(|choice| choice.label.eq_ignore_ascii_case(label));
        if known || tick == Tick::Ticked {
            let label = label.to_owned();
            return Some((What::Box { tick, label }, at));
        }
        return None;
    }
    let (field, at) = field(&line.text, &entry.fields)?;
    Some((What::Field(field), at))
}

/// Puts together what the boxes and fields of a question say.
struct Reader<'p> {
    part: &'p Part,
    entry: &'p Entry,
    faults: Vec<Fault>,
    /// The options that are ticked, with their lines.
    ticked: Vec<(u32, String)>,
    /// What was typed below a box.
    below: BTreeMap<String, (u32, String)>,
    /// What was typed into fields.
    fields: BTreeMap<String, (u32, String)>,
}

impl Reader<'_> {
    fn fault(&mut self, line: u32, what: String) {
        self.faults.push(Fault { line, what });
    }

    fn take(&mut self, block: &Block<'_>) {
        let line = self.part.body[block.begins.line].number;
        match &block.what {
            What::Box { tick, label } => self.take_box(block, line, tick, label),
            What::Field(field) => {
                let mut typed = self.part.typed(block, &Entry::field_words(field));
                if !typed.follows {
                    typed = self.behind_colon(block, typed);
                }
                self.put(&field.name, typed.line, &typed.text);
            }
        }
    }

    /// The text of a field whose description was changed: what stands behind the first colon.
    fn behind_colon(&self, block: &Block<'_>, typed: Typed) -> Typed {
        let begins = block.begins;
        let line = &self.part.body[begins.line];
        let Some(colon) = line.text[begins.at..].find(':') else {
            return typed;
        };
        let at = begins.at + colon + 1;
        let text = self.part.text(
            Place {
                line: begins.line,
                at,
            },
            block.end,
        );
        Typed {
            line: line.number,
            text: text.trim_start_matches(['*', '_']).trim().to_owned(),
            follows: true,
        }
    }

    fn put(&mut self, name: &str, line: u32, text: &str) {
        if text.is_empty() {
            return;
        }
        if text.chars().count() > LONGEST_TEXT {
            let what = format!("the text of `{name}` is longer than {LONGEST_TEXT} characters");
            self.fault(line, what);
        }
        match self.fields.get(name) {
            Some((before, known)) if known != text => {
                let what = format!("`{name}` is filled in twice, also on line {before}: keep one");
                self.fault(line, what);
            }
            Some(_) => {}
            None => {
                self.fields.insert(name.to_owned(), (line, text.to_owned()));
            }
        }
    }

    fn take_box(&mut self, block: &Block<'_>, line: u32, tick: &Tick, label: &str) {
        let mut options = self.entry.options.iter();
        let choice = options.find(|choice| choice.label.eq_ignore_ascii_case(label));
        let Some(choice) = choice else {
            let known = comma_list(self.entry.options.iter().map(|choice| &choice.label));
            let what = format!("{} has no box `{label}`; it has: {known}", self.entry.id);
            return self.fault(line, what);
        };
        let typed = self.part.typed(block, &self.entry.option_words(choice));
        match tick {
            Tick::Unclear(filled) => {
                let what = format!("`[{filled}]` is neither ticked nor empty: write [x] or [ ]");
                self.fault(line, what);
            }
            Tick::Ticked if !self.ticked.iter().any(|(_, known)| *known == choice.label) => {
                self.ticked.push((line, choice.label.clone()));
                if !typed.follows {
                    let what = format!(
                        "the words behind `{label}` are not those of the question as it waits now: write this form anew, \
                         or put the words behind a field"
                    );
                    self.fault(typed.line, what);
                }
            }
            Tick::Ticked | Tick::Empty => {}
        }
        if typed.follows && !typed.text.is_empty() {
            let typed = (typed.line, typed.text);
            self.below.insert(choice.label.clone(), typed);
        }
    }

    fn verdict(mut self, remark: Option<Remark>) -> Verdict {
        let (line, option) = match self.ticked.as_slice() {
            [] => return self.without_tick(remark),
            [one] => one.clone(),
            [first, second, ..] => {
                let what = format!(
                    "two boxes are ticked, `{}` on line {} and `{}` here: leave one",
                    first.1, first.0, second.1
                );
                let line = second.0;
                self.fault(line, what);
                return Verdict::Faulty(self.faults);
            }
        };
        self.put_below(&option);
        self.check_fields(line, &option);
        if !self.faults.is_empty() {
            self.faults.sort_by_key(|fault| fault.line);
            return Verdict::Faulty(self.faults);
        }
        let fields = self.fields.into_iter();
        Verdict::Filled(Filled {
            line,
            option,
            fields: fields.map(|(name, (_, text))| (name, text)).collect(),
            remark,
        })
    }

    fn without_tick(mut self, remark: Option<Remark>) -> Verdict {
        if !self.faults.is_empty() {
            return Verdict::Faulty(self.faults);
        }
        let typed = self.fields.values().chain(self.below.values());
        if let Some((line, text)) = typed.min().cloned() {
            let what = format!(
                "“{}” is written here, but no box is ticked: tick one",
                shown(&text)
            );
            self.fault(line, what);
        } else if let Some(remark) = remark {
            let what = format!(
                "“{}” stands where nothing is read: tick a box, and write it behind a field",
                remark.text
            );
            self.fault(remark.line, what);
        }
        match self.faults.is_empty() {
            true => Verdict::Empty,
            false => Verdict::Faulty(self.faults),
        }
    }

    /// Takes what was typed below the ticked box as its text, where it needs one and has none.
    fn put_below(&mut self, option: &str) {
        let needed: Vec<&Field> = self.entry.needed(option).collect();
        let own = self.below.remove(option);
        match (own, needed.as_slice()) {
            (None, _) => {}
            (Some((line, text)), [one])
                if one.exactly.is_none() && !self.fields.contains_key(&one.name) =>
            {
                self.put(&one.name, line, &text);
            }
            (Some((line, text)), _) => self.stray(line, &text),
        }
        for (line, text) in std::mem::take(&mut self.below).into_values() {
            self.stray(line, &text);
        }
    }

    fn stray(&mut self, line: u32, text: &str) {
        let what = format!(
            "“{}” belongs to no field: write it behind one, or take it out",
            shown(text)
        );
        self.fault(line, what);
    }

    fn check_fields(&mut self, line: u32, option: &str) {
        let entry = self.entry;
        for field in &entry.fields {
            let name = &field.name;
            let needs = field.needed_for.iter().any(|label| label == option);
            let filled = self.fields.get_mut(name);
            match (filled, &field.exactly) {
                (Some((at, _)), _) if !field.goes_with(option) => {
                    let goes = comma_list(field.needed_for.iter().chain(&field.offered_for));
                    let what = format!(
                        "`{name}` goes with {goes}, and not with `{option}`: tick that box, or empty the field"
                    );
                    let at = *at;
                    self.fault(at, what);
                }
                // A mail may have broken the sentence.
                (Some((at, text)), Some(sentence)) => {
                    *text = one_line(text);
                    if text != sentence {
                        let what = format!("`{name}` must be exactly: {sentence}");
                        let at = *at;
                        self.fault(at, what);
                    }
                }
                (Some(_), None) => {}
                (None, _) if needs => {
                    let words = field.exactly.as_ref().unwrap_or(&field.text);
                    let what = format!("`{option}` needs `{name}`: {words}");
                    self.fault(line, what);
                }
                (None, _) => {}
            }
        }
    }
}

/// A question that is filled in more than once: true where both say the same.
impl Filled {
    pub fn says_the_same(&self, other: &Filled) -> bool {
        self.option == other.option && self.fields == other.fields
    }
}

/// The words of a line from a place on, with their places.
fn spans(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = &text[from..];
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let at = text.len() - rest.len();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some((at, word))
    })
}

/// What of a word counts when it is compared: markup and punctuation come and go in editors.
fn plain(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace()
        .map(plain)
        .filter(|word| !word.is_empty())
}

fn plain_text(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// Signs that markup leaves behind a name.
fn is_decoration(word: &str) -> bool {
    word.chars()
        .all(|c| matches!(c, '*' | '_' | '`' | ':' | ')' | '.'))
}

fn shown(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}
