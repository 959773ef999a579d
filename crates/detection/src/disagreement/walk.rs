//! The steps of the walk through a session: an Engineer's output, a review, an account of the round; and what is left of
//! the flags at its end.

use std::collections::{BTreeMap, BTreeSet};

use super::account::{Account, RoundAccount};
use super::answer::{Beside, Demand};
use super::closures::{Closure, of_account, of_review};
use super::detect::{Detected, Doubt, Sought, detect};
use super::heuristics::closed_over;
use super::ledger::{Answered, IssueAccount, Tracked};
use super::output::Output;
use super::passages::{Earlier, Passages};
use super::raised::Raised;
use super::scope::{scope_of, subjects_of};
use super::thresholds::{Counted, Parameters, Weighed, weigh};
use super::verification::word_on;
use gapless_domain::flag::{Evidence, Flag, Heuristic};
use gapless_domain::gap::GapState;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::matter::{Link, Matter};
use gapless_markdown::Document;
use gapless_reading::read::{IssueStatus, RaisedIssue, ReadDocument, read_status};

/// A closing, with when it was written and what the document was about.
pub(super) struct Closing {
    step: usize,
    closure: Closure,
    about: Vec<GapId>,
}

pub(super) struct Walk<'p, 'o> {
    parameters: &'p Parameters,
    pub issues: Vec<Tracked>,
    rounds: BTreeMap<u32, RoundAccount>,
    pub closures: Vec<Closing>,
    earlier: Earlier,
    /// The newest proposals, newest last.
    outputs: Vec<&'o Output<'o>>,
    /// What the newest Engineer worked on.
    scope: Vec<GapId>,
    subjects: BTreeSet<String>,
    step: usize,
}

impl<'p, 'o> Walk<'p, 'o> {
    pub fn new(parameters: &'p Parameters) -> Self {
        Self {
            parameters,
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

    pub fn engineer(&mut self, round: u32, output: &'o Output<'o>, scope: Option<Vec<GapId>>) {
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
        let detected = self.detect(round, output, &scope, &subjects);
        let step = self.step;
        let standing = self.issues.iter_mut().filter(|tracked| tracked.stands());
        for (tracked, Detected { found, flags }) in standing.zip(detected) {
            let id = tracked.raised.id.clone();
            let (rounds, listed) = match tracked.is_due_in(&scope, &subjects) {
                true => (&mut tracked.due, &mut account.due),
                false => (&mut tracked.deferred, &mut account.deferred),
            };
            if rounds.last() != Some(&round) {
                rounds.push(round);
            }
            listed.push(id.clone());
            let doubted = !flags.is_empty();
            let flags = flags.into_iter().map(|flag| (step, flag));
            tracked.flags.extend(flags);
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

    /// Looks at every issue that stands in an output.
    fn detect(
        &self,
        round: u32,
        output: &Output,
        scope: &[GapId],
        subjects: &BTreeSet<String>,
    ) -> Vec<Detected> {
        let standing = || self.issues.iter().filter(|tracked| tracked.stands());
        let others: Vec<Beside> = standing()
            .map(|tracked| Beside {
                raised: &tracked.raised,
                wanted: &tracked.wanted,
            })
            .collect();
        let sought = standing().map(|tracked| {
            let due = tracked.is_due_in(scope, subjects);
            let settled = !tracked.answers.is_empty() || tracked.verified.is_some();
            let gap = tracked.raised.gap.as_ref();
            let doubted = due && !settled;
            let previous = gap.filter(|_| doubted).and_then(|gap| {
                let mut older = self.outputs.iter().rev().copied();
                older.find(|older| older.section(gap).is_some())
            });
            Sought {
                raised: &tracked.raised,
                wanted: &tracked.wanted,
                demand: if due { Demand::Due } else { Demand::Elsewhere },
                doubt: if doubted { Doubt::Issue } else { Doubt::None },
                earlier: &self.earlier,
                previous,
            }
        });
        let sought: Vec<Sought> = sought.collect();
        detect(&sought, output, &others, round, self.parameters)
    }

    pub fn reviewer(&mut self, round: u32, review: &ReadDocument, name: &str) {
        self.step += 1;
        let reading = review.as_reviewer();
        let passages = Passages::of(&review.structure);
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
        for closure in of_review(reading, &review.structure.source, round, name) {
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
                Some((IssueStatus::Settled, _)) => tracked.verified = Some((step, round)),
                Some((IssueStatus::Open, line)) => {
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
        let matter = Matter::of(&issue.concern.summary);
        let known = self.issues.iter_mut().find(|tracked| {
            let same_name =
                !written.is_empty() && tracked.raised.names().any(|name| name == written);
            // An id may be given out again in every review.
            same_name && tracked.matter.is(&matter, Link::Id)
        });
        if let Some(tracked) = known {
            tracked.raise_again(self.step, issue.withdrawn);
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
            .find(|tracked| tracked.raised.gap == gap && tracked.matter.is(&matter, Link::None))
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
            wanted: raised.wanted(),
            matter,
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
    pub fn account_document(&mut self, round: u32, text: &str, name: &str) {
        self.step += 1;
        let document = Document::parse(text);
        let passages = Passages::of(&document);
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

    pub fn finish(mut self) -> Account {
        self.close_over();
        let issues: Vec<IssueAccount> = self.issues.into_iter().map(Tracked::account).collect();
        let counted: Vec<Counted<String>> = issues
            .iter()
            .flat_map(|issue| issue.flags.iter().map(move |flag| (issue, flag)))
            .map(|(issue, flag)| Counted {
                issue: issue.raised.id.clone(),
                gap: issue.raised.gap.as_ref(),
                summary: &issue.raised.concern.summary,
                severity: issue.raised.concern.severity,
                round: flag.round,
                heuristic: flag.heuristic,
            })
            .collect();
        let mut rounds: Vec<RoundAccount> = self.rounds.into_values().collect();
        for account in &mut rounds {
            account.weighed = weigh(account.round, &counted, &BTreeSet::new(), self.parameters);
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

impl Tracked {
    /// Takes the issue up again: an answer before it was none.
    fn raise_again(&mut self, step: usize, withdrawn: bool) {
        self.withdrawn |= withdrawn;
        let Some(void) = self.void_answers().filter(|_| !withdrawn) else {
            return;
        };
        let evidence = Evidence {
            text: format!("{} is raised again after it was answered", self.raised.id),
            line: Some(void.answer.line),
            quote: Some(void.answer.quote),
            overlap: Some(void.answer.overlap),
            ..Evidence::default()
        };
        let flag = Flag::new(Heuristic::H4, void.round, evidence);
        self.flags.push((step, flag));
    }
}
