//! Reads a folder of judged specs, scans them, and finds the verdict of each finding.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use gapless_scan::{Finding, Rules, scan};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Arguments;

/// What a reader said of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// An implementer would want it answered.
    Real,
    /// True, but nobody would act on it.
    Noise,
    Wrong,
}

/// A finding of an earlier scan with its verdict.
#[derive(Debug, Deserialize)]
pub struct Judged {
    spec: String,
    rule: String,
    line: u32,
    text: String,
    verdict: Verdict,
}

/// A gap that a reader found.
#[derive(Debug, Deserialize)]
pub struct Gap {
    pub spec: String,
    pub line: u32,
    pub kind: String,
    pub description: String,
    /// The spec itself says that it is open.
    pub declared: bool,
    /// `y` where a rule could find it, `p` perhaps, `n` not.
    pub deterministic: String,
}

/// Says which finding meets which gap.
#[derive(Debug, Deserialize)]
pub struct Match {
    pub spec: String,
    /// The line of the gap.
    pub gap: u32,
    pub kind: String,
    pub rule: String,
    /// The line of the finding.
    pub line: u32,
}

/// A finding of this scan.
pub struct Told {
    pub finding: Finding,
    pub verdict: Option<Verdict>,
}

impl Told {
    /// Nobody called it noise or wrong.
    pub fn may_be_right(&self) -> bool {
        matches!(self.verdict, None | Some(Verdict::Real))
    }
}

pub struct Spec {
    pub name: String,
    pub text: String,
    pub told: Vec<Told>,
    pub has_gaps: bool,
    /// How many findings that were judged real are not made any more.
    pub lost: Vec<String>,
}

pub struct Corpus {
    pub specs: Vec<Spec>,
    pub gaps: Vec<Gap>,
    pub matches: Vec<Match>,
}

impl Corpus {
    pub fn read(arguments: &Arguments) -> Result<Self, String> {
        let folder = &arguments.folder;
        let mut judged: Vec<Judged> = lines_of(&folder.join("findings.jsonl"))?;
        for file in &arguments.judged {
            judged.extend(lines_of::<Judged>(file)?);
        }
        let mut matches = Vec::new();
        for file in &arguments.matches {
            matches.extend(lines_of::<Match>(file)?);
        }
        let mut gaps: Vec<Gap> = lines_of(&folder.join("gaps.jsonl"))?;
        let mut specs = Vec::new();
        for path in spec_files(folder, &arguments.only)? {
            specs.push(spec(&path, &judged, &gaps)?);
        }
        gaps.retain(|gap| specs.iter().any(|spec| spec.name == gap.spec));
        Ok(Self {
            specs,
            gaps,
            matches,
        })
    }
}

fn read(path: &Path) -> Result<String, String> {
    read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn lines_of<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = read(path)?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("{}:{}: {error}", path.display(), index + 1))
        })
        .collect()
}

/// The specs of the folder in order of their names; only those that a list names, if there is one.
fn spec_files(folder: &Path, only: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut wanted = BTreeSet::new();
    for list in only {
        wanted.extend(read(list)?.lines().map(|line| line.trim().to_owned()));
    }
    let specs = folder.join("specs");
    let entries =
        std::fs::read_dir(&specs).map_err(|error| format!("{}: {error}", specs.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| {
        let is_wanted = only.is_empty() || wanted.contains(&name_of(path));
        is_wanted && path.extension().is_some_and(|end| end == "md")
    });
    files.sort();
    Ok(files)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn spec(path: &Path, judged: &[Judged], gaps: &[Gap]) -> Result<Spec, String> {
    let name = name_of(path);
    let text = read(path)?;
    let judged: Vec<&Judged> = judged.iter().filter(|old| old.spec == name).collect();
    let mut met = BTreeSet::new();
    let mut told = Vec::new();
    for finding in scan(&text, &Rules::default()) {
        let index = judgement(&judged, &finding);
        met.extend(index);
        told.push(Told {
            verdict: index.map(|index| judged[index].verdict),
            finding,
        });
    }
    let unmet = judged.iter().enumerate();
    let unmet = unmet.filter(|(index, old)| old.verdict == Verdict::Real && !met.contains(index));
    Ok(Spec {
        lost: unmet
            .map(|(_, old)| format!("{name}:{} {} {:?}", old.line, old.rule, old.text))
            .collect(),
        has_gaps: gaps.iter().any(|gap| gap.spec == name),
        name,
        text,
        told,
    })
}

/// The verdict on the same words by the same rule, the nearest one; else on words within them on the same line.
fn judgement(judged: &[&Judged], finding: &Finding) -> Option<usize> {
    let plain = |text: &str| text.to_lowercase();
    let found = plain(&finding.excerpt);
    let of_rule = || {
        let all = judged.iter().enumerate();
        all.filter(|(_, old)| old.rule == finding.rule)
    };
    let same = of_rule()
        .filter(|(_, old)| plain(&old.text) == found)
        .min_by_key(|(_, old)| old.line.abs_diff(finding.line));
    let around = || {
        of_rule().find(|(_, old)| {
            let text = plain(&old.text);
            old.line == finding.line && (text.contains(&found) || found.contains(&text))
        })
    };
    same.or_else(around).map(|(index, _)| index)
}
