//! Owns what is told of rollbacks as they happen, and of what became of their archives.

use gapless_core::archives::Disposed;
use gapless_core::event::RollbackEvent;

use super::story::{Story, counted};

impl Story {
    pub(super) fn disposed(&self, disposed: &Disposed) -> String {
        let mut said = Vec::new();
        if let Some(to) = &disposed.to {
            said.push(format!(
                "{} moved to {to}",
                counted(disposed.moved.len(), "archive")
            ));
        }
        if !disposed.deleted.is_empty() {
            said.push(format!(
                "{} deleted",
                counted(disposed.deleted.len(), "archive")
            ));
        }
        if !disposed.kept.is_empty() {
            said.push(format!("{} kept", counted(disposed.kept.len(), "archive")));
        }
        if !disposed.problems.is_empty() {
            let problems = disposed.problems.join("; ");
            return self.warning(format!("archives stay where they are: {problems}"));
        }
        match said.is_empty() {
            true => "  No archives were left.".to_owned(),
            false => format!("  {}", said.join(", ")),
        }
    }

    pub(super) fn rollback(&self, event: &RollbackEvent) -> Option<String> {
        let text = match event {
            RollbackEvent::RolledBack {
                from_round,
                to_round,
                reason,
                unasked,
                ..
            } => {
                let unasked = if *unasked { ", unasked" } else { "" };
                format!("Rolled back from round {from_round} to {to_round}{unasked}: {reason}")
            }
            RollbackEvent::Chosen { choice, .. } => choice.clone(),
            RollbackEvent::Adjusted { .. } => return None,
            RollbackEvent::ModeSet { mode } => format!("Rollbacks are {mode} from now on"),
        };
        Some(self.warning(text))
    }
}
