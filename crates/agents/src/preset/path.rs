//! Finds values in a line of JSON.

use serde_json::Value;

/// Finds the value at a path of keys with dots between them.
pub(super) fn at<'v>(path: &str, value: &'v Value) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}
