//! What comes back from agents and is not the document, or not all of it: reasoning, talk behind the document, a document
//! that was cut, copies of the prompt.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;
use serde_json::Value;

use crate::stage::{Stage, engineer, stage};

const GAPS: [(&str, &str, &str); 2] =
    [("GAP-API-001", "MEDIUM", ""), ("GAP-API-002", "MEDIUM", "")];

fn proposal(gap: &str, limit: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nThe limit of {gap} is {limit} requests for \
         each key and second.\n\n### Trade-offs\n\n- For: it is simple.\n\n### New Gaps Introduced\n\nNone\n\n"
    )
}

fn review(gap: &str) -> String {
    format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the unit of the limit\n\n")
}

/// The warnings of the first attempt of a role in round 1 that was valid.
fn warnings(stage: &Stage, role: &str) -> Vec<Value> {
    let events = stage.events("task.validated");
    let own = |event: &&Value| event["task"].to_string().contains(role);
    let event = events.iter().find(own).unwrap();
    event["warnings"].as_array().unwrap().clone()
}

fn codes(warnings: &[Value]) -> Vec<&str> {
    let codes = warnings.iter().map(|warning| warning["code"].as_str());
    codes.map(|code| code.unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_draft_in_reasoning_never_reaches_the_spec() {
    let draft = proposal("GAP-API-001", "ninety-nine");
    for open in ["<think>\n", ""] {
        let mut stage = stage(&GAPS[..1]).when(Role::Engineer, 1, 1, {
            let draft = draft.clone();
            move |request| {
                Ok(Some(format!(
                    "{open}{draft}\nNo.\n</think>\n\n{}",
                    engineer(request)
                )))
            }
        });
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        assert!(!stage.spec().contains("ninety-nine"));
        let documents = stage.documents();
        assert!(
            !documents["round_001/engineer.md"].contains("think"),
            "{documents:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn talk_behind_the_document_is_not_the_document() {
    let document = proposal("GAP-API-001", "ten");
    let mut stage = stage(&GAPS[..1])
        .writes(Role::Engineer, 1, 1, "Done.")
        .says_before(Role::Engineer, 1, 1, &["I look first.", &document]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.spec().contains("ten requests"));
    assert!(!stage.spec().contains("Done"));
    let said = warnings(&stage, "engineer");
    assert_eq!(codes(&said)[0], "EARLIER_MESSAGE_READ");
    assert!(
        said[0]["message"].as_str().unwrap().ends_with("Done."),
        "{said:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_document_in_two_messages_is_one_and_a_last_one_that_is_valid_stands_alone() {
    let document = proposal("GAP-API-001", "ten");
    let (head, tail) = document.split_once("### Trade-offs").unwrap();
    let mut stage = stage(&GAPS[..1])
        .writes(Role::Engineer, 1, 1, &format!("### Trade-offs{tail}"))
        .says_before(
            Role::Engineer,
            1,
            1,
            &["## Gap Resolution: GAP-API-001", head],
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.spec().contains("ten requests"));

    let draft = proposal("GAP-API-001", "ninety-nine");
    let mut stage = self::stage(&GAPS[..1])
        .writes(Role::Engineer, 1, 1, &document)
        .says_before(Role::Engineer, 1, 1, &[&draft]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.spec().contains("ten requests") && !stage.spec().contains("ninety-nine"));
}

#[tokio::test(start_paused = true)]
async fn a_document_with_a_gap_in_each_message_is_one_and_no_older_draft_comes_in() {
    let (first, second) = (
        proposal("GAP-API-001", "ten"),
        proposal("GAP-API-002", "six"),
    );
    let mut stage = stage(&GAPS)
        .writes(Role::Engineer, 1, 1, &second)
        .says_before(Role::Engineer, 1, 1, &["I look first.", &first]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 1);
    assert!(stage.spec().contains("ten requests") && stage.spec().contains("six requests"));

    let draft = first.replace("ten", "ninety-nine") + &second;
    let mut stage = self::stage(&GAPS)
        .writes(Role::Engineer, 1, 1, &second)
        .says_before(Role::Engineer, 1, 1, &[&draft]);
    stage.run_to_round(2).await;
    assert!(!stage.spec().contains("ninety-nine"), "{}", stage.spec());
}

#[tokio::test(start_paused = true)]
async fn a_failure_speaks_of_the_message_that_has_a_document() {
    let wrong = proposal("GAP-API-009", "ten");
    let mut stage = stage(&GAPS[..1])
        .writes(Role::Engineer, 1, 1, "Done.")
        .says_before(Role::Engineer, 1, 1, &[&wrong]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = &stage.events("task.rejected")[0];
    assert_eq!(rejected["failure"], "INCONSISTENT_REFS");
}

#[tokio::test(start_paused = true)]
async fn a_cut_document_is_taken_without_its_last_section() {
    let whole = proposal("GAP-API-001", "ten") + &proposal("GAP-API-002", "ninety-nine");
    let mut stage = stage(&GAPS)
        .writes(Role::Engineer, 1, 1, &whole)
        .cut(Role::Engineer, 1, 1);
    stage.run_to_round(2).await;
    let states = GAPS.map(|(id, ..)| stage.gap(id));
    assert_eq!(states[0], GapState::Accepted);
    assert!(
        matches!(states[1], GapState::Open | GapState::InProgress),
        "{states:?}"
    );
    let said = warnings(&stage, "engineer");
    assert_eq!(
        codes(&said)[..2],
        ["OUTPUT_TRUNCATED", "LAST_SECTION_LEFT_OUT"]
    );
    let message = said[1]["message"].as_str().unwrap();
    assert!(
        message.ends_with("without a whole section: GAP-API-002"),
        "{message}"
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(!stage.spec().contains("ninety-nine"));
}

#[tokio::test(start_paused = true)]
async fn a_gap_whose_review_was_cut_stays_proposed() {
    let mut stage = stage(&GAPS)
        .writes(
            Role::Reviewer,
            1,
            1,
            &(review("GAP-API-001") + &review("GAP-API-002")),
        )
        .cut(Role::Reviewer, 1, 1);
    stage.run_to_round(2).await;
    let states = GAPS.map(|(id, ..)| stage.gap(id));
    assert_eq!(states, [GapState::Accepted, GapState::Proposed]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_cut_leaves_its_issue_open() {
    let issue = "### High Priority\n\n- **ISSUE-R1-001**: The colour of the button is not said.\n";
    let raised = format!("## Review: GAP-API-001\n\n{issue}");
    let answered = proposal("GAP-API-001", "ten")
        + "## Response to ISSUE-R1-001\n\nThe colour of the button is green now, as Proposed Solution says.\n";
    let mut stage = stage(&GAPS[..1])
        .writes(Role::Reviewer, 1, 1, &raised)
        .writes(Role::Engineer, 2, 1, &answered)
        .cut(Role::Engineer, 2, 1);
    stage.run_to_round(2).await;
    stage.run_to_role(Role::Reviewer).await;
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Open);
}

#[tokio::test(start_paused = true)]
async fn where_nothing_whole_is_left_the_retry_asks_for_less() {
    let mut stage = stage(&GAPS)
        .writes(Role::Engineer, 1, 1, &proposal("GAP-API-001", "ten"))
        .cut(Role::Engineer, 1, 1);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry.contains("its end is missing")
            && retry.contains("much shorter")
            && retry
                .contains("Do fewer gaps rather than leave one unfinished: begin with GAP-API-001"),
        "{retry}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_copies_its_prompt_is_told_what_to_replace() {
    let copied = "## Gap Resolution: GAP-API-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n#### Title of the part\n\n\
                  ### Trade-offs\n\n- For: what this gains, two points or more\n\n### New Gaps Introduced\n\n\
                  - GAP-CATEGORY-001 [MEDIUM] (section: Title): one line      (or: None)\n";
    let mut stage = stage(&GAPS[..1]).writes(Role::Engineer, 1, 1, copied);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().now.gaps.len(), 1);
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry
            .contains("to be replaced by words of your own: `#### Title of the part` (and 2 more)"),
        "{retry}"
    );
    assert!(!stage.spec().contains("Title of the part"));
}

#[tokio::test(start_paused = true)]
async fn an_example_that_is_handed_in_is_no_proposal_and_no_review() {
    let example = |role: Role| {
        let text = gapless_mediator::examples::canonical(role, "");
        ["GAP-LOCKER-001", "GAP-LOCKER-002"]
            .iter()
            .zip(["GAP-API-001", "GAP-API-002"])
            .fold(text.to_owned(), |text, (theirs, ours)| {
                text.replace(theirs, ours)
            })
    };
    let mut stage = stage(&GAPS)
        .writes(Role::Engineer, 1, 1, &example(Role::Engineer))
        .writes(Role::Reviewer, 1, 1, &example(Role::Reviewer));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = stage.events("task.rejected");
    assert_eq!(rejected.len(), 2, "{rejected:?}");
    for event in rejected {
        assert_eq!(event["facts"]["form"]["fault"], "echo", "{event}");
    }
    assert_eq!(stage.state().now.gaps.len(), 2, "no gap of the example");
    assert!(
        stage.state().now.issues.is_empty(),
        "no issue of the example"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_worked_on_is_no_new_gap() {
    let mut stage = stage(&GAPS[..1]).when(Role::Engineer, 1, 1, |request| {
        let description = "- GAP-API-001 [MEDIUM]: ";
        let (_, behind) = request
            .prompt
            .split_once("### GAP-API-001 [MEDIUM]")
            .unwrap();
        let words = behind.lines().find(|line| !line.trim().is_empty()).unwrap();
        let text = engineer(request);
        let (head, tail) = text.split_once("### New Gaps Introduced\n\nNone").unwrap();
        Ok(Some(format!(
            "{head}### New Gaps Introduced\n\n{}{words}\n{tail}",
            description.replace("001", "007")
        )))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().now.gaps.len(), 1);
    let said = warnings(&stage, "engineer");
    assert!(codes(&said).contains(&"REPEATS_KNOWN"), "{said:?}");
}

const RAISED: &str =
    "### High Priority\n\n- **ISSUE-R1-001**: The colour of the button is not said.\n\n";

#[tokio::test(start_paused = true)]
async fn an_issue_in_a_message_behind_the_review_is_raised() {
    let mut stage = stage(&GAPS[..1])
        .writes(Role::Reviewer, 1, 1, RAISED)
        .says_before(Role::Reviewer, 1, 1, &[&review("GAP-API-001")]);
    stage.run_to_round(2).await;
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Open);
    assert_ne!(stage.gap("GAP-API-001"), GapState::Accepted);
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_a_message_behind_the_proposal_counts() {
    let answer = "## Response to ISSUE-R1-001\n\nThe colour of the button is green now, as Proposed Solution says.\n";
    let mut stage = stage(&GAPS[..1])
        .writes(
            Role::Reviewer,
            1,
            1,
            &format!("## Review: GAP-API-001\n\n{RAISED}"),
        )
        .writes(Role::Engineer, 2, 1, answer)
        .says_before(
            Role::Engineer,
            2,
            1,
            &[
                &proposal("GAP-API-001", "ninety-nine"),
                &proposal("GAP-API-001", "ten green buttons, and"),
            ],
        );
    stage.run_to_round(2).await;
    stage.run_to_role(Role::Reviewer).await;
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Answered);
    let shown = &stage.prompts(Role::Reviewer, 2)[0];
    assert!(shown.contains("ten green buttons") && !shown.contains("ninety-nine"));
}

#[tokio::test(start_paused = true)]
async fn an_earlier_version_never_stands_in_for_a_later_one_that_is_wrong() {
    let wrong = format!(
        "## Review: GAP-API-001\n\n{RAISED}{}",
        review("GAP-API-009")
    );
    let mut stage = stage(&GAPS[..1])
        .writes(Role::Reviewer, 1, 1, &wrong)
        .says_before(Role::Reviewer, 1, 1, &[&review("GAP-API-001")]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = &stage.events("task.rejected")[0];
    assert_eq!(rejected["failure"], "INCONSISTENT_REFS");
}

#[tokio::test(start_paused = true)]
async fn an_issue_that_is_passed_on_to_a_new_gap_is_not_lost() {
    let passed = proposal("GAP-API-001", "ten").replace(
        "\n\nNone\n",
        "\n\n- GAP-API-007 [HIGH]: The colour of the button is not said.\n",
    ) + "## Response to ISSUE-R1-001\n\nThe colour of the button belongs to a page of its own, so it is the new gap \
         GAP-API-007 and nothing changes here.\n";
    let mut stage = stage(&GAPS[..1])
        .writes(
            Role::Reviewer,
            1,
            1,
            &format!("## Review: GAP-API-001\n\n{RAISED}"),
        )
        .writes(Role::Engineer, 2, 1, &passed)
        .writes(Role::Reviewer, 2, 1, &review("GAP-API-001"));
    stage.run_to_round(3).await;
    let stands = stage.issue("ISSUE-R1-001").stands();
    let listed = stage.state().now.gaps.len() == 2;
    assert!(
        stands || listed,
        "the concern is neither an issue nor a gap"
    );
}
