//! The lines that people who follow a session see: one for each event that matters to them, several for a rollback.

use gapless_session::{Event, Happening, QuestionEvent, State};

use super::style::LineStyle;
use super::{inventory, rollback, round, session, task};
use crate::Screen;

/// Whether questions need a line of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedQuestions {
    /// Each question has a line.
    Listed,
    /// Questions are put to the person who reads the lines.
    AskedHere,
}

pub(crate) struct EventLines {
    style: LineStyle,
    questions: AskedQuestions,
}

impl EventLines {
    pub(crate) fn new(screen: &Screen, questions: AskedQuestions) -> Self {
        Self {
            style: LineStyle::new(screen),
            questions,
        }
    }

    /// The line for an event, if it is worth one; `state` is the state after it and maybe after others.
    pub(crate) fn line(&self, state: &State, event: &Event) -> Option<String> {
        let style = &self.style;
        match &event.what {
            Happening::Session(event) => session::line(style, state, event),
            Happening::Round(event) => round::line(style, event),
            Happening::Task(task) => task::line(style, state, task, event.at),
            Happening::Gap(event) => inventory::gap(style, state, event),
            Happening::Issue(event) => inventory::issue(style, event),
            Happening::Question(QuestionEvent::Asked { .. } | QuestionEvent::Renewed { .. })
                if self.questions == AskedQuestions::AskedHere =>
            {
                None
            }
            Happening::Question(event) => inventory::question(style, state, event),
            Happening::Decision(event) => inventory::decision(style, event),
            Happening::Rollback(rollback) => rollback::line(style, state, rollback, event.at),
        }
    }

    /// The lines for the rollback at this place of the history.
    pub(crate) fn rolled_back(&self, state: &State, index: usize) -> Vec<String> {
        rollback::lines(&self.style, state, index)
    }
}
