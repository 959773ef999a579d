//! Choices of a seed, and lists of words with a part that was kept aside while the reader was written.

/// Picks from lists by a seed; the same seed picks the same.
pub struct Choices {
    state: u64,
    /// True once something was picked that was kept aside.
    pub used_kept_aside: bool,
    with_kept_aside: bool,
}

impl Choices {
    /// `with_kept_aside` allows the entries that were kept aside beside the others.
    pub fn new(seed: u64, with_kept_aside: bool) -> Self {
        Self {
            state: seed,
            used_kept_aside: false,
            with_kept_aside,
        }
    }

    /// A number below `limit`, by SplitMix64.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    /// True in so many cases of a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of these.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// An entry of a list of words.
    pub fn word(&mut self, words: &Words) -> &'static str {
        let open = words.open.len();
        let all = match self.with_kept_aside {
            true => open + words.kept_aside.len(),
            false => open,
        };
        let picked = self.below(all);
        match words.open.get(picked) {
            Some(word) => word,
            None => {
                self.used_kept_aside = true;
                words.kept_aside[picked - open]
            }
        }
    }

    /// Several different entries of a list of words, in the order in which they were picked.
    pub fn words(&mut self, words: &Words, count: usize) -> Vec<&'static str> {
        let mut picked: Vec<&'static str> = Vec::new();
        for _ in 0..count * 8 {
            let word = self.word(words);
            if picked.len() < count && !picked.contains(&word) {
                picked.push(word);
            }
        }
        picked
    }
}

/// The entries of a file under `words/`, one a line, and those of the file of the same name under `words/kept_aside/`.
pub struct Words {
    open: Vec<&'static str>,
    kept_aside: Vec<&'static str>,
}

impl Words {
    pub fn new(open: &'static str, kept_aside: &'static str) -> Self {
        let lines = |text: &'static str| -> Vec<&'static str> {
            text.lines()
                .filter(|line| !line.trim().is_empty())
                .collect()
        };
        Self {
            open: lines(open),
            kept_aside: lines(kept_aside),
        }
    }
}

/// The words of a file and of its twin that was kept aside: `words!("praise_headings")`.
#[macro_export]
macro_rules! words {
    ($name:literal) => {
        $crate::generated::choices::Words::new(
            include_str!(concat!("words/", $name, ".txt")),
            include_str!(concat!("words/kept_aside/", $name, ".txt")),
        )
    };
}
