//! The giving out of ids. No id is ever issued twice, also not after a rollback: what was used is kept.

use crate::State;
use gapless_domain::ids::{HIGHEST_NUMBER, HIGHEST_ROUND};
use gapless_domain::{DecisionId, GapId, IssueId, QuestionId};

impl State {
    /// The id to give to a gap that a document calls `written`: that one where it is free, else the next of its category.
    pub fn allot_gap(&self, written: &GapId) -> Option<GapId> {
        if written.child().is_none() && !self.kept.used_gap_ids.contains(written) {
            return Some(written.clone());
        }
        self.next_gap(written.category())
    }

    /// The next free gap id of a category; past 999 the category goes on with a letter behind it.
    pub fn next_gap(&self, category: &str) -> Option<GapId> {
        let categories = std::iter::once(category.to_owned()).chain(
            ('A'..='Z').map(|letter| format!("{}{letter}", &category[..category.len().min(9)])),
        );
        for category in categories {
            let first = GapId::new(&category, 1)?;
            let last = GapId::new(&category, HIGHEST_NUMBER)?;
            // Ids are ordered by their numbers.
            let last_used = self.kept.used_gap_ids.range(first..=last).next_back();
            let highest = last_used.map_or(0, GapId::number);
            if highest < HIGHEST_NUMBER {
                return GapId::new(&category, highest + 1);
            }
        }
        None
    }

    /// The next letters for children of a gap.
    pub fn free_child_letters(&self, root: &GapId) -> impl Iterator<Item = GapId> {
        ('a'..='z').filter_map(move |letter| {
            let child = root.with_child(letter)?;
            (!self.kept.used_gap_ids.contains(&child)).then_some(child)
        })
    }

    /// The round under which something is numbered: before round 1 that is round 1.
    fn numbering_round(&self) -> u32 {
        self.now.round.number.clamp(1, HIGHEST_ROUND)
    }

    /// The id to give to an issue that a document calls `written`: that one where it is this round's and free.
    pub fn allot_issue(&self, written: Option<IssueId>) -> Option<IssueId> {
        let round = self.numbering_round();
        match written {
            Some(id) if id.round == round && !self.kept.used_issue_ids.contains(&id) => Some(id),
            _ => self.next_issue(),
        }
    }

    /// The next free issue id of the round.
    pub fn next_issue(&self) -> Option<IssueId> {
        let round = self.numbering_round();
        let used = &self.kept.used_issue_ids;
        let all = IssueId::new(round, 1)..=IssueId::new(round, HIGHEST_NUMBER);
        let highest = used.range(all).map(|id| id.number).max().unwrap_or(0);
        if highest < HIGHEST_NUMBER {
            return Some(IssueId::new(round, highest + 1));
        }
        (1..HIGHEST_NUMBER)
            .map(|number| IssueId::new(round, number))
            .find(|id| !used.contains(id))
    }

    /// The next free decision id of the round; a round that has used its numbers borrows from those to come.
    pub fn next_decision(&self) -> DecisionId {
        let last = |round: &u32| self.kept.decision_numbers.get(round).copied().unwrap_or(0);
        let round =
            (self.numbering_round()..=HIGHEST_ROUND).find(|round| last(round) < HIGHEST_NUMBER);
        let round = round.unwrap_or(HIGHEST_ROUND);
        DecisionId::new(round, last(&round).saturating_add(1))
    }

    pub fn next_question(&self) -> QuestionId {
        QuestionId(self.kept.questions_asked + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(ids: &[&str]) -> State {
        let mut state = State::default();
        for id in ids {
            state.kept.used_gap_ids.insert(id.parse().unwrap());
        }
        state
    }

    #[test]
    fn a_free_id_is_kept_and_a_used_one_moves_on() {
        let state = used(&["GAP-FLOW-001", "GAP-FLOW-007", "GAP-FLOW-007a"]);
        let allot = |id: &str| state.allot_gap(&id.parse().unwrap()).unwrap().to_string();
        assert_eq!(allot("GAP-FLOW-003"), "GAP-FLOW-003");
        assert_eq!(allot("GAP-FLOW-001"), "GAP-FLOW-008");
        assert_eq!(allot("GAP-FLOW-009b"), "GAP-FLOW-008");
        assert_eq!(allot("GAP-UX-001"), "GAP-UX-001");
    }

    #[test]
    fn a_full_category_goes_on_with_a_letter() {
        let state = used(&["GAP-FLOW-999", "GAP-ABCDEFGHIJ-999"]);
        assert_eq!(state.next_gap("FLOW").unwrap().to_string(), "GAP-FLOWA-001");
        assert_eq!(
            state.next_gap("ABCDEFGHIJ").unwrap().to_string(),
            "GAP-ABCDEFGHIA-001"
        );
    }

    #[test]
    fn issue_ids_are_taken_as_written_where_they_are_free() {
        let mut state = State::default();
        state.now.round.number = 3;
        state.kept.used_issue_ids.insert(IssueId::new(3, 2));
        for (written, given) in [
            (Some(IssueId::new(3, 1)), IssueId::new(3, 1)),
            (Some(IssueId::new(3, 2)), IssueId::new(3, 3)),
            (Some(IssueId::new(2, 9)), IssueId::new(3, 3)),
            (None, IssueId::new(3, 3)),
        ] {
            assert_eq!(state.allot_issue(written), Some(given));
        }
    }
}
