//! Asks the person at the terminal, line by line. A question can be withdrawn while it is open, and waits while a program
//! has the terminal.

use std::collections::BTreeMap;

use gapless_agents::SharedTerminal;
use gapless_domain::{Answer, Choice, DecidedBy, Field, Holds, Question};
use gapless_runner::Reply;

use super::keyboard::Keyboard;
use crate::views::questions;
use crate::{Context, Screen, plain};

pub(crate) struct Terminal {
    screen: Screen,
    turns: SharedTerminal,
    /// `None` until the first question.
    keyboard: Option<Keyboard>,
    /// The last question was withdrawn, so what was typed for it must be dropped.
    taken_back: bool,
}

/// Nobody types any more.
struct Gone;

impl Terminal {
    /// The person at this terminal, if there is one.
    pub(crate) fn here(context: &Context) -> Option<Self> {
        context.terminal.as_ref().map(|turns| Self {
            screen: context.screen.clone(),
            turns: turns.clone(),
            keyboard: None,
            taken_back: false,
        })
    }

    /// Asks; `may_go_back` where an answer before can be taken back.
    pub(crate) async fn ask(&mut self, question: &Question, may_go_back: bool) -> Reply {
        let _turn = self.turns.turn().await;
        let screen = self.screen.clone();
        let _quiet = screen.hold();
        let keyboard = self.keyboard.get_or_insert_with(Keyboard::here);
        if self.taken_back {
            keyboard.forget();
        }
        self.taken_back = true;
        let mut prompt = OpenPrompt {
            screen: screen.clone(),
            is_open: true,
        };
        let mut typist = Typist {
            screen,
            keyboard,
            may_go_back,
        };
        let reply = typist.ask(question).await;
        // Nobody ended the line where the input ended.
        prompt.is_open = reply.is_err();
        self.taken_back = false;
        reply.unwrap_or(Reply::Nobody)
    }
}

/// Ends the line of a prompt that nobody answered, so that what comes next begins on its own.
struct OpenPrompt {
    screen: Screen,
    is_open: bool,
}

impl Drop for OpenPrompt {
    fn drop(&mut self) {
        if self.is_open {
            self.screen.line("");
        }
    }
}

/// Asks, and reads what is typed.
struct Typist<'a> {
    screen: Screen,
    keyboard: &'a Keyboard,
    may_go_back: bool,
}

impl Typist<'_> {
    async fn ask(&mut self, question: &Question) -> Result<Reply, Gone> {
        self.screen.lines(questions::asked(&self.screen, question));
        let options: Vec<&Choice> = questions::offered(question).collect();
        let recommended = options.iter().copied().find(|choice| choice.recommended);
        let may_wait = question.holds != Holds::Phase;
        let mut hints = Vec::new();
        hints.extend(recommended.map(|choice| choice.label.clone()));
        hints.extend(may_wait.then(|| "l = later".to_owned()));
        hints.extend(self.may_go_back.then(|| "back".to_owned()));
        let hints = hints.join("; ");
        let prompt = match (recommended, hints.is_empty()) {
            (Some(_), _) => format!("  Your choice [{hints}]: "),
            (None, false) => format!("  Your choice ({hints}): "),
            (None, true) => "  Your choice: ".to_owned(),
        };
        loop {
            let typed = self.read(&prompt).await?;
            let choice = match typed.trim() {
                "" => recommended,
                "l" | "later" if may_wait => return Ok(Reply::Later),
                "back" if self.may_go_back => return Ok(Reply::Back),
                "back" => {
                    self.screen
                        .line("  There is no answer before to go back to.");
                    continue;
                }
                typed => picked(&options, typed),
            };
            let Some(choice) = choice else {
                self.screen.line(&format!(
                    "  Type a number from 1 to {}, or the name of an option.",
                    options.len()
                ));
                continue;
            };
            let fields = self.fields(question, choice).await?;
            return Ok(Reply::Answer(Answer {
                option: choice.label.clone(),
                fields,
                by: DecidedBy::User,
                filled_in_by: None,
            }));
        }
    }

    async fn fields(
        &mut self,
        question: &Question,
        choice: &Choice,
    ) -> Result<BTreeMap<String, String>, Gone> {
        let mut given = BTreeMap::new();
        for field in &question.fields {
            if !field.goes_with(&choice.label) {
                continue;
            }
            let value = self.field(field, choice).await?;
            // A wrong sentence is refused whatever follows, so nothing further is asked for.
            let is_refused = field.exactly.as_ref().is_some_and(|exact| *exact != value);
            if !value.is_empty() {
                given.insert(field.name.clone(), value);
            }
            if is_refused {
                break;
            }
        }
        Ok(given)
    }

    /// Asks for the text of a field that goes with an option.
    async fn field(&mut self, field: &Field, choice: &Choice) -> Result<String, Gone> {
        let needed = field.needed_for.contains(&choice.label);
        let optional = match (&field.suggested, needed) {
            (Some(suggested), _) => format!(" [{}]", plain::one_line(suggested)),
            (None, true) => String::new(),
            (None, false) => " (may be left empty)".to_owned(),
        };
        loop {
            let prompt = match &field.exactly {
                Some(sentence) => format!("  {}: type exactly `{sentence}`: ", field.name),
                None => format!("  {}: {}{optional}: ", field.name, field.text),
            };
            let mut value = self.read(&prompt).await?.trim().to_owned();
            if value.is_empty() {
                value = field.suggested.clone().unwrap_or_default();
            }
            if !value.is_empty() || !needed {
                return Ok(value);
            }
        }
    }

    async fn read(&mut self, prompt: &str) -> Result<String, Gone> {
        self.screen.prompt(prompt);
        self.keyboard.line().await.ok_or(Gone)
    }
}

/// The option that was typed: by number, by label, or by a label in another case.
fn picked<'o>(options: &[&'o Choice], typed: &str) -> Option<&'o Choice> {
    if let Ok(number) = typed.parse::<usize>() {
        return number
            .checked_sub(1)
            .and_then(|index| options.get(index).copied());
    }
    options
        .iter()
        .copied()
        .find(|choice| choice.label.eq_ignore_ascii_case(typed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Colour;
    use crate::output::Stdout;
    use gapless_domain::question::inventory;
    use gapless_domain::{About, QuestionId};

    fn question(holds: Holds) -> Question {
        let choice = |label: &str, recommended, policy_only| Choice {
            label: label.to_owned(),
            text: String::new(),
            effect: String::new(),
            recommended,
            policy_only,
        };
        let field = |name: &str, text: &str, options: &[&str], exactly: Option<&str>| Field {
            name: name.to_owned(),
            text: text.to_owned(),
            needed_for: options.iter().map(|option| (*option).to_owned()).collect(),
            offered_for: Vec::new(),
            exactly: exactly.map(str::to_owned),
            suggested: None,
        };
        Question {
            id: QuestionId(1),
            about: About::Inventory(inventory::Subject {}),
            severity: None,
            title: "Begin?".to_owned(),
            context: String::new(),
            options: vec![
                choice("forced", false, true),
                choice("begin", true, false),
                choice("defer", false, false),
                choice("accept", false, false),
            ],
            fields: vec![
                field("reason", "why", &["defer"], None),
                field(
                    "sentence",
                    "exactly: I mean it",
                    &["accept"],
                    Some("I mean it"),
                ),
                field("note", "for the record", &[], None),
            ],
            holds,
            without_answer: String::new(),
            accepts: Vec::new(),
            replaces: Vec::new(),
        }
    }

    async fn typing(lines: &[&str], holds: Holds) -> Reply {
        let screen = Screen::new(Stdout::Document, Colour::Never);
        let mut typist = Typist {
            screen,
            keyboard: &Keyboard::typing(lines),
            may_go_back: holds == Holds::Gap,
        };
        typist.ask(&question(holds)).await.unwrap_or(Reply::Nobody)
    }

    #[tokio::test]
    async fn what_is_typed_becomes_the_answer() {
        let user = |option: &str| Answer::of(option, DecidedBy::User);
        let typed = async |lines: &[&str]| typing(lines, Holds::Phase).await;
        assert_eq!(typed(&["", ""]).await, Reply::Answer(user("begin")));
        assert_eq!(
            typed(&["7", "nonsense", "l", "1", "noted"]).await,
            Reply::Answer(user("begin").with("note", "noted"))
        );
        assert_eq!(
            typed(&["Defer", "", " later ", ""]).await,
            Reply::Answer(user("defer").with("reason", "later"))
        );
        assert_eq!(
            typed(&["accept", "I mean it", "noted"]).await,
            Reply::Answer(
                user("accept")
                    .with("sentence", "I mean it")
                    .with("note", "noted")
            )
        );
        assert_eq!(
            typed(&["accept", "I don't", "noted"]).await,
            Reply::Answer(user("accept").with("sentence", "I don't")),
            "the core says what is wrong with it before more is asked for"
        );
        assert_eq!(typed(&["2"]).await, Reply::Nobody, "the input ended");
        assert_eq!(typing(&["l"], Holds::Nothing).await, Reply::Later);
        assert_eq!(typing(&["back"], Holds::Gap).await, Reply::Back);
        assert_eq!(typing(&["back", "l"], Holds::Nothing).await, Reply::Later);
    }
}
