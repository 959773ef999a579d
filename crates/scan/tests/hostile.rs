//! Texts that are made to break or to slow a scan down: it must end, and say the same twice.

use gapless_scan::{Rules, scan};
use proptest::prelude::*;

/// Long enough that work which grows with the square would never end.
const LENGTH: usize = 100_000;

#[test]
fn texts_made_to_be_slow_are_scanned() {
    let repeated = |part: &str| part.repeat(LENGTH / part.len());
    let columns = 10_000;
    let row = format!("|{}\n", "a|".repeat(columns));
    let texts = [
        repeated("The client waits a reasonable time, TBD, etc. "),
        repeated("## a\n"),
        repeated("# a\n## b\n### c\n"),
        repeated("> "),
        repeated("- "),
        repeated("("),
        repeated("The (client "),
        repeated("section \u{201c}"),
        repeated("???"),
        repeated("`"),
        repeated("**"),
        repeated("["),
        repeated("<!-- gapless: ignore placeholder x -->\n\n"),
        repeated("<!-- gapless: ignore placeholder x -->"),
        format!("## States\n\n{}", repeated("- a -> b\n")),
        format!(
            "## States\n\n{}",
            repeated("| from | event | to |\n|---|---|---|\n| a | x | b |\n| b | x | a |\n\n")
        ),
        format!(
            "{row}|{}\n{}",
            "-|".repeat(columns),
            row.repeat(LENGTH / row.len())
        ),
        format!("{row}|{}\n{}", "-|".repeat(columns), repeated("|a|\n")),
        repeated("The service must respect the minimum order value and a timeout when idle. "),
        repeated(
            "- The page must show the success rate, top products and enough data if issues are detected.\n",
        ),
        format!(
            "## Edge cases\n\n{}",
            repeated("- Two writers rename one folder\n")
        ),
        format!(
            "## Edge cases\n\n{}",
            repeated("- What happens when two writers rename one folder?\n")
        ),
        repeated("- status (open/paid/frozen)\n"),
        repeated("- a:\n  - b:\n    - must c\n"),
        repeated("## Story a\n\nx\n\n### Acceptance\n\ny\n\n"),
        repeated("## GET /a\n\nErrors are 404 here.\n\n"),
        repeated("The reply timeout is 5 seconds. The reply timeout is 9 seconds. "),
        repeated("It must keep `max_age` and `keep_it: true`. "),
        numbered(|number| format!("- It must keep the minimum a{number} b{number}\n")),
        numbered(|number| format!("It must keep `max_a{number}`. `tool a{number} b`\n")),
        "a".repeat(LENGTH),
        "TBD\u{301}".repeat(LENGTH / 5),
    ];
    for text in texts {
        let shown: String = text.chars().take(20).collect();
        assert_eq!(
            scan(&text, &Rules::default()),
            scan(&text, &Rules::default()),
            "{shown}"
        );
    }
}

/// Different lines until they are long enough.
fn numbered(line: impl Fn(usize) -> String) -> String {
    (0..LENGTH / 40).map(line).collect()
}

proptest! {
    #[test]
    fn any_text_is_scanned_and_findings_stand_in_it(
        text in "(\\PC|[\\n#*`>|():-]|TBD|must |should |timeout |`max_a` |status (a/b) |What happens\\? |## Edge cases\n|- |etc\\. |section 4 |-> |\\| a \\| b \\|\\n|30 |the Big Thing |<!-- gapless: ignore placeholder x -->){0,60}"
    ) {
        let findings = scan(&text, &Rules::default());
        let mut at = 0;
        for finding in &findings {
            prop_assert!(text.get(finding.span.clone()).is_some(), "{finding:?}");
            prop_assert!(finding.span.start >= at);
            prop_assert!((finding.line, finding.column) <= (finding.end_line, finding.end_column));
            at = finding.span.start;
        }
        prop_assert_eq!(findings, scan(&text, &Rules::default()));
    }
}
