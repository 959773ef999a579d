//! Checks that another store can import the log of a session.

use gapless_runner::{Audit, decode_rows};
use gapless_store::Store;

use crate::Verdict;
use crate::check::{failed, violated};

pub(super) fn check(store: &impl Store, name: &str) -> Verdict {
    let rows = store.read(name).map_err(failed("carrying", ""))?;
    let mut audit = Audit::default();
    for logged in decode_rows(&rows).map_err(failed("carrying", ""))? {
        if let Err(unlawful) = audit.follow(&logged.event) {
            let what = format!("event {} would be refused: {unlawful}", logged.seq);
            return violated("carrying", what);
        }
    }
    Ok(())
}
