//! Whatever is written, it is analysed: nothing panics, and the time grows with the length only.

use gapless_detection::analysis::{Occasion, Tried, report, root_cause};
use gapless_domain::time::Time;
use proptest::prelude::*;

use crate::support::{Against, complete};

fn against() -> Against<'static> {
    Against {
        assigned: "GAP-BOX-001 GAP-BOX-002",
        known: Some("GAP-BOX-001"),
        source: Some("# Boxes\n\nThe Weighing Rule holds.\n"),
    }
}

fn all_of_it(text: &str) {
    let analysis = against().analyze(text);
    let attempts = vec![
        Tried {
            reason: text.to_owned(),
            analysis: analysis.clone(),
        },
        Tried {
            reason: "again".to_owned(),
            analysis: analysis.clone(),
        },
    ];
    let cause = root_cause(&attempts);
    let occasion = Occasion {
        round: 1,
        attempt: 2,
        reason: text,
        at: Time(0),
        earlier: std::slice::from_ref(&analysis),
        root_cause: Some(&cause),
    };
    assert!(!report(&analysis, Some(&occasion)).is_empty());
}

/// Pieces that mean something to the analysis, to be put together at random.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("## Gap Resolution: GAP-BOX-001\n"),
        Just("# GAP-BOX-002 Revised + GAP-BOX-003\n"),
        Just("### Examples\n"),
        Just("### Trade-offs\n"),
        Just("**Example 1:** "),
        Just("```\n"),
        Just("~~~toml\n"),
        Just("> "),
        Just("- "),
        Just("| a | `b_c` | 5 |\n"),
        Just("- `b_c`: 6\n"),
        Just("`as defined in `"),
        Just("(see the Odd Name "),
        Just("the Ünder Örtlich defined above "),
        Just("may some as\nneeded it **depends** "),
        Just("\"appropriate "),
        Just("\u{201c}ä\u{201d} "),
        Just("<!-- "),
        Just("-->\n"),
        Just("\u{feff}\u{0}\u{202e}"),
        Just("\n\n"),
        Just("BLOCKED_NEEDS_INPUT: GAP-BOX-002\n"),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_analysed(text in "(\\PC|[\\n#*`>|\"()-]){0,300}") {
        all_of_it(&text);
    }

    #[test]
    fn any_mix_of_forms_is_analysed(text in pieces()) {
        all_of_it(&text);
    }

    #[test]
    fn any_bytes_are_analysed(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        all_of_it(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn long_documents_take_time_by_their_length_only() {
    let heading = "## Gap Resolution: GAP-BOX-001\n\n";
    let many_gaps: String = (1..=400)
        .map(|number| {
            format!(
                "{}\n",
                complete(&format!("GAP-BOX-{number:03}"), "A drawer.")
            )
        })
        .collect();
    let shapes = [
        many_gaps,
        format!(
            "{heading}{}",
            "Example 1: x\n\n```\ny\n```\n\n".repeat(4_000)
        ),
        format!(
            "{heading}{}",
            "#### Example\n\nsome may might could\n\n".repeat(4_000)
        ),
        format!(
            "{heading}{}",
            "as defined in the Odd Name, (see `other`) ".repeat(6_000)
        ),
        format!("{heading}{}", "GAP-AB-123 ".repeat(25_000)),
        format!("{heading}{}", "- `a_b`: 5\n\n".repeat(8_000)),
        format!("{heading}{}", "\" ".repeat(120_000)),
        format!("{heading}{}", "`".repeat(250_000)),
        format!(
            "{heading}```\n{}",
            "text in a fence that never closes\n".repeat(4_000)
        ),
        format!("{heading}{}", "the ".repeat(60_000) + "defined above"),
        "> ".repeat(2_000),
        "x".repeat(250_000),
    ];
    for shape in &shapes {
        // What grows with the square of these would not come to an end.
        against().analyze(shape);
    }
}
