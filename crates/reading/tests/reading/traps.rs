//! The traps in what agents really write, each as a test of its own.

use crate::support::{
    ENGINEER, Known, REVIEWER, addressed, engineer, engineer_facts, reviewer, reviewer_facts,
    strict, tolerant, warned,
};
use gapless_domain::config::Strictness;
use gapless_domain::failure::FailureType;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_reading::read::Verdict;
use gapless_reading::validate::validate;

fn fenced(text: &str) -> String {
    format!("```markdown\n{text}```\n")
}

#[test]
fn structure_only_inside_a_fence_among_prose_is_no_structure() {
    for (role, document) in [(Role::Engineer, ENGINEER), (Role::Reviewer, REVIEWER)] {
        let text = format!(
            "# Notes\n\nThis is how I would write it:\n\n{}\n# What is left\n\nNothing else.\n",
            fenced(document)
        );
        for checked in [tolerant(role, &text), strict(role, &text)] {
            assert_eq!(
                checked.result.failure_type,
                Some(FailureType::WrongFormat),
                "{role:?}"
            );
        }
    }
}

#[test]
fn a_fence_among_much_prose_is_not_taken_off() {
    let prose = "A line that says something about the parcel and its way.\n".repeat(6);
    let text = format!("{prose}\n{}\n{prose}", fenced(ENGINEER));
    let checked = tolerant(Role::Engineer, &text);
    assert_eq!(checked.result.failure_type, Some(FailureType::WrongFormat));
}

#[test]
fn an_example_in_a_fence_binds_nothing_beside_the_real_section() {
    let example =
        "```markdown\n## Gap Resolution: GAP-FLOW-002\n\n**Confidence:** LOW\n\nSample.\n```\n";
    let text = format!(
        "## Gap Resolution: GAP-FLOW-001\n\n**Confidence:** HIGH\n\nAn engineer writes:\n\n{example}\nand goes on.\n"
    );
    assert_eq!(
        addressed(&tolerant(Role::Engineer, &text)),
        ["GAP-FLOW-001"]
    );
}

#[test]
fn the_whole_document_in_one_fence_is_salvaged() {
    let plain = engineer_facts(&tolerant(Role::Engineer, ENGINEER));
    for text in [
        fenced(ENGINEER),
        format!("\u{feff}{}", fenced(ENGINEER)),
        format!("Here is the document:\n\n{}", fenced(ENGINEER)),
        format!("{}\nTell me if you want more.\n", fenced(ENGINEER)),
        format!("Done.\n\n{}\nBye.\n", fenced(ENGINEER)),
    ] {
        let checked = tolerant(Role::Engineer, &text);
        assert_eq!(engineer_facts(&checked), plain);
        assert!(warned(&checked, "SALVAGED").is_some());
        let strict = strict(Role::Engineer, &text);
        assert_eq!(strict.result.failure_type, Some(FailureType::WrongFormat));
    }
}

#[test]
fn lines_are_those_of_the_output_also_behind_a_fence_that_was_taken_off() {
    let text = format!("Here it is:\n\n{}", fenced(REVIEWER));
    let checked = tolerant(Role::Reviewer, &text);
    let found = |needle: &str| text.lines().position(|line| line.contains(needle)).unwrap() + 1;
    let reading = reviewer(&checked);
    assert_eq!(reading.issues[1].line as usize, found("ISSUE-R1-002"));
    assert_eq!(
        reading.reviews[1].line as usize,
        found("Review: GAP-FLOW-002")
    );
}

#[test]
fn a_remark_before_and_behind_an_unfenced_document_does_no_harm() {
    let text = format!("Here is my review:\n\n{REVIEWER}\nLet me know what you think.\n");
    let plain = reviewer_facts(&tolerant(Role::Reviewer, REVIEWER));
    assert_eq!(reviewer_facts(&tolerant(Role::Reviewer, &text)), plain);
}

#[test]
fn a_json_wrapper_is_taken_off() {
    let plain = reviewer_facts(&tolerant(Role::Reviewer, REVIEWER));
    let answer = serde_json::Value::from(REVIEWER);
    for text in [
        format!("{{\"type\":\"result\",\"result\":{answer}}}"),
        format!("{{\"response\":{answer},\"stats\":{{}}}}\n"),
        format!("{{\"type\":\"start\"}}\n{{\"type\":\"item\",\"item\":{{\"text\":{answer}}}}}\n"),
        format!("\u{feff}{{\"result\":{answer}}}"),
        format!(
            "{{\"result\":{}}}",
            serde_json::Value::from(fenced(REVIEWER))
        ),
    ] {
        let checked = tolerant(Role::Reviewer, &text);
        assert_eq!(reviewer_facts(&checked), plain);
        assert!(warned(&checked, "SALVAGED").is_some());
    }
}

#[test]
fn an_id_with_something_behind_it_is_never_its_parent() {
    let ground = Known::assigned(&["GAP-FLOW-007"]);
    for id in [
        "GAP-FLOW-007a",
        "GAP-FLOW-007.1",
        "GAP-FLOW-0071",
        "GAP-FLOW-007-2",
        "XGAP-FLOW-007",
    ] {
        let engineers = ENGINEER
            .replace("GAP-FLOW-001", id)
            .replace("GAP-FLOW-002", id);
        let reviewers = REVIEWER
            .replace("GAP-FLOW-001", id)
            .replace("GAP-FLOW-002", id);
        for (role, text) in [(Role::Engineer, engineers), (Role::Reviewer, reviewers)] {
            for mode in [Strictness::Tolerant, Strictness::Strict] {
                let checked = validate(role, Some(&text), mode, &ground);
                assert!(!checked.result.success, "{id} {role:?} {mode:?}");
            }
        }
    }
}

#[test]
fn a_child_is_itself() {
    let ground = Known::assigned(&["GAP-FLOW-007a"]);
    let text = ENGINEER
        .split("## Gap Resolution: GAP-FLOW-002")
        .next()
        .unwrap();
    let text = text.replace("GAP-FLOW-001", "GAP-FLOW-007a");
    let checked = validate(Role::Engineer, Some(&text), Strictness::Strict, &ground);
    assert_eq!(addressed(&checked), ["GAP-FLOW-007a"]);
}

#[test]
fn a_section_that_embeds_a_document_keeps_its_whole_text() {
    let text = "## Gap Resolution: GAP-FLOW-001\n\n**Confidence:** HIGH\n\nThe handbook reads:\n\n\
                # Handbook\n\n## Opening hours\n\nFrom eight.\n\n## Closing hours\n\nAt six, marker.\n\n\
                ## Gap Resolution: GAP-FLOW-002\n\n**Confidence:** LOW\n\nSecond.\n\n## Summary\n\nBehind.\n";
    for mode in [Strictness::Tolerant, Strictness::Strict] {
        let checked = validate(
            Role::Engineer,
            Some(text),
            mode,
            &Known::assigned(&crate::support::GAPS),
        );
        let reading = engineer(&checked);
        let section = &checked.document.text[reading.gaps[0].section.clone()];
        assert!(section.contains("## Opening hours") && section.contains("marker"));
        assert!(!section.contains("Second"));
        let solution: String = reading.gaps[0]
            .solution
            .iter()
            .map(|range| &checked.document.text[range.clone()])
            .collect();
        assert!(solution.contains("# Handbook") && solution.contains("marker"));
        assert!(!checked.document.text[reading.gaps[1].section.clone()].contains("Behind"));
    }
}

#[test]
fn a_fence_that_never_closes_is_read_with_a_warning() {
    let text = ENGINEER.replacen("A parcel for an empty", "```text\nA parcel for an empty", 1);
    let checked = tolerant(Role::Engineer, &text);
    assert_eq!(addressed(&checked), crate::support::GAPS);
    let line = text.lines().position(|line| line == "```text").unwrap() as u32 + 1;
    assert_eq!(warned(&checked, "AMBIGUOUS_FENCES"), Some(Some(line)));
    // What was in the fence is still the document's text.
    assert!(checked.document.text.contains("A parcel for an empty"));
}

#[test]
fn a_fence_that_nests_and_swallows_the_rest_is_read_by_nesting() {
    let nested =
        "```markdown\nA page:\n\n```json\n{}\n```\n\nmore of the page\n```\n\n### Trade-offs";
    let text = ENGINEER.replacen("### Trade-offs", nested, 1);
    let checked = tolerant(Role::Engineer, &text);
    assert_eq!(addressed(&checked), crate::support::GAPS);
    assert!(warned(&checked, "AMBIGUOUS_FENCES").is_some());
}

#[test]
fn no_issues_found_in_a_sentence_is_no_verdict() {
    for sentence in [
        "I cannot say NO_ISSUES_FOUND here.",
        "NO_ISSUES_FOUND would be wrong, as the card names no depot.",
        "The last round said `NO_ISSUES_FOUND`, and that was too early.",
        "> NO_ISSUES_FOUND",
        "```\nNO_ISSUES_FOUND\n```",
        "<!-- **NO_ISSUES_FOUND** -->",
    ] {
        let text = format!("## Review: GAP-FLOW-001\n\n{sentence}\n");
        let checked = tolerant(Role::Reviewer, &text);
        assert_eq!(
            checked.result.failure_type,
            Some(FailureType::WrongFormat),
            "{sentence}"
        );
        let text = REVIEWER.replacen(
            "### Critical Issues",
            &format!("{sentence}\n\n### Critical Issues"),
            1,
        );
        let checked = tolerant(Role::Reviewer, &text);
        assert_eq!(reviewer(&checked).reviews[0].verdict, None, "{sentence}");
    }
}

#[test]
fn an_issue_that_its_own_text_takes_back_is_withdrawn() {
    for text in [
        REVIEWER.replacen(
            "the card does not name the depot",
            "(withdrawn) the card does not name the depot",
            1,
        ),
        REVIEWER.replacen(
            "people drive to the wrong depot",
            "none: on a second look I withdraw this",
            1,
        ),
        REVIEWER.replacen(
            "print its address on the card",
            "nothing, it is a non-issue",
            1,
        ),
    ] {
        let checked = tolerant(Role::Reviewer, &text);
        let withdrawn: Vec<bool> = reviewer(&checked)
            .issues
            .iter()
            .map(|i| i.withdrawn)
            .collect();
        assert_eq!(withdrawn, [true, false]);
        assert_eq!(warned(&checked, "APPROVED_OVER_ISSUES"), None);
    }
}

#[test]
fn an_approving_verdict_over_an_open_high_issue_is_no_sign_off() {
    for verdict in [
        "**Verdict:** APPROVED",
        "**NO_ISSUES_FOUND**",
        "### Verdict\n\nAPPROVE with notes",
    ] {
        let text = REVIEWER.replacen(
            "### Critical Issues",
            &format!("{verdict}\n\n### Critical Issues"),
            1,
        );
        let checked = tolerant(Role::Reviewer, &text);
        assert_eq!(
            warned(&checked, "APPROVED_OVER_ISSUES"),
            Some(Some(1)),
            "{verdict}"
        );
        assert_eq!(reviewer(&checked).issues.len(), 2);
    }
    let revise = REVIEWER.replacen(
        "### Critical Issues",
        "**Verdict:** NEEDS_REVISION\n\n### Critical Issues",
        1,
    );
    let checked = tolerant(Role::Reviewer, &revise);
    assert_eq!(warned(&checked, "APPROVED_OVER_ISSUES"), None);
    assert_eq!(reviewer(&checked).reviews[0].verdict, Some(Verdict::Revise));
}

#[test]
fn an_id_in_a_comment_is_none() {
    let body = "**Confidence:** HIGH\n\nText.\n";
    let (nothing, no_id) = (FailureType::WrongFormat, FailureType::NoGapsAddressed);
    for (head, failure) in [
        ("<!-- ## Gap Resolution: GAP-FLOW-001 -->", nothing),
        (
            "<!--\n## Gap Resolution: GAP-FLOW-001\n\nText.\n-->",
            nothing,
        ),
        ("## Gap Resolution: <!-- GAP-FLOW-001 -->", no_id),
        ("## Gap Resolution: <!-- GAP-FLOW-001 --> the first", no_id),
        ("## The first\n\n**Gap:** <!-- GAP-FLOW-001 -->", nothing),
    ] {
        let text = format!("{head}\n\n{body}");
        let checked = tolerant(Role::Engineer, &text);
        assert_eq!(checked.result.failure_type, Some(failure), "{text}");
    }
    let text = "| Gap | Verdict |\n|---|---|\n| <!-- GAP-FLOW-001 --> GAP-FLOW-002 | APPROVED |\n";
    assert_eq!(addressed(&tolerant(Role::Reviewer, text)), ["GAP-FLOW-002"]);
}

#[test]
fn the_nearest_of_field_suffix_and_section_gives_the_severity() {
    let severity = |item: &str| {
        let text = format!("## Review: GAP-FLOW-001\n\n### Low Priority / Nits\n\n{item}\n");
        let checked = tolerant(Role::Reviewer, &text);
        reviewer(&checked).issues[0].concern.severity
    };
    assert_eq!(severity("- **ISSUE-R1-001**: x"), Severity::Low);
    assert_eq!(severity("- **ISSUE-R1-001** [HIGH]: x"), Severity::High);
    assert_eq!(severity("- **ISSUE-R1-001**: x (MEDIUM)"), Severity::Medium);
    assert_eq!(
        severity("- **ISSUE-R1-001**: x\n  - **Severity:** CRITICAL"),
        Severity::Critical
    );
    assert_eq!(
        severity("- **ISSUE-R1-001** [HIGH]: x\n  - **Severity:** MEDIUM"),
        Severity::Medium
    );
}

#[test]
fn native_ids_and_words_are_kept_whole() {
    let text = "## Review: GAP-FLOW-001\n\n### High Priority\n\n- **XCUT-NAV-001**: no way back\n- x-ray of the parcel is missing\n";
    let checked = tolerant(Role::Reviewer, text);
    let issues: Vec<_> = reviewer(&checked)
        .issues
        .iter()
        .map(|issue| (issue.written_id.as_str(), issue.concern.summary.as_str()))
        .collect();
    assert_eq!(
        issues,
        [
            ("XCUT-NAV-001", "no way back"),
            ("", "x-ray of the parcel is missing")
        ]
    );
}

#[test]
fn facts_carry_the_lines_they_stand_on() {
    let line = |text: &str, needle: &str| {
        u32::try_from(text.lines().position(|line| line.contains(needle)).unwrap()).unwrap() + 1
    };
    for newline in ["\n", "\r\n"] {
        let text = ENGINEER.replace('\n', newline)
            + &format!("{newline}BLOCKED_NEEDS_INPUT: GAP-FLOW-002: which depot?{newline}");
        let checked = tolerant(Role::Engineer, &text);
        let reading = engineer(&checked);
        assert_eq!(
            reading.gaps[0].line,
            line(&text, "Resolution: GAP-FLOW-001")
        );
        assert_eq!(
            reading.gaps[0].new_gaps[0].line,
            line(&text, "GAP-FLOW-019")
        );
        assert_eq!(reading.blocked[0].line, line(&text, "BLOCKED_NEEDS_INPUT"));
        assert_eq!(reading.blocked[0].reason, "which depot?");
        let text = REVIEWER.replace('\n', newline);
        let checked = tolerant(Role::Reviewer, &text);
        let reading = reviewer(&checked);
        assert_eq!(reading.reviews[1].line, line(&text, "Review: GAP-FLOW-002"));
        assert_eq!(reading.reviews[1].examined, 2);
        assert_eq!(reading.issues[0].line, line(&text, "ISSUE-R1-001"));
        assert_eq!(reading.issues[1].line, line(&text, "ISSUE-R1-002"));
    }
}

#[test]
fn a_resolution_without_an_id_is_told_from_no_resolution() {
    let said = |heading: &str| {
        let text = format!("# Round 1\n\n{heading}\n\n**Confidence:** HIGH\n\nThe limit is ten.\n");
        [
            tolerant(Role::Engineer, &text),
            strict(Role::Engineer, &text),
        ]
        .map(|checked| (checked.result.failure_type.unwrap(), checked.result.message))
    };
    for heading in [
        "## Gap Resolution: Retry schedule",
        "## Gap Resolution: GAP-FLOW-1",
        "### gap resolution - retries",
        "## Gap Resolution",
    ] {
        for (failure, message) in said(heading) {
            assert_eq!(failure, FailureType::NoGapsAddressed, "{heading}");
            let title = heading.trim_start_matches(['#', ' ']);
            let expected = format!("the heading `{title}` (line 3) has no gap id; ");
            assert!(message.starts_with(&expected), "{message}");
        }
    }
    for heading in [
        "## Gap Resolution Summary",
        "## Resolution",
        "Gap Resolution: retries",
    ] {
        for (failure, _) in said(heading) {
            assert_eq!(failure, FailureType::WrongFormat, "{heading}");
        }
    }
    // Strict doesn't take an id with something behind it, but there is one.
    let revised = "## Gap Resolution: GAP-FLOW-001 (Revised)\n\n**Confidence:** HIGH\n\nTen.\n";
    let failure = strict(Role::Engineer, revised).result.failure_type;
    assert_eq!(failure, Some(FailureType::WrongFormat));
}

#[test]
fn only_what_is_ticked_or_plain_was_examined() {
    let examined = |list: &str| {
        let text =
            format!("## Review: GAP-FLOW-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n{list}\n");
        reviewer(&tolerant(Role::Reviewer, &text)).reviews[0].examined
    };
    assert_eq!(
        examined("- [x] the limit\n- [X] the answer\n- the window\n"),
        3
    );
    assert_eq!(examined("- [ ] the limit\n- [ ] the answer\n"), 0);
    assert_eq!(examined("* []  the limit\n1. [ ] the answer\n"), 0);
    assert_eq!(examined("- ☐ the limit\n- ☑ the answer\n"), 1);
    assert_eq!(
        examined("- [ ] the limit\n  - its unit\n- [x] the answer\n  - its code\n"),
        2
    );
    assert_eq!(examined("- [the limit](#limits)\n"), 1);
}

#[test]
fn a_first_heading_binds_its_gap_unless_one_below_it_does() {
    let text = "# GAP-FLOW-001 Resolution: limits\n\nThe limit is ten.\n\n## Revision: GAP-FLOW-002\n\nThe answer is 429.\n";
    let ids = |text: &str| -> Vec<String> {
        let checked = tolerant(Role::Engineer, text);
        checked
            .result
            .gaps_addressed
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(ids(text), ["GAP-FLOW-001", "GAP-FLOW-002"]);
    let titled = text.replace(
        "# GAP-FLOW-001 Resolution: limits",
        "# Revision of GAP-FLOW-002",
    );
    assert_eq!(ids(&titled), ["GAP-FLOW-002"]);
}
