//! The forms in which reviews state verdicts, findings and earlier issues, and what around them is neither.

use crate::support::{ENGINEER, GAPS, Known, addressed, engineer, reviewer, tolerant, warned};
use gapless_domain::config::Strictness;
use gapless_domain::failure::FailureType;
use gapless_domain::severity::Severity;
use gapless_domain::severity::Severity::{Critical, High, Low, Medium};
use gapless_domain::task::Role;
use gapless_reading::read::Verdict;
use gapless_reading::validate::{Checked, validate};

fn review(body: &str) -> Checked {
    let text = format!("## Review: GAP-FLOW-001\n\n{body}\n");
    tolerant(Role::Reviewer, &text)
}

fn verdict(checked: &Checked) -> Option<Verdict> {
    reviewer(checked).reviews[0].verdict
}

/// The issues of a review with their severities, in order.
fn raised(checked: &Checked) -> Vec<(Severity, String)> {
    let issues = reviewer(checked).issues.iter();
    issues
        .map(|issue| (issue.concern.severity, issue.concern.summary.clone()))
        .collect()
}

#[track_caller]
fn raises(body: &str, expected: &[(Severity, &str)]) {
    let found = raised(&review(body));
    let expected: Vec<(Severity, String)> = expected
        .iter()
        .map(|(severity, summary)| (*severity, (*summary).to_owned()))
        .collect();
    assert_eq!(found, expected, "{body}");
}

#[test]
fn verdicts_are_read_in_every_form() {
    for (body, expected) in [
        ("## Verdict: APPROVED_WITH_NOTES", Verdict::ApproveWithNotes),
        (
            "### Verdict\n\nAPPROVED, the card is fine.",
            Verdict::Approve,
        ),
        ("**Status**: APPROVED ✓", Verdict::Approve),
        ("**No Issues Found**", Verdict::NoIssuesFound),
        (
            "**Recommended Action**: Ready to integrate",
            Verdict::Approve,
        ),
        (
            "### Conclusion\n\nThe proposal is ready to integrate with three minor clarifications.",
            Verdict::ApproveWithNotes,
        ),
        ("Verdict: LGTM with nits", Verdict::ApproveWithNotes),
        ("**APPROVED**", Verdict::Approve),
        ("### Verdict\n\n`APPROVED`", Verdict::Approve),
        ("**Standing of the proposal:** APPROVED", Verdict::Approve),
    ] {
        let body = match body.starts_with("## ") {
            true => format!("#{body}"),
            false => body.to_owned(),
        };
        assert_eq!(verdict(&review(&body)), Some(expected), "{body}");
    }
    let why = "\n\n### Concerns\n\n- the card names no depot";
    for body in [
        "**VERDICT: NEEDS_REVISION**",
        "### Verdict\n\n**NEEDS_REVISION**",
        "**Decision:** Approved subject to the changes below",
        "**Recommendation:** I cannot approve this yet",
    ] {
        let checked = review(&format!("{body}{why}"));
        assert_eq!(verdict(&checked), Some(Verdict::Revise), "{body}");
        assert_eq!(
            raised(&checked),
            [(High, "the card names no depot".to_owned())]
        );
        assert!(warned(&checked, "SEVERITY_INFERRED").is_some());
    }
}

#[test]
fn a_list_gives_each_gap_its_verdict() {
    let text = "# Review: Round 3\n\n## Verdicts\n\n1. GAP-FLOW-001: nobody at home - **APPROVED**\n\
                2. GAP-FLOW-002: labels - **NEEDS_REVISION**\n\n## Concerns\n\n- GAP-FLOW-002: nobody types labels at night\n";
    let checked = tolerant(Role::Reviewer, text);
    let verdicts: Vec<_> = reviewer(&checked)
        .reviews
        .iter()
        .map(|review| (review.gap.to_string(), review.verdict))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("GAP-FLOW-001".to_owned(), Some(Verdict::Approve)),
            ("GAP-FLOW-002".to_owned(), Some(Verdict::Revise)),
        ]
    );
}

#[test]
fn a_range_reviews_every_gap_in_it() {
    let three = ["GAP-FLOW-001", "GAP-FLOW-002", "GAP-FLOW-003"];
    for heading in [
        "GAP-FLOW-001 through GAP-FLOW-003",
        "GAP-FLOW-001 – GAP-FLOW-003",
        "GAP-FLOW-001, 002 and 003",
    ] {
        let text = format!("## Review: {heading}\n\n**Verdict:** APPROVED\n");
        let ground = Known::assigned(&three);
        let checked = validate(Role::Reviewer, Some(&text), Strictness::Tolerant, &ground);
        assert_eq!(addressed(&checked), three, "{heading}");
    }
    // A gap within the range that doesn't exist is not reviewed, and nobody named it.
    let ground = Known::assigned(&["GAP-FLOW-001", "GAP-FLOW-003"]);
    let text = "## Review: GAP-FLOW-001 through GAP-FLOW-003\n\n**Verdict:** APPROVED\n";
    let checked = validate(Role::Reviewer, Some(text), Strictness::Tolerant, &ground);
    assert_eq!(addressed(&checked), ["GAP-FLOW-001", "GAP-FLOW-003"]);
}

#[test]
fn findings_are_read_under_other_words() {
    let card = "the card names no depot";
    for (heading, severity) in [
        ("### Concerns", Medium),
        ("### Remaining observations (non-blocking)", Medium),
        ("### Identified gaps", Medium),
        (
            "### Required clarifications\n\n#### MUST CLARIFY (Blocking)",
            High,
        ),
        ("#### SHOULD CLARIFY", Medium),
        ("#### MINOR", Low),
        ("### 🔴 Blockers", Critical),
        ("**Major Concerns**", High),
        ("### P2", Medium),
        ("### Nits", Low),
        ("### Where the proposal falls short", Medium),
    ] {
        raises(&format!("{heading}\n\n- {card}"), &[(severity, card)]);
    }
}

#[test]
fn tags_give_findings_their_severity() {
    let body = "### Recommendations\n\n- **MUST FIX**: print the depot on the card\n- **SHOULD DO**: count from the day on the card\n\
                - **CONSIDER**: a map on the back\n- keep the font\n";
    raises(
        body,
        &[
            (High, "print the depot on the card"),
            (Medium, "count from the day on the card"),
            (Low, "a map on the back"),
        ],
    );
    let body = "### Findings\n\n1. 🔴 the card names no depot\n2. [P1] nobody counts the days\n3. 🟡 the font is small\n4. nit: two spaces\n";
    raises(
        body,
        &[
            (Critical, "the card names no depot"),
            (High, "nobody counts the days"),
            (Medium, "the font is small"),
            (Low, "two spaces"),
        ],
    );
}

#[test]
fn numbered_entries_with_fields_are_findings() {
    let body = "#### 1. Depot\n\n**Issue:** the card names no depot\n\n**Recommendation:** print its address\n\n\
                #### 2. Days\n\n**Severity:** P1\n**Problem:** nobody counts the days\n**Fix:** count from Monday\n\n**Verdict:** NEEDS_REVISION\n";
    let checked = review(body);
    assert_eq!(
        raised(&checked),
        [
            (High, "Depot: the card names no depot".to_owned()),
            (High, "Days: nobody counts the days".to_owned()),
        ]
    );
    let concern = &reviewer(&checked).issues[0].concern;
    assert_eq!(concern.suggestion.as_deref(), Some("print its address"));
}

#[test]
fn a_table_with_severities_has_findings() {
    let body = "### Summary of the review\n\nTwo points.\n\n### Details\n\n| # | Severity | Finding | Fix |\n|---|---|---|---|\n\
                | 1 | High | the card names no depot | print it |\n| 2 | Nit | the font is small | enlarge it |\n\n\
                ### Criteria\n\n| Aspect | Result |\n|---|---|\n| Clarity | Complete |\n";
    raises(
        body,
        &[
            (High, "the card names no depot"),
            (Low, "the font is small"),
        ],
    );
}

#[test]
fn earlier_issues_are_raised_only_where_they_are_still_open() {
    let body = "### Earlier issues\n\n#### ISSUE-R7-001: the card names no depot - RESOLVED\n\nIt does now.\n\n\
                #### ISSUE-R7-002: nobody counts the days - STILL OPEN\n\n**Impact:** parcels go back early\n\n\
                | Issue | Title | Status |\n|---|---|---|\n| ISSUE-R7-003 | the font is small | ✅ Resolved |\n\
                | ISSUE-R7-004 | two spaces in the name | Not addressed |\n\n**Verdict:** NEEDS_REVISION\n";
    let checked = review(body);
    let ids: Vec<&str> = reviewer(&checked)
        .issues
        .iter()
        .map(|issue| issue.written_id.as_str())
        .collect();
    assert_eq!(ids, ["ISSUE-R7-002", "ISSUE-R7-004"]);
    assert_eq!(
        raised(&checked)[0],
        (High, "nobody counts the days".to_owned())
    );
}

#[test]
fn nothing_around_findings_becomes_one_or_a_verdict() {
    let noise = [
        "### Strengths\n\n- the card is short [HIGH]\n- **ISSUE-R1-009**: was well found",
        "### Testing Strategy\n\n- [HIGH] drive to the wrong depot on purpose\n\n1. MUST FIX the van",
        "### Roadmap\n\n- P1: print the cards\n- P2: build the depot",
        "### Review checklist\n\n- [x] the card\n- [ ] the depot\n- [ ] [HIGH] the van",
        "### Sign-off\n\n**Reviewer:** the depot\n**Date:** 2026-01-12",
        "### Last round\n\n> REJECTED\n\nThat was then.",
        "### Verdict of the last round\n\n> NEEDS_REVISION",
        "> ### Critical Issues\n>\n> - the card names no depot\n>\n> **Verdict:** REJECTED",
        "> - [HIGH] quoted\n\n> | Finding | Severity |\n> |---|---|\n> | quoted words | HIGH |",
        "```markdown\n### Critical Issues\n\n- **ISSUE-R1-001**: example\n\n**Verdict:** REJECTED\n```",
        "<!-- **Verdict:** REJECTED -->",
        "### Critical Issues\n\nNone.\n\n### High Priority\n\n- N/A\n\n### Medium Priority\n\nNo issues identified at this level.",
        "### Critical Issues\n\n- [description of the issue]\n- **ISSUE-R1-001**: {what is wrong}\n- …",
        "### Summary\n\n**Issues found:** 0 critical, 1 high",
        "### Minor Observations (Not Issues)\n\n- the font is nice",
    ];
    for noise in noise {
        for body in [
            format!("**Verdict:** APPROVED\n\n{noise}"),
            format!("{noise}\n\n---\n\n**Verdict:** APPROVED"),
        ] {
            let checked = review(&body);
            assert_eq!(verdict(&checked), Some(Verdict::Approve), "{body}");
            assert_eq!(raised(&checked), [], "{body}");
        }
    }
}

#[test]
fn a_template_is_neither_a_verdict_nor_an_examination() {
    for body in [
        "**Verdict:** APPROVED | APPROVED_WITH_NOTES | NEEDS_REVISION",
        "**Verdict:** [APPROVED / NEEDS_REVISION]",
        "**Verdict:** <verdict>",
        "### Verdict\n\n{APPROVED}",
    ] {
        let failure = review(body).result.failure_type;
        assert_eq!(failure, Some(FailureType::WrongFormat), "{body}");
    }
    let body = "**NO_ISSUES_FOUND**\n\nExamined:\n\n- [what you examined]\n- [ ] the card\n- …\n- the depot\n";
    assert_eq!(reviewer(&review(body)).reviews[0].examined, 1);
}

#[test]
fn of_two_verdicts_the_stricter_one_counts() {
    let why = "### High Priority\n\n- the card names no depot";
    let body = format!("**Verdict:** APPROVED\n\n{why}\n\n### Decision\n\nNEEDS_REVISION");
    let checked = review(&body);
    assert_eq!(verdict(&checked), Some(Verdict::Revise));
    assert_eq!(warned(&checked, "CONTRADICTORY_VERDICTS"), Some(Some(3)));
    // An approval with notes beside one without is no contradiction.
    let checked = review("**Verdict:** APPROVED\n\n### Conclusion\n\nApproved with comments.");
    assert_eq!(verdict(&checked), Some(Verdict::ApproveWithNotes));
    assert_eq!(warned(&checked, "CONTRADICTORY_VERDICTS"), None);
    // Another gap's verdict is another matter.
    let text = format!(
        "## Review: GAP-FLOW-001\n\n**Verdict:** APPROVED\n\n## Review: GAP-FLOW-002\n\n**Verdict:** REVISE\n\n{why}\n"
    );
    assert_eq!(
        warned(&tolerant(Role::Reviewer, &text), "CONTRADICTORY_VERDICTS"),
        None
    );
}

#[test]
fn findings_without_a_severity_follow_the_verdict() {
    let card = "- the card names no depot";
    for (verdict, heading, severity) in [
        ("APPROVED", "Concerns", Medium),
        ("APPROVED WITH NOTES", "Concerns", Medium),
        ("NEEDS_REVISION", "Concerns", High),
        ("APPROVED", "Blocking concerns", High),
        ("NEEDS_REVISION", "Concerns (not blocking)", Medium),
    ] {
        let checked = review(&format!(
            "**Verdict:** {verdict}\n\n### {heading}\n\n{card}"
        ));
        let issue = &reviewer(&checked).issues[0];
        assert_eq!(issue.concern.severity, severity, "{verdict} {heading}");
        assert!(warned(&checked, "SEVERITY_INFERRED").is_some(), "{heading}");
        let over = verdict.starts_with("APPROVED") && severity == High;
        assert_eq!(warned(&checked, "APPROVED_OVER_ISSUES").is_some(), over);
    }
    let checked = review("### High Priority\n\n- the card names no depot");
    assert_eq!(warned(&checked, "SEVERITY_INFERRED"), None);
}

#[test]
fn a_revision_must_say_why() {
    for body in [
        "**Verdict:** NEEDS_REVISION",
        "**Verdict:** REJECTED\n\n### Strengths\n\n- it is short",
    ] {
        let result = review(body).result;
        assert_eq!(
            result.failure_type,
            Some(FailureType::WrongFormat),
            "{body}"
        );
        let said =
            "the review of GAP-FLOW-001 asks for a revision and raises no issue that says why";
        assert_eq!(result.message, said);
    }
    // Where no place for findings has any, a list of objections is taken.
    let body = "**Verdict:** NEEDS_REVISION\n\n### Thoughts on the card\n\n- the depot is missing\n- who counts the days?";
    raises(
        body,
        &[
            (High, "the depot is missing"),
            (High, "who counts the days?"),
        ],
    );
}

#[test]
fn disagreements_are_read_in_forms_that_come_close() {
    let fields = "**Reviewer Concern:** the card\n\n**Engineer Position:** it is fine\n\n**Rationale:** the map shows it\n";
    let near = [
        ("### DISAGREE: ISSUE-R1-001", fields.to_owned()),
        ("## Disagree - ISSUE-R1-001", fields.to_owned()),
        ("## DISAGREE: ISSUE-R1-1", fields.to_owned()),
        ("## DISAGREE with `ISSUE-R1-01`: the card", fields.to_owned()),
        ("## DISAGREE: ISSUE-R1-001", fields.replace("**", "")),
        ("## DISAGREE: ISSUE-R1-001", fields.replace("**Re", "- **Re").replace("**En", "- **En").replace("**Ra", "- **Ra")),
        (
            "## DISAGREE: ISSUE-R1-001",
            "### Concern\n\nthe card\n\n### Our position\n\nit is fine\n\n### Reasoning\n\nthe map shows it\n".to_owned(),
        ),
    ];
    for (heading, fields) in near {
        let text = format!("{ENGINEER}\n{heading}\n\n{fields}");
        let checked = tolerant(Role::Engineer, &text);
        let [block] = engineer(&checked).disagreements.as_slice() else {
            panic!("{heading}\n{fields}");
        };
        assert_eq!(block.issue.to_string(), "ISSUE-R1-001");
        let parts = [&block.concern, &block.position, &block.rationale]
            .map(|part| part.as_deref().unwrap_or(""));
        assert_eq!(
            parts,
            ["the card", "it is fine", "the map shows it"],
            "{heading}\n{fields}"
        );
        assert!(
            warned(&checked, "NONCANONICAL_FORM").is_some(),
            "{heading}\n{fields}"
        );
        let strict = validate(
            Role::Engineer,
            Some(&text),
            Strictness::Strict,
            &Known::assigned(&GAPS),
        );
        assert!(
            !strict.result.success || strict.reading != checked.reading,
            "{heading}\n{fields}"
        );
    }
}

#[test]
fn a_fence_in_remarks_is_not_the_document() {
    let fenced = format!("```markdown\n{ENGINEER}```\n");
    let before = "I looked at both gaps, and a resolution would look like this:\n\n";
    let long = "There is more to say about the depot before anybody decides, since the answer depends on the contract with the carrier, \
                which I have not seen, and on the opening hours, which differ from town to town and from season to season.\n\n";
    for text in [
        format!("{before}{fenced}\nbut I leave it to you.\n"),
        format!("{long}{fenced}"),
        format!("{fenced}\n{long}"),
        format!("One.\n\nTwo.\n\nThree.\n\n{fenced}"),
    ] {
        let checked = tolerant(Role::Engineer, &text);
        assert_eq!(
            checked.result.failure_type,
            Some(FailureType::WrongFormat),
            "{text}"
        );
    }
    let text = format!("Here is the document:\n\n{fenced}\nLet me know if anything is missing.\n");
    assert!(tolerant(Role::Engineer, &text).result.success);
}

#[test]
fn a_summary_repeats_findings_only_where_there_are_others() {
    let summary = "### Summary\n\nTwo points.\n\n#### High Priority\n\n- the card names no depot";
    raises(summary, &[(High, "the card names no depot")]);
    let both = format!("### High Priority\n\n- nobody counts the days\n\n{summary}");
    raises(&both, &[(High, "nobody counts the days")]);
    // What is graver than everything else repeats nothing.
    let both = format!("### Medium Priority\n\n- nobody counts the days\n\n{summary}");
    raises(
        &both,
        &[
            (Medium, "nobody counts the days"),
            (High, "the card names no depot"),
        ],
    );
}
