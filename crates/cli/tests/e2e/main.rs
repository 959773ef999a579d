//! Whole sessions with every backend through the real binary: the programs that people have installed, at the versions in
//! `tools/agent-clis`, and the models over HTTP, against a model server of the suite's own. Nothing else is reached.
//!
//! What a backend may do to a session, and the test that plays it with each backend where it can happen. A program stands for its
//! vendor's format: claude for Anthropic's messages, codex for OpenAI's responses, gemini for Gemini, opencode for OpenAI's chat.
//!
//! | what happens | claude, codex, gemini, opencode | anthropic, openai, openai-responses, gemini, ollama, a provider of one's own |
//! |---|---|---|
//! | all goes well, or the first document is invalid | `programs` | `models` |
//! | a document behind `<think>` | `coming_back` | `coming_back` |
//! | a document in two text blocks | `coming_back` | `coming_back` |
//! | a document, a tool call, "Done." | `coming_back` | one request has one answer, and no tools |
//! | cut at the model's limit | `endings::*_cut` | `failing_models` |
//! | cut, and gone on with | `endings::claude_goes_on_where_it_was_cut`; no other one does | none goes on by itself |
//! | a refusal, with words or without | `endings::*_refusing` | `failing_models`; ollama's models have no word for it |
//! | 529 for ever (gemini: 500, it takes 529 for another error) | `failing::*_overloaded` | `failing_models` |
//! | 401 | `failing::*_refused` | `failing_models`, and 400 where the body says so; ollama says 401 |
//! | a prompt that is too long | `failing::*_too_long` | `failing_models` |
//! | a run that is ended: silence, Ctrl-C | `failing::*_silent` | `failing_models` |
//! | planted settings, hooks, servers, memories, `.env` | `isolation::*_alone`, `*_with_a_code_base`, `*_signed_in` | read no files |
//! | looks at the code base without an end | `turns` | have no tools |
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod coming_back;
#[cfg(unix)]
mod endings;
#[cfg(unix)]
mod failing;
mod failing_models;
#[cfg(unix)]
mod isolation;
#[path = "../cli/lamp.rs"]
mod lamp;
mod models;
#[cfg(unix)]
mod planted;
mod programs;
mod rounds;
mod styles;
#[path = "../cli/support.rs"]
#[allow(dead_code)] // The other suite's share of it.
mod support;
#[cfg(unix)]
mod turns;
