//! Which sentences are read as requirements: those that oblige are asked about, those that explain are left alone.

use gapless_scan::{Rules, scan};

fn found(text: &str) -> Vec<&'static str> {
    let findings = scan(text, &Rules::default());
    findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn sentences_that_oblige_are_asked_about() {
    let cases = [
        ("Sending is retried a few times.", "vague-quantity"),
        ("The gateway reads the meters regularly.", "vague-quantity"),
        (
            "If the printer is busy, the till waits a reasonable time.",
            "vague-quantity",
        ),
        (
            "We need to implement a more efficient lookup of old orders.",
            "vague-qualifier",
        ),
        (
            "- Enforce a reasonable size limit on pictures",
            "vague-quantity",
        ),
        ("- The till refuses coins, notes, etc.", "open-list"),
        (
            "## Error handling\n\n- The till must handle printer errors gracefully",
            "vague-qualifier",
        ),
        (
            "## Payment\n\nThe till sends the amount to the payment provider.",
            "failure-path",
        ),
        (
            "## Orders\n\nThen all orders are returned with their lines.",
            "unbounded-result",
        ),
        (
            "## Prices\n\nThe till must cache the prices of all goods.",
            "cache-lifetime",
        ),
        (
            "## Export\n\nThe worker retries the upload.",
            "retry-without-limit",
        ),
        (
            "## Customers\n\nThe shop stores the phone number of each buyer.",
            "personal-data-unprotected",
        ),
    ];
    for (text, rule) in cases {
        assert!(found(text).contains(&rule), "{text}: {:?}", found(text));
    }
}

#[test]
fn sentences_that_explain_are_left_alone() {
    for text in [
        "Today the gateway polls the meters regularly.",
        "We could poll the meters regularly.",
        "We should think about an appropriate format for receipts.",
        "Printing is slow because many tills share one printer for a long time.",
        "This opens the question how receipts should be stored properly.",
        "Should the till wait a reasonable time?",
        "As a cashier, I want receipts to print quickly",
        "**Why this priority**: receipts must be printed quickly.",
        "- **Rationale**: a short delay must not annoy buyers.",
        "The label must read \"Please come back soon\".",
        "See the manual for formats, sizes, etc.",
        "The till can call the bank.",
        "For example, the till waits a short time.",
        "Most shops had many tills, which was quickly understood.",
        "> The till must answer quickly.",
    ] {
        assert_eq!(found(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn sections_that_inform_are_left_alone_with_everything_below() {
    let demand = "The till must answer quickly, and sends the amount to the bank.";
    for title in [
        "Motivation",
        "1. Background",
        "Drawbacks",
        "Prior art",
        "Alternatives considered",
        "Rationale",
        "Goals",
        "Non-goals",
        "Test plan",
        "How we teach this",
        "User stories",
        "Version history",
        "Appendix A: Notes",
        "Open product questions",
    ] {
        for level in 2..=4 {
            let marks = "#".repeat(level);
            let text = format!("# Till\n\n{marks} {title}\n\n{marks}# Detail\n\n{demand}\n");
            assert_eq!(found(&text), Vec::<&str>::new(), "{marks} {title}");
        }
    }
    let parts = format!("# Motivation\n\n{demand}\n\n# Design\n\nThe till has two drawers.\n");
    assert_eq!(found(&parts), Vec::<&str>::new());
    let whole = format!("# Background jobs\n\n{demand}\n");
    let asked = |text: &str| {
        let rules = found(text);
        rules.contains(&"vague-quantity") && rules.contains(&"failure-path")
    };
    assert!(asked(&whole));
    let accepted = format!("# Till\n\n## User stories\n\n### Acceptance criteria\n\n{demand}\n");
    assert!(asked(&accepted));
}

#[test]
fn authors_who_discuss_are_asked_only_about_what_they_demand() {
    let talk = "We looked at three printers. I like the second one. Our tills know it, and we print a lot. ".repeat(3);
    let told =
        format!("# Printing\n\n{talk}\n\nThe driver sends the receipt to the server regularly.\n");
    assert_eq!(found(&told), Vec::<&str>::new());
    let demanded = told.replace("The driver sends", "The driver must send");
    assert!(found(&demanded).contains(&"vague-quantity"));
}

#[test]
fn nouns_are_no_calls_writes_or_caches() {
    for sentence in [
        "The call of the bank is free.",
        "Function calls to the bank are counted by the parser.",
        "A write-up of the week is shown on the first page.",
        "Downloads are listed by their date.",
        "The cache line has 64 bytes.",
        "The charges are shown to the buyer.",
        "The parser calls the visitor for each node.",
        "The report lists emails by their subject.",
    ] {
        let text = format!("# Till\n\n## Words\n\n{sentence}\n");
        let rules = found(&text);
        assert!(!rules.contains(&"failure-path"), "{sentence}");
        assert!(!rules.contains(&"cache-lifetime"), "{sentence}");
    }
}

#[test]
fn protection_is_asked_for_once_and_not_where_it_is_named() {
    let spec = "# Till\n\n## Login\n\nThe till stores the password of the cashier.\n\n## Sync\n\nThe till logs the access token.\n";
    let asked = found(spec);
    assert_eq!(
        asked
            .iter()
            .filter(|rule| **rule == "credentials-unprotected")
            .count(),
        1
    );
    for guard in [
        "Passwords are hashed with bcrypt.",
        "Everything goes over TLS.",
        "Secrets are in a vault.",
    ] {
        let guarded = format!("{spec}\n## Notes\n\n{guard}\n");
        assert!(
            !found(&guarded).contains(&"credentials-unprotected"),
            "{guard}"
        );
    }
}

#[test]
fn every_message_quotes_its_sentence_and_asks() {
    let text = "# Till\n\n## Sending\n\nAfter the cashier closes the shop for the day and counts the coins in the drawer twice, sending is \
                retried a few times, whatever the weather is like and however late it is by the clock of the till.\n";
    let findings = scan(text, &Rules::default());
    let quantity = findings
        .iter()
        .find(|finding| finding.rule == "vague-quantity");
    assert_eq!(
        quantity.unwrap().message,
        "\"…counts the coins in the drawer twice, sending is retried a few times, whatever the weather is like and however late \
         it…\": how many times, and with what pauses?"
    );
}
