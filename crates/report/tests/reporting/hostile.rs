//! Script, markup, pictures, links and terminal escapes that agents, specs and users plant in everything that they write:
//! in a report they are text, and nothing else.

use std::collections::BTreeSet;

use gapless_domain::line_diff::Mark;
use gapless_domain::severity::Severity;
use gapless_report::{Report, html, markdown};
use gapless_spec::{Limitation, LimitationKind};
use pulldown_cmark::{Event, Options, Parser, Tag};
use scraper::{Html, Node};

use crate::stories::quarrel;

const ATTACKS: &str = "<script>alert(1)</script>\"><img src=x onerror=alert(1)></style></details><svg onload=alert(1)> \
    <a href=javascript:alert(1)>x</a> [x](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example> \
    `code` **bold** | cell | ~~gone~~ \u{1b}[31m\u{202e}&lt;b&gt; ' onmouseover='alert(1) <!-- x -->";

/// The words with the attacks behind them.
fn planted(words: &str) -> String {
    format!("{words} {ATTACKS}")
}

/// Places that something was planted in, by the words that stand before it there. Readers take the tags out of the rest
/// themselves, so that more is planted behind them.
const PLACES: [&str; 10] = [
    "quarrel",
    "cmd:played",
    "how many calls a second are taken",
    "it begins with the wrong gap",
    "say what is counted",
    "The limit was measured.",
    "as for the rationale",
    "issue.summary",
    "attempt.message",
    "limitation.text",
];

/// A session in which everything was planted that can be, and a report of it in which the rest is as well.
fn report() -> Report {
    let mut report = quarrel(planted).report();
    report.source = planted("source");
    report.outcome.sentence = planted("sentence");
    report
        .outcome
        .waits
        .push(("Q-009".to_owned(), planted("title")));
    for card in report.board.iter_mut().flat_map(|column| &mut column.cards) {
        card.history = planted("card.history");
        card.notes.push(planted("card.note"));
    }
    report.limitations.push(Limitation {
        id: planted("limitation.id"),
        severity: Severity::High,
        gap: None,
        what: LimitationKind::Blocked,
        text: planted("limitation.text"),
        rationale: Some(planted("limitation.rationale")),
    });
    for round in &mut report.rounds {
        round.state = planted("round.state");
        round.notes.push(planted("round.note"));
        round.planned.push(planted("round.planned"));
        for attempt in &mut round.troubled {
            attempt.name = planted("attempt.name");
            attempt.message = planted("attempt.message");
        }
    }
    for issue in &mut report.issues {
        issue.summary = planted("issue.summary");
        issue.answered = planted("issue.answered");
        issue.details.push(("Impact", planted("issue.impact")));
        issue.flags.push(planted("issue.flag"));
    }
    for decision in &mut report.decisions {
        decision.title = planted("decision.title");
        decision.state = planted("decision.state");
        decision.subject = planted("decision.subject");
        let positions = decision.positions.as_mut().unwrap();
        positions.reviewer = planted("position");
        positions.chosen_words = planted("position.chosen");
    }
    let attack = format!("```\n{ATTACKS}\n```").replace('\n', " ");
    report.change.hunks[0].lines.push((Mark::Added, attack));
    report
}

const ELEMENTS: &str = "html head meta title style body header main footer section article nav figure figcaption div span p br h1 h2 \
    h3 h4 ul li dl dt dd a code pre ins del strong small details summary table caption thead tbody tfoot tr th td svg rect line \
    polyline polygon text";
const ATTRIBUTES: &str = "lang charset http-equiv content name class id href role aria-label width height viewBox xmlns x y x1 y1 x2 y2 \
    dy fill stroke stroke-width opacity points text-anchor font-family font-size";

#[test]
fn nothing_planted_becomes_an_element_or_an_attribute() {
    let page = html(&report());
    let elements: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
    let attributes: BTreeSet<&str> = ATTRIBUTES.split_whitespace().collect();
    let parsed = Html::parse_document(&page);
    assert!(parsed.errors.is_empty(), "{:#?}", parsed.errors);
    let mut comments = 0;
    for node in parsed.tree.values() {
        match node {
            Node::Element(element) => {
                assert!(elements.contains(element.name()), "<{}>", element.name());
                for (name, value) in element.attrs() {
                    let place = format!("<{} {name}={value:?}>", element.name());
                    assert!(attributes.contains(name), "{place}");
                    assert!(!value.to_lowercase().contains("javascript:"), "{place}");
                    if name == "href" {
                        let inside = value.strip_prefix('#').unwrap_or_else(|| panic!("{place}"));
                        assert!(
                            inside
                                .chars()
                                .all(|c| c.is_ascii_alphanumeric() || c == '-')
                        );
                    }
                }
            }
            Node::Comment(_) => comments += 1,
            _ => {}
        }
    }
    assert_eq!(comments, 0);
}

#[test]
fn the_style_is_the_style_and_nothing_else() {
    let parsed = Html::parse_document(&html(&report()));
    let styles: Vec<String> = elements(&parsed, "style");
    assert_eq!(styles.len(), 1);
    assert!(styles[0].starts_with(":root {") && styles[0].trim_end().ends_with('}'));
    assert!(!styles[0].contains("evil"));
    assert!(!styles[0].contains("url("), "nothing is loaded");
}

#[test]
fn what_was_planted_is_read_as_text_in_the_page() {
    let page = html(&report());
    let parsed = Html::parse_document(&page);
    let text = elements(&parsed, "body").concat();
    for place in PLACES {
        assert!(
            text.contains(&format!(
                "{place} <script>alert(1)</script>\"><img src=x onerror=alert(1)>"
            )),
            "{place}"
        );
    }
    assert!(text.contains("␛[31m\u{fffd}&lt;b&gt;"), "escapes are seen");
    let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!page.chars().any(steers));
}

#[test]
fn a_browser_is_told_to_load_and_run_nothing() {
    let page = html(&report());
    let (head, _) = page.split_once("<style>").unwrap();
    assert!(head.contains(
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    ));
    assert!(!page.contains("<script"));
}

fn elements(parsed: &Html, name: &str) -> Vec<String> {
    let selector = scraper::Selector::parse(name).unwrap();
    let found = parsed.select(&selector);
    found.map(|element| element.text().collect()).collect()
}

/// Everything that a reader of markdown may know, but for quotes that are bent.
fn options() -> Options {
    Options::all() - Options::ENABLE_SMART_PUNCTUATION
}

#[test]
fn markdown_has_no_html_and_no_links_and_shows_what_was_planted() {
    let text = markdown(&report());
    let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!text.chars().any(steers));
    let mut read = String::new();
    let mut headings = 0;
    for event in Parser::new_ext(&text, options()) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => panic!("{html}"),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                panic!("{dest_url}")
            }
            Event::Start(Tag::HtmlBlock | Tag::Strikethrough | Tag::FootnoteDefinition(_)) => {
                panic!("{event:?}")
            }
            Event::InlineMath(math) | Event::DisplayMath(math) => panic!("{math}"),
            Event::Start(Tag::Heading { .. }) => headings += 1,
            Event::Text(words) | Event::Code(words) => read += &words,
            Event::SoftBreak | Event::End(_) => read.push('\n'),
            _ => {}
        }
    }
    for place in PLACES {
        let shown = format!("{place} <script>alert(1)</script>\"><img src=x onerror=alert(1)>");
        assert!(read.contains(&shown), "{place}");
    }
    let own = markdown(&quarrel(crate::stories::as_they_are).report());
    let own = Parser::new_ext(&own, options());
    let own = own.filter(|event| matches!(event, Event::Start(Tag::Heading { .. })));
    assert_eq!(headings, own.count(), "the attacks add no heading");
}
