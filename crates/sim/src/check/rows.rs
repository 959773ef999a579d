//! Reads fields of rows, and weighs severities.

use serde_json::Value;

/// A string of a body, empty where there is none.
pub(crate) fn text<'a>(body: &'a Value, key: &str) -> &'a str {
    body[key].as_str().unwrap_or("")
}

pub(crate) fn number(body: &Value, key: &str) -> i64 {
    body[key].as_i64().unwrap_or(-1)
}

/// The items of a list; none where there is no list.
pub(crate) fn list(body: &Value) -> impl Iterator<Item = &Value> + Clone {
    body.as_array().into_iter().flatten()
}

pub(crate) fn strings(body: &Value) -> Vec<String> {
    let words = list(body).filter_map(Value::as_str);
    words.map(str::to_owned).collect()
}

/// The weight of a severity, as section 3 of the design has it.
pub(crate) fn weight(severity: &str) -> i64 {
    match severity {
        "CRITICAL" => 16,
        "HIGH" => 4,
        "MEDIUM" => 2,
        _ => 1,
    }
}

pub(crate) fn is_grave(severity: &str) -> bool {
    matches!(severity, "CRITICAL" | "HIGH")
}
