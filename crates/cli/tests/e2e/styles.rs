//! The styles of HTTP API that models are asked through.

use std::process::Command;

use gapless_loopback::{Api, Loopback, Recorded, Reply};

use crate::rounds::{KEY, Ran, command, run};
use crate::support::{Project, Said};

pub const STYLES: [Style; 6] = [ANTHROPIC, OPENAI, OPENAI_RESPONSES, GEMINI, OLLAMA, OWN];

/// A style of HTTP API, with its own words.
pub struct Style {
    pub api: Api,
    pub agent: &'static str,
    config: &'static str,
    variables: fn(&Loopback) -> Vec<(&'static str, String)>,
    /// The variable that an error about the key names.
    pub key_variable: &'static str,
    /// The body that says with status 400 that the key is bad, if that is how it says so.
    pub bad_key: Option<&'static str>,
    /// A stream in which the model refuses, if it has words for that.
    pub refusal: Option<&'static str>,
    /// Its word for an answer that is cut at the limit.
    pub cut: &'static str,
}

const ANTHROPIC: Style = Style {
    api: Api::AnthropicMessages,
    agent: "anthropic:test",
    config: "",
    variables: |server| {
        vec![
            ("ANTHROPIC_BASE_URL", server.url()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ]
    },
    key_variable: "ANTHROPIC_API_KEY",
    bad_key: Some(
        r#"{"type":"error","error":{"type":"authentication_error","message":"Invalid API key"}}"#,
    ),
    refusal: Some(
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"I can't do that.\"}}\n\n\
            data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":{\"output_tokens\":8}}\n\n\
            data: {\"type\":\"message_stop\"}\n\n",
    ),
    cut: "max_tokens",
};

const OPENAI: Style = Style {
    api: Api::OpenAiChat,
    agent: "openai:test",
    config: "",
    variables: openai,
    key_variable: "OPENAI_API_KEY",
    bad_key: Some(
        r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
    ),
    refusal: Some(
        "data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't do that.\"},\"finish_reason\":null}]}\n\n\
            data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    ),
    cut: "length",
};

const OPENAI_RESPONSES: Style = Style {
    api: Api::OpenAiResponses,
    agent: "openai:test",
    config: "[providers.openai]\nstyle = \"openai-responses\"\n",
    variables: openai,
    key_variable: "OPENAI_API_KEY",
    bad_key: Some(
        r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
    ),
    refusal: Some(
        "data: {\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"message\",\"content\":\
            [{\"type\":\"refusal\",\"refusal\":\"I can't do that.\"}]}],\"usage\":{\"input_tokens\":9,\"output_tokens\":8}}}\n\n",
    ),
    cut: "max_output_tokens",
};

const GEMINI: Style = Style {
    api: Api::Gemini,
    agent: "gemini:test",
    config: "",
    variables: |server| {
        vec![
            ("GEMINI_BASE_URL", server.url()),
            ("GEMINI_API_KEY", KEY.to_owned()),
        ]
    },
    key_variable: "GEMINI_API_KEY",
    bad_key: Some(
        r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#,
    ),
    refusal: Some(
        "data: {\"candidates\":[{\"finishReason\":\"SAFETY\",\"finishMessage\":\"I can't do that.\"}]}\n\n",
    ),
    cut: "MAX_TOKENS",
};

const OLLAMA: Style = Style {
    api: Api::Ollama,
    agent: "ollama:test",
    config: "",
    variables: |server| {
        vec![
            ("OLLAMA_HOST", server.url()),
            ("OLLAMA_API_KEY", KEY.to_owned()),
        ]
    },
    key_variable: "OLLAMA_API_KEY",
    // Its server says 401, and its models refuse in ordinary words.
    bad_key: None,
    refusal: None,
    cut: "length",
};

/// A provider of the user's own, which speaks as OpenAI does.
const OWN: Style = Style {
    api: Api::OpenAiChat,
    agent: "mine:test",
    config: "[providers.mine]\nbase_url = \"SERVER/v1\"\nkey_env = \"MINE_KEY\"\n",
    variables: |_| vec![("MINE_KEY", KEY.to_owned())],
    key_variable: "MINE_KEY",
    bad_key: Some(r#"{"message":"Invalid API key"}"#),
    refusal: Some(
        "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":null}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"refusal\":\"I can't do that.\"},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n",
    ),
    cut: "length",
};

fn openai(server: &Loopback) -> Vec<(&'static str, String)> {
    vec![
        ("OPENAI_BASE_URL", server.openai_url()),
        ("OPENAI_API_KEY", KEY.to_owned()),
    ]
}

impl Style {
    /// A session with this style's agent for all roles.
    pub fn command(&self, project: &Project, server: &Loopback) -> Command {
        let config = self.config.replace("SERVER", &server.url());
        project.write("gapless.toml", &config);
        project.trust();
        command(project, &run(self.agent), (self.variables)(server))
    }

    /// Runs a session whose model always answers like this.
    pub fn session(&self, reply: impl FnMut(&Recorded) -> Reply + Send + 'static) -> Ran {
        let project = Project::with_two_gaps();
        let server = Loopback::start(reply).unwrap();
        let said = Said::of(self.command(&project, &server).output().unwrap());
        Ran::of(project, &server, said)
    }
}
