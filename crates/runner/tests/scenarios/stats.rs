//! What a session comes to, counted from its log: retries by failure and example, flags by judgement, rollbacks, questions,
//! and what each agent did for its price.

use std::collections::BTreeMap;

use gapless_detection::disagreement::Judged;
use gapless_domain::example_use::Tier;
use gapless_domain::failure::RetryReason;
use gapless_domain::flag::Heuristic;
use gapless_domain::phase::End;
use gapless_domain::rollback::RollbackTrigger;
use gapless_domain::task::Role;
use gapless_runner::Stopped;
use gapless_session::figures::Figures;
use gapless_session::state::RetryRecord;
use gapless_views::stats::{FailureRecord, QuestionRecord, RollbackCount, Stats};

use crate::flags::{TWO, answers, minding, objects, passed_over, passes_over};
use crate::stage::{Stage, could_not_run, stage, with_config};

fn stats(stage: &Stage) -> Stats {
    let log = stage.log();
    Stats::of(log.iter().map(|logged| &logged.event))
}

fn retries(uses: u32, successes: u32) -> RetryRecord {
    RetryRecord { uses, successes }
}

#[tokio::test(start_paused = true)]
async fn retries_are_counted_by_the_failure_before_them_and_by_the_example_they_had() {
    let mut stage = with_config(&TWO[..1], |met| {
        met.agents.insert(Role::Engineer, "ours".to_owned());
        met.agents.insert(Role::Reviewer, "theirs".to_owned());
    })
    .uses(1000, 200, 50_000)
    .writes(Role::Engineer, 1, 1, "It goes like this: it is limited.")
    .when(Role::Engineer, 1, 2, |_| Ok(None))
    .when(Role::Engineer, 1, 3, |_| could_not_run(None))
    .when(Role::Reviewer, 1, 1, |_| Ok(Some(" \n".to_owned())));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let stats = stats(&stage);

    let failure = |outputs, retries| FailureRecord { outputs, retries };
    let expected = BTreeMap::from([
        // Its retry after the missing file could not run, and says nothing; the next one was valid.
        (RetryReason::FileMissing, failure(1, retries(1, 1))),
        (RetryReason::EmptyOutput, failure(1, retries(1, 1))),
        (RetryReason::WrongFormat, failure(1, retries(1, 0))),
    ]);
    assert_eq!(stats.failures, expected);
    // A missing file gets no example.
    let with_example = BTreeMap::from([(Tier::Canonical, retries(2, 1))]);
    assert_eq!(stats.examples, with_example);

    let key = |role, agent: &str| (role, agent.to_owned());
    let ours = stats.work[&key(Role::Engineer, "ours")];
    assert_eq!(
        (ours.attempts, ours.valid, ours.invalid, ours.could_not_run),
        (4, 1, 2, 1)
    );
    assert_eq!((ours.first_tries, ours.first_valid), (1, 0));
    assert_eq!(ours.valid_at_first(), Some(0));
    assert_eq!((ours.proposals, ours.accepted, ours.issues), (1, 1, 0));
    let theirs = stats.work[&key(Role::Reviewer, "theirs")];
    assert_eq!((theirs.attempts, theirs.valid, theirs.invalid), (2, 1, 1));
    let last = stats.work[&key(Role::FinalReviewer, "theirs")];
    assert_eq!(last.valid_at_first(), Some(100));

    let figures = Figures::of(stage.state());
    let paid = stats.work.values().map(|work| work.usage.cost_micros);
    assert_eq!(
        paid.map(Option::unwrap).sum::<u64>(),
        figures.usage.cost_micros.unwrap()
    );
    assert_eq!(ours.cost_of_accepted(), ours.usage.cost_micros);
    assert_eq!((stats.usage, stats.time), (figures.usage, figures.time));
    assert_eq!(stats.gaps, figures.states);
    assert_eq!(stats.ends, BTreeMap::from([(End::Complete, 1)]));
}

#[tokio::test(start_paused = true)]
async fn flags_are_counted_with_their_judgement_and_questions_with_who_answered() {
    let mut stage = passed_over(&TWO, "Critical Issues");
    stage.run_strictly().await;
    stage
        .tell("implicit_disagreement", "false_positive", &[])
        .unwrap();
    let other = [("text", "it is a matter of taste")];
    stage
        .tell("implicit_disagreement", "waive", &other)
        .unwrap();
    let stats = stats(&stage);
    let h1 = stats.heuristics[&Heuristic::H1];
    assert_eq!(h1.flags, 2);
    let judged = Judged {
        confirmed: 1,
        false_positive: 1,
    };
    assert_eq!((h1.judged, h1.precision()), (judged, Some(50)));
    assert_eq!(stats.advisory(), [], "two are not enough to tell");
    let asked = QuestionRecord {
        asked: 2,
        by_user: 2,
        ..QuestionRecord::default()
    };
    assert_eq!(stats.questions["implicit_disagreement"], asked);
    assert_eq!(stats.work[&(Role::Reviewer, "actor".to_owned())].issues, 2);
    assert_eq!((stats.sessions, stats.ended()), (1, 0));

    let all = Stats::sum([&stats, &stats, &stats]);
    let h1 = all.heuristics[&Heuristic::H1];
    assert_eq!((h1.flags, h1.judged.all()), (6, 6));
    assert_eq!(all.advisory(), [], "half of them is not under half");
    assert_eq!(all.sessions, 3);
}

#[tokio::test(start_paused = true)]
async fn what_was_undone_is_counted_as_work_and_not_as_what_came_of_it() {
    let mut stage = minding(&TWO)
        .uses(10, 5, 1000)
        .when(Role::Reviewer, 1, 0, |r| {
            Ok(Some(objects(r, "Critical Issues")))
        })
        .when(Role::Engineer, 2, 0, |r| {
            Ok(Some(match r.task.epoch {
                0 => passes_over(r),
                _ => answers(r),
            }))
        })
        .answer("inventory", "begin", &[]);
    stage.run_strictly().await;
    let waits = stats(&stage).questions["implicit_disagreement"];
    assert_eq!((waits.asked, waits.waiting), (2, 2));
    let before = stats(&stage).work[&(Role::Engineer, "actor".to_owned())];
    stage.roll_back(1, "it passed them over").unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let stats = stats(&stage);
    let count = RollbackCount {
        rollbacks: 1,
        unasked: 0,
        rounds: 1,
    };
    let rollbacks = BTreeMap::from([(RollbackTrigger::User, count)]);
    assert_eq!(stats.rollbacks, rollbacks);
    assert_eq!((stats.rounds.standing, stats.rounds.undone), (2, 1));
    assert_eq!(stats.rounds.resolved, 2);
    assert_eq!(stats.rounds.verdicts.values().sum::<u32>(), 2);
    let asked = stats.questions["implicit_disagreement"];
    assert_eq!((asked.withdrawn, asked.waiting, asked.by_user), (2, 0, 0));
    assert_eq!(stats.heuristics[&Heuristic::H1].flags, 2);
    let work = stats.work[&(Role::Engineer, "actor".to_owned())];
    assert!(work.attempts > before.attempts);
    assert_eq!((before.accepted, work.accepted), (0, 2));
    assert!(work.proposals > before.proposals, "{work:?}");
}

#[tokio::test(start_paused = true)]
async fn a_log_with_nothing_in_it_is_no_session() {
    assert_eq!(Stats::of([]), Stats::default());
    let mut started = stage(&TWO);
    started.session.commit().unwrap();
    assert_eq!(stats(&started).sessions, 1);
}
