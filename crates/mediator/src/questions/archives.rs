//! Asks what becomes of the archives of an ended session.

use super::rollback_lines::short;
use super::wording::choice;
use super::{Effect, Given};
use crate::{Result, Turn};
use gapless_domain::archives::RECENT_DAYS;
use gapless_domain::question::archives::Subject;
use gapless_domain::{About, ArchiveChoice, Holds, Question};
use gapless_session::SessionEvent;

impl Turn<'_> {
    /// What becomes of the archives, once the session has ended.
    pub(crate) fn archives_question(&self) -> Question {
        let mut archives = Vec::new();
        for (index, rollback) in self.state.kept.rollbacks.iter().enumerate() {
            for round in rollback.retried()..=rollback.from_round {
                let archive = self.state.archive_of(index, round);
                archives.push(format!("- {archive}: {}", short(&rollback.reason)));
            }
        }
        let mut options = vec![
            choice(
                ArchiveChoice::Keep,
                "Keep them",
                "they stay in the session's folder",
            ),
            choice(
                ArchiveChoice::Delete,
                "Delete them",
                "their texts stay in the event log; those that you marked with `gapless archive keep` stay",
            ),
            choice(
                ArchiveChoice::Recent,
                "Keep the recent ones",
                &format!("those of the last {RECENT_DAYS} days stay, the others are deleted"),
            ),
            choice(
                ArchiveChoice::Cold,
                "Move them to cold storage",
                "they go to `gapless/archive` in your data folder; `gapless archive prune` removes them after 30 days",
            ),
        ];
        for offered in &mut options {
            offered.recommended = offered.label == ArchiveChoice::UNANSWERED.name();
        }
        Question {
            options,
            holds: Holds::Nothing,
            without_answer: "they are moved to cold storage".to_owned(),
            ..self.question(
                About::Archives(Subject {}),
                "What becomes of the archives of rolled-back rounds?".to_owned(),
                archives.join("\n"),
            )
        }
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let choice = given.option;
        turn.session(SessionEvent::ArchivesChosen { choice });
        Ok(())
    }
}
