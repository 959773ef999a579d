//! Proves each rule by its own examples, and holds docs/scan.md to what the rules say of themselves.

use gapless_domain::ids::GapId;
use gapless_scan::rules::ALL;
use gapless_scan::{Rules, catalogue, scan};

#[test]
fn every_bad_example_is_found_and_no_good_one() {
    let mut wrong = Vec::new();
    for rule in ALL {
        assert!(!rule.bad.is_empty() && !rule.good.is_empty(), "{}", rule.id);
        for (examples, expected) in [(rule.bad, true), (rule.good, false)] {
            for example in examples {
                let findings = scan(example, &Rules::all());
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

const BEGIN: &str =
    "<!-- rules: made from the code; UPDATE_DOCS=1 cargo test -p gapless-scan --test rules -->\n";
const END: &str = "<!-- end of rules -->\n";

#[test]
fn the_documentation_has_the_rules_as_they_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scan.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let right = format!("{before}{BEGIN}\n{}\n{END}{after}", catalogue::markdown());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &right).unwrap();
    } else {
        assert!(
            text == right,
            "docs/scan.md is not what the rules say: UPDATE_DOCS=1 cargo test -p gapless-scan --test rules"
        );
    }
}
