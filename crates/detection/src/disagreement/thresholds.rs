//! What flags come to: counted as (issue, round) pairs, they are logged, shown, or hold the round; and when a heuristic
//! has been wrong so often that it only advises.

use std::collections::{BTreeMap, BTreeSet};

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

/// A flag as it is counted. `I` is what issues are known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted<'f, I> {
    pub issue: I,
    pub gap: Option<&'f GapId>,
    pub summary: &'f str,
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
pub struct Pattern<I = String> {
    pub gap: Option<GapId>,
    /// Every issue that raised it.
    pub issues: Vec<I>,
    pub rounds: Vec<u32>,
}

/// What the flags of a round come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Weighed<I = String> {
    /// `None` where nothing is flagged that counts.
    pub escalation: Option<Escalation>,
    /// What the round's own flags come to, without what earlier rounds add to them.
    #[serde(skip)]
    pub of_round: Option<Escalation>,
    pub patterns: Vec<Pattern<I>>,
    /// Issues whose answer deflects: always shown.
    pub deflected: Vec<I>,
}

impl<I> Default for Weighed<I> {
    fn default() -> Self {
        Self {
            escalation: None,
            of_round: None,
            patterns: Vec::new(),
            deflected: Vec::new(),
        }
    }
}

/// Weighs the flags of a round against those of the rounds before it. Flags of advisory heuristics are logged and count for
/// nothing more.
pub fn weigh<I: Ord + Clone>(
    round: u32,
    flags: &[Counted<I>],
    advisory: &BTreeSet<Heuristic>,
    parameters: &Parameters,
) -> Weighed<I> {
    let counts = |flag: &&Counted<I>| !advisory.contains(&flag.heuristic);
    let here: Vec<&Counted<I>> = flags.iter().filter(|flag| flag.round == round).collect();
    let with = |severity: Severity| -> u32 {
        let issues = here.iter().copied().filter(counts);
        let issues = issues.filter(|flag| flag.severity == severity);
        let issues: BTreeSet<&I> = issues.map(|flag| &flag.issue).collect();
        u32::try_from(issues.len()).unwrap_or(u32::MAX)
    };
    let (critical, high) = (with(Severity::Critical), with(Severity::High));
    let until_here = flags.iter().filter(|flag| flag.round <= round);
    let patterns = patterns(until_here.filter(counts), round, parameters);
    let of_round = if critical > parameters.unaddressed_critical_threshold {
        Some(Escalation::RoundBlocked)
    } else if critical >= parameters.unaddressed_critical_threshold.max(1)
        || high >= parameters.unaddressed_high_threshold.max(1)
    {
        Some(Escalation::UserWarned)
    } else {
        (!here.is_empty()).then_some(Escalation::Logged)
    };
    let deflected = here.iter().filter(|flag| flag.heuristic == Heuristic::H5);
    let deflected: BTreeSet<&I> = deflected.map(|flag| &flag.issue).collect();
    let escalation = match patterns.is_empty() {
        true => of_round,
        false => Some(Escalation::Systematic),
    };
    Weighed {
        escalation,
        of_round,
        patterns,
        deflected: deflected.into_iter().cloned().collect(),
    }
}

/// Concerns that have come up often enough, the newest time in this round.
fn patterns<'f, I: Ord + Clone + 'f>(
    flags: impl Iterator<Item = &'f Counted<'f, I>>,
    round: u32,
    parameters: &Parameters,
) -> Vec<Pattern<I>> {
    let mut concerns = Concerns::default();
    // Oldest first, so that a concern is known by the words it was first raised with. Of one issue, a round has one flag.
    let mut flags: Vec<&Counted<I>> = flags.collect();
    flags.sort_by_key(|flag| (flag.round, &flag.issue));
    flags.dedup_by_key(|flag| (flag.round, &flag.issue));
    for flag in flags {
        concerns.add(flag);
    }
    let often = |times: &[&Counted<I>]| times.len() >= parameters.pattern_threshold.max(2) as usize;
    // Several issues that are alike in one round are no pattern over the rounds.
    let here_and_before = |times: &[&Counted<I>]| {
        times.iter().any(|flag| flag.round == round) && times.iter().any(|flag| flag.round < round)
    };
    let repeated = concerns.list.into_iter().map(|(_, times)| times);
    repeated
        .filter(|times| often(times) && here_and_before(times))
        .map(|times| Pattern {
            gap: times.first().and_then(|first| first.gap.cloned()),
            issues: times
                .iter()
                .map(|flag| &flag.issue)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .cloned()
                .collect(),
            rounds: times.iter().map(|flag| flag.round).collect(),
        })
        .collect()
}

/// The flags on each concern, in the order in which concerns came up.
struct Concerns<'f, I> {
    list: Vec<(Matter, Vec<&'f Counted<'f, I>>)>,
    /// The concern that each issue came up with first.
    by_issue: BTreeMap<&'f I, usize>,
    /// The concern that these words on a gap belong to: they mostly come again as they were.
    by_words: BTreeMap<(Option<&'f GapId>, &'f str), usize>,
}

impl<I> Default for Concerns<'_, I> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            by_issue: BTreeMap::new(),
            by_words: BTreeMap::new(),
        }
    }
}

impl<'f, I: Ord> Concerns<'f, I> {
    fn add(&mut self, flag: &'f Counted<'f, I>) {
        let words = (flag.gap, flag.summary);
        let same_words = self.by_words.get(&words).copied();
        let matter = same_words.is_none().then(|| Matter::of(flag.summary));
        let same_matter = matter.as_ref().and_then(|matter| {
            self.list.iter().position(|(first, times)| {
                let gap = times.first().and_then(|first| first.gap);
                gap == flag.gap && first.is(matter, Link::None)
            })
        });
        let about = same_words.or(same_matter);
        if let Some(about) = same_matter {
            self.by_words.insert(words, about);
        }
        // The older of two concerns that a flag may belong to.
        let known = self.by_issue.get(&flag.issue).copied();
        match known.into_iter().chain(about).min() {
            Some(concern) => self.list[concern].1.push(flag),
            None => {
                self.by_issue.insert(&flag.issue, self.list.len());
                let matter = matter.unwrap_or_default();
                if matter.is(&matter, Link::None) {
                    self.by_words.insert(words, self.list.len());
                }
                self.list.push((matter, vec![flag]));
            }
        }
    }
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
