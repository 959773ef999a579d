//! The choice of gaps for a round: who is a candidate, in which order, and who can work side by side.

use std::collections::{BTreeMap, BTreeSet};

use gapless_domain::{Gap, GapId, GapState, gap_ids_in};
use gapless_session::{Now, State};

/// What a round will work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The gaps for the Engineer, in order, in one group per task.
    pub groups: Vec<Vec<GapId>>,
    /// Proposals that no review has named yet.
    pub to_review: Vec<GapId>,
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.to_review.is_empty()
    }

    pub fn assigned(&self) -> Vec<GapId> {
        self.groups.iter().flatten().cloned().collect()
    }
}

/// Plans the next round.
pub fn plan(state: &State) -> Plan {
    let now = &state.now;
    let config = &state.kept.setup.config;
    let waiting = waiting_counts(now);
    let mut candidates: Vec<&Gap> = candidates(now).collect();
    prefer(&mut candidates, |gap| now.narrowed_to.contains(&gap.id));
    prefer(&mut candidates, |gap| !now.left_out.contains(&gap.id));
    candidates.sort_by_key(|gap| {
        let waiting = waiting.get(&gap.id).copied().unwrap_or(0);
        (
            std::cmp::Reverse(gap.severity),
            std::cmp::Reverse(waiting),
            gap.age,
        )
    });
    candidates.truncate(config.gaps_per_round as usize);
    Plan {
        groups: group(&candidates, config.parallel_engineers as usize),
        to_review: now
            .gaps_in(GapState::Proposed)
            .map(|gap| gap.id.clone())
            .collect(),
    }
}

/// Keeps only the wanted gaps, where there are any.
fn prefer(gaps: &mut Vec<&Gap>, wanted: impl Fn(&Gap) -> bool) {
    if gaps.iter().any(|gap| wanted(gap)) {
        gaps.retain(|gap| wanted(gap));
    }
}

/// Gaps that could be assigned: OPEN or NEEDS_REVISION, and nothing open or parked blocks them.
fn candidates(now: &Now) -> impl Iterator<Item = &Gap> {
    now.gaps.values().filter(|gap| {
        matches!(gap.state, GapState::Open | GapState::NeedsRevision)
            && blockers(now, gap).next().is_none()
            && !now.gap_is_in_question(&gap.id)
    })
}

/// The gaps that block this one: those it names that are open or parked. A split gap blocks through its children, and those
/// that were split again through theirs.
pub fn blockers<'s>(now: &'s Now, gap: &'s Gap) -> impl Iterator<Item = &'s Gap> {
    gap.blocked_by
        .iter()
        .filter_map(|id| now.gaps.get(id))
        .flat_map(|blocker| with_parts(now, blocker))
        .filter(|blocker| !blocker.state.is_closed())
}

/// A gap and every part that it was split into, however often.
fn with_parts<'s>(now: &'s Now, gap: &'s Gap) -> Vec<&'s Gap> {
    let mut all = vec![gap];
    let mut at = 0;
    while let Some(gap) = all.get(at) {
        let parts = gap.children.iter().filter_map(|id| now.gaps.get(id));
        for part in parts.collect::<Vec<_>>() {
            // The first of a family lists the parts of its parts as well.
            if !all.iter().any(|known| known.id == part.id) {
                all.push(part);
            }
        }
        at += 1;
    }
    all
}

/// How many open gaps wait on each gap directly.
fn waiting_counts(now: &Now) -> BTreeMap<GapId, u32> {
    let mut counts = BTreeMap::new();
    for gap in now.gaps.values().filter(|gap| gap.state.is_open()) {
        for blocker in blockers(now, gap) {
            *counts.entry(blocker.id.clone()).or_insert(0) += 1;
        }
    }
    counts
}

/// A cycle of gaps that block each other, if there is one: nothing in it can ever be planned.
pub fn cycle(now: &Now) -> Option<Vec<GapId>> {
    let open = now.gaps.values().filter(|gap| !gap.state.is_closed());
    let mut done: BTreeSet<&GapId> = BTreeSet::new();
    for start in open {
        if done.contains(&start.id) {
            continue;
        }
        // Depth first with an explicit path, so that a long chain costs no stack.
        let mut path: Vec<(&GapId, Vec<&GapId>)> = vec![(&start.id, successors(now, start))];
        while let Some((_, rest)) = path.last_mut() {
            let Some(next) = rest.pop() else {
                if let Some((id, _)) = path.pop() {
                    done.insert(id);
                }
                continue;
            };
            if let Some(from) = path.iter().position(|(id, _)| *id == next) {
                return Some(path[from..].iter().map(|(id, _)| (*id).clone()).collect());
            }
            if !done.contains(next)
                && let Some(gap) = now.gaps.get(next)
            {
                path.push((&gap.id, successors(now, gap)));
            }
        }
    }
    None
}

fn successors<'s>(now: &'s Now, gap: &'s Gap) -> Vec<&'s GapId> {
    blockers(now, gap).map(|blocker| &blocker.id).collect()
}

/// Splits the gaps over at most `most` tasks. Gaps that depend on or name each other stay together.
fn group(gaps: &[&Gap], most: usize) -> Vec<Vec<GapId>> {
    let mut clusters: Vec<Vec<&Gap>> = Vec::new();
    for gap in gaps {
        let (related, apart): (Vec<_>, Vec<_>) = clusters
            .into_iter()
            .partition(|cluster| cluster.iter().any(|other| are_related(gap, other)));
        clusters = apart;
        let mut cluster: Vec<&Gap> = related.into_iter().flatten().collect();
        cluster.push(gap);
        clusters.push(cluster);
    }
    let order: BTreeMap<&GapId, usize> = gaps
        .iter()
        .enumerate()
        .map(|(at, gap)| (&gap.id, at))
        .collect();
    let place = |gap: &GapId| order.get(gap).copied().unwrap_or(usize::MAX);
    let mut groups: Vec<Vec<GapId>> = Vec::new();
    for cluster in clusters {
        let ids = cluster.into_iter().map(|gap| gap.id.clone());
        if groups.len() < most.max(1) {
            groups.push(ids.collect());
        } else if let Some(shortest) = groups.iter_mut().min_by_key(|group| group.len()) {
            shortest.extend(ids);
        }
    }
    for group in &mut groups {
        group.sort_by_key(|gap| place(gap));
    }
    groups.sort_by_key(|group| group.first().map(place));
    groups
}

fn are_related(one: &Gap, other: &Gap) -> bool {
    let names = |text: &str, id: &GapId| gap_ids_in(text).iter().any(|found| found.id == *id);
    one.blocked_by.contains(&other.id)
        || other.blocked_by.contains(&one.id)
        || names(&one.description, &other.id)
        || names(&other.description, &one.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_domain::{NewGap, Origin, Severity};

    fn state(gaps: &[(&str, Severity, &[&str])]) -> State {
        let mut state = State::default();
        for (age, (id, severity, blocked_by)) in gaps.iter().enumerate() {
            let new = NewGap {
                blocked_by: blocked_by.iter().map(|id| id.parse().unwrap()).collect(),
                ..NewGap::new(id.parse().unwrap(), *severity, String::new(), Origin::User)
            };
            let gap = Gap::new(&new, 0, age as u32);
            state.now.gaps.insert(gap.id.clone(), gap);
        }
        state
    }

    fn gap_mut<'s>(state: &'s mut State, id: &str) -> &'s mut Gap {
        state.now.gaps.get_mut(&id.parse().unwrap()).unwrap()
    }

    fn ids(gaps: &[GapId]) -> Vec<String> {
        gaps.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_was_split_twice_blocks_through_the_last_parts() {
        use Severity::*;
        let mut state = state(&[
            ("GAP-AUTH-001a", High, &[]),
            ("GAP-AUTH-001c", High, &[]),
            ("GAP-AUTH-001e", High, &[]),
            ("GAP-FLOW-001", High, &["GAP-AUTH-001a"]),
        ]);
        let splits = [
            ("GAP-AUTH-001a", "GAP-AUTH-001c"),
            ("GAP-AUTH-001c", "GAP-AUTH-001e"),
        ];
        for (whole, part) in splits {
            let whole = gap_mut(&mut state, whole);
            whole.state = GapState::Superseded;
            whole.children.push(part.parse().unwrap());
        }
        assert_eq!(ids(&plan(&state).assigned()), ["GAP-AUTH-001e"]);
    }

    #[test]
    fn order_is_severity_then_foundations_then_age() {
        use Severity::*;
        let mut state = state(&[
            ("GAP-AA-001", Low, &[]),
            ("GAP-AA-002", High, &[]),
            ("GAP-AA-003", High, &[]),
            ("GAP-AA-004", Medium, &["GAP-AA-003"]),
            ("GAP-AA-005", Critical, &["GAP-AA-002"]),
            ("GAP-AA-006", Medium, &["GAP-AA-003"]),
            ("GAP-AA-007", Medium, &[]),
        ]);
        assert_eq!(
            ids(&plan(&state).assigned()),
            ["GAP-AA-003", "GAP-AA-002", "GAP-AA-007"]
        );
        gap_mut(&mut state, "GAP-AA-002").state = GapState::Accepted;
        assert_eq!(
            ids(&plan(&state).assigned()),
            ["GAP-AA-005", "GAP-AA-003", "GAP-AA-007"]
        );
        gap_mut(&mut state, "GAP-AA-003").state = GapState::UserDeferred;
        assert_eq!(
            ids(&plan(&state).assigned()),
            ["GAP-AA-005", "GAP-AA-007", "GAP-AA-001"]
        );
    }

    #[test]
    fn a_cycle_is_found_and_never_planned() {
        use Severity::*;
        let state = state(&[
            ("GAP-AA-001", High, &["GAP-AA-002"]),
            ("GAP-AA-002", High, &["GAP-AA-003"]),
            ("GAP-AA-003", High, &["GAP-AA-001"]),
            ("GAP-AA-004", High, &["GAP-AA-001"]),
        ]);
        assert!(plan(&state).is_empty());
        assert_eq!(cycle(&state.now).map(|c| c.len()), Some(3));
        assert_eq!(cycle(&self::state(&[("GAP-AA-001", High, &[])]).now), None);
    }

    #[test]
    fn related_gaps_stay_in_one_task() {
        use Severity::*;
        let mut state = state(&[
            ("GAP-AA-001", High, &[]),
            ("GAP-AA-002", High, &[]),
            ("GAP-AA-003", High, &[]),
        ]);
        state.kept.setup.config.parallel_engineers = 3;
        assert_eq!(plan(&state).groups.len(), 3);
        gap_mut(&mut state, "GAP-AA-003").description = "as in GAP-AA-001".to_owned();
        let groups = plan(&state).groups;
        assert_eq!(groups.len(), 2);
        assert_eq!(ids(&groups[0]), ["GAP-AA-001", "GAP-AA-003"]);
        state.kept.setup.config.parallel_engineers = 1;
        assert_eq!(plan(&state).groups.len(), 1);
    }
}
