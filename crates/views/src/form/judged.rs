//! Holds what came back in a form against the session as it stands: what each question of it is answered with, and why one
//! is not.

use std::collections::BTreeMap;

use gapless_domain::Person;
use gapless_reading::form::{Fault, Filled, FilledForm, Part, PartId, Verdict};
use gapless_session::State;

use super::{Source, asked_by, session_mark};

/// What came back for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    Empty,
    Answer(Filled),
    /// It is filled in as it is further up, on this line.
    Repeated(u32),
    Faulty(Vec<Fault>),
    /// It is filled in, and nothing of this id waits.
    NotWaiting,
}

/// Questions that a form has more than once, filled in: where they say the same only the first counts, else none does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repeats {
    /// The line of the first one, by the line of each later one.
    same: BTreeMap<u32, u32>,
    /// The line of another one that says something else.
    different: BTreeMap<u32, u32>,
}

impl Repeats {
    /// Finds them, in the session as it stands before anything is taken.
    pub fn of(form: &FilledForm, state: &State, source: &Source) -> Self {
        let mut filled: BTreeMap<&PartId, Vec<(u32, Filled)>> = BTreeMap::new();
        for part in &form.parts {
            if let Finding::Answer(answer) = read(form, part, state, source) {
                let known = filled.entry(&part.id).or_default();
                known.push((part.line, answer));
            }
        }
        let mut repeats = Self::default();
        for answers in filled.values().filter(|answers| answers.len() > 1) {
            let (first, said) = &answers[0];
            let later = &answers[1..];
            match later.iter().find(|(_, other)| !other.says_the_same(said)) {
                None => repeats
                    .same
                    .extend(later.iter().map(|(line, _)| (*line, *first))),
                Some((other, _)) => {
                    let lines = answers.iter().map(|(line, _)| *line);
                    let against = |line| if line == *first { *other } else { *first };
                    let lines = lines.map(|line| (line, against(line)));
                    repeats.different.extend(lines);
                }
            }
        }
        repeats
    }
}

/// What came back for one question, in the session as it stands now.
pub fn judge(
    form: &FilledForm,
    part: &Part,
    repeats: &Repeats,
    state: &State,
    source: &Source,
) -> Finding {
    if let Some(first) = repeats.same.get(&part.line) {
        return Finding::Repeated(*first);
    }
    if let Some(other) = repeats.different.get(&part.line) {
        return faulty(
            part.line,
            format!("it is answered in another way on line {other}: keep one of the two"),
        );
    }
    read(form, part, state, source)
}

fn read(form: &FilledForm, part: &Part, state: &State, source: &Source) -> Finding {
    let own = session_mark(state);
    let of_other = match form.session_of(part) {
        Some(session) if session.id == own => None,
        Some(session) => Some(format!(
            "this form is of session {} ({}), and not of this one ({own})",
            session.name, session.id
        )),
        None => Some(
            "no line above says which session this form is of: put the line `- Session: …` of the form above it"
                .to_owned(),
        ),
    };
    if let Some(why) = of_other {
        return match part.has_tick() {
            true => faulty(part.line, why),
            false => Finding::Empty,
        };
    }
    match asked_by(state, source, &part.id) {
        Some(asked) => match part.read(&asked.entry) {
            Verdict::Empty => Finding::Empty,
            Verdict::Filled(filled) => Finding::Answer(filled),
            Verdict::Faulty(faults) => Finding::Faulty(faults),
        },
        None if part.has_tick() => Finding::NotWaiting,
        None => Finding::Empty,
    }
}

/// Who filled a question in, where the form says so with a name that can be kept.
pub fn filled_in_by(form: &FilledForm, part: &Part) -> Option<Person> {
    form.signature_of(part)?.person.clone().ok()
}

fn faulty(line: u32, what: String) -> Finding {
    Finding::Faulty(vec![Fault { line, what }])
}
