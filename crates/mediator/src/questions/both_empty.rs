//! Asks what becomes of a round in which neither role produced anything.

use super::wording::{
    GAP_IDS, abandon_choice, choice, field, gap_line, pause_choice, recommended_if, suggesting,
};
use super::{Effect, Given};
use crate::{Result, Turn};
use gapless_domain::question::both_empty::{Fields, Options, Subject};
use gapless_domain::{About, GapId, GapMove, Question, Role, RoundPhase, comma_list};
use gapless_session::state::AttemptEnd;
use gapless_session::{Noted, Taken};

/// The agent that is a person.
const HUMAN: &str = "human";

impl Turn<'_> {
    /// Neither role produced anything, and these gaps are as open as before.
    pub(crate) fn both_empty_question(&self, left: &[GapId]) -> Question {
        let round = self.state.now.round.number;
        let mut lines =
            vec!["Neither the Engineer nor the Reviewer produced anything that can be used in this round.\n".to_owned()];
        lines.extend([Role::Engineer, Role::Reviewer].map(|role| self.effort_of(role)));
        lines.push(
            "\nThe gaps may be out of scope, the prompts may lack something, or the agents may be unfit for them. They \
             are as open as before:\n"
                .to_owned(),
        );
        lines.extend(
            left.iter()
                .filter_map(|id| self.state.now.gaps.get(id))
                .map(|gap| format!("{} ({})", gap_line(gap), gap.state)),
        );
        lines.extend(self.why_stuck().map(|stuck| format!("\n{stuck}")));
        let goes_on = !self.is_stuck();
        let mut options = Vec::new();
        let retried = self.was_taken(Role::Engineer, Taken::BothEmpty(Options::Retry));
        if !retried {
            let retry = choice(
                Options::Retry,
                "Retry with fresh context",
                "the Engineer is asked anew in this round, without what went before",
            );
            options.push(recommended_if(goes_on, retry));
        }
        if !self.was_taken(Role::Engineer, Taken::BothEmpty(Options::Human)) {
            options.push(choice(
                Options::Human,
                "Write the proposal yourself",
                "you are the Engineer for these gaps: $EDITOR opens on prompt and form, or a file to write to is named",
            ));
        }
        options.extend([
            choice(
                Options::Defer,
                "Defer gaps",
                "the gaps you name are put off with your reason",
            ),
            choice(
                Options::Close,
                "Close gaps",
                "the gaps you name are WONT_FIX; CRITICAL ones only through `gapless gap close`",
            ),
            recommended_if(
                retried && goes_on,
                choice(
                    Options::GoOn,
                    "Go on",
                    "the round is recorded as it is and not judged; the next one begins",
                ),
            ),
            pause_choice(Options::Pause),
            abandon_choice(Options::Abandon),
        ]);
        Question {
            options,
            fields: vec![
                suggesting(
                    field(Fields::Gaps, GAP_IDS, &[Options::Defer, Options::Close]),
                    comma_list(left),
                ),
                field(Fields::Reason, "why", &[Options::Defer, Options::Close]),
            ],
            ..self.question(
                About::BothEmpty(Subject { round }),
                format!("Round {round} produced nothing"),
                lines.join("\n"),
            )
        }
    }

    /// What a role tried in this round, in a line.
    fn effort_of(&self, role: Role) -> String {
        let attempts = self.state.now.round.attempts.iter();
        let ends: Vec<&AttemptEnd> = attempts
            .filter(|attempt| attempt.task.slot.role == role)
            .filter_map(|attempt| attempt.finished.as_ref())
            .collect();
        match ends.as_slice() {
            [] => format!("- {role}: had nothing to do"),
            [.., last] => format!(
                "- {role}: {} {}, the last: {}: {}",
                ends.len(),
                if ends.len() == 1 {
                    "attempt"
                } else {
                    "attempts"
                },
                last.outcome.name(),
                last.message
            ),
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let reason = given.field(Fields::Reason);
        match given.option {
            Options::Retry => turn.engineer_again(None),
            Options::Human => turn.engineer_again(Some(HUMAN.to_owned())),
            Options::Defer => turn.defer_all(&given.gaps(turn, Fields::Gaps)?, reason, given.by),
            Options::Close => turn.close_all(&given.gaps(turn, Fields::Gaps)?, reason, given.by),
            Options::GoOn => Ok(()),
            Options::Pause => turn.pause(),
            Options::Abandon => turn.abandon(),
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        let taken = Noted::Taken {
            role: Role::Engineer,
            option: Taken::BothEmpty(option),
        };
        match option {
            Options::Retry | Options::Human | Options::Pause => vec![taken],
            Options::Defer | Options::Close | Options::GoOn | Options::Abandon => {
                vec![taken, Noted::EmptinessSettled {}]
            }
        }
    }
}

impl Turn<'_> {
    /// The same gaps once more in this round, in a slot that knows nothing of the attempts before.
    fn engineer_again(&mut self, agent: Option<String>) -> Result<()> {
        let gaps = self.left_by_both();
        self.enter_in_round(RoundPhase::Engineering)?;
        for gap in &gaps {
            self.move_gap(gap, GapMove::Assign, None)?;
        }
        self.open_slot_for(Role::Engineer, gaps, agent, None, None);
        Ok(())
    }
}
