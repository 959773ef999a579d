//! Counts, lists and places in words.

pub(crate) use gapless_domain::comma_list as list;
use std::fmt::Display;

/// Counts things: "0 gaps", "1 gap", "2 gaps".
pub(crate) fn count(number: impl Display, what: &str) -> String {
    match number.to_string().as_str() {
        "1" => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// Counts things: "no gap", "1 gap", "2 gaps".
pub(crate) fn count_or_no(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        number => count(number, what),
    }
}

pub(crate) fn list_or_nothing<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    match list(things) {
        listed if listed.is_empty() => "nothing".to_owned(),
        listed => listed,
    }
}

/// Lists what there is, or says that there is `none`.
pub(crate) fn there_are<T: Display>(things: impl IntoIterator<Item = T>, none: &str) -> String {
    match list(things) {
        listed if listed.is_empty() => none.to_owned(),
        listed => format!("there are: {listed}"),
    }
}

/// Lists things behind other words: " (a, b)", or nothing at all.
pub(crate) fn in_parentheses<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    match list(things) {
        listed if listed.is_empty() => listed,
        listed => format!(" ({listed})"),
    }
}

/// Names a line behind other words: " (line 3)", or nothing at all.
pub(crate) fn at_line(line: Option<u32>) -> String {
    line.map_or(String::new(), |line| format!(" (line {line})"))
}
