//! Entries of the log: every event in a few words.

use gapless_domain::{Remark, TaskId, human_millis, quarters};
use gapless_session::state::verdict_words;
use gapless_session::{
    DecisionEvent, GapEvent, Happening, IssueEvent, QuestionEvent, RollbackEvent, RoundEvent,
    SessionEvent, TaskEvent,
};

use super::reading::in_words;
use crate::output::wording::list_or_nothing as list;

/// Says in a few words what happened.
pub(crate) fn summary(what: &Happening) -> String {
    let words = match what {
        Happening::Session(event) => session(event),
        Happening::Round(event) => round(event),
        Happening::Task(event) => task(event),
        Happening::Gap(event) => gap(event),
        Happening::Issue(event) => issue(event),
        Happening::Question(event) => question(event),
        Happening::Rollback(event) => rollback(event),
        Happening::Decision(event) => decision(event),
    };
    words.unwrap_or_else(|| plain_fields(what))
}

fn session(event: &SessionEvent) -> Option<String> {
    Some(match event {
        SessionEvent::Started {
            name, source_path, ..
        } => format!("{name} on {source_path}"),
        SessionEvent::Configured { setup } => {
            let agents = setup.agents.iter();
            list(agents.map(|(role, agent)| format!("{role} {agent}")))
        }
        SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        } => format!(
            "at most {} rounds for {initial_gaps} gaps",
            limits.max_rounds
        ),
        SessionEvent::Said { words, .. } => words.clone(),
        SessionEvent::BudgetReached { spent } => spent.to_string(),
        SessionEvent::Imported { takeover } => format!(
            "from {}, {} rounds; {} not taken, {} assumed",
            takeover.from,
            takeover.rounds,
            takeover.not_taken.len(),
            takeover.assumed.len()
        ),
        _ => return None,
    })
}

fn round(event: &RoundEvent) -> Option<String> {
    let RoundEvent::Accounted {
        weighted_net,
        open_quarters,
        signal,
        convergence,
        ..
    } = event
    else {
        return None;
    };
    Some(format!(
        "net {weighted_net:+}, {} open, {}",
        quarters(*open_quarters),
        verdict_words(*signal, convergence)
    ))
}

fn task(event: &TaskEvent) -> Option<String> {
    Some(match event {
        TaskEvent::Pressed { task, gaps, .. } => {
            format!("{} says nothing on {}", attempt(task), list(gaps))
        }
        TaskEvent::BestTaken { task, reading, .. } => {
            format!("{} {}", attempt(task), in_words(reading))
        }
        TaskEvent::Opened { slot, gaps, .. } => {
            format!("{} {} {}", slot.role, slot.index, list(gaps))
        }
        TaskEvent::Started { task } => {
            let gaps = list(&task.gaps);
            format!("{} {gaps} by {}", attempt(&task.id), task.agent)
        }
        TaskEvent::Validated {
            task,
            reading,
            usage,
            ..
        } => format!(
            "{} {} in {}",
            attempt(task),
            in_words(reading),
            human_millis(usage.millis)
        ),
        TaskEvent::Rejected {
            task,
            failure,
            message,
            ..
        } => format!("{} {}: {message}", attempt(task), failure.name()),
        TaskEvent::Failed { task, error, .. } => format!("{} {}", attempt(task), error.message),
        TaskEvent::Exhausted { task, message, .. } => format!("{} {message}", attempt(task)),
        TaskEvent::UsageNoted { task, usage } => {
            let tokens = [
                usage
                    .tokens_in()
                    .map(|tokens| format!(", {tokens} tokens in")),
                usage.tokens_out().map(|tokens| format!(", {tokens} out")),
                usage.cost().map(|cost| format!(", cost {cost}")),
            ];
            let used: String = tokens.into_iter().flatten().collect();
            format!(
                "{} not taken, but counted: {}{used}",
                attempt(task),
                human_millis(usage.millis)
            )
        }
        _ => return None,
    })
}

fn attempt(task: &TaskId) -> String {
    format!("{} attempt {}:", task.slot.role, task.attempt)
}

fn gap(event: &GapEvent) -> Option<String> {
    Some(match event {
        GapEvent::Created { gap } => format!("{} [{}] {}", gap.id, gap.severity, gap.description),
        GapEvent::Moved { id, from, to, .. } => format!("{id} {from} → {to}"),
        GapEvent::OriginAdded {
            id,
            said: Some(said),
            ..
        } => format!("{id} merged with: {}", said.text),
        GapEvent::Recorded {
            id,
            from,
            to,
            because,
        } => format!("{id} {from} → {to}: {because}"),
        GapEvent::Assigned { id, ownership } => match ownership.is_empty() {
            true => format!("{id} has no owner and no day any more"),
            false => format!("{id}: {}", ownership.in_words()),
        },
        _ => return None,
    })
}

fn issue(event: &IssueEvent) -> Option<String> {
    Some(match event {
        IssueEvent::Restated { id, concern, .. } => {
            format!("{id} [{}] now reads: {}", concern.severity, concern.summary)
        }
        IssueEvent::Raised {
            id, gap, concern, ..
        } => format!("{id} [{}] on {gap}: {}", concern.severity, concern.summary),
        IssueEvent::Moved { id, from, to, .. } => format!("{id} {from} → {to}"),
        _ => return None,
    })
}

fn question(event: &QuestionEvent) -> Option<String> {
    Some(match event {
        QuestionEvent::Asked { question } | QuestionEvent::Renewed { question } => {
            format!("{} {}", question.id, question.title)
        }
        QuestionEvent::Answered { id, answer, .. } => {
            format!("{id} {} by {}", answer.option, answer.by)
        }
        QuestionEvent::Withdrawn { .. } => return None,
    })
}

fn rollback(event: &RollbackEvent) -> Option<String> {
    match event {
        RollbackEvent::RolledBack {
            from_round,
            to_round,
            reason,
            ..
        } => Some(format!("from round {from_round} to {to_round}: {reason}")),
        RollbackEvent::TakenBack { words, .. } => Some(words.clone()),
        _ => None,
    }
}

fn decision(event: &DecisionEvent) -> Option<String> {
    match event {
        DecisionEvent::Recorded { decision } => Some(format!("{} {}", decision.id, decision.title)),
        _ => None,
    }
}

/// Remarks on an imported record, a line each.
pub(crate) fn remarks(what: &Happening) -> Vec<String> {
    let Happening::Session(SessionEvent::Imported { takeover }) = what else {
        return Vec::new();
    };
    let worded = |word: &str, remark: &Remark| {
        let line = remark.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{word} {}{line}: {}", remark.file, remark.why)
    };
    let not_taken = takeover.not_taken.iter();
    let assumed = takeover.assumed.iter();
    not_taken
        .map(|remark| worded("not taken:", remark))
        .chain(assumed.map(|remark| worded("assumed:", remark)))
        .collect()
}

/// The plain fields of an event, for those without words of their own.
fn plain_fields(what: &Happening) -> String {
    let body: serde_json::Value = serde_json::from_str(&what.encode().body).unwrap_or_default();
    let fields = body.as_object().into_iter().flatten();
    let said: Vec<String> = fields
        .filter_map(|(name, value)| match value {
            serde_json::Value::String(text) if text.len() == 64 => {
                Some(format!("{name} {}…", text.get(..8)?))
            }
            serde_json::Value::String(text) if name == "id" => Some(text.clone()),
            serde_json::Value::String(text) => Some(format!("{name} {text}")),
            serde_json::Value::Array(items) => {
                let items: Vec<&str> = items.iter().filter_map(|item| item.as_str()).collect();
                (!items.is_empty()).then(|| format!("{name} {}", items.join(", ")))
            }
            serde_json::Value::Object(_) | serde_json::Value::Null => None,
            other => Some(format!("{name} {other}")),
        })
        .collect();
    said.join(", ")
}
