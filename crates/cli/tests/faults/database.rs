//! Writes of the database that the system itself cuts short: files may not grow beyond a limit, so that SQLite's own writes
//! end halfway, in the log before the database and in the database. It needs no rights, and works wherever there is a shell.

use std::process::Command;

use crate::place::{Came, NOW, Place, Remains};
use crate::tour::TOUR;

/// What becomes of who writes beyond the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// The system kills it in the middle of the write.
    Killed,
    /// The write fails.
    Fails,
}

fn limited(place: &Place, blocks: u32, beyond: Beyond, words: &str) -> Came {
    let ignored = match beyond {
        Beyond::Killed => "",
        Beyond::Fails => "trap '' XFSZ; ",
    };
    let binary = env!("CARGO_BIN_EXE_gapless");
    let line = format!("ulimit -c 0; {ignored}ulimit -f {blocks}; exec {binary} {words}");
    let mut command = Command::new("sh");
    command
        .args(["-c", &line])
        .current_dir(place.path(""))
        .env("XDG_DATA_HOME", place.path("data"))
        .env("XDG_STATE_HOME", place.state())
        .env("GAPLESS_CLOCK", NOW.to_string());
    place.call(command)
}

#[test]
fn writes_that_the_system_cuts_short_lose_nothing() {
    let (run, resume) = (TOUR[0].words, TOUR[0].resume.unwrap());
    let place = Place::new();
    (TOUR[0].first)(&place);
    place.keep("begun");
    let whole = place.call(place.command(&words(run)));
    assert_eq!(whole.code, Some(3), "{whole:?}");
    let expected = place.remains();
    let step = match std::env::var_os("GAPLESS_EVERY_FAULT") {
        Some(_) => 3,
        None => 97,
    };
    for beyond in [Beyond::Killed, Beyond::Fails] {
        let mut cut_short = 0;
        for blocks in (8..).step_by(step) {
            place.bring_back("begun");
            let came = limited(&place, blocks, beyond, run);
            if came.code == Some(3) && came.err.is_empty() {
                break;
            }
            cut_short += 1;
            match beyond {
                Beyond::Killed => assert_eq!(came.code, None, "{blocks}: {came:?}"),
                // Where only a document is too long it is said, and the session goes on.
                Beyond::Fails if came.code == Some(3) => {
                    assert!(came.err.contains("was not written"), "{blocks}: {came:?}");
                }
                Beyond::Fails => {
                    assert_eq!(came.code, Some(2), "{blocks}: {came:?}");
                    let clear = came.err.contains("error: ") && came.err.contains("hint: ");
                    assert!(clear, "{blocks}: {came:?}");
                }
            }
            goes_on(&place, run, resume, &expected, blocks);
        }
        assert!(cut_short > 2, "{beyond:?}");
    }
}

/// Says the same once more, or goes on with what is there, without a limit.
fn goes_on(place: &Place, run: &str, resume: &str, expected: &Remains, blocks: u32) {
    let next = match place.events() {
        0 => run,
        _ => resume,
    };
    let came = place.call(place.command(&words(next)));
    assert_eq!(came.code, Some(3), "{blocks}: {came:?}");
    let remains = place.remains();
    let mut names = expected.keys().chain(remains.keys());
    let differing = names.find(|name| expected.get(*name) != remains.get(*name));
    assert_eq!(differing, None, "{blocks}");
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}
