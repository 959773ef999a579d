//! What a spec still has of the passages that opened its gaps: found when changes are judged, when a review is taken, and
//! before the end, where it opens the gaps again.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Result, Turn};
use gapless_domain::matter::Link;
use gapless_domain::{
    Concern, Gap, GapId, GapMove, GapState, NewGap, Origin, ScanFinding, ScannedWith, Severity,
    one_line, shortened,
};
use gapless_markdown::Document;
use gapless_reading::read::{DeclaredAs, inventory};
use gapless_scan::rules::OF_WORDS;
use gapless_scan::{Finding, Rules, scan};
use gapless_session::State;
use gapless_spec::{Refined, accepted_so_far, with_proposals};

/// How much of a passage an issue quotes.
const LONGEST_QUOTED: usize = 160;
/// How often a gap is opened again since its changes don't fit; after that its text stays where the fallback put it.
const MOST_MISFITS: usize = 2;
const MISFIT: &str = "its changes no longer fit the specification: an accepted change wrote over the passage that they name";

/// A passage that opened a gap and is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Left {
    pub gap: GapId,
    pub passage: String,
    /// True where the changes of the gap wrote it.
    pub is_new: bool,
}

/// A spec with what is known of where its text is from.
pub(super) struct SpecRead<'a> {
    pub text: &'a str,
    /// The line of the source of a line that is as it was there.
    pub in_source: &'a dyn Fn(u32) -> Option<u32>,
    /// The bytes that the changes of a gap wrote.
    pub written_by: &'a dyn Fn(&GapId) -> Vec<Range<usize>>,
}

impl SpecRead<'_> {
    fn is_written_by(&self, gap: &GapId, range: &Range<usize>) -> bool {
        let mut written = (self.written_by)(gap).into_iter();
        written.any(|own| own.start < range.end && range.start < own.end)
    }
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinds {
    /// Marks, and findings that only other words settle.
    Words,
    /// All that the source's scan found.
    All,
}

/// The passages that opened these gaps and that a spec still has, or has again in the words of their changes.
pub(super) fn left_by(state: &State, gaps: &[GapId], read: &SpecRead, kinds: Kinds) -> Vec<Left> {
    let gaps: Vec<&Gap> = gaps
        .iter()
        .filter_map(|id| state.now.gaps.get(id))
        .collect();
    let mut left = marks_left(&gaps, read);
    let looked_for = |rule: &str| kinds == Kinds::All || OF_WORDS.contains(&rule);
    let of_scan = |gap: &Gap| {
        let mut origins = gap.origins.iter();
        origins.any(|origin| matches!(origin, Origin::Scan { rule, .. } if looked_for(rule)))
    };
    if !gaps.iter().any(|gap| of_scan(gap)) {
        return left;
    }
    let findings = scan(read.text, &rules_of(state)).into_iter();
    for finding in findings.filter(|finding| looked_for(finding.rule)) {
        let line = (read.in_source)(finding.line);
        for gap in &gaps {
            let is_new = opened_by(gap, finding.rule) && read.is_written_by(&gap.id, &finding.span);
            if is_new || line.is_some_and(|line| found_by(gap, finding.rule, line)) {
                add(&mut left, gap, &finding.excerpt, is_new);
            }
        }
    }
    left
}

fn add(left: &mut Vec<Left>, gap: &Gap, passage: &str, is_new: bool) {
    if !left.iter().any(|known| known.gap == gap.id) {
        left.push(Left {
            gap: gap.id.clone(),
            passage: passage.to_owned(),
            is_new,
        });
    }
}

fn opened_by(gap: &Gap, rule: &str) -> bool {
    let mut origins = gap.origins.iter();
    origins.any(|origin| matches!(origin, Origin::Scan { rule: own, .. } if own == rule))
}

fn found_by(gap: &Gap, rule: &str, line: u32) -> bool {
    let mut origins = gap.origins.iter();
    origins.any(|origin| {
        matches!(origin, Origin::Scan { rule: own, line: at, .. } if own == rule && *at == line)
    })
}

/// Marks and open questions of the source that are still in a spec, and marks that the changes of their gaps brought. Entries that
/// are nothing but their gap go with it.
fn marks_left(gaps: &[&Gap], read: &SpecRead) -> Vec<Left> {
    let text = read.text;
    let declared_on = |gap: &Gap| -> BTreeSet<u32> {
        let lines = gap.origins.iter().filter_map(|origin| match origin {
            Origin::Source { line } => Some(*line),
            _ => None,
        });
        lines.collect()
    };
    let of_source: Vec<(&Gap, BTreeSet<u32>)> = gaps
        .iter()
        .map(|gap| (*gap, declared_on(gap)))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    let mut left = Vec::new();
    let brings_text = |gap: &&Gap| !(read.written_by)(&gap.id).is_empty();
    if of_source.is_empty() && !gaps.iter().any(brings_text) {
        return left;
    }
    let document = Document::parse(text);
    for declaration in inventory(&document).declared {
        for (line, form) in &declaration.forms {
            if let DeclaredAs::Marks(marks) = form {
                let may_be_of = |gap: &Gap| !declaration.has_own_id || declaration.gap.id == gap.id;
                for gap in gaps.iter().filter(|gap| may_be_of(gap)) {
                    let mut marks = marks.iter();
                    if let Some(mark) = marks.find(|mark| read.is_written_by(&gap.id, mark)) {
                        add(&mut left, gap, line_around(text, mark.start), true);
                    }
                }
            }
            let range = match form {
                DeclaredAs::Marks(ranges) => ranges.first().cloned(),
                DeclaredAs::Words(range) => Some(range.clone()),
                DeclaredAs::Item(_) | DeclaredAs::Row(_) | DeclaredAs::Heading => None,
            };
            let Some((range, line)) = range.zip((read.in_source)(*line)) else {
                continue;
            };
            for (gap, _) in of_source.iter().filter(|(_, own)| own.contains(&line)) {
                add(&mut left, gap, line_around(text, range.start), false);
            }
        }
    }
    left
}

fn line_around(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    text[start..].lines().next().unwrap_or("").trim()
}

/// The rules that the source was scanned with.
fn rules_of(state: &State) -> Rules {
    let mut rules = Rules::default();
    let set = state.kept.setup.scanned_with.iter();
    for (rule, setting) in set.flat_map(|with| &with.rules) {
        // A rule that is gone since then finds nothing.
        let _ = rules.set(rule, setting);
    }
    rules
}

impl Turn<'_> {
    /// Raises what the review can't see: proposals whose changes don't fit beside the others of the round, and passages that
    /// opened a gap and would still be there.
    pub(super) fn raise_misfits(&mut self) -> Result<()> {
        let now = &self.state.now;
        let round = now.round.number;
        let to_accept: Vec<GapId> = now
            .gaps_in(GapState::Proposed)
            .filter(|gap| gap.reviewed_in == Some(round) && !now.is_held(gap))
            .filter(|gap| gap.is_settled_in_place())
            .map(|gap| gap.id.clone())
            .collect();
        if to_accept.is_empty() {
            return Ok(());
        }
        let read = with_proposals(&self.state, &self.layered(), &to_accept)?;
        for gap in displaced(&read) {
            if to_accept.contains(&gap) {
                self.raise_once(&gap, misfit(Severity::High))?;
            }
        }
        for left in self.left_in(&read, &to_accept, Kinds::Words)? {
            let severity = self.gap(&left.gap)?.severity;
            self.raise_once(&left.gap, still_there(&left, severity))?;
        }
        Ok(())
    }

    /// Looks at the refined spec once more before the end: what was claimed settled and is still there opens its gap again, and
    /// what the scan finds in text of the session is a gap.
    pub(super) fn look_at_refined(&mut self) -> Result<()> {
        let settled = self.ids_where(|gap| gap.state.is_settled_by_text());
        if settled.is_empty() {
            return Ok(());
        }
        let read = accepted_so_far(&self.state, &self.layered())?;
        for gap in displaced(&read) {
            let severity = self.gap(&gap)?.severity;
            self.raise_and_reopen(&gap, misfit(severity), MOST_MISFITS)?;
        }
        for left in self.left_in(&read, &settled, Kinds::All)? {
            let severity = self.gap(&left.gap)?.severity;
            self.raise_and_reopen(&left.gap, still_there(&left, severity), 1)?;
        }
        self.find_in_new_text(&read, &settled)
    }

    /// What of the passages that opened these gaps a refined spec still has.
    fn left_in(&self, read: &Refined, gaps: &[GapId], kinds: Kinds) -> Result<Vec<Left>> {
        let Some(origin) = &self.state.kept.origin else {
            return Ok(Vec::new());
        };
        let source = self.text(&origin.source)?;
        let in_source = |line| {
            let is_source = read.is_source_line(line);
            is_source
                .then(|| read.line_in_source(&source, line))
                .flatten()
        };
        let spec = SpecRead {
            text: &read.text,
            in_source: &in_source,
            written_by: &|gap| read.ranges_of(gap),
        };
        Ok(left_by(&self.state, gaps, &spec, kinds))
    }

    /// Makes gaps of what the scan finds in text that the session wrote. A rule that opened the gap of the text is not settled.
    fn find_in_new_text(&mut self, read: &Refined, settled: &[GapId]) -> Result<()> {
        let Some(with) = self.state.kept.setup.scanned_with.clone() else {
            return Ok(());
        };
        // What was just opened again is not looked at twice.
        let settled = settled.iter().filter(|gap| {
            self.gap(gap)
                .is_ok_and(|gap| gap.state.is_settled_by_text())
        });
        let written: Vec<(GapId, Vec<Range<usize>>)> = settled
            .map(|gap| (gap.clone(), read.ranges_of(gap)))
            .collect();
        for finding in scan(&read.text, &rules_of(&self.state)) {
            let wrote = written.iter().find(|(_, ranges)| {
                let mut ranges = ranges.iter();
                ranges.any(|range| range.start < finding.span.end && finding.span.start < range.end)
            });
            if let Some((gap, _)) = wrote {
                self.take_new_finding(gap, &finding, &with)?;
            }
        }
        Ok(())
    }

    fn take_new_finding(
        &mut self,
        gap: &GapId,
        finding: &Finding,
        with: &ScannedWith,
    ) -> Result<()> {
        let own = self.gap(gap)?;
        // The text of a gap that the rule opened, or of one that was opened for such a finding before.
        let is_known = |gap: &&Gap| gap.is_about(&finding.message, Link::None);
        let known = match opened_by(own, finding.rule) {
            true => Some(own),
            false => self.state.now.gaps.values().find(is_known),
        };
        if let Some(known) = known {
            let left = Left {
                gap: known.id.clone(),
                passage: finding.excerpt.clone(),
                is_new: true,
            };
            let severity = known.severity;
            return match known.state.is_settled_by_text() {
                true => self.raise_and_reopen(&left.gap, still_there(&left, severity), 1),
                false => Ok(()),
            };
        }
        if finding.severity < with.from {
            return Ok(());
        }
        let found = ScanFinding::from(finding);
        let origin = Origin::Engineer {
            round: own.proposal.as_ref().map_or(0, |proposal| proposal.round),
            gap: Some(gap.clone()),
        };
        let id = self.free_gap_id(&found.category)?;
        self.create(NewGap {
            section: found.section.clone(),
            ..NewGap::new(id, found.severity, found.description, origin)
        });
        Ok(())
    }

    /// Puts an issue on the ledger that is not there in these words already.
    fn raise_once(&mut self, gap: &GapId, concern: Concern) -> Result<()> {
        let now = &self.state.now;
        let mut issues = now.issues.values();
        let stands = issues.any(|issue| {
            issue.gap == *gap && issue.state.stands() && issue.concern.summary == concern.summary
        });
        if !stands {
            self.raise(Some(gap.clone()), concern.into(), None, None, None)?;
        }
        Ok(())
    }

    /// Opens an accepted gap again for an issue, but no more than so many times for the same. One that was raised with the proposal
    /// and that nobody had to answer yet is enough.
    fn raise_and_reopen(&mut self, gap: &GapId, concern: Concern, most: usize) -> Result<()> {
        let own = self.gap(gap)?;
        if own.can(GapMove::Reopen).is_err() {
            return Ok(());
        }
        let proposed_in = own.proposal.as_ref().map(|proposal| proposal.round);
        let issues = self.state.now.issues.values();
        let same: Vec<_> = issues
            .filter(|issue| issue.gap == *gap && issue.concern.summary == concern.summary)
            .collect();
        let mut standing = same.iter().filter(|issue| issue.state.stands());
        let is_new = standing.any(|issue| Some(issue.id.round) >= proposed_in);
        match (is_new, same.len() < most) {
            (true, _) => {}
            (false, true) => {
                self.raise(Some(gap.clone()), concern.into(), None, None, None)?;
            }
            (false, false) => return Ok(()),
        }
        self.move_gap(gap, GapMove::Reopen, None)
    }
}

/// The gaps whose changes don't fit, each once.
fn displaced(read: &Refined) -> Vec<GapId> {
    let gaps: BTreeSet<&GapId> = read.displaced.iter().map(|fault| &fault.gap).collect();
    gaps.into_iter().cloned().collect()
}

fn misfit(severity: Severity) -> Concern {
    Concern {
        severity,
        summary: MISFIT.to_owned(),
        location: None,
        impact: Some("the specification would say two things in one place".to_owned()),
        suggestion: Some("make the changes to the text as it reads now".to_owned()),
        settled_by_user: false,
    }
}

fn still_there(left: &Left, severity: Severity) -> Concern {
    let passage = shortened(&one_line(&left.passage), LONGEST_QUOTED);
    Concern {
        severity,
        summary: match left.is_new {
            true => format!("the text that settles the gap leaves something open: \"{passage}\""),
            false => {
                format!("the passage that opened the gap would still be there: \"{passage}\"")
            }
        },
        location: None,
        impact: Some("nobody could implement what it says".to_owned()),
        suggestion: Some("say what holds in its place".to_owned()),
        settled_by_user: false,
    }
}
