//! `gapless spec`: prints the refined spec as it reads now, or one section of it.

use clap::Args;
use gapless_domain::End;
use gapless_runner::RunError;
use gapless_session::State;
use gapless_spec::refined;
use gapless_views::documents::Change;
use serde_json::json as value;

use crate::files::spec_sections::{Section, section};
use crate::output::pager::{self, PagerArgs};
use crate::output::stdout;
use crate::views::{delivery, session_end};
use crate::{Context, Exit, Result, json, open_session, plain};

#[derive(Debug, Args)]
pub(crate) struct SpecArgs {
    /// The session (default: the only one, else the last one worked on)
    name: Option<String>,
    /// Print only the section with this title and what is below it; `Outer > Title` tells sections of one title apart
    #[arg(long, value_name = "TITLE")]
    section: Option<String>,
    /// Put a comment that names the gaps before each block that they changed
    #[arg(long)]
    marks: bool,
    #[command(flatten)]
    pager: PagerArgs,
}

pub(crate) fn run(context: &Context, args: &SpecArgs) -> Result<Exit> {
    let opened = open_session(context, args.name.as_deref())?;
    let state = opened.state();
    let refined = refined(state, opened.session.store()).map_err(RunError::from)?;
    let text = match args.marks {
        true => with_end(refined.marked(), state),
        false => refined.text.clone(),
    };
    let section = match &args.section {
        Some(title) => Some(section(&text, title)?),
        None => None,
    };
    let shown = section
        .as_ref()
        .map_or(text.as_str(), |section| section.text);
    let screen = &context.screen;
    if screen.is_json() {
        let trace: Vec<Change<'_>> = refined.trace.iter().map(Change::from).collect();
        let origin = state.kept.origin.as_ref();
        json::print(&value!({
            "session": opened.name.as_str(),
            "source": origin.map(|origin| &origin.source_path),
            "delivered": delivery::delivered_file(opened.view(context)),
            "section": section.as_ref().map(Section::document),
            "marks": args.marks,
            "by_rules": state.is_ended_by_rules(),
            "text": shown,
            "trace": trace,
        }));
        return Ok(Exit::Done);
    }
    if let Some((End::Abandoned, _)) = state.kept.ended {
        screen.note("The session was abandoned: this is how far its spec had come.");
    }
    session_end::remark_by_rules(screen, state);
    match screen.is_terminal() {
        true => {
            let text = plain::clean(shown);
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            pager::show(context, args.pager, &lines);
        }
        // As it is, for programs.
        false => stdout::bytes(shown.as_bytes()),
    }
    Ok(Exit::Done)
}

/// The marked spec with a last mark on who reviewed it, where that was nobody.
fn with_end(mut text: String, state: &State) -> String {
    if let Some(end) = state.end_in_words().filter(|_| state.is_ended_by_rules()) {
        text += &format!("\n<!-- gapless: {end} -->\n");
    }
    text
}
