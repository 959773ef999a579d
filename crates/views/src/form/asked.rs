//! What waits for people: the pending questions, and the gaps that wait for input although nothing asks for it any more.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use gapless_domain::question::{agent_cannot_run, blocked_gap};
use gapless_domain::{
    Choice, Field, Gap, GapState, Name, Ownership, Person, Question, QuestionId, Severity, Texts,
    Time, one_line, quoted,
};
use gapless_reading::form::{Entry, PartId, defused};
use gapless_session::State;

use super::source::{Passage, Source};

/// A question of a form, with what people must know to answer it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub entry: Entry,
    pub owners: BTreeSet<Person>,
    pub ownership: Ownership,
    title: String,
    severity: Option<Severity>,
    without_answer: String,
    /// What the source says where the question came up.
    passages: Vec<Passage>,
    context: String,
}

/// Everything that waits, the questions in the order in which they are put.
pub fn asked(state: &State, texts: &dyn Texts) -> Vec<Asked> {
    let source = Source::of(state, texts);
    let questions = state.now.queue();
    let mut asked: Vec<Asked> = questions
        .iter()
        .map(|question| of_question(state, &source, question, question.id))
        .collect();
    if state.kept.ended.is_none() {
        let is_asked = |gap: &&Gap| {
            let mut subjects = questions
                .iter()
                .filter_map(|question| blocked_gap::Subject::of(&question.about));
            subjects.any(|subject| subject.gap == gap.id)
        };
        let blocked = state.now.gaps_in(GapState::BlockedExternal);
        let mut blocked: Vec<&Gap> = blocked.filter(|gap| !is_asked(gap)).collect();
        blocked.sort_by_key(|gap| (Reverse(gap.severity), gap.age));
        asked.extend(blocked.into_iter().map(|gap| of_gap(state, &source, gap)));
    }
    asked
}

/// What an answer to a question is held against now: the question itself, or the one that took its place.
pub fn asked_by(state: &State, source: &Source, id: &PartId) -> Option<Asked> {
    match id {
        PartId::Question(id) => {
            let waiting = &state.now.questions;
            let renewed = state.now.round.to_renew.get(id);
            let question = waiting.get(id).or(renewed).or_else(|| {
                let mut others = waiting.values();
                others.find(|other| other.replaces.contains(id))
            });
            question.map(|question| of_question(state, source, question, *id))
        }
        PartId::Gap(id) => {
            let gap = state.now.gaps.get(id);
            let gap = gap.filter(|gap| gap.state == GapState::BlockedExternal);
            gap.map(|gap| of_gap(state, source, gap))
        }
    }
}

fn of_question(state: &State, source: &Source, question: &Question, id: QuestionId) -> Asked {
    let (owners, ownership) = state.ownership_of_question(question);
    let gaps = state.gaps_asked_about(question);
    let gaps = gaps.iter().filter_map(|gap| state.now.gaps.get(gap));
    let agent = agent_cannot_run::Fields::Agent.name();
    Asked {
        entry: Entry {
            id: PartId::Question(id),
            options: Entry::boxes(&question.options, &question.fields, agent),
            fields: question
                .fields
                .iter()
                .filter(|field| field.name != agent)
                .cloned()
                .collect(),
            blank: String::new(),
        },
        owners,
        ownership,
        title: question.title.clone(),
        severity: question.severity,
        without_answer: question.without_answer.clone(),
        passages: source.passages(gaps),
        context: question.context.clone(),
    }
    .with_blank()
}

fn of_gap(state: &State, source: &Source, gap: &Gap) -> Asked {
    let ownership = state.ownership(&gap.id).clone();
    let option = blocked_gap::Options::Input.name();
    let why = gap.reason.as_deref().unwrap_or(&gap.description);
    Asked {
        entry: Entry {
            id: PartId::Gap(gap.id.clone()),
            options: vec![Choice {
                label: option.to_owned(),
                text: "Give the input".to_owned(),
                effect: "it becomes a decision, and the gap is open again".to_owned(),
                recommended: false,
                policy_only: false,
            }],
            fields: vec![Field {
                name: blocked_gap::Fields::Input.name().to_owned(),
                text: "what the Engineer needs to know".to_owned(),
                needed_for: vec![option.to_owned()],
                offered_for: Vec::new(),
                exactly: None,
                suggested: None,
            }],
            blank: String::new(),
        },
        owners: ownership.owner.iter().cloned().collect(),
        ownership,
        title: gap.description.clone(),
        severity: Some(gap.severity),
        without_answer: "the gap stays blocked".to_owned(),
        passages: source.passages([gap]),
        context: format!("The Engineer needs to know: {why}"),
    }
    .with_blank()
}

/// Text of others as a quotation, which is no part of the form.
fn quotation(text: &str) -> String {
    let quoted = quoted(&defused(text));
    quoted
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}

impl Asked {
    fn with_blank(mut self) -> Self {
        self.entry.blank = self.written(Time(0));
        self
    }

    /// The question as it stands in the form.
    pub(super) fn written(&self, at: Time) -> String {
        let entry = &self.entry;
        let title = defused(&one_line(&self.title));
        let mut text = format!("\n### {} · {title}\n\n*{}*\n", entry.id, self.facts(at));
        for passage in &self.passages {
            let place = passage.place();
            text += &format!(
                "\nThe spec says, {place}:\n\n{}\n",
                quotation(&passage.text)
            );
        }
        let context = self.context.trim();
        if !context.is_empty() {
            text += &format!("\nWhy it is asked:\n\n{}\n", quotation(context));
        }
        text.push('\n');
        for choice in &entry.options {
            let words = entry.option_words(choice);
            text += &format!("- [ ] **{}**: {words}\n", choice.label);
        }
        for field in &entry.fields {
            text += &format!("\n**{}** {}:\n", field.name, Entry::field_words(field));
        }
        text
    }

    /// How grave it is, when it is due, and what happens without an answer.
    fn facts(&self, at: Time) -> String {
        let mut facts: Vec<String> = self.severity.iter().map(ToString::to_string).collect();
        if let Some(due) = self.ownership.due {
            let overdue = if due.is_over(at) { " (overdue)" } else { "" };
            facts.push(format!("due {due}{overdue}"));
        }
        let without = defused(&one_line(&self.without_answer));
        facts.push(format!("without an answer: {without}"));
        facts.join(" · ")
    }
}
