//! What a prompt must know of the agent that it goes to.

use serde::{Deserialize, Serialize};

/// The agent that needs no model, by its name.
pub const OFFLINE: &str = "offline";

/// How much of a spec goes to an agent whose context is not known, in tokens.
const UNKNOWN_CONTEXT_SPEC_TOKENS: u32 = 6_000;

/// The most that goes to any agent unless the user says otherwise: attention and cost grow with every prompt.
const MOST_SPEC_TOKENS: u32 = 24_000;

/// What an agent can do and take in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentTraits {
    /// It finds its inputs as files beside the prompt, and can write its document to one.
    #[serde(default)]
    pub files: bool,
    /// How many tokens a prompt and its answer may have together, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u32>,
}

impl AgentTraits {
    /// How much of the spec goes into a prompt for this agent: a quarter of its context, within bounds.
    pub fn spec_tokens(&self) -> u32 {
        match self.context_tokens {
            None => UNKNOWN_CONTEXT_SPEC_TOKENS,
            Some(context) => (context / 4).clamp(100, MOST_SPEC_TOKENS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_context_goes_to_the_spec_within_bounds() {
        let spec = |context_tokens| {
            AgentTraits {
                context_tokens,
                ..AgentTraits::default()
            }
            .spec_tokens()
        };
        assert_eq!(spec(None), 6_000);
        assert_eq!(spec(Some(0)), 100);
        assert_eq!(spec(Some(8_192)), 2_048);
        assert_eq!(spec(Some(200_000)), 24_000);
    }
}
