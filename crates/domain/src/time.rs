//! Points in time and how they are written. Time only ever comes in with an input; nothing here asks a clock.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A point in time: milliseconds since 1970 in UTC.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub i64);

impl Time {
    pub fn plus_millis(self, millis: u64) -> Time {
        Time(self.0.saturating_add_unsigned(millis))
    }

    /// The time of day in UTC, to the second: `14:30:05`.
    pub fn time_of_day(self) -> String {
        let seconds = self.0.div_euclid(1000).rem_euclid(86_400);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
    }

    /// Milliseconds from `earlier` to this, 0 where the clock went backwards.
    pub fn millis_since(self, earlier: Time) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

impl fmt::Display for Time {
    /// Writes ISO 8601 in UTC, to the second: `2026-01-12T14:30:00Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0.div_euclid(1000)) {
            Ok(timestamp) => f.pad(&timestamp.to_string()),
            Err(_) => write!(f, "@{}ms", self.0),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no point in time (like 2026-01-12T14:30:00Z)")]
pub struct NotATime(String);

impl FromStr for Time {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        match text.parse::<jiff::Timestamp>() {
            Ok(timestamp) => Ok(Time(timestamp.as_millisecond())),
            Err(_) => Err(NotATime(text.to_owned())),
        }
    }
}

/// Writes a duration the way a person reads it: `820 ms`, `42 s`, `3 min 05 s`, `2 h 10 min`.
pub fn human_millis(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0 => format!("{millis} ms"),
        1..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc_to_the_second() {
        assert_eq!(Time(1_768_228_200_999).to_string(), "2026-01-12T14:30:00Z");
        assert_eq!(Time(-1).to_string(), "1969-12-31T23:59:59Z");
        assert_eq!(Time(i64::MAX).to_string(), format!("@{}ms", i64::MAX));
    }

    #[test]
    fn what_was_written_is_read_again() {
        let time = Time(1_768_228_200_000);
        assert_eq!(time.to_string().parse(), Ok(time));
        for text in ["", "yesterday", "2026-01-12", "@5ms"] {
            assert_eq!(text.parse::<Time>(), Err(NotATime(text.to_owned())));
        }
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(human_millis(820), "820 ms");
        assert_eq!(human_millis(42_000), "42 s");
        assert_eq!(human_millis(185_000), "3 min 05 s");
        assert_eq!(human_millis(7_800_000), "2 h 10 min");
    }
}
