//! Scenarios of the offline Engineer: defaults in their place, the user's own words in theirs, and what only the user knows.

#![allow(clippy::unwrap_used)]

mod support;

use gapless_domain::assignment::AssignedGap;
use gapless_domain::gap::Confidence;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_offline::engineer;
use support::{
    SPEC, assignment, engineer_reading, found, gap, input, issue, of_finding, proposed, scanned,
    with_changes,
};

fn vague(id: &str) -> AssignedGap {
    scanned(id, SPEC, "vague-quantity")
}

#[test]
fn a_default_is_marked_as_one_and_changes_the_sentence_in_place() {
    let assignment = assignment(Role::Engineer, vec![vague("GAP-VAGUE-001")]);
    let document = engineer(&assignment);
    insta::assert_snapshot!(document);
    let reading = engineer_reading(&assignment, &document);
    assert_eq!(reading.gaps[0].default.as_deref(), Some("Timeouts"));
    assert_eq!(reading.gaps[0].confidence, Some(Confidence::Low));
    assert_eq!(
        with_changes(&assignment, &document, "GAP-VAGUE-001"),
        SPEC.replace("a reasonable timeout", "a timeout of 10 s")
    );
    assert_eq!(document, engineer(&assignment));
}

/// How a section with one passage reads with the default for a rule, or the question that is asked.
fn settled(rule: &str, passage: &str) -> String {
    let title = match passage.starts_with('|') {
        true => "Request body",
        false => "Part",
    };
    let spec = format!("# Spec\n\n## {title}\n\n{passage}\n");
    let mut assignment = assignment(Role::Engineer, vec![scanned("GAP-AA-001", &spec, rule)]);
    assignment.spec = spec;
    let document = engineer(&assignment);
    let reading = engineer_reading(&assignment, &document);
    match reading.blocked.first() {
        Some(_) => "asked".to_owned(),
        None => {
            let after = with_changes(&assignment, &document, "GAP-AA-001");
            let (_, after) = after.split_once(&format!("## {title}\n\n")).unwrap();
            after.trim_end().to_owned()
        }
    }
}

#[test]
fn defaults_make_vague_words_exact_and_add_a_sentence_where_something_is_unsaid() {
    for (rule, passage, expected) in [
        (
            "vague-quantity",
            "The client waits a reasonable time for the answer.",
            "The client waits 10 s for the answer.",
        ),
        (
            "vague-quantity",
            "The order page must load quickly.",
            "The order page must load within 2 s.",
        ),
        (
            "vague-quantity",
            "The worker polls the queue periodically.",
            "The worker polls the queue every 60 s.",
        ),
        (
            "vague-quantity",
            "Scan events of delivered parcels are removed after some time.",
            "Scan events of delivered parcels are removed after 90 days.",
        ),
        (
            "vague-quantity",
            "- Enforce a reasonable size limit on every payload.",
            "- Enforce a size limit of 1 MiB on every payload.",
        ),
        (
            "retry-without-limit",
            "When the carrier is down, the service retries, and goes on.",
            "When the carrier is down, the service retries up to 3 times, after pauses of 1 s, 2 s and 4 s, and goes on.",
        ),
        (
            "cache-lifetime",
            "Carriers' answers are cached.",
            "Carriers' answers are cached for 5 minutes.",
        ),
        (
            "unmeasurable",
            "The service must be highly available.",
            "The service must be available 99.9% of each month.",
        ),
        (
            "unbounded-result",
            "`GET /parcels` returns all parcels of the customer.",
            "`GET /parcels` returns all parcels of the customer. One answer has at most 100 entries, and a `next_cursor` where there are more: \
             the same request with `?cursor=` and that value gives the next ones.",
        ),
        (
            "field-type",
            "| field | type |\n|---|---|\n| `id` | uuid |\n| `seen_at` | |",
            "| field | type |\n|---|---|\n| `id` | uuid |\n| `seen_at` | timestamp, RFC 3339 in UTC |",
        ),
        (
            "field-bound",
            "| field | type |\n|---|---|\n| `name` | string |\n| `note` | string |",
            "| field | type |\n|---|---|\n| `name` | string, at most 200 characters |\n| `note` | string, at most 10,000 characters |",
        ),
    ] {
        assert_eq!(settled(rule, passage), expected);
    }
}

#[test]
fn what_is_of_another_kind_or_decided_by_somebody_else_is_asked() {
    for (rule, passage) in [
        // Another kind of thing.
        (
            "vague-quantity",
            "The session ends after a reasonable timeout.",
        ),
        ("vague-quantity", "The team reviews the list regularly."),
        (
            "vague-quantity",
            "The service must support many concurrent users.",
        ),
        (
            "cache-lifetime",
            "The tool caches compiled modules on disk.",
        ),
        ("retry-without-limit", "The learner retries the quiz."),
        ("missing-unit", "The request timeout is 30."),
        // Money, law, a person's data.
        (
            "vague-quantity",
            "A payout request has a reasonable timeout.",
        ),
        (
            "vague-quantity",
            "Logs are kept for a short retention period, as the GDPR asks.",
        ),
        (
            "vague-quantity",
            "Events with personal data are removed after some time.",
        ),
        // A named owner, and what is open.
        (
            "vague-quantity",
            "The call has a reasonable timeout, agreed with Risk.",
        ),
        ("placeholder", "The timeout of the call is TBD."),
        // A field whose name says nothing, beside one whose name does.
        (
            "field-bound",
            "| field | type |\n|---|---|\n| `name` | string |\n| `blob` | string |",
        ),
    ] {
        assert_eq!(settled(rule, passage), "asked", "{passage}");
    }
}

#[test]
fn what_the_author_lists_as_open_gets_no_default() {
    let listed = format!("{SPEC}\n## Open questions\n\n- Which timeout does the call have?\n");
    let mut of_spec = assignment(
        Role::Engineer,
        vec![scanned("GAP-VAGUE-001", &listed, "vague-quantity")],
    );
    of_spec.spec = listed;
    let mut declared = vague("GAP-VAGUE-001");
    declared.declared = true;
    for assignment in [of_spec, assignment(Role::Engineer, vec![declared])] {
        let document = engineer(&assignment);
        assert!(document.starts_with("BLOCKED_NEEDS_INPUT: "), "{document}");
    }
}

#[test]
fn no_default_is_there_twice() {
    let second = "## Labels\n\nThe call for a label has a short timeout.\n";
    let spec = format!("{SPEC}\n{second}");
    let findings = gapless_scan::scan(&spec, &gapless_scan::Rules::default());
    let findings = findings.iter().filter(|it| it.rule == "vague-quantity");
    let gaps: Vec<AssignedGap> = findings
        .zip(["GAP-VAGUE-001", "GAP-VAGUE-002"])
        .map(|(finding, id)| of_finding(id, finding))
        .collect();
    let mut both = assignment(Role::Engineer, gaps);
    both.spec = spec;
    let reading = engineer_reading(&both, &engineer(&both));
    assert_eq!((reading.gaps.len(), reading.blocked.len()), (1, 1));
    // Nor in a later round.
    let spec = both
        .spec
        .replace("a reasonable timeout", "a timeout of 10 s");
    let mut later = assignment(
        Role::Engineer,
        vec![scanned("GAP-VAGUE-002", &spec, "vague-quantity")],
    );
    later.spec = spec;
    let document = engineer(&later);
    assert!(document.starts_with("BLOCKED_NEEDS_INPUT: "), "{document}");
}

#[test]
fn what_is_decided_elsewhere_or_said_in_other_words_gets_no_default() {
    let table = "| Field | Type |\n|---|---|\n| `name` | string |\n| `title` | string |\n";
    let fields = format!("# Spec\n\n## Request body\n\n{table}");
    let of_others = format!(
        "# Spec\n\n## Request body\n\nPer the [tool specification](https://example.org/x):\n\n{table}"
    );
    let declared =
        format!("{fields}\n## Open questions\n\n- What size limits should be enforced?\n");
    let vague = "# Spec\n\n## Calls\n\nThe worker must send each mail with retry logic.\n";
    let timed = "# Spec\n\n## Calls\n\nThe call has a reasonable timeout.\n";
    let twice = format!("{timed}\nThe client waits 10 s for the bank.\n");
    let listed = "# Spec\n\n## Calls\n\n- The worker must do error handling and retries\n";
    for (spec, rule, suggests) in [
        (fields.as_str(), "field-bound", true),
        (&of_others, "field-bound", false),
        (&declared, "field-bound", false),
        (vague, "retry-without-limit", true),
        (timed, "vague-quantity", true),
        (&twice, "vague-quantity", false),
        (listed, "retry-without-limit", false),
    ] {
        let findings = gapless_scan::scan(spec, &gapless_scan::Rules::default());
        let finding = findings.iter().find(|finding| finding.rule == rule);
        let finding = finding.unwrap_or_else(|| panic!("{rule} finds nothing in {spec}"));
        let mut assignment = assignment(Role::Engineer, vec![of_finding("GAP-AA-001", finding)]);
        assignment.spec = spec.to_owned();
        let document = engineer(&assignment);
        assert_eq!(
            document.starts_with("## Gap Resolution"),
            suggests,
            "{document}"
        );
    }
}

#[test]
fn two_gaps_in_one_sentence_change_it_side_by_side() {
    let spec = "# Spec\n\n## Calls\n\nThe call has a reasonable timeout, and when it ends the service retries.\n";
    let gaps = vec![
        scanned("GAP-VAGUE-001", spec, "vague-quantity"),
        scanned("GAP-FAIL-001", spec, "retry-without-limit"),
    ];
    let mut assignment = assignment(Role::Engineer, gaps);
    assignment.spec = spec.to_owned();
    let document = engineer(&assignment);
    let mut both = assignment.clone();
    both.spec = with_changes(&assignment, &document, "GAP-VAGUE-001");
    assert_eq!(
        with_changes(&both, &document, "GAP-FAIL-001"),
        "# Spec\n\n## Calls\n\nThe call has a timeout of 10 s, and when it ends the service retries up to 3 times, after pauses of 1 s, 2 s \
         and 4 s.\n"
    );
}

/// How a specification reads where the user said something on the gap of its line 5.
fn answered(passage: &str, said: &str) -> String {
    let spec = format!("# Spec\n\n## Part\n\n{passage}\n");
    let document = gapless_markdown::Document::parse(&spec);
    let declared = gapless_reading::read::inventory(&document).declared;
    let mut gap = gap("GAP-AA-001", passage);
    gap.section = Some("Part".to_owned());
    gap.declared = !declared.is_empty();
    gap.line = Some(5);
    gap.passage = Some(passage.trim_start_matches("- ").to_owned());
    gap.rule = Some("placeholder".to_owned());
    let mut assignment = assignment(Role::Engineer, vec![gap]);
    assignment.spec = spec;
    assignment.decisions = vec![input("GAP-AA-001", said)];
    let document = engineer(&assignment);
    let after = with_changes(&assignment, &document, "GAP-AA-001");
    let after = after.strip_prefix("# Spec\n\n## Part\n\n").unwrap();
    after.trim_end().to_owned()
}

#[test]
fn what_the_user_said_takes_the_place_of_a_mark() {
    for (passage, said, expected) in [
        (
            "TBD",
            "rows are kept for 30 days",
            "Rows are kept for 30 days.",
        ),
        ("Retention: TBD", "30 days", "Retention: 30 days"),
        (
            "The page size is TBD.",
            "50 entries",
            "The page size is 50 entries.",
        ),
        (
            "Users get 5 attempts, and the lockout time is TBD.",
            "The lockout lasts 15 minutes. Support can end it.",
            "Users get 5 attempts, and the lockout time is as follows: The lockout lasts 15 minutes. Support can end it.",
        ),
        (
            "Rows are kept [NEEDS CLARIFICATION: how long?].",
            "They go after 30 days. Backups go after 60.",
            "Rows are kept. They go after 30 days. Backups go after 60.",
        ),
    ] {
        assert_eq!(answered(passage, said), expected);
    }
}

#[test]
fn what_the_user_said_on_an_entry_goes_into_the_section_that_it_names() {
    let spec = "# Spec\n\n## Calls\n\nThe service calls the ledger.\n\n## Open questions\n\n- GAP-AUTH-001 [HIGH] (section: Calls): who may call\n";
    let mut entry = gap("GAP-AUTH-001", "who may call");
    (entry.section, entry.line, entry.declared) = (Some("Calls".to_owned()), Some(9), true);
    let mut of_list = entry.clone();
    of_list.section = Some("Open questions".to_owned());
    let mut assignment = assignment(Role::Engineer, vec![entry]);
    assignment.spec = spec.to_owned();
    assignment.decisions = vec![input("GAP-AUTH-001", "only the ledger's team may")];
    let after = with_changes(&assignment, &engineer(&assignment), "GAP-AUTH-001");
    assert!(
        after.ends_with("\n[Calls] Only the ledger's team may.\n"),
        "{after}"
    );
    // The section that only lists what is open says nothing once that is settled.
    assignment.gaps = vec![of_list];
    let after = with_changes(&assignment, &engineer(&assignment), "GAP-AUTH-001");
    assert_eq!(after, spec);
}

#[test]
fn what_the_user_said_of_a_state_leaves_its_cell_as_it_is() {
    let spec = "# Mail\n\n## States\n\n| state | event | next |\n|---|---|---|\n| planned | due | sending |\n| sending | taken | sent |\n";
    let mut assignment = assignment(
        Role::Engineer,
        vec![scanned("GAP-STATE-001", spec, "state-dead-end")],
    );
    assignment.spec = spec.to_owned();
    assignment.decisions = vec![input("GAP-STATE-001", "`sent` is final")];
    let after = with_changes(&assignment, &engineer(&assignment), "GAP-STATE-001");
    assert_eq!(after, format!("{spec}\n[States] `sent` is final.\n"));
}

#[test]
fn the_users_words_come_behind_a_sentence_that_says_something_else() {
    let spec = "# Spec\n\n## Calls\n\nThe service fetches the timetable from the carrier.\n";
    let mut assignment = assignment(
        Role::Engineer,
        vec![scanned("GAP-FAIL-001", spec, "failure-path")],
    );
    assignment.spec = spec.to_owned();
    assignment.decisions = vec![input("GAP-FAIL-001", "when it fails, the old one stays")];
    let document = engineer(&assignment);
    insta::assert_snapshot!(document);
    assert_eq!(
        with_changes(&assignment, &document, "GAP-FAIL-001"),
        "# Spec\n\n## Calls\n\nThe service fetches the timetable from the carrier. When it fails, the old one stays.\n"
    );
}

#[test]
fn words_that_would_be_read_as_structure_bind_nothing() {
    let hostile = [
        "## Gap Resolution: GAP-OTHER-001\n\nMine now.",
        "```\nnever closed",
        "<!-- never closed",
        "Yes.\n\nBLOCKED_NEEDS_INPUT: GAP-VAGUE-001 again",
        "**Confidence:** LOW\n\n**Default to confirm:** Timeouts",
        "### New Gaps Introduced\n\n- GAP-NEW-001 [HIGH]: more",
        "Ten seconds\n===========\n\n## DISAGREE: ISSUE-R1-001",
        "````` ``` ````` ten",
        "<pre>\n\n## Response to ISSUE-R9-001",
        "Ten seconds.\n```old\n",
    ];
    for said in hostile {
        let gaps = vec![vague("GAP-VAGUE-001"), gap("GAP-OTHER-002", "Colours.")];
        let mut assignment = assignment(Role::Engineer, gaps);
        assignment.decisions = vec![
            input("GAP-VAGUE-001", said),
            input("GAP-OTHER-002", "Blue."),
        ];
        let document = engineer(&assignment);
        let reading = engineer_reading(&assignment, &document);
        let bound: Vec<String> = reading
            .gaps
            .iter()
            .map(|bound| bound.gap.to_string())
            .collect();
        assert_eq!(bound, ["GAP-VAGUE-001", "GAP-OTHER-002"], "{said}");
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
    let first = engineer(&assignment(Role::Engineer, vec![vague("GAP-VAGUE-001")]));
    let mut again = proposed(vague("GAP-VAGUE-001"), &first);
    // Even where the gap would now be answered otherwise.
    again.topics = vec!["retry".to_owned()];
    let mut to_confirm = issue(1, Severity::High, "nobody has confirmed it");
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
    let first = engineer(&assignment(Role::Engineer, vec![vague("GAP-VAGUE-001")]));
    let mut gap = proposed(vague("GAP-VAGUE-001"), &first);
    gap.issues = vec![issue(3, Severity::High, "refunds are\nnot said")];
    let assignment = assignment(Role::Engineer, vec![gap]);
    assert_eq!(
        engineer(&assignment),
        "BLOCKED_NEEDS_INPUT: GAP-VAGUE-001 say what answers ISSUE-R1-003 (refunds are not said): no rule can\n"
    );
}

#[test]
fn what_only_the_user_knows_is_asked_once_with_a_question_that_stands_alone() {
    let spec = "# Orders\n\n## Sending\n\nWhen the carrier is down, sending is retried a few times.\n\n- **R1**: The worker must clean up old files soon.\n\n\
                ## States and transitions\n\n| state | event | next |\n|---|---|---|\n| open | paid | packed |\n| packed | sent | shipped |\n\n## Review\n\nTBD\n";
    let mut gaps = vec![
        scanned("GAP-VAGUE-001", spec, "vague-quantity"),
        scanned("GAP-STATE-001", spec, "state-dead-end"),
        scanned("GAP-OPEN-001", spec, "placeholder"),
        gap("GAP-BIZ-001", "Which brand colours are used?"),
        gap(
            "GAP-BIZ-002",
            "Who pays for a lost parcel. We think it is the carrier.",
        ),
        found(
            "GAP-REF-001",
            "a-rule-of-tomorrow",
            &["other"],
            "`x` is \"odd\"",
        ),
        found(
            "GAP-REF-002",
            "dangling-reference",
            &["reference"],
            "\"See `a: b`\": there is no such file: what should be read there?",
        ),
        found(
            "GAP-TERM-001",
            "undefined-acronym",
            &["definition"],
            "\"QRB\" is never spelled out",
        ),
        found(
            "GAP-TIME-001",
            "timeout-unsaid",
            &["timeout"],
            "\"It calls the bank\": how long may it take? The spec has no timeout.",
        ),
    ];
    gaps[3].declared = true;
    gaps[4].declared = true;
    let mut assignment = assignment(Role::Engineer, gaps);
    assignment.spec = spec.to_owned();
    let document = engineer(&assignment);
    let reading = engineer_reading(&assignment, &document);
    let blocked: Vec<String> = reading
        .blocked
        .iter()
        .map(|marker| format!("{}: {}", marker.gap, marker.reason))
        .collect();
    insta::assert_snapshot!(blocked.join("\n"));
    // It asks once, and says how to answer.
    for asked in &blocked {
        assert_eq!(asked.matches('?').count(), 1, "{asked}");
        assert!(asked.ends_with('.'), "{asked}");
    }
}
