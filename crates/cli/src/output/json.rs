//! JSON documents on stdout, one per command, each with a version.

use serde_json::{Map, Value, json};

use crate::Failure;
use crate::output::stdout;

const VERSION: u32 = 1;

/// Prints a document with its version first.
pub(crate) fn print(document: &Value) {
    let mut all = Map::new();
    all.insert("version".to_owned(), VERSION.into());
    if let Value::Object(document) = document {
        all.extend(document.clone());
    }
    let text = serde_json::to_string_pretty(&all).unwrap_or_default();
    stdout::line(&text);
}

/// Prints the document of a list: the session, and its items.
pub(crate) fn print_items(session: &str, items: impl IntoIterator<Item = Value>) {
    let items: Vec<Value> = items.into_iter().collect();
    print(&json!({ "session": session, "items": items }));
}

/// Converts a failure to the document that reports it.
pub(crate) fn failure(failure: &Failure) -> Value {
    json!({ "error": {
        "kind": failure.kind,
        "message": failure.message,
        "hint": failure.hint,
    }})
}
