//! Retries and the examples that go with them: from which tier, from which round, and what is recorded of it.

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_mediator::UserInput;
use gapless_runner::Stopped;

use crate::stage::{Stage, gap_id, resolution, stage, with_config};

const CHAIN: [(&str, &str, &str); 3] = [
    ("GAP-API-001", "HIGH", ""),
    ("GAP-API-002", "HIGH", "GAP-API-001"),
    ("GAP-API-003", "HIGH", "GAP-API-002"),
];

/// A document on a gap that is closed by now.
fn on_another_gap() -> String {
    resolution(&gap_id("GAP-API-001"), "None")
}

/// The examples of a role's attempts in a round, as they were recorded.
fn recorded(stage: &Stage, role: &str, round: u32) -> Vec<serde_json::Value> {
    let started = stage.events("task.started").into_iter();
    started
        .map(|event| event["task"].clone())
        .filter(|task| task["id"]["round"] == round && task["id"]["slot"]["role"] == role)
        .map(|task| task["example"].clone())
        .collect()
}

fn tier_and_source(example: &serde_json::Value) -> (&str, &str) {
    (
        example["tier"].as_str().unwrap_or("none"),
        example["source"].as_str().unwrap_or(""),
    )
}

#[tokio::test(start_paused = true)]
async fn a_wrong_format_gets_the_canonical_example_and_the_summary_says_so() {
    let mut stage =
        stage(&CHAIN[..1]).writes(Role::Engineer, 1, 1, "It goes like this: it is limited.");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let prompt = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        prompt.contains("## Gap Resolution: GAP-LOCKER-001"),
        "{prompt}"
    );
    let summary = stage.summary(1);
    let (_, examples) = summary.split_once("\n## Examples\n").unwrap();
    insta::assert_snapshot!(examples.trim(), @"
    | Role | Attempt | Failure | Tier | Source | Size | Tokens | Truncated | Outcome |
    |---|---|---|---|---|---|---|---|---|
    | Engineer | 2 | WRONG_FORMAT | Tier 1 (canonical) | built in | 1613 characters | 436 | no | success |

    Retries of this session by the example they had:

    | Tier | Uses | Success rate |
    |---|---|---|
    | Tier 1 (canonical) | 1 | 100% |
    ");
}

#[tokio::test(start_paused = true)]
async fn a_canonical_example_that_was_emptied_falls_to_the_template() {
    let mut stage = with_config(&CHAIN[..1], |met| {
        met.examples.insert(Role::Engineer, "\n".to_owned());
    })
    .writes(Role::Engineer, 1, 1, "It goes like this: it is limited.");
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let recorded = recorded(&stage, "engineer", 1);
    assert!(recorded[0].is_null(), "{recorded:?}");
    assert_eq!(tier_and_source(&recorded[1]), ("template", "template"));
    let prompt = &stage.prompts(Role::Engineer, 1)[1];
    let form = "-----MARK example: template\n## Gap Resolution: GAP-API-001\n\n**Confidence:** [HIGH, MEDIUM or LOW]";
    assert!(prompt.contains(form), "{prompt}");
}

#[tokio::test(start_paused = true)]
async fn a_later_round_that_addresses_no_gap_gets_the_best_example_of_the_session() {
    // Round 1 is accepted but says nothing of other gaps; round 2 is accepted and names several.
    let mut stage = stage(&CHAIN)
        .when(Role::Engineer, 2, 0, |request| {
            let text = resolution(&request.gaps[0], "None");
            let text = text.replace(
                "Bursts are cut.",
                "As in GAP-API-001; GAP-API-003 follows GAP-API-002.",
            );
            Ok(Some(text))
        })
        .when(Role::Engineer, 3, 1, |_| Ok(Some(on_another_gap())));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = &stage.events("task.rejected")[0];
    assert_eq!(rejected["failure"], "NO_GAPS_ADDRESSED");
    assert_eq!(rejected["facts"]["cause"], "UNCLEAR_ASSIGNMENT");
    assert_eq!(rejected["facts"]["wrong_gaps"][0], "GAP-API-001");
    let recorded = recorded(&stage, "engineer", 3);
    assert_eq!(
        tier_and_source(&recorded[1]),
        ("session", "round 2, GAP-API-002")
    );
    let prompt = &stage.prompts(Role::Engineer, 3)[1];
    assert!(
        prompt.contains("You wrote about GAP-API-001. That is not your gap in this round."),
        "{prompt}"
    );
    assert!(prompt.contains("From this session (round 2)"), "{prompt}");
    assert!(
        prompt.contains("the review accepted GAP-API-002"),
        "{prompt}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_missing_file_gets_no_example() {
    let mut stage = stage(&CHAIN[..1]).when(Role::Engineer, 1, 1, |_| Ok(None));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let recorded = recorded(&stage, "engineer", 1);
    assert!(recorded[1].is_null(), "{recorded:?}");
    let prompts = stage.prompts(Role::Engineer, 1);
    let (text, task) = prompts[1].split_once("The task again:\n\n").unwrap();
    assert!(text.contains("    round_001/engineer.md\n"), "{text}");
    assert!(!text.contains("## An example"), "{text}");
    assert_eq!(task.trim_end(), prompts[0].trim_end());
    assert!(!stage.summary(1).contains("## Examples"));
}

#[tokio::test(start_paused = true)]
async fn a_rolled_back_round_is_never_an_example() {
    let mut stage = stage(&CHAIN)
        .when(Role::Engineer, 2, 0, |request| {
            let text = resolution(
                &request.gaps[0],
                "- GAP-SEC-001 [CRITICAL]: no authentication",
            );
            Ok(Some(text.replace(
                "The limit",
                "In the round that is undone the limit",
            )))
        })
        .answer("divergence", "pause", &[]);
    assert_eq!(stage.run().await, Stopped::Paused);
    stage.roll_back(1, "too broad").unwrap();
    stage.say(UserInput::Resume).unwrap();
    // Round 2 again: first a closed gap, so that the best example of the session is asked for.
    let mut stage = stage.when(Role::Engineer, 2, 0, |request| {
        Ok(Some(match request.prompt.starts_with("# Attempt") {
            false => on_another_gap(),
            true => resolution(&request.gaps[0], "None"),
        }))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let retry = recorded(&stage, "engineer", 2);
    let sources: Vec<_> = retry.iter().map(tier_and_source).collect();
    assert_eq!(
        sources,
        [
            ("canonical", "built in"),
            ("canonical", "built in"),
            ("session", "round 1, GAP-API-001")
        ]
    );
    let prompts = stage.prompts(Role::Engineer, 2);
    assert!(
        !prompts[2].contains("the round that is undone"),
        "{}",
        prompts[2]
    );
}

#[tokio::test(start_paused = true)]
async fn what_became_of_retries_outlives_a_rollback() {
    let mut stage = stage(&CHAIN)
        .writes(Role::Engineer, 2, 1, "nonsense")
        .writes(Role::Engineer, 2, 2, "nonsense")
        .when(Role::Engineer, 2, 3, |request| {
            Ok(Some(resolution(
                &request.gaps[0],
                "- GAP-SEC-001 [CRITICAL]: no authentication",
            )))
        })
        .answer("divergence", "pause", &[]);
    assert_eq!(stage.run().await, Stopped::Paused);
    let rates = "| Tier 1 (canonical) | 2 | 50% |";
    assert!(stage.summary(2).contains(rates), "{}", stage.summary(2));
    stage.roll_back(1, "too broad").unwrap();
    stage.say(UserInput::Resume).unwrap();
    let mut stage = stage.when(Role::Engineer, 2, 2, |r| {
        Ok(Some(resolution(&r.gaps[0], "None")))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let record = stage.state().kept.examples.values().next().unwrap();
    assert_eq!((record.uses, record.successes), (3, 2));
}

#[tokio::test(start_paused = true)]
async fn a_long_example_is_cut_to_its_budget_with_every_heading() {
    let mut stage = with_config(&CHAIN, |met| met.config.retry_example_tokens = 300)
        .when(Role::Engineer, 1, 0, |request| {
            let long =
                "The limit holds for each account and for each minute of the day. ".repeat(120);
            let text = resolution(&request.gaps[0], "None");
            Ok(Some(text.replace(
                "Bursts are cut.",
                &format!("Bursts are cut.\n\n{long}"),
            )))
        })
        .when(Role::Engineer, 2, 1, |_| Ok(Some(on_another_gap())));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let example = &recorded(&stage, "engineer", 2)[1];
    assert!(
        example["truncated_from"].as_u64().unwrap() > 8_000,
        "{example}"
    );
    assert!(example["tokens"].as_u64().unwrap() <= 300, "{example}");
    let prompt = &stage.prompts(Role::Engineer, 2)[1];
    let (_, text) = prompt
        .split_once("-----MARK example: round 1, GAP-API-001\n")
        .unwrap();
    let (text, _) = text.split_once("\n-----MARK end").unwrap();
    for heading in [
        "Proposed Solution",
        "Examples",
        "Trade-offs",
        "New Gaps Introduced",
    ] {
        assert!(text.contains(&format!("### {heading}\n")), "{text}");
    }
    assert!(
        text.trim_end().ends_with("[Example truncated for length]"),
        "{text}"
    );
    assert!(
        stage.summary(2).contains("| yes, from "),
        "{}",
        stage.summary(2)
    );
}

#[tokio::test(start_paused = true)]
async fn a_review_of_8500_characters_is_cut_to_the_default_budget_with_every_heading() {
    let review = |gap: &gapless_domain::ids::GapId| {
        let items: String = (1..)
            .map(|n| {
                format!(
                    "- **ISSUE-R1-{n:03}**: `key_{n}` is {}.{n} ms in (4.{n}) and {n} s in §{n}.\n",
                    n * 37
                )
            })
            .take(95)
            .collect();
        format!(
            "## Review: {gap}\n\n### Critical Issues\n\nNone found.\n\n### High Priority\n\nNone found.\n\n### Medium \
             Priority\n\nNone found.\n\n### Low Priority / Nits\n\n{items}\n### Consistency Checks\n\n- [x] {}\n\n### New \
             Gaps Identified\n\nNone\n",
            "the limit agrees with Limits; ".repeat(60)
        )
    };
    let mut stage = stage(&CHAIN[..2])
        .when(Role::Reviewer, 1, 0, move |request| {
            Ok(Some(review(&request.gaps[0])))
        })
        .writes(
            Role::Reviewer,
            2,
            1,
            "**Verdict:** APPROVED\n\nAll of it can be built.\n",
        );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        stage.events("task.rejected")[0]["failure"],
        "NO_GAPS_ADDRESSED"
    );
    let example = &recorded(&stage, "reviewer", 2)[1];
    assert_eq!(
        tier_and_source(example),
        ("session", "round 1, GAP-API-001")
    );
    let whole = example["truncated_from"].as_u64().unwrap();
    assert!((8_400..8_700).contains(&whole), "{example}");
    assert!(example["tokens"].as_u64().unwrap() <= 2_000, "{example}");
    let prompt = &stage.prompts(Role::Reviewer, 2)[1];
    let (_, text) = prompt
        .split_once("-----MARK example: round 1, GAP-API-001\n")
        .unwrap();
    let (text, _) = text.split_once("\n-----MARK end").unwrap();
    for heading in [
        "## Review: GAP-API-001",
        "### Critical Issues",
        "### High Priority",
        "### Medium Priority",
        "### Low Priority / Nits",
        "### Consistency Checks",
        "### New Gaps Identified",
    ] {
        assert!(
            text.contains(&format!("{heading}\n")),
            "no {heading} in {text}"
        );
    }
}
