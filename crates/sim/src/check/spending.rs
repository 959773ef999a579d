//! The usage of a session, recomputed from its rows.

use serde_json::Value;

use super::rows::number;

/// The usage so far.
#[derive(Debug, Default)]
pub struct Spending {
    pub(super) tokens: u64,
    pub(super) micros: u64,
    /// When agents were at work: stretches apart from each other, in order.
    pub(super) stretches: Vec<(i64, i64)>,
    pub(super) started_at: i64,
    pub(super) ended_at: Option<i64>,
}

impl Spending {
    pub(super) fn add(&mut self, usage: &Value, at: i64) {
        let told = |key: &str| usage[key].as_u64().unwrap_or(0);
        self.tokens += told("input_tokens") + told("output_tokens");
        self.micros += told("cost_micros");
        let (mut from, mut until) = (at - number(usage, "millis").max(0), at);
        let mut apart = Vec::new();
        for (begun, ended) in std::mem::take(&mut self.stretches) {
            if ended < from || begun > until {
                apart.push((begun, ended));
            } else {
                from = from.min(begun);
                until = until.max(ended);
            }
        }
        apart.push((from, until));
        apart.sort_unstable();
        self.stretches = apart;
    }

    pub(super) fn active_millis(&self) -> i64 {
        let stretches = self.stretches.iter();
        stretches.map(|(from, until)| until - from).sum()
    }
}
