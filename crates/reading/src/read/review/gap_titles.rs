//! How titles name gaps: one by one, or as a range.

use super::super::fields::MOST_GAPS_IN_HEADING;
use super::super::vocabulary::{RESOLVING_WORDS, REVIEWING_WORDS, has_word, words_of};
use super::names::unnumbered;
use super::section::{Opening, Section};
use gapless_domain::{GapId, gap_ids_in, issue_ids_in};

/// A gap that a heading is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedGap {
    pub id: GapId,
    /// True where it stands within a range and is not written itself.
    pub implied: bool,
}

/// How a title names its gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GapTitle {
    Canonical,
    /// `GAP-X Assessment`, `Review: GAP-X (round 2)`.
    Reviewing,
    /// `GAP-X: the title`.
    Named,
}

/// The deepest heading that reviews a gap.
const DEEPEST: u8 = 4;

/// How the title of a section names the gaps that it is about, if it does.
pub(super) fn gap_title(section: &Section) -> Option<GapTitle> {
    let title = section.title.as_str();
    if !title.contains("GAP-") || !issue_ids_in(title).is_empty() {
        return None;
    }
    let gaps = gap_ids_in(title);
    let first = gaps.first()?;
    let heading = section.opening == Opening::Heading;
    if heading
        && section.level == 2
        && let Some(rest) = title.strip_prefix("Review:")
    {
        let canonical = gaps.len() == 1 && rest.trim() == first.id.to_string();
        return Some(match canonical {
            true => GapTitle::Canonical,
            false => GapTitle::Reviewing,
        });
    }
    if heading && section.level > DEEPEST {
        return None;
    }
    // `## Gap Resolution: GAP-X` is the other role's.
    let mut words = words_of(title);
    if words.any(|word| has_word(&RESOLVING_WORDS, word)) && !reviews(title) {
        return None;
    }
    if reviews(title) {
        return Some(GapTitle::Reviewing);
    }
    let bare = unnumbered(title).trim_start_matches(['`', '*', '[', ' ']);
    bare.starts_with(&first.id.to_string())
        .then_some(GapTitle::Named)
}

fn reviews(title: &str) -> bool {
    words_of(title).any(|word| has_word(&REVIEWING_WORDS, word))
}

/// The gaps of a title, with those between the ends of a range: `GAP-X-001 through GAP-X-003`, `GAP-X-001–003`, `GAP-X-001/002`.
pub(super) fn gaps_named(title: &str) -> Vec<NamedGap> {
    let mut gaps: Vec<NamedGap> = Vec::new();
    let add = |id: GapId, implied: bool, gaps: &mut Vec<NamedGap>| {
        let known = gaps.iter().any(|gap| gap.id == id);
        if !known && gaps.len() < MOST_GAPS_IN_HEADING {
            gaps.push(NamedGap { id, implied });
        }
    };
    let found = gap_ids_in(title);
    for (index, gap) in found.iter().enumerate() {
        let end = gap.at + gap.id.to_string().len();
        let next = found.get(index + 1);
        let between = &title[end..next.map_or(title.len(), |next| next.at)];
        add(gap.id.clone(), false, &mut gaps);
        if let Some(next) = next
            && joins_range(between)
        {
            for id in between_ids(&gap.id, next.id.number(), next.id.category()) {
                add(id, true, &mut gaps);
            }
            continue;
        }
        let mut last = gap.id.clone();
        for (joint, number) in short_numbers(between) {
            let category = gap.id.category().to_owned();
            if joins_range(joint) {
                for id in between_ids(&last, number, &category) {
                    add(id, true, &mut gaps);
                }
            }
            let Some(id) = GapId::new(&category, number) else {
                break;
            };
            last = id.clone();
            add(id, false, &mut gaps);
        }
    }
    gaps
}

fn joins_range(text: &str) -> bool {
    const JOINTS: [&str; 11] = [
        "through", "to", "thru", "until", "-", "–", "—", "..", "...", "…", "→",
    ];
    let word = text.trim().trim_matches(['*', '`']).trim();
    has_word(&JOINTS, word)
}

fn between_ids(first: &GapId, last: u16, category: &str) -> Vec<GapId> {
    let range = (first.number() + 1)..last;
    if first.category() != category || range.len() > MOST_GAPS_IN_HEADING {
        return Vec::new();
    }
    range
        .filter_map(|number| GapId::new(category, number))
        .collect()
}

/// Numbers of three digits that go on behind an id, each with what joins it: `–003`, `/002/003`, `, 002 and 003`.
fn short_numbers(text: &str) -> Vec<(&str, u16)> {
    let mut numbers = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let joint = &rest[..at];
        let digits = rest[at..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len() - at);
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let bounded = !rest[at + digits..].starts_with(goes_on);
        let bare = joint.trim().trim_matches(['*', '`', ',']).trim();
        let joins = joins_range(joint) || ["", "/", "and", "&", "+"].contains(&bare);
        match rest[at..at + digits].parse() {
            Ok(number) if digits == 3 && joins && bounded => numbers.push((joint, number)),
            _ => break,
        }
        rest = &rest[at + digits..];
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_name_every_gap_in_them() {
        let named = |title: &str| -> Vec<String> {
            let gaps = gaps_named(title).into_iter();
            gaps.map(|gap| gap.id.to_string()).collect()
        };
        let three = ["GAP-FLOW-001", "GAP-FLOW-002", "GAP-FLOW-003"];
        for title in [
            "Review: GAP-FLOW-001 through GAP-FLOW-003",
            "Review: GAP-FLOW-001 to GAP-FLOW-003 (round 2)",
            "GAP-FLOW-001–GAP-FLOW-003",
            "GAP-FLOW-001–003",
            "GAP-FLOW-001/002/003",
            "GAP-FLOW-001, 002 and 003",
            "GAP-FLOW-001, GAP-FLOW-002 and GAP-FLOW-003",
        ] {
            let mut ids = named(title);
            ids.sort();
            assert_eq!(ids, three, "{title}");
        }
        assert_eq!(named("GAP-FLOW-001 (round 2, 300 lines)"), ["GAP-FLOW-001"]);
        assert_eq!(
            named("GAP-FLOW-001 to GAP-API-003"),
            ["GAP-FLOW-001", "GAP-API-003"]
        );
        assert_eq!(named("GAP-FLOW-001 to GAP-FLOW-900").len(), 2);
        assert_eq!(named("GAP-FLOW-003 to GAP-FLOW-001").len(), 2);
    }
}
