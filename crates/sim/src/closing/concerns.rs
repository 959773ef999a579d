//! The concerns that are planted in a session. Each is one thing in one case, and the simulator recognises it in every
//! wording, so that it knows what was raised, answered and decided without asking the ledger.

use crate::Rng;

/// Something that can happen to a thing, and what can be done about it.
struct Case {
    clause: &'static str,
    /// The same in other words.
    other: &'static str,
    /// What the Reviewer asks for, as an instruction and as a sentence of a spec.
    suggestion: &'static str,
    adopted: &'static str,
    /// What an Engineer who disagrees holds.
    position: &'static str,
    /// A third way that settles it as well.
    own_way: &'static str,
}

const THINGS: [&str; 8] = [
    "the upload queue",
    "the signing key",
    "the audit journal",
    "the price list",
    "the search index",
    "the partner quota",
    "the nightly export",
    "the delivery window",
];

const CASES: [Case; 8] = [
    Case {
        clause: "is full",
        other: "has no room left",
        suggestion: "Refuse new entries with status 429 and a Retry-After header",
        adopted: "the service refuses new entries with status 429 and a Retry-After header",
        position: "callers block until an older entry was consumed",
        own_way: "the oldest entry moves to cold storage to make room",
    },
    Case {
        clause: "has expired",
        other: "is past its validity",
        suggestion: "Renew it in the background and log a warning for the operator",
        adopted: "the service renews it in the background and logs a warning for the operator",
        position: "whoever asks next gets the stale copy without notice",
        own_way: "requests that need it fail with status 410",
    },
    Case {
        clause: "is read by two workers at once",
        other: "has several concurrent readers",
        suggestion: "Take a lease of 20 s per worker and let the second one retry",
        adopted: "a worker takes a lease of 20 s and the second one retries",
        position: "both proceed and the last write wins",
        own_way: "a version check rejects the slower worker with status 409",
    },
    Case {
        clause: "is missing after a restart",
        other: "was lost by a reboot",
        suggestion: "Rebuild it from the event log before the first request is taken",
        adopted: "the service rebuilds it from the event log before the first request is taken",
        position: "operators restore it by hand from yesterday's copy",
        own_way: "startup aborts with exit code 7",
    },
    Case {
        clause: "is larger than 5 MB",
        other: "outgrows five megabytes",
        suggestion: "Split it into numbered parts and publish a manifest",
        adopted: "the service splits it into numbered parts and publishes a manifest",
        position: "bigger payloads are simply truncated",
        own_way: "it is compressed with zstd before anything else",
    },
    Case {
        clause: "arrives twice",
        other: "comes in as a duplicate",
        suggestion: "Drop the second one by its idempotency token",
        adopted: "the service drops the second one by its idempotency token",
        position: "each copy is processed like an original",
        own_way: "an hourly job merges the copies",
    },
    Case {
        clause: "fails halfway",
        other: "breaks off in the middle",
        suggestion: "Roll the transaction back and schedule another run in 15 minutes",
        adopted: "the service rolls the transaction back and schedules another run in 15 minutes",
        position: "partial results stay visible to consumers",
        own_way: "a checkpoint lets the run continue where it stopped",
    },
    Case {
        clause: "is older than 90 days",
        other: "reaches an age of three months",
        suggestion: "Archive it and delete the original after a week",
        adopted: "the service archives it and deletes the original after a week",
        position: "all rows stay in the primary database without any purge",
        own_way: "legal staff decides about every single removal",
    },
];

/// How many wordings keep the content words, so that the same matter must be recognised in them.
pub const LIGHT_WORDINGS: usize = 3;
/// How many wordings there are.
pub const WORDINGS: usize = 5;

/// One thing in one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concern {
    thing: usize,
    case: usize,
}

impl Concern {
    fn thing(self) -> &'static str {
        THINGS[self.thing]
    }

    fn case(self) -> &'static Case {
        &CASES[self.case]
    }

    /// True where it shares neither the thing nor the case with another.
    pub fn is_far_from(self, other: Concern) -> bool {
        self.thing != other.thing && self.case != other.case
    }

    /// What it says is missing.
    pub fn words(self, wording: usize) -> String {
        let (thing, clause, other) = (self.thing(), self.case().clause, self.case().other);
        match wording {
            0 => format!("What happens when {thing} {clause} is not said."),
            1 => format!("It is not said what happens when {thing} {clause}."),
            2 => format!("The spec does not say what happens when {thing} {clause}."),
            3 => format!("Nobody knows what to do once {thing} {other}."),
            _ => format!("No behaviour is defined for the case that {thing} {other}."),
        }
    }

    pub fn suggestion(self) -> &'static str {
        self.case().suggestion
    }

    /// The Reviewer's suggestion as a sentence of the spec.
    pub fn adopted(self) -> String {
        self.sentence(self.case().adopted)
    }

    /// The position of an Engineer who disagrees, as a sentence of the spec.
    pub fn position(self) -> String {
        self.sentence(self.case().position)
    }

    pub fn own_way(self) -> String {
        self.sentence(self.case().own_way)
    }

    fn sentence(self, what: &str) -> String {
        format!("When {} {}, {what}.", self.thing(), self.case().clause)
    }
}

/// The concerns of a session.
#[derive(Debug, Clone, Default)]
pub struct Concerns {
    all: Vec<Concern>,
    /// Every wording, with the number of its concern.
    wordings: Vec<(String, usize, usize)>,
}

impl Concerns {
    /// Draws concerns that lie close together: few things and few cases, so that many share half of their words.
    pub fn drawn(rng: &mut Rng) -> Self {
        let things = rng.between(2, 4) as usize;
        let cases = rng.between(3, 6) as usize;
        let (first_thing, first_case) = (rng.below(THINGS.len()), rng.below(CASES.len()));
        let all = (0..things).flat_map(|thing| (0..cases).map(move |case| (thing, case)));
        let all = all.map(|(thing, case)| Concern {
            thing: (first_thing + thing) % THINGS.len(),
            case: (first_case + case) % CASES.len(),
        });
        let mut all: Vec<Concern> = all.collect();
        for at in (1..all.len()).rev() {
            all.swap(at, rng.below(at + 1));
        }
        Self::of(all)
    }

    fn of(all: Vec<Concern>) -> Self {
        let mut wordings = Vec::new();
        for (number, concern) in all.iter().enumerate() {
            for wording in 0..WORDINGS {
                wordings.push((concern.words(wording), number, wording));
            }
        }
        Self { all, wordings }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, number: usize) -> Concern {
        self.all[number]
    }

    /// The concerns whose words a text has.
    pub fn worded_in(&self, text: &str) -> Vec<usize> {
        self.found(text).map(|(number, _)| number).collect()
    }

    /// The concern that a text words, and how.
    pub fn found(&self, text: &str) -> impl Iterator<Item = (usize, usize)> {
        let wordings = self.wordings.iter();
        let found = wordings.filter(|(words, ..)| text.contains(words.as_str()));
        found.map(|(_, number, wording)| (*number, *wording))
    }

    /// The concerns that a text settles: it has a sentence that says what happens.
    pub fn settled_in(&self, text: &str) -> Vec<usize> {
        let settles = |concern: &Concern| {
            [concern.adopted(), concern.position(), concern.own_way()]
                .iter()
                .any(|sentence| text.contains(sentence.as_str()))
        };
        let all = self.all.iter().enumerate();
        let settled = all.filter(|(_, concern)| settles(concern));
        settled.map(|(number, _)| number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_domain::matter::same_matter;

    fn every_concern() -> Concerns {
        let pairs = (0..THINGS.len()).flat_map(|thing| {
            let cases = 0..CASES.len();
            cases.map(move |case| Concern { thing, case })
        });
        Concerns::of(pairs.collect())
    }

    #[test]
    fn every_wording_is_recognised_as_its_own_concern_alone() {
        let concerns = every_concern();
        for number in 0..concerns.len() {
            for wording in 0..WORDINGS {
                let words = concerns.get(number).words(wording);
                let found: Vec<_> = concerns.found(&words).collect();
                assert_eq!(found, [(number, wording)], "{words}");
            }
            let adopted = concerns.get(number).adopted();
            assert_eq!(concerns.settled_in(&adopted), [number]);
        }
    }

    #[test]
    fn light_wordings_are_one_matter_and_neighbours_are_others() {
        let concerns = every_concern();
        for one in 0..concerns.len() {
            for wording in 0..LIGHT_WORDINGS {
                let words = concerns.get(one).words(wording);
                assert!(same_matter(&concerns.get(one).words(0), &words), "{words}");
                for other in (0..concerns.len()).filter(|other| *other != one) {
                    let others = concerns.get(other).words(0);
                    assert!(!same_matter(&words, &others), "{words} / {others}");
                }
            }
        }
    }
}
