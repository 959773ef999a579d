//! Owns how the user goes on after a rollback: what each answer to its questions does.

use super::Refusal;
use super::rollback::{Order, Told};
use super::turn::{NewDecision, Turn};
use crate::plan::{blockers, plan};
use crate::termination::Left;
use gapless_domain::archives::{ArchiveChoice, Disposed};
use gapless_domain::decision::DecisionKind;
use gapless_domain::gap::GapMove;
use gapless_domain::ids::GapId;
use gapless_domain::phase::Trigger;
use gapless_domain::question::{Answer, AnswerError};
use gapless_domain::rollback::RollbackTrigger;
use gapless_domain::text::{comma_list, one_line};
use gapless_session::event::{Happening, RollbackEvent, RoundEvent, SessionEvent};
use gapless_session::rollback_record::UndoneRound;

impl Turn<'_> {
    pub(super) fn answer_rollback(
        &mut self,
        trigger: RollbackTrigger,
        answer: &Answer,
    ) -> Result<(), Refusal> {
        let option = answer.option.as_str();
        if option == "cancel" {
            return Ok(());
        }
        let to: u32 = answer
            .field("to")
            .parse()
            .map_err(|_| bad_field("to", "name the round to go back to, as a number"))?;
        let round = to.saturating_add(1);
        let order = |told: Told, adjustments: Vec<String>| Order {
            reason: answer.field("reason").to_owned(),
            told,
            adjustments,
            trigger,
            unasked: false,
        };
        match option {
            "narrow" => {
                self.roll_back(to, order(Told::Reason, Vec::new()))?;
                let gaps = self.plannable(answer)?;
                let what = format!(
                    "Round {round} is run again with {} alone",
                    comma_list(&gaps)
                );
                self.round(RoundEvent::Narrowed { to: gaps });
                self.decide_rollback(what, Vec::new(), answer);
            }
            "context" => {
                let text = answer.field("adjust").to_owned();
                self.roll_back(to, order(Told::Reason, vec![text.clone()]))?;
                self.decide_rollback(
                    format!(
                        "Round {round} is run again with context: {}",
                        one_line(&text)
                    ),
                    Vec::new(),
                    answer,
                );
            }
            "skip" => {
                let undone = self.undone_rounds(to)?;
                let gaps: Vec<GapId> = undone.into_iter().flat_map(|undone| undone.gaps).collect();
                self.roll_back(to, order(Told::Nothing, Vec::new()))?;
                let gaps: Vec<GapId> = gaps
                    .into_iter()
                    .filter(|gap| self.state.now.gaps.contains_key(gap))
                    .collect();
                let what = format!("The next round takes others than {}", comma_list(&gaps));
                self.round(RoundEvent::LeftOut { gaps });
                self.decide_rollback(what, Vec::new(), answer);
            }
            _ => self.roll_back(to, order(Told::Reason, Vec::new()))?,
        }
        Ok(())
    }

    /// Records how the user goes on after a rollback.
    fn decide_rollback(&mut self, what: String, gaps: Vec<GapId>, answer: &Answer) {
        self.decide(NewDecision {
            gaps,
            rationale: answer.field("reason").to_owned(),
            ..NewDecision::on_session(
                DecisionKind::Rollback,
                what.clone(),
                format!("{what}."),
                answer.by,
            )
        });
    }

    /// Gaps of a field that the next round can take.
    fn plannable(&self, answer: &Answer) -> Result<Vec<GapId>, Refusal> {
        let gaps = self.gaps_of(answer, "gaps")?;
        for id in &gaps {
            let gap = self.gap(id)?;
            let why = match (
                gap.can(GapMove::Assign),
                blockers(&self.state.now, gap).next(),
            ) {
                (Err(_), _) => format!("{id} is {} then", gap.state),
                (Ok(_), Some(blocker)) => format!("{id} waits on {} then", blocker.id),
                (Ok(_), None) => continue,
            };
            return Err(bad_field("gaps", &why));
        }
        Ok(gaps)
    }

    pub(super) fn answer_root_cause(&mut self, answer: &Answer) -> Result<(), Refusal> {
        let retried = self
            .state
            .kept
            .rollbacks
            .back()
            .map_or(0, |last| last.retried());
        let (mut split, mut parts) = (None, Vec::new());
        let choice = match answer.option.as_str() {
            "split" => {
                let gap = self.gaps_of(answer, "gap")?.remove(0);
                let wanted = parts_of(answer.field("parts"));
                let before: Vec<GapId> = self.gap(&gap)?.children.to_vec();
                self.split(&gap, &wanted)?;
                let made = self.gap(&gap)?.children.iter();
                let made: Vec<GapId> = made.filter(|id| !before.contains(id)).cloned().collect();
                let what = format!("{gap} is split into {}", comma_list(&made));
                let first = made.first().cloned().into_iter().collect();
                self.round(RoundEvent::Narrowed { to: first });
                (split, parts) = (Some(gap), made);
                what
            }
            "context" => {
                let adjustments = vec![answer.field("context").to_owned()];
                self.emit(Happening::Rollback(RollbackEvent::Adjusted { adjustments }));
                format!("Round {retried} is run again with context from the user")
            }
            "reassign" => {
                let gaps = self.plannable(answer)?;
                let what = format!("Round {retried} takes {} instead", comma_list(&gaps));
                self.round(RoundEvent::Narrowed { to: gaps });
                what
            }
            "force" => {
                let last = self.state.kept.rollbacks.back();
                let engineer = last.and_then(|last| last.of_retried()?.engineer);
                if let Some(engineer) = engineer {
                    self.round(RoundEvent::Forced { engineer });
                }
                format!("Round {retried} goes on with what was undone")
            }
            _ => {
                let told = self.state.adjustments(retried);
                let last = self.state.kept.rollbacks.back();
                let found = last.and_then(|last| last.of_retried()).into_iter();
                let adjustments: Vec<String> = found
                    .flat_map(UndoneRound::recommended)
                    .filter(|text| !told.contains(text))
                    .collect();
                if !adjustments.is_empty() {
                    self.emit(Happening::Rollback(RollbackEvent::Adjusted { adjustments }));
                }
                format!("Round {retried} is run again with what the analysis recommends")
            }
        };
        self.emit(Happening::Rollback(RollbackEvent::Chosen {
            choice: choice.clone(),
            split,
        }));
        self.decide_rollback(choice, parts, answer);
        Ok(())
    }

    pub(super) fn choose_archives(&mut self, option: &str) {
        if let Some(choice) = ArchiveChoice::named(option) {
            self.session(SessionEvent::ArchivesChosen { choice });
        }
    }

    /// Notes what was done with the archives, unless nothing was to be done or the log says so already.
    pub(super) fn note_disposal(&mut self, disposed: Disposed) {
        let known = self.state.kept.disposed.as_ref() == Some(&disposed);
        if self.state.archives_due().is_some() && !known {
            self.session(SessionEvent::ArchivesDisposed { disposed });
        }
    }

    pub(super) fn answer_rollback_limit(&mut self, answer: &Answer) -> Result<(), Refusal> {
        match answer.option.as_str() {
            "accept" => self.ask_stop(Left::of(&self.state.now).end(), Trigger::RollbackLimit),
            _ => Ok(()),
        }
    }

    /// The gaps that the next round would take instead of these.
    pub(super) fn in_their_place(&self, gaps: &[GapId]) -> Vec<GapId> {
        let mut other = self.state.clone();
        other.now.narrowed_to.clear();
        other.now.left_out = gaps.to_vec();
        let planned = plan(&other).assigned();
        planned
            .into_iter()
            .filter(|gap| !gaps.contains(gap))
            .collect()
    }
}

fn bad_field(field: &str, why: &str) -> Refusal {
    Refusal::Answer(AnswerError::BadField {
        field: field.to_owned(),
        why: why.to_owned(),
    })
}

/// The parts that a gap is split into: a line each, or separated by semicolons.
fn parts_of(text: &str) -> Vec<String> {
    let parts = text.split(['\n', ';']).map(|part| part.trim());
    parts
        .map(|part| part.trim_start_matches(['-', '*']).trim())
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
