//! What holds of implicit disagreement over any documents: one account of them, whose issues, rounds, lines and quotes are theirs.

use std::collections::BTreeSet;

use gapless_detection::disagreement::{
    Account, IssueAccount, Parameters, RoundAccount, RoundTexts, SessionTexts, examine,
    examine_pair,
};
use gapless_reading::read::ReadDocument;

use crate::input::Input;
use crate::markdown::lines_of;

/// A review and what follows it, or a session of some rounds.
pub fn disagreement(data: &[u8]) {
    let mut input = Input::new(data);
    let shape = input.byte();
    let parameters = Parameters {
        unaddressed_high_threshold: 1 + u32::from(input.byte() % 4),
        unaddressed_critical_threshold: 1 + u32::from(input.byte() % 4),
        pattern_threshold: 2 + u32::from(input.byte() % 4),
        semantic_overlap_minimum: 1 + u32::from(input.byte() % 100),
        enable_semantic_check: input.yes(),
    };
    match shape & 1 {
        0 => pair(&mut input, &parameters),
        _ => session(&mut input, shape >> 1, &parameters),
    }
}

fn pair(input: &mut Input, parameters: &Parameters) {
    let (review, engineer, previous) = (input.text(), input.text(), input.some_text());
    let look = || examine_pair(&review, &engineer, previous.as_deref(), None, parameters);
    let account = look();
    assert_eq!(account, look(), "two accounts of the same documents");
    let texts: Vec<&str> = [&review, &engineer]
        .into_iter()
        .chain(&previous)
        .map(String::as_str)
        .collect();
    assert_account(&account, &texts);
}

/// A session of up to five rounds, with a status and decisions where the shape asks for them.
fn session_texts(input: &mut Input, shape: u8) -> SessionTexts {
    let status = if shape & 1 == 0 {
        None
    } else {
        input.some_text()
    };
    let decisions = if shape & 2 == 0 {
        None
    } else {
        input.some_text()
    };
    let mut rounds = Vec::new();
    let mut round = 0;
    while !input.is_empty() && rounds.len() < 5 {
        round += 1 + u32::from(shape >> 5);
        rounds.push(RoundTexts {
            round,
            engineer: Vec::from_iter(input.some_text()),
            reviewer: Vec::from_iter(input.some_text()),
            summary: if shape & 4 == 0 {
                Vec::new()
            } else {
                Vec::from_iter(input.some_text())
            },
        });
    }
    SessionTexts {
        rounds,
        status,
        decisions,
    }
}

fn session(input: &mut Input, shape: u8, parameters: &Parameters) {
    let mut session = session_texts(input, shape);
    let account = examine(&session, parameters);
    assert_eq!(
        account,
        examine(&session, parameters),
        "two accounts of the same documents"
    );
    let own = session.rounds.iter().flat_map(|round| {
        round
            .engineer
            .iter()
            .chain(&round.reviewer)
            .chain(&round.summary)
    });
    let texts: Vec<&str> = own
        .chain(&session.status)
        .chain(&session.decisions)
        .map(String::as_str)
        .collect();
    assert_account(&account, &texts);
    let known: BTreeSet<u32> = session.rounds.iter().map(|round| round.round).collect();
    for round in &account.rounds {
        assert!(
            known.contains(&round.round),
            "there is no round {}",
            round.round
        );
    }
    session.rounds.reverse();
    assert_eq!(
        account,
        examine(&session, parameters),
        "the order in which rounds are given shows"
    );
}

fn assert_account(account: &Account, texts: &[&str]) {
    let longest = texts
        .iter()
        .map(|text| lines_of(text).max(lines_of(&ReadDocument::of_engineer(text).text)))
        .max()
        .unwrap_or(1);
    let mut ids = BTreeSet::new();
    for issue in &account.issues {
        assert!(
            ids.insert(issue.raised.id.as_str()),
            "{} has two accounts",
            issue.raised.id
        );
        assert_answers(issue, longest);
        assert_flags(issue, longest);
    }
    for round in &account.rounds {
        assert_round(round, &ids);
    }
}

fn assert_line(line: u32, longest: u32) {
    assert!((1..=longest).contains(&line), "line {line} of {longest}");
}

fn assert_percent(share: u32) {
    assert!(share <= 100, "{share} percent");
}

/// Answers are counted only in rounds in which the issue was due or deferred.
fn assert_answers(issue: &IssueAccount, longest: u32) {
    for answered in &issue.answers {
        assert_line(answered.answer.line, longest);
        assert_percent(answered.answer.overlap);
        // It may be answered where its gap is not worked on.
        let looked_at =
            issue.due.contains(&answered.round) || issue.deferred.contains(&answered.round);
        assert!(
            looked_at,
            "answered in {}, where nobody looked: {issue:?}",
            answered.round
        );
    }
}

/// Every flag has evidence, and comes neither before its issue nor after it was settled.
fn assert_flags(issue: &IssueAccount, longest: u32) {
    let settled = issue.settled_flags.iter().map(|settled| &settled.flag);
    for flag in issue.flags.iter().chain(settled) {
        let evidence = &flag.evidence;
        evidence
            .line
            .into_iter()
            .for_each(|line| assert_line(line, longest));
        evidence.overlap.into_iter().for_each(assert_percent);
        evidence.rewritten.into_iter().for_each(assert_percent);
        assert!(
            !evidence.text.is_empty(),
            "a flag without evidence: {flag:?}"
        );
        assert!(
            flag.round >= issue.raised.round,
            "flagged before it was raised: {issue:?}"
        );
    }
    for settled in &issue.settled_flags {
        assert!(settled.settled_in >= settled.flag.round, "{settled:?}");
    }
}

/// A round names only issues that have an account.
fn assert_round(round: &RoundAccount, ids: &BTreeSet<&str>) {
    let named = round
        .due
        .iter()
        .chain(&round.deferred)
        .chain(&round.answered)
        .chain(&round.weighed.deflected);
    for id in named {
        assert!(ids.contains(id.as_str()), "{id} is no issue of the account");
    }
    for id in &round.answered {
        let looked_at = round.due.contains(id) || round.deferred.contains(id);
        assert!(
            looked_at,
            "{id} is answered in round {}, where nobody looked",
            round.round
        );
    }
}
