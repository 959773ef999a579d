//! When a session may end, and what an end with gaps left asks of the user.

use gapless_domain::question::contradiction;
use gapless_domain::{
    DecisionKind, End, Gap, GapId, GapState, IssueId, Phase, QuestionId, RoundPhase, Severity,
    Trigger,
};
use gapless_session::{Now, State};

/// The sentence that accepts CRITICAL gaps.
pub const CRITICAL_SENTENCE: &str = "I accept CRITICAL gaps knowing the spec may be unusable";
/// The sentence that accepts HIGH gaps.
pub const HIGH_SENTENCE: &str = "I acknowledge";

/// How much deferred weight a complete spec may have.
pub const DEFERRED_WEIGHT_OF_COMPLETE: i64 = 4;

/// True where everything that COMPLETE asks is met, but for the final review.
pub fn is_otherwise_complete(now: &Now) -> bool {
    let left_open = |gap: &Gap| gap.state.is_open() || gap.state == GapState::BlockedExternal;
    let deferred: Vec<&Gap> = now.gaps_in(GapState::UserDeferred).collect();
    let deferred_weight: i64 = deferred.iter().map(|gap| gap.severity.weight()).sum();
    !now.gaps.values().any(left_open)
        && !deferred.iter().any(|gap| gravity(now, gap).holds())
        && deferred_weight <= DEFERRED_WEIGHT_OF_COMPLETE
        && now.conflicts(Severity::High).next().is_none()
}

/// The questions on grave matters that were put to the user and that nothing but the user's word takes back: where all else is
/// done they are waited for, before the final review.
pub fn awaited_before_end(state: &State) -> Vec<QuestionId> {
    let now = &state.now;
    let over = now.phase == Phase::Round
        && matches!(
            now.round.phase,
            RoundPhase::Planning | RoundPhase::Concluding
        );
    if !over || !is_otherwise_complete(now) {
        return Vec::new();
    }
    let awaited = now.queue().into_iter().filter(|question| {
        let grave = question.severity.is_some_and(|severity| severity.holds());
        grave && question.about.is_awaited_before_end()
    });
    awaited.map(|question| question.id).collect()
}

/// The severity that a gap has for the end: its own, or that of the gravest that is open on it: an issue that stands, a
/// decision that is not carried out, or one that its proposal may contradict. A gap that was CRITICAL once stays it here.
fn gravity(now: &Now, gap: &Gap) -> Severity {
    if gap.gravest == Severity::Critical {
        return Severity::Critical;
    }
    let issues = now.holding_issues(gap).map(|issue| issue.concern.severity);
    let owed = gap
        .obligations
        .iter()
        .filter_map(|id| now.decision(id)?.issue);
    let owed = owed.filter_map(|id| Some(now.issues.get(&id)?.concern.severity));
    let contradicting = now.questions.values().filter(|question| {
        let subject = contradiction::Subject::of(&question.about);
        subject.is_some_and(|subject| subject.gap == gap.id)
    });
    let contradicted = contradicting.filter_map(|question| question.severity);
    let gravest = issues.chain(owed).chain(contradicted).max();
    gravest.map_or(gap.severity, |gravest| gravest.max(gap.severity))
}

/// What is left when the user wants to stop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Left {
    pub critical: Vec<GapId>,
    pub high: Vec<GapId>,
    pub lesser: Vec<GapId>,
    /// Undecided HIGH conflicts: no end without an acknowledgment.
    pub conflicts: Vec<IssueId>,
}

impl Left {
    /// Everything that is open or parked, gravest first.
    pub fn of(now: &Now) -> Self {
        let mut left = Self {
            conflicts: now
                .conflicts(Severity::High)
                .map(|(_, issue)| issue)
                .collect(),
            ..Self::default()
        };
        for gap in now.gaps.values().filter(|gap| !gap.state.is_closed()) {
            let list = match gravity(now, gap) {
                Severity::Critical => &mut left.critical,
                Severity::High => &mut left.high,
                Severity::Medium | Severity::Low => &mut left.lesser,
            };
            list.push(gap.id.clone());
        }
        left
    }

    /// Everything by its id: gaps gravest first, then conflicts.
    pub fn all(&self) -> Vec<String> {
        let gaps = self.critical.iter().chain(&self.high).chain(&self.lesser);
        let conflicts = self.conflicts.iter().map(ToString::to_string);
        gaps.map(ToString::to_string).chain(conflicts).collect()
    }

    /// The end that a user's stop comes to.
    pub fn end(&self) -> End {
        if self.critical.is_empty() && self.high.is_empty() && self.conflicts.is_empty() {
            End::GoodEnough
        } else {
            End::UserApproved
        }
    }
}

/// Why a session can't have come to this end by the rules; `None` where it can. The state is that before the questions that
/// waited were withdrawn.
pub fn unreachable_end(state: &State, end: End, trigger: Trigger) -> Option<String> {
    let now = &state.now;
    let is_its_trigger = match end {
        End::Complete => trigger == Trigger::FinalReviewReady,
        End::MaxRounds => trigger == Trigger::RoundLimit,
        End::StallExit => trigger == Trigger::Divergence,
        End::Abandoned => trigger == Trigger::Abandoned,
        End::GoodEnough | End::UserApproved => matches!(
            trigger,
            Trigger::UserStop
                | Trigger::NothingToPlan
                | Trigger::NoFinalReview
                | Trigger::RollbackLimit
        ),
    };
    if !is_its_trigger {
        let why = trigger.sentence();
        return Some(format!("{end} is not how a session ends where {why}"));
    }
    match end {
        End::Complete if now.round.final_reviewed != Some(true) => Some(format!(
            "{end} needs a final review that says ready, and there is none"
        )),
        End::Complete if !is_otherwise_complete(now) => {
            let left = Left::of(now).all().join(", ");
            Some(format!("{end} is not reached while these are left: {left}"))
        }
        End::Complete | End::MaxRounds | End::Abandoned => None,
        End::GoodEnough | End::UserApproved | End::StallExit => unaccepted(now, end),
    }
}

/// Why an end that the user accepts can't have been: something that is left was not accepted.
fn unaccepted(now: &Now, end: End) -> Option<String> {
    if let Some((_, issue)) = now.conflicts(Severity::Critical).next() {
        return Some(format!(
            "{end} is not reached while the CRITICAL conflict on {issue} is undecided"
        ));
    }
    let left = Left::of(now);
    if end == End::GoodEnough && left.end() != end {
        let left = left.all().join(", ");
        return Some(format!("{end} is not reached while these are left: {left}"));
    }
    let is_accepted = |gap: &&GapId| {
        let mut decisions = now.decisions.iter();
        decisions.any(|decision| {
            decision.kind == DecisionKind::Acceptance && decision.gaps.contains(gap)
        })
    };
    let gaps = left.critical.iter().chain(&left.high).chain(&left.lesser);
    let gap = gaps.into_iter().find(|gap| !is_accepted(gap))?;
    Some(format!(
        "{end} is not reached while {gap} is left, which nobody accepted"
    ))
}
