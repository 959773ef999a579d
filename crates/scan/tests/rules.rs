//! Proves each rule by its own examples, and holds docs/scan.md to what the rules say of themselves.

use gapless_core::ids::GapId;
use gapless_scan::rules::ALL;
use gapless_scan::{Rules, scan};

#[test]
fn every_bad_example_is_found_and_no_good_one() {
    let mut wrong = Vec::new();
    for rule in ALL {
        assert!(!rule.bad.is_empty() && !rule.good.is_empty(), "{}", rule.id);
        for (examples, expected) in [(rule.bad, true), (rule.good, false)] {
            for example in examples {
                let findings = scan(example, &Rules::default());
                let said = findings.iter().any(|finding| finding.rule == rule.id);
                if said != expected {
                    let all: Vec<_> = findings.iter().map(|f| (f.rule, &f.message)).collect();
                    wrong.push(format!(
                        "{} expected {expected}: {example:?}\n    {all:?}",
                        rule.id
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_name_of_its_own_and_a_category_of_gap_ids() {
    for (index, rule) in ALL.iter().enumerate() {
        assert!(GapId::new(rule.category, 1).is_some(), "{}", rule.category);
        assert!(
            ALL[index + 1..].iter().all(|other| other.id != rule.id),
            "{}",
            rule.id
        );
        assert!(rule.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
    }
}
