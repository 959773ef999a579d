//! Checks questions: each asked once under its own id, none twice at a time, answered only while it waits.

use serde_json::Value;

use super::model::is_open;
use super::question_options::OPTIONS;
use super::{Checker, Entry, Verdict, ensure, is_grave, list, strings, text, violated, weight};

const NAME: &str = "questions";

/// Options that lead to another try, which a round allows once.
fn is_once_a_round(kind: &str, option: &str) -> bool {
    match kind {
        "escalation" => matches!(option, "context" | "narrow" | "reassign" | "best"),
        "both_empty" => matches!(option, "retry" | "human"),
        "rate_limit" => option == "revise",
        _ => false,
    }
}

/// The options that a question offers.
fn labels(question: &Value) -> impl Iterator<Item = &str> {
    list(&question["options"]).map(|option| text(option, "label"))
}

impl Checker {
    /// Undecided conflicts with their severity.
    pub(super) fn conflicts(&self) -> Vec<(String, String)> {
        let pending = self.model.questions.iter();
        pending
            .filter(|(_, question)| question["about"]["kind"] == "conflict")
            .map(|(id, question)| (id.clone(), text(question, "severity").to_owned()))
            .collect()
    }

    /// Questions on grave flags and on decided matters that wait.
    pub(super) fn grave_flags(&self) -> Vec<String> {
        let pending = self.model.questions.iter();
        let grave = pending.filter(|(_, question)| {
            let kind = text(&question["about"], "kind");
            matches!(
                kind,
                "implicit_disagreement" | "systematic_concern" | "decided_matter"
            ) && is_grave(text(question, "severity"))
        });
        grave.map(|(id, _)| id.clone()).collect()
    }

    /// A stop that waits names exactly the CRITICAL and HIGH gaps that are left.
    pub(super) fn check_stops(&self) -> Verdict {
        let left = self.left().into_iter();
        let grave = left.filter(|(_, severity)| is_grave(severity));
        let left: Vec<&str> = grave.map(|(id, _)| id).collect();
        for (id, question) in &self.model.questions {
            if question["about"]["kind"] != "stop" {
                continue;
            }
            let names = list(&question["fields"]).map(|field| text(field, "name"));
            let mut named: Vec<&str> = names.filter(|name| name.starts_with("GAP-")).collect();
            named.sort_unstable();
            ensure(named == left, NAME, || {
                format!("{id} asks to accept {named:?}, and {left:?} are left")
            })?;
        }
        Ok(())
    }

    pub(super) fn question_event(&mut self, event: &str, entry: &Entry) -> Verdict {
        match event {
            "asked" => return self.question_asked(entry),
            "renewed" => return self.question_renewed(entry),
            _ => {}
        }
        let id = text(entry.body, "id");
        // A question that is to be asked again can be answered before it is.
        let to_renew = match event {
            "answered" => self.model.to_renew.remove(id),
            _ => None,
        };
        let Some(question) = self.model.questions.remove(id).or(to_renew) else {
            return violated(NAME, format!("{id} was {event}, and it does not wait"));
        };
        self.note_contradictions();
        match event {
            "answered" => self.question_answered(id, question, entry),
            _ => self.question_withdrawn(id, question, entry),
        }
    }

    fn question_answered(&mut self, id: &str, question: Value, entry: &Entry) -> Verdict {
        entry.needs_user(|| format!("{id} was answered by nobody"))?;
        let answer = entry.body["answer"].clone();
        self.check_answer_said(id, &answer)?;
        let (kind, option) = (text(&question["about"], "kind"), text(&answer, "option"));
        let offered = labels(&question).any(|label| label == option);
        ensure(offered, NAME, || format!("{id} was answered with {option}"))?;
        self.coverage.reach("answer", &format!("{kind}: {option}"));
        if kind == "stop" && option == "accept" {
            self.check_accepted(id, &question)?;
        }
        let role = text(&question["about"]["slot"], "role");
        match text(&answer, "by") {
            "policy" => self.check_policy(kind, role)?,
            _ => self.kept.rounds_without_gain = 0,
        }
        if kind == "broken_agent" {
            ensure(text(&answer, "by") == "user", "authority", || {
                format!("{id} was answered by a policy")
            })?;
            if option == "go_on" {
                self.model.goes_on.insert(role.to_owned());
            }
        }
        if kind == "both_empty" && !is_once_a_round(kind, option) && option != "pause" {
            self.model.emptiness_settled = true;
        }
        self.model.asked_about_engineer |= match kind {
            "escalation" => role == "engineer",
            "rollback" => option == "cancel",
            _ => false,
        };
        if is_once_a_round(kind, option) {
            let whose = if kind == "escalation" { role } else { kind };
            let taken = (whose.to_owned(), option.to_owned());
            ensure(self.model.escalated.insert(taken), "bounds", || {
                format!("{option} was taken twice for the {whose} in one round")
            })?;
        }
        self.turn.answer = Some((question, answer));
        Ok(())
    }

    fn question_withdrawn(&mut self, id: &str, question: Value, entry: &Entry) -> Verdict {
        let why = text(entry.body, "why");
        ensure(!why.is_empty(), NAME, || {
            format!("{id} was withdrawn without a reason")
        })?;
        if entry.body["to_renew"] == true {
            self.model.to_renew.insert(id.to_owned(), question);
        }
        Ok(())
    }

    /// Asked only where neither role has anything, some gap is as open as before, and the user hasn't decided how to go on;
    /// options that were taken before in this round aren't offered again.
    fn check_emptiness(&self, question: &Value) -> Verdict {
        let model = &self.model;
        let valid = |role| model.valid(role).next().is_some();
        let mut assigned = model.slots_of("engineer").flat_map(|slot| &slot.gaps);
        let left = assigned.any(|id| matches!(model.gap_state(id), "OPEN" | "NEEDS_REVISION"));
        let fits = !valid("engineer") && !valid("reviewer") && left && !model.emptiness_settled;
        ensure(fits, NAME, || {
            format!("both empty with {:?}, left {left}", model.slots)
        })?;
        for option in labels(question) {
            let taken = ("both_empty".to_owned(), option.to_owned());
            ensure(!model.escalated.contains(&taken), "bounds", || {
                format!("{option} is offered a second time")
            })?;
        }
        Ok(())
    }

    /// Engineers are asked about an issue again once in a round, however many of them have its gap.
    pub(super) fn check_asked_again(&mut self, again: &Value) -> Verdict {
        if !matches!(text(again, "kind"), "unanswered" | "disagree") {
            return Ok(());
        }
        for issue in strings(&again["issues"]) {
            let turn = self.turn_first;
            let first = *self.model.asked_again.entry(issue.clone()).or_insert(turn);
            ensure(first == turn, "bounds", || {
                format!("{issue} is asked about again a second time in one round")
            })?;
        }
        Ok(())
    }

    /// What is decided is not asked about again as if it were not: no conflict on it, and no way to decide or waive it.
    fn check_issues_asked_about(&self, question: &Value) -> Verdict {
        let about = &question["about"];
        let kind = text(about, "kind");
        let one = about["issue"].as_str().map(str::to_owned);
        let issues = strings(&about["issues"]).into_iter().chain(one);
        for id in issues {
            let state = self.model.issue_state(&id);
            let stands = matches!(state, "OPEN" | "ANSWERED");
            let fits = match kind {
                "decided_matter" => matches!(state, "DECIDED" | "WAIVED"),
                // What agents have settled since is put with a way to say so.
                "implicit_disagreement" if state == "CLOSED" => {
                    labels(question).any(|label| label == "settled")
                }
                "implicit_disagreement" | "systematic_concern" => {
                    let decides = |label: &str| matches!(label, "convert" | "waive" | "disagree");
                    stands || (state == "DECIDED" && !labels(question).any(decides))
                }
                _ => stands,
            };
            ensure(fits, NAME, || {
                format!("{kind} asks about {id}, which is {state:?}")
            })?;
            // What is settled since is asked about in the next round only.
            let settled_since = labels(question).any(|label| label == "settled");
            let again = labels(question).any(|label| matches!(label, "again" | "disagree"));
            let again = again && !settled_since;
            let asked = self.model.asked_again.contains_key(&id);
            ensure(!asked || !again, "bounds", || {
                format!("{id} is offered to be asked about a second time in one round")
            })?;
        }
        Ok(())
    }

    /// Which gaps the user was asked about for contradicting a decision.
    fn note_contradictions(&mut self) {
        let pending = self.model.questions.values();
        let asked = pending.map(|question| &question["about"]);
        let asked = asked.filter(|about| about["kind"] == "contradiction");
        let asked: Vec<String> = asked.map(|about| text(about, "gap").to_owned()).collect();
        for (id, gap) in &mut self.model.gaps {
            gap.contradicts = asked.contains(id);
        }
    }

    /// What a divergence suggests to defer leaves the session able to end as COMPLETE, and is little of what is open.
    fn check_suggested(&self, id: &str, question: &Value) -> Verdict {
        let suggested = question["fields"][0]["suggested"].as_str();
        let suggested: Vec<&str> = suggested.map_or(Vec::new(), |gaps| gaps.split(", ").collect());
        if suggested.is_empty() {
            return Ok(());
        }
        let gaps = &self.model.gaps;
        let open = gaps.values().filter(|gap| is_open(&gap.state)).count();
        let deferred = gaps.values().filter(|gap| gap.state == "USER_DEFERRED");
        let more = suggested.iter().filter_map(|gap| gaps.get(*gap));
        let all = deferred.chain(more.clone());
        let total: i64 = all.map(|gap| weight(&gap.severity)).sum();
        let lesser = more.filter(|gap| is_open(&gap.state) && !is_grave(&gap.severity));
        let fits = total <= 4 && suggested.len() * 3 <= open && lesser.count() == suggested.len();
        ensure(fits, NAME, || {
            format!("{id} suggests to defer {suggested:?} of {open} open gaps, weight {total}")
        })
    }

    /// A user who accepts the gaps that are left has seen all of them: the answered question lists every one.
    fn check_accepted(&self, id: &str, question: &Value) -> Verdict {
        let seen = strings(&question["accepts"]);
        self.left().into_iter().try_for_each(|(gap, _)| {
            ensure(seen.iter().any(|seen| seen == gap), "authority", || {
                format!("{id} was accepted, and does not list {gap}")
            })
        })
    }

    /// A question keeps its id only where an answer to it means the same as before.
    fn question_renewed(&mut self, entry: &Entry) -> Verdict {
        let question = &entry.body["question"];
        let id = text(question, "id").to_owned();
        let Some(before) = self.model.to_renew.remove(&id) else {
            return violated(
                NAME,
                format!("{id} is asked again, and was not withdrawn for that"),
            );
        };
        let about = &question["about"];
        let alike = before["about"] == *about && before["accepts"] == question["accepts"];
        ensure(alike, NAME, || {
            format!("{id} asks something else than before: {about}")
        })?;
        self.question_comes_up(id, question)
    }

    fn question_asked(&mut self, entry: &Entry) -> Verdict {
        let question = &entry.body["question"];
        let id = text(question, "id").to_owned();
        let number: u32 = id.trim_start_matches("Q-").parse().unwrap_or(0);
        ensure(number == self.kept.last_question + 1, "ids", || {
            format!("{id} follows on {}", self.kept.last_question)
        })?;
        self.kept.last_question = number;
        for before in strings(&question["replaces"]) {
            self.model.to_renew.remove(&before);
        }
        self.question_comes_up(id, question)
    }

    fn question_comes_up(&mut self, id: String, question: &Value) -> Verdict {
        let about = &question["about"];
        // However grave the raise, there is one question on a gap's severity at a time.
        let same = |other: &Value| {
            ["kind", "gap", "issue", "issues", "slot", "decision"]
                .iter()
                .all(|key| other[*key] == about[*key])
        };
        let mut pending = self.model.questions.iter();
        if let Some((other, _)) = pending.find(|(_, other)| same(&other["about"])) {
            return violated(NAME, format!("{id} asks what {other} asks: {about}"));
        }
        let kind = text(about, "kind");
        let known = OPTIONS.iter().find(|(name, _)| *name == kind);
        let known = known.map_or(&[][..], |(_, options)| *options);
        if kind == "round_limit" {
            let due = !self.model.final_reviewed && self.check_otherwise_complete().is_ok();
            ensure(
                !due,
                "ends",
                || "the round limit is asked about before the final review",
            )?;
        }
        if kind == "both_empty" {
            self.check_emptiness(question)?;
        }
        if kind == "divergence" {
            self.check_suggested(&id, question)?;
        }
        if matches!(kind, "escalation" | "agent_cannot_run" | "broken_agent") {
            self.check_broken(kind, text(&about["slot"], "role"))?;
        }
        self.check_rollbacks_left(kind)?;
        self.check_issues_asked_about(question)?;
        let mut options = list(&question["options"]);
        let any = options.clone().next().is_some();
        let strange = options.find(|choice| !known.contains(&text(choice, "label")));
        ensure(strange.is_none() && any, NAME, || {
            format!("{id} ({kind}) has the option {strange:?}")
        })?;
        self.model.questions.insert(id, question.clone());
        self.note_contradictions();
        let most = self.model.gaps.len() + self.model.issues.len() + 5;
        let pending = self.model.questions.len();
        ensure(pending <= most, "bounds", || {
            format!("{pending} questions wait")
        })
    }
}
