//! The vendors' wire formats as a server writes them: what stands before a text, each piece of it, what stands after
//! it, the same in one document, and errors.

mod anthropic;
mod format;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use crate::recorded::{Api, Recorded};

pub(crate) use format::{Said, Wire};

pub(crate) fn wire_for(api: Api, request: &Recorded) -> Box<dyn Wire> {
    match api {
        Api::AnthropicMessages => Box::new(anthropic::Anthropic),
        Api::OpenAiChat => Box::new(openai_chat::OpenAiChat),
        Api::OpenAiResponses => Box::new(openai_responses::OpenAiResponses::default()),
        Api::Gemini => {
            let as_events = request.query.split('&').any(|part| part == "alt=sse");
            Box::new(gemini::Gemini::new(as_events))
        }
        Api::Ollama => Box::new(ollama::Ollama),
    }
}
