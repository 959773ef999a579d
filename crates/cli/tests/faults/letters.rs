//! A letter to the process that drives: posted or not, it is taken once.

use gapless_domain::time::Time;
use gapless_store::fault::Point;
use gapless_store::{Driver, SessionFolder, SessionLock};
use rusqlite::Connection;

use crate::place::Place;
use crate::tour::TOUR;

#[test]
fn a_letter_that_fails_can_be_said_again_and_counts_once() {
    let place = Place::new();
    (TOUR[0].first)(&place);
    place.call(place.command(&TOUR[0].words.split(' ').collect::<Vec<_>>()));
    place.keep("started");
    for fault in Point::LetterPosted.kind().faults() {
        place.bring_back("started");
        let folder = SessionFolder::new(&place.path(".gapless"), &"lamp".parse().unwrap());
        let driver = Driver {
            pid: std::process::id(),
            since: Time(0),
            command: "this test".to_owned(),
        };
        let lock = SessionLock::acquire(&folder, &driver).unwrap();
        let pause = || place.command(&["pause", "lamp"]);
        let faults = format!("{}:1:{}", Point::LetterPosted.name(), fault.name());
        let (came, seen) = place.call_with(pause(), &faults);
        assert_eq!(
            seen.last().map(String::as_str),
            Some("!letter 1"),
            "{came:?}"
        );
        assert_eq!(came.code.is_none(), fault.is_death(), "{came:?}");
        if !fault.is_death() {
            assert_eq!(came.code, Some(2), "{came:?}");
            assert!(
                came.err.contains("error: ") && came.err.contains("hint: "),
                "{came:?}"
            );
        }
        // Nobody drives any more, and it is said once more.
        drop(lock);
        place.call(pause());
        let database = Connection::open(place.path(".gapless/gapless.db")).unwrap();
        let count = |sql: &str| -> u32 { database.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(count("SELECT count(*) FROM inbox WHERE outcome IS NULL"), 0);
        let paused = "SELECT count(*) FROM events WHERE type = 'session.paused'";
        assert_eq!(count(paused), 1, "{fault:?}");
    }
}
