//! What a Reviewer objects to is never dropped, and what the user settled stays settled.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::{GapCommand, Incoming, RunSettings};
use gapless_runner::Stopped;

use crate::stage::{engineer, final_review, gap_id, issue, stage, with_config};

#[tokio::test(start_paused = true)]
async fn an_objection_without_an_id_is_an_issue_as_an_item_and_as_prose() {
    for objection in [
        "- The token can never be revoked.",
        "- **ISSUE-R1-001 (blocker)**: The token can never be revoked.",
        "The token can never be revoked.",
    ] {
        let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, move |request| {
            Ok(Some(format!("## Review: {}\n\n### Critical Issues\n\n{objection}\n\n### High Priority\n\nNone\n", request.gaps[0])))
        });
        assert_eq!(
            stage.run().await,
            Stopped::Ended(End::Complete),
            "{objection}"
        );
        assert_eq!(stage.events("issue.raised").len(), 1, "{objection}");
        assert_eq!(
            stage.events("issue.raised")[0]["concern"]["severity"],
            "CRITICAL"
        );
        assert_eq!(stage.events("round.began").len(), 2, "{objection}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_issue_raised_again_as_something_graver_holds_its_gap() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Reviewer, 1, 0, |r| {
            let text = issue(&r.gaps[0], "High Priority", "ISSUE-R1-001");
            Ok(Some(
                text + "### Medium Priority\n\n- **ISSUE-R1-002**: units are missing.\n",
            ))
        })
        .when(Role::Reviewer, 2, 0, |r| {
            let graver = issue(&r.gaps[0], "Critical Issues", "ISSUE-R1-002");
            Ok(Some(graver.replace(
                "the limit is not justified",
                "all units are missing",
            )))
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let restated = stage.events("issue.restated");
    let last = &restated.last().unwrap()["concern"];
    assert_eq!(
        (&last["severity"], &last["summary"]),
        (&"CRITICAL".into(), &"all units are missing.".into())
    );
    assert_eq!(stage.events("round.began").len(), 3);
    assert_eq!(stage.issue("ISSUE-R1-002"), IssueState::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_review_that_raises_a_thousand_issues_is_cut_and_the_session_goes_on() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::Reviewer, 1, 0, |request| {
        let items: String = (1..1100)
            .map(|n| format!("- **NIT-{n}**: word {n}\n"))
            .collect();
        Ok(Some(format!(
            "## Review: {}\n\n### Low Priority / Nits\n\n{items}",
            request.gaps[0]
        )))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("issue.raised").len(), 100);
}

#[tokio::test(start_paused = true)]
async fn a_deferral_that_was_undone_is_no_longer_in_force() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "LOW", "")]);
    let gap = || gap_id("GAP-API-002");
    stage
        .gap_command(GapCommand::Defer {
            gap: gap(),
            reason: "later".into(),
        })
        .unwrap();
    stage
        .gap_command(GapCommand::Resume { gap: gap() })
        .unwrap();
    stage
        .gap_command(GapCommand::Close {
            gap: gap(),
            reason: "never".into(),
            sentence: None,
        })
        .unwrap();
    stage
        .gap_command(GapCommand::Reopen {
            gap: gap(),
            reason: "after all".into(),
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompt = &stage.prompts(Role::Engineer, 1)[0];
    assert!(
        !prompt.contains("is put off") && !prompt.contains("not going to be resolved"),
        "{prompt}"
    );
    assert!(prompt.contains("after all"));
    let decisions = gapless_views::documents::decisions(stage.state());
    assert!(
        decisions.contains("**No longer in force:** the gap was resumed"),
        "{decisions}"
    );
}

#[tokio::test(start_paused = true)]
async fn everything_of_a_section_but_what_is_said_about_it_goes_into_the_spec() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).writes(
        Role::Engineer,
        1,
        0,
        "## Gap Resolution: GAP-API-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIntro only.\n\n### Data model\n\n\
         A row per account.\n\n## Error handling\n\nRetry thrice.\n\n```json\n{\"open\": true}\n\n### Trade-offs\n\nIt costs.\n",
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = gapless_spec::assemble(stage.state(), &stage.session.texts()).unwrap();
    for part in [
        "Intro only.",
        "### Data model",
        "A row per account.",
        "Retry thrice.",
    ] {
        assert!(spec.contains(part), "{part}: {spec}");
    }
    assert_eq!(
        spec.matches("```").count() % 2,
        0,
        "a fence left open is closed: {spec}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_heading_without_text_is_no_proposal() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).writes(
        Role::Engineer,
        1,
        1,
        "## Gap Resolution: GAP-API-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n",
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.events("task.rejected")[0]["failure"],
        "NO_GAPS_ADDRESSED"
    );
}

#[tokio::test(start_paused = true)]
async fn a_disagreement_on_another_gap_addresses_nothing() {
    let disagree = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** the limit is not justified.\n\n\
        **Engineer Position:** it is\n\n**Rationale:** so it is\n";
    let mut stage = stage(&[
        ("GAP-API-001", "HIGH", ""),
        ("GAP-API-002", "HIGH", "GAP-API-001"),
    ])
    .when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "Medium Priority", "ISSUE-R1-001")))
    })
    .writes(Role::Engineer, 2, 1, disagree);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.rejected").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn not_ready_without_a_blocker_is_asked_at_once_with_the_reviews_words() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::FinalReviewer, 0, 0, |_| {
        Ok(Some(final_review(
            "NOT_READY",
            "The units of every limit are missing throughout.",
        )))
    });
    let stopped = stage.run().await;
    assert!(matches!(stopped, Stopped::Waiting(_)), "{stopped:?}");
    let question = stage.asked.last().unwrap();
    assert_eq!(question.about.kind(), "nothing_to_plan");
    assert!(
        question
            .context
            .contains("The units of every limit are missing"),
        "{}",
        question.context
    );
    assert_eq!(stage.events("round.began").len(), 1);
    assert_eq!(stage.prompts(Role::FinalReviewer, 1).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_blocker_on_a_split_gap_reopens_a_part_of_it() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", "")]).when(Role::FinalReviewer, 1, 0, |_| {
        Ok(Some(final_review(
            "NOT_READY",
            "- GAP-API-001 says nothing of units",
        )))
    });
    let into = vec!["the limit".into(), "the answer above it".into()];
    stage
        .gap_command(GapCommand::Split {
            gap: gap_id("GAP-API-001"),
            into,
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let reopened: Vec<_> = stage
        .events("gap.moved")
        .into_iter()
        .filter(|e| e["by"] == "reopen")
        .collect();
    assert_eq!(reopened[0]["id"], "GAP-API-001a");
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_the_user_names_on_resuming_holds() {
    let mut stage = with_config(&[("GAP-API-001", "HIGH", "")], |met| {
        met.config.max_rounds = Some(1)
    })
    .when(Role::Reviewer, 1, 0, |r| {
        Ok(Some(issue(&r.gaps[0], "High Priority", "ISSUE-R1-001")))
    })
    .answer("inventory", "begin", &[]);
    assert!(matches!(stage.run_strictly().await, Stopped::Waiting(_)));
    let setup = stage.state().kept.setup.clone();
    let mut config = setup.config;
    config.max_rounds = Some(8);
    let met = RunSettings {
        config,
        agents: setup.agents,
        ..RunSettings::default()
    };
    let now = stage.state().kept.clock;
    stage
        .session
        .feed(now, Incoming::Configure(Box::new(met)))
        .unwrap();
    assert_eq!(stage.state().limits().max_rounds, 8);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_round_in_which_one_of_two_engineers_delivers_is_judged() {
    let gaps = [("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")];
    let mut stage = with_config(&gaps, |met| met.config.parallel_engineers = 2)
        .when(Role::Engineer, 1, 1, |request| {
            match request.task.slot.index {
                0 => crate::stage::could_not_run(None),
                _ => Ok(Some(engineer(request))),
            }
        })
        .answer("inventory", "begin", &[]);
    stage.killed_after(500).await;
    stage
        .gap_command(GapCommand::Defer {
            gap: gap_id("GAP-API-001"),
            reason: "later".into(),
        })
        .unwrap();
    stage.run().await;
    assert_eq!(stage.events("round.accounted")[0]["signal"], "gain");
    assert_eq!(stage.gap("GAP-API-001"), GapState::UserDeferred);
}

#[tokio::test(start_paused = true)]
async fn a_severity_inside_an_issue_is_not_the_gaps() {
    let mut stage = stage(&[("GAP-API-001", "LOW", "")]).when(Role::Reviewer, 1, 0, |request| {
        let review = issue(&request.gaps[0], "Low Priority / Nits", "ISSUE-R1-001");
        Ok(Some(review + "\n**Severity:** CRITICAL\n"))
    });
    stage.run().await;
    let gap = stage.state().now.gaps.get(&gap_id("GAP-API-001")).unwrap();
    assert_eq!(gap.severity, Severity::Low);
}

#[tokio::test(start_paused = true)]
async fn a_gap_that_an_issue_names_is_reviewed() {
    let mut stage = stage(&[("GAP-API-001", "HIGH", ""), ("GAP-API-002", "HIGH", "")]).when(
        Role::Reviewer,
        1,
        0,
        |request| {
            let review = issue(&request.gaps[0], "High Priority", "ISSUE-R1-001");
            Ok(Some(review.replace(
                "the limit is",
                "GAP-API-002 contradicts the limit, which is",
            )))
        },
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.prompts(Role::Engineer, 2).len(),
        1,
        "it goes back at once, without a round for its review"
    );
}
