//! The sections of gaps: solutions, examples, trade-offs and new gaps.

use super::*;

impl Writer {
    /// The section of a gap, without its new gaps.
    pub(super) fn gap(&mut self, gap: &'static str, form: GapForm) -> (Blocks, BoundGap) {
        let (level, heading, line) = self.gap_heading(gap, form);
        let mut blocks = vec![format!("{} {heading}", "#".repeat(level))];
        let mut fields: Vec<String> = line.into_iter().collect();
        let confidence = self.confidence(&mut fields);
        if self.choices.percent(10) {
            fields.push("**Section:** 4.2".to_string());
        }
        if !fields.is_empty() {
            let items = fields.iter().all(|field| field.starts_with("- "));
            if !items {
                fields = fields
                    .iter()
                    .map(|field| field.trim_start_matches("- ").to_string())
                    .collect();
            }
            let joined = match items || self.choices.percent(80) {
                true => fields.join("\n"),
                false => fields.join("\n\n"),
            };
            match self.choices.percent(50) {
                true => blocks[0] = format!("{}\n{joined}", blocks[0]),
                false => blocks.push(joined),
            }
        }

        let sub = "#".repeat(level + 1);
        match self.choices.below(10) {
            0..6 => blocks.push(format!("{sub} Proposed Solution")),
            6..8 => blocks.push(format!("{sub} Solution")),
            _ => self.note("solution without a heading"),
        }
        let mut sentences = Vec::new();
        blocks.push(self.paragraph(&mut sentences));
        for _ in 0..2 + self.choices.below(4) {
            let element = self.element(level, &mut sentences);
            blocks.extend(element);
        }
        let sentence = *self.choices.one(&sentences);

        let has_trade_offs = self.choices.percent(70);
        let mut endings: Vec<Blocks> = Vec::new();
        if self.choices.percent(40) {
            endings.push(self.examples(&sub));
        }
        if has_trade_offs {
            endings.push(self.trade_offs(&sub));
        }
        if self.choices.percent(15) {
            endings.reverse();
        }
        blocks.extend(endings.into_iter().flatten());
        let bound = BoundGap {
            gap: gap.to_string(),
            confidence,
            has_trade_offs,
            sentence,
        };
        (blocks, bound)
    }

    /// The level and the text of a gap's heading, and the line that names the gap where the heading doesn't.
    pub(super) fn gap_heading(
        &mut self,
        gap: &str,
        form: GapForm,
    ) -> (usize, String, Option<String>) {
        match form {
            GapForm::Canonical(level) => {
                self.note(&format!("gap heading at level {level}"));
                (level, format!("Gap Resolution: {gap}"), None)
            }
            GapForm::Pattern(level, pattern) => {
                let pattern = match level < 3 && self.choices.percent(20) {
                    true => self.choices.word(&LISTS.gap_headings),
                    false => pattern,
                };
                self.note(&format!("gap heading '{pattern}' at level {level}"));
                (level, self.filled(pattern, gap), None)
            }
            GapForm::Line(level) => {
                self.note(&format!("gap line below a heading at level {level}"));
                let heading = self.fresh(&LISTS.titles).to_string();
                let line = match self.choices.below(4) {
                    0 => format!("**Gap**: {gap}"),
                    1 => format!("**Gap:** `{gap}`"),
                    _ => format!("**Gap:** {gap}"),
                };
                (level, heading, Some(line))
            }
        }
    }

    /// A pattern of the list and a level that suits it: the third only where it begins like the canonical heading.
    pub(super) fn pattern_of_gaps(&mut self) -> GapForm {
        let pattern = self.choices.word(&LISTS.gap_headings);
        let level = match self.choices.below(100) {
            0..20 => 1,
            20..35 if pattern.starts_with("Gap Resolution") => 3,
            _ => 2,
        };
        GapForm::Pattern(level, pattern)
    }

    /// The pattern with the id and a title put in.
    pub(super) fn filled(&mut self, pattern: &str, id: &str) -> String {
        let mut text = pattern.replacen("{}", id, 1);
        if text.contains("{title}") {
            text = text.replacen("{title}", self.fresh(&LISTS.titles), 1);
        }
        text
    }

    pub(super) fn confidence(&mut self, fields: &mut Vec<String>) -> Option<&'static str> {
        if self.choices.percent(15) {
            self.note("no confidence");
            return None;
        }
        let value = *self.choices.one(&["HIGH", "MEDIUM", "LOW"]);
        let lower = value.to_lowercase();
        let mut capitalised = value.to_string();
        capitalised[1..].make_ascii_lowercase();
        fields.push(match self.choices.below(100) {
            0..50 => format!("**Confidence:** {value}"),
            50..65 => {
                self.note("confidence with a reason");
                format!("**Confidence**: {lower} ({})", self.fresh(&LISTS.reasons))
            }
            65..75 => format!("**Confidence:** {capitalised}"),
            75..85 => {
                self.note("confidence with a reason");
                format!("**Confidence:** {value} — {}", self.fresh(&LISTS.reasons))
            }
            85..93 => format!("**Confidence**: {value}"),
            _ => {
                self.note("confidence as a list item");
                format!("- **Confidence:** {value}")
            }
        });
        Some(value)
    }

    pub(super) fn paragraph(&mut self, sentences: &mut Vec<&'static str>) -> String {
        let count = 1 + self.choices.below(3);
        let picked = self.several(&LISTS.solutions, count);
        sentences.extend(&picked);
        let end = *self.choices.one(&[" ", " ", "\n"]);
        picked.join(end)
    }

    /// One thing that stands in a solution.
    pub(super) fn element(&mut self, level: usize, sentences: &mut Vec<&'static str>) -> Blocks {
        match self.choices.below(100) {
            0..18 => vec![self.paragraph(sentences)],
            18..34 => vec![self.list(sentences)],
            34..44 => vec![self.table(sentences)],
            44..58 => {
                let code = self.code();
                match self.choices.percent(25) {
                    true => {
                        self.note("fence in a list");
                        let sentence = self.fresh(&LISTS.solutions);
                        sentences.push(sentence);
                        let code = code.replace('\n', "\n   ").replace("\n   \n", "\n\n");
                        vec![format!("1. {sentence}\n\n   {code}")]
                    }
                    false => vec![code],
                }
            }
            58..63 => self.shown_document(),
            63..69 => {
                self.note("quote");
                vec![format!("> {}", self.fresh(&LISTS.solutions))]
            }
            69..91 => {
                let heading = self.fresh(&LISTS.solution_headings);
                let level = match self.choices.below(10) {
                    0..2 if level == 2 => {
                        self.note("heading inside at the level of the gap");
                        2
                    }
                    2..5 => level + 2,
                    _ => level + 1,
                };
                let heading = format!("{} {heading}", "#".repeat(level));
                vec![heading, self.paragraph(sentences)]
            }
            91..98 => {
                self.note("mention of another gap");
                let gap = *self.choices.one(&self.other_gaps);
                vec![self.fresh(&LISTS.mentions).replacen("{}", gap, 1)]
            }
            _ => {
                self.note("heading with another gap");
                let gap = *self.choices.one(&self.other_gaps);
                let heading = self.fresh(&LISTS.mention_headings).replacen("{}", gap, 1);
                let level = (level + 1).max(3);
                let heading = format!("{} {heading}", "#".repeat(level));
                vec![heading, self.paragraph(sentences)]
            }
        }
    }

    pub(super) fn list(&mut self, sentences: &mut Vec<&'static str>) -> String {
        self.note("list");
        let count = 2 + self.choices.below(3);
        let picked = self.several(&LISTS.solutions, count);
        sentences.extend(&picked);
        let form = self.choices.below(4);
        let mut items = Vec::new();
        for (place, sentence) in picked.into_iter().enumerate() {
            items.push(match form {
                0 => format!("{}. {sentence}", place + 1),
                1 => format!("- **{}**: {sentence}", self.fresh(&LISTS.titles)),
                2 => format!("* {sentence}"),
                _ => format!("- {sentence}"),
            });
        }
        items.join("\n")
    }

    pub(super) fn table(&mut self, sentences: &mut Vec<&'static str>) -> String {
        self.note("table");
        let left = *self.choices.one(&["Case", "Topic", "Aspect"]);
        let right = *self.choices.one(&["Behaviour", "Rule", "Handling"]);
        let mut rows = vec![format!("| {left} | {right} |"), "|---|---|".to_string()];
        for _ in 0..2 + self.choices.below(2) {
            let title = self.fresh(&LISTS.titles);
            let sentence = self.fresh(&LISTS.solutions);
            sentences.push(sentence);
            rows.push(format!("| {title} | {sentence} |"));
        }
        rows.join("\n")
    }

    pub(super) fn code(&mut self) -> String {
        self.note("code");
        let (language, code) = *self.choices.one(&CODE);
        match self.choices.percent(12) {
            true => {
                self.fences.tildes = true;
                format!("~~~{language}\n{code}\n~~~")
            }
            false => {
                self.fences.backticks = true;
                format!("```{language}\n{code}\n```")
            }
        }
    }

    /// A fence that shows a document, after a sentence that introduces it.
    pub(super) fn shown_document(&mut self) -> Blocks {
        self.note("document shown in a fence");
        self.fences.shows_a_document = true;
        let intro = self.fresh(&LISTS.example_intros).to_string();
        let document = self.example_document();
        let language = *self.choices.one(&["markdown", "markdown", "md", ""]);
        let fence = match self.choices.percent(12) {
            true => {
                self.fences.tildes = true;
                "~~~"
            }
            false => {
                self.fences.backticks = true;
                "```"
            }
        };
        vec![intro, format!("{fence}{language}\n{document}\n{fence}")]
    }

    /// What stands in a fence that shows a document: nothing of it binds.
    pub(super) fn example_document(&mut self) -> String {
        let gap = match self.choices.percent(85) {
            true => *self.choices.one(&self.other_gaps),
            false => "GAP-DEMO-001",
        };
        let issue = self.choices.one(&self.other_issues).clone();
        let mut blocks = Vec::new();
        match self.choices.below(4) {
            0 => {
                blocks.push(format!(
                    "BLOCKED_NEEDS_INPUT: {gap}\nWhich of the two limits applies?"
                ));
            }
            1 => {
                blocks.push(format!("## DISAGREE: {issue}"));
                blocks.push(format!(
                    "**Reviewer Concern:** {}",
                    self.fresh(&LISTS.concerns)
                ));
                blocks.push(format!(
                    "**Engineer Position:** {}",
                    self.fresh(&LISTS.positions)
                ));
                blocks.push(format!("**Rationale:** {}", self.fresh(&LISTS.rationales)));
            }
            form => {
                blocks.push(format!("## Gap Resolution: {gap}\n**Confidence:** HIGH"));
                blocks.push("### Proposed Solution".to_string());
                blocks.push(match self.choices.percent(70) {
                    true => self.fresh(&LISTS.solutions).to_string(),
                    false => "...".to_string(),
                });
                if self.choices.percent(60) {
                    let sentence = self.fresh(&LISTS.tradeoffs);
                    blocks.push(format!("### Trade-offs\n- {sentence}"));
                }
                if self.choices.percent(40) {
                    let sentence = self.fresh(&LISTS.new_gaps);
                    blocks.push(format!(
                        "### New Gaps Introduced\n- GAP-DEMO-041 [LOW]: {sentence}"
                    ));
                }
                if form == 3 {
                    blocks.push(format!("## DISAGREE: {issue}"));
                    blocks.push("**Rationale:** ...".to_string());
                }
            }
        }
        blocks.join("\n\n")
    }

    pub(super) fn examples(&mut self, sub: &str) -> Blocks {
        self.note("examples");
        let title = *self.choices.one(&["Examples", "Examples", "Example"]);
        let mut blocks = vec![format!("{sub} {title}")];
        match self.choices.below(3) {
            0 => blocks.push(self.code()),
            1 => blocks.extend(self.shown_document()),
            _ => blocks.push(self.list(&mut Vec::new())),
        }
        blocks
    }

    pub(super) fn trade_offs(&mut self, sub: &str) -> Blocks {
        let title = match self.choices.percent(55) {
            true => "Trade-offs",
            false => self.choices.word(&LISTS.tradeoff_titles),
        };
        self.note(&format!("trade-offs as '{title}'"));
        let count = 1 + self.choices.below(3);
        let picked = self.several(&LISTS.tradeoffs, count);
        let text = match self.choices.percent(60) {
            true => format!("- {}", picked.join("\n- ")),
            false => picked.join(" "),
        };
        match self.choices.percent(70) {
            true => vec![format!("{sub} {title}"), text],
            false => vec![format!("{sub} {title}\n{text}")],
        }
    }

    /// A part with new gaps or with the statement that there are none; `place` keeps the ids of several parts apart.
    pub(super) fn new_gaps(
        &mut self,
        level: usize,
        place: usize,
        found: &mut Vec<NewGap>,
    ) -> Blocks {
        let title = match self.choices.percent(50) {
            true => "New Gaps Introduced",
            false => self.choices.word(&LISTS.new_gap_titles),
        };
        self.note(&format!("new gaps as '{title}' at level {level}"));
        let heading = format!("{} {title}", "#".repeat(level));
        if self.choices.percent(35) {
            self.note("no new gaps");
            let none = match self.choices.percent(40) {
                true => "None",
                false => self.choices.word(&LISTS.no_new_gaps),
            };
            return vec![heading, none.to_string()];
        }
        let family = *self.choices.one(&["FLOW", "API", "SEC"]);
        let first = 19 + 4 * place + self.choices.below(2);
        let count = 1 + self.choices.below(3);
        let severities: Vec<Option<&'static str>> = match self.choices.percent(25) {
            true => vec![None; count],
            false => (0..count)
                .map(|_| {
                    Some(
                        *self
                            .choices
                            .one(&["CRITICAL", "HIGH", "MEDIUM", "LOW", "LOW"]),
                    )
                })
                .collect(),
        };
        let start = found.len();
        for (offset, severity) in severities.iter().enumerate() {
            found.push(NewGap {
                id: format!("GAP-{family}-{:03}", first + offset),
                severity: severity.unwrap_or("MEDIUM"),
                sentence: self.fresh(&LISTS.new_gaps),
            });
        }
        let rows = found[start..].iter().zip(severities);
        let text = match self.choices.percent(25) {
            true => {
                self.note("new gaps in a table");
                table_of_new_gaps(rows, self.choices.below(3))
            }
            false => {
                self.note("new gaps in a list");
                let form = self.choices.below(9);
                let sign = *self.choices.one(&["-", "-", "*"]);
                let items: Vec<String> = rows
                    .map(|(gap, severity)| format!("{sign} {}", new_gap_item(gap, severity, form)))
                    .collect();
                items.join("\n")
            }
        };
        vec![heading, text]
    }
}

/// A new gap as the text of a list item.
fn new_gap_item(gap: &NewGap, severity: Option<&str>, form: usize) -> String {
    let NewGap { id, sentence, .. } = gap;
    let Some(severity) = severity else {
        return match form {
            0..5 => format!("{id}: {sentence}"),
            5 => format!("`{id}`: {sentence}"),
            6 => format!("{id} - {sentence}"),
            _ => format!("**{id}**: {sentence}"),
        };
    };
    match form {
        0..3 => format!("{id} [{severity}]: {sentence}"),
        3 => format!("**{id}** [{severity}]: {sentence}"),
        4 => format!("{id} ({severity}): {sentence}"),
        5 => format!("**{id}** ({severity}): {sentence}"),
        6 => format!("**{id} [{severity}]:** {sentence}"),
        7 => format!("`{id}` [{severity}] — {sentence}"),
        _ => format!("{id} ({}) - {sentence}", severity.to_lowercase()),
    }
}

/// New gaps as the rows of a table, in one of three orders of the columns.
fn table_of_new_gaps<'a>(
    rows: impl Iterator<Item = (&'a NewGap, Option<&'static str>)>,
    form: usize,
) -> String {
    let mut lines = Vec::new();
    for (NewGap { id, sentence, .. }, severity) in rows {
        let (head, row) = match (severity, form) {
            (None, _) => (
                "| ID | Description |\n|---|---|",
                format!("| {id} | {sentence} |"),
            ),
            (Some(severity), 0) => (
                "| Gap | Description | Severity |\n|-----|-------------|----------|",
                format!("| {id} | {sentence} | {severity} |"),
            ),
            (Some(severity), 1) => (
                "| ID | Severity | Description |\n|:---|:---|:---|",
                format!("| **{id}** | {severity} | {sentence} |"),
            ),
            (Some(severity), _) => (
                "| Gap ID | Severity | Description |\n|--------|----------|-------------|",
                format!("| {id} | {severity} | {sentence} |"),
            ),
        };
        if lines.is_empty() {
            lines.push(head.to_string());
        }
        lines.push(row);
    }
    lines.join("\n")
}
