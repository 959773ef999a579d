//! The record of attempts: which leave files, how these are called, and what is in them.

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;
use serde_json::Value;

use crate::stage::{Stage, could_not_run, engineer, stage, with_config, with_one_mark};

const FOLDER: &str = "round_001/attempts/";

/// The names of a session's attempt files.
fn names(stage: &Stage) -> Vec<String> {
    let files = stage.attempt_files();
    files
        .keys()
        .map(|path| path.strip_prefix(FOLDER).unwrap().to_owned())
        .collect()
}

fn result(stage: &Stage, name: &str) -> Value {
    let files = stage.attempt_files();
    serde_json::from_str(&files[&format!("{FOLDER}{name}.result.json")]).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_session_that_needs_no_retry_leaves_no_attempts() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(names(&stage), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_retried_slot_leaves_all_of_its_attempts_and_the_others_none() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(Role::Engineer, 1, 1, "nonsense")
        .when(Role::Engineer, 1, 2, |_| could_not_run(None))
        .when(Role::Engineer, 1, 3, |_| Ok(None))
        .when(Role::Engineer, 1, 4, |request| {
            Ok(Some(format!(
                "Here it is:\n\n```markdown\n{}```\n",
                engineer(request)
            )))
        });
    // The fourth is one more than the retries, since not running spends none.
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        names(&stage),
        [
            "engineer-1.md",
            "engineer-1.prompt.md",
            "engineer-1.result.json",
            "engineer-2.prompt.md",
            "engineer-2.result.json",
            "engineer-3.prompt.md",
            "engineer-3.result.json",
            "engineer-4.md",
            "engineer-4.prompt.md",
            "engineer-4.result.json",
        ]
    );
    let files = stage.attempt_files();
    let text = |name: &str| files[&format!("{FOLDER}{name}")].as_str();
    assert_eq!(text("engineer-1.md"), "nonsense");
    assert!(
        text("engineer-4.md").starts_with("Here it is:\n"),
        "as the agent wrote it"
    );
    assert_eq!(
        ["1", "2", "3", "4"]
            .map(|n| with_one_mark(text(&format!("engineer-{n}.prompt.md"))))
            .as_slice(),
        stage.prompts(Role::Engineer, 1)
    );

    let first = result(&stage, "engineer-1");
    for (key, value) in [
        ("verdict", "WRONG_FORMAT".into()),
        ("failure_type", "WRONG_FORMAT".into()),
        ("agent", "actor".into()),
        ("gaps", Value::from(vec!["GAP-API-001"])),
        ("attempt", 1.into()),
    ] {
        assert_eq!(first[key], value, "{key}");
    }
    assert!(!first["message"].as_str().unwrap().is_empty());
    assert_eq!(first["usage"]["millis"], 10);
    assert_eq!(first["started_at"], "1970-01-01T00:00:01Z");
    let second = result(&stage, "engineer-2");
    assert_eq!(
        (
            &second["verdict"],
            &second["failure_type"],
            &second["message"]
        ),
        (
            &"EXECUTION_ERROR".into(),
            &Value::Null,
            &"the provider is overloaded".into()
        )
    );
    assert_eq!(result(&stage, "engineer-3")["verdict"], "FILE_MISSING");
    let fourth = result(&stage, "engineer-4");
    assert_eq!(fourth["verdict"], "VALID");
    assert!(
        fourth["warnings"].to_string().contains("SALVAGED"),
        "{fourth}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_escalated_slot_leaves_its_attempts_and_a_granted_one_counts_on() {
    let mut stage = with_config(&[("GAP-API-001", "HIGH", "")], |met| {
        met.config.max_retries = 0
    })
    .writes(Role::Reviewer, 1, 1, "Looks good to me.")
    .answer("escalation", "context", &[("context", "use the form")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory", "escalation"]);
    assert_eq!(names(&stage).len(), 6);
    assert_eq!(result(&stage, "reviewer-1")["failure_type"], "WRONG_FORMAT");
    assert_eq!(result(&stage, "reviewer-2")["verdict"], "VALID");
}

#[tokio::test(start_paused = true)]
async fn parallel_attempts_go_by_their_gap_and_no_name_is_given_twice() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-DB-001", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| met.config.parallel_engineers = 2)
        .when(Role::Engineer, 1, 0, |request| {
            let (slot, attempt) = (request.task.slot.index, request.task.attempt);
            Ok(Some(match (slot, attempt) {
                (1 | 2, 1) => "nonsense".to_owned(),
                (1, 2) => format!("BLOCKED_NEEDS_INPUT: {} how long", request.gaps[0]),
                _ => engineer(request),
            }))
        })
        .answer("blocked_gap", "input", &[("input", "30 days")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let results: Vec<String> = names(&stage)
        .into_iter()
        .filter_map(|name| name.strip_suffix(".result.json").map(str::to_owned))
        .collect();
    // The slot that was opened once the input came goes on counting where the blocked one was.
    assert_eq!(
        results,
        [
            "engineer-GAP-DB-001-1",
            "engineer-GAP-DB-001-2",
            "engineer-GAP-DB-001-3",
            "engineer-GAP-DB-001-4"
        ]
    );
    let slots = |name: &str| {
        let result = result(&stage, name);
        (
            result["slot"].as_u64().unwrap(),
            result["attempt"].as_u64().unwrap(),
        )
    };
    assert_eq!(
        results.iter().map(|name| slots(name)).collect::<Vec<_>>(),
        [(1, 1), (1, 2), (2, 1), (2, 2)]
    );
}
