//! Sessions for targets: the core alone, fed and followed. Every event of it is held to what a log from elsewhere is held to.

use std::collections::BTreeMap;

use gapless_domain::{GapId, Role, TextMap, Time};
use gapless_markdown::Document;
use gapless_mediator::handle;
use gapless_mediator::{Incoming, Input, Outcome, Refusal, RunSettings, Start};
use gapless_reading::read::read_status;
use gapless_session::audit::follow;
use gapless_session::{Event, Happening, State};
use gapless_views::documents;

use crate::markdown::assert_inert;

const BEGINS: Time = Time(1_768_228_200_000);

/// A session under way.
#[derive(Clone)]
pub struct Session {
    pub state: State,
    pub texts: TextMap,
    pub events: Vec<Event>,
    /// What time it is.
    pub clock: Time,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            state: State::default(),
            texts: TextMap::default(),
            events: Vec::new(),
            clock: BEGINS,
        }
    }
}

impl Session {
    /// Feeds what comes in. What is refused changes nothing; what is taken could have happened, and is read as it is stored.
    pub fn feed(&mut self, what: Incoming) -> Result<(), Refusal> {
        self.clock.0 += 1;
        let input = Input {
            at: self.clock,
            what,
        };
        let Outcome { events, texts } = handle(&self.state, input, &self.texts)?;
        self.texts.extend(texts);
        for event in events {
            let followed = follow(&mut self.state, &event);
            assert!(followed.is_ok(), "{followed:?}: {event:?}");
            let stored = event.what.encode();
            let read = Happening::decode(&stored.type_name, stored.version, &stored.body);
            assert_eq!(read.as_ref(), Ok(&event.what), "stored as {}", stored.body);
            self.events.push(event);
        }
        Ok(())
    }

    /// What is written of the session says what it is, and does nothing.
    pub fn assert_documents(&self) {
        let status = documents::status(&self.state);
        assert_inert("status.md", &status);
        assert_inert("decisions.md", &documents::decisions(&self.state));
        assert_inert("summary.md", &documents::round_summary(&self.state));
        let read = read_status(&Document::parse(&status)).gaps.into_iter();
        let read = read.map(|entry| (entry.gap, (entry.severity, entry.state)));
        let held = self.state.now.gaps.values();
        let held = held.map(|gap| (gap.id.clone(), (Some(gap.severity), gap.state)));
        let (read, held): (BTreeMap<_, _>, BTreeMap<_, _>) = (read.collect(), held.collect());
        assert_eq!(
            read, held,
            "status.md reads as another inventory:\n{status}"
        );
    }
}

/// How a session on this source starts.
pub fn start(source: &str) -> Start {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "human".to_owned()));
    Start {
        name: "lamp".to_owned(),
        source_path: "lamp.md".to_owned(),
        source: source.to_owned(),
        found: Vec::new(),
        met: RunSettings {
            agents: agents.into(),
            ..RunSettings::default()
        },
    }
}

/// What an Engineer may write on these gaps.
pub fn proposal(gaps: &[GapId], kind: u8) -> String {
    let section = |gap: &GapId| {
        let body = match kind >> 2 & 7 {
            0..3 => "It is blue, by the norm of blue lamps, and as high as a table of 70 cm is.",
            3 => "**Default to confirm:** looks\n\nBlue, since nobody said anything else about it.",
            4 => return format!("BLOCKED_NEEDS_INPUT: {gap}: what does the owner want?\n\n"),
            5 => "It is red.\n\n### New Gaps Introduced\n\n- GAP-NEW-001 [CRITICAL]: which red",
            _ => "It is as it is.",
        };
        format!(
            "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{body}\n\n"
        )
    };
    let answer = match kind >> 5 {
        0 | 1 => "",
        2 => {
            "## Response to ISSUE-R1-001\n\nThe shade is given now: it is RAL 5010, as the norm has it.\n"
        }
        _ => {
            "## DISAGREE: ISSUE-R1-001\n\n**Reviewer Concern:** \"no shade is given\"\n\n**Engineer Position:** none is needed\n\n\
              **Rationale:** nobody sees it in the dark, where lamps stand\n"
        }
    };
    gaps.iter().map(section).collect::<String>() + answer
}

/// What a Reviewer may write on them.
pub fn review(gaps: &[GapId], round: u32, kind: u8) -> String {
    let section = |(nth, gap): (usize, &GapId)| {
        let id = format!("ISSUE-R{round}-{:03}", nth + 1);
        let raised = |title: &str| format!("### {title}\n\n- **{id}**: no shade is given\n");
        let body = match kind >> 2 & 7 {
            0 | 1 => "**NO_ISSUES_FOUND**\n\nExamined:\n\n- all of it\n".to_owned(),
            2 => raised("Critical Issues"),
            3 => raised("High Priority"),
            4 => raised("Medium Priority"),
            5 => {
                raised("High Priority")
                    + "\n### New Gaps Identified\n\n- GAP-REV-001 [HIGH]: what it weighs\n"
            }
            6 => raised("Low Priority / Nits"),
            _ => "### Critical Issues\n\n- **ISSUE-R1-001**: no shade is given\n\n**Severity:** CRITICAL\n"
                .to_owned(),
        };
        format!("## Review: {gap}\n\n{body}\n")
    };
    gaps.iter().enumerate().map(section).collect()
}
