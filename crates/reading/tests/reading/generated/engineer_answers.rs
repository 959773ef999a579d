//! Answers to issues: responses and disagreements.

use super::*;

impl Writer {
    /// The answer to an issue, which agrees.
    pub(super) fn response(&mut self, issue: &str) -> Blocks {
        self.note("response");
        let level = *self.choices.one(&["##", "##", "##", "###"]);
        let heading = match self.choices.percent(20) {
            true => format!("{level} Response to {issue}: {}", self.fresh(&LISTS.titles)),
            false => format!("{level} Response to {issue}"),
        };
        let count = 1 + self.choices.below(2);
        let text = self.several(&LISTS.responses, count).join(" ");
        match self.choices.percent(75) {
            true => vec![heading, text],
            false => vec![format!("{heading}\n{text}")],
        }
    }

    pub(super) fn disagree_form(&mut self) -> DisagreeForm {
        DisagreeForm {
            level: *self.choices.one(&[2, 2, 2, 2, 2, 2, 1, 3, 3, 4]),
            pattern: match self.choices.percent(50) {
                true => "DISAGREE: {}",
                false => self.choices.word(&LISTS.disagree_headings),
            },
            fields: match self.choices.below(100) {
                0..35 => FieldForm::Bold,
                35..55 => FieldForm::BoldAbove,
                55..65 => FieldForm::Plain,
                65..68 => FieldForm::PlainAbove,
                68..80 => FieldForm::BoldItems,
                80..87 => FieldForm::PlainItems,
                _ => FieldForm::Headings,
            },
            canonical_names: self.choices.percent(50),
        }
    }

    pub(super) fn disagreement(
        &mut self,
        issue: &str,
        form: DisagreeForm,
    ) -> (Blocks, Disagreement) {
        self.note(&format!(
            "disagree heading '{}' at level {}",
            form.pattern, form.level
        ));
        let id = self.written_issue(issue, form.pattern);
        let heading = self.filled(form.pattern, &id);
        let heading = format!("{} {heading}", "#".repeat(form.level));
        let disagreement = Disagreement {
            issue: issue.to_string(),
            concern: self.fresh(&LISTS.concerns),
            position: self.fresh(&LISTS.positions),
            rationale: self.fresh(&LISTS.rationales),
            alternative: match self.choices.percent(40) {
                true => Some(self.fresh(&LISTS.alternatives)),
                false => None,
            },
        };
        let canonical = form.canonical_names;
        let mut fields = vec![
            (
                self.name("Reviewer Concern", &LISTS.concern_names, canonical),
                disagreement.concern,
            ),
            (
                self.name("Engineer Position", &LISTS.position_names, canonical),
                disagreement.position,
            ),
            (
                self.name("Rationale", &LISTS.rationale_names, canonical),
                disagreement.rationale,
            ),
        ];
        if let Some(alternative) = disagreement.alternative {
            self.note("alternative");
            fields.push((
                self.name("Alternative Approach", &LISTS.alternative_names, canonical),
                alternative,
            ));
        }
        let mut blocks = vec![heading];
        blocks.extend(self.fields(&fields, form));
        if self.choices.percent(25) && !matches!(form.fields, FieldForm::Headings) {
            let next = blocks.remove(1);
            blocks[0] = format!("{}\n{next}", blocks[0]);
        }
        (blocks, disagreement)
    }

    /// The canonical name of a field or one of the variants.
    pub(super) fn name(
        &mut self,
        name: &'static str,
        variants: &Words,
        canonical: bool,
    ) -> &'static str {
        if canonical || self.choices.percent(25) {
            return name;
        }
        let variant = self.choices.word(variants);
        self.note(&format!("field '{variant}'"));
        variant
    }

    /// The id of an issue as the heading writes it.
    pub(super) fn written_issue(&mut self, issue: &str, pattern: &str) -> String {
        let (round, number) = issue.rsplit_once('-').unwrap_or((issue, ""));
        let short = number.trim_start_matches('0');
        let id = match self.choices.below(100) {
            0..8 => {
                self.note("issue id without its zeros");
                format!("{round}-{short}")
            }
            8..14 => {
                self.note("issue id with one zero");
                format!("{round}-0{short}")
            }
            _ => issue.to_string(),
        };
        match self.choices.below(100) {
            0..6 => {
                self.note("issue id as code");
                format!("`{id}`")
            }
            6..12 if !pattern.contains('*') => {
                self.note("issue id in bold");
                format!("**{id}**")
            }
            _ => id,
        }
    }

    /// The fields of a disagreement, of which the first is the concern.
    pub(super) fn fields(
        &mut self,
        fields: &[(&'static str, &'static str)],
        form: DisagreeForm,
    ) -> Blocks {
        let quoting = match (form.fields, self.choices.below(100)) {
            (FieldForm::BoldItems | FieldForm::PlainItems, 0..20) => Quoting::Marks,
            (FieldForm::BoldItems | FieldForm::PlainItems, _) => Quoting::Unmarked,
            (_, 0..12) => Quoting::Marks,
            (_, 12..45) => Quoting::Block,
            _ => Quoting::Unmarked,
        };
        match quoting {
            Quoting::Marks => self.note("concern in quotation marks"),
            Quoting::Block => self.note("concern as a quote"),
            Quoting::Unmarked => {}
        }
        let colon_inside = self.choices.percent(80);
        let bold = |name: &str| match colon_inside {
            true => format!("**{name}:**"),
            false => format!("**{name}**:"),
        };
        let blank_below = self.choices.percent(40);
        let sign = *self.choices.one(&["-", "-", "*"]);
        let mut blocks = Vec::new();
        for (place, (name, text)) in fields.iter().enumerate() {
            let quoting = match place {
                0 => quoting,
                _ => Quoting::Unmarked,
            };
            let text = match quoting {
                Quoting::Unmarked => (*text).to_string(),
                Quoting::Block => format!("> {text}"),
                Quoting::Marks => format!("\"{text}\""),
            };
            let below = match blank_below {
                true => "\n\n",
                false => "\n",
            };
            let beside = match quoting {
                Quoting::Block => below,
                _ => " ",
            };
            blocks.push(match form.fields {
                FieldForm::Bold => format!("{}{beside}{text}", bold(name)),
                FieldForm::BoldAbove => format!("{}{below}{text}", bold(name)),
                FieldForm::Plain => format!("{name}:{beside}{text}"),
                FieldForm::PlainAbove => format!("{name}:{below}{text}"),
                FieldForm::BoldItems => format!("{sign} {} {text}", bold(name)),
                FieldForm::PlainItems => format!("{sign} {name}: {text}"),
                FieldForm::Headings => {
                    format!("{} {name}\n\n{text}", "#".repeat(form.level + 1))
                }
            });
        }
        let (form, close) = match form.fields {
            FieldForm::Bold => ("bold", self.choices.percent(35)),
            FieldForm::BoldAbove => ("bold with the text below", false),
            FieldForm::Plain => ("unbolded", self.choices.percent(35)),
            FieldForm::PlainAbove => ("unbolded with the text below", false),
            FieldForm::BoldItems => ("bold list items", true),
            FieldForm::PlainItems => ("unbolded list items", true),
            FieldForm::Headings => ("headings", false),
        };
        self.note(&format!("fields as {form}"));
        if !close {
            return blocks;
        }
        match quoting {
            // A line directly below a quote would belong to the quote.
            Quoting::Block => {
                let rest = blocks.split_off(1);
                vec![blocks.remove(0), rest.join("\n")]
            }
            _ => vec![blocks.join("\n")],
        }
    }
}
