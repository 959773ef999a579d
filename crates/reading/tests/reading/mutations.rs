//! Valid documents, broken in ways that a person would call broken and varied in ways that a person would call fine.

use crate::support::{
    ENGINEER, REVIEWER, engineer_facts, reviewer_facts, strict, tolerant, warned,
};
use gapless_domain::failure::FailureType;
use gapless_domain::failure::FailureType::{
    EmptyOutput, InconsistentRefs, InvalidDisagreeRef, MalformedDisagree, NoGapsAddressed,
    ReArguedConflict, WrongFormat,
};
use gapless_domain::task::Role;

fn swap(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "nothing to swap: {from}");
    text.replace(from, to)
}

/// Cuts everything from a line on.
fn before(text: &str, from: &str) -> String {
    text.split(from).next().unwrap().to_owned()
}

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}\n")).collect()
}

fn disagree(block: &str) -> String {
    format!("{ENGINEER}\n{block}\n")
}

const BLOCK: &str = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** the card\n\n**Engineer Position:** it is fine\n\n**Rationale:** the map shows it\n";

type Case = (&'static str, String, FailureType);

fn broken_engineer() -> Vec<Case> {
    let e = ENGINEER;
    let heading = "## Gap Resolution: GAP-FLOW-00";
    let bare: String = e
        .lines()
        .filter(|l| l.starts_with("## "))
        .map(|l| format!("{l}\n\n"))
        .collect();
    vec![
        (
            "nothing but blanks",
            " \n\t\n\u{feff}".to_owned(),
            EmptyOutput,
        ),
        (
            "headings became prose",
            swap(e, "## Gap Resolution: ", "Gap Resolution: "),
            WrongFormat,
        ),
        (
            "headings became bold",
            swap(
                &swap(
                    e,
                    "## Gap Resolution: GAP-FLOW-001",
                    "**Gap Resolution: GAP-FLOW-001**",
                ),
                "## Gap Resolution: GAP-FLOW-002",
                "**Gap Resolution: GAP-FLOW-002**",
            ),
            WrongFormat,
        ),
        (
            "ids are gone",
            swap(&swap(e, " GAP-FLOW-001", ""), " GAP-FLOW-002", ""),
            NoGapsAddressed,
        ),
        (
            "ids in lower case",
            swap(e, heading, "## Gap Resolution: gap-flow-00"),
            NoGapsAddressed,
        ),
        (
            "ids with two digits",
            swap(e, heading, "## Gap Resolution: GAP-FLOW-0"),
            NoGapsAddressed,
        ),
        (
            "ids with four digits",
            swap(e, heading, "## Gap Resolution: GAP-FLOW-000"),
            NoGapsAddressed,
        ),
        (
            "ids without their category",
            swap(e, heading, "## Gap Resolution: GAP-00"),
            NoGapsAddressed,
        ),
        (
            "ids with a typographic dash",
            swap(e, heading, "## Gap Resolution: GAP‑FLOW‑00"),
            NoGapsAddressed,
        ),
        (
            "everything is a comment",
            format!("<!--\n{e}-->\n"),
            WrongFormat,
        ),
        ("everything is quoted", indented(e, "> "), WrongFormat),
        (
            "everything is indented code",
            indented(e, "    "),
            WrongFormat,
        ),
        (
            "everything stands in a list",
            format!("- here:\n\n{}", indented(e, "  ")),
            WrongFormat,
        ),
        (
            "two fences among prose",
            format!("# Notes\n\n```\n{e}```\n\n# And\n\n```\n{e}```\n\n# End\n"),
            WrongFormat,
        ),
        (
            "only a plan",
            "# Plan\n\nI will resolve GAP-FLOW-001 and GAP-FLOW-002 next.\n".to_owned(),
            WrongFormat,
        ),
        (
            "an agent's apology",
            "I could not write the file: permission denied.\n".to_owned(),
            WrongFormat,
        ),
        (
            "a truncated wrapper",
            format!(
                "{{\"result\":{}",
                &serde_json::Value::from(e).to_string()[..300]
            ),
            WrongFormat,
        ),
        ("headings and no text", bare, NoGapsAddressed),
        (
            "an invented gap among them",
            swap(e, "Resolution: GAP-FLOW-002", "Resolution: GAP-FLOW-099"),
            InconsistentRefs,
        ),
        (
            "another category",
            swap(e, "Resolution: GAP-FLOW-00", "Resolution: GAP-PATH-00"),
            InconsistentRefs,
        ),
        (
            "children nobody made",
            swap(
                &swap(e, "Resolution: GAP-FLOW-001", "Resolution: GAP-FLOW-001a"),
                "Resolution: GAP-FLOW-002",
                "Resolution: GAP-FLOW-001b",
            ),
            InconsistentRefs,
        ),
        ("the review instead", REVIEWER.to_owned(), WrongFormat),
        (
            "the review under another title",
            format!("# Review of the proposal for GAP-FLOW-001\n\n{REVIEWER}"),
            WrongFormat,
        ),
        (
            "it disagrees with no issue",
            disagree(&swap(BLOCK, "ISSUE-R1-001", "ISSUE-R7-001")),
            InvalidDisagreeRef,
        ),
        (
            "it disagrees without a reason",
            disagree(&swap(BLOCK, "**Rationale:** the map shows it\n", "")),
            MalformedDisagree,
        ),
        (
            "it disagrees with an empty position",
            disagree(&swap(BLOCK, " it is fine", "")),
            MalformedDisagree,
        ),
        (
            "it argues a decided issue again",
            disagree(&swap(BLOCK, "ISSUE-R1-001", "ISSUE-R1-009")),
            ReArguedConflict,
        ),
    ]
}

fn broken_reviewer() -> Vec<Case> {
    let r = REVIEWER;
    let prose =
        "## Review: GAP-FLOW-001\n\nIt reads well, and I have some doubts about the card.\n";
    vec![
        ("nothing", String::new(), EmptyOutput),
        (
            "everything is a comment",
            format!("<!--\n{r}-->\n"),
            WrongFormat,
        ),
        ("everything is quoted", indented(r, "> "), WrongFormat),
        (
            "everything is indented code",
            indented(r, "    "),
            WrongFormat,
        ),
        (
            "only prose under the heading",
            prose.to_owned(),
            WrongFormat,
        ),
        (
            "the verdict is a quote",
            format!("{prose}\n> **NO_ISSUES_FOUND**\n"),
            WrongFormat,
        ),
        (
            "the verdict is discussed",
            format!("{prose}\nNO_ISSUES_FOUND is not what I can say.\n"),
            WrongFormat,
        ),
        (
            "the verdict is code",
            format!("{prose}\n```\n**NO_ISSUES_FOUND**\n```\n"),
            WrongFormat,
        ),
        (
            "the verdict is misspelt",
            format!("{prose}\n**NO_ISSUE_FOUND**\n"),
            WrongFormat,
        ),
        (
            "one of two is not judged",
            before(r, "**NO_ISSUES_FOUND**").replace("### ", "#### Part ") + "Fine.\n",
            WrongFormat,
        ),
        (
            "an invented gap",
            swap(r, "Review: GAP-FLOW-002", "Review: GAP-FLOW-099"),
            InconsistentRefs,
        ),
        (
            "a child nobody made",
            swap(r, "Review: GAP-FLOW-002", "Review: GAP-FLOW-002a"),
            InconsistentRefs,
        ),
        (
            "no gap is named",
            swap(
                &swap(r, "Review: GAP-FLOW-001", "Review"),
                "Review: GAP-FLOW-002",
                "Review",
            ),
            NoGapsAddressed,
        ),
        (
            "ids in lower case",
            swap(r, "Review: GAP-FLOW", "Review: gap-flow"),
            NoGapsAddressed,
        ),
        (
            "a bare verdict",
            "**NO_ISSUES_FOUND**\n".to_owned(),
            NoGapsAddressed,
        ),
        (
            "a friendly word",
            "Looks good to me!\n".to_owned(),
            WrongFormat,
        ),
        ("the proposal instead", ENGINEER.to_owned(), WrongFormat),
        (
            "the proposal with its issues",
            format!(
                "{ENGINEER}\n## Summary\n\n- **ISSUE-R1-001** [HIGH]: the card, done in GAP-FLOW-001\n"
            ),
            WrongFormat,
        ),
        (
            "a fence among prose",
            format!("# Notes\n\n```\n{r}```\n\n# End\n"),
            WrongFormat,
        ),
    ]
}

#[test]
fn nothing_that_is_broken_validates() {
    let roles = [
        (Role::Engineer, broken_engineer()),
        (Role::Reviewer, broken_reviewer()),
    ];
    let mut wrong = Vec::new();
    for (role, cases) in roles {
        assert!(cases.len() >= 15);
        for (name, text, expected) in cases {
            for checked in [tolerant(role, &text), strict(role, &text)] {
                if checked.result.success || checked.reading.is_some() {
                    wrong.push(format!("{role:?}, {name}: valid"));
                }
            }
            let found = tolerant(role, &text).result.failure_type;
            if found != Some(expected) {
                wrong.push(format!("{role:?}, {name}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A variation that says the same, and whether it is still the canonical form.
type Same = (&'static str, String, bool);

fn fine_for_both(text: &str) -> Vec<Same> {
    let spaced: String = text.lines().map(|line| format!("{line}  \n")).collect();
    vec![
        ("as it is", text.to_owned(), true),
        ("line ends of Windows", text.replace('\n', "\r\n"), true),
        ("a byte order mark", format!("\u{feff}{text}"), true),
        ("no newline at the end", text.trim_end().to_owned(), true),
        (
            "blank lines doubled",
            text.replace("\n\n", "\n\n\n\n"),
            true,
        ),
        ("spaces at the ends of lines", spaced, true),
        ("a title above", format!("# Round 1\n\n{text}"), true),
        (
            "a greeting above",
            format!("Here is what you asked for.\n\n{text}"),
            true,
        ),
        ("headings closed with marks", closed_headings(text), true),
        (
            "a summary below",
            format!("{text}\n## Summary\n\nTwo gaps were looked at.\n"),
            true,
        ),
        (
            "a comment above",
            format!("<!-- round 1 -->\n\n{text}"),
            true,
        ),
        ("in one fence", format!("```markdown\n{text}```\n"), false),
        ("in one fence of tildes", format!("~~~\n{text}~~~\n"), false),
        (
            "in one fence with remarks",
            format!("Here you are:\n\n```md\n{text}```\n\nThat is all.\n"),
            false,
        ),
        (
            "in an agent's JSON",
            format!("{{\"result\":{}}}", serde_json::Value::from(text)),
            false,
        ),
    ]
}

fn closed_headings(text: &str) -> String {
    let close = |line: &str| match line.starts_with("## ") {
        true => format!("{line} ##\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(close).collect()
}

fn fine_engineer() -> Vec<Same> {
    let e = ENGINEER;
    let mut cases = fine_for_both(e);
    cases.extend([
        ("a suffix on the headings", swap(&swap(e, "GAP-FLOW-001\n", "GAP-FLOW-001 (Revised)\n"), "GAP-FLOW-002\n", "GAP-FLOW-002 (Revised)\n"), false),
        ("titles on the headings", swap(&swap(e, "GAP-FLOW-001\n", "GAP-FLOW-001: nobody at home\n"), "GAP-FLOW-002\n", "GAP-FLOW-002: labels\n"), false),
        ("headings at level one", swap(e, "## Gap Resolution", "# Gap Resolution"), false),
        ("headings the other way round", swap(&swap(e, "## Gap Resolution: GAP-FLOW-001", "## GAP-FLOW-001 Resolution"), "## Gap Resolution: GAP-FLOW-002", "## GAP-FLOW-002: Proposed Resolution"), false),
        ("ids as code", swap(&swap(e, "Resolution: GAP-FLOW-001", "Resolution: `GAP-FLOW-001`"), "Resolution: GAP-FLOW-002", "Resolution: `GAP-FLOW-002`"), false),
        ("bold headings", swap(e, "## Gap Resolution: GAP", "## **Gap Resolution:** GAP"), false),
        ("gaps as fields", swap(&swap(e, "## Gap Resolution: GAP-FLOW-001", "## Nobody at home\n\n**Gap:** GAP-FLOW-001"), "## Gap Resolution: GAP-FLOW-002", "## Labels\n\n**Gap:** GAP-FLOW-002"), false),
        ("the colon behind the bold", swap(e, "**Confidence:**", "**Confidence**:"), true),
        ("confidence in lower case", swap(&swap(e, "** HIGH", "** high"), "** MEDIUM", "** medium (see below)"), true),
        ("trade-offs without a dash", swap(e, "Trade-offs", "Tradeoffs"), true),
        ("new gaps under another name", swap(e, "New Gaps Introduced", "New Gaps"), true),
        ("the new gap as a table", swap(e, "- GAP-FLOW-019 [LOW]: who pays for the way back", "| Gap | Severity | What |\n|---|---|---|\n| GAP-FLOW-019 | LOW | who pays for the way back |"), true),
        ("the new gap in bold", swap(e, "GAP-FLOW-019 [LOW]:", "**GAP-FLOW-019** (LOW) –"), true),
        ("an example with headings in a fence", swap(e, "### Examples\n", "### Examples\n\n```markdown\n## Gap Resolution: GAP-FLOW-077\n```\n"), true),
        ("headings of its own inside", swap(e, "### Examples\n", "## How it looks\n\n### Examples\n"), true),
    ]);
    cases
}

fn fine_reviewer() -> Vec<Same> {
    let r = REVIEWER;
    let mut cases = fine_for_both(r);
    cases.extend([
        (
            "a suffix on the headings",
            swap(
                &swap(r, "GAP-FLOW-001\n", "GAP-FLOW-001 (Round 1)\n"),
                "GAP-FLOW-002\n",
                "GAP-FLOW-002 (Round 1)\n",
            ),
            false,
        ),
        (
            "another word for review",
            swap(r, "## Review: ", "## Assessment: "),
            false,
        ),
        (
            "deeper headings",
            swap(r, "## Review", "### Review")
                .replace("\n### ", "\n#### ")
                .replace("#### Review", "### Review"),
            false,
        ),
        (
            "severities at level four",
            swap(r, "\n### ", "\n#### "),
            false,
        ),
        (
            "severities as bold lines",
            swap(
                &swap(
                    &swap(
                        &swap(r, "### Critical Issues", "**Critical Issues**"),
                        "### High Priority",
                        "**High Priority**",
                    ),
                    "### Medium Priority",
                    "**Medium Priority**",
                ),
                "### Low Priority / Nits",
                "**Low Priority**",
            ),
            false,
        ),
        (
            "severities in capitals",
            swap(
                &swap(r, "High Priority", "HIGH"),
                "Medium Priority",
                "MEDIUM",
            ),
            true,
        ),
        (
            "severities as tags",
            swap(
                &swap(
                    &swap(
                        &swap(r, "001**: the", "001** [HIGH]: the"),
                        "002**: ten",
                        "002** [MEDIUM]: ten",
                    ),
                    "### High Priority",
                    "### Issues",
                ),
                "### Medium Priority\n\n",
                "",
            ),
            false,
        ),
        ("starred items", swap(r, "- **ISSUE", "* **ISSUE"), true),
        (
            "numbered items",
            swap(
                &swap(
                    &swap(r, "- **ISSUE-R1-001", "1. **ISSUE-R1-001"),
                    "- **ISSUE-R1-002",
                    "1. **ISSUE-R1-002",
                ),
                "\n  - **",
                "\n   - **",
            ),
            true,
        ),
        (
            "plain ids",
            swap(
                &swap(r, "**ISSUE-R1-001**", "ISSUE-R1-001"),
                "**ISSUE-R1-002**",
                "ISSUE-R1-002",
            ),
            false,
        ),
        (
            "plain fields",
            swap(
                &swap(
                    &swap(r, "**Location:**", "Location:"),
                    "**Impact:**",
                    "Impact:",
                ),
                "**Suggestion:**",
                "Suggestion:",
            ),
            true,
        ),
        (
            "fields under other names",
            swap(
                &swap(&swap(r, "Location:", "Section:"), "Impact:", "Problem:"),
                "Suggestion:",
                "Recommendation:",
            ),
            true,
        ),
        (
            "nothing said at length",
            swap(r, "None\n", "No issues identified.\n"),
            true,
        ),
        (
            "the verdict without stars",
            swap(r, "**NO_ISSUES_FOUND**", "NO_ISSUES_FOUND"),
            true,
        ),
        (
            "the verdict as a field",
            swap(r, "**NO_ISSUES_FOUND**", "**Verdict:** NO_ISSUES_FOUND"),
            false,
        ),
    ]);
    cases
}

#[test]
fn nothing_that_is_fine_is_rejected_and_all_say_the_same() {
    let mut wrong = Vec::new();
    let canonical = engineer_facts(&tolerant(Role::Engineer, ENGINEER));
    for (name, text, _) in fine_engineer() {
        let checked = tolerant(Role::Engineer, &text);
        if !checked.result.success {
            wrong.push(format!("Engineer, {name}: {:?}", checked.result));
        } else if engineer_facts(&checked) != canonical {
            wrong.push(format!("Engineer, {name}: {:#?}", engineer_facts(&checked)));
        }
    }
    let canonical = reviewer_facts(&tolerant(Role::Reviewer, REVIEWER));
    for (name, text, _) in fine_reviewer() {
        let checked = tolerant(Role::Reviewer, &text);
        if !checked.result.success {
            wrong.push(format!("Reviewer, {name}: {:?}", checked.result));
        } else if reviewer_facts(&checked) != canonical {
            wrong.push(format!("Reviewer, {name}: {:#?}", reviewer_facts(&checked)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn strict_takes_the_canonical_form_only() {
    let mut wrong = Vec::new();
    let roles = [
        (Role::Engineer, fine_engineer()),
        (Role::Reviewer, fine_reviewer()),
    ];
    for (role, cases) in roles {
        for (name, text, canonical) in cases {
            let found = strict(role, &text).result;
            if found.success != canonical {
                wrong.push(format!("{role:?}, {name}: {}", found.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_missing_confidence_warns_and_fails_in_strict() {
    let text = swap(ENGINEER, "**Confidence:** HIGH\n", "");
    let line = Some(Some(1));
    assert_eq!(
        warned(&tolerant(Role::Engineer, &text), "NO_CONFIDENCE"),
        line
    );
    let failed = strict(Role::Engineer, &text).result.failure_type;
    assert_eq!(failed, Some(WrongFormat));
}
