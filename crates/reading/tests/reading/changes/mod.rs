//! The changes that a proposal makes to the spec: how they are read, and what their checks say.

mod canonical;
mod checked;
mod habits;
mod hostile;
mod written;

use crate::support::{engineer, tolerant};
use gapless_domain::task::Role;
use gapless_reading::read::{BoundGap, WrittenChange};
use gapless_reading::validate::Checked;

/// A document with one gap and these spec changes.
pub fn document(changes: &str) -> String {
    format!(
        "## Gap Resolution: GAP-FLOW-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nA payout above the cap is \
         split over the next days, and the seller is told of each part on the day on which it is paid. Nothing is lost.\n\n\
         ### Spec Changes\n\n{changes}\n\n### Trade-offs\n\nA seller waits longer for the whole of it.\n\n### New Gaps \
         Introduced\n\n- GAP-FLOW-019 [LOW]: who tells the seller\n"
    )
}

pub fn read(changes: &str) -> Checked {
    tolerant(Role::Engineer, &document(changes))
}

#[track_caller]
pub fn bound(checked: &Checked) -> &BoundGap {
    &engineer(checked).gaps[0]
}

/// A change in one line: kind, section, after, old and new.
pub fn shown(change: &WrittenChange) -> String {
    let part = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let after = change.after.as_ref();
    let after = after.map_or(String::new(), |after| format!(" after {after}"));
    format!(
        "{} [{}{after}] {} => {}",
        change.kind.name(),
        part(&change.section),
        part(&change.old),
        part(&change.new)
    )
}

pub fn all_shown(checked: &Checked) -> Vec<String> {
    bound(checked).changes.iter().map(shown).collect()
}
