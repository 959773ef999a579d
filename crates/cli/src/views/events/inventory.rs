//! Lines about gaps, issues, questions and decisions.

use gapless_domain::{GapMove, GapState, IssueState, Origin, Severity};
use gapless_session::{DecisionEvent, GapEvent, IssueEvent, QuestionEvent, State};

use super::style::LineStyle;
use crate::output::wording::{in_parentheses, list_or_nothing as list};
use crate::{Tone, plain};

pub(crate) fn gap(style: &LineStyle, state: &State, event: &GapEvent) -> Option<String> {
    let (tone, mark, text) = match event {
        GapEvent::Created { gap } if state.now.round.number > 0 || gap.origin == Origin::User => {
            let text = format!("new {} [{}] {}", gap.id, gap.severity, gap.description);
            (tone_of(gap.severity), "+", text)
        }
        GapEvent::OriginAdded {
            id,
            said: Some(said),
            ..
        } => (Tone::Faint, "·", format!("merged into {id}: {}", said.text)),
        GapEvent::DependencyChanged { id, blocked_by } => (
            Tone::Faint,
            "·",
            format!("{id} waits on {}", list(blocked_by)),
        ),
        GapEvent::Moved {
            id, by, to, reason, ..
        } => {
            let (tone, mark) = look_of_move(*by, *to)?;
            let reason = reason.as_deref();
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            (tone, mark, format!("{id} {to}{reason}"))
        }
        GapEvent::SeverityChanged { id, from, to, .. } => (
            tone_of(*to),
            "·",
            format!("{id} is {to} now, it was {from}"),
        ),
        GapEvent::Assigned { id, ownership } => {
            let text = match ownership.is_empty() {
                true => format!("{id} has no owner and no day any more"),
                false => format!("{id}: {}", ownership.in_words()),
            };
            (Tone::Info, "·", text)
        }
        _ => return None,
    };
    Some(style.detail(tone, mark, text))
}

/// The colour and mark of a gap's move; `None` if it needs no line.
fn look_of_move(by: GapMove, to: GapState) -> Option<(Tone, &'static str)> {
    let by_user = matches!(by, GapMove::Resume | GapMove::GiveInput | GapMove::Reopen);
    match to {
        GapState::Open if by_user => Some((Tone::Info, "·")),
        GapState::Accepted => Some((Tone::Good, "✓")),
        GapState::NeedsRevision => Some((Tone::Warn, "↺")),
        GapState::BlockedExternal | GapState::UserDeferred | GapState::WontFix => {
            Some((Tone::Warn, "·"))
        }
        GapState::Superseded => Some((Tone::Faint, "·")),
        GapState::Open | GapState::InProgress | GapState::Proposed | GapState::Resolved => None,
    }
}

pub(crate) fn issue(style: &LineStyle, event: &IssueEvent) -> Option<String> {
    let (tone, mark, text) = match event {
        IssueEvent::Raised {
            id, gap, concern, ..
        } => {
            let text = format!("{id} [{}] on {gap}: {}", concern.severity, concern.summary);
            (tone_of(concern.severity), "!", text)
        }
        IssueEvent::Moved {
            id,
            to: to @ (IssueState::Closed | IssueState::Withdrawn | IssueState::Waived),
            ..
        } => (Tone::Good, "✓", format!("{id} {to}")),
        IssueEvent::SeverityChanged { id, from, to } => (
            tone_of(*to),
            "·",
            format!("{id} is {to} now, it was {from}"),
        ),
        _ => return None,
    };
    Some(style.detail(tone, mark, text))
}

pub(crate) fn question(style: &LineStyle, state: &State, event: &QuestionEvent) -> Option<String> {
    match event {
        QuestionEvent::Asked { question } | QuestionEvent::Renewed { question } => {
            let title = plain::one_line(&question.title);
            let mark = style.paint(Tone::Warn, format!("? {}", question.id));
            Some(format!("  {mark} {title}"))
        }
        QuestionEvent::Answered { id, answer, .. } => {
            let fields = answer.fields.iter();
            let fields: Vec<String> = fields
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            let fields = in_parentheses((!fields.is_empty()).then(|| fields.join("; ")));
            let text = format!("{id} answered by {}: {}{fields}", answer.by, answer.option);
            Some(style.detail(Tone::Info, "→", text))
        }
        QuestionEvent::Withdrawn { id, why, to_renew } => {
            let waiting = &state.now.questions;
            if waiting.contains_key(id) || state.now.round.to_renew.contains_key(id) {
                return None;
            }
            let by = waiting.values().find(|by| by.replaces.contains(id));
            let text = match (by, to_renew) {
                (Some(by), _) => format!("{id} is now {}: {why}", by.id),
                (None, true) => format!("{id} needs no answer any more: {why}"),
                (None, false) => format!("{id} withdrawn: {why}"),
            };
            Some(style.detail(Tone::Faint, "·", text))
        }
    }
}

/// Only a decision that is in force again has a line: others show by what they do.
pub(crate) fn decision(style: &LineStyle, event: &DecisionEvent) -> Option<String> {
    let DecisionEvent::Recorded { decision } = event else {
        return None;
    };
    let origin = decision.reapplied_from?;
    let text = format!("{origin} is in force again, as {}", decision.id);
    Some(style.detail(Tone::Faint, "·", text))
}

fn tone_of(severity: Severity) -> Tone {
    match severity {
        Severity::Critical | Severity::High => Tone::Bad,
        Severity::Medium => Tone::Warn,
        Severity::Low => Tone::Faint,
    }
}
