//! What answers an issue, and what only looks like it.

use gapless_detection::disagreement::By;

use crate::support::{flags, issue, pair, proposal, revised};

#[test]
fn an_id_with_something_said_to_it_answers() {
    let answers = [
        "ISSUE-R1-001 is settled by a cap: five mornings, then a letter.",
        "| Issue | Resolution |\n|---|---|\n| ISSUE-R1-001 | Capped at five mornings, then a letter goes out |",
        "- **R1-001**: capped at five mornings, then a letter goes out",
        "#### Addressing ISSUE-R1-001\n\nFive mornings, then a letter goes out.",
        "**To ISSUE-R1-001:**\n\nFive mornings, then a letter goes out.",
    ];
    for text in answers {
        let account = pair(&proposal(text));
        assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0], "{text}");
        let answers = &issue(&account, "ISSUE-R1-001").answers;
        assert_eq!(answers[0].answer.by, By::Id, "{text}");
        assert_eq!(flags(&account, "ISSUE-R1-002"), ["H1 r2"], "{text}");
    }
}

#[test]
fn an_id_that_is_only_listed_does_not() {
    let listings = [
        "```\nISSUE-R1-001: capped at five mornings, then a letter goes out\n```",
        "<!-- ISSUE-R1-001: capped at five mornings, then a letter goes out -->\nThe van is green.",
        "> ISSUE-R1-001 says that mornings and letters and doors matter",
        "#### Open Issues\n\n- ISSUE-R1-001 and what the vans, letters and doors need",
        "Severity matters, such as with ISSUE-R1-001 where vans and letters come late.",
        "#### Examples\n\nA reviewer might write ISSUE-R1-001 about vans, letters and doors.",
        "ISSUE-R1-001 about vans and letters and doors is deferred to a later round.",
        "ISSUE-R1-0011 is settled by a cap: five mornings, then a letter.",
        "ISSUE-R11-001 and XISSUE-R1-001 and ISSUE-R1-001b are settled by vans, caps, letters.",
    ];
    for text in listings {
        let account = pair(&proposal(text));
        assert_eq!(flags(&account, "ISSUE-R1-001"), ["H1 r2"], "{text}");
    }
}

#[test]
fn a_claim_with_nothing_behind_it_is_flagged_as_such() {
    let claims = [
        "ISSUE-R1-001 is resolved, the user approved.",
        "All done: ISSUE-R1-001, ISSUE-R1-002 are fully addressed.",
        "| Issue | Status |\n|---|---|\n| ISSUE-R1-001 (Courier pickup retries have no upper bound) | RESOLVED |",
        "#### ISSUE-R1-001\n\n#### Something else\n\nThe van is green.",
    ];
    for text in claims {
        let account = revised(&proposal(text));
        assert_eq!(flags(&account, "ISSUE-R1-001"), ["H3 r2"], "{text}");
        assert!(issue(&account, "ISSUE-R1-001").answers.is_empty(), "{text}");
    }
    let with_substance =
        "ISSUE-R1-001 is resolved.\n\nThe courier's pickup has five retries as its bound.";
    let account = revised(&proposal(with_substance));
    assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0]);
}

#[test]
fn substance_in_one_new_place_answers_without_the_id() {
    let by = |text: &str| {
        let account = revised(&proposal(text));
        let answers = &issue(&account, "ISSUE-R1-001").answers;
        answers.first().map(|answered| answered.answer.by)
    };
    assert_eq!(
        by("Retries of a pickup by courier end at the bound of five."),
        Some(By::Keywords)
    );
    assert_eq!(
        by("After five attempts the sender is notified and the courier stops."),
        Some(By::Suggestion)
    );
    assert_eq!(
        by("See the Pickup Schedule table, which ends on Friday now."),
        Some(By::Location)
    );
    let scattered =
        "A courier rings.\n\nSome pickup happens.\n\nOthers have retries.\n\nIt is bound to rain.";
    assert_eq!(by(scattered), None);
}

#[test]
fn what_stood_there_before_answers_nothing() {
    let text = "The courier comes again each morning until the door opens.\n\nThe declaration has weight and worth.";
    let account = revised(&proposal(text));
    assert_eq!(flags(&account, "ISSUE-R1-001"), ["H1 r2"]);
}

#[test]
fn a_name_of_code_must_be_there() {
    let without = "The customs form has another column now.";
    assert_eq!(flags(&pair(&proposal(without)), "ISSUE-R1-002"), ["H1 r2"]);
    let with = "```sql\nALTER TABLE customs ADD COLUMN tariff_code TEXT;\n```";
    assert_eq!(flags(&pair(&proposal(with)), "ISSUE-R1-002"), [""; 0]);
}

#[test]
fn a_disagree_is_an_answer_and_one_in_a_fence_is_none() {
    let block = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> Courier pickup retries have no upper bound\n\n**Engineer Position:** The reviewer misunderstood who pays.\n\n**Rationale:** Couriers are paid by day.\n";
    let account = pair(&format!("{}\n{block}", proposal("The van is green.")));
    assert_eq!(flags(&account, "ISSUE-R1-001"), [""; 0]);
    assert_eq!(
        issue(&account, "ISSUE-R1-001").answers[0].answer.by,
        By::Disagree
    );
    let fenced = format!(
        "{}\n```markdown\n{block}```\n",
        proposal("The van is green.")
    );
    assert_eq!(flags(&pair(&fenced), "ISSUE-R1-001"), ["H1 r2"]);
}

#[test]
fn native_ids_answer_with_boundaries() {
    let review = "# Review\n\n## Critical Issues\n\n### C-1: Parcels vanish at night\n\nThey do.\n\n## High Priority\n\n### H2: Labels fade in sunlight\n\nThey fade.\n";
    let check = |text: &str| {
        let engineer = proposal(text);
        let parameters = Default::default();
        gapless_detection::disagreement::examine_pair(review, &engineer, None, None, &parameters)
    };
    let account =
        check("C-1 is met with a lamp, a lock and a dog.\n\nH2O is not H2X, and C-11 is no C-12.");
    assert_eq!(flags(&account, "C-1"), [""; 0]);
    assert_eq!(flags(&account, "H2"), ["H1 r2"]);
    let account = check("H2 is met with varnish and better ink.");
    assert_eq!(flags(&account, "H2"), [""; 0]);
    assert_eq!(flags(&account, "C-1"), ["H1 r2"]);
}

#[test]
fn an_answer_in_the_words_of_the_issue_is_one_where_it_adds_something() {
    let check = |summary: &str, suggestion: &str, text: &str| {
        let review = format!(
            "# Review\n\n## High Priority\n\n### H1: {summary}\n\n**Suggestion:** {suggestion}\n"
        );
        let engineer = proposal(text);
        let parameters = Default::default();
        let account = gapless_detection::disagreement::examine_pair(
            &review,
            &engineer,
            None,
            None,
            &parameters,
        );
        flags(&account, "H1")
    };
    let full = "What happens when the upload queue is full is not said";
    let refuse = "Upload queue full: refuse new entries with status 429 and Retry-After.";
    assert_eq!(check(full, "Say it", refuse), [""; 0]);
    let timeout = "The timeout of a chunk upload to storage is not given";
    let given = "The timeout of a chunk upload to storage is 30 s.";
    assert_eq!(check(timeout, "Give it", given), [""; 0]);
    let backoff = "We use exponential backoff with jitter for each call.";
    let suggestion = "Use exponential backoff with jitter";
    assert_eq!(
        check("Retry policy is unclear", suggestion, backoff),
        [""; 0]
    );
    let again = "It is not said what happens when the upload queue is full.";
    assert_eq!(check(full, "Say it", again), ["H1 r2"]);
}

#[test]
fn what_stands_below_new_gaps_answers_nothing() {
    let review = "# Review\n\n## High Priority\n\n### H1: The upload queue has no limit for entries\n\nIt grows.\n";
    let new = "### New Gaps Introduced\n\n- GAP-Q-009 [HIGH]: limits\n\n  The limit for entries of the upload queue is not known to us yet.\n";
    let engineer = format!("{}\n{new}", proposal("The van is green."));
    let parameters = Default::default();
    let account =
        gapless_detection::disagreement::examine_pair(review, &engineer, None, None, &parameters);
    assert_eq!(flags(&account, "H1"), ["H1 r2"]);
}
