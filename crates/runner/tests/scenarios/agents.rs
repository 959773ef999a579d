//! Agents that cannot run: their own tries and waits, the question after them, and tasks side by side.

use gapless_domain::phase::End;
use gapless_domain::task::{ExecutionErrorKind, Role};
use gapless_runner::Stopped;

use crate::stage::{
    could_not_run, engineer, failed, labels, resolution, stage, well, with_config, with_limits,
};
use crate::writing::ASKED_ABOUT;

#[tokio::test(start_paused = true)]
async fn two_execution_errors_then_success_spend_no_retry() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 1, |_| could_not_run(None))
        .when(Role::Engineer, 1, 2, |_| could_not_run(None))
        .writes(Role::Engineer, 1, 3, "nonsense")
        .writes(Role::Engineer, 1, 4, "nonsense");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    let failed = stage
        .log()
        .into_iter()
        .filter_map(|logged| match logged.event.what {
            gapless_session::event::Happening::Task(
                gapless_session::event::TaskEvent::Failed { wake_at, .. },
            ) => Some(wake_at.millis_since(logged.event.at)),
            _ => None,
        });
    let waits: Vec<u64> = failed.collect();
    assert!(
        (2_000..=2_200).contains(&waits[0]) && (8_000..=8_800).contains(&waits[1]),
        "{waits:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn agents_that_cannot_run_are_asked_about_in_every_role() {
    for role in ASKED_ABOUT {
        let gaps = [("GAP-API-001", "HIGH", "")];
        let build = || {
            with_config(&gaps, |met| {
                met.agents.insert(Role::Analyst, "actor".to_owned());
            })
            .when(role, 0, 0, |request| match request.task.attempt {
                1..=3 => could_not_run(None),
                _ => Ok(Some(well(request))),
            })
            .answer("inventory", "begin", &[])
        };
        let mut stage = build();
        let stopped = stage.run_strictly().await;
        assert!(
            matches!(stopped, Stopped::Waiting(_)),
            "{role}: {stopped:?}"
        );
        let question = stage.pending("agent_cannot_run");
        assert_eq!(labels(&question), ["again", "another", "pause"]);
        assert!(question.context.contains("the provider is overloaded"));
        let status = stage.status();
        assert!(
            status.contains(&format!(
                "| {role} | EXECUTION_ERROR | 3 | EXECUTION_ERROR | - |"
            )),
            "{status}"
        );
        stage.tell("agent_cannot_run", "again", &[]).unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
        assert_eq!(stage.events("session.agent_changed").len(), 0);

        let mut stage = build();
        stage.run_strictly().await;
        stage.refuses(
            "agent_cannot_run",
            "another",
            &[],
            "needs the field `agent`",
        );
        stage
            .tell("agent_cannot_run", "another", &[("agent", "cmd:other")])
            .unwrap();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{role}");
        assert_eq!(stage.state().kept.setup.agents[&role], "cmd:other");

        let mut stage = build();
        stage.run_strictly().await;
        stage.tell("agent_cannot_run", "pause", &[]).unwrap();
        assert_eq!(stage.run_strictly().await, Stopped::Paused);
        stage.kill();
        stage.say(gapless_mediator::UserInput::Resume).unwrap();
        stage.run_strictly().await;
        stage.pending("agent_cannot_run");
    }
}

#[tokio::test(start_paused = true)]
async fn not_running_and_invalid_outputs_are_counted_apart() {
    // Two errors, invalid, two errors, invalid, two errors, invalid: three invalid outputs are one try and two retries.
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 0, |request| {
            match request.task.attempt % 3 {
                0 => Ok(Some("nonsense".to_owned())),
                _ => could_not_run(None),
            }
        })
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 9);
    assert_eq!(stage.kinds(), ["inventory", "escalation"]);
    assert_eq!(stage.events("task.failed").len(), 6);
    // A retry that could not run is asked for again with the same text.
    let prompts = stage.prompts(Role::Engineer, 1);
    let failure = |prompt: &String| prompt.contains("What was wrong (WRONG_FORMAT)");
    assert_eq!(prompts.iter().filter(|prompt| failure(prompt)).count(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_grant_after_errors_gives_no_further_try_after_an_invalid_output() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 0, |request| match request.task.attempt {
            1..=3 => could_not_run(None),
            _ => Ok(Some("nonsense".to_owned())),
        })
        .answer("inventory", "begin", &[])
        .answer("agent_cannot_run", "again", &[]);
    stage.run_strictly().await;
    assert_eq!(
        stage.prompts(Role::Engineer, 1).len(),
        6,
        "three errors, one try and two retries"
    );
    stage.pending("escalation");
}

#[tokio::test(start_paused = true)]
async fn a_longer_retry_after_than_the_backoff_and_a_shorter_one_are_both_honoured() {
    for (asked, least, most) in [(90_000, 90, 91), (100, 0, 1)] {
        let mut stage =
            stage(&[("GAP-API-001", "HIGH", "")])
                .when(Role::Reviewer, 1, 1, move |_| could_not_run(Some(asked)));
        let started = tokio::time::Instant::now();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        let waited = started.elapsed().as_secs();
        assert!((least..=most).contains(&waited), "{waited}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_provider_is_waited_for_longer_than_ten_minutes() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 1, |_| {
        could_not_run(Some(24 * 60 * 60 * 1000))
    });
    let started = tokio::time::Instant::now();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let waited = started.elapsed().as_secs();
    assert!((600..=601).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_refused_request_is_asked_about_at_once() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Engineer, 1, 1, |_| {
            failed(ExecutionErrorKind::Refused, "the key is refused")
        })
        .answer("inventory", "begin", &[])
        .answer("agent_cannot_run", "again", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds()[..2], ["inventory", "agent_cannot_run"]);
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 2);
    assert!(stage.events("task.failed").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_is_too_long_is_followed_by_shorter_ones_and_then_by_a_question() {
    const LONGEST: usize = 7_000;
    let long =
        "A paragraph of the section that says much and decides nothing at all.\n\n".repeat(300);
    let picky = |longest: usize| {
        move |request: &gapless_agents::Request| match request.prompt.len() > longest {
            true => failed(ExecutionErrorKind::PromptTooLong, "prompt is too long"),
            false => Ok(Some(engineer(request))),
        }
    };
    let gaps = [("GAP-API-001", "HIGH", "")];
    let mut stage = with_limits(&long, &gaps, |_| {}).when(Role::Engineer, 1, 0, picky(LONGEST));
    let started = tokio::time::Instant::now();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(started.elapsed().as_secs() < 2, "nothing is waited for");
    let prompts = stage.prompts(Role::Engineer, 1);
    let lengths: Vec<usize> = prompts.iter().map(String::len).collect();
    assert!(
        lengths.len() > 1 && lengths.is_sorted_by(|a, b| a > b),
        "{lengths:?}"
    );
    assert!(
        lengths.last().is_some_and(|last| *last <= LONGEST),
        "{lengths:?}"
    );
    assert!(!prompts[0].contains("too long for you"));
    assert!(prompts[1].contains("a part of 1/2 of the usual length"));
    assert!(
        stage
            .summary(1)
            .contains("prompt is too long; the next prompt has ")
    );

    // A review gets less of the spec, but all of what it is to judge.
    let mut stage = with_limits(&long, &gaps, |_| {}).when(Role::Reviewer, 1, 0, move |request| {
        match request.prompt.len() > LONGEST {
            true => failed(ExecutionErrorKind::PromptTooLong, "prompt is too long"),
            false => Ok(Some(well(request))),
        }
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompts = stage.prompts(Role::Reviewer, 1);
    assert!(prompts.len() > 1);
    let proposal = resolution(&"GAP-API-001".parse().unwrap(), "None");
    for prompt in &prompts {
        assert!(prompt.contains(proposal.trim()), "{prompt}");
    }

    // Nothing is left to cut: the user is asked like about any other agent that cannot run.
    let mut stage = with_limits(&long, &gaps, |_| {})
        .when(Role::Engineer, 1, 0, picky(1))
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    assert_eq!(stage.kinds(), ["inventory", "agent_cannot_run"]);
    let lengths: Vec<usize> = stage
        .prompts(Role::Engineer, 1)
        .iter()
        .map(String::len)
        .collect();
    assert!((2..=5).contains(&lengths.len()), "{lengths:?}");
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
}

const PAIR: [(&str, &str, &str); 2] = [("GAP-API-001", "HIGH", ""), ("GAP-DB-001", "HIGH", "")];

#[tokio::test(start_paused = true)]
async fn a_parallel_task_that_cannot_run_leaves_its_gaps_and_the_summary_says_so() {
    let mut stage = with_config(&PAIR, |met| met.config.parallel_engineers = 2).when(
        Role::Engineer,
        1,
        0,
        |request| match request.task.slot.index {
            1 => could_not_run(None),
            _ => Ok(Some(engineer(request))),
        },
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    let summary = stage.summary(1);
    assert!(
        summary.contains("| Engineer | PARTIAL (1 of 2 tasks) | 4 | EXECUTION_ERROR | - |"),
        "{summary}"
    );
    assert!(
        summary.contains("| GAP-DB-001 | HIGH | OPEN |"),
        "{summary}"
    );
}

#[tokio::test(start_paused = true)]
async fn parallel_tasks_that_cannot_run_are_asked_about_once_and_all_run_again() {
    for option in ["again", "another"] {
        let mut stage = with_config(&PAIR, |met| met.config.parallel_engineers = 2).when(
            Role::Engineer,
            1,
            0,
            |request| match request.task.attempt {
                1..=3 => could_not_run(None),
                _ => Ok(Some(engineer(request))),
            },
        );
        let fields: &[(&str, &str)] = match option {
            "another" => &[("agent", "cmd:other")],
            _ => &[],
        };
        stage = stage.answer("agent_cannot_run", option, fields);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.kinds(), ["inventory", "agent_cannot_run"]);
        assert_eq!(stage.events("round.began").len(), 1);
        let summary = stage.summary(1);
        assert!(summary.contains("| Engineer | SUCCESS | 8 |"), "{summary}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_parallel_task_has_retries_of_its_own() {
    let mut stage = with_config(&PAIR, |met| met.config.parallel_engineers = 2).when(
        Role::Engineer,
        1,
        0,
        |request| {
            let (slot, attempt) = (request.task.slot.index, request.task.attempt);
            Ok(match (slot, attempt) {
                (0, 1 | 2) => Some("nonsense".to_owned()),
                (1, 1 | 2) => None,
                _ => Some(engineer(request)),
            })
        },
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    let summary = stage.summary(1);
    assert!(summary.contains("| Engineer | SUCCESS | 6 |"), "{summary}");
    assert!(
        summary.contains("\n### Engineer attempt 3 on GAP-DB-001 ("),
        "{summary}"
    );
    let prompts = stage.prompts(Role::Engineer, 1);
    let of = |words: &str| {
        prompts
            .iter()
            .filter(|prompt| prompt.contains(words))
            .count()
    };
    assert_eq!((of("(WRONG_FORMAT)"), of("(FILE_MISSING)")), (2, 2));
}
