//! What the tests of disagreement share: a review of a parcel service, proposals for it, and sessions of a few rounds.

use gapless_detection::disagreement::{
    Account, IssueAccount, Parameters, RoundTexts, SessionTexts, examine, examine_pair,
};

/// Two HIGH issues on one gap.
pub const REVIEW: &str = "# Review, round 1\n\n## Review: GAP-SHIP-001\n\n### Critical Issues\n\nNone.\n\n### High Priority\n\n\
- **ISSUE-R1-001**: Courier pickup retries have no upper bound\n  - Location: Pickup Schedule table, row 2\n  - Impact: a parcel is collected forever\n  - Suggestion: Stop after five attempts and notify the sender by mail.\n\
- **ISSUE-R1-002**: Customs form lacks `tariff_code` column\n  - Suggestion: Add `tariff_code` to the declaration.\n\n\
**Verdict:** NEEDS_REVISION\n";

pub const PROPOSAL: &str = "## Gap Resolution: GAP-SHIP-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n\
The courier comes again each morning until the door opens.\n\n#### Pickup Schedule table\n\n| Day | Courier |\n|---|---|\n| Monday | bicycle |\n| Tuesday | van |\n\n\
#### Customs form\n\nThe declaration has weight and worth.\n";

/// A proposal for the same gap with this in it.
pub fn proposal(text: &str) -> String {
    format!(
        "## Gap Resolution: GAP-SHIP-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{text}\n"
    )
}

pub fn pair(engineer: &str) -> Account {
    examine_pair(REVIEW, engineer, None, None, &Parameters::default())
}

pub fn revised(engineer: &str) -> Account {
    examine_pair(
        REVIEW,
        engineer,
        Some(PROPOSAL),
        None,
        &Parameters::default(),
    )
}

/// The flags that stand on an issue: `H1 r2`.
pub fn flags(account: &Account, id: &str) -> Vec<String> {
    let flags = issue(account, id).flags.iter();
    flags
        .map(|flag| format!("{} r{}", flag.heuristic.name(), flag.round))
        .collect()
}

#[track_caller]
pub fn issue<'a>(account: &'a Account, id: &str) -> &'a IssueAccount {
    let named = |issue: &&IssueAccount| {
        issue.raised.id == id || issue.raised.aliases.iter().any(|alias| alias == id)
    };
    account.issues.iter().find(named).expect(id)
}

/// A session of rounds: Engineer and Reviewer.
pub fn session(rounds: &[(&str, &str)], status: Option<&str>) -> Account {
    examine(&texts(rounds, status), &Parameters::default())
}

pub fn texts(rounds: &[(&str, &str)], status: Option<&str>) -> SessionTexts {
    let list = |text: &str| Vec::from_iter((!text.is_empty()).then(|| text.to_owned()));
    let rounds = rounds.iter().zip(1..);
    SessionTexts {
        rounds: rounds
            .map(|((engineer, reviewer), round)| RoundTexts {
                round,
                engineer: list(engineer),
                reviewer: list(reviewer),
                summary: Vec::new(),
            })
            .collect(),
        status: status.map(str::to_owned),
        decisions: None,
    }
}
