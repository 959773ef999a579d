//! What rounds do: planning, proposals, reviews, issues, retries.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::stage::{bare_task, engineer, gap_id, issue, no_issues, resolution, stage, with_config};

#[tokio::test(start_paused = true)]
async fn a_good_session_ends_complete_with_two_commits_a_round() {
    let gaps = [
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "LOW", "GAP-API-001"),
        ("GAP-API-003", "MEDIUM", ""),
    ];
    let mut stage = stage(&gaps);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    assert_eq!(stage.gap("GAP-API-001"), GapState::Resolved);
    assert_eq!(stage.gap("GAP-API-002"), GapState::Accepted);
    let planned: Vec<String> = stage
        .events("round.planned")
        .iter()
        .map(|e| e["assigned"].to_string())
        .collect();
    assert_eq!(
        planned,
        [r#"["GAP-API-001","GAP-API-003"]"#, r#"["GAP-API-002"]"#]
    );
    // The start up to the inventory; two for each of two rounds; the final review; the end.
    assert_eq!(stage.commits(), 1 + 2 * 2 + 1 + 1);
}

#[tokio::test(start_paused = true)]
async fn a_gap_sent_back_by_a_high_issue_comes_back_and_its_answer_closes_the_issue() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, |request| {
        Ok(Some(issue(
            &request.gaps[0],
            "High Priority",
            "ISSUE-R1-001",
        )))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let moves: Vec<String> = stage
        .events("gap.moved")
        .iter()
        .map(|e| e["to"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        moves,
        [
            "IN_PROGRESS",
            "PROPOSED",
            "NEEDS_REVISION",
            "IN_PROGRESS",
            "PROPOSED",
            "ACCEPTED"
        ]
    );
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Closed);
    let prompt = &stage.prompts(Role::Engineer, 2)[0];
    assert!(
        prompt.contains("ISSUE-R1-001 [HIGH] the limit is not justified."),
        "{prompt}"
    );
    assert!(
        prompt.contains("-----MARK last proposal for GAP-API-001\n"),
        "{prompt}"
    );
    let review = &stage.prompts(Role::Reviewer, 2)[0];
    assert!(
        review.contains("The Engineer's answer: Revision 2 has a table for it"),
        "{review}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_issue_raised_again_under_its_id_is_open_again() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
        })
        .when(Role::Reviewer, 2, 0, |r| {
            Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
        });
    stage.run().await;
    let moves: Vec<String> = stage
        .events("issue.moved")
        .iter()
        .map(|e| e["to"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(moves, ["ANSWERED", "OPEN", "ANSWERED", "CLOSED"]);
    assert_eq!(stage.events("issue.raised").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn medium_issues_do_not_hold_a_gap_and_become_limitations() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "Medium Priority", "ISSUE-R1-001")))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.issue("ISSUE-R1-001"), IssueState::Open);
    let spec = gapless_spec::assemble(stage.state(), &stage.session.texts()).unwrap();
    assert!(spec.contains("- The limit is not justified"), "{spec}");
}

#[tokio::test(start_paused = true)]
async fn a_malformed_output_is_asked_for_again_with_what_was_wrong() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .writes(
            Role::Engineer,
            1,
            1,
            "# My proposal\n\nIt goes like this:\n\n```\n## Gap Resolution: GAP-API-001\n```\n\n# The end\n\nAs above.",
        )
        .when(Role::Engineer, 1, 2, |_| Ok(None));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let failures: Vec<String> = stage
        .events("task.rejected")
        .iter()
        .map(|e| e["failure"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(failures, ["WRONG_FORMAT", "FILE_MISSING"]);
    let prompts = stage.prompts(Role::Engineer, 1);
    assert!(prompts[1].starts_with("# Attempt 2: your last document could not be used"));
    assert!(prompts[2].contains("(FILE_MISSING)"));
    assert!(
        prompts[2].contains(&prompts[0]),
        "the original prompt stands whole behind the retry's text"
    );
}

#[tokio::test(start_paused = true)]
async fn gaps_that_are_not_addressed_go_back_to_the_state_they_had() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")]).when(
        Role::Engineer,
        1,
        0,
        |r| Ok(Some(resolution(&r.gaps[0], "None"))),
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let returned: Vec<_> = stage
        .events("gap.moved")
        .into_iter()
        .filter(|e| e["by"] == "return")
        .collect();
    assert_eq!(returned.len(), 1);
    assert_eq!(
        (&returned[0]["id"], &returned[0]["to"]),
        (&"GAP-API-002".into(), &"OPEN".into())
    );
}

#[tokio::test(start_paused = true)]
async fn a_proposal_that_no_review_names_is_reviewed_in_the_next_round_and_not_proposed_again() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")]).when(
        Role::Reviewer,
        1,
        0,
        |r| Ok(Some(no_issues(&r.gaps[0]))),
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 0);
    assert!(stage.prompts(Role::Reviewer, 2)[0].contains("## Gap Resolution: GAP-API-002"));
}

#[tokio::test(start_paused = true)]
async fn new_gaps_are_created_at_the_join_and_a_used_id_gets_a_fresh_one() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")]).when(
        Role::Engineer,
        1,
        0,
        |request| {
            let new = "- GAP-API-001 [LOW]: something else entirely, about colours\n- GAP-UX-001: wording of errors";
            Ok(Some(request.gaps.iter().map(|gap| resolution(gap, new)).collect()))
        },
    );
    stage.run().await;
    let created = stage.state().now.gaps.get(&gap_id("GAP-API-003")).unwrap();
    assert_eq!(created.aliases[0].name, "GAP-API-001");
    assert_eq!(created.aliases[0].document, "round_001/engineer.md");
    assert_eq!(
        stage
            .state()
            .now
            .gaps
            .get(&gap_id("GAP-UX-001"))
            .unwrap()
            .severity,
        Severity::Medium
    );
    assert_eq!(
        stage.state().now.gaps.len(),
        4,
        "the second declaration of the same gap adds nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn an_issue_on_no_known_gap_creates_one() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, |request| {
        let text = issue(&request.gaps[0], "High Priority", "ISSUE-R1-001");
        Ok(Some(text.replace(
            "the limit is not justified",
            "GAP-NEW-404 is missing altogether",
        )))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.gap("GAP-REVIEW-001"), GapState::Accepted);
    assert_eq!(stage.gap("GAP-API-001"), GapState::Resolved);
}

#[tokio::test(start_paused = true)]
async fn a_native_issue_id_is_kept_as_an_alias() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "Low Priority / Nits", "NIT-004")))
    });
    stage.run().await;
    let raised = &stage.events("issue.raised")[0];
    assert_eq!(raised["id"], "ISSUE-R1-001");
    assert_eq!(raised["alias"]["name"], "NIT-004");
}

#[tokio::test(start_paused = true)]
async fn the_reviewer_raises_a_severity_but_not_against_the_users() {
    let raise = |request: &gapless_agents::Request| {
        let gap = &request.gaps[0];
        let review = format!("## Review: {gap}\n\n**Severity:** CRITICAL (was MEDIUM)\n\n");
        Ok(Some(
            no_issues(gap).replace(&format!("## Review: {gap}\n\n"), &review),
        ))
    };
    let mut raised = stage(&[("GAP-API-001", "MEDIUM", "")]).when(Role::Reviewer, 1, 0, raise);
    raised.run().await;
    assert_eq!(
        raised
            .state()
            .now
            .gaps
            .get(&gap_id("GAP-API-001"))
            .unwrap()
            .severity,
        Severity::Critical
    );

    let mut kept = stage(&[("GAP-API-001", "MEDIUM", "")]).when(Role::Reviewer, 1, 0, raise);
    kept.gap_command(GapCommand::Severity {
        gap: gap_id("GAP-API-001"),
        severity: Severity::Low,
        reason: "nobody asked".into(),
    })
    .unwrap();
    kept.run().await;
    assert_eq!(kept.kinds(), ["inventory", "severity"]);
    assert_eq!(
        kept.state()
            .now
            .gaps
            .get(&gap_id("GAP-API-001"))
            .unwrap()
            .severity,
        Severity::Low
    );
}

#[tokio::test(start_paused = true)]
async fn parallel_engineers_run_at_once_and_are_joined_in_gap_order() {
    let gaps = [
        ("GAP-API-001", "LOW", ""),
        ("GAP-API-002", "HIGH", ""),
        ("GAP-API-003", "MEDIUM", ""),
    ];
    let mut stage = with_config(&gaps, |met| met.config.parallel_engineers = 3);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.most_running(), 3);
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 3);
    let prompt = &stage.prompts(Role::Reviewer, 1)[0];
    let place = |id: &str| prompt.find(&format!("## Gap Resolution: {id}")).unwrap();
    assert!(
        place("GAP-API-002") < place("GAP-API-003") && place("GAP-API-003") < place("GAP-API-001")
    );
}

#[tokio::test(start_paused = true)]
async fn an_exhausted_parallel_task_gives_its_gaps_back_while_the_others_go_on() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| met.config.parallel_engineers = 2).when(
        Role::Engineer,
        1,
        0,
        |request| match request.task.slot.index {
            0 => Ok(Some("nonsense".into())),
            _ => Ok(Some(engineer(request))),
        },
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
    assert_eq!(stage.events("task.exhausted").len(), 1);
    assert_eq!(stage.prompts(Role::Engineer, 2).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_same_inputs_give_the_same_log() {
    async fn log() -> Vec<String> {
        let gaps = [
            ("GAP-API-001", "HIGH", ""),
            ("GAP-API-002", "LOW", "GAP-API-001"),
        ];
        let mut stage =
            stage(&gaps)
                .writes(Role::Engineer, 1, 1, "nonsense")
                .when(Role::Reviewer, 1, 0, |r| {
                    Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
                });
        stage.run().await;
        stage
            .log()
            .iter()
            .map(|logged| format!("{:?}", logged.event.what))
            .collect()
    }
    assert_eq!(log().await, log().await);
}

#[tokio::test(start_paused = true)]
async fn parallel_proposals_that_define_a_key_differently_are_put_to_the_reviewer() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| met.config.parallel_engineers = 2).when(
        Role::Engineer,
        1,
        0,
        |request| {
            let limit = 100 * (request.task.slot.index + 1);
            let text = resolution(&request.gaps[0], "None");
            Ok(Some(text.replace(
                "The limit is 100 per second;",
                &format!("- `limit` = {limit} per second;"),
            )))
        },
    );
    stage.run().await;
    let prompt = &stage.prompts(Role::Reviewer, 1)[0];
    assert!(
        prompt.contains("- `limit`: 100 per second / 200 per second"),
        "{prompt}"
    );
}

/// The form that a prompt asks for: its headings for gaps and issues, and below each what stands in code among the rest.
fn shown_form(prompt: &str) -> String {
    let (_, form) = prompt
        .split_once("\n## The form of your document\n")
        .unwrap();
    let form = bare_task(form);
    let pieces = form.split('`').skip(1).step_by(2);
    let heads = form.lines().chain(pieces.clone());
    let heads = heads.filter(|head| head.starts_with("## Gap") || head.starts_with("## Review"));
    let parts: Vec<&str> = pieces
        .filter(|piece| piece.starts_with("### ") || piece.starts_with("**"))
        .collect();
    let blocks = heads.map(|head| format!("{head}\n\n{}\n", parts.join("\n\n")));
    blocks.collect()
}

#[tokio::test(start_paused = true)]
async fn prompts_ask_for_headings_that_bind_and_leave_nothing_to_fill_in() {
    use gapless_domain::config::Strictness;
    use gapless_markdown::Document;
    use gapless_reading::read::{read_engineer, read_reviewer};
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")];
    let mut stage = stage(&gaps);
    stage.run().await;
    for role in [Role::Engineer, Role::Reviewer, Role::FinalReviewer] {
        let prompt = &stage.prompts(role, 1)[0];
        for filling in ["CATEGORY", "NNN", "one line:", "(or: ", "HIGH | MEDIUM"] {
            assert!(!prompt.contains(filling), "{role}: {filling}");
        }
    }
    let engineer = &stage.prompts(Role::Engineer, 1)[0];
    // Where nothing was raised, nothing is said of how to respond.
    assert!(!engineer.contains("## Response to"), "{engineer}");
    assert!(!engineer.contains("DISAGREE"), "{engineer}");
    let form = shown_form(engineer).replace("`**Confidence:**", "**Confidence:** HIGH");
    let read = read_engineer(&Document::parse(&form), Strictness::Strict);
    let bound: Vec<String> = read.gaps.iter().map(|gap| gap.gap.to_string()).collect();
    assert_eq!(bound, ["GAP-API-001", "GAP-API-002"]);
    assert!(
        read.gaps
            .iter()
            .all(|gap| gap.canonical && gap.has_trade_offs)
    );
    let form = shown_form(&stage.prompts(Role::Reviewer, 1)[0]);
    let read = read_reviewer(&Document::parse(&form), Strictness::Strict);
    let reviewed: Vec<String> = read
        .reviews
        .iter()
        .map(|review| review.gap.to_string())
        .collect();
    assert_eq!(reviewed, ["GAP-API-001", "GAP-API-002"]);
    assert!(read.reviews.iter().all(|review| review.canonical));
}
