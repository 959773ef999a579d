//! Checks the issue ledger against section 3 of the design.

use super::model::Issue;
use serde_json::Value;

use super::{
    Checker, Entry, Verdict, ensure, is_grave, legal_move, number, text, violated, weight,
};

/// (move, from, to) and whether only the user makes it.
pub const TABLE: [(&str, &str, &str, bool); 14] = [
    ("answer", "OPEN", "ANSWERED", false),
    ("close", "ANSWERED", "CLOSED", false),
    ("raise_again", "ANSWERED", "OPEN", false),
    ("withdraw", "OPEN", "WITHDRAWN", false),
    ("withdraw", "ANSWERED", "WITHDRAWN", false),
    ("decide", "OPEN", "DECIDED", true),
    ("decide", "ANSWERED", "DECIDED", true),
    ("waive", "OPEN", "WAIVED", true),
    ("waive", "ANSWERED", "WAIVED", true),
    ("moot", "OPEN", "MOOT", false),
    ("moot", "ANSWERED", "MOOT", false),
    ("reopen", "CLOSED", "OPEN", true),
    ("reopen", "DECIDED", "OPEN", true),
    ("reopen", "WAIVED", "OPEN", true),
];

const NAME: &str = "issues";

/// How many settled issues a gap remembers.
const SETTLED_KEPT: usize = 8;

impl Checker {
    pub(super) fn issue_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        let body = entry.body;
        let id = text(body, "id").to_owned();
        if event == "raised" {
            return self.issue_raised(id, entry);
        }
        let Some(issue) = self.model.issues.get(&id).cloned() else {
            return violated(NAME, format!("{event} of {id}, which is not known"));
        };
        let round = self.model.round;
        match event {
            "moved" => self.issue_moved(&id, &issue, entry)?,
            "copied" => {
                let to = text(body, "to");
                let Some(gap) = self.model.gaps.get_mut(to) else {
                    return violated(NAME, format!("{id} is copied to {to}, which is not known"));
                };
                gap.issues.insert(id);
            }
            "severity_changed" => {
                entry.needs_user(|| format!("{id} was given another severity by nobody"))?;
                if let Some(issue) = self.model.issues.get_mut(&id) {
                    issue.severity = text(body, "to").to_owned();
                    issue.severity_by_user = true;
                }
            }
            "restated" => self.issue_restated(&id, &issue, &body["concern"])?,
            "flagged" => self.issue_flagged(&id, &issue, &body["flag"])?,
            "flags_judged" => {
                entry.needs_user(|| format!("the flags of {id} were judged by nobody"))?;
            }
            _ => {
                if let Some(issue) = self.model.issues.get_mut(&id) {
                    issue.answered_in = Some(round);
                }
            }
        }
        Ok(())
    }

    /// An issue that is raised again may get graver, unless the user set its severity.
    fn issue_restated(&mut self, id: &str, issue: &Issue, concern: &Value) -> Verdict {
        let severity = text(concern, "severity").to_owned();
        let same = severity == issue.severity;
        ensure(same || !issue.severity_by_user, "authority", || {
            format!("{id} is restated as {severity} against the user's word")
        })?;
        let graver = weight(&severity) > weight(&issue.severity);
        ensure(same || graver, NAME, || {
            let before = &issue.severity;
            format!("{id} is restated as {severity}, less grave than {before}")
        })?;
        if let Some(issue) = self.model.issues.get_mut(id) {
            issue.severity = severity;
            issue.summary = text(concern, "summary").to_owned();
            issue.users |= concern["settled_by_user"] == true;
        }
        Ok(())
    }

    /// Only these are flagged: grave open issues of earlier rounds that an Engineer had to answer, decided ones that it had to
    /// carry out, and issues that a review ignored when it closed their gap.
    fn issue_flagged(&mut self, id: &str, issue: &Issue, flag: &Value) -> Verdict {
        let heuristic = text(flag, "heuristic");
        self.coverage.reach("flag", heuristic);
        ensure(
            number(flag, "round") == i64::from(self.model.round),
            NAME,
            || format!("{id} is flagged for round {}", flag["round"]),
        )?;
        let stands = matches!(issue.state.as_str(), "OPEN" | "ANSWERED");
        let owed = issue.state == "DECIDED" && heuristic != "H6";
        let written = self.model.valid("engineer").next().is_some();
        // What only the user settles no proposal answers; once it is decided, it is to be carried out like the rest.
        let to_meet = (stands && !issue.users) || owed;
        let fits = is_grave(&issue.severity) && to_meet;
        ensure(fits && (written || heuristic == "H6"), NAME, || {
            format!(
                "{id} is {} and {}, and flagged",
                issue.severity, issue.state
            )
        })
    }

    fn issue_raised(&mut self, id: String, entry: &Entry) -> Verdict {
        ensure(self.kept.issue_ids.insert(id.clone()), "ids", || {
            format!("{id} is issued twice")
        })?;
        ensure(!entry.by_user(), NAME, || {
            format!("{id} was raised by a user")
        })?;
        let gap_id = text(entry.body, "gap");
        let Some(gap) = self.model.gaps.get_mut(gap_id) else {
            return violated(NAME, format!("{id} binds to {gap_id}, which is not known"));
        };
        ensure(gap.state != "SUPERSEDED", NAME, || {
            format!("{id} binds to {gap_id}, which was split")
        })?;
        gap.issues.insert(id.clone());
        self.turn.raised += 1;
        let concern = &entry.body["concern"];
        let issue = Issue {
            state: "OPEN".to_owned(),
            severity: text(concern, "severity").to_owned(),
            users: concern["settled_by_user"] == true,
            gap: gap_id.to_owned(),
            summary: text(concern, "summary").to_owned(),
            ..Issue::default()
        };
        self.model.issues.insert(id, issue);
        Ok(())
    }

    /// A settled issue that is reopened is open again on every gap that it was settled on.
    fn restore_to_gaps(&mut self, id: &str, raised_on: &str) {
        let mut restored = false;
        for gap in self.model.gaps.values_mut() {
            let settled = gap.settled.iter().any(|settled| settled == id);
            if settled && gap.state != "SUPERSEDED" {
                restored = true;
                gap.settled.retain(|settled| settled != id);
                gap.issues.insert(id.to_owned());
            }
        }
        if !restored && let Some(gap) = self.model.gaps.get_mut(raised_on) {
            gap.settled.retain(|settled| settled != id);
            gap.issues.insert(id.to_owned());
        }
    }

    fn issue_moved(&mut self, id: &str, issue: &Issue, entry: &Entry) -> Verdict {
        let (by, from, to) = legal_move(NAME, &TABLE, id, &issue.state, entry)?;
        let moved = format!("{by}: {from} -> {to}");
        self.coverage.reach("issue move", &moved);
        ensure(!issue.users || by != "answer", "authority", || {
            format!("{id} is answered, and only the user settles it")
        })?;
        if issue.users && matches!(by, "decide" | "waive") {
            let gaps = self.model.gaps.values_mut();
            for gap in gaps.filter(|gap| gap.issues.contains(id)) {
                gap.has_word = true;
            }
        }
        self.check_move_has_reason(id, issue, by)?;
        if let Some(issue) = self.model.issues.get_mut(id) {
            issue.state = to.to_owned();
        }
        if by == "reopen" {
            self.restore_to_gaps(id, &issue.gap);
        } else if !matches!(to, "OPEN" | "ANSWERED") {
            self.move_to_settled(id);
        }
        Ok(())
    }

    /// An issue is closed by a review of its gap, moot once its gap is closed, and answered by an answer.
    fn check_move_has_reason(&self, id: &str, issue: &Issue, by: &str) -> Verdict {
        let round = Some(self.model.round);
        let gaps = self.model.gaps.values();
        let mut own = gaps.filter(|gap| gap.issues.contains(id));
        match by {
            "close" => ensure(own.any(|gap| gap.reviewed_in == round), NAME, || {
                format!("{id} is closed, and no review named its gap")
            }),
            "moot" => ensure(own.any(|gap| gap.state == "WONT_FIX"), NAME, || {
                format!("{id} is moot, and its gap was not closed by the user")
            }),
            "answer" => ensure(issue.answered_in == round, NAME, || {
                format!("{id} is answered without an answer")
            }),
            _ => Ok(()),
        }
    }

    /// A settled issue is no longer open on any gap; each gap remembers the newest of them.
    fn move_to_settled(&mut self, id: &str) {
        for gap in self.model.gaps.values_mut() {
            if gap.issues.remove(id) {
                gap.settled.push(id.to_owned());
                let surplus = gap.settled.len().saturating_sub(SETTLED_KEPT);
                gap.settled.drain(..surplus);
            }
        }
    }
}
