//! What a policy spends on a session that gets nowhere: the calls are counted, and docs/questions.md says how many there may be.

use gapless_agents::Request;
use gapless_domain::config::Config;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, could_not_run, engineer, issue, stage, with_config};

fn calls(stage: &Stage) -> usize {
    stage.events("task.started").len()
}

fn rounds(stage: &Stage) -> usize {
    stage.events("round.began").len()
}

fn limits_set(stage: &Stage) -> Vec<u64> {
    let events = stage.events("session.limits_set");
    let limits = events.iter().map(|e| e["limits"]["max_rounds"].as_u64());
    limits.map(Option::unwrap).collect()
}

/// A session of so many gaps whose Reviewer sends back whatever it is given.
fn without_progress(gaps: usize, change: impl FnOnce(&mut Config)) -> Stage {
    let names: Vec<String> = (1..=gaps).map(|n| format!("GAP-API-{n:03}")).collect();
    let gaps: Vec<_> = names.iter().map(|id| (id.as_str(), "HIGH", "")).collect();
    with_config(&gaps, |met| change(&mut met.config)).when(Role::Reviewer, 0, 0, |r| {
        let raised = r.gaps.iter().zip(1..).map(|(gap, number)| {
            let id = format!("ISSUE-R{}-{number:03}", r.task.round);
            issue(gap, "High Priority", &id)
        });
        Ok(Some(raised.collect()))
    })
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_the_user_set_is_where_a_policy_stops() {
    for most in [1, 3] {
        let mut stage = without_progress(28, |config| config.max_rounds = Some(most));
        assert_eq!(stage.run().await, Stopped::Ended(End::MaxRounds));
        assert_eq!(limits_set(&stage), [u64::from(most)]);
        assert_eq!(rounds(&stage), most as usize);
        assert_eq!(calls(&stage), 2 * most as usize);
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_that_gains_nothing_rests_after_twice_the_stall_threshold() {
    for (gaps, stall) in [(1, 2), (12, 3), (40, 4)] {
        let mut stage = without_progress(gaps, |_| {});
        let stopped = stage.run().await;
        assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
        assert_eq!(rounds(&stage), 2 * stall, "{gaps} gaps");
        assert_eq!(calls(&stage), 4 * stall, "{gaps} gaps");
        assert_eq!(limits_set(&stage).len(), 1, "no policy raises the limit");
        assert_eq!(stage.kinds(), ["inventory", "divergence", "divergence"]);
        let question = stage.pending("divergence");
        assert_eq!(question.policy_answer(), None);
        let why = format!(
            "**No option is recommended:** {} rounds in a row brought no gain, and no policy goes on from here.",
            2 * stall
        );
        assert!(question.context.contains(&why), "{}", question.context);
        // However often it is tried.
        stage.run().await;
        stage.kill();
        stage.run().await;
        assert_eq!(calls(&stage), 4 * stall);
    }
}

#[tokio::test(start_paused = true)]
async fn the_users_own_answer_raises_the_limit_and_lets_a_policy_go_on() {
    let mut stage = without_progress(1, |config| config.max_rounds = Some(5));
    stage.run().await;
    assert_eq!((rounds(&stage), limits_set(&stage)), (4, vec![5]));
    stage.tell("divergence", "accept", &[]).unwrap();
    // Counted from round 4: five more.
    assert_eq!(limits_set(&stage), [5, 9]);
    stage.run().await;
    assert_eq!(rounds(&stage), 8);
    stage.pending("divergence");
}

#[tokio::test(start_paused = true)]
async fn a_new_critical_gap_in_every_round_comes_to_a_rest_too() {
    let mut stage = without_progress(1, |_| {}).when(Role::Engineer, 0, 0, |request| {
        let round = request.task.round;
        let new = format!(
            "- GAP-SEC-{round:03} [CRITICAL]: nothing says who may call part {round} of it"
        );
        Ok(Some(engineer(request).replacen("None", &new, 1)))
    });
    let stopped = stage.run().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    assert_eq!((rounds(&stage), calls(&stage)), (4, 8));
    assert_eq!(limits_set(&stage), [10]);
}

/// Another failure in every attempt and in every round.
fn never_valid(request: &Request) -> Option<String> {
    match (request.task.round + request.task.attempt) % 3 {
        0 => Some(format!("nonsense {}", request.task.round)),
        1 => Some(" ".to_owned()),
        _ => None,
    }
}

const GAPS: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];

#[tokio::test(start_paused = true)]
async fn an_engineer_without_anything_valid_costs_nine_calls_however_it_fails() {
    let by_round: [fn(&Request) -> Option<String>; 2] = [never_valid, |request| {
        Some("x".repeat(request.task.round as usize - 1))
    }];
    for act in by_round {
        let mut stage = stage(&GAPS).when(Role::Engineer, 0, 0, move |r| Ok(act(r)));
        let stopped = stage.run().await;
        assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
        // Three attempts, three more with fresh context, and three in the second round.
        assert_eq!((rounds(&stage), calls(&stage)), (2, 9));
        stage.run().await;
        assert_eq!(calls(&stage), 9);
    }
    let mut stage = stage(&GAPS).when(Role::Engineer, 0, 0, |request| {
        Ok(Some("x".repeat(request.task.round as usize - 1)))
    });
    stage.run().await;
    let question = stage.pending("escalation");
    let why = "The Engineer had nothing valid in round 1 either. No option is recommended, and no policy goes on from here.";
    assert!(question.context.contains(why), "{}", question.context);
}

#[tokio::test(start_paused = true)]
async fn a_reviewer_without_anything_valid_costs_eight_calls() {
    let mut stage = stage(&GAPS).when(Role::Reviewer, 0, 0, |r| Ok(never_valid(r)));
    let stopped = stage.run().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let reviews = (1..=2).map(|round| stage.prompts(Role::Reviewer, round).len());
    assert_eq!(Vec::from_iter(reviews), [3, 3]);
    assert!(calls(&stage) <= 8, "{}", calls(&stage));
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_cannot_run_costs_three_calls() {
    let mut stage = stage(&GAPS).when(Role::Engineer, 0, 0, |_| could_not_run(None));
    stage.run().await;
    stage.pending("agent_cannot_run");
    assert_eq!(calls(&stage), 3);
}
