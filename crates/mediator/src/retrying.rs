//! What the questions around a rollback need: which gaps the retry can take, and the record of how the user goes on.

use super::{Result, Turn};
use crate::plan::{blockers, plan};
use gapless_domain::{DecidedBy, Decision, DecisionKind, Disposed, GapId, GapMove};
use gapless_session::SessionEvent;

impl Turn<'_> {
    /// Records how the user goes on after a rollback.
    pub(super) fn decide_rollback(
        &mut self,
        what: String,
        gaps: Vec<GapId>,
        rationale: &str,
        by: DecidedBy,
    ) {
        self.decide(Decision {
            gaps,
            rationale: rationale.to_owned(),
            ..self.decision(DecisionKind::Rollback, what.clone(), format!("{what}."), by)
        });
    }

    /// Why the next round can't take all of these gaps; nothing where it can.
    pub(super) fn why_not_plannable(&self, gaps: &[GapId]) -> Result<Option<String>> {
        for id in gaps {
            let gap = self.gap(id)?;
            let blocker = blockers(&self.state.now, gap).next();
            match (gap.can(GapMove::Assign), blocker) {
                (Err(_), _) => return Ok(Some(format!("{id} is {} then", gap.state))),
                (Ok(_), Some(blocker)) => {
                    return Ok(Some(format!("{id} waits on {} then", blocker.id)));
                }
                (Ok(_), None) => {}
            }
        }
        Ok(None)
    }

    /// Notes what was done with the archives, unless nothing was to be done or the log says so already.
    pub(super) fn note_disposal(&mut self, disposed: Disposed) {
        let known = self.state.kept.disposed.as_ref() == Some(&disposed);
        if self.state.archives_due().is_some() && !known {
            self.session(SessionEvent::ArchivesDisposed { disposed });
        }
    }

    /// The gaps that the next round would take instead of these.
    pub(super) fn in_their_place(&self, gaps: &[GapId]) -> Vec<GapId> {
        let mut other = self.state.clone();
        other.now.narrowed_to.clear();
        other.now.left_out = gaps.to_vec();
        let planned = plan(&other).assigned();
        planned
            .into_iter()
            .filter(|gap| !gaps.contains(gap))
            .collect()
    }
}
