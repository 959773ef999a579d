//! Summary.md of a round: how its roles fared, what became of its gaps, progress, and the log of its checks.

use super::validation::{completion, validation_log};
use super::{listed, under};
use gapless_domain::text::cell;
use gapless_domain::{Counted, Gap, Signal, comma_list, quarters};
use gapless_markdown::inert;
use gapless_session::state::{RoundRecord, State};

/// Writes the summary of the round that was just accounted for.
pub fn round_summary(state: &State) -> String {
    let round = &state.now.round;
    let mut text = format!("# Round {} summary\n\n", round.number);
    text += &format!("## Validation summary\n\n{}", completion(state));
    text += "\n## Gaps of this round\n\n| Gap | Severity | State | Confidence | Issues that stand |\n|---|---|---|---|---|\n";
    for gap in gaps_of_round(state) {
        let proposal = gap.proposal.as_ref();
        let confidence = proposal.and_then(|proposal| proposal.confidence);
        let issues = state.now.standing_issues(gap);
        let issues = issues.map(|issue| format!("{} [{}]", issue.id, issue.concern.severity));
        text += &format!(
            "| {} | {} | {} | {} | {} |\n",
            gap.id,
            gap.severity,
            gap.state,
            confidence.map_or("-", |confidence| confidence.name()),
            listed(issues)
        );
    }
    for clash in &round.clashes {
        text += &format!(
            "\nTwo proposals define `{}` differently: {}\n",
            clash.key,
            clash.values.join(" / ")
        );
    }
    if let Some(record) = state.now.history.last() {
        text += &progress(record);
    }
    text += &flags(state);
    text += &validation_log(state);
    inert(&text)
}

fn gaps_of_round(state: &State) -> Vec<&Gap> {
    let round = &state.now.round;
    let is_of_round = |gap: &&Gap| {
        let proposal = gap.proposal.as_ref();
        round.assigned.contains(&gap.id)
            || gap.reviewed_in == Some(round.number)
            || proposal.is_some_and(|proposal| proposal.round == round.number)
    };
    let mut gaps: Vec<&Gap> = state.now.gaps.values().filter(is_of_round).collect();
    gaps.sort_by_key(|gap| gap.age);
    gaps
}

fn progress(record: &RoundRecord) -> String {
    let list = |counted: &[Counted]| match counted {
        [] => "none".to_owned(),
        counted => comma_list(
            counted
                .iter()
                .map(|c| format!("{} [{}]", c.gap, c.severity)),
        ),
    };
    let (weighted, unweighted) = (record.weighted_net, record.unweighted_net);
    let mut text = format!(
        "\n## Progress\n\n- Resolved: {}\n- New: {}\n- Reopened: {}\n- Net: {weighted:+} by weight, {unweighted:+} by heads\n",
        list(&record.tally.resolved),
        list(&record.tally.created),
        list(&record.tally.reopened),
    );
    if let Some(disagreement) = record.disagreement() {
        text += &format!("- {disagreement}\n");
    }
    let verdict = match (record.signal, record.convergence.cause) {
        (Signal::NotJudged, _) => format!("not judged: {}", record.tally.why_not_judged()),
        (_, Some(cause)) => format!("{} ({})", record.convergence.state, cause.name()),
        (_, None) => record.convergence.state.to_string(),
    };
    text += &format!(
        "- Convergence: {verdict}\n- Open: {}\n",
        quarters(record.open_quarters)
    );
    text
}

/// Issues that were passed over in this round, as far as heuristics can tell.
fn flags(state: &State) -> String {
    let round = state.now.round.number;
    let mut rows = String::new();
    let flagged = state.now.round.flagged.iter();
    for issue in flagged.filter_map(|id| state.now.issues.get(id)) {
        for flag in issue.flags.iter().filter(|flag| flag.round == round) {
            let evidence = &flag.evidence;
            let percent =
                |share: Option<u32>| share.map_or("-".to_owned(), |share| format!("{share}%"));
            rows += &format!(
                "| {} [{}] | {} | {} | {} | {} | {} |\n",
                issue.id,
                issue.concern.severity,
                flag.heuristic.name(),
                flag.confidence.name(),
                cell(&evidence.text),
                percent(evidence.overlap),
                percent(evidence.rewritten)
            );
        }
    }
    let head = "\n## Flags\n\n| Issue | Heuristic | Confidence | Evidence | Keywords shared | Rewritten |\n|---|---|---|---|---|---|\n";
    under(head, rows)
}
