//! Findings of the scan as SARIF 2.1.0, for code hosts and editors.

use std::fmt::Write;
use std::path::Path;

use gapless_domain::Severity;
use gapless_scan::{Finding, rules};
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// One run over some files, with every rule and every finding.
pub(crate) fn document<'f>(findings: impl Iterator<Item = (&'f Path, &'f Finding)>) -> Value {
    let described: Vec<Value> = rules::ALL
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.title },
                "fullDescription": { "text": rule.reason },
                "help": { "text": rule.suggestion },
                "defaultConfiguration": { "level": level(rule.severity) },
                "properties": { "category": rule.category, "severity": rule.severity },
            })
        })
        .collect();
    let results: Vec<Value> = findings
        .map(|(file, finding)| result(file, finding))
        .collect();
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
            "results": results,
        }],
    })
}

fn result(file: &Path, finding: &Finding) -> Value {
    json!({
        "ruleId": finding.rule,
        "ruleIndex": rules::ALL.iter().position(|rule| rule.id == finding.rule),
        "level": level(finding.severity),
        "message": { "text": format!("{}. Try: {}.", finding.message, finding.suggestion) },
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
        "partialFingerprints": { "gapless/v1": finding.id },
        "properties": {
            "severity": finding.severity,
            "category": finding.category,
            "topic": finding.topic,
            "section": finding.section,
            "silence": finding.silence(),
        },
    })
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
    fn paths_become_references() {
        assert_eq!(uri(Path::new("./specs/an api.md")), "specs/an%20api.md");
        assert_eq!(uri(Path::new("/w/ä.md")), "file:///w/%C3%A4.md");
    }
}
