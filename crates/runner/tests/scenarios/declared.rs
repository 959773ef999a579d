//! Sessions on specs that say in their own ways what is missing.

use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_markdown::Document;
use gapless_mediator::GapCommand;
use gapless_reading::read::declared_gaps;
use gapless_runner::Stopped;

use crate::stage::{Stage, gap_id, on_source, shown};

const SPEC: &str = "\
# Orders

## Requirements

| ID | Requirement | Priority |
|---|---|---|
| FR-001 | An order has lines | HIGH |
| US-3 | As a buyer I see my orders | LOW |

- **FR-012**: A buyer signs in with [NEEDS CLARIFICATION: which method? A password?] and stays so.

## Limits

An order has at most TBD lines. It is priced in euros.

TODO: say what happens when two people pay.

The TODO list of a clerk is shown first, and `TBD` is never printed.

## Open questions

- [ ] Who may cancel an order? (blocked by: OQ-2)
- OQ-2 [HIGH]: how long an order may be changed
- [x] Are orders numbered? Yes.

## Known gaps

| Gap | Severity | Status | Blocked by |
|---|---|---|---|
| Export of paid orders | LOW | open | OQ-2 |
| Import of orders | HIGH | done | |
";

fn declared(spec: &str) -> Vec<String> {
    let gaps = declared_gaps(&Document::parse(spec));
    gaps.into_iter().map(|gap| gap.id.to_string()).collect()
}

/// The lines of one text that stand in no line of another.
fn lines_gone<'t>(from: &'t str, to: &str) -> Vec<&'t str> {
    let stands = |line: &&str| !to.lines().any(|other| other == *line);
    from.lines().filter(stands).collect()
}

async fn completed(spec: &str) -> Stage {
    let mut stage = on_source(spec.to_owned(), Vec::new(), |_| {});
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    stage
}

#[tokio::test(start_paused = true)]
async fn what_a_spec_leaves_open_in_its_own_words_is_the_inventory() {
    let stage = completed(SPEC).await;
    insta::assert_snapshot!("declared_inventory", shown(stage.put("inventory")[0]));
    let waits_on = &stage.state().now.gaps[&gap_id("GAP-OPEN-002")].blocked_by;
    assert!(waits_on.contains(&gap_id("GAP-OQ-002")));
    let alias = &stage.state().now.gaps[&gap_id("GAP-OQ-002")].aliases[0];
    assert_eq!(
        (alias.document.as_str(), alias.name.as_str()),
        ("source.md", "OQ-2")
    );
}

#[tokio::test(start_paused = true)]
async fn settled_marks_and_entries_become_pointers_and_nothing_else_changes() {
    let stage = completed(SPEC).await;
    let refined = stage.spec();
    insta::assert_snapshot!("declared_refined", refined);
    assert_eq!(
        lines_gone(SPEC, &refined),
        [
            "- **FR-012**: A buyer signs in with [NEEDS CLARIFICATION: which method? A password?] and stays so.",
            "An order has at most TBD lines. It is priced in euros.",
            "TODO: say what happens when two people pay.",
            "- [ ] Who may cancel an order? (blocked by: OQ-2)",
            "- OQ-2 [HIGH]: how long an order may be changed",
            "| Export of paid orders | LOW | open | OQ-2 |",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_settled_is_not_declared_again() {
    let stage = completed(SPEC).await;
    let refined = stage.spec();
    assert_eq!(declared(&refined), [""; 0], "{refined}");

    let more = format!("{refined}\n## More\n\nThe colour is TBD.\n\n- OQ-2: none of ours\n");
    let known = declared(SPEC);
    let new = declared(&more);
    assert_eq!(new, ["GAP-MORE-001"]);
    let again = completed(&more).await;
    assert_eq!(again.state().now.gaps.len(), 1);
    assert!(known.iter().all(|gap| !new.contains(gap)));
    assert_eq!(lines_gone(&refined, &again.spec()), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn what_is_put_off_is_declared_once_by_the_refined_spec() {
    let mut stage = on_source(
        "# S\n\n## Limits\n\nA page has TBD lines.\n\nIt has ??? columns.\n".into(),
        Vec::new(),
        |_| {},
    );
    stage
        .gap_command(gapless_mediator::GapCommand::Defer {
            gap: gap_id("GAP-LIMITS-002"),
            reason: "later".into(),
        })
        .unwrap();
    let accepted = [("rationale", "it can wait")];
    stage = stage
        .answer("nothing_to_plan", "stop", &[])
        .answer("stop", "accept", &accepted);
    assert!(matches!(stage.run().await, Stopped::Ended(_)));
    let refined = stage.spec();
    assert!(refined.contains("It has ??? columns."), "{refined}");
    assert_eq!(declared(&refined), ["GAP-LIMITS-001"], "{refined}");
    assert!(!stage.prompts(Role::Engineer, 1)[0].contains("GAP-LIMITS-002 ["));
}

/// The id of a part that the source names once went to another part.
#[tokio::test(start_paused = true)]
async fn a_part_that_the_source_declares_has_an_id_that_no_split_gives() {
    let spec = "# S\n\n## Known gaps\n\n- GAP-AA-001 [HIGH]: the limits\n- GAP-AA-001a [LOW]: the lower limit\n";
    let mut stage = on_source(spec.to_owned(), Vec::new(), |_| {});
    stage.run_to_round(1).await;
    stage
        .gap_command(GapCommand::Split {
            gap: gap_id("GAP-AA-001"),
            into: vec!["above".to_owned(), "below".to_owned()],
        })
        .unwrap();
    let ids = ["GAP-AA-001", "GAP-AA-001b", "GAP-AA-001c", "GAP-AA-002"].map(gap_id);
    assert!(stage.state().now.gaps.keys().eq(&ids));
}
