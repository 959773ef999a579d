//! One run of a preset's program: the call that its definition makes of a request, and the verdict on what came of it.
//! It is judged by what it wrote: some programs exit with success after an error, and some with an error after a document.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use gapless_domain::{
    AgentTraits, ExecutionError, ExecutionErrorKind, OutputNote, TaskLimits, Unfinished,
};

use super::definition::{Definition, OutputRules, PromptBy};
use super::detect::Surroundings;
use super::errors::in_words;
use super::own_home::OwnHome;
use super::reader::{Read, Reader};
use crate::command::resolve;
use crate::estimate;
use crate::subprocess::{Call, Ended, Places, Program};
use crate::{
    Agent, BoxFuture, Environment, Finished, LimitedBytes, OpenContext, Output, Reports, Request,
    Watch,
};

#[derive(Debug)]
pub(crate) struct PresetAgent {
    name: String,
    definition: Definition,
    model: Option<String>,
    program: Program,
    rules: OutputRules,
    /// A home of its own for each run.
    own_home: Option<OwnHome>,
    /// The folder with the program's own files.
    program_folder: PathBuf,
}

impl PresetAgent {
    pub(crate) fn new(
        name: &str,
        definition: &Definition,
        model: Option<&str>,
        context: &OpenContext,
    ) -> Self {
        let program = definition.program.as_deref().unwrap_or_default();
        let pass = definition.pass.iter().flatten().chain(&context.pass);
        let unset = definition.unset.iter().flatten().map(String::as_str);
        let environment = Environment::allowed(pass.map(String::as_str)).without(unset);
        let executable = resolve(program, &context.base);
        let own_home = OwnHome::of(definition, &environment);
        let program_folder = program_folder(&executable, &environment);
        Self {
            name: name.to_owned(),
            model: model
                .map(str::to_owned)
                .or_else(|| definition.model.clone()),
            program: Program {
                executable,
                environment,
                supervisor: context.supervisor.clone(),
                protected: context.protected.clone(),
            },
            own_home,
            program_folder,
            rules: definition.output.clone().unwrap_or_default(),
            definition: definition.clone(),
        }
    }

    fn call(&self, places: &Places<'_>, prompt: &Arc<str>) -> Call {
        let own = &self.definition;
        // A preset that says nothing of a code base is not told of one.
        let sees_repo = places.repo.is_some() && own.repo_arguments.is_some();
        let (around, set, files) = match sees_repo {
            true => (&own.repo_arguments, &own.repo_set, &own.repo_files),
            false => (&own.alone_arguments, &own.alone_set, &own.alone_files),
        };
        let model = self.model.as_ref().and(own.model_arguments.as_ref());
        let words = own.arguments.iter().flatten().chain(&own.more_arguments);
        let words = words.chain(model.into_iter().flatten());
        let words = words.chain(around.iter().flatten());
        let words = words.chain(own.last_arguments.iter().flatten());
        let by_argument = own.prompt.unwrap_or_default() == PromptBy::Argument;
        let fill = |text: &String| self.fill(text, places);
        let pairs = |one: &BTreeMap<String, String>, other: &BTreeMap<String, String>| {
            let all = one.iter().chain(other);
            let all = all.map(|(name, value)| (name.clone(), fill(value)));
            all.collect::<Vec<_>>()
        };
        Call {
            arguments: words
                .map(|word| match by_argument && word.contains("{prompt}") {
                    // Last, so that nothing in the prompt is taken for a placeholder.
                    true => self.fill(word, places).replace("{prompt}", prompt),
                    false => self.fill(word, places),
                })
                .map(Into::into)
                .collect(),
            set: match &self.own_home {
                Some(home) => [
                    home.variables(&places.home),
                    pairs(&own.set, set),
                    home.set.clone(),
                ]
                .concat(),
                None => pairs(&own.set, set),
            },
            files: pairs(&own.files, files),
            home: self
                .own_home
                .as_ref()
                .map(|home| home.home(pairs(&own.home_files, &BTreeMap::new()))),
            log: self.rules.log.as_ref().map(|log| log.file.clone()),
            stdin: match by_argument {
                true => Arc::from(""),
                false => Arc::clone(prompt),
            },
        }
    }

    fn fill(&self, text: &str, places: &Places<'_>) -> String {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let repo = places.repo.map(path).unwrap_or_default();
        let values = [
            ("{model}", self.model.clone().unwrap_or_default()),
            ("{folder:json}", in_json(&path(places.folder))),
            ("{folder}", path(places.folder)),
            ("{output}", path(&places.output)),
            ("{home}", path(&places.home)),
            ("{program:json}", in_json(&path(&self.program_folder))),
            ("{repo:json}", in_json(&repo)),
            ("{repo}", repo),
        ];
        // In one pass: what was filled in is not looked at again.
        let (mut filled, mut rest) = (String::new(), text);
        while let Some(start) = rest.find('{') {
            filled.push_str(&rest[..start]);
            rest = &rest[start..];
            match values.iter().find(|(name, _)| rest.starts_with(name)) {
                Some((name, value)) => {
                    filled.push_str(value);
                    rest = &rest[name.len()..];
                }
                None => {
                    filled.push('{');
                    rest = &rest[1..];
                }
            }
        }
        filled + rest
    }

    /// A program that says nothing while it works is given longer; its whole time stays the same.
    fn limits(&self, limits: TaskLimits) -> TaskLimits {
        let patience = self
            .definition
            .patience_seconds
            .unwrap_or(0)
            .saturating_mul(1000);
        TaskLimits {
            idle_timeout_millis: limits.idle_timeout_millis.max(patience),
            ..limits
        }
    }

    /// The verdict on a run that came to its own end; where it says that it failed, with what it had written nevertheless.
    fn judge(
        &self,
        mut ended: Ended,
        read: Read,
    ) -> (Result<Output, ExecutionError>, Option<Unfinished>) {
        if let Some(why) = read.refusal {
            let message = format!(
                "{} would not finish its answer ({why}); change what is asked, or use another model",
                self.name
            );
            let error = ExecutionError::new(ExecutionErrorKind::Refused, message);
            return (Err(self.program.redacted(error)), None);
        }
        if let Some(error) = read.error {
            // What it said is its own words on the error; a file is a document.
            let written = ended.written;
            let unfinished = written.and_then(|bytes| self.program.unread(bytes, 0));
            return (Err(self.program.redacted(error)), unfinished);
        }
        // A blank file beside an answer is what a program leaves that was stopped from writing.
        if read.text.is_some() && ended.written.as_ref().is_some_and(|file| file.is_blank()) {
            ended.written = None;
        }
        if ended.written.is_none() && read.text.is_none() {
            if let Some(error) = in_words(&self.rules.words, &[&ended.stderr(), &read.unread]) {
                return (Err(error), None);
            }
            if let Some(error) = read.passing {
                return (Err(self.program.redacted(error)), None);
            }
            if !read.read_any && !read.unread.is_empty() {
                let error = self.program.said_nothing_usable(&ended, &read.unread);
                return (Err(error), None);
            }
        }
        let (is_cut, mut earlier) = (read.is_cut, read.earlier);
        let in_file = ended.written.is_some();
        let silent = read.text.as_ref().is_none_or(LimitedBytes::is_blank);
        if is_cut && !in_file && silent {
            // An answer of which nothing came was too long as well.
            let nothing = Output::of(LimitedBytes::default());
            return (Ok(self.with_messages(nothing, true, earlier)), None);
        }
        // What was said beside a file comes after all that was said before.
        let beside = read.text.as_ref().filter(|text| in_file && !text.is_cut());
        earlier.extend(beside.map(LimitedBytes::to_text));
        let judged = self.program.judge(ended, read.text);
        let judged = judged.map(|output| self.with_messages(output, is_cut, earlier));
        (judged, None)
    }

    /// The output with the messages before it, and with the note that its end is missing where the model stopped at a limit.
    fn with_messages(&self, mut output: Output, is_cut: bool, earlier: Vec<String>) -> Output {
        if is_cut && !output.notes.contains(&OutputNote::OutputTruncated) {
            output.notes.push(OutputNote::OutputTruncated);
        }
        let earlier = earlier.into_iter();
        let earlier = earlier.map(|text| self.program.without_secrets(text));
        let text = output.text.as_ref();
        output.earlier = earlier.filter(|it| Some(it) != text).collect();
        output
    }
}

/// A text as it stands between the quotes of a JSON text.
fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The folder with a program's own files: npm's folder of packages, or the folder that the program itself is in.
fn program_folder(executable: &OsStr, environment: &Environment) -> PathBuf {
    let around = Surroundings {
        path: environment.get("PATH").unwrap_or_default().to_owned(),
        ..Surroundings::default()
    };
    let found = around.find(&executable.to_string_lossy());
    let found = found.and_then(|program| program.canonicalize().ok());
    let found = found.unwrap_or_else(|| PathBuf::from("/usr/bin/none"));
    let mut above = found.ancestors().collect::<Vec<_>>().into_iter().rev();
    let packages = above.find(|folder| folder.ends_with("node_modules"));
    let folder = packages.or_else(|| found.parent());
    folder.unwrap_or(Path::new("/usr/bin")).to_owned()
}

impl Agent for PresetAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn reports(&self) -> Reports {
        let rules = self.definition.output.as_ref();
        let usage = rules.map_or(&[][..], |rules| &rules.usage);
        Reports {
            tokens: usage
                .iter()
                .any(|rule| !rule.input.is_empty() || !rule.output.is_empty()),
            cost: usage.iter().any(|rule| rule.cost.is_some()),
        }
    }

    fn reads_files(&self) -> bool {
        self.definition.repo_arguments.is_some()
    }

    fn traits(&self) -> Option<AgentTraits> {
        Some(AgentTraits {
            files: self.definition.files_beside,
            context_tokens: self.definition.context_tokens,
        })
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        Box::pin(async move {
            let started = Instant::now();
            let mut reader = Reader::new(&self.rules, request.limits.output_bytes);
            let request = Request {
                limits: self.limits(request.limits),
                ..request
            };
            let prompt = Arc::clone(&request.prompt);
            let call = |places: &Places<'_>| self.call(places, &prompt);
            let mut ended = self.program.run(request, &watch, call, &mut reader).await;
            let mut read = reader.finish();
            let log = ended.as_mut().ok().and_then(|ended| ended.log.take());
            if let (Some(rule), Some(log)) = (&self.rules.log, log) {
                read.hear_log(rule, &log.to_text());
            }
            let usage = read.usage;
            let was_ended = ended.as_ref().is_err_and(|stopped| {
                stopped.error.kind.is_timeout() || watch.cancel.is_cancelled()
            });
            let (result, unfinished) = match ended {
                Ok(ended) => self.judge(ended, read),
                Err(stopped) => {
                    let error = stopped.error.clone();
                    let mut unfinished = self.program.unfinished(stopped, read.text);
                    if let Some(unfinished) = unfinished.as_mut().filter(|_| read.is_cut) {
                        unfinished.notes.push(OutputNote::OutputTruncated);
                    }
                    (Err(error), unfinished)
                }
            };
            let mut finished = Finished {
                unfinished,
                ..Finished::since(started, result)
            };
            finished.usage.add(&usage);
            if was_ended && self.reports().tokens && usage.tokens() == 0 {
                let written = finished.unfinished.as_ref();
                let written = written.map_or(String::new(), |left| left.text.clone());
                finished.usage = estimate::completed(finished.usage, &prompt, written).await;
            }
            finished
        })
    }
}
