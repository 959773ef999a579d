//! The known limitations: what the spec doesn't settle, why it stays so, and how that is written at its end.
//! Every view of them shows this list.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::seal::cleaned;
use gapless_domain::{DecisionKind, GapId, GapState, Severity};
use gapless_markdown::without_scripts;
use gapless_reading::read::{LIMITATIONS_BEGIN, LIMITATIONS_END};
use gapless_session::{Now, State};

/// Something that the spec leaves unsettled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limitation {
    /// The id of the gap, or of an issue on it.
    pub id: String,
    pub severity: Severity,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapId>,
    pub what: LimitationKind,
    /// What is missing, or what is objected to.
    pub text: String,
    /// Why it stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// In what way something is unsettled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitationKind {
    NotResolved,
    NotReviewed,
    Blocked,
    Deferred,
    Closed,
    Objection,
    SetAside,
}

impl LimitationKind {
    fn of(state: GapState) -> Option<Self> {
        match state {
            GapState::Open | GapState::InProgress | GapState::NeedsRevision => {
                Some(LimitationKind::NotResolved)
            }
            GapState::Proposed => Some(LimitationKind::NotReviewed),
            GapState::BlockedExternal => Some(LimitationKind::Blocked),
            GapState::UserDeferred => Some(LimitationKind::Deferred),
            GapState::WontFix => Some(LimitationKind::Closed),
            GapState::Accepted | GapState::Resolved | GapState::Superseded => None,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            LimitationKind::NotResolved => "not resolved",
            LimitationKind::NotReviewed => "proposed but not reviewed",
            LimitationKind::Blocked => "blocked on input",
            LimitationKind::Deferred => "deferred",
            LimitationKind::Closed => "closed by decision",
            LimitationKind::Objection => "raised in review, not settled",
            LimitationKind::SetAside => "called blocking by the final review, and set aside",
        }
    }
}

impl fmt::Display for LimitationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// What is not settled: gaps that are open, parked or closed without a resolution, and issues that were never settled
/// on gaps that are closed. Gravest first, then by id.
pub fn limitations(state: &State) -> Vec<Limitation> {
    let now = &state.now;
    let accepted = acceptances(now);
    let mut all = Vec::new();
    for gap in now.gaps.values() {
        if let Some(what) = LimitationKind::of(gap.state) {
            all.push(Limitation {
                id: gap.id.to_string(),
                severity: gap.severity,
                gap: Some(gap.id.clone()),
                what,
                text: gap.description.clone(),
                rationale: accepted
                    .get(&gap.id)
                    .copied()
                    .or(gap.reason.as_deref().filter(|_| !gap.state.is_open()))
                    .map(one_line)
                    .filter(|reason| !reason.is_empty()),
            });
        }
        for issue in now.standing_issues(gap).filter(|_| gap.state.is_closed()) {
            all.push(Limitation {
                id: issue.id.to_string(),
                severity: issue.concern.severity,
                gap: Some(gap.id.clone()),
                what: LimitationKind::Objection,
                text: issue.concern.summary.clone(),
                rationale: None,
            });
        }
    }
    for blocker in &now.round.set_aside {
        all.push(Limitation {
            id: "Final review".to_owned(),
            severity: blocker.severity,
            gap: blocker.gap.clone(),
            what: LimitationKind::SetAside,
            text: blocker.summary.clone(),
            rationale: Some(blocker.because.clone()),
        });
    }
    all.sort_by(|a, b| {
        b.severity
            .cmp(&a.severity)
            .then_with(|| a.what.cmp(&b.what))
    });
    all
}

/// What the user said when accepting gaps as they are, the last word on each.
fn acceptances(now: &Now) -> BTreeMap<&GapId, &str> {
    now.decisions
        .iter()
        .filter(|decision| decision.kind == DecisionKind::Acceptance && decision.lifted.is_none())
        .filter(|decision| !decision.rationale.trim().is_empty())
        .flat_map(|decision| {
            let rationale = decision.rationale.as_str();
            decision.gaps.iter().map(move |gap| (gap, rationale))
        })
        .collect()
}

const TITLE: &str = "Known limitations";
const LEAD: &str = "What this specification leaves unsettled, gravest first.";

/// The entries of the section, without their marks; where the part of a gap is known, an objection to it links there.
pub(super) fn entries<'l>(
    limitations: &'l [Limitation],
    link: impl Fn(&GapId) -> Option<String> + 'l,
) -> impl Iterator<Item = String> + 'l {
    limitations.iter().map(move |limitation| {
        let to = limitation.gap.as_ref().and_then(&link);
        without_scripts(&limitation.line(to.as_deref()))
    })
}

/// The section at the end of the spec; empty where there is nothing to say.
pub(super) fn section(entries: &[String], level: u8) -> String {
    if entries.is_empty() {
        return String::new();
    }
    format!(
        "{LIMITATIONS_BEGIN}\n{} {TITLE}\n\n{LEAD}\n\n- {}\n\n{LIMITATIONS_END}\n",
        "#".repeat(usize::from(level)),
        entries.join("\n- ")
    )
}

/// Adds entries to a section that the source has from an earlier session: the `number`th that ends, from 1.
pub(super) fn add_to_earlier(spec: &mut String, number: usize, entries: &[String], line_end: &str) {
    let end = spec
        .match_indices(LIMITATIONS_END)
        .nth(number.saturating_sub(1))
        .map_or(spec.len(), |(at, _)| at);
    let at = spec[..end].trim_end().len();
    let is_there = |entry: &String| spec[..at].lines().any(|line| line == format!("- {entry}"));
    let added: String = entries
        .iter()
        .filter(|entry| !is_there(entry))
        .map(|entry| format!("{line_end}- {entry}"))
        .collect();
    spec.insert_str(at, &added);
}

impl Limitation {
    /// `GAP-X-001 [LOW]: what is missing (deferred: why)`, or `ISSUE-R1-001 [LOW] on GAP-X-001, link: …`.
    fn line(&self, link: Option<&str>) -> String {
        let on = match (self.what, &self.gap, link) {
            (LimitationKind::Objection, Some(gap), Some(link)) => format!(" on {gap}, {link}"),
            (LimitationKind::Objection, Some(gap), None) => format!(" on {gap}"),
            _ => String::new(),
        };
        let why = match &self.rationale {
            Some(rationale) => format!(": {}", one_line(rationale)),
            None => String::new(),
        };
        format!(
            "{} [{}]{on}: {} ({}{why})",
            self.id,
            self.severity,
            one_line(&self.text),
            self.what
        )
    }
}

impl fmt::Display for Limitation {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(None))
    }
}

fn one_line(text: &str) -> String {
    gapless_domain::text::one_line(&cleaned(text))
}
