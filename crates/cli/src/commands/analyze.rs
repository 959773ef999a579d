//! `gapless analyze`: the failure patterns of an Engineer's document, with what they rest on and what a next prompt should say.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use gapless_detection::analysis::{Analysis, CheckStatus, Material, analyze, read_for};
use gapless_domain::config::Config;
use gapless_domain::ids::GapId;
use serde_json::{Value, json as value};

use super::validate::read_inventory;
use crate::args::ConfigArgs;
use crate::context::Context;
use crate::document_file;
use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::show::{Screen, Tone, json, plain, tables};
use crate::workspace::Workspace;

#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// The Engineer's document
    pub file: PathBuf,
    /// The gaps that were assigned (default: those that the document has sections for)
    #[arg(long, value_name = "GAP,…", value_delimiter = ',')]
    pub gaps: Vec<GapId>,
    /// The session's status.md: gaps that are not in it don't exist
    #[arg(long, value_name = "STATUS.md")]
    pub status: Option<PathBuf>,
    /// The spec: terms that stand in it count as defined
    #[arg(long, value_name = "SPEC.md")]
    pub source: Option<PathBuf>,
}

pub fn run(context: &Context, args: &AnalyzeArgs) -> Result<Exit, Failure> {
    let file = context.resolve(&args.file);
    let known: Option<BTreeSet<GapId>> = match &args.status {
        Some(path) => {
            let gaps = read_inventory(&context.resolve(path))?.gaps;
            Some(gaps.into_iter().map(|entry| entry.gap).collect())
        }
        None => None,
    };
    let source = match &args.source {
        Some(path) => Some(document_file::read(&context.resolve(path), "spec")?.0),
        None => None,
    };
    let (document, _) = document_file::read(&file, "document")?;
    let workspace = Workspace::of_spec(context, &file)?;
    let settings = Settings::read(workspace.settings_of(&file).as_deref())?;
    let config = settings.config(Config::default(), &ConfigArgs::default())?;
    let analysis = analyze(&Material {
        document: Some(&read_for(&document, &args.gaps)),
        assigned: &args.gaps,
        known: known.as_ref(),
        source: source.as_deref(),
        vague_words: &config.vague_words(),
        vague_per_thousand: config.vague_per_thousand,
    });
    match context.screen.is_json() {
        true => json::print(&as_json(&analysis)),
        false => show(&context.screen, &analysis),
    }
    Ok(match analysis.patterns.is_empty() {
        true => Exit::Done,
        false => Exit::Unmet,
    })
}

/// The document of `--json`.
fn as_json(analysis: &Analysis) -> Value {
    value!({
        "produced": analysis.produced,
        "checks": analysis.checks,
        "patterns": analysis.patterns,
        "adjustments": analysis.adjustments,
        "contradictions": analysis.contradictions,
    })
}

fn show(screen: &Screen, analysis: &Analysis) {
    let mut table = tables::table(
        screen,
        &["Gap", "Addressed", "Examples", "Characters", "Parts"],
    );
    for gap in &analysis.produced {
        let parts: Vec<&str> = gap.sections.iter().map(|part| part.name()).collect();
        table.add_row([
            tables::text(&gap.gap.to_string()),
            tables::text(gap.addressed.name()),
            tables::number(gap.examples),
            tables::number(gap.length),
            tables::text(&if parts.is_empty() {
                "-".to_owned()
            } else {
                parts.join(", ")
            }),
        ]);
    }
    if !analysis.produced.is_empty() {
        tables::keep_whole(&mut table, &[0, 1]);
        tables::print(screen, &table);
        screen.line("");
    }
    for check in &analysis.checks {
        let mark = match check.status {
            CheckStatus::Pass => screen.paint(Tone::Good, "✓"),
            CheckStatus::Fail => screen.paint(Tone::Bad, "✗"),
            CheckStatus::NotChecked => screen.paint(Tone::Faint, "·"),
        };
        let gaps: Vec<String> = check.gaps.iter().map(GapId::to_string).collect();
        let which = match (check.status, gaps.is_empty()) {
            (CheckStatus::NotChecked, _) => {
                " (not checked: name the inventory with --status)".to_owned()
            }
            (_, true) => String::new(),
            (_, false) => format!(" ({})", gaps.join(", ")),
        };
        screen.line(&format!("{mark} {}{which}", check.check));
    }
    screen.line("");
    for finding in &analysis.patterns {
        let head = format!(
            "{} ({}): {}",
            finding.pattern,
            finding.confidence.name(),
            finding.pattern.phrase()
        );
        screen.line(&screen.paint(Tone::Bad, head));
        for evidence in &finding.evidence {
            screen.line(&format!("  {}", plain::one_line(&evidence.to_string())));
        }
    }
    for found in &analysis.contradictions {
        let text = format!(
            "{} contradicts itself: {} is {}",
            found.gap,
            found.key,
            found.values.join(" and ")
        );
        screen.line(&format!(
            "{} {}",
            screen.paint(Tone::Warn, "!"),
            plain::one_line(&text)
        ));
    }
    if analysis.patterns.is_empty() {
        screen.line(&screen.paint(Tone::Good, "no failure pattern"));
        return;
    }
    screen.line("");
    screen.line(&screen.paint(Tone::Strong, "Add to the next prompt"));
    for adjustment in &analysis.adjustments {
        screen.line(&format!(
            "{} ({}: {})",
            adjustment.pattern,
            adjustment.confidence.name(),
            adjustment.reason()
        ));
        for line in plain::wrapped(&plain::clean(&adjustment.text), screen.width(), "  ") {
            screen.line(&line);
        }
    }
}
