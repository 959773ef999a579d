//! Who reviewed a session: models and persons, or nothing but rules.

use gapless_domain::{DecidedBy, DecisionKind, End, OFFLINE, Role};

use super::State;

/// What is said of an end that nothing but rules reviewed.
pub const BY_RULES: &str = "by rules: no model or person has read it";

impl State {
    /// True where no agent but `offline` reviewed or was to review, and no answer of the user judged a proposal. Confirming defaults judges
    /// those only.
    pub fn is_reviewed_by_rules_only(&self) -> bool {
        let mut reviewers = self.now.reviewers.iter();
        let mut decisions = self.now.decisions.iter();
        let judges =
            |kind: DecisionKind| matches!(kind, DecisionKind::Conflict | DecisionKind::Waiver);
        let is_to_review = self.kept.setup.agent_of(Role::Reviewer) == OFFLINE;
        (is_to_review || !self.now.reviewers.is_empty())
            && reviewers.all(|reviewer| reviewer == OFFLINE)
            && !decisions.any(|decision| decision.by == DecidedBy::User && judges(decision.kind))
    }

    /// True where the session came to an end with a refined spec that nothing but rules reviewed.
    pub fn is_ended_by_rules(&self) -> bool {
        let ended = self
            .kept
            .ended
            .is_some_and(|(end, _)| end != End::Abandoned);
        ended && self.is_reviewed_by_rules_only()
    }

    /// How the session ended and why, in a sentence.
    pub fn end_sentence(&self) -> Option<String> {
        let (_, trigger) = self.kept.ended?;
        let end = self.end_in_words()?;
        Some(match self.is_ended_by_rules() {
            true => format!("{end} ({})", trigger.sentence()),
            false => format!("{end}: {}", trigger.sentence()),
        })
    }

    /// The end by its name, with what has to be said of it.
    pub fn end_in_words(&self) -> Option<String> {
        let (end, _) = self.kept.ended?;
        Some(match self.is_ended_by_rules() {
            true => format!("{end} {BY_RULES}"),
            false => end.to_string(),
        })
    }
}
