//! Who answers a question: the answers file, then the policy, then the person at the terminal.
//!
//! Neither file nor policy gives the same answer to the same question twice, so a refused answer is not repeated.

mod answers_file;
pub(crate) mod keyboard;
mod terminal;

use std::collections::BTreeSet;

use gapless_agents::BoxFuture;
use gapless_domain::{Question, QuestionId};
use gapless_runner::{Asker, Reply};
use gapless_session::State;

use crate::args::Policy;
use crate::trust::{AGENT_FIELD, TypedAgents};
use crate::views::events::AskedQuestions;
use crate::{AskingArgs, Context, Result};

pub use answers_file::AnswersFile;
pub(crate) use terminal::Terminal;

/// The sources of answers, in order of precedence.
#[derive(Default)]
pub(crate) struct AnswerSources {
    answers: Option<AnswersFile>,
    /// The questions that the policy was asked: it takes the recommended option, if the core lets it, and each once.
    policy: Option<BTreeSet<QuestionId>>,
    terminal: Option<Terminal>,
    /// The agents that were named at the terminal. What a file names may be the folder's.
    typed_agents: TypedAgents,
}

impl AnswerSources {
    pub(crate) fn new(context: &Context, args: &AskingArgs) -> Result<Self> {
        let answers = args
            .answers
            .as_deref()
            .map(|path| AnswersFile::read(&context.resolve(path)))
            .transpose()?;
        Ok(Self {
            answers,
            policy: args.policy.map(|Policy::Recommended| BTreeSet::new()),
            terminal: Terminal::here(context),
            typed_agents: TypedAgents::default(),
        })
    }

    /// True where a policy answers.
    pub(crate) fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    pub(crate) fn typed_agents(&self) -> TypedAgents {
        TypedAgents::clone(&self.typed_agents)
    }

    pub(crate) fn with_answers(answers: AnswersFile) -> Self {
        Self {
            answers: Some(answers),
            ..Self::default()
        }
    }

    /// Says whether every question is put to the person at this terminal.
    pub(crate) fn asked_questions(&self) -> AskedQuestions {
        match (&self.terminal, &self.answers, &self.policy) {
            (Some(_), None, None) => AskedQuestions::AskedHere,
            _ => AskedQuestions::Listed,
        }
    }
}

impl Asker for AnswerSources {
    fn ask<'a>(&'a mut self, state: &'a State, question: &'a Question) -> BoxFuture<'a, Reply> {
        let prepared = self.answers.as_mut();
        let prepared = prepared.and_then(|answers| answers.answer(question));
        let answer = prepared.or_else(|| {
            let answer = question.policy_answer()?;
            self.policy.as_mut()?.insert(question.id).then_some(answer)
        });
        if let Some(answer) = answer {
            return Box::pin(std::future::ready(Reply::Answer(answer)));
        }
        let may_go_back = state.answer_before().is_some();
        let typed_agents = &self.typed_agents;
        match &mut self.terminal {
            Some(terminal) => Box::pin(async move {
                let reply = terminal.ask(question, may_go_back).await;
                if let Reply::Answer(answer) = &reply
                    && let Some(agent) = answer.fields.get(AGENT_FIELD)
                {
                    typed_agents.add(agent);
                }
                reply
            }),
            None => Box::pin(std::future::ready(Reply::Nobody)),
        }
    }
}
