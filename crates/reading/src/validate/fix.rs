//! Says what to do about a failed check. The words follow from the failure's facts, so that they name the part, the gap or
//! the issue that this document lacks.

use super::checked::ValidationResult;
use gapless_domain::{Cause, FailureType, FormFault, Role, comma_list};

const SEVERITY_SECTIONS: &str = "`### Critical Issues`, `### High Priority`, `### Medium Priority` or `### Low Priority / Nits`";

/// What to do about a failure; nothing where the document is valid.
pub fn fix(role: Role, result: &ValidationResult) -> Option<String> {
    let facts = &result.facts;
    let issue = facts
        .issue
        .map_or("an issue".to_owned(), |id| id.to_string());
    Some(match result.failure_type? {
        FailureType::FileMissing => "write the document to the path that was named".to_owned(),
        FailureType::EmptyOutput => fix_empty(role).to_owned(),
        FailureType::WrongFormat => match &facts.form {
            Some(fault) => fix_form(role, fault),
            None if !facts.missing.is_empty() => {
                format!("add what is missing: {}", facts.missing.join(", "))
            }
            None => fix_form(role, &FormFault::NothingBinds),
        },
        FailureType::NoGapsAddressed => match (role, facts.cause, &facts.form) {
            (_, _, Some(fault)) => fix_form(role, fault),
            (_, Some(Cause::DomainGap), _) => {
                "propose something with `**Confidence:** LOW`, or write `BLOCKED_NEEDS_INPUT: GAP-…` and what is needed"
                    .to_owned()
            }
            (_, Some(Cause::UnclearAssignment), _) => format!(
                "give an assigned gap its section, `## Gap Resolution: GAP-…`; not assigned: {}",
                comma_list(&facts.wrong_gaps)
            ),
            (Role::Reviewer, ..) => {
                "name each gap that is reviewed by its id: `## Review: GAP-…`".to_owned()
            }
            _ => fix_form(role, &FormFault::NothingBinds),
        },
        FailureType::InconsistentRefs if facts.wrong_gaps.is_empty() => {
            "name only what was given".to_owned()
        }
        FailureType::InconsistentRefs => {
            let part = match role {
                Role::Reviewer => "New Gaps Identified",
                _ => "New Gaps Introduced",
            };
            format!(
                "use ids of the inventory instead of {}; list a gap that is new under `### {part}`",
                comma_list(&facts.wrong_gaps)
            )
        }
        FailureType::SpecChangeMismatch => match facts.cause {
            Some(Cause::PassageStands) => {
                "replace or remove the passage that opened the gap".to_owned()
            }
            _ => "quote the passage as the specification has it, whole and letter for letter"
                .to_owned(),
        },
        FailureType::InvalidDisagreeRef => {
            format!("name an issue that exists instead of {issue}, or take the block out")
        }
        FailureType::MalformedDisagree => {
            let missing = facts.missing.iter().map(|part| match part.as_str() {
                "**Reviewer Concern:**" => {
                    "**Reviewer Concern:** (the review's own words, letter for letter)"
                }
                part => part,
            });
            let missing = comma_list(missing);
            format!("give the DISAGREE block on {issue} its {missing}")
        }
        FailureType::ReArguedConflict => {
            format!("take out the DISAGREE block on {issue}: the user has decided it")
        }
    })
}

fn fix_empty(role: Role) -> &'static str {
    match role {
        Role::Engineer => {
            "propose something for each gap, with `**Confidence:** LOW` where nothing is sure"
        }
        Role::Reviewer => {
            "review each gap; where nothing is wrong with it, write `**NO_ISSUES_FOUND**` and what was examined"
        }
        Role::Analyst => "list the gaps, or write `**NO_GAPS_FOUND**` where there is none",
        Role::Editor => "give back every section that was given",
        Role::FinalReviewer => "write `## Final Review` with its verdict",
    }
}

fn fix_form(role: Role, fault: &FormFault) -> String {
    match fault {
        FormFault::NothingBinds => match role {
            Role::Engineer => {
                "give each gap a section that begins with `## Gap Resolution: GAP-…`, outside of code fences"
            }
            Role::Reviewer => {
                "give each gap a review that begins with `## Review: GAP-…`, outside of code fences"
            }
            Role::Analyst => {
                "give each gap a section that begins with `## Gap: GAP-…`, outside of code fences; or write \
                 `**NO_GAPS_FOUND**`"
            }
            Role::Editor => {
                "put each section between `<!-- section: TITLE -->` and `<!-- end section -->`"
            }
            Role::FinalReviewer => {
                "begin with `## Final Review`, and write `**Verdict:** READY_FOR_TERMINATION` or `**Verdict:** NOT_READY` \
                 under it"
            }
        }
        .to_owned(),
        FormFault::NoVerdict { gap, line } => format!(
            "under the heading of {gap} (line {line}), list the issues below {SEVERITY_SECTIONS}; where there is none, \
             write the verdict `**NO_ISSUES_FOUND**` and what was examined"
        ),
        FormFault::RevisionWithoutIssue { gap } => {
            let on = gap.as_ref().map_or(String::new(), |gap| format!(" on {gap}"));
            format!("list what must change{on} as issues below {SEVERITY_SECTIONS}; nothing else says why")
        }
        FormFault::ProposalForReview { .. } => {
            "hand over the review of the proposal: `## Review: GAP-…` for each gap".to_owned()
        }
        FormFault::IssueForm { line } => format!(
            "write the issue on line {line} as `- **ISSUE-R<round>-NNN**: …` below {SEVERITY_SECTIONS}"
        ),
        FormFault::NoConfidence { gap, line } => format!(
            "write `**Confidence:** HIGH`, `MEDIUM` or `LOW` under the heading of {gap} (line {line})"
        ),
        FormFault::NotDescribed { gap, line } => format!(
            "say under the heading of {gap} (line {line}) what is missing and what goes wrong without it"
        ),
        FormFault::NoFinalVerdict => {
            "write `**Verdict:** READY_FOR_TERMINATION` or `**Verdict:** NOT_READY` under `## Final Review`"
                .to_owned()
        }
        FormFault::Echo { .. } => {
            "replace what was copied from the prompt by words about these gaps".to_owned()
        }
        FormFault::NoText => "write the proposal under the headings of the assigned gaps".to_owned(),
        FormFault::Cut { bytes: 0 } => {
            "write a shorter document; or raise the agent's own limit".to_owned()
        }
        FormFault::Cut { bytes } => format!(
            "write a shorter document, of less than {bytes} bytes; or raise `output_limit_bytes`, or the agent's own limit"
        ),
    }
}
