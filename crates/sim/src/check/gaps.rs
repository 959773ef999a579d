//! Checks the lifecycle of gaps against section 3 of the design, and counts what section 4 counts.

use serde_json::Value;

use super::model::{Gap, is_closed, is_open, root_of};
use super::{Checker, Entry, Verdict, ensure, legal_move, list, strings, text, violated, weight};

/// (move, from, to) and whether only the user makes it.
pub const TABLE: [(&str, &str, &str, bool); 34] = [
    ("assign", "OPEN", "IN_PROGRESS", false),
    ("assign", "NEEDS_REVISION", "IN_PROGRESS", false),
    ("propose", "IN_PROGRESS", "PROPOSED", false),
    ("return", "IN_PROGRESS", "OPEN", false),
    ("return", "IN_PROGRESS", "NEEDS_REVISION", false),
    ("need_input", "IN_PROGRESS", "BLOCKED_EXTERNAL", false),
    ("accept", "PROPOSED", "ACCEPTED", false),
    ("revise", "PROPOSED", "NEEDS_REVISION", false),
    ("settle", "PROPOSED", "ACCEPTED", true),
    ("settle", "NEEDS_REVISION", "ACCEPTED", true),
    ("overrule", "PROPOSED", "NEEDS_REVISION", true),
    ("overrule", "ACCEPTED", "NEEDS_REVISION", true),
    ("incorporate", "ACCEPTED", "RESOLVED", false),
    ("reopen", "ACCEPTED", "NEEDS_REVISION", false),
    ("reopen", "RESOLVED", "NEEDS_REVISION", false),
    ("reopen", "WONT_FIX", "OPEN", true),
    ("give_input", "BLOCKED_EXTERNAL", "OPEN", true),
    ("defer", "OPEN", "USER_DEFERRED", true),
    ("defer", "IN_PROGRESS", "USER_DEFERRED", true),
    ("defer", "PROPOSED", "USER_DEFERRED", true),
    ("defer", "NEEDS_REVISION", "USER_DEFERRED", true),
    ("defer", "BLOCKED_EXTERNAL", "USER_DEFERRED", true),
    ("resume", "USER_DEFERRED", "OPEN", true),
    ("close", "OPEN", "WONT_FIX", true),
    ("close", "IN_PROGRESS", "WONT_FIX", true),
    ("close", "PROPOSED", "WONT_FIX", true),
    ("close", "NEEDS_REVISION", "WONT_FIX", true),
    ("close", "BLOCKED_EXTERNAL", "WONT_FIX", true),
    ("close", "USER_DEFERRED", "WONT_FIX", true),
    ("close", "ACCEPTED", "WONT_FIX", true),
    ("split", "OPEN", "SUPERSEDED", true),
    ("split", "IN_PROGRESS", "SUPERSEDED", true),
    ("split", "PROPOSED", "SUPERSEDED", true),
    ("split", "NEEDS_REVISION", "SUPERSEDED", true),
];

const NAME: &str = "gaps";

impl Checker {
    /// True where the look at the refined spec before the end found what the gap claims to have settled.
    fn is_unsettled(&self, gap: &str) -> bool {
        let said = [
            "its changes no longer fit",
            "the passage that opened the gap",
        ];
        let mut issues = self.model.issues.values();
        issues.any(|issue| {
            issue.gap == gap
                && issue.state == "OPEN"
                && said.iter().any(|begin| issue.summary.starts_with(begin))
        })
    }

    pub(super) fn gap_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        let body = entry.body;
        if event == "created" {
            return self.gap_created(&body["gap"], entry);
        }
        let id = text(body, "id").to_owned();
        let Some(gap) = self.model.gaps.get(&id).cloned() else {
            return violated(NAME, format!("{event} of {id}, which is not known"));
        };
        match event {
            "moved" => return self.gap_moved(&id, &gap, entry),
            "obligations_met" => return self.obligations_met(&id, &gap, entry),
            "severity_changed" => self.severity_changed(&id, &gap, entry)?,
            _ => {}
        }
        let round = self.model.round;
        if let Some(gap) = self.model.gaps.get_mut(&id) {
            match event {
                "proposed" => {
                    gap.has_proposal = true;
                    gap.proposal = text(&entry.body["proposal"], "section").to_owned();
                    gap.is_default = entry.body["proposal"]["default"].is_string();
                    gap.has_word = false;
                }
                "reviewed" => gap.reviewed_in = Some(round),
                "severity_changed" => {
                    gap.severity = text(body, "to").to_owned();
                    gap.was_critical |= gap.severity == "CRITICAL";
                    gap.severity_by_user |= body["by_user"] == true;
                }
                "dependency_changed" => {
                    gap.blocked_by = strings(&body["blocked_by"]).into_iter().collect()
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn gap_created(&mut self, new: &Value, entry: &Entry) -> Verdict {
        let id = text(new, "id").to_owned();
        ensure(self.kept.gap_ids.insert(id.clone()), "ids", || {
            format!("{id} is issued twice")
        })?;
        let description = text(new, "description").to_lowercase();
        let mut gap = Gap {
            description: description.trim_end_matches(['.', ' ']).to_owned(),
            state: "OPEN".to_owned(),
            before: "OPEN".to_owned(),
            severity: text(new, "severity").to_owned(),
            was_critical: text(new, "severity") == "CRITICAL",
            blocked_by: strings(&new["blocked_by"]).into_iter().collect(),
            ..Gap::default()
        };
        let parent = new["origin"]["parent"].as_str();
        gap.parent = parent.map(str::to_owned);
        if let Some(parent) = parent {
            ensure(entry.by_user(), NAME, || {
                format!("{id} was split off without a user")
            })?;
            let Some(parent) = self.model.gaps.get(parent) else {
                return violated(NAME, format!("{id} is split from nothing"));
            };
            ensure(parent.severity == gap.severity, NAME, || {
                format!("{id} has not its parent's severity")
            })?;
            ensure(parent.blocked_by == gap.blocked_by, NAME, || {
                format!("{id} waits on others than its parent")
            })?;
            gap.severity_by_user = parent.severity_by_user;
            gap.was_critical |= parent.was_critical;
            gap.obligations.clone_from(&parent.obligations);
        } else if self.kept.limits.is_some() {
            let created = (id.clone(), gap.severity.clone());
            self.model.tally.created.push(created);
        }
        self.model.gaps.insert(id, gap);
        Ok(())
    }

    fn gap_moved(&mut self, id: &str, gap: &Gap, entry: &Entry) -> Verdict {
        let body = entry.body;
        let (by, from, to) = legal_move(NAME, &TABLE, id, &gap.state, entry)?;
        let moved = format!("{by}: {from} -> {to}");
        self.coverage.reach("gap move", &moved);
        if by == "return" {
            ensure(to == gap.before, NAME, || {
                format!("{id} goes back to {to}, not to {}", gap.before)
            })?;
        }
        if matches!(to, "USER_DEFERRED" | "WONT_FIX") {
            ensure(!text(body, "reason").is_empty(), "authority", || {
                format!("{id} is {to} without a reason")
            })?;
        }
        self.check_condition(id, gap, entry)?;
        self.count_move(id, from, to);
        let round = self.model.round;
        if let Some(gap) = self.model.gaps.get_mut(id) {
            if by == "assign" {
                gap.before = from.to_owned();
                gap.assigned_at = entry.seq;
            }
            if to == "ACCEPTED" {
                gap.accepted_in = Some(round);
            }
            gap.state = to.to_owned();
        }
        Ok(())
    }

    /// The `when` column of the lifecycle.
    fn check_condition(&self, id: &str, gap: &Gap, entry: &Entry) -> Verdict {
        let (round, held) = (self.model.round, self.model.is_held(gap));
        let reviewed = gap.reviewed_in == Some(round);
        match text(entry.body, "by") {
            "accept" | "settle" if gap.is_default && !gap.has_word => violated(
                "authority",
                format!("{id} is accepted, a default without the user's word"),
            ),
            "accept" => ensure(reviewed && !held, NAME, || {
                format!("{id} accepted, reviewed {reviewed}, held {held}")
            }),
            "revise" => ensure(reviewed && held, NAME, || {
                format!("{id} sent back, reviewed {reviewed}, held {held}")
            }),
            "settle" => ensure(!held && gap.has_proposal, NAME, || {
                format!("{id} settled while held {held}")
            }),
            "overrule" => ensure(held, NAME, || {
                format!("{id} overruled, and nothing is to be carried out")
            }),
            "propose" => ensure(gap.has_proposal, NAME, || {
                format!("{id} proposed without a proposal")
            }),
            "incorporate" if !entry.by_user() => {
                let later = gap.accepted_in.is_some_and(|accepted| accepted < round);
                ensure(later && !held, NAME, || {
                    format!("{id} incorporated in the round it was accepted, or held {held}")
                })
            }
            "reopen" if !entry.by_user() => ensure(held || self.is_unsettled(id), NAME, || {
                format!("{id} reopened without a grave issue")
            }),
            _ => Ok(()),
        }
    }

    /// Counts a move for the tally of the round. A reopened gap weighs as new where its closing had counted.
    fn count_move(&mut self, id: &str, from: &str, to: &str) {
        let closes = matches!(to, "ACCEPTED" | "RESOLVED" | "WONT_FIX") && !is_closed(from);
        let reopens = is_closed(from) && is_open(to);
        if let Some(gap) = self.model.gaps.get_mut(id) {
            gap.state = to.to_owned();
        }
        match root_of(id) {
            None if closes && is_open(from) => _ = self.count(id),
            Some(root) if closes => self.count_child(root),
            root if reopens => self.uncount(root.unwrap_or(id)),
            _ => {}
        }
    }

    /// Counts a gap as resolved; false where it was counted before.
    fn count(&mut self, id: &str) -> bool {
        let gap = self.model.gaps.get_mut(id).filter(|gap| !gap.counted);
        let Some(gap) = gap else {
            return false;
        };
        gap.counted = true;
        let resolved = (id.to_owned(), gap.severity.clone());
        self.model.tally.resolved.push(resolved);
        true
    }

    /// A split gap counts as resolved once, when the last of its parts closes; until then the round is not flat.
    fn count_child(&mut self, root: &str) {
        let is_closed = |part: &Gap| is_closed(&part.state);
        let counted = self.model.family(root).all(is_closed) && self.count(root);
        if !counted && self.model.gaps.contains_key(root) {
            self.model.tally.part_of_split = true;
        }
    }

    fn uncount(&mut self, id: &str) {
        if let Some(gap) = self.model.gaps.get_mut(id).filter(|gap| gap.counted) {
            gap.counted = false;
            let reopened = (id.to_owned(), gap.severity.clone());
            self.model.tally.reopened.push(reopened);
        }
    }

    fn severity_changed(&self, id: &str, gap: &Gap, entry: &Entry) -> Verdict {
        let (from, to) = (text(entry.body, "from"), text(entry.body, "to"));
        ensure(from == gap.severity, NAME, || {
            format!("{id} changes from {from}, but it is {}", gap.severity)
        })?;
        if entry.body["by_user"] == true {
            return entry.needs_user(|| format!("{id}: severity set by nobody"));
        }
        let raised = weight(to) > weight(from);
        ensure(raised && !gap.severity_by_user, "authority", || {
            format!(
                "{id}: {from} to {to} by the Reviewer (the user's: {})",
                gap.severity_by_user
            )
        })
    }

    fn obligations_met(&mut self, id: &str, gap: &Gap, entry: &Entry) -> Verdict {
        for decision in strings(&entry.body["decisions"]) {
            let Some(recorded) = gap.obligations.get(&decision) else {
                return violated(
                    NAME,
                    format!("{id} carries out {decision}, which does not bind it"),
                );
            };
            ensure(*recorded < gap.assigned_at, NAME, || {
                format!("{id} carries out {decision}, which is younger than its proposal")
            })?;
            ensure(!self.is_raised_again(&decision), NAME, || {
                format!("{id} carries out {decision}, and its review raises that again")
            })?;
            if let Some(gap) = self.model.gaps.get_mut(id) {
                gap.obligations.remove(&decision);
            }
        }
        Ok(())
    }

    /// True where a valid review of this round raises the issue of a decision again.
    fn is_raised_again(&self, decision: &str) -> bool {
        let decided = self.model.decisions.get(decision);
        let Some(issue) = decided.and_then(|decided| decided.issue.as_deref()) else {
            return false;
        };
        let known = self.model.issues.get(issue);
        let summary = known.map_or("", |issue| issue.summary.as_str());
        let own = known.map_or("", |issue| issue.gap.as_str());
        let reviews = self.model.valid("reviewer");
        let mut raised = reviews.flat_map(|slot| list(&slot.reading["issues"]));
        // Other words under the same id are another issue.
        raised.any(|raised| {
            text(raised, "written_id") == issue
                && text(&raised["concern"], "summary") == summary
                && (raised["gap"].is_null() || text(raised, "gap") == own)
                && raised["withdrawn"] != true
        })
    }

    pub(super) fn decision_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        if event == "lifted" {
            return self.decision_lifted(text(entry.body, "id"));
        }
        let decision = &entry.body["decision"];
        let id = text(decision, "id").to_owned();
        ensure(self.kept.decision_ids.insert(id.clone()), "ids", || {
            format!("{id} is issued twice")
        })?;
        entry.needs_user(|| format!("{id} was decided by nobody"))?;
        self.decision_kept(decision)?;
        for gap_id in strings(&decision["gaps"]) {
            let Some(gap) = self.model.gaps.get_mut(&gap_id) else {
                return violated(NAME, format!("{id} binds {gap_id}, which is not known"));
            };
            if decision["obliges"] == true {
                ensure(gap.state != "SUPERSEDED", NAME, || {
                    format!("{id} obliges {gap_id}, which was split")
                })?;
                gap.obligations.insert(id.clone(), entry.seq);
            }
        }
        Ok(())
    }
}
