//! An issue as the Reviewer writes it, and its id: its own where it stands already, else the next that is free.

use std::fmt::Write;

use gapless_domain::{AssignedGap, AssignedIssue, Assignment, IssueId, Severity};

/// An issue before it is written down.
#[derive(Debug, Clone)]
pub(crate) struct Raised {
    pub severity: Severity,
    pub summary: String,
    pub location: String,
    pub impact: String,
    pub suggestion: String,
    /// Only the user settles it.
    pub by_user: bool,
    /// The standing issue that it is.
    pub known: Option<IssueId>,
}

impl Raised {
    /// Finds the standing issue of a gap that this is.
    pub fn known_on(mut self, gap: &AssignedGap) -> Self {
        let same = |issue: &&AssignedIssue| {
            issue.settled_by_user == self.by_user
                && (self.by_user || plain(&issue.summary) == plain(&self.summary))
        };
        self.known = self
            .known
            .or(gap.issues.iter().find(same).map(|issue| issue.id));
        self
    }

    /// The same without a word that a document brought in.
    pub fn plainly(&self, about: &str) -> Self {
        Self {
            summary: about.to_owned(),
            location: "the proposal".to_owned(),
            impact: "it can't be implemented as it stands".to_owned(),
            suggestion: "say what should hold instead".to_owned(),
            ..self.clone()
        }
    }

    pub fn item(&self, id: IssueId) -> String {
        let mut text = format!("- **{id}**: {}\n", self.summary);
        if self.by_user {
            text += "  - **Settled by:** the user\n";
        }
        let fields = [
            ("Location", &self.location),
            ("Impact", &self.impact),
            ("Suggestion", &self.suggestion),
        ];
        for (name, value) in fields {
            let _ = writeln!(text, "  - **{name}:** {value}");
        }
        text
    }
}

/// Letters and digits, so that marks make no difference.
fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// Gives out the ids of new issues.
#[derive(Clone)]
pub(crate) struct Ids {
    next: IssueId,
}

impl Ids {
    pub fn of(assignment: &Assignment) -> Self {
        let first = IssueId::new(assignment.round, 1);
        Self {
            next: assignment.next_issue.unwrap_or(first),
        }
    }

    pub fn give(&mut self, known: Option<IssueId>) -> IssueId {
        if let Some(known) = known {
            return known;
        }
        let given = self.next;
        self.next = IssueId::new(given.round, given.number.saturating_add(1));
        given
    }
}
