//! Reads the planted concerns out of documents by the lines that the closing agents write them in.

use super::concerns::Concerns;

/// A concern that a document raises, and how grave it calls it.
#[derive(Debug, Clone)]
pub struct Raised {
    pub concern: usize,
    pub wording: usize,
    pub severity: String,
}

/// What an Engineer's document does.
#[derive(Debug, Default)]
pub struct Engineering {
    /// The gaps that it has a section for.
    pub resolved: Vec<String>,
    /// The concerns that it settles in substance.
    pub settled: Vec<usize>,
    /// New gaps.
    pub raised: Vec<Raised>,
}

#[derive(Debug, Default)]
pub struct Reviewing {
    pub raised: Vec<Raised>,
    /// The ids that it takes back, with the concerns whose words stand behind them.
    pub withdrawn: Vec<(String, Vec<usize>)>,
}

fn raised(concerns: &Concerns, severity: &str, line: &str) -> Vec<Raised> {
    let raised = |(concern, wording)| Raised {
        concern,
        wording,
        severity: severity.to_owned(),
    };
    concerns.found(line).map(raised).collect()
}

/// `[HIGH]` in the line of a gap.
fn tag(line: &str) -> &str {
    let behind = line.split_once('[').map(|(_, behind)| behind);
    let tag = behind.and_then(|behind| behind.split_once(']'));
    tag.map_or("MEDIUM", |(severity, _)| severity)
}

/// The gaps that a source or a part of a document lists.
pub fn declared(concerns: &Concerns, text: &str) -> Vec<Raised> {
    let lines = text.lines().filter(|line| line.starts_with("- GAP-"));
    let found = lines.flat_map(|line| raised(concerns, tag(line), line));
    found.collect()
}

pub fn analysis(concerns: &Concerns, text: &str) -> Vec<Raised> {
    let mut severity = "MEDIUM";
    let mut found = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("**Severity:** ") {
            Some(stated) => severity = stated,
            None => found.extend(raised(concerns, severity, line)),
        }
    }
    found
}

pub fn blockers(concerns: &Concerns, text: &str) -> Vec<Raised> {
    let lines = text.lines().filter(|line| line.starts_with("- **ISSUE-"));
    let found = lines.flat_map(|line| raised(concerns, "HIGH", line));
    found.collect()
}

pub fn engineering(concerns: &Concerns, text: &str) -> Engineering {
    let mut found = Engineering::default();
    let parts = text.split("\n## ");
    for section in parts.map(|part| part.trim_start_matches("## ")) {
        let proposal = section.strip_prefix("Gap Resolution: ");
        if let Some(proposal) = proposal {
            let gap = proposal.lines().next().unwrap_or("").trim();
            found.resolved.push(gap.to_owned());
        }
        if proposal.is_some() || section.starts_with("Response to ") {
            let lines = section.lines();
            let said = lines.filter(|line| !line.starts_with("**Engineer Position"));
            let said: Vec<&str> = said.collect();
            found.settled.extend(concerns.settled_in(&said.join("\n")));
        }
        found.raised.extend(declared(concerns, section));
    }
    found
}

pub fn review(concerns: &Concerns, text: &str) -> Reviewing {
    let mut found = Reviewing {
        raised: declared(concerns, text),
        ..Reviewing::default()
    };
    let mut severity = "MEDIUM";
    for line in text.lines() {
        severity = match line {
            "### Critical Issues" => "CRITICAL",
            "### High Priority" => "HIGH",
            "### Medium Priority" => "MEDIUM",
            "### Low Priority / Nits" => "LOW",
            _ => severity,
        };
        let entry = line.strip_prefix("- **");
        let Some((id, words)) = entry.and_then(|entry| entry.split_once("**")) else {
            continue;
        };
        match words.starts_with(" (withdrawn)") {
            true => {
                let words = concerns.worded_in(words);
                found.withdrawn.push((id.to_owned(), words));
            }
            false => found.raised.extend(raised(concerns, severity, words)),
        }
    }
    found
}
