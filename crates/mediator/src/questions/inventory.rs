//! Shows the inventory before round 1, and lets the user change it.

use super::Effect;
use super::given::{Given, bad_field};
use super::wording::{abandon_choice, choice, gap_line, optional, recommended_if};
use crate::plan::cycle;
use crate::{Result, Turn};
use gapless_domain::question::inventory::{Fields, Options, Subject};
use gapless_domain::{About, Gap, Origin, Question, Severity, comma_list};
use gapless_markdown::Document;
use gapless_reading::read::near_misses;
use gapless_session::Noted;

/// The category of gaps that the user adds to the inventory.
const USER_CATEGORY: &str = "USER";

/// Why a gap is closed that the user takes out of the inventory without a word.
const DROPPED: &str = "taken out of the inventory: it is no gap";

impl Turn<'_> {
    pub(crate) fn inventory_question(&self) -> Result<Question> {
        let gaps = self.by_severity(|gap| !gap.state.is_closed());
        let title = match gaps.len() {
            0 => "No gaps were found. Have the spec reviewed as it is?".to_owned(),
            1 => "1 gap was found. Begin?".to_owned(),
            count => format!("{count} gaps were found. Begin?"),
        };
        let notes = self.source_notes()?;
        // Nobody but a person can tell whether a misread entry was meant as a gap: no policy begins over it.
        let as_meant = notes.is_empty();
        let context = self.inventory_context(&gaps, &notes);
        let begin = match gaps.is_empty() {
            true => choice(
                Options::Begin,
                "Go on",
                "the final review reads the spec as it is",
            ),
            false => choice(
                Options::Begin,
                "Begin",
                "round 1 begins; gaps can still be added, deferred or closed",
            ),
        };
        Ok(Question {
            options: vec![
                recommended_if(as_meant, begin),
                choice(
                    Options::Change,
                    "Change it",
                    "gaps are taken out, added or called graver or lesser as you say; then it is shown again",
                ),
                choice(
                    Options::Pause,
                    "Pause",
                    "nothing runs until `gapless resume`; edit the inventory with `gapless gap`",
                ),
                abandon_choice(Options::Abandon),
            ],
            fields: vec![
                optional(
                    Fields::Drop,
                    "gaps that are none, separated by commas",
                    &[Options::Change],
                ),
                optional(
                    Fields::Severities,
                    "`GAP-API-001=HIGH, GAP-API-002=LOW`",
                    &[Options::Change],
                ),
                optional(
                    Fields::Add,
                    "`[HIGH] what is missing; [LOW] what else`",
                    &[Options::Change],
                ),
                optional(Fields::Reason, "why, for the record", &[Options::Change]),
            ],
            ..self.question(About::Inventory(Subject {}), title, context)
        })
    }

    fn inventory_context(&self, gaps: &[&Gap], notes: &[String]) -> String {
        let lines = gaps
            .iter()
            .map(|gap| format!("{}{}{}", gap_line(gap), found_by(gap), also_said(gap)));
        let mut context = lines.collect::<Vec<_>>().join("\n");
        if let Some(cycle) = cycle(&self.state.now) {
            context += &format!(
                "\n\nThese wait on each other, and none of them can be planned until one of the dependencies is \
                 taken away (`gapless gap unblock`): {}",
                comma_list(&cycle)
            );
        }
        if !notes.is_empty() {
            context += &format!("\n\nWorth a look in the spec:\n{}", notes.join("\n"));
        }
        context
    }

    /// Entries of the spec's gap list that were not taken as they may have been meant.
    fn source_notes(&self) -> Result<Vec<String>> {
        let Some(origin) = &self.state.kept.origin else {
            return Ok(Vec::new());
        };
        let source = self.text(&origin.source)?;
        let misses = near_misses(&Document::parse(&source));
        Ok(misses
            .into_iter()
            .take(20)
            .map(|(line, what)| format!("- line {line}: {what}"))
            .collect())
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Begin => Ok(()),
            Options::Change => turn.change_inventory(given),
            Options::Pause => turn.pause(),
            Options::Abandon => turn.abandon(),
        }
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        match option {
            Options::Begin => vec![Noted::InventoryConfirmed {}],
            Options::Change | Options::Pause | Options::Abandon => Vec::new(),
        }
    }
}

impl Turn<'_> {
    /// The user changes the inventory; it is shown again then.
    fn change_inventory(&mut self, given: &Given<'_, Subject>) -> Result<()> {
        let changes = [Fields::Drop, Fields::Severities, Fields::Add];
        if changes.into_iter().all(|name| given.field(name).is_empty()) {
            let why = "nothing is to be dropped, added or called graver or lesser";
            return Err(bad_field(Fields::Drop, why));
        }
        for (gap, severity) in given.severities(Fields::Severities)? {
            self.gap(&gap)?;
            self.set_severity(&gap, severity, given.field(Fields::Reason), given.by)?;
        }
        if !given.field(Fields::Drop).is_empty() {
            let reason = match given.field(Fields::Reason) {
                "" => DROPPED,
                reason => reason,
            };
            for gap in given.gaps(self, Fields::Drop)? {
                self.close(&gap, reason, None, given.by)?;
            }
        }
        for entry in given.field(Fields::Add).split(['\n', ';']) {
            let entry = entry.trim();
            if !entry.is_empty() {
                let (severity, description) = severity_and_words(entry);
                self.add(USER_CATEGORY, severity, description, None)?;
            }
        }
        Ok(())
    }
}

/// The words of findings that were merged with a gap, a line each.
fn also_said(gap: &Gap) -> String {
    let lines = gap
        .also_said()
        .map(|text| format!("\n  - merged with: {text}"));
    lines.collect()
}

/// Who found a gap, where it is not the source alone that says so.
fn found_by(gap: &Gap) -> String {
    let found: Vec<String> = gap
        .origins
        .iter()
        .filter_map(|origin| match origin {
            Origin::Source { line } if gap.origins.len() > 1 => {
                Some(format!("the spec itself, line {line}"))
            }
            Origin::Scan { rule, line, .. } => Some(format!("scan: {rule}, line {line}")),
            Origin::Analyst => Some("Analyst".to_owned()),
            _ => None,
        })
        .collect();
    match found.is_empty() {
        true => String::new(),
        false => format!(" ({})", found.join("; ")),
    }
}

/// `[HIGH] what is missing`; MEDIUM where nothing is said.
fn severity_and_words(entry: &str) -> (Severity, &str) {
    let tagged = entry
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(severity, words)| Some((severity.trim().parse().ok()?, words.trim())));
    tagged.unwrap_or((Severity::Medium, entry))
}
