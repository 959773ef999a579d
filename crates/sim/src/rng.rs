//! The source of randomness: every choice of a simulated session is made here, from its seed or from a tape of choices made before.
//!
//! Invariant: 0 is the most harmless choice, so that a tape can be cut short and its choices lowered.

/// Every choice of a session, in order.
pub type Tape = Vec<u32>;

/// A splitmix64 generator: small, fast, and the same on every machine.
#[derive(Debug, Clone)]
struct Mixer(u64);

impl Mixer {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[derive(Debug, Clone)]
enum Source {
    Seed(Mixer),
    /// What lies behind the end of a tape is 0.
    Tape(std::vec::IntoIter<u32>),
}

/// Makes choices, and keeps them.
#[derive(Debug, Clone)]
pub struct Rng {
    source: Source,
    made: Tape,
    marks: Vec<usize>,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut mixer = Mixer(seed ^ 0x5851_F42D_4C95_7F2D);
        mixer.next();
        Self::of(Source::Seed(mixer))
    }

    /// Makes the choices of a tape again; one that has become too high is brought into range.
    pub fn from_tape(tape: Tape) -> Self {
        Self::of(Source::Tape(tape.into_iter()))
    }

    fn of(source: Source) -> Self {
        Self {
            source,
            made: Tape::new(),
            marks: Vec::new(),
        }
    }

    /// Notes that something begins here that could be left out as a whole.
    pub fn mark(&mut self) {
        self.marks.push(self.made.len());
    }

    /// The choices so far, and where marks were set.
    pub fn into_tape(self) -> (Tape, Vec<usize>) {
        (self.made, self.marks)
    }

    /// One whose choices all follow from a single one of this, for what is not worth many.
    pub fn apart(&mut self) -> Self {
        Self::new(self.below(1 << 16) as u64)
    }

    /// A number under `bound`; 0 where there is no such number.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        let drawn = match &mut self.source {
            Source::Seed(mixer) => mixer.next() % bound as u64,
            Source::Tape(choices) => u64::from(choices.next().unwrap_or(0)) % bound as u64,
        };
        self.made.push(u32::try_from(drawn).unwrap_or(0));
        usize::try_from(drawn).unwrap_or(0)
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        least + u32::try_from(self.below((most - least + 1) as usize)).unwrap_or(0)
    }

    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) + chance as usize >= 100
    }

    /// One of the choices; `None` only where there are none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get(self.below(choices.len()))
    }

    /// One of some fixed choices.
    pub fn one_of<T: Copy, const N: usize>(&mut self, choices: &[T; N]) -> T {
        choices[self.below(N)]
    }

    /// Something, so many times in a hundred; nothing else.
    pub fn sometimes<T: Default>(&mut self, chance: u32, what: impl FnOnce(&mut Self) -> T) -> T {
        match self.percent(chance) {
            true => what(self),
            false => T::default(),
        }
    }

    /// One of the choices by weight.
    pub fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> Option<T> {
        let total: u32 = choices.iter().map(|(weight, _)| weight).sum();
        let mut at = u32::try_from(self.below(total as usize)).unwrap_or(0);
        for (weight, choice) in choices {
            if at < *weight {
                return Some(*choice);
            }
            at -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_gives_the_same_choices_again_and_then_the_most_harmless() {
        let draw =
            |rng: &mut Rng| -> Vec<usize> { (2..40).map(|bound| rng.below(bound)).collect() };
        let mut drawn = Rng::new(7);
        let first = draw(&mut drawn);
        let mut again = Rng::from_tape(drawn.into_tape().0);
        assert_eq!(draw(&mut again), first);
        assert_eq!(draw(&mut again), vec![0; 38]);
        assert!(!again.percent(99));
    }
}
