//! Asks about an issue that the Engineer may have passed over.

use super::Effect;
use super::flag_lines::{concern, evidence};
use super::given::Given;
use super::wording::{choice, field, recommended, recommended_if};
use crate::{Result, Turn};
use gapless_domain::question::implicit_disagreement::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, DecidedBy, Holds, IssueId, IssueState, Question, quoted, shortened,
};
use gapless_session::{Noted, Now};

/// How much of an answer is quoted.
const LONGEST_ANSWER: usize = 1_000;

impl Turn<'_> {
    pub(crate) fn flag_question(&self, id: &IssueId, holds: Holds) -> Result<Question> {
        let issue = self.issue(id)?;
        let again = !self.state.now.round.asked_again.contains(id);
        // What the user decided is not theirs to decide again, only to see carried out.
        let stands = issue.state.stands();
        let mut options = Vec::new();
        if again {
            options.push(recommended(choice(
                Options::Again,
                "Ask the Engineer again",
                "with the issue named: in this round while that can be, else in the next",
            )));
        }
        if stands {
            options.push(recommended_if(!again, convert()));
            options.push(choice(
                Options::Waive,
                "Waive the issue",
                "it need not be answered; your reason is recorded",
            ));
        }
        options.extend([
            choice(
                Options::Clarify,
                "Make it clear",
                match stands {
                    true => "your text goes into the next prompts on this gap",
                    false => "your text is to be carried out with the decision",
                },
            ),
            choice(
                Options::FalsePositive,
                "A false alarm",
                "nothing happens; a rule that is wrong too often only advises from then on",
            ),
        ]);
        let without_answer = match (holds, stands) {
            (Holds::Phase, _) => "the round waits",
            (_, false) => "the round goes on, and the decision is still to be carried out",
            (_, true) => "the round goes on, and the Reviewer is shown the issue as it stands",
        };
        Ok(Question {
            severity: Some(issue.concern.severity),
            options,
            fields: vec![match stands {
                true => field(
                    Fields::Text,
                    "the reason, or what is to be clear",
                    &[Options::Waive, Options::Clarify],
                ),
                false => field(Fields::Text, "what is to be clear", &[Options::Clarify]),
            }],
            holds,
            without_answer: without_answer.to_owned(),
            ..self.question(
                About::ImplicitDisagreement(Subject { issue: *id }),
                match stands {
                    true => format!("{id} may have been passed over"),
                    false => format!("The decision on {id} may not have been carried out"),
                },
                self.flagged(issue),
            )
        })
    }

    /// A flag on what agents have settled since the user was asked: only the user's word takes it back.
    pub(crate) fn settled_flag_question(&self, id: &IssueId) -> Result<Question> {
        let issue = self.issue(id)?;
        let decided = issue.state == IssueState::Decided;
        let flagged = issue.flags.iter().map(|flag| flag.round).max().unwrap_or(0);
        let since = match (&issue.answer, decided) {
            (_, true) => {
                "**Since then** a reviewed proposal carried the decision out, as far as the review says."
                    .to_owned()
            }
            (Some(answer), false) => format!(
                "**Since then** it was answered in round {}, and the review let that pass:\n{}",
                answer.round,
                quoted(&shortened(&self.text(&answer.text)?, LONGEST_ANSWER))
            ),
            (None, false) => "**Since then** it was closed by a review.".to_owned(),
        };
        let mut options = vec![
            recommended(choice(
                Options::Settled,
                "It is settled",
                "nothing more is done about it",
            )),
            choice(
                Options::Again,
                "Ask the Engineer again",
                "it is open again, and the next prompt on its gap asks for it by its id",
            ),
        ];
        if !decided {
            options.push(convert());
        }
        options.extend([
            choice(
                Options::Clarify,
                "Make it clear",
                "it is open again, and your text goes into the next prompts on its gap",
            ),
            choice(
                Options::FalsePositive,
                "It never was passed over",
                "nothing happens; a rule that is wrong too often only advises from then on",
            ),
        ]);
        Ok(Question {
            severity: Some(issue.concern.severity),
            options,
            fields: vec![field(
                Fields::Text,
                "what is to be clear",
                &[Options::Clarify],
            )],
            holds: Holds::Nothing,
            without_answer: "the session goes on, and can't end as COMPLETE".to_owned(),
            ..self.question(
                About::ImplicitDisagreement(Subject { issue: *id }),
                format!("{id} was flagged in round {flagged} and is settled since: is it?"),
                format!(
                    "{}\n\n{}\n\n{since}",
                    concern(issue),
                    evidence(issue, flagged)
                ),
            )
        })
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let (id, text) = (&self.issue, given.field(Fields::Text));
        match given.option {
            // That it is settled by now says nothing of whether it was passed over then.
            Options::Settled => Ok(()),
            // In time the Engineer is asked in this round, which Responding does; later the issue is open on its gap, and
            // the next prompt asks for it by its id.
            Options::Again => turn.confirm_flag(id, given.by),
            Options::Convert => {
                turn.confirm_flag(id, given.by)?;
                turn.ask_conflicts(vec![*id])
            }
            Options::Waive => {
                turn.confirm_flag(id, given.by)?;
                turn.waive(id, text, given.by)
            }
            Options::Clarify => {
                turn.confirm_flag(id, given.by)?;
                turn.clarify(id, text, given.by)
            }
            Options::FalsePositive => {
                turn.judge_flags(id, false)?;
                turn.let_pass(id)
            }
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        match option {
            Options::Again => vec![Noted::ToAskAgain {
                issues: vec![self.issue],
                may_disagree: false,
            }],
            Options::Settled
            | Options::Convert
            | Options::Waive
            | Options::Clarify
            | Options::FalsePositive => Vec::new(),
        }
    }

    fn is_settled(&self, now: &Now) -> bool {
        is_over(now, &self.issue)
    }
}

impl Turn<'_> {
    /// The issue was passed over: its flags are right, and what agents settled since is open again.
    fn confirm_flag(&mut self, id: &IssueId, by: DecidedBy) -> Result<()> {
        self.judge_flags(id, true)?;
        self.take_up_again(id, by)
    }

    /// Opens again what agents settled since the user was asked.
    fn take_up_again(&mut self, id: &IssueId, by: DecidedBy) -> Result<()> {
        let now = &self.state.now;
        if now.is_to_be_met(id) || !now.is_settled_by_agents(id) {
            return Ok(());
        }
        match self.issue(id)?.state {
            IssueState::Decided => self.uphold(id, by),
            _ => self.open_settled(id, None),
        }
    }
}

fn convert() -> Choice {
    choice(
        Options::Convert,
        "Make it a conflict",
        "you decide between the Reviewer's position and leaving it as it is",
    )
}

/// True where nobody has to meet an issue any more, and no agent settled it.
pub(super) fn is_over(now: &Now, id: &IssueId) -> bool {
    !now.is_to_be_met(id) && !now.is_settled_by_agents(id) || now.is_on_closed_gap(id)
}
