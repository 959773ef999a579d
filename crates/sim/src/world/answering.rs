//! Lets users answer questions: which of those that wait, how, and which commands they give instead.

use gapless_domain::question::stop;
use gapless_domain::{About, Gap, GapState, Question, QuestionId, Severity, Time, Trigger};
use gapless_mediator::{GapCommand, UserInput};
use gapless_session::State;

use super::World;
use super::expected::Expected;
use crate::Verdict;
use crate::check::violated;
use crate::users::answers;

impl World {
    pub(super) fn wait_for_answers(
        &mut self,
        questions: &[QuestionId],
        until: Option<Time>,
    ) -> Verdict {
        self.sync(&[])?;
        if !self.commit()? {
            return Ok(());
        }
        if let Some(until) = until
            && (questions.is_empty() || self.rng.percent(50))
        {
            self.now = self.now.max(until.0);
            return self.advance();
        }
        self.now += 1_000;
        self.answer_one(questions)
    }

    /// Answers one of the waiting questions, or gives a command that changes what is asked.
    pub(super) fn answer_one(&mut self, holding: &[QuestionId]) -> Verdict {
        let chosen = self.question_to_answer(holding);
        let state = self.session.state().clone();
        let Some(question) = chosen.and_then(|id| state.now.questions.get(&id)) else {
            return Ok(());
        };
        if self.is_wild()
            && let Some((command, expected)) = self.command_instead(&state, question)
        {
            return self.say(UserInput::Gap { command }, expected);
        }
        let wild = self.is_wild();
        let rng = &mut self.rng;
        let answer = match (&self.planting, wild) {
            (Some(planting), wild) => planting.answer(rng, wild, &state, question),
            (None, true) => answers::legal(rng, &state, question),
            (None, false) => Some(answers::cooperative(rng, &state, question)),
        };
        let Some(answer) = answer else {
            let (id, about) = (question.id, &question.about);
            return violated(
                "questions",
                format!("{id} has no option that fits: {about:?}"),
            );
        };
        let question = question.id;
        self.say(UserInput::Answer { question, answer }, Expected::Taken)
    }

    /// At first mostly one that the session waits for, now and then any other; towards the end always the one that
    /// the others depend on.
    fn question_to_answer(&mut self, holding: &[QuestionId]) -> Option<QuestionId> {
        let pending = &self.session.state().now.questions;
        if self.is_wild() {
            let all: Vec<QuestionId> = pending.keys().copied().collect();
            return match self.rng.percent(80) {
                true => self.rng.pick(holding).copied(),
                false => self.rng.pick(&all).copied(),
            };
        }
        let comes_first = |question: &&Question| match &self.planting {
            Some(_) => !matches!(
                question.about,
                About::NothingToPlan { .. } | About::RoundLimit { .. } | About::Stop { .. }
            ),
            None => matches!(question.about, About::Conflict { .. }),
        };
        let first = pending
            .values()
            .find(comes_first)
            .map(|question| question.id);
        first.or_else(|| holding.first().copied())
    }

    /// Some users defer much of the inventory before they begin, and some add a gap when they are asked to stop without a
    /// final review.
    fn command_instead(
        &mut self,
        state: &State,
        question: &Question,
    ) -> Option<(GapCommand, Expected)> {
        match question.about {
            About::Inventory(_) if self.rng.percent(40) => {
                let gaps = state.now.gaps.values();
                let lesser: Vec<&Gap> = gaps
                    .filter(|gap| gap.state == GapState::Open && !gap.severity.holds())
                    .collect();
                let gap = self.rng.pick(&lesser)?.id.clone();
                let reason = "another time".to_owned();
                Some((GapCommand::Defer { gap, reason }, Expected::Either))
            }
            About::Stop(stop::Subject {
                trigger: Trigger::NoFinalReview,
                ..
            }) if self.rng.percent(40) => {
                let command = GapCommand::Add {
                    category: "FLOW".to_owned(),
                    severity: Severity::High,
                    description: "what nobody thought of".to_owned(),
                    section: None,
                };
                Some((command, Expected::Taken))
            }
            _ => None,
        }
    }
}
