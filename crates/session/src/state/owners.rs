//! Whose gaps and questions are, and when they are due.

use std::collections::BTreeSet;

use super::State;
use gapless_domain::question::{
    About, Question, blocked_gap, contradiction, decided_matter, defaults, severity,
};
use gapless_domain::{GapId, IssueId, Ownership, Person};

/// Nobody's, and due on no day.
static NOBODYS: Ownership = Ownership {
    owner: None,
    due: None,
};

impl State {
    pub fn ownership(&self, gap: &GapId) -> &Ownership {
        self.kept.ownership.get(gap).unwrap_or(&NOBODYS)
    }

    /// The gaps that a question is about; none where it is about the session or its agents.
    pub fn gaps_asked_about(&self, question: &Question) -> BTreeSet<GapId> {
        let about = &question.about;
        let mut gaps = BTreeSet::new();
        let mut issues: Vec<IssueId> = about.conflicts().to_vec();
        issues.extend(about.flagged());
        match about {
            About::BlockedGap(blocked_gap::Subject { gap })
            | About::Contradiction(contradiction::Subject { gap, .. })
            | About::Severity(severity::Subject { gap, .. }) => {
                gaps.insert(gap.clone());
            }
            About::DecidedMatter(decided_matter::Subject { issue, .. }) => issues.push(*issue),
            About::Defaults(defaults::Subject { issues: asked, .. }) => issues.extend(asked),
            _ => {}
        }
        let stands_on = |issue: &IssueId| {
            let own = self.now.issues.get(issue).map(|issue| issue.gap.clone());
            let all = self.now.gaps.values();
            let open = all.filter(|gap| gap.standing_issues.contains(issue));
            let open: Vec<GapId> = open.map(|gap| gap.id.clone()).collect();
            match open.is_empty() {
                true => own.into_iter().collect(),
                false => open,
            }
        };
        gaps.extend(issues.iter().flat_map(stands_on));
        gaps
    }

    /// The owners of the gaps that a question is about, and the first day that one of these is due.
    pub fn ownership_of_question(&self, question: &Question) -> (BTreeSet<Person>, Ownership) {
        let gaps = self.gaps_asked_about(question);
        let owned = gaps.iter().map(|gap| self.ownership(gap));
        let owners: BTreeSet<Person> = owned.clone().filter_map(|one| one.owner.clone()).collect();
        let due = owned.filter_map(|one| one.due).min();
        let owner = match owners.len() {
            1 => owners.first().cloned(),
            _ => None,
        };
        (owners, Ownership { owner, due })
    }
}
