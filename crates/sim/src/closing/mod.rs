//! Sessions in which agents try to close what is open. Concerns are planted in them whose identity the simulator knows, and the
//! end is compared with what really became of these (`truth`), not with the states of the ledger: nothing grave may be passed
//! over, and once everything is answered the session must be able to end.

mod agents;
mod concerns;
mod documents;
mod truth;
mod users;
mod writing;

pub use users::command;

use gapless_domain::{Answer, Config, Question, Role, RollbackMode};
use gapless_mediator::RunSettings;
use gapless_session::State;
use gapless_store::Row;

use crate::check::ensure;
use crate::setting::Setting;
use crate::{Behaviour, Rng, Seen, Verdict, Work, words};
use agents::ClosingBehaviour;
use concerns::{Concerns, LIGHT_WORDINGS};
use truth::{Records, Truth};

/// How many steps a session may take to end once everything is answered.
const MOST_STEPS_TO_END: u32 = 1_000;

const SECTIONS: [&str; 3] = ["Delivery", "Storage", "Operations"];

pub struct Planting {
    behaviour: ClosingBehaviour,
    records: Records,
    /// The spec that the session refines.
    pub source: String,
}

impl Planting {
    pub fn drawn(rng: &mut Rng) -> Self {
        let behaviour = ClosingBehaviour::drawn(rng);
        let concerns = Concerns::drawn(rng);
        let source = source(rng, &concerns);
        let mut truth = Truth::new(concerns);
        truth.declare(&source);
        Self {
            behaviour,
            records: Records::new(truth),
            source,
        }
    }

    pub fn work(&self, rng: &mut Rng, wild: bool, seen: &Seen) -> Work {
        let behaviour = wild.then_some(self.behaviour);
        agents::work(rng, behaviour, &self.records.now, seen)
    }

    /// What a user answers: anything, or what settles everything.
    pub fn answer(
        &self,
        rng: &mut Rng,
        wild: bool,
        state: &State,
        question: &Question,
    ) -> Option<Answer> {
        let truth = &self.records.now;
        match wild {
            true => users::any_answer(rng, state, question, truth),
            false => Some(users::towards_completion(rng, state, question, truth)),
        }
    }

    pub fn observe(&mut self, row: &Row, document: &dyn Fn(&str) -> String) -> Verdict {
        self.records.observe(row, document)
    }

    pub fn check_spec(&self, end: &str, spec: &str) -> Verdict {
        self.records.now.check_spec(end, spec)
    }

    /// Once agents do what is asked and the user settles nothing by force, the session ends, and with nothing grave left.
    pub fn check_ability_to_end(&self, calm_steps: u32, end: Option<&str>) -> Verdict {
        ensure(calm_steps <= MOST_STEPS_TO_END, "planted", || {
            format!(
                "everything is answered, and there is no end after {calm_steps} steps; open: {:?}",
                self.records.now.open()
            )
        })?;
        let well = end.is_none_or(|end| matches!(end, "COMPLETE" | "GOOD_ENOUGH"));
        ensure(calm_steps == 0 || well, "planted", || {
            format!("everything is answered, and the session ends as {end:?}")
        })
    }
}

/// A spec that declares a few of the concerns as gaps.
fn source(rng: &mut Rng, concerns: &Concerns) -> String {
    let mut text = String::from("# A service\n\n");
    for section in SECTIONS {
        let body = words::line(rng, 8, 20);
        text += &format!(
            "## {section}\n\nThe {} is {body}.\n\n",
            section.to_lowercase()
        );
    }
    text += "## Gaps\n\n";
    let count = rng
        .between(1, 4)
        .min(u32::try_from(concerns.len()).unwrap_or(1));
    for number in 0..count as usize {
        let severity = words::severity(rng);
        let words = concerns.get(number).words(rng.below(LIGHT_WORDINGS));
        text += &format!("- GAP-OPS-{:03} [{severity}]: {words}\n", number + 1);
    }
    text
}

impl Setting {
    /// The setting of a session in which agents try to close what is open.
    pub fn closing(rng: &mut Rng) -> Self {
        let config = Config {
            gaps_per_round: rng.between(1, 4),
            parallel_engineers: rng.between(1, 2),
            max_retries: rng.between(1, 2),
            critical_override: rng.percent(50),
            hard_limit: 50,
            rollback_mode: match rng.below(4) {
                0 => RollbackMode::AutoRetry,
                1 => RollbackMode::Strict,
                _ => RollbackMode::Interactive,
            },
            ..Config::default()
        };
        let mut agents = std::collections::BTreeMap::from([
            (Role::Engineer, "replay:one".to_owned()),
            (Role::Reviewer, "replay:two".to_owned()),
        ]);
        if rng.percent(50) {
            agents.insert(Role::Analyst, "replay:one".to_owned());
        }
        Self {
            met: RunSettings {
                config,
                agents,
                ..RunSettings::default()
            },
            behaviour: Behaviour::GOOD,
            unprompted_percent: [0, 4, 10, 20][rng.below(4)],
            kill_percent: [0, 0, 0, 2][rng.below(4)],
            slow_commit_percent: 0,
            other_process_percent: 0,
            on_disk: false,
            patience: rng.between(20, 160),
        }
    }
}
