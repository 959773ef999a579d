//! Puts conflicts to the user: the two positions, the synthesis where a rule finds one (`synthesis`), and what is
//! recommended. Rules are word lists, so that the same conflict is always put the same way.

mod beginnings;
mod synthesis;
mod values;

use gapless_domain::question::conflict::Options;
use gapless_domain::{AnswerKind, Issue, Severity, quoted};

use beginnings::begins_any;
pub use synthesis::Synthesis;
use synthesis::{Sides, synthesis};

/// What an Engineer that did not answer is quoted with.
const NOT_STATED: &str = "Not stated: the Engineer did not answer this issue.";

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
        let alternative = parts.and_then(|parts| parts.alternative.clone());
        let argument = match disagrees {
            Some(_) => format!(
                "{engineer}\n\n{rationale}\n\n{}",
                alternative.as_deref().unwrap_or_default()
            ),
            None => String::new(),
        };
        Self {
            severity: concern.severity,
            reviewer: suggestion.trim().to_owned(),
            impact: concern
                .impact
                .clone()
                .unwrap_or_else(|| "not stated".to_owned()),
            synthesis: synthesis(&Sides {
                summary: &concern.summary,
                suggestion: concern.suggestion.as_deref(),
                impact: concern.impact.as_deref().unwrap_or_default(),
                argument: &argument,
            }),
            alternative,
            engineer,
            rationale,
            implicit: disagrees.is_none(),
        }
    }

    /// The option that is recommended: the Reviewer's where it is CRITICAL, unless the Engineer argues with safety or
    /// correctness; else a synthesis that serves both.
    pub fn recommended(&self) -> Option<Options> {
        let argues_safety = begins_any(&self.rationale, &SAFETY);
        match (self.severity, &self.synthesis) {
            (Severity::Critical, _) if argues_safety => None,
            (Severity::Critical, _) => Some(Options::A),
            (_, Some(synthesis)) if synthesis.serves_both => Some(Options::C),
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            conflict(Critical, "too complex", Some(true)),
            Some(Options::A)
        );
        assert_eq!(
            conflict(Critical, "it would corrupt data", Some(true)),
            None
        );
        assert_eq!(conflict(High, "too complex", Some(true)), Some(Options::C));
        assert_eq!(conflict(High, "out of scope", Some(false)), None);
        assert_eq!(conflict(Medium, "no", None), None);
    }
}
