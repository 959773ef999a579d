//! `gapless gap …`: changes a gap at the user's request.

use clap::{ArgGroup, Args, Subcommand};
use gapless_domain::{Date, GapId, Person, Severity};
use gapless_mediator::{GapCommand, Refusal, UserInput};

use crate::session::send_and_report;
use crate::{Context, Exit, Result, open_session};

#[derive(Debug, Args)]
pub(crate) struct GapArgs {
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, global = true, value_name = "NAME")]
    session: Option<String>,
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a gap
    Add {
        /// 2 to 10 capital letters: the middle of its id
        category: String,
        /// CRITICAL, HIGH, MEDIUM or LOW
        severity: Severity,
        /// What the spec leaves out
        description: String,
        /// The section of the spec that it belongs to
        #[arg(long)]
        section: Option<String>,
    },
    /// Put a gap off
    Defer {
        gap: GapId,
        #[arg(long)]
        reason: String,
    },
    /// Take up a gap that was put off
    Resume { gap: GapId },
    /// Close a gap for good
    Close {
        gap: GapId,
        #[arg(long)]
        reason: String,
        /// The sentence that accepts it, for a CRITICAL gap
        #[arg(long)]
        sentence: Option<String>,
    },
    /// Open a gap that was accepted, resolved or closed
    Reopen {
        gap: GapId,
        #[arg(long)]
        reason: String,
    },
    /// Confirm that the refined spec settles a gap
    Confirm { gap: GapId },
    /// Split a gap into parts
    Split {
        gap: GapId,
        /// What each part leaves out
        #[arg(required = true, num_args = 2..)]
        into: Vec<String>,
    },
    /// Set the severity of a gap
    Severity {
        gap: GapId,
        severity: Severity,
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Let a gap wait on another
    Block {
        gap: GapId,
        #[arg(long)]
        by: GapId,
    },
    /// Let a gap no longer wait on another
    Unblock {
        gap: GapId,
        #[arg(long)]
        by: GapId,
    },
    /// Give the input that a blocked gap waits for
    Input { gap: GapId, text: String },
    /// Say who is to settle a gap, and by when
    #[command(group(ArgGroup::new("what").required(true).multiple(true)))]
    Assign {
        gap: GapId,
        /// A person or a team
        #[arg(long, value_name = "NAME", group = "what")]
        owner: Option<Person>,
        /// The day by which it is to be settled: 2026-12-01
        #[arg(long, value_name = "DATE", group = "what")]
        due: Option<Date>,
        /// Take the owner and the day away
        #[arg(long, group = "what", conflicts_with_all = ["owner", "due"])]
        clear: bool,
    },
}

impl Action {
    fn command(self) -> GapCommand {
        match self {
            Action::Add {
                category,
                severity,
                description,
                section,
            } => GapCommand::Add {
                category,
                severity,
                description,
                section,
            },
            Action::Defer { gap, reason } => GapCommand::Defer { gap, reason },
            Action::Resume { gap } => GapCommand::Resume { gap },
            Action::Close {
                gap,
                reason,
                sentence,
            } => GapCommand::Close {
                gap,
                reason,
                sentence,
            },
            Action::Reopen { gap, reason } => GapCommand::Reopen { gap, reason },
            Action::Confirm { gap } => GapCommand::Confirm { gap },
            Action::Split { gap, into } => GapCommand::Split { gap, into },
            Action::Severity {
                gap,
                severity,
                reason,
            } => GapCommand::Severity {
                gap,
                severity,
                reason,
            },
            Action::Block { gap, by } => GapCommand::Block { gap, by },
            Action::Unblock { gap, by } => GapCommand::Unblock { gap, by },
            Action::Input { gap, text } => GapCommand::Input {
                gap,
                text,
                filled_in_by: None,
            },
            Action::Assign {
                gap, clear: true, ..
            } => GapCommand::Unassign { gap },
            Action::Assign {
                gap, owner, due, ..
            } => GapCommand::Assign { gap, owner, due },
        }
    }

    fn gap(&self) -> Option<&GapId> {
        match self {
            Action::Add { .. } => None,
            Action::Defer { gap, .. }
            | Action::Resume { gap }
            | Action::Close { gap, .. }
            | Action::Reopen { gap, .. }
            | Action::Confirm { gap }
            | Action::Split { gap, .. }
            | Action::Severity { gap, .. }
            | Action::Block { gap, .. }
            | Action::Unblock { gap, .. }
            | Action::Input { gap, .. }
            | Action::Assign { gap, .. } => Some(gap),
        }
    }
}

pub(crate) fn run(context: &Context, args: GapArgs) -> Result<Exit> {
    let opened = open_session(context, args.session.as_deref())?;
    if let Some(gap) = args.command.gap()
        && !opened.state().now.gaps.contains_key(gap)
    {
        return Err(Refusal::UnknownGap(gap.clone()).into());
    }
    let said = UserInput::Gap {
        command: args.command.command(),
    };
    send_and_report(context, &opened.workspace, &opened.name, said)
}
