//! Changes of the spec in place: what becomes of those that fit, of those that don't, and of the passages that opened their gaps.

use gapless_domain::gap::GapState;
use gapless_domain::issue::IssueState;
use gapless_domain::phase::End;
use gapless_domain::scan_finding::{ScanFinding, ScannedWith};
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;
use gapless_scan::{Rules, scan};

use crate::stage::{Stage, gap_id, on_source};
use crate::writing::issue;

const SOURCE: &str = "\
# Payouts

## Limits

Max per seller per day: 10,000 EUR. A payout above the limit is TBD (GAP-PAY-001).

| Currency | Least amount |
|---|---|
| EUR | 5 |

## Retries

- A failed payout is retried a few times.
- A failed payout is logged.

## Open points

- GAP-PAY-002 [HIGH] (section: Retries): how often a failed payout is retried
- GAP-PAY-003 [LOW] (section: Limits): the least amount in other currencies
";

const ABOVE: &str = "#### Replace in: Limits\n```old\nA payout above the limit is TBD (GAP-PAY-001).\n```\n```new\nA payout above the limit is split over the next days, oldest first.\n```\n";
const RETRIES: &str = "#### Replace in: Retries\n```old\nA failed payout is retried a few times.\n```\n```new\nA failed payout is retried 3 times, after 1, 5 and 30 minutes.\n```\n";
const AMOUNTS: &str = "#### Add after passage in: Limits\n```old\n| EUR | 5 |\n```\n```new\n| USD | 5 |\n| GBP | 4 |\n```\n";

fn changes_of(gap: &str) -> &'static str {
    match gap {
        "GAP-PAY-001" => ABOVE,
        "GAP-PAY-002" => RETRIES,
        _ => AMOUNTS,
    }
}

/// A session on the payouts whose Engineer makes these changes.
fn payouts(changes: impl Fn(&str, u32, u32) -> String + Send + Sync + 'static) -> Stage {
    on_source(SOURCE.to_owned(), Vec::new(), |_| {}).engineer(changes)
}

#[tokio::test(start_paused = true)]
async fn changes_are_made_in_place_and_the_entries_of_their_gaps_go() {
    let mut stage = payouts(|gap, _, _| changes_of(gap).to_owned());
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    insta::assert_snapshot!(stage.spec());
    assert_eq!(
        stage.traced(),
        ["GAP-PAY-001", "GAP-PAY-002", "GAP-PAY-003"]
    );
    // What the Reviewer was shown is the spec as it would read, and what that changes.
    let prompt = &stage.prompts(Role::Reviewer, 1)[0];
    assert!(
        prompt.contains("\n-- A failed payout is retried a few times.\n+- A failed payout is retried 3 times, after 1, 5 and 30 minutes.\n"),
        "{prompt}"
    );
    assert!(prompt.contains("\n| EUR | 5 |\n| USD | 5 |\n"), "{prompt}");
}

#[tokio::test(start_paused = true)]
async fn a_passage_that_is_not_there_is_named_in_the_retry_with_the_nearest() {
    let mut stage = payouts(|gap, _, attempt| match (gap, attempt) {
        ("GAP-PAY-002", 1) => RETRIES.replace("a few times", "several times by the system"),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = stage.events("task.rejected");
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0]["failure"], "SPEC_CHANGE_MISMATCH");
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry.contains("the passage that it quotes is not in the specification"),
        "{retry}"
    );
    assert!(
        retry.contains("A failed payout is retried a few times"),
        "{retry}"
    );
    assert!(
        stage
            .spec()
            .contains("- A failed payout is retried 3 times")
    );
}

#[tokio::test(start_paused = true)]
async fn skipped_text_is_refused_with_what_to_do_instead() {
    let mut stage = payouts(|gap, _, attempt| match (gap, attempt) {
        ("GAP-PAY-001", 1) => ABOVE.replace("A payout above the limit is", "Max per seller ..."),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry.contains("skips text with dots. Quote the whole passage"),
        "{retry}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_passage_that_occurs_twice_must_be_told_apart() {
    let source = SOURCE.replace(
        "- A failed payout is logged.",
        "- A failed payout is logged.\n- A failed payout is logged.",
    );
    let twice = "#### Replace in: Retries\n```old\nA failed payout is logged.\n```\n```new\nA failed payout is retried 3 times.\n```\n";
    let mut stage = on_source(source, Vec::new(), |_| {}).engineer(move |gap, _, attempt| {
        match (gap, attempt) {
            ("GAP-PAY-002", 1) => twice.to_owned(),
            _ => changes_of(gap).to_owned(),
        }
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry.contains("is there 2 times. Quote more of what is around it"),
        "{retry}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_mark_that_stays_is_told_once_and_then_becomes_an_issue() {
    let added = "#### Add to section: Limits\n```new\nA payout above the limit is split over the next days.\n```\n";
    let mut stage = payouts(move |gap, round, _| match (gap, round) {
        ("GAP-PAY-001", 1) => added.to_owned(),
        _ => changes_of(gap).to_owned(),
    });
    stage
        .gap_command(GapCommand::Severity {
            gap: gap_id("GAP-PAY-001"),
            severity: Severity::High,
            reason: "it is about money".into(),
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = stage.events("task.rejected");
    assert_eq!(rejected.len(), 1, "it is told once");
    assert_eq!(rejected[0]["facts"]["cause"], "PASSAGE_STANDS");
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry.contains("A payout above the limit is TBD (GAP-PAY-001)."),
        "{retry}"
    );
    let raised = stage.events("issue.raised");
    assert_eq!(raised.len(), 1, "{raised:?}");
    assert_eq!(raised[0]["gap"], "GAP-PAY-001");
    let id = raised[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(stage.issue(&id), IssueState::Closed);
    let spec = stage.spec();
    assert!(
        !spec.contains("TBD") && spec.contains("oldest first"),
        "{spec}"
    );
    assert_eq!(
        spec.matches("split over the next days").count(),
        1,
        "{spec}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_mark_that_comes_back_in_new_words_is_told_too() {
    let open = ABOVE.replace("split over the next days, oldest first", "TBD");
    let mut stage = payouts(move |gap, _, attempt| match (gap, attempt) {
        ("GAP-PAY-001", 1) => open.clone(),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let rejected = stage.events("task.rejected");
    assert_eq!(rejected.len(), 1, "{rejected:?}");
    assert_eq!(rejected[0]["facts"]["cause"], "PASSAGE_STANDS");
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(
        retry.contains("the text that the changes bring leaves this open")
            && retry.contains("A payout above the limit is TBD."),
        "{retry}"
    );
    assert!(!stage.spec().contains("TBD"), "{}", stage.spec());
}

#[tokio::test(start_paused = true)]
async fn what_is_still_open_in_new_words_opens_its_gap_again() {
    let open = ABOVE.replace("split over the next days, oldest first", "TBD");
    let mut stage = payouts(move |gap, round, _| match (gap, round) {
        ("GAP-PAY-001", 1) => open.clone(),
        ("GAP-PAY-001", _) => ABOVE.replace(" (GAP-PAY-001)", ""),
        _ => changes_of(gap).to_owned(),
    });
    stage
        .gap_command(GapCommand::Severity {
            gap: gap_id("GAP-PAY-001"),
            severity: Severity::High,
            reason: "it is about money".into(),
        })
        .unwrap();
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let raised = stage.events("issue.raised");
    assert_eq!(raised.len(), 1, "{raised:?}");
    assert_eq!(raised[0]["gap"], "GAP-PAY-001");
    assert!(!stage.spec().contains("TBD"), "{}", stage.spec());
}

/// An issue that is too small to send a proposal back opens its gap before the end.
#[tokio::test(start_paused = true)]
async fn a_mark_of_a_small_gap_that_stays_opens_it_before_the_end() {
    let added = "#### Add to section: Limits\n```new\nA payout above the limit is split over the next days.\n```\n";
    let mut stage = payouts(move |gap, round, _| match (gap, round) {
        ("GAP-PAY-001", 1) => added.to_owned(),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let raised = stage.events("issue.raised");
    assert_eq!(raised.len(), 1, "{raised:?}");
    assert_eq!(raised[0]["gap"], "GAP-PAY-001");
    let id = raised[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(stage.issue(&id), IssueState::Closed);
    let spec = stage.spec();
    assert!(
        !spec.contains("TBD") && !spec.contains("limitations"),
        "{spec}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_gap_that_the_changes_for_another_settle_brings_no_text_of_its_own() {
    let none = "None: GAP-PAY-002, whose change says it.";
    let mut stage = payouts(move |gap, _, _| match gap {
        "GAP-PAY-003" => none.to_owned(),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = stage.spec();
    assert!(!spec.contains("What shall hold"), "{spec}");
    assert!(!spec.contains("GAP-PAY-003"), "its entry is gone: {spec}");
    assert_eq!(
        stage.traced(),
        ["GAP-PAY-001", "GAP-PAY-002", "GAP-PAY-003"]
    );
}

/// Where the changes that settle it are not made after all, its text is not lost.
#[tokio::test(start_paused = true)]
async fn a_gap_that_was_settled_with_another_is_not_lost_with_it() {
    let mut stage = payouts(|gap, _, _| match gap {
        "GAP-PAY-003" => "None: GAP-PAY-002".to_owned(),
        _ => changes_of(gap).to_owned(),
    })
    .when(Role::Reviewer, 1, 0, |request| {
        let reviews = request
            .gaps
            .iter()
            .map(|gap| match gap.to_string().as_str() {
                "GAP-PAY-002" => issue(gap, "High Priority", "ISSUE-R1-001"),
                _ => crate::writing::no_issues(gap),
            });
        Ok(Some(reviews.collect()))
    });
    stage.run_to_round(2).await;
    assert_eq!(stage.gap("GAP-PAY-003"), GapState::Accepted);
    assert!(
        stage.spec().contains("What shall hold for GAP-PAY-003"),
        "{}",
        stage.spec()
    );
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(
        !stage.spec().contains("What shall hold"),
        "{}",
        stage.spec()
    );
}

#[tokio::test(start_paused = true)]
async fn two_engineers_that_change_the_same_passage_are_taken_one_after_the_other() {
    let other = "#### Replace in: Retries\n```old\nA failed payout is retried a few times.\n```\n```new\nA failed payout in another currency is retried once.\n```\n";
    let mut stage = on_source(SOURCE.to_owned(), Vec::new(), |met| {
        met.config.parallel_engineers = 3;
    })
    .engineer(move |gap, round, _| match (gap, round) {
        ("GAP-PAY-003", 1) => other.to_owned(),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let raised = stage.events("issue.raised");
    assert_eq!(raised.len(), 1, "{raised:?}");
    assert_eq!(raised[0]["gap"], "GAP-PAY-003");
    let again = &stage.prompts(Role::Engineer, 2)[0];
    assert!(
        again.contains("its changes no longer fit the specification"),
        "{again}"
    );
    assert!(
        again.contains("- A failed payout is retried 3 times"),
        "the current text: {again}"
    );
    let spec = stage.spec();
    assert!(
        spec.contains("3 times") && spec.contains("| GBP | 4 |"),
        "{spec}"
    );
    assert!(!spec.contains("another currency"), "{spec}");
}

#[tokio::test(start_paused = true)]
async fn two_gaps_of_one_document_that_change_the_same_passage_are_told_so() {
    let mut stage = payouts(|gap, _, attempt| match (gap, attempt) {
        ("GAP-PAY-003", 1) => RETRIES.to_owned(),
        _ => changes_of(gap).to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let retry = &stage.prompts(Role::Engineer, 1)[1];
    assert!(retry.contains("is changed by GAP-PAY-002 too"), "{retry}");
}

/// A later gap quotes what an earlier one wrote. Where that one is opened again, the later one waits for the end, and is made anew.
#[tokio::test(start_paused = true)]
async fn a_change_inside_the_change_of_another_gap_follows_it() {
    let inside = "#### Replace in: Retries\n```old\nafter 1, 5 and 30 minutes\n```\n```new\nafter 1, 5 and 30 minutes (in other currencies 60)\n```\n";
    let in_turn = |met: &mut gapless_mediator::RunSettings| met.config.gaps_per_round = 1;
    let mut stage =
        on_source(SOURCE.to_owned(), Vec::new(), in_turn).engineer(move |gap, _, _| match gap {
            "GAP-PAY-003" => inside.to_owned(),
            _ => changes_of(gap).to_owned(),
        });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert!(
        stage
            .spec()
            .contains("30 minutes (in other currencies 60)."),
        "{}",
        stage.spec()
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_reopened_or_rolled_back_is_as_the_source_has_it() {
    let in_turn = |met: &mut gapless_mediator::RunSettings| met.config.gaps_per_round = 1;
    let mut stage = on_source(SOURCE.to_owned(), Vec::new(), in_turn)
        .engineer(|gap, _, _| changes_of(gap).to_owned());
    stage.run_to_round(3).await;
    let before = stage.spec();
    assert!(before.contains("retried 3 times"), "{before}");
    let reopen = GapCommand::Reopen {
        gap: gap_id("GAP-PAY-002"),
        reason: "too often".into(),
    };
    stage.gap_command(reopen).unwrap();
    assert!(
        stage
            .spec()
            .contains("- A failed payout is retried a few times.\n")
    );
    stage.roll_back(0, "from the start").unwrap();
    assert!(stage.spec().starts_with(SOURCE), "{}", stage.spec());
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = stage.spec();
    assert!(
        spec.contains("retried 3 times") && spec.contains("| GBP | 4 |"),
        "{spec}"
    );
}

#[tokio::test(start_paused = true)]
async fn line_ends_and_everything_untouched_stay() {
    let source = SOURCE
        .replace('\n', "\r\n")
        .replace("# Payouts", "\u{feff}# Payouts\t");
    let mut stage = on_source(source.clone(), Vec::new(), |_| {})
        .engineer(|gap, _, _| changes_of(gap).to_owned());
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = stage.spec();
    assert_eq!(
        spec.matches('\n').count(),
        spec.matches("\r\n").count(),
        "{spec:?}"
    );
    let upto = source.find("A payout above").unwrap();
    assert_eq!(spec[..upto], source[..upto]);
    assert!(
        spec.contains("| EUR | 5 |\r\n| USD | 5 |\r\n| GBP | 4 |\r\n"),
        "{spec:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_attempt_whose_changes_cannot_be_made_can_be_taken_and_goes_in_as_a_part() {
    let mut stage = payouts(|gap, round, _| match (gap, round) {
        ("GAP-PAY-002", 1) => "#### Replace in: Retries\n```old\nZebras graze on the plains of the north.\n```\n```new\nA failed payout is retried 3 times.\n```\n".to_owned(),
        _ => changes_of(gap).to_owned(),
    })
    .answer("escalation", "best", &[]);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.events("task.exhausted").len(), 1);
    let taken = &stage.events("task.best_taken")[0]["warnings"];
    let warned = taken.to_string();
    assert!(
        warned.contains("the changes of GAP-PAY-002 can't be made"),
        "{warned}"
    );
    let spec = stage.spec();
    assert!(spec.contains("A payout above the limit is split"), "{spec}");
    assert!(
        spec.contains("What shall hold for GAP-PAY-002"),
        "as a part: {spec}"
    );
}

/// A session on a spec that was scanned, with what was found.
fn scanned(source: &str, from: Severity) -> Stage {
    let found = scan(source, &Rules::default());
    let found = found.iter().filter(|finding| finding.severity >= from);
    let found: Vec<ScanFinding> = found.map(ScanFinding::from).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    on_source(source.to_owned(), found, |met| {
        met.scanned_with = Some(ScannedWith {
            from,
            rules: Default::default(),
        });
    })
}

const VAGUE: &str = "# Files\n\n## Upload\n\nFiles up to a reasonable size are taken.\n";

#[tokio::test(start_paused = true)]
async fn a_vague_word_that_stays_opens_its_gap_again_once() {
    // No changes are given, so that nothing but the look before the end can tell.
    let mut stage = scanned(VAGUE, Severity::Low);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let gap = stage.state().now.gaps.keys().next().unwrap().to_string();
    let reopened: Vec<_> = stage
        .events("issue.raised")
        .iter()
        .map(|event| event["concern"]["summary"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(reopened.len(), 1, "{reopened:?}");
    assert!(reopened[0].contains("reasonable size"), "{reopened:?}");
    assert_eq!(stage.gap(&gap), GapState::Accepted);
    assert_eq!(stage.state().now.round.number, 2);
}

#[tokio::test(start_paused = true)]
async fn a_vague_word_in_new_text_is_a_gap_of_its_own() {
    let vague = "#### Replace in: Upload\n```old\nFiles up to a reasonable size are taken.\n```\n```new\nFiles up to 20 MB are taken. Formats are PNG, JPEG, etc.\n```\n";
    let clear = "#### Replace in: Upload\n```old\nFormats are PNG, JPEG, etc.\n```\n```new\nFormats are PNG and JPEG.\n```\n";
    let mut stage = scanned(VAGUE, Severity::Low).engineer(move |_, round, _| match round {
        1 => vague.to_owned(),
        _ => clear.to_owned(),
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    assert_eq!(stage.state().now.gaps.len(), 2);
    let spec = stage.spec();
    assert_eq!(
        spec,
        VAGUE.replace(
            "Files up to a reasonable size are taken.",
            "Files up to 20 MB are taken. Formats are PNG and JPEG."
        )
    );
}

#[tokio::test(start_paused = true)]
async fn a_sent_back_proposal_gives_its_changes_anew() {
    let mut stage = payouts(|gap, round, _| {
        let text = changes_of(gap).to_owned();
        match round {
            1 => text,
            _ => text.replace("3 times", "5 times"),
        }
    })
    .when(Role::Reviewer, 1, 0, |request| {
        let reviews = request
            .gaps
            .iter()
            .map(|gap| match gap.to_string().as_str() {
                "GAP-PAY-002" => issue(gap, "High Priority", "ISSUE-R1-001"),
                _ => crate::writing::no_issues(gap),
            });
        Ok(Some(reviews.collect()))
    });
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = stage.spec();
    assert!(
        spec.contains("retried 5 times") && !spec.contains("3 times"),
        "{spec}"
    );
}
