//! Asks about an agent that fails the same way again and again.

use super::Effect;
use super::attempts::AGENT_TEXT;
use super::given::Given;
use super::wording::{choice, field, pause_choice};
use crate::termination::Left;
use crate::{Result, Turn};
use gapless_domain::failing::{Broken, RoundOfAttempts};
use gapless_domain::question::broken_agent::{Fields, Options, Subject};
use gapless_domain::{About, GapId, Question, Role, SlotId, SlotState, Trigger};
use gapless_session::{Noted, Taken};

impl Turn<'_> {
    /// An agent failed the same way in every attempt of two rounds in a row. No option is recommended: a policy would go on
    /// with what brings nothing.
    pub(crate) fn broken_agent_question(&self, slot: SlotId, broken: &Broken<'_>) -> Question {
        let role = slot.role;
        let [before, last] = broken.rounds;
        let attempts = |round: &RoundOfAttempts| match round.attempts {
            1 => format!("1 attempt in round {}", round.round),
            attempts => format!("{attempts} attempts in round {}", round.round),
        };
        let context = format!(
            "Agent: `{}`\n\nEvery attempt failed the same way: {}, {}. Asking it again as it is costs as much and will \
             hardly bring anything else.\n\nFailure: {}\n\n{}",
            broken.agent,
            attempts(before),
            attempts(last),
            broken.ways(),
            self.attempts_context(slot)
        );
        let title = format!(
            "Is the {role}'s agent broken? It failed the same way in every attempt of rounds {} and {}",
            before.round, last.round
        );
        let go_on = match role {
            Role::Editor => "the sections stay as they are assembled",
            _ => {
                "you are asked what else can be done in this round: skip the role, give context and so on"
            }
        };
        Question {
            options: vec![
                choice(
                    Options::Again,
                    "Try again",
                    "the same agent is asked anew in this round; it helps where you repaired something",
                ),
                choice(
                    Options::Another,
                    "Use another agent",
                    "the role is given to the agent you name, from now on",
                ),
                choice(Options::GoOn, "Go on with this round", go_on),
                choice(
                    Options::Stop,
                    "Stop",
                    "you are asked to accept what is left",
                ),
                pause_choice(Options::Pause),
            ],
            fields: vec![field(Fields::Agent, AGENT_TEXT, &[Options::Another])],
            ..self.question(About::BrokenAgent(Subject { slot }), title, context)
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let role = self.slot.role;
        match given.option {
            Options::Again => turn.open_exhausted_anew(role, |own| own),
            Options::Another => {
                turn.give_role_to(role, given.field(Fields::Agent).to_owned());
                turn.open_exhausted_anew(role, |_| None)
            }
            // The phase asks what it usually does.
            Options::GoOn => Ok(()),
            Options::Stop => turn.ask_stop(Left::of(&turn.state.now).end(), Trigger::UserStop),
            Options::Pause => turn.pause(),
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        match option {
            Options::GoOn => vec![Noted::Taken {
                role: self.slot.role,
                option: Taken::BrokenAgent(option),
            }],
            Options::Again | Options::Another | Options::Stop | Options::Pause => Vec::new(),
        }
    }
}

impl Turn<'_> {
    /// Opens a slot in the place of each exhausted one of a role, with an agent of its own where `agent` keeps it.
    fn open_exhausted_anew(
        &mut self,
        role: Role,
        agent: impl Fn(Option<String>) -> Option<String>,
    ) -> Result<()> {
        let exhausted: Vec<(SlotId, Vec<GapId>, Option<String>)> = self
            .slots_of(role)
            .filter(|slot| slot.state == SlotState::Exhausted)
            .map(|slot| (slot.id, slot.gaps.clone(), slot.agent.clone()))
            .collect();
        for (slot, gaps, own) in exhausted {
            self.open_slot_instead(slot, gaps, agent(own))?;
        }
        Ok(())
    }
}
