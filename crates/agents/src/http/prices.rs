//! What tokens cost: the rows of prices.toml, and before them those of the user's own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gapless_domain::{Money, Usage};
use serde::Deserialize;

const MILLION: u128 = 1_000_000;

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: Money,
    pub output: Money,
    /// Of input that the provider had already; without it, such input costs as much as any other.
    #[serde(default)]
    pub cached: Option<Money>,
}

#[derive(Deserialize)]
struct Table {
    models: BTreeMap<String, Price>,
}

static TABLE: LazyLock<BTreeMap<String, Price>> = LazyLock::new(|| {
    let table: Result<Table, _> = toml::from_str(include_str!("../../prices.toml"));
    table.map(|table| table.models).unwrap_or_default()
});

/// The price of an agent, `openai:gpt-5-mini`: by the user's own rows, else by the table.
pub(crate) fn price_of(own: &BTreeMap<String, Price>, agent: &str) -> Option<Price> {
    find(own, agent).or_else(|| find(&TABLE, agent))
}

/// The row of a model; of several that fit, the longest.
fn find(rows: &BTreeMap<String, Price>, agent: &str) -> Option<Price> {
    rows.iter()
        .filter(|(row, _)| fits(row, agent))
        .max_by_key(|(row, _)| row.len())
        .map(|(_, price)| *price)
}

/// True where a row is for a model: the same name, the same one with a date or version behind it, or all that begin
/// with what stands before a star.
fn fits(row: &str, agent: &str) -> bool {
    if let Some(start) = row.strip_suffix('*') {
        return agent.starts_with(start);
    }
    let Some(rest) = agent.strip_prefix(row) else {
        return false;
    };
    let is_version = |part: &str| {
        matches!(part, "latest" | "preview")
            || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    match rest.strip_prefix(['-', '@']) {
        Some(rest) => rest.split('-').all(is_version),
        None => rest.is_empty(),
    }
}

impl Price {
    /// The cost of these tokens in millionths, rounded up.
    pub(crate) fn cost_micros(&self, usage: &Usage) -> Option<u64> {
        let input = usage.input_tokens?;
        let cached = usage.cached_tokens.unwrap_or(0).min(input);
        let output = usage.output_tokens.unwrap_or(0);
        let cost = |tokens: u64, price: Money| u128::from(tokens) * u128::from(price.0);
        let all = cost(input - cached, self.input)
            + cost(cached, self.cached.unwrap_or(self.input))
            + cost(output, self.output);
        u64::try_from(all.div_ceil(MILLION)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_names_providers() {
        assert!(TABLE.len() > 20);
        for row in TABLE.keys() {
            let provider = row.split(':').next().unwrap();
            assert!(
                ["anthropic", "openai", "gemini", "ollama"].contains(&provider),
                "{row}"
            );
        }
    }

    #[test]
    fn rows_fit_versions_of_their_model_and_nothing_else() {
        let cases = [
            ("openai:gpt-5", "openai:gpt-5", true),
            ("openai:gpt-5", "openai:gpt-5-2025-08-07", true),
            ("openai:gpt-5", "openai:gpt-5-mini", false),
            ("openai:gpt-5", "openai:gpt-5.4", false),
            (
                "anthropic:claude-haiku-4-5",
                "anthropic:claude-haiku-4-5-20251001",
                true,
            ),
            (
                "gemini:gemini-2.5-pro",
                "gemini:gemini-2.5-pro-preview-06-05",
                true,
            ),
            ("ollama:*", "ollama:llama3.3:70b", true),
        ];
        for (row, agent, expected) in cases {
            assert_eq!(fits(row, agent), expected, "{row} {agent}");
        }
    }

    #[test]
    fn cached_input_has_its_own_price_and_parts_of_a_millionth_are_rounded_up() {
        let price = Price {
            input: Money(2_000_000),
            output: Money(8_000_000),
            cached: Some(Money(500_000)),
        };
        let usage = Usage {
            input_tokens: Some(1_001),
            cached_tokens: Some(1),
            output_tokens: Some(10),
            ..Usage::default()
        };
        assert_eq!(price.cost_micros(&usage), Some(2_000 + 80 + 1));
        assert_eq!(price.cost_micros(&Usage::default()), None);
    }

    #[test]
    fn ones_own_rows_go_before_the_table() {
        let own = Price {
            input: Money(1),
            output: Money(1),
            cached: None,
        };
        let rows = BTreeMap::from([("openai:*".to_owned(), own)]);
        assert_eq!(price_of(&rows, "openai:gpt-5"), Some(own));
        assert_ne!(price_of(&BTreeMap::new(), "openai:gpt-5"), Some(own));
        assert_eq!(price_of(&BTreeMap::new(), "openai:unheard-of"), None);
    }
}
