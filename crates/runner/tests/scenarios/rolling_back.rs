//! Undoing rounds: the worked examples, each mode, each question with each of its options, and the limits.

use gapless_domain::config::Config;
use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::rollback::RollbackMode;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, Refusal, UserInput};
use gapless_runner::Stopped;
use gapless_views::documents::decisions;

use crate::flags::{answers, minding, objects};
use crate::stage::{Stage, gap_id, labels, resolution, with_config};

fn configured(gaps: &[(&str, &str, &str)], change: impl FnOnce(&mut Config)) -> Stage {
    with_config(gaps, |met| change(&mut met.config))
}

/// A proposal that says nothing in particular, and has no trade-offs.
pub fn vague(gap: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** LOW\n\n### Proposed Solution\n\nAn appropriate limit is applied as needed. \
         A reasonable value is chosen, with sufficient headroom, and adequate handling is done properly when necessary. \
         Various clients may typically get a certain share, as required.\n"
    )
}

#[tokio::test(start_paused = true)]
async fn example_1_auto_retry_is_unasked_adjusts_the_prompt_and_succeeds() {
    let mut stage = configured(&[("GAP-FLOW-005", "HIGH", "")], |config| {
        config.rollback_mode = RollbackMode::AutoRetry;
        config.max_retries = 0;
    })
    .when(Role::Engineer, 1, 0, |request| {
        let again = request.prompt.contains("This round is run again");
        Ok(Some(match again {
            false => vague("GAP-NOPE-009"),
            true => resolution(&request.gaps[0], "None"),
        }))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.kinds(),
        ["inventory", "archives"],
        "nobody was asked before the end"
    );
    let prompts = stage.prompts(Role::Engineer, 1);
    assert_eq!(prompts.len(), 2);
    let added = prompts[1]
        .split("## This round is run again")
        .nth(1)
        .unwrap();
    let added = added.split("\n## ").next().unwrap();
    insta::assert_snapshot!("auto_retry_prompt", added.trim());
    insta::assert_snapshot!("auto_retry_status", rollback_part(&stage));
    let reviewer = stage.prompts(Role::Reviewer, 1).join("\n");
    assert!(
        !reviewer.contains("run again"),
        "what the Engineer is told is not the Reviewer's"
    );
}

/// What status.md says of rollbacks.
fn rollback_part(stage: &Stage) -> String {
    let status = stage.status();
    let part = status.split("## Rollback History").nth(1).unwrap_or("");
    part.split("\n## ").next().unwrap().trim().to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_second_failure_of_the_round_asks() {
    let mut stage = configured(&[("GAP-FLOW-005", "HIGH", "")], |config| {
        config.rollback_mode = RollbackMode::AutoRetry;
        config.max_retries = 0;
    })
    .when(Role::Engineer, 1, 0, |_| Ok(Some(vague("GAP-NOPE-009"))))
    .answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!(stage.state().kept.rollbacks.len(), 1);
    stage.pending("escalation");
    // And one who wants to be asked from the start is.
    let mut asked = configured(&[("GAP-FLOW-005", "HIGH", "")], |config| {
        config.rollback_mode = RollbackMode::AutoRetry;
        config.max_retries = 0;
    })
    .when(Role::Engineer, 1, 0, |_| Ok(Some(vague("GAP-NOPE-009"))))
    .answer("inventory", "begin", &[]);
    asked
        .say(UserInput::RollbackMode {
            mode: RollbackMode::Interactive,
        })
        .unwrap();
    asked.run_strictly().await;
    assert_eq!(asked.state().kept.rollbacks.len(), 0);
    asked.pending("escalation");
}

#[tokio::test(start_paused = true)]
async fn example_2_three_rounds_back_with_the_table_of_targets() {
    let mut stage = eight_rounds().await;
    stage
        .say(UserInput::Rollback {
            to: None,
            reason: String::new(),
            adjust: Vec::new(),
        })
        .unwrap();
    let question = stage.pending("rollback");
    insta::assert_snapshot!(
        "targets",
        format!("{}\n\n{}", question.title, question.context)
    );
    assert_eq!(
        labels(&question),
        ["retry", "narrow", "context", "skip", "cancel"]
    );
    let refused = stage.roll_back(3, "further than is kept").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "there is nothing to go back to after round 3: the last 3 rounds are kept (`backup_retention_rounds`); available: 5, 6, 7"
    );
    let fields = [
        ("to", "5"),
        ("reason", "the last three went in a bad direction"),
    ];
    stage.tell("rollback", "retry", &fields).unwrap();
    assert_eq!(stage.state().now.round.number, 5);
    assert_eq!(
        stage.state().kept.rollbacks.len(),
        1,
        "once for the session"
    );
    for round in 6..=8 {
        assert_eq!(
            stage.state().times_undone(round),
            1,
            "once for round {round}"
        );
    }
    insta::assert_snapshot!("three_back_status", rollback_part(&stage));
    insta::assert_snapshot!("three_back_decisions", decisions(stage.state()));
    let question = stage.pending("undone_decisions");
    insta::assert_snapshot!(
        "undone_decisions",
        format!("{}\n\n{}", question.title, question.context)
    );
}

/// Eight rounds of one gap each, with a decision in round 6 and two in round 8.
pub async fn eight_rounds() -> Stage {
    let names: Vec<String> = (1..=12).map(|n| format!("GAP-API-{n:03}")).collect();
    let gaps: Vec<(&str, &str, &str)> = names.iter().map(|n| (n.as_str(), "LOW", "")).collect();
    let mut stage = configured(&gaps, |config| config.gaps_per_round = 1);
    for round in 1..=8 {
        stage.run_to_round(round).await;
        let reason = format!("decided in round {round}");
        let put_off = match round {
            6 => vec!["GAP-API-012"],
            8 => vec!["GAP-API-011", "GAP-API-010"],
            _ => Vec::new(),
        };
        for gap in put_off {
            let gap = gap_id(gap);
            stage
                .gap_command(GapCommand::Defer {
                    gap,
                    reason: reason.clone(),
                })
                .unwrap();
        }
    }
    stage
}

/// A round that was undone twice, for reasons that have little to do with each other.
async fn undone_twice(first: &'static str, second: &'static str) -> Stage {
    let gaps = [("GAP-FLOW-007", "HIGH", ""), ("GAP-FLOW-008", "LOW", "")];
    let mut stage = configured(&gaps, |config| config.gaps_per_round = 1);
    stage = stage.when(Role::Engineer, 1, 0, move |request| {
        let text = match request.task.epoch {
            0 => first,
            _ => second,
        };
        Ok(Some(text.to_owned()))
    });
    stage.run_to_review().await;
    stage.roll_back(0, "the mechanics are unclear").unwrap();
    stage.run_to_review().await;
    stage
        .roll_back(0, "now the interface is unclear instead")
        .unwrap();
    stage
}

const ABOUT_PROMPTS: &str = "## Gap Resolution: GAP-FLOW-007

**Confidence:** LOW

### Proposed Solution

#### What the user is asked

An appropriate table is shown as needed. A reasonable choice is offered, with sufficient detail, and adequate help is given
properly when necessary. Various answers may typically be taken in a certain order, as required.

#### State restoration

The state is restored.

### Examples

- Example 1: three rounds back.
- Example 2: one round back.

### Trade-offs

- Simple, and slow.
";

const ABOUT_STATE: &str = "## Gap Resolution: GAP-FLOW-007

**Confidence:** LOW

### Proposed Solution

#### State restoration

The newest three backups are kept as `status_backup_round_K.md`; restoring copies backup K over status.md and decisions.md.

#### Limits and policies

Seven rollbacks a session; the eighth is refused.
";

#[tokio::test(start_paused = true)]
async fn example_3_the_root_cause_question_splits_the_gap() {
    let mut stage = undone_twice(ABOUT_PROMPTS, ABOUT_STATE).await;
    let question = stage.pending("root_cause");
    insta::assert_snapshot!(
        "root_cause",
        format!("{}\n\n{}", question.title, question.context)
    );
    assert_eq!(
        labels(&question),
        ["split", "context", "reassign", "force", "retry", "pause"]
    );
    stage.refuses(
        "root_cause",
        "split",
        &[("gap", "GAP-FLOW-007"), ("parts", "one")],
        "at least two parts",
    );
    let suggested = |name: &str| {
        let field = question.fields.iter().find(|field| field.name == name);
        field.unwrap().suggested.clone().unwrap()
    };
    let (gap, parts) = (suggested("gap"), suggested("parts"));
    stage
        .tell("root_cause", "split", &[("gap", &gap), ("parts", &parts)])
        .unwrap();
    assert_eq!(stage.gap("GAP-FLOW-007"), GapState::Superseded);
    stage.run_until(|state| state.running().count() > 0).await;
    assert_eq!(
        stage.state().now.round.assigned,
        [gap_id("GAP-FLOW-007a")],
        "the retry takes the first child"
    );
    insta::assert_snapshot!("split_status", rollback_part(&stage));
    insta::assert_snapshot!("split_decisions", decisions(stage.state()));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn every_other_way_out_of_a_root_cause_takes_effect() {
    // Context stands in the prompt of the retry, and of every retry of that round.
    let mut stage = undone_twice(ABOUT_PROMPTS, ABOUT_STATE).await;
    let words = [("context", "a rollback never touches the source")];
    stage.tell("root_cause", "context", &words).unwrap();
    stage.run_until(|state| state.running().count() > 0).await;
    stage.run().await;
    let prompts = stage.prompts(Role::Engineer, 1);
    assert!(prompts.last().unwrap().contains(words[0].1));

    let mut stage = undone_twice(ABOUT_PROMPTS, ABOUT_STATE).await;
    stage.refuses(
        "root_cause",
        "reassign",
        &[("gaps", "GAP-NOPE-001")],
        "no gap GAP-NOPE-001",
    );
    stage
        .tell("root_cause", "reassign", &[("gaps", "GAP-FLOW-008")])
        .unwrap();
    stage.run_until(|state| state.running().count() > 0).await;
    assert_eq!(stage.state().now.round.assigned, [gap_id("GAP-FLOW-008")]);

    // What was undone is reviewed without another call of the Engineer.
    let mut stage = undone_twice(ABOUT_PROMPTS, ABOUT_STATE).await;
    let calls = stage.prompts(Role::Engineer, 1).len();
    stage.tell("root_cause", "force", &[]).unwrap();
    stage.run_to_review().await;
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), calls);
    assert!(
        stage
            .prompts(Role::Reviewer, 1)
            .last()
            .unwrap()
            .contains("Limits and policies")
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));

    let mut stage = undone_twice(ABOUT_PROMPTS, ABOUT_STATE).await;
    stage.tell("root_cause", "retry", &[]).unwrap();
    stage.run_until(|state| state.running().count() > 0).await;
    let adjustments = stage.state().adjustments(1);
    assert!(!adjustments.is_empty(), "what the analysis recommends");

    // Paused, it waits; and it is asked again.
    let mut stage = undone_twice(ABOUT_PROMPTS, ABOUT_STATE).await;
    stage.tell("root_cause", "pause", &[]).unwrap();
    assert!(stage.state().kept.paused);
    let refused = stage.tell("root_cause", "pause", &[]).unwrap_err();
    assert_eq!(refused, Refusal::AlreadyPaused);
    stage.say(UserInput::Resume).unwrap();
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
}

#[tokio::test(start_paused = true)]
async fn strict_looks_for_the_cause_from_the_first_rollback_on() {
    let mut stage = configured(&[("GAP-FLOW-007", "HIGH", "")], |config| {
        config.rollback_mode = RollbackMode::Strict;
    });
    stage.run_to_review().await;
    stage.roll_back(0, "not what was meant").unwrap();
    stage.pending("root_cause");
}

#[tokio::test(start_paused = true)]
async fn strict_names_a_cause_where_one_attempt_shows_patterns() {
    let strict = |gap: &'static str| {
        configured(&[(gap, "HIGH", "")], |config| {
            config.rollback_mode = RollbackMode::Strict;
        })
    };
    let mut stage =
        strict("GAP-FLOW-007").when(Role::Engineer, 1, 0, |_| Ok(Some(vague("GAP-FLOW-007"))));
    stage.run_to_review().await;
    stage.roll_back(0, "not what was meant").unwrap();
    let question = stage.pending("root_cause");
    insta::assert_snapshot!("strict_root_cause", question.context);
    let recommended = question.options.iter().find(|option| option.recommended);
    assert_eq!(recommended.unwrap().label, "context");

    // Nothing explains it only where nothing was found.
    let examples = "### Examples\n\n**Example 1:** the 101st request of a second gives 429.\n\n**Example 2:** the next second begins \
                    at 0.\n";
    let mut stage = strict("GAP-FLOW-008").when(Role::Engineer, 1, 0, move |request| {
        let text = resolution(&request.gaps[0], "None");
        Ok(Some(text.replace(
            "### Examples\n\nOne request too many gives 429.\n",
            examples,
        )))
    });
    stage.run_to_review().await;
    stage.roll_back(0, "not what was meant").unwrap();
    let context = stage.pending("root_cause").context;
    assert!(
        context.contains("1. the attempts show nothing that explains it (confidence LOW)"),
        "{context}"
    );
    assert!(!context.contains("2. "), "{context}");
}

#[tokio::test(start_paused = true)]
async fn every_way_to_retry_takes_effect() {
    let asked = || async {
        let gaps = [
            ("GAP-API-001", "HIGH", ""),
            ("GAP-API-002", "LOW", ""),
            ("GAP-API-003", "LOW", ""),
        ];
        let mut stage = configured(&gaps, |config| config.gaps_per_round = 2);
        stage.run_to_review().await;
        stage
            .say(UserInput::Rollback {
                to: None,
                reason: String::new(),
                adjust: Vec::new(),
            })
            .unwrap();
        stage
    };
    let fields = [("to", "0"), ("reason", "beside the point")];

    let mut stage = asked().await;
    stage.tell("rollback", "cancel", &[]).unwrap();
    assert_eq!(stage.state().kept.rollbacks.len(), 0);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));

    let mut stage = asked().await;
    stage.tell("rollback", "retry", &fields).unwrap();
    stage.run_to_round(1).await;
    assert_eq!(stage.state().now.round.assigned.len(), 2);
    assert!(
        stage.decisions().is_empty(),
        "a plain retry decides nothing"
    );

    let mut stage = asked().await;
    let narrowed = [fields[0], fields[1], ("gaps", "GAP-API-002")];
    stage.tell("rollback", "narrow", &narrowed).unwrap();
    stage.run_to_round(1).await;
    assert_eq!(stage.state().now.round.assigned, [gap_id("GAP-API-002")]);

    let mut stage = asked().await;
    let context = [
        fields[0],
        fields[1],
        ("adjust", "the limits are per tenant"),
    ];
    stage.tell("rollback", "context", &context).unwrap();
    stage.run_to_round(1).await;
    stage.run_to_review().await;
    assert!(
        stage
            .prompts(Role::Engineer, 1)
            .last()
            .unwrap()
            .contains("the limits are per tenant")
    );

    let mut stage = asked().await;
    stage.tell("rollback", "skip", &fields).unwrap();
    stage.run_to_round(1).await;
    assert_eq!(stage.state().now.round.assigned, [gap_id("GAP-API-003")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn example_4_the_session_limit_is_a_question() {
    let at_the_limit = || async {
        let mut stage = configured(&[("GAP-FLOW-007", "LOW", "")], |config| {
            config.max_rollbacks_session = 2;
            config.rollback_analysis_threshold = 10;
        });
        for reason in ["too broad", "still too broad"] {
            stage.run_to_round(1).await;
            stage.roll_back(0, reason).unwrap();
        }
        stage.run_to_round(1).await;
        stage.roll_back(0, "once more").unwrap();
        stage
    };
    let mut stage = at_the_limit().await;
    assert_eq!(
        stage.state().kept.rollbacks.len(),
        2,
        "nothing more was undone"
    );
    let question = stage.pending("rollback_limit");
    insta::assert_snapshot!(
        "limit",
        format!("{}\n\n{}", question.title, question.context)
    );
    assert_eq!(labels(&question), ["pause", "accept", "abandon", "go_on"]);
    stage.tell("rollback_limit", "go_on", &[]).unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));

    let mut stage = at_the_limit().await;
    stage.tell("rollback_limit", "pause", &[]).unwrap();
    assert!(stage.state().kept.paused);
    stage.pending("rollback_limit");

    let mut stage = at_the_limit().await;
    stage.tell("rollback_limit", "abandon", &[]).unwrap();
    assert_eq!(stage.ended(), (End::Abandoned, Trigger::Abandoned));

    let mut stage = at_the_limit().await;
    stage.tell("rollback_limit", "accept", &[]).unwrap();
    stage.tell("stop", "accept", &[]).unwrap();
    assert_eq!(stage.ended(), (End::GoodEnough, Trigger::RollbackLimit));
}

#[tokio::test(start_paused = true)]
async fn an_issue_whose_gap_went_wrong_in_another_way_each_time_is_flagged() {
    let mut stage = minding(&[("GAP-FLOW-007", "HIGH", "")])
        .when(Role::Reviewer, 1, 0, |request| {
            Ok(Some(objects(request, "Critical Issues")))
        })
        .when(Role::Engineer, 2, 0, |request| {
            Ok(Some(match request.task.epoch {
                0 => ABOUT_PROMPTS.to_owned(),
                1 => ABOUT_STATE.to_owned(),
                _ => answers(request),
            }))
        });
    for reason in ["too vague", "half of it is missing"] {
        let again = |state: &gapless_session::State| {
            let round = &state.now.round;
            round.number == 2 && round.slots.values().any(|slot| slot.output.is_some())
        };
        stage.run_until(again).await;
        stage.roll_back(1, reason).unwrap();
    }
    stage.tell("root_cause", "retry", &[]).unwrap();
    stage.run_strictly().await;
    let flags = stage.events("issue.flagged");
    let told: Vec<&str> = flags
        .iter()
        .filter(|event| event["flag"]["heuristic"] == "H2")
        .map(|event| event["flag"]["evidence"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        told,
        [
            "GAP-FLOW-007 was rolled back 2 times: ABSTRACT_OUTPUT; MISSING_SECTIONS + NARROW_EXAMPLES"
        ]
    );
}
