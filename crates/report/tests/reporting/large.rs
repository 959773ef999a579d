//! A session of 500 gaps and 50 rounds: a part of the proposals is sent back, some open new gaps, and rounds are undone.

use std::sync::LazyLock;

use gapless_domain::config::Config;
use gapless_domain::task::{Role, Task};
use gapless_mediator::UserInput;
use gapless_session::State;

use crate::played::{Played, content, first_option, objection, proposal};

pub const GAPS: usize = 500;
pub const ROUNDS: u32 = 50;
const SEVERITIES: [&str; 7] = ["CRITICAL", "HIGH", "MEDIUM", "LOW", "MEDIUM", "HIGH", "LOW"];

/// Played once for all who look at it.
pub static LARGE: LazyLock<Played> = LazyLock::new(large);

fn large() -> Played {
    let config = Config {
        gaps_per_round: 10,
        hard_limit: 9999,
        max_rounds: Some(9999),
        stall_threshold: Some(9999),
        divergence_threshold: Some(20),
        critical_override: false,
        unaddressed_high_threshold: 1000,
        unaddressed_critical_threshold: 1000,
        pattern_threshold: 1000,
        ..Config::default()
    };
    let mut played = Played::start("large", source(), config);
    for undo in [12, 31] {
        played.play(|state| reached(state, undo), agent, first_option);
        played.say(UserInput::Rollback {
            to: Some(undo - 3),
            reason: "The last rounds drifted away from what was asked for.".to_owned(),
            adjust: vec!["Keep to the limits that the source names.".to_owned()],
        });
    }
    played.play(|state| reached(state, ROUNDS + 1), agent, first_option);
    played
}

fn reached(state: &State, round: u32) -> bool {
    state.now.round.number >= round
}

fn source() -> String {
    let mut text = "# A system\n\nWhat it is.\n".to_owned();
    for number in 1..=GAPS {
        text += &format!(
            "\n## Part {number}\n\n{}\n",
            "It does what its name says, within limits that are named below. ".repeat(4)
        );
    }
    text += "\n## Known gaps\n\n";
    for number in 1..=GAPS {
        let severity = SEVERITIES[number % SEVERITIES.len()];
        text += &format!(
            "- GAP-PART-{number:03} [{severity}] (section: Part {number}): how many calls a second part {number} takes, what a \
             caller gets above that, and where this is counted is not said\n"
        );
    }
    text
}

fn agent(state: &State, task: &Task) -> String {
    let round = task.id.round;
    let gaps: Vec<String> = task.gaps.iter().map(ToString::to_string).collect();
    match task.id.slot.role {
        // Every seventh round begins with an attempt that says nothing.
        Role::Engineer if round % 7 == 3 && task.id.attempt == 1 => {
            "I have thought about it, and it seems fine.".to_owned()
        }
        Role::Engineer => {
            let mut text = String::new();
            for (place, (id, gap)) in task.gaps.iter().zip(&gaps).enumerate() {
                let opens = match (place, round % 9) {
                    (_, 2) if round % 18 == 2 => format!(
                        "- GAP-MORE-{:03} [HIGH]: which of two limits holds where both apply",
                        round * 10 + u32::try_from(place).unwrap()
                    ),
                    (0, 4) => format!(
                        "- GAP-NEW-{round:03} [HIGH]: what happens to a call that waits longer than {round} s"
                    ),
                    _ => "None".to_owned(),
                };
                text += &proposal(
                    gap,
                    &format!("Limits of round {round}, justified by what they were measured with."),
                    &opens,
                );
                for issue in &state.now.gaps[id].standing_issues {
                    text += &format!(
                        "## Response to {issue}\n\nThe limit is justified: it was measured with the load test of round {round}.\n\n"
                    );
                }
            }
            text
        }
        _ => {
            let mut text = String::new();
            for (place, gap) in gaps.iter().enumerate() {
                let known = state.now.gaps[&task.gaps[place]].settled_issues.is_empty();
                text += &match (place % 3 == 0 || round % 18 == 2) && known {
                    true => objection(
                        gap,
                        "High Priority",
                        &format!("ISSUE-R{round}-{:03}", place + 1),
                        "the limit is not justified, and nobody can tell what it was measured with",
                    ),
                    false => content(std::slice::from_ref(gap)),
                };
            }
            text
        }
    }
}
