//! Owns the story of a session: one line for each event that a person wants to hear of, none for the others; only a rollback has
//! more.

use std::fmt::Display;

use gapless_domain::gap::{GapMove, GapState, Origin};
use gapless_domain::issue::IssueState;
use gapless_domain::numbers::quarters;
use gapless_domain::severity::Severity;
use gapless_domain::slot::Exhaustion;
use gapless_reading::read::Reading;
use gapless_session::State;
use gapless_session::event::{
    DecisionEvent, Event, GapEvent, Happening, IssueEvent, QuestionEvent, RoundEvent, SessionEvent,
    TaskEvent,
};
use gapless_session::state::verdict_words;

use crate::show::{Screen, Tone, plain};

/// Tells what happened.
pub struct Story {
    screen: Screen,
    /// Questions are put to the person who reads this, so they need no line of their own.
    asks_here: bool,
}

impl Story {
    pub fn new(screen: &Screen, asks_here: bool) -> Self {
        Self {
            screen: screen.clone(),
            asks_here,
        }
    }

    /// The line for an event, where it is worth one; `state` is the one after it and others.
    pub fn line(&self, state: &State, event: &Event) -> Option<String> {
        match &event.what {
            Happening::Session(event) => self.session(state, event),
            Happening::Round(event) => self.round(event),
            Happening::Task(event) => self.task(event),
            Happening::Gap(event) => self.gap(state, event),
            Happening::Issue(event) => self.issue(event),
            Happening::Question(event) => self.question(state, event),
            Happening::Decision(event) => self.decision(event),
            Happening::Rollback(rollback) => self.rollback(state, rollback, event.at),
        }
    }

    /// What is decided is told by what it does; that it was decided before is not.
    fn decision(&self, event: &DecisionEvent) -> Option<String> {
        let DecisionEvent::Recorded { decision } = event else {
            return None;
        };
        let origin = decision.reapplied_from?;
        let text = format!("{origin} is in force again, as {}", decision.id);
        Some(self.within(Tone::Faint, "·", text))
    }

    fn paint(&self, tone: Tone, text: impl AsRef<str>) -> String {
        self.screen.paint(tone, text)
    }

    pub(super) fn width(&self) -> usize {
        self.screen.width()
    }

    /// What happened within a round, in two lines at most.
    fn within(&self, tone: Tone, mark: &str, text: impl Display) -> String {
        let width = self.screen.width();
        let room = 2 * width.saturating_sub(6);
        let lines = plain::wrapped(&plain::shortened(&text.to_string(), room), width, "    ");
        let text = lines.join("\n");
        format!("  {} {}", self.paint(tone, mark), text.trim_start())
    }

    pub(super) fn warning(&self, text: impl Display) -> String {
        let text = plain::one_line(&text.to_string());
        self.paint(Tone::Warn, format!("! {text}"))
    }

    fn session(&self, state: &State, event: &SessionEvent) -> Option<String> {
        match event {
            SessionEvent::Started {
                name, source_path, ..
            } => Some(format!(
                "Session {} on {}",
                self.paint(Tone::Strong, name),
                plain::one_line(source_path)
            )),
            // After the end only where the refined spec goes can change, and the end's own words say that.
            SessionEvent::Configured { .. } if state.kept.ended.is_some() => None,
            SessionEvent::Configured { setup } => {
                let agents: Vec<String> = setup
                    .agents
                    .iter()
                    .map(|(role, agent)| format!("{role} {}", plain::shortened(agent, 60)))
                    .collect();
                Some(self.paint(Tone::Faint, agents.join(" · ")))
            }
            SessionEvent::LimitsSet {
                limits,
                initial_gaps,
            } => {
                let at_start = state.round_limit().at_start;
                let gaps = number_of(*initial_gaps, "gap");
                let text = match limits.max_rounds == at_start {
                    true => format!(
                        "At most {} for the {gaps} at the start",
                        number_of(at_start, "round")
                    ),
                    false => format!(
                        "At most {} from now on ({at_start} at the start, for {gaps})",
                        number_of(limits.max_rounds, "round")
                    ),
                };
                Some(self.paint(Tone::Faint, text))
            }
            SessionEvent::AgentChanged {
                role,
                agent,
                instead_of,
            } => {
                let agent = plain::one_line(agent);
                Some(match instead_of {
                    None => format!("The {role} is now {agent}"),
                    Some(before) => self.warning(format!(
                        "{agent} takes over as the {role}: {} cannot run",
                        plain::one_line(before)
                    )),
                })
            }
            SessionEvent::BudgetReached { spent } => {
                Some(self.warning(format!("The budget is used up: {spent}")))
            }
            SessionEvent::ArchivesChosen { .. } => None,
            SessionEvent::ArchivesDisposed { disposed } => Some(self.disposed(disposed)),
            SessionEvent::Paused {} => Some(self.paint(Tone::Warn, "Paused")),
            SessionEvent::Resumed {} => Some("Resumed".to_owned()),
            SessionEvent::SourceChangeSeen { .. } => {
                let path = state
                    .kept
                    .origin
                    .as_ref()
                    .map_or("the spec", |origin| origin.source_path.as_str());
                Some(self.warning(format!(
                    "{path} has changed since the session started: reported, not read again"
                )))
            }
            SessionEvent::Entered {
                phase: gapless_domain::phase::Phase::FinalReview,
            } => Some(format!("\n{}", self.paint(Tone::Strong, "Final review"))),
            // Edits are told when they are found, and the end has words of its own for itself and the refined spec.
            SessionEvent::Entered { .. }
            | SessionEvent::EditKept { .. }
            | SessionEvent::Ended { .. }
            | SessionEvent::Imported { .. }
            | SessionEvent::SpecWritten { .. }
            | SessionEvent::SpecNotWritten { .. } => None,
        }
    }

    fn round(&self, event: &RoundEvent) -> Option<String> {
        match event {
            RoundEvent::Began { round } => Some(format!(
                "\n{}",
                self.paint(Tone::Strong, format!("Round {round}"))
            )),
            RoundEvent::Planned {
                assigned,
                to_review,
            } => {
                let mut text = format!("planned: {}", list(assigned));
                if !to_review.is_empty() {
                    text += &format!("; to review again: {}", list(to_review));
                }
                Some(self.within(Tone::Faint, "·", text))
            }
            RoundEvent::Accounted {
                tally,
                weighted_net,
                unweighted_net,
                signal,
                convergence,
                open_quarters,
            } => {
                let tone = match weighted_net {
                    1.. => Tone::Good,
                    0 => Tone::Warn,
                    _ => Tone::Bad,
                };
                let disagree = match weighted_net.signum() == unweighted_net.signum() {
                    true => "",
                    false => "; weight and gaps disagree, weight decides",
                };
                Some(self.within(
                    tone,
                    "=",
                    format!(
                        "net {weighted_net:+} ({unweighted_net:+} by gaps): {} resolved, {} new, {} reopened; {} open; {}{disagree}",
                        tally.resolved.len(),
                        tally.created.len(),
                        tally.reopened.len(),
                        quarters(*open_quarters),
                        verdict_words(*signal, convergence)
                    ),
                ))
            }
            RoundEvent::Narrowed { to } => {
                Some(format!("  The next round takes only {}", list(to)))
            }
            RoundEvent::LeftOut { gaps } => {
                Some(format!("  The next round takes others than {}", list(gaps)))
            }
            RoundEvent::Forced { .. } => {
                Some("  The next round takes the proposals that were undone".to_owned())
            }
            RoundEvent::Edited {
                taken, not_taken, ..
            } => {
                let edited = taken.iter().map(|edit| {
                    let text =
                        format!("{}: accepted parts worked in", plain::one_line(&edit.title));
                    self.within(Tone::Good, "✓", text)
                });
                let not = not_taken.iter().map(|section| {
                    let (title, why) = (
                        plain::one_line(&section.title),
                        plain::one_line(&section.why),
                    );
                    let text = format!(
                        "{title}: as it is assembled; the Editor's version was not taken: {why}"
                    );
                    self.within(Tone::Warn, "!", text)
                });
                let lines: Vec<String> = edited.chain(not).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            }
            RoundEvent::FinalReviewed { ready: true, .. } => {
                Some(self.within(Tone::Good, "✓", "the final review says ready"))
            }
            RoundEvent::FinalReviewed { ready: false, .. } => {
                Some(self.within(Tone::Bad, "✗", "the final review names blockers"))
            }
            RoundEvent::Entered { .. }
            | RoundEvent::Responded { .. }
            | RoundEvent::Joined { .. }
            | RoundEvent::Reviewed { .. }
            | RoundEvent::Settled {}
            | RoundEvent::DivergenceCleared { .. } => None,
        }
    }

    fn task(&self, event: &TaskEvent) -> Option<String> {
        match event {
            TaskEvent::Validated { task, reading, .. } => {
                let text = what_was_read(reading);
                Some(self.within(Tone::Info, "·", format!("{} {text}", task.slot.role)))
            }
            TaskEvent::Rejected {
                task,
                failure,
                message,
                ..
            } => Some(self.within(
                Tone::Bad,
                "✗",
                format!(
                    "{} attempt {} rejected, trying again: {}: {message}",
                    task.slot.role,
                    task.attempt,
                    failure.name()
                ),
            )),
            TaskEvent::Pressed { task, gaps, .. } => Some(self.within(
                Tone::Warn,
                "·",
                format!(
                    "{} finds nothing on {} and doesn't say what it examined: asked once more",
                    task.slot.role,
                    list(gaps)
                ),
            )),
            TaskEvent::BestTaken { task, reading, .. } => {
                let text = what_was_read(reading);
                Some(self.within(
                    Tone::Info,
                    "·",
                    format!(
                        "{} attempt {} is taken: {text}",
                        task.slot.role, task.attempt
                    ),
                ))
            }
            TaskEvent::Failed { task, error, .. } => Some(self.within(
                Tone::Bad,
                "✗",
                format!(
                    "{} attempt {} could not run, trying again soon: {}",
                    task.slot.role, task.attempt, error.message
                ),
            )),
            TaskEvent::Exhausted {
                task,
                exhaustion,
                message,
                ..
            } => {
                let why = match exhaustion {
                    Exhaustion::InvalidOutput { failure } => {
                        format!("{}: {message}", failure.name())
                    }
                    Exhaustion::CannotRun { error } => error.message.clone(),
                };
                Some(self.within(
                    Tone::Bad,
                    "✗",
                    format!("{} has nothing left to try: {why}", task.slot.role),
                ))
            }
            TaskEvent::Skipped { slot } => {
                Some(self.within(Tone::Warn, "·", format!("{} skipped", slot.role)))
            }
            TaskEvent::Opened {
                slot,
                gaps,
                instead_of: Some(_),
                ..
            } => {
                let gaps = match gaps.is_empty() {
                    true => String::new(),
                    false => format!(": {}", list(gaps)),
                };
                let text = format!("{} begins another task{gaps}", slot.role);
                Some(self.within(Tone::Faint, "·", text))
            }
            TaskEvent::Opened { .. }
            | TaskEvent::Started { .. }
            | TaskEvent::Woken { .. }
            | TaskEvent::Granted { .. } => None,
        }
    }

    fn gap(&self, state: &State, event: &GapEvent) -> Option<String> {
        match event {
            GapEvent::Created { gap }
                if state.now.round.number > 0 || gap.origin == Origin::User =>
            {
                Some(self.within(
                    tone_of(gap.severity),
                    "+",
                    format!("new {} [{}] {}", gap.id, gap.severity, gap.description),
                ))
            }
            GapEvent::OriginAdded {
                id,
                said: Some(said),
                ..
            } => Some(self.within(Tone::Faint, "·", format!("merged into {id}: {}", said.text))),
            GapEvent::DependencyChanged { id, blocked_by } => Some(self.within(
                Tone::Faint,
                "·",
                format!("{id} waits on {}", list(blocked_by)),
            )),
            GapEvent::Moved {
                id, by, to, reason, ..
            } => {
                let (tone, mark) = match to {
                    GapState::Open if is_users(*by) => (Tone::Info, "·"),
                    GapState::Accepted => (Tone::Good, "✓"),
                    GapState::NeedsRevision => (Tone::Warn, "↺"),
                    GapState::BlockedExternal | GapState::UserDeferred | GapState::WontFix => {
                        (Tone::Warn, "·")
                    }
                    GapState::Superseded => (Tone::Faint, "·"),
                    GapState::Open
                    | GapState::InProgress
                    | GapState::Proposed
                    | GapState::Resolved => return None,
                };
                let reason = reason
                    .as_deref()
                    .map_or(String::new(), |reason| format!(": {reason}"));
                Some(self.within(tone, mark, format!("{id} {to}{reason}")))
            }
            GapEvent::SeverityChanged { id, from, to, .. } => Some(self.within(
                tone_of(*to),
                "·",
                format!("{id} is {to} now, it was {from}"),
            )),
            _ => None,
        }
    }

    fn issue(&self, event: &IssueEvent) -> Option<String> {
        match event {
            IssueEvent::Raised {
                id, gap, concern, ..
            } => Some(self.within(
                tone_of(concern.severity),
                "!",
                format!("{id} [{}] on {gap}: {}", concern.severity, concern.summary),
            )),
            IssueEvent::Moved {
                id,
                to: to @ (IssueState::Closed | IssueState::Withdrawn | IssueState::Waived),
                ..
            } => Some(self.within(Tone::Good, "✓", format!("{id} {to}"))),
            IssueEvent::SeverityChanged { id, from, to } => Some(self.within(
                tone_of(*to),
                "·",
                format!("{id} is {to} now, it was {from}"),
            )),
            _ => None,
        }
    }

    fn question(&self, state: &State, event: &QuestionEvent) -> Option<String> {
        match event {
            QuestionEvent::Asked { question } | QuestionEvent::Renewed { question }
                if !self.asks_here =>
            {
                let title = plain::one_line(&question.title);
                Some(format!(
                    "  {} {title}",
                    self.paint(Tone::Warn, format!("? {}", question.id))
                ))
            }
            QuestionEvent::Answered { id, answer, .. } => {
                let fields: Vec<String> = answer
                    .fields
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect();
                let fields = match fields.is_empty() {
                    true => String::new(),
                    false => format!(" ({})", fields.join("; ")),
                };
                let text = format!("{id} answered by {}: {}{fields}", answer.by, answer.option);
                Some(self.within(Tone::Info, "→", text))
            }
            QuestionEvent::Withdrawn { id, why, to_renew } => {
                let waiting = &state.now.questions;
                let by = waiting.values().find(|by| by.replaces.contains(id));
                let text = match (by, to_renew) {
                    _ if waiting.contains_key(id) => return None,
                    _ if state.now.round.to_renew.contains_key(id) => return None,
                    (Some(by), _) => format!("{id} is now {}: {why}", by.id),
                    (None, true) => format!("{id} needs no answer any more: {why}"),
                    (None, false) => format!("{id} withdrawn: {why}"),
                };
                Some(self.within(Tone::Faint, "·", text))
            }
            QuestionEvent::Asked { .. } | QuestionEvent::Renewed { .. } => None,
        }
    }
}

/// Moves to OPEN that only a user makes.
fn is_users(by: GapMove) -> bool {
    matches!(by, GapMove::Resume | GapMove::GiveInput | GapMove::Reopen)
}

fn tone_of(severity: Severity) -> Tone {
    match severity {
        Severity::Critical | Severity::High => Tone::Bad,
        Severity::Medium => Tone::Warn,
        Severity::Low => Tone::Faint,
    }
}

/// What a document came to.
pub(super) fn what_was_read(reading: &Reading) -> String {
    match reading {
        Reading::Analyst(reading) => format!("found {}", counted(reading.gaps.len(), "gap")),
        Reading::Engineer(reading) => {
            let gaps: Vec<_> = reading.gaps.iter().map(|bound| &bound.gap).collect();
            let mut parts = Vec::new();
            if !gaps.is_empty() {
                parts.push(format!("proposes {}", list(gaps)));
            }
            if !reading.responses.is_empty() {
                let issues = reading.responses.iter().map(|response| response.issue);
                parts.push(format!("answers {}", list(issues)));
            }
            if !reading.disagreements.is_empty() {
                let issues = reading.disagreements.iter().map(|block| block.issue);
                parts.push(format!("disagrees with {}", list(issues)));
            }
            if !reading.blocked.is_empty() {
                let gaps = reading.blocked.iter().map(|marker| &marker.gap);
                parts.push(format!("needs input for {}", list(gaps)));
            }
            parts.join("; ")
        }
        Reading::Reviewer(reading) => format!(
            "reviewed {}, raised {}",
            counted(reading.reviews.len(), "gap"),
            counted(
                reading.issues.iter().filter(|i| !i.withdrawn).count(),
                "issue"
            )
        ),
        Reading::Editor(reading) => {
            format!("gave back {}", counted(reading.sections.len(), "section"))
        }
        Reading::FinalReviewer(reading) => match reading.blockers.len() {
            0 => "found no blocker".to_owned(),
            count => format!("found {}", counted(count, "blocker")),
        },
    }
}

/// A number and what it counts; none is 0.
pub(super) fn number_of(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

pub(super) fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Things by name, or that there are none.
pub(super) fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    let things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match things.is_empty() {
        true => "nothing".to_owned(),
        false => things.join(", "),
    }
}
