//! What really became of the planted concerns. It is kept from the documents that the session took and from what the user did
//! to what they were shown; the states of gaps and issues are never read.

mod checks;

use std::collections::{BTreeMap, BTreeSet};

use gapless_store::Row;
use serde_json::Value;

use super::concerns::{Concerns, LIGHT_WORDINGS};
use super::documents::{self, Raised};
use crate::Verdict;
use crate::check::{number, strings, text, weight};

/// What became of a concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Fate {
    #[default]
    Unraised,
    Open,
    /// A document that the session took settles it in substance, or the user says so.
    Answered,
    /// The Reviewer took it back in words.
    Withdrawn,
    /// The user decided it, waived it or closed it.
    ByUser,
}

#[derive(Debug, Clone, Default)]
struct Planted {
    fate: Fate,
    /// The gravest severity that a document gives it.
    stated: String,
    /// What the user calls it.
    set: Option<String>,
    decision: Option<Decided>,
    /// The gaps that it was raised on.
    gaps: BTreeSet<String>,
    /// The kinds of words in which the user has settled it.
    settled_as: BTreeSet<usize>,
    /// What became of it, by the rows that say so.
    history: Vec<String>,
}

impl Planted {
    fn severity(&self) -> &str {
        self.set.as_deref().unwrap_or(&self.stated)
    }
}

/// A decision between the two positions on a concern.
#[derive(Debug, Clone)]
pub struct Decided {
    pub id: String,
    pub chosen: String,
    pub gap: String,
    /// It was decided in words that every light wording agrees with.
    light: bool,
    /// The issues that had been raised by then.
    known: Vec<String>,
    /// The user says that a proposal which seems to contradict it goes with it.
    reconciled: bool,
}

/// The light wordings are of one kind, every other one is of its own.
fn kind_of(wording: usize) -> usize {
    if wording < LIGHT_WORDINGS { 0 } else { wording }
}

#[derive(Debug, Clone, Default)]
pub struct Truth {
    pub concerns: Concerns,
    planted: Vec<Planted>,
    /// What the user and the agents are shown of each issue and each gap.
    issues: BTreeMap<String, String>,
    gaps: BTreeMap<String, Vec<String>>,
    questions: BTreeMap<String, Value>,
    /// Every decision between two positions, with its concern.
    decisions: Vec<(String, usize)>,
    /// What is to be carried out on each gap: the decision and its words.
    obligations: BTreeMap<String, Vec<(String, String)>>,
    /// The Analyst's document.
    analysis: String,
    /// The row under way.
    row: String,
}

impl Truth {
    pub fn new(concerns: Concerns) -> Self {
        Self {
            planted: vec![Planted::default(); concerns.len()],
            concerns,
            row: "the source".to_owned(),
            ..Self::default()
        }
    }

    /// Concerns that nobody has raised yet.
    pub fn unraised(&self) -> Vec<usize> {
        self.with_fate(Fate::Unraised)
    }

    /// Concerns that were raised and that nobody has settled.
    pub fn open(&self) -> Vec<usize> {
        self.with_fate(Fate::Open)
    }

    fn with_fate(&self, fate: Fate) -> Vec<usize> {
        let all = 0..self.concerns.len();
        all.filter(|number| self.planted[*number].fate == fate)
            .collect()
    }

    /// Concerns that the user decided on a gap, with the decision.
    pub fn decided_on(&self, gap: &str) -> Vec<(usize, &Decided)> {
        let all = self.planted.iter().enumerate();
        let by_user = all.filter(|(_, planted)| planted.fate == Fate::ByUser);
        by_user
            .filter_map(|(number, planted)| Some((number, planted.decision.as_ref()?)))
            .filter(|(_, decided)| decided.gap == gap)
            .collect()
    }

    /// The decisions that are to be carried out on a gap, with their words.
    pub fn obligations_on(&self, gap: &str) -> &[(String, String)] {
        self.obligations.get(gap).map_or(&[], Vec::as_slice)
    }

    fn raise(&mut self, raised: &[Raised]) {
        for raised in raised {
            let Some(planted) = self.planted.get_mut(raised.concern) else {
                continue;
            };
            // What the user has settled in such words stays settled.
            let settled = planted.settled_as.contains(&kind_of(raised.wording));
            if settled && planted.fate != Fate::Open {
                planted.fate = Fate::ByUser;
            }
            let graver = weight(&raised.severity) > weight(&planted.stated);
            if planted.fate != Fate::Open || graver {
                planted.stated = raised.severity.clone();
            }
            if planted.fate != Fate::ByUser {
                planted.fate = Fate::Open;
            }
            let raised = format!("{}: raised as {}", self.row, raised.severity);
            planted.history.push(raised);
        }
    }

    fn reopen(&mut self, numbers: Vec<usize>) {
        for number in numbers {
            let planted = &mut self.planted[number];
            planted.fate = Fate::Open;
            planted.history.push(format!("{}: reopened", self.row));
        }
    }

    fn set(&mut self, numbers: Vec<usize>, severity: &str) {
        for number in numbers {
            let planted = &mut self.planted[number];
            planted.set = Some(severity.to_owned());
            let set = format!("{}: set to {severity}", self.row);
            planted.history.push(set);
        }
    }

    fn settle(&mut self, numbers: Vec<usize>, fate: Fate) {
        for number in numbers {
            let planted = &mut self.planted[number];
            let open = matches!(planted.fate, Fate::Open | Fate::Answered);
            if open || (fate == Fate::ByUser && planted.fate != Fate::Unraised) {
                planted.fate = fate;
                planted.history.push(format!("{}: {fate:?}", self.row));
            }
        }
    }

    /// Notes in which words the user settled an issue, or opened it again.
    fn note_wording(&mut self, issue: &str, settled: bool) {
        for (number, wording) in self.found_in(issue) {
            let kinds = &mut self.planted[number].settled_as;
            match settled {
                true => kinds.insert(kind_of(wording)),
                false => kinds.remove(&kind_of(wording)),
            };
        }
    }

    /// The concerns in the words of an issue, with their wording.
    fn found_in(&self, issue: &str) -> Vec<(usize, usize)> {
        let summary = self.issues.get(issue).into_iter();
        let found = summary.flat_map(|summary| self.concerns.found(summary));
        found.collect()
    }

    fn of_issue(&self, id: &str) -> Vec<usize> {
        let found = self.found_in(id).into_iter();
        found.map(|(number, _)| number).collect()
    }

    fn of_gap(&self, id: &str) -> Vec<usize> {
        let texts = self.gaps.get(id).into_iter().flatten();
        let concerns = texts.flat_map(|text| self.concerns.worded_in(text));
        concerns.collect()
    }

    /// What the source declares is raised before anybody has written anything.
    pub fn declare(&mut self, source: &str) {
        let declared = documents::declared(&self.concerns, source);
        self.raise(&declared);
    }

    /// Takes a row of the log: a document that counts from now on, or something that the user did.
    pub fn observe(&mut self, row: &Row, document: &dyn Fn(&str) -> String) -> Verdict {
        let body: Value = serde_json::from_str(&row.body).unwrap_or_default();
        self.row = format!("{} {}", row.seq, row.type_name);
        match row.type_name.as_str() {
            "task.started" => return self.given(&body["task"], document),
            "task.validated" if body["task"]["slot"]["role"] == "analyst" => {
                self.analysis = document(text(&body, "output"));
            }
            // What an Analyst wrote counts from here on.
            "session.entered" if text(&body, "phase") == "inventory" => {
                let raised = documents::analysis(&self.concerns, &self.analysis);
                self.raise(&raised);
            }
            "round.joined" => self.engineered(&document(text(&body, "engineer"))),
            "round.reviewed" => self.reviewed(&document(text(&body, "reviewer"))),
            "round.final_reviewed" => {
                let raised = documents::blockers(&self.concerns, &document(text(&body, "text")));
                self.raise(&raised);
            }
            "issue.raised" | "issue.restated" => self.issue_worded(&body),
            "issue.moved" | "issue.severity_changed" | "issue.flags_judged" => {
                self.issue_event(&row.type_name, &body);
            }
            "gap.created" => {
                let (id, words) = (text(&body["gap"], "id"), text(&body["gap"], "description"));
                self.gaps.insert(id.to_owned(), vec![words.to_owned()]);
            }
            "gap.origin_added" => {
                let said = text(&body["said"], "text").to_owned();
                let id = text(&body, "id");
                self.gaps.entry(id.to_owned()).or_default().push(said);
                self.check_merge(id)?;
            }
            "gap.moved" | "gap.severity_changed" => self.gap_event(&row.type_name, &body),
            "decision.recorded" => self.decided(&body["decision"]),
            "decision.lifted" => self.decision_lifted(text(&body, "id")),
            "question.asked" | "question.renewed" => {
                let question = body["question"].clone();
                self.asked(&question)?;
                let id = text(&question, "id").to_owned();
                self.questions.insert(id, question);
            }
            "question.answered" => self.answered(&body),
            "session.ended" => return self.check_end(text(&body, "end")),
            _ => {}
        }
        Ok(())
    }

    fn issue_worded(&mut self, body: &Value) {
        let summary = text(&body["concern"], "summary").to_owned();
        for number in self.concerns.worded_in(&summary) {
            let gap = body["gap"].as_str().map(str::to_owned);
            self.planted[number].gaps.extend(gap);
        }
        self.issues.insert(text(body, "id").to_owned(), summary);
    }

    fn decision_lifted(&mut self, lifted: &str) {
        for owed in self.obligations.values_mut() {
            owed.retain(|(id, _)| id != lifted);
        }
        for planted in &mut self.planted {
            planted.decision.take_if(|decided| decided.id == lifted);
        }
    }

    fn issue_event(&mut self, event: &str, body: &Value) {
        let id = text(body, "id");
        let concerns = self.of_issue(id);
        match (event, text(body, "by")) {
            ("issue.moved", "decide" | "waive" | "moot") => {
                self.note_wording(id, true);
                self.settle(concerns, Fate::ByUser);
            }
            ("issue.moved", "reopen") => {
                self.note_wording(id, false);
                self.reopen(concerns);
            }
            ("issue.severity_changed", _) => self.set(concerns, text(body, "to")),
            // The user says that it was answered.
            ("issue.flags_judged", _) if body["confirmed"] == false => {
                self.settle(concerns, Fate::Answered);
            }
            _ => {}
        }
    }

    fn gap_event(&mut self, event: &str, body: &Value) {
        let concerns = self.of_gap(text(body, "id"));
        match (event, text(body, "by")) {
            ("gap.moved", "close") => self.settle(concerns, Fate::ByUser),
            ("gap.moved", "reopen") if text(body, "from") == "WONT_FIX" => self.reopen(concerns),
            ("gap.severity_changed", _) if body["by_user"] == true => {
                self.set(concerns, text(body, "to"));
            }
            _ => {}
        }
    }

    fn engineered(&mut self, document: &str) {
        let found = documents::engineering(&self.concerns, document);
        for gap in found.resolved {
            self.settle(self.of_gap(&gap), Fate::Answered);
        }
        self.settle(found.settled, Fate::Answered);
        self.raise(&found.raised);
    }

    fn reviewed(&mut self, document: &str) {
        let review = documents::review(&self.concerns, document);
        for (id, words) in review.withdrawn {
            let named = match words.is_empty() {
                true => self.of_issue(&id),
                false => words,
            };
            self.settle(named, Fate::Withdrawn);
        }
        self.raise(&review.raised);
    }

    fn decided(&mut self, decision: &Value) {
        let (id, words) = (text(decision, "id"), text(decision, "decision"));
        if decision["obliges"] == true {
            for gap in strings(&decision["gaps"]) {
                let owed = (id.to_owned(), words.to_owned());
                self.obligations.entry(gap).or_default().push(owed);
            }
        }
        let positions = &decision["positions"];
        let chosen = text(positions, "chosen");
        if chosen.is_empty() {
            return;
        }
        for (number, wording) in self.found_in(text(decision, "issue")) {
            // Where one of the two never said what it holds, nothing is known to be the opposite of the other.
            let concern = self.concerns.get(number);
            let stated = text(positions, "reviewer").contains(concern.suggestion())
                && text(positions, "engineer").contains(&concern.position());
            if !stated {
                continue;
            }
            self.decisions.push((id.to_owned(), number));
            self.planted[number].decision = Some(Decided {
                known: self.issues.keys().cloned().collect(),
                id: id.to_owned(),
                chosen: chosen.to_owned(),
                gap: decision["gaps"][0].as_str().unwrap_or("").to_owned(),
                light: wording < LIGHT_WORDINGS,
                reconciled: false,
            });
        }
    }

    fn answered(&mut self, body: &Value) {
        let Some(question) = self.questions.remove(text(body, "id")) else {
            return;
        };
        let about = &question["about"];
        match (text(about, "kind"), text(&body["answer"], "option")) {
            ("implicit_disagreement", "settled") => {
                self.settle(self.of_issue(text(about, "issue")), Fate::Answered);
            }
            ("contradiction", "fits" | "change") => {
                for number in self.decided_by(text(about, "decision")) {
                    if let Some(decided) = &mut self.planted[number].decision {
                        decided.reconciled = true;
                    }
                }
            }
            _ => {}
        }
    }

    /// The concerns that a decision settled.
    fn decided_by(&self, decision: &str) -> Vec<usize> {
        let settled = self.decisions.iter().filter(|(id, _)| id == decision);
        settled.map(|(_, number)| *number).collect()
    }
}

/// The truth, and what it was after each round.
#[derive(Debug, Clone)]
pub struct Records {
    pub now: Truth,
    after_round: BTreeMap<i64, Truth>,
}

impl Records {
    pub fn new(truth: Truth) -> Self {
        Self {
            now: truth,
            after_round: BTreeMap::new(),
        }
    }

    pub fn observe(&mut self, row: &Row, document: &dyn Fn(&str) -> String) -> Verdict {
        let body = || serde_json::from_str::<Value>(&row.body).unwrap_or_default();
        match row.type_name.as_str() {
            "round.began" => {
                let before = number(&body(), "round") - 1;
                self.after_round.insert(before, self.now.clone());
            }
            "rollback.rolled_back" => {
                let to = number(&body(), "to_round");
                if let Some(then) = self.after_round.get(&to) {
                    self.now = then.clone();
                }
            }
            _ => {}
        }
        self.now.observe(row, document)
    }
}
