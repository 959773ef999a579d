//! `gapless decisions`: what the user decided, oldest first; with `--archived` what rollbacks undid of it. `decisions change` puts
//! another decision in the place of one.

use clap::{ArgGroup, Args, Subcommand};
use comfy_table::Cell;
use gapless_domain::{Decision, DecisionId};
use gapless_mediator::UserInput;
use gapless_session::State;
use gapless_session::rollback_record::UndoneDecision;
use serde_json::{Value, json as value};

use crate::session::send_and_report;
use crate::session_choice::choose_session;
use crate::views::session_json;
use crate::{
    ChosenSession, Context, Exit, OpenSession, Result, Screen, json, open_session, tables,
};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct DecisionsArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Those of rolled-back rounds instead, which bind nobody
    #[arg(long)]
    archived: bool,
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Decide otherwise: the gaps that the decision bound are worked on again, and the old one is kept as replaced
    Change(ChangeArgs),
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("instead").required(true))]
struct ChangeArgs {
    /// A decision that `gapless decisions` lists
    decision: DecisionId,
    /// What holds instead, in your words; for a severity its name
    #[arg(long, group = "instead")]
    text: Option<String>,
    /// For a conflict: the Reviewer's position (`A`) or the Engineer's (`B`)
    #[arg(long, value_name = "LETTER", group = "instead")]
    option: Option<String>,
    /// Why, for the record
    #[arg(long, default_value = "")]
    reason: String,
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

impl DecisionsArgs {
    /// Whether it changes a decision.
    pub(crate) fn changes(&self) -> bool {
        self.command.is_some()
    }
}

pub(crate) fn run(context: &Context, args: &DecisionsArgs) -> Result<Exit> {
    if let Some(Action::Change(args)) = &args.command {
        return change(context, args);
    }
    let opened = open_session(context, args.name.as_deref())?;
    match args.archived {
        true => archived(context, &opened),
        false => in_force(context, &opened),
    }
    Ok(Exit::Done)
}

fn change(context: &Context, args: &ChangeArgs) -> Result<Exit> {
    let ChosenSession { workspace, name } = choose_session(context, args.session.as_deref())?;
    let instead = args.text.as_ref().or(args.option.as_ref());
    let said = UserInput::ChangeDecision {
        decision: args.decision,
        text: instead.cloned().unwrap_or_default(),
        reason: args.reason.clone(),
    };
    send_and_report(context, &workspace, &name, said)
}

fn in_force(context: &Context, opened: &OpenSession) {
    let now = &opened.state().now;
    let decisions = now.decisions.iter();
    if context.screen.is_json() {
        let items = decisions.map(|decision| session_json::decision(now, decision));
        return json::print_items(opened.name.as_str(), items);
    }
    let states = decisions.map(|decision| {
        let state = tables::decision_state(now.decision_state(decision));
        (decision, state)
    });
    let none = "No decisions.";
    show(&context.screen, states.collect(), none, &[0, 1, 3]);
}

fn archived(context: &Context, opened: &OpenSession) {
    let state = opened.state();
    let undone = &state.kept.undone_decisions;
    let screen = &context.screen;
    if screen.is_json() {
        let items = undone.iter().map(|undone| item(state, undone));
        return json::print_items(opened.name.as_str(), items);
    }
    let fates = undone.iter();
    let fates = fates.map(|undone| (&undone.decision, tables::text(&fate(undone))));
    let none = "No rollback has undone a decision.";
    show(screen, fates.collect(), none, &[0, 1]);
    let again = |undone: &&UndoneDecision| undone.can_be_reapplied();
    if let Some(undone) = undone.iter().find(again) {
        let (id, name) = (undone.decision.id, &opened.name);
        let command = format!("reapply {id} --session {name}");
        let command = opened.workspace.command(context, &command);
        screen.line(&format!("Put one in force again: {command}"));
    }
}

/// Shows decisions with their states; `none` is the line for an empty list.
fn show(screen: &Screen, decisions: Vec<(&Decision, Cell)>, none: &str, whole: &[usize]) {
    if decisions.is_empty() {
        return screen.line(none);
    }
    let header = ["Decision", "Kind", "Subject", "State", "What was decided"];
    let rows = decisions.into_iter().map(|(decision, state)| {
        [
            tables::text(&decision.id.to_string()),
            tables::text(decision.kind.name()),
            tables::text(&decision.subject()),
            state,
            tables::text(&said(decision)),
        ]
    });
    tables::print(screen, header, whole, rows);
}

fn fate(undone: &UndoneDecision) -> String {
    match undone.reapplied_as {
        Some(id) => format!("re-applied as {id}"),
        None => format!("undone by rollback {}", undone.rollback),
    }
}

fn item(state: &State, undone: &UndoneDecision) -> Value {
    let mut item = session_json::decision(&state.now, &undone.decision);
    item["state"] = match undone.reapplied_as {
        Some(_) => "REAPPLIED".into(),
        None => "ARCHIVED".into(),
    };
    item["rollback"] = undone.rollback.into();
    item["reapplied_as"] = value!(undone.reapplied_as);
    item["can_be_reapplied"] = undone.can_be_reapplied().into();
    item
}

fn said(decision: &Decision) -> String {
    let rationale = decision.rationale_and_name();
    match rationale.is_empty() {
        true => decision.decision.clone(),
        false => format!("{} ({rationale})", decision.decision),
    }
}
