//! Owns the walk through a recorded session, document by document in the order in which they were written: issues are raised,
//! fall due where their gap is worked on, are answered or not, and gaps are closed over them or not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::answering::{Demand, Output, clearest, look, readable};
use super::closures::{Closure, of_account, of_review};
use super::flag::{Evidence, Flag, Heuristic};
use super::heuristics::{closed_over, deflected, unanswered, unchanged};
use super::keywords::Lexicon;
use super::ledger::{Answered, IssueAccount, Tracked};
use super::passages::{Earlier, Passages};
use super::raised::Raised;
use super::thresholds::{Counted, Parameters, Weighed, weigh};
use super::verification::{Word, decision_on, word_on};
use crate::gap::GapState;
use crate::ids::{GapId, IssueId, gap_ids_in};
use crate::read::{Document, Mode, RaisedIssue, field, read_reviewer, read_status};

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

/// What a round comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundAccount {
    pub round: u32,
    /// The gaps that the Engineer worked on.
    pub scope: Vec<GapId>,
    pub due: Vec<String>,
    pub deferred: Vec<String>,
    pub answered: Vec<String>,
    #[serde(flatten)]
    pub weighed: Weighed,
}

/// What a session comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    pub issues: Vec<IssueAccount>,
    pub rounds: Vec<RoundAccount>,
}

impl Account {
    pub fn has_flags(&self) -> bool {
        self.issues.iter().any(|issue| !issue.flags.is_empty())
    }
}

/// Walks through a session.
pub fn examine(texts: &SessionTexts, parameters: &Parameters) -> Account {
    let mut walk = Walk::new(parameters);
    let mut rounds: Vec<&RoundTexts> = texts.rounds.iter().collect();
    rounds.sort_by_key(|round| round.round);
    // What an Engineer wrote is needed beyond its own round: it is made readable once, and kept.
    let engineers: Vec<Vec<String>> = rounds
        .iter()
        .map(|round| round.engineer.iter().map(|text| readable(text)).collect())
        .collect();
    let outputs: Vec<Vec<Output>> = engineers
        .iter()
        .map(|texts| {
            texts
                .iter()
                .map(|text| Output::read(text, &walk.lexicon))
                .collect()
        })
        .collect();
    let lexicon = Lexicon::default();
    for (round, outputs) in rounds.iter().zip(&outputs) {
        for turn in 0..outputs.len().max(round.reviewer.len()) {
            if let Some(output) = outputs.get(turn) {
                walk.engineer(round.round, output, None);
            }
            if let Some(review) = round.reviewer.get(turn) {
                let name = document_name(round.round, "review");
                walk.reviewer(round.round, review, &name);
            }
        }
        for summary in &round.summary {
            walk.account_document(round.round, summary, &document_name(round.round, "summary"));
        }
    }
    let last = rounds.last().map_or(0, |round| round.round);
    if let Some(decisions) = &texts.decisions {
        let document = Document::parse(decisions);
        let passages = Passages::of(&document, &lexicon);
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
    let lexicon = Lexicon::default();
    let previous = previous.map(readable);
    let previous = previous.as_deref().map(|text| Output::read(text, &lexicon));
    let engineer = readable(engineer);
    let output = Output::read(&engineer, &lexicon);
    let round = round_of(review);
    if let Some(previous) = &previous {
        walk.engineer(round, previous, None);
    }
    walk.reviewer(round, review, "the review");
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
fn round_of(review: &str) -> u32 {
    let document = Document::parse(review);
    let reading = read_reviewer(&document, Mode::Tolerant);
    let rounds = reading
        .issues
        .iter()
        .filter_map(|issue| issue.written_id.parse::<IssueId>().ok())
        .map(|id| id.round);
    rounds.max().unwrap_or(1)
}

fn document_name(round: u32, what: &str) -> String {
    format!("round {round}'s {what}")
}

/// Head fields of an Engineer's document that say what it works on.
const SCOPE_FIELDS: [&str; 5] = ["focus", "scope", "gap", "gaps", "addresses"];

/// The gaps that an output works on: those it binds, and those that its head names as its focus.
fn scope_of(output: &Output) -> Vec<GapId> {
    let document = &output.document;
    let head = document
        .headings
        .iter()
        .find(|heading| heading.level >= 2)
        .map_or(document.source.len(), |heading| heading.span.start);
    let named = document
        .prose_lines(0..head)
        .filter_map(|(_, line)| field(line))
        .filter(|(name, _)| {
            SCOPE_FIELDS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        })
        .flat_map(|(_, value)| gap_ids_in(value))
        .map(|found| found.id);
    let bound = output.reading.gaps.iter().map(|bound| bound.gap.clone());
    let gaps: BTreeSet<GapId> = bound.chain(named).collect();
    gaps.into_iter().collect()
}

/// What the headings of an output name, in ids of any shape: `XCUT-NAV-001`, `FR-012`. It tells which outputs of a session that
/// has no gap ids are about the same.
fn subjects_of(output: &Output) -> BTreeSet<String> {
    let titles = output
        .document
        .headings
        .iter()
        .filter(|heading| heading.level <= 3);
    titles
        .flat_map(|heading| {
            heading
                .title
                .split(|c: char| !c.is_alphanumeric() && c != '-')
        })
        .filter(|word| is_foreign_id(word))
        .map(str::to_owned)
        .collect()
}

fn is_foreign_id(word: &str) -> bool {
    let numbered = word.rsplit_once('-').is_some_and(|(head, number)| {
        head.len() >= 2
            && head.starts_with(|c: char| c.is_ascii_uppercase())
            && head
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
            && number.starts_with(|c: char| c.is_ascii_digit())
    });
    numbered && !word.starts_with("ISSUE-") && !word.starts_with("DECISION-")
}

/// A closing, with when it was written and what the document was about.
struct Closing {
    step: usize,
    closure: Closure,
    about: Vec<GapId>,
}

struct Walk<'p, 'o, 't> {
    parameters: &'p Parameters,
    lexicon: Lexicon,
    issues: Vec<Tracked>,
    rounds: BTreeMap<u32, RoundAccount>,
    closures: Vec<Closing>,
    earlier: Earlier,
    /// The newest proposals, newest last.
    outputs: Vec<&'o Output<'t>>,
    /// What the newest Engineer worked on.
    scope: Vec<GapId>,
    subjects: BTreeSet<String>,
    step: usize,
}

impl<'p, 'o, 't> Walk<'p, 'o, 't> {
    fn new(parameters: &'p Parameters) -> Self {
        Self {
            parameters,
            lexicon: Lexicon::default(),
            issues: Vec::new(),
            rounds: BTreeMap::new(),
            closures: Vec::new(),
            earlier: Earlier::default(),
            outputs: Vec::new(),
            scope: Vec::new(),
            subjects: BTreeSet::new(),
            step: 0,
        }
    }

    fn engineer(&mut self, round: u32, output: &'o Output<'t>, scope: Option<Vec<GapId>>) {
        self.step += 1;
        let scope = scope.unwrap_or_else(|| scope_of(output));
        let subjects = subjects_of(output);
        let mut account = RoundAccount {
            round,
            scope: scope.clone(),
            due: Vec::new(),
            deferred: Vec::new(),
            answered: Vec::new(),
            weighed: Weighed::default(),
        };
        for tracked in self.issues.iter_mut().filter(|tracked| tracked.stands()) {
            let due = tracked.is_due_in(&scope, &subjects);
            let demand = if due { Demand::Due } else { Demand::Elsewhere };
            let found = look(
                &tracked.raised,
                &tracked.wanted,
                output,
                &self.earlier,
                demand,
                &self.lexicon,
            );
            let id = tracked.raised.id.clone();
            let rounds = if due {
                &mut tracked.due
            } else {
                &mut tracked.deferred
            };
            if rounds.last() != Some(&round) {
                rounds.push(round);
            }
            match due {
                true => account.due.push(id.clone()),
                false => account.deferred.push(id.clone()),
            }
            let settled = !tracked.answers.is_empty() || tracked.verified.is_some();
            let mut flags: Vec<Flag> = Vec::new();
            if due && !settled {
                flags.extend(unanswered(
                    &tracked.raised,
                    &tracked.wanted,
                    &found,
                    output,
                    round,
                ));
                flags.extend(deflected(
                    &tracked.raised,
                    output,
                    found.answer.as_ref(),
                    round,
                ));
                let gap = tracked.raised.gap.as_ref();
                let previous = gap.and_then(|gap| {
                    let mut older = self.outputs.iter().rev();
                    older.find(|older| older.section(gap).is_some())
                });
                if let (Some(answer), Some(previous)) = (&found.answer, previous)
                    && answer.by != super::answering::By::Disagree
                {
                    flags.extend(unchanged(
                        &tracked.raised,
                        &tracked.wanted,
                        output,
                        previous,
                        round,
                        self.parameters,
                    ));
                }
            }
            let step = self.step;
            let doubted = !flags.is_empty();
            tracked
                .flags
                .extend(flags.into_iter().map(|flag| (step, flag)));
            if let Some(answer) = found.answer {
                account.answered.push(id);
                if !doubted {
                    tracked.answers.push((step, Answered { round, answer }));
                }
            }
        }
        self.rounds
            .entry(round)
            .and_modify(|known| {
                known.scope.extend(account.scope.iter().cloned());
                known.scope.sort();
                known.scope.dedup();
                for (list, more) in [
                    (&mut known.due, &account.due),
                    (&mut known.deferred, &account.deferred),
                    (&mut known.answered, &account.answered),
                ] {
                    list.extend(more.iter().cloned());
                    list.sort();
                    list.dedup();
                }
            })
            .or_insert(account);
        self.earlier.add(&output.passages);
        self.outputs.push(output);
        self.scope = scope;
        self.subjects = subjects;
    }

    fn reviewer(&mut self, round: u32, text: &str, name: &str) {
        self.step += 1;
        let text = clearest(text, |document| {
            let reading = read_reviewer(document, Mode::Tolerant);
            reading.issues.len() + reading.reviews.len()
        });
        let document = Document::parse(&text);
        let reading = read_reviewer(&document, Mode::Tolerant);
        let passages = Passages::of(&document, &self.lexicon);
        self.verify(round, &passages);
        let taken: BTreeSet<String> = reading
            .issues
            .iter()
            .map(|issue| issue.written_id.clone())
            .collect();
        let mut here: BTreeSet<String> = BTreeSet::new();
        for issue in reading
            .issues
            .iter()
            .filter(|issue| issue.concern.severity.holds())
        {
            let repeated = !issue.written_id.is_empty() && !here.insert(issue.written_id.clone());
            if !repeated {
                self.raise(round, issue, &taken);
            }
        }
        for closure in of_review(&reading, &text, round, name) {
            let revised: Vec<&GapId> = reading
                .reviews
                .iter()
                .filter(|review| review.verdict.is_some_and(|verdict| !verdict.approves()))
                .map(|review| &review.gap)
                .collect();
            let mut about = self.scope.clone();
            about.extend(reading.reviews.iter().map(|review| review.gap.clone()));
            about.retain(|gap| !revised.contains(&gap));
            self.closures.push(Closing {
                step: self.step,
                closure,
                about,
            });
        }
    }

    /// What a review says of issues that were raised before it.
    fn verify(&mut self, round: u32, review: &Passages) {
        let step = self.step;
        for tracked in self.issues.iter_mut().filter(|tracked| tracked.stands()) {
            tracked.reviewed_at = Some(step);
            match word_on(&tracked.raised, review) {
                Some((Word::Settled, _)) => tracked.verified = Some((step, round)),
                Some((Word::Stands, line)) => {
                    if let Some(void) = tracked.void_answers() {
                        let evidence = Evidence {
                            text: format!(
                                "the review after it says that {} still stands",
                                tracked.raised.id
                            ),
                            line: Some(line),
                            quote: Some(void.answer.quote),
                            overlap: Some(void.answer.overlap),
                            ..Evidence::default()
                        };
                        let flag = Flag::new(Heuristic::H4, void.round, evidence);
                        tracked.flags.push((step, flag));
                    }
                }
                None => {}
            }
        }
    }

    fn raise(&mut self, round: u32, issue: &RaisedIssue, taken: &BTreeSet<String>) {
        let written = issue.written_id.as_str();
        let keywords = self.lexicon.keywords(&issue.concern.summary);
        let known = self.issues.iter_mut().find(|tracked| {
            let same_name =
                !written.is_empty() && tracked.raised.names().any(|name| name == written);
            // A native id may be given out again in every review.
            same_name
                && (written.parse::<IssueId>().is_ok() || tracked.wanted.keywords.alike(&keywords))
        });
        if let Some(tracked) = known {
            tracked.withdrawn |= issue.withdrawn;
            let void = tracked.void_answers();
            if let Some(void) = void.filter(|_| !issue.withdrawn) {
                let evidence = Evidence {
                    text: format!(
                        "{} is raised again after it was answered",
                        tracked.raised.id
                    ),
                    line: Some(void.answer.line),
                    quote: Some(void.answer.quote),
                    overlap: Some(void.answer.overlap),
                    ..Evidence::default()
                };
                let flag = Flag::new(Heuristic::H4, void.round, evidence);
                tracked.flags.push((self.step, flag));
            }
            return;
        }
        let gap = issue.gap.clone().or_else(|| match self.scope.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        });
        let (id, aliases) = match written.parse::<IssueId>() {
            Ok(id) => (id.to_string(), Vec::new()),
            Err(_) => (
                self.next_id(round, taken),
                Vec::from_iter((!written.is_empty()).then(|| written.to_owned())),
            ),
        };
        // The newest issue of a name is meant by it from now on.
        for tracked in &mut self.issues {
            let raised = &mut tracked.raised;
            let taken = raised
                .aliases
                .iter()
                .filter(|alias| aliases.contains(alias));
            raised.given_away.extend(taken.cloned());
        }
        let repeats = self
            .issues
            .iter()
            .find(|tracked| tracked.raised.gap == gap && tracked.wanted.keywords.alike(&keywords))
            .map(|tracked| tracked.raised.id.clone());
        let raised = Raised {
            id,
            aliases,
            given_away: Vec::new(),
            round,
            gap,
            concern: issue.concern.clone(),
        };
        self.issues.push(Tracked {
            wanted: raised.wanted(&self.lexicon),
            raised,
            raised_at: self.step,
            proposal: self.scope.clone(),
            subjects: self.subjects.clone(),
            repeats,
            withdrawn: issue.withdrawn,
            moot: false,
            decided: None,
            due: Vec::new(),
            deferred: Vec::new(),
            answers: Vec::new(),
            flags: Vec::new(),
            verified: None,
            reviewed_at: None,
        });
    }

    /// The next id of a round that no document has given out.
    fn next_id(&self, round: u32, taken: &BTreeSet<String>) -> String {
        let free = (1..=999)
            .map(|number| IssueId::new(round, number).to_string())
            .find(|id| {
                !taken.contains(id) && self.issues.iter().all(|tracked| tracked.raised.id != *id)
            });
        free.unwrap_or_else(|| format!("ISSUE-R{round}"))
    }

    /// A summary or a status document.
    fn account_document(&mut self, round: u32, text: &str, name: &str) {
        self.step += 1;
        let document = Document::parse(text);
        let passages = Passages::of(&document, &self.lexicon);
        let status = read_status(&document);
        for tracked in &mut self.issues {
            let gap = tracked.raised.gap.as_ref().and_then(|gap| status.gap(gap));
            tracked.moot |= gap.is_some_and(|entry| entry.state == GapState::WontFix);
        }
        let known: Vec<GapId> = status.gaps.into_iter().map(|entry| entry.gap).collect();
        for closure in of_account(&document, &passages, round, name) {
            self.closures.push(Closing {
                step: self.step,
                closure,
                about: known.clone(),
            });
        }
    }

    /// H6: the first document that closes the gap of each issue that nobody had answered by then.
    fn close_over(&mut self) {
        for tracked in self
            .issues
            .iter_mut()
            .filter(|tracked| tracked.stands() && tracked.decided.is_none())
        {
            let closing = self
                .closures
                .iter()
                .find(|closing| closes(closing, tracked, &self.closures));
            let Some(closing) = closing else {
                continue;
            };
            let answered = tracked.answers.iter().any(|(at, _)| *at <= closing.step)
                || tracked.verified.is_some_and(|(at, _)| at <= closing.step);
            if !answered {
                let flag = closed_over(&tracked.raised, &closing.closure);
                tracked.flags.push((closing.step, flag));
            }
        }
    }

    fn finish(mut self) -> Account {
        self.close_over();
        let issues: Vec<IssueAccount> = self.issues.into_iter().map(Tracked::account).collect();
        let counted: Vec<Counted> = issues
            .iter()
            .flat_map(|issue| issue.flags.iter().map(move |flag| (issue, flag)))
            .map(|(issue, flag)| Counted {
                issue: issue.raised.id.clone(),
                gap: issue.raised.gap.clone(),
                summary: issue.raised.concern.summary.clone(),
                severity: issue.raised.concern.severity,
                round: flag.round,
                heuristic: flag.heuristic,
            })
            .collect();
        let mut rounds: Vec<RoundAccount> = self.rounds.into_values().collect();
        for account in &mut rounds {
            account.weighed = weigh(
                account.round,
                &counted,
                &BTreeSet::new(),
                self.parameters,
                &self.lexicon,
            );
        }
        Account { issues, rounds }
    }
}

/// Whether a closing is over an issue.
fn closes(closing: &Closing, tracked: &Tracked, all: &[Closing]) -> bool {
    if closing.step < tracked.raised_at {
        return false;
    }
    match (&closing.closure.gap, &tracked.raised.gap) {
        (Some(closed), Some(gap)) => closed == gap,
        (None, Some(gap)) => closing.about.contains(gap),
        // A document that approves as a whole approves what was raised in it, and on what it is about.
        (None, None) => {
            closing.step == tracked.raised_at
                || (!tracked.proposal.is_empty()
                    && tracked.is_due_in(&closing.about, &BTreeSet::new()))
        }
        // One that closes every gap it knows of the proposal closes the proposal.
        (Some(closed), None) => {
            let together: Vec<&GapId> = all
                .iter()
                .filter(|other| other.step == closing.step)
                .filter_map(|other| other.closure.gap.as_ref())
                .collect();
            tracked.proposal.contains(closed)
                && closing
                    .about
                    .iter()
                    .filter(|gap| tracked.proposal.contains(gap))
                    .all(|gap| together.contains(&gap))
        }
    }
}
