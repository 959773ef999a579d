//! The chapters of a session: each goes on from the end of the one before it.

use super::State;
use gapless_domain::config::{Limits, RoundLimit};
use gapless_domain::phase::{End, Trigger};
use gapless_domain::task::Usage;
use gapless_domain::text::TextHash;
use gapless_domain::time::Time;

/// A chapter that has ended and that another one followed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    pub end: End,
    /// Nothing but rules had reviewed it.
    pub by_rules: bool,
    pub trigger: Trigger,
    /// The round that it ended in; 0 where it ended before the first.
    pub last_round: u32,
    pub ended_at: Time,
    pub reopened_at: Time,
    /// The refined spec at its end.
    pub refined: Option<TextHash>,
    /// What had been used by its end, in all chapters.
    pub usage: Usage,
    pub active_millis: u64,
    pub rollbacks: u32,
}

impl State {
    /// The number of the chapter under way, or of the last one.
    pub fn chapter(&self) -> u32 {
        u32::try_from(self.kept.chapters.len() + 1).unwrap_or(u32::MAX)
    }

    /// The rounds before the chapter under way, which its limits don't count.
    pub fn rounds_before_chapter(&self) -> u32 {
        let last = self.kept.chapters.back();
        last.map_or(0, |chapter| chapter.last_round)
    }

    pub fn limits(&self) -> Limits {
        let limits = self.kept.limits;
        limits.unwrap_or_else(|| self.limits_for(self.kept.initial_gaps))
    }

    /// The round limit with what it was at the start of the chapter.
    pub fn round_limit(&self) -> RoundLimit {
        let now = self.limits().max_rounds;
        RoundLimit {
            now,
            at_start: self.kept.first_max_rounds.unwrap_or(now),
        }
    }

    /// Where the round limit comes from, in words; nothing but the user, or a setting of the user's, raises it.
    pub fn round_limit_words(&self) -> String {
        let limit = self.round_limit();
        let config = &self.kept.setup.config;
        let gaps = self.kept.initial_gaps;
        let before = self.rounds_before_chapter();
        let at_start = limit.at_start.saturating_sub(before);
        let set = match gaps {
            _ if config.max_rounds.is_some()
                && self.limits_for(gaps).max_rounds == limit.at_start =>
            {
                format!("set to {at_start} by you")
            }
            1 => format!("computed from 1 gap: {at_start}"),
            gaps => format!("computed from {gaps} gaps: {at_start}"),
        };
        let set = match before {
            0 => set,
            before => format!("{set} after round {before}, where this chapter began"),
        };
        match (limit.now == limit.at_start, config.auto_extend) {
            (true, _) => set,
            (false, false) => format!("{set}; changed to {} by you", limit.now),
            (false, true) => format!("{set}; changed to {} by you or `auto_extend`", limit.now),
        }
    }

    /// What became of the chapters before the one under way, a sentence each.
    pub fn chapters_in_words(&self) -> Vec<String> {
        let chapters = (1_u32..).zip(&self.kept.chapters);
        chapters
            .map(|(number, chapter)| {
                let by_rules = match chapter.by_rules {
                    true => " by rules",
                    false => "",
                };
                let after = match chapter.last_round {
                    0 => "before the first round".to_owned(),
                    round => format!("after round {round}"),
                };
                format!(
                    "Chapter {number} ended {after} as {}{by_rules}: {}. It was taken up again at {}.",
                    chapter.end,
                    chapter.trigger.sentence(),
                    chapter.reopened_at
                )
            })
            .collect()
    }

    /// The limits of this chapter for so many gaps; rounds are counted from the session's first.
    pub fn limits_for(&self, gaps: u32) -> Limits {
        let limits = self.kept.setup.config.limits(gaps);
        Limits {
            max_rounds: self
                .rounds_before_chapter()
                .saturating_add(limits.max_rounds),
            ..limits
        }
    }

    /// The round that extensions of this chapter can't go beyond.
    pub fn hard_limit(&self) -> u32 {
        let hard_limit = self.kept.setup.config.hard_limit;
        self.rounds_before_chapter().saturating_add(hard_limit)
    }

    /// What the user's spec may have without having been changed: what the session started from, and the refined specs of
    /// earlier chapters and of an end that was taken back, which may have been written over it.
    pub fn known_specs(&self) -> Vec<TextHash> {
        let origin = self.kept.origin.iter().map(|origin| origin.source);
        let chapters = self.kept.chapters.iter();
        let refined = chapters.filter_map(|chapter| chapter.refined);
        let mut known: Vec<TextHash> = origin.chain(refined).collect();
        let written = self.kept.last_written;
        known.extend(written.filter(|written| !known.contains(written)));
        known
    }

    /// How many rollbacks there were in this chapter.
    pub fn rollbacks_in_chapter(&self) -> u32 {
        let before = self.kept.chapters.back();
        let before = before.map_or(0, |chapter| chapter.rollbacks as usize);
        let rollbacks = self.kept.rollbacks.iter().skip(before);
        let counted = rollbacks.filter(|rollback| rollback.counts());
        u32::try_from(counted.count()).unwrap_or(u32::MAX)
    }
}
