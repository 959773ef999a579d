//! Arguments that several commands share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gapless_domain::parameters::must_be;

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Globals {
    /// The folder that holds `.gapless/` (default: found from the spec or the current folder upwards)
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Print one JSON document on stdout, everything else on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// A command that acts on one session.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// The session (default: the only one, else the last one worked on)
    pub(crate) name: Option<String>,
}

/// Who plays which role.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Agents")]
pub(crate) struct AgentArgs {
    /// The Engineer's agent: `claude`, `codex`, `gemini`, `opencode` (each with a model: `claude:<model>`), one of your own,
    /// `human`, `offline`, `cmd:<command line>` or `replay:<folder>`; `auto` takes one that is there
    #[arg(long, value_name = "AGENT")]
    pub(crate) engineer: Option<String>,
    /// The Reviewer's agent
    #[arg(long, value_name = "AGENT")]
    pub(crate) reviewer: Option<String>,
    /// One agent for every role; it wins over every agent of gapless.toml
    #[arg(long, value_name = "AGENT")]
    pub(crate) agents: Option<String>,
    /// The Analyst's agent (default: the Engineer's, where it can), or `none`
    #[arg(long, value_name = "AGENT")]
    pub(crate) analyst: Option<String>,
    /// The Editor's agent (default: the Engineer's, where it can), or `none`
    #[arg(long, value_name = "AGENT")]
    pub(crate) editor: Option<String>,
    /// A code base that the Engineer and the Analyst may look at and not change, or `none`
    #[arg(long, value_name = "DIR")]
    pub(crate) repo: Option<PathBuf>,
}

/// Who answers questions.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Answers")]
pub(crate) struct AskingArgs {
    /// A file of prepared answers, keyed by the question's kind and subject
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Answer by a policy what nothing else answers
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<Policy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// The recommended option, where there is one that needs no words of yours
    Recommended,
}

/// Where the refined spec goes at the end, besides the session's folder. A new session without any of these writes it beside
/// the spec.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Result")]
pub(crate) struct OutputArgs {
    /// Write the refined spec to FILE when the session ends (default of a new session: `spec.refined.md` beside `spec.md`);
    /// what stands there is kept as FILE.bak
    #[arg(long, value_name = "FILE", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace your spec with the refined one when the session ends, if it is unchanged since the start; the old one is
    /// kept beside it as .bak
    #[arg(long, conflicts_with = "no_output")]
    pub(crate) in_place: bool,
    /// Write the refined spec only into the session's folder
    #[arg(long, conflicts_with = "output")]
    pub(crate) no_output: bool,
}

/// Configuration that wins over gapless.toml.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Configuration (wins over gapless.toml)")]
pub struct ConfigArgs {
    /// How many gaps a round takes, 1 to 10
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_of("gaps_per_round"))]
    pub gaps_per_round: Option<u32>,
    /// How many Engineers work at once, 1 to 4
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_of("parallel_engineers"))]
    pub parallel_engineers: Option<u32>,
    /// How often an invalid output is asked for again, 0 to 5
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_of("max_retries"))]
    pub max_retries: Option<u32>,
    /// The round at which you are asked whether to go on
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number_of("max_rounds"))]
    pub max_rounds: Option<u32>,
    /// What agents may use before the session rests: `tokens=200000`, `cost=5`, `time=2h`; `none` takes it away
    #[arg(long = "budget", value_name = "WHAT=AMOUNT", value_parser = key_value)]
    pub budget: Vec<(String, String)>,
    /// Any key of gapless.toml
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
}

/// Reads the number of a configuration key; its range is checked with the rest of the configuration.
fn number_of(key: &'static str) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync {
    move |text| {
        let number = text.trim().parse();
        number.map_err(|_| format!("it must be {}", must_be(key)))
    }
}

/// Splits `key=value`; the value may be anything.
pub(crate) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write it as KEY=VALUE".to_owned()),
    }
}
