//! Asks how to go on after a divergence warning: what the round did, why that is a warning, and what can be done.

use std::collections::BTreeMap;
use std::fmt;

use super::wording::{
    abandon_choice, choice, field, gap_line, pause_choice, recommended_if, suggesting,
};
use super::{Effect, Given};
use crate::plan::blockers;
use crate::termination::DEFERRED_WEIGHT_OF_COMPLETE;
use crate::{Result, Turn};
use gapless_domain::convergence::{DivergenceCause, step};
use gapless_domain::question::divergence::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, Counted, DecidedBy, Decision, DecisionKind, End, Gap, GapId, GapState, Origin,
    Question, RollbackTrigger, Severity, Signal, Trigger, comma_list,
};
use gapless_session::state::RoundRecord;
use gapless_session::{Figures, Now, RoundEvent};

impl Turn<'_> {
    pub(crate) fn divergence_question(&self) -> Question {
        let now = &self.state.now;
        let open = self.by_severity(|gap| gap.state.is_open());
        let suggestion = Suggestion::of(now, &open);
        let threshold = self.state.limits().divergence_threshold;
        let mut parts = vec![format!("**Why this is asked:** {}", cause(now, threshold))];
        parts.extend(
            spawner(now).map(|spawner| format!("**Where most new gaps came from:** {spawner}")),
        );
        if let Some(record) = now.history.last() {
            parts.push(round_lines(now, record).join("\n"));
        }
        parts.push(self.inventory_lines().join("\n"));
        parts.push(open_gap_lines(now, &open).join("\n"));
        parts.push(suggestion.to_string());
        parts.extend(self.why_stuck());
        Question {
            options: self.divergence_choices(&open),
            fields: vec![
                suggesting(
                    field(
                        Fields::Gaps,
                        "the gaps to defer, separated by commas",
                        &[Options::Narrow],
                    ),
                    comma_list(&suggestion.gaps),
                ),
                field(Fields::Reason, "why", &[Options::Narrow]),
            ],
            ..self.question(
                About::Divergence(Subject {
                    round: now.round.number,
                }),
                title(now),
                parts.join("\n\n"),
            )
        }
    }

    /// The round limit that the present inventory asks for, counted from here; never a lower one than there is.
    pub(crate) fn limit_for_what_is_open(&self) -> u32 {
        let config = &self.state.kept.setup.config;
        let anew = config.limits(self.state.now.gaps_left()).max_rounds;
        let from_here = self.state.now.round.number.saturating_add(anew);
        from_here
            .min(self.state.hard_limit())
            .max(self.state.limits().max_rounds)
    }

    fn effect_of_accepting(&self) -> String {
        let (now, anew) = (self.state.round_limit(), self.limit_for_what_is_open());
        match now.now == anew {
            true => format!("the session goes on as planned; the round limit stays {now}"),
            false => format!(
                "the session goes on as planned; the round limit, now {now}, is computed anew from what is open: {anew} \
                 (it stays {now} where a policy answers)"
            ),
        }
    }

    fn divergence_choices(&self, open: &[&Gap]) -> Vec<Choice> {
        let now = &self.state.now;
        let has_critical = open.iter().any(|gap| gap.severity == Severity::Critical);
        let new_critical = now.convergence.cause == Some(DivergenceCause::NewCritical);
        let prioritise = has_critical && new_critical;
        let goes_on = !self.is_stuck();
        let accept = choice(
            Options::Accept,
            "Accept the complexity",
            &self.effect_of_accepting(),
        );
        let mut options = vec![
            choice(
                Options::Narrow,
                "Narrow scope",
                "the gaps you name are deferred with your reason",
            ),
            recommended_if(!prioritise && goes_on, accept),
        ];
        if has_critical {
            let critical = choice(
                Options::Prioritise,
                "Prioritise the CRITICAL",
                "the next round takes only CRITICAL gaps",
            );
            options.push(recommended_if(prioritise && goes_on, critical));
        }
        options.extend(self.roll_back_choice(Options::RollBack));
        options.extend([
            pause_choice(Options::Pause),
            choice(
                Options::ForceComplete,
                "Force complete",
                "you are asked to accept what is left, and the session ends as STALL_EXIT",
            ),
            abandon_choice(Options::Abandon),
        ]);
        options
    }

    /// The inventory by state and severity, as a table.
    fn inventory_lines(&self) -> Vec<String> {
        let figures = Figures::of(&self.state);
        let head = [
            "**All gaps by state:**\n",
            "| State | CRITICAL | HIGH | MEDIUM | LOW |",
            "|---|---|---|---|---|",
        ];
        let rows = figures.states.iter().map(|count| {
            let cells = count.by_severity.map(|count| count.to_string());
            format!("| {} | {} |", count.state, cells.join(" | "))
        });
        head.into_iter().map(str::to_owned).chain(rows).collect()
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Narrow => {
                let gaps = given.gaps(turn, Fields::Gaps)?;
                turn.defer_all(&gaps, given.field(Fields::Reason), given.by)?;
            }
            Options::Accept => {
                // How much may be spent is for the user to say: no policy raises it.
                if given.by != DecidedBy::Policy {
                    turn.set_max_rounds(turn.limit_for_what_is_open());
                }
                turn.decide_scope("the present complexity is accepted", given);
            }
            Options::Prioritise => {
                let gaps = turn.state.now.gaps.values();
                let open = gaps.filter(|gap| gap.state.is_open());
                let critical = open.filter(|gap| gap.severity == Severity::Critical);
                let to: Vec<GapId> = critical.map(|gap| gap.id.clone()).collect();
                turn.round(RoundEvent::Narrowed { to });
                turn.decide_scope("the next round takes only CRITICAL gaps", given);
            }
            Options::RollBack => return turn.ask_rollback(RollbackTrigger::Divergence),
            Options::ForceComplete => return turn.ask_stop(End::StallExit, Trigger::Divergence),
            Options::Pause => return turn.pause(),
            Options::Abandon => return turn.abandon(),
        }
        let stall_threshold = turn.state.limits().stall_threshold;
        let convergence = step(turn.state.now.convergence, Signal::Cleared, stall_threshold);
        turn.round(RoundEvent::DivergenceCleared { convergence });
        Ok(())
    }
}

impl Turn<'_> {
    fn decide_scope(&mut self, what: &str, given: &Given<'_, Subject>) {
        let decision = format!("After the divergence warning: {what}.");
        self.decide(Decision {
            rationale: given.field(Fields::Reason).to_owned(),
            ..self.decision(DecisionKind::Scope, what.to_owned(), decision, given.by)
        });
    }
}

fn title(now: &Now) -> String {
    let round = now.round.number;
    let what = match now.convergence.cause {
        Some(DivergenceCause::NewCritical) => {
            format!("Round {round} brought up a new CRITICAL gap")
        }
        Some(DivergenceCause::NetLoss) => {
            format!("Round {round} opened much more than it resolved")
        }
        _ => format!("No gain in {}", rounds_in_words(now.convergence.flat_count)),
    };
    format!("{what}: how shall the session go on?")
}

fn rounds_in_words(count: u32) -> String {
    match count {
        1 => "1 round".to_owned(),
        count => format!("{count} rounds in a row"),
    }
}

/// Why there is a warning, with what made it.
fn cause(now: &Now, threshold: u32) -> String {
    let record = now.history.last();
    match now.convergence.cause {
        Some(DivergenceCause::NewCritical) => {
            let new: Vec<String> = record
                .iter()
                .flat_map(|record| &record.tally.created)
                .filter(|counted| counted.severity == Severity::Critical)
                .map(|counted| named(now, &counted.gap))
                .collect();
            format!(
                "NEW_CRITICAL. The spec can't be implemented without an answer to what came up: {}",
                new.join("; ")
            )
        }
        Some(DivergenceCause::NetLoss) => format!(
            "NET_LOSS. The round opened more than it resolved, by a weight of {}; above {threshold} you are asked.",
            record.map_or(0, |record| -record.weighted_net)
        ),
        _ => {
            let nets: Vec<String> = flat_rounds(now)
                .iter()
                .map(|record| format!("round {} ({:+})", record.round, record.weighted_net))
                .collect();
            format!(
                "STALLED. {} resolved no more weight than came up: {}",
                rounds_in_words(now.convergence.flat_count),
                nets.join(", ")
            )
        }
    }
}

fn named(now: &Now, id: &GapId) -> String {
    match now.gaps.get(id) {
        Some(gap) => format!("{id} ({})", gap.description),
        None => id.to_string(),
    }
}

/// The rounds that made the flat count.
fn flat_rounds(now: &Now) -> Vec<&RoundRecord> {
    let flat = now.convergence.flat_count as usize;
    let judged = now
        .history
        .iter()
        .rev()
        .filter(|record| record.signal != Signal::NotJudged);
    let mut rounds: Vec<&RoundRecord> = judged.take(flat).map(AsRef::as_ref).collect();
    rounds.reverse();
    rounds
}

/// The rounds that made the warning: those without gain, or the last one.
fn warning_rounds(now: &Now) -> Vec<&RoundRecord> {
    match now.convergence.cause {
        Some(DivergenceCause::Stalled) => flat_rounds(now),
        _ => now.history.last().map(AsRef::as_ref).into_iter().collect(),
    }
}

/// The gap whose proposals opened most, by weight, in the rounds that made the warning.
fn spawner(now: &Now) -> Option<String> {
    let records = warning_rounds(now);
    let mut spawned: BTreeMap<&GapId, (i64, Vec<&GapId>)> = BTreeMap::new();
    for counted in records.iter().flat_map(|record| &record.tally.created) {
        let Some(gap) = now.gaps.get(&counted.gap) else {
            continue;
        };
        let source = gap.origins.iter().find_map(|origin| match origin {
            Origin::Engineer { gap, .. } => gap.as_ref(),
            _ => None,
        });
        if let Some(source) = source {
            let entry = spawned.entry(source).or_default();
            entry.0 += counted.severity.weight();
            entry.1.push(&gap.id);
        }
    }
    let (source, (weight, children)) = spawned
        .into_iter()
        .max_by_key(|(id, (weight, _))| (*weight, std::cmp::Reverse(*id)))?;
    let children: Vec<GapId> = children.into_iter().cloned().collect();
    Some(format!(
        "the proposals for {source} opened {}, weight {weight}",
        comma_list(&children)
    ))
}

/// What the round resolved and opened, each gap with its weight.
fn round_lines(now: &Now, record: &RoundRecord) -> Vec<String> {
    let list = |title: &str, counted: &[Counted]| {
        let weight: i64 = counted.iter().map(|c| c.severity.weight()).sum();
        let items = counted.iter().map(|c| {
            let weight = c.severity.weight();
            format!(
                "  - {} [{}, weight {weight}]",
                named(now, &c.gap),
                c.severity
            )
        });
        let head = match counted.is_empty() {
            true => format!("- {title}: none"),
            false => format!("- {title}, weight {weight}:"),
        };
        std::iter::once(head).chain(items).collect::<Vec<_>>()
    };
    let mut lines = vec![format!("**Round {}:**\n", record.round)];
    lines.extend(list("Resolved", &record.tally.resolved));
    lines.extend(list("New", &record.tally.created));
    lines.extend(list("Reopened", &record.tally.reopened));
    lines.push(format!(
        "- Net: {:+} by weight, {:+} by number of gaps",
        record.weighted_net, record.unweighted_net
    ));
    lines.extend(record.disagreement().map(|text| format!("- {text}")));
    lines
}

/// How many open gaps are listed; the gravest come first, and status.md has all of them.
const OPEN_GAPS_LISTED: usize = 30;

/// The open gaps, with what keeps each from being settled.
fn open_gap_lines(now: &Now, open: &[&Gap]) -> Vec<String> {
    let mut lines = vec!["**Still open:**\n".to_owned()];
    for gap in open.iter().take(OPEN_GAPS_LISTED) {
        let issues: Vec<String> = now
            .holding_issues(gap)
            .map(|issue| format!("{} stands: {}", issue.id, issue.concern.summary))
            .collect();
        let waits: Vec<GapId> = blockers(now, gap)
            .map(|blocker| blocker.id.clone())
            .collect();
        let why = match (issues.is_empty(), waits.is_empty()) {
            (false, _) => format!(": {}", issues.join("; ")),
            (true, false) => format!(", waits on {}", comma_list(&waits)),
            (true, true) => String::new(),
        };
        lines.push(format!("{} ({}{why})", gap_line(gap), gap.state));
    }
    let more = open.len().saturating_sub(OPEN_GAPS_LISTED);
    if more > 0 {
        lines.push(format!("- and {more} more, which status.md lists"));
    }
    lines
}

/// At most one in so many open gaps is suggested.
const SHARE_SUGGESTED: usize = 3;

/// Which gaps could be deferred, few enough that the session can still end as COMPLETE.
struct Suggestion {
    gaps: Vec<GapId>,
    /// The weight that would be deferred in all.
    weight: i64,
    /// Why no more is suggested, where there is more.
    because: &'static str,
}

impl Suggestion {
    /// Takes what came up or stalled in the rounds that made the warning, lightest first: no HIGH or CRITICAL gap, none that
    /// another one waits on, and after a net loss only as many as make up for it.
    fn of(now: &Now, open: &[&Gap]) -> Self {
        let deferred = now.gaps_in(GapState::UserDeferred);
        let mut suggestion = Self {
            gaps: Vec::new(),
            weight: deferred.map(|gap| gap.severity.weight()).sum(),
            because: "what came up or stalled in these rounds is CRITICAL or HIGH, or other gaps wait on it",
        };
        let mut missing = match (now.convergence.cause, now.history.last()) {
            (Some(DivergenceCause::NetLoss), Some(record)) => -record.weighted_net,
            _ => i64::MAX,
        };
        let is_waited_on = |id: &GapId| {
            open.iter()
                .any(|gap| blockers(now, gap).any(|blocker| blocker.id == *id))
        };
        let mut light: Vec<&&Gap> = open
            .iter()
            .filter(|gap| came_up_or_stalled(now, gap))
            .filter(|gap| !gap.severity.holds() && !is_waited_on(&gap.id))
            .collect();
        light.sort_by_key(|gap| (gap.severity, std::cmp::Reverse(gap.age)));
        for gap in light {
            let weight = suggestion.weight + gap.severity.weight();
            if missing <= 0 {
                break;
            } else if weight > DEFERRED_WEIGHT_OF_COMPLETE {
                suggestion.because =
                    "with more weight deferred, the session could not end as COMPLETE";
                break;
            } else if (suggestion.gaps.len() + 1) * SHARE_SUGGESTED > open.len() {
                suggestion.because = "it would be more than a third of what is open";
                break;
            }
            missing = missing.saturating_sub(gap.severity.weight());
            suggestion.weight = weight;
            suggestion.gaps.push(gap.id.clone());
        }
        suggestion
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (weight, most) = (self.weight, DEFERRED_WEIGHT_OF_COMPLETE);
        match self.gaps.is_empty() {
            true => write!(f, "**Suggested to defer:** nothing; {}.", self.because)?,
            false => write!(
                f,
                "**Suggested to defer:** {}. These came up or stalled in the rounds that made the warning; the lightest \
                 are suggested, and never more than a third of what is open.",
                comma_list(&self.gaps)
            )?,
        }
        write!(
            f,
            " {} a weight of {weight} deferred; the session can end as COMPLETE with at most {most}.",
            match self.gaps.is_empty() {
                true => "There is",
                false => "That makes",
            }
        )
    }
}

/// True for a gap that was opened, or worked on and not settled, in a round that made the warning.
fn came_up_or_stalled(now: &Now, gap: &Gap) -> bool {
    warning_rounds(now).iter().any(|record| {
        let tally = &record.tally;
        let mut opened = tally.created.iter().chain(&tally.reopened);
        let proposed = gap.proposal.as_ref().map(|proposal| proposal.round);
        opened.any(|counted| counted.gap == gap.id)
            || proposed == Some(record.round)
            || gap.reviewed_in == Some(record.round)
            || (record.round == now.round.number && now.round.assigned.contains(&gap.id))
    })
}
