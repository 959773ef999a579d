//! Documents of an Engineer as language models write them, made from a seed, with the truth about each.
//!
//! A document joins forms (headings, fields, lists, tables, fences) with entries of the word lists `words/engineer_*.txt`.
//! No entry is used twice in a document, so each sentence of the truth stands at one place only.

use std::sync::LazyLock;

use super::choices::{Choices, Words};
use super::figures::GAPS as INVENTORY;

#[path = "engineer_answers.rs"]
mod engineer_answers;
#[path = "engineer_around.rs"]
mod engineer_around;
#[path = "engineer_solution.rs"]
mod engineer_solution;

/// A generated text and what a careful reader finds in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub text: String,
    pub truth: Truth,
    /// True where an entry was used that was kept aside.
    pub used_kept_aside: bool,
    /// What forms were combined, for a failure message.
    pub made_of: String,
}

/// What a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// The document is one: what it says.
    Document {
        gaps: Vec<BoundGap>,
        new_gaps: Vec<NewGap>,
        /// The ids of the issues that are answered under a heading of their own.
        responses: Vec<String>,
        disagreements: Vec<Disagreement>,
    },
    /// No document of an Engineer's: prose that only shows one in a fence.
    NotADocument,
}

/// A gap that the document resolves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundGap {
    pub gap: String,
    /// HIGH, MEDIUM or LOW, or nothing where none is written.
    pub confidence: Option<&'static str>,
    pub has_trade_offs: bool,
    /// A sentence of its solution, verbatim.
    pub sentence: &'static str,
}

/// A gap that the document adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGap {
    pub id: String,
    /// MEDIUM where none is written.
    pub severity: &'static str,
    pub sentence: &'static str,
}

/// An issue that the document contradicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The canonical id, as in ISSUE-R1-003, also where the document writes it shorter.
    pub issue: String,
    pub concern: &'static str,
    pub position: &'static str,
    pub rationale: &'static str,
    pub alternative: Option<&'static str>,
}

/// The text that a seed gives; `with_kept_aside` allows the entries that were kept aside beside the others.
pub fn proposal(seed: u64, with_kept_aside: bool) -> Proposal {
    let mut writer = Writer {
        choices: Choices::new(seed, with_kept_aside),
        used: Vec::new(),
        made_of: Vec::new(),
        fences: Fences::default(),
        other_gaps: Vec::new(),
        other_issues: Vec::new(),
    };
    let (text, truth) = match writer.choices.percent(8) {
        true => (writer.prose_around_an_example(), Truth::NotADocument),
        false => writer.document(),
    };
    Proposal {
        text,
        truth,
        used_kept_aside: writer.choices.used_kept_aside,
        made_of: writer.made_of.join(", "),
    }
}

/// Code as it stands in solutions, with the language of its fence.
const CODE: [(&str, &str); 10] = [
    (
        "json",
        "{\n  \"lease\": \"step-7\",\n  \"expires_in\": 30\n}",
    ),
    (
        "rust",
        "fn renew(lease: &mut Lease, now: Instant) {\n    lease.expires = now + TERM;\n}",
    ),
    (
        "sql",
        "UPDATE leases\nSET owner = :owner\nWHERE expires_at < now();",
    ),
    (
        "yaml",
        "# limits of one tenant\nlimits:\n  window: 60s\n  requests: 600",
    ),
    (
        "sh",
        "# restore the latest backup\nrestore --backup latest --target db-2\n## verify\nrestore --check",
    ),
    ("text", "created -> authorised -> captured -> settled"),
    (
        "python",
        "def delay(attempt):\n    # grows until it reaches the cap\n    return min(30, 0.2 * 2 ** attempt)",
    ),
    (
        "http",
        "POST /v1/uploads HTTP/1.1\nIdempotency-Key: 7f3a\n\n{\"size\": 1048576}",
    ),
    ("toml", "[journal]\nsnapshots = 2\nverify = true"),
    (
        "mermaid",
        "stateDiagram-v2\n    Idle --> Running: lease\n    Running --> Idle: expiry",
    ),
];

/// All word lists of this file.
struct Lists {
    solutions: Words,
    solution_headings: Words,
    titles: Words,
    tradeoffs: Words,
    tradeoff_titles: Words,
    new_gaps: Words,
    new_gap_titles: Words,
    no_new_gaps: Words,
    gap_headings: Words,
    reasons: Words,
    mentions: Words,
    mention_headings: Words,
    example_intros: Words,
    responses: Words,
    concerns: Words,
    positions: Words,
    rationales: Words,
    alternatives: Words,
    concern_names: Words,
    position_names: Words,
    rationale_names: Words,
    alternative_names: Words,
    disagree_headings: Words,
    document_titles: Words,
    overview: Words,
    lead_ins: Words,
    sign_offs: Words,
    remarks: Words,
    disclaimers: Words,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    solutions: crate::words!("engineer_solutions"),
    solution_headings: crate::words!("engineer_solution_headings"),
    titles: crate::words!("engineer_titles"),
    tradeoffs: crate::words!("engineer_tradeoffs"),
    tradeoff_titles: crate::words!("engineer_tradeoff_titles"),
    new_gaps: crate::words!("engineer_new_gaps"),
    new_gap_titles: crate::words!("engineer_new_gap_titles"),
    no_new_gaps: crate::words!("engineer_no_new_gaps"),
    gap_headings: crate::words!("engineer_gap_headings"),
    reasons: crate::words!("engineer_reasons"),
    mentions: crate::words!("engineer_mentions"),
    mention_headings: crate::words!("engineer_mention_headings"),
    example_intros: crate::words!("engineer_example_intros"),
    responses: crate::words!("engineer_responses"),
    concerns: crate::words!("engineer_concerns"),
    positions: crate::words!("engineer_positions"),
    rationales: crate::words!("engineer_rationales"),
    alternatives: crate::words!("engineer_alternatives"),
    concern_names: crate::words!("engineer_concern_names"),
    position_names: crate::words!("engineer_position_names"),
    rationale_names: crate::words!("engineer_rationale_names"),
    alternative_names: crate::words!("engineer_alternative_names"),
    disagree_headings: crate::words!("engineer_disagree_headings"),
    document_titles: crate::words!("engineer_document_titles"),
    overview: crate::words!("engineer_overview"),
    lead_ins: crate::words!("engineer_lead_ins"),
    sign_offs: crate::words!("engineer_sign_offs"),
    remarks: crate::words!("engineer_remarks"),
    disclaimers: crate::words!("engineer_disclaimers"),
});

/// What fences a document contains, which decides what fence can enclose it.
#[derive(Default)]
struct Fences {
    backticks: bool,
    tildes: bool,
    shows_a_document: bool,
}

/// How the headings of all gaps of a document are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GapForm {
    /// `## Gap Resolution: GAP-X-001` at this level.
    Canonical(usize),
    /// A pattern of the list, at this level.
    Pattern(usize, &'static str),
    /// A heading that names no gap, at this level, with a `**Gap:**` line below.
    Line(usize),
}

/// How the fields of a disagreement are written.
#[derive(Clone, Copy)]
enum FieldForm {
    /// The bold name and the text on one line.
    Bold,
    /// The bold name with the text on the lines below.
    BoldAbove,
    /// The name without any mark and the text on one line.
    Plain,
    /// The name without any mark with the text on the lines below.
    PlainAbove,
    /// List items with bold names.
    BoldItems,
    /// List items with names without any mark.
    PlainItems,
    /// Headings below that of the disagreement.
    Headings,
}

/// How a concern is marked as the words of the reviewer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Unmarked,
    Block,
    Marks,
}

/// How the disagreements of a document are written.
#[derive(Clone, Copy)]
struct DisagreeForm {
    level: usize,
    /// The pattern of the heading, with `{}` for the id.
    pattern: &'static str,
    fields: FieldForm,
    /// True where all names are the canonical ones.
    canonical_names: bool,
}

/// A part of a document: its blocks, to be separated by blank lines.
type Blocks = Vec<String>;

struct Writer {
    choices: Choices,
    /// The entries that already stand in the document.
    used: Vec<&'static str>,
    made_of: Vec<String>,
    fences: Fences,
    /// Gaps of the inventory that the document does not resolve.
    other_gaps: Vec<&'static str>,
    /// Issues that the document does not answer.
    other_issues: Vec<String>,
}

impl Writer {
    /// An entry that does not yet stand in the document.
    fn fresh(&mut self, words: &Words) -> &'static str {
        let mut word = self.choices.word(words);
        for _ in 0..200 {
            if !self.used.contains(&word) {
                break;
            }
            word = self.choices.word(words);
        }
        self.used.push(word);
        word
    }

    fn several(&mut self, words: &Words, count: usize) -> Vec<&'static str> {
        (0..count).map(|_| self.fresh(words)).collect()
    }

    fn note(&mut self, form: &str) {
        if !self.made_of.iter().any(|noted| noted == form) {
            self.made_of.push(form.to_string());
        }
    }

    /// The items in another order.
    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for last in (1..items.len()).rev() {
            let other = self.choices.below(last + 1);
            items.swap(last, other);
        }
        items
    }

    /// A whole document and what it says.
    fn document(&mut self) -> (String, Truth) {
        let gap_count = *self.choices.one(&[1, 1, 1, 2, 2, 3]);
        let mut gap_ids = self.shuffled(INVENTORY.to_vec());
        self.other_gaps = gap_ids.split_off(gap_count);
        let issues = (1..=2)
            .flat_map(|round| (1..=6).map(move |number| format!("ISSUE-R{round}-{number:03}")))
            .collect();
        let mut issues = self.shuffled(issues);
        let response_count = *self.choices.one(&[0, 0, 0, 1, 1, 2]);
        let disagreement_count = *self.choices.one(&[0, 0, 0, 0, 1, 1, 1, 2, 2, 3]);
        self.other_issues = issues.split_off(response_count + disagreement_count);
        let disputed = issues.split_off(response_count);
        let responses = issues;

        let gap_form = match self.choices.below(100) {
            0..40 => GapForm::Canonical(2),
            40..47 => GapForm::Canonical(1),
            47..55 => GapForm::Canonical(3),
            55..86 => self.pattern_of_gaps(),
            86..97 => GapForm::Line(2),
            97..99 => GapForm::Line(1),
            _ => GapForm::Line(3),
        };
        let nested_gaps = matches!(
            gap_form,
            GapForm::Canonical(3) | GapForm::Pattern(3, _) | GapForm::Line(3)
        );
        let rules = self.choices.percent(30);
        let new_gaps_at_the_end = self.choices.percent(30);

        let mut new_gaps = Vec::new();
        let mut gaps = Vec::new();
        let mut gap_parts: Vec<Blocks> = Vec::new();
        for (place, gap) in gap_ids.iter().enumerate() {
            let (mut part, bound) = self.gap(gap, gap_form);
            if !new_gaps_at_the_end && self.choices.percent(65) {
                let level = sub_level(&part);
                part.extend(self.new_gaps(level, place, &mut new_gaps));
            }
            gap_parts.push(part);
            gaps.push(bound);
        }
        let new_gaps_part = new_gaps_at_the_end.then(|| self.new_gaps(2, 0, &mut new_gaps));

        let mut response_parts: Vec<Blocks> = Vec::new();
        for issue in &responses {
            response_parts.push(self.response(issue));
        }
        let mut disagreements = Vec::new();
        let mut disagree_parts: Vec<Blocks> = Vec::new();
        let mut form = self.disagree_form();
        let mut group_heading = None;
        if !disputed.is_empty() && self.choices.percent(20) {
            self.note("group heading of disagreements");
            form.level = form.level.max(3);
            group_heading = Some(
                *self
                    .choices
                    .one(&["## Disagreements", "## Points of Disagreement"]),
            );
        }
        for issue in &disputed {
            let (mut part, disagreement) = self.disagreement(issue, form);
            if let Some(heading) = group_heading.take() {
                part.insert(0, heading.to_string());
            }
            disagree_parts.push(part);
            disagreements.push(disagreement);
            if self.choices.percent(25) {
                form = DisagreeForm {
                    level: form.level,
                    ..self.disagree_form()
                };
            }
        }

        let mut parts: Vec<Blocks> = Vec::new();
        let head = self.head(&gap_ids);
        if !head.is_empty() {
            parts.push(head);
        }
        let summary_first = self.choices.percent(18);
        if summary_first {
            parts.push(self.summary(&gap_ids, &[], &[]));
        }
        let responses_first = !response_parts.is_empty() && self.choices.percent(25);
        if responses_first {
            self.note("responses before the gaps");
            for part in &mut response_parts {
                part[0] = part[0].replacen("### ", "## ", 1);
            }
            parts.append(&mut response_parts);
        }
        if nested_gaps && (responses_first || self.choices.percent(60)) {
            self.note("group heading of gaps");
            let heading =
                *self
                    .choices
                    .one(&["## Gap Resolutions", "## Resolutions", "## Proposals"]);
            gap_parts[0].insert(0, heading.to_string());
        }
        let between = gap_parts.len() > 1
            && !disagree_parts.is_empty()
            && !nested_gaps
            && !matches!(gap_form, GapForm::Line(_))
            && self.choices.percent(20);
        for (place, part) in gap_parts.into_iter().enumerate() {
            parts.push(part);
            if between && place == 0 {
                self.note("disagreements between the gaps");
                parts.append(&mut disagree_parts);
            }
        }
        parts.extend(new_gaps_part);
        if self.choices.percent(70) {
            parts.append(&mut response_parts);
            parts.append(&mut disagree_parts);
        } else {
            parts.append(&mut disagree_parts);
            parts.append(&mut response_parts);
        }
        if !summary_first && self.choices.percent(14) {
            parts.push(self.summary(&gap_ids, &responses, &disputed));
        }
        if self.choices.percent(15) {
            parts.push(self.appendix());
        }

        let separator = match rules {
            true => "\n\n---\n\n",
            false => "\n\n",
        };
        let parts: Vec<String> = parts.iter().map(|blocks| blocks.join("\n\n")).collect();
        let text = self.surrounded(parts.join(separator));
        let truth = Truth::Document {
            gaps,
            new_gaps,
            responses,
            disagreements,
        };
        (text, truth)
    }

    /// The title and the fields at the head of a document, or nothing.
    fn head(&mut self, gaps: &[&str]) -> Blocks {
        let mut blocks = Vec::new();
        if self.choices.percent(4) {
            self.note("comment");
            let gap = *self.choices.one(&self.other_gaps);
            blocks.push(format!(
                "<!--\nTemplate:\n## Gap Resolution: {gap}\n**Confidence:** HIGH | MEDIUM | LOW\n-->"
            ));
        }
        if self.choices.percent(45) {
            self.note("title");
            blocks.push(format!("# {}", self.fresh(&LISTS.document_titles)));
            if self.choices.percent(40) {
                self.note("head fields");
                let round = 2 + self.choices.below(2);
                let mut fields = vec![format!("**Round:** {round}")];
                if self.choices.percent(60) {
                    fields.push("**Role:** Engineer".to_string());
                }
                if self.choices.percent(40) {
                    fields.push("**Date:** 2025-06-12".to_string());
                }
                if self.choices.percent(50) {
                    fields.push(format!("**Gaps Addressed:** {}", gaps.join(", ")));
                }
                let end = *self.choices.one(&["\n", "  \n"]);
                blocks.push(fields.join(end));
            }
        }
        if self.choices.percent(15) {
            let sentence = self.fresh(&LISTS.overview);
            blocks.push(sentence.to_string());
        }
        blocks
    }

    /// A summary that names the gaps and the issues answered.
    fn summary(&mut self, gaps: &[&str], accepted: &[String], disputed: &[String]) -> Blocks {
        self.note("summary");
        let mut blocks = vec!["## Summary".to_string()];
        let count = 1 + self.choices.below(2);
        blocks.push(self.several(&LISTS.overview, count).join(" "));
        match self.choices.below(3) {
            0 => {
                let mut rows = vec!["| Gap | Topic |".to_string(), "|---|---|".to_string()];
                for gap in gaps {
                    rows.push(format!("| {gap} | {} |", self.fresh(&LISTS.titles)));
                }
                blocks.push(rows.join("\n"));
            }
            1 => {
                let mut items = Vec::new();
                for gap in gaps {
                    items.push(format!("- **{gap}**: {}", self.fresh(&LISTS.titles)));
                }
                blocks.push(items.join("\n"));
            }
            _ => {}
        }
        if !accepted.is_empty() || !disputed.is_empty() {
            self.note("table of issues");
            let mut rows = vec!["| Issue | Answer |".to_string(), "|---|---|".to_string()];
            rows.extend(
                accepted
                    .iter()
                    .map(|issue| format!("| {issue} | accepted |")),
            );
            rows.extend(
                disputed
                    .iter()
                    .map(|issue| format!("| {issue} | disagree |")),
            );
            blocks.push(rows.join("\n"));
        }
        blocks
    }

    fn appendix(&mut self) -> Blocks {
        self.note("appendix");
        let title = self.fresh(&LISTS.titles);
        let heading = match self.choices.below(3) {
            0 => "## Appendix".to_string(),
            1 => format!("## Appendix A: {title}"),
            _ => format!("## Appendix: {title}"),
        };
        let mut blocks = vec![heading, self.several(&LISTS.solutions, 2).join(" ")];
        match self.choices.below(3) {
            0 => blocks.push(self.code()),
            1 => blocks.extend(self.shown_document()),
            _ => {}
        }
        blocks
    }
}

/// The level of the headings in a gap's part, one below that of its first.
fn sub_level(part: &[String]) -> usize {
    let hashes = |block: &String| block.chars().take_while(|sign| *sign == '#').count();
    part.first().map_or(2, hashes) + 1
}
