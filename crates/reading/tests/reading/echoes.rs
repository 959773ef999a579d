//! What was copied from a prompt: it binds nothing, and settles nothing.

use gapless_domain::config::Strictness;
use gapless_domain::failure::FormFault;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_reading::read::{DeclaredGap, Reading};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, Shown, ValidationContext, validate,
};

use crate::support::{GAPS, Known, addressed, engineer, reviewer, warned};

const FORM: &str =
    "## Gap Resolution: [GAP-ID]\n\n### Proposed Solution\n\n[What the machine has to do.]\n";
const EXAMPLE: &str = "## Gap Resolution: GAP-MOON-001\n\n### Proposed Solution\n\nThe lander keeps 12 litres of water for each \
    guest.\n\n### New Gaps Introduced\n\n- GAP-MOON-002 [HIGH]: who refills the tank at night is not said\n\n## Review: \
    GAP-MOON-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- the litres against the table of section 2\n";

/// Knows the two gaps, and that the prompt showed a form and an example.
struct Prompted(Known);

impl ValidationContext for Prompted {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        self.0.gap(gap)
    }

    fn issue(&self, issue: &IssueId) -> IssueAssignment {
        self.0.issue(issue)
    }

    fn shown(&self) -> Vec<Shown> {
        vec![
            Shown::Form(FORM.to_owned()),
            Shown::Example(EXAMPLE.to_owned()),
        ]
    }

    fn repeats(&self, gap: &DeclaredGap, _: &[IssueId]) -> Option<String> {
        gap.description
            .contains("retries")
            .then(|| GAPS[0].to_owned())
    }
}

fn prompted(role: Role, text: &str) -> Checked {
    let context = Prompted(Known::assigned(&GAPS));
    validate(role, Some(text), Strictness::Tolerant, &context)
}

fn proposal(gap: &str, body: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{body}\n\n"
    )
}

#[test]
fn a_section_that_was_only_copied_binds_nothing() {
    for copied in [
        "#### Title of the part",
        "-----4f1c09ab proposals",
        "[What the machine has to do.]",
        "What the machine has to do.",
        "The lander keeps 12 litres of water for each guest.",
        "> *The lander keeps 12 litres of water for each guest*",
        "What is to be built: values, formats, states, error cases. Nothing is left to ask.",
    ] {
        let alone = prompted(Role::Engineer, &proposal(GAPS[0], copied));
        assert!(!alone.result.success, "{copied}");
        let Some(FormFault::Echo { texts }) = &alone.result.facts.form else {
            panic!("{copied}: {:?}", alone.result);
        };
        assert!(
            alone.result.message.contains(&texts[0]),
            "{}",
            alone.result.message
        );

        let beside = proposal(GAPS[0], copied) + &proposal(GAPS[1], "Retries stop after 5.");
        let beside = prompted(Role::Engineer, &beside);
        assert_eq!(addressed(&beside), [GAPS[1]], "{copied}");
        assert!(warned(&beside, "ECHO_REMOVED").is_some());
        assert!(!beside.document.text.contains(copied), "{copied}");
    }
}

#[test]
fn the_line_that_ends_a_quote_is_no_part_of_what_stands_above_it() {
    let gap = "- GAP-NEW-001 [LOW]: who is told is not said";
    let text = proposal(GAPS[0], "Retries stop after 5.");
    let text = format!("{text}### New Gaps Introduced\n\n{gap}\n-----4f1c09ab end\n");
    let checked = prompted(Role::Engineer, &text);
    let found = &engineer(&checked).gaps[0].new_gaps[0];
    assert_eq!(found.description, "who is told is not said");
    assert!(warned(&checked, "ECHO_REMOVED").is_some());
}

#[test]
fn words_of_its_own_stay_beside_what_was_copied() {
    let text = proposal(
        GAPS[0],
        "#### Title of the part\n\nRetries stop after 5.\n\n```\n#### Title of the part\nWhat the machine has to do.\n```",
    );
    let checked = prompted(Role::Engineer, &text);
    assert_eq!(addressed(&checked), [GAPS[0]]);
    let kept = engineer(&checked).gaps[0].solution_in(&checked.document.text);
    assert!(kept.starts_with("Retries stop after 5."), "{kept}");
    assert_eq!(
        kept.matches("Title of the part").count(),
        1,
        "code is left: {kept}"
    );
}

#[test]
fn new_gaps_that_were_copied_or_are_known_are_none() {
    let text = proposal(GAPS[0], "Retries stop after 5.")
        + "### New Gaps Introduced\n\n- GAP-CATEGORY-001 [MEDIUM] (section: Title): one line      (or: None)\n\
           - GAP-CATEGORY-NNN \"one line (or: None)\"\n\
           - GAP-FLOW-007 [LOW]: who refills the tank at night is not said\n\
           - GAP-FLOW-008 [LOW]: how many retries there are\n\
           - GAP-FLOW-009 [LOW]: who empties the tank is not said\n";
    let checked = prompted(Role::Engineer, &text);
    let new = &engineer(&checked).gaps[0].new_gaps;
    let new: Vec<String> = new.iter().map(|gap| gap.id.to_string()).collect();
    assert_eq!(new, ["GAP-FLOW-009"]);
    assert!(warned(&checked, "REPEATS_KNOWN").is_some());
}

#[test]
fn a_review_that_was_only_copied_approves_of_nothing() {
    let copied = "### Critical Issues\n\n- **ISSUE-R1-001**: the problem, in one sentence\n  - **Location:** where it stands\n  \
                  - **Impact:** what goes wrong\n\n### High Priority\n\nNone found.\n\n";
    let silent =
        "**NO_ISSUES_FOUND**\n\nExamined:\n- the litres against the table of section 2\n\n";
    let own = "### High Priority\n\n- **ISSUE-R1-002**: The limit has no unit.\n\n";
    for body in [copied, silent] {
        let alone = prompted(Role::Reviewer, &format!("## Review: {}\n\n{body}", GAPS[0]));
        assert!(!alone.result.success, "{body}");
        assert!(matches!(
            alone.result.facts.form,
            Some(FormFault::Echo { .. })
        ));

        let text = format!(
            "## Review: {}\n\n{body}## Review: {}\n\n{own}",
            GAPS[0], GAPS[1]
        );
        let beside = prompted(Role::Reviewer, &text);
        assert_eq!(addressed(&beside), [GAPS[1]], "{body}");
        assert_eq!(reviewer(&beside).issues.len(), 1);
    }
    // An issue that has a place and a reason of its own is one, whatever its title.
    let kept = "### Critical Issues\n\n- **ISSUE-R1-001**: the problem, in one sentence\n  - **Location:** Retries\n  \
                - **Impact:** The queue never empties.\n";
    let kept = prompted(Role::Reviewer, &format!("## Review: {}\n\n{kept}", GAPS[0]));
    assert_eq!(reviewer(&kept).issues.len(), 1);
    // A verdict of its own stands beside a placeholder.
    let verdict = "**NO_ISSUES_FOUND**\n\nExamined:\n- what you looked at\n";
    let verdict = prompted(
        Role::Reviewer,
        &format!("## Review: {}\n\n{verdict}", GAPS[0]),
    );
    assert_eq!(reviewer(&verdict).reviews[0].examined, 0);
}

#[test]
fn copies_of_an_analyst_and_of_a_final_review_are_no_findings() {
    let own = "## Gap: GAP-NEW-001\n\n**Severity:** HIGH\n\nThe limit is not said.\n\n";
    let copied = "## Gap: GAP-NEW-002\n\n**Severity:** HIGH\n\nWhat is missing, and what goes wrong without it.\n\n";
    let checked = prompted(Role::Analyst, &format!("{own}{copied}"));
    assert_eq!(addressed(&checked), ["GAP-NEW-001"]);
    for text in [copied.to_owned(), format!("{copied}**NO_GAPS_FOUND**\n")] {
        assert!(!prompted(Role::Analyst, &text).result.success, "{text}");
    }
    let review = |said: &str| {
        let text = format!(
            "## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Completeness\n\n- [x] {said}\n\n### Blocking \
             Issues\n\nNone\n"
        );
        prompted(Role::FinalReviewer, &text)
    };
    assert!(!review("what you checked").result.success);
    let checked = review("every retry has an end");
    assert!(matches!(checked.reading, Some(Reading::FinalReviewer(_))));
}

#[test]
fn short_words_of_a_form_are_words_of_a_spec_too() {
    for own in [
        "- `priority`: high, medium or low",
        "- **Priority:** HIGH, MEDIUM or LOW",
        "- **Subject:** one line",
        "- one line\n- two lines",
        "Whatever is shown in the list: one line.",
    ] {
        let body = format!("Retries stop after 5.\n\n{own}");
        let checked = prompted(Role::Engineer, &proposal(GAPS[0], &body));
        let kept = engineer(&checked).gaps[0].solution_in(&checked.document.text);
        assert!(kept.contains(own), "{own}: {kept}");
        assert_eq!(warned(&checked, "ECHO_REMOVED"), None, "{own}");
    }
}

#[test]
fn what_a_retry_shows_of_a_form_is_no_answer_either() {
    let blocked = format!("BLOCKED_NEEDS_INPUT: {} what you need to know\n", GAPS[0]);
    let copied = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** \"the issue's words, quoted\"\n\
                  **Engineer Position:** what you hold instead\n**Rationale:** why, with evidence\n\
                  **Alternative Approach:** if there is one\n";
    for text in [&blocked, copied] {
        let checked = prompted(Role::Engineer, text);
        assert!(!checked.result.success, "{text}: {:?}", checked.result);
    }
}
