//! A stage for scenarios: one line builds a session, agents behave well unless a scenario says otherwise, time is
//! virtual, and what happened is read from the log.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gapless_agents::{Replay, Request};
use gapless_domain::config::Config;
use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::{End, Trigger};
use gapless_domain::question::{About, Answer, DecidedBy, Question};
use gapless_domain::scan_finding::ScanFinding;
use gapless_domain::severity::Severity;
use gapless_domain::task::{
    ExecutionError, ExecutionErrorKind, Role, Task, TaskId, Unfinished, Usage,
};
use gapless_domain::text::Layered;
use gapless_domain::time::Time;
use gapless_mediator::{
    GapCommand, Incoming, IssueCommand, Refusal, RunSettings, Start, UserInput,
};
use gapless_runner::{Clock, Logged, Outside, Session, Stopped, ask_only, decode_rows, drive};
use gapless_session::{State, apply};
use gapless_spec::assemble;
use gapless_store::{MemoryStore, Store};
use gapless_views::documents::{attempt_files, decisions, of_moment, round_summary, status};

pub use crate::asked::{gap_id, issue_id, labels, shown};
use crate::cast::{Company, Mind, Notes, Script, Until};
use crate::writing::service;
pub use crate::writing::{
    changing, could_not_run, engineer, failed, final_review, issue, no_issues, resolution, well,
};

/// A session on stage.
pub struct Stage {
    script: Arc<Mutex<Script>>,
    store: MemoryStore,
    pub session: Session<MemoryStore>,
    answers: Vec<(&'static str, Answer)>,
    pub asked: Vec<Question>,
    pub refusals: Vec<String>,
    clock: Option<Clock>,
    /// Kinds of questions that the user puts off.
    pub later: Vec<&'static str>,
}

/// A session on a spec with these gaps: `("GAP-API-001", "HIGH", "")`, the last being what it waits on.
pub fn stage(gaps: &[(&str, &str, &str)]) -> Stage {
    with_config(gaps, |_| {})
}

pub fn with_config(gaps: &[(&str, &str, &str)], change: impl FnOnce(&mut RunSettings)) -> Stage {
    with_limits("Requests are limited.", gaps, change)
}

/// A session on a spec with this text in the section that all gaps belong to.
pub fn with_limits(
    limits: &str,
    gaps: &[(&str, &str, &str)],
    change: impl FnOnce(&mut RunSettings),
) -> Stage {
    on_source(service(limits, gaps), Vec::new(), change)
}

/// A session on a spec of any shape, in which the scan found these.
pub fn on_source(
    source: String,
    found: Vec<ScanFinding>,
    change: impl FnOnce(&mut RunSettings),
) -> Stage {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "actor".to_owned()));
    let mut met = RunSettings {
        agents: agents.into(),
        ..RunSettings::default()
    };
    // These actors write the same proposal in every round: what they pass over is no other scenario's subject.
    met.config.unaddressed_high_threshold = 1000;
    met.config.unaddressed_critical_threshold = 1000;
    met.config.pattern_threshold = 1000;
    change(&mut met);
    let store = MemoryStore::new();
    let mut session = Session::open(store.clone(), "stage").unwrap();
    let start = Start {
        name: "stage".into(),
        source_path: "spec.md".into(),
        source,
        found,
        met,
    };
    session
        .feed(Time(0), Incoming::Start(Box::new(start)))
        .unwrap();
    Stage {
        script: Arc::default(),
        store,
        session,
        answers: Vec::new(),
        asked: Vec::new(),
        refusals: Vec::new(),
        clock: None,
        later: Vec::new(),
    }
}

impl Stage {
    /// What a role does in a round and attempt; 0 stands for any.
    pub fn when(
        self,
        role: Role,
        round: u32,
        attempt: u32,
        act: impl Fn(&Request) -> Result<Option<String>, ExecutionError> + Send + Sync + 'static,
    ) -> Self {
        self.script
            .lock()
            .unwrap()
            .acts
            .insert((role, round, attempt), Box::new(act));
        self
    }

    /// An Engineer whose proposals make these changes, by gap, round and attempt.
    pub fn engineer(
        self,
        changes: impl Fn(&str, u32, u32) -> String + Send + Sync + 'static,
    ) -> Self {
        self.when(Role::Engineer, 0, 0, move |request| {
            let id = request.task;
            let of = |gap: &str| changes(gap, id.round, id.attempt);
            Ok(Some(changing(request, &of)))
        })
    }

    /// The same, for a plain text.
    pub fn writes(self, role: Role, round: u32, attempt: u32, text: &str) -> Self {
        let text = text.to_owned();
        self.when(role, round, attempt, move |_| Ok(Some(text.clone())))
    }

    /// What a role says in a round and attempt before what it writes.
    pub fn says_before(self, role: Role, round: u32, attempt: u32, earlier: &[&str]) -> Self {
        let earlier = earlier.iter().map(|text| (*text).to_owned()).collect();
        let mut script = self.script.lock().unwrap();
        script.earlier.insert((role, round, attempt), earlier);
        drop(script);
        self
    }

    /// What a role writes in a round and attempt is cut at a limit.
    pub fn cut(self, role: Role, round: u32, attempt: u32) -> Self {
        let mut script = self.script.lock().unwrap();
        script.cut.insert((role, round, attempt));
        drop(script);
        self
    }

    /// A role times out in a round and attempt, and has written this by then; the text had not changed for so long.
    pub fn times_out(
        self,
        (role, round, attempt): (Role, u32, u32),
        kind: ExecutionErrorKind,
        text: &str,
        unchanged_millis: u64,
    ) -> Self {
        let unfinished = Unfinished {
            text: text.to_owned(),
            notes: Vec::new(),
            unchanged_millis,
        };
        let mut script = self.script.lock().unwrap();
        script.unfinished.insert((role, round, attempt), unfinished);
        drop(script);
        self.when(role, round, attempt, move |_| {
            failed(kind, "it took too long")
        })
    }

    /// How long a slot of a role takes in an attempt; attempt 0 stands for any.
    pub fn takes(self, role: Role, slot: u32, attempt: u32, millis: u64) -> Self {
        let mut script = self.script.lock().unwrap();
        script.takes.insert((role, slot, attempt), millis);
        drop(script);
        self
    }

    /// Which agents can't run from now on, by name.
    pub fn broken(&self, agents: &[&'static str]) {
        self.script.lock().unwrap().broken = agents.to_vec();
    }

    /// What every call uses: tokens in and out, and millionths of the currency.
    pub fn uses(self, input: u64, output: u64, micros: u64) -> Self {
        self.script.lock().unwrap().uses = Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
            cost_micros: Some(micros),
            ..Usage::default()
        };
        self
    }

    pub fn answer(mut self, kind: &'static str, option: &str, fields: &[(&str, &str)]) -> Self {
        let mut answer = Answer::of(option, DecidedBy::User);
        for (name, value) in fields {
            answer = answer.with(name, value);
        }
        self.answers.push((kind, answer));
        self
    }

    /// Runs until the session rests or a question has no ready answer; recommended options are taken.
    pub async fn run(&mut self) -> Stopped {
        self.run_with(true).await
    }

    /// Runs, and takes no answer but those that were given.
    pub async fn run_strictly(&mut self) -> Stopped {
        self.run_with(false).await
    }

    async fn run_with(&mut self, recommended: bool) -> Stopped {
        let stopped = self.perform(recommended, None, None).await;
        stopped.unwrap()
    }

    /// Runs until a commit brings such a state about, and is interrupted there.
    pub async fn run_until(&mut self, until: impl Fn(&State) -> bool + Send + 'static) {
        let stopped = self.perform(true, None, Some(Box::new(until))).await;
        assert_eq!(stopped, Some(Stopped::Interrupted));
    }

    /// Runs until a commit brings such a state about, or until it stops before.
    pub async fn go_until(&mut self, until: impl Fn(&State) -> bool + Send + 'static) {
        self.perform(true, None, Some(Box::new(until))).await;
    }

    /// Runs until this role's agent is at work, and is interrupted there.
    pub async fn run_to_role(&mut self, role: Role) {
        self.run_until(move |state| state.running().any(|task| task.id.slot.role == role))
            .await;
    }

    /// Runs until the Engineer of a round is at work, and is interrupted there.
    pub async fn run_to_round(&mut self, round: u32) {
        self.run_until(move |state| state.now.round.number == round && state.running().count() > 0)
            .await;
    }

    /// Asks one question, and takes the recommended option where no answer was given.
    pub async fn ask_only(&mut self, which: fn(&Question) -> bool) -> Option<Stopped> {
        self.perform(true, Some(which), None).await
    }

    async fn perform(
        &mut self,
        recommended: bool,
        only: Option<fn(&Question) -> bool>,
        until: Option<Until>,
    ) -> Option<Stopped> {
        let clock = self
            .clock
            .get_or_insert_with(|| Clock::of_runtime(Time(1_000)))
            .clone();
        let answers = std::mem::take(&mut self.answers);
        let mut mind = Mind {
            answers,
            asked: Vec::new(),
            recommended,
            later: self.later.clone(),
        };
        let mut notes = Notes {
            until,
            ..Notes::default()
        };
        let interrupt = notes.interrupt.clone();
        let mut company = Company(Arc::clone(&self.script));
        let outside = Outside {
            clock,
            agents: &mut company,
            asker: &mut mind,
            reporter: &mut notes,
            interrupt,
            inbox_every: Duration::from_secs(60),
        };
        let stopped = match only {
            Some(which) => ask_only(&mut self.session, outside, which).await.unwrap(),
            None => Some(drive(&mut self.session, outside).await.unwrap()),
        };
        self.asked.extend(mind.asked);
        self.refusals.extend(notes.refusals);
        stopped
    }

    /// Runs for so long and is killed then; it must not have come to rest before.
    pub async fn killed_after(&mut self, millis: u64) {
        tokio::select! {
            stopped = self.run() => panic!("it stopped before it was killed: {stopped:?}"),
            () = tokio::time::sleep(Duration::from_millis(millis)) => {}
        }
        self.kill();
    }

    pub fn go_by(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// Kills the process: what was not committed is lost, and the session is opened anew.
    pub fn kill(&mut self) {
        self.session = Session::open(self.store.clone(), "stage").unwrap();
    }

    pub fn say(&mut self, input: UserInput) -> Result<(), Refusal> {
        let now = self.session.state().kept.clock;
        self.session.feed(now, Incoming::User(input))?;
        self.session.commit().unwrap();
        Ok(())
    }

    /// What another process says to the session.
    pub fn post(&mut self, input: &UserInput) {
        let body = serde_json::to_string(input).unwrap();
        let at = self.state().kept.clock;
        self.session.store_mut().post("stage", at, &body).unwrap();
    }

    /// A document of a task, whenever it comes.
    pub fn output_of(&mut self, task: TaskId, text: &str) -> Result<(), Refusal> {
        let now = self.session.state().kept.clock;
        let incoming = Incoming::Output {
            task,
            text: Some(text.to_owned()),
            earlier: Vec::new(),
            notes: Vec::new(),
            usage: Usage::default(),
        };
        self.session.feed(now, incoming)
    }

    /// Runs until a Reviewer is at work, and is interrupted there.
    pub async fn run_to_review(&mut self) {
        let reviews = |task: &Task| task.id.slot.role == Role::Reviewer;
        self.run_until(move |state| state.running().any(reviews))
            .await;
    }

    /// Undoes the rounds after one.
    pub fn roll_back(&mut self, to: u32, reason: &str) -> Result<(), Refusal> {
        self.say(UserInput::Rollback {
            to: Some(to),
            reason: reason.to_owned(),
            adjust: Vec::new(),
        })
    }

    /// Answers the pending question of a kind.
    pub fn tell(
        &mut self,
        kind: &str,
        option: &str,
        fields: &[(&str, &str)],
    ) -> Result<(), Refusal> {
        let question = self.pending(kind).id;
        let mut answer = Answer::of(option, DecidedBy::User);
        for (name, value) in fields {
            answer = answer.with(name, value);
        }
        self.say(UserInput::Answer { question, answer })
    }

    /// An answer that doesn't fit: it is refused with these words, and nothing has changed.
    #[track_caller]
    pub fn refuses(&mut self, kind: &str, option: &str, fields: &[(&str, &str)], words: &str) {
        let before = self.state().clone();
        let refusal = self.tell(kind, option, fields).unwrap_err().to_string();
        assert!(refusal.contains(words), "{refusal}");
        assert!(
            *self.state() == before,
            "a refused answer changed something"
        );
    }

    /// The question of a kind that waits for an answer.
    #[track_caller]
    pub fn pending(&self, kind: &str) -> Question {
        let mut questions = self.state().now.questions.values();
        let found = questions.find(|question| question.about.kind() == kind);
        found
            .unwrap_or_else(|| panic!("no {kind} question waits"))
            .clone()
    }

    /// The session is taken up again with a changed configuration.
    pub fn configure(&mut self, change: impl FnOnce(&mut Config)) {
        let setup = self.state().kept.setup.clone();
        let mut met = RunSettings {
            config: setup.config,
            agents: setup.agents,
            ..RunSettings::default()
        };
        change(&mut met.config);
        let now = self.state().kept.clock;
        let incoming = Incoming::Configure(Box::new(met));
        self.session.feed(now, incoming).unwrap();
        self.session.commit().unwrap();
    }

    pub fn status(&self) -> String {
        status(self.state())
    }

    /// The gaps that the trace of the refined spec tells of.
    pub fn traced(&self) -> Vec<String> {
        let refined = gapless_spec::refined(self.state(), &self.session.texts()).unwrap();
        let gaps = refined.trace.iter().map(|one| one.gap.to_string());
        let gaps: std::collections::BTreeSet<String> = gaps.collect();
        gaps.into_iter().collect()
    }

    pub fn texts(&self) -> Layered<'_> {
        self.session.texts()
    }

    pub fn spec(&self) -> String {
        assemble(self.state(), &self.session.texts()).unwrap()
    }

    /// How the session ended, as the log, the state and status.md say alike.
    #[track_caller]
    pub fn ended(&self) -> (End, Trigger) {
        let (end, trigger) = self.state().kept.ended.unwrap();
        let events = self.events("session.ended");
        assert_eq!(events.len() as u32, self.state().chapter());
        assert_eq!(events.last().unwrap()["end"], end.name());
        let status = self.status();
        let said = format!("- **End:** {end}\n- **Because:** {}\n", trigger.sentence());
        assert!(status.contains(&said), "{status}");
        let mut questions = self.state().now.questions.values();
        assert!(questions.all(|question| matches!(question.about, About::Archives(_))));
        (end, trigger)
    }

    /// The decisions as `kind gap: rationale`.
    pub fn decisions(&self) -> Vec<String> {
        let decisions = self.state().now.decisions.iter();
        decisions
            .map(|decision| {
                let gaps: Vec<String> = decision.gaps.iter().map(ToString::to_string).collect();
                let words = format!("{} {}", decision.kind.name(), gaps.join(" "));
                format!("{}: {}", words.trim_end(), decision.rationale)
            })
            .collect()
    }

    pub fn decisions_md(&self) -> String {
        decisions(self.state())
    }

    /// The questions of a kind that were put, in order.
    pub fn put(&self, kind: &str) -> Vec<&Question> {
        let asked = self.asked.iter();
        asked
            .filter(|question| question.about.kind() == kind)
            .collect()
    }

    pub fn gap_command(&mut self, command: GapCommand) -> Result<(), Refusal> {
        self.say(UserInput::Gap { command })
    }

    pub fn waive(&mut self, issue: &str, reason: &str) -> Result<(), Refusal> {
        let command = IssueCommand::Waive {
            issue: issue_id(issue),
            reason: reason.to_owned(),
        };
        self.say(UserInput::Issue { command })
    }

    pub fn set_issue_severity(&mut self, issue: &str, to: Severity) -> Result<(), Refusal> {
        let command = IssueCommand::Severity {
            issue: issue_id(issue),
            severity: to,
            reason: "so the user sees it".to_owned(),
        };
        self.say(UserInput::Issue { command })
    }

    pub fn state(&self) -> &State {
        self.session.state()
    }

    pub fn gap(&self, id: &str) -> GapState {
        self.state().now.gaps.get(&gap_id(id)).unwrap().state
    }

    pub fn issue(&self, id: &str) -> IssueState {
        self.state().now.issues.get(&issue_id(id)).unwrap().state
    }

    /// The kinds of questions asked, in order.
    pub fn kinds(&self) -> Vec<&'static str> {
        self.asked
            .iter()
            .map(|question| question.about.kind())
            .collect()
    }

    pub fn log(&self) -> Vec<Logged> {
        decode_rows(&self.store.read("stage").unwrap()).unwrap()
    }

    /// The summary of a round, written as the log has it.
    pub fn summary(&self, round: usize) -> String {
        let mut state = State::default();
        for logged in self.log() {
            apply(&mut state, &logged.event);
            if state.now.history.len() == round && state.now.round.accounted {
                return round_summary(&state);
            }
        }
        panic!("round {round} was not accounted for")
    }

    /// Lets all roles feed these files back.
    pub fn replays(self, files: BTreeMap<String, String>) -> Self {
        let replay = Replay::from_files("replay", files);
        self.script.lock().unwrap().replay = Some(Arc::new(replay));
        self
    }

    /// The documents that the session leaves in its folder, written as the log has them.
    pub fn documents(&self) -> BTreeMap<String, String> {
        let mut state = State::default();
        let mut files = self.attempt_files();
        for logged in self.log() {
            apply(&mut state, &logged.event);
            let file = of_moment(&state, &logged.event, &self.store).unwrap();
            files.extend(file.map(|file| (file.path, file.text.to_string())));
        }
        files
    }

    /// The files that the attempts of the session leave, written as the log has them.
    pub fn attempt_files(&self) -> BTreeMap<String, String> {
        let mut state = State::default();
        let mut files = BTreeMap::new();
        for logged in self.log() {
            apply(&mut state, &logged.event);
            for file in attempt_files(&state, &logged.event, &self.store).unwrap() {
                let before = files.insert(file.path.clone(), file.text.to_string());
                assert_eq!(before, None, "{} is written twice", file.path);
            }
        }
        files
    }

    /// The bodies of all events of a type.
    pub fn events(&self, type_name: &str) -> Vec<serde_json::Value> {
        let rows = self.store.read("stage").unwrap();
        let wanted = rows.iter().filter(|row| row.type_name == type_name);
        wanted
            .map(|row| serde_json::from_str(&row.body).unwrap())
            .collect()
    }

    /// The prompts that a role was given in a round, with one mark for all of them.
    pub fn prompts(&self, role: Role, round: u32) -> Vec<String> {
        let script = self.script.lock().unwrap();
        let wanted = script
            .prompts
            .iter()
            .filter(|(r, n, _)| *r == role && *n == round);
        wanted.map(|(_, _, prompt)| with_one_mark(prompt)).collect()
    }

    /// All prompts in the order of their tasks, as the agents got them.
    pub fn raw_prompts(&self) -> Vec<(Role, String)> {
        let script = self.script.lock().unwrap();
        let prompts = script.prompts.iter();
        prompts
            .map(|(role, _, prompt)| (*role, prompt.clone()))
            .collect()
    }

    /// The most tasks that ran at the same time.
    pub fn most_running(&self) -> usize {
        self.script.lock().unwrap().most_running
    }

    pub fn commits(&self) -> u64 {
        self.store.commits()
    }
}

/// A prompt with `MARK` in the lines around what it quotes.
pub fn with_one_mark(prompt: &str) -> String {
    match prompt.split_once("Lines like `-----") {
        Some((_, behind)) => prompt.replace(&behind[..8], "MARK"),
        None => prompt.to_owned(),
    }
}

/// A task without the example behind it and its last words.
pub fn bare_task(prompt: &str) -> &str {
    let task = prompt.split("\n## An example\n").next().unwrap();
    let closed = task.trim_end().rsplit_once("\n\nNow write ");
    closed.map_or(task, |(task, _)| task).trim_end()
}
