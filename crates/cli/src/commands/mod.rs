//! The command line: the list of commands, and one file for each of them.

mod agents;
mod analyze;
mod answer;
mod answer_form;
mod apply;
mod archive;
mod completions;
mod decisions;
mod demo;
mod diff;
mod disagreement;
mod doctor;
mod export;
mod gap;
mod gaps;
mod import;
mod init;
mod issue;
mod issues;
mod log;
mod man;
mod pause;
mod questions;
mod reapply;
mod reopen;
mod report;
mod resume;
mod rollback;
mod run;
mod scan;
mod show;
mod spec;
mod stats;
mod status;
mod stop;
mod trust;
mod undo;
mod validate;
mod what_next;

use clap::{CommandFactory, Parser, Subcommand};
use gapless_agents::started_by_agent;

use crate::args::Globals;
use crate::failure::EXIT_CODES;
use crate::{Context, Exit, Failure, Result, SessionArgs};

/// Refines a partial specification until its gaps are closed.
#[derive(Debug, Parser)]
#[command(name = "gapless", version, about, after_help = EXIT_CODES, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    /// Without one, what to do next in this folder is said
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a session on a spec and run it
    Run(run::RunArgs),
    /// Go on with a session
    Resume(resume::ResumeArgs),
    /// Say where a session stands
    Status(SessionArgs),
    /// List the gaps of a session
    Gaps(SessionArgs),
    /// List the issues of a session
    Issues(SessionArgs),
    /// List the decisions of a session
    Decisions(decisions::DecisionsArgs),
    /// List the questions that wait, each with the commands that answer it, or write them as a form for others
    Questions(questions::QuestionsArgs),
    /// Answer a question, or take in a form that was filled in
    Answer(answer::AnswerArgs),
    /// List what happened, event by event
    Log(SessionArgs),
    /// Show a round: its documents, its attempts and their verdicts
    Show(show::ShowArgs),
    /// Print the refined spec as it reads now, or one section of it
    Spec(spec::SpecArgs),
    /// Show what a round changed in the refined spec, or what all of them did
    Diff(diff::DiffArgs),
    /// Write the refined spec over your spec, after showing the difference; the old one is kept as .bak
    Apply(apply::ApplyArgs),
    /// Write what a session did and what it cost as one HTML file, or as markdown
    Report(report::ReportArgs),
    /// Pause a session until it is resumed
    Pause(SessionArgs),
    /// End a session: you are asked to accept what is left
    Stop(stop::StopArgs),
    /// Take up an ended session again; commands that change something of it do so by themselves
    Reopen(SessionArgs),
    /// Take back your last answer or command, with what followed from it
    Undo(undo::UndoArgs),
    /// Undo rounds: they are archived, and the session goes on from before them
    Rollback(rollback::RollbackArgs),
    /// Put a decision of an undone round in force again
    Reapply(reapply::ReapplyArgs),
    /// Change a gap: add, defer, close, split and more
    Gap(gap::GapArgs),
    /// Change an issue: waive it, or set its severity
    Issue(issue::IssueArgs),
    /// Look into the archives of rolled-back rounds: list, show, restore, keep, prune
    Archive(archive::ArchiveArgs),
    /// Check a document as the Mediator would, and show what is read from it
    Validate(validate::ValidateArgs),
    /// Find what a spec leaves out, by rules that need no model
    Scan(scan::ScanArgs),
    /// Find the issues of a review or a recorded session that went unanswered
    Disagreement(disagreement::DisagreementArgs),
    /// Find the failure patterns of an Engineer's document
    Analyze(analyze::AnalyzeArgs),
    /// Say what all sessions come to: rounds, retries, flags, questions, time and cost
    Stats(stats::StatsArgs),
    /// Say which agents are there, or try one
    Agents(agents::AgentsArgs),
    /// Say what is damaged in the database and the files of the sessions, and save what can be saved
    Doctor(doctor::DoctorArgs),
    /// Show what a folder wants to run, send or read outside of it, and allow it or take that back
    Trust(trust::TrustArgs),
    /// Write a session to one file, or to a folder of texts
    Export(export::ExportArgs),
    /// Take in a session: what `export` wrote, or the folder of a recorded one
    Import(import::ImportArgs),
    /// Write a commented gapless.toml, make `.gapless/`, and begin a spec from a template
    Init(init::InitArgs),
    /// Replay a recorded session to see how it goes
    Demo(demo::DemoArgs),
    /// Print what completes commands in a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write the pages of all commands
    Man(man::ManArgs),
}

impl Command {
    /// Whether the command was asked for JSON in a way of its own.
    pub(crate) fn prints_json(&self) -> bool {
        matches!(self, Command::Scan(args) if args.format == Some(scan::Format::Json))
    }

    /// Whether the command changes a session or what gapless may do: only the user may, and no agent. Every command is listed, so that
    /// a new one is decided on.
    fn decides(&self) -> bool {
        match self {
            Command::Run(_)
            | Command::Resume(_)
            | Command::Answer(_)
            | Command::Pause(_)
            | Command::Stop(_)
            | Command::Reopen(_)
            | Command::Rollback(_)
            | Command::Reapply(_)
            | Command::Gap(_)
            | Command::Issue(_)
            | Command::Import(_)
            | Command::Init(_) => true,
            Command::Archive(args) => args.changes(),
            Command::Doctor(args) => args.changes(),
            Command::Trust(args) => args.changes(),
            Command::Apply(args) => !args.dry_run,
            Command::Decisions(args) => args.changes(),
            Command::Undo(args) => args.changes(),
            Command::Questions(args) => args.replaces_a_file(),
            Command::Status(_)
            | Command::Gaps(_)
            | Command::Issues(_)
            | Command::Log(_)
            | Command::Show(_)
            | Command::Spec(_)
            | Command::Diff(_)
            | Command::Report(_)
            | Command::Validate(_)
            | Command::Scan(_)
            | Command::Disagreement(_)
            | Command::Analyze(_)
            | Command::Stats(_)
            | Command::Agents(_)
            | Command::Export(_)
            | Command::Demo(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
        }
    }
}

/// Runs a command; where none is given, says what could be.
pub(crate) fn run(command: Option<Command>, context: &Context) -> Result<Exit> {
    let Some(command) = command else {
        return what_next::run(context);
    };
    if command.decides() && started_by_agent() {
        return Err(Failure::from_agent());
    }
    match command {
        Command::Run(args) => run::run(context, &args),
        Command::Resume(args) => resume::run(context, &args),
        Command::Status(args) => status::run(context, &args),
        Command::Gaps(args) => gaps::run(context, &args),
        Command::Issues(args) => issues::run(context, &args),
        Command::Decisions(args) => decisions::run(context, &args),
        Command::Questions(args) => questions::run(context, &args),
        Command::Answer(args) => answer::run(context, &args),
        Command::Log(args) => log::run(context, &args),
        Command::Show(args) => show::run(context, &args),
        Command::Spec(args) => spec::run(context, &args),
        Command::Diff(args) => diff::run(context, &args),
        Command::Apply(args) => apply::run(context, &args),
        Command::Report(args) => report::run(context, &args),
        Command::Pause(args) => pause::run(context, &args),
        Command::Stop(args) => stop::run(context, &args),
        Command::Undo(args) => undo::run(context, &args),
        Command::Reopen(args) => reopen::run(context, &args),
        Command::Rollback(args) => rollback::run(context, &args),
        Command::Reapply(args) => reapply::run(context, &args),
        Command::Gap(args) => gap::run(context, args),
        Command::Issue(args) => issue::run(context, args),
        Command::Archive(args) => archive::run(context, &args),
        Command::Validate(args) => validate::run(context, &args),
        Command::Scan(args) => scan::run(context, &args),
        Command::Disagreement(args) => disagreement::run(context, &args),
        Command::Analyze(args) => analyze::run(context, &args),
        Command::Stats(args) => stats::run(context, &args),
        Command::Agents(args) => agents::run(context, &args),
        Command::Doctor(args) => doctor::run(context, &args),
        Command::Trust(args) => trust::run(context, &args),
        Command::Export(args) => export::run(context, &args),
        Command::Import(args) => import::run(context, &args),
        Command::Init(args) => init::run(context, &args),
        Command::Demo(args) => demo::run(context, &args),
        Command::Completions(args) => completions::run(context, &args, Cli::command()),
        Command::Man(args) => man::run(context, &args, Cli::command()),
    }
}
