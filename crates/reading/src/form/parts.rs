//! Takes a filled form apart: its questions with their lines, the session that each is of, and who filled it in.

use std::ops::Range;

use gapless_domain::Person;
use gapless_domain::ownership::NotAName;
use gapless_markdown::visible;

use super::PartId;
use super::lines::{Mark, mark, unquoted, without_quotes};

/// How many questions a form has at most, and how many lines.
const MOST_PARTS: usize = 2_000;
const MOST_LINES: usize = 200_000;

/// A text that is too long for a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a form has at most {MOST_PARTS} questions and {MOST_LINES} lines")]
pub struct TooLong;

/// What a form says of the session that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionMark {
    pub line: u32,
    pub name: String,
    pub id: String,
}

/// What a form says of the person who filled it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub line: u32,
    pub person: Result<Person, NotAName>,
}

/// A filled form, or several one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilledForm {
    pub parts: Vec<Part>,
    pub sessions: Vec<SessionMark>,
    pub signatures: Vec<Signature>,
}

/// A question in a form, as it came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub id: PartId,
    /// The line of its heading.
    pub line: u32,
    /// The places of its session and of who filled it in, in the lists of the form.
    session: Option<usize>,
    signature: Option<usize>,
    pub(super) body: Vec<Line>,
}

/// A line in a question, without the marks of a mail that quotes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub number: u32,
    pub text: String,
    /// In a fence, where nothing is a box or a field.
    pub is_code: bool,
}

impl FilledForm {
    pub fn session_of(&self, part: &Part) -> Option<&SessionMark> {
        self.sessions.get(part.session?)
    }

    pub fn signature_of(&self, part: &Part) -> Option<&Signature> {
        self.signatures.get(part.signature?)
    }
}

/// Reads a filled form. What isn't seen of its characters isn't read either.
pub fn read_form(text: &str) -> Result<FilledForm, TooLong> {
    let text = visible(text).replace('\u{fffd}', "");
    let mut form = FilledForm::default();
    // The question that is being read, and how often it is quoted.
    let mut within: Option<(Part, usize)> = None;
    let (mut session, mut signature) = (None, None);
    let mut unsigned = None;
    for line in lines_of(&text)? {
        let (number, is_code) = (line.number, line.is_code);
        let line = line.text.as_str();
        let found = mark(line).filter(|_| !is_code);
        if let Some(Mark::Part(_) | Mark::Heading | Mark::End) = found {
            form.end(within.take())?;
        }
        let name_below = unsigned.take();
        match (found, &mut within) {
            (Some(Mark::Part(id)), _) => {
                let (level, _) = unquoted(line);
                let body = Vec::new();
                let part = Part {
                    id,
                    line: number,
                    session,
                    signature,
                    body,
                };
                within = Some((part, level));
            }
            (Some(Mark::End), _) => (session, signature) = (None, None),
            (Some(Mark::Heading), _) => {}
            (_, Some((part, level))) => part.body.push(Line {
                number,
                text: without_quotes(line, *level).to_owned(),
                is_code,
            }),
            (Some(Mark::Session(said)), None) => {
                session = form.add_session(number, said);
                signature = None;
            }
            (Some(Mark::FilledInBy("")), None) => unsigned = Some(number),
            (Some(Mark::FilledInBy(name)), None) => signature = form.add_signature(number, name),
            (None, None) => {
                let (_, below) = unquoted(line);
                if name_below.is_some() && !below.trim().is_empty() {
                    signature = form.add_signature(number, below);
                }
            }
        }
    }
    form.end(within)?;
    Ok(form)
}

impl FilledForm {
    fn end(&mut self, part: Option<(Part, usize)>) -> Result<(), TooLong> {
        let Some((part, _)) = part else {
            return Ok(());
        };
        if self.parts.len() == MOST_PARTS {
            return Err(TooLong);
        }
        self.parts.push(part);
        Ok(())
    }

    fn add_session(&mut self, line: u32, said: &str) -> Option<usize> {
        let said = said.replace(['`', '*'], "");
        let (name, id) = said.split_once('(')?;
        let id = id.split(')').next().unwrap_or_default();
        self.sessions.push(SessionMark {
            line,
            name: name.trim().to_owned(),
            id: id.trim().to_owned(),
        });
        Some(self.sessions.len() - 1)
    }

    fn add_signature(&mut self, line: u32, name: &str) -> Option<usize> {
        let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
        let person = name.parse();
        self.signatures.push(Signature { line, person });
        Some(self.signatures.len() - 1)
    }
}

/// The lines of a form, without its comments.
fn lines_of(text: &str) -> Result<Vec<Line>, TooLong> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if lines.len() == MOST_LINES {
            return Err(TooLong);
        }
        lines.push(Line {
            number,
            text: line.to_owned(),
            is_code: false,
        });
    }
    // A fence that somebody left open ends with its question.
    let is_head = |line: &Line| {
        let found = mark(&line.text);
        matches!(found, Some(Mark::Part(_) | Mark::Heading | Mark::End))
    };
    lines
        .chunk_by_mut(|_, next| !is_head(next))
        .for_each(mark_code);
    blank_comments(&mut lines);
    Ok(lines)
}

/// A fence that a line opens: its sign, and how many of it.
fn fence(line: &str) -> Option<(char, usize, bool)> {
    let (_, line) = unquoted(line);
    let line = line.trim();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == sign).count();
    let rest = &line[length..];
    (length >= 3 && !rest.contains('`')).then_some((sign, length, rest.is_empty()))
}

/// Marks the lines of each fence that is closed; one that is not is text.
fn mark_code(body: &mut [Line]) {
    let mut at = 0;
    // A search that found no end finds none further down either.
    let mut open_ended = [usize::MAX; 2];
    while at < body.len() {
        let Some((sign, length, _)) = fence(&body[at].text) else {
            at += 1;
            continue;
        };
        let kind = usize::from(sign == '~');
        let closes = |line: &Line| {
            let closing = fence(&line.text);
            closing.is_some_and(|(other, long, bare)| other == sign && long >= length && bare)
        };
        let end = match length < open_ended[kind] {
            true => body[at + 1..].iter().position(closes),
            false => None,
        };
        match end {
            Some(end) => {
                let lines: Range<usize> = at..at + end + 2;
                at = lines.end;
                body[lines].iter_mut().for_each(|line| line.is_code = true);
            }
            None => {
                open_ended[kind] = open_ended[kind].min(length);
                at += 1;
            }
        }
    }
}

/// Takes the comments out that are closed: nobody who reads the form sees what stands in them.
fn blank_comments(body: &mut [Line]) {
    // The line of the last end of a comment: what begins behind it is closed nowhere.
    let mut ends = body.iter().enumerate().rev();
    let last = ends.find(|(_, line)| !line.is_code && line.text.contains("-->"));
    let Some((last, _)) = last else {
        return;
    };
    let mut is_comment = false;
    for (at, line) in body.iter_mut().enumerate().take(last + 1) {
        if line.is_code {
            continue;
        }
        let mut kept = String::new();
        let mut rest = line.text.as_str();
        loop {
            if is_comment {
                let Some((_, after)) = rest.split_once("-->") else {
                    break;
                };
                (rest, is_comment) = (after, false);
            }
            let closes = |start: usize| at < last || rest[start..].contains("-->");
            let Some(start) = comment_in(rest).filter(|start| closes(*start)) else {
                kept += rest;
                break;
            };
            kept += &rest[..start];
            (rest, is_comment) = (&rest[start + "<!--".len()..], true);
        }
        line.text = kept;
    }
}

/// Where a comment begins, unless a backslash makes it text.
fn comment_in(text: &str) -> Option<usize> {
    let mut starts = text.match_indices("<!--").map(|(at, _)| at);
    starts.find(|at| !text[..*at].ends_with('\\'))
}
