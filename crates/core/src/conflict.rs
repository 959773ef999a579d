//! Owns conflicts: the two positions, whether a rule finds a synthesis, what is recommended, and how it all is put to the
//! user. Rules are word lists, so that the same conflict is always put the same way.

use crate::issue::{AnswerKind, Issue};
use crate::severity::Severity;
use crate::text::quoted;

/// What an Engineer that did not answer is quoted with.
const NOT_STATED: &str = "Not stated: the Engineer did not answer this issue.";

/// Beginnings of words by which an Engineer speaks of complexity.
const COMPLEXITY: [&str; 6] = [
    "complex",
    "complicat",
    "overhead",
    "overkill",
    "overengineer",
    "over-engineer",
];
/// Beginnings of words by which a concern speaks of a value that could be set.
const THRESHOLD: [&str; 8] = [
    "threshold",
    "limit",
    "timeout",
    "maximum",
    "minimum",
    "interval",
    "quota",
    "retention",
];
/// Phrases by which an Engineer calls something out of scope.
const SCOPE: [&str; 4] = [
    "out of scope",
    "outside the scope",
    "beyond the scope",
    "not in scope",
];
/// Beginnings of words by which a rationale argues with safety or correctness.
const SAFETY: [&str; 9] = [
    "safety",
    "unsafe",
    "correctness",
    "incorrect",
    "corrupt",
    "deadlock",
    "insecure",
    "vulnerab",
    "data-loss",
];

/// A middle way that a rule finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthesis {
    pub text: String,
    pub trade_off: &'static str,
    /// True where each side gets what it argues for.
    pub serves_both: bool,
}

/// A conflict as it is put to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub severity: Severity,
    pub reviewer: String,
    pub impact: String,
    pub engineer: String,
    pub rationale: String,
    pub alternative: Option<String>,
    pub synthesis: Option<Synthesis>,
    /// True where the Engineer never said that it disagrees.
    pub implicit: bool,
}

impl Conflict {
    /// The conflict on an issue; `words` are those of the Engineer's answer, where it gave one.
    pub fn on(issue: &Issue, words: &str) -> Self {
        let concern = &issue.concern;
        let answer = issue.answer.as_ref();
        let disagrees = answer.filter(|answer| answer.how == AnswerKind::Disagree);
        let part =
            |part: Option<&String>| part.map_or(String::new(), |text| text.trim().to_owned());
        let parts = disagrees.and_then(|answer| answer.disagreement.as_ref());
        let engineer = match (parts, disagrees) {
            (Some(parts), _) => part(Some(&parts.position)),
            (None, Some(_)) => words.trim().to_owned(),
            (None, None) => NOT_STATED.to_owned(),
        };
        let rationale = part(parts.map(|parts| &parts.rationale));
        let suggestion = concern.suggestion.as_ref().unwrap_or(&concern.summary);
        Self {
            severity: concern.severity,
            reviewer: suggestion.trim().to_owned(),
            impact: concern
                .impact
                .clone()
                .unwrap_or_else(|| "not stated".to_owned()),
            synthesis: synthesis(
                &concern.summary,
                suggestion,
                &format!("{engineer} {rationale}"),
            ),
            alternative: parts.and_then(|parts| parts.alternative.clone()),
            engineer,
            rationale,
            implicit: disagrees.is_none(),
        }
    }

    /// The option that is recommended: the Reviewer's where it is CRITICAL, unless the Engineer argues with safety or
    /// correctness; else a synthesis that serves both.
    pub fn recommended(&self) -> Option<&'static str> {
        let argues_safety = begins_any(&self.rationale, &SAFETY);
        match (self.severity, &self.synthesis) {
            (Severity::Critical, _) if argues_safety => None,
            (Severity::Critical, _) => Some("A"),
            (_, Some(synthesis)) if synthesis.serves_both => Some("C"),
            _ => None,
        }
    }

    /// What a person must know to decide, in markdown.
    pub fn presentation(&self, issue: &Issue) -> String {
        let mut text = format!(
            "**Subject:** {}\n**Severity:** {}\n**Gap affected:** {}\n\n**Reviewer position (option A):**\n{}\n\n**Impact if \
             ignored:** {}\n\n**Engineer position (option B):**\n{}\n",
            issue.concern.summary,
            self.severity,
            issue.gap,
            quoted(&self.reviewer),
            self.impact,
            quoted(&self.engineer),
        );
        if !self.rationale.is_empty() {
            text += &format!("\n**Rationale:** {}\n", self.rationale);
        }
        if let Some(alternative) = &self.alternative {
            text += &format!("\n**Alternative approach:** {}\n", alternative.trim());
        }
        if self.implicit {
            text += "\nThis was noticed and not stated: the Engineer may have overlooked the issue, or have answered it in \
                     substance without its id.\n";
        }
        if let Some(synthesis) = &self.synthesis {
            text += &format!(
                "\n**Synthesis (option C):**\n{}\n\n**Trade-off:** {}\n",
                quoted(&synthesis.text),
                synthesis.trade_off
            );
        }
        text
    }
}

/// `argument` is what the Engineer holds, with its rationale.
fn synthesis(summary: &str, suggestion: &str, argument: &str) -> Option<Synthesis> {
    let lower = argument.to_lowercase();
    if begins_any(argument, &COMPLEXITY) {
        Some(Synthesis {
            text: format!(
                "Make it optional, with the simple behaviour as the default: {suggestion}"
            ),
            trade_off: "part of the complexity, for those who need it",
            serves_both: true,
        })
    } else if begins_any(summary, &THRESHOLD) {
        Some(Synthesis {
            text: format!(
                "Make the value configurable, with the Reviewer's as the default: {suggestion}"
            ),
            trade_off: "one more setting to document",
            serves_both: true,
        })
    } else if SCOPE.iter().any(|phrase| lower.contains(phrase)) {
        Some(Synthesis {
            text: format!(
                "Put a placeholder for it into the spec, and defer it to a later version: {suggestion}"
            ),
            trade_off: "the concern stays open until then",
            serves_both: false,
        })
    } else {
        None
    }
}

/// True where a word of the text begins with one of these.
fn begins_any(text: &str, beginnings: &[&str]) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
        .map(str::to_lowercase)
        .any(|word| beginnings.iter().any(|begin| word.starts_with(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_synthesis() {
        let found = |summary: &str, rationale: &str| {
            synthesis(summary, "use 5", rationale).map(|synthesis| {
                (
                    synthesis.text.split(':').next().unwrap().to_owned(),
                    synthesis.serves_both,
                )
            })
        };
        assert_eq!(
            found("no backoff", "This adds complexity for little."),
            Some((
                "Make it optional, with the simple behaviour as the default".into(),
                true
            ))
        );
        assert_eq!(
            found("The retry limit is too low", "Two is enough."),
            Some((
                "Make the value configurable, with the Reviewer's as the default".into(),
                true
            ))
        );
        assert_eq!(
            found("no audit log", "That is out of scope for version 1."),
            Some((
                "Put a placeholder for it into the spec, and defer it to a later version".into(),
                false
            ))
        );
        assert_eq!(found("no audit log", "Nobody reads it."), None);
        assert_eq!(
            found("unlimited growth", "No."),
            None,
            "a word that begins otherwise"
        );
    }

    #[test]
    fn what_is_recommended() {
        let conflict = |severity, rationale: &str, serves_both: Option<bool>| {
            let conflict = Conflict {
                severity,
                reviewer: String::new(),
                impact: String::new(),
                engineer: String::new(),
                rationale: rationale.to_owned(),
                alternative: None,
                synthesis: serves_both.map(|serves_both| Synthesis {
                    text: String::new(),
                    trade_off: "",
                    serves_both,
                }),
                implicit: false,
            };
            conflict.recommended()
        };
        use Severity::{Critical, High, Medium};
        assert_eq!(conflict(Critical, "too complex", Some(true)), Some("A"));
        assert_eq!(
            conflict(Critical, "it would corrupt data", Some(true)),
            None
        );
        assert_eq!(conflict(High, "too complex", Some(true)), Some("C"));
        assert_eq!(conflict(High, "out of scope", Some(false)), None);
        assert_eq!(conflict(Medium, "no", None), None);
    }
}
