//! Writes a document as the role of a task would.

use gapless_domain::task::Role;

use super::temper::{Seen, Temper};
use super::{analyst, editor, engineer, final_review, reviewer};
use crate::rng::Rng;

pub(super) fn write(rng: &mut Rng, temper: Temper, seen: &Seen) -> String {
    match seen.task.id.slot.role {
        Role::Analyst => analyst::write(rng, temper),
        Role::Engineer => engineer::write(rng, temper, seen),
        Role::Reviewer => reviewer::write(rng, temper, seen),
        Role::Editor => editor::write(rng, temper, seen),
        Role::FinalReviewer => final_review::write(rng, temper, seen),
    }
}
