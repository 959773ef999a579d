//! How a text's hash stands in a column: as its 32 bytes.

use gapless_domain::text::TextHash;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

#[derive(Debug, Clone, Copy)]
pub(super) struct Key(pub TextHash);

impl ToSql for Key {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.as_bytes().as_slice().into())
    }
}

impl FromSql for Key {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = <[u8; 32]>::try_from(value.as_blob()?).map_err(FromSqlError::other)?;
        Ok(Key(TextHash::from_bytes(bytes)))
    }
}
