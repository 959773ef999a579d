//! Findings of the scan as SARIF 2.1.0, for code hosts and editors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use gapless_domain::{Severity, TextHash};
use gapless_scan::{Finding, Language, Rules, Scanned, rules};
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A spec that was scanned.
pub(crate) struct Spec<'s> {
    pub(crate) file: &'s Path,
    pub(crate) text: &'s str,
    pub(crate) scanned: &'s Scanned,
}

/// One run over some files, with every rule and every finding.
pub(crate) fn document(specs: &[Spec<'_>]) -> Value {
    let described: Vec<Value> = rules::ALL
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.title },
                "fullDescription": { "text": rule.reason },
                "help": { "text": rule.suggestion },
                "defaultConfiguration": {
                    "level": level(rule.severity),
                    "enabled": Rules::default().severity_of(rule).is_some(),
                },
                "properties": { "category": rule.category, "severity": rule.severity },
            })
        })
        .collect();
    let results: Vec<Value> = specs.iter().flat_map(results).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "gapless",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": described,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": specs.iter().filter_map(notice).collect::<Vec<Value>>(),
            }],
            "results": results,
        }],
    })
}

/// What the scan could not do for a spec.
fn notice(spec: &Spec<'_>) -> Option<Value> {
    (spec.scanned.language == Language::Unknown).then(|| {
        json!({
            "level": "warning",
            "message": { "text": UNKNOWN_LANGUAGE },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(spec.file) },
            }}],
        })
    })
}

/// What a spec in another language is told.
pub(crate) const UNKNOWN_LANGUAGE: &str = "the rules read English, and this spec is in another language: most of what it leaves out is not found";

fn results(spec: &Spec<'_>) -> Vec<Value> {
    let findings = &spec.scanned.findings;
    let lines = findings.iter().map(|finding| finding.line).collect();
    let hashes = line_hashes(spec.text, &lines);
    let hash_of = |finding: &Finding| hashes.get(&finding.line).map_or("", String::as_str);
    findings
        .iter()
        .map(|finding| result(spec.file, finding, hash_of(finding)))
        .collect()
}

/// A hash of each of these lines without its spaces, and how many lines like it came before, as code hosts match results by.
fn line_hashes(text: &str, lines: &BTreeSet<u32>) -> BTreeMap<u32, String> {
    const LENGTH: usize = 16;
    let mut hashes = BTreeMap::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line: String = line.split_whitespace().collect();
        let times = seen.entry(line.clone()).or_default();
        *times += 1;
        if lines.contains(&number) {
            let hash = TextHash::of(&line).to_string();
            hashes.insert(number, format!("{}:{times}", &hash[..LENGTH]));
        }
    }
    hashes
}

fn result(file: &Path, finding: &Finding, line_hash: &str) -> Value {
    json!({
        "ruleId": finding.rule,
        "ruleIndex": rules::ALL.iter().position(|rule| rule.id == finding.rule),
        "level": level(finding.severity),
        "message": { "text": format!("{} Try: {}.", sentence(&finding.message), finding.suggestion) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": {
                "startLine": finding.line,
                "startColumn": finding.column,
                "endLine": finding.end_line,
                "endColumn": finding.end_column,
                "snippet": { "text": finding.excerpt },
            },
        }}],
        "partialFingerprints": { "gapless/v1": finding.id, "primaryLocationLineHash": line_hash },
        "properties": {
            "severity": finding.severity,
            "category": finding.category,
            "topic": finding.topic,
            "section": finding.section,
            "silence": finding.silence(),
        },
    })
}

/// A message as a sentence of its own.
fn sentence(message: &str) -> String {
    match message.ends_with(['?', '.', '!']) {
        true => message.to_owned(),
        false => format!("{message}."),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

/// A path as a relative reference, or as a file URI if it is absolute.
fn uri(path: &Path) -> String {
    let mut uri = String::from(if path.is_absolute() { "file://" } else { "" });
    let path = path.to_string_lossy().replace('\\', "/");
    for byte in path.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte))
            }
            byte => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_its_hash_when_others_move_or_spaces_change() {
        let lines =
            |text: &str, line: u32| line_hashes(text, &BTreeSet::from([line]))[&line].clone();
        let first = lines("a\n\nThe limit is TBD.\n", 3);
        assert_eq!(first, lines("The  limit is TBD. \n", 1));
        assert!(first.ends_with(":1"));
        assert!(lines("The limit is TBD.\nThe limit is TBD.\n", 2).ends_with(":2"));
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri(Path::new("./specs/an api.md")), "specs/an%20api.md");
        assert_eq!(uri(Path::new("/w/ä.md")), "file:///w/%C3%A4.md");
    }
}
