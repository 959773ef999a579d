//! The numbers at the top of a report, in the order in which they are shown.

use gapless_domain::{human_millis, quarters};

use crate::model::{KeyFigure, Report};

fn figure(name: &'static str, value: impl ToString, note: impl Into<String>) -> KeyFigure {
    let (value, note) = (value.to_string(), note.into());
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
        let rounds = match self.trouble.rounds_undone {
            0 => format!("of at most {}", figures.max_rounds),
            undone => format!("of at most {}; {undone} undone", figures.max_rounds),
        };
        let (open, parked) = (quarters(figures.open_quarters), figures.parked_note());
        let gaps = format!("of {}", figures.gaps);
        vec![
            figure("Rounds", figures.round, rounds),
            figure("Gaps resolved", counts.resolved, gaps),
            figure("Gaps left", counts.left, format!("{open} open{parked}")),
            figure("Limitations", self.limitations.len(), "known, below"),
        ]
    }

    fn ledger_figures(&self) -> Vec<KeyFigure> {
        let counts = &self.counts;
        let standing = match counts.issues_standing {
            1 => "1 stands".to_owned(),
            standing => format!("{standing} stand"),
        };
        let undone = match counts.decisions_undone {
            0 => "in all".to_owned(),
            undone => format!("and {undone} undone"),
        };
        vec![
            figure("Issues", counts.issues, standing),
            figure("Decisions", counts.decisions, undone),
        ]
    }

    /// Retries, flags and rollbacks.
    fn trouble_figures(&self) -> Vec<KeyFigure> {
        let trouble = &self.trouble;
        let (invalid, not_run) = (trouble.invalid, trouble.could_not_run);
        let failed = format!("{invalid} invalid, {not_run} could not run");
        let undone = match trouble.rounds_undone {
            1 => "1 round undone".to_owned(),
            undone => format!("{undone} rounds undone"),
        };
        vec![
            figure("Retries", trouble.retries, failed),
            figure("Flags", trouble.flags, "issues passed over"),
            figure("Rollbacks", self.counts.rollbacks, undone),
        ]
    }

    /// Time, tokens and cost, as far as the agents reported them.
    fn usage_figures(&self) -> Vec<KeyFigure> {
        let (time, usage) = (&self.figures.time, &self.figures.usage);
        let told = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
        let untold = |what: &str| format!("no agent told {what}");
        let (waiting, total) = (human_millis(time.waiting), human_millis(time.total));
        let idle = format!("waiting {waiting}, {total} in all");
        vec![
            figure("Agents at work", human_millis(time.active), idle),
            match (usage.tokens_in(), usage.tokens_out()) {
                (None, None) => figure("Tokens", "–", untold("them")),
                (read, written) => figure(
                    "Tokens",
                    grouped(&usage.tokens().to_string()),
                    grouped(&format!("{} in, {} out", told(read), told(written))),
                ),
            },
            match usage.cost() {
                Some(cost) => figure("Cost", cost, "as far as known"),
                None => figure("Cost", "–", untold("it")),
            },
        ]
    }
}

/// Numbers of more than four digits with commas between their thousands.
fn grouped(text: &str) -> String {
    let is_digit = u8::is_ascii_digit;
    let bytes = text.as_bytes();
    let parts = bytes.chunk_by(|one, other| is_digit(one) == is_digit(other));
    let parts = parts.map(|part| match part.len() > 4 && is_digit(&part[0]) {
        true => part.rchunks(3).rev().collect::<Vec<_>>().join(&b','),
        false => part.to_vec(),
    });
    String::from_utf8_lossy(&parts.collect::<Vec<_>>().concat()).into_owned()
}
