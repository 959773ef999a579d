//! Owns the question that asks for the user's word on defaults, or on whatever else a review leaves to it.

use super::{choice, field, gap_line};
use crate::Refusal;
use crate::turn::Turn;
use gapless_domain::gap::Gap;
use gapless_domain::ids::IssueId;
use gapless_domain::question::{About, Choice, Holds, Question, defaults};
use gapless_domain::severity::Severity;
use gapless_domain::text::{quoted, shortened};

/// How many bytes of a proposal the question shows; the rest is in the session folder.
const LONGEST_PROPOSAL: usize = 1_600;

impl Turn<'_> {
    pub(crate) fn defaults_question(
        &self,
        group: String,
        issues: &[IssueId],
    ) -> Result<Question, Refusal> {
        let mut gaps: Vec<&Gap> = Vec::new();
        let mut parts: Vec<String> = Vec::new();
        let mut are_defaults = true;
        for id in issues {
            let issue = self.issue(id)?;
            let on = self.state.now.gaps.values();
            for gap in on.filter(|gap| gap.standing_issues.contains(id) && gap.state.is_open()) {
                let Some(proposal) = &gap.proposal else {
                    continue;
                };
                are_defaults &= proposal.default.is_some();
                let solution = self.text(&proposal.solution)?;
                let solution = quoted(&shortened(solution.trim(), LONGEST_PROPOSAL));
                let asked = match proposal.default {
                    Some(_) => String::new(),
                    None => format!("\n\n{id}: {}", issue.concern.summary),
                };
                parts.push(format!("{}{asked}\n\n{solution}", gap_line(gap)));
                if !gaps.iter().any(|known| known.id == gap.id) {
                    gaps.push(gap);
                }
            }
        }
        let severity = gaps.iter().map(|gap| gap.severity).max();
        let grave = severity.is_some_and(Severity::holds);
        let title = match (are_defaults, gaps.as_slice()) {
            (true, [gap]) => format!("{group}: does this default hold for {}?", gap.id),
            (true, gaps) => format!("{group}: do these {} defaults hold?", gaps.len()),
            (false, _) => format!("The Reviewer asks for your word on {group}"),
        };
        let lead = match (are_defaults, gaps.len()) {
            (true, 1) => {
                "Nobody worked this out for this spec: it is what is usual. It counts for nothing until you confirm it."
            }
            (true, _) => {
                "Nobody worked these out for this spec: they are what is usual. They count for nothing until you confirm \
                 them."
            }
            (false, _) => "Only you can settle this.",
        };
        let mut fields = vec![
            field("text", "what shall hold instead", &["own"]),
            field("reason", "why", &["defer", "close"]),
        ];
        if gaps.len() > 1 {
            let which = "which of the gaps, separated by commas; all if it is empty";
            fields.insert(0, field("gaps", which, &[]));
        }
        let ids: Vec<_> = gaps.iter().map(|gap| gap.id.to_string()).collect();
        let verb = if ids.len() == 1 { "is" } else { "are" };
        let mut options = vec![
            Choice {
                // Only a person may accept what is grave.
                recommended: !grave,
                ..choice(
                    "confirm",
                    "Confirm",
                    "it holds as proposed, and goes into the refined spec",
                )
            },
            choice(
                "own",
                "Say what shall hold",
                "your text is a decision, and the next proposal must carry it out",
            ),
            choice(
                "defer",
                "Put off",
                "the gaps are deferred, with your reason",
            ),
        ];
        // A CRITICAL gap is closed through its own gate, which this question has no field for.
        if severity != Some(Severity::Critical) {
            options.push(choice(
                "close",
                "Close",
                "the gaps are WONT_FIX, with your reason",
            ));
        }
        Ok(Question {
            severity,
            options,
            fields,
            holds: Holds::Gap,
            without_answer: format!(
                "{} {verb} not planned until this is answered",
                ids.join(", ")
            ),
            ..self.question(
                About::Defaults(defaults::Subject {
                    group,
                    issues: issues.to_vec(),
                }),
                title,
                format!("{lead}\n\n{}", parts.join("\n\n")),
            )
        })
    }
}
