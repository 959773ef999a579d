//! The divergence question: what it says for each cause, and what each choice does.

use gapless_domain::convergence::{ConvergenceState, DivergenceCause};
use gapless_domain::gap::GapState;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::question::Question;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, UserInput};
use gapless_runner::Stopped;

use crate::stage::{Stage, gap_id, issue, labels, no_issues, resolution, stage, with_config};

const GAPS: [(&str, &str, &str); 4] = [
    ("GAP-API-001", "HIGH", ""),
    ("GAP-API-002", "MEDIUM", "GAP-API-001"),
    ("GAP-API-003", "LOW", "GAP-API-001"),
    ("GAP-API-004", "LOW", "GAP-API-003"),
];

/// Round 1 resolves GAP-API-001 and opens these.
fn opening(new_gaps: &'static str) -> Stage {
    stage(&GAPS).when(Role::Engineer, 1, 0, move |request| {
        Ok(Some(resolution(&request.gaps[0], new_gaps)))
    })
}

fn new_critical() -> Stage {
    opening(
        "- GAP-SEC-001 [CRITICAL]: nothing says who may call it\n- GAP-SEC-002 [LOW]: the audit log's format",
    )
}

fn net_loss() -> Stage {
    opening(
        "- GAP-SEC-001 [HIGH]: nothing says who may call it\n- GAP-SEC-002 [HIGH]: keys are never rotated\n\
         - GAP-SEC-003 [HIGH]: secrets are in the log\n- GAP-SEC-004 [HIGH]: no session ends",
    )
}

/// Two rounds in which the Reviewer sends GAP-API-001 back; the second also opens a gap.
fn stalled() -> Stage {
    stage(&GAPS)
        .when(Role::Engineer, 2, 0, |request| {
            let text = crate::stage::engineer(request);
            Ok(Some(text.replacen(
                "None",
                "- GAP-SEC-001 [LOW]: the audit log's format",
                1,
            )))
        })
        .when(Role::Reviewer, 0, 0, |r| {
            let id = format!("ISSUE-R{}-001", r.task.round);
            Ok(Some(match r.task.round {
                1 | 2 => issue(&r.gaps[0], "High Priority", &id),
                _ => r.gaps.iter().map(no_issues).collect(),
            }))
        })
}

type Cause = fn() -> Stage;
const CAUSES: [(DivergenceCause, Cause); 3] = [
    (DivergenceCause::NewCritical, new_critical),
    (DivergenceCause::NetLoss, net_loss),
    (DivergenceCause::Stalled, stalled),
];

/// Runs to the warning.
async fn warned(cause: Cause) -> (Stage, Question) {
    let mut stage = cause().answer("inventory", "begin", &[]);
    let stopped = stage.run_strictly().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let question = stage.pending("divergence");
    (stage, question)
}

fn whole(question: &Question) -> String {
    let options = question.options.iter().map(|option| {
        let mark = if option.recommended {
            " (recommended)"
        } else {
            ""
        };
        format!(
            "- {}: {}: {}{mark}",
            option.label, option.text, option.effect
        )
    });
    let fields = question.fields.iter().map(|field| {
        let suggested = field.suggested.as_deref().unwrap_or("nothing");
        format!("- {}: {} (suggested: {suggested})", field.name, field.text)
    });
    let options: Vec<String> = options.chain(fields).collect();
    format!(
        "# {}\n\n{}\n\n{}",
        question.title,
        question.context,
        options.join("\n")
    )
}

#[tokio::test(start_paused = true)]
async fn a_new_critical_is_told_so_that_a_person_can_decide() {
    insta::assert_snapshot!(whole(&warned(new_critical).await.1));
}

#[tokio::test(start_paused = true)]
async fn a_net_loss_is_told_so_that_a_person_can_decide() {
    insta::assert_snapshot!(whole(&warned(net_loss).await.1));
}

#[tokio::test(start_paused = true)]
async fn a_stall_is_told_so_that_a_person_can_decide() {
    insta::assert_snapshot!(whole(&warned(stalled).await.1));
}

/// The warning is over, and the next round is under way.
fn assert_cleared(stage: &Stage) {
    let convergence = stage.state().now.convergence;
    assert_eq!(convergence.state, ConvergenceState::Converging);
    assert_eq!((convergence.cause, convergence.flat_count), (None, 0));
    assert_eq!(stage.events("round.divergence_cleared").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_cause_is_the_one_that_made_the_warning() {
    for (cause, make) in CAUSES {
        let (stage, question) = warned(make).await;
        assert_eq!(stage.state().now.convergence.cause, Some(cause));
        let status = stage.status();
        let words = format!("**State:** DIVERGENCE_WARNING ({})", cause.name());
        assert!(status.contains(&words), "{status}");
        let offered = labels(&question);
        let critical = cause == DivergenceCause::NewCritical;
        assert_eq!(
            offered.contains(&"prioritise"),
            critical,
            "only where one is open"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn narrowing_with_the_suggestion_defers_it_and_goes_on() {
    for (cause, make) in CAUSES {
        let (mut stage, question) = warned(make).await;
        let suggested = question.fields[0].suggested.clone();
        // All that the net loss opened is HIGH: whoever narrows the scope there says by what.
        assert_eq!(suggested.is_none(), cause == DivergenceCause::NetLoss);
        let suggested = suggested.unwrap_or_else(|| "GAP-API-004".to_owned());
        let fields = [("gaps", suggested.as_str()), ("reason", "next release")];
        stage.refuses(
            "divergence",
            "narrow",
            &fields[..1],
            "needs the field `reason`",
        );
        stage.tell("divergence", "narrow", &fields).unwrap();
        assert_cleared(&stage);
        let gaps: Vec<&str> = suggested.split(", ").collect();
        for gap in &gaps {
            assert_eq!(stage.gap(gap), GapState::UserDeferred);
        }
        let wanted: Vec<String> = gaps
            .iter()
            .map(|gap| format!("deferral {gap}: next release"))
            .collect();
        assert_eq!(stage.decisions(), wanted);
        stage.run_strictly().await;
        assert!(
            stage.events("round.began").len() > stage.state().checkpoints[0].after_round as usize
        );
    }
}

/// A session of these gaps that stalls: every review sends back what it is given.
async fn stalls(gaps: &[(&str, &str, &str)]) -> (Stage, Question) {
    let mut stage = stage(gaps)
        .when(Role::Reviewer, 0, 0, |r| {
            let raised = r.gaps.iter().zip(1..).map(|(gap, number)| {
                let id = format!("ISSUE-R{}-{number:03}", r.task.round);
                issue(gap, "High Priority", &id)
            });
            Ok(Some(raised.collect()))
        })
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("divergence");
    (stage, question)
}

fn suggested(question: &Question) -> Vec<String> {
    let gaps = question.fields[0].suggested.iter();
    gaps.flat_map(|gaps| gaps.split(", ").map(str::to_owned))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn few_gaps_are_suggested_after_a_stall_however_many_are_open() {
    let names: Vec<String> = (1..=28)
        .map(|number| format!("GAP-API-{number:03}"))
        .collect();
    for (severity, expected) in [
        // Three are worked on in a round, and stall.
        ("LOW", &["GAP-API-003", "GAP-API-002", "GAP-API-001"][..]),
        // A third one would make a weight of 6.
        ("MEDIUM", &["GAP-API-003", "GAP-API-002"]),
        ("HIGH", &[]),
    ] {
        let gaps: Vec<(&str, &str, &str)> = names
            .iter()
            .map(|name| (name.as_str(), severity, ""))
            .collect();
        let (mut stage, question) = stalls(&gaps).await;
        assert_eq!(suggested(&question), expected, "{severity}");
        let said = &question.context;
        assert!(
            said.contains("the session can end as COMPLETE with at most 4"),
            "{said}"
        );
        if !expected.is_empty() {
            assert!(
                said.contains("never more than a third of what is open"),
                "{said}"
            );
            let fields = [
                ("gaps", expected.join(", ")),
                ("reason", "later".to_owned()),
            ];
            let fields = fields
                .each_ref()
                .map(|(name, value)| (*name, value.as_str()));
            stage.tell("divergence", "narrow", &fields).unwrap();
            assert_cleared(&stage);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_deferred_already_counts_and_a_third_of_what_is_open_is_the_most() {
    let gaps = [
        ("GAP-API-001", "LOW", ""),
        ("GAP-API-002", "LOW", ""),
        ("GAP-API-003", "LOW", ""),
        ("GAP-API-004", "LOW", ""),
    ];
    let (mut stage, question) = stalls(&gaps).await;
    assert_eq!(suggested(&question), ["GAP-API-003"], "one of four");
    // Deferring one more than COMPLETE allows leaves nothing to suggest.
    for (number, weight) in [("010", "MEDIUM"), ("011", "MEDIUM")] {
        let command = GapCommand::Add {
            category: "API".to_owned(),
            severity: weight.parse().unwrap(),
            description: format!("what nobody thought of, number {number}"),
            section: None,
        };
        stage.gap_command(command).unwrap();
    }
    for gap in ["GAP-API-005", "GAP-API-006"] {
        let command = GapCommand::Defer {
            gap: gap_id(gap),
            reason: "later".to_owned(),
        };
        stage.gap_command(command).unwrap();
    }
    stage.run_strictly().await;
    let question = stage.pending("divergence");
    assert_eq!(suggested(&question), [""; 0]);
    let said = &question.context;
    let why = "**Suggested to defer:** nothing; with more weight deferred, the session could not end as COMPLETE. There is \
               a weight of 4 deferred";
    assert!(said.contains(why), "{said}");
}

#[tokio::test(start_paused = true)]
async fn accepting_computes_the_limit_anew_and_goes_on() {
    for (_, make) in CAUSES {
        let (mut stage, _) = warned(make).await;
        let round = stage.state().now.round.number;
        stage.tell("divergence", "accept", &[]).unwrap();
        assert_cleared(&stage);
        assert_eq!(stage.state().limits().max_rounds, round + 10);
        assert_eq!(stage.state().now.decisions[0].kind.name(), "scope");
        assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    }
}

#[tokio::test(start_paused = true)]
async fn prioritising_takes_only_the_critical_next() {
    let (mut stage, question) = warned(new_critical).await;
    let recommended: Vec<&str> = question
        .options
        .iter()
        .filter(|option| option.recommended)
        .map(|option| option.label.as_str())
        .collect();
    assert_eq!(recommended, ["prioritise"]);
    stage.tell("divergence", "prioritise", &[]).unwrap();
    assert_cleared(&stage);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    let planned = stage.events("round.planned");
    assert_eq!(planned[1]["assigned"], serde_json::json!(["GAP-SEC-001"]));
    let after = planned[2]["assigned"].as_array().unwrap();
    assert!(
        after.len() > 1,
        "the round after that takes all again: {after:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn rolling_back_undoes_the_round_and_runs_it_again() {
    for (_, make) in CAUSES {
        let (mut stage, question) = warned(make).await;
        let round = stage.state().now.round.number;
        stage.tell("divergence", "roll_back", &[]).unwrap();
        let to = stage.pending("rollback").fields[0]
            .suggested
            .clone()
            .unwrap();
        assert_eq!(to, (round - 1).to_string(), "the round before");
        let fields = [("to", to.as_str()), ("reason", "too broad")];
        stage.refuses(
            "rollback",
            "retry",
            &fields[..1],
            "needs the field `reason`",
        );
        let far = [("to", "77"), fields[1]];
        stage.refuses(
            "rollback",
            "retry",
            &far,
            "nothing to go back to after round 77",
        );
        let word = [("to", "back"), fields[1]];
        stage.refuses("rollback", "retry", &word, "as a number");
        stage.tell("rollback", "retry", &fields).unwrap();
        assert_eq!(stage.state().now.round.number, round - 1);
        assert_eq!(stage.state().kept.rollbacks.len(), 1);
        assert!(!stage.state().now.gaps.contains_key(&gap_id("GAP-SEC-001")));
        // The same agents bring the same round about, under fresh ids, and it is asked again.
        let stopped = stage.run_strictly().await;
        assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
        assert_ne!(stage.pending("divergence").id, question.id);
        assert_eq!(stage.state().now.round.number, round);
    }
}

#[tokio::test(start_paused = true)]
async fn paused_it_is_asked_again_after_resuming() {
    for (_, make) in CAUSES {
        let (mut stage, first) = warned(make).await;
        stage.tell("divergence", "pause", &[]).unwrap();
        assert_eq!(stage.run_strictly().await, Stopped::Paused);
        stage.say(UserInput::Resume).unwrap();
        stage.run_strictly().await;
        let again = stage.pending("divergence");
        assert_ne!(again.id, first.id);
        assert_eq!(again.context, first.context);
        assert_eq!(stage.events("round.divergence_cleared").len(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn giving_up_ends_without_a_refined_spec() {
    for (_, make) in CAUSES {
        let (mut stage, _) = warned(make).await;
        stage.tell("divergence", "abandon", &[]).unwrap();
        assert_eq!(stage.ended(), (End::Abandoned, Trigger::Abandoned));
    }
}

#[tokio::test(start_paused = true)]
async fn forcing_completion_passes_the_gate_of_what_is_left() {
    const CRITICAL: &str = "I accept CRITICAL gaps knowing the spec may be unusable";
    // The CRITICAL tier.
    let (mut stage, _) = warned(new_critical).await;
    stage.tell("divergence", "force_complete", &[]).unwrap();
    stage.refuses(
        "stop",
        "accept",
        &[],
        "the field `critical` must be exactly",
    );
    let all = [("critical", CRITICAL), ("GAP-SEC-001", "a gateway does it")];
    stage.refuses("stop", "accept", &all[..1], "needs the field `GAP-SEC-001`");
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::StallExit, Trigger::Divergence));
    assert!(
        stage
            .status()
            .contains("- **Convergence:** DIVERGENCE_WARNING (NEW_CRITICAL)\n")
    );
    assert!(stage.spec().contains("### Limit"));

    // The HIGH tier.
    let (mut stage, _) = warned(net_loss).await;
    stage.tell("divergence", "force_complete", &[]).unwrap();
    stage.refuses("stop", "accept", &[], "the field `high` must be exactly");
    let mut all = vec![("high", "I acknowledge")];
    all.extend(["GAP-SEC-001", "GAP-SEC-002", "GAP-SEC-003"].map(|gap| (gap, "a gateway does it")));
    stage.refuses("stop", "accept", &all, "needs the field `GAP-SEC-004`");
    all.push(("GAP-SEC-004", "tokens are short-lived"));
    stage.tell("stop", "accept", &all).unwrap();
    assert_eq!(stage.ended(), (End::StallExit, Trigger::Divergence));
    let accepted = stage.decisions();
    assert_eq!(accepted.len(), 7, "each gap that is left: {accepted:?}");

    // A grave issue on a lesser gap.
    let gaps = [("GAP-API-001", "LOW", "")];
    let mut stage = with_config(&gaps, |met| met.config.stall_threshold = Some(1))
        .when(Role::Reviewer, 0, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
        })
        .answer("inventory", "begin", &[])
        .answer("divergence", "force_complete", &[])
        .answer(
            "stop",
            "accept",
            &[
                ("high", "I acknowledge"),
                ("GAP-API-001", "it is measured later"),
            ],
        );
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::StallExit));
    assert_eq!(stage.ended(), (End::StallExit, Trigger::Divergence));
}

#[tokio::test(start_paused = true)]
async fn going_on_at_the_gate_asks_about_the_divergence_again() {
    for (_, make) in CAUSES {
        let (mut stage, first) = warned(make).await;
        stage.tell("divergence", "force_complete", &[]).unwrap();
        stage.tell("stop", "continue", &[]).unwrap();
        stage.run_strictly().await;
        let again = stage.pending("divergence");
        assert_ne!(again.id, first.id);
        assert_eq!(again.context, first.context);
        assert_eq!(again.options, first.options);
    }
}
