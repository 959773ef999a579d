//! The built-in examples: the same documents about three subjects, of which a spec gets the one it has least to do with, and
//! the bare forms.

use gapless_domain::Role;

/// A subject that examples are about.
struct Subject {
    /// How a spec about the same things would speak.
    words: [&'static str; 6],
    engineer: &'static str,
    reviewer: &'static str,
    analyst: &'static str,
    editor: &'static str,
    final_reviewer: &'static str,
}

macro_rules! subject {
    ($folder:literal, $words:expr) => {
        Subject {
            words: $words,
            engineer: include_str!(concat!("../../examples/", $folder, "/engineer.md")),
            reviewer: include_str!(concat!("../../examples/", $folder, "/reviewer.md")),
            analyst: include_str!(concat!("../../examples/", $folder, "/analyst.md")),
            editor: include_str!(concat!("../../examples/", $folder, "/editor.md")),
            final_reviewer: include_str!(concat!("../../examples/", $folder, "/final_review.md")),
        }
    };
}

const SUBJECTS: [Subject; 3] = [
    subject!(
        "lockers",
        ["locker", "wristband", "guest", "swim", "door", "desk"]
    ),
    subject!(
        "newsletters",
        [
            "newsletter",
            "mail",
            "subscrib",
            "editor",
            "mailbox",
            "smtp"
        ]
    ),
    subject!(
        "greenhouse",
        ["greenhouse", "sensor", "valve", "pump", "moisture", "plant"]
    ),
];

impl Subject {
    fn document(&self, role: Role) -> &'static str {
        match role {
            Role::Engineer => self.engineer,
            Role::Reviewer => self.reviewer,
            Role::Analyst => self.analyst,
            Role::Editor => self.editor,
            Role::FinalReviewer => self.final_reviewer,
        }
    }

    /// How many of the subject's words a text in lower case has.
    fn words_in(&self, text: &str) -> usize {
        let words = self.words.iter();
        words.filter(|word| text.contains(**word)).count()
    }
}

/// The built-in example of a role for a spec: the one whose subject the spec says least of.
pub fn canonical(role: Role, spec: &str) -> &'static str {
    let spec = spec.to_lowercase();
    let farthest = SUBJECTS
        .iter()
        .min_by_key(|subject| subject.words_in(&spec));
    farthest.map_or("", |subject| subject.document(role))
}

/// All built-in examples of a role.
pub fn canonicals(role: Role) -> impl Iterator<Item = &'static str> {
    SUBJECTS.iter().map(move |subject| subject.document(role))
}

/// The bare form of a role's document, with `[GAP-ID]` and `[ISSUE-ID]` where ids go.
pub fn bare(role: Role) -> &'static str {
    match role {
        Role::Analyst => include_str!("../../examples/bare/analyst.md"),
        Role::Engineer => include_str!("../../examples/bare/engineer.md"),
        Role::Reviewer => include_str!("../../examples/bare/reviewer.md"),
        Role::Editor => include_str!("../../examples/bare/editor.md"),
        Role::FinalReviewer => include_str!("../../examples/bare/final_review.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_gets_the_example_that_it_has_least_to_do_with() {
        let first_line = |spec: &str| canonical(Role::Engineer, spec).lines().next().unwrap_or("");
        let lockers = "## Gap Resolution: GAP-LOCKER-001";
        let newsletters = "## Gap Resolution: GAP-MAIL-001";
        let greenhouse = "## Gap Resolution: GAP-WATER-002";
        assert_eq!(first_line("A tool that renames files."), lockers);
        assert_eq!(first_line("Lockers for guests."), newsletters);
        assert_eq!(
            first_line("A guest opens a Locker and gets an e-mail."),
            greenhouse
        );
    }
}
