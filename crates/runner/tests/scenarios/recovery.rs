//! Every failure that a role can have: invalid, invalid, valid; and what the prompts, the log and the records say of it.

use gapless_agents::Request;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;

use crate::failures::{CASES, Case, against, on_unknown_gap};
use crate::stage::{Stage, bare_task, issue, with_config};

/// A session that comes to the round of a case, where its role fails so often.
fn failing(case: &Case, times: u32) -> Stage {
    let gaps = [("GAP-API-001", "HIGH", "")];
    let stage = with_config(&gaps, |met| {
        if case.role == Role::Analyst {
            met.agents.insert(Role::Analyst, "actor".to_owned());
        }
    });
    let upheld = |request: &Request| {
        Ok(Some(issue(
            &request.gaps[0],
            "High Priority",
            "ISSUE-R1-001",
        )))
    };
    let stage = match case.round {
        2 => stage.when(Role::Reviewer, 1, 0, upheld),
        3 => stage
            .when(Role::Reviewer, 1, 0, upheld)
            .when(Role::Engineer, 2, 0, |request| Ok(against(request)))
            .when(Role::Reviewer, 2, 0, upheld)
            .answer("conflict", "A", &[("rationale", "auditors ask")])
            .answer("divergence", "accept", &[]),
        _ => stage,
    };
    let writes = case.writes;
    (1..=times).fold(stage, |stage, attempt| {
        stage.when(case.role, case.round, attempt, move |request| {
            Ok(writes(request))
        })
    })
}

/// The failures of a kind of event, in order.
fn failures(stage: &Stage, event: &str) -> Vec<String> {
    let events = stage.events(event).into_iter();
    let failure = |event: serde_json::Value| match event["failure"].as_str() {
        Some(failure) => failure.to_owned(),
        None => event["exhaustion"]["failure"].as_str().unwrap().to_owned(),
    };
    events.map(failure).collect()
}

fn cause(case: &Case) -> &'static str {
    match case.role {
        Role::Engineer => "OUTPUT_FAILURE",
        _ => "-",
    }
}

#[tokio::test(start_paused = true)]
async fn invalid_invalid_valid() {
    for case in &CASES {
        let (role, failure) = (case.role, case.failure);
        let mut stage = failing(case, 2);
        assert_eq!(
            stage.run().await,
            Stopped::Ended(End::Complete),
            "{role} {failure}"
        );
        assert_eq!(
            failures(&stage, "task.rejected"),
            [failure, failure],
            "{role}"
        );
        assert_eq!(stage.events("task.exhausted").len(), 0, "{role} {failure}");

        let prompts = stage.prompts(role, case.round);
        assert_eq!(prompts.len(), 3, "{role} {failure}");
        assert!(prompts[0].starts_with("# Your task"), "{role} {failure}");
        for (retry, prompt) in [(1, &prompts[1]), (2, &prompts[2])] {
            let (own, task) = prompt
                .split_once("\n---\n\nThe task again:\n\n")
                .unwrap_or_else(|| panic!("{role} {failure}: {prompt}"));
            let head = format!(
                "# Attempt {}: your last document could not be used\n\nWhat was wrong ({failure}): ",
                retry + 1
            );
            assert!(own.starts_with(&head), "{role} {failure}: {own}");
            assert!(
                own.contains(&format!("\nThis is retry {retry} of 2.\n")),
                "{own}"
            );
            for words in case.says {
                assert!(
                    own.contains(words),
                    "{role} {failure}: no `{words}` in {own}"
                );
            }
            // The task as it was; an example of its own stands in for that of the first prompt.
            match own.contains("## An example\n") {
                true => assert_eq!(bare_task(task), bare_task(&prompts[0]), "{role} {failure}"),
                false => assert_eq!(task, prompts[0], "{role} {failure}"),
            }
            assert_eq!(
                own.contains("## An example\n"),
                failure != "FILE_MISSING",
                "{role} {failure}"
            );
        }

        let passed = format!(
            "SUCCESS | 3 | {failure} (passed on retry) | {} |",
            cause(case)
        );
        match role {
            Role::Engineer | Role::Reviewer => {
                let summary = stage.summary(case.round as usize);
                assert!(
                    summary.contains(&format!("| {role} | {passed}")),
                    "{summary}"
                );
                assert!(
                    summary.matches(&format!("| {failure} | ")).count() >= 2,
                    "{summary}"
                );
                let details: Vec<&str> = summary
                    .split(&format!("\n### {role} attempt "))
                    .skip(1)
                    .collect();
                assert_eq!(details.len(), 2, "{summary}");
                for (detail, outcome) in details.iter().zip([failure, "success"]) {
                    assert!(
                        detail.contains(&format!("- **Failure type:** {failure}\n")),
                        "{detail}"
                    );
                    assert!(
                        detail.contains(&format!("- **Outcome:** {outcome}\n")),
                        "{detail}"
                    );
                }
            }
            Role::Analyst | Role::Editor | Role::FinalReviewer => {}
        }
        let files = stage.attempt_files();
        let results = files.keys().filter(|path| path.ends_with(".result.json"));
        assert_eq!(results.count(), 3, "{role} {failure}");
    }
}

#[tokio::test(start_paused = true)]
async fn invalid_to_the_end_is_put_to_the_user_and_status_says_so() {
    for case in &CASES {
        let (role, failure) = (case.role, case.failure);
        let mut stage = failing(case, 3).answer("inventory", "begin", &[]);
        let stopped = stage.run_strictly().await;
        assert!(
            matches!(stopped, Stopped::Waiting(_)),
            "{role} {failure}: {stopped:?}"
        );
        assert_eq!(
            failures(&stage, "task.rejected"),
            [failure, failure],
            "{role}"
        );
        assert_eq!(failures(&stage, "task.exhausted"), [failure], "{role}");
        let question = stage.pending("escalation");
        assert!(
            question
                .title
                .ends_with(&format!("the {role} has nothing valid after 3 attempts")),
            "{}",
            question.title
        );
        assert_eq!(
            question.context.matches(&format!(": {failure}: ")).count(),
            3,
            "{}",
            question.context
        );
        assert!(
            question
                .context
                .contains(&format!("\nLast failure: {failure}\n")),
            "{}",
            question.context
        );
        let name = format!(
            "\n\n    gapless show {} --attempt {}-3 --session stage",
            case.round,
            role.stem()
        );
        assert!(question.context.contains(&name), "{}", question.context);
        let status = stage.status();
        let row = format!(
            "| {role} | MAX_RETRIES_EXHAUSTED | 3 | {failure} | {} |",
            cause(case)
        );
        assert!(status.contains(&row), "{status}");
        assert!(status.contains(" (escalation): "), "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn max_retries_bound_the_attempts() {
    for max_retries in [0, 1, 5] {
        let mut stage = with_config(&[("GAP-API-001", "HIGH", "")], |met| {
            met.config.max_retries = max_retries;
        })
        .writes(Role::Engineer, 1, 0, "nonsense")
        .answer("inventory", "begin", &[]);
        stage.run_strictly().await;
        let tries = max_retries as usize + 1;
        assert_eq!(stage.prompts(Role::Engineer, 1).len(), tries);
        let title = stage.pending("escalation").title;
        let words = match tries {
            1 => "after its attempt".to_owned(),
            tries => format!("after {tries} attempts"),
        };
        assert!(title.ends_with(&words), "{title}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_round_with_retries_is_recorded_so_that_it_can_be_read() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = with_config(&gaps, |_| {})
        .writes(Role::Engineer, 1, 1, "nonsense")
        .when(Role::Engineer, 1, 2, |_| crate::stage::could_not_run(None))
        .when(Role::Engineer, 1, 3, |request| Ok(on_unknown_gap(request)))
        .when(Role::Reviewer, 1, 1, |request| {
            Ok(Some(
                request
                    .gaps
                    .iter()
                    .map(|gap| format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\n"))
                    .collect(),
            ))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!(stage.summary(1));
}
