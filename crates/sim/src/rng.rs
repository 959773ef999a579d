//! Owns chance: every choice of a simulated session comes from its seed, through here.

/// A splitmix64 generator: small, fast, and the same on every machine.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut rng = Self(seed ^ 0x5851_F42D_4C95_7F2D);
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number under `bound`; 0 where there is no such number.
    pub fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 => 0,
            bound => usize::try_from(self.next() % bound as u64).unwrap_or(0),
        }
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        least + u32::try_from(self.below((most - least + 1) as usize)).unwrap_or(0)
    }

    pub fn percent(&mut self, chance: u32) -> bool {
        self.between(1, 100) <= chance
    }

    /// One of the choices; `None` only where there are none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get(self.below(choices.len()))
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
