//! How stdout comes and how much of it makes no difference to what is read.

use gapless_domain::OutputNote;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::Presets;

fn rules(preset: &str) -> OutputRules {
    Presets::default()
        .get(preset)
        .unwrap()
        .output
        .clone()
        .unwrap()
}

fn read(rules: &OutputRules, limit: u64, chunks: &[&[u8]]) -> Read {
    let mut reader = Reader::new(rules, limit);
    for chunk in chunks {
        reader.hear(chunk);
    }
    reader.finish()
}

fn text(read: Read) -> Option<(String, Vec<OutputNote>)> {
    read.text.map(LimitedBytes::into_text)
}

const LINES: &str = "noise\n{\"type\":\"text\",\"part\":{\"text\":\"chatter\"}}\n{\"type\":\"step_start\"}\n\
    {\"type\":\"text\",\"part\":{\"text\":\"one \\u00e9\"}}\r\n\n{\"type\":\"text\",\"part\":{\"text\":\" two\"}}\n\
    {\"type\":\"step_finish\",\"part\":{\"tokens\":{\"input\":3,\"output\":4,\"cache\":{\"read\":5}},\"cost\":0.5}}";

#[test]
fn it_makes_no_difference_where_the_pieces_are_cut() {
    let rules = rules("opencode");
    let whole = LINES.as_bytes();
    for cut in 0..whole.len() {
        let read = read(&rules, 1000, &[&whole[..cut], b"", &whole[cut..]]);
        assert_eq!(
            (read.usage.input_tokens, read.usage.output_tokens),
            (Some(8), Some(4))
        );
        assert_eq!(read.usage.cost_micros, Some(500_000));
        assert_eq!(read.unread, "noise");
        assert_eq!(text(read), Some(("one é two".to_owned(), vec![])));
    }
}

#[test]
fn a_flood_is_let_go_and_what_comes_behind_it_is_read() {
    let rules = rules("opencode");
    let mut reader = Reader::new(&rules, 1000);
    let flood = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        reader.hear(&flood);
        assert!(reader.line.capacity() <= 2 << 20);
    }
    reader.hear(b"\n{\"type\":\"text\",\"part\":{\"text\":\"here\"}}\n");
    for _ in 0..2000 {
        reader.hear(b"{\"type\":\"text\",\"part\":{\"text\":\"0123456789\"}}\n");
    }
    let (kept, notes) = text(reader.finish()).unwrap();
    assert!(kept.starts_with("here\n\n0123"));
    assert_eq!(
        (kept.len(), notes),
        (1000, vec![OutputNote::OutputTruncated])
    );
}

#[test]
fn one_document_may_stand_on_many_lines() {
    let rules: OutputRules = toml::from_str(
        "form = 'json'\ntext = [{ at = 'response' }]\n[[usage]]\ninput = ['stats.models.*.tokens.prompt']\noutput = ['stats.models.*.tokens.none']",
    )
    .unwrap();
    let document = "{\n \"response\": \"the\\ntext\",\n \"stats\": {\"models\": {\"a\": {\"tokens\": {\"prompt\": 4}}, \
        \"b\": {\"tokens\": {\"prompt\": 5}}, \"c\": 7}}\n}\n";
    let whole = read(&rules, 1000, &[document.as_bytes()]);
    assert_eq!(
        (whole.usage.input_tokens, whole.usage.output_tokens),
        (Some(9), None)
    );
    assert_eq!(text(whole), Some(("the\ntext".to_owned(), vec![])));
    let half = read(&rules, 1000, &[&document.as_bytes()[..40]]);
    assert!(half.text.is_none() && !half.read_any && !half.unread.is_empty());
}

#[test]
fn numbers_that_no_counter_holds_are_large_and_negative_ones_are_none() {
    let line = |input: &str, cost: &str| {
        format!(
            "{{\"type\":\"step_finish\",\"part\":{{\"tokens\":{{\"input\":{input},\"output\":1}},\"cost\":{cost}}}}}\n"
        )
    };
    let rules = rules("opencode");
    let used = |text: String| read(&rules, 1000, &[text.as_bytes()]).usage;
    let huge = used(line("1e300", "1e300").repeat(2));
    assert_eq!(
        (huge.input_tokens, huge.cost_micros),
        (Some(u64::MAX), Some(u64::MAX))
    );
    let negative = used(line("-5", "-5"));
    assert_eq!(
        (negative.input_tokens, negative.cost_micros),
        (Some(0), Some(0))
    );
    let text = used(line("\"5\"", "null"));
    assert_eq!((text.input_tokens, text.cost_micros), (None, None));
}

proptest! {
    #[test]
    fn nothing_that_is_said_is_too_much(
        preset in select(vec!["claude", "codex", "gemini", "opencode"]),
        said in prop::collection::vec(prop_oneof![
            any::<Vec<u8>>(),
            "\\{\"type\":\"(result|text|error|item.completed|turn.failed|message)\",\"[a-z]{1,6}\":.{0,12}\\}\n".prop_map(String::into_bytes),
        ], 0..8),
    ) {
        let rules = rules(preset);
        let chunks: Vec<&[u8]> = said.iter().map(Vec::as_slice).collect();
        let read = read(&rules, 64, &chunks);
        prop_assert!(read.unread.len() <= 3 * REMEMBERED);
        prop_assert!(text(read).is_none_or(|(text, _)| text.len() <= 64));
    }
}
