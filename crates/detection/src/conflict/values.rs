//! Finds the values that a sentence names: numbers, with what they measure. Numbers that only name something (ids, versions,
//! sections, status codes) are no values.

use std::sync::LazyLock;

use gapless_domain::keywords::Keywords;
use gapless_domain::words::phrases;

/// A number in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// The figure as it is written, in thousandths.
    pub figure: u128,
    /// What it comes to, in thousandths of a millisecond, a byte, a percent or one.
    pub amount: u128,
    pub measure: Measure,
    /// What stands before it in its sentence.
    pub before: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Measure {
    Time,
    Size,
    Percent,
    /// A number of these.
    Count(Keywords),
    /// Nothing is said.
    Bare,
}

impl Measure {
    /// True where two values can be of the same thing; one without a unit may be of any.
    pub fn fits(&self, other: &Measure) -> bool {
        match (self, other) {
            (Measure::Bare, _) | (_, Measure::Bare) => true,
            (Measure::Count(these), Measure::Count(those)) => these.shared(&[those]) > 0,
            (one, other) => one == other,
        }
    }
}

/// What a number is multiplied with to be in the unit of its measure.
const UNITS: [(&str, Measure, u128); 30] = [
    ("ms", Measure::Time, 1),
    ("millisecond", Measure::Time, 1),
    ("milliseconds", Measure::Time, 1),
    ("s", Measure::Time, 1_000),
    ("sec", Measure::Time, 1_000),
    ("secs", Measure::Time, 1_000),
    ("second", Measure::Time, 1_000),
    ("seconds", Measure::Time, 1_000),
    ("min", Measure::Time, 60_000),
    ("mins", Measure::Time, 60_000),
    ("minute", Measure::Time, 60_000),
    ("minutes", Measure::Time, 60_000),
    ("h", Measure::Time, 3_600_000),
    ("hour", Measure::Time, 3_600_000),
    ("hours", Measure::Time, 3_600_000),
    ("day", Measure::Time, 86_400_000),
    ("days", Measure::Time, 86_400_000),
    ("week", Measure::Time, 604_800_000),
    ("weeks", Measure::Time, 604_800_000),
    ("month", Measure::Time, 2_592_000_000),
    ("months", Measure::Time, 2_592_000_000),
    ("year", Measure::Time, 31_536_000_000),
    ("years", Measure::Time, 31_536_000_000),
    ("byte", Measure::Size, 1),
    ("bytes", Measure::Size, 1),
    ("kb", Measure::Size, 1_000),
    ("mb", Measure::Size, 1_000_000),
    ("gb", Measure::Size, 1_000_000_000),
    ("%", Measure::Percent, 1),
    ("percent", Measure::Percent, 1),
];

const NUMBERS: [(&str, u128); 20] = [
    ("zero", 0),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("twelve", 12),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("ninety", 90),
    ("hundred", 100),
    ("thousand", 1_000),
];

/// A number behind one of these names something.
const NAMING: [&str; 22] = [
    "section", "step", "option", "round", "point", "rfc", "version", "chapter", "figure", "table",
    "page", "line", "http", "status", "code", "error", "iso", "item", "phase", "appendix",
    "number", "level",
];

/// What follows a number and is not what it counts.
static NOT_COUNTED: LazyLock<Vec<&str>> =
    LazyLock::new(|| phrases(include_str!("../words/not_counted.txt")).collect());

/// The values of a sentence, in its order.
pub(super) fn values(sentence: &str) -> Vec<Value> {
    let mut tokens: Vec<(usize, &str)> = Vec::new();
    let mut from = 0;
    for token in sentence.split_whitespace() {
        from += sentence[from..].find(token).unwrap_or_default();
        tokens.push((from, token));
        from += token.len();
    }
    let mut found = Vec::new();
    for (index, (at, token)) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |before| tokens[before].1);
        if NAMING.contains(&bare(before).to_lowercase().as_str()) {
            continue;
        }
        let Some((thousandths, unit)) = number(bare(token)) else {
            continue;
        };
        let ends_clause = token.ends_with([',', '.', ';', ':', ')', '!', '?']);
        let behind: Vec<&str> = match ends_clause || !unit.is_empty() {
            true => Vec::new(),
            false => tokens[index + 1..]
                .iter()
                .take(2)
                .map(|(_, next)| bare(next))
                .collect(),
        };
        let Some((factor, measure)) = measure(&unit, &behind) else {
            continue;
        };
        found.push(Value {
            figure: thousandths,
            amount: thousandths.saturating_mul(factor),
            measure,
            before: sentence[..*at].to_owned(),
        });
    }
    found
}

/// A token without the signs around it.
fn bare(token: &str) -> &str {
    token.trim_matches(|c: char| !c.is_alphanumeric() && c != '%')
}

/// The number of a token in thousandths, and the unit that is written onto it: `30`, `1.5`, `30s`, `30-second`, `ten`.
fn number(token: &str) -> Option<(u128, String)> {
    let lower = token.to_lowercase();
    if let Some((_, amount)) = NUMBERS.iter().find(|(word, _)| *word == lower) {
        return Some((amount * 1_000, String::new()));
    }
    let end = lower.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_');
    let (digits, unit) = lower.split_at(end.unwrap_or(lower.len()));
    let (whole, fraction) = digits
        .trim_end_matches('.')
        .split_once('.')
        .unwrap_or((digits, ""));
    let whole: u128 = whole.replace('_', "").parse().ok()?;
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    let fraction: u128 = fraction.parse().ok()?;
    let unit = unit.trim_start_matches('-');
    match unit {
        "st" | "nd" | "rd" | "th" => None,
        unit => Some((whole * 1_000 + fraction, unit.to_owned())),
    }
}

/// What a number with this unit, or with these words behind it, measures.
fn measure(unit: &str, behind: &[&str]) -> Option<(u128, Measure)> {
    let known = |word: &str| {
        let word = word.to_lowercase();
        let unit = UNITS.iter().find(|(name, ..)| *name == word);
        unit.map(|(_, measure, factor)| (*factor, measure.clone()))
    };
    if !unit.is_empty() {
        return known(unit);
    }
    let Some(next) = behind.first() else {
        return Some((1, Measure::Bare));
    };
    if let Some(known) = known(next) {
        return Some(known);
    }
    let next = next.to_lowercase();
    let counted = Keywords::of(&behind.join(" "));
    match Keywords::of(&next).is_empty() || NOT_COUNTED.contains(&next.as_str()) {
        true => Some((1, Measure::Bare)),
        false => Some((1, Measure::Count(counted))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_numbers_that_name() {
        let amounts = |text: &str| -> Vec<String> {
            let values = values(text).into_iter();
            values
                .map(|value| {
                    let what = match value.measure {
                        Measure::Time => "ms".to_owned(),
                        Measure::Size => "bytes".to_owned(),
                        Measure::Percent => "percent".to_owned(),
                        Measure::Count(of) => of.iter().collect::<Vec<_>>().join("+"),
                        Measure::Bare => "-".to_owned(),
                    };
                    format!("{} {what}", value.amount / 1_000)
                })
                .collect()
        };
        assert_eq!(amounts("use 30 seconds"), ["30000 ms"]);
        assert_eq!(
            amounts("wait 1s, 2s, 4s (<100ms)"),
            ["1000 ms", "2000 ms", "4000 ms", "100 ms"]
        );
        assert_eq!(amounts("a 30-day retention"), ["2592000000 ms"]);
        assert_eq!(
            amounts("1.5 MB at most, or 20%"),
            ["1500000 bytes", "20 percent"]
        );
        assert_eq!(amounts("Two is enough."), ["2 -"]);
        assert_eq!(amounts("keep 3 backups"), ["3 backup"]);
        assert_eq!(
            amounts("ISSUE-R1-004 and GAP-API-001, see section 7 of RFC 7231"),
            [""; 0]
        );
        assert_eq!(
            amounts("status 404, HTTP 403, version 2, SHA-256 and the 3rd"),
            [""; 0]
        );
    }
}
