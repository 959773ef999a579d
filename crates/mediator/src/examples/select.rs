//! The choice of an example: which tiers go with which failure and in which order, and the scoring of this
//! session's own outputs. What was rolled back is not in the history, and so is never chosen.

use std::sync::Arc;

use super::{Example, bare, canonical};
use gapless_domain::example_use::Tier;
use gapless_domain::failure::RetryReason;
use gapless_domain::ids::{GapId, gap_ids_in};
use gapless_markdown::Document;

use gapless_domain::task::Role;
use gapless_domain::text::{MissingText, Texts, comma_list};
use gapless_reading::read::ReadDocument;
use gapless_session::state::{RoundRecord, State};

/// The tiers that are tried for a retry, in order; for a first prompt (`None`) the form stands in the prompt itself.
pub fn tiers_for(reason: Option<RetryReason>) -> &'static [Tier] {
    use RetryReason as R;
    use Tier::{Canonical, Session, Template};
    match reason {
        None => &[Canonical, Session],
        // The file is what is missing, or a passage was forgotten: no example helps with that.
        Some(R::FileMissing | R::PassageStands) => &[],
        // To show how much is expected.
        Some(R::EmptyOutput) => &[Canonical, Session, Template],
        // To show structure and nothing else.
        Some(R::WrongFormat | R::SpecChangeMismatch) => &[Canonical, Template],
        // To show gaps that are referred to in context.
        Some(R::NoGapsAddressed | R::UnclearAssignment) => &[Session, Canonical, Template],
        // Ids that do not exist here would be the wrong thing to show: never the canonical one.
        Some(R::InconsistentRefs) => &[Session, Template],
        Some(
            R::InvalidDisagreeRef | R::MalformedDisagree | R::ReArguedConflict | R::Uncertainty,
        ) => &[Template],
    }
}

/// True where the ids that are valid here go beside the example.
pub fn lists_gaps(reason: Option<RetryReason>, tier: Tier) -> bool {
    use RetryReason as R;
    match reason {
        Some(R::InconsistentRefs) => true,
        Some(R::NoGapsAddressed | R::UnclearAssignment) => tier == Tier::Canonical,
        _ => false,
    }
}

/// How many of the newest rounds are looked at: a retry of round 500 costs what one of round 10 does.
const ROUNDS_LOOKED_AT: usize = 10;

/// A longer document is no example for anything.
const LONGEST_CANDIDATE_BYTES: usize = 256 * 1024;

/// The examples of a session.
pub struct Library<'a> {
    pub state: &'a State,
    pub texts: &'a dyn Texts,
}

impl Library<'_> {
    /// The example for a role's next attempt at these gaps.
    pub fn choose(
        &self,
        role: Role,
        reason: Option<RetryReason>,
        gaps: &[GapId],
    ) -> Result<Option<Example>, MissingText> {
        for tier in tiers_for(reason) {
            let found = match tier {
                Tier::Canonical => self.canonical(role)?,
                Tier::Session => self.best_of_session(role, reason, gaps)?,
                Tier::Template => Some(self.template(role, gaps)),
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The canonical example: the session's own where it has one, and none where that is empty.
    fn canonical(&self, role: Role) -> Result<Option<Example>, MissingText> {
        let (text, source) = match self.state.kept.setup.examples.get(&role) {
            Some(hash) => (
                self.texts.require(hash)?,
                format!("examples/{}.md of this session", role.stem()),
            ),
            None => {
                let source = self.state.kept.origin.as_ref().map(|origin| origin.source);
                let source = source
                    .map(|source| self.texts.require(&source))
                    .transpose()?;
                let example = canonical(role, source.as_deref().unwrap_or_default());
                (Arc::from(example), "built in".to_owned())
            }
        };
        let text = text.trim();
        Ok((!text.is_empty()).then(|| Example::new(Tier::Canonical, text.to_owned(), source)))
    }

    fn template(&self, role: Role, gaps: &[GapId]) -> Example {
        let mut text = bare(role).trim().to_owned();
        // Nothing is responded to where nothing was raised.
        let raised = gaps.iter().filter_map(|id| self.state.now.gaps.get(id));
        if !raised
            .into_iter()
            .any(|gap| !gap.standing_issues.is_empty())
            && let Some((own, _)) = text.split_once("\n## Response to ")
        {
            text = own.trim_end().to_owned();
        }
        if let Some(gap) = gaps.first() {
            text = text.replace("[GAP-ID]", &gap.to_string());
        }
        if matches!(role, Role::Reviewer | Role::FinalReviewer)
            && let Some(issue) = self.state.next_issue()
        {
            text = text.replace("[ISSUE-ID]", &issue.to_string());
        }
        Example::new(Tier::Template, text, "template".to_owned())
    }

    /// The best document that this role wrote in the newest rounds that stand: by score, then for gaps of the same
    /// category, then the newest.
    fn best_of_session(
        &self,
        role: Role,
        reason: Option<RetryReason>,
        gaps: &[GapId],
    ) -> Result<Option<Example>, MissingText> {
        let mut best: Option<((u32, bool, u32), Example)> = None;
        let newest = self.state.now.history.iter().rev().take(ROUNDS_LOOKED_AT);
        for record in newest {
            let Some((document, example)) = self.of_round(role, record)? else {
                continue;
            };
            let related = example
                .gaps
                .iter()
                .any(|gap| gaps.iter().any(|ours| ours.category() == gap.category()));
            let score = score(role, reason, &document, !example.accepted.is_empty());
            let rank = (score, related, record.round);
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, example));
            }
        }
        Ok(best.map(|(_, example)| example))
    }

    /// What this role wrote in a round, as it was read and as an example.
    fn of_round(
        &self,
        role: Role,
        record: &RoundRecord,
    ) -> Result<Option<(ReadDocument, Example)>, MissingText> {
        let hash = match role {
            Role::Engineer => record.engineer,
            Role::Reviewer => record.reviewer,
            Role::Analyst | Role::Editor | Role::FinalReviewer => None,
        };
        let Some(hash) = hash else {
            return Ok(None);
        };
        let text = self.texts.require(&hash)?;
        let text = text.trim();
        if text.len() > LONGEST_CANDIDATE_BYTES {
            return Ok(None);
        }
        let document = ReadDocument::plain(text);
        let gaps = gaps_of(role, &document);
        let state_of = |id: &GapId| self.state.now.gaps.get(id);
        let accepted: Vec<GapId> = gaps
            .iter()
            .filter(|id| {
                state_of(id).is_some_and(|gap| {
                    let here = match role {
                        Role::Reviewer => gap.reviewed_in == Some(record.round),
                        _ => gap
                            .proposal
                            .as_ref()
                            .is_some_and(|proposal| proposal.round == record.round),
                    };
                    here && gap.state.is_settled_by_text()
                })
            })
            .cloned()
            .collect();
        let known: Vec<GapId> = gaps
            .into_iter()
            .filter(|id| state_of(id).is_some())
            .collect();
        if known.is_empty() {
            return Ok(None);
        }
        let example = Example {
            tier: Tier::Session,
            text: text.to_owned(),
            source: format!("round {}, {}", record.round, comma_list(&known)),
            round: Some(record.round),
            gaps: known,
            accepted,
        };
        Ok(Some((document, example)))
    }
}

/// The gaps that a document of this role is about, each once.
fn gaps_of(role: Role, document: &ReadDocument) -> Vec<GapId> {
    let mut gaps: Vec<GapId> = match role {
        Role::Reviewer => {
            let reviews = &document.as_reviewer().reviews;
            reviews.iter().map(|review| review.gap.clone()).collect()
        }
        _ => {
            let bound = &document.as_engineer().gaps;
            bound.iter().map(|bound| bound.gap.clone()).collect()
        }
    };
    gaps.sort();
    gaps.dedup();
    gaps
}

/// How well an earlier document serves as an example: structure or references after what failed, 20 where a gap of it was
/// accepted, and a little for a length that can be read.
pub fn score(
    role: Role,
    reason: Option<RetryReason>,
    document: &ReadDocument,
    accepted: bool,
) -> u32 {
    let fitting = match reason {
        Some(RetryReason::WrongFormat) => structure(role, &document.structure),
        Some(RetryReason::NoGapsAddressed | RetryReason::UnclearAssignment) => {
            let references = gap_ids_in(document.structure.prose()).len();
            u32::try_from(references).unwrap_or(u32::MAX).min(5) * 2
        }
        _ => 0,
    };
    let quality = if accepted { 20 } else { 0 };
    let length = match document.text.chars().count() {
        501..5_000 => 5,
        5_000..10_000 => 2,
        _ => 0,
    };
    fitting + quality + length
}

fn structure(role: Role, document: &Document) -> u32 {
    let has = |level: u8, start: &str| {
        let mut headings = document.headings.iter();
        headings.any(|heading| heading.level == level && heading.title.starts_with(start))
    };
    let (main, first, second) = match role {
        Role::Reviewer => (
            has(2, "Review:"),
            has(3, "Critical Issues") || has(3, "High Priority"),
            has(3, "Consistency Checks"),
        ),
        _ => (
            has(2, "Gap Resolution:"),
            has(3, "Trade-offs"),
            has(3, "Examples"),
        ),
    };
    u32::from(main) * 10 + u32::from(first) * 5 + u32::from(second) * 5
}
