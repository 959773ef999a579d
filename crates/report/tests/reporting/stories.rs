//! Sessions that the tests report on.

use gapless_domain::config::Config;
use gapless_domain::question::{About, Answer, DecidedBy, Question};
use gapless_domain::task::{Role, Task};
use gapless_mediator::UserInput;
use gapless_session::State;

use crate::played::{Played, READY, content, first_option, objection, proposal};

/// Words that somebody planted, to be put into everything that a session takes from outside.
pub type Planted = fn(&str) -> String;

/// Words as people write them.
pub fn as_they_are(words: &str) -> String {
    words.to_owned()
}

/// Two gaps: one is fought over until the user decides, a round is undone, an attempt is refused, and the session ends as
/// complete.
pub fn quarrel(planted: Planted) -> Played {
    let source = format!(
        "# Calls\n\nWhat {} takes.\n\n## Known gaps\n\n- GAP-API-001 [HIGH]: {}\n- GAP-LOG-001 [LOW]: {}\n",
        planted("the service"),
        planted("how many calls a second are taken"),
        planted("how long logs are kept"),
    );
    let agents = [Role::Engineer, Role::Reviewer, Role::FinalReviewer];
    let agents = agents.map(|role| (role, planted("cmd:played")));
    let config = Config {
        gaps_per_round: 1,
        stall_threshold: Some(9),
        ..Config::default()
    };
    let mut played = Played::start_with(&planted("quarrel"), source, config, agents.into());
    let agent = move |state: &State, task: &Task| agent(state, task, planted);
    let answer = move |question: &Question| answer(question, planted);
    played.play(|state| state.now.round.number == 2, agent, answer);
    played.say(UserInput::Rollback {
        to: Some(0),
        reason: planted("it begins with the wrong gap"),
        adjust: vec![planted("say what is counted")],
    });
    played.play(|_| false, agent, answer);
    played
}

fn agent(state: &State, task: &Task, planted: Planted) -> String {
    let gaps: Vec<String> = task.gaps.iter().map(ToString::to_string).collect();
    let round = task.id.round;
    match task.id.slot.role {
        Role::FinalReviewer => READY.to_owned(),
        Role::Engineer if state.kept.epoch > 0 && round == 1 && task.id.attempt == 1 => {
            planted("Gap Resolution of nothing at all")
        }
        Role::Engineer if disagrees(state, task) => {
            let refused = "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:**\n> Nobody says where the limit comes from";
            proposal("GAP-API-001", &planted("The limit stays."), "None")
                + refused
                + &format!(
                    "\n\n**Engineer Position:**\n{}\n\n**Rationale:**\n{}\n\n**Request:** Escalate to user for resolution\n\n",
                    planted("The limit was measured."),
                    planted("The load test has it."),
                )
        }
        Role::Engineer => gaps
            .iter()
            .map(|gap| proposal(gap, &planted("Windows slide."), "None"))
            .collect(),
        _ if gaps.contains(&"GAP-API-001".to_owned()) && round <= 2 && state.kept.epoch > 0 => {
            let summary = planted("Nobody says where the limit comes from");
            objection("GAP-API-001", "High Priority", "ISSUE-R1-001", &summary)
        }
        _ => content(&gaps),
    }
}

fn disagrees(state: &State, task: &Task) -> bool {
    task.id.round == 2
        && task.gaps.iter().any(|gap| {
            let gap = &state.now.gaps[gap];
            !gap.standing_issues.is_empty()
        })
}

fn answer(question: &Question, planted: Planted) -> Option<Answer> {
    match &question.about {
        About::Conflict { .. } => {
            let fields = question.fields.iter().map(|field| field.name.as_str());
            let mut answer = Answer::of("B", DecidedBy::User);
            for field in fields.filter(|field| *field != "text") {
                answer = answer.with(field, &planted(&format!("as for the {field}")));
            }
            Some(answer)
        }
        _ => first_option(question),
    }
}
