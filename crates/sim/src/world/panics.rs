//! Turns panics of the simulated code into broken rules that name the place of the panic.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::Verdict;
use crate::check::violated;

thread_local! {
    static LISTENING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Lets it run, and makes a panic of it a verdict.
pub(super) fn caught(run: impl FnOnce() -> Verdict) -> Verdict {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| match LISTENING.get() {
            true => LAST.with_borrow_mut(|last| *last = info.to_string()),
            false => before(info),
        }));
    });
    LISTENING.set(true);
    let verdict = panic::catch_unwind(AssertUnwindSafe(run));
    LISTENING.set(false);
    verdict.unwrap_or_else(|_| violated("panics", LAST.with_borrow(Clone::clone)))
}
