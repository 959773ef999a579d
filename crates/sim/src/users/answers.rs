//! Legal answers: every option of every kind of question, with fields that fit it.

use gapless_domain::question::{defaults, systematic_concern, undone_decisions};
use gapless_domain::{
    About, Answer, DecidedBy, Field, Gap, GapId, GapState, IssueId, Question, Severity,
};
use gapless_session::State;

use crate::{Rng, words};

/// True for a question whose answer acts on an earlier state of the session.
pub fn looks_back(question: &Question) -> bool {
    matches!(
        question.about,
        About::Rollback { .. } | About::RootCause { .. } | About::UndoneDecisions { .. }
    )
}

/// An answer that the question allows.
pub fn legal(rng: &mut Rng, state: &State, question: &Question) -> Option<Answer> {
    // A session that is paused can't be paused, and a CRITICAL gap is closed through its own command only.
    let possible = |option: &str| match (&question.about, option) {
        (_, "pause") => !state.kept.paused,
        (
            About::SystematicConcern(systematic_concern::Subject { issues })
            | About::Defaults(defaults::Subject { issues, .. }),
            "close",
        ) => !is_critical(state, issues),
        _ => true,
    };
    if rng.percent(8)
        && let Some(answer) = question.policy_answer()
        && possible(&answer.option)
    {
        return Some(answer);
    }
    let options: Vec<(u32, &str)> = question
        .options
        .iter()
        .filter(|choice| !choice.policy_only && possible(&choice.label))
        .map(|choice| choice.label.as_str())
        .filter(|it| !needs_gaps(question, it) || !fitting(state, question, it).is_empty())
        .map(|option| (weight(question, option), option))
        .collect();
    let option = rng.weighted(&options)?;
    Some(filled(rng, state, question, option))
}

/// True where one of the issues is on a CRITICAL gap.
fn is_critical(state: &State, issues: &[IssueId]) -> bool {
    let on = |gap: &Gap| {
        issues.iter().any(|id| {
            let issue = state.now.issues.get(id);
            issue.is_some_and(|issue| issue.gap == gap.id) || gap.standing_issues.contains(id)
        })
    };
    let mut gaps = state.now.gaps.values();
    gaps.any(|gap| gap.gravest == Severity::Critical && on(gap))
}

/// The answer of a user who wants the session to end well and soon.
pub fn cooperative(rng: &mut Rng, state: &State, question: &Question) -> Answer {
    let wanted = match &question.about {
        About::Inventory(_) => "begin",
        About::BlockedGap { .. } => "go_on",
        About::Escalation { .. } => "skip",
        About::AgentCannotRun { .. } => "again",
        About::BothEmpty { .. } | About::BrokenAgent { .. } => "go_on",
        About::Conflict { .. } | About::LesserConflicts { .. } => "B",
        About::RateLimit { .. } => "accept",
        About::ImplicitDisagreement { .. } | About::SystematicConcern { .. } => "false_positive",
        About::Severity { .. } | About::DecidedMatter { .. } => "keep",
        About::Contradiction { .. } => "fits",
        About::Defaults { .. } => "confirm",
        About::Divergence { .. } => "accept",
        About::NothingToPlan { .. } => "stop",
        About::RoundLimit { .. } | About::Stop { .. } => "accept",
        About::Rollback { .. } => "cancel",
        About::RootCause { .. } => "retry",
        About::RollbackLimit { .. } => "go_on",
        About::UndoneDecisions { .. } => "leave",
        About::Archives(_) => "cold",
    };
    filled(rng, state, question, wanted)
}

/// Ends and rests are chosen seldom, so that sessions live long enough to meet the rest.
fn weight(question: &Question, option: &str) -> u32 {
    match (&question.about, option) {
        (About::BothEmpty { .. }, "abandon" | "pause") => 8,
        (_, "abandon") => 1,
        (_, "pause") => 4,
        (About::Inventory(_), _) => 40,
        (About::Stop { .. }, "accept") => 5,
        (About::Stop { .. }, _) => 15,
        (_, "force_complete" | "stop") => 6,
        _ => 12,
    }
}

fn needs_gaps(question: &Question, option: &str) -> bool {
    let names_gaps = |field: &Field| {
        field.name == "gaps" && field.needed_for.iter().any(|label| label == option)
    };
    question.fields.iter().any(names_gaps)
}

/// The gaps that an option can be taken with.
fn fitting(state: &State, question: &Question, option: &str) -> Vec<String> {
    let suggested = question.fields.iter().find(|field| field.name == "gaps");
    let suggested = suggested.and_then(|field| field.suggested.as_deref());
    if matches!(
        question.about,
        About::Escalation { .. } | About::Rollback { .. } | About::RootCause { .. }
    ) {
        let gaps = suggested.unwrap_or_default().split(", ");
        // What was closed, put off, split or made to wait since it was asked can't be given to anybody.
        let is_free = |id: &&str| {
            let gap = id.parse().ok().and_then(|id| state.now.gaps.get(&id));
            gap.is_none_or(|gap| {
                let waits = !gap.blocked_by.is_empty() || state.now.gap_is_in_question(&gap.id);
                gap.state.is_open() && !waits
            })
        };
        return gaps.filter(is_free).map(str::to_owned).collect();
    }
    let fits = |gap: &&Gap| match (&question.about, option) {
        (About::Defaults(defaults::Subject { issues, .. }), _) => {
            // A gap that was put off since is not asked about any more.
            let asked = issues.iter().any(|id| gap.standing_issues.contains(id));
            asked && gap.state.is_open() && (option != "close" || gap.gravest != Severity::Critical)
        }
        (About::Divergence { .. }, _) | (About::BothEmpty { .. }, "defer") => {
            gap.state.is_open() || gap.state == GapState::BlockedExternal
        }
        (_, "resume") => gap.state == GapState::UserDeferred,
        (_, "input") => gap.state == GapState::BlockedExternal,
        (_, "unblock") => gap.state.is_open() && !gap.blocked_by.is_empty(),
        _ => (gap.state.is_open() || gap.state.is_parked()) && gap.gravest != Severity::Critical,
    };
    let gaps = state.now.gaps.values().filter(fits);
    gaps.map(|gap| gap.id.to_string()).collect()
}

/// The answer with this option, and fields that fit it.
pub fn filled(rng: &mut Rng, state: &State, question: &Question, option: &str) -> Answer {
    let mut answer = Answer::of(option, DecidedBy::User);
    for field in &question.fields {
        let needed = field.needed_for.iter().any(|label| label == option);
        // Of these one at least is to be filled in.
        let one_of_several = option == "change" && field.name == "add";
        let wanted = needed || one_of_several || rng.percent(20);
        if !field.goes_with(option) || !wanted {
            continue;
        }
        let value = value_of(rng, state, question, option, field);
        answer = answer.with(&field.name, &value);
    }
    answer
}

fn value_of(
    rng: &mut Rng,
    state: &State,
    question: &Question,
    option: &str,
    field: &Field,
) -> String {
    match (&field.exactly, field.name.as_str()) {
        (Some(sentence), _) => sentence.clone(),
        (None, "gaps") => {
            let gaps = fitting(state, question, option);
            let count = gaps.len().min(rng.between(1, 3) as usize);
            let chosen = (0..count).filter_map(|_| rng.pick(&gaps).cloned());
            chosen.collect::<Vec<String>>().join(", ")
        }
        (None, "drop") => {
            let gaps = fitting(state, question, option);
            rng.pick(&gaps).cloned().unwrap_or_default()
        }
        (None, "severities") if matches!(question.about, About::Inventory(_)) => {
            let gaps: Vec<&GapId> = state.now.gaps.keys().collect();
            let gap = rng.pick(&gaps);
            gap.map_or(String::new(), |gap| format!("{gap}=MEDIUM"))
        }
        (None, "severities") => {
            let issue = rng.pick(&state.now.round.disagreed);
            issue.map_or(String::new(), |issue| format!("{issue}=LOW"))
        }
        (None, "to") => match rng.pick(&state.checkpoints) {
            Some(point) => point.after_round.to_string(),
            None => field.suggested.clone().unwrap_or_default(),
        },
        (None, "agent") => "replay:another".to_owned(),
        (None, "gap") => field.suggested.clone().unwrap_or_default(),
        (None, "parts") => match &field.suggested {
            Some(parts) if !parts.is_empty() => parts.clone(),
            _ => format!("{}; {}", words::line(rng, 2, 5), words::line(rng, 2, 5)),
        },
        (None, "decisions") => match &question.about {
            About::UndoneDecisions(undone_decisions::Subject { decisions }) => {
                let decision = rng.pick(decisions);
                decision.map_or(String::new(), ToString::to_string)
            }
            _ => String::new(),
        },
        (None, "text") if matches!(question.about, About::UndoneDecisions { .. }) => edited(rng),
        (None, "adjust" | "context") => words::distinct(rng),
        (None, _) => words::line(rng, 2, 6),
    }
}

/// Words for a decision of an undone round: those of some kind of decision, which may be another's.
pub fn edited(rng: &mut Rng) -> String {
    let words = words::line(rng, 2, 6);
    match rng.below(6) {
        0 => format!("HIGH: {words}"),
        1 => format!("low: {words}"),
        2 => "B".to_owned(),
        3 => format!("deferred: {words}"),
        _ => words,
    }
}
