//! Engineers side by side: how long they take, what one that fails does to the others, and that nothing depends on who is
//! done first.

use gapless_domain::gap::GapState;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_runner::Stopped;
use gapless_views::documents::Closing;

use crate::stage::{Stage, could_not_run, engineer, resolution, with_config};

const FOUR: [(&str, &str, &str); 4] = [
    ("GAP-API-001", "HIGH", ""),
    ("GAP-DB-001", "HIGH", ""),
    ("GAP-NET-001", "HIGH", ""),
    ("GAP-SEC-001", "HIGH", ""),
];

/// A session whose rounds take four gaps, with an Engineer for each that takes so many milliseconds.
fn four(millis: [u64; 4]) -> Stage {
    let stage = with_config(&FOUR, |met| {
        met.config.gaps_per_round = 4;
        met.config.parallel_engineers = 4;
    });
    let slots = (0..).zip(millis);
    slots.fold(stage, |stage, (slot, millis)| {
        stage.takes(Role::Engineer, slot, 0, millis)
    })
}

#[tokio::test(start_paused = true)]
async fn four_engineers_of_a_second_each_take_one_second() {
    let mut stage = four([1_000; 4]);
    let began = tokio::time::Instant::now();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    // The Reviewer and the final review take 10 ms each.
    assert_eq!(began.elapsed().as_millis(), 1_020);
    assert_eq!(stage.most_running(), 4);
    assert_eq!(stage.prompts(Role::Engineer, 1).len(), 4);
    let figures = Closing::of(stage.state()).unwrap().figures;
    assert_eq!(figures.usage_by_role[&Role::Engineer].millis, 4_000);
    assert_eq!(figures.time.active, 1_020);

    let mut alone =
        with_config(&FOUR, |met| met.config.gaps_per_round = 4).takes(Role::Engineer, 0, 0, 1_000);
    alone.run().await;
    assert_eq!(
        (alone.most_running(), alone.prompts(Role::Engineer, 1).len()),
        (1, 1)
    );
}

/// Everything that a session came to, beside the times.
#[derive(Debug, PartialEq)]
struct Outcome {
    reviewed: Vec<String>,
    asked_next: Vec<String>,
    spec: String,
    decisions: String,
    gaps: String,
}

/// A session in whose first round every Engineer finds a new gap, by the same name, and gives the same key a value of its own.
async fn outcome(millis: [u64; 4]) -> Outcome {
    let mut stage = four(millis).when(Role::Engineer, 1, 0, |request| {
        let slot = request.task.slot.index;
        let found = format!("- GAP-LIM-001 [LOW]: what Engineer {slot} came upon is not said");
        let text = resolution(&request.gaps[0], &found);
        Ok(Some(text.replace(
            "The limit is 100 per second;",
            &format!("- `limit` = {slot}00 per second;"),
        )))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let mut asked_next = stage.prompts(Role::Engineer, 2);
    asked_next.sort();
    let gaps = stage.state().now.gaps.iter();
    let gaps = gaps.map(|(id, gap)| format!("{id} {:?} {:?}\n", gap.state, gap.description));
    Outcome {
        reviewed: stage.prompts(Role::Reviewer, 1),
        asked_next,
        spec: stage.spec(),
        decisions: stage.decisions().join("\n"),
        gaps: gaps.collect(),
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_depends_on_who_is_done_first() {
    let in_order = outcome([10, 20, 30, 40]).await;
    assert!(!in_order.asked_next.is_empty(), "{}", in_order.gaps);
    let clash = "- `limit`: 000 per second / 100 per second / 200 per second / 300 per second";
    assert!(
        in_order.reviewed[0].contains(clash),
        "{}",
        in_order.reviewed[0]
    );
    for millis in [
        [40, 30, 20, 10],
        [30, 10, 40, 20],
        [20, 40, 10, 30],
        [10, 10, 10, 10],
    ] {
        assert_eq!(outcome(millis).await, in_order, "{millis:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_fails_holds_no_other() {
    let mut stage = four([1_000; 4]).when(Role::Engineer, 1, 0, |request| {
        match request.task.slot.index {
            2 => could_not_run(None),
            _ => Ok(Some(engineer(request))),
        }
    });
    stage.run_to_round(2).await;
    // The others were asked once, are settled, and only the gap that was left is asked for again.
    for gap in ["GAP-API-001", "GAP-DB-001", "GAP-SEC-001"] {
        let of_gap = format!("### {gap} [");
        let prompts = stage.prompts(Role::Engineer, 1);
        let asked = prompts.iter().filter(|prompt| prompt.contains(&of_gap));
        assert_eq!(asked.count(), 1, "{gap}");
        assert_ne!(stage.gap(gap), GapState::Open, "{gap}");
    }
    assert!(stage.prompts(Role::Engineer, 2)[0].contains("### GAP-NET-001 ["));
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.kinds(), ["inventory"]);
}
