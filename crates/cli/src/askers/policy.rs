//! Owns answering by policy: the recommended option, where the core lets a policy take one.

use std::collections::BTreeSet;

use gapless_domain::ids::QuestionId;
use gapless_domain::question::{Answer, Question};

/// Answers each question once.
#[derive(Debug, Default)]
pub struct PolicyAsker {
    answered: BTreeSet<QuestionId>,
}

impl PolicyAsker {
    pub fn answer(&mut self, question: &Question) -> Option<Answer> {
        let answer = question.policy_answer()?;
        self.answered.insert(question.id).then_some(answer)
    }
}
