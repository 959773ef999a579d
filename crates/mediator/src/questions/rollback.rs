//! Owns the questions about rolling back: where to and how, what is behind a round that fails again, and the session's limit.

use super::{abandon_choice, choice, field, gap_line, ids, pause_choice, suggesting};
use crate::Refusal;
use crate::turn::Turn;
use gapless_detection::analysis::{Action, RootCause};
use gapless_domain::ids::GapId;
use gapless_domain::numbers::quarters;
use gapless_domain::question::{About, Choice, Question, rollback, rollback_limit, root_cause};
use gapless_domain::rollback::RollbackTrigger;
use gapless_domain::text::{one_line, shortened};
use gapless_session::rollback_record::{RollbackRecord, Target, UndoneRound};

/// How much of a decision or reason stands in a list.
const LONGEST_LINE: usize = 300;

impl Turn<'_> {
    /// Going back, where there is something to go back to.
    pub(super) fn roll_back_choice(&self) -> Option<Choice> {
        let left = self.state.rollbacks_left();
        (!self.state.checkpoints.is_empty()).then(|| match left {
            0 => choice(
                "roll_back",
                "Roll back",
                "no rollback is left in this session; you are asked what to do instead",
            ),
            _ => choice(
                "roll_back",
                "Roll back",
                "you are asked where to go back to and how to go on; nothing is undone before that",
            ),
        })
    }

    pub(crate) fn rollback_question(&self, trigger: RollbackTrigger) -> Result<Question, Refusal> {
        let round = self.state.now.round.number;
        let targets = self.state.rollback_targets();
        let newest = targets.first().map_or(0, |target| target.round);
        let undone = self.undone_rounds(newest)?;
        let found = undone.first();
        let earlier = match targets.last() {
            Some(oldest) if oldest.round > 0 => format!(
                " Earlier rounds can't be gone back to: the last {} are kept (`backup_retention_rounds`).",
                self.state.kept.setup.config.backup_retention_rounds
            ),
            _ => String::new(),
        };
        let mut parts = vec![
            targets_table(&targets),
            format!(
                "Open now: {}. Nothing is destroyed: the undone rounds and what was decided in them are archived.{earlier}",
                quarters(self.state.now.open_quarters())
            ),
        ];
        parts.extend(found.and_then(found_in));
        let again = self.state.times_undone(newest + 1) + 1;
        let analysed = again >= self.state.analysis_threshold();
        if analysed {
            parts.push(format!(
                "Round {} would be undone for the {} time: what may be behind it is looked for, and you are asked what to do.",
                newest + 1,
                ordinal(again)
            ));
        }
        parts.push(format!(
            "Rollbacks left in this session: {} of {}.",
            self.state.rollbacks_left(),
            self.state.kept.setup.config.max_rollbacks_session
        ));
        let (mut labels, mut options) = (Vec::new(), Vec::new());
        for offered in retry_choices(analysed) {
            labels.push(offered.label.clone());
            options.push(offered);
        }
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        options.push(choice(
            "cancel",
            "Don't roll back",
            &format!("the session goes on from round {round}"),
        ));
        let gaps = found.map_or(&[][..], |undone| &undone.gaps);
        let mut fields = vec![
            suggesting(
                field("to", "the last round that stays", &labels),
                newest.to_string(),
            ),
            field("reason", "why it is undone", &labels),
        ];
        if !analysed {
            fields.push(suggesting(
                field("gaps", "the gaps to take, separated by commas", &["narrow"]),
                self.simplest_of(gaps)
                    .map_or(String::new(), |gap| gap.to_string()),
            ));
            fields.push(suggesting(
                field("adjust", "what the Engineer is to know or do", &["context"]),
                found.map_or(String::new(), recommended_adjustments),
            ));
        }
        Ok(Question {
            options,
            fields,
            ..self.question(
                About::Rollback(rollback::Subject { round, trigger }),
                format!("Roll back: which rounds up to {round} are undone?"),
                parts.join("\n\n"),
            )
        })
    }

    fn simplest_of(&self, gaps: &[GapId]) -> Option<&GapId> {
        let known = gaps.iter().filter_map(|id| self.state.now.gaps.get(id));
        known
            .min_by_key(|gap| (gap.severity, gap.description.len()))
            .map(|gap| &gap.id)
    }

    pub(crate) fn root_cause_question(&self) -> Result<Question, Refusal> {
        let rollbacks = &self.state.kept.rollbacks;
        let Some(last) = rollbacks.back() else {
            return Err(Refusal::NothingToUndo);
        };
        let Some(cause) = &last.root_cause else {
            return Err(Refusal::NothingToUndo);
        };
        let round = last.retried();
        let gaps: Vec<GapId> = last
            .of_retried()
            .map(|undone| undone.gaps.clone())
            .unwrap_or_default()
            .into_iter()
            .filter(|gap| self.state.now.gaps.contains_key(gap))
            .collect();
        let parts = [
            history_lines(rollbacks.iter().filter(|rollback| rollback.undid(round))),
            cause_lines(cause),
            self.gap_lines(&gaps),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let others = self.in_their_place(&gaps);
        let can_split = |id: &GapId| {
            let gap = self.state.now.gaps.get(id);
            gap.is_some_and(|gap| gap.state.is_open())
        };
        let to_split = cause
            .split
            .iter()
            .map(|split| &split.gap)
            .chain(&gaps)
            .find(|id| can_split(id));
        let has_text = last.of_retried().is_some_and(UndoneRound::has_proposals);
        let mut options = Vec::new();
        if let Some(gap) = to_split {
            options.push(choice(
                "split",
                &format!("Split {gap}"),
                "it becomes the parts you name, and the retry takes the first of them",
            ));
        }
        options.push(choice(
            "context",
            "Give context",
            "what you write stands in the prompt of the retry",
        ));
        if !others.is_empty() {
            options.push(choice(
                "reassign",
                "Take other gaps",
                "the round is run again with the gaps you name",
            ));
        }
        if has_text {
            options.push(choice(
                "force",
                "Go on with what was undone",
                "the last undone proposals are taken as they were and go to the Reviewer",
            ));
        }
        options.push(choice(
            "retry",
            "Retry",
            "the round is run again with what the analysis recommends",
        ));
        options.push(pause_choice());
        let wanted = action_label(cause.action);
        if let Some(offered) = options.iter_mut().find(|offered| offered.label == wanted) {
            offered.recommended = true;
        }
        Ok(Question {
            options,
            fields: vec![
                suggesting(
                    field("gap", "the gap to split", &["split"]),
                    to_split.map_or(String::new(), ToString::to_string),
                ),
                suggesting(
                    field(
                        "parts",
                        "its parts, separated by semicolons or a line each",
                        &["split"],
                    ),
                    suggested_parts(cause, to_split),
                ),
                field("context", "what the Engineer is missing", &["context"]),
                suggesting(
                    field("gaps", "gap ids, separated by commas", &["reassign"]),
                    ids(&others),
                ),
            ],
            ..self.question(
                About::RootCause(root_cause::Subject { round }),
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

    pub(crate) fn rollback_limit_question(&self) -> Question {
        let round = self.state.now.round.number;
        let most = self.state.kept.setup.config.max_rollbacks_session;
        let context = format!(
            "Used: {most} of {most} rollbacks.\n\n{}\n\nSo many suggest something beyond single rounds: the source may be \
             ambiguous, the session too broad, or the agents unfit for the subject. No further rollback is available; \
             `max_rollbacks_session` in gapless.toml can be raised to 10.",
            history_lines(self.state.kept.rollbacks.iter())
        );
        Question {
            options: vec![
                pause_choice(),
                choice(
                    "accept",
                    "Accept the present state",
                    "you are asked to accept what is left, and the session ends",
                ),
                abandon_choice(),
                choice("go_on", "Go on", "nothing is undone; the session goes on"),
            ],
            ..self.question(
                About::RollbackLimit(rollback_limit::Subject { round }),
                "The session has no rollback left".to_owned(),
                context,
            )
        }
    }
}

fn retry_choices(analysed: bool) -> Vec<Choice> {
    let retry = match analysed {
        true => "the rounds after the one you name are undone; then you are asked about the cause",
        false => {
            "the rounds after the one you name are undone, and the next is run as it was, told your reason"
        }
    };
    let mut choices = vec![choice("retry", "Roll back and retry", retry)];
    if !analysed {
        choices.extend([
            choice(
                "narrow",
                "Retry, narrowed",
                "undone likewise; the retry takes only the gaps you name, and is told your reason",
            ),
            choice(
                "context",
                "Retry with context",
                "undone likewise; the retry is told your reason and what you write",
            ),
            choice(
                "skip",
                "Skip to other gaps",
                "undone likewise; the next round takes others than the undone ones had",
            ),
        ]);
    }
    choices
}

fn targets_table(targets: &[Target]) -> String {
    let head = "| Back to | Open there | Decisions since | Rounds to undo |\n|---|---|---|---|";
    let rows = targets.iter().map(|target| {
        let name = match target.round {
            0 => "0 (before the first round)".to_owned(),
            round => format!("round {round}"),
        };
        format!(
            "| {name} | {} | {} | {} |",
            quarters(target.open_quarters),
            target.decisions_since,
            target.rounds_to_undo
        )
    });
    let rows: Vec<String> = rows.collect();
    format!("{head}\n{}", rows.join("\n"))
}

/// What was found in the newest round, and what would be added to the prompt for it.
fn found_in(undone: &UndoneRound) -> Option<String> {
    let patterns = &undone.analysis.patterns;
    if patterns.is_empty() {
        return None;
    }
    let lines: Vec<String> = patterns
        .iter()
        .map(|found| {
            let evidence: Vec<&str> = found.evidence.iter().map(|e| e.text.as_str()).collect();
            format!("- {}: {}", found.pattern, short(&evidence.join("; ")))
        })
        .collect();
    Some(format!(
        "**Found in what round {} wrote:**\n\n{}",
        undone.round,
        lines.join("\n")
    ))
}

fn recommended_adjustments(undone: &UndoneRound) -> String {
    let texts: Vec<String> = undone.recommended().collect();
    one_line(&texts.join(" "))
}

fn history_lines<'r>(rollbacks: impl Iterator<Item = &'r RollbackRecord>) -> String {
    let lines = rollbacks.enumerate().map(|(index, rollback)| {
        let patterns: Vec<&str> = rollback
            .of_retried()
            .map(|undone| undone.analysis.patterns.iter())
            .into_iter()
            .flatten()
            .map(|found| found.pattern.name())
            .collect();
        let patterns = match patterns.is_empty() {
            true => String::new(),
            false => format!(" [{}]", patterns.join(", ")),
        };
        let choice = rollback.choice.as_deref();
        let choice = choice.map_or(String::new(), |choice| {
            format!("; then: {}", one_line(choice))
        });
        format!(
            "{}. {}: {} ({}){patterns}{choice}",
            index + 1,
            rollback.rounds_in_words(),
            short(&rollback.reason),
            rollback.trigger.words()
        )
    });
    let lines: Vec<String> = lines.collect();
    format!("**Rollbacks so far:**\n\n{}", lines.join("\n"))
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

fn action_label(action: Action) -> &'static str {
    match action {
        Action::Split => "split",
        Action::Context => "context",
        Action::OtherGaps => "reassign",
        Action::Force => "force",
        Action::Pause => "pause",
    }
}

pub(super) fn short(text: &str) -> String {
    shortened(&one_line(text), LONGEST_LINE)
}

fn ordinal(count: u32) -> String {
    match count {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        count => format!("{count}th"),
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
