//! One turn of the mediator: a working copy of the state on which events take effect as they are emitted, so that
//! each later judgement of the turn sees what the earlier ones did.

use std::sync::Arc;

use super::{Outcome, ReadDocuments, Refusal, Result};
use gapless_domain::gap::WORDINGS_KEPT;
use gapless_domain::matter::Link;
use gapless_domain::phase::step;
use gapless_domain::text::Layered;
use gapless_domain::{
    Alias, DecidedBy, Decision, DecisionId, DecisionKind, End, Gap, GapId, GapMove, GapState,
    Issue, IssueId, IssueMove, NewGap, Origin, Person, Phase, Question, RoundPhase, Severity,
    TextHash, TextMap, Texts, Time, Trigger, Wording,
};
use gapless_reading::read::{DeclaredGap, ReadDocument};
use gapless_session::{
    DecisionEvent, Event, GapEvent, Happening, IssueEvent, QuestionEvent, RoundEvent, SessionEvent,
    State, apply,
};

pub(super) struct Turn<'a> {
    pub state: State,
    pub at: Time,
    pub events: Vec<Event>,
    pub texts: TextMap,
    /// Who filled in the form that is taken, where somebody says so: what is decided over it says so too.
    pub filled_in_by: Option<Person>,
    kept: &'a dyn Texts,
    read: &'a mut ReadDocuments,
}

impl<'a> Turn<'a> {
    pub fn new(state: &State, at: Time, kept: &'a dyn Texts, read: &'a mut ReadDocuments) -> Self {
        Self {
            state: state.clone(),
            at,
            events: Vec::new(),
            texts: TextMap::default(),
            filled_in_by: None,
            kept,
            read,
        }
    }

    pub fn finish(self) -> Outcome {
        Outcome {
            events: self.events,
            texts: self.texts,
        }
    }

    pub fn emit(&mut self, what: Happening) {
        let event = Event { at: self.at, what };
        apply(&mut self.state, &event);
        self.events.push(event);
    }

    pub fn session(&mut self, event: SessionEvent) {
        self.emit(Happening::Session(event));
    }

    pub fn round(&mut self, event: RoundEvent) {
        self.emit(Happening::Round(event));
    }

    /// Emits what moves the session from phase to phase, if the table of phases has that move.
    pub fn move_phase(&mut self, what: Happening) -> Result<()> {
        if let Some(by) = what.phase_move() {
            step(self.state.now.place(), by)?;
        }
        self.emit(what);
        Ok(())
    }

    pub fn enter(&mut self, phase: Phase) -> Result<()> {
        self.move_phase(Happening::Session(SessionEvent::Entered { phase }))
    }

    pub fn enter_in_round(&mut self, phase: RoundPhase) -> Result<()> {
        self.move_phase(Happening::Round(RoundEvent::Entered { phase }))
    }

    pub fn begin_round(&mut self, round: u32) -> Result<()> {
        self.move_phase(Happening::Round(RoundEvent::Began { round }))
    }

    pub fn keep_text(&mut self, text: &str) -> TextHash {
        self.texts.keep(text)
    }

    pub fn layered(&self) -> Layered<'_> {
        Layered {
            fresh: &self.texts,
            kept: self.kept,
        }
    }

    pub fn text(&self, hash: &TextHash) -> Result<Arc<str>> {
        Ok(self.layered().require(hash)?)
    }

    /// Keeps a document's text, and the document as it was read for those who need it before the session waits again.
    pub fn keep_document(&mut self, document: ReadDocument) -> TextHash {
        let text = self.keep_text(&document.text);
        self.read.keep(text, document);
        text
    }

    /// A document as it was read, where that was since the session last waited.
    pub fn document_read(&self, text: &TextHash) -> Option<Arc<ReadDocument>> {
        self.read.get(text)
    }

    /// An Engineer's document as it was read.
    pub fn engineer_document(&mut self, text: &TextHash) -> Result<Arc<ReadDocument>> {
        Ok(match self.document_read(text) {
            Some(document) => document,
            None => {
                let document = ReadDocument::of_engineer(&self.text(text)?);
                self.read.keep(*text, document)
            }
        })
    }

    pub fn gap(&self, id: &GapId) -> Result<&Gap> {
        let gap = self.state.now.gaps.get(id);
        gap.ok_or_else(|| Refusal::UnknownGap(id.clone()))
    }

    /// True for a known gap for which something holds.
    pub fn gap_is(&self, id: &GapId, what: impl FnOnce(&Gap) -> bool) -> bool {
        self.state.now.gaps.get(id).is_some_and(what)
    }

    pub fn issue(&self, id: &IssueId) -> Result<&Issue> {
        let issue = self.state.now.issues.get(id);
        issue.ok_or(Refusal::UnknownIssue(*id))
    }

    /// Moves a gap, if its lifecycle allows it.
    pub fn move_gap(&mut self, id: &GapId, by: GapMove, reason: Option<&str>) -> Result<()> {
        let gap = self.gap(id)?;
        let from = gap.state;
        let to = gap.can(by).map_err(|illegal| Refusal::GapMove {
            gap: id.clone(),
            illegal,
        })?;
        self.emit(Happening::Gap(GapEvent::Moved {
            id: id.clone(),
            by,
            from,
            to,
            reason: reason.map(str::to_owned),
        }));
        match by {
            GapMove::Close => {
                self.make_issues_moot(id)?;
                self.withdraw_settled();
            }
            GapMove::Resume => self.lift(id, DecisionKind::Deferral, "the gap was resumed"),
            GapMove::Reopen => self.lift(id, DecisionKind::Closing, "the gap was reopened"),
            _ => {}
        }
        Ok(())
    }

    /// Issues on a gap that the user closed no longer matter, unless they stand on another part of a split gap.
    pub(super) fn make_issues_moot(&mut self, id: &GapId) -> Result<()> {
        let standing: Vec<IssueId> = self.gap(id)?.standing_issues.iter().copied().collect();
        for issue in standing {
            let elsewhere = self.state.now.gaps.values().any(|gap| {
                gap.id != *id && !gap.state.is_closed() && gap.standing_issues.contains(&issue)
            });
            if !elsewhere {
                self.move_issue(&issue, IssueMove::Moot, None)?;
            }
        }
        Ok(())
    }

    /// Moves an issue, if the ledger allows it.
    pub fn move_issue(&mut self, id: &IssueId, by: IssueMove, reason: Option<&str>) -> Result<()> {
        let issue = self.issue(id)?;
        let from = issue.state;
        let to = issue.can(by).map_err(|illegal| Refusal::IssueMove {
            issue: *id,
            illegal,
        })?;
        self.emit(Happening::Issue(IssueEvent::Moved {
            id: *id,
            by,
            from,
            to,
            reason: reason.map(str::to_owned),
        }));
        // What the user was asked about a flag is answered by what the user decides, and gone with the issue.
        if matches!(
            by,
            IssueMove::Decide | IssueMove::Waive | IssueMove::Moot | IssueMove::Withdraw
        ) {
            self.withdraw_flag_questions(&[*id], "what it asks about is settled");
        }
        if !to.stands() {
            self.withdraw_settled();
        }
        Ok(())
    }

    /// Withdraws the pending questions that no longer have anything to ask.
    pub fn withdraw_questions(&mut self, which: impl Fn(&Question) -> bool, why: &str) {
        self.withdraw(which, why, false);
    }

    pub fn withdraw(&mut self, which: impl Fn(&Question) -> bool, why: &str, to_renew: bool) {
        let questions = self.state.now.questions.values();
        let ids: Vec<_> = questions
            .filter(|question| which(question))
            .map(|question| question.id)
            .collect();
        for id in ids {
            let why = why.to_owned();
            self.emit(Happening::Question(QuestionEvent::Withdrawn {
                id,
                why,
                to_renew,
            }));
        }
    }

    pub fn ask(&mut self, question: Question) {
        debug_assert!(question.has_known_options(), "{:?}", question.options);
        let comes_up = self.comes_up(question);
        self.emit(Happening::Question(comes_up));
    }

    /// A decision on a gap, still to be made.
    pub fn decision_on_gap(
        &self,
        kind: DecisionKind,
        gap: &GapId,
        title: String,
        decision: String,
        by: DecidedBy,
    ) -> Decision {
        Decision {
            gaps: vec![gap.clone()],
            ..self.decision(kind, title, decision, by)
        }
    }

    /// A decision that binds the session and no gap in particular, still to be made.
    pub fn decision(
        &self,
        kind: DecisionKind,
        title: String,
        decision: String,
        by: DecidedBy,
    ) -> Decision {
        Decision {
            id: self.state.next_decision(),
            kind,
            title,
            gaps: Vec::new(),
            issue: None,
            positions: None,
            decision,
            rationale: String::new(),
            constraints: String::new(),
            action: String::new(),
            for_gap: String::new(),
            by,
            at: self.at,
            obliges: false,
            severity: None,
            reapplied_from: None,
            replaces: None,
            filled_in_by: None,
            lifted: None,
        }
    }

    pub fn decide(&mut self, mut decision: Decision) -> DecisionId {
        let id = decision.id;
        if self.filled_in_by.is_some() {
            decision.filled_in_by.clone_from(&self.filled_in_by);
        }
        self.emit(Happening::Decision(DecisionEvent::Recorded {
            decision: Box::new(decision),
        }));
        id
    }

    /// Takes decisions of a kind on a gap out of force.
    pub fn lift(&mut self, gap: &GapId, kind: DecisionKind, why: &str) {
        let decisions = self.state.now.decisions.iter();
        let in_force: Vec<DecisionId> = decisions
            .filter(|decision| decision.kind == kind && decision.lifted.is_none())
            .filter(|decision| decision.gaps.contains(gap))
            .map(|decision| decision.id)
            .collect();
        for id in in_force {
            self.emit(Happening::Decision(DecisionEvent::Lifted {
                id,
                why: why.to_owned(),
            }));
        }
    }

    /// Creates a gap that a document declares, or merges it with a gap that is the same. A known id that means something else
    /// gets a fresh one, and the alias is kept.
    pub fn create_declared(
        &mut self,
        declared: &DeclaredGap,
        origin: Origin,
        document: &str,
    ) -> Result<GapId> {
        if let Some(known) = self.same_gap(declared, &origin, document) {
            self.merge(&known, declared, origin)?;
            return Ok(known);
        }
        let id = self.state.allot_gap(&declared.id);
        let id = id.ok_or_else(|| Refusal::OutOfIds(declared.id.category().to_owned()))?;
        let written = (id != declared.id).then(|| declared.id.to_string());
        let alias = declared.alias.clone().or(written).map(|name| Alias {
            document: document.to_owned(),
            name,
        });
        let blocked_by = declared.blocked_by.iter().filter(|other| **other != id);
        self.create(NewGap {
            id: id.clone(),
            severity: declared.severity.unwrap_or(Severity::Medium),
            description: declared.description.clone(),
            section: declared.section.clone(),
            blocked_by: blocked_by.cloned().collect(),
            origin,
            alias,
        });
        Ok(id)
    }

    pub fn create(&mut self, gap: NewGap) {
        self.emit(Happening::Gap(GapEvent::Created { gap }));
    }

    /// The next free id of a category.
    pub fn free_gap_id(&self, category: &str) -> Result<GapId> {
        let id = self.state.next_gap(category);
        id.ok_or_else(|| Refusal::OutOfIds(category.to_owned()))
    }

    /// The gap that a declared one is the same as: one of its name that its words fit, else one in the same place with the
    /// same words. What is proposed or accepted is declared anew: whoever declares it finds it still open.
    fn same_gap(&self, declared: &DeclaredGap, origin: &Origin, document: &str) -> Option<GapId> {
        let name = declared.id.to_string();
        let goes_by_it = |gap: &Gap| {
            let alias = |alias: &Alias| alias.document == document && alias.name == name;
            gap.id == declared.id || gap.aliases.iter().any(alias)
        };
        let waits = |gap: &&Gap| match gap.state {
            GapState::Open
            | GapState::InProgress
            | GapState::NeedsRevision
            | GapState::UserDeferred
            | GapState::BlockedExternal => true,
            // What the user closed stays closed, unless it comes back as something graver.
            GapState::WontFix => declared.severity.unwrap_or(Severity::Medium) <= gap.severity,
            GapState::Proposed | GapState::Accepted | GapState::Resolved | GapState::Superseded => {
                false
            }
        };
        let waiting = || self.state.now.gaps.values().filter(waits);
        let by_name = waiting()
            .filter(|gap| goes_by_it(gap))
            .find(|gap| gap.is_about(&declared.description, Link::Id));
        // What the author of the source tells apart is apart.
        let by_author = matches!(origin, Origin::Source { .. });
        let by_words = || {
            waiting().filter(|_| !by_author).find(|gap| {
                is_same_place(&gap.section, &declared.section)
                    && gap.is_about(&declared.description, Link::None)
            })
        };
        by_name.or_else(by_words).map(|gap| gap.id.clone())
    }

    /// Merges a second finding with a gap: the higher severity counts, and both texts and both places are kept.
    pub fn merge(&mut self, id: &GapId, declared: &DeclaredGap, origin: Origin) -> Result<()> {
        let said = Wording {
            text: declared.description.clone(),
            section: declared.section.clone(),
        };
        self.add_origin(id, origin, Some(said));
        self.find_graver(id, declared.severity, "a newer finding asks it anew")
    }

    /// Records that a known gap was found once more, with the words of that finding where they are others.
    pub fn add_origin(&mut self, id: &GapId, origin: Origin, said: Option<Wording>) {
        let Some(gap) = self.state.now.gaps.get(id) else {
            return;
        };
        let own = Wording {
            text: gap.description.clone(),
            section: gap.section.clone(),
        };
        let said = said.filter(|said| {
            *said != own && !gap.also.contains(said) && gap.also.len() < WORDINGS_KEPT
        });
        if said.is_some() || !gap.origins.contains(&origin) {
            let id = id.clone();
            self.emit(Happening::Gap(GapEvent::OriginAdded { id, origin, said }));
        }
    }

    /// Makes what an agent was still working on as open as it was before.
    pub fn return_unfinished(&mut self) -> Result<()> {
        for gap in self.ids_where(|gap| gap.state == GapState::InProgress) {
            self.move_gap(&gap, GapMove::Return, None)?;
        }
        Ok(())
    }

    pub fn ids_where(&self, holds: impl Fn(&Gap) -> bool) -> Vec<GapId> {
        let gaps = self.state.now.gaps.values().filter(|gap| holds(gap));
        gaps.map(|gap| gap.id.clone()).collect()
    }

    /// Ends the session. What an agent was still working on is as open as it was before.
    pub fn end(&mut self, end: End, trigger: Trigger) -> Result<()> {
        self.return_unfinished()?;
        self.withdraw_questions(|_| true, "the session has ended");
        self.enter(Phase::Closing)?;
        self.move_phase(Happening::Session(SessionEvent::Ended { end, trigger }))?;
        if !self.state.kept.rollbacks.is_empty() {
            self.ask(self.archives_question());
        }
        Ok(())
    }
}

/// True where nothing says that two sections are different places.
pub(crate) fn is_same_place(one: &Option<String>, other: &Option<String>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => plain_title(one) == plain_title(other),
        _ => true,
    }
}

/// A title without its number and in small letters.
fn plain_title(title: &str) -> String {
    title
        .trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '#' | '§')
        })
        .trim()
        .to_lowercase()
}
