//! What always holds of a spec that is folded from changes, over random sources and random sequences of acceptances. The oracle
//! knows the blocks that it built the source of and the changes that it made of them, and shares nothing with the folding.

#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use gapless_domain::{ChangeKind, ChangeText};
use gapless_spec::Accepted;
use proptest::prelude::*;
use proptest::sample::Index;

/// A block of a source with the passage of it that may be quoted. Blocks that are told apart by their section only have no
/// number.
fn block(kind: u8, n: usize) -> (String, Option<String>) {
    let (text, passage) = match kind {
        0 => (format!("## Section {n}e"), None),
        1 => (format!("### Part {n}e"), None),
        2 => (
            format!("Paragraph {n} waits a while. It goes on to {n}."),
            Some(format!("Paragraph {n} waits a while.")),
        ),
        3 => (
            format!("- item {n}\n  - nested {n}\n- last of {n}"),
            Some(format!("nested {n}")),
        ),
        4 => (
            format!("- first {n}\n\n-\ttabbed {n}"),
            Some(format!("tabbed {n}")),
        ),
        5 => (
            format!("| Key {n} | Value |\n|---|---|\n| row {n} | old |\n| end {n} | x |"),
            Some(format!("| row {n} | old |")),
        ),
        6 => (
            format!("```text\nkey{n} = 1\nend{n} = 2\n```"),
            Some(format!("key{n} = 1")),
        ),
        7 => (
            format!("\tindented {n}\n\tmore {n}"),
            Some(format!("indented {n}")),
        ),
        8 => (
            format!("> quoted {n}\n> words {n}"),
            Some(format!("quoted {n}")),
        ),
        9 => ("It is said twice.".to_owned(), None),
        10 => (
            format!("1. step {n}\n2. then {n}"),
            Some(format!("step {n}")),
        ),
        _ => (
            format!("Words of {n}\nover two lines."),
            Some(format!("Words of {n}\nover two lines.")),
        ),
    };
    (text, passage)
}

#[derive(Debug, Clone)]
struct World {
    source: String,
    /// Blocks as they are in the source, in order.
    blocks: Vec<String>,
    accepted: Vec<Accepted>,
    /// For each gap the blocks that it touches.
    touches: Vec<Vec<usize>>,
}

/// A text that nothing else has.
fn news(gap: usize, change: usize) -> String {
    format!("Answer{gap}x{change} is given")
}

fn change_of(kind: ChangeKind, of: &str, passage: &str, new: &str) -> ChangeText {
    let is_row = passage.starts_with('|');
    let text = match is_row {
        true => format!("| {new} | y |"),
        false => new.to_owned(),
    };
    match kind {
        ChangeKind::Remove => remove(passage),
        ChangeKind::AddAfter => add_after(passage, &text),
        _ if of.starts_with("```") => replace(passage, new),
        _ => replace(passage, &text),
    }
}

fn worlds() -> impl Strategy<Value = World> {
    let change = (any::<Index>(), 0u8..4);
    let gaps = prop::collection::vec(prop::collection::vec(change, 1..3), 1..5);
    (
        prop::collection::vec(0u8..12, 2..12),
        gaps,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(kinds, gaps, crlf, mark)| {
            let mut built = vec![("# Title".to_owned(), None)];
            built.extend(
                kinds
                    .iter()
                    .enumerate()
                    .map(|(n, kind)| block(*kind, n + 1)),
            );
            let texts: Vec<&str> = built.iter().map(|(text, _)| text.as_str()).collect();
            let ends = |text: &str| match crlf {
                true => text.replace('\n', "\r\n"),
                false => text.to_owned(),
            };
            let mut source = ends(&(texts.join("\n\n") + "\n"));
            if mark {
                source.insert(0, '\u{feff}');
            }
            let mut accepted_all = Vec::new();
            let mut touches = Vec::new();
            for (number, changes) in gaps.into_iter().enumerate() {
                let (mut made, mut touched) = (Vec::new(), Vec::new());
                for (which, (index, kind)) in changes.into_iter().enumerate() {
                    let at = index.index(built.len());
                    let new = news(number + 1, which);
                    let (of, passage) = &built[at];
                    let kinds = [
                        ChangeKind::Replace,
                        ChangeKind::AddAfter,
                        ChangeKind::Remove,
                    ];
                    match (passage, kinds.get(usize::from(kind))) {
                        (Some(passage), Some(kind)) => {
                            made.push(change_of(*kind, of, passage, &new))
                        }
                        _ => made.push(add_to("Title", &format!("{new}."))),
                    }
                    touched.push(at);
                }
                accepted_all.push(accepted(u16::try_from(number + 1).unwrap(), None, made));
                touches.push(touched);
            }
            World {
                blocks: built.iter().map(|(text, _)| ends(text)).collect(),
                source,
                accepted: accepted_all,
                touches,
            }
        })
}

impl World {
    fn of(&self, gaps: &[usize]) -> Vec<Accepted> {
        gaps.iter().map(|gap| self.accepted[*gap].clone()).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn untouched_bytes_are_untouched_and_new_texts_are_there(world in worlds()) {
        let refined = folded(&world.source, &world.accepted);
        let spec = &refined.text;
        let displaced: Vec<_> = refined.displaced.iter().map(|fault| fault.gap.clone()).collect();
        let mut once = displaced.clone();
        once.dedup();
        prop_assert_eq!(&once, &displaced, "each displaced gap once");

        // Blocks that no gap touches, and the blank lines between two of them, are there byte for byte and in order.
        let touched: Vec<usize> = world.touches.concat();
        let mut at = 0;
        for (number, block) in world.blocks.iter().enumerate() {
            if touched.contains(&number) {
                continue;
            }
            match spec[at..].find(block.as_str()) {
                Some(found) => at += found + block.len(),
                // A heading goes with the last thing that was below it.
                None => prop_assert!(block.starts_with("##"), "{block} is gone from\n{spec}"),
            }
        }

        // Each gap's new texts are there once, all of them or, by the fallback, below one title; unless another gap quotes them.
        for (gap, one) in world.accepted.iter().enumerate() {
            for (which, change) in one.changes.iter().enumerate() {
                let times = spec.matches(&news(gap + 1, which)).count();
                let expected = usize::from(change.new.is_some());
                let is_displaced = displaced.contains(&one.resolution.gap);
                prop_assert!(times == expected || (is_displaced && times >= expected), "{times} times {}\n{spec}", news(gap + 1, which));
            }
        }

        // What a gap that isn't displaced takes out is gone, and nothing else of its block is.
        let is_made = |gap: usize| !displaced.contains(&world.accepted[gap].resolution.gap);
        for (number, block) in world.blocks.iter().enumerate() {
            let by: Vec<usize> = (0..world.touches.len()).filter(|gap| world.touches[*gap].contains(&number)).collect();
            let quotes = || by.iter().filter(|gap| is_made(**gap)).flat_map(|gap| &world.accepted[*gap].changes);
            for line in block.lines() {
                let is_frame = line.starts_with('#') || line.starts_with("| Key") || line.starts_with("|---");
                let mut pieces = vec![line];
                for change in quotes() {
                    let Some(old) = change.old.as_deref() else { continue };
                    let is_taken = change.kind.takes_away();
                    pieces = pieces.into_iter().flat_map(|piece| piece.split(old)).collect();
                    pieces.retain(|piece| !(is_taken && old.contains(piece.trim())));
                    prop_assert!(is_taken || !block.contains(old) || quotes().any(|it| it.kind.takes_away()) || spec.contains(old.lines().next().unwrap_or("")), "{old} is gone from\n{spec}");
                }
                for piece in pieces {
                    let piece = piece.trim().trim_start_matches("- ");
                    let is_marker = piece.len() < 3;
                    prop_assert!(is_frame || is_marker || spec.contains(piece), "{piece} is gone from\n{spec}");
                }
            }
        }
    }

    #[test]
    fn a_spec_depends_only_on_the_ordered_list_of_what_is_accepted(
        world in worlds(),
        deeds in prop::collection::vec((0u8..3, any::<Index>()), 0..12),
    ) {
        // Accept, reopen, go back to what was accepted before.
        let mut now: Vec<usize> = Vec::new();
        let mut earlier: Vec<Vec<usize>> = vec![Vec::new()];
        for (deed, which) in deeds {
            let gap = which.index(world.accepted.len());
            match deed {
                0 if !now.contains(&gap) => now.push(gap),
                1 => now.retain(|other| *other != gap),
                2 => now = earlier[which.index(earlier.len())].clone(),
                _ => {}
            }
            earlier.push(now.clone());
        }
        let spec = folded(&world.source, &world.of(&now));
        prop_assert_eq!(&folded(&world.source, &world.of(&now)).text, &spec.text);
        if now.is_empty() {
            prop_assert_eq!(&spec.text, &world.source);
        }
        // Accepting one more last and reopening it is as if it had never been; and it displaces none of the others.
        for gap in 0..world.accepted.len() {
            if now.contains(&gap) {
                continue;
            }
            let mut more = now.clone();
            more.push(gap);
            let with_it = folded(&world.source, &world.of(&more));
            let names = |refined: &gapless_spec::Refined| -> Vec<_> {
                refined.displaced.iter().map(|fault| fault.gap.clone()).collect()
            };
            let mut others = names(&with_it);
            others.retain(|other| *other != world.accepted[gap].resolution.gap);
            prop_assert_eq!(others, names(&spec));
            more.pop();
            prop_assert_eq!(&folded(&world.source, &world.of(&more)).text, &spec.text);
        }
    }
}
