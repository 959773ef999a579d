//! Which declarations are the same: by name, and by what an earlier session said of a gap that it put off.

use std::collections::{BTreeMap, VecDeque};

use super::super::gap_line::DeclaredGap;
use super::candidate::{Candidate, Name};
use super::declaration::DeclaredAs;
use gapless_domain::GapId;

/// The declarations of a source, each once.
pub(super) struct Merged {
    pub candidates: Vec<Candidate>,
    pub passed_over: Vec<(u32, String)>,
}

/// Declarations of the same name become one, items of one section with the same gap id aside: those are a mistake of the
/// author's, unless a part that gapless wrote has them. What one place says is over is declared by no other. A known limitation of an earlier session declares its
/// gap only where nothing else does.
pub(super) fn merged(found: Vec<Candidate>, over: &BTreeMap<String, u32>) -> Merged {
    let (earlier, mut found): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|candidate| candidate.in_earlier);
    recognize(&mut found, &earlier);
    let mut kept: Vec<Candidate> = Vec::new();
    let mut passed_over = Vec::new();
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    for candidate in found.into_iter().chain(earlier) {
        let Some(key) = candidate.name.key() else {
            kept.push(candidate);
            continue;
        };
        if let Some(line) = over.get(&key) {
            let why = format!("{key} is open here and done on line {line}: it was not taken");
            passed_over.push((candidate.gap.line, why));
            continue;
        }
        let first = by_name.get(&key).map(|first| &mut kept[*first]);
        match first {
            None => {
                by_name.insert(key, kept.len());
                kept.push(candidate);
            }
            Some(first) if is_mistake(first, &candidate) => kept.push(candidate),
            Some(first) => {
                if says_other(first, &candidate) {
                    let line = first.gap.line;
                    let why = format!("{key} is what line {line} says it is, not what stands here");
                    passed_over.push((candidate.gap.line, why));
                }
                first.gap.complete(candidate.gap);
                first.forms.extend(candidate.forms);
                first.waits_on.extend(candidate.waits_on);
            }
        }
    }
    kept.sort_by_key(|candidate| candidate.at);
    Merged {
        candidates: kept,
        passed_over,
    }
}

/// What a limitation says of a gap that had no id of its own: the gap keeps the id that it was given.
fn recognize(found: &mut [Candidate], earlier: &[Candidate]) {
    let mut limitations: BTreeMap<&str, VecDeque<&GapId>> = BTreeMap::new();
    for Candidate { gap, .. } in earlier {
        let ids = limitations.entry(gap.description.as_str()).or_default();
        ids.push_back(&gap.id);
    }
    for candidate in found {
        let said = candidate.gap.description.as_str();
        if candidate.name.own().is_some() || said.is_empty() {
            continue;
        }
        let known = limitations.range_mut(said..).next();
        let is_said = |limitation: &str| {
            let more = limitation.strip_prefix(said);
            more.is_some_and(|more| more.is_empty() || more.starts_with(" ("))
        };
        if let Some((_, ids)) = known.filter(|(limitation, _)| is_said(limitation))
            && let Some(id) = ids.pop_front()
        {
            candidate.name = Name::Own(id.clone());
        }
    }
}

/// True for two items, where the second has a gap id and no earlier session put it there.
fn are_own_items(first: &Candidate, second: &Candidate) -> bool {
    let is_item = |(_, form): &(u32, DeclaredAs)| matches!(form, DeclaredAs::Item(_));
    let forms = [&first.forms, &second.forms];
    second.name.own().is_some()
        && !second.in_earlier
        && forms.iter().all(|forms| forms.iter().any(is_item))
}

fn is_mistake(first: &Candidate, second: &Candidate) -> bool {
    are_own_items(first, second)
        && !(first.in_part || second.in_part)
        && first.section == second.section
}

/// Two lists with the same id for different things look like this, and so does a list of what is urgent.
fn says_other(first: &Candidate, second: &Candidate) -> bool {
    are_own_items(first, second)
        && !second.gap.description.is_empty()
        && !first.gap.description.contains(&second.gap.description)
}

impl DeclaredGap {
    /// Takes what another declaration of the same gap says and this one doesn't.
    fn complete(&mut self, other: DeclaredGap) {
        self.severity = self.severity.or(other.severity);
        self.section = self.section.take().or(other.section);
        self.blocked_by.extend(other.blocked_by);
        if self.description.is_empty() {
            self.description = other.description;
        }
    }
}
