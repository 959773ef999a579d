//! What stands around a document: lead-ins, sign-offs, fences, and remarks that make it none.

use super::*;

impl Writer {
    /// The document with what stands around it: a fence, a lead-in, a sign-off.
    pub(super) fn surrounded(&mut self, document: String) -> String {
        let mut blocks = Vec::new();
        let wrapped = self.choices.percent(18);
        if self.choices.percent(if wrapped { 55 } else { 35 }) {
            self.note("lead-in");
            let lines = 1 + self.choices.below(2);
            blocks.push(self.several(&LISTS.lead_ins, lines).join("\n"));
            if !wrapped && self.choices.percent(30) {
                blocks.push("---".to_string());
            }
        }
        blocks.push(match wrapped {
            true => self.in_a_fence(&document),
            false => document,
        });
        if self.choices.percent(if wrapped { 45 } else { 25 }) {
            self.note("sign-off");
            if !wrapped {
                blocks.push("---".to_string());
            }
            let lines = 1 + self.choices.below(2);
            blocks.push(self.several(&LISTS.sign_offs, lines).join("\n"));
        }
        format!("{}\n", blocks.join("\n\n"))
    }

    /// The whole document in one fence.
    pub(super) fn in_a_fence(&mut self, document: &str) -> String {
        let language = *self.choices.one(&["markdown", "markdown", "md"]);
        let tilde_language = *self.choices.one(&["", "", "markdown"]);
        let Fences {
            backticks,
            tildes,
            shows_a_document,
        } = self.fences;
        let (fence, language) = match (backticks, tildes) {
            (true, false) if !shows_a_document && self.choices.percent(35) => {
                self.note("whole document in a fence that its own fences would close");
                ("```", language)
            }
            (true, false) if self.choices.percent(60) => ("~~~", tilde_language),
            (true, _) => ("````", language),
            (false, false) if self.choices.percent(25) => ("~~~", tilde_language),
            (false, _) => ("```", language),
        };
        self.note(&format!("whole document in {fence}{language}"));
        format!("{fence}{language}\n{document}\n{fence}")
    }

    /// Long remarks around a fence that shows what a resolution would look like.
    pub(super) fn prose_around_an_example(&mut self) -> String {
        self.note("no document");
        self.other_gaps = INVENTORY.to_vec();
        self.other_issues = vec!["ISSUE-R1-002".to_string()];
        let gap = *self.choices.one(&INVENTORY);
        let mut shown = vec![format!("## Gap Resolution: {gap}\n**Confidence:** MEDIUM")];
        shown.push("### Proposed Solution".to_string());
        shown.push(match self.choices.percent(60) {
            true => self.several(&LISTS.solutions, 2).join(" "),
            false => "(the solution, one paragraph or more)".to_string(),
        });
        if self.choices.percent(60) {
            shown.push(format!(
                "### Trade-offs\n- {}",
                self.fresh(&LISTS.tradeoffs)
            ));
        }
        if self.choices.percent(50) {
            shown.push("### New Gaps Introduced\nNone".to_string());
        }
        if self.choices.percent(15) {
            shown.push("## Response to ISSUE-R1-002".to_string());
            shown.push(self.fresh(&LISTS.responses).to_string());
        }
        let fence = *self
            .choices
            .one(&["```markdown", "```markdown", "```md", "```", "~~~"]);
        let shown = format!("{fence}\n{}\n{}", shown.join("\n\n"), &fence[..3]);

        let long = 3 + self.choices.below(10);
        let (before, after) = match self.choices.below(3) {
            0 => (long, self.choices.below(4)),
            1 => (1 + self.choices.below(3), long),
            _ => (long, 3 + self.choices.below(6)),
        };
        let disclaimed_before = before > 2 && (after < 3 || self.choices.percent(50));
        let before = self.remarks(before, disclaimed_before);
        let after = self.remarks(after, !disclaimed_before);
        let mut blocks = Vec::new();
        if self.choices.percent(15) {
            let title = *self.choices.one(&["# Notes", "## Where I am", "# Status"]);
            blocks.push(title.to_string());
        }
        blocks.extend(before);
        blocks.push(shown);
        blocks.extend(after);
        format!("{}\n", blocks.join("\n\n"))
    }

    /// So many lines of remarks; one of them says that the fence is no resolution where `disclaimed`.
    pub(super) fn remarks(&mut self, count: usize, disclaimed: bool) -> Blocks {
        let mut lines = self.several(&LISTS.remarks, count);
        if disclaimed && count > 0 {
            let place = *self.choices.one(&[0, count - 1]);
            lines[place] = self.fresh(&LISTS.disclaimers);
        }
        match self.choices.below(4) {
            0 => vec![lines.join("\n")],
            1 => lines.into_iter().map(str::to_string).collect(),
            2 => lines.chunks(2).map(|lines| lines.join("\n")).collect(),
            _ => lines.chunks(3).map(|lines| lines.join("\n")).collect(),
        }
    }
}
