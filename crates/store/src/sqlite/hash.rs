//! How a text's hash stands in a column: as its 32 bytes.

use gapless_domain::text::TextHash;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

#[derive(Debug, Clone, Copy)]
pub(super) struct Key(pub TextHash);

impl ToSql for Key {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let hash = blake3::Hash::from_hex(self.0.to_string())
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok(hash.as_bytes().to_vec().into())
    }
}

impl FromSql for Key {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let hash = blake3::Hash::from_slice(value.as_blob()?).map_err(FromSqlError::other)?;
        hash.to_hex().parse().map(Key).map_err(FromSqlError::other)
    }
}
