//! The log of a session read as events.

use gapless_session::event::{Event, EventReader};
use gapless_store::{Row, Store, StoreError};

use crate::error::RunError;

/// An event with its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    pub seq: u64,
    pub event: Event,
}

/// Reads rows as events, lifting older versions.
pub fn decode_rows(rows: &[Row]) -> Result<Vec<Logged>, RunError> {
    let mut reader = EventReader::default();
    rows.iter()
        .map(|row| {
            let what = reader
                .read(&row.type_name, row.version, &row.body)
                .map_err(|source| RunError::Decode {
                    seq: row.seq,
                    source,
                })?;
            Ok(Logged {
                seq: row.seq,
                event: Event { at: row.at, what },
            })
        })
        .collect()
}

/// The whole log of a session; an unknown name is an empty one.
pub(crate) fn log_of(store: &impl Store, name: &str) -> Result<Vec<Logged>, RunError> {
    match store.read(name) {
        Ok(rows) => decode_rows(&rows),
        Err(StoreError::NoSuchSession { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}
