//! Owns the refined spec: which section a gap belongs to, and the source with accepted resolutions worked in.
//! Resolutions are only ever inserted, so every byte of the source is there, in order.

use std::collections::BTreeMap;

use crate::gap::{Gap, GapState};
use crate::prompts::PromptError;
use crate::read::{Document, Section, open_fence, sections};
use crate::state::State;
use crate::text::Texts;

/// The sections of the source, for placing gaps in them.
pub struct Outline<'d> {
    source: &'d str,
    sections: Vec<Section>,
}

impl<'d> Outline<'d> {
    pub fn of(document: &Document<'d>) -> Self {
        Self {
            source: document.source,
            sections: sections(document),
        }
    }

    pub fn title(&self, index: usize) -> &str {
        &self.sections[index].title
    }

    /// The section that a gap belongs to: the one it names, else the one whose words fit best, else none.
    pub fn home(&self, gap: &Gap) -> Option<usize> {
        let named = gap.section.as_deref().and_then(|name| {
            let wanted = plain_title(name);
            self.sections
                .iter()
                .position(|section| plain_title(&section.title) == wanted)
        });
        named.or_else(|| self.best_fit(&gap.description))
    }

    /// The section with most of the description's words in it, its title counting twice; at least two must be.
    fn best_fit(&self, description: &str) -> Option<usize> {
        let wanted = words(description);
        let score = |section: &Section| {
            let title = words(&section.title);
            let body = words(&self.source[section.own.clone()]);
            wanted
                .iter()
                .map(|word| {
                    usize::from(body.contains(word)) + 2 * usize::from(title.contains(word))
                })
                .sum::<usize>()
        };
        let scored = self.sections.iter().enumerate().filter(|(_, section)| {
            // The list of gaps itself has every word of every gap, and is nobody's home.
            crate::ids::gap_ids_in(&self.source[section.own.clone()]).is_empty()
        });
        scored
            .map(|(index, section)| (score(section), index))
            .filter(|(score, _)| *score >= 2)
            .max_by_key(|(score, index)| (*score, std::cmp::Reverse(*index)))
            .map(|(_, index)| index)
    }

    /// The sections that these gaps touch, in the order of the source.
    pub fn touched_by(&self, gaps: &[&Gap]) -> Vec<usize> {
        let mut touched: Vec<usize> = gaps.iter().filter_map(|gap| self.home(gap)).collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The titles of all other sections, on one line.
    pub fn other_titles(&self, touched: &[usize]) -> Option<String> {
        let titles: Vec<&str> = self
            .sections
            .iter()
            .enumerate()
            .filter(|(index, section)| !touched.contains(index) && section.level <= 3)
            .map(|(_, section)| section.title.as_str())
            .take(60)
            .collect();
        (!titles.is_empty()).then(|| titles.join(" · "))
    }

    /// A section's own text with the resolutions that belong to it.
    pub fn section_with_resolutions(
        &self,
        index: usize,
        state: &State,
        texts: &dyn Texts,
    ) -> Result<String, PromptError> {
        let section = &self.sections[index];
        let mut text = self.source[section.own.clone()].to_owned();
        for gap in accepted(state) {
            if self.home(gap) == Some(index) {
                text += &resolution(gap, section.level, texts)?;
            }
        }
        Ok(text)
    }
}

/// Gaps whose resolution is in the refined spec, oldest first.
fn accepted(state: &State) -> Vec<&Gap> {
    let mut gaps: Vec<&Gap> = state
        .now
        .gaps
        .values()
        .filter(|gap| matches!(gap.state, GapState::Accepted | GapState::Resolved))
        .filter(|gap| gap.proposal.is_some())
        .collect();
    gaps.sort_by_key(|gap| gap.age);
    gaps
}

/// The source with each accepted resolution behind the section it belongs to, and known limitations at the end.
pub fn assemble(state: &State, texts: &dyn Texts) -> Result<String, PromptError> {
    let Some(origin) = &state.kept.origin else {
        return Ok(String::new());
    };
    let source = texts
        .text(&origin.source)
        .ok_or(PromptError::MissingText(origin.source))?;
    let document = Document::parse(&source);
    let outline = Outline::of(&document);
    let mut insertions: BTreeMap<usize, String> = BTreeMap::new();
    for gap in accepted(state) {
        let (at, level) = match outline.home(gap) {
            Some(index) => (
                outline.sections[index].own.end,
                outline.sections[index].level,
            ),
            None => (source.len(), 1),
        };
        *insertions.entry(at).or_default() += &resolution(gap, level, texts)?;
    }
    let mut refined = String::with_capacity(source.len() * 2);
    let mut from = 0;
    for (at, text) in insertions {
        refined += &source[from..at];
        if !refined.is_empty() && !refined.ends_with('\n') {
            refined.push('\n');
        }
        refined += &text;
        from = at;
    }
    refined += &source[from..];
    refined += &limitations_section(state);
    Ok(refined)
}

fn resolution(gap: &Gap, level: u8, texts: &dyn Texts) -> Result<String, PromptError> {
    let Some(proposal) = &gap.proposal else {
        return Ok(String::new());
    };
    let solution = texts
        .text(&proposal.solution)
        .ok_or(PromptError::MissingText(proposal.solution))?;
    let hashes = "#".repeat(usize::from(level.saturating_add(1).min(6)));
    Ok(format!(
        "\n<!-- gapless: {id} -->\n{hashes} Resolution of {id}\n\n{solution}\n<!-- gapless: end {id} -->\n\n",
        id = gap.id,
        solution = harmless(solution.trim()),
    ))
}

/// A resolution that can stand in the spec without changing what follows: fences that it left open are closed, and
/// characters that steer a terminal are taken out.
fn harmless(solution: &str) -> String {
    let mut text: String = solution
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    if let Some(fence) = open_fence(&text) {
        text += &format!("\n{fence}");
    }
    text
}

/// Something that the spec leaves unsettled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limitation {
    pub id: String,
    pub severity: crate::severity::Severity,
    pub gap: crate::ids::GapId,
    pub kind: &'static str,
    pub text: String,
    pub rationale: Option<String>,
}

impl std::fmt::Display for Limitation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} [{}] {}: {}",
            self.id, self.severity, self.kind, self.text
        )?;
        match &self.rationale {
            Some(rationale) => write!(f, " ({rationale})"),
            None => Ok(()),
        }
    }
}

/// What is not settled: gaps that are open, parked or closed without a resolution, and issues that were never answered.
pub fn limitations(state: &State) -> Vec<Limitation> {
    let now = &state.now;
    let mut all = Vec::new();
    for gap in now.gaps.values() {
        if gap.state.is_open() || gap.state.is_parked() || gap.state == GapState::WontFix {
            all.push(Limitation {
                id: gap.id.to_string(),
                severity: gap.severity,
                gap: gap.id.clone(),
                kind: gap.state.name(),
                text: gap.description.clone(),
                rationale: gap.reason.clone(),
            });
        }
        for issue in now.standing_issues(gap).filter(|_| gap.state.is_closed()) {
            all.push(Limitation {
                id: issue.id.to_string(),
                severity: issue.concern.severity,
                gap: gap.id.clone(),
                kind: "issue",
                text: issue.concern.summary.clone(),
                rationale: None,
            });
        }
    }
    all
}

fn limitations_section(state: &State) -> String {
    let lines: Vec<String> = limitations(state)
        .iter()
        .map(|limitation| format!("- {limitation}"))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\n\n## Known limitations\n\n{}\n", lines.join("\n"))
}

fn plain_title(title: &str) -> String {
    title
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '))
        .trim()
        .to_lowercase()
}

/// Words of five letters or more, so that small words don't decide.
fn words(text: &str) -> std::collections::BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= 5)
        .map(str::to_lowercase)
        .collect()
}
