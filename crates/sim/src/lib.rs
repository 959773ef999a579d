//! The simulator: seeded sessions in virtual time on the store in memory, with agents that answer well, badly or not at
//! all, users who answer anything, and kills at any commit.
//!
//! Invariant: the same seed gives the same session. There is no clock and no sleep; time is a counter.

mod agents;
mod check;
mod closing;
mod coverage;
mod many;
mod rng;
mod setting;
mod shrink;
mod source;
mod store;
mod users;
mod words;
mod world;

pub(crate) use agents::{Behaviour, Seen, Work};
pub(crate) use check::{Verdict, Violation};
pub use coverage::Coverage;
pub use many::run_many;
pub(crate) use rng::Rng;
pub use rng::Tape;
pub(crate) use store::FaultyStore;
pub use world::{Failure, Outcome, Population, replay, run};

/// The smallest session that breaks the same rule as a failed one, with its trace.
pub fn shrunk(failed: Outcome) -> Option<(Tape, Outcome)> {
    let population = failed.population;
    let broken = failed.failure?.checker().to_owned();
    let breaks = |outcome: &Outcome| {
        let failure = outcome.failure.as_ref();
        failure.is_some_and(|failure| failure.checker() == broken)
    };
    let failed = (failed.tape, failed.marks);
    let tape = shrink::shrink(failed, &mut |tape| {
        let outcome = replay(population, tape.clone(), false);
        breaks(&outcome).then_some((outcome.tape, outcome.marks))
    });
    let smallest = replay(population, tape.clone(), true);
    Some((tape, smallest))
}

/// A tape as text: numbers apart by blanks, `0*12` for so many zeros, and comments behind `#`.
pub fn tape_to_text(tape: &Tape) -> String {
    let mut text = String::new();
    let mut width = 0;
    let mut rest = tape.as_slice();
    while let Some(first) = rest.first() {
        let zeros = rest.iter().take_while(|choice| **choice == 0).count();
        let word = match zeros {
            0 | 1 => first.to_string(),
            zeros => format!("0*{zeros}"),
        };
        rest = &rest[zeros.max(1)..];
        let wraps = width + word.len() > 100;
        text += match (width, wraps) {
            (0, _) => "",
            (_, true) => "\n",
            (_, false) => " ",
        };
        width = if wraps { 0 } else { width } + word.len() + 1;
        text += &word;
    }
    text
}

/// Reads what [`tape_to_text`] writes.
pub fn tape_from_text(text: &str) -> Result<Tape, String> {
    let mut tape = Tape::new();
    let lines = text.lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default());
    for word in lines.flat_map(str::split_whitespace) {
        let (choice, times) = word.split_once('*').unwrap_or((word, "1"));
        let number = |digits: &str| {
            let number = digits.parse::<u32>();
            number.map_err(|error| format!("`{word}`: {error}"))
        };
        let (choice, times) = (number(choice)?, number(times)?);
        tape.extend((0..times).map(|_| choice));
    }
    Ok(tape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tapes_as_text() {
        let tape: Tape = (0..300).map(|at| if at % 9 < 4 { 0 } else { at }).collect();
        assert_eq!(tape_from_text(&tape_to_text(&tape)), Ok(tape));
        assert_eq!(tape_from_text("1 0*3 # two\n5"), Ok(vec![1, 0, 0, 0, 5]));
        assert!(tape_from_text("1 x").is_err());
    }
}
