use super::*;

/// Which rule finds a synthesis, and whether it is recommended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    Optional,
    OptionalUnrecommended,
    Value,
    ValueUnrecommended,
    Scope,
}

use Found::{Nothing, Optional, OptionalUnrecommended, Scope, ValueUnrecommended};

/// What the Reviewer finds, suggests and warns of; what the Engineer argues; what comes of it.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Found,
);

const CASES: [Case; 61] = [
    // A word of a value and nothing that is argued about it.
    (
        "The rate limit has no header",
        "send `Retry-After`",
        "",
        "Clients know the interval.",
        Nothing,
    ),
    (
        "The limit of the queue is not said",
        "say what happens above it",
        "",
        "The works have the card.",
        Nothing,
    ),
    (
        "No limit on uploads",
        "define one",
        "",
        "Storage is cheap.",
        Nothing,
    ),
    (
        "The timeout is handled by nobody",
        "retry once after a timeout",
        "",
        "The caller retries.",
        Nothing,
    ),
    (
        "Maximum load is not tested",
        "add a load test",
        "",
        "Nobody asked for it.",
        Nothing,
    ),
    ("unlimited growth", "", "", "No.", Nothing),
    // Only one side names a value.
    (
        "The retry limit is too low",
        "raise it",
        "",
        "Two is enough.",
        Nothing,
    ),
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "The gateway has its own.",
        Nothing,
    ),
    (
        "The timeout of 10 seconds is too short",
        "make it longer",
        "",
        "10 seconds is enough.",
        Nothing,
    ),
    // Both do, for the same thing.
    (
        "The retry limit is too low",
        "use 5",
        "",
        "Two is enough.",
        Found::Value,
    ),
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "10 seconds is enough.",
        Found::Value,
    ),
    (
        "The timeout is too short",
        "use 30s instead of 10s",
        "",
        "Keep it at 10s.",
        Found::Value,
    ),
    (
        "The timeout must be 30 seconds",
        "",
        "",
        "A timeout of 10 s serves every client.",
        Found::Value,
    ),
    (
        "Retention is not enough",
        "keep logs for 90 days",
        "audits fail",
        "Four weeks of retention cover every audit.",
        Found::Value,
    ),
    (
        "Backups are lost",
        "keep the last 3 backups",
        "",
        "Keep 10 backups.",
        Found::Value,
    ),
    (
        "The page size is missing",
        "at most 100 items",
        "",
        "Pages of 20 items load faster; the size stays at 20 items.",
        Found::Value,
    ),
    (
        "Uploads have no bound",
        "allow up to 10 MB",
        "",
        "25 MB is what users send.",
        Found::Value,
    ),
    (
        "The sampling rate is wrong",
        "sample 10%",
        "",
        "1 percent is plenty.",
        Found::Value,
    ),
    (
        "Sessions never expire",
        "expire them after 30 minutes",
        "",
        "Sessions live for 8 hours.",
        Found::Value,
    ),
    // Or the Engineer argues against the value as such.
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "30 seconds is too long for a checkout.",
        Found::Value,
    ),
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "That is too long for a checkout.",
        Found::Value,
    ),
    (
        "The retry limit is too low",
        "use 5",
        "",
        "Five is arbitrary.",
        Found::Value,
    ),
    // Values of something else, or numbers that are none.
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "The card is renewed every 2 days.",
        Nothing,
    ),
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "It takes too long to build.",
        Nothing,
    ),
    (
        "The status code is wrong",
        "return 404",
        "",
        "403 hides that it exists.",
        Nothing,
    ),
    (
        "The limit contradicts section 7",
        "follow section 7",
        "",
        "Section 9 is newer.",
        Nothing,
    ),
    (
        "ISSUE-R1-004 stands: the limit is open",
        "see version 2",
        "",
        "Version 3 is out.",
        Nothing,
    ),
    (
        "No shade is named",
        "name 3 shades",
        "",
        "The card has 5 shades.",
        Nothing,
    ),
    (
        "Retries come at once",
        "wait 1s, 2s and 4s between them",
        "",
        "File operations end within 100ms.",
        Nothing,
    ),
    // The Engineer takes the Reviewer's own value for granted.
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "The gateway waits 30 seconds already.",
        Nothing,
    ),
    // A value that nobody may configure is offered, and not recommended.
    (
        "Keys are too old",
        "rotate them every 90 days",
        "stale keys are a vulnerability",
        "One year is enough; 365 days are usual.",
        ValueUnrecommended,
    ),
    (
        "The timeout is too short",
        "use 30 seconds",
        "",
        "10 seconds is what the standard fixes.",
        ValueUnrecommended,
    ),
    (
        "The window is too small",
        "use 64 KB",
        "",
        "32 KB is enough; more than 32 KB is unsafe here.",
        ValueUnrecommended,
    ),
    // Complexity as a word.
    (
        "The parser is undocumented",
        "document it",
        "",
        "Its time complexity is O(n).",
        Nothing,
    ),
    (
        "No audit log",
        "add one",
        "",
        "We keep complex numbers as pairs.",
        Nothing,
    ),
    (
        "No audit log",
        "add one",
        "",
        "This adds no complexity.",
        Nothing,
    ),
    (
        "No audit log",
        "add one",
        "",
        "It isn't complex, and nobody reads it.",
        Nothing,
    ),
    (
        "No audit log",
        "add one",
        "",
        "See the chapter on complexity.",
        Nothing,
    ),
    (
        "No audit log",
        "add one",
        "",
        "The card machine is too complex.",
        Nothing,
    ),
    // Complexity as an argument, against something that could be left out or not.
    (
        "no backoff",
        "add exponential backoff",
        "",
        "This adds complexity for little.",
        Optional,
    ),
    (
        "no backoff",
        "add exponential backoff",
        "",
        "Exponential backoff is too complicated.",
        Optional,
    ),
    (
        "no audit log",
        "keep an audit log",
        "",
        "It is not worth the overhead.",
        Optional,
    ),
    (
        "no audit log",
        "keep an audit log",
        "",
        "An audit log is overkill.",
        Optional,
    ),
    (
        "no strict mode",
        "add a strict mode",
        "silent data corruption",
        "A strict mode adds complexity.",
        OptionalUnrecommended,
    ),
    (
        "the status is unclear",
        "say which status comes back",
        "",
        "That adds complexity.",
        Nothing,
    ),
    (
        "a dead state",
        "remove it",
        "",
        "Removing it is complex: too complex.",
        Nothing,
    ),
    (
        "no backoff",
        "",
        "",
        "This adds complexity for little.",
        Nothing,
    ),
    // Scope as a word, and as an argument.
    (
        "no audit log",
        "add one",
        "",
        "That is out of scope for version 1.",
        Scope,
    ),
    (
        "no audit log",
        "add one",
        "",
        "An audit log is beyond the scope of this release.",
        Scope,
    ),
    (
        "no audit log",
        "add one",
        "",
        "Requests out of scope get 403.",
        Nothing,
    ),
    (
        "no audit log",
        "add one",
        "",
        "It is not out of scope, but nobody reads it.",
        Nothing,
    ),
    // Said as people say it.
    (
        "The limit per user is not enforced",
        "enforce 100 requests per minute",
        "",
        "The limit should be 60 requests per minute, which is what the database takes.",
        Found::Value,
    ),
    (
        "Pagination is missing a maximum",
        "cap the page size at 100",
        "",
        "No cap is needed; the data has 40 rows.",
        Nothing,
    ),
    (
        "Timeouts are not specified",
        "specify a 5 second timeout",
        "",
        "5 seconds is unrealistic for the report; it needs 60.",
        Found::Value,
    ),
    (
        "Tokens live too long",
        "use a 15-minute token lifetime",
        "stolen tokens stay valid",
        "Tokens should last 24 hours so that people stay logged in.",
        Found::Value,
    ),
    (
        "The timeout is too short",
        "use 60 seconds",
        "",
        "1 minute is enough.",
        Nothing,
    ),
    (
        "no backoff",
        "add exponential backoff",
        "",
        "The added complexity is not justified.",
        Optional,
    ),
    (
        "no backoff",
        "add exponential backoff",
        "",
        "Too much overhead.",
        Optional,
    ),
    (
        "no backoff",
        "add exponential backoff",
        "",
        "This would complicate every client.",
        Optional,
    ),
    (
        "no circuit breaker",
        "add one with a threshold of 50% errors",
        "",
        "A circuit breaker is out of scope and adds complexity.",
        Optional,
    ),
    // Nothing at all.
    ("no audit log", "add one", "", "Nobody reads it.", Nothing),
];

#[test]
fn a_synthesis_is_found_only_where_both_sides_argue_about_the_same() {
    let mut wrong = Vec::new();
    for (summary, suggestion, impact, argument, expected) in CASES {
        let found = synthesis(&Sides {
            summary,
            suggestion: (!suggestion.is_empty()).then_some(suggestion),
            impact,
            argument,
        });
        let found = match &found {
            None => Nothing,
            Some(found) if found.text.starts_with("Make it optional") => match found.serves_both {
                true => Optional,
                false => OptionalUnrecommended,
            },
            Some(found) if found.text.starts_with("Make the value") => match found.serves_both {
                true => Found::Value,
                false => ValueUnrecommended,
            },
            Some(found) => {
                assert!(!found.serves_both, "{argument}");
                Scope
            }
        };
        if found != expected {
            wrong.push(format!(
                "{summary} / {suggestion} / {argument}: {found:?}, not {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_end_where_they_end() {
    let of = |text| sentences(text).collect::<Vec<_>>();
    assert_eq!(
        of("Use 2.5 s. It is\nenough; yes"),
        ["Use 2.5 s.", "It is\nenough;", "yes"]
    );
    assert_eq!(of("One\n\nTwo\n- three"), ["One", "Two", "- three"]);
}
