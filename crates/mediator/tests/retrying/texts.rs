//! The text of each failure, for every role.

use gapless_domain::decision::{Decision, DecisionKind};
use gapless_domain::failure::RetryReason;
use gapless_domain::question::DecidedBy;
use gapless_domain::task::Role;
use gapless_domain::time::Time;

use crate::support::{Session, gap};

/// A session in which the user decided ISSUE-R1-001, without the examples that are the same for many failures.
fn session() -> Session {
    let mut session = Session::in_round_three(|met| met.config.retry_example_tokens = 0);
    session.state.now.decisions.push_back(Decision {
        id: "DECISION-R1-001".parse().unwrap(),
        kind: DecisionKind::Conflict,
        title: "The limit".to_owned(),
        gaps: vec![gap("GAP-UPL-002")],
        issue: Some("ISSUE-R1-001".parse().unwrap()),
        positions: None,
        decision: "The limit is per account".to_owned(),
        rationale: "Accounts are what is billed".to_owned(),
        constraints: String::new(),
        for_gap: String::new(),
        action: "Say so in Limits".to_owned(),
        by: DecidedBy::User,
        at: Time(0),
        obliges: true,
        severity: None,
        reapplied_from: None,
        replaces: None,
        filled_in_by: None,
        lifted: None,
    });
    session
}

/// A prompt without the marks of its lines around quoted texts.
fn without_marks(prompt: &str) -> String {
    let mark = prompt.split("Lines like `-----").nth(1).unwrap();
    prompt.replace(&mark[..8], "MARK")
}

/// The part before the task.
fn own_text(prompt: &str) -> &str {
    prompt.split("\n---\n\nThe task again:\n").next().unwrap()
}

#[test]
fn each_failure_has_a_text_of_its_own_for_every_role() {
    let session = session();
    for reason in RetryReason::ALL {
        let mut all = String::new();
        for role in [
            Role::Engineer,
            Role::Reviewer,
            Role::Analyst,
            Role::FinalReviewer,
        ] {
            let prompt = session.retry(role, reason).text;
            all += &format!("=== {role}\n{}\n", own_text(&prompt));
        }
        insta::assert_snapshot!(reason.name().to_lowercase(), all);
    }
}

#[test]
fn the_task_stands_whole_behind_the_text() {
    let session = Session::in_round_three(|met| met.config.initial_example_tokens = 0);
    for role in Role::ALL {
        let first = session.first(role).text;
        assert!(first.starts_with("# Your task"), "{first}");
        for reason in RetryReason::ALL {
            let retry = session.retry(role, reason).text;
            let (_, behind) = retry.split_once("\n---\n\nThe task again:\n\n").unwrap();
            // Each attempt has a mark of its own around what it quotes.
            let [behind, first] = [behind, &first].map(without_marks);
            assert_eq!(behind.trim_end(), first.trim_end(), "{role} {reason:?}");
        }
    }
}

#[test]
fn a_retry_with_an_example_carries_no_second_one() {
    let session = Session::in_round_three(|_| {});
    for role in Role::ALL {
        let first = session.first(role).text;
        assert_eq!(first.matches("## An example\n").count(), 1, "{first}");
        for reason in RetryReason::ALL {
            let retry = session.retry(role, reason);
            assert_eq!(
                retry.text.matches("## An example\n").count(),
                1,
                "{role} {reason:?}"
            );
            let own = own_text(&retry.text).contains("## An example\n");
            let has_none = [RetryReason::FileMissing, RetryReason::PassageStands].contains(&reason);
            assert_eq!(own, !has_none, "{role} {reason:?}");
            assert_eq!(retry.example.is_some(), own, "{role} {reason:?}");
        }
    }
}

#[test]
fn a_retry_text_can_be_overridden_alone() {
    let session = Session::in_round_three(|met| {
        let text = "Write {{ missing | length }} more, to {{ output_path }}.";
        met.prompts
            .insert("retry/wrong_format".to_owned(), text.to_owned());
    });
    let prompt = session.retry(Role::Engineer, RetryReason::WrongFormat).text;
    assert!(
        own_text(&prompt).contains("\nWrite 0 more, to round_003/engineer.md.\n"),
        "{prompt}"
    );
    let other = session.retry(Role::Engineer, RetryReason::EmptyOutput).text;
    assert!(!other.contains("more, to"), "{other}");
}

#[test]
fn a_whole_retry_with_its_example() {
    let session = Session::in_round_three(|_| {});
    let prompt = session.retry(Role::Engineer, RetryReason::NoGapsAddressed);
    insta::assert_snapshot!("whole_retry", own_text(&prompt.text));
    let prompt = session.retry(Role::Analyst, RetryReason::WrongFormat);
    insta::assert_snapshot!("whole_retry_canonical", own_text(&prompt.text));
}

#[test]
fn a_silent_review_is_pressed_with_its_task_behind_it() {
    let session = session();
    let first = session.first(Role::Reviewer).text;
    let prompt = session.press(&["GAP-UPL-002"]).text;
    let (own, task) = prompt.split_once("\nThe task again:\n\n").unwrap();
    let [first, task] = [first.as_str(), task].map(without_marks);
    let task = task
        .trim_end()
        .strip_suffix("Now write the review with all 2 parts: GAP-UPL-002, GAP-AUTH-001.");
    assert!(first.starts_with(task.unwrap().trim_end()), "{task:?}");
    let two = session.press(&["GAP-UPL-002", "GAP-AUTH-001"]).text;
    let two = two.split("\nThe task again:\n\n").next().unwrap();
    insta::assert_snapshot!("press", format!("{own}\n===\n{two}"));
}

#[test]
fn a_reviewer_is_told_to_leave_settled_issues_whichever_gap_has_them() {
    let mut session = Session::in_round_three(|_| {});
    let told = "Raise nothing again that is settled";
    assert!(!session.first(Role::Reviewer).text.contains(told));
    let settled = "ISSUE-R2-001".parse().unwrap();
    let second = session
        .state
        .now
        .gaps
        .get_mut(&gap("GAP-AUTH-001"))
        .unwrap();
    second.settled_issues.push(settled);
    let prompt = session.first(Role::Reviewer).text;
    assert!(prompt.contains(told), "{prompt}");
}
