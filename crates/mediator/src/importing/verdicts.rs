//! What a record says in the end: the states and severities of its status.md, which stand, and its decisions.

use crate::{Result, Turn};
use gapless_domain::{
    DecidedBy, Decision, DecisionId, DecisionKind, GapId, GapMove, GapState, IssueId, IssueMove,
    Origin, Takeover, comma_list_of, gap_ids_in, issue_ids_in,
};
use gapless_markdown::Document;
use gapless_reading::read::{RecordedDecision, StatusEntry, words_of};
use gapless_session::{GapEvent, Happening};

use super::{DECISIONS, STATUS};

/// How many ids a remark lists.
const LISTED: usize = 12;

impl Turn<'_> {
    pub(super) fn take_verdicts(
        &mut self,
        status: &Document,
        entries: &[StatusEntry],
        takeover: &mut Takeover,
    ) -> Result<()> {
        // What another document brought up has the severity that it has there.
        let from_here = |id: &GapId| {
            let gap = self.state.now.gaps.get(id);
            gap.is_none_or(|gap| matches!(gap.origins.first(), Some(Origin::Recorded { .. })))
        };
        let ungraded: Vec<&StatusEntry> = entries
            .iter()
            .filter(|entry| entry.severity.is_none() && from_here(&entry.gap))
            .collect();
        if let Some(first) = ungraded.first() {
            let ids = ungraded.iter().map(|entry| &entry.gap);
            let why = format!(
                "no severity is given for {}: taken as MEDIUM",
                comma_list_of(ids, LISTED)
            );
            takeover.assume(STATUS, first.line, why);
        }
        for entry in entries {
            // A round may have brought it up in other words, under another id.
            self.take_entry(entry);
            match self.state.now.gaps.contains_key(&entry.gap) {
                true => self.take_verdict(status, entry, takeover)?,
                false => {
                    let why = format!(
                        "{} was settled in the source by a session before",
                        entry.gap
                    );
                    takeover.leave(STATUS, entry.line, why);
                }
            }
        }
        let known = |id: &GapId| entries.iter().any(|entry| entry.gap == *id);
        let gaps = self.state.now.gaps.keys();
        let unlisted: Vec<&GapId> = gaps.filter(|id| !known(id)).collect();
        if !unlisted.is_empty() {
            let (whose, come) = match unlisted.len() {
                1 => ("its state", "comes"),
                _ => ("their states", "come"),
            };
            let why = format!(
                "it has no entry for {}: {whose} {come} from the rounds",
                comma_list_of(unlisted, LISTED)
            );
            takeover.assume(STATUS, None, why);
        }
        self.leave_claims(status, takeover);
        Ok(())
    }

    fn take_verdict(
        &mut self,
        status: &Document,
        entry: &StatusEntry,
        takeover: &mut Takeover,
    ) -> Result<()> {
        let (id, line) = (&entry.gap, entry.line);
        let gap = self.gap(id)?;
        let (from, severity, proposed) = (gap.state, gap.severity, gap.proposal.is_some());
        if let Some(to) = entry.severity.filter(|to| *to != severity) {
            self.change_severity(id, to, false)?;
        }
        let written = status
            .source
            .lines()
            .nth((line as usize).saturating_sub(1))
            .unwrap_or("");
        if entry.state == GapState::Open && !says_open(written) {
            let why = format!("no state of {id} can be read: taken as OPEN");
            takeover.assume(STATUS, line, why);
        }
        let idle = match proposed {
            true => GapState::NeedsRevision,
            false => GapState::Open,
        };
        let to = match entry.state {
            GapState::InProgress => idle,
            GapState::Proposed if !proposed => GapState::Open,
            state => state,
        };
        if to != entry.state {
            let why = format!("{id} is {} there, and nobody is on it: {to}", entry.state);
            takeover.assume(STATUS, line, why);
        }
        let settled = to.is_settled_by_text();
        if settled && !proposed {
            let why = format!(
                "{id} is {to} there, and no section of a round is bound to it: the refined spec has nothing on it"
            );
            takeover.leave(STATUS, line, why);
        }
        if from != to {
            self.emit(Happening::Gap(GapEvent::Recorded {
                id: id.clone(),
                from,
                to,
                because: format!("{STATUS} says so on line {line}"),
            }));
        }
        if to == GapState::WontFix {
            self.make_issues_moot(id)?;
        }
        if to.is_closed() {
            self.let_go(id)?;
            let holding = self.state.now.holding_issues(self.gap(id)?);
            let holding: Vec<String> = holding
                .map(|issue| format!("{} [{}]", issue.id, issue.concern.severity))
                .collect();
            if !holding.is_empty() {
                let why = format!(
                    "{id} is {to} there, although {} stand{}: the next round reopens it, unless you waive that",
                    comma_list_of(&holding, LISTED),
                    if holding.len() == 1 { "s" } else { "" }
                );
                takeover.assume(STATUS, line, why);
            }
        }
        Ok(())
    }

    /// What a record calls closed owes nothing any more.
    fn let_go(&mut self, id: &GapId) -> Result<()> {
        let owed = self.gap(id)?.obligations.iter().copied();
        let decisions: Vec<DecisionId> = owed.collect();
        if !decisions.is_empty() {
            let id = id.clone();
            self.emit(Happening::Gap(GapEvent::ObligationsMet { id, decisions }));
        }
        Ok(())
    }

    /// What a record claims of itself is no end of a session here, and its decisions are read elsewhere.
    fn leave_claims(&self, status: &Document, takeover: &mut Takeover) {
        for (at, line) in status.prose_lines(0..status.source.len()) {
            if let Some((name, value)) = gapless_reading::read::field(line)
                && matches!(name, "Status" | "Session Status")
            {
                let why = format!("the record calls itself {value}: here the session goes on");
                takeover.leave(STATUS, status.line_of(at), why);
            }
        }
        let about_decisions = |title: &str| {
            let mut words = words_of(title);
            words
                .next()
                .is_some_and(|word| word.starts_with("Decision"))
        };
        for heading in &status.headings {
            if about_decisions(&heading.title) {
                let why = format!("decisions are read from {DECISIONS} only");
                takeover.leave(STATUS, heading.line, why);
            }
        }
    }

    pub(super) fn take_decision(
        &mut self,
        recorded: &RecordedDecision,
        takeover: &mut Takeover,
    ) -> Result<()> {
        let about = format!("{} {}", recorded.title, recorded.subject);
        let named = issue_ids_in(&about).into_iter().next();
        let issue: Option<IssueId> = named
            .map(|found| found.id)
            .and_then(|id| self.issue_called(&id.to_string()));
        let on_issue = issue.and_then(|id| self.state.now.issues.get(&id)).cloned();
        let mut gaps: Vec<GapId> = Vec::new();
        let named = gap_ids_in(&about).into_iter().map(|found| found.id);
        for gap in named.filter_map(|id| self.part_of(&id)) {
            if !gaps.contains(&gap) {
                gaps.push(gap);
            }
        }
        if let Some(issue) = &on_issue {
            gaps = vec![issue.gap.clone()];
        }
        let stands = on_issue.as_ref().is_some_and(|issue| issue.state.stands());
        if let (true, Some(id)) = (stands, issue) {
            self.move_issue(&id, IssueMove::Decide, Some(&recorded.decision))?;
        }
        let kind = match (stands, gaps.is_empty()) {
            (true, _) => DecisionKind::Conflict,
            (false, false) => DecisionKind::Input,
            (false, true) => DecisionKind::Scope,
        };
        let title = match recorded.title.as_str() {
            "" => "a decision of the record".to_owned(),
            title => title.to_owned(),
        };
        let decision = recorded.decision.clone();
        self.decide(Decision {
            gaps: gaps.clone(),
            issue: issue.filter(|_| stands),
            rationale: recorded.rationale.clone(),
            constraints: recorded.constraints.clone(),
            obliges: stands,
            ..self.decision(kind, title, decision, DecidedBy::User)
        });
        for gap in gaps.iter().filter(|_| stands) {
            if self.gap(gap)?.can(GapMove::Overrule).is_ok() {
                self.move_gap(gap, GapMove::Overrule, None)?;
            }
        }
        if recorded.round > self.state.now.round.number {
            let why = format!(
                "it is of round {}, which the record has no documents of",
                recorded.round
            );
            takeover.assume(DECISIONS, recorded.line, why);
        }
        Ok(())
    }

    /// The issue that goes by a name: its own id, or what a review called it.
    fn issue_called(&self, name: &str) -> Option<IssueId> {
        let issues = &self.state.now.issues;
        let mut named = issues.values().filter(|issue| {
            let mut aliases = issue.aliases.iter();
            issue.id.to_string() == name || aliases.any(|alias| alias.name == name)
        });
        named.next().map(|issue| issue.id)
    }
}

/// True where a line says in words or by an empty box that something is open.
fn says_open(line: &str) -> bool {
    let upper = line.to_ascii_uppercase();
    line.contains("[ ]") || words_of(&upper).any(|word| matches!(word, "OPEN" | "NEW"))
}
