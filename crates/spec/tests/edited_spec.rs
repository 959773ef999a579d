//! What always holds of edited sections, over random sources and edits: a faithful one stands, one that loses or adds anything
//! is left aside, and nothing around it changes. The oracle knows what it built everything of.

#![allow(clippy::unwrap_used)]

use gapless_domain::{GapId, TextHash};
use gapless_spec::{Accepted, EditedText, Place, Refined, Resolution, refine};
use proptest::prelude::*;
use proptest::sample::Index;

/// A sentence with something that may not be lost: number, code or name.
fn sentence(kind: u8, number: u32) -> (String, String) {
    match kind % 4 {
        0 => (format!("It waits {number} seconds."), number.to_string()),
        1 => (
            format!("The field `field_{number}` is sent."),
            format!("field_{number}"),
        ),
        2 => (
            format!("What follows is kept by Keeper{number}."),
            format!("Keeper{number}"),
        ),
        _ => (
            format!("This is sent:\n\n```json\n{{ \"a\": {number} }}\n```"),
            format!("\"a\": {number}"),
        ),
    }
}

#[derive(Debug, Clone)]
struct World {
    source: String,
    before: String,
    behind: String,
    own: Vec<(String, String)>,
    accepted: Vec<(String, String)>,
    crlf: bool,
}

const HEADING: &str = "## Target";

impl World {
    fn new(own: &[u8], accepted: &[u8], around: [bool; 2], crlf: bool) -> Self {
        let sentences = |kinds: &[u8], from: u32| -> Vec<(String, String)> {
            (from..)
                .zip(kinds)
                // Of the section itself numbers and code count, and blocks; names may be reworded.
                .map(|(number, kind)| match (from, kind % 4) {
                    (1000, 2) => sentence(0, number),
                    _ => sentence(*kind, number),
                })
                .collect()
        };
        let own = sentences(own, 1000);
        let accepted = sentences(accepted, 2000);
        let before = match around[0] {
            true => "# All\n\nWords of 5.\n\n## Before\n\n- one\n- two\n\n",
            false => "",
        };
        let behind = match around[1] {
            true => "### Below\n\nMore of 6.\n\n## Behind\n\n| a | b |\n|---|---|\n| 7 | 8 |\n",
            false => "",
        };
        let words: Vec<&str> = own.iter().map(|(words, _)| words.as_str()).collect();
        let source = format!(
            "{before}{HEADING}\n\n{}\n\n- GAP-PROP-001 [HIGH]: how it goes on is not said\n\n{behind}",
            words.join("\n\n")
        );
        let ends = |text: &str| match crlf {
            true => text.replace('\n', "\r\n"),
            false => text.to_owned(),
        };
        Self {
            source: ends(&source),
            before: ends(before),
            behind: ends(behind),
            own,
            accepted,
            crlf,
        }
    }

    fn line(&self) -> u32 {
        let at = self.source.find(HEADING).unwrap();
        u32::try_from(self.source[..at].matches('\n').count() + 1).unwrap()
    }

    fn accepted(&self) -> [Accepted; 1] {
        let entry = self.source.find("- GAP-PROP-001").unwrap();
        let line = self.source[..entry].matches('\n').count() + 1;
        let words: Vec<&str> = self
            .accepted
            .iter()
            .map(|(words, _)| words.as_str())
            .collect();
        let text = words.join("\n\n");
        let resolution = Resolution {
            gap: gap(),
            description: "how it goes on is not said".to_owned(),
            place: Place {
                line: Some(u32::try_from(line).unwrap()),
                section: None,
            },
            heading: None,
            hash: TextHash::of(&text),
            text,
        };
        [Accepted {
            resolution,
            changes: Vec::new(),
            settled_with: None,
            round: 1,
        }]
    }

    /// The proposal that an edit is made from.
    fn hash(&self) -> TextHash {
        self.accepted()[0].resolution.hash
    }

    /// Everything that has to be said, in an order of its own.
    fn faithful(&self, order: &[Index]) -> Vec<String> {
        let mut left: Vec<String> = self
            .own
            .iter()
            .chain(&self.accepted)
            .map(|(words, _)| words.clone())
            .collect();
        let mut said = Vec::new();
        for index in order {
            if !left.is_empty() {
                said.push(left.remove(index.index(left.len())));
            }
        }
        said.extend(left);
        said
    }

    fn refined(&self, body: &str) -> Refined {
        let text = format!("{HEADING}\n\n{body}\n");
        self.refined_with(self.line(), text, self.hash())
    }

    fn refined_with(&self, section: u32, text: String, hash: TextHash) -> Refined {
        let edit = EditedText {
            section,
            text,
            made_from: [(gap(), hash)].into(),
        };
        refine(&self.source, &self.accepted(), &[], &[edit]).unwrap()
    }

    fn plain(&self) -> String {
        refine(&self.source, &self.accepted(), &[], &[])
            .unwrap()
            .text
    }
}

fn gap() -> GapId {
    "GAP-PROP-001".parse().unwrap()
}

prop_compose! {
    fn world()(
        own in prop::collection::vec(0u8..4, 0..4),
        accepted in prop::collection::vec(0u8..4, 1..5),
        around in any::<[bool; 2]>(),
        crlf in any::<bool>(),
    ) -> World {
        World::new(&own, &accepted, around, crlf)
    }
}

proptest! {
    #[test]
    fn a_faithful_edit_stands_and_nothing_around_it_changes(
        world in world(),
        order in prop::collection::vec(any::<Index>(), 8),
    ) {
        let said = world.faithful(&order);
        let refined = world.refined(&said.join("\n\n"));
        prop_assert!(refined.edited.contains(&world.line()), "{}", refined.text);
        prop_assert!(refined.text.starts_with(&world.before), "{}", refined.text);
        prop_assert!(refined.text.ends_with(&world.behind), "{}", refined.text);
        prop_assert!(!refined.text.contains("<!--"), "{}", refined.text);
        let edits: Vec<_> = refined.trace.iter().map(|one| (&one.gap, one.change)).collect();
        prop_assert_eq!(edits, [(&gap(), "edit")]);
        prop_assert!(!refined.text.contains("how it goes on is not said"));
        for words in said {
            let words = if world.crlf { words.replace('\n', "\r\n") } else { words };
            prop_assert!(refined.text.contains(&words), "{words} is not in {}", refined.text);
        }
    }

    #[test]
    fn an_edit_that_loses_anything_is_left_aside(
        world in world(),
        order in prop::collection::vec(any::<Index>(), 8),
        lost in any::<Index>(),
        whole in any::<bool>(),
    ) {
        let all: Vec<&(String, String)> = world.own.iter().chain(&world.accepted).collect();
        let (words, essential) = all[lost.index(all.len())];
        let said: Vec<String> = world
            .faithful(&order)
            .into_iter()
            .filter(|said| !whole || said != words)
            .map(|said| if said == *words { said.replace(essential.as_str(), "it") } else { said })
            .collect();
        let refined = world.refined(&said.join("\n\n"));
        prop_assert!(refined.edited.is_empty(), "{essential} is lost in {}", refined.text);
        prop_assert_eq!(refined.text, world.plain());
    }

    #[test]
    fn an_edit_that_reaches_beyond_its_section_is_left_aside(
        world in world(),
        order in prop::collection::vec(any::<Index>(), 8),
        strange in prop::sample::select(vec![
            "## Behind\n\nOther words.",
            "# All",
            "Setext\n---",
            "```\nnever closed",
            "<!-- never closed",
            "<!-- gapless: end GAP-PROP-001 -->",
            "- GAP-PROP-001 [HIGH]: how it goes on is not said",
            "Still open: GAP-PROP-002.",
            "[it]: http://example.com",
            "\u{1b}[2J",
        ]),
        at in any::<Index>(),
    ) {
        let mut said = world.faithful(&order);
        said.insert(at.index(said.len() + 1), strange.to_owned());
        let refined = world.refined(&said.join("\n\n"));
        prop_assert!(refined.edited.is_empty(), "{}", refined.text);
        prop_assert_eq!(refined.text, world.plain());
    }

    #[test]
    fn an_edit_of_another_text_does_not_fit(world in world(), order in prop::collection::vec(any::<Index>(), 8)) {
        let text = format!("{HEADING}\n\n{}\n", world.faithful(&order).join("\n\n"));
        let of = |section: u32, hash: TextHash| world.refined_with(section, text.clone(), hash);
        for refined in [of(world.line(), TextHash::of("another")), of(world.line() + 1, world.hash())] {
            prop_assert!(refined.edited.is_empty());
            prop_assert_eq!(refined.text, world.plain());
        }
    }

    #[test]
    fn any_text_as_an_edit_leaves_a_spec_that_holds(world in world(), text in "(\\PC|\\n|```|## |<!-- |-->|- |`|GAP-PROP-00[12]|[0-9]){0,60}") {
        let refined = world.refined_with(world.line(), text, world.hash());
        prop_assert!(refined.text.starts_with(&world.before));
        prop_assert!(refined.text.ends_with(&world.behind));
    }
}
