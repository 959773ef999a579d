//! The recorded demo session, replayed: what it comes to, and how its prompts and documents read.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gapless_agents::{BoxFuture, OpenContext, Replay};
use gapless_domain::convergence::Signal;
use gapless_domain::phase::End;
use gapless_domain::question::{Answer, DecidedBy, Question};
use gapless_domain::task::Role;
use gapless_domain::text::Texts;
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, RunSettings, Start};
use gapless_runner::{
    Asker, Clock, Opener, Outside, Reply, Session, Silent, Stopped, decode_rows, drive,
};
use gapless_session::event::{Happening, RoundEvent, TaskEvent};
use gapless_session::{State, apply};
use gapless_spec::assemble;
use gapless_store::{MemoryStore, Store};
use gapless_views::documents;
use tokio_util::sync::CancellationToken;

/// The user of the recording: gives the input that round 2 asks for, puts the metrics off when round 3 opens something
/// CRITICAL, and else takes what is recommended.
struct RecordedUser;

impl Asker for RecordedUser {
    fn ask<'a>(&'a mut self, _state: &'a State, question: &'a Question) -> BoxFuture<'a, Reply> {
        let answer = match question.about.kind() {
            "blocked_gap" => Some(
                Answer::of("input", DecidedBy::User)
                    .with("input", "Payloads may be kept for at most 30 days."),
            ),
            "divergence" => Some(
                Answer::of("narrow", DecidedBy::User)
                    .with("gaps", "GAP-OPS-001")
                    .with("reason", "They follow from the load test."),
            ),
            _ => question.policy_answer(),
        };
        Box::pin(async move { answer.map_or(Reply::Nobody, Reply::Answer) })
    }
}

fn demo_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/demo")
}

fn recorded_files(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            recorded_files(&path, &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Replays the recording to its end, in virtual time from a fixed moment.
async fn replayed() -> Session<MemoryStore> {
    let mut files = BTreeMap::new();
    recorded_files(&demo_folder().join("recorded"), "", &mut files);
    let source = std::fs::read_to_string(demo_folder().join("spec.md")).unwrap();
    completed(source, files).await
}

/// Plays documents for a source to the end, which is COMPLETE.
async fn completed(source: String, files: BTreeMap<String, String>) -> Session<MemoryStore> {
    let replay = Arc::new(Replay::from_files("recorded", files));
    let mut session = Session::open(MemoryStore::new(), "waybill").unwrap();
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "recorded".to_owned()));
    let start = Start {
        name: "waybill".into(),
        source_path: "spec.md".into(),
        source,
        found: Vec::new(),
        met: RunSettings {
            agents: agents.into(),
            ..RunSettings::default()
        },
    };
    let noon = Time(1_768_219_200_000);
    session
        .feed(noon, Incoming::Start(Box::new(start)))
        .unwrap();
    let outside = Outside {
        clock: Clock::of_runtime(noon),
        agents: &mut Opener::new(OpenContext::unattended(&demo_folder())).with("recorded", replay),
        asker: &mut RecordedUser,
        reporter: &mut Silent,
        interrupt: CancellationToken::new(),
        inbox_every: Duration::from_secs(60),
    };
    assert_eq!(
        drive(&mut session, outside).await.unwrap(),
        Stopped::Ended(End::Complete)
    );
    session
}

/// The prompt of a task's first attempt.
fn prompt(session: &Session<MemoryStore>, role: Role, round: u32, slot: u32) -> String {
    let rows = session.store().read("waybill").unwrap();
    let task = decode_rows(&rows)
        .unwrap()
        .into_iter()
        .find_map(|logged| match logged.event.what {
            Happening::Task(TaskEvent::Started { task })
                if (task.id.slot.role, task.id.round, task.id.slot.index)
                    == (role, round, slot) =>
            {
                Some(task)
            }
            _ => None,
        });
    session
        .texts()
        .text(&task.unwrap().prompt)
        .unwrap()
        .to_string()
}

/// The summary of a round, written as the log has it.
fn summary(session: &Session<MemoryStore>, round: u32) -> String {
    let mut state = State::default();
    for logged in decode_rows(&session.store().read("waybill").unwrap()).unwrap() {
        apply(&mut state, &logged.event);
        let accounted = matches!(
            logged.event.what,
            Happening::Round(RoundEvent::Accounted { .. })
        );
        if accounted && state.now.round.number == round {
            return documents::round_summary(&state);
        }
    }
    panic!("round {round} was not accounted for")
}

#[tokio::test(start_paused = true)]
async fn the_recording_tells_its_story() {
    let session = replayed().await;
    let rows = session.store().read("waybill").unwrap();
    let logged = decode_rows(&rows).unwrap();
    let count = |type_name: &str| rows.iter().filter(|row| row.type_name == type_name).count();
    assert_eq!(logged.len(), rows.len());
    assert_eq!(
        (
            count("round.began"),
            count("task.rejected"),
            count("issue.raised")
        ),
        (7, 1, 11)
    );
    assert_eq!(count("gap.severity_changed"), 1);
    assert_eq!(count("round.final_reviewed"), 2);
    let signals: Vec<Signal> = session
        .state()
        .now
        .history
        .iter()
        .map(|record| record.signal)
        .collect();
    let (gain, warned) = (Signal::Gain, Signal::NewCritical);
    assert_eq!(
        signals,
        [gain, gain, warned, gain, gain, gain, Signal::NoGain]
    );
    let planned: Vec<String> = rows
        .iter()
        .filter(|row| row.type_name == "round.planned")
        .map(|row| {
            serde_json::from_str::<serde_json::Value>(&row.body).unwrap()["assigned"].to_string()
        })
        .collect();
    insta::assert_snapshot!(planned.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn its_documents_read_well() {
    let session = replayed().await;
    // How long the replay took is the machine's, not the session's.
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d+ ms", "[ms]");
    settings.bind(|| {
        insta::assert_snapshot!("status", documents::status(session.state()));
    });
    insta::assert_snapshot!("decisions", documents::decisions(session.state()));
    for round in [2, 3] {
        let text = summary(&session, round);
        // How long the replay took is the machine's, not the session's.
        let text: String = text
            .lines()
            .filter(|line| !line.starts_with("Agents ran for"))
            .collect::<Vec<_>>()
            .join("\n");
        insta::assert_snapshot!(format!("summary_{round}"), text);
    }
}

#[tokio::test(start_paused = true)]
async fn its_prompts_read_well() {
    let session = replayed().await;
    insta::assert_snapshot!("prompt_engineer_2", prompt(&session, Role::Engineer, 2, 0));
    insta::assert_snapshot!(
        "prompt_engineer_2_with_input",
        prompt(&session, Role::Engineer, 2, 1)
    );
    insta::assert_snapshot!("prompt_reviewer_5", prompt(&session, Role::Reviewer, 5, 0));
}

/// Passages of the source that gaps settled.
const SETTLED: [&str; 9] = [
    "ends as `succeeded` or `failed`",
    "acknowledges the delivery with its HTTP response",
    "a keyed hash (HMAC) made with the endpoint's secret",
    "the beginning of the response body",
    "with growing delays",
    "An endpoint that keeps failing is set to `disabled`, and",
    "with three kinds of rows",
    "deliveries are created for it but not",
    "| `state` | `active`, `paused` or `disabled` |",
];

/// What the spec says since then. Later rounds changed some of it again.
const SAID: [&str; 9] = [
    "| `waiting` | an attempt was made, and another is due at `next_attempt_at` | `in_flight`, `failed`, `held` |",
    "The receiver acknowledges the delivery with a status from 200 to 299.",
    "| HMAC key | the 32 bytes that result from removing `wbs_` and decoding the base64 |",
    "- **Response excerpt**: the first 4 KiB of a response body.",
    "A delivery has at most 12 attempts, and 12 more after it was held for the first",
    "An endpoint that keeps failing is set to `disabled`.\n",
    "- **Payload data**: the content of events and responses,",
    "| `POST /v1/endpoints/{id}/activate` | make a paused or disabled endpoint active again |",
    "  \"sequence\": 2,\n",
];

#[tokio::test(start_paused = true)]
async fn the_refined_spec_is_the_source_with_every_change_in_place() {
    let session = replayed().await;
    let source = std::fs::read_to_string(demo_folder().join("spec.md")).unwrap();
    let refined = assemble(session.state(), &session.texts()).unwrap();
    let gaps = &session.state().now.gaps;
    let settled: Vec<_> = gaps.values().filter(|gap| gap.state.is_closed()).collect();
    assert_eq!((gaps.len(), settled.len()), (15, 14));
    for gap in settled {
        assert!(gap.has_changes(), "{}", gap.id);
        assert!(!refined.contains(&gap.id.to_string()), "{}", gap.id);
    }
    for passage in SETTLED {
        assert!(source.contains(passage), "{passage}");
        assert!(!refined.contains(passage), "{passage}");
    }
    for passage in SAID {
        assert_eq!(refined.matches(passage).count(), 1, "{passage}");
    }
    let headings = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    let (before, after) = (headings(&source), headings(&refined));
    let mut rest = after.iter();
    for heading in before {
        assert!(rest.any(|other| *other == heading), "{heading}");
    }
    insta::assert_snapshot!("refined_spec_outline", after.join("\n"));
}

const METRICS: &str = "\
## Gap Resolution: GAP-OPS-001

**Confidence:** HIGH

### Proposed Solution

Every process exposes its metrics, and the on-call engineer is paged by the start times that the Overview promises.

### Spec Changes

#### Replace in: Operations

```old
The on-call engineer is paged when deliveries are late.
```

```new
Every process exposes its metrics in the Prometheus text format on an internal port. The on-call engineer is paged when
fewer than 95% of the first attempts of the last 10 minutes started within 5 seconds.
```

#### Remove from: Known limitations

```old
- The metrics that the service exposes and the thresholds that page the on-call engineer are not listed. Deferred: They follow from the load test.
```

### Examples

None

### Trade-offs

Ten minutes are slow to notice a short outage, and quiet in a short peak.

### New Gaps Introduced

None
";

#[tokio::test(start_paused = true)]
async fn the_refined_spec_is_the_source_of_a_session_that_settles_what_was_deferred() {
    let first = replayed().await;
    let refined = assemble(first.state(), &first.texts()).unwrap();
    let files = [
        ("round_001/engineer.md", METRICS),
        (
            "round_001/reviewer.md",
            "## Review: GAP-OPS-001\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the promise of the Overview\n",
        ),
        (
            "final_review.md",
            "## Final Review\n\n**Verdict:** READY_FOR_TERMINATION\n\n### Blocking Issues\n\nNone\n",
        ),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let second = completed(refined.clone(), files.into()).await;

    // What is settled is not declared again.
    let gaps: Vec<String> = second
        .state()
        .now
        .gaps
        .keys()
        .map(ToString::to_string)
        .collect();
    assert_eq!(gaps, ["GAP-OPS-001"]);
    let next = |category| second.state().next_gap(category).unwrap().to_string();
    assert_eq!(
        (next("OPS"), next("NEW")),
        ("GAP-OPS-002".into(), "GAP-NEW-001".into())
    );
    let again = assemble(second.state(), &second.texts()).unwrap();
    let times = |what: &str| again.matches(what).count();
    assert_eq!(times("Every process exposes its metrics"), 1);
    // Neither its entry is left, nor the limitation that it was.
    for gone in ["GAP-OPS-001", "## Known gaps", "Deferred: "] {
        assert_eq!(times(gone), 0, "{gone}");
    }
    assert_eq!(times("## Known limitations\n"), 1);
    assert_eq!(times("Raised in review."), 5);
    // Nothing else has changed.
    let changed = [
        "GAP-OPS-001",
        "  engineer are not listed.",
        "## Known gaps",
        "Deferred: ",
        "paged when deliveries are late",
    ];
    let stays = |line: &&str| !changed.iter().any(|words| line.contains(words));
    let mut after = again.lines();
    for line in refined.lines().filter(stays) {
        assert!(
            line.is_empty() || after.any(|other| other == line),
            "{line}"
        );
    }
}
