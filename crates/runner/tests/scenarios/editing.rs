//! The Editor: what it works in before a final review, what of its work is not taken, and what undoes it.

use gapless_agents::Request;
use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::{ExecutionErrorKind, Role};
use gapless_markdown::Document;
use gapless_mediator::{GapCommand, UserInput};
use gapless_reading::read::declared_gaps;
use gapless_runner::Stopped;
use gapless_session::{State, apply};
use gapless_views::documents::of_moment;

use crate::stage::{Stage, failed, final_review, gap_id, on_source};
use crate::writing::{section, sections_of, well};

pub const SOURCE: &str = "\
# A service

## Limits

Every client has a limit, counted over 60 seconds with `token_bucket`.

- GAP-API-001 [HIGH]: the limit is not said

## Storage

Rows are kept in `clusters` of 3 nodes.

- GAP-STO-001 [HIGH]: how long rows are kept is not said

## Untouched

Nothing here changes in 7 days.
";

const SOLUTION: &str = "The limit is 100 per second; above it the answer is 429 with a Retry-After of whole seconds, and the request has no \
     effect.";

pub fn limits() -> String {
    format!(
        "## Limits\n\nEvery client has a limit, counted over 60 seconds with `token_bucket`. {SOLUTION} One request too many gives 429."
    )
}

pub fn storage() -> String {
    format!(
        "## Storage\n\nRows are kept in `clusters` of 3 nodes. {SOLUTION} One request too many gives 429."
    )
}

pub fn both(limits: &str, storage: &str) -> String {
    section("Limits", limits) + &section("Storage", storage)
}

/// A session with an Editor on two sections with a gap each.
fn edited() -> Stage {
    on_source(SOURCE.to_owned(), Vec::new(), |met| {
        met.agents.insert(Role::Editor, "actor".to_owned());
        met.config.gaps_per_round = 5;
    })
}

/// The same where the Editor always writes this.
pub fn always(text: String) -> Stage {
    edited().when(Role::Editor, 0, 0, move |_| Ok(Some(text.clone())))
}

#[track_caller]
fn assert_assembled(stage: &Stage, gap: &str) {
    let spec = stage.spec();
    assert!(spec.contains("Settled: see ["), "{spec}");
    assert!(traced(stage, gap).contains(&"insert"), "{spec}");
}

/// How a gap came into the refined spec.
fn traced(stage: &Stage, gap: &str) -> Vec<&'static str> {
    let refined = gapless_spec::refined(stage.state(), &stage.session.texts()).unwrap();
    let own = refined.trace.iter().filter(|one| one.gap == gap_id(gap));
    own.map(|one| one.change).collect()
}

/// What was not taken, as `title: why`.
pub fn not_taken(stage: &Stage) -> Vec<String> {
    let events = stage.events("round.edited");
    let lists = events
        .iter()
        .filter_map(|event| event["not_taken"].as_array());
    lists
        .flatten()
        .map(|one| {
            format!(
                "{}: {}",
                one["title"].as_str().unwrap(),
                one["why"].as_str().unwrap()
            )
        })
        .collect()
}

pub fn taken(stage: &Stage) -> Vec<Vec<String>> {
    let events = stage.events("round.edited");
    events
        .iter()
        .map(|event| {
            let taken = event["taken"].as_array().unwrap().iter();
            taken
                .map(|edit| edit["title"].as_str().unwrap().to_owned())
                .collect()
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn accepted_parts_are_worked_into_their_sections_before_the_final_review() {
    let mut stage = always(both(&limits(), &storage()));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = stage.spec();
    insta::assert_snapshot!(spec);
    assert_eq!(stage.prompts(Role::Editor, 1).len(), 1);
    assert_eq!(taken(&stage), [["Limits", "Storage"]]);
    assert!(not_taken(&stage).is_empty());
    let reviewed = &stage.prompts(Role::FinalReviewer, 1)[0];
    assert!(reviewed.contains(&spec), "{reviewed}");
    let status = stage.status();
    assert!(
        status.contains("- Limits: worked in: GAP-API-001\n"),
        "{status}"
    );
    assert!(status.contains("| Editor |"), "{status}");
    // A session on the refined spec has nothing of it to declare again.
    assert!(declared_gaps(&Document::parse(&spec)).is_empty());
    assert_eq!(traced(&stage, "GAP-API-001"), ["edit"]);
    let mut state = State::default();
    let mut editor = None;
    for logged in stage.log() {
        apply(&mut state, &logged.event);
        let document = of_moment(&state, &logged.event, &stage.session.texts()).unwrap();
        editor = editor.or(document.filter(|document| document.path == "round_001/editor.md"));
    }
    let editor = editor.map(|document| document.text);
    assert_eq!(
        editor.as_deref(),
        Some(both(&limits(), &storage()).as_str())
    );
}

#[tokio::test(start_paused = true)]
async fn the_prompt_has_sections_and_parts_and_the_form() {
    let mut stage = edited();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompt = &stage.prompts(Role::Editor, 1)[0];
    insta::assert_snapshot!(prompt);
    assert_eq!(taken(&stage), [["Limits", "Storage"]], "as they were");
}

#[tokio::test(start_paused = true)]
async fn what_is_lost_is_said_in_the_retry_and_the_third_attempt_is_taken() {
    let without_number = both(&limits().replace("100", "some"), &storage());
    let without_code = both(&limits(), &storage().replace("`clusters`", "groups"));
    let mut stage = always(both(&limits(), &storage()))
        .writes(Role::Editor, 1, 1, &without_number)
        .writes(Role::Editor, 1, 2, &without_code);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompts = stage.prompts(Role::Editor, 1);
    assert_eq!(prompts.len(), 3);
    assert!(
        prompts[1].contains("section `Limits`: it has lost the number 100"),
        "{}",
        prompts[1]
    );
    assert!(prompts[1].contains("Missing was: the number 100"));
    assert!(prompts[2].contains("section `Storage`: it has lost `clusters`"));
    assert_eq!(taken(&stage), [["Limits", "Storage"]]);
    let failures: Vec<_> = stage
        .events("task.rejected")
        .iter()
        .map(|event| event["failure"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(failures, ["WRONG_FORMAT", "WRONG_FORMAT"]);
}

#[tokio::test(start_paused = true)]
async fn with_no_retry_left_what_holds_is_taken_and_the_rest_is_assembled() {
    let mut stage = always(both(&limits().replace("429", "an error"), &storage()));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"], "nobody is asked");
    assert_eq!(taken(&stage), [["Storage"]]);
    assert_eq!(not_taken(&stage), ["Limits: it has lost the number 429"]);
    let spec = stage.spec();
    assert!(
        spec.contains(&storage().replace("## Storage\n\n", "")),
        "{spec}"
    );
    assert_assembled(&stage, "GAP-API-001");
    let status = stage.status();
    let said = "- Limits: as it is assembled; the Editor's version was not taken: it has lost the number 429\n";
    assert!(status.contains(said), "{status}");
    let summary = stage.events("task.exhausted");
    assert_eq!(summary[0]["exhaustion"]["because"], "invalid_output");
}

#[tokio::test(start_paused = true)]
async fn an_editor_that_cannot_run_holds_nothing_up() {
    let mut stage = edited().when(Role::Editor, 0, 0, |_| {
        failed(ExecutionErrorKind::Provider, "the provider is overloaded")
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    assert_eq!(stage.prompts(Role::Editor, 1).len(), 3, "it has its tries");
    assert_eq!(
        not_taken(&stage),
        [
            "Limits: the agent could not run: the provider is overloaded",
            "Storage: the agent could not run: the provider is overloaded",
        ]
    );
    assert_assembled(&stage, "GAP-API-001");
}

/// An Editor that does what it is asked, whatever it is given.
pub fn obedient(request: &Request) -> String {
    let text = well(request);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("- Settled: see ["));
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test(start_paused = true)]
async fn after_a_final_review_that_is_not_ready_only_what_changed_is_edited_again() {
    let mut stage = edited()
        .when(Role::Editor, 0, 0, |request| Ok(Some(obedient(request))))
        .when(Role::Engineer, 2, 0, |request| {
            let text = well(request);
            Ok(Some(text.replace("The limit is 100", "The limit is 250")))
        })
        .when(Role::FinalReviewer, 1, 0, |_| {
            Ok(Some(final_review(
                "NOT_READY",
                "- **ISSUE-R1-900**: GAP-API-001 says nothing of units",
            )))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        taken(&stage),
        [vec!["Limits", "Storage"], vec!["Limits"]],
        "{:?}",
        not_taken(&stage)
    );
    let second = &stage.prompts(Role::Editor, 2)[0];
    let names: Vec<String> = sections_of(second)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["Limits"]);
    let spec = stage.spec();
    assert!(spec.contains("The limit is 250"), "{spec}");
    assert!(!spec.contains("Settled: see"), "{spec}");
}

#[tokio::test(start_paused = true)]
async fn an_edit_stands_only_while_its_gaps_do() {
    let mut stage = edited()
        .when(Role::Editor, 0, 0, |request| Ok(Some(obedient(request))))
        .takes(Role::FinalReviewer, 0, 0, 5_000);
    stage.run_to_role(Role::FinalReviewer).await;
    let before = stage.spec();
    assert!(!before.contains("Settled: see ["), "{before}");
    let reopen = GapCommand::Reopen {
        gap: gap_id("GAP-API-001"),
        reason: "it is another limit".to_owned(),
    };
    stage.gap_command(reopen).unwrap();
    let spec = stage.spec();
    assert!(
        spec.contains("- GAP-API-001 [HIGH]: the limit is not said"),
        "{spec}"
    );
    assert_eq!(traced(&stage, "GAP-STO-001"), ["edit"], "the other stays");
    assert_eq!(stage.gap("GAP-API-001"), GapState::NeedsRevision);
}

#[tokio::test(start_paused = true)]
async fn a_gap_that_is_reopened_under_the_editor_is_worked_on_first() {
    let mut stage = edited()
        .when(Role::Editor, 0, 0, |request| Ok(Some(obedient(request))))
        .takes(Role::Editor, 0, 0, 5_000);
    stage.run_to_role(Role::Editor).await;
    for gap in ["GAP-API-001", "GAP-STO-001"] {
        let reopen = GapCommand::Reopen {
            gap: gap_id(gap),
            reason: "it is another limit".to_owned(),
        };
        stage.gap_command(reopen).unwrap();
    }
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.prompts(Role::FinalReviewer, 1).is_empty());
    assert_eq!(taken(&stage), [vec![], vec!["Limits", "Storage"]]);
}

#[tokio::test(start_paused = true)]
async fn a_rollback_undoes_what_was_edited() {
    let mut stage = edited()
        .when(Role::Editor, 0, 0, |request| Ok(Some(obedient(request))))
        .takes(Role::FinalReviewer, 0, 0, 5_000);
    stage.run_to_role(Role::FinalReviewer).await;
    assert_eq!(stage.state().now.edits.len(), 2);
    stage.roll_back(0, "it was another service").unwrap();
    assert!(stage.state().now.edits.is_empty());
    assert!(stage.spec().starts_with(SOURCE), "all is open again");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(taken(&stage).len(), 2);
    assert_eq!(traced(&stage, "GAP-API-001"), ["edit"]);
}

#[tokio::test(start_paused = true)]
async fn killed_under_the_editor_or_behind_it_the_session_goes_on_as_if_it_had_not_been() {
    let whole = {
        let mut stage = always(both(&limits(), &storage()));
        stage.run().await;
        stage.spec()
    };
    for role in [Role::Editor, Role::FinalReviewer] {
        let mut stage = always(both(&limits(), &storage())).takes(role, 0, 0, 60_000);
        stage.run_to_role(role).await;
        stage.kill();
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert_eq!(stage.spec(), whole);
        assert_eq!(taken(&stage), [["Limits", "Storage"]], "{role}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_user_stops_without_waiting_for_the_editor() {
    let mut stage = edited().takes(Role::Editor, 0, 0, 60_000);
    stage.run_to_role(Role::Editor).await;
    stage.say(UserInput::Stop).unwrap();
    stage.tell("stop", "accept", &[]).unwrap();
    assert_eq!(stage.state().kept.ended.unwrap().0, End::GoodEnough);
    assert!(stage.events("round.edited").is_empty());
    assert_assembled(&stage, "GAP-API-001");
}

#[tokio::test(start_paused = true)]
async fn sections_beyond_the_budget_are_left_to_the_assembling() {
    let mut stage = on_source(SOURCE.to_owned(), Vec::new(), |met| {
        met.agents.insert(Role::Editor, "actor".to_owned());
        met.config.gaps_per_round = 5;
        met.config.spec_tokens = Some(100);
    })
    .when(Role::Editor, 0, 0, |request| Ok(Some(obedient(request))));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(taken(&stage), [["Limits"]]);
    assert_eq!(
        not_taken(&stage),
        ["Storage: there was no room for it beside the others"]
    );
}
