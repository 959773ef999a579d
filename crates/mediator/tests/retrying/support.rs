//! A session in its second round, and the prompts of its retries.

use std::collections::BTreeMap;

use gapless_domain::ChangeFault;
use gapless_domain::failure::{Cause, FailureFacts, FailureType, RetryReason};
use gapless_domain::ids::GapId;
use gapless_domain::question::{Answer, DecidedBy};
use gapless_domain::task::{Role, SlotId, TaskId, Usage};
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_mediator::prompts::{Prompt, Prompts};
use gapless_mediator::{Incoming, Input, RunSettings, Start, Step, UserInput};
use gapless_mediator::{ReadDocuments, handle, handle_with, next};
use gapless_session::state::{LastFailure, Slot};
use gapless_session::{State, apply};

const SOURCE: &str = "# Uploads

## Limits

A client may upload files. Uploads above the limit are refused by the server.

## Storage

Files are kept in the bucket of the account. A file that was uploaded twice is stored once.

## Known gaps

- GAP-UPL-001 [HIGH] (section: Limits): the limit for one file is not said
- GAP-UPL-002 [MEDIUM] (section: Storage; blocked by: GAP-UPL-001): how uploaded files are told to be the same is not said
- GAP-AUTH-001 [LOW] (section: Limits; blocked by: GAP-UPL-002): who may upload is not said
";

pub struct Session {
    pub state: State,
    pub texts: TextMap,
    read: ReadDocuments,
}

pub fn gap(id: &str) -> GapId {
    id.parse().unwrap()
}

pub fn resolution(id: &str) -> String {
    format!(
        "## Gap Resolution: {id}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nOne file has at most 100 MiB. A \
         larger one is refused with status 413 before it is read.\n\n### Examples\n\n104857601 bytes give 413.\n\n\
         ### Trade-offs\n\nVideos must be cut.\n\n### New Gaps Introduced\n\nNone\n"
    )
}

impl Session {
    pub fn start(change: impl FnOnce(&mut RunSettings)) -> Self {
        let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "replay:x".to_owned()));
        let mut met = RunSettings {
            agents: BTreeMap::from(agents),
            ..RunSettings::default()
        };
        change(&mut met);
        let start = Start {
            name: "s".to_owned(),
            source_path: "spec.md".to_owned(),
            source: SOURCE.to_owned(),
            found: Vec::new(),
            met,
        };
        let mut session = Self {
            state: State::default(),
            texts: TextMap::default(),
            read: ReadDocuments::default(),
        };
        session.feed(Incoming::Start(Box::new(start)));
        let question = session.state.now.questions.values().next().unwrap().id;
        let answer = Answer::of("begin", DecidedBy::User);
        session.feed(Incoming::User(UserInput::Answer { question, answer }));
        session
    }

    /// Round 1 resolved GAP-UPL-001; in round 2 an issue was raised on GAP-UPL-002, which is assigned again in round 3.
    pub fn in_round_three(change: impl FnOnce(&mut RunSettings)) -> Self {
        let mut session = Self::start(change);
        session.write(&resolution("GAP-UPL-001"));
        session.write("## Review: GAP-UPL-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- the limit\n");
        session.write(&resolution("GAP-UPL-002").replace("100 MiB", "200 MiB"));
        session.write(
            "## Review: GAP-UPL-002\n\n### High Priority\n\n- **ISSUE-R2-001**: the hash that tells files apart is not \
             named.\n  - **Location:** Proposed Solution\n  - **Impact:** two clients differ\n  - **Suggestion:** name it\n",
        );
        assert_eq!(session.state.now.round.number, 3);
        session
    }

    fn feed(&mut self, what: Incoming) {
        let input = Input { at: Time(0), what };
        let read_anew = handle(&self.state, input.clone(), &self.texts).unwrap();
        let outcome = handle_with(&self.state, input, &self.texts, &mut self.read).unwrap();
        assert_eq!(outcome, read_anew, "what was read before shows");
        for event in &outcome.events {
            apply(&mut self.state, event);
        }
        self.texts.extend(outcome.texts);
        while next(&self.state) == Step::Advance {
            self.feed(Incoming::Advance);
        }
    }

    pub fn write(&mut self, text: &str) {
        let task = self.state.running().next().unwrap().id;
        self.feed(Incoming::Output {
            task,
            text: Some(text.to_owned()),
            earlier: Vec::new(),
            notes: Vec::new(),
            usage: Usage::default(),
        });
    }

    /// The prompt of a first try of a role.
    pub fn first(&self, role: Role) -> Prompt {
        self.prompt(&slot(role))
    }

    /// The prompt of a role's first retry.
    pub fn retry(&self, role: Role, reason: RetryReason) -> Prompt {
        let mut slot = slot(role);
        slot.attempts = 1;
        slot.rejections = 1;
        slot.last_failure = Some(failed(reason));
        self.prompt(&slot)
    }

    /// The prompt of a Reviewer that said nothing on these gaps.
    pub fn press(&self, gaps: &[&str]) -> Prompt {
        let mut slot = slot(Role::Reviewer);
        slot.attempts = 1;
        slot.pressed = Some(gaps.iter().map(|id| gap(id)).collect());
        self.prompt(&slot)
    }

    fn prompt(&self, slot: &Slot) -> Prompt {
        let task = TaskId {
            epoch: 0,
            round: 3,
            slot: slot.id,
            attempt: slot.attempts + 1,
        };
        let prompts = Prompts::new(&self.state, &self.texts, &task, 0);
        let path = gapless_session::state::document_path(slot.id.role, 3);
        prompts.for_slot(slot, &path).unwrap()
    }
}

fn slot(role: Role) -> Slot {
    let gaps = match role {
        Role::Engineer | Role::Reviewer | Role::Editor => {
            vec![gap("GAP-UPL-002"), gap("GAP-AUTH-001")]
        }
        Role::Analyst | Role::FinalReviewer => Vec::new(),
    };
    Slot::new(SlotId::new(role, 0), gaps, None)
}

fn failed(reason: RetryReason) -> LastFailure {
    use FailureType as F;
    use RetryReason as R;
    let (failure, message) = match reason {
        R::FileMissing => (F::FileMissing, "the agent left no document"),
        R::EmptyOutput => (F::EmptyOutput, "the document is empty"),
        R::WrongFormat => (F::WrongFormat, "the headings were not found outside code"),
        R::NoGapsAddressed => (F::NoGapsAddressed, "none of the gaps is named"),
        R::InconsistentRefs => (F::InconsistentRefs, "gaps that do not exist: GAP-UPL-009"),
        R::InvalidDisagreeRef => (F::InvalidDisagreeRef, "ISSUE-R9-001 does not exist"),
        R::MalformedDisagree => (F::MalformedDisagree, "there is no **Rationale:**"),
        R::ReArguedConflict => (F::ReArguedConflict, "the user has decided ISSUE-R1-001"),
        R::Uncertainty => (F::NoGapsAddressed, "nothing is bound"),
        R::UnclearAssignment => (F::NoGapsAddressed, "none of the assigned gaps is bound"),
        R::SpecChangeMismatch => (
            F::SpecChangeMismatch,
            "a change of GAP-UPL-002 can't be made",
        ),
        R::PassageStands => (
            F::SpecChangeMismatch,
            "a passage that opened a gap is left as it is",
        ),
    };
    let mut facts = FailureFacts::default();
    match reason {
        R::InconsistentRefs => facts.wrong_gaps = vec![gap("GAP-UPL-009")],
        R::InvalidDisagreeRef => facts.issue = Some("ISSUE-R9-001".parse().unwrap()),
        R::MalformedDisagree => {
            facts.issue = Some("ISSUE-R2-001".parse().unwrap());
            facts.missing = vec!["**Rationale:**".to_owned()];
        }
        R::ReArguedConflict => facts.issue = Some("ISSUE-R1-001".parse().unwrap()),
        R::Uncertainty => {
            facts.cause = Some(Cause::DomainGap);
            facts.uncertain_about =
                vec!["what happens to a file that is uploaded twice".to_owned()];
        }
        R::UnclearAssignment => {
            facts.cause = Some(Cause::UnclearAssignment);
            facts.wrong_gaps = vec![gap("GAP-UPL-001")];
        }
        R::SpecChangeMismatch => {
            facts.changes = vec![ChangeFault {
                gap: gap("GAP-UPL-002"),
                line: 12,
                what: "the passage that it quotes is not in the specification".to_owned(),
                nearest: Some("Files up to some size are taken.".to_owned()),
            }];
        }
        R::PassageStands => {
            facts.cause = Some(Cause::PassageStands);
            facts.changes = vec![ChangeFault {
                gap: gap("GAP-UPL-002"),
                line: 0,
                what: "this passage opened the gap, and the changes leave it as it is".to_owned(),
                nearest: Some("Files up to some size are taken.".to_owned()),
            }];
        }
        _ => {}
    }
    LastFailure {
        failure,
        message: message.to_owned(),
        facts,
        output: None,
    }
}
