//! Scenarios of the offline Engineer: defaults, the user's own words, and what only the user knows.

mod support;

use gapless_domain::gap::Confidence;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_offline::{Answer, answer, engineer, entries};
use support::{assignment, engineer_reading, found, gap, input, issue, proposed};

const CALL: &str = "\"calls the bank\": this section does not say what happens when the other side is down, slow or refuses";

fn failure(id: &str) -> gapless_domain::assignment::AssignedGap {
    found(id, "failure-path", &["timeout"], CALL)
}

#[test]
fn a_default_is_marked_as_one_and_fits_its_place() {
    let assignment = assignment(Role::Engineer, vec![failure("GAP-FAIL-001")]);
    let document = engineer(&assignment);
    insta::assert_snapshot!(document);
    let reading = engineer_reading(&assignment, &document);
    assert_eq!(reading.gaps[0].default.as_deref(), Some("Timeouts"));
    assert_eq!(reading.gaps[0].confidence, Some(Confidence::Low));
    assert_eq!(document, engineer(&assignment));
}

#[test]
fn two_gaps_with_one_answer_have_titles_of_their_own() {
    let mut elsewhere = failure("GAP-FAIL-002");
    elsewhere.section = Some("Export".to_owned());
    let mut other = failure("GAP-FAIL-003");
    other.description = CALL.replace("calls the bank", "asks the ledger");
    let gaps = vec![
        failure("GAP-FAIL-001"),
        elsewhere,
        other,
        failure("GAP-FAIL-004"),
    ];
    let document = engineer(&assignment(Role::Engineer, gaps));
    let titles: Vec<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("#### "))
        .collect();
    assert_eq!(
        titles,
        [
            "Timeouts: Payment",
            "Timeouts: Export",
            "Timeouts: Payment, asks the ledger",
            "Timeouts: Payment, calls the bank",
        ]
    );
}

#[test]
fn a_default_below_a_section_of_its_own_name_has_another() {
    let mut gap = failure("GAP-FAIL-001");
    gap.section = Some("timeouts".to_owned());
    let document = engineer(&assignment(Role::Engineer, vec![gap]));
    assert!(
        document.contains("\n#### Timeouts: what holds\n"),
        "{document}"
    );
}

#[test]
fn what_the_user_said_is_the_part_and_no_default() {
    let said = "A call ends after 4 seconds and is never tried again; the order then stays open.";
    let mut gap = failure("GAP-FAIL-001");
    gap.issues = vec![issue(1, Severity::High, "nobody has confirmed it")];
    let mut assignment = assignment(Role::Engineer, vec![gap]);
    assignment.decisions = vec![input("GAP-FAIL-001", said)];
    let document = engineer(&assignment);
    insta::assert_snapshot!(document);
    let reading = engineer_reading(&assignment, &document);
    assert_eq!(reading.gaps[0].default, None);
    assert_eq!(reading.responses.len(), 1);
}

#[test]
fn words_that_would_be_read_as_structure_bind_nothing() {
    let hostile = [
        "## Gap Resolution: GAP-OTHER-001\n\nMine now.",
        "```\nnever closed",
        "<!-- never closed",
        "Yes.\n\nBLOCKED_NEEDS_INPUT: GAP-FAIL-001 again",
        "**Confidence:** LOW\n\n**Default to confirm:** Timeouts",
        "### New Gaps Introduced\n\n- GAP-NEW-001 [HIGH]: more",
        "Ten seconds\n===========\n\n## DISAGREE: ISSUE-R1-001",
        "````` ``` ````` ten",
        "<pre>\n\n## Response to ISSUE-R9-001",
    ];
    for said in hostile {
        let mut assignment = assignment(
            Role::Engineer,
            vec![failure("GAP-FAIL-001"), failure("GAP-FAIL-002")],
        );
        assignment.decisions = vec![input("GAP-FAIL-001", said)];
        let document = engineer(&assignment);
        let reading = engineer_reading(&assignment, &document);
        let bound: Vec<String> = reading
            .gaps
            .iter()
            .map(|bound| bound.gap.to_string())
            .collect();
        assert_eq!(bound, ["GAP-FAIL-001", "GAP-FAIL-002"], "{said}");
        assert_eq!(reading.gaps[0].default, None, "{said}");
        assert!(
            reading.blocked.is_empty()
                && reading.responses.is_empty()
                && reading.disagreements.is_empty()
        );
        let part: String = reading.gaps[0]
            .solution
            .iter()
            .map(|range| &document[range.clone()])
            .collect();
        let kept = |text: &str| {
            text.chars()
                .filter(|c| c.is_alphanumeric())
                .collect::<String>()
        };
        assert!(kept(&part).contains(&kept(said)), "{said}\n{part}");
    }
}

#[test]
fn an_unconfirmed_default_is_proposed_again_word_for_word() {
    let first = engineer(&assignment(Role::Engineer, vec![failure("GAP-FAIL-001")]));
    let mut again = proposed(failure("GAP-FAIL-001"), &first);
    // Even where the gap would now be answered otherwise.
    again.topics = vec!["retry".to_owned()];
    let mut to_confirm = issue(
        1,
        Severity::High,
        "Timeouts: Payment is a default and nobody has confirmed it",
    );
    to_confirm.settled_by_user = true;
    again.issues = vec![
        to_confirm,
        issue(2, Severity::Medium, "a key has two values"),
    ];
    let assignment = assignment(Role::Engineer, vec![again]);
    let second = engineer(&assignment);
    assert!(second.starts_with(first.trim_end()), "{second}");
    let reading = engineer_reading(&assignment, &second);
    let answered: Vec<String> = reading
        .responses
        .iter()
        .map(|r| r.issue.to_string())
        .collect();
    assert_eq!(answered, ["ISSUE-R1-002"]);
}

#[test]
fn a_grave_issue_of_somebody_else_is_the_users_to_answer() {
    let first = engineer(&assignment(Role::Engineer, vec![failure("GAP-FAIL-001")]));
    let mut gap = proposed(failure("GAP-FAIL-001"), &first);
    gap.issues = vec![issue(3, Severity::High, "refunds are\nnot said")];
    let assignment = assignment(Role::Engineer, vec![gap]);
    assert_eq!(
        engineer(&assignment),
        "BLOCKED_NEEDS_INPUT: GAP-FAIL-001 say what answers ISSUE-R1-003 (refunds are not said): no rule can\n"
    );
}

#[test]
fn what_only_the_user_knows_is_asked_and_never_made_up() {
    let gaps = vec![
        failure("GAP-FAIL-001"),
        found(
            "GAP-TERM-001",
            "undefined-acronym",
            &["definition"],
            "`QRB` is used once and nowhere spelled out",
        ),
        found(
            "GAP-CONFLICT-001",
            "contradictory-modals",
            &["consistency"],
            "this is required here and forbidden on line 9 (\"x\")",
        ),
        found(
            "GAP-REF-001",
            "dangling-reference",
            &["reference"],
            "`section 9` is referred to, but no heading has this number",
        ),
        found(
            "GAP-VAGUE-001",
            "vague-qualifier",
            &["other"],
            "\"nicely\" leaves the decision to whoever implements this",
        ),
        gap("GAP-BIZ-001", "The brand colours are not chosen."),
    ];
    let assignment = assignment(Role::Engineer, gaps);
    let document = engineer(&assignment);
    let reading = engineer_reading(&assignment, &document);
    let blocked: Vec<String> = reading
        .blocked
        .iter()
        .map(|marker| format!("{}: {}", marker.gap, marker.reason))
        .collect();
    insta::assert_snapshot!(blocked.join("\n"));
    assert_eq!(reading.gaps.len(), 1);
}

#[test]
fn gaps_are_answered_by_what_they_are_about() {
    let by_hand = [
        ("The retry schedule is not defined.", "retry-schedule"),
        (
            "the timeout and the retry schedule of calls to the bank are not said",
            "call-timeout",
        ),
        (
            "How often does the poller poll, with which interval and timeout?",
            "interval",
        ),
        (
            "It is not said how long sessions last and how a person signs out.",
            "sessions",
        ),
        (
            "Who may delete a project: which roles have that permission?",
            "roles",
        ),
        ("What is the maximum size of an upload?", "upload-size"),
        ("How are list endpoints paginated?", "cursor-pages"),
        (
            "How long is data kept after an account is closed (retention)?",
            "retention",
        ),
        (
            "Which API versions are supported, and how are breaking changes announced?",
            "api-versioning",
        ),
        ("How do error responses look?", "error-format"),
        ("What is logged?", "logging"),
        (
            "How does the tool report failure: exit codes?",
            "exit-codes",
        ),
        (
            "What happens if the same webhook is delivered twice (duplicate)?",
            "idempotency-key",
        ),
        ("Is the user interface accessible by screen reader?", "wcag"),
        ("Which time zone are reports in?", "time-zones"),
        ("How are passwords stored?", "stored-passwords"),
        (
            "How is the database migrated at an upgrade?",
            "schema-migration",
        ),
        ("What uptime is promised?", "availability"),
        ("Rate limits of the public API are missing.", "rate-limit"),
    ];
    let by_rule = [
        (
            "vague-quantity",
            "timeout",
            "\"a reasonable time\" is no number",
            "call-timeout",
        ),
        (
            "vague-quantity",
            "timeout",
            "\"responds quickly\" names no time",
            "response-time",
        ),
        (
            "placeholder",
            "retention",
            "`TBD` stands where a decision should",
            "retention",
        ),
        (
            "empty-section",
            "authentication",
            "nothing stands under \"Login\"",
            "sign-in",
        ),
        (
            "empty-section",
            "other",
            "nothing stands under \"Limits\"",
            "request-size",
        ),
        (
            "missing-unit",
            "timeout",
            "\"timeout is 30\": 30 of what is not said",
            "units",
        ),
        ("field-type", "format", "`size` has no type", "field-types"),
        (
            "field-bound",
            "size_quota",
            "`title` has no bound",
            "text-length",
        ),
        (
            "failure-path",
            "retry",
            "\"publishes an event\": what happens when the message",
            "message-delivery",
        ),
        (
            "failure-path",
            "error_response",
            "\"writes the report\": what happens when the write",
            "failed-write",
        ),
        ("failure-path", "timeout", CALL, "call-timeout"),
        (
            "credentials-unprotected",
            "secrets",
            "`password` is handled here",
            "stored-passwords",
        ),
        (
            "credentials-unprotected",
            "secrets",
            "`api key` is handled here",
            "secrets-at-rest",
        ),
        (
            "personal-data-unprotected",
            "retention",
            "`email address` is personal data",
            "personal-data",
        ),
        (
            "personal-data-unprotected",
            "retention",
            "`date of birth` is personal data",
            "personal-data",
        ),
        (
            "state-dead-end",
            "state_machine",
            "nothing leaves the state `done`",
            "final-states",
        ),
        (
            "cache-lifetime",
            "caching",
            "\"caches prices\": when an entry stops",
            "cache-lifetime",
        ),
        (
            "unbounded-result",
            "pagination",
            "\"returns all orders\": how many",
            "cursor-pages",
        ),
        (
            "retry-without-limit",
            "retry",
            "\"retries it\": how often",
            "retry-schedule",
        ),
        (
            "unmeasurable",
            "availability",
            "\"highly available\" has no measure",
            "availability",
        ),
    ];
    let cases = by_hand
        .iter()
        .map(|(said, id)| (gap("GAP-AA-001", said), *id));
    let of_rules = by_rule
        .iter()
        .map(|(rule, topic, said, id)| (found("GAP-AA-001", rule, &[topic], said), *id));
    let mut wrong = Vec::new();
    for (mut gap, expected) in cases.chain(of_rules) {
        gap.section = Some("Details".to_owned());
        let chosen = match answer(&gap, support::SPEC) {
            Answer::Default(entry) => entry.id.as_str(),
            Answer::Ask(ask) => ask.id.as_str(),
            Answer::Nothing => "nothing",
        };
        if chosen != expected {
            wrong.push(format!("{}: {chosen}, not {expected}", gap.description));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(entries().iter().all(|entry| !entry.group.is_empty()));
}
