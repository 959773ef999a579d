//! Writes a document as the role of a task would.

use gapless_domain::Role;

use super::behaviour::{Behaviour, Seen};
use super::{analyst, editor, engineer, final_review, reviewer};
use crate::Rng;

pub(super) fn write(rng: &mut Rng, behaviour: Behaviour, seen: &Seen) -> String {
    match seen.task.id.slot.role {
        Role::Analyst => analyst::write(rng, behaviour),
        Role::Engineer => engineer::write(rng, behaviour, seen),
        Role::Reviewer => reviewer::write(rng, behaviour, seen),
        Role::Editor => editor::write(rng, behaviour, seen),
        Role::FinalReviewer => final_review::write(rng, behaviour, seen),
    }
}
