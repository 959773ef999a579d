//! DISAGREE blocks: what makes one, what is refused and asked for again, and how a conflict is told and recorded.

use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::severity::Severity::{Critical, High, Medium};
use gapless_domain::task::Role;
use gapless_runner::Stopped;
use gapless_views::documents::decisions;

use crate::flags::minding;
use crate::quarrel::{Raised, disagree, quarrel, raised, review};
use crate::stage::{Stage, resolution, shown};

/// What the Engineer writes in round 2 at its first attempt; the next one behaves.
fn writes(block: &str) -> Stage {
    let block = block.to_owned();
    quarrel(&[High], 0).when(Role::Engineer, 2, 1, move |r| {
        Ok(Some(resolution(&r.gaps[0], "None") + &block))
    })
}

async fn failures(block: &str) -> Vec<String> {
    let mut stage = writes(block).answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete), "{block}");
    let rejected = stage.events("task.rejected");
    let named = rejected.iter().map(|event| {
        let failure = event["failure"].as_str().unwrap();
        format!("{failure}: {}", event["message"].as_str().unwrap())
    });
    named.collect()
}

const CONCERN: &str = "**Reviewer Concern:**\n> Point 1 of the answer is left to the reader.\n\n";
const POSITION: &str = "**Engineer Position:** it is clear\n\n";
const RATIONALE: &str = "**Rationale:** nobody has asked\n";

#[tokio::test(start_paused = true)]
async fn a_block_without_one_of_its_parts_is_asked_for_again() {
    let head = "## DISAGREE: ISSUE-R1-001\n\n";
    for (block, missing) in [
        (format!("{head}{POSITION}{RATIONALE}"), "Reviewer Concern"),
        (format!("{head}{CONCERN}{RATIONALE}"), "Engineer Position"),
        (format!("{head}{CONCERN}{POSITION}"), "Rationale"),
    ] {
        let said = format!("MALFORMED_DISAGREE: DISAGREE on ISSUE-R1-001 has no **{missing}:**");
        assert_eq!(failures(&block).await, [said]);
    }
    assert!(
        failures(&format!("{head}{CONCERN}{POSITION}{RATIONALE}"))
            .await
            .is_empty()
    );
}

#[tokio::test(start_paused = true)]
async fn a_quote_must_stand_in_the_review() {
    let block = |quote: &str| {
        format!(
            "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n{quote}\n\n{POSITION}{RATIONALE}"
        )
    };
    for fine in [
        "> Point 1 of the answer\n> is left to the reader.",
        "> \"Point 1 of the **answer** is left to the _reader_.\"",
        "Point 1 of the answer is left to the reader. write point 1 down",
        "> Point 1 of the answer is left to the reader.\n> clients guess point 1",
        "> Point 1 … is left to the reader",
    ] {
        assert!(failures(&block(fine)).await.is_empty(), "{fine}");
    }
    for wrong in [
        "> Point 1 of the answer is fine.",
        "> Point 1 of the answer is left to the reader. The user has approved it.",
        "> \"\"",
    ] {
        let said = failures(&block(wrong)).await;
        assert_eq!(said.len(), 1, "{wrong}: {said:?}");
        assert!(said[0].starts_with("MALFORMED_DISAGREE"), "{said:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_words_of_a_later_review_can_be_quoted_too() {
    let graver = || Raised {
        summary: "Point 1 of the answer is left to the reader and to each client.".to_owned(),
        severity: Critical,
        ..raised(High, 1)
    };
    let mut stage = quarrel(&[High], 0)
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[graver()])))
        })
        .when(Role::Engineer, 3, 0, move |r| {
            let block = crate::quarrel::disagree(&graver(), "It is clear.", "Nobody has asked.");
            Ok(Some(resolution(&r.gaps[0], "None") + &block))
        })
        .answer("conflict", "B", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.rejected"), [] as [serde_json::Value; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_block_on_an_issue_that_does_not_exist_is_asked_for_again() {
    let block = format!("## DISAGREE: ISSUE-R1-009\n\n{CONCERN}{POSITION}{RATIONALE}");
    let said = "INVALID_DISAGREE_REF: DISAGREE names ISSUE-R1-009, which does not exist";
    assert_eq!(failures(&block).await, [said]);
    let mut stage = writes(&block);
    stage.run().await;
    let retry = &stage.prompts(Role::Engineer, 2)[1];
    assert!(retry.contains("ISSUE-R1-001"), "{retry}");
}

#[tokio::test(start_paused = true)]
async fn a_block_in_a_fence_is_none() {
    let block =
        format!("```markdown\n## DISAGREE: ISSUE-R1-001\n\n{CONCERN}{POSITION}{RATIONALE}```\n");
    let mut stage = writes(&block);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(stage.events("task.rejected").is_empty());
    let answers = stage.events("issue.answered");
    assert!(
        answers
            .iter()
            .all(|answer| answer["answer"]["how"] != "disagree"),
        "{answers:?}"
    );
    assert!(!stage.kinds().contains(&"conflict"));
}

#[tokio::test(start_paused = true)]
async fn what_was_decided_or_waived_is_not_argued_again() {
    for option in ["A", "B"] {
        let again = format!("## DISAGREE: ISSUE-R1-001\n\n{CONCERN}{POSITION}{RATIONALE}");
        let mut stage = quarrel(&[High, High], 1)
            .when(Role::Reviewer, 2, 0, |r| {
                let both = [raised(High, 1), raised(High, 2)];
                Ok(Some(review(&r.gaps[0], &both)))
            })
            .when(Role::Engineer, 3, 1, move |r| {
                Ok(Some(resolution(&r.gaps[0], "None") + &again))
            })
            .answer("conflict", option, &[("rationale", "the auditors' word")]);
        assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
        let rejected = stage.events("task.rejected");
        assert_eq!(rejected.len(), 1);
        assert_eq!(rejected[0]["failure"], "RE_ARGUED_CONFLICT");
        let retry = &stage.prompts(Role::Engineer, 3)[1];
        assert!(
            retry.contains("ISSUE-R1-001 is decided.") && retry.contains("decided by the user"),
            "{retry}"
        );
        assert!(retry.contains("Rationale: the auditors' word"), "{retry}");
        assert!(retry.contains("- ISSUE-R1-002 [HIGH]"), "{retry}");
    }
}

/// The Reviewer wants backoff, the Engineer none for files: the user takes the synthesis.
#[tokio::test(start_paused = true)]
async fn an_explicit_disagreement_with_a_clean_resolution() {
    let issue = || Raised {
        severity: High,
        id: "ISSUE-R1-003".to_owned(),
        summary: "Retry mechanism should use exponential backoff.".to_owned(),
        suggestion: "Implement 1s, 2s, 4s delays between retries".to_owned(),
        impact: "Linear retries may overwhelm failed services".to_owned(),
    };
    let block = "## DISAGREE: ISSUE-R1-003\n\n**Reviewer Concern:**\n> \"Retry mechanism should use exponential backoff. \
        Implement 1s, 2s, 4s delays\n> between retries. Linear retries may overwhelm failed services.\"\n\n**Engineer \
        Position:**\nExponential backoff adds complexity for marginal benefit in this context.\n\n**Rationale:**\nThe \
        retry target here is local file validation, not remote services. File system\noperations complete or fail fast \
        (<100ms).\n\n**Alternative Approach:**\nKeep instant retries for file operations.\n\n**Request:** Escalate to user \
        for resolution\n";
    let mut stage = quarrel(&[High], 0)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[issue()])))
        })
        .when(Role::Engineer, 2, 0, move |r| {
            Ok(Some(resolution(&r.gaps[0], "None") + block))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[issue()])))
        })
        .answer(
            "conflict",
            "C",
            &[
                (
                    "rationale",
                    "Both concerns valid: file ops are fast, remote ops need backoff",
                ),
                (
                    "constraints",
                    "Must document which operations use which strategy",
                ),
            ],
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let question = stage
        .asked
        .iter()
        .find(|q| q.about.kind() == "conflict")
        .unwrap();
    let options: Vec<String> = question
        .options
        .iter()
        .map(|o| {
            format!(
                "{}{} {}: {}",
                o.label,
                if o.recommended { "*" } else { "" },
                o.text,
                o.effect
            )
        })
        .collect();
    insta::assert_snapshot!(
        "clean_resolution_question",
        format!(
            "{}\n\n{}\n{}\n",
            question.title,
            question.context,
            options.join("\n")
        )
    );
    insta::assert_snapshot!("clean_resolution_decisions", decisions(stage.state()));
    assert_eq!(stage.issue("ISSUE-R1-003"), IssueState::Decided);
    let prompt = &stage.prompts(Role::Engineer, 3)[0];
    let head = prompt.split("## Assigned gaps").next().unwrap();
    insta::assert_snapshot!("clean_resolution_prompt", head);
}

/// A CRITICAL issue that the Engineer openly refuses: the Reviewer's position is recommended, and taken.
#[tokio::test(start_paused = true)]
async fn a_critical_conflict_decided_for_the_reviewer() {
    let issue = || Raised {
        severity: Critical,
        id: "ISSUE-R1-007".to_owned(),
        summary: "Schema validation must reject unknown fields.".to_owned(),
        suggestion: "Add strict mode validation that fails on unexpected keys".to_owned(),
        impact: "Silent data loss if unexpected fields are ignored".to_owned(),
    };
    let mut stage = quarrel(&[High], 0)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[issue()])))
        })
        .when(Role::Engineer, 2, 0, move |r| {
            let block = crate::quarrel::disagree(
                &issue(),
                "Unknown fields are kept.",
                "Clients send them.",
            );
            Ok(Some(resolution(&r.gaps[0], "None") + &block))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &[issue()])))
        });
    // The recommended option is taken where nobody says otherwise.
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!("critical_decisions", decisions(stage.state()));
}

/// A CRITICAL issue that the Engineer says no word to: the user makes it a conflict and decides for the Reviewer.
#[tokio::test(start_paused = true)]
async fn an_implicit_disagreement_converted_and_resolved() {
    let issues = || {
        let other = |number: usize, summary: &str| Raised {
            summary: summary.to_owned(),
            ..raised(Medium, number)
        };
        vec![
            Raised {
                severity: Critical,
                id: "ISSUE-R1-007".to_owned(),
                summary: "Schema validation must reject unknown fields.".to_owned(),
                suggestion: "Add strict mode validation that fails on unexpected keys".to_owned(),
                impact: "Silent data loss if unexpected fields are ignored".to_owned(),
            },
            other(1, "The answer has no body."),
            other(2, "The header is unnamed."),
        ]
    };
    let mut stage = minding(&[("GAP-API-001", "HIGH", "")])
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], &issues())))
        })
        .when(Role::Engineer, 2, 0, move |r| {
            Ok(Some(crate::quarrel::answers(
                &r.gaps[0],
                &[],
                &issues()[1..],
            )))
        })
        .when(Role::Engineer, 3, 0, |r| {
            let strict = "### Proposed Solution\n\nStrict validation fails on unexpected keys, with 400 and their names.\n\n";
            let text = resolution(&r.gaps[0], "None");
            Ok(Some(text.replace("### Proposed Solution\n\n", strict)))
        })
        .answer("inventory", "begin", &[])
        .answer("implicit_disagreement", "convert", &[])
        .answer(
            "conflict",
            "A",
            &[(
                "rationale",
                "CRITICAL severity: silent data loss cannot be risked",
            )],
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds()[1..3], ["implicit_disagreement", "conflict"]);
    insta::assert_snapshot!("converted_flag", shown(&stage.asked[1]));
    insta::assert_snapshot!("converted_conflict", shown(&stage.asked[2]));
    insta::assert_snapshot!("converted_decisions", stage.decisions_md());
    let prompt = &stage.prompts(Role::Engineer, 3)[0];
    let head = prompt.split("## Assigned gaps").next().unwrap();
    insta::assert_snapshot!("converted_prompt", head);
    assert_eq!(stage.issue("ISSUE-R1-007"), IssueState::Decided);
    assert_eq!(stage.events("round.began").len(), 3);
    assert_eq!(stage.events("gap.obligations_met").len(), 1);
}

/// The conflict on an issue in these words, as it is put to the user: its options, the recommended one marked.
async fn options_on(
    summary: &str,
    suggestion: &str,
    position: &str,
    rationale: &str,
) -> Vec<String> {
    let issue = Raised {
        severity: High,
        id: "ISSUE-R1-003".to_owned(),
        summary: summary.to_owned(),
        suggestion: suggestion.to_owned(),
        impact: "callers give up".to_owned(),
    };
    let block = disagree(&issue, position, rationale);
    let (first, again) = (issue.clone(), issue);
    let mut stage = quarrel(&[High], 0)
        .when(Role::Reviewer, 1, 0, move |r| {
            Ok(Some(review(&r.gaps[0], std::slice::from_ref(&first))))
        })
        .when(Role::Engineer, 2, 0, move |r| {
            Ok(Some(resolution(&r.gaps[0], "None") + &block))
        })
        .when(Role::Reviewer, 2, 0, move |r| {
            Ok(Some(review(&r.gaps[0], std::slice::from_ref(&again))))
        })
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let question = stage.pending("conflict");
    let mark = |recommended| if recommended { "*" } else { "" };
    let options = question.options.iter();
    options
        .map(|option| format!("{}{}", option.label, mark(option.recommended)))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_word_alone_makes_no_synthesis() {
    let limit = "The rate limit tells callers nothing.";
    let offered = options_on(
        limit,
        "send a header with it",
        "The answer says it.",
        "Callers read it.",
    )
    .await;
    assert_eq!(offered, ["A", "B"]);
    let timeout = "The timeout is too short for reports.";
    let both = options_on(
        timeout,
        "use 30 seconds",
        "10 seconds is enough.",
        "Reports are small.",
    )
    .await;
    assert_eq!(both, ["A", "B", "C*"]);
    let one = options_on(
        timeout,
        "use 30 seconds",
        "It stays as it is.",
        "The gateway has its own.",
    )
    .await;
    assert_eq!(one, ["A", "B"]);
}
