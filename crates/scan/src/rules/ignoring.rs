//! The rule for ignore comments that have no effect or lack a reason.

use gapless_domain::Severity;

use crate::ignore::comments;
use crate::rule::Found;
use crate::{Facts, Rule, Topic};

pub static IGNORE_COMMENT: Rule = Rule {
    id: "ignore-comment",
    category: "SCAN",
    severity: Severity::Low,
    title: "Which rule is silenced, and why?",
    reason: "A name that is no rule silences nothing, and a silence without a reason can't be judged later.",
    suggestion: "write <!-- gapless: ignore RULE reason -->, with a rule of `gapless scan --rules`",
    topic: Topic::Other,
    bad: &[
        "<!-- gapless: ignore vague-quantities we measure later -->\n\nText.",
        "<!-- gapless: ignore vague-quantity -->\n\nText.",
        "<!-- gapless: ignore -->\n\nText.",
    ],
    good: &[
        "<!-- gapless: ignore vague-quantity the contract has the number -->\n\nText.",
        "<!-- gapless: GAP-FLOW-001 -->\n\nText.",
        "<!-- ignore this -->\n\nText.",
    ],
    check,
};

fn check(facts: &Facts<'_>, found: &mut Found) {
    for comment in comments(facts) {
        if comment.rules.is_empty() {
            found.at(comment.span.clone(), "this ignore comment names no rule");
        }
        for name in &comment.rules {
            if found.is_rule(name) {
                continue;
            }
            let near = found.nearest_rule(name);
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            found.at(
                comment.span.clone(),
                format!("there is no rule `{name}`{near}"),
            );
        }
        if !comment.has_reason && !comment.rules.is_empty() {
            found.at(comment.span.clone(), "this ignore comment gives no reason");
        }
    }
}
