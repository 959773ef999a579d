//! JSON documents on stdout, one per command, each with a version.

use gapless_markdown::is_deceptive;
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
    print_as_is(&Value::Object(all));
}

/// Prints a document of another format, which has no version of ours.
pub(crate) fn print_as_is(document: &Value) {
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
    stdout::line(&escaped(&text));
}

/// JSON of the same value in which nothing steers a terminal, reorders words or hides: such characters as `\u009b`. They
/// can only be in its strings.
fn escaped(json: &str) -> String {
    let is_special = |c: char| c == '\u{7f}' || is_deceptive(c);
    if json.is_ascii() && !json.contains(is_special) {
        return json.to_owned();
    }
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if !is_special(character) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
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
