//! Holds the scan to its measure: most of what is taken out of complete specs is found, and little is said where nothing is.

mod measuring;
mod mutations;

use gapless_scan::rules::ALL;
use measuring::{noise, outcomes, per_hundred_pages};
use mutations::MUTATIONS;

#[test]
fn most_mutations_are_found() {
    let outcomes = outcomes().unwrap();
    let found = outcomes.iter().filter(|outcome| outcome.is_found()).count();
    assert!(outcomes.len() >= 60);
    let missed: Vec<_> = outcomes
        .iter()
        .filter(|outcome| !outcome.is_found())
        .map(|outcome| {
            let mutation = outcome.mutation;
            format!(
                "{:?} in {}: {:?}",
                mutation.rules, mutation.spec, mutation.replace
            )
        })
        .collect();
    assert!(
        found * 100 >= outcomes.len() * 90,
        "{found} of {}, missed:\n{}",
        outcomes.len(),
        missed.join("\n")
    );
}

/// One mention of the answer silences them for a whole spec, and a complete one has several. The last two compare neighbours that
/// the complete specs don't have.
const OF_WHOLE_SPECS: [&str; 26] = [
    "credentials-unprotected",
    "personal-data-unprotected",
    "access-unsaid",
    "retention-unsaid",
    "timeout-unsaid",
    "rate-limit-unsaid",
    "transfer-limit-unsaid",
    "handled-twice",
    "concurrent-edit",
    "contended-thing",
    "capacity-unsaid",
    "time-zone-unsaid",
    "payload-unsaid",
    "sign-in-attempts",
    "service-credentials",
    "deletion-effect",
    "password-rules",
    "token-lifetime",
    "notification-channel",
    "rounding-unsaid",
    "partial-failure",
    "existing-data",
    "exit-codes-unsaid",
    "damaged-file",
    "story-without-acceptance",
    "endpoint-without-errors",
];

#[test]
fn every_rule_about_places_has_a_mutation() {
    let rules = ALL.iter().filter(|rule| rule.category != "SCAN");
    for rule in rules.filter(|rule| !OF_WHOLE_SPECS.contains(&rule.id)) {
        let named = MUTATIONS
            .iter()
            .any(|mutation| mutation.rules.contains(&rule.id));
        assert!(named, "{}", rule.id);
    }
}

#[test]
fn complete_specs_are_left_in_peace() {
    for noise in noise() {
        let said = per_hundred_pages(noise.findings.len(), noise.words);
        assert!(
            noise.words >= 1600,
            "{} is shorter than four pages",
            noise.spec
        );
        assert!(said < 100, "{}: {:?}", noise.spec, noise.findings);
    }
}
