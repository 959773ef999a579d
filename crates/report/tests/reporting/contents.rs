//! What a report says of a session.

use std::collections::BTreeMap;

use gapless_domain::task::{Role, Usage};
use gapless_report::{Format, Report, html, markdown};
use gapless_session::figures::open_weights;
use scraper::{Html, Selector};

use crate::large::LARGE;
use crate::played::Played;
use crate::stories::{as_they_are, quarrel};

#[test]
fn a_small_session_as_markdown() {
    insta::assert_snapshot!(markdown(&quarrel(as_they_are).report()));
}

/// The headings of a page and the lines that open.
fn outline(page: &str) -> String {
    let page = Html::parse_document(page);
    let lines = Selector::parse("h1, h2, h3, summary, .outcome p, .figures li").unwrap();
    page.select(&lines)
        .map(|line| {
            let text: Vec<&str> = line.text().flat_map(str::split_whitespace).collect();
            format!("{}: {}\n", line.value().name(), text.join(" "))
        })
        .collect()
}

#[test]
fn a_small_session_as_a_page() {
    insta::assert_snapshot!(outline(&html(&quarrel(as_they_are).report())));
}

#[test]
fn a_session_that_has_just_started() {
    let played = Played::start(
        "new",
        "# A lamp\n\nIt shines.\n".to_owned(),
        Default::default(),
    );
    let report = played.report();
    assert!(html(&report).contains("No round has begun."));
    insta::assert_snapshot!(markdown(&report));
}

#[test]
fn a_log_without_anything_in_it() {
    let report = Report::of([], &gapless_domain::text::TextMap::default());
    for format in [Format::Html, Format::Markdown] {
        assert!(
            format
                .write(&report)
                .contains("The session has not started.")
        );
    }
}

#[test]
fn what_rounds_used_is_what_the_session_used() {
    for report in [quarrel(as_they_are).report(), LARGE.report()] {
        let mut by_role: BTreeMap<Role, Usage> = BTreeMap::new();
        for round in &report.usage {
            for (role, usage) in &round.roles {
                by_role.entry(*role).or_default().add(usage);
            }
        }
        assert_eq!(by_role, report.figures.usage_by_role);
    }
}

#[test]
fn the_chart_shows_what_status_shows_and_undone_rounds_besides() {
    let report = LARGE.report();
    let standing = report
        .points
        .iter()
        .filter(|point| point.undone_by.is_none());
    let accounted: Vec<(u32, u64)> = standing
        .filter(|point| !point.unfinished)
        .map(|point| (point.round, point.weight()))
        .collect();
    assert_eq!(accounted, open_weights(&LARGE.state.now));
    let undone: Vec<u32> = report
        .points
        .iter()
        .filter(|point| point.undone_by == Some(2))
        .map(|point| point.round)
        .collect();
    assert_eq!(undone, [29, 30, 31]);
}

#[test]
fn undone_rounds_and_decisions_are_seen_as_such() {
    let report = quarrel(as_they_are).report();
    let undone: Vec<u32> = report
        .rounds
        .iter()
        .filter(|round| round.undone_by == Some(1))
        .map(|round| round.round)
        .collect();
    assert_eq!(undone, [1, 2]);
    let page = Html::parse_document(&html(&report));
    let struck = Selector::parse("#rounds ~ .undone > summary .struck").unwrap();
    let struck: Vec<String> = page
        .select(&struck)
        .map(|line| line.text().collect())
        .collect();
    assert_eq!(struck, ["Round 1", "Round 2"]);
}

#[test]
fn a_large_session_stays_a_page_that_opens() {
    let report = LARGE.report();
    let page = html(&report);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(report.figures.gaps >= 500 && report.figures.round > 50);
    let parsed = Html::parse_document(&page);
    let cards = Selector::parse(".card").unwrap();
    assert_eq!(parsed.select(&cards).count(), report.figures.gaps);
}

#[test]
fn every_report_has_its_mark_where_a_later_one_looks_for_it() {
    let report = quarrel(as_they_are).report();
    for format in [Format::Html, Format::Markdown] {
        let text = format.write(&report);
        assert!(text[..1_000].contains(format.mark()), "{format:?}");
    }
}
