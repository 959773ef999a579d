//! Asks what to do about a round that was undone again, with what may be behind it.

use super::rollback_lines::{history_lines, short};
use super::wording::{GAP_IDS, choice, field, gap_line, pause_choice, suggesting};
use super::{Effect, Given};
use crate::{Refusal, Result, Turn};
use gapless_detection::analysis::{Action, RootCause};
use gapless_domain::question::root_cause::{Fields, Options, Subject};
use gapless_domain::{About, Choice, Field, GapId, Name, Question, comma_list};
use gapless_session::rollback_record::UndoneRound;
use gapless_session::{Happening, RollbackEvent, RollbackRecord, RoundEvent};

impl Turn<'_> {
    pub(crate) fn root_cause_question(&self) -> Result<Question> {
        let Some(last) = self.state.last_rollback() else {
            return Err(Refusal::NothingToUndo);
        };
        let Some(cause) = &last.root_cause else {
            return Err(Refusal::NothingToUndo);
        };
        let round = last.retried();
        let rollbacks = self.state.kept.rollbacks.iter();
        let counted = rollbacks.filter(|rollback| rollback.counts());
        let gaps: Vec<GapId> = last
            .of_retried()
            .map(|undone| undone.gaps.clone())
            .unwrap_or_default()
            .into_iter()
            .filter(|gap| self.state.now.gaps.contains_key(gap))
            .collect();
        let parts = [
            history_lines(counted.filter(|rollback| rollback.undid(round))),
            cause_lines(cause),
            self.gap_lines(&gaps),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let others = self.in_their_place(&gaps);
        let can_split = |id: &GapId| self.gap_is(id, |gap| gap.state.is_open());
        let to_split = cause
            .split
            .iter()
            .map(|split| &split.gap)
            .chain(&gaps)
            .find(|id| can_split(id));
        Ok(Question {
            options: root_cause_choices(last, cause, to_split, &others),
            fields: root_cause_fields(cause, to_split, &others),
            ..self.question(
                About::RootCause(Subject { round }),
                format!(
                    "Round {round} was rolled back {}: what is behind it?",
                    times(self.state.times_undone(round))
                ),
                parts.join("\n\n"),
            )
        })
    }

    fn gap_lines(&self, gaps: &[GapId]) -> String {
        let known = gaps.iter().filter_map(|id| self.state.now.gaps.get(id));
        let lines: Vec<String> = known.map(gap_line).collect();
        match lines.is_empty() {
            true => String::new(),
            false => format!("**The round had:**\n\n{}", lines.join("\n")),
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let last = turn.state.last_rollback();
        let retried = last.map_or(0, |last| last.retried());
        let (mut split, mut parts) = (None, Vec::new());
        let choice = match given.option {
            Options::Split => {
                let gap = given.gaps(turn, Fields::Gap)?.remove(0);
                parts = turn.split_for_retry(&gap, given.field(Fields::Parts))?;
                let what = format!("{gap} is split into {}", comma_list(&parts));
                split = Some(gap);
                what
            }
            Options::Context => {
                let adjustments = vec![given.field(Fields::Context).to_owned()];
                turn.emit(Happening::Rollback(RollbackEvent::Adjusted { adjustments }));
                format!("Round {retried} is run again with context from the user")
            }
            Options::Reassign => {
                let gaps = given.plannable_gaps(turn, Fields::Gaps)?;
                let what = format!("Round {retried} takes {} instead", comma_list(&gaps));
                turn.round(RoundEvent::Narrowed { to: gaps });
                what
            }
            Options::Force => {
                if let Some(engineer) = last.and_then(|last| last.of_retried()?.engineer) {
                    turn.round(RoundEvent::Forced { engineer });
                }
                format!("Round {retried} goes on with what was undone")
            }
            Options::Retry => {
                turn.adjust_as_recommended(retried);
                format!("Round {retried} is run again with what the analysis recommends")
            }
            Options::Pause => return turn.pause_over(given.question),
        };
        turn.emit(Happening::Rollback(RollbackEvent::Chosen {
            choice: choice.clone(),
            split,
        }));
        turn.decide_rollback(choice, parts, "", given.by);
        Ok(())
    }
}

impl Turn<'_> {
    /// Splits a gap into parts, of which the retry takes the first. Gives the parts.
    fn split_for_retry(&mut self, gap: &GapId, parts: &str) -> Result<Vec<GapId>> {
        let before: Vec<GapId> = self.gap(gap)?.children.to_vec();
        self.split(gap, &parts_of(parts))?;
        let made = self.gap(gap)?.children.iter();
        let made: Vec<GapId> = made.filter(|id| !before.contains(id)).cloned().collect();
        let first = made.first().cloned().into_iter().collect();
        self.round(RoundEvent::Narrowed { to: first });
        Ok(made)
    }

    /// Tells the retry what the analysis recommends, as far as it is not told already.
    fn adjust_as_recommended(&mut self, retried: u32) {
        let told = self.state.adjustments(retried);
        let last = self.state.last_rollback();
        let found = last.and_then(|last| last.of_retried()).into_iter();
        let adjustments: Vec<String> = found
            .flat_map(UndoneRound::recommended)
            .filter(|text| !told.contains(text))
            .collect();
        if !adjustments.is_empty() {
            self.emit(Happening::Rollback(RollbackEvent::Adjusted { adjustments }));
        }
    }
}

fn root_cause_choices(
    last: &RollbackRecord,
    cause: &RootCause,
    to_split: Option<&GapId>,
    others: &[GapId],
) -> Vec<Choice> {
    let mut options = Vec::new();
    if let Some(gap) = to_split {
        options.push(choice(
            Options::Split,
            &format!("Split {gap}"),
            "it becomes the parts you name, and the retry takes the first of them",
        ));
    }
    options.push(choice(
        Options::Context,
        "Give context",
        "what you write stands in the prompt of the retry",
    ));
    if !others.is_empty() {
        options.push(choice(
            Options::Reassign,
            "Take other gaps",
            "the round is run again with the gaps you name",
        ));
    }
    if last.of_retried().is_some_and(UndoneRound::has_proposals) {
        options.push(choice(
            Options::Force,
            "Go on with what was undone",
            "the last undone proposals are taken as they were and go to the Reviewer",
        ));
    }
    options.push(choice(
        Options::Retry,
        "Retry",
        "the round is run again with what the analysis recommends",
    ));
    options.push(pause_choice(Options::Pause));
    let wanted = option_of(cause.action).name();
    if let Some(offered) = options.iter_mut().find(|offered| offered.label == wanted) {
        offered.recommended = true;
    }
    options
}

fn root_cause_fields(cause: &RootCause, to_split: Option<&GapId>, others: &[GapId]) -> Vec<Field> {
    vec![
        suggesting(
            field(Fields::Gap, "the gap to split", &[Options::Split]),
            to_split.map_or(String::new(), ToString::to_string),
        ),
        suggesting(
            field(
                Fields::Parts,
                "its parts, separated by semicolons or a line each",
                &[Options::Split],
            ),
            suggested_parts(cause, to_split),
        ),
        field(
            Fields::Context,
            "what the Engineer is missing",
            &[Options::Context],
        ),
        suggesting(
            field(Fields::Gaps, GAP_IDS, &[Options::Reassign]),
            comma_list(others),
        ),
    ]
}

fn option_of(action: Action) -> Options {
    match action {
        Action::Split => Options::Split,
        Action::Context => Options::Context,
        Action::OtherGaps => Options::Reassign,
        Action::Force => Options::Force,
        Action::Pause => Options::Pause,
    }
}

fn cause_lines(cause: &RootCause) -> String {
    let mut lines = vec!["**Possible causes, the likeliest first:**\n".to_owned()];
    for (index, likely) in cause.causes.iter().enumerate() {
        lines.push(format!(
            "{}. {} (confidence {})",
            index + 1,
            likely.cause.phrase(),
            likely.confidence.name()
        ));
        let evidence = likely.evidence.iter();
        lines.extend(evidence.map(|line| format!("   - {}", short(line))));
    }
    lines.push(format!("\n**Recommended:** {}", cause.action.phrase()));
    if let Some(split) = &cause.split {
        lines.push(format!("\n**{} could be split into:**\n", split.gap));
        lines.extend(split.parts.iter().map(|part| format!("- {}", short(part))));
    }
    lines.join("\n")
}

/// The parts to take over, where they are of the gap that can be split.
fn suggested_parts(cause: &RootCause, gap: Option<&GapId>) -> String {
    let split = cause.split.as_ref().filter(|split| Some(&split.gap) == gap);
    split.map_or(String::new(), |split| split.parts.join("; "))
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
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
