//! A spec with everything missing, from the scan to the review: the defaults agree with each other and with the spec.

#![allow(clippy::unwrap_used)]

mod support;

use gapless_domain::assignment::AssignedGap;
use gapless_domain::ids::GapId;
use gapless_domain::task::Role;
use gapless_offline::{engineer, reviewer};
use gapless_scan::{Rules, Topic, scan};
use support::{assignment, engineer_reading, of_finding, proposed, reviewer_reading};

/// A section for every topic, each empty, and sentences that leave something out.
fn spec() -> String {
    let mut text = "# Orders\n\nThe service takes orders over HTTP.\n\n".to_owned();
    for word in Topic::ALL.iter().filter_map(|topic| topic.words().first()) {
        text += &format!("## About the {word}\n\n");
    }
    text += "## Payment\n\nThe service calls the bank with the amount and waits a reasonable time.\n\n\
             ## Events\n\nThe worker publishes an event for each order.\n\n\
             ## Export\n\nThe tool writes the report to disk.\n\n\
             ## Prices\n\nThe service caches prices in memory.\n\n\
             ## Listing\n\n`GET /orders` returns all orders of the customer.\n\n\
             ## People\n\nThe service stores the email address and the password of each person.\n\n\
             ## Settings\n\nThe timeout is 30. The service must support many concurrent users.\n\n\
             ## Review\n\nThe service sends every order to the QRB. The export supports CSV, JSON, etc.\n";
    text
}

fn gaps(spec: &str) -> Vec<AssignedGap> {
    let gap = |(finding, number): (gapless_scan::Finding, u16)| {
        let id = GapId::new(finding.category, number).unwrap().to_string();
        of_finding(&id, &finding)
    };
    scan(spec, &Rules::default())
        .into_iter()
        .zip(1..)
        .map(gap)
        .collect()
}

#[test]
fn what_is_proposed_for_a_whole_spec_fits_it_and_waits_for_nothing_but_the_user() {
    let spec = spec();
    let gaps = gaps(&spec);
    assert!(gaps.len() > 30, "{}", gaps.len());
    let mut first = assignment(Role::Engineer, gaps);
    first.spec = spec.clone();
    let document = engineer(&first);
    let reading = engineer_reading(&first, &document);
    let bound = |gap: &AssignedGap| reading.gaps.iter().any(|bound| bound.gap == gap.id);
    let proposed_for: Vec<&str> = first
        .gaps
        .iter()
        .filter(|gap| bound(gap))
        .map(|gap| gap.rule.as_deref().unwrap())
        .collect();
    for rule in ["failure-path", "unbounded-result"] {
        assert!(proposed_for.contains(&rule), "{rule}: {document}");
    }
    assert_eq!(
        reading.gaps.len() + reading.blocked.len(),
        first.gaps.len(),
        "{document}"
    );

    let proposals = first.gaps.iter().filter(|gap| bound(gap));
    let proposals = proposals
        .map(|gap| proposed(gap.clone(), &document))
        .collect();
    let mut second = assignment(Role::Reviewer, proposals);
    second.spec = spec;
    let review = reviewer(&second);
    let raised = reviewer_reading(&second, &review).issues;
    let others: Vec<&str> = raised
        .iter()
        .filter(|issue| !issue.concern.settled_by_user)
        .map(|issue| issue.concern.summary.as_str())
        .collect();
    assert_eq!(others, Vec::<&str>::new());
    assert_eq!(raised.len(), second.gaps.len());
}
