//! The Reviewer's document: what the rules of the scan find in each proposal, what it lacks of the user's decisions, where it
//! gives a key another value than the spec or its neighbours, and that a default is one until the user confirms it.

use std::collections::BTreeMap;
use std::fmt::Write;

use gapless_domain::keywords::Keywords;
use gapless_domain::{AssignedGap, Assignment, GapId, Severity, Strictness};
use gapless_markdown::Document;
use gapless_reading::definitions::{Clash, disputed};
use gapless_reading::read::read_reviewer;
use gapless_scan::Finding;

use crate::decided;
use crate::issues::{Ids, Raised};
use crate::plain_words::plain_to;
use crate::proposals::{Proposal, findings};

const MOST_FINDINGS: usize = 5;
const MOST_NAMED: usize = 5;
const LONGEST_WORDS: usize = 240;
const NOTHING_PROPOSED: &str = "nothing is proposed";
const NOT_CARRIED_OUT: &str = "is not carried out";

/// What no rule can tell.
pub(crate) const NOT_JUDGED: &str = "Not judged by rules: whether it is what this product needs, whether it is all that it needs, and \
                                     whether it agrees in meaning with the rest.";

/// Writes the Reviewer's document for an assignment.
pub fn reviewer(assignment: &Assignment) -> String {
    let proposals: Vec<Proposal> = assignment.gaps.iter().map(Proposal::of).collect();
    let found = findings(&assignment.spec, &proposals);
    let clashes = clashes_among(&assignment.spec, &proposals);
    let mut ids = Ids::of(assignment);
    let mut text = String::new();
    for (proposal, findings) in proposals.iter().zip(&found) {
        let clashes = clashes.get(&proposal.gap.id);
        let clashes = clashes.map_or(&[][..], Vec::as_slice);
        let raised = raised(assignment, proposal, findings, clashes);
        text += &review(proposal.gap, &raised, findings.len(), &mut ids);
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str("There is no proposal to review.\n");
    }
    text
}

/// The keys that each proposal gives another value than the spec or another proposal.
fn clashes_among(spec: &str, proposals: &[Proposal<'_>]) -> BTreeMap<GapId, Vec<Clash>> {
    let spec = Document::parse(spec);
    let spec = spec.prose();
    let in_spec = disputed(spec.lines());
    let texts: Vec<String> = proposals
        .iter()
        .map(|proposal| Document::parse(&proposal.solution).prose().to_owned())
        .collect();
    let proposed = texts.iter();
    let proposed = proposed.flat_map(|text| std::iter::once("").chain(text.lines()));
    let mut of_gaps: BTreeMap<GapId, Vec<Clash>> = BTreeMap::new();
    for clash in disputed(spec.lines().chain(proposed)) {
        if in_spec.iter().any(|known| known.key == clash.key) {
            continue;
        }
        let key = format!("`{}`", clash.key);
        for (proposal, text) in proposals.iter().zip(&texts) {
            if text.contains(&key) {
                let of_gap = of_gaps.entry(proposal.gap.id.clone()).or_default();
                of_gap.push(clash.clone());
            }
        }
    }
    of_gaps
}

fn raised(
    assignment: &Assignment,
    proposal: &Proposal<'_>,
    findings: &[Finding],
    clashes: &[Clash],
) -> Vec<Raised> {
    let gap = proposal.gap;
    let mut raised = Vec::new();
    if gap.proposal.is_none() {
        raised.push(Raised {
            severity: Severity::High,
            summary: NOTHING_PROPOSED.to_owned(),
            location: "the Engineer's document".to_owned(),
            impact: "the gap stays as it is".to_owned(),
            suggestion: "propose what should hold, or say what only the user knows".to_owned(),
            by_user: false,
            known: None,
        });
    }
    if proposal.default.is_some() {
        raised.push(unconfirmed(proposal));
    }
    let decided = decided::on(assignment, &gap.id);
    raised.extend(decided.iter().filter_map(|decision| {
        let (severity, lacks) = lacking(&decision.decision, &proposal.solution)?;
        Some(Raised {
            severity,
            summary: format!("{} {NOT_CARRIED_OUT}: {lacks}", decision.id),
            location: proposal.name().to_owned(),
            impact: "what the user decided would not hold".to_owned(),
            suggestion: "say it as the user did".to_owned(),
            by_user: false,
            known: None,
        })
    }));
    raised.extend(clashes.iter().take(MOST_FINDINGS).map(|clash| {
        let values = clash
            .values
            .iter()
            .map(|value| plain_to(value, LONGEST_WORDS));
        Raised {
            severity: Severity::Medium,
            summary: format!(
                "{} has more than one value: {}",
                plain_to(&clash.key, LONGEST_WORDS),
                values.take(MOST_NAMED).collect::<Vec<_>>().join(" / ")
            ),
            location: proposal.name().to_owned(),
            impact: "two people will implement two values".to_owned(),
            suggestion: "give it one value in one place".to_owned(),
            by_user: false,
            known: None,
        }
    }));
    let is_users = !decided.is_empty();
    let findings = findings.iter().take(MOST_FINDINGS);
    raised.extend(findings.map(|finding| of_finding(finding, is_users)));
    let known = raised.into_iter().map(|issue| issue.known_on(gap));
    let mut raised: Vec<Raised> = known.collect();
    if !is_users {
        raised.extend(unanswered(gap, &raised));
    }
    raised
}

/// What the user has to settle: a default is nobody's decision.
fn unconfirmed(proposal: &Proposal<'_>) -> Raised {
    Raised {
        severity: proposal.gap.severity,
        summary: format!(
            "{} is a default and nobody has confirmed it",
            proposal.name()
        ),
        location: proposal.name().to_owned(),
        impact: "it would stand in the specification as if somebody had decided it".to_owned(),
        suggestion: "confirm it, or give what should hold instead".to_owned(),
        by_user: true,
        known: None,
    }
}

/// A finding in the user's own words holds nothing up, unless they left something to be filled in.
fn of_finding(finding: &Finding, is_users: bool) -> Raised {
    let severity = match is_users && finding.rule != "placeholder" {
        true => finding.severity.min(Severity::Medium),
        false => finding.severity,
    };
    Raised {
        severity,
        summary: format!(
            "{}: {}",
            finding.rule,
            plain_to(&finding.message, LONGEST_WORDS)
        ),
        location: plain_to(&finding.excerpt, LONGEST_WORDS),
        impact: gapless_scan::rules::by_id(finding.rule)
            .map_or("it can't be implemented as it stands", |rule| rule.reason)
            .to_owned(),
        suggestion: finding.suggestion.clone(),
        by_user: false,
        known: None,
    }
}

/// Issues that others raised and that no rule can judge: the grave ones stand.
fn unanswered(gap: &AssignedGap, raised: &[Raised]) -> Vec<Raised> {
    let is_raised = |id| raised.iter().any(|issue: &Raised| issue.known == Some(id));
    let of_others = gap
        .issues
        .iter()
        .filter(|issue| issue.severity.holds() && !issue.settled_by_user && !is_raised(issue.id));
    // An issue that a rule raised is answered where the rule is silent now.
    let by_rule = |summary: &str| {
        let of_scan = |rule: &&gapless_scan::Rule| {
            let behind = summary.strip_prefix(rule.id);
            behind.is_some_and(|rest| rest.starts_with(':'))
        };
        gapless_scan::rules::ALL.iter().any(of_scan)
            || summary == NOTHING_PROPOSED
            || summary.contains(NOT_CARRIED_OUT)
    };
    of_others
        .filter(|issue| !by_rule(&issue.summary))
        .map(|issue| Raised {
            severity: issue.severity,
            summary: plain_to(&issue.summary, LONGEST_WORDS),
            location: "the proposal".to_owned(),
            impact: "no rule can tell whether the proposal answers it".to_owned(),
            suggestion: issue.suggestion.as_deref().map_or_else(
                || "say what answers it".to_owned(),
                |suggestion| plain_to(suggestion, LONGEST_WORDS),
            ),
            by_user: false,
            known: Some(issue.id),
        })
        .collect()
}

/// What of a decision a text lacks, if it lacks anything that can be seen: a number for sure, words perhaps.
fn lacking(decision: &str, text: &str) -> Option<(Severity, String)> {
    let have = numbers(text);
    let mut missing = numbers(decision);
    missing.retain(|number| !have.contains(number));
    if !missing.is_empty() {
        missing.truncate(1 + MOST_NAMED);
        let lacks = format!("the proposal lacks {}", missing.join(", "));
        return Some((Severity::High, lacks));
    }
    let wanted = Keywords::of(decision);
    let carried = wanted.is_empty() || wanted.half_in(&[&Keywords::of(text)]);
    let few = "the proposal has few of its words".to_owned();
    (!carried).then_some((Severity::Medium, few))
}

/// The numbers of a text, but for those of ids.
fn numbers(text: &str) -> Vec<&str> {
    let is_id = |word: &&str| {
        ["GAP-", "ISSUE-", "DECISION-"]
            .iter()
            .any(|id| word.contains(id))
    };
    let words = text.split_whitespace().filter(|word| !is_id(word));
    words
        .flat_map(|word| word.split(|c: char| !c.is_ascii_digit()))
        .filter(|run| !run.is_empty())
        .collect()
}

/// The review of a gap. What can't be read back as it is meant is said in plainer words.
fn review(gap: &AssignedGap, raised: &[Raised], findings: usize, ids: &mut Ids) -> String {
    let unused = ids.clone();
    let text = written(gap, raised, findings, ids);
    if reads_back(gap, raised, &text) {
        return text;
    }
    *ids = unused;
    let plain: Vec<Raised> = raised
        .iter()
        .map(|issue| match issue.by_user {
            true => issue.plainly("it is a default and nobody has confirmed it"),
            false => {
                issue.plainly("a rule finds something in it that can't be implemented as it stands")
            }
        })
        .collect();
    written(gap, &plain, findings, ids)
}

fn reads_back(gap: &AssignedGap, raised: &[Raised], text: &str) -> bool {
    [Strictness::Strict, Strictness::Tolerant]
        .into_iter()
        .all(|mode| {
            let reading = read_reviewer(&Document::parse(text), mode);
            let right = reading.issues.iter().all(|issue| {
                !issue.withdrawn && issue.canonical && issue.gap.as_ref() == Some(&gap.id)
            });
            let severities = |severity: Severity| {
                let (read, meant) = (reading.issues.iter(), raised.iter());
                let read = read.filter(|issue| issue.concern.severity == severity);
                let meant = meant.filter(|issue| issue.severity == severity);
                read.count() == meant.count()
            };
            right && Severity::GRAVEST_FIRST.into_iter().all(severities)
        })
}

fn written(gap: &AssignedGap, raised: &[Raised], findings: usize, ids: &mut Ids) -> String {
    let mut text = format!("## Review: {}\n", gap.id);
    let sections = [
        (Severity::Critical, "Critical Issues"),
        (Severity::High, "High Priority"),
        (Severity::Medium, "Medium Priority"),
        (Severity::Low, "Low Priority / Nits"),
    ];
    for (severity, title) in sections {
        let mut of_severity = raised
            .iter()
            .filter(|issue| issue.severity == severity)
            .peekable();
        if of_severity.peek().is_some() {
            let _ = write!(text, "\n### {title}\n\n");
        }
        for issue in of_severity {
            text += &issue.item(ids.give(issue.known));
        }
    }
    let looked_at = format!(
        "- the rules of the scan over the text in its place; findings: {findings}\n\
         - keys with other values in the specification or beside it\n\
         - the numbers and words of the user's decisions on it\n",
    );
    match raised.is_empty() {
        true => text += &format!("\n**NO_ISSUES_FOUND**\n\nExamined:\n\n{looked_at}"),
        false => text += &format!("\n### Consistency Checks\n\n{looked_at}"),
    }
    text += &format!("\n{NOT_JUDGED}\n");
    text + "\n### New Gaps Identified\n\nNone\n"
}
