//! What status.md says of rollbacks: each with its reason, adjustments and outcome, those that nobody was asked about,
//! and a table over the session. A session has at most ten, so that this part stays short.

use gapless_detection::analysis::RootCause;
use gapless_domain::{RollbackMode, comma_list, one_line};
use gapless_session::rollback_record::{Outcome, RollbackRecord};
use gapless_session::state::State;

/// The part of status.md on rollbacks; nothing where there was none.
pub(super) fn rollback_history(state: &State) -> String {
    if state.kept.rollbacks.is_empty() {
        return String::new();
    }
    let mut text = "\n## Rollback History\n".to_owned();
    for (index, rollback) in state.kept.rollbacks.iter().enumerate() {
        text += &entry(state, index, rollback);
    }
    text + &auto_retries(state) + &summary(state)
}

fn entry(state: &State, index: usize, rollback: &RollbackRecord) -> String {
    let mode = match (rollback.unasked, rollback.mode) {
        (true, mode) => format!("{mode}, unasked"),
        (false, RollbackMode::AutoRetry) => "auto_retry, asked".to_owned(),
        (false, mode) => mode.to_string(),
    };
    let mut text = format!(
        "\n### Rollback {}: {}\n\n- **Timestamp:** {}\n- **Mode:** {mode}\n- **Trigger:** {}\n- **Reason:** {}\n",
        index + 1,
        rollback.rounds_in_words(),
        rollback.at,
        rollback.trigger.words(),
        one_line(&rollback.reason)
    );
    text += &list("Adjustments Applied", &briefly(&rollback.adjustments));
    if let Some(cause) = &rollback.root_cause {
        text += &format!(
            "- **Root Cause Analysis:** {}; recommended: {}\n",
            cause_in_words(cause),
            cause.action.phrase()
        );
        let choice = rollback.choice.as_deref().unwrap_or("not yet");
        text += &format!("- **User Decision:** {}\n", one_line(choice));
    }
    let archives: Vec<String> = (rollback.retried()..=rollback.from_round)
        .map(|round| state.archive_of(index, round).to_string())
        .collect();
    text += &list("Archives", &archives);
    text + &format!("- **Outcome:** {}\n", state.rollback_outcome(index).words())
}

/// The most likely cause, with how sure it is.
fn cause_in_words(cause: &RootCause) -> String {
    match cause.likeliest() {
        Some(likely) => format!(
            "{} (confidence {})",
            likely.cause.phrase(),
            likely.confidence.name()
        ),
        None => "nothing found".to_owned(),
    }
}

/// The first sentence of each adjustment; the prompt has them whole.
fn briefly(adjustments: &[String]) -> Vec<String> {
    let first = adjustments.iter().map(|text| text.lines().next());
    first.map(|line| line.unwrap_or("").to_owned()).collect()
}

fn list(name: &str, items: &[String]) -> String {
    match items {
        [] => format!("- **{name}:** none\n"),
        [one] => format!("- **{name}:** {}\n", one_line(one)),
        several => {
            let lines = several.iter();
            let lines = lines.map(|item| format!("  - {}\n", one_line(item)));
            format!("- **{name}:**\n{}", lines.collect::<String>())
        }
    }
}

/// A note for each round that was run again without asking.
fn auto_retries(state: &State) -> String {
    let mut text = String::new();
    for (index, rollback) in state.kept.rollbacks.iter().enumerate() {
        if !rollback.unasked {
            continue;
        }
        let undone = rollback.of_retried().into_iter();
        let patterns = undone.flat_map(|undone| &undone.analysis.patterns);
        let patterns = match comma_list(patterns.map(|found| found.pattern.name())) {
            patterns if patterns.is_empty() => "none beyond what was refused".to_owned(),
            patterns => patterns,
        };
        text += &format!(
            "\n### Round {} Auto-Retry\n\n- **Attempt:** 1 of 2 before you are asked\n- **Failure Pattern:** {patterns}\n\
             - **Auto-Adjustments Applied:** those of rollback {}\n- **Note:** you were not asked; a second failure asks you\n\
             - **Outcome:** {}\n",
            rollback.retried(),
            index + 1,
            state.rollback_outcome(index).words()
        );
    }
    text
}

fn summary(state: &State) -> String {
    let rollbacks = &state.kept.rollbacks;
    let successful = (0..rollbacks.len())
        .filter(|index| state.rollback_outcome(*index) == Outcome::Successful)
        .count();
    let analysed = rollbacks
        .iter()
        .filter(|rollback| rollback.root_cause.is_some());
    let split = rollbacks.iter().filter(|rollback| rollback.split.is_some());
    format!(
        "\n### Session Rollback Summary\n\n| Metric | Value |\n|---|---|\n| Total Rollbacks | {} |\n| Successful Retries | \
         {successful} |\n| Root Cause Analyses | {} |\n| Gaps Split | {} |\n| Remaining Rollbacks | {} of {} |\n",
        rollbacks.len(),
        analysed.count(),
        split.count(),
        state.rollbacks_left(),
        state.kept.setup.config.max_rollbacks_session
    )
}
