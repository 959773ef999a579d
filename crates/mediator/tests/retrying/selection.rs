//! Which example goes with which failure, from what there is.

use gapless_domain::config::Strictness;
use gapless_domain::example_use::Tier;
use gapless_domain::failure::RetryReason;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_mediator::examples::{bare, canonicals, score};
use gapless_reading::read::{ReadDocument, Reading, read_editor, read_engineer, read_reviewer};
use gapless_reading::validate::{GapAssignment, IssueAssignment, ValidationContext, validate};

use crate::support::{Session, resolution};

/// The tier and source that a role's retry gets.
fn attached(session: &Session, role: Role, reason: RetryReason) -> String {
    match session.retry(role, reason).example {
        Some(example) => format!("{} {}", example.tier.number(), example.source),
        None => "-".to_owned(),
    }
}

#[test]
fn every_failure_by_what_there_is() {
    let none = |met: &mut gapless_mediator::RunSettings| {
        met.examples.insert(Role::Engineer, " \n".to_owned());
    };
    let all = Session::in_round_three(|_| {});
    let no_session = Session::start(|_| {});
    let no_canonical = Session::in_round_three(none);
    let neither = Session::start(none);
    let mut table = String::new();
    for reason in RetryReason::ALL {
        let row = [&all, &no_session, &no_canonical, &neither]
            .map(|session| attached(session, Role::Engineer, reason));
        table += &format!("{:<21} {}\n", reason.name(), row.join(" | "));
    }
    // With everything; without a session example; without a canonical one; with neither.
    insta::assert_snapshot!(table, @"
    FILE_MISSING          - | - | - | -
    EMPTY_OUTPUT          1 built in | 1 built in | 2 round 1, GAP-UPL-001 | 3 template
    WRONG_FORMAT          1 built in | 1 built in | 3 template | 3 template
    NO_GAPS_ADDRESSED     2 round 1, GAP-UPL-001 | 1 built in | 2 round 1, GAP-UPL-001 | 3 template
    INCONSISTENT_REFS     2 round 1, GAP-UPL-001 | 3 template | 2 round 1, GAP-UPL-001 | 3 template
    INVALID_DISAGREE_REF  3 template | 3 template | 3 template | 3 template
    MALFORMED_DISAGREE    3 template | 3 template | 3 template | 3 template
    RE_ARGUED_CONFLICT    3 template | 3 template | 3 template | 3 template
    UNCERTAINTY           3 template | 3 template | 3 template | 3 template
    UNCLEAR_ASSIGNMENT    2 round 1, GAP-UPL-001 | 1 built in | 2 round 1, GAP-UPL-001 | 3 template
    SPEC_CHANGE_MISMATCH  1 built in | 1 built in | 3 template | 3 template
    PASSAGE_STANDS        - | - | - | -
    ");
    let first = |session: &Session| session.first(Role::Engineer).example.map(|e| e.tier);
    assert_eq!(first(&all), Some(Tier::Canonical));
    assert_eq!(first(&no_canonical), Some(Tier::Session));
    assert_eq!(
        first(&neither),
        None,
        "the form stands in the prompt itself"
    );
}

#[test]
fn the_ids_that_are_valid_go_where_the_table_says() {
    let session = Session::in_round_three(|_| {});
    let listed = |reason| {
        let text = session.retry(Role::Engineer, reason).text;
        text.contains("The ids that are valid for you: GAP-UPL-002, GAP-AUTH-001.")
    };
    assert!(listed(RetryReason::InconsistentRefs));
    assert!(
        !listed(RetryReason::NoGapsAddressed),
        "with one of this session"
    );
    assert!(!listed(RetryReason::WrongFormat));
    let session = Session::start(|_| {});
    let text = session
        .retry(Role::Engineer, RetryReason::NoGapsAddressed)
        .text;
    assert!(text.contains("The ids that are valid for you:"), "{text}");
}

#[test]
fn a_session_override_stands_in_for_the_canonical_one() {
    let session = Session::start(|met| {
        met.examples.insert(
            Role::Reviewer,
            "## Review: GAP-OWN-001\n\nours\n".to_owned(),
        );
    });
    let prompt = session.retry(Role::Reviewer, RetryReason::WrongFormat);
    assert!(
        prompt
            .text
            .contains("\n## Review: GAP-OWN-001\n\nours\n-----")
    );
    let example = prompt.example.unwrap();
    assert_eq!(
        (example.tier, example.source.as_str()),
        (Tier::Canonical, "examples/reviewer.md of this session")
    );
    assert_eq!(example.retry, Some(RetryReason::WrongFormat));
    let engineer = session.retry(Role::Engineer, RetryReason::WrongFormat);
    assert_eq!(engineer.example.unwrap().source, "built in");
}

#[test]
fn scores_are_those_of_the_table() {
    use RetryReason::{EmptyOutput, NoGapsAddressed, WrongFormat};
    let whole = resolution("GAP-UPL-001");
    assert!(whole.len() < 500);
    let padded =
        |text: &str, length: usize| format!("{text}\n{}", "x".repeat(length - text.len() - 1));
    let of = |reason, text: &str, accepted| {
        score(
            Role::Engineer,
            Some(reason),
            &ReadDocument::plain(text),
            accepted,
        )
    };
    assert_eq!(of(WrongFormat, &whole, false), 20);
    assert_eq!(
        of(
            WrongFormat,
            "## Gap Resolution: GAP-A-001\n\n### Examples\n",
            false
        ),
        15
    );
    assert_eq!(
        of(
            WrongFormat,
            "```\n## Gap Resolution: GAP-UPL-001\n```\n",
            false
        ),
        0,
        "code is no structure"
    );
    assert_eq!(of(NoGapsAddressed, &whole, false), 2, "one reference");
    assert_eq!(
        of(NoGapsAddressed, &"GAP-UPL-001 ".repeat(9), false),
        10,
        "at most ten"
    );
    assert_eq!(of(EmptyOutput, &whole, false), 0);
    assert_eq!(of(EmptyOutput, &whole, true), 20);
    for (length, points) in [
        (500, 0),
        (501, 5),
        (4_999, 5),
        (5_000, 2),
        (9_999, 2),
        (10_000, 0),
    ] {
        assert_eq!(
            of(EmptyOutput, &padded(&whole, length), false),
            points,
            "{length}"
        );
    }
    let review = "## Review: GAP-UPL-001\n\n### High Priority\n\n### Consistency Checks\n";
    let review = ReadDocument::plain(review);
    assert_eq!(score(Role::Reviewer, Some(WrongFormat), &review, false), 20);
}

struct Everything;

impl ValidationContext for Everything {
    fn gap(&self, _: &gapless_domain::ids::GapId) -> GapAssignment {
        GapAssignment::Assigned
    }

    fn issue(&self, _: &gapless_domain::ids::IssueId) -> IssueAssignment {
        IssueAssignment::Due
    }
}

#[test]
fn canonical_examples_are_canonical() {
    for editor in canonicals(Role::Editor) {
        assert_eq!(read_editor(&Document::parse(editor)).unwrap().len(), 1);
    }
    let roles = Role::ALL.into_iter().filter(|role| *role != Role::Editor);
    for (role, example) in roles.flat_map(|role| canonicals(role).map(move |text| (role, text))) {
        for mode in [Strictness::Strict, Strictness::Tolerant] {
            let checked = validate(role, Some(example), mode, &Everything);
            assert!(checked.result.success, "{role}: {}", checked.result.message);
            assert_eq!(checked.result.warnings, [], "{role}");
            if let Some(Reading::Reviewer(reading)) = &checked.reading {
                assert_eq!((reading.issues.len(), reading.reviews.len()), (3, 2));
            }
        }
        // Far enough under the budget of a first prompt that the vocabulary is not loaded for it.
        let tokens = gapless_tokens::estimate(example);
        assert!(tokens < 700, "{role}: {tokens}");
    }
}

#[test]
fn bare_forms_are_read_as_what_they_are() {
    let engineer = bare(Role::Engineer).replace("[GAP-ID]", "GAP-UPL-001");
    let read = read_engineer(&Document::parse(&engineer), Strictness::Strict);
    assert!(read.gaps[0].canonical && read.gaps[0].has_trade_offs);
    let reviewer = bare(Role::Reviewer)
        .replace("[GAP-ID]", "GAP-UPL-001")
        .replace("[ISSUE-ID]", "ISSUE-R1-001");
    // What nobody filled in raises nothing and was not examined.
    let unfilled = read_reviewer(&Document::parse(&reviewer), Strictness::Tolerant);
    assert_eq!(
        (unfilled.issues.len(), unfilled.reviews[0].examined),
        (0, 0)
    );
    let placeholder =
        "[what makes the spec impossible to implement, in one sentence; or: None found]";
    let filled = reviewer.replace(placeholder, "nobody says how large an upload may be");
    let read = read_reviewer(&Document::parse(&filled), Strictness::Strict);
    assert!(read.reviews[0].canonical && read.issues[0].canonical);
}
