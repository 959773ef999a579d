//! Walks every option of every kind of question.

use gapless_domain::question::{
    agent_cannot_run, archives, blocked_gap, both_empty, broken_agent, conflict, contradiction,
    decided_matter, defaults, divergence, escalation, implicit_disagreement, inventory,
    lesser_conflicts, nothing_to_plan, rate_limit, rollback, rollback_limit, root_cause,
    round_limit, severity, stop, systematic_concern, undone_decisions,
};
use gapless_domain::{
    About, Answer, AnswerError, Choice, Concern, DecidedBy, End, GapId, Holds, Question,
    QuestionId, Role, RollbackTrigger, Severity, SlotId, TextMap, Time, Trigger,
};
use gapless_session::event::EventReader;
use gapless_session::{Happening, Noted, QuestionEvent, State};

use crate::{ReadDocuments, Refusal, Turn};

/// A question of each kind.
fn one_of_each() -> Vec<About> {
    let slot = SlotId::new(Role::Reviewer, 0);
    let gap: GapId = "GAP-API-001".parse().unwrap();
    let issue = "ISSUE-R1-001".parse().unwrap();
    let decision = "DECISION-R1-001".parse().unwrap();
    let issues = vec![issue, "ISSUE-R1-002".parse().unwrap()];
    let raised = Box::new(Concern {
        severity: Severity::High,
        summary: "It is raised again".to_owned(),
        location: None,
        impact: None,
        suggestion: None,
        settled_by_user: false,
    });
    let (round, raise_to) = (2, Severity::Critical);
    vec![
        About::Inventory(inventory::Subject {}),
        About::BlockedGap(blocked_gap::Subject { gap: gap.clone() }),
        About::Escalation(escalation::Subject { slot }),
        About::AgentCannotRun(agent_cannot_run::Subject { slot }),
        About::BrokenAgent(broken_agent::Subject { slot }),
        About::BothEmpty(both_empty::Subject { round }),
        About::Conflict(conflict::Subject { issue }),
        About::LesserConflicts(lesser_conflicts::Subject {
            issues: issues.clone(),
        }),
        About::DecidedMatter(decided_matter::Subject { issue, raised }),
        About::Contradiction(contradiction::Subject {
            gap: gap.clone(),
            decision,
        }),
        About::RateLimit(rate_limit::Subject { round }),
        About::ImplicitDisagreement(implicit_disagreement::Subject { issue }),
        About::SystematicConcern(systematic_concern::Subject {
            issues: issues.clone(),
        }),
        About::Defaults(defaults::Subject {
            group: "retries".to_owned(),
            issues,
        }),
        About::Severity(severity::Subject {
            gap,
            issue: Some(issue),
            raise_to,
        }),
        About::Divergence(divergence::Subject { round }),
        About::NothingToPlan(nothing_to_plan::Subject { round }),
        About::RoundLimit(round_limit::Subject { round }),
        About::Rollback(rollback::Subject {
            round,
            trigger: RollbackTrigger::User,
        }),
        About::RootCause(root_cause::Subject { round }),
        About::RollbackLimit(rollback_limit::Subject { round }),
        About::UndoneDecisions(undone_decisions::Subject {
            decisions: vec![decision],
        }),
        About::Archives(archives::Subject {}),
        About::Stop(stop::Subject {
            end: End::GoodEnough,
            trigger: Trigger::UserStop,
        }),
    ]
}

fn question(about: &About, options: &[&str]) -> Question {
    let choice = |label: &&str| Choice {
        label: (*label).to_owned(),
        text: String::new(),
        effect: String::new(),
        recommended: false,
        policy_only: false,
    };
    Question {
        id: QuestionId(1),
        about: about.clone(),
        severity: None,
        title: String::new(),
        context: String::new(),
        options: options.iter().map(choice).collect(),
        fields: Vec::new(),
        holds: Holds::Phase,
        without_answer: String::new(),
        accepts: Vec::new(),
        replaces: Vec::new(),
    }
}

/// Takes an answer in an empty session, where most effects find nothing to act on; gives what its event says.
fn taken(question: &Question, answer: &Answer) -> (Result<(), Refusal>, Vec<Noted>) {
    let texts = TextMap::default();
    let mut read = ReadDocuments::default();
    let state = State::default();
    let mut turn = Turn::new(&state, Time(0), &texts, &mut read);
    let result = turn.carry_out(question, answer);
    let event = turn.finish().events.into_iter().next();
    match event.map(|event| event.what) {
        Some(Happening::Question(QuestionEvent::Answered { noted, .. })) => {
            (result, noted.unwrap())
        }
        other => panic!("{other:?} comes before the answer"),
    }
}

/// What is read of a log whose answers don't say what they settle.
fn read_back(question: &Question, answer: &Answer) -> Vec<Noted> {
    let mut reader = EventReader::default();
    let asked = QuestionEvent::Asked {
        question: question.clone(),
    };
    let answered = QuestionEvent::Answered {
        id: question.id,
        answer: answer.clone(),
        noted: None,
    };
    let mut read = |event: QuestionEvent| {
        let stored = Happening::Question(event).encode();
        reader.read(&stored.type_name, stored.version, &stored.body)
    };
    read(asked).unwrap();
    match read(answered).unwrap() {
        Happening::Question(QuestionEvent::Answered { noted, .. }) => noted.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_option_of_every_kind_has_an_effect_and_settles_what_it_did_in_older_logs() {
    let kinds = one_of_each();
    let names: Vec<&str> = kinds.iter().map(About::kind).collect();
    assert_eq!(names, About::KINDS);
    let mut table = String::new();
    for (about, (kind, options)) in kinds.iter().zip(About::options()) {
        let question = question(about, &options);
        assert!(question.has_known_options(), "{kind}");
        for option in options {
            let answer = Answer::of(option, DecidedBy::User);
            assert_eq!(question.check(&answer), Ok(()), "{kind} {option}");
            let (result, noted) = taken(&question, &answer);
            assert!(
                !matches!(
                    result,
                    Err(Refusal::Answer(AnswerError::UnknownOption { .. }))
                ),
                "{kind} {option}: {result:?}"
            );
            assert_eq!(read_back(&question, &answer), noted, "{kind} {option}");
            for noted in noted {
                let noted = serde_json::to_string(&noted).unwrap();
                table += &format!("{kind} {option}: {noted}\n");
            }
        }
    }
    insta::assert_snapshot!("noted", table);
}
