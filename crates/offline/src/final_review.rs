//! The final review: ready unless a gap is still open, or an accepted part brought in something grave that no gap covers.

use std::fmt::Write;

use gapless_domain::{AssignedGap, Assignment, GapId, GapState, IssueId, Severity, Strictness};
use gapless_markdown::Document;
use gapless_reading::read::{FinalVerdict, read_final_review};
use gapless_scan::{Finding, Rules, scan};

use crate::plain_words::plain_to;
use crate::proposals::{Proposal, findings};
use crate::reviewer::NOT_JUDGED;

const LONGEST_WORDS: usize = 200;
const FIRST_BLOCKER: u16 = 900;
const MOST_BLOCKERS: usize = 50;

pub fn final_review(assignment: &Assignment) -> String {
    let blockers = blockers(assignment);
    let text = written(assignment, &blockers);
    if reads_back(&text, &blockers) {
        return text;
    }
    let plain = blockers.into_iter();
    let plain = plain.map(|(gap, _)| (gap, STILL_OPEN.to_owned()));
    written(assignment, &plain.collect::<Vec<_>>())
}

const STILL_OPEN: &str = "something in it is still open";

fn is_open(gap: &AssignedGap) -> bool {
    gap.state.is_open() || gap.state == GapState::BlockedExternal
}

fn blockers(assignment: &Assignment) -> Vec<(GapId, String)> {
    let open = assignment.gaps.iter().filter(|gap| is_open(gap));
    let mut blockers: Vec<(GapId, String)> = open
        .map(|gap| (gap.id.clone(), format!("is {} and not settled", gap.state)))
        .collect();
    // What the user decided, in whatever words, is not argued again here.
    let decided = |gap: &AssignedGap| {
        let mut decisions = assignment.decisions.iter();
        decisions.any(|decision| decision.gaps.contains(&gap.id))
    };
    let accepted = |gap: &&AssignedGap| {
        let settled = matches!(gap.state, GapState::Accepted | GapState::Resolved);
        settled && gap.proposal.is_some() && !decided(gap)
    };
    let parts: Vec<Proposal<'_>> = assignment
        .gaps
        .iter()
        .filter(accepted)
        .map(Proposal::of)
        .collect();
    let found = findings("# Spec\n", &parts);
    for (part, findings) in parts.iter().zip(found) {
        let grave = findings.iter().find(|finding| {
            let mut gaps = assignment.gaps.iter();
            finding.severity.holds()
                && assignment.spec.contains(&finding.excerpt)
                && !gaps.any(|gap| covers(gap, part.gap, finding))
        });
        if let Some(finding) = grave {
            let what = format!("{}: {}", finding.rule, finding.message);
            blockers.push((part.gap.id.clone(), plain_to(&what, LONGEST_WORDS)));
        }
    }
    blockers.truncate(MOST_BLOCKERS);
    blockers
}

/// Whether a gap, or an issue that was raised and let stand, is about a finding.
fn covers(gap: &AssignedGap, part: &AssignedGap, finding: &Finding) -> bool {
    let another = gap.id != part.id
        && gap.rule.as_deref() == Some(finding.rule)
        && gap.section == part.section;
    let raised = gap.id == part.id && !gap.issues.is_empty();
    another || raised
}

fn written(assignment: &Assignment, blockers: &[(GapId, String)]) -> String {
    let verdict = match blockers.is_empty() {
        true => FinalVerdict::ReadyForTermination,
        false => FinalVerdict::NotReady,
    };
    let gaps = assignment.gaps.len();
    let closed = assignment.gaps.iter().filter(|gap| !is_open(gap)).count();
    let defaults = assignment.gaps.iter().filter(|gap| {
        let proposal = gap.proposal.as_ref();
        !is_open(gap) && proposal.is_some_and(|proposal| proposal.default.is_some())
    });
    let left = scan(&assignment.spec, &Rules::default());
    let mark = |done: bool| if done { 'x' } else { ' ' };
    let (settled, nothing_grave) = (mark(closed == gaps), mark(blockers.is_empty()));
    let mut text = format!(
        "## Final Review\n\n**Verdict:** {}\n\n\
         ### Completeness\n\n- [{settled}] {closed} of {gaps} gaps are settled\n\n\
         ### Consistency\n\n- [{nothing_grave}] the rules of the scan find nothing grave in what was added\n\n\
         ### Readiness\n\n- [{nothing_grave}] nothing blocks\n- [x] defaults that the user let stand: {}\n",
        verdict.name(),
        defaults.count()
    );
    for severity in Severity::GRAVEST_FIRST {
        let named = left.iter().filter(|finding| finding.severity == severity);
        let count = named.count();
        if count > 0 {
            let _ = writeln!(
                text,
                "- [x] places that the scan still names as {severity}: {count} (`gapless scan` lists them)"
            );
        }
    }
    let _ = writeln!(text, "\n{NOT_JUDGED}");
    text += "\n### Blocking Issues\n\n";
    if blockers.is_empty() {
        text += "None\n";
    }
    for (number, (gap, what)) in (FIRST_BLOCKER..).zip(blockers) {
        let id = IssueId::new(assignment.round, number);
        let _ = writeln!(text, "- **{id}**: {gap}: {what}");
    }
    text
}

fn reads_back(text: &str, blockers: &[(GapId, String)]) -> bool {
    let reading = read_final_review(&Document::parse(text), Strictness::Strict);
    let read = reading.blockers.iter().map(|blocker| blocker.gap.as_ref());
    read.eq(blockers.iter().map(|(gap, _)| Some(gap)))
}
