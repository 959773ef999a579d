//! Counts of what was read right.

use std::fmt;

/// How many of all were right.
#[derive(Default, Clone, Copy)]
pub struct Share {
    right: usize,
    all: usize,
}

impl Share {
    pub fn count(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }

    /// At least so many of a thousand.
    pub fn reaches(self, of_a_thousand: usize) -> bool {
        self.right * 1000 >= self.all * of_a_thousand
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.right * 1000 / self.all.max(1);
        let (whole, tenth) = (tenths / 10, tenths % 10);
        write!(f, "{whole}.{tenth}% ({} of {})", self.right, self.all)
    }
}

/// A text on one line, with single spaces.
pub fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many wrong documents of known words the environment wants to see: `SHOW_WRONG=10`.
pub fn shown() -> usize {
    let wanted = std::env::var("SHOW_WRONG").ok();
    wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(0)
}

/// The gaps that generated documents are about.
pub const GAPS: [&str; 6] = [
    "GAP-FLOW-001",
    "GAP-FLOW-002",
    "GAP-FLOW-003",
    "GAP-API-001",
    "GAP-API-002",
    "GAP-SEC-004",
];
