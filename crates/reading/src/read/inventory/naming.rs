//! The ids of what a source declares: its own; else the one nearest to its name; else the next of its category.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::super::gap_line::DeclaredGap;
use super::super::vocabulary::{severity_at_start, words_of};
use super::candidate::{CATEGORY, Candidate, Name};
use super::declaration::Declaration;
use super::names::is_question;
use gapless_domain::GapId;
use gapless_domain::ids::HIGHEST_NUMBER;
use gapless_domain::words::phrases;

/// Words of titles that are no category.
static SMALL: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/small_words.txt")).collect());

/// The first word of a section's title that can be a category.
pub(super) fn category(title: &str) -> String {
    if is_question(title) {
        return CATEGORY.to_owned();
    }
    words_of(title)
        .take(12)
        .map(str::to_ascii_uppercase)
        .find(|word| {
            word.len() > 2
                && GapId::new(word, 1).is_some()
                && !SMALL.contains(&word.as_str())
                && severity_at_start(word).is_none()
        })
        .unwrap_or_else(|| CATEGORY.to_owned())
}

/// Gives every candidate its id. What finds no free number is passed over, and said.
pub(super) fn name(
    candidates: Vec<Candidate>,
    traced: BTreeSet<GapId>,
    passed_over: &mut Vec<(u32, String)>,
) -> Vec<Declaration> {
    let mut numbers = Numbers::of(&candidates, traced);
    let ids = nearest_ids(&candidates, &mut numbers.used);
    let mut by_alias: BTreeMap<String, GapId> = BTreeMap::new();
    let mut declarations: Vec<Declaration> = Vec::new();
    let mut waiting: Vec<Vec<String>> = Vec::new();
    for (candidate, id) in candidates.into_iter().zip(ids) {
        let category = match &candidate.name {
            Name::Own(id) => id.category().to_owned(),
            Name::Other(name) => nearest_id(name).0,
            Name::None(category) => category.clone(),
        };
        let free = || numbers.next(&category).or_else(|| numbers.next(CATEGORY));
        let Some(id) = id.or_else(free) else {
            let why = format!("no number is left for it in {category} and {CATEGORY}");
            passed_over.push((candidate.gap.line, why));
            continue;
        };
        if let Some(alias) = &candidate.gap.alias {
            by_alias.insert(alias.clone(), id.clone());
        }
        waiting.push(candidate.waits_on);
        declarations.push(Declaration {
            has_own_id: candidate.name.own().is_some(),
            gap: DeclaredGap {
                id,
                ..candidate.gap
            },
            forms: candidate.forms,
        });
    }
    for (Declaration { gap, .. }, names) in declarations.iter_mut().zip(waiting) {
        let known = names.iter().filter_map(|name| by_alias.get(name));
        gap.blocked_by.extend(known.cloned());
        gap.blocked_by.remove(&gap.id);
    }
    declarations
}

/// Ids that are fixed before any number is given out.
fn nearest_ids(candidates: &[Candidate], used: &mut BTreeSet<GapId>) -> Vec<Option<GapId>> {
    let id = |candidate: &Candidate| match &candidate.name {
        Name::Own(id) => Some(id.clone()),
        Name::Other(name) => {
            let (category, number) = nearest_id(name);
            let nearest = GapId::new(&category, number?);
            nearest.filter(|id| used.insert(id.clone()))
        }
        Name::None(_) => None,
    };
    candidates.iter().map(id).collect()
}

/// The numbers that are given out, and the next of each category.
struct Numbers {
    used: BTreeSet<GapId>,
    next: BTreeMap<String, u16>,
}

impl Numbers {
    fn of(candidates: &[Candidate], traced: BTreeSet<GapId>) -> Self {
        let mut used = traced;
        let own = candidates.iter().filter_map(|it| it.name.own());
        used.extend(own.cloned());
        let next = BTreeMap::new();
        Self { used, next }
    }

    fn next(&mut self, category: &str) -> Option<GapId> {
        let next = self.next.entry(category.to_owned()).or_insert(1);
        while *next <= HIGHEST_NUMBER {
            let id = GapId::new(category, *next)?;
            *next += 1;
            if self.used.insert(id.clone()) {
                return Some(id);
            }
        }
        None
    }
}

/// The gap id that comes nearest to a name of another shape.
fn nearest_id(name: &str) -> (String, Option<u16>) {
    let category = name
        .split(|c: char| !c.is_ascii_uppercase())
        .rfind(|part| *part != "GAP" && GapId::new(part, 1).is_some())
        .unwrap_or(CATEGORY);
    let digits = name
        .trim_end_matches(|c: char| c.is_ascii_lowercase())
        .rsplit(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap_or("");
    (category.to_owned(), digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_near_to_the_names() {
        for (name, category, number) in [
            ("OQ-1", "OQ", Some(1)),
            ("XCUT-NAV-001", "NAV", Some(1)),
            ("Q3", "OPEN", Some(3)),
            ("GAP-A-001", "OPEN", Some(1)),
            ("FR-012a", "FR", Some(12)),
            ("FR-99999999", "FR", None),
        ] {
            assert_eq!(nearest_id(name), (category.to_owned(), number));
        }
    }

    #[test]
    fn categories_are_words_of_titles() {
        assert_eq!(category("3. Retention (TBD)"), "RETENTION");
        assert_eq!(category("Open questions about the API"), "ABOUT");
        assert_eq!(category("Öffnung"), "OPEN");
        assert_eq!(category("How long?"), "OPEN");
        assert_eq!(category("Critical"), "OPEN");
    }
}
