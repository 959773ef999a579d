//! What a model writes about the spec of two gaps: a good document for each role.

use std::fs;
use std::path::Path;

use gapless_loopback::Recorded;

use crate::support::RECORDED;

/// What a model writes that does its work, on the spec of two gaps.
pub fn well(request: &Recorded) -> String {
    let prompt = request.prompt();
    let gaps = ["GAP-COL-001", "GAP-HGT-001"];
    if prompt.contains("# Your task: Engineer") {
        let propose = |gap: &str| {
            format!(
                "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n#### The measure of {gap}\n\n\
                 It is fixed at forty-two units, measured as the norm says, with a tolerance of one unit either way. Every \
                 lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n\
                 ### Examples\n\nForty-one passes, forty does not.\n\n### Trade-offs\n\nNone.\n\n\
                 ### New Gaps Introduced\n\nNone\n\n"
            )
        };
        return gaps.map(propose).concat();
    }
    if prompt.contains("Reviewer, round") {
        let review = |gap: &str| {
            format!(
                "## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n- the tolerance\n\n"
            )
        };
        return gaps.map(review).concat();
    }
    fs::read_to_string(Path::new(RECORDED).join("round_007/final_review.md")).unwrap()
}
