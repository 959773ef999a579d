//! `gapless disagreement`: which CRITICAL and HIGH issues went unanswered, were dismissed, or had their gap closed over them.

use std::path::{Path, PathBuf};

use clap::Args;
use gapless_detection::disagreement::{
    Account, IssueAccount, Parameters, RoundTexts, SessionTexts, examine, examine_pair,
};
use gapless_domain::{GapId, RecordedText};
use serde_json::json as value;

use crate::files::{document, recorded_session};
use crate::output::wording::{at_line, list};
use crate::{Context, Exit, Failure, Kind, Result, Screen, Tone, json, plain, tables};

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["review", "session"]))]
pub(crate) struct DisagreementArgs {
    /// A review
    #[arg(long, value_name = "FILE", requires = "engineer")]
    review: Option<PathBuf>,
    /// The Engineer's output that follows it
    #[arg(long, value_name = "FILE", requires = "review")]
    engineer: Option<PathBuf>,
    /// The Engineer's output that was reviewed: only what is new since then answers anything
    #[arg(long, value_name = "FILE", requires = "review")]
    previous: Option<PathBuf>,
    /// The gaps that were assigned (default: those that the output has sections for)
    #[arg(long, value_name = "GAP,…", value_delimiter = ',', requires = "review")]
    scope: Option<Vec<GapId>>,
    /// A recorded session: a folder with `round_001/engineer.md`, `round_001/reviewer.md` and so on, and its status.md
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["review", "engineer", "previous", "scope"])]
    session: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &DisagreementArgs) -> Result<Exit> {
    let parameters = Parameters::default();
    let account = match (&args.session, &args.review, &args.engineer) {
        (Some(folder), _, _) => {
            let texts = read_session(&context.resolve(folder))?;
            examine(&texts, &parameters)
        }
        (None, Some(review), Some(engineer)) => {
            let read = |path: &Path, what: &str| {
                document::read(&context.resolve(path), what).map(|(text, _)| text)
            };
            let review = read(review, "review")?;
            let engineer = read(engineer, "Engineer's output")?;
            let previous = match &args.previous {
                Some(path) => Some(read(path, "earlier Engineer's output")?),
                None => None,
            };
            examine_pair(
                &review,
                &engineer,
                previous.as_deref(),
                args.scope.as_deref(),
                &parameters,
            )
        }
        _ => {
            return Err(Failure::new(Kind::Usage, "nothing to look at was named")
                .hint("give --review and --engineer, or --session"));
        }
    };
    match context.screen.is_json() {
        true => json::print(&value!({
            "flagged": flagged(&account),
            "issues": account.issues,
            "rounds": account.rounds,
        })),
        false => show(&context.screen, &account),
    }
    Ok(Exit::of_check(!account.has_flags()))
}

fn read_session(folder: &Path) -> Result<SessionTexts> {
    let recorded = recorded_session::read(folder)?;
    if recorded.rounds.is_empty() {
        let message = format!("{} has no rounds", folder.display());
        return Err(Failure::new(Kind::Usage, message)
            .hint("a session's folder has round_001, round_002 and so on in it"));
    }
    let texts = |list: Vec<RecordedText>| list.into_iter().map(|text| text.text).collect();
    let rounds = recorded.rounds.into_iter().map(|round| RoundTexts {
        round: round.round,
        engineer: texts(round.engineer),
        reviewer: texts(round.reviewer),
        summary: texts(round.summary),
    });
    Ok(SessionTexts {
        rounds: rounds.collect(),
        status: recorded.status,
        decisions: recorded.decisions,
    })
}

fn show(screen: &Screen, account: &Account) {
    if account.issues.is_empty() {
        screen.line("No CRITICAL or HIGH issues.");
        return;
    }
    let header = [
        "Issue", "Severity", "State", "Gap", "Due", "Flags", "Summary",
    ];
    let rows = account.issues.iter().map(|issue| {
        let raised = &issue.raised;
        let due = list(&issue.due);
        let gap = raised.gap.as_ref().map_or("-".to_owned(), GapId::to_string);
        [
            tables::text(&named(issue)),
            tables::severity(raised.concern.severity),
            tables::issue_state(issue.state),
            tables::text(&gap),
            tables::text(if due.is_empty() { "-" } else { &due }),
            tables::text(&flags(issue)),
            tables::text(&raised.concern.summary),
        ]
    });
    tables::print(screen, header, &[0, 1, 2, 3], rows);
    screen.line("");
    for issue in &account.issues {
        show_flags(screen, issue);
    }
    for round in &account.rounds {
        if let Some(escalation) = round.weighed.escalation {
            let name = value!(escalation);
            let name = name
                .as_str()
                .unwrap_or_default()
                .replace('_', " ")
                .to_lowercase();
            screen.line(&format!("Round {}: {name}", round.round));
        }
    }
    let flagged = flagged(account);
    let all = account.issues.len();
    let line = format!("{flagged} of {all} CRITICAL and HIGH issues flagged");
    let tone = if flagged == 0 { Tone::Good } else { Tone::Bad };
    screen.line(&screen.paint(tone, line));
}

fn flagged(account: &Account) -> usize {
    let issues = account.issues.iter();
    issues.filter(|issue| !issue.flags.is_empty()).count()
}

fn show_flags(screen: &Screen, issue: &IssueAccount) {
    for flag in &issue.flags {
        let head = format!(
            "{} {} in round {} ({})",
            flag.heuristic.name(),
            named(issue),
            flag.round,
            flag.confidence.name()
        );
        screen.line(&screen.paint(Tone::Bad, plain::one_line(&head)));
        screen.line(&format!("  {}", plain::one_line(&flag.evidence.text)));
        if let Some(quote) = &flag.evidence.quote {
            let line = at_line(flag.evidence.line);
            screen.line(&format!("  \"{}\"{line}", plain::one_line(quote)));
        }
    }
}

/// The issue's id, with the name that its review gave it.
fn named(issue: &IssueAccount) -> String {
    match issue.raised.aliases.first() {
        Some(alias) => format!("{} ({alias})", issue.raised.id),
        None => issue.raised.id.clone(),
    }
}

fn flags(issue: &IssueAccount) -> String {
    let flags = issue.flags.iter();
    let flags = list(flags.map(|flag| format!("{} r{}", flag.heuristic.name(), flag.round)));
    match flags.is_empty() {
        true if !issue.settled_flags.is_empty() => "settled".to_owned(),
        true => "-".to_owned(),
        false => flags,
    }
}
