//! The flag: what a heuristic says of an issue in a round, how sure it is, and why.

use serde::{Deserialize, Serialize};

use crate::{Confidence, named};

/// The rules of detection.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
pub enum Heuristic {
    /// Not answered at all.
    H1,
    /// Its gap was rolled back twice, for different reasons.
    H2,
    /// The gap is proposed as done while the concern is not in it.
    H3,
    /// Referenced, but what was criticised hasn't changed, or changed in something else.
    H4,
    /// The answer attacks the reviewer and offers nothing.
    H5,
    /// A document closes the gap over it.
    H6,
}

named!(Heuristic);

impl Heuristic {
    pub fn confidence(self) -> Confidence {
        match self {
            Heuristic::H1 | Heuristic::H5 | Heuristic::H6 => Confidence::High,
            Heuristic::H2 | Heuristic::H3 | Heuristic::H4 => Confidence::Medium,
        }
    }
}

/// Why a flag was raised.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// A sentence for people.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// How many of the concern's keywords are in it, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<u32>,
    /// How much of the criticised section was rewritten, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<u32>,
}

/// A suspicion about an issue in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    pub heuristic: Heuristic,
    pub round: u32,
    pub confidence: Confidence,
    pub evidence: Evidence,
}

impl Flag {
    pub fn new(heuristic: Heuristic, round: u32, evidence: Evidence) -> Self {
        Self {
            heuristic,
            round,
            confidence: heuristic.confidence(),
            evidence,
        }
    }
}
