//! Detection: looks for answers to issues in an output, and flags those that it passes over. Rounds that run and sessions that
//! were recorded go through here alike; who calls says which issues are due and what the flags come to.

use super::answer::{Beside, Demand, Found};
use super::answering::look;
use super::heuristics::{deflected, unanswered, unchanged};
use super::output::Output;
use super::passages::Earlier;
use super::raised::{Raised, Wanted};
use super::substance::has_what_was_asked;
use super::thresholds::Parameters;
use gapless_domain::flag::Flag;

/// An issue that an output may answer.
pub struct Sought<'s> {
    pub raised: &'s Raised,
    pub wanted: &'s Wanted,
    pub demand: Demand,
    /// Whether it is flagged where the output passes it over.
    pub doubt: Doubt,
    /// What was written before it was raised.
    pub earlier: &'s Earlier,
    /// The output before, where a reference alone is held against what changed since.
    pub previous: Option<&'s Output<'s>>,
}

/// Whether the handling of an issue is looked at for flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    None,
    /// An issue is to be answered.
    Issue,
    /// A decision is to be carried out: where the proposal has it already, nothing has to change.
    Decision,
}

/// What an output has on an issue, and the flags that this earns.
pub struct Detected {
    pub found: Found,
    pub flags: Vec<Flag>,
}

/// Looks at every issue in an output. `others` has all issues that the output may be about.
pub fn detect(
    sought: &[Sought],
    output: &Output,
    others: &[Beside],
    round: u32,
    parameters: &Parameters,
) -> Vec<Detected> {
    let detected = sought.iter().map(|sought| {
        let Sought {
            raised,
            wanted,
            demand,
            earlier,
            ..
        } = sought;
        let found = look(raised, wanted, output, earlier, *demand, others);
        let flags = match sought.doubt {
            Doubt::None => Vec::new(),
            Doubt::Issue | Doubt::Decision => flags(sought, &found, output, round, parameters),
        };
        Detected { found, flags }
    });
    detected.collect()
}

/// What the heuristics say.
fn flags(
    sought: &Sought,
    found: &Found,
    output: &Output,
    round: u32,
    parameters: &Parameters,
) -> Vec<Flag> {
    let (raised, wanted) = (sought.raised, sought.wanted);
    let answer = found.answer.as_ref();
    let mut flags: Vec<Flag> = Vec::new();
    flags.extend(unanswered(raised, found, round));
    flags.extend(deflected(raised, output, answer, round));
    let refers = answer.is_some_and(|answer| answer.by.refers());
    let is_done = || sought.doubt == Doubt::Decision && has_what_was_asked(raised, wanted, output);
    if let Some(previous) = sought.previous.filter(|_| refers && !is_done()) {
        flags.extend(unchanged(
            raised, wanted, output, previous, round, parameters,
        ));
    }
    flags
}
