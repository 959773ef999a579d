//! The walk through a recorded session, document by document in the order in which they were written: issues are raised,
//! fall due where their gap is worked on, are answered or not, and gaps are closed over them or not.

use super::account::Account;
use super::output::Output;
use super::passages::Passages;
use super::scope::scope_of;
use super::thresholds::Parameters;
use super::verification::decision_on;
use super::walk::Walk;
use gapless_domain::ids::{GapId, IssueId};
use gapless_markdown::Document;
use gapless_reading::read::{ReadDocument, ReviewerReading};

/// The documents of a round, each list in the order in which its documents were written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundTexts {
    pub round: u32,
    pub engineer: Vec<String>,
    pub reviewer: Vec<String>,
    pub summary: Vec<String>,
}

/// The documents of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionTexts {
    pub rounds: Vec<RoundTexts>,
    pub status: Option<String>,
    pub decisions: Option<String>,
}

/// Walks through a session.
pub fn examine(texts: &SessionTexts, parameters: &Parameters) -> Account {
    let mut walk = Walk::new(parameters);
    let mut rounds: Vec<&RoundTexts> = texts.rounds.iter().collect();
    rounds.sort_by_key(|round| round.round);
    // What an Engineer wrote is needed beyond its own round: it is read once, and kept.
    let engineers: Vec<Vec<ReadDocument>> = rounds
        .iter()
        .map(|round| {
            let texts = round.engineer.iter();
            texts.map(|text| ReadDocument::of_engineer(text)).collect()
        })
        .collect();
    let outputs: Vec<Vec<Output>> = engineers
        .iter()
        .map(|read| read.iter().map(Output::of).collect())
        .collect();
    for (round, outputs) in rounds.iter().zip(&outputs) {
        for turn in 0..outputs.len().max(round.reviewer.len()) {
            if let Some(output) = outputs.get(turn) {
                walk.engineer(round.round, output, None);
            }
            if let Some(review) = round.reviewer.get(turn) {
                let name = document_name(round.round, "review");
                walk.reviewer(round.round, &ReadDocument::of_reviewer(review), &name);
            }
        }
        for summary in &round.summary {
            walk.account_document(round.round, summary, &document_name(round.round, "summary"));
        }
    }
    let last = rounds.last().map_or(0, |round| round.round);
    if let Some(decisions) = &texts.decisions {
        let document = Document::parse(decisions);
        let passages = Passages::of(&document);
        for tracked in &mut walk.issues {
            tracked.decided = decision_on(&tracked.raised, &passages);
        }
    }
    if let Some(status) = &texts.status {
        walk.account_document(last, status, "status.md");
    }
    walk.finish()
}

/// Looks at one review and the output that follows it. `scope` are the gaps that were assigned; without it, those that the
/// output binds, and all where it binds none.
pub fn examine_pair(
    review: &str,
    engineer: &str,
    previous: Option<&str>,
    scope: Option<&[GapId]>,
    parameters: &Parameters,
) -> Account {
    let mut walk = Walk::new(parameters);
    let previous = previous.map(ReadDocument::of_engineer);
    let previous = previous.as_ref().map(Output::of);
    let engineer = ReadDocument::of_engineer(engineer);
    let output = Output::of(&engineer);
    let review = ReadDocument::of_reviewer(review);
    let round = round_of(review.as_reviewer());
    if let Some(previous) = &previous {
        walk.engineer(round, previous, None);
    }
    walk.reviewer(round, &review, "the review");
    // A verdict is for the accounting of its own round; here the question is what the next output makes of the issues.
    walk.closures.clear();
    let all: Vec<GapId> = walk
        .issues
        .iter()
        .filter_map(|tracked| tracked.raised.gap.clone())
        .collect();
    let nothing_bound = scope_of(&output).is_empty();
    let given = scope
        .map(<[GapId]>::to_vec)
        .or(nothing_bound.then_some(all));
    walk.engineer(round + 1, &output, given);
    let mut account = walk.finish();
    account.rounds.retain(|account| account.round > round);
    account
}

/// The round that a review's ids name, the newest of them; 1 where they name none.
fn round_of(review: &ReviewerReading) -> u32 {
    let rounds = review
        .issues
        .iter()
        .filter_map(|issue| issue.written_id.parse::<IssueId>().ok())
        .map(|id| id.round);
    rounds.max().unwrap_or(1)
}

fn document_name(round: u32, what: &str) -> String {
    format!("round {round}'s {what}")
}
