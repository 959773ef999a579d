//! Agents that are ended by a timeout after they wrote something: what is read of it, and what is kept.

use gapless_domain::phase::End;
use gapless_domain::task::{ExecutionErrorKind, Role};
use gapless_runner::Stopped;
use serde_json::Value;

use crate::stage::{Stage, gap_id, no_issues, resolution, stage, with_config};

use ExecutionErrorKind::{HardTimeout, IdleTimeout};

const GAPS: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
const LONG_AGO: u64 = 60_000;

fn proposals() -> String {
    GAPS.map(|(gap, _, _)| resolution(&gap_id(gap), "None"))
        .concat()
}

fn warnings(stage: &Stage) -> Vec<String> {
    let validated = stage.events("task.validated");
    let warnings = validated
        .iter()
        .flat_map(|event| event["warnings"].as_array().unwrap());
    warnings
        .map(|warning| warning["code"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_whole_document_of_a_timed_out_agent_is_taken_in_every_role() {
    let last =
        "## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Blocking Issues\n\nNone\n";
    let review = GAPS.map(|(gap, _, _)| no_issues(&gap_id(gap))).concat();
    for (role, text) in [
        (Role::Analyst, "**NO_GAPS_FOUND**".to_owned()),
        (Role::Engineer, proposals()),
        (Role::Reviewer, review),
        (Role::FinalReviewer, last.to_owned()),
    ] {
        for kind in [IdleTimeout, HardTimeout] {
            let mut stage = with_config(&GAPS, |met| {
                met.agents.insert(Role::Analyst, "actor".to_owned());
            })
            .times_out((role, 0, 0), kind, &text, LONG_AGO);
            assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
            assert_eq!(stage.events("task.failed").len(), 0, "{role}");
            assert_eq!(warnings(&stage), ["TIMED_OUT_DOCUMENT"], "{role}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_summary_says_that_the_agent_timed_out() {
    let mut stage =
        stage(&GAPS).times_out((Role::Engineer, 1, 1), IdleTimeout, &proposals(), LONG_AGO);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let summary = stage.summary(1);
    let warning = "- TIMED_OUT_DOCUMENT (Engineer): the agent was ended by its timeout after it had written a whole \
                   document\n";
    assert!(summary.contains(warning), "{summary}");
    assert!(
        summary.contains("| Engineer | SUCCESS | 1 | - | - |"),
        "{summary}"
    );
}

/// What is wrong with a document that is not taken, and the words that say so.
fn torn() -> Vec<(String, u64, &'static str)> {
    let whole = proposals();
    let first = resolution(&gap_id("GAP-API-001"), "None");
    let cut = |behind: &str| {
        let at = whole.rfind(behind).unwrap() + behind.len();
        whole[..at].to_owned()
    };
    vec![
        (whole.clone(), 3, "it was still being written"),
        (cut("Bursts are"), LONG_AGO, "it ends inside a sentence"),
        (cut("### Trade-offs"), LONG_AGO, "it ends with a heading"),
        (
            cut("gives 429."),
            LONG_AGO,
            "it has no Trade-offs part in its last section",
        ),
        (
            whole.clone() + "```json\n{\n",
            LONG_AGO,
            "a code fence never closes",
        ),
        (
            whole.clone() + "## Summary\n\n- both are done\n- the lim",
            LONG_AGO,
            "it ends inside a list item",
        ),
        (
            whole + "| Gap | Limit |\n|---|---|\n| GAP-API-001 |",
            LONG_AGO,
            "it ends inside a table",
        ),
        (first, LONG_AGO, "it leaves out GAP-API-002"),
        (
            "I will look at the limits first.\n".to_owned(),
            LONG_AGO,
            "it is not valid (WRONG_FORMAT)",
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_document_that_is_not_whole_is_kept_and_the_agent_is_asked_again() {
    for (text, unchanged, why) in torn() {
        let mut stage =
            stage(&GAPS).times_out((Role::Engineer, 1, 1), HardTimeout, &text, unchanged);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{why}");
        assert_eq!(stage.kinds(), ["inventory"], "{why}");
        let files = stage.attempt_files();
        assert_eq!(files["round_001/attempts/engineer-1.md"], text, "{why}");
        let result = &files["round_001/attempts/engineer-1.result.json"];
        let result: Value = serde_json::from_str(result).unwrap();
        assert_eq!(result["verdict"], "EXECUTION_ERROR", "{why}");
        let message =
            format!("it took too long (what it had written is kept, but was not read: {why})");
        assert_eq!(result["message"], message.as_str());
        assert_eq!(warnings(&stage), [""; 0], "{why}");
        let summary = stage.summary(1);
        let row = "| Engineer | SUCCESS | 2 | EXECUTION_ERROR (passed on retry) | - |";
        assert!(summary.contains(row), "{summary}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_breaks_off_spends_no_retry_and_is_never_the_best_attempt() {
    let torn = "## Gap Resolution: GAP-API-001\n\n### Proposed Solution\n\nThe limit is";
    let mut stage = with_config(&GAPS, |met| met.config.max_retries = 0)
        .times_out((Role::Engineer, 1, 1), IdleTimeout, torn, LONG_AGO)
        .writes(Role::Engineer, 1, 2, "nonsense")
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("escalation");
    assert!(
        question.options.iter().all(|option| option.label != "best"),
        "{question:?}"
    );

    let mut stage = stage_of_timeouts(torn);
    stage.run_strictly().await;
    let question = stage.pending("agent_cannot_run");
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 3);
    assert!(
        question.context.contains("it ends inside a sentence"),
        "{}",
        question.context
    );
    assert_eq!(
        stage.attempt_files()["round_001/attempts/engineer-3.md"],
        torn
    );
}

fn stage_of_timeouts(text: &str) -> Stage {
    stage(&GAPS)
        .times_out((Role::Engineer, 1, 0), IdleTimeout, text, LONG_AGO)
        .answer("inventory", "begin", &[])
}

#[tokio::test(start_paused = true)]
async fn what_an_agent_wrote_before_another_error_is_kept_and_never_read() {
    let text = proposals();
    let mut stage = stage(&GAPS).times_out(
        (Role::Engineer, 1, 1),
        ExecutionErrorKind::Provider,
        &text,
        LONG_AGO,
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.failed").len(), 1);
    assert_eq!(
        stage.attempt_files()["round_001/attempts/engineer-1.md"],
        text
    );
}
