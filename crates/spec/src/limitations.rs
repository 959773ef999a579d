//! The known limitations: what the spec doesn't settle, why it stays so, and how that is written at its end.
//! Every view of them shows this list.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::insertion::{line_end, main_level};
use super::seal::{cleaned, closer};
use gapless_domain::keywords::Keywords;
use gapless_domain::{DecisionKind, Gap, GapId, GapState, Severity};
use gapless_markdown::{Document, without_scripts};
use gapless_reading::read::{LIMITATIONS_LEAD, LIMITATIONS_TITLE, earlier_limitations, sections};
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

    /// How the reason begins in the spec.
    fn label(self) -> &'static str {
        match self {
            LimitationKind::NotResolved => "Not resolved",
            LimitationKind::NotReviewed => "Proposed, but not reviewed",
            LimitationKind::Blocked => "Waiting for input",
            LimitationKind::Deferred => "Deferred",
            LimitationKind::Closed => "Closed by decision",
            LimitationKind::Objection => "Raised in review",
            LimitationKind::SetAside => "Called blocking by the final review, and set aside",
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
                    .filter(|reason| !reason.is_empty() && !asks_the_same(gap, reason)),
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

/// True where the question that a gap waits on says what the gap says already.
fn asks_the_same(gap: &Gap, reason: &str) -> bool {
    let (said, asked) = (Keywords::of(&gap.description), Keywords::of(reason));
    gap.state == GapState::BlockedExternal
        && !said.is_empty()
        && said.shared(&[&asked]) == said.len()
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

/// A refined spec with what it leaves open at its end, or in the list that an earlier session left there.
pub(super) fn with_limitations(spec: &str, limitations: &[Limitation]) -> String {
    let entries: Vec<String> = limitations
        .iter()
        .map(|limitation| without_scripts(&limitation.entry()))
        .collect();
    if entries.is_empty() {
        return spec.to_owned();
    }
    let end = line_end(spec);
    if let Some(at) = end_of_earlier(spec) {
        let is_there = |entry: &String| spec[..at].lines().any(|line| line == format!("- {entry}"));
        let added: String = entries
            .iter()
            .filter(|entry| !is_there(entry))
            .map(|entry| format!("{end}- {entry}"))
            .collect();
        return format!("{}{added}{}", &spec[..at], &spec[at..]);
    }
    let document = Document::parse(spec);
    let level = usize::from(main_level(&sections(&document)));
    let mut text = spec.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text += end;
    }
    if let Some(closer) = closer(&text).filter(|closer| !closer.is_empty()) {
        text += &format!("{closer}{end}");
    }
    if !text.is_empty() && !text.ends_with(&end.repeat(2)) {
        text += end;
    }
    text += &format!(
        "{} {LIMITATIONS_TITLE}{end}{end}{LIMITATIONS_LEAD}{end}{end}",
        "#".repeat(level)
    );
    for entry in &entries {
        text += &format!("- {entry}{end}");
    }
    text
}

/// Where the list of an earlier session ends.
fn end_of_earlier(spec: &str) -> Option<usize> {
    let earlier = earlier_limitations(spec)?;
    Some(spec[..earlier.end].trim_end().len())
}

/// A sentence with its end.
fn ended(sentence: &str) -> String {
    let sentence = sentence.trim_end();
    match sentence.ends_with(['.', '?', '!', '…']) {
        true => sentence.to_owned(),
        false => format!("{sentence}."),
    }
}

/// A spec without what the list of an earlier session says of gaps that are settled now, by their descriptions; without the list where
/// nothing is left of it.
pub(super) fn without_settled<'d>(spec: &str, settled: impl Iterator<Item = &'d str>) -> String {
    let Some(earlier) = earlier_limitations(spec) else {
        return spec.to_owned();
    };
    let plain = |text: &str| one_line(text).trim_end_matches(['.', ' ']).to_lowercase();
    let settled: Vec<String> = settled.map(plain).filter(|text| !text.is_empty()).collect();
    let is_settled = |line: &str| {
        let entry = line.trim_start_matches("- ");
        let said = entry.split_once(":** ").map_or(entry, |(_, said)| said);
        let said = said.to_lowercase();
        settled.iter().any(|text| {
            let rest = said.strip_prefix(text.as_str());
            rest.is_some_and(|rest| rest.starts_with([' ', '.', '?', '!']))
        })
    };
    let list = &spec[earlier.clone()];
    let is_entry = |line: &&str| line.starts_with("- ");
    let kept: String = list
        .split_inclusive('\n')
        .filter(|line| !(is_entry(line) && is_settled(line.trim_end())))
        .collect();
    let is_empty = kept.len() < list.len() && !kept.lines().any(|line| is_entry(&line));
    let (before, behind) = (&spec[..earlier.start], &spec[earlier.end..]);
    match is_empty {
        true if behind.is_empty() => format!("{}{}", before.trim_end(), line_end(spec)),
        true => format!("{before}{behind}"),
        false => format!("{before}{kept}{behind}"),
    }
}

impl Limitation {
    /// The entry in the spec, for who has never heard of gaps: `No retry limit is named. Deferred: until May.`
    fn entry(&self) -> String {
        let text = one_line(&self.text);
        let mut letters = text.trim_end_matches(['.', ' ']).chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let said = ended(&first.chain(letters).collect::<String>());
        let grave = match self.severity.holds() {
            true => format!("**{}:** ", self.severity),
            false => String::new(),
        };
        let why = match &self.rationale {
            Some(rationale) => format!("{}: {}", self.what.label(), one_line(rationale)),
            None => self.what.label().to_owned(),
        };
        format!("{grave}{said} {}", ended(&why))
    }

    /// `GAP-X-001 [LOW]: what is missing (deferred: why)`, or `ISSUE-R1-001 [LOW] on GAP-X-001: …`.
    fn line(&self) -> String {
        let on = match (self.what, &self.gap) {
            (LimitationKind::Objection, Some(gap)) => format!(" on {gap}"),
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
        f.write_str(&self.line())
    }
}

fn one_line(text: &str) -> String {
    gapless_domain::text::one_line(&cleaned(text))
}
