//! Calendar dates, as due dates are written: `2026-12-01`, without a time of day or a place.

use std::fmt;
use std::str::FromStr;

use crate::{Time, names};

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(jiff::civil::Date);

impl Date {
    /// The day of a point in time, in UTC.
    pub fn of(time: Time) -> Self {
        let second = time.0.div_euclid(1000);
        let timestamp = jiff::Timestamp::from_second(second).unwrap_or_default();
        Self(jiff::tz::Offset::UTC.to_datetime(timestamp).date())
    }

    /// True where the day is over at this point in time, in UTC.
    pub fn is_over(self, at: Time) -> bool {
        self < Self::of(at)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date: write year, month and day, like 2026-12-01")]
pub struct NotADate(String);

impl FromStr for Date {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let digits_and_dashes = |(at, byte): (usize, u8)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        let has_form = text.len() == 10 && text.bytes().enumerate().all(digits_and_dashes);
        let date = has_form.then(|| text.parse().ok()).flatten();
        date.map(Self).ok_or_else(|| NotADate(text.to_owned()))
    }
}

names::serde_as_string!(Date);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        for text in ["2026-12-01", "2024-02-29", "1999-12-31"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "2026-02-29",
            "2026-13-01",
            "2026-12-1",
            "20261201",
            "2026-12-01T00:00:00Z",
            "-026-12-01",
            "tomorrow",
            "２０２６-12-01",
        ] {
            assert_eq!(text.parse::<Date>(), Err(NotADate(text.to_owned())));
        }
    }

    #[test]
    fn a_day_is_over_when_the_next_one_begins() {
        let due: Date = "2026-12-01".parse().unwrap();
        let at = |text: &str| text.parse::<Time>().unwrap();
        assert!(!due.is_over(at("2026-12-01T23:59:59Z")));
        assert!(due.is_over(at("2026-12-02T00:00:00Z")));
        assert_eq!(Date::of(Time(i64::MAX)).to_string(), "1970-01-01");
    }
}
