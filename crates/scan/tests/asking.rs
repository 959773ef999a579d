//! The rules that ask for missing answers: which sentences make them ask, and which answers keep them silent.

use gapless_scan::{Finding, Rules, rules, scan};

fn by_rule(rule: &str, text: &str) -> Vec<Finding> {
    assert!(rules::by_id(rule).is_some(), "there is no rule {rule}");
    let findings = scan(text, &Rules::all());
    findings
        .into_iter()
        .filter(|finding| finding.rule == rule)
        .collect()
}

fn check(rule: &str, asked: &[&str], silent: &[&str]) {
    for text in asked {
        assert!(
            !by_rule(rule, text).is_empty(),
            "{rule} is silent about: {text}"
        );
    }
    for text in silent {
        let found = by_rule(rule, text);
        assert!(found.is_empty(), "{rule} speaks of: {text}\n{found:?}");
    }
}

#[test]
fn a_bound_needs_a_value_wherever_it_is_written() {
    check(
        "unnumbered-bound",
        &[
            "The gateway must drop calls above the daily limit.",
            "When the sync interval has passed, the app must fetch the calendar.",
            "The system shall:\n\n- check the minimum age\n- greet the guest",
            "The account must be temporarily locked.",
            "Positions must be updated in real time.",
        ],
        &[
            "The gateway must drop calls above the daily limit of 500.",
            "When the sync interval has passed, the app must fetch the calendar. It is 10 minutes.",
            "When the sync interval has passed, the app must fetch the calendar.\n\n```toml\nsync_interval = 600\n```",
            "- The guest must have the minimum age\n  - 18 years",
            "The page must show the response time.",
            "There must be no daily limit.",
            "## Background\n\nThe old gateway had to drop calls above the daily limit.",
            "> The gateway must drop calls above the daily limit.",
            "```\nThe gateway must drop calls above the daily limit.\n```",
        ],
    );
}

#[test]
fn references_are_no_values() {
    check(
        "unnumbered-bound",
        &["The gateway must drop calls above the daily limit, as Requirement 4.2 says."],
        &[],
    );
}

#[test]
fn a_state_that_comes_with_time_needs_the_time() {
    check(
        "undated-state",
        &[
            "The cleaner must close idle tabs.",
            "When a delivery is delayed, the shop must tell the customer.",
        ],
        &[
            "The cleaner must close tabs that were idle for 5 minutes.",
            "The clerk must be able to mark a card as inactive.",
            "The tab must be idle/busy.",
            "# Idle tabs\n\nThe cleaner must close idle tabs.",
        ],
    );
}

#[test]
fn figures_and_criteria_must_be_explained_somewhere() {
    check(
        "undefined-measure",
        &[
            "The page must show the bounce rate.",
            "Calls must be answered by priority.",
        ],
        &[
            "The page must show the bounce rate (visits of one page divided by all visits).",
            "The page must not show the bounce rate.",
            "The page must show the bounce rate.\n\nThe bounce rate is the share of visits of one page.",
        ],
    );
    check(
        "unstated-criteria",
        &["The service must reject photos that violate house policies."],
        &[
            "The service must reject photos that violate house policies: no faces, no plates.",
            "The service must reject photos that violate the policies of [the house](house.md).",
            "The functional requirements are met.",
        ],
    );
}

#[test]
fn words_that_leave_open_how_much_or_which_are_asked_about() {
    check(
        "enough-for-what",
        &["The dump must carry enough data to replay the call."],
        &["The dump must carry enough data to replay the call: headers, body and time."],
    );
    check(
        "open-selection",
        &["The page must list related articles."],
        &[
            "The page must list the 5 related articles.",
            "The page must list related articles by tag.",
            "The related articles were a nice idea.",
        ],
    );
    check(
        "unnamed-matter",
        &[
            "The proxy must report anomalies.",
            "If problems are found, the job must stop.",
        ],
        &[
            "The proxy must report anomalies (a size that doubles within a minute).",
            "No sensitive data is stored.",
        ],
    );
    check(
        "untested-ideal",
        &[
            "The store must guarantee data quality.",
            "## Requirements\n\n- Intuitive navigation\n- One login",
        ],
        &[
            "The store must use checksums to maintain integrity.",
            "## Background\n\n- Intuitive navigation\n- One login",
        ],
    );
}

#[test]
fn choices_that_are_left_open_are_asked_about() {
    check(
        "undecided-choice",
        &[
            "# Summary\n\nWe may also consider a second region.",
            "It is unclear whether guests may vote.",
            "## Stack\n\n- Cache: Redis or Memcached",
        ],
        &[
            "While it is unclear whether guests vote, members do.",
            "For example, we may consider a vote.",
            "## Open questions\n\nIt is unclear whether guests may vote.",
            "- Guests: Members or Visitors",
        ],
    );
}

#[test]
fn an_edge_case_is_open_until_something_is_said_of_it() {
    check(
        "edge-case-open",
        &[
            "## Edge Cases\n\n- What happens when the disk is full?",
            "## Edge Cases\n\n- What happens when two concurrent votes reach the same ballot?\n\n## Rules\n\nA vote must name the same ballot twice.",
            "### Edge cases\n\n- The reader is unplugged during a read",
        ],
        &[
            "## Edge Cases\n\n- What happens when the disk is full? The oldest page is dropped.",
            "## Edge Cases\n\n- The reader is unplugged during a read: the read is repeated",
            "## Edge Cases\n\n- What happens when a ballot names an unknown candidate?\n\n## Rules\n\nA ballot that names an unknown candidate must be refused.",
            "## Cases\n\n- The reader is unplugged during a read",
        ],
    );
}

#[test]
fn what_starts_something_must_be_said() {
    check(
        "trigger-unsaid",
        &["When the nightly review is launched, the tool must lock the desk."],
        &[
            "When the review is launched by a clerk, the tool must lock the desk.",
            "When the review is ended, the tool must lock the desk.",
        ],
    );
}

#[test]
fn a_status_that_nothing_sets_is_asked_about_and_the_first_is_not() {
    let text =
        "- **Ticket**: status (new, solved, muted)\n\nAn agent must be able to solve a ticket.";
    let found = by_rule("status-unused", text);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].message.contains("\"muted\""),
        "{}",
        found[0].message
    );
    check(
        "status-unused",
        &[],
        &[
            "- **Ticket**: status (new, solved, muted)\n\nAn agent must be able to solve and to mute a ticket.",
        ],
    );
}

#[test]
fn a_spec_is_asked_once_about_what_it_never_mentions() {
    let cases = [
        (
            "access-unsaid",
            "The service must offer an endpoint to add coins.",
            "Only cashiers with the role `till` may add coins.",
        ),
        (
            "retention-unsaid",
            "The service must keep an audit trail.",
            "Entries are purged each year.",
        ),
        (
            "timeout-unsaid",
            "The service must send an HTTP request to the bank.",
            "The timeout is 3 seconds.",
        ),
        (
            "rate-limit-unsaid",
            "The search page must be public.",
            "Searches are throttled.",
        ),
        (
            "transfer-limit-unsaid",
            "A guest must be able to upload a picture.",
            "An upload has at most 3 MB.",
        ),
        (
            "handled-twice",
            "The service must send webhooks to the bank.",
            "Each has an id, so that duplicates are dropped.",
        ),
        (
            "concurrent-edit",
            "Collaborators must be able to rename a board.",
            "The later change wins: there is no locking.",
        ),
        (
            "contended-thing",
            "A guest must be able to reserve a table.",
            "The row is locked.",
        ),
        (
            "capacity-unsaid",
            "Pages must be kept in an in-memory cache.",
            "Its capacity is 200 pages.",
        ),
        (
            "time-zone-unsaid",
            "The service must send a daily digest.",
            "Days are those of UTC.",
        ),
        (
            "payload-unsaid",
            "The service must forward the payload to the bank.",
            "The fields are listed in the contract.",
        ),
        (
            "sign-in-attempts",
            "A guest must be able to sign in with a password.",
            "Wrong attempts lock the account.",
        ),
        (
            "service-credentials",
            "The service must charge cards over Stripe.",
            "Its key is in the vault.",
        ),
        (
            "deletion-effect",
            "An editor must be able to delete a board.",
            "Its cards are moved to the trash.",
        ),
        (
            "password-rules",
            "The service must refuse a weak password.",
            "A password has at least 10 characters.",
        ),
        (
            "token-lifetime",
            "The service must send a magic link to the guest.",
            "It expires after 10 minutes.",
        ),
        (
            "notification-channel",
            "The service must notify the editors.",
            "They get an email.",
        ),
        (
            "rounding-unsaid",
            "The service must calculate the discount.",
            "Amounts are rounded to the cent.",
        ),
        (
            "partial-failure",
            "An editor must be able to start a bulk edit.",
            "It is all or nothing.",
        ),
        (
            "existing-data",
            "The board must get a new field for its colour.",
            "Existing boards become grey.",
        ),
        (
            "damaged-file",
            "The tool must write a state file.",
            "A corrupt one is renamed.",
        ),
    ];
    for (rule, raising, answer) in cases {
        let twice = format!("# Spec\n\n## One\n\n{raising}\n\n## Two\n\n{raising}\n");
        assert_eq!(by_rule(rule, &twice).len(), 1, "{rule} in: {twice}");
        check(
            rule,
            &[raising],
            &[
                &format!("{raising}\n\n## Later\n\n{answer}"),
                &format!("## Background\n\n{raising}"),
            ],
        );
    }
}

#[test]
fn names_in_code_answer_too() {
    check(
        "timeout-unsaid",
        &[],
        &[
            "The service must send an HTTP request to the bank.\n\n```json\n{\"bankTimeoutMs\": 3000}\n```",
        ],
    );
}

#[test]
fn options_need_defaults_and_commands_exit_codes() {
    check(
        "option-without-default",
        &["The worker must stop after `max_errors`."],
        &[
            "The worker must stop after `max_errors` (10 unless it is set).",
            "The metric `http_request_duration_seconds` must be exported.",
            "The worker must stop after `last_error`.",
        ],
    );
    check(
        "exit-codes-unsaid",
        &["# Tools\n\n```sh\ntidy add a\ntidy drop a\ntidy list\n```"],
        &[
            "# Tools\n\n```python\nimport a\nimport b\nimport c\n```",
            "# Tools\n\n```sh\ngit add a\ngit pull\ngit push\n```",
            "# Tools\n\n```sh\ntidy add a\ntidy drop a\ntidy list\n```\n\nEach exits with 0 or 1.",
        ],
    );
}

#[test]
fn neighbours_show_what_a_story_or_an_endpoint_lacks() {
    let story = |number: u32, rest: &str| {
        format!("## Story {number}\n\nAs a clerk I want a list.\n\n{rest}\n\n")
    };
    let with = "### Acceptance criteria\n\n- The list has names.";
    let text = story(1, with) + &story(2, with) + &story(3, "");
    let found = by_rule("story-without-acceptance", &text);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("\"Story 3\""));
    let even = story(1, with) + &story(2, "");
    check("story-without-acceptance", &[], &[&even]);
}

#[test]
fn one_quantity_has_one_value() {
    check(
        "conflicting-figures",
        &["The reply timeout is 5 seconds.\n\n## Limits\n\nThe reply timeout must be 9 seconds."],
        &[
            "The reply timeout is 5 seconds.\n\n## Limits\n\nThe reply timeout must be 5 seconds.",
            "The reply timeout is 5 seconds. If the line is slow, the reply timeout is 9 seconds.",
            "The reply timeout is 5 seconds. The login timeout is 9 minutes.",
        ],
    );
}

#[test]
fn a_spec_that_leaves_out_the_same_everywhere_is_not_drowned() {
    let text: String = (0..40)
        .map(|number| format!("- The a{number} must keep the minimum b{number}\n"))
        .collect();
    let found = by_rule("unnumbered-bound", &text);
    assert!((2..=12).contains(&found.len()), "{}", found.len());
    let last = found
        .last()
        .map(|finding| finding.message.clone())
        .unwrap_or_default();
    assert!(last.contains("more places"), "{last}");
}
