//! The parts that questions are worded with.

use crate::Turn;
use gapless_domain::question::NoFields;
use gapless_domain::{About, Choice, Field, Gap, Holds, Name, Question};

pub(super) fn choice(option: impl Name, text: &str, effect: &str) -> Choice {
    Choice {
        label: option.name().to_owned(),
        text: text.to_owned(),
        effect: effect.to_owned(),
        recommended: false,
        policy_only: false,
    }
}

/// To rest; the phase that asked asks again.
pub(super) fn pause_choice(option: impl Name) -> Choice {
    choice(
        option,
        "Pause",
        "nothing runs until `gapless resume`; then this is asked again",
    )
}

pub(super) fn abandon_choice(option: impl Name) -> Choice {
    choice(
        option,
        "Abandon",
        "the session ends here, without a refined spec",
    )
}

pub(super) fn recommended(choice: Choice) -> Choice {
    recommended_if(true, choice)
}

pub(super) fn recommended_if(recommended: bool, choice: Choice) -> Choice {
    Choice {
        recommended,
        ..choice
    }
}

/// A field without which these options can't be taken.
pub(super) fn field(name: impl Name, text: &str, needed_for: &[impl Name]) -> Field {
    named_field(name.name().to_owned(), text, needed_for)
}

/// A field whose name is not one of its kind's.
pub(super) fn named_field(name: String, text: &str, needed_for: &[impl Name]) -> Field {
    Field {
        name,
        text: text.to_owned(),
        needed_for: names(needed_for),
        offered_for: Vec::new(),
        exactly: None,
        suggested: None,
    }
}

/// A field that may go with these options and is needed for none.
pub(super) fn optional<O: Name>(name: impl Name, text: &str, offered_for: &[O]) -> Field {
    Field {
        offered_for: names(offered_for),
        ..field(name, text, &[] as &[O])
    }
}

/// A field that may go with any option and is needed for none.
pub(super) fn remark(name: impl Name, text: &str) -> Field {
    field(name, text, &[] as &[NoFields])
}

fn names(options: &[impl Name]) -> Vec<String> {
    options
        .iter()
        .map(|option| option.name().to_owned())
        .collect()
}

pub(super) fn suggesting(field: Field, suggested: String) -> Field {
    Field {
        suggested: (!suggested.is_empty()).then_some(suggested),
        ..field
    }
}

/// What a field takes that names gaps.
pub(super) const GAP_IDS: &str = "gap ids, separated by commas";

pub(super) fn gap_line(gap: &Gap) -> String {
    format!("- {} [{}] {}", gap.id, gap.severity, gap.description)
}

impl Turn<'_> {
    pub(super) fn question(&self, about: About, title: String, context: String) -> Question {
        Question {
            id: self.state.next_question(),
            about,
            severity: None,
            title,
            context,
            options: Vec::new(),
            fields: Vec::new(),
            holds: Holds::Phase,
            without_answer: "the session waits".to_owned(),
            accepts: Vec::new(),
            replaces: Vec::new(),
        }
    }

    pub(super) fn by_severity(&self, holds: impl Fn(&Gap) -> bool) -> Vec<&Gap> {
        let gaps = self.state.now.gaps.values();
        let mut gaps: Vec<&Gap> = gaps.filter(|gap| holds(gap)).collect();
        gaps.sort_by_key(|gap| (std::cmp::Reverse(gap.severity), gap.age));
        gaps
    }
}
