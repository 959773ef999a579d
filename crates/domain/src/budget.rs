//! Budgets: what the user lets a session use before it rests, and how much it has used. A budget is a rest and no
//! end: the round stays open, and calls in flight may overshoot it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::human_millis;

/// An amount of the currency unit, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "f64")]
pub struct Money(pub u64);

/// A length of time in seconds, written as such or as `2h 30m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "u64")]
pub struct Span(pub u64);

/// An amount as people write it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Whole(u64),
    Fraction(f64),
    Text(String),
}

const MICROS: f64 = 1_000_000.0;
/// The largest amount: whole millionths stay exact in a float up to here.
const MOST_MONEY: f64 = 1_000_000_000.0;

impl TryFrom<Written> for Money {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        #[allow(clippy::cast_precision_loss)]
        let units = match written {
            Written::Whole(units) => units as f64,
            Written::Fraction(units) => units,
            Written::Text(text) => text
                .trim()
                .trim_start_matches('$')
                .parse()
                .map_err(|_| format!("`{text}` is no amount"))?,
        };
        if !(0.0..=MOST_MONEY).contains(&units) {
            return Err(format!("{units} is no amount of money"));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(Self((units * MICROS).round() as u64))
    }
}

impl From<Money> for f64 {
    #[allow(clippy::cast_precision_loss)]
    fn from(money: Money) -> f64 {
        money.0 as f64 / MICROS
    }
}

impl fmt::Display for Money {
    /// To the cent, and where that says nothing to the millionth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        match micros % 10_000 {
            0 => write!(f, "{whole}.{:02}", micros / 10_000),
            _ if self.0 >= 1_000_000 => {
                let cents = (self.0 + 5_000) / 10_000;
                write!(f, "{}.{:02}", cents / 100, cents % 100)
            }
            _ => {
                let text = format!("{whole}.{micros:06}");
                f.write_str(text.trim_end_matches('0'))
            }
        }
    }
}

impl TryFrom<Written> for Span {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Whole(seconds) => Ok(Self(seconds)),
            Written::Fraction(seconds) => Err(format!("{seconds} is no whole number of seconds")),
            Written::Text(text) => {
                if let Ok(seconds) = text.trim().parse() {
                    return Ok(Self(seconds));
                }
                let span: jiff::SignedDuration = text
                    .trim()
                    .parse()
                    .map_err(|_| format!("`{text}` is no length of time; write `2h 30m`"))?;
                u64::try_from(span.as_secs())
                    .map(Self)
                    .map_err(|_| format!("`{text}` is negative"))
            }
        }
    }
}

impl From<Span> for u64 {
    fn from(span: Span) -> u64 {
        span.0
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&human_millis(self.0.saturating_mul(1000)))
    }
}

/// A budget that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "budget", rename_all = "snake_case")]
pub enum Spent {
    Tokens {
        used: u64,
        allowed: u64,
    },
    Cost {
        used: Money,
        allowed: Money,
    },
    /// The time that agents were at work.
    Time {
        used: Span,
        allowed: Span,
    },
}

impl Spent {
    /// What the budget is called where it is set: `--budget tokens=…`.
    pub fn name(&self) -> &'static str {
        match self {
            Spent::Tokens { .. } => "tokens",
            Spent::Cost { .. } => "cost",
            Spent::Time { .. } => "time",
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spent::Tokens { used, allowed } => {
                write!(f, "{used} tokens were used, and the budget is {allowed}")
            }
            Spent::Cost { used, allowed } => {
                write!(f, "{used} was spent, and the budget is {allowed}")
            }
            Spent::Time { used, allowed } => {
                write!(f, "agents worked for {used}, and the budget is {allowed}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_write_them() {
        let money = |text: &str| serde_json::from_str::<Money>(text).ok();
        assert_eq!(money("5"), Some(Money(5_000_000)));
        assert_eq!(money("0.1"), Some(Money(100_000)));
        assert_eq!(money("\"$2.50\""), Some(Money(2_500_000)));
        assert_eq!(money("-1"), None);
        assert_eq!(money("\"much\""), None);
        let span = |text: &str| serde_json::from_str::<Span>(text).ok();
        assert_eq!(span("90"), Some(Span(90)));
        assert_eq!(span("\"90\""), Some(Span(90)));
        assert_eq!(span("\"2h 30m\""), Some(Span(9_000)));
        assert_eq!(span("\"1h30m\""), Some(Span(5_400)));
        assert_eq!(span("1.5"), None);
        assert_eq!(span("\"soon\""), None);
        assert_eq!(span("\"-5m\""), None);
    }

    #[test]
    fn amounts_are_written_as_they_were_read() {
        for micros in [0, 1, 10_000, 123_456, 2_500_000, 999_999_999_999_999] {
            let text = serde_json::to_string(&Money(micros)).unwrap();
            assert_eq!(serde_json::from_str::<Money>(&text).unwrap(), Money(micros));
        }
        let written = [0, 1_500, 40_000, 2_500_000, 12_345_678].map(|m| Money(m).to_string());
        assert_eq!(written, ["0.00", "0.0015", "0.04", "2.50", "12.35"]);
        assert_eq!(Span(5_400).to_string(), "1 h 30 min");
    }
}
