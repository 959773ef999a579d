//! Taking over a record of another program's: its documents go through the rules round by round, without agents and
//! without questions, and where its status.md says otherwise in the end, that stands and is said.

mod rounds;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};

use super::start::Start;
use super::turn::Turn;
use super::{Refusal, Result};
use gapless_domain::ids::HIGHEST_ROUND;
use gapless_domain::{
    Alias, Concern, GapId, GapState, NewGap, Origin, Phase, RecordedRound, RecordedSession, Role,
    Severity, Takeover, one_line,
};
use gapless_markdown::Document;
use gapless_reading::read::{
    ForeignEntry, ReadDocument, RecordedDecision, StatusEntry, read_decisions, read_foreign,
    read_status,
};
use gapless_session::SessionEvent;

/// A record to be taken over, and what the session starts from.
#[derive(Debug, Clone)]
pub struct Import {
    pub start: Start,
    /// The folder of the record, as the user named it.
    pub from: String,
    pub record: RecordedSession,
}

const STATUS: &str = "status.md";
const DECISIONS: &str = "decisions.md";
/// The category of what goes by a name that no category can be made of.
const OTHER_CATEGORY: &str = "REC";
/// How many rounds in a row a record may leave out.
const LONGEST_HOLE: u32 = 20;

impl Turn<'_> {
    pub(super) fn import(&mut self, import: Import) -> Result<()> {
        let Import {
            mut start,
            from,
            record,
        } = import;
        // The inventory is there already.
        start.met.agents.remove(&Role::Analyst);
        self.start(start)?;
        let mut takeover = Takeover {
            from,
            ..Takeover::default()
        };
        let rounds = in_order(record.rounds, &mut takeover)?;
        let status = record.status.as_deref().map(Document::parse);
        let mut entries = match &status {
            Some(status) => read_status(status).gaps,
            None => {
                takeover.leave(STATUS, None, "it is not there: states come from the rounds");
                Vec::new()
            }
        };
        let (declared, foreign): (Vec<_>, Vec<_>) = status
            .iter()
            .flat_map(read_foreign)
            .partition(|entry| self.declared_as(&entry.name).is_some());
        for entry in declared {
            let gap = self.declared_as(&entry.name);
            let gap = gap.filter(|gap| entries.iter().all(|known| known.gap != *gap));
            entries.extend(gap.map(|gap| of_the_inventory(gap, entry)));
        }
        let later = brought_up_later(&rounds);
        for entry in entries.iter().filter(|entry| !later.contains(&entry.gap)) {
            self.take_entry(entry);
        }
        let decisions = record.decisions.as_deref().map(Document::parse);
        let decisions = decisions.as_ref().map(read_decisions).unwrap_or_default();
        for (line, title) in &decisions.unread {
            let why = format!("no decision can be read under \"{}\"", one_line(title));
            takeover.leave(DECISIONS, *line, why);
        }
        let mut decisions = decisions.decisions;
        self.take_decisions(&mut decisions, 0, &mut takeover)?;
        if !rounds.is_empty() {
            self.begin_rounds()?;
        }
        for round in &rounds {
            self.take_round(round, &mut takeover)?;
            self.take_decisions(&mut decisions, round.round, &mut takeover)?;
            takeover.rounds = round.round;
        }
        self.take_decisions(&mut decisions, u32::MAX, &mut takeover)?;
        if let Some(status) = &status {
            self.take_verdicts(status, &entries, &mut takeover)?;
            for entry in &foreign {
                self.take_foreign(entry, &mut takeover)?;
            }
        }
        for file in record.others {
            takeover.leave(&file, None, "nothing is read from it");
        }
        self.ask_about_conflicts()?;
        self.session(SessionEvent::Imported {
            takeover: Box::new(takeover),
        });
        Ok(())
    }

    /// What a record has is an inventory that somebody agreed to.
    fn begin_rounds(&mut self) -> Result<()> {
        self.enter(Phase::Inventory)?;
        let initial_gaps = self.state.now.gaps_left();
        let limits = self.state.kept.setup.config.limits(initial_gaps);
        self.session(SessionEvent::LimitsSet {
            limits,
            initial_gaps,
        });
        Ok(())
    }

    /// Takes a gap of the inventory that nothing has brought up yet.
    fn take_entry(&mut self, entry: &StatusEntry) {
        // Also what an earlier session settled in the source: such an id is not given again.
        if self.state.kept.used_gap_ids.contains(&entry.gap) {
            return;
        }
        self.create(NewGap::new(
            entry.gap.clone(),
            entry.severity.unwrap_or(Severity::Medium),
            entry.description.trim().to_owned(),
            recorded_on(entry.line),
        ));
    }

    /// The gap that the source declares under a name of another shape.
    fn declared_as(&self, name: &str) -> Option<GapId> {
        let mut gaps = self.state.now.gaps.values();
        let declared = gaps.find(|gap| gap.aliases.iter().any(|alias| alias.name == name));
        declared.map(|gap| gap.id.clone())
    }

    /// Takes what goes by a name of another shape: under an id of gapless's own, the name kept for that document.
    fn take_foreign(&mut self, entry: &ForeignEntry, takeover: &mut Takeover) -> Result<()> {
        let ForeignEntry { name, line, .. } = entry;
        if entry.settled {
            let why = format!("{name} is settled in the record: there is nothing left to do on it");
            takeover.leave(STATUS, *line, why);
            return Ok(());
        }
        let severity = entry.severity.unwrap_or(Severity::Medium);
        let given = match entry.is_issue {
            true => {
                let concern = Concern {
                    severity,
                    summary: entry.description.clone(),
                    location: None,
                    impact: None,
                    suggestion: None,
                    settled_by_user: false,
                };
                let gap = gapless_domain::ids::gap_ids_in(&entry.description)
                    .into_iter()
                    .next();
                let gap = gap.and_then(|found| self.part_of(&found.id));
                let named = Some((STATUS.to_owned(), name.as_str()));
                self.raise(gap, concern.into(), None, named, None)?
                    .to_string()
            }
            false => {
                let written = gap_named(name);
                let id = written.and_then(|written| self.state.allot_gap(&written));
                let id = id.ok_or_else(|| Refusal::OutOfIds(name.clone()))?;
                let description = entry.description.clone();
                self.create(NewGap {
                    alias: Some(Alias {
                        document: STATUS.to_owned(),
                        name: name.clone(),
                    }),
                    ..NewGap::new(id.clone(), severity, description, recorded_on(*line))
                });
                id.to_string()
            }
        };
        let grade = match entry.severity {
            Some(_) => String::new(),
            None => " with severity MEDIUM, since none is given".to_owned(),
        };
        takeover.assume(STATUS, *line, format!("{name} is taken as {given}{grade}"));
        Ok(())
    }

    /// Takes the decisions of the rounds up to one that were not taken yet.
    fn take_decisions(
        &mut self,
        decisions: &mut Vec<RecordedDecision>,
        round: u32,
        takeover: &mut Takeover,
    ) -> Result<()> {
        let (due, later): (Vec<_>, Vec<_>) = std::mem::take(decisions)
            .into_iter()
            .partition(|decision| decision.round <= round);
        *decisions = later;
        for decision in due {
            self.take_decision(&decision, takeover)?;
        }
        Ok(())
    }
}

fn recorded_on(line: u32) -> Origin {
    Origin::Recorded {
        document: STATUS.to_owned(),
        line,
    }
}

/// What a record says of a gap under the name that the source has for it.
fn of_the_inventory(gap: GapId, entry: ForeignEntry) -> StatusEntry {
    StatusEntry {
        gap,
        severity: entry.severity,
        state: match entry.settled {
            true => GapState::Resolved,
            false => GapState::Open,
        },
        description: entry.description,
        line: entry.line,
    }
}

/// The gap that a name of another shape stands for: `XCUT-NAV-001` is of category NAV.
fn gap_named(name: &str) -> Option<GapId> {
    let (head, number) = name.rsplit_once('-').unwrap_or((name, ""));
    let number = number.parse().unwrap_or(1);
    let categories = head.rsplit('-').chain([OTHER_CATEGORY]);
    let mut ids = categories.filter_map(|category| GapId::new(category, number));
    ids.next()
}

/// The rounds of a record without holes: one that is left out has nothing in it.
fn in_order(recorded: Vec<RecordedRound>, takeover: &mut Takeover) -> Result<Vec<RecordedRound>> {
    let mut by_round: BTreeMap<u32, RecordedRound> = BTreeMap::new();
    for round in recorded {
        let number = round.round;
        if number == 0 || number > HIGHEST_ROUND || by_round.contains_key(&number) {
            for text in round.engineer.iter().chain(&round.reviewer) {
                takeover.leave(
                    &text.file,
                    None,
                    "it is of no round from 1 on, or of one twice",
                );
            }
            continue;
        }
        by_round.insert(number, round);
    }
    let mut rounds: Vec<RecordedRound> = Vec::new();
    for (number, round) in by_round {
        let next = rounds.last().map_or(0, |last| last.round) + 1;
        if number - next > LONGEST_HOLE {
            return Err(Refusal::RecordWithHoles {
                after: next - 1,
                before: number,
            });
        }
        for missing in next..number {
            takeover.leave(
                &format!("round_{missing:03}"),
                None,
                "it is not there: the round is taken as one in which nobody wrote anything",
            );
            rounds.push(RecordedRound {
                round: missing,
                ..RecordedRound::default()
            });
        }
        rounds.push(round);
    }
    Ok(rounds)
}

/// Gaps that a round brings up as new before any Engineer works on them: they are not of the first inventory.
fn brought_up_later(rounds: &[RecordedRound]) -> BTreeSet<GapId> {
    let (mut new, mut worked_on) = (BTreeSet::new(), BTreeSet::new());
    for round in rounds {
        for text in &round.engineer {
            let document = ReadDocument::of_engineer(&text.text);
            let reading = document.as_engineer();
            worked_on.extend(reading.gaps.iter().map(|bound| bound.gap.clone()));
            let bound = reading.gaps.iter().flat_map(|bound| &bound.new_gaps);
            let declared = bound.chain(&reading.new_gaps).map(|gap| gap.id.clone());
            new.extend(declared.filter(|gap| !worked_on.contains(gap)));
        }
        for text in &round.reviewer {
            let document = ReadDocument::plain(&text.text);
            let reading = document.as_reviewer();
            let declared = reading.new_gaps.iter().map(|gap| gap.id.clone());
            new.extend(declared.filter(|gap| !worked_on.contains(gap)));
        }
    }
    new
}
