//! What flags come to: counted as (issue, round) pairs, they are logged, shown, or hold the round; and when a heuristic
//! has been wrong so often that it only advises.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::Serialize;

use gapless_domain::flag::Heuristic;
use gapless_domain::ids::GapId;
use gapless_domain::matter::{Link, Matter};
use gapless_domain::severity::Severity;

/// What detection is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// How many HIGH issues must go unanswered before the user is warned.
    pub unaddressed_high_threshold: u32,
    /// How many CRITICAL ones; one more holds the round.
    pub unaddressed_critical_threshold: u32,
    /// How often the same concern may come up before it is systematic.
    pub pattern_threshold: u32,
    /// In percent.
    pub semantic_overlap_minimum: u32,
    pub enable_semantic_check: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            unaddressed_high_threshold: 2,
            unaddressed_critical_threshold: 1,
            pattern_threshold: 3,
            semantic_overlap_minimum: 30,
            enable_semantic_check: true,
        }
    }
}

/// A flag as it is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    pub issue: String,
    pub gap: Option<GapId>,
    pub summary: String,
    pub severity: Severity,
    pub round: u32,
    pub heuristic: Heuristic,
}

/// What the flags of a round come to, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Escalation {
    Logged,
    UserWarned,
    RoundBlocked,
    Systematic,
}

/// The same concern, three times or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pattern {
    pub gap: Option<GapId>,
    /// Every issue that raised it.
    pub issues: Vec<String>,
    pub rounds: Vec<u32>,
}

/// What the flags of a round come to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Weighed {
    /// `None` where nothing is flagged that counts.
    pub escalation: Option<Escalation>,
    /// What the round's own flags come to, without what earlier rounds add to them.
    #[serde(skip)]
    pub of_round: Option<Escalation>,
    pub patterns: Vec<Pattern>,
    /// Issues whose answer deflects: always shown.
    pub deflected: Vec<String>,
}

/// Weighs the flags of a round against those of the rounds before it. Flags of advisory heuristics are logged and count for
/// nothing more.
pub fn weigh(
    round: u32,
    flags: &[Counted],
    advisory: &BTreeSet<Heuristic>,
    parameters: &Parameters,
) -> Weighed {
    let counts = |flag: &&Counted| !advisory.contains(&flag.heuristic);
    let here: Vec<&Counted> = flags.iter().filter(|flag| flag.round == round).collect();
    let with = |severity: Severity| -> u32 {
        let issues: BTreeSet<&str> = here
            .iter()
            .copied()
            .filter(counts)
            .filter(|flag| flag.severity == severity)
            .map(|flag| flag.issue.as_str())
            .collect();
        u32::try_from(issues.len()).unwrap_or(u32::MAX)
    };
    let (critical, high) = (with(Severity::Critical), with(Severity::High));
    let patterns: Vec<Pattern> = patterns(flags, round, parameters, counts);
    let of_round = if critical > parameters.unaddressed_critical_threshold {
        Some(Escalation::RoundBlocked)
    } else if critical >= parameters.unaddressed_critical_threshold.max(1)
        || high >= parameters.unaddressed_high_threshold.max(1)
    {
        Some(Escalation::UserWarned)
    } else {
        (!here.is_empty()).then_some(Escalation::Logged)
    };
    let deflected: BTreeSet<&str> = here
        .iter()
        .filter(|flag| flag.heuristic == Heuristic::H5)
        .map(|flag| flag.issue.as_str())
        .collect();
    let escalation = match patterns.is_empty() {
        true => of_round,
        false => Some(Escalation::Systematic),
    };
    Weighed {
        escalation,
        of_round,
        patterns,
        deflected: deflected.into_iter().map(str::to_owned).collect(),
    }
}

/// Concerns that have come up often enough, the newest time in this round.
fn patterns(
    flags: &[Counted],
    round: u32,
    parameters: &Parameters,
    counts: impl Fn(&&Counted) -> bool,
) -> Vec<Pattern> {
    let mut pairs: BTreeMap<(&str, u32), &Counted> = BTreeMap::new();
    for flag in flags
        .iter()
        .filter(|flag| flag.round <= round)
        .filter(counts)
    {
        pairs
            .entry((flag.issue.as_str(), flag.round))
            .or_insert(flag);
    }
    // Oldest first, so that a concern is known by the words it was first raised with.
    let mut pairs: Vec<&Counted> = pairs.into_values().collect();
    pairs.sort_by_key(|flag| (flag.round, flag.issue.clone()));
    let mut concerns: Vec<(&Counted, Rc<Matter>, Vec<&Counted>)> = Vec::new();
    // An issue that is flagged in many rounds has the same words in each.
    let mut matters: BTreeMap<&str, Rc<Matter>> = BTreeMap::new();
    for flag in pairs {
        let matter = matters
            .entry(&flag.summary)
            .or_insert_with(|| Rc::new(Matter::of(&flag.summary)));
        let matter = Rc::clone(matter);
        let known = concerns.iter_mut().find(|(first, its_matter, _)| {
            let same = its_matter.is(&matter, Link::None);
            first.issue == flag.issue || (first.gap == flag.gap && same)
        });
        match known {
            Some((_, _, times)) => times.push(flag),
            None => concerns.push((flag, matter, vec![flag])),
        }
    }
    let often = |times: &[&Counted]| times.len() >= parameters.pattern_threshold.max(2) as usize;
    // Several issues that are alike in one round are no pattern over the rounds.
    let here_and_before = |times: &[&Counted]| {
        let (here, before) = (
            times.iter().any(|flag| flag.round == round),
            times.iter().any(|flag| flag.round < round),
        );
        here && before
    };
    concerns
        .into_iter()
        .filter(|(_, _, times)| often(times) && here_and_before(times))
        .map(|(first, _, times)| Pattern {
            gap: first.gap.clone(),
            issues: times
                .iter()
                .map(|flag| flag.issue.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            rounds: times.iter().map(|flag| flag.round).collect(),
        })
        .collect()
}

/// How the user judged the flags of a heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Judged {
    pub confirmed: u32,
    pub false_positive: u32,
}

/// How many judged flags it takes to tell.
const ENOUGH_JUDGED: u32 = 5;

impl Judged {
    /// True where at least 5 flags were judged and under half of them confirmed.
    pub fn is_advisory(self) -> bool {
        self.all() >= ENOUGH_JUDGED && self.confirmed < self.false_positive
    }

    /// How many flags were judged.
    pub fn all(self) -> u32 {
        self.confirmed.saturating_add(self.false_positive)
    }

    pub fn add(&mut self, other: &Self) {
        self.confirmed += other.confirmed;
        self.false_positive += other.false_positive;
    }
}
