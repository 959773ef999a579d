//! The comparison of proposals that were written side by side: keys that two of them define with different values.
//! Only what is written as code counts as a key (`` `max_attempts` ``), so that prose doesn't cry wolf.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::read::Excerpt;

/// A key that proposals define differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clash {
    pub key: String,
    /// The different values, in the order of the proposals.
    pub values: Vec<String>,
}

/// Finds the keys that at least two of the proposals define, with different values.
pub fn clashes(proposals: &[Excerpt]) -> Vec<Clash> {
    let mut by_key: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for proposal in proposals {
        for (key, value) in definitions(proposal) {
            add(by_key.entry(key).or_default(), value);
        }
    }
    by_key
        .into_iter()
        .filter(|(_, values)| values.len() > 1)
        .map(|(key, values)| Clash { key, values })
        .collect()
}

/// What one proposal defines: the first value of each key. One that gives a key twice contradicts only itself.
fn definitions(proposal: &Excerpt) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in proposal.prose_lines() {
        if let Some((key, value)) = table_row(line).or_else(|| assignment(line)) {
            found.entry(key).or_insert(value);
        }
    }
    found
}

/// The keys that the lines of one text give different numbers or truth values, in different blocks. A key that stands twice in
/// one block (the rows of a table, a list) is a list of cases and no definition.
pub fn disputed<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<Clash> {
    let mut by_key: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let mut block = 0;
    for line in lines {
        if line.trim().is_empty() {
            block += 1;
        }
        if let Some((key, value)) = table_row(line).or_else(|| assignment(line))
            && is_exact(&value)
        {
            by_key.entry(key).or_default().push((block, value));
        }
    }
    by_key
        .into_iter()
        .filter(|(_, given)| given.windows(2).all(|pair| pair[0].0 != pair[1].0))
        .filter_map(|(key, given)| {
            let mut values: Vec<String> = Vec::new();
            given
                .into_iter()
                .for_each(|(_, value)| add(&mut values, value));
            (values.len() > 1).then_some(Clash { key, values })
        })
        .collect()
}

/// A number with at most a unit, or a truth value.
fn is_exact(value: &str) -> bool {
    let bare = value.trim_matches(['`', '*', ' ']);
    bare.eq_ignore_ascii_case("true")
        || bare.eq_ignore_ascii_case("false")
        || (bare.starts_with(|c: char| c.is_ascii_digit()) && bare.split_whitespace().count() <= 2)
}

/// `` | `key` | value | … | ``
fn table_row(line: &str) -> Option<(String, String)> {
    let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
    let key = plain_key(cells.next()?.strip_prefix('`')?.strip_suffix('`')?)?;
    let value = cells.next()?;
    (!value.is_empty()).then(|| (key, value.to_owned()))
}

/// `` `key` = value `` or `` - `key`: value ``, up to the end of the clause.
fn assignment(line: &str) -> Option<(String, String)> {
    let line = line.trim().trim_start_matches(['-', '*', '+', ' ']);
    let (key, behind) = line.strip_prefix('`')?.split_once('`')?;
    let key = plain_key(key)?;
    let value = behind.trim_start().strip_prefix([':', '='])?;
    let value = value.split([';', ',']).next()?.trim().trim_end_matches('.');
    (!value.is_empty()).then(|| (key, value.to_owned()))
}

/// A key is one word of letters, digits, dots, dashes and underscores.
fn plain_key(key: &str) -> Option<String> {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!key.is_empty() && key.chars().all(belongs)).then(|| key.to_owned())
}

/// Adds a value that no other is the same as, but for marks and case.
fn add(values: &mut Vec<String>, value: String) {
    let plain = |value: &str| -> String {
        let kept = value.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    if !values.iter().any(|known| plain(known) == plain(&value)) {
        values.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ReadDocument;

    fn clashes_of(texts: [&str; 2]) -> Vec<Clash> {
        let documents = texts.map(ReadDocument::plain);
        clashes(&documents.each_ref().map(Excerpt::whole))
    }

    #[test]
    fn different_values_of_a_key_clash_and_equal_ones_do_not() {
        let one = "| Key | Value |\n|---|---|\n| `max_attempts` | 5 |\n| `timeout` | 10 s |\n";
        let two = "- `max_attempts`: 8, counted per delivery\n- `timeout` = `10 s`\n";
        assert_eq!(
            clashes_of([one, two]),
            [Clash {
                key: "max_attempts".into(),
                values: vec!["5".into(), "8".into()]
            }]
        );
    }

    #[test]
    fn a_text_disputes_itself_only_with_exact_values_in_different_blocks() {
        let cases = [
            (
                "- `max_tries`: 5\n\nLater:\n\n| `max_tries` | 8 |\n",
                vec!["max_tries"],
            ),
            ("- `retry` = true\n\n- `retry` = false\n", vec!["retry"]),
            ("- `max_tries`: 5\n\n- `max_tries`: 5.\n", vec![]),
            ("| `GET` | 200 |\n| `GET` | 404 |\n", vec![]),
            ("- `mode`: the first\n\n- `mode`: the second\n", vec![]),
            ("The limit: 5\n\nThe limit: 8\n", vec![]),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = disputed(text.lines()).into_iter().map(|c| c.key).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn prose_code_blocks_and_one_text_alone_do_not_clash() {
        let one = "The limit: 5\n\n```\n`max` = 1\n```\n";
        assert_eq!(clashes_of([one, "The limit: 8\n\n`max` = 2\n"]), []);
        assert_eq!(clashes_of(["`max` = 1\n`max` = 2\n", "nothing"]), []);
    }
}
