//! Answers by policy: the recommended option, if the core lets a policy take it.

use std::collections::BTreeSet;

use gapless_domain::{Answer, Question, QuestionId};

/// Answers each question once.
#[derive(Debug, Default)]
pub(crate) struct PolicyAsker {
    answered: BTreeSet<QuestionId>,
}

impl PolicyAsker {
    pub(crate) fn answer(&mut self, question: &Question) -> Option<Answer> {
        let answer = question.policy_answer()?;
        self.answered.insert(question.id).then_some(answer)
    }
}
