//! What was asked on stage, as snapshots have it, and the ids that scenarios name.

use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::question::Question;

/// The labels that a question offers to a person.
pub fn labels(question: &Question) -> Vec<&str> {
    let offered = question.options.iter().filter(|choice| !choice.policy_only);
    offered.map(|choice| choice.label.as_str()).collect()
}

/// A question as a person reads it, for snapshots.
pub fn shown(question: &Question) -> String {
    let severity = question.severity.map_or("none", |severity| severity.name());
    let mut text = format!(
        "# {}\n\nkind {}, about {}, severity {severity}, holds {:?}\n\n{}\n\n",
        question.title,
        question.about.kind(),
        question.about.subject(),
        question.holds,
        question.context.trim_end()
    );
    for option in &question.options {
        let mark = if option.recommended { "*" } else { "" };
        text += &format!(
            "- {}{mark} {}: {}\n",
            option.label, option.text, option.effect
        );
    }
    for field in &question.fields {
        let needed = field.needed_for.join(", ");
        text += &format!(
            "\nfield {} ({}), needed for: {needed}",
            field.name, field.text
        );
    }
    text + &format!("\n\nwithout an answer: {}\n", question.without_answer)
}

pub fn issue_id(id: &str) -> IssueId {
    id.parse().unwrap()
}

pub fn gap_id(id: &str) -> GapId {
    id.parse().unwrap()
}
