//! Sheets as CSV, one line per figure: `table,key,detail,metric,value`. Names can't be taken for formulas by a spreadsheet.

use csv::{Terminator, WriterBuilder};
use serde_json::Value;

use super::sheets::Sheet;
use crate::output::stdout;

pub(crate) fn print(sheets: &[Sheet]) {
    let text = text(sheets).unwrap_or_default();
    stdout::bytes(&text);
}

fn text(sheets: &[Sheet]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(["table", "key", "detail", "metric", "value"])?;
    for sheet in sheets {
        for row in &sheet.rows {
            let key = |place: usize| harmless(row.keys.get(place).map_or("", String::as_str));
            for (metric, value) in &row.figures {
                let value = match value {
                    Value::Null => String::new(),
                    Value::String(text) => harmless(text),
                    value => value.to_string(),
                };
                writer.write_record([sheet.name, &key(0), &key(1), metric, &value])?;
            }
        }
    }
    writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// Quotes a text that a spreadsheet would take for a formula.
fn harmless(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheets::Row;
    use super::*;

    #[test]
    fn names_are_quoted_and_never_a_formula() {
        let agents = [
            "=HYPERLINK(\"http://a.example\")",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "cmd:a, \"b\"\nc",
        ];
        let rows = agents.map(|agent| Row {
            keys: vec!["engineer".to_owned(), agent.to_owned()],
            figures: vec![("attempts", 3.into()), ("cost_micros", Value::Null)],
        });
        let sheet = Sheet {
            name: "agents",
            keys: &["role", "agent"],
            rows: rows.into(),
        };
        let text = text(&[sheet]).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_slice());
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2 * agents.len());
        for (pair, agent) in records.chunks(2).zip(agents) {
            let cell = &pair[0][2];
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t']), "{cell}");
            assert_eq!(cell.trim_start_matches('\''), agent);
            assert_eq!((&pair[0][4], &pair[1][4]), ("3", ""));
        }
        assert!(String::from_utf8(text).unwrap().ends_with("\r\n"));
    }
}
