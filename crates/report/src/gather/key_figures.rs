//! The numbers at the top of a report, in the order in which they are shown.

use gapless_domain::{human_millis, quarters};

use crate::model::{KeyFigure, Report};

fn figure(name: &'static str, value: String, note: String) -> KeyFigure {
    KeyFigure { name, value, note }
}

impl Report {
    /// The numbers that a reader looks for first.
    pub fn key_figures(&self) -> Vec<KeyFigure> {
        let mut figures = self.gap_figures();
        figures.extend(self.ledger_figures());
        figures.extend(self.trouble_figures());
        figures.extend(self.usage_figures());
        figures
    }

    /// Rounds, and how many gaps they settled and left.
    fn gap_figures(&self) -> Vec<KeyFigure> {
        let (figures, counts) = (&self.figures, &self.counts);
        vec![
            figure(
                "Rounds",
                figures.round.to_string(),
                match self.trouble.rounds_undone {
                    0 => format!("of at most {}", figures.max_rounds),
                    undone => format!("of at most {}; {undone} undone", figures.max_rounds),
                },
            ),
            figure(
                "Gaps resolved",
                counts.resolved.to_string(),
                format!("of {}", figures.gaps),
            ),
            figure(
                "Gaps left",
                counts.left.to_string(),
                format!(
                    "{} open{}",
                    quarters(figures.open_quarters),
                    figures.parked_note()
                ),
            ),
            figure(
                "Limitations",
                self.limitations.len().to_string(),
                "known, below".to_owned(),
            ),
        ]
    }

    fn ledger_figures(&self) -> Vec<KeyFigure> {
        let counts = &self.counts;
        vec![
            figure(
                "Issues",
                counts.issues.to_string(),
                match counts.issues_standing {
                    1 => "1 stands".to_owned(),
                    standing => format!("{standing} stand"),
                },
            ),
            figure(
                "Decisions",
                counts.decisions.to_string(),
                match counts.decisions_undone {
                    0 => "in all".to_owned(),
                    undone => format!("and {undone} undone"),
                },
            ),
        ]
    }

    /// Retries, flags and rollbacks.
    fn trouble_figures(&self) -> Vec<KeyFigure> {
        let trouble = &self.trouble;
        vec![
            figure(
                "Retries",
                trouble.retries.to_string(),
                format!(
                    "{} invalid, {} could not run",
                    trouble.invalid, trouble.could_not_run
                ),
            ),
            figure(
                "Flags",
                trouble.flags.to_string(),
                "issues passed over".to_owned(),
            ),
            figure(
                "Rollbacks",
                self.counts.rollbacks.to_string(),
                match trouble.rounds_undone {
                    1 => "1 round undone".to_owned(),
                    undone => format!("{undone} rounds undone"),
                },
            ),
        ]
    }

    /// Time, tokens and cost, as far as the agents reported them.
    fn usage_figures(&self) -> Vec<KeyFigure> {
        let (time, usage) = (&self.figures.time, &self.figures.usage);
        let told = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
        let untold = |what: &str| format!("no agent told {what}");
        vec![
            figure(
                "Agents at work",
                human_millis(time.active),
                format!(
                    "waiting {}, {} in all",
                    human_millis(time.waiting),
                    human_millis(time.total)
                ),
            ),
            match (usage.tokens_in(), usage.tokens_out()) {
                (None, None) => figure("Tokens", "–".to_owned(), untold("them")),
                (read, written) => figure(
                    "Tokens",
                    grouped(&usage.tokens().to_string()),
                    grouped(&format!("{} in, {} out", told(read), told(written))),
                ),
            },
            match usage.cost() {
                Some(cost) => figure("Cost", cost, "as far as known".to_owned()),
                None => figure("Cost", "–".to_owned(), untold("it")),
            },
        ]
    }
}

/// Numbers of more than four digits with commas between their thousands.
fn grouped(text: &str) -> String {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let parts = text
        .as_bytes()
        .chunk_by(|one, other| is_digit(one) == is_digit(other));
    parts
        .map(String::from_utf8_lossy)
        .map(
            |part| match part.len() > 4 && part.starts_with(|c: char| c.is_ascii_digit()) {
                true => part
                    .as_bytes()
                    .rchunks(3)
                    .rev()
                    .map(String::from_utf8_lossy)
                    .collect::<Vec<_>>()
                    .join(","),
                false => part.into_owned(),
            },
        )
        .collect()
}
