//! Asks about a concern that is passed over again and again.

use super::Effect;
use super::conflict::Ruling;
use super::given::Given;
use super::implicit_disagreement::is_over;
use super::wording::{choice, field, recommended};
use crate::{Result, Turn};
use gapless_domain::question::conflict;
use gapless_domain::question::systematic_concern::{Fields, Options, Subject};
use gapless_domain::{About, IssueId, Question, comma_list};
use gapless_session::{Noted, Now};

impl Turn<'_> {
    /// The same concern over and over.
    pub(crate) fn systematic_question(
        &self,
        issues: &[IssueId],
        rounds: &[u32],
    ) -> Result<Question> {
        let mut parts = Vec::new();
        for id in issues {
            parts.push(self.flagged(self.issue(id)?));
        }
        let rounds = comma_list(rounds);
        parts.push(format!("It was passed over in rounds {rounds}."));
        let mut options = vec![
            choice(
                Options::Approach,
                "Another approach",
                "your text goes into the next prompts on this gap",
            ),
            choice(
                Options::Specify,
                "Specify it yourself",
                "your text decides the issue, and the next proposal must carry it out",
            ),
            choice(
                Options::Close,
                "Close the gap",
                "it is WONT_FIX with your reason; a CRITICAL one only through `gapless gap close`",
            ),
        ];
        let closed_to_dispute = |id: &IssueId| {
            let now = &self.state.now;
            now.round.asked_again.contains(id) || !now.stands(id)
        };
        if !issues.iter().any(closed_to_dispute) {
            options.push(recommended(choice(
                Options::Disagree,
                "Have it answered or disagreed with",
                "the Engineer is asked again in this round, to meet it or to say DISAGREE",
            )));
        }
        options.push(choice(
            Options::FalsePositive,
            "A false alarm",
            "nothing happens; a rule that is wrong too often only advises from then on",
        ));
        let severity = issues
            .iter()
            .filter_map(|id| self.state.now.issues.get(id))
            .map(|issue| issue.concern.severity)
            .max();
        Ok(Question {
            severity,
            options,
            fields: vec![field(
                Fields::Text,
                "the approach, the text that shall hold, or the reason",
                &[Options::Approach, Options::Specify, Options::Close],
            )],
            ..self.question(
                About::SystematicConcern(Subject {
                    issues: issues.to_vec(),
                }),
                "The same concern is passed over again and again".to_owned(),
                parts.join("\n\n"),
            )
        })
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let Some(first) = self.issues.first() else {
            return Ok(());
        };
        for id in &self.issues {
            turn.judge_flags(id, given.option != Options::FalsePositive)?;
        }
        let text = given.field(Fields::Text);
        match given.option {
            Options::Approach => turn.clarify(first, text, given.by),
            Options::Specify => {
                let own = Ruling {
                    chosen: conflict::Options::D,
                    text,
                    rationale: "",
                    constraints: "",
                    by: given.by,
                };
                for id in &self.issues {
                    match turn.issue(id)?.state.stands() {
                        true => turn.decide_conflict(id, &own)?,
                        // It is decided: what the user says now is to be carried out too.
                        false => turn.clarify(id, text, given.by)?,
                    }
                }
                Ok(())
            }
            Options::Close => turn.close_all(&turn.gaps_concerned(first)?, text, given.by),
            // Responding asks the Engineer again.
            Options::Disagree => Ok(()),
            Options::FalsePositive => self.issues.iter().try_for_each(|id| turn.let_pass(id)),
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        match option {
            Options::Disagree => vec![Noted::ToAskAgain {
                issues: self.issues.clone(),
                may_disagree: true,
            }],
            Options::Approach | Options::Specify | Options::Close | Options::FalsePositive => {
                Vec::new()
            }
        }
    }

    fn is_settled(&self, now: &Now) -> bool {
        self.issues.iter().all(|issue| is_over(now, issue))
    }
}
