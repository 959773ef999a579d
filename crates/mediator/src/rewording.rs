//! What a decision of an undone round decides once the user has edited its words: the effect that the words say, or a reason
//! why they don't fit a decision of its kind.

use gapless_domain::question::conflict::Options;
use gapless_domain::{Decision, DecisionKind, Name, Severity, comma_list};

/// What words say that becomes of a gap or an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Deferral,
    Closing,
    Waiver,
    Reopening,
}

impl Effect {
    const ALL: [Effect; 4] = [
        Effect::Deferral,
        Effect::Closing,
        Effect::Waiver,
        Effect::Reopening,
    ];

    /// How it is said; the first goes before a reason.
    fn words(self) -> &'static [&'static str] {
        match self {
            Effect::Deferral => &[
                "deferred",
                "defer",
                "deferral",
                "put off",
                "postponed",
                "postpone",
            ],
            Effect::Closing => &[
                "closed",
                "close it",
                "close the gap",
                "wont_fix",
                "wontfix",
                "won't fix",
            ],
            Effect::Waiver => &["waived", "waive", "waiver", "need not be answered"],
            Effect::Reopening => &[
                "reopened",
                "reopen",
                "resumed",
                "resume it",
                "resume the gap",
            ],
        }
    }

    /// What such a decision does.
    fn verb(self) -> &'static str {
        match self {
            Effect::Deferral => "defers",
            Effect::Closing => "closes",
            Effect::Waiver => "waives",
            Effect::Reopening => "reopens",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Effect::Deferral => "gapless gap defer",
            Effect::Closing => "gapless gap close",
            Effect::Waiver => "gapless issue waive",
            Effect::Reopening => "gapless gap reopen",
        }
    }

    fn of(decision: &Decision) -> Option<Self> {
        match decision.kind {
            DecisionKind::Deferral => Some(Effect::Deferral),
            DecisionKind::Closing => Some(Effect::Closing),
            DecisionKind::Waiver => Some(Effect::Waiver),
            DecisionKind::Scope if !decision.gaps.is_empty() => Some(Effect::Reopening),
            DecisionKind::Scope
            | DecisionKind::Conflict
            | DecisionKind::Severity
            | DecisionKind::Input
            | DecisionKind::Acceptance
            | DecisionKind::Confirmation
            | DecisionKind::Rollback => None,
        }
    }
}

/// The decision in the user's words; else why they can't be its words, and which can.
pub(super) fn reworded(mut decision: Decision, text: &str) -> Result<Decision, String> {
    if text == decision.decision {
        return Ok(decision);
    }
    match decision.kind {
        DecisionKind::Conflict if decision.positions.is_some() => return redecided(decision, text),
        DecisionKind::Severity => {
            let to = severity_in(text)?;
            let subject = subject(&decision);
            decision.title = format!("{subject} is {to}");
            decision.severity = Some(to);
            decision.rationale.clear();
            decision.decision = match text.parse::<Severity>() {
                Ok(_) => format!("{subject} has severity {to}."),
                Err(_) => text.to_owned(),
            };
            return Ok(decision);
        }
        // What an input or the scope comes to is its words.
        _ => {}
    }
    if let Some(effect) = Effect::of(&decision) {
        if let Some(said) = says_otherwise(effect, text) {
            return Err(otherwise(effect, &decision, said));
        }
        decision.rationale.clear();
    }
    text.clone_into(&mut decision.decision);
    Ok(decision)
}

fn subject(decision: &Decision) -> String {
    match &decision.issue {
        Some(issue) => issue.to_string(),
        None => comma_list(&decision.gaps),
    }
}

/// A conflict is decided for another option where the words are its letter; other words are the user's own position, which is
/// to be carried out.
fn redecided(mut decision: Decision, text: &str) -> Result<Decision, String> {
    let Some(positions) = decision.positions.as_mut() else {
        return Ok(decision);
    };
    let chosen = option_in(text);
    if chosen == Some(positions.chosen) {
        return Ok(decision);
    }
    let (chosen, words, action) = match chosen {
        Some(Options::A) => (
            Options::A,
            format!("The Reviewer's position holds: {}", positions.reviewer),
            "",
        ),
        Some(Options::B) => (
            Options::B,
            format!("The Engineer's position holds on: {}", decision.title),
            "none: keep to the proposal",
        ),
        Some(other @ (Options::C | Options::D)) => {
            let other = other.name();
            return Err(format!(
                "option {other} has no words of its own; write A for the Reviewer's position, B for the Engineer's, or \
                 what you decide"
            ));
        }
        None => (Options::D, text.to_owned(), ""),
    };
    positions.chosen = chosen;
    decision.obliges = chosen != Options::B;
    decision.decision = words;
    decision.rationale.clear();
    action.clone_into(&mut decision.action);
    decision.for_gap.clear();
    Ok(decision)
}

/// The option that a text is nothing but the letter of: `B`, `option B`, `B.`
fn option_in(text: &str) -> Option<Options> {
    let text = straight(text);
    let letter = text.trim().strip_prefix("option ").unwrap_or(text.trim());
    let mut options = Options::ALL.iter().copied();
    options.find(|option| option.name().eq_ignore_ascii_case(letter))
}

/// Words before a severity that say which it is not.
const BEFORE_ANOTHER: [&str; 4] = ["was", "from", "not", "than"];

/// The one severity that a text sets. Names in capitals count before others: a risk may be high without being HIGH.
fn severity_in(text: &str) -> Result<Severity, String> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_other = |index: usize| {
        let before = |back: usize| index.checked_sub(back).map(|at| words[at].to_lowercase());
        let instead_of =
            before(1).as_deref() == Some("of") && before(2).as_deref() == Some("instead");
        instead_of || before(1).is_some_and(|word| BEFORE_ANOTHER.contains(&word.as_str()))
    };
    let named = |in_capitals: bool| {
        let mut found: Vec<Severity> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let Ok(severity) = word.parse::<Severity>() else {
                continue;
            };
            let counts = !in_capitals || *word == severity.name();
            if counts && !is_other(index) && !found.contains(&severity) {
                found.push(severity);
            }
        }
        found
    };
    let mut found = named(true);
    if found.is_empty() {
        found = named(false);
    }
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(
            "the decision sets a severity, and these words name none; write CRITICAL, HIGH, MEDIUM or LOW, like \
             `HIGH: why`"
                .to_owned(),
        ),
        several => {
            let names: Vec<&str> = several.iter().map(|severity| severity.name()).collect();
            Err(format!(
                "the decision sets one severity, and these words name {}; write one, like `{}: why`",
                names.join(" and "),
                names[0]
            ))
        }
    }
}

/// What a text says that an effect doesn't do; nothing where it says the effect itself, or no effect at all.
fn says_otherwise(effect: Effect, text: &str) -> Option<Said> {
    let line = straight(text);
    let says = |words: &str| line.contains(&format!(" {words} "));
    let denials = ["not", "no longer", "don't", "isn't", "not be", "never"];
    let denied = effect
        .words()
        .iter()
        .any(|word| denials.iter().any(|no| says(&format!("{no} {word}"))));
    if denied {
        return Some(Said::Denial);
    }
    if effect.words().iter().any(|word| says(word)) {
        return None;
    }
    let mut others = Effect::ALL.into_iter().filter(|other| *other != effect);
    if let Some(other) = others.find(|other| other.words().iter().any(|word| says(word))) {
        return Some(Said::Effect(other));
    }
    // Put off for ever is closed.
    if effect == Effect::Deferral && line.trim() == "never" {
        return Some(Said::Effect(Effect::Closing));
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let severity = words.find_map(|word| {
        let severity = word.parse::<Severity>().ok()?;
        (word == severity.name()).then_some(severity)
    });
    severity.map(Said::Severity)
}

/// What edited words say instead of their decision's effect.
enum Said {
    Denial,
    Effect(Effect),
    Severity(Severity),
}

fn otherwise(effect: Effect, decision: &Decision, said: Said) -> String {
    let says = match said {
        Said::Denial => "say that it doesn't: leave it archived then".to_owned(),
        Said::Effect(other) => format!("say what `{}` does", other.command()),
        Said::Severity(to) => format!("name a severity ({to}), which `gapless gap severity` sets"),
    };
    format!(
        "the decision {} {}, and these words {says}. For another reason write `{}: why`",
        effect.verb(),
        subject(decision),
        effect.words()[0]
    )
}

/// In lower case, with one space around each word.
fn straight(text: &str) -> String {
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_severity_is_read_from_what_people_write() {
        for (text, expected) in [
            ("HIGH", Severity::High),
            ("low", Severity::Low),
            (
                "GAP-API-002 has severity CRITICAL (was LOW).",
                Severity::Critical,
            ),
            ("Make it medium: clients see it", Severity::Medium),
            ("LOW, since the risk is not high", Severity::Low),
            ("MEDIUM; the cost is high", Severity::Medium),
            ("HIGH instead of LOW", Severity::High),
            ("from LOW to HIGH", Severity::High),
            ("HIGH rather than MEDIUM. HIGH it is", Severity::High),
        ] {
            assert_eq!(severity_in(text), Ok(expected), "{text}");
        }
        for text in ["", "graver than before", "HIGH or CRITICAL", "not HIGH"] {
            assert!(severity_in(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_option_is_a_letter_and_nothing_else() {
        assert_eq!(option_in("b"), Some(Options::B));
        assert_eq!(option_in("Option A."), Some(Options::A));
        assert_eq!(option_in("A limit of 40"), None);
        assert_eq!(option_in("E"), None);
    }
}
