//! Status.md: the inventory, the configuration, convergence, the current round and a line per earlier one.

use super::closing::Closing;
use super::rollback::rollback_history;
use super::validation::completion;
use super::{listed, under};
use gapless_domain::text::cell;
use gapless_domain::{
    Edit, Gap, Ownership, Phase, Severity, comma_list, human_millis, one_line, quarters,
};
use gapless_markdown::inert;
use gapless_session::state::{RoundRecord, State};
use gapless_session::{Figures, spending};

/// Writes status.md.
pub fn status(state: &State) -> String {
    let origin = state.kept.origin.as_ref();
    let name = origin.map_or("", |origin| origin.name.as_str());
    let figures = Figures::of(state);
    let mut text = format!("# Status: {name}\n\n{}\n", place(state, &figures));
    if let Some(closing) = Closing::of(state) {
        text += &closing_summary(&closing);
    }
    text += &chapters(state);
    text += &inventory(state, &figures);
    text += &current_round(state);
    text += &editing(state);
    text += &questions(state);
    text += &convergence(state);
    let mut behind = rollback_history(state);
    behind += &time_and_cost(&figures);
    behind += &configuration(state);
    // The lines of rounds have nothing of others in them, and there may be many: they are written once, and copied.
    let lines = state.now.history.iter();
    let lines = lines.map(|record| record.line.once(|| line_of_round(record)));
    let mut whole = inert(&text);
    whole.reserve(lines.clone().map(str::len).sum::<usize>() + behind.len());
    whole.extend(lines);
    whole + &inert(&behind)
}

fn place(state: &State, figures: &Figures) -> String {
    let now = &state.now;
    let place = match (now.phase, state.kept.ended) {
        (_, Some(_)) => format!("**Ended:** {}", state.end_sentence().unwrap_or_default()),
        (Phase::Round, None) => format!("**Round {}:** {}", now.round.number, now.round.phase),
        (phase, None) => format!("**Phase:** {phase}"),
    };
    let rests = match spending::spent(state) {
        _ if state.kept.paused => " (paused)".to_owned(),
        Some(spent) if state.kept.ended.is_none() => format!(" (out of budget: {spent})"),
        _ => String::new(),
    };
    format!(
        "{place}{rests}\n\n**Open:** {} of {} gaps{}",
        quarters(figures.open_quarters),
        figures.gaps,
        figures.parked_note()
    )
}

fn chapters(state: &State) -> String {
    let chapters = state.chapters_in_words();
    match chapters.is_empty() {
        true => String::new(),
        false => format!("\n## Earlier chapters\n\n- {}\n", chapters.join("\n- ")),
    }
}

fn inventory(state: &State, figures: &Figures) -> String {
    let now = &state.now;
    let mut text = "\n## Inventory\n".to_owned();
    for severity in Severity::GRAVEST_FIRST {
        let mut gaps: Vec<_> = now
            .gaps
            .values()
            .filter(|gap| gap.severity == severity)
            .collect();
        if gaps.is_empty() {
            continue;
        }
        gaps.sort_by_key(|gap| gap.age);
        // Most sessions are one person's, and need no column for that.
        let owned = gaps.iter().any(|gap| !state.ownership(&gap.id).is_empty());
        let (names, rule) = match owned {
            true => (" Owner | Due |", "---|---|"),
            false => ("", ""),
        };
        text += &format!(
            "\n### {severity}\n\n| Gap | State |{names} Description | Waits on | Note |\n|---|---|{rule}---|---|---|\n"
        );
        for gap in gaps {
            let Ownership { owner, due } = state.ownership(&gap.id);
            let ownership = match owned {
                true => format!(" {} | {} |", cell(&listed(owner)), listed(due)),
                false => String::new(),
            };
            text += &format!(
                "| {} | {} |{ownership} {} | {} | {} |\n",
                gap.id,
                gap.state,
                cell(&described(gap)),
                listed(&gap.blocked_by),
                cell(gap.reason.as_deref().unwrap_or("-"))
            );
        }
    }
    if now.gaps.is_empty() {
        return text + "\nNo gaps.\n";
    }
    text += "\n| State | CRITICAL | HIGH | MEDIUM | LOW |\n|---|---|---|---|---|\n";
    for count in &figures.states {
        let cells = count.by_severity.map(|count| count.to_string()).join(" | ");
        text += &format!("| {} | {cells} |\n", count.state);
    }
    text
}

/// How the session ended and what it leaves.
fn closing_summary(closing: &Closing) -> String {
    let mut text = format!(
        "\n## How it ended\n\n- **End:** {}\n- **Because:** {}\n- **Convergence:** {}\n- **Rounds:** {} of at most {}\n- **Round limit:** {}\n",
        closing.end_in_words,
        closing.trigger.sentence(),
        closing.figures.progress,
        closing.figures.round,
        closing.figures.max_rounds,
        closing.round_limit
    );
    text += "\n### Known limitations\n\n";
    if closing.limitations.is_empty() {
        text += "None.\n";
    }
    for limitation in &closing.limitations {
        text += &format!("- {limitation}\n");
    }
    text
}

fn time_and_cost(figures: &Figures) -> String {
    let time = figures.time;
    let mut text = format!(
        "\n## Time and cost\n\n{} in all: agents at work {}, waiting {}.\n",
        human_millis(time.total),
        human_millis(time.active),
        human_millis(time.waiting)
    );
    if figures.usage_by_role.is_empty() {
        return text;
    }
    text += "\n| Role | Tokens in | Tokens out | Cost | Time |\n|---|---|---|---|---|\n";
    let roles = figures.usage_by_role.iter();
    let roles = roles.map(|(role, usage)| (role.to_string(), usage));
    for (role, usage) in roles.chain([("all".to_owned(), &figures.usage)]) {
        let told = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        text += &format!(
            "| {role} | {} | {} | {} | {} |\n",
            told(usage.tokens_in()),
            told(usage.tokens_out()),
            told(usage.cost()),
            human_millis(usage.millis)
        );
    }
    text
}

/// How the roles of the round under way fare; a closed session has none.
fn current_round(state: &State) -> String {
    let round = &state.now.round;
    if round.slots.is_empty() || state.kept.ended.is_some() {
        return String::new();
    }
    let title = match round.number {
        0 => "Discovery".to_owned(),
        number => format!("Round {number}"),
    };
    format!("\n## {title}\n\n{}", completion(state))
}

/// What the Editor made of the spec's sections, as far as it stands, and what of its work was not taken.
fn editing(state: &State) -> String {
    let now = &state.now;
    let stands = |edit: &&Edit| {
        edit.made_from.iter().all(|(id, text)| {
            let gap = now
                .gaps
                .get(id)
                .filter(|gap| gap.state.is_settled_by_text());
            let proposal = gap.and_then(|gap| gap.proposal.as_ref());
            proposal.is_some_and(|proposal| proposal.solution == *text)
        })
    };
    let mut text = String::new();
    for edit in now.edits.values().filter(stands) {
        let gaps = comma_list(edit.made_from.keys());
        text += &format!("- {}: worked in: {gaps}\n", one_line(&edit.title));
    }
    for section in &now.round.not_edited {
        text += &format!(
            "- {}: as it is assembled; the Editor's version was not taken: {}\n",
            one_line(&section.title),
            one_line(&section.why)
        );
    }
    under("\n## Edited sections\n\n", text)
}

fn questions(state: &State) -> String {
    if state.now.questions.is_empty() {
        return String::new();
    }
    let mut text = "\n## Waiting for you\n\n".to_owned();
    for question in state.now.queue() {
        text += &format!(
            "- {} ({}): {}\n",
            question.id,
            question.about.kind(),
            question.title
        );
    }
    text
}

/// The state of convergence, and the head of the table that has a line per round.
fn convergence(state: &State) -> String {
    let now = &state.now;
    let mut text = format!(
        "\n## Convergence\n\n**State:** {}, flat rounds: {}\n",
        now.progress(),
        now.convergence.flat_count,
    );
    if now.history.is_empty() {
        return text;
    }
    text += "\n| Round | Resolved | New | Reopened | Net (weight) | Net (heads) | Open | State |\n|---|---|---|---|---|---|---|---|\n";
    text
}

fn line_of_round(record: &RoundRecord) -> String {
    format!(
        "| {} | {} | {} | {} | {:+} | {:+} | {} | {} |\n",
        record.round,
        record.tally.resolved.len(),
        record.tally.created.len(),
        record.tally.reopened.len(),
        record.weighted_net,
        record.unweighted_net,
        quarters(record.open_quarters),
        record.verdict()
    )
}

fn configuration(state: &State) -> String {
    let limits = state.limits();
    let setup = &state.kept.setup;
    let mut text = format!(
        "\n## Configuration\n\n| Key | Value |\n|---|---|\n| max_rounds | {} |\n| stall_threshold | {} |\n| divergence_threshold | {} |\n| gaps_per_round | {} |\n| max_retries | {} |\n",
        state.round_limit(),
        limits.stall_threshold,
        limits.divergence_threshold,
        setup.config.gaps_per_round,
        setup.config.max_retries
    );
    for (role, agent) in &setup.agents {
        text += &format!("| {} agent | `{}` |\n", role.stem(), cell(agent));
    }
    text
}

/// What a gap is about, with the words of findings that were merged with it.
fn described(gap: &Gap) -> String {
    let also = gap.also_said().map(|text| format!("; also: {text}"));
    gap.description.clone() + &also.collect::<String>()
}
