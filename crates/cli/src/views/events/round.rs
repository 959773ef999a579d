//! Lines about rounds: what they take, how they count, and what the Editor and the final review made of them.

use gapless_domain::quarters;
use gapless_session::RoundEvent;
use gapless_session::state::verdict_words;

use super::style::LineStyle;
use crate::output::wording::list_or_nothing as list;
use crate::{Tone, plain};

pub(crate) fn line(style: &LineStyle, event: &RoundEvent) -> Option<String> {
    Some(match event {
        RoundEvent::Began { round } => {
            let title = style.paint(Tone::Strong, format!("Round {round}"));
            format!("\n{title}")
        }
        RoundEvent::Planned {
            assigned,
            to_review,
        } => {
            let mut text = format!("planned: {}", list(assigned));
            if !to_review.is_empty() {
                text += &format!("; to review again: {}", list(to_review));
            }
            style.detail(Tone::Faint, "·", text)
        }
        RoundEvent::Accounted { .. } => accounted(style, event)?,
        RoundEvent::Narrowed { to } => format!("  The next round takes only {}", list(to)),
        RoundEvent::LeftOut { gaps } => {
            format!("  The next round takes others than {}", list(gaps))
        }
        RoundEvent::Forced { .. } => {
            "  The next round takes the proposals that were undone".to_owned()
        }
        RoundEvent::Edited { .. } => edited(style, event)?,
        RoundEvent::FinalReviewed { ready: true, .. } => {
            style.detail(Tone::Good, "✓", "the final review says ready")
        }
        RoundEvent::FinalReviewed { ready: false, .. } => {
            style.detail(Tone::Bad, "✗", "the final review names blockers")
        }
        RoundEvent::Entered { .. }
        | RoundEvent::Responded { .. }
        | RoundEvent::Joined { .. }
        | RoundEvent::Reviewed { .. }
        | RoundEvent::Settled {}
        | RoundEvent::DivergenceCleared { .. } => return None,
    })
}

/// The account of a round; none for another event.
fn accounted(style: &LineStyle, event: &RoundEvent) -> Option<String> {
    let RoundEvent::Accounted {
        tally,
        weighted_net,
        unweighted_net,
        signal,
        convergence,
        open_quarters,
    } = event
    else {
        return None;
    };
    let tone = match weighted_net {
        1.. => Tone::Good,
        0 => Tone::Warn,
        _ => Tone::Bad,
    };
    let disagree = match weighted_net.signum() == unweighted_net.signum() {
        true => "",
        false => "; weight and gaps disagree, weight decides",
    };
    let text = format!(
        "net {weighted_net:+} ({unweighted_net:+} by gaps): {} resolved, {} new, {} reopened; {} open; {}{disagree}",
        tally.resolved.len(),
        tally.created.len(),
        tally.reopened.len(),
        quarters(*open_quarters),
        verdict_words(*signal, convergence)
    );
    Some(style.detail(tone, "=", text))
}

/// The sections that the Editor rewrote, and those whose new version was not taken; none for another event.
fn edited(style: &LineStyle, event: &RoundEvent) -> Option<String> {
    let RoundEvent::Edited {
        taken, not_taken, ..
    } = event
    else {
        return None;
    };
    let taken = taken.iter().map(|edit| {
        let text = format!("{}: accepted parts worked in", plain::one_line(&edit.title));
        style.detail(Tone::Good, "✓", text)
    });
    let not_taken = not_taken.iter().map(|section| {
        let text = format!(
            "{}: as it is assembled; the Editor's version was not taken: {}",
            plain::one_line(&section.title),
            plain::one_line(&section.why)
        );
        style.detail(Tone::Warn, "!", text)
    });
    let lines: Vec<String> = taken.chain(not_taken).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
