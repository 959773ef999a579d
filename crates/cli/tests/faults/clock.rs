//! The machine's clock set back: while a session runs, and between two calls. Only times differ, and none of them goes back.

use rusqlite::Connection;
use serde_json::Value;

use crate::place::{Came, NOW, Place};
use crate::tour::TOUR;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The calls of a session, from its beginning to its end.
const CALLS: [&str; 3] = [
    "run lamp.md --agents replay:recorded --analyst none --answers begin.toml --output out/refined.md",
    "rollback lamp --to 1 --reason beside-the-point",
    "resume lamp --answers cold.toml --policy recommended",
];

/// Runs a session; the clock of each call is given by its number.
fn session(clock: impl Fn(usize) -> String) -> (Place, Vec<Came>) {
    let place = Place::new();
    (TOUR[0].first)(&place);
    let mut calls = Vec::new();
    for (nth, words) in CALLS.iter().enumerate() {
        if nth == 2 {
            (TOUR.iter().find(|step| step.name == "kept").unwrap().first)(&place);
        }
        let mut command = place.command(&words.split(' ').collect::<Vec<_>>());
        command.env("GAPLESS_CLOCK", clock(nth));
        calls.push(place.call(command));
    }
    (place, calls)
}

/// What happened, in order, and when.
fn log(place: &Place) -> Vec<(String, i64)> {
    let database = Connection::open(place.path(".gapless/gapless.db")).unwrap();
    let sql = "SELECT type, at FROM events ORDER BY seq";
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

/// Every number of a document, by its key.
fn numbers(value: &Value, key: &str, all: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => all.push((key.to_owned(), number.as_f64().unwrap())),
        Value::Array(items) => items.iter().for_each(|item| numbers(item, key, all)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(key, value)| numbers(value, key, all)),
        _ => {}
    }
}

fn is_in_order(place: &Place, calls: &[Came], expected: &[(String, i64)], story: &str) {
    let codes: Vec<_> = calls.iter().map(|came| came.code).collect();
    assert_eq!(codes, [Some(3), Some(0), Some(0)], "{story}: {calls:?}");
    let log = log(place);
    let kinds = |log: &[(String, i64)]| -> Vec<String> {
        log.iter().map(|(kind, _)| kind.clone()).collect()
    };
    assert_eq!(kinds(&log), kinds(expected), "{story}");
    assert!(log.is_sorted_by_key(|(_, at)| *at), "{story}");
    for words in [["status"].as_slice(), &["stats", "lamp"], &["log"]] {
        let mut command = place.command(words);
        command
            .arg("--json")
            .env("GAPLESS_CLOCK", (NOW - 9 * DAY).to_string());
        let came = place.call(command);
        assert_eq!(came.code, Some(0), "{story}: {came:?}");
        let mut all = Vec::new();
        numbers(&serde_json::from_str(&came.out).unwrap(), "", &mut all);
        assert!(!all.is_empty());
        for (key, number) in all {
            let is_net = key.contains("net");
            assert!(
                number >= 0.0 || is_net,
                "{story}: {words:?}: {key} is {number}"
            );
            // Nothing took longer than the test itself.
            let is_span = key.contains("millis") && !key.contains("timeout");
            let is_long = is_span && number > 600_000.0;
            assert!(!is_long, "{story}: {words:?}: {key} is {number}");
        }
    }
}

#[test]
fn a_clock_that_is_set_back_changes_only_times() {
    let (place, calls) = session(|_| format!("{NOW},1:{NOW}"));
    let expected = log(&place);
    is_in_order(&place, &calls, &expected, "never set back");

    for nth in [2, 5, 13, 40] {
        let (place, calls) = session(|_| format!("{NOW},{nth}:{}", NOW - DAY));
        is_in_order(
            &place,
            &calls,
            &expected,
            &format!("set back at call {nth}"),
        );
    }
    let earlier = |call: usize| NOW - DAY * i64::try_from(call).unwrap();
    let (place, calls) = session(|call| format!("{0},1:{0}", earlier(call)));
    is_in_order(&place, &calls, &expected, "a day earlier in each call");
    let (place, calls) = session(|_| format!("{NOW},4:0"));
    is_in_order(&place, &calls, &expected, "to 1970");
}
