//! Reasoning before, between and behind what is the document, and documents that are about it.

use super::*;

const A: &str = "## Gap Resolution: GAP-AA-001\n\nThe limit is 10.\n";
const B: &str = "## Gap Resolution: GAP-AA-002\n\nThe limit is 20.\n";

fn left(text: &str) -> String {
    without_reasoning(text).map_or(text.to_owned(), |found| found.text)
}

#[test]
fn reasoning_before_the_document_is_taken_off() {
    let draft = "Maybe\n\n## Gap Resolution: GAP-AA-001\n\nThe limit is 99.\n";
    for (open, close) in TAGS.iter() {
        for text in [
            format!("{open}\n{draft}\n{close}\n\n{A}"),
            format!("{open}{draft} so.{close}{A}"),
            format!("Sure.\n{open}{draft}```\ncode{close}\n{A}"),
            // The template of the model has the tag that opens.
            format!("{draft}\n{close}\n\n{A}"),
            format!("Okay, {draft}\n{}\n{A}", close.to_uppercase()),
            format!("```markdown\n{draft}\n{close}\n\n{A}"),
            // It never closes.
            format!("{open}\n{draft}\nNo, this way.\n\n{A}"),
        ] {
            let left = left(&text);
            assert!(
                left.ends_with(A) && !left.contains("99"),
                "{text}\n=>\n{left}"
            );
        }
    }
}

#[test]
fn reasoning_between_and_behind_sections_is_taken_off() {
    let between = format!("{A}\n<think>\nNow the other.\n\n{A}\n</think>\n\n{B}");
    assert_eq!(left(&between), format!("{A}\n\n\n{B}"));
    let open = format!("{A}\n<think>\nNow the other.\n\n{A}\nHm.\n\n{B}");
    assert_eq!(left(&open), format!("{A}\n{B}"));
    let behind = format!("{A}{B}\n<think>\nIs it done?\n");
    assert_eq!(left(&behind), format!("{A}{B}\n"));
    // All of it is reasoning.
    assert_eq!(left(&format!("<think>\n{A}</think>\n")).trim(), "");
    assert_eq!(left(&format!("{A}</think>\n")).trim(), "");
    assert_eq!(left("<think>\nI can't tell.\n").trim(), "");
}

#[test]
fn a_draft_that_never_ends_gives_way_to_the_last_sections() {
    let text = format!("<think>\n{A}{B}Once more.\n\n{B}{A}");
    assert_eq!(left(&text), format!("{B}{A}"));
    let found = without_reasoning(&text).unwrap();
    assert!(found.open);
    assert!(
        found.warnings[0].message.contains("never closed"),
        "{:?}",
        found.warnings
    );
}

#[test]
fn a_document_about_tags_is_left_as_it_is() {
    for about in [
        "The filter removes `<think>` and `</think>`.",
        "The filter removes <think> and </think> from answers.",
        "An answer ends its reasoning with </think>",
        "<think> and </think> delimit the reasoning.",
        "<think> begins the reasoning.\nWhat follows </think> is the answer.",
        "`<think>` begins it.\n\n```\n<think>\n## Gap Resolution: GAP-AA-009\n</think>\n```",
        "    <think>\n    indented code\n    </think>",
        "<think> opens it.",
    ] {
        let text = format!("{A}\n{about}\n\n{B}");
        assert_eq!(left(&text), text);
    }
}

#[test]
fn what_is_left_is_left_again() {
    for text in [
        "<think>\n<think>\n</think>\n<think>\n".repeat(3),
        format!("<think>\n{A}</think>\n{A}</think>\n{A}{B}<think>\nx"),
    ] {
        let once = left(&text);
        assert_eq!(left(&once), once, "{text}");
    }
}

#[test]
fn hostile_texts_take_no_time() {
    for part in [
        "<think>",
        "<think> x\n",
        "<think>\n## Gap: GAP-AA-001\n",
        "<think>\n",
        "</think>\n",
        "~~~a\n<think>\n</think>\n",
        "```a\n</think>\n",
    ] {
        left(&part.repeat(20_000));
        left(&format!("{A}{}{A}", part.repeat(20_000)));
    }
}
