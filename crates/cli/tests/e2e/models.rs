//! A whole session with each backend over HTTP.

use gapless_loopback::{Api, Loopback};

use crate::rounds::{First, KEY, check, run};
use crate::support::{Project, Said};

/// Runs both sessions with an agent; the variables get the server's address.
fn session(
    agent: &str,
    api: Api,
    config: &str,
    variables: fn(&Loopback) -> Vec<(&'static str, String)>,
) {
    for first in First::BOTH {
        let project = Project::with_two_gaps();
        let server = first.server();
        let config = config.replace("SERVER", &server.url());
        project.write("gapless.toml", &config);
        project.trust();
        let mut command = project.command(&run(agent));
        command.env_clear().envs(variables(&server));
        command.env("XDG_STATE_HOME", project.path("state"));
        check(
            first,
            &project,
            &server,
            api,
            Said::of(command.output().unwrap()),
        );
    }
}

#[test]
fn anthropic() {
    session("anthropic:test", Api::AnthropicMessages, "", |server| {
        vec![
            ("ANTHROPIC_BASE_URL", server.url()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ]
    });
}

#[test]
fn openai() {
    session("openai:test", Api::OpenAiChat, "", |server| {
        vec![
            ("OPENAI_BASE_URL", server.openai_url()),
            ("OPENAI_API_KEY", KEY.to_owned()),
        ]
    });
}

#[test]
fn openai_responses() {
    let config = "[providers.openai]\nstyle = \"openai-responses\"\n";
    session("openai:test", Api::OpenAiResponses, config, |server| {
        vec![
            ("OPENAI_BASE_URL", server.openai_url()),
            ("OPENAI_API_KEY", KEY.to_owned()),
        ]
    });
}

#[test]
fn gemini() {
    session("gemini:test", Api::Gemini, "", |server| {
        vec![
            ("GEMINI_BASE_URL", server.url()),
            ("GEMINI_API_KEY", KEY.to_owned()),
        ]
    });
}

#[test]
fn ollama() {
    session("ollama:test", Api::Ollama, "", |server| {
        vec![("OLLAMA_HOST", server.url())]
    });
}

#[test]
fn a_provider_of_ones_own() {
    let config = "[providers.mine]\nbase_url = \"SERVER/v1\"\nkey_env = \"MINE_KEY\"\n";
    session("mine:test", Api::OpenAiChat, config, |_| {
        vec![("MINE_KEY", KEY.to_owned())]
    });
}
