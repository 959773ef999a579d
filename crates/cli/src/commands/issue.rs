//! `gapless issue …`: changes an issue at the user's request.

use clap::{Args, Subcommand};
use gapless_domain::{IssueId, Severity};
use gapless_mediator::{IssueCommand, Refusal, UserInput};

use crate::session::send_and_report;
use crate::{Context, Exit, Result, open_session};

#[derive(Debug, Args)]
pub(crate) struct IssueArgs {
    /// The session (default: the only one, else the last one worked on)
    #[arg(long, global = true, value_name = "NAME")]
    session: Option<String>,
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Let an issue go: it need not be answered
    Waive {
        issue: IssueId,
        #[arg(long)]
        reason: String,
    },
    /// Set the severity of an issue; below HIGH it no longer holds its gap
    Severity {
        issue: IssueId,
        /// CRITICAL, HIGH, MEDIUM or LOW
        severity: Severity,
        #[arg(long)]
        reason: String,
    },
}

impl Action {
    fn command(self) -> IssueCommand {
        match self {
            Action::Waive { issue, reason } => IssueCommand::Waive { issue, reason },
            Action::Severity {
                issue,
                severity,
                reason,
            } => IssueCommand::Severity {
                issue,
                severity,
                reason,
            },
        }
    }

    fn issue(&self) -> &IssueId {
        match self {
            Action::Waive { issue, .. } | Action::Severity { issue, .. } => issue,
        }
    }
}

pub(crate) fn run(context: &Context, args: IssueArgs) -> Result<Exit> {
    let opened = open_session(context, args.session.as_deref())?;
    let issue = args.command.issue();
    if !opened.state().now.issues.contains_key(issue) {
        return Err(Refusal::UnknownIssue(*issue).into());
    }
    let said = UserInput::Issue {
        command: args.command.command(),
    };
    send_and_report(context, &opened.workspace, &opened.name, said)
}
