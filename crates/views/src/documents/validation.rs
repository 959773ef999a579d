//! The record of a round's checks: how each role fared, every attempt with its verdict, what was changed for each
//! retry, the examples that went with them, and warnings.

use super::under;
use gapless_domain::text::cell;
use gapless_domain::{
    Exhaustion, FailureType, Phase, RetryReason, Role, RoundPhase, SlotState, comma_list,
    human_millis,
};
use gapless_session::figures::usage_of;
use gapless_session::state::{Attempt, AttemptEnd, AttemptOutcome, Slot, State};

/// What a role has come to that has nothing left to try.
const MAX_RETRIES_EXHAUSTED: &str = "MAX_RETRIES_EXHAUSTED";

/// How each role fared in the round, as a table: summary.md and status.md show the same.
pub(super) fn completion(state: &State) -> String {
    let mut text =
        "| Role | Outcome | Attempts | Last failure | Cause |\n|---|---|---|---|---|\n".to_owned();
    for role in Role::ALL {
        let slots = state.now.round.slots.values();
        let needed = slots.filter(|slot| slot.id.role == role).count() > 0;
        if !needed && matches!(role, Role::Analyst | Role::Editor | Role::FinalReviewer) {
            continue;
        }
        let attempts = || {
            let attempts = state.now.round.attempts.iter();
            attempts.filter(move |attempt| attempt.task.slot.role == role)
        };
        let ends: Vec<&AttemptEnd> = attempts()
            .filter_map(|attempt| attempt.finished.as_ref())
            .collect();
        let failure = last_failure(state, role).unwrap_or_else(|| "-".to_owned());
        let cause = ends.iter().rev().find_map(|end| end.cause);
        text += &format!(
            "| {role} | {} | {} | {failure} | {} |\n",
            role_outcome(state, role),
            ends.len(),
            cause.map_or("-", |cause| cause.name())
        );
    }
    text
}

/// The last attempt of a role that failed, and what followed on it in its own task.
fn last_failure(state: &State, role: Role) -> Option<String> {
    let round = &state.now.round;
    let failed = round.attempts.iter().rev().find(|attempt| {
        let end = attempt.finished.as_ref();
        attempt.task.slot.role == role && end.is_some_and(|end| !end.outcome.is_valid())
    })?;
    let slot = failed.task.slot;
    let of_slot = || round.attempts.iter().filter(|it| it.task.slot == slot);
    let passed = of_slot().any(|attempt| {
        let end = attempt.finished.as_ref();
        end.is_some_and(|end| end.outcome == AttemptOutcome::Valid)
    });
    let best = of_slot().find(|attempt| attempt.taken_as_best);
    let then = match best {
        _ if passed => Some("passed on retry".to_owned()),
        Some(best) => Some(format!("attempt {} taken as the best", best.task.attempt)),
        None => failed.then(),
    };
    let name = failed.finished.as_ref()?.outcome.name();
    Some(match then {
        Some(then) => format!("{name} ({then})"),
        None => name.to_owned(),
    })
}

fn role_outcome(state: &State, role: Role) -> String {
    let slots = state.now.round.slots.values();
    let slots: Vec<&Slot> = slots.filter(|slot| slot.id.role == role).collect();
    let count = |wanted: SlotState| slots.iter().filter(|slot| slot.state == wanted).count();
    let under_way = slots.iter().find(|slot| !slot.state.is_settled());
    let exhausted = slots
        .iter()
        .find(|slot| slot.state == SlotState::Exhausted)
        .map(|slot| match slot.exhaustion {
            Some(Exhaustion::CannotRun { .. }) => AttemptOutcome::CouldNotRun.name(),
            _ => MAX_RETRIES_EXHAUSTED,
        });
    if let Some(slot) = under_way {
        return under_way_words(slot, slots.len(), count(SlotState::Valid));
    }
    match (slots.len(), count(SlotState::Valid)) {
        (0, _) if is_to_come(state, role) => "to come".to_owned(),
        (0, _) => "not needed".to_owned(),
        (all, valid) if all == valid => "SUCCESS".to_owned(),
        (_, 0) => exhausted.unwrap_or("SKIP").to_owned(),
        (all, valid) => format!("PARTIAL ({valid} of {all} tasks)"),
    }
}

/// What is under way, and how far it is.
fn under_way_words(slot: &Slot, all: usize, valid: usize) -> String {
    match (all, slot.state) {
        (1, SlotState::Backoff) => {
            format!("under way (attempt {} could not run)", slot.attempts)
        }
        (1, _) => format!("under way (attempt {})", slot.attempts.max(1)),
        _ => format!("under way ({valid} of {all} tasks done)"),
    }
}

/// True where the round has not come to a role yet.
fn is_to_come(state: &State, role: Role) -> bool {
    role == Role::Reviewer
        && state.now.phase == Phase::Round
        && state.now.round.phase < RoundPhase::Reviewing
}

/// The log of a round's checks: attempts, retries, examples, warnings.
pub(super) fn validation_log(state: &State) -> String {
    let attempts = &state.now.round.attempts;
    let mut text = attempts_log(attempts);
    text += &retries(attempts);
    text += &examples(state);
    text += &warnings(attempts);
    text
}

fn attempts_log(attempts: &[Attempt]) -> String {
    let mut text =
        "\n## Validation log\n\n| Time | Role | Attempt | Gaps | Check | Result | Message |\n|---|---|---|---|---|---|---|\n".to_owned();
    for attempt in attempts {
        let Some(end) = &attempt.finished else {
            continue;
        };
        let (check, result) = match end.outcome {
            AttemptOutcome::Valid => ("all", "PASS"),
            AttemptOutcome::Pressed => ("all", "PASS, pressed"),
            AttemptOutcome::Invalid(failure) => (tier_of(failure), failure.name()),
            AttemptOutcome::CouldNotRun => ("-", end.outcome.name()),
        };
        let then = attempt.then();
        let then = then.map_or(String::new(), |then| format!(", {then}"));
        text += &format!(
            "| {} | {} | {} | {} | {check} | {result}{then} | {} |\n",
            end.at,
            attempt.task.slot.role,
            attempt.task.attempt,
            comma_list(&attempt.gaps),
            cell(match end.message.as_str() {
                "" => "-",
                message => message,
            })
        );
    }
    let ends = attempts.iter().filter_map(|a| a.finished.as_ref());
    let spent = human_millis(ends.map(|end| end.usage.millis).sum());
    text + &format!("\nAgents ran for {spent}{}.\n", used(attempts))
}

/// What each role used of what is counted, behind a colon; empty where no agent told.
fn used(attempts: &[Attempt]) -> String {
    let roles: Vec<String> = usage_of(attempts)
        .into_iter()
        .filter_map(|(role, usage)| {
            let (read, written) = (usage.tokens_in(), usage.tokens_out());
            let parts = [
                read.map(|tokens| format!("{tokens} tokens in")),
                written.map(|tokens| format!("{tokens} out")),
                usage.cost().map(|cost| format!("cost {cost}")),
            ];
            let said = comma_list(parts.into_iter().flatten());
            (!said.is_empty()).then(|| format!("{role} {said}"))
        })
        .collect();
    under(": ", roles.join("; "))
}

/// Which of the two tiers of checks a failure belongs to.
fn tier_of(failure: FailureType) -> &'static str {
    match failure {
        FailureType::FileMissing | FailureType::EmptyOutput | FailureType::WrongFormat => {
            "structure"
        }
        FailureType::NoGapsAddressed
        | FailureType::InconsistentRefs
        | FailureType::InvalidDisagreeRef
        | FailureType::MalformedDisagree
        | FailureType::ReArguedConflict
        | FailureType::SpecChangeMismatch => "content",
    }
}

/// What each retry answered, what was changed in its prompt, and what came of it.
fn retries(attempts: &[Attempt]) -> String {
    let mut text = String::new();
    for (index, attempt) in attempts.iter().enumerate() {
        // An attempt that could not run answers the same failure as the one before it.
        let before = attempts[..index]
            .iter()
            .rev()
            .filter(|before| before.task.slot == attempt.task.slot)
            .filter_map(|before| before.finished.as_ref())
            .find(|end| end.outcome != AttemptOutcome::CouldNotRun);
        let (what, change) = match before.map(|end| (end.outcome, end.cause)) {
            Some((AttemptOutcome::Invalid(failure), cause)) => {
                let reason = RetryReason::of(failure, cause).name();
                (
                    failure.name(),
                    format!("the text for {reason} before the task"),
                )
            }
            Some((AttemptOutcome::Pressed, _)) => (
                "silent review",
                "the text that asks what was examined".to_owned(),
            ),
            _ => continue,
        };
        let example = match &attempt.example {
            Some(example) => format!(
                "{} ({}, {} characters)",
                example.tier.name(),
                cell(&example.source),
                example.characters
            ),
            None => "none".to_owned(),
        };
        let outcome = outcome_words(attempt);
        let slot = attempt.task.slot;
        let beside = |other: &Attempt| other.task.slot.role == slot.role && other.task.slot != slot;
        let whose = match attempt.gaps.first() {
            Some(gap) if attempts.iter().any(beside) => format!(" on {gap}"),
            _ => String::new(),
        };
        text += &format!(
            "\n### {} attempt {}{whose} ({})\n\n- **Failure type:** {what}\n- **Prompt modification:** {change}\n- **Example attached:** {example}\n- **Outcome:** {outcome}\n",
            attempt.task.slot.role, attempt.task.attempt, attempt.started_at,
        );
    }
    under("\n## Retry details\n", text)
}

fn outcome_words(attempt: &Attempt) -> String {
    let words = match attempt.finished.as_ref().map(|end| end.outcome) {
        Some(AttemptOutcome::Valid) => "success",
        Some(AttemptOutcome::Pressed) => "success, pressed",
        Some(outcome) => outcome.name(),
        None => "not finished",
    };
    match attempt.then() {
        Some(then) => format!("{words}, {then}"),
        None => words.to_owned(),
    }
}

fn warnings(attempts: &[Attempt]) -> String {
    let mut text = String::new();
    for attempt in attempts {
        for warning in attempt.finished.iter().flat_map(|end| &end.warnings) {
            let line = warning
                .line
                .map_or(String::new(), |line| format!(", line {line}"));
            text += &format!(
                "- {} ({}{line}): {}\n",
                warning.code, attempt.task.slot.role, warning.message
            );
        }
    }
    under("\n## Warnings\n\n", text)
}

/// The examples that went with this round's retries, and how retries fared over the session by the example's tier.
fn examples(state: &State) -> String {
    let retries = state.now.round.attempts.iter().filter_map(|attempt| {
        let example = attempt.example.as_ref()?;
        Some((attempt, example, example.retry?))
    });
    let mut rows = String::new();
    for (attempt, example, reason) in retries {
        let truncated = match example.truncated_from {
            Some(whole) => format!("yes, from {whole} characters"),
            None => "no".to_owned(),
        };
        let outcome = outcome_words(attempt);
        rows += &format!(
            "| {} | {} | {} | {} | {} | {} characters | {} | {truncated} | {outcome} |\n",
            attempt.task.slot.role,
            attempt.task.attempt,
            reason.name(),
            example.tier.name(),
            cell(&example.source),
            example.characters,
            example.tokens,
        );
    }
    if rows.is_empty() {
        return rows;
    }
    let mut text = format!(
        "\n## Examples\n\n| Role | Attempt | Failure | Tier | Source | Size | Tokens | Truncated | Outcome |\n|---|---|---|---|---|---|---|---|---|\n{rows}"
    );
    text += "\nRetries of this session by the example they had:\n\n| Tier | Uses | Success rate |\n|---|---|---|\n";
    for (tier, record) in &state.kept.examples {
        text += &format!(
            "| {} | {} | {}% |\n",
            tier.name(),
            record.uses,
            record.percent()
        );
    }
    text
}
