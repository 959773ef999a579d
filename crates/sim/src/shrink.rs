//! Shrinks a failing session: choices are left out and lowered as long as the same check fails.

use crate::Tape;

/// How many sessions are tried before what there is must do.
const MOST_TRIES: usize = 1_200;

/// Choices, and where in them something begins that could be left out as a whole.
pub type Marked = (Tape, Vec<usize>);

/// The smallest tape that was found to fail still. `failing` tries one, and gives back the choices that it came to.
pub fn shrink(failed: Marked, failing: &mut dyn FnMut(&Tape) -> Option<Marked>) -> Tape {
    let mut shrinking = Shrinking {
        best: failed.0,
        marks: failed.1,
        tries_left: MOST_TRIES,
        failing,
    };
    while shrinking.tries_left > 0 {
        let before = shrinking.best.clone();
        shrinking.cut_off();
        shrinking.by_marks(Shrinking::without);
        shrinking.by_marks(Shrinking::calmed);
        shrinking.by_chunks(Shrinking::calmed);
        shrinking.by_chunks(Shrinking::without);
        shrinking.lower_each();
        if shrinking.best == before {
            break;
        }
    }
    shrinking.best
}

struct Shrinking<'a> {
    best: Tape,
    marks: Vec<usize>,
    tries_left: usize,
    failing: &'a mut dyn FnMut(&Tape) -> Option<Marked>,
}

impl Shrinking<'_> {
    /// Takes another tape where it fails as well and is smaller.
    fn keeps(&mut self, mut other: Tape) -> bool {
        trim(&mut other);
        if self.tries_left == 0 || other == self.best {
            return false;
        }
        self.tries_left -= 1;
        let Some((mut made, marks)) = (self.failing)(&other) else {
            return false;
        };
        trim(&mut made);
        let sum = |tape: &Tape| tape.iter().map(|it| u64::from(*it)).sum::<u64>();
        let weight = |tape: &Tape| (tape.len(), sum(tape));
        let smaller = weight(&made) < weight(&self.best);
        if smaller {
            self.best = made;
            self.marks = marks;
        }
        smaller
    }

    /// Changes what lies between marks, many at a time and then fewer.
    fn by_marks(&mut self, change: fn(&Tape, usize, usize) -> Tape) {
        let mut size = self.marks.len() / 2;
        while size > 0 && self.tries_left > 0 {
            let mut at = 0;
            while at < self.marks.len() {
                let place = |nth: usize| self.marks.get(nth).map_or(self.best.len(), |it| *it);
                let end = place(at + size).min(self.best.len());
                let other = change(&self.best, place(at).min(end), end);
                let many = self.marks.len();
                match self.keeps(other) {
                    true if self.marks.len() < many => {}
                    _ => at += size,
                }
            }
            size /= 2;
        }
    }

    /// Looks for the shortest beginning that is enough.
    fn cut_off(&mut self) {
        let (mut too_short, mut enough) = (0, self.best.len());
        while too_short + 1 < enough {
            let middle = usize::midpoint(too_short, enough);
            let mut shorter = self.best.clone();
            shorter.truncate(middle);
            match self.keeps(shorter) {
                true => enough = self.best.len().min(middle),
                false => too_short = middle,
            }
        }
    }

    fn by_chunks(&mut self, change: fn(&Tape, usize, usize) -> Tape) {
        let mut size = self.best.len() / 2;
        while size > 0 && self.tries_left > 0 {
            let mut at = 0;
            while at < self.best.len() {
                let end = (at + size).min(self.best.len());
                let other = change(&self.best, at, end);
                let shrunk = self.best.len();
                match self.keeps(other) {
                    // What moved up to this place is tried next.
                    true if self.best.len() < shrunk => {}
                    _ => at = end,
                }
            }
            size /= 2;
        }
    }

    fn without(tape: &Tape, from: usize, to: usize) -> Tape {
        [&tape[..from], &tape[to..]].concat()
    }

    fn calmed(tape: &Tape, from: usize, to: usize) -> Tape {
        let mut calmer = tape.clone();
        calmer[from..to].fill(0);
        calmer
    }

    fn lower_each(&mut self) {
        for at in 0..self.best.len() {
            while let Some(&value) = self.best.get(at)
                && value > 1
            {
                let mut lower = self.best.clone();
                lower[at] = value / 2;
                if !self.keeps(lower) {
                    break;
                }
            }
        }
    }
}

/// A tape that ends in harmless choices is the same without them.
fn trim(tape: &mut Tape) {
    let end = tape.iter().rposition(|choice| *choice != 0);
    tape.truncate(end.map_or(0, |last| last + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_goes() {
        let tape: Tape = (0..400).map(|at| at * 7 % 90).collect();
        let mut failing = |tape: &Tape| {
            let fails = tape.iter().filter(|choice| **choice >= 40).count() >= 3;
            fails.then(|| (tape.clone(), Vec::new()))
        };
        let shrunk = shrink((tape, Vec::new()), &mut failing);
        assert_eq!(shrunk.len(), 3);
        assert!(shrunk.iter().all(|choice| (40..80).contains(choice)));
    }
}
