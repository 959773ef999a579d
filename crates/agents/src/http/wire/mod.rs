//! The vendors' wire formats as a client sees them: a file each for what is asked, and for what is read of the
//! documents that an answer is made of.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use serde_json::Value;

use super::lines::Framing;
use super::message::{Ask, Heard, Posting};

/// A provider's wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Anthropic,
    OpenAiChat,
    OpenAiResponses,
    Gemini,
    Ollama,
}

impl Style {
    pub const ALL: [Style; 5] = [
        Style::Anthropic,
        Style::OpenAiChat,
        Style::OpenAiResponses,
        Style::Gemini,
        Style::Ollama,
    ];

    /// How it is written in gapless.toml.
    pub fn name(self) -> &'static str {
        match self {
            Style::Anthropic => "anthropic",
            Style::OpenAiChat => "openai-chat",
            Style::OpenAiResponses => "openai-responses",
            Style::Gemini => "gemini",
            Style::Ollama => "ollama",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }

    pub(super) fn framing(self) -> Framing {
        match self {
            Style::Ollama => Framing::Lines,
            _ => Framing::Events,
        }
    }

    pub(super) fn post(self, ask: &Ask<'_>) -> Posting {
        match self {
            Style::Anthropic => anthropic::post(ask),
            Style::OpenAiChat => openai_chat::post(ask),
            Style::OpenAiResponses => openai_responses::post(ask),
            Style::Gemini => gemini::post(ask),
            Style::Ollama => ollama::post(ask),
        }
    }

    pub(super) fn read(self, document: &Value, heard: &mut Heard) {
        match self {
            Style::Anthropic => anthropic::read(document, heard),
            Style::OpenAiChat => openai_chat::read(document, heard),
            Style::OpenAiResponses => openai_responses::read(document, heard),
            Style::Gemini => gemini::read(document, heard),
            Style::Ollama => ollama::read(document, heard),
        }
        // A chat tells its usage after its end.
        heard.closed |= heard.over && self != Style::OpenAiChat;
    }
}
