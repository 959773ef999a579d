//! What the sessions of the benchmarks are about and what their agents write: gaps that go back in every round, since each
//! review raises one HIGH issue on each proposal.

use gapless_domain::config::Config;
use gapless_domain::ids::GapId;
use gapless_domain::task::Role;
use gapless_mediator::{Incoming, RunSettings, Start};

/// The name that both roles' agents go by.
pub const AGENT: &str = "scripted";

/// The writing of one session's agents. No two sessions and no two rounds have the same texts, as agents' never are.
pub struct Script {
    pub session: String,
    pub gaps: u32,
    pub text_bytes: usize,
}

impl Script {
    pub fn start(&self) -> Incoming {
        let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, AGENT.to_owned()));
        let config = Config {
            hard_limit: 9999,
            max_rounds: Some(9999),
            stall_threshold: Some(9999),
            divergence_threshold: Some(9999),
            // These agents write much the same in every round: what they pass over is not measured.
            unaddressed_high_threshold: 1000,
            unaddressed_critical_threshold: 1000,
            pattern_threshold: 1000,
            ..Config::default()
        };
        let met = RunSettings {
            config,
            agents: agents.into(),
            ..RunSettings::default()
        };
        Incoming::Start(Box::new(Start {
            name: self.session.clone(),
            source_path: "spec.md".into(),
            source: self.source(),
            found: Vec::new(),
            met,
        }))
    }

    /// An Engineer's document that answers these issues.
    pub fn proposals(&self, round: u32, gaps: &[GapId], issues: &[String]) -> String {
        let mut responses = String::new();
        for issue in issues {
            responses +=
                &format!("## Response to {issue}\n\nThe limit is now said in the solution.\n\n");
        }
        let own = 160 * gaps.len() + responses.len();
        let share = self.text_bytes.saturating_sub(own) / gaps.len().max(1);
        let mut text = String::new();
        for id in gaps {
            text += &format!(
                "## Gap Resolution: {id}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIn round {round} of {}: ",
                self.session
            );
            text += &filled(
                "the limit is 100 per second, and above it the answer is 429. ",
                share,
            );
            text += "\n\n### Examples\n\nOne.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n";
        }
        text + &responses
    }

    /// A Reviewer's document, with an issue on each gap.
    pub fn reviews(&self, round: u32, gaps: &[GapId]) -> String {
        let share = (self.text_bytes / gaps.len().max(1)).saturating_sub(220);
        let mut text = String::new();
        for (gap, issue) in gaps.iter().zip(issues(round, gaps)) {
            let impact = filled(
                "it may be too low at the end of a month, when all report. ",
                share,
            );
            text += &format!(
                "## Review: {gap}\n\n### High Priority\n\n- **{issue}**: the limit of {} is not justified.\n  - **Location:** \
                 Proposed Solution\n  - **Impact:** {impact}\n  - **Suggestion:** say where it comes from\n\n",
                self.session
            );
        }
        text
    }

    fn source(&self) -> String {
        let mut text = format!("# A system for {}\n\nWhat it is.\n", self.session);
        for number in 1..=self.gaps {
            let sentence = "It does what its name says, within limits. ";
            text += &format!("\n## Part {number}\n\n{}\n", filled(sentence, 400));
        }
        text += "\n## Known gaps\n\n";
        for number in 1..=self.gaps {
            text += &format!(
                "- GAP-PART-{number:03} [MEDIUM] (section: Part {number}): the limits are not said\n"
            );
        }
        text
    }
}

/// The issues that a review of this round raises, one on each gap.
pub fn issues(round: u32, gaps: &[GapId]) -> Vec<String> {
    (1..=gaps.len())
        .map(|number| format!("ISSUE-R{round}-{number:03}"))
        .collect()
}

fn filled(sentence: &str, bytes: usize) -> String {
    sentence.repeat(bytes / sentence.len() + 1)[..bytes]
        .trim_end()
        .to_owned()
}
