//! A finding: its place, its message, and an id that stays the same when unrelated lines move.

use std::collections::BTreeMap;
use std::ops::Range;

use gapless_domain::{ScanFinding, Severity, TextHash, one_line};
use serde::Serialize;

use crate::rule::{Remark, cut_off};
use crate::rules::PLACEHOLDER;
use crate::{Facts, Rule, Topic};

/// Something that a spec leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The same for the same words under the same headings, wherever they are.
    pub id: String,
    pub rule: &'static str,
    pub category: &'static str,
    pub severity: Severity,
    pub topic: Option<Topic>,
    /// Lines and columns count from 1, columns in characters; the end is the first column behind.
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// The bytes.
    #[serde(skip)]
    pub span: Range<usize>,
    /// The titles of the sections that it is in, outermost first.
    pub section: Vec<String>,
    pub excerpt: String,
    pub message: String,
    pub suggestion: String,
}

impl Finding {
    /// The comment that silences it, put before the block or under the heading.
    pub fn silence(&self) -> String {
        format!("<!-- gapless: ignore {} REASON -->", self.rule)
    }
}

/// A finding as discovery takes it.
impl From<&Finding> for ScanFinding {
    fn from(finding: &Finding) -> Self {
        let (rule, topics) = topics(finding);
        Self {
            rule: rule.to_owned(),
            topics: topics.iter().map(|topic| topic.name().to_owned()).collect(),
            category: finding.category.to_owned(),
            severity: finding.severity,
            description: finding.message.clone(),
            section: finding.section.last().cloned(),
            line: finding.line,
            is_mark: rule == PLACEHOLDER.id,
        }
    }
}

/// What a catalogue of defaults is keyed by: the rule, then the topics that the finding speaks of, the surest first.
pub fn topics(finding: &Finding) -> (&'static str, Vec<Topic>) {
    let mut topics: Vec<Topic> = finding.topic.into_iter().collect();
    // The message is the rule's: its words say nothing of this spec.
    let said = Topic::of_text(&finding.excerpt);
    topics.extend(said.filter(|topic| finding.topic != Some(*topic)));
    if topics.is_empty() {
        topics.push(Topic::Other);
    }
    (finding.rule, topics)
}

const LONGEST_EXCERPT: usize = 160;

/// Makes findings of what rules said: in order of place, each with its lines, columns and id.
pub fn findings(facts: &Facts<'_>, said: Vec<(&'static Rule, Severity, Remark)>) -> Vec<Finding> {
    let source = &facts.document.source;
    let mut said = said;
    said.sort_by(|(a, _, one), (b, _, other)| {
        let key = |remark: &Remark| (remark.span.start, remark.span.end);
        (key(one), a.id).cmp(&(key(other), b.id))
    });
    said.dedup_by(|(a, _, one), (b, _, other)| a.id == b.id && one.span == other.span);
    let places = places(
        source,
        said.iter().flat_map(|(_, _, r)| [r.span.start, r.span.end]),
    );
    let mut paths: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut found = Vec::with_capacity(said.len());
    for (rule, severity, remark) in said {
        let place = |at: usize| places.get(&at).copied().unwrap_or((1, 1));
        let (line, column) = place(remark.span.start);
        let (end_line, end_column) = place(remark.span.end);
        let section = facts.section_at(remark.span.start);
        let path = paths.entry(section).or_insert_with(|| facts.path(section));
        let path = path.clone();
        let excerpt = excerpt(source, &remark.span);
        let key = remark.key.as_deref().unwrap_or(&excerpt);
        let base = format!(
            "{}\n{}\n{}",
            rule.id,
            path.join("\n"),
            one_line(key).to_lowercase()
        );
        let repeated = seen.entry(base.clone()).or_default();
        *repeated += 1;
        let hash = TextHash::of(&format!("{base}\n{repeated}")).to_string();
        found.push(Finding {
            id: hash[..12].to_owned(),
            rule: rule.id,
            category: rule.category,
            severity,
            topic: Some(remark.topic.unwrap_or(rule.topic)).filter(|topic| *topic != Topic::Other),
            line,
            column,
            end_line,
            end_column,
            span: remark.span,
            section: path,
            excerpt,
            message: remark.message,
            suggestion: rule.suggestion.to_owned(),
        });
    }
    found
}

/// Line and column of each place, in one walk through the text.
fn places(source: &str, places: impl Iterator<Item = usize>) -> BTreeMap<usize, (u32, u32)> {
    let mut wanted: Vec<usize> = places.collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut found = BTreeMap::new();
    let (mut at, mut line, mut column) = (0, 1u32, 1u32);
    for place in wanted {
        let until = place.min(source.len());
        for c in source.get(at..until).unwrap_or("").chars() {
            match c {
                '\n' => (line, column) = (line.saturating_add(1), 1),
                _ => column = column.saturating_add(1),
            }
        }
        at = until.max(at);
        found.insert(place, (line, column));
    }
    found
}

fn excerpt(source: &str, span: &Range<usize>) -> String {
    let text = source.get(span.clone()).unwrap_or("");
    let cut = text.char_indices().nth(4 * LONGEST_EXCERPT);
    let cut = cut.map_or(text.len(), |(at, _)| at);
    cut_off(one_line(&text[..cut]), LONGEST_EXCERPT)
}
