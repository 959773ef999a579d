//! The prompt of a retry: what the failure's own text is given to fill in, and the example beside it.

use serde::Serialize;
use serde_json::{Value, json};

use super::decisions::in_full;
use super::{LONGEST_QUOTE, Prompt, PromptError, Prompts, one_line, shortened};
use crate::examples::{Example, Library, lists_gaps};
use gapless_domain::ChangeFault;
use gapless_domain::example_use::ExampleUse;
use gapless_domain::failure::{FormFault, RetryReason};
use gapless_domain::gap::{Gap, GapState};
use gapless_domain::ids::{GapId, gap_ids_in};
use gapless_domain::keywords::Keywords;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_session::state::{LastFailure, Slot};

/// How many ids of other gaps stand in a text.
const MOST_OTHER_GAPS: usize = 40;

/// How much is quoted for an agent that is uncertain: paragraphs of the source, and resolutions of similar gaps.
const MOST_EXCERPTS: usize = 4;
const MOST_SIMILAR: usize = 3;
const LONGEST_EXCERPT: usize = 1_200;

#[derive(Serialize)]
struct AssignedView {
    id: GapId,
    severity: String,
    description: String,
}

#[derive(Serialize)]
struct OpenIssueView {
    id: String,
    gap: GapId,
    severity: String,
    summary: String,
}

#[derive(Serialize)]
struct SimilarView {
    id: GapId,
    description: String,
    resolution: String,
}

impl Prompts<'_> {
    /// The failure's own text and an example before the task. An example of its own stands in for that of the first
    /// prompt; where a retry brings none, the first prompt is repeated whole.
    pub(super) fn retry(
        &self,
        slot: &Slot,
        last: &LastFailure,
        output_path: &str,
        task: String,
    ) -> Result<Prompt, PromptError> {
        let reason = last.reason();
        let example = self.example(slot, Some(reason))?;
        let task = match example {
            Some(_) => task,
            None => match self.example(slot, None)? {
                Some((first, _)) => format!("{}\n\n{}", task.trim_end(), first.trim_end()),
                None => task,
            },
        };
        let (block, example) = example.unzip();
        let name = format!("retry/{}", reason.name().to_lowercase());
        let mut facts = self.facts(slot, last, output_path)?;
        facts["example"] = example.is_some().into();
        let text = self.render(&name, facts)?;
        let block = block.unwrap_or_default();
        // The last one where the user granted it, or where its cause has one retry and no more.
        let cause = last.facts.cause;
        let only_one = slot.granted > 0 || cause.is_some_and(|cause| cause.has_own_retry());
        let retries = match only_one {
            false => self.state.kept.setup.config.max_retries,
            true => slot.rejections,
        };
        let prompt = self.render_around(
            "retry",
            json!({
            "attempt": slot.attempts + 1,
            "retry": slot.rejections,
            "retries": retries.max(slot.rejections),
            "failure": last.failure.name(),
            "reason": reason.name(),
            "message": last.message,
            "gaps": slot.gaps,
            "output_path": output_path,
            "document": self.failed_document(last)?,
            }),
            &[
                ("text", text.trim()),
                ("example", block.trim()),
                ("task", &task),
            ],
        )?;
        Ok(Prompt {
            text: self.closed(slot, prompt),
            example,
        })
    }

    /// The document that was not valid. One that was cut is left out: the next one has to be shorter, not a correction.
    fn failed_document(&self, last: &LastFailure) -> Result<Option<String>, PromptError> {
        let was_cut = matches!(last.facts.form, Some(FormFault::Cut { .. }));
        let Some(output) = last.output.filter(|_| !was_cut) else {
            return Ok(None);
        };
        let text = self.text(&output)?;
        let text = shortened(text.trim(), self.within(LONGEST_QUOTE));
        Ok((!text.is_empty()).then_some(text))
    }

    /// The example for the next attempt, as it stands in the prompt, and what is recorded of it.
    pub(super) fn example(
        &self,
        slot: &Slot,
        reason: Option<RetryReason>,
    ) -> Result<Option<(String, ExampleUse)>, PromptError> {
        let config = &self.state.kept.setup.config;
        let budget = match reason {
            Some(_) => config.retry_example_tokens,
            None => config.initial_example_tokens,
        };
        let library = Library {
            state: self.state,
            texts: self.texts,
        };
        let chosen = library.choose(slot.id.role, reason, &slot.gaps)?;
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let Some((text, use_)) = chosen.within(self.within(budget as usize), reason) else {
            return Ok(None);
        };
        let block = self.render("example", self.example_facts(slot, reason, &chosen, &text))?;
        Ok(Some((block, use_)))
    }

    fn example_facts(
        &self,
        slot: &Slot,
        reason: Option<RetryReason>,
        chosen: &Example,
        text: &str,
    ) -> Value {
        let valid = match lists_gaps(reason, chosen.tier) {
            true => slot.gaps.clone(),
            false => Vec::new(),
        };
        json!({
        "role": slot.id.role.stem(),
        "tier": chosen.tier.number(),
        "source": chosen.source,
        "round": chosen.round,
        "gaps": chosen.gaps,
        "accepted": chosen.accepted,
        "valid_gaps": valid,
        "text": text,
        })
    }

    /// What a failure's text is given.
    fn facts(
        &self,
        slot: &Slot,
        last: &LastFailure,
        output_path: &str,
    ) -> Result<Value, PromptError> {
        let assigned = self.gaps(&slot.gaps);
        let views: Vec<AssignedView> = assigned
            .iter()
            .map(|gap| AssignedView {
                id: gap.id.clone(),
                severity: gap.severity.to_string(),
                description: one_line(&gap.description),
            })
            .collect();
        let others: Vec<&GapId> = self
            .state
            .now
            .gaps
            .keys()
            .filter(|id| !slot.gaps.contains(id))
            .collect();
        let facts = &last.facts;
        let issue = facts.issue.and_then(|id| self.state.now.issues.get(&id));
        let decision = self
            .state
            .now
            .decisions
            .iter()
            .rev()
            .find(|decision| facts.issue.is_some() && decision.issue == facts.issue);
        let longest_decision =
            self.within(self.state.kept.setup.config.decision_tokens as usize * 4);
        let uncertain = last.reason() == RetryReason::Uncertainty;
        let (excerpts, similar) = match uncertain {
            true => (
                self.excerpts(&assigned, &facts.uncertain_about)?,
                self.similar_resolved(&assigned)?,
            ),
            false => (Vec::new(), Vec::new()),
        };
        Ok(json!({
        "role": slot.id.role.stem(),
        "round": self.state.now.round.number,
        "message": last.message,
        "output_path": output_path,
        "files": self.traits(slot).is_none_or(|traits| traits.files),
        "gaps": views,
        "first_gap": slot.gaps.first(),
        "wrong_gaps": facts.wrong_gaps,
        "other_gaps": others.iter().take(MOST_OTHER_GAPS).collect::<Vec<_>>(),
        "other_gaps_more": others.len().saturating_sub(MOST_OTHER_GAPS),
        "issue": facts.issue.map(|id| id.to_string()),
        "concern": issue.map(|issue| one_line(&issue.concern.summary)),
        "missing": facts.missing,
        "cut": matches!(facts.form, Some(FormFault::Cut { .. })),
        "open_issues": self.open_issues(slot.id.role, &assigned),
        "decision": decision.map(|decision| shortened(&in_full(decision), longest_decision)),
        "next_issue": self.state.next_issue().map(|id| id.to_string()),
        "uncertain_about": facts.uncertain_about,
        "changes": facts.changes.iter().map(fault_view).collect::<Vec<_>>(),
        "excerpts": excerpts,
        "similar": similar,
        }))
    }

    /// The issues that an Engineer may answer or disagree with: those that stand on its gaps.
    fn open_issues(&self, role: Role, assigned: &[&Gap]) -> Vec<OpenIssueView> {
        if role != Role::Engineer {
            return Vec::new();
        }
        let mut views = Vec::new();
        for gap in assigned {
            views.extend(
                self.state
                    .now
                    .standing_issues(gap)
                    .map(|issue| OpenIssueView {
                        id: issue.id.to_string(),
                        gap: gap.id.clone(),
                        severity: issue.concern.severity.to_string(),
                        summary: one_line(&issue.concern.summary),
                    }),
            );
        }
        views
    }

    /// The paragraphs of the source that have most words in common with these gaps and with what is uncertain, in the
    /// order in which they stand.
    fn excerpts(&self, gaps: &[&Gap], uncertain: &[String]) -> Result<Vec<String>, PromptError> {
        let source = self.source()?;
        let missing = gaps.iter().map(|gap| &gap.description);
        let wanted = keywords_of(missing.chain(uncertain));
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for (place, paragraph) in source.split("\n\n").enumerate() {
            let paragraph = paragraph.trim();
            // The lists of gaps in a source are not what would help with one.
            if paragraph.starts_with('#') || !gap_ids_in(paragraph).is_empty() {
                continue;
            }
            let shared = wanted.shared(&[&Keywords::of(paragraph)]);
            if shared > 0 {
                found.push((shared, place, shortened(paragraph, LONGEST_EXCERPT)));
            }
        }
        found.sort_by_key(|(shared, place, _)| (std::cmp::Reverse(*shared), *place));
        found.truncate(MOST_EXCERPTS);
        found.sort_by_key(|(_, place, _)| *place);
        Ok(found.into_iter().map(|(_, _, text)| text).collect())
    }

    /// Resolved gaps of the same category or section, or with words in common, and how they were resolved.
    fn similar_resolved(&self, gaps: &[&Gap]) -> Result<Vec<SimilarView>, PromptError> {
        let wanted = keywords_of(gaps.iter().map(|gap| &gap.description));
        let resolved = self.state.now.gaps.values().filter(|gap| {
            matches!(gap.state, GapState::Accepted | GapState::Resolved) && gap.proposal.is_some()
        });
        let mut ranked: Vec<(usize, &Gap)> = resolved
            .map(|gap| {
                let same_category = gaps.iter().any(|g| g.id.category() == gap.id.category());
                let same_section = gaps
                    .iter()
                    .any(|g| g.section.is_some() && g.section == gap.section);
                let shared = wanted.shared(&[&Keywords::of(&gap.description)]);
                (
                    usize::from(same_category) * 3 + usize::from(same_section) * 3 + shared,
                    gap,
                )
            })
            .filter(|(rank, _)| *rank > 0)
            .collect();
        ranked.sort_by_key(|(rank, gap)| (std::cmp::Reverse(*rank), gap.age));
        ranked.truncate(MOST_SIMILAR);
        let mut views = Vec::new();
        for (_, gap) in ranked {
            let Some(proposal) = &gap.proposal else {
                continue;
            };
            let solution = self.text(&proposal.solution)?;
            views.push(SimilarView {
                id: gap.id.clone(),
                description: one_line(&gap.description),
                resolution: shortened(&without_headings(&solution), LONGEST_EXCERPT),
            });
        }
        Ok(views)
    }
}

/// A text without its headings, which would be taken for the prompt's own.
fn without_headings(text: &str) -> String {
    let document = Document::parse(text);
    let mut parts = Vec::new();
    let mut from = 0;
    for heading in &document.headings {
        parts.push(text.get(from..heading.span.start).unwrap_or("").trim());
        from = heading.span.end;
    }
    parts.push(text.get(from..).unwrap_or("").trim());
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// The keywords of several texts.
fn keywords_of<'t>(texts: impl Iterator<Item = &'t String>) -> Keywords {
    let keywords: Vec<Keywords> = texts.map(|text| Keywords::of(text)).collect();
    Keywords::of_all(&keywords)
}
/// A change that can't be made, as the retry's text shows it.
fn fault_view(fault: &ChangeFault) -> Value {
    json!({
    "gap": fault.gap,
    "line": fault.line,
    "what": fault.what,
    "nearest": fault.nearest,
    })
}
