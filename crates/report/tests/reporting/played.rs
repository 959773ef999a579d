//! Plays sessions through the core without a runner: agents are functions, and time goes on by a second with everything that
//! comes in.

use gapless_domain::config::Config;
use gapless_domain::question::{Answer, DecidedBy, Question};
use gapless_domain::task::{Role, Task, Usage};
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_mediator::{Incoming, Input, Outcome, RunSettings, Start, Step, UserInput};
use gapless_mediator::{handle, next};
use gapless_report::Report;
use gapless_session::event::Event;
use gapless_session::{State, apply};

/// 2026-01-12T14:30:00Z.
const BEGINNING: i64 = 1_768_228_200_000;
/// More steps than any of these sessions takes.
const MOST_STEPS: usize = 20_000;

pub struct Played {
    pub state: State,
    pub events: Vec<Event>,
    pub texts: TextMap,
}

impl Played {
    pub fn start(name: &str, source: String, config: Config) -> Self {
        let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "played".to_owned()));
        Self::start_with(name, source, config, agents.into())
    }

    pub fn start_with(
        name: &str,
        source: String,
        config: Config,
        agents: Vec<(Role, String)>,
    ) -> Self {
        let mut played = Self {
            state: State::default(),
            events: Vec::new(),
            texts: TextMap::default(),
        };
        let met = RunSettings {
            config,
            agents: agents.into_iter().collect(),
            ..RunSettings::default()
        };
        played.feed(Incoming::Start(Box::new(Start {
            name: name.to_owned(),
            source_path: "spec.md".to_owned(),
            source,
            found: Vec::new(),
            met,
        })));
        played
    }

    pub fn feed(&mut self, what: Incoming) {
        let later = self.state.kept.clock.0.max(BEGINNING) + 1_000;
        let input = Input {
            at: Time(later),
            what,
        };
        let outcome = handle(&self.state, input, &self.texts);
        let Outcome { events, texts } = outcome.unwrap_or_else(|refusal| panic!("{refusal}"));
        self.texts.extend(texts);
        for event in &events {
            apply(&mut self.state, event);
        }
        self.events.extend(events);
    }

    pub fn say(&mut self, input: UserInput) {
        self.feed(Incoming::User(input));
    }

    /// Goes on until `enough`, or until a question has no answer, or to the end.
    pub fn play(
        &mut self,
        enough: impl Fn(&State) -> bool,
        agent: impl Fn(&State, &Task) -> String,
        answer: impl Fn(&Question) -> Option<Answer>,
    ) {
        for _ in 0..MOST_STEPS {
            if enough(&self.state) {
                return;
            }
            match next(&self.state) {
                Step::Advance => self.feed(Incoming::Advance),
                Step::Run { tasks, .. } => {
                    let task = &tasks[0];
                    let text = agent(&self.state, task);
                    let usage = Usage {
                        input_tokens: Some(4_000),
                        output_tokens: Some(u64::try_from(text.len()).unwrap() / 4),
                        cost_micros: Some(12_500),
                        millis: 1_000,
                        ..Usage::default()
                    };
                    let output = Incoming::Output {
                        task: task.id,
                        text: Some(text),
                        earlier: Vec::new(),
                        notes: Vec::new(),
                        usage,
                    };
                    self.feed(output);
                }
                Step::Await { .. } => {
                    let question = self.state.now.queue()[0].clone();
                    let Some(answer) = answer(&question) else {
                        return;
                    };
                    let question = question.id;
                    self.say(UserInput::Answer { question, answer });
                }
                Step::Rest(_) => return,
            }
        }
        panic!("the session never came to what was waited for");
    }

    pub fn report(&self) -> Report {
        Report::of(&self.events, &self.texts)
    }
}

/// The recommended option, else the first.
pub fn first_option(question: &Question) -> Option<Answer> {
    let options = &question.options;
    let recommended = options.iter().find(|choice| choice.recommended);
    let choice = recommended.or(options.first())?;
    Some(Answer::of(&choice.label, DecidedBy::User))
}

/// A proposal for a gap, with these words in its solution.
pub fn proposal(gap: &str, words: &str, new_gaps: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{words}\n\nThe limit is 100 per second, and \
         above it the answer is 429 with a header that says when to come again. Every caller has a limit of its own, \
         counted by key in a window of one second that slides.\n\n### Examples\n\nThe 101st call in a second is refused.\n\n\
         ### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\n{new_gaps}\n\n"
    )
}

/// A review that finds nothing on these gaps.
pub fn content(gaps: &[String]) -> String {
    let review = |gap: &String| {
        format!(
            "## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the limit\n- the window\n\n"
        )
    };
    gaps.iter().map(review).collect()
}

/// A review that raises one issue on a gap.
pub fn objection(gap: &str, heading: &str, issue: &str, summary: &str) -> String {
    format!(
        "## Review: {gap}\n\n### {heading}\n\n- **{issue}**: {summary}\n  - **Location:** Proposed Solution\n  - **Impact:** \
         callers guess\n  - **Suggestion:** say where it comes from\n\n"
    )
}

pub const READY: &str = include_str!("final_review.md");
