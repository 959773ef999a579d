//! What only the user settles: proposals that are defaults, and issues that ask for the user's word. They hold their
//! gaps until the user confirms them, group by group, or says what shall hold instead.

use std::collections::BTreeMap;

use super::questions::defaults::only_person_confirms;
use super::{Result, Turn};
use gapless_domain::question::defaults;
use gapless_domain::{About, Concern, Gap, GapId, GapState, IssueId, IssueState, Question};

impl Turn<'_> {
    /// Asks for the user's word on what this round's review left to it. A default that the review passed over in silence is
    /// put on the ledger first: it counts for nothing before it is confirmed, whoever reviewed it.
    pub(super) fn ask_about_defaults(&mut self) -> Result<()> {
        for (gap, concern) in self.unquestioned_defaults() {
            self.raise(Some(gap), concern.into(), None, None, None)?;
        }
        let round = self.state.now.round.number;
        let reviewed =
            |gap: &&Gap| gap.state == GapState::Proposed && gap.reviewed_in == Some(round);
        let now = &self.state.now;
        let mut groups: BTreeMap<(bool, String), Vec<IssueId>> = BTreeMap::new();
        for gap in now.gaps.values().filter(reviewed) {
            for issue in now
                .standing_issues(gap)
                .filter(|issue| issue.concern.settled_by_user)
            {
                let group = self.group_of(gap, &issue.id);
                let of_group = groups
                    .entry((only_person_confirms(gap), group))
                    .or_default();
                if !of_group.contains(&issue.id) {
                    of_group.push(issue.id);
                }
            }
        }
        // What still waits in the same group is asked with it, so that a group is one question.
        for (key, issues) in &mut groups {
            for question in self.state.now.questions.values() {
                if let About::Defaults(defaults::Subject {
                    issues: waiting, ..
                }) = &question.about
                    && self.key_of(question).as_ref() == Some(key)
                {
                    issues.extend(waiting.iter().filter(|id| self.still_asks(id)));
                }
            }
            issues.sort();
            issues.dedup();
        }
        for ((_, group), issues) in groups {
            self.ask_defaults(group, issues)?;
        }
        Ok(())
    }

    pub(super) fn ask_defaults(&mut self, group: String, issues: Vec<IssueId>) -> Result<()> {
        let asks_one = |question: &Question| {
            let subject = defaults::Subject::of(&question.about);
            let mut waiting = subject.into_iter().flat_map(|subject| &subject.issues);
            waiting.any(|id| issues.contains(id))
        };
        self.withdraw_questions(asks_one, "it is asked anew with what came since");
        self.ask(self.defaults_question(group, &issues)?);
        Ok(())
    }

    /// Defaults that this round's review named without asking for the user's word on them.
    fn unquestioned_defaults(&self) -> Vec<(GapId, Concern)> {
        let now = &self.state.now;
        let round = now.round.number;
        let gaps = now.gaps.values().filter(|gap| {
            gap.state == GapState::Proposed
                && gap.reviewed_in == Some(round)
                && !now
                    .standing_issues(gap)
                    .any(|issue| issue.concern.settled_by_user)
        });
        gaps.filter_map(|gap| {
            let group = gap.proposal.as_ref()?.default.as_ref()?;
            let concern = Concern {
                severity: gap.severity,
                summary: format!(
                    "The proposal for {} is a default ({group}) that nobody has confirmed",
                    gap.id
                ),
                location: None,
                impact: None,
                suggestion: Some("confirm it, or say what shall hold instead".to_owned()),
                settled_by_user: true,
            };
            Some((gap.id.clone(), concern))
        })
        .collect()
    }

    /// What an issue is asked with: the group of the default that it is on, else itself.
    fn group_of(&self, gap: &Gap, issue: &IssueId) -> String {
        let default = gap.proposal.as_ref().and_then(|own| own.default.clone());
        default.unwrap_or_else(|| issue.to_string())
    }

    /// The group of a question that waits, and whether only a person may confirm it: a policy is asked about the rest alone.
    fn key_of(&self, question: &Question) -> Option<(bool, String)> {
        let subject = defaults::Subject::of(&question.about)?;
        let needs_person = !question.options.iter().any(|choice| choice.recommended);
        Some((needs_person, subject.group.clone()))
    }

    pub(super) fn still_asks(&self, id: &IssueId) -> bool {
        let issue = self.state.now.issues.get(id);
        issue.is_some_and(|issue| issue.state.stands() && issue.concern.settled_by_user)
    }

    /// Withdraws questions on defaults that nobody asks about any more: settled otherwise, or their gaps put off.
    pub(super) fn withdraw_settled_defaults(&mut self) {
        let now = self.state.now.clone();
        let asks = |id: &IssueId| {
            let issue = now.issues.get(id);
            let open = |gap: &Gap| gap.state.is_open() && gap.standing_issues.contains(id);
            issue.is_some_and(|issue| issue.state == IssueState::Open)
                && now.gaps.values().any(open)
        };
        self.withdraw_questions(
            |question| {
                let subject = defaults::Subject::of(&question.about);
                subject.is_some_and(|subject| !subject.issues.iter().any(asks))
            },
            "what it asks about is settled",
        );
    }
}
