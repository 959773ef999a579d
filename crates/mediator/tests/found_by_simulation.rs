//! What the simulator found, each as the shortest session that shows it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

use gapless_domain::config::Config;
use gapless_domain::gap::GapState;
use gapless_domain::ids::GapId;
use gapless_domain::phase::End;
use gapless_domain::question::{About, Answer, DecidedBy, Question, stop};
use gapless_domain::severity::Severity;
use gapless_domain::slot::SlotState;
use gapless_domain::task::{ExecutionError, ExecutionErrorKind, Role, Task, Usage};
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_mediator::{
    GapCommand, Incoming, Input, Refusal, Rest, RunSettings, Start, Step, UserInput,
};
use gapless_mediator::{handle, next};
use gapless_session::event::{Event, Happening, SessionEvent};
use gapless_session::{State, apply};

struct Session {
    state: State,
    texts: TextMap,
    events: Vec<Event>,
    at: i64,
}

impl Session {
    /// A session on these gap lines that waits for its inventory to be confirmed.
    fn new(gaps: &str, config: Config) -> Self {
        let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "replay:x".to_owned()));
        let start = Start {
            name: "s".to_owned(),
            source_path: "spec.md".to_owned(),
            source: format!("# S\n\n{gaps}"),
            found: Vec::new(),
            met: RunSettings {
                config,
                agents: BTreeMap::from(agents),
                ..RunSettings::default()
            },
        };
        let mut session = Self {
            state: State::default(),
            texts: TextMap::default(),
            events: Vec::new(),
            at: 0,
        };
        session.feed(Incoming::Start(Box::new(start))).unwrap();
        session.go_on();
        session
    }

    /// A session in its first round.
    fn begun(gaps: &str, config: Config) -> Self {
        let mut session = Self::new(gaps, config);
        session.answer("inventory", "begin");
        session
    }

    /// A session in which Engineer and Reviewer stand apart on a HIGH issue of GAP-FLOW-001, and nothing else is open.
    fn in_conflict_on_high() -> Self {
        let config = Config {
            stall_threshold: Some(9),
            ..Config::default()
        };
        let mut session = Self::begun("- GAP-FLOW-001 [LOW]: a\n", config);
        let review =
            "## Review: GAP-FLOW-001\n\n### High Priority\n\n- **ISSUE-R1-001**: too long\n";
        session.write(&proposal("GAP-FLOW-001"));
        session.write(review);
        session.write(&(proposal("GAP-FLOW-001") + DISAGREE));
        session.write(review);
        session
    }

    fn feed(&mut self, what: Incoming) -> Result<(), Refusal> {
        let outcome = handle(
            &self.state,
            Input {
                at: Time(self.at),
                what,
            },
            &self.texts,
        )?;
        outcome
            .events
            .iter()
            .for_each(|event| apply(&mut self.state, event));
        self.texts.extend(outcome.texts);
        self.events.extend(outcome.events);
        Ok(())
    }

    fn go_on(&mut self) {
        while next(&self.state) == Step::Advance {
            self.feed(Incoming::Advance).unwrap();
        }
    }

    fn task(&self) -> Task {
        self.state.running().next().expect("a task runs").clone()
    }

    fn write(&mut self, text: &str) {
        let (task, text) = (self.task().id, Some(text.to_owned()));
        self.feed(Incoming::Output {
            task,
            text,
            earlier: Vec::new(),
            notes: Vec::new(),
            usage: Usage::default(),
        })
        .unwrap();
        self.go_on();
    }

    fn fail(&mut self) {
        let (task, error) = (
            self.task().id,
            ExecutionError::new(ExecutionErrorKind::Provider, "down"),
        );
        self.feed(Incoming::Failed {
            task,
            error,
            unfinished: None,
            usage: Usage::default(),
        })
        .unwrap();
    }

    fn say(&mut self, said: UserInput) {
        self.feed(Incoming::User(said)).unwrap();
        self.go_on();
    }

    fn gap(&mut self, command: GapCommand) {
        self.say(UserInput::Gap { command });
    }

    fn question(&self, kind: &str) -> Question {
        let mut pending = self.state.now.questions.values();
        pending
            .find(|question| question.about.kind() == kind)
            .expect(kind)
            .clone()
    }

    fn answer(&mut self, kind: &str, option: &str) {
        let (question, answer) = (self.question(kind).id, Answer::of(option, DecidedBy::User));
        self.say(UserInput::Answer { question, answer });
    }

    /// Proposes and accepts everything that is assigned in this round.
    fn round(&mut self) {
        let proposals: String = self
            .task()
            .gaps
            .iter()
            .map(|gap| proposal(&gap.to_string()))
            .collect();
        self.write(&proposals);
        let review = |gap: &GapId| {
            format!("## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- all\n\n")
        };
        let reviews: String = self.task().gaps.iter().map(review).collect();
        self.write(&reviews);
    }
}

const DISAGREE: &str = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** too long\n**Engineer Position:** no\n**Rationale:** so\n";

fn gap(id: &str) -> GapId {
    id.parse().unwrap()
}

fn proposal(id: &str) -> String {
    format!(
        "## Gap Resolution: {id}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIt holds.\n\n"
    )
}

fn close(id: &str) -> GapCommand {
    GapCommand::Close {
        gap: gap(id),
        reason: "no".to_owned(),
        sentence: None,
    }
}

fn defer(id: &str) -> GapCommand {
    GapCommand::Defer {
        gap: gap(id),
        reason: "later".to_owned(),
    }
}

fn split(id: &str) -> GapCommand {
    GapCommand::Split {
        gap: gap(id),
        into: vec!["this part".to_owned(), "that part".to_owned()],
    }
}

const TWO_GAPS: &str = "- GAP-FLOW-001 [LOW]: a\n- GAP-DATA-001 [HIGH]: b\n";

#[test]
fn what_was_closed_before_round_1_counts_in_no_round() {
    let mut session = Session::new(TWO_GAPS, Config::default());
    session.gap(close("GAP-DATA-001"));
    session.answer("inventory", "begin");
    session.round();
    assert_eq!(session.state.now.history[0].weighted_net, 1);
}

#[test]
fn the_parts_of_a_split_child_count_with_their_parent() {
    let config = Config {
        gaps_per_round: 1,
        ..Config::default()
    };
    let mut session = Session::begun(TWO_GAPS, config);
    session.gap(split("GAP-FLOW-001"));
    session.gap(split("GAP-FLOW-001a"));
    session.gap(close("GAP-FLOW-001b"));
    session.gap(close("GAP-FLOW-001c"));
    assert!(session.state.now.round.tally.resolved.is_empty());
    session.gap(defer("GAP-FLOW-001d"));
    session.gap(close("GAP-FLOW-001d"));
    let resolved = &session.state.now.round.tally.resolved;
    assert_eq!(
        resolved
            .iter()
            .map(|counted| counted.gap.to_string())
            .collect::<Vec<_>>(),
        ["GAP-FLOW-001"]
    );
}

#[test]
fn letters_are_not_issued_again_after_a_rollback() {
    let mut session = Session::begun(TWO_GAPS, Config::default());
    session.gap(split("GAP-FLOW-001"));
    session.say(UserInput::Rollback {
        to: Some(0),
        reason: "anew".to_owned(),
        adjust: Vec::new(),
    });
    session.gap(split("GAP-FLOW-001"));
    assert!(session.state.now.gaps.contains_key(&gap("GAP-FLOW-001d")));
    assert!(!session.state.now.gaps.contains_key(&gap("GAP-FLOW-001a")));
}

#[test]
fn a_slot_that_is_skipped_while_it_waits_is_not_woken() {
    let mut session = Session::begun("- GAP-FLOW-001 [LOW]: a\n", Config::default());
    session.fail();
    session.gap(defer("GAP-FLOW-001"));
    session.at += 3_600_000;
    session.go_on();
    assert!(!matches!(
        next(&session.state),
        Step::Await { until: Some(_), .. }
    ));
}

#[test]
fn a_gap_added_during_the_final_review_is_worked_on() {
    let mut session = Session::begun("- GAP-FLOW-001 [LOW]: a\n", Config::default());
    session.round();
    assert_eq!(session.task().id.slot.role, Role::FinalReviewer);
    session.gap(GapCommand::Add {
        category: "FLOW".to_owned(),
        severity: Severity::Critical,
        description: "forgotten".to_owned(),
        section: None,
    });
    let ready = "## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n";
    session.write(ready);
    assert_eq!(session.task().id.slot.role, Role::Engineer);
    session.round();
    session.answer("divergence", "accept");
    session.write(ready);
    assert_eq!(next(&session.state), Step::Rest(Rest::Ended(End::Complete)));
}

#[test]
fn an_undecided_high_conflict_needs_an_acknowledgment() {
    let mut session = Session::in_conflict_on_high();
    session.say(UserInput::Stop);
    let stop = session.question("stop");
    assert!(matches!(
        stop.about,
        About::Stop(stop::Subject {
            end: End::UserApproved,
            ..
        })
    ));
    let accept = Answer::of("accept", DecidedBy::User);
    assert!(stop.check(&accept).is_err());
    let gaps = stop.fields.iter().map(|field| field.name.clone());
    let accept = gaps
        .filter(|name| name.starts_with("GAP-"))
        .fold(accept, |accept, gap| {
            accept.with(&gap, "it is measured later")
        });
    assert!(stop.check(&accept).is_err());
    assert!(stop.check(&accept.with("high", "I acknowledge")).is_ok());
}

#[test]
fn an_answer_that_changes_what_is_left_renews_the_stop() {
    let mut session = Session::in_conflict_on_high();
    session.say(UserInput::Stop);
    let before = session.question("stop");
    session.answer("conflict", "A");
    assert_ne!(before.id, session.question("stop").id);
}

#[test]
fn a_conflict_on_a_gap_that_was_split_binds_its_parts() {
    let mut session = Session::in_conflict_on_high();
    session.gap(split("GAP-FLOW-001"));
    session.answer("conflict", "A");
    let gaps = session.state.now.gaps.values();
    let obliged: Vec<String> = gaps
        .filter(|gap| !gap.obligations.is_empty())
        .map(|gap| gap.id.to_string())
        .collect();
    assert_eq!(obliged, ["GAP-FLOW-001a", "GAP-FLOW-001b"]);
}

#[test]
fn a_settled_issue_stands_on_no_part_however_often_it_was_split() {
    let mut session = Session::in_conflict_on_high();
    for id in ["GAP-FLOW-001", "GAP-FLOW-001a", "GAP-FLOW-001c"] {
        session.gap(split(id));
    }
    session.answer("conflict", "B");
    assert!(
        session
            .state
            .now
            .gaps
            .values()
            .all(|gap| gap.standing_issues.is_empty())
    );
    session.gap(close("GAP-FLOW-001f"));
    assert_eq!(
        session.state.now.gaps[&gap("GAP-FLOW-001f")].state,
        GapState::WontFix
    );
}

#[test]
fn a_try_for_an_agent_that_could_not_run_is_no_retry() {
    let config = Config {
        max_retries: 0,
        ..Config::default()
    };
    let mut session = Session::begun("- GAP-FLOW-001 [LOW]: a\n", config);
    for _ in 0..3 {
        session.fail();
        session.at += 3_600_000;
        if let Step::Await { until: Some(_), .. } = next(&session.state) {
            session.feed(Incoming::Advance).unwrap();
        }
        session.go_on();
    }
    session.answer("agent_cannot_run", "again");
    session.write("nothing of use");
    let slot = session.state.now.round.slots.values().next().unwrap();
    assert_eq!(slot.state, SlotState::Exhausted);
}

#[test]
fn a_raise_against_the_users_severity_is_asked_once_at_a_time() {
    let mut session = Session::begun("- GAP-FLOW-001 [LOW]: a\n", Config::default());
    session.gap(GapCommand::Severity {
        gap: gap("GAP-FLOW-001"),
        severity: Severity::Low,
        reason: "so".to_owned(),
    });
    for (round, raise) in [(1, "HIGH"), (2, "CRITICAL")] {
        session.write(&proposal("GAP-FLOW-001"));
        session.write(&format!(
            "## Review: GAP-FLOW-001\n\n**Severity:** {raise} (was LOW)\n\n### High Priority\n\n- **ISSUE-R{round}-001**: no\n"
        ));
    }
    let pending = session.state.now.questions.values();
    assert_eq!(
        pending
            .filter(|question| question.about.kind() == "severity")
            .count(),
        1
    );
}

#[test]
fn one_stop_is_asked_at_a_time() {
    let config = Config {
        max_rounds: Some(1),
        ..Config::default()
    };
    let mut session = Session::begun(TWO_GAPS, config);
    session.write(&proposal("GAP-FLOW-001"));
    session.write("## Review: GAP-FLOW-001\n\n**NO_ISSUES_FOUND**\n");
    session.say(UserInput::Stop);
    session.answer("round_limit", "accept");
    let pending = session.state.now.questions.values();
    assert_eq!(
        pending
            .filter(|question| question.about.kind() == "stop")
            .count(),
        1
    );
}

#[test]
fn an_issue_under_a_label_of_the_reviewers_own_is_not_dropped() {
    let mut session = Session::begun("- GAP-FLOW-001 [LOW]: a\n", Config::default());
    session.write(&proposal("GAP-FLOW-001"));
    session.write(
        "## Review: GAP-FLOW-001\n\n### Critical Issues\n\nNone.\n\n### High Priority\n\n- **H2**: nobody says how long\n  \
         - **Impact:** it hangs\n- **Retry budget:** nobody says how often\n",
    );
    let issues: Vec<(&str, Severity, Option<&str>)> = session
        .state
        .now
        .issues
        .values()
        .map(|issue| {
            let alias = issue.aliases.first().map(|alias| alias.name.as_str());
            (
                issue.concern.summary.as_str(),
                issue.concern.severity,
                alias,
            )
        })
        .collect();
    assert_eq!(
        issues,
        [
            ("nobody says how long", Severity::High, Some("H2")),
            ("Retry budget: nobody says how often", Severity::High, None),
        ]
    );
    let gap = &session.state.now.gaps[&gap("GAP-FLOW-001")];
    assert_eq!(gap.state, GapState::InProgress);
}

#[test]
fn a_budget_of_nothing_is_reached_at_the_start() {
    let config = Config {
        budget_tokens: Some(0),
        ..Config::default()
    };
    let session = Session::begun("- GAP-FLOW-001 [LOW]: a\n", config);
    assert_eq!(next(&session.state), Step::Rest(Rest::OutOfBudget));
    let reached = |event: &&Event| {
        matches!(
            event.what,
            Happening::Session(SessionEvent::BudgetReached { .. })
        )
    };
    assert_eq!(session.events.iter().filter(reached).count(), 1);
}

#[test]
fn a_round_that_works_on_after_a_final_review_may_have_another() {
    let config = Config {
        stall_threshold: Some(9),
        ..Config::default()
    };
    let gaps = "- GAP-FLOW-001 [LOW]: a\n- GAP-FLOW-002 [HIGH]: b\n";
    let mut session = Session::new(gaps, config);
    session.gap(defer("GAP-FLOW-002"));
    session.answer("inventory", "begin");
    session.round();
    session.question("nothing_to_plan");
    session.gap(close("GAP-FLOW-002"));
    assert_eq!(session.task().id.slot.role, Role::FinalReviewer);
    session.write(
        "## Final Review\n\n**Verdict:** NOT_READY\n\n### Blocking Issues\n\n- **ISSUE-R2-001**: GAP-FLOW-001 is too short\n",
    );
    let longer = proposal("GAP-FLOW-001") + "With 200 words it is not too short.\n\n";
    session.write(
        &(longer + "## Response to ISSUE-R2-001\n\nIt has 200 words and is no longer too short.\n"),
    );
    session.write("## Review: GAP-FLOW-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- all\n");
    assert_eq!(session.task().id.slot.role, Role::FinalReviewer);
}
