//! Asks what becomes of a role whose agent cannot run.

use super::Effect;
use super::attempts::AGENT_TEXT;
use super::given::Given;
use super::wording::{choice, field, pause_choice};
use crate::{Result, Turn};
use gapless_domain::question::agent_cannot_run::{Fields, Options, Subject};
use gapless_domain::{
    About, ExecutionError, ExecutionErrorKind, Exhaustion, GapId, Question, Role, SlotId, SlotState,
};

impl Turn<'_> {
    pub(crate) fn agent_cannot_run_question(
        &self,
        slot: SlotId,
        error: &ExecutionError,
    ) -> Question {
        let agent = self
            .slot(slot)
            .and_then(|slot| slot.task.as_ref())
            .map_or(String::new(), |task| task.agent.clone());
        let context = format!(
            "Agent: `{agent}`\n\n{}\n\n{}",
            error.message,
            self.attempts_context(slot)
        );
        let title = format!("The {}'s agent cannot run", slot.role);
        let again = match error.kind {
            ExecutionErrorKind::Refused | ExecutionErrorKind::PromptTooLong => {
                "the same agent is asked once more; it helps where you changed something"
            }
            _ => "the same agent gets three more tries",
        };
        Question {
            options: vec![
                choice(Options::Again, "Try again", again),
                choice(
                    Options::Another,
                    "Use another agent",
                    "the role is given to the agent you name, from now on",
                ),
                pause_choice(Options::Pause),
            ],
            fields: vec![field(Fields::Agent, AGENT_TEXT, &[Options::Another])],
            ..self.question(About::AgentCannotRun(Subject { slot }), title, context)
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Again => {}
            Options::Another => {
                let agent = given.field(Fields::Agent).to_owned();
                turn.give_role_to(self.slot.role, agent);
            }
            Options::Pause => return turn.pause(),
        }
        turn.run_stopped_again(self.slot.role)
    }
}

impl Turn<'_> {
    /// What keeps an agent from one of its tasks keeps it from those beside it, so that all of them run again.
    fn run_stopped_again(&mut self, role: Role) -> Result<()> {
        let stopped: Vec<(SlotId, Vec<GapId>)> = self
            .slots_of(role)
            .filter(|slot| slot.state == SlotState::Exhausted)
            .filter(|slot| matches!(slot.exhaustion, Some(Exhaustion::CannotRun { .. })))
            .map(|slot| (slot.id, slot.gaps.clone()))
            .collect();
        for (slot, gaps) in stopped {
            self.grant(slot, None, gaps)?;
        }
        Ok(())
    }
}
