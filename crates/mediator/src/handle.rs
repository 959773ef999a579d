//! Judges what came in: each kind of input goes to the part of the session that it is for.

use gapless_domain::{End, Phase, QuestionId, RoundPhase, Texts};
use gapless_session::State;

use crate::outputs::Written;
use crate::{
    Incoming, Input, Outcome, ReadDocuments, Refusal, Result, Step, Turn, UserInput, next,
};

/// Judges what came in.
pub fn handle(state: &State, input: Input, texts: &dyn Texts) -> Result<Outcome> {
    handle_with(state, input, texts, &mut ReadDocuments::default())
}

/// Judges what came in, with what was read since the session last waited.
pub fn handle_with(
    state: &State,
    input: Input,
    texts: &dyn Texts,
    read: &mut ReadDocuments,
) -> Result<Outcome> {
    // Time never goes backwards in a session, whatever the clock does.
    let at = input.at.max(state.kept.clock);
    let mut turn = Turn::new(state, at, texts, read);
    match input.what {
        Incoming::Start(start) => turn.start(*start)?,
        Incoming::Import(import) => turn.import(*import)?,
        _ if !state.is_started() => return Err(Refusal::NotStarted),
        Incoming::Configure(met) => turn.configure(*met)?,
        Incoming::EditKept { path, kept_as } => turn.keep_edit(path, kept_as),
        Incoming::Delivered(delivered) => turn.note_delivery(delivered),
        Incoming::Disposed(disposed) => turn.note_disposal(disposed),
        Incoming::Spent { task, usage } => turn.note_usage(task, usage)?,
        Incoming::User(input) => turn.hear(input)?,
        _ if state.kept.ended.is_some() => {
            let end = state.kept.ended.map_or(End::Abandoned, |(end, _)| end);
            return Err(Refusal::Ended(end));
        }
        Incoming::Advance => turn.advance()?,
        Incoming::Output {
            task,
            text,
            earlier,
            notes,
            usage,
        } => turn.take_output(task, Written { text, earlier }, &notes, usage)?,
        Incoming::Failed {
            task,
            error,
            unfinished,
            usage,
        } => turn.take_failure(task, error, unfinished, usage)?,
    }
    Ok(turn.finish())
}

impl Turn<'_> {
    /// Takes what the user says. After the end that is where the spec is wanted, what becomes of the archives, and what the
    /// session is taken up again for.
    fn hear(&mut self, input: UserInput) -> Result<()> {
        let Some((end, _)) = self.state.kept.ended else {
            self.note_said(&input);
            return self.take_user_input(input);
        };
        match input {
            UserInput::Deliver { .. } | UserInput::Undo => self.take_user_input(input),
            UserInput::Gap { ref command } if command.assigns() => {
                self.note_said(&input);
                self.take_user_input(input)
            }
            UserInput::Answer { question, .. } if self.waits(question) => {
                self.note_said(&input);
                self.take_user_input(input)
            }
            UserInput::Reopen => {
                self.note_said(&input);
                self.begin_chapter()
            }
            input if input.reopens() => {
                self.note_said(&input);
                self.begin_chapter()?;
                self.take_user_input(input)
            }
            _ => Err(Refusal::Ended(end)),
        }
    }

    fn waits(&self, question: QuestionId) -> bool {
        self.state.now.questions.contains_key(&question)
    }

    fn advance(&mut self) -> Result<()> {
        if self.state.kept.paused {
            return Err(Refusal::NothingToDo(format!("{} (paused)", self.place())));
        }
        self.wake_due_slots()?;
        if self.start_ready_slots()? || !self.events.is_empty() {
            return Ok(());
        }
        if next(&self.state) != Step::Advance {
            return Err(Refusal::NothingToDo(self.place()));
        }
        match self.state.now.phase {
            Phase::Discovering => self.discover()?,
            Phase::Inventory => self.begin_after_inventory()?,
            Phase::Round => match self.state.now.round.phase {
                RoundPhase::Planning => self.plan_round()?,
                RoundPhase::Engineering => self.conclude_engineering()?,
                RoundPhase::Responding => self.respond()?,
                RoundPhase::Reviewing => self.conclude_reviewing()?,
                RoundPhase::Settling => self.settle()?,
                RoundPhase::Accounting => self.account()?,
                RoundPhase::Concluding => self.conclude()?,
            },
            Phase::FinalReview => self.conclude_final_review()?,
            Phase::Closing | Phase::Ended => {}
        }
        if self.events.is_empty() {
            return Err(Refusal::NothingToDo(self.place()));
        }
        Ok(())
    }

    fn place(&self) -> String {
        match self.state.now.phase {
            Phase::Round => format!(
                "round {}, {}",
                self.state.now.round.number, self.state.now.round.phase
            ),
            phase => phase.to_string(),
        }
    }
}
