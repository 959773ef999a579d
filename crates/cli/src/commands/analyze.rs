//! `gapless analyze`: the failure patterns of an Engineer's document, their evidence, and what a next prompt should say.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use gapless_detection::analysis::{Analysis, CheckStatus, Material, analyze, read_for};
use gapless_domain::{Config, GapId};
use serde_json::{Value, json as value};

use crate::files::document;
use crate::output::wording::{in_parentheses, list};
use crate::{ConfigArgs, Context, Exit, Result, Screen, Tone, Workspace, json, plain, tables};

#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// The Engineer's document
    file: PathBuf,
    /// The gaps that were assigned (default: those that the document has sections for)
    #[arg(long, value_name = "GAP,…", value_delimiter = ',')]
    gaps: Vec<GapId>,
    /// The session's status.md: gaps that are not in it don't exist
    #[arg(long, value_name = "STATUS.md")]
    status: Option<PathBuf>,
    /// The spec: terms that stand in it count as defined
    #[arg(long, value_name = "SPEC.md")]
    source: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &AnalyzeArgs) -> Result<Exit> {
    let file = context.resolve(&args.file);
    let known: Option<BTreeSet<GapId>> = match &args.status {
        Some(path) => {
            let gaps = document::read_inventory(&context.resolve(path))?.gaps;
            Some(gaps.into_iter().map(|entry| entry.gap).collect())
        }
        None => None,
    };
    let source = match &args.source {
        Some(path) => Some(document::read(&context.resolve(path), "spec")?.0),
        None => None,
    };
    let (document, _) = document::read(&file, "document")?;
    let workspace = Workspace::of_spec(context, &file)?;
    let settings = workspace.settings_for(&file)?;
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
    Ok(Exit::of_check(analysis.patterns.is_empty()))
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
    show_gaps(screen, analysis);
    show_checks(screen, analysis);
    screen.line("");
    show_findings(screen, analysis);
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
        let text = plain::clean(&adjustment.text);
        screen.lines(plain::wrapped(&text, screen.width(), "  "));
    }
}

fn show_gaps(screen: &Screen, analysis: &Analysis) {
    if analysis.produced.is_empty() {
        return;
    }
    let header = ["Gap", "Addressed", "Examples", "Characters", "Parts"];
    let rows = analysis.produced.iter().map(|gap| {
        let parts = list(gap.sections.iter().map(|part| part.name()));
        [
            tables::text(&gap.gap.to_string()),
            tables::text(gap.addressed.name()),
            tables::number(gap.examples),
            tables::number(gap.length),
            tables::text(if parts.is_empty() { "-" } else { &parts }),
        ]
    });
    tables::print(screen, header, &[0, 1], rows);
    screen.line("");
}

fn show_checks(screen: &Screen, analysis: &Analysis) {
    for check in &analysis.checks {
        let mark = match check.status {
            CheckStatus::Pass => screen.paint(Tone::Good, "✓"),
            CheckStatus::Fail => screen.paint(Tone::Bad, "✗"),
            CheckStatus::NotChecked => screen.paint(Tone::Faint, "·"),
        };
        let which = match check.status {
            CheckStatus::NotChecked => {
                " (not checked: name the inventory with --status)".to_owned()
            }
            _ => in_parentheses(&check.gaps),
        };
        screen.line(&format!("{mark} {}{which}", check.check));
    }
}

fn show_findings(screen: &Screen, analysis: &Analysis) {
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
        let mark = screen.paint(Tone::Warn, "!");
        screen.line(&format!("{mark} {}", plain::one_line(&text)));
    }
}
