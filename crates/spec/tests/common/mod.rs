//! Accepted changes, said shortly.

#![allow(dead_code)]

use gapless_domain::{ChangeKind, ChangeText, GapId, TextHash};
use gapless_spec::{Accepted, Place, Refined, Resolution, refine};

pub fn gap(number: u16) -> GapId {
    GapId::new("PROP", number).unwrap()
}

fn change(kind: ChangeKind, old: Option<&str>, new: Option<&str>) -> ChangeText {
    ChangeText {
        kind,
        section: None,
        after: None,
        old: old.map(str::to_owned),
        new: new.map(str::to_owned),
        line: 0,
    }
}

pub fn replace(old: &str, new: &str) -> ChangeText {
    change(ChangeKind::Replace, Some(old), Some(new))
}

pub fn add_after(old: &str, new: &str) -> ChangeText {
    change(ChangeKind::AddAfter, Some(old), Some(new))
}

pub fn add_to(section: &str, new: &str) -> ChangeText {
    within(section, change(ChangeKind::AddToSection, None, Some(new)))
}

pub fn new_section(title: &str, after: Option<&str>, new: &str) -> ChangeText {
    ChangeText {
        after: after.map(str::to_owned),
        ..within(title, change(ChangeKind::NewSection, None, Some(new)))
    }
}

pub fn remove(old: &str) -> ChangeText {
    change(ChangeKind::Remove, Some(old), None)
}

/// A change that names its section.
pub fn within(section: &str, change: ChangeText) -> ChangeText {
    ChangeText {
        section: Some(section.to_owned()),
        ..change
    }
}

/// A gap on a line of the source, if it has one, with its changes.
pub fn accepted(number: u16, line: Option<u32>, changes: Vec<ChangeText>) -> Accepted {
    let news: Vec<&str> = changes.iter().filter_map(|it| it.new.as_deref()).collect();
    let text = news.join("\n\n");
    Accepted {
        resolution: Resolution {
            gap: gap(number),
            description: "something is missing".to_owned(),
            place: Place {
                line,
                section: None,
            },
            heading: None,
            hash: TextHash::of(&text),
            text,
        },
        changes,
        settled_with: None,
        round: 1,
    }
}

pub fn folded(source: &str, accepted: &[Accepted]) -> Refined {
    refine(source, accepted, &[], &[]).unwrap()
}

/// The text with one gap's changes, all of which fit.
#[track_caller]
pub fn with(source: &str, changes: Vec<ChangeText>) -> String {
    let refined = folded(source, &[accepted(1, None, changes)]);
    assert_eq!(refined.displaced, [], "{}", refined.text);
    refined.text
}

/// Why changes of one gap don't fit.
#[track_caller]
pub fn refused(source: &str, changes: Vec<ChangeText>) -> String {
    let refined = folded(source, &[accepted(1, None, changes)]);
    let said: Vec<String> = refined
        .displaced
        .into_iter()
        .map(|fault| fault.what)
        .collect();
    assert_eq!(said.len(), 1, "{}", refined.text);
    said.concat()
}

/// What is different, with the lines around it.
pub fn shown(before: &str, after: &str) -> String {
    let visible = |text: &str| text.replace('\r', "<CR>").replace('\t', "<tab>");
    let (before, after) = (visible(before), visible(after));
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let pairs = old.iter().zip(&new);
    let same = pairs.take_while(|(one, other)| one == other).count();
    let ends = old[same..].iter().rev().zip(new[same..].iter().rev());
    let behind = ends.take_while(|(one, other)| one == other).count();
    let mut lines: Vec<String> = Vec::new();
    let mut add = |mark: &str, some: &[&str]| {
        lines.extend(
            some.iter()
                .map(|line| format!("{mark} {line}").trim_end().to_owned()),
        );
    };
    add(" ", &old[same.saturating_sub(2)..same]);
    add("-", &old[same..old.len() - behind]);
    add("+", &new[same..new.len() - behind]);
    let rest = old.len() - behind;
    add(" ", &old[rest..(rest + 2).min(old.len())]);
    lines.join("\n")
}
