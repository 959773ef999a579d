//! The topics of findings: what an answer would be about, so that a catalogue of defaults can be keyed by it.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! topics {
    ($($topic:ident $name:literal [$($word:literal),*]),* $(,)?) => {
        /// What an answer to a finding would be about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Topic { $($topic),* }

        impl Topic {
            pub const ALL: &[Topic] = &[$(Topic::$topic),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Topic::$topic => $name,)*
                }
            }

            /// Words that speak of it, as they begin.
            pub fn words(self) -> &'static [&'static str] {
                match self {
                    $(Topic::$topic => &[$($word),*],)*
                }
            }
        }
    };
}

topics! {
    Timeout "timeout" ["timeout", "time out", "times out", "deadline", "latency", "respond", "response time", "wait", "quick", "fast", "slow", "soon", "instant", "promptly"],
    Retry "retry" ["retry", "retries", "backoff", "again", "redeliver"],
    RateLimit "rate_limit" ["rate limit", "rate-limit", "throttl", "requests per", "burst"],
    Pagination "pagination" ["per page", "page size", "pages of", "next page", "pagina", "cursor", "list of", "returns all"],
    SizeQuota "size_quota" ["size", "large", "quota", "maximum", "length", "bytes", "capacity", "batch", "memory", "concurren"],
    Format "format" ["format", "timestamp", "encod", "type", "date"],
    Id "id" ["identifier", "uuid", "unique"],
    Idempotency "idempotency" ["idempot", "duplicate", "exactly once", "at-least-once"],
    Ordering "ordering" ["order of", "ordering", "sequence", "sorted"],
    Consistency "consistency" ["consisten", "stale", "replica"],
    Caching "caching" ["cache", "caching", "ttl"],
    Retention "retention" ["retention", "retain", "kept", "purge", "archive", "erase", "delet", "remov", "clean up", "cleaning up", "expire"],
    Audit "audit" ["audit", "trail"],
    Authentication "authentication" ["authenticat", "sign in", "sign-in", "signed in", "log in", "login", "locked", "session"],
    Authorisation "authorisation" ["authoris", "authoriz", "permission", "role", "access control"],
    Secrets "secrets" ["password", "secret", "credential", "api key", "token", "private key"],
    ErrorResponse "error_response" ["error", "fail", "invalid", "reject", "status code"],
    Versioning "versioning" ["version", "compatib", "deprecat"],
    Migration "migration" ["migrat", "upgrade", "backfill"],
    Availability "availability" ["availab", "uptime", "failover", "outage", "resilien"],
    Observability "observability" ["metric", "log", "trace", "monitor", "alert"],
    Accessibility "accessibility" ["accessib", "screen reader", "contrast"],
    Localisation "localisation" ["locale", "language", "translat", "time zone"],
    StateMachine "state_machine" ["state", "transition"],
    Definition "definition" [],
    Reference "reference" [],
    Other "other" [],
}

impl Topic {
    /// The topic that a text speaks most of, by its words; of equals the first.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::of_texts(&[text])
    }

    /// The same of several texts, one within the other, in which a word counts as often as it occurs.
    pub fn of_texts(texts: &[&str]) -> Option<Self> {
        let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let says = |text: &String, word: &&str| {
            text.match_indices(*word)
                .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric()))
        };
        let mut best: Option<(usize, Self)> = None;
        for topic in Topic::ALL {
            let words = topic.words().iter();
            let said: usize = words
                .map(|word| lower.iter().filter(|text| says(text, word)).count())
                .sum();
            if said > best.map_or(0, |(most, _)| most) {
                best = Some((said, *topic));
            }
        }
        best.map(|(_, topic)| topic)
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_topic_whose_words_it_uses() {
        assert_eq!(Topic::of_text("a reasonable timeout"), Some(Topic::Timeout));
        assert_eq!(Topic::of_text("Retries often"), Some(Topic::Retry));
        assert_eq!(Topic::of_text("the catalogue"), None);
    }

    #[test]
    fn what_is_said_most_is_the_topic() {
        let cases = [
            ("The order page must load quickly", Topic::Timeout),
            (
                "Events of delivered parcels are removed after some time",
                Topic::Retention,
            ),
            (
                "Sign-in is locked after several failed attempts",
                Topic::Authentication,
            ),
            ("Users can upload large files", Topic::SizeQuota),
            (
                "The list is returned in pages of some entries",
                Topic::Pagination,
            ),
        ];
        for (text, topic) in cases {
            assert_eq!(Topic::of_text(text), Some(topic), "{text}");
        }
    }
}
