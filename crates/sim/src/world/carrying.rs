//! Checks that another store can import the log of a session.

use gapless_runner::decode_rows;
use gapless_session::State;
use gapless_session::audit::follow;
use gapless_store::Store;

use crate::Verdict;
use crate::check::violated;

pub(super) fn check(store: &impl Store, name: &str) -> Verdict {
    let rows = store.read(name);
    let log = rows.map_err(|error| error.to_string());
    let log = log.and_then(|rows| decode_rows(&rows).map_err(|error| error.to_string()));
    let mut state = State::default();
    match log {
        Ok(log) => {
            for logged in log {
                if let Err(unlawful) = follow(&mut state, &logged.event) {
                    let what = format!("event {} would be refused: {unlawful}", logged.seq);
                    return violated("carrying", what);
                }
            }
            Ok(())
        }
        Err(error) => violated("carrying", error),
    }
}
