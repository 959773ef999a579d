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

use gapless_domain::{Answer, Config, Question};
use gapless_mediator::RunSettings;
use gapless_session::State;
use gapless_store::Row;

use crate::check::ensure;
use crate::setting::{Setting, drawn_agents, drawn_rollback_mode};
use crate::{Behaviour, Rng, Seen, Verdict, Work, source, words};
use agents::ClosingBehaviour;
use concerns::{Concerns, LIGHT_WORDINGS};
use truth::{Records, Truth};

/// How many steps a session may take to end once everything is answered.
const MOST_STEPS_TO_END: u32 = 1_000;

const SECTIONS: [&str; 3] = ["Delivery", "Storage", "Operations"];

pub struct Planting {
    behaviour: ClosingBehaviour,
    records: Records,
}

impl Planting {
    /// What is planted, and the spec that the session refines.
    pub fn drawn(rng: &mut Rng) -> (Self, String) {
        let behaviour = ClosingBehaviour::drawn(rng);
        let concerns = Concerns::drawn(rng);
        let source = spec(rng, &concerns);
        let mut truth = Truth::new(concerns);
        truth.declare(&source);
        let records = Records::new(truth);
        (Self { behaviour, records }, source)
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
fn spec(rng: &mut Rng, concerns: &Concerns) -> String {
    let mut text = source::begin(rng, &SECTIONS, 20);
    for number in 0..concerns.len().min(rng.between(1, 4) as usize) {
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
            rollback_mode: drawn_rollback_mode(rng),
            ..Config::default()
        };
        Self {
            met: RunSettings {
                config,
                agents: drawn_agents(rng, 50),
                ..RunSettings::default()
            },
            behaviour: Behaviour::good(),
            unprompted_percent: rng.one_of(&[0, 4, 10, 20]),
            kill_percent: rng.one_of(&[0, 0, 0, 2]),
            slow_commit_percent: 0,
            other_process_percent: 0,
            on_disk: false,
            patience: rng.between(20, 160),
        }
    }
}
