//! What share of the findings is right, by rule; and what a check in continuous integration would say.

use std::collections::BTreeMap;
use std::fmt::Write;

use gapless_domain::Severity;

use crate::corpus::{Corpus, Spec, Told, Verdict};

/// The severity at which `gapless scan` fails unless a project says otherwise.
const FAILS_AT: Severity = Severity::High;

#[derive(Default)]
struct Tally {
    real: usize,
    noise: usize,
    wrong: usize,
    unjudged: usize,
}

impl Tally {
    fn count(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Real) => self.real += 1,
            Some(Verdict::Noise) => self.noise += 1,
            Some(Verdict::Wrong) => self.wrong += 1,
            None => self.unjudged += 1,
        }
    }

    fn row(&self, name: &str) -> String {
        let judged = self.real + self.noise + self.wrong;
        format!(
            "| {name} | {} | {} | {} | {} | {} |\n",
            self.real,
            self.noise,
            self.wrong,
            self.unjudged,
            share(self.real, judged)
        )
    }
}

/// A share of so many, in hundredths.
pub fn share(part: usize, whole: usize) -> String {
    match (part * 100 + whole / 2).checked_div(whole) {
        Some(hundredths) => format!("{part} of {whole} ({hundredths}%)"),
        None => "none".to_owned(),
    }
}

pub fn tell(corpus: &Corpus, lists: bool) -> String {
    let mut by_rule: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for told in corpus.specs.iter().flat_map(|spec| &spec.told) {
        let tally = by_rule.entry(told.finding.rule).or_default();
        tally.count(told.verdict);
        all.count(told.verdict);
    }
    let mut text = String::from(
        "| rule | real | noise | wrong | unjudged | precision |\n|---|---|---|---|---|---|\n",
    );
    for (rule, tally) in &by_rule {
        text += &tally.row(&format!("`{rule}`"));
    }
    text += &all.row("all");
    text += &failing(corpus);
    for spec in &corpus.specs {
        for lost in &spec.lost {
            let _ = writeln!(text, "no longer found: {lost}");
        }
        for told in spec.told.iter().filter(|told| told.verdict.is_none()) {
            let _ = writeln!(text, "unjudged: {}", line(spec, told));
        }
    }
    if lists {
        for spec in &corpus.specs {
            for told in spec.told.iter().filter(|told| !told.may_be_right()) {
                let _ = writeln!(text, "not right: {}", line(spec, told));
            }
        }
    }
    text
}

/// How many specs fail, and how many of those for nothing.
fn failing(corpus: &Corpus) -> String {
    let (mut fail, mut for_nothing, mut unknown) = (0, 0, 0);
    for spec in &corpus.specs {
        let grave = spec.told.iter();
        let mut grave = grave
            .filter(|told| told.finding.severity >= FAILS_AT)
            .peekable();
        if grave.peek().is_none() {
            continue;
        }
        fail += 1;
        let verdicts: Vec<_> = grave.map(|told| told.verdict).collect();
        match verdicts.contains(&Some(Verdict::Real)) {
            true => {}
            false if verdicts.contains(&None) => unknown += 1,
            false => for_nothing += 1,
        }
    }
    format!(
        "\nspecs that fail at {}: {fail} of {}; for nothing: {for_nothing}; unjudged: {unknown}\n\n",
        FAILS_AT.name(),
        corpus.specs.len()
    )
}

/// A finding with the line of the spec that it is in.
pub fn line(spec: &Spec, told: &Told) -> String {
    const LONGEST: usize = 300;
    let finding = &told.finding;
    let line = spec.text.lines().nth(finding.line as usize - 1);
    let line: String = line.unwrap_or("").trim().chars().take(LONGEST).collect();
    format!(
        "{}:{} {} {} {:?} {:?}\n    {line}\n    {}",
        spec.name,
        finding.line,
        finding.severity.name(),
        finding.rule,
        told.verdict,
        finding.excerpt,
        finding.message
    )
}
