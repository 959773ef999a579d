//! `gapless scan`: what specs leave out, by rules that need no model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};
use gapless_domain::Severity;
use gapless_scan::{Finding, Language, Rules, Scanned, rules, scan_in};
use serde_json::{Value, json as value};

use crate::files::spec::{self, SpecFolder};
use crate::files::spec_search;
use crate::output::wording::{count, list};
use crate::output::{excerpt, sarif};
use crate::settings::{CountsFrom, ScanSettings};
use crate::{
    Context, Exit, Failure, Kind, Result, Screen, Settings, Tone, Workspace, json, plain, tables,
};

/// A spec for the scan may be longer than one for a session.
const LARGEST_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// Specs: markdown files, folders of them, or globs in quotes
    #[arg(value_name = "SPEC", required_unless_present = "rules")]
    specs: Vec<PathBuf>,
    /// How findings are printed (default: for people)
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Exit with 1 where findings of this severity or above remain (default: `fail_on` of gapless.toml, else high)
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<CountsFrom>,
    /// List the rules instead
    #[arg(long)]
    rules: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Excerpts with what to do
    Human,
    /// One document with `findings`, as `--json`
    Json,
    /// SARIF 2.1.0
    Sarif,
}

struct ScannedSpec {
    path: PathBuf,
    text: String,
    scanned: Scanned,
    fail_on: CountsFrom,
}

impl ScannedSpec {
    /// Whether a finding is severe enough to fail the scan.
    fn fails(&self) -> bool {
        let from = self.fail_on.severity();
        let mut findings = self.scanned.findings.iter();
        findings.any(|finding| from.is_some_and(|from| finding.severity >= from))
    }

    fn for_sarif(&self) -> sarif::Spec<'_> {
        sarif::Spec {
            file: &self.path,
            text: &self.text,
            scanned: &self.scanned,
        }
    }
}

pub(crate) fn run(context: &Context, args: &ScanArgs) -> Result<Exit> {
    if args.rules {
        list_rules(context);
        return Ok(Exit::Done);
    }
    let files = spec_search::named(&context.here, &args.specs)?;
    let results = scan_all(context, args, &files)?;
    match args.format {
        Some(Format::Sarif) => {
            let specs: Vec<sarif::Spec<'_>> = results.iter().map(ScannedSpec::for_sarif).collect();
            json::print_as_is(&sarif::document(&specs));
        }
        _ if context.screen.is_json() => json::print(&document(&results)),
        _ => show(&context.screen, &results),
    }
    Ok(Exit::of_check(!results.iter().any(ScannedSpec::fails)))
}

/// All findings, each with its file.
fn findings(results: &[ScannedSpec]) -> impl Iterator<Item = (&Path, &Finding)> {
    results.iter().flat_map(|result| {
        let findings = result.scanned.findings.iter();
        findings.map(|finding| (result.path.as_path(), finding))
    })
}

/// Scans every file, several at once; the results are in the order of the files.
fn scan_all(context: &Context, args: &ScanArgs, files: &[PathBuf]) -> Result<Vec<ScannedSpec>> {
    let mut read: BTreeMap<Option<PathBuf>, ScanSettings> = BTreeMap::new();
    let mut settings_of = Vec::with_capacity(files.len());
    for file in files {
        let path = context.resolve(file);
        let workspace = Workspace::of_spec(context, &path)?;
        let place = workspace.settings_of(&path);
        if !read.contains_key(&place) {
            let settings = Settings::read(place.as_deref(), workspace.root())?;
            read.insert(place.clone(), settings.scan);
        }
        settings_of.push(read.get(&place).cloned().unwrap_or_default());
    }
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(files.len());
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((file, settings)) = files.get(index).zip(settings_of.get(index)) else {
                break;
            };
            done.push((index, scan_one(context, args, file, settings)));
        }
        done
    };
    let mut all = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::with_capacity(files.len());
        for handle in handles {
            all.extend(handle.join().map_err(|_| {
                Failure::new(Kind::Internal, "the scan broke off")
                    .hint("please report this with the spec")
            })?);
        }
        Ok::<_, Failure>(all)
    })?;
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

fn scan_one(
    context: &Context,
    args: &ScanArgs,
    file: &Path,
    settings: &ScanSettings,
) -> Result<ScannedSpec> {
    let path = context.resolve(file);
    let text = spec::read_at_most(&path, LARGEST_BYTES)?;
    let scanned = scan_in(&text, &settings.rules, &SpecFolder::of(&path));
    Ok(ScannedSpec {
        path: file.to_owned(),
        text,
        scanned,
        fail_on: args.fail_on.or(settings.fail_on).unwrap_or_default(),
    })
}

fn counts(results: &[ScannedSpec]) -> [(Severity, usize); 4] {
    Severity::GRAVEST_FIRST.map(|severity| {
        let of_severity = findings(results).filter(|(_, finding)| finding.severity == severity);
        (severity, of_severity.count())
    })
}

fn document(results: &[ScannedSpec]) -> Value {
    let by_severity = counts(results).map(|(severity, count)| (severity.name(), count));
    let files = results.iter().map(|result| {
        value!({
            "file": result.path,
            "words": result.scanned.words,
            "findings": result.scanned.findings.len(),
            "ignored": result.scanned.ignored,
            "fail_on": result.fail_on.name(),
            "language": result.scanned.language,
        })
    });
    value!({
        "failing": results.iter().any(ScannedSpec::fails),
        "by_severity": BTreeMap::from(by_severity),
        "files": files.collect::<Vec<Value>>(),
        "findings": findings(results).map(entry).collect::<Vec<Value>>(),
    })
}

fn entry((file, finding): (&Path, &Finding)) -> Value {
    let mut entry = serde_json::to_value(finding).unwrap_or_default();
    entry["file"] = value!(file);
    entry["silence"] = finding.silence().into();
    entry
}

fn show(screen: &Screen, results: &[ScannedSpec]) {
    for result in results {
        for finding in &result.scanned.findings {
            show_finding(screen, result, finding);
        }
    }
    let is_foreign = |result: &&ScannedSpec| result.scanned.language == Language::Unknown;
    for result in results.iter().filter(is_foreign) {
        let file = plain::one_line(&result.path.display().to_string());
        let note = screen.paint(Tone::Warn, "note");
        screen.line(&format!("{note}: {file}: {}", sarif::UNKNOWN_LANGUAGE));
    }
    let total = findings(results).count();
    let ignored: usize = results.iter().map(|result| result.scanned.ignored).sum();
    let specs = count(results.len(), "spec");
    let silenced = match ignored {
        0 => String::new(),
        count => format!("; {count} silenced by comments"),
    };
    if total == 0 {
        return screen.line(&format!(
            "{} in {specs}{silenced}",
            screen.paint(Tone::Good, "nothing found")
        ));
    }
    let graded = counts(results).into_iter().filter(|(_, count)| *count > 0);
    let graded = list(graded.map(|(severity, count)| format!("{count} {severity}")));
    let found = count(total, "finding");
    screen.line(&format!("{found} in {specs}: {graded}{silenced}"));
}

fn show_finding(screen: &Screen, result: &ScannedSpec, finding: &Finding) {
    let tone = match finding.severity {
        Severity::Critical | Severity::High => Tone::Bad,
        Severity::Medium => Tone::Warn,
        Severity::Low => Tone::Info,
    };
    let width = screen.width().min(100);
    let head = format!(
        "{} {}: {}",
        finding.severity,
        finding.rule,
        plain::one_line(&finding.message)
    );
    let mut head = plain::wrapped(&head, width, "").into_iter();
    let label = format!("{} {}", finding.severity, finding.rule);
    let first = head.next().unwrap_or_default();
    screen.line(&first.replacen(&label, &screen.paint(tone, &label), 1));
    head.for_each(|line| screen.line(&format!("  {line}")));
    let (file, line) = (result.path.display(), finding.line);
    let place = plain::one_line(&format!("{file}:{line}:{}", finding.column));
    let arrow = screen.paint(Tone::Info, "-->");
    screen.line(&format!("  {arrow} {place}"));
    screen.lines(excerpt::lines(screen, &result.text, &finding.span, line));
    for (name, text) in [
        ("try", plain::one_line(&finding.suggestion)),
        ("silence", finding.silence()),
    ] {
        let mut name = format!("{name}:");
        for line in plain::wrapped(&text, width.saturating_sub(12), "") {
            let label = screen.paint(Tone::Faint, format!("= {name:<8}"));
            screen.line(&format!("  {label} {line}"));
            name.clear();
        }
    }
    screen.line("");
}

fn list_rules(context: &Context) {
    let screen = &context.screen;
    if screen.is_json() {
        let listed = rules::ALL.iter().map(|rule| {
            value!({
                "rule": rule.id,
                "category": rule.category,
                "severity": rule.severity,
                "enabled": Rules::default().severity_of(rule).is_some(),
                "title": rule.title,
                "reason": rule.reason,
                "suggestion": rule.suggestion,
                "topic": rule.topic,
            })
        });
        return json::print(&value!({ "rules": listed.collect::<Vec<Value>>() }));
    }
    let active = Rules::default();
    let rows = rules::ALL.iter().map(|rule| {
        [
            tables::text(rule.id),
            tables::text(rule.category),
            match active.severity_of(rule) {
                Some(severity) => tables::severity(severity),
                None => tables::text("off"),
            },
            tables::text(rule.title),
        ]
    });
    let header = ["rule", "category", "severity", "asks"];
    tables::print(screen, header, &[], rows);
    screen.line("In gapless.toml, [scan.rules] turns a rule \"off\" or gives it another severity.");
}
