//! What holds of implicit disagreement over any documents: one account of them, whose issues, rounds, lines and quotes are theirs.

use std::collections::BTreeSet;

use gapless_detection::disagreement::{
    Account, IssueAccount, Parameters, RoundAccount, RoundTexts, SessionTexts, examine,
    examine_pair,
};
use gapless_reading::read::ReadDocument;

use crate::input::{Input, same_twice};
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
    let account = same_twice("two accounts of the same documents", || {
        examine_pair(&review, &engineer, previous.as_deref(), None, parameters)
    });
    assert_account(&account, [&review, &engineer].into_iter().chain(&previous));
}

/// A session of up to five rounds, with a status and decisions where the shape asks for them.
fn session_texts(input: &mut Input, shape: u8) -> SessionTexts {
    let status = input.text_if(shape & 1 != 0);
    let decisions = input.text_if(shape & 2 != 0);
    let mut rounds = Vec::new();
    let mut round = 0;
    while !input.is_empty() && rounds.len() < 5 {
        round += 1 + u32::from(shape >> 5);
        rounds.push(RoundTexts {
            round,
            engineer: Vec::from_iter(input.some_text()),
            reviewer: Vec::from_iter(input.some_text()),
            summary: Vec::from_iter(input.text_if(shape & 4 != 0)),
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
    let account = same_twice("two accounts of the same documents", || {
        examine(&session, parameters)
    });
    let rounds = session.rounds.iter();
    let own = rounds.flat_map(|round| [&round.engineer, &round.reviewer, &round.summary]);
    let texts = own
        .flatten()
        .chain(&session.status)
        .chain(&session.decisions);
    assert_account(&account, texts);
    let known: BTreeSet<u32> = session.rounds.iter().map(|round| round.round).collect();
    for RoundAccount { round, .. } in &account.rounds {
        assert!(known.contains(round), "there is no round {round}");
    }
    session.rounds.reverse();
    let reversed = examine(&session, parameters);
    assert_eq!(
        account, reversed,
        "the order in which rounds are given shows"
    );
}

fn assert_account<'t>(account: &Account, texts: impl Iterator<Item = &'t String>) {
    let lines = |text: &String| lines_of(text).max(lines_of(&ReadDocument::of_engineer(text).text));
    let longest = texts.map(lines).max().unwrap_or(1);
    let mut ids = BTreeSet::new();
    for issue in &account.issues {
        let id = issue.raised.id.as_str();
        assert!(ids.insert(id), "{id} has two accounts");
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
        let round = answered.round;
        let looked_at = issue.due.contains(&round) || issue.deferred.contains(&round);
        assert!(
            looked_at,
            "answered in {round}, where nobody looked: {issue:?}"
        );
    }
}

/// Every flag has evidence, and comes neither before its issue nor after it was settled.
fn assert_flags(issue: &IssueAccount, longest: u32) {
    let settled = issue.settled_flags.iter().map(|settled| &settled.flag);
    for flag in issue.flags.iter().chain(settled) {
        let evidence = &flag.evidence;
        assert_line(evidence.line.unwrap_or(1), longest);
        assert_percent(evidence.overlap.unwrap_or(0));
        assert_percent(evidence.rewritten.unwrap_or(0));
        let told = !evidence.text.is_empty();
        assert!(told, "a flag without evidence: {flag:?}");
        let raised = flag.round >= issue.raised.round;
        assert!(raised, "flagged before it was raised: {issue:?}");
    }
    for settled in &issue.settled_flags {
        assert!(settled.settled_in >= settled.flag.round, "{settled:?}");
    }
}

/// A round names only issues that have an account.
fn assert_round(round: &RoundAccount, ids: &BTreeSet<&str>) {
    let looked_at = round.due.iter().chain(&round.deferred);
    let named = looked_at
        .chain(&round.answered)
        .chain(&round.weighed.deflected);
    for id in named {
        assert!(ids.contains(id.as_str()), "{id} is no issue of the account");
    }
    for id in &round.answered {
        let looked_at = round.due.contains(id) || round.deferred.contains(id);
        let round = round.round;
        assert!(
            looked_at,
            "{id} is answered in round {round}, where nobody looked"
        );
    }
}
