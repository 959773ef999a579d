//! Agents that take over from one that cannot run, before anybody is asked.

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::stage::{Stage, with_config};

const GAPS: [(&str, &str, &str); 1] = [("GAP-API-001", "HIGH", "")];

fn with_fallback(fallback: &[&str]) -> Stage {
    with_config(&GAPS, |met| {
        met.fallback = fallback.iter().map(|agent| (*agent).to_owned()).collect();
    })
    .answer("inventory", "begin", &[])
}

/// Who had each attempt of a role, in order.
fn had(stage: &Stage, role: &str) -> Vec<String> {
    let started = stage.events("task.started");
    started
        .iter()
        .filter(|event| event["task"]["id"]["slot"]["role"] == role)
        .map(|event| event["task"]["agent"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_next_agent_takes_over_after_three_tries_and_stays() {
    let mut stage = with_fallback(&["second", "third"]);
    stage.broken(&["actor"]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    assert_eq!(
        had(&stage, "engineer"),
        ["actor", "actor", "actor", "second"]
    );
    // Each role finds out for itself.
    assert_eq!(
        had(&stage, "reviewer"),
        ["actor", "actor", "actor", "second"]
    );
    let changed = stage.events("session.agent_changed");
    assert_eq!(changed[0]["agent"], "second");
    assert_eq!(changed[0]["instead_of"], "actor");
    assert_eq!(stage.state().kept.setup.agents[&Role::Engineer], "second");
}

#[tokio::test(start_paused = true)]
async fn when_nobody_on_the_list_can_run_the_user_is_asked_once() {
    let mut stage = with_fallback(&["second", "actor", "second", "third"]);
    stage.broken(&["actor", "second", "third"]);
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    let each = |agents: &[&str]| -> Vec<String> {
        let agents = agents.iter();
        agents
            .flat_map(|agent| vec![(*agent).to_owned(); 3])
            .collect()
    };
    assert_eq!(had(&stage, "engineer"), each(&["actor", "second", "third"]));
    let question = stage.pending("agent_cannot_run");
    assert!(question.context.contains("`third`"), "{}", question.context);

    // More tries are the last agent's, and the list is not gone through again.
    stage.tell("agent_cannot_run", "again", &[]).unwrap();
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    assert_eq!(had(&stage, "engineer").len(), 12);
    stage
        .tell("agent_cannot_run", "another", &[("agent", "fourth")])
        .unwrap();
    stage.broken(&[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let engineer = had(&stage, "engineer");
    assert_eq!(engineer.last().map(String::as_str), Some("fourth"));
    let by_user = stage.events("session.agent_changed");
    assert!(by_user.last().unwrap().get("instead_of").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_task_beside_it_goes_to_the_agent_that_took_over() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-WEB-001", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| {
        met.config.parallel_engineers = 2;
        met.fallback = vec!["second".to_owned()];
    })
    .answer("inventory", "begin", &[]);
    stage.broken(&["actor"]);
    assert_eq!(stage.run_strictly().await, Stopped::Ended(End::Complete));
    let changed = stage.events("session.agent_changed");
    let engineers = changed.iter().filter(|event| event["role"] == "engineer");
    assert_eq!(engineers.count(), 1);
    let engineer = had(&stage, "engineer");
    assert_eq!(
        engineer.iter().filter(|agent| *agent == "second").count(),
        2
    );
}

#[tokio::test(start_paused = true)]
async fn invalid_documents_are_no_reason_to_change_the_agent() {
    let mut stage = with_fallback(&["second"]).writes(Role::Engineer, 1, 0, "nonsense");
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    stage.pending("escalation");
    assert_eq!(had(&stage, "engineer"), ["actor", "actor", "actor"]);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_was_killed_meanwhile_goes_on_with_whom_it_had() {
    let mut stage = with_fallback(&["second"]);
    stage.broken(&["actor"]);
    stage.run_strictly().await;
    let before = stage.state().kept.setup.agents.clone();
    stage.kill();
    assert_eq!(stage.state().kept.setup.agents, before);
    assert_eq!(before[&Role::Engineer], "second");
}
