//! Lines about the session as a whole: its start, its agents, its limits and its archives.

use gapless_domain::{Disposed, Phase};
use gapless_session::{SessionEvent, State};

use super::style::LineStyle;
use crate::output::wording::{count, count_or_no, list};
use crate::{Tone, plain};

pub(crate) fn line(style: &LineStyle, state: &State, event: &SessionEvent) -> Option<String> {
    match event {
        SessionEvent::Started {
            name, source_path, ..
        } => Some(format!(
            "Session {} on {}",
            style.paint(Tone::Strong, name),
            plain::one_line(source_path)
        )),
        // After the end only the place of the refined spec can change, and the lines about the end name it.
        SessionEvent::Configured { .. } if state.kept.ended.is_some() => None,
        SessionEvent::Configured { setup } => {
            let agents = setup.agents.iter();
            let agents: Vec<String> = agents
                .map(|(role, agent)| format!("{role} {}", plain::shortened(agent, 60)))
                .collect();
            Some(style.paint(Tone::Faint, agents.join(" · ")))
        }
        SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        } => Some(style.paint(
            Tone::Faint,
            round_limit(state, limits.max_rounds, *initial_gaps),
        )),
        SessionEvent::AgentChanged {
            role,
            agent,
            instead_of,
        } => {
            let agent = plain::one_line(agent);
            Some(match instead_of {
                None => format!("The {role} is now {agent}"),
                Some(before) => style.warning(format!(
                    "{agent} takes over as the {role}: {} cannot run",
                    plain::one_line(before)
                )),
            })
        }
        SessionEvent::BudgetReached { spent } => {
            Some(style.warning(format!("The budget is used up: {spent}")))
        }
        SessionEvent::ArchivesDisposed { disposed } => Some(archives(style, disposed)),
        SessionEvent::Paused {} => Some(style.paint(Tone::Warn, "Paused")),
        SessionEvent::Resumed {} => Some("Resumed".to_owned()),
        SessionEvent::SourceChangeSeen { .. } => {
            let origin = state.kept.origin.as_ref();
            let path = origin.map_or("the spec", |origin| origin.source_path.as_str());
            Some(style.warning(format!(
                "{path} has changed since the session started: reported, not read again"
            )))
        }
        // The user knows, and what follows from it has lines of its own.
        SessionEvent::Said { .. } => None,
        SessionEvent::Reopened { .. } => Some(reopened(style, state)),
        SessionEvent::Entered {
            phase: Phase::FinalReview,
        } => Some(format!("\n{}", style.paint(Tone::Strong, "Final review"))),
        // Edits are reported when they are found; the end and the refined spec have lines of their own.
        SessionEvent::Entered { .. }
        | SessionEvent::ArchivesChosen { .. }
        | SessionEvent::EditKept { .. }
        | SessionEvent::Ended { .. }
        | SessionEvent::Imported { .. }
        | SessionEvent::SpecWritten { .. }
        | SessionEvent::SpecNotWritten { .. } => None,
    }
}

fn reopened(style: &LineStyle, state: &State) -> String {
    let before = state.kept.chapters.back();
    let end = before.map_or(String::new(), |chapter| {
        format!(" ended as {}", chapter.end)
    });
    let chapter = style.paint(Tone::Strong, format!("Chapter {}", state.chapter()));
    format!("{chapter}: the session{end} and goes on")
}

fn round_limit(state: &State, max_rounds: u32, initial_gaps: u32) -> String {
    let at_start = state.round_limit().at_start;
    let gaps = count(initial_gaps, "gap");
    let rounds = count(max_rounds, "round");
    match max_rounds == at_start {
        true => format!("At most {rounds} for the {gaps} at the start"),
        false => format!("At most {rounds} from now on ({at_start} at the start, for {gaps})"),
    }
}

fn archives(style: &LineStyle, disposed: &Disposed) -> String {
    if !disposed.problems.is_empty() {
        let problems = disposed.problems.join("; ");
        return style.warning(format!("archives stay where they are: {problems}"));
    }
    let mut parts = Vec::new();
    if let Some(to) = &disposed.to {
        let moved = count_or_no(disposed.moved.len(), "archive");
        parts.push(format!("{moved} moved to {to}"));
    }
    for (archives, what) in [(&disposed.deleted, "deleted"), (&disposed.kept, "kept")] {
        if !archives.is_empty() {
            parts.push(format!("{} {what}", count(archives.len(), "archive")));
        }
    }
    match parts.is_empty() {
        true => "  No archives were left.".to_owned(),
        false => format!("  {}", list(parts)),
    }
}
