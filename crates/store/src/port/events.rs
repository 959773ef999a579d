//! The lines of events: one JSON object for each, with its keys in one order.

use gapless_domain::Time;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::Flaw;
use crate::store::Row;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    seq: u64,
    at: i64,
    #[serde(rename = "type")]
    type_name: String,
    version: u32,
    body: Box<RawValue>,
}

/// An event as a line, without its end.
fn line(row: &Row, body: &str) -> String {
    let type_name = Value::from(row.type_name.as_str());
    format!(
        r#"{{"seq":{},"at":{},"type":{type_name},"version":{},"body":{body}}}"#,
        row.seq, row.at.0, row.version
    )
}

/// The lines of some rows. A body that would not come back as it is can't be written.
pub(super) fn write<'r>(
    path: &str,
    rows: impl IntoIterator<Item = &'r Row>,
) -> Result<String, Flaw> {
    let mut text = String::new();
    for row in rows {
        if !is_plain(&row.body) {
            let why = format!("the body of event {} is not plain JSON", row.seq);
            return Err(Flaw::new(path, None, why));
        }
        text += &line(row, &row.body);
        text.push('\n');
    }
    Ok(text)
}

/// True for JSON as gapless writes it: nothing between its parts, no escape that isn't needed, no key twice.
fn is_plain(body: &str) -> bool {
    // Written again it has the same length, whatever the order of its keys.
    serde_json::from_str::<Value>(body).is_ok_and(|read| read.to_string().len() == body.len())
}

/// Reads the lines of a file.
pub(super) fn read(path: &str, text: &str) -> Result<Vec<(Row, u32)>, Flaw> {
    let mut rows = Vec::new();
    for (number, written) in (1..).zip(text.split_inclusive('\n')) {
        let Some(content) = written.strip_suffix('\n') else {
            return Err(Flaw::new(path, number, "the line is cut off"));
        };
        let read: Line = serde_json::from_str(content)
            .map_err(|error| Flaw::new(path, number, format!("it is no event: {error}")))?;
        let row = Row {
            seq: read.seq,
            at: Time(read.at),
            type_name: read.type_name,
            version: read.version,
            body: String::from(read.body.get()),
        };
        if line(&row, &row.body) != content || !is_plain(&row.body) {
            let why = "it is not written as gapless writes it: it was edited";
            return Err(Flaw::new(path, number, why));
        }
        rows.push((row, number));
    }
    Ok(rows)
}
