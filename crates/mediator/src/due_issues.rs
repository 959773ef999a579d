//! Compares what the Engineers wrote with the issues and decisions that are due in a round: finds the answers, and flags what was
//! ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Refusal;
use super::engineering::{Answered, BY_THE_USER, Valid, joined};
use super::turn::Turn;
use gapless_detection::disagreement::{
    Beside, By, Demand, Detected, Doubt, Earlier, Found, Output, Parameters, Raised, Sought,
    Wanted, detect, rolled_back,
};
use gapless_domain::decision::Decision;
use gapless_domain::flag::Flag;
use gapless_domain::gap::{Gap, GapState};
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::issue::{AnswerKind, Issue};
use gapless_domain::text::TextHash;
use gapless_reading::read::ReadDocument;
use gapless_session::state::Now;

/// The answers and flags of one search.
#[derive(Default)]
pub(super) struct Looked {
    pub flags: Vec<(IssueId, Flag)>,
    pub answered: Vec<Answered>,
}

impl Turn<'_> {
    /// H2, in a round that is run again: its gap went wrong in another way each time.
    fn undone_again(&self, raised: &Raised) -> Option<Flag> {
        let gap = raised.gap.as_ref()?;
        let round = self.state.now.round.number;
        let reasons = self.state.patterns_undone(round, gap);
        rolled_back(gap, &reasons, round)
    }

    /// Searches this round's Engineer documents for answers to everything that is due, and gives the answers and the flags.
    pub(super) fn look_at_due(&self, outputs: &[Valid]) -> Result<Looked, Refusal> {
        let due = self.due_in_round(outputs);
        if outputs.is_empty() || due.is_empty() {
            return Ok(Looked::default());
        }
        let parameters = self.parameters();
        let sections = self.sections_before(&due)?;
        let before: BTreeMap<&TextHash, Before> = sections
            .iter()
            .map(|(hash, section)| (hash, Before::of(section)))
            .collect();
        let nothing = Earlier::default();
        let wanted: Vec<Wanted> = due.values().map(|due| due.raised.wanted()).collect();
        let sought = due.values().zip(&wanted).map(|(due, wanted)| {
            let section = self.previous_proposal(&due.raised, due.owed_since);
            let before = section.and_then(|section| before.get(&section));
            Sought {
                raised: &due.raised,
                wanted,
                demand: Demand::Due,
                doubt: due.doubt(),
                earlier: before.map_or(&nothing, |before| &before.earlier),
                previous: before
                    .filter(|_| parameters.enable_semantic_check)
                    .map(|before| &before.output),
            }
        });
        let sought: Vec<Sought> = sought.collect();
        let others = self.issues_beside(&due);
        let own = due
            .values()
            .zip(&wanted)
            .filter(|(due, _)| due.is_as_raised());
        let own = own.map(|(due, wanted)| (&due.raised, wanted));
        let others = others.iter().map(|(raised, wanted)| (raised, wanted));
        let beside: Vec<Beside> = own
            .chain(others)
            .map(|(raised, wanted)| Beside { raised, wanted })
            .collect();
        let written = joined(outputs);
        let detected = detect(
            &sought,
            &Output::of(&written),
            &beside,
            self.state.now.round.number,
            &parameters,
        );
        let mut looked = Looked::default();
        for ((id, due), Detected { found, mut flags }) in due.iter().zip(detected) {
            if due.weighs {
                flags.extend(self.undone_again(&due.raised));
            }
            looked.answered.extend(self.answered(id, &found, &flags));
            if due.flagged {
                let flags = flags.into_iter().map(|flag| (*id, flag));
                looked.flags.extend(flags);
            }
        }
        Ok(looked)
    }

    /// The sections that the proposals of due items had before, by their texts.
    fn sections_before(
        &self,
        due: &BTreeMap<IssueId, Due>,
    ) -> Result<BTreeMap<TextHash, ReadDocument>, Refusal> {
        let due = due.values();
        let sections: BTreeSet<TextHash> = due
            .filter_map(|due| self.previous_proposal(&due.raised, due.owed_since))
            .collect();
        let sections = sections.into_iter();
        sections
            .map(|section| Ok((section, ReadDocument::plain(&self.text(&section)?))))
            .collect()
    }

    /// The other open and newest settled issues on the gaps of the due ones: a passage may be about any of them.
    fn issues_beside(&self, due: &BTreeMap<IssueId, Due>) -> Vec<(Raised, Wanted)> {
        let now = &self.state.now;
        let gaps = due.values().filter_map(|due| due.raised.gap.as_ref());
        let gaps: BTreeSet<&GapId> = gaps.collect();
        let gaps = gaps.into_iter().filter_map(|id| now.gaps.get(id));
        let beside = gaps.flat_map(|gap| gap.standing_issues.iter().chain(&gap.settled_issues));
        let beside: BTreeSet<&IssueId> = beside
            .filter(|id| !due.get(id).is_some_and(Due::is_as_raised))
            .collect();
        let issues = beside.into_iter().filter_map(|id| now.issues.get(id));
        issues
            .map(|issue| raised(now, issue))
            .map(|raised| {
                let wanted = raised.wanted();
                (raised, wanted)
            })
            .collect()
    }

    /// How an issue is answered: in substance, and with no flag on it that counts. Where the user called every flag a false alarm,
    /// it is answered as well.
    fn answered(&self, id: &IssueId, found: &Found, flags: &[Flag]) -> Option<Answered> {
        let issue = self.state.now.issues.get(id)?;
        if flags.iter().any(|flag| self.counts(issue, flag)) {
            return None;
        }
        let judged = |flag: &Flag| issue.judgement(flag) == Some(false);
        match &found.answer {
            Some(answer) => {
                let how = match answer.by {
                    By::Disagree => return None,
                    By::Id => AnswerKind::Mention,
                    By::Quote | By::Location | By::Suggestion | By::Keywords => {
                        AnswerKind::Substance
                    }
                };
                Some(Answered {
                    issue: *id,
                    how,
                    words: answer.quote.clone(),
                })
            }
            None if !flags.is_empty() && flags.iter().all(judged) => Some(Answered {
                issue: *id,
                how: AnswerKind::Substance,
                words: BY_THE_USER.to_owned(),
            }),
            None => None,
        }
    }

    /// True for a flag that the user did not call a false alarm, of a heuristic that does more than advise.
    pub(super) fn counts(&self, issue: &Issue, flag: &Flag) -> bool {
        let advisory = &self.state.kept.setup.advisory;
        !advisory.contains(&flag.heuristic) && issue.judgement(flag) != Some(false)
    }

    /// What Engineers that wrote in this round had to answer: issues of earlier rounds that they don't openly disagree with, and
    /// grave decisions that they were told of.
    fn due_in_round(&self, outputs: &[Valid]) -> BTreeMap<IssueId, Due> {
        let now = &self.state.now;
        let mut due: BTreeMap<IssueId, Due> = BTreeMap::new();
        let written = self.valid_engineer_slots();
        let assigned: BTreeSet<&GapId> = written.iter().flat_map(|output| &output.gaps).collect();
        let bound = outputs.iter().flat_map(|output| &output.reading.gaps);
        let mut gaps: BTreeSet<&GapId> = bound.map(|bound| &bound.gap).collect();
        gaps.extend(&assigned);
        for gap in gaps
            .into_iter()
            .filter_map(|id| now.gaps.get(id))
            // Nothing is owed on a gap whose Engineer openly waits for the user.
            .filter(|gap| gap.state != GapState::BlockedExternal)
        {
            let issues = now.standing_issues(gap);
            for issue in issues.filter(|issue| !issue.concern.settled_by_user) {
                if !now.round.disagreed.contains(&issue.id) {
                    // What a final review raised in this round can be answered in it.
                    let earlier = issue.raised_in < now.round.number;
                    let weighs = assigned.contains(&gap.id) && issue.concern.severity.holds();
                    due.insert(
                        issue.id,
                        Due {
                            raised: raised(now, issue),
                            owed_since: None,
                            weighs,
                            flagged: weighs && earlier,
                        },
                    );
                }
            }
            for decision in self.told_of(gap) {
                let issue = decision.issue.and_then(|id| now.issues.get(&id));
                let Some(issue) = issue.filter(|issue| issue.concern.severity.holds()) else {
                    continue;
                };
                let owed = due.entry(issue.id).or_insert_with(|| Due {
                    raised: Raised {
                        gap: Some(gap.id.clone()),
                        ..raised(now, issue)
                    },
                    owed_since: None,
                    weighs: true,
                    flagged: true,
                });
                owed.owed_since = owed.owed_since.max(Some(decision.id.round));
                let name = decision.id.to_string();
                if !owed.raised.aliases.contains(&name) {
                    owed.raised.aliases.push(name);
                    let concern = Arc::make_mut(&mut owed.raised.concern);
                    concern.suggestion = Some(match concern.suggestion.take() {
                        Some(text) => format!("{text}. {}", decision.decision),
                        None => decision.decision.clone(),
                    });
                }
            }
        }
        due
    }

    /// The decisions that a gap's Engineer was asked to carry out in this round.
    pub(super) fn told_of<'s>(&'s self, gap: &'s Gap) -> impl Iterator<Item = &'s Decision> {
        let known = &gap.decisions[..gap.decisions_known.min(gap.decisions.len())];
        known
            .iter()
            .filter(|id| gap.obligations.contains(id))
            .filter_map(|id| self.state.now.decision(id))
    }

    pub(super) fn parameters(&self) -> Parameters {
        let config = &self.state.kept.setup.config;
        Parameters {
            unaddressed_high_threshold: config.unaddressed_high_threshold,
            unaddressed_critical_threshold: config.unaddressed_critical_threshold,
            pattern_threshold: config.pattern_threshold,
            semantic_overlap_minimum: config.semantic_overlap_minimum,
            enable_semantic_check: config.enable_semantic_check,
        }
    }

    /// The gap's last proposal, if the issue was raised on it or the decision made against it: text that was already there
    /// answers nothing.
    fn previous_proposal(&self, raised: &Raised, owed_since: Option<u32>) -> Option<TextHash> {
        let gap = self.state.now.gaps.get(raised.gap.as_ref()?)?;
        let proposal = gap.proposal.as_ref()?;
        owed_since
            .is_none_or(|round| proposal.round <= round)
            .then_some(proposal.section)
    }
}

/// An issue or a decision that this round's Engineers had to meet.
struct Due {
    raised: Raised,
    /// The round of the newest decision that is to be carried out.
    owed_since: Option<u32>,
    /// An answer that a heuristic flags doesn't count.
    weighs: bool,
    /// It is flagged where it is passed over.
    flagged: bool,
}

impl Due {
    /// True for an issue that no decision adds something to.
    fn is_as_raised(&self) -> bool {
        self.owed_since.is_none()
    }

    fn doubt(&self) -> Doubt {
        match (self.weighs, self.owed_since) {
            (false, _) => Doubt::None,
            (true, None) => Doubt::Issue,
            (true, Some(_)) => Doubt::Decision,
        }
    }
}

/// A section that stood there before: what it says is no answer.
struct Before<'s> {
    output: Output<'s>,
    earlier: Earlier,
}

impl<'s> Before<'s> {
    fn of(section: &'s ReadDocument) -> Self {
        let output = Output::of(section);
        let mut earlier = Earlier::default();
        earlier.add(&output.passages);
        Self { output, earlier }
    }
}

/// An issue as detection sees it. A name that another issue has as its id, or that a later one was given as well, means that one.
pub(super) fn raised(now: &Now, issue: &Issue) -> Raised {
    let means_another = |name: &str| {
        let by_id = name.parse().is_ok_and(|id| now.issues.contains_key(&id));
        let later = now.issues.values().rev();
        let later = later.take_while(|later| later.id > issue.id);
        let mut names = later.flat_map(|later| &later.aliases);
        by_id || names.any(|alias| alias.name == name)
    };
    let names = issue.aliases.iter().map(|alias| alias.name.clone());
    Raised {
        id: issue.id.to_string(),
        aliases: names.clone().collect(),
        round: issue.raised_in,
        gap: Some(issue.gap.clone()),
        concern: issue.concern.clone(),
        given_away: names.filter(|name| means_another(name)).collect(),
    }
}
