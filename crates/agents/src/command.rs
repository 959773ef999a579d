//! The agent that is any command line: split into words as a shell would, but run without one.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use gapless_domain::AgentTraits;

use crate::subprocess::{Call, Program};
use crate::{
    Agent, BoxFuture, Environment, Finished, LimitedBytes, OpenContext, OpenError, Request, Watch,
};

#[derive(Debug)]
pub(crate) struct CommandAgent {
    name: String,
    program: Program,
    arguments: Vec<OsString>,
}

impl CommandAgent {
    pub(crate) fn parse(name: &str, line: &str, context: &OpenContext) -> Result<Self, OpenError> {
        let words = shlex::split(line).ok_or_else(|| OpenError::OpenQuote {
            line: line.trim().to_owned(),
        })?;
        let mut words = words.into_iter();
        let executable = words
            .next()
            .filter(|word| !word.is_empty())
            .ok_or(OpenError::NoCommand)?;
        Ok(Self {
            name: name.to_owned(),
            program: Program {
                executable: resolve(&executable, &context.base),
                environment: Environment::allowed(context.pass.iter().map(String::as_str)),
                supervisor: context.supervisor.clone(),
                protected: context.protected.clone(),
            },
            arguments: words.map(OsString::from).collect(),
        })
    }
}

/// Makes a relative path absolute, since the program starts in a folder of its own; a bare name stays for PATH.
pub(crate) fn resolve(executable: &str, base: &Path) -> OsString {
    let path = Path::new(executable);
    let is_bare = !executable.contains(std::path::is_separator);
    if is_bare || path.is_absolute() {
        return executable.into();
    }
    let joined = base.join(path);
    std::path::absolute(&joined).unwrap_or(joined).into()
}

impl Agent for CommandAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, request: Request, watch: Watch) -> BoxFuture<'_, Finished> {
        Box::pin(async move {
            let started = Instant::now();
            let mut said = LimitedBytes::new(request.limits.output_bytes);
            let call = Call {
                arguments: self.arguments.clone(),
                stdin: Arc::clone(&request.prompt),
                ..Call::default()
            };
            let ended = self.program.run(request, &watch, |_| call, &mut said);
            match ended.await {
                Ok(ended) => Finished::since(started, self.program.judge(ended, Some(said))),
                Err(stopped) => {
                    let error = stopped.error.clone();
                    Finished {
                        unfinished: self.program.unfinished(stopped, Some(said)),
                        ..Finished::since(started, Err(error))
                    }
                }
            }
        })
    }

    fn reads_files(&self) -> bool {
        true
    }

    fn traits(&self) -> Option<AgentTraits> {
        Some(AgentTraits {
            files: true,
            context_tokens: None,
        })
    }

    fn wants_assignment(&self) -> bool {
        true
    }
}
