//! Random sessions with rounds, answers, rollbacks, kills and re-applied decisions, on a real folder: a rollback gives the
//! state after its round back but for what is kept, the log gives the state, no id is issued twice, no text is lost, and
//! archives hold what the folders held.

use std::collections::{BTreeMap, BTreeSet};

use gapless_domain::gap::GapState;
use gapless_domain::ids::GapId;
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::rollback::RollbackMode;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_domain::text::Texts;
use gapless_mediator::{GapCommand, UserInput};
use gapless_runner::Logged;
use gapless_session::event::{
    DecisionEvent, GapEvent, Happening, IssueEvent, QuestionEvent, RollbackEvent, RoundEvent,
};
use gapless_session::state::{Kept, Now};
use gapless_session::{State, apply};
use gapless_store::Store;
use proptest::prelude::*;

use crate::clock::in_virtual_time;
use crate::desk::{Desk, Files};
use crate::stage::{Stage, issue, resolution, well, with_config};

/// What somebody does next.
#[derive(Debug, Clone)]
enum Deed {
    /// Agents work until so many commits were made, or the session rests.
    Work(u8),
    Defer(u8),
    Resume(u8),
    Grade(u8, Severity),
    Add,
    /// Undoes so many rounds, with a word for the retry or without.
    RollBack(u8, bool),
    /// The process is killed right after the rollback was committed, before its folder was touched.
    RollBackAndDie(u8),
    AskToRollBack,
    /// Takes an option of a question that waits, with what it suggests.
    Answer(u8, u8),
    Reapply(u8, bool),
    Mode(RollbackMode),
    Die,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        6 => (1u8..9).prop_map(Deed::Work),
        2 => any::<u8>().prop_map(Deed::Defer),
        1 => any::<u8>().prop_map(Deed::Resume),
        2 => (any::<u8>(), 0usize..4).prop_map(|(gap, severity)| {
            Deed::Grade(gap, Severity::GRAVEST_FIRST[severity])
        }),
        1 => Just(Deed::Add),
        3 => (1u8..4, any::<bool>()).prop_map(|(rounds, told)| Deed::RollBack(rounds, told)),
        2 => (1u8..4).prop_map(Deed::RollBackAndDie),
        1 => Just(Deed::AskToRollBack),
        4 => (any::<u8>(), any::<u8>()).prop_map(|(question, option)| Deed::Answer(question, option)),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(which, edited)| Deed::Reapply(which, edited)),
        1 => (0usize..3).prop_map(|mode| Deed::Mode(RollbackMode::ALL[mode])),
        2 => Just(Deed::Die),
    ];
    proptest::collection::vec(deed, 6..24)
}

/// Eight gaps, two for each round. Some reviews raise an issue, some proposals a gap, some Engineers write nonsense.
fn unruly_stage() -> Stage {
    let ids: Vec<String> = (1..=8).map(|n| format!("GAP-API-00{n}")).collect();
    let gaps: Vec<_> = ids.iter().map(|id| (id.as_str(), "MEDIUM", "")).collect();
    with_config(&gaps, |met| {
        met.config.gaps_per_round = 2;
        met.config.max_retries = 1;
        met.config.max_rollbacks_session = 10;
    })
    .when(Role::Reviewer, 0, 0, |request| {
        let id = format!("ISSUE-R{}-001", request.task.round);
        let raises = (request.task.round + request.task.epoch).is_multiple_of(2);
        Ok(Some(match raises {
            true => issue(&request.gaps[0], "High Priority", &id),
            false => well(request),
        }))
    })
    .when(Role::Engineer, 3, 0, |request| {
        let text = match request.task.epoch % 3 {
            0 => "I would rather not.".to_owned(),
            1 => resolution(&request.gaps[0], "- GAP-SEC-001 [LOW]: no key is named"),
            _ => well(request),
        };
        Ok(Some(text))
    })
}

impl Desk {
    fn gap_at(&self, at: u8) -> GapId {
        let gaps: Vec<&GapId> = self.stage.state().now.gaps.keys().collect();
        gaps[usize::from(at) % gaps.len()].clone()
    }

    /// What is refused has changed nothing, and is no matter.
    fn try_to(&mut self, said: UserInput) -> bool {
        let before = self.stage.state().clone();
        let taken = self.stage.say(said).is_ok();
        assert!(taken || *self.stage.state() == before);
        taken
    }

    fn gap_deed(&mut self, command: GapCommand) {
        self.try_to(UserInput::Gap { command });
    }

    async fn does(&mut self, deed: &Deed) {
        let state = self.stage.state();
        match deed {
            Deed::Work(commits) => {
                let until = state.kept.events + 12 * u64::from(*commits);
                self.stage
                    .go_until(move |state| state.kept.events >= until)
                    .await;
            }
            Deed::Defer(gap) => {
                let gap = self.gap_at(*gap);
                let reason = "another year".to_owned();
                self.gap_deed(GapCommand::Defer { gap, reason });
            }
            Deed::Resume(at) => {
                let deferred: Vec<GapId> = state
                    .now
                    .gaps_in(GapState::UserDeferred)
                    .map(|gap| gap.id.clone())
                    .collect();
                if let Some(gap) = deferred.get(usize::from(*at) % deferred.len().max(1)) {
                    self.gap_deed(GapCommand::Resume { gap: gap.clone() });
                }
            }
            Deed::Grade(gap, severity) => {
                let (gap, severity) = (self.gap_at(*gap), *severity);
                let reason = "clients see it".to_owned();
                self.gap_deed(GapCommand::Severity {
                    gap,
                    severity,
                    reason,
                });
            }
            Deed::Add => self.gap_deed(GapCommand::Add {
                category: "OPS".to_owned(),
                severity: Severity::Low,
                description: "nobody is called at night".to_owned(),
                section: None,
            }),
            Deed::RollBack(rounds, told) => self.undo(*rounds, *told, false),
            Deed::RollBackAndDie(rounds) => self.undo(*rounds, false, true),
            Deed::AskToRollBack => {
                let rollback = UserInput::Rollback {
                    to: None,
                    reason: String::new(),
                    adjust: Vec::new(),
                };
                self.try_to(rollback);
            }
            Deed::Answer(question, option) => self.answer(*question, *option),
            Deed::Reapply(which, edited) => {
                let undone = &state.kept.undone_decisions;
                let undone = undone.get(usize::from(*which) % undone.len().max(1));
                if let Some(undone) = undone {
                    let decision = undone.decision.id;
                    let text = edited.then(|| "in other words".to_owned());
                    self.try_to(UserInput::Reapply { decision, text });
                }
            }
            Deed::Mode(mode) => drop(self.try_to(UserInput::RollbackMode { mode: *mode })),
            Deed::Die => {
                self.kill();
                self.attach();
            }
        }
        if self.stage.state().kept.paused {
            self.try_to(UserInput::Resume);
        }
    }

    /// Undoes rounds and compares each archive with what its folder held.
    fn undo(&mut self, rounds: u8, told: bool, die: bool) {
        self.write_all();
        let from = self.stage.state().now.round.number;
        let to = from.saturating_sub(u32::from(rounds));
        let held: BTreeMap<u32, Files> = (to + 1..=from)
            .map(|round| (round, self.files(&format!("round_{round:03}"))))
            .collect();
        let rollbacks = self.stage.state().kept.rollbacks.len();
        let adjust = if told {
            vec!["shorter, please".to_owned()]
        } else {
            Vec::new()
        };
        self.try_to(UserInput::Rollback {
            to: Some(to),
            reason: format!("rollback {rollbacks} was due"),
            adjust,
        });
        if die {
            self.kill();
            self.attach();
        }
        self.write_all();
        if self.stage.state().kept.rollbacks.len() == rollbacks {
            return;
        }
        for (round, held) in held {
            let attempt = self.stage.state().times_undone(round);
            assert_eq!(self.archive(round, attempt).0, held, "round {round}");
            assert!(self.files(&format!("round_{round:03}")).is_empty());
        }
    }

    fn answer(&mut self, question: u8, option: u8) {
        let questions = &self.stage.state().now.questions;
        let at = usize::from(question) % questions.len().max(1);
        let Some(question) = questions.values().nth(at).cloned() else {
            return;
        };
        let offered: Vec<_> = question
            .options
            .iter()
            .filter(|choice| choice.label != "abandon")
            .collect();
        let choice = offered[usize::from(option) % offered.len()];
        let mut answer = Answer::of(&choice.label, DecidedBy::User);
        for field in &question.fields {
            let suggested = field.exactly.as_ref().or(field.suggested.as_ref());
            let text = suggested.map_or("said so", String::as_str);
            answer = answer.with(&field.name, text);
        }
        self.try_to(UserInput::Answer {
            question: question.id,
            answer,
        });
    }

    /// What holds of every log, judged from its events alone.
    fn check(&self) {
        let log = self.stage.log();
        let mut state = State::default();
        let mut after: BTreeMap<u32, Now> = BTreeMap::new();
        let mut ids = Ids::default();
        for Logged { event, .. } in &log {
            ids.see(&event.what);
            let before = state.clone();
            apply(&mut state, event);
            match &event.what {
                Happening::Round(RoundEvent::Began { round }) => {
                    after.insert(round - 1, before.now);
                }
                Happening::Rollback(RollbackEvent::RolledBack { to_round, .. }) => {
                    assert_eq!(state.now, after[to_round], "as it was after {to_round}");
                    check_kept(&before, &state);
                    let retention = state.kept.setup.config.backup_retention_rounds as usize;
                    assert!(state.checkpoints.len() < retention.max(1));
                    let mut points = state.checkpoints.iter();
                    assert!(points.all(|point| point.after_round < *to_round));
                }
                _ => {}
            }
        }
        assert_eq!(state, *self.stage.state(), "the log gives the state");
        for row in self.stage.session.store().read("stage").unwrap() {
            let body: serde_json::Value = serde_json::from_str(&row.body).unwrap();
            self.find_texts(&body);
        }
    }

    /// Every text that is named is there.
    fn find_texts(&self, body: &serde_json::Value) {
        use serde_json::Value;
        match body {
            Value::String(word) if word.len() == 64 => {
                if let Ok(hash) = word.parse() {
                    let text = self.stage.session.store().text(&hash);
                    assert!(text.is_some(), "{word} is lost");
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.find_texts(item)),
            Value::Object(fields) => fields.values().for_each(|item| self.find_texts(item)),
            _ => {}
        }
    }
}

/// Everything that a rollback keeps is as before, but for what it adds: itself, and the decisions that it undid.
fn check_kept(before: &State, after: &State) {
    let expected = Kept {
        epoch: before.kept.epoch + 1,
        events: before.kept.events + 1,
        clock: after.kept.clock,
        rollbacks: after.kept.rollbacks.clone(),
        undone_decisions: after.kept.undone_decisions.clone(),
        question_fates: after.kept.question_fates.clone(),
        ..before.kept.clone()
    };
    assert_eq!(after.kept, expected);
    let earlier = before.kept.rollbacks.len();
    assert_eq!(after.kept.rollbacks.len(), earlier + 1);
    assert_eq!(
        after.kept.rollbacks.clone().slice(..earlier),
        before.kept.rollbacks
    );
    let earlier = before.kept.undone_decisions.len();
    let undone = after.kept.undone_decisions.clone().slice(..earlier);
    assert_eq!(undone, before.kept.undone_decisions);
    let mut all: Vec<_> = after.now.decisions.iter().map(|kept| kept.id).collect();
    let undone = after.kept.undone_decisions.iter().skip(earlier);
    all.extend(undone.map(|undone| undone.decision.id));
    let made: Vec<_> = before.now.decisions.iter().map(|made| made.id).collect();
    assert_eq!(all, made, "each stays or is set aside");
    for (id, fate) in &before.kept.question_fates {
        let waits = after.now.questions.contains_key(id);
        assert!(waits || after.kept.question_fates.get(id) == Some(fate));
    }
}

#[derive(Default)]
struct Ids(BTreeSet<String>);

impl Ids {
    fn see(&mut self, what: &Happening) {
        let id = match what {
            Happening::Gap(GapEvent::Created { gap }) => gap.id.to_string(),
            Happening::Issue(IssueEvent::Raised { id, .. }) => id.to_string(),
            Happening::Question(QuestionEvent::Asked { question }) => question.id.to_string(),
            Happening::Decision(DecisionEvent::Recorded { decision }) => decision.id.to_string(),
            _ => return,
        };
        assert!(self.0.insert(id.clone()), "{id} is issued twice");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_undone_the_rest_holds(deeds in deeds()) {
        in_virtual_time(async {
            let mut desk = Desk::with_stage(unruly_stage());
            desk.attach();
            for deed in &deeds {
                if desk.stage.state().kept.ended.is_some() {
                    break;
                }
                desk.does(deed).await;
            }
            desk.check();
        });
    }
}
