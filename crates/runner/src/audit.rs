//! Replays a log that came from elsewhere, or out of a damaged database, by the rules: each event can follow on those before it,
//! and the session can have come to its end.

use gapless_domain::Role;
use gapless_domain::slot::SlotState;
use gapless_mediator::termination::unreachable_end;
use gapless_session::State;
use gapless_session::audit::follow;
use gapless_session::event::{Event, Happening, QuestionEvent, RoundEvent, SessionEvent};

/// The state of a log as far as it was followed.
#[derive(Debug, Default)]
pub struct Audit {
    pub state: State,
    /// The state before what waits is withdrawn, since that comes with an end and still counts for it.
    before_withdrawal: Option<State>,
}

impl Audit {
    /// Folds an event into the state, or says why it can't have happened.
    pub fn follow(&mut self, event: &Event) -> Result<(), String> {
        match &event.what {
            Happening::Question(QuestionEvent::Withdrawn { .. }) => {
                let state = &self.state;
                self.before_withdrawal.get_or_insert_with(|| state.clone());
            }
            Happening::Session(SessionEvent::Entered { .. }) => {}
            Happening::Session(SessionEvent::Ended { end, trigger }) => {
                let state = self.before_withdrawal.as_ref().unwrap_or(&self.state);
                if let Some(why) = unreachable_end(state, *end, *trigger) {
                    return Err(why);
                }
            }
            Happening::Round(RoundEvent::FinalReviewed { text, .. }) => {
                let mut slots = self.state.now.round.slots.values();
                let is_written = slots.any(|slot| {
                    slot.id.role == Role::FinalReviewer
                        && slot.state == SlotState::Valid
                        && slot.output.as_ref().map(|output| output.text) == Some(*text)
                });
                if !is_written {
                    return Err("no final reviewer wrote this final review".to_owned());
                }
            }
            _ => self.before_withdrawal = None,
        }
        follow(&mut self.state, event).map_err(|unlawful| unlawful.to_string())
    }
}
