//! Owns what an event says in a few words, in the log. Every event has some, unlike in the story.

use gapless_domain::numbers::quarters;
use gapless_domain::takeover::Remark;
use gapless_domain::task::Role;
use gapless_domain::time::human_millis;
use gapless_session::event::{
    DecisionEvent, GapEvent, Happening, IssueEvent, QuestionEvent, RollbackEvent, RoundEvent,
    SessionEvent, TaskEvent,
};
use gapless_session::state::verdict_words;

use crate::show::story::{list, what_was_read};

/// What an event says in a few words, for the log.
pub fn short(what: &Happening) -> String {
    match what {
        Happening::Session(SessionEvent::Started {
            name, source_path, ..
        }) => format!("{name} on {source_path}"),
        Happening::Session(SessionEvent::Configured { setup }) => {
            let agents = setup
                .agents
                .iter()
                .map(|(role, agent)| format!("{role} {agent}"));
            list(agents)
        }
        Happening::Session(SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        }) => format!(
            "at most {} rounds for {initial_gaps} gaps",
            limits.max_rounds
        ),
        Happening::Session(SessionEvent::BudgetReached { spent }) => spent.to_string(),
        Happening::Session(SessionEvent::Imported { takeover }) => format!(
            "from {}, {} rounds; {} not taken, {} assumed",
            takeover.from,
            takeover.rounds,
            takeover.not_taken.len(),
            takeover.assumed.len()
        ),
        Happening::Round(RoundEvent::Accounted {
            weighted_net,
            open_quarters,
            signal,
            convergence,
            ..
        }) => format!(
            "net {weighted_net:+}, {} open, {}",
            quarters(*open_quarters),
            verdict_words(*signal, convergence)
        ),
        Happening::Task(TaskEvent::Pressed { task, gaps, .. }) => format!(
            "{} says nothing on {}",
            who(task.slot.role, task.attempt),
            list(gaps)
        ),
        Happening::Task(TaskEvent::BestTaken { task, reading, .. }) => format!(
            "{} {}",
            who(task.slot.role, task.attempt),
            what_was_read(reading)
        ),
        Happening::Task(TaskEvent::Opened { slot, gaps, .. }) => {
            format!("{} {} {}", slot.role, slot.index, list(gaps))
        }
        Happening::Task(TaskEvent::Started { task }) => {
            format!(
                "{} {} by {}",
                who(task.id.slot.role, task.id.attempt),
                list(&task.gaps),
                task.agent
            )
        }
        Happening::Task(TaskEvent::Validated {
            task,
            reading,
            usage,
            ..
        }) => format!(
            "{} {} in {}",
            who(task.slot.role, task.attempt),
            what_was_read(reading),
            human_millis(usage.millis)
        ),
        Happening::Task(TaskEvent::Rejected {
            task,
            failure,
            message,
            ..
        }) => format!(
            "{} {}: {message}",
            who(task.slot.role, task.attempt),
            failure.name()
        ),
        Happening::Task(TaskEvent::Failed { task, error, .. }) => {
            format!("{} {}", who(task.slot.role, task.attempt), error.message)
        }
        Happening::Task(TaskEvent::Exhausted { task, message, .. }) => {
            format!("{} {message}", who(task.slot.role, task.attempt))
        }
        Happening::Gap(GapEvent::Created { gap }) => {
            format!("{} [{}] {}", gap.id, gap.severity, gap.description)
        }
        Happening::Gap(GapEvent::Moved { id, from, to, .. }) => format!("{id} {from} → {to}"),
        Happening::Gap(GapEvent::OriginAdded {
            id,
            said: Some(said),
            ..
        }) => format!("{id} merged with: {}", said.text),
        Happening::Issue(IssueEvent::Restated { id, concern, .. }) => {
            format!("{id} [{}] now reads: {}", concern.severity, concern.summary)
        }
        Happening::Gap(GapEvent::Recorded {
            id,
            from,
            to,
            because,
        }) => format!("{id} {from} → {to}: {because}"),
        Happening::Issue(IssueEvent::Raised {
            id, gap, concern, ..
        }) => {
            format!("{id} [{}] on {gap}: {}", concern.severity, concern.summary)
        }
        Happening::Issue(IssueEvent::Moved { id, from, to, .. }) => format!("{id} {from} → {to}"),
        Happening::Question(
            QuestionEvent::Asked { question } | QuestionEvent::Renewed { question },
        ) => {
            format!("{} {}", question.id, question.title)
        }
        Happening::Question(QuestionEvent::Answered { id, answer, .. }) => {
            format!("{id} {} by {}", answer.option, answer.by)
        }
        Happening::Rollback(RollbackEvent::RolledBack {
            from_round,
            to_round,
            reason,
            ..
        }) => format!("from round {from_round} to {to_round}: {reason}"),
        Happening::Decision(DecisionEvent::Recorded { decision }) => {
            format!("{} {}", decision.id, decision.title)
        }
        other => brief(other),
    }
}

/// What is said of a record beside the event, a line each.
pub fn remarks(what: &Happening) -> Vec<String> {
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

fn who(role: Role, attempt: u32) -> String {
    format!("{role} attempt {attempt}:")
}

/// The plain fields of an event, for those without words of their own.
fn brief(what: &Happening) -> String {
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
