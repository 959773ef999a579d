//! Entries of gap lists in a source that are not, or not wholly, what they seem to be.

use std::collections::BTreeSet;

use super::gap_line::DeclaredGap;
use super::inventory::{Inventory, inventory};
use gapless_domain::GapId;
use gapless_markdown::Document;

/// Entries of gap lists that are not, or not wholly, what they seem to be: each with its line and what was made of it.
pub fn near_misses(document: &Document) -> Vec<(u32, String)> {
    let Inventory {
        declared,
        passed_over,
    } = inventory(document);
    let declared: Vec<DeclaredGap> = declared.into_iter().map(|declared| declared.gap).collect();
    let ids: BTreeSet<&GapId> = declared.iter().map(|gap| &gap.id).collect();
    let aliases: BTreeSet<(u32, &str)> = declared
        .iter()
        .filter_map(|gap| Some((gap.line, gap.alias.as_deref()?)))
        .collect();
    let mut misses = passed_over;
    let mut say = |line: u32, what: String| misses.push((line, what));
    for item in &document.items {
        if DeclaredGap::from_item(&item.text, item.line).is_none() {
            let word = item
                .text
                .trim_start_matches(['*', '`', '_', '[', ']', ' ', 'x']);
            let word = word.split([' ', ':', '*', '`']).next().unwrap_or("");
            let looks_like_one = word
                .get(..4)
                .is_some_and(|start| word.len() > 4 && start.eq_ignore_ascii_case("gap-"));
            if looks_like_one && !aliases.contains(&(item.line, word)) {
                let what = "is no gap id (GAP-CATEGORY-NNN) and was not taken";
                say(item.line, format!("`{word}` {what}"));
            }
        }
    }
    for gap in &declared {
        let (id, line) = (&gap.id, gap.line);
        if gap.description.is_empty() {
            say(line, format!("{id} does not say what is missing"));
        }
        if gap.severity.is_none() && gap.description.starts_with('[') {
            let behind = gap.description.trim_start_matches('[');
            let tag = behind.split(']').next().unwrap_or("");
            say(
                line,
                format!("`{tag}` is no severity; {id} was taken as MEDIUM"),
            );
        }
        for blocker in gap.blocked_by.iter().filter(|id| !ids.contains(id)) {
            say(
                line,
                format!("{id} waits on {blocker}, which is not declared"),
            );
        }
    }
    misses.sort_by_key(|(line, _)| *line);
    misses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_like_a_gap_is_said() {
        let text = "- GAP-AA-7: short\n- gap-aa-004: small\n- GAP-AA-001 [URGENT]: x\n- GAP-AA-002 [LOW]\n\
                    - GAP-AA-003 (blocked by: GAP-ZZ-999): y\n- the gap-year rule\n- GAP-AA-005 [LOW]: fine\n";
        let said: Vec<String> = near_misses(&Document::parse(text))
            .into_iter()
            .map(|(line, what)| format!("{line}: {what}"))
            .collect();
        assert_eq!(
            said,
            [
                "1: `GAP-AA-7` is no gap id (GAP-CATEGORY-NNN) and was not taken",
                "2: `gap-aa-004` is no gap id (GAP-CATEGORY-NNN) and was not taken",
                "3: `URGENT` is no severity; GAP-AA-001 was taken as MEDIUM",
                "4: GAP-AA-002 does not say what is missing",
                "5: GAP-AA-003 waits on GAP-ZZ-999, which is not declared",
            ]
        );
    }
}
