//! What a test's environment asks for: which points fail and how, and a list of the points that were reached.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock};

use super::Point;

/// Names the variable with the faults: `point:nth:fault`, several with commas between; `*` is every time.
pub const FAULTS: &str = "GAPLESS_FAULTS";
/// Names the variable with a file that gets the name of every point that is reached, a line each.
pub const SEEN: &str = "GAPLESS_FAULTS_SEEN";

/// What an operation is, which says what can go wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes go into a file.
    Write,
    Sync,
    /// Something that is done or not: a rename, a link, a lock, a statement.
    Change,
    /// What ends a transaction.
    Commit,
}

/// What happens at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The process is gone before the operation.
    DiesBefore,
    /// It is gone with half of the bytes written.
    DiesHalfway,
    /// It is gone right after the operation.
    DiesAfter,
    /// The disk is full; of a write, half is done.
    Full,
    /// The device fails, and nothing was done.
    Fails,
    /// The device fails though the operation was done.
    FailsAfter,
}

impl Fault {
    pub const ALL: [Fault; 6] = [
        Fault::DiesBefore,
        Fault::DiesHalfway,
        Fault::DiesAfter,
        Fault::Full,
        Fault::Fails,
        Fault::FailsAfter,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Fault::DiesBefore => "dies-before",
            Fault::DiesHalfway => "dies-halfway",
            Fault::DiesAfter => "dies-after",
            Fault::Full => "full",
            Fault::Fails => "fails",
            Fault::FailsAfter => "fails-after",
        }
    }

    /// True where the process ends there.
    pub fn is_death(self) -> bool {
        matches!(
            self,
            Fault::DiesBefore | Fault::DiesHalfway | Fault::DiesAfter
        )
    }
}

impl Kind {
    /// What can go wrong with such an operation.
    pub fn faults(self) -> &'static [Fault] {
        use Fault::{DiesAfter, DiesBefore, DiesHalfway, Fails, FailsAfter, Full};
        match self {
            Kind::Write => &[DiesBefore, DiesHalfway, DiesAfter, Full, Fails],
            Kind::Sync => &[DiesBefore, DiesAfter, Fails],
            Kind::Change => &[DiesBefore, DiesAfter, Full, Fails],
            Kind::Commit => &[DiesBefore, DiesAfter, Full, Fails, FailsAfter],
        }
    }
}

/// An error that a fault can be.
pub trait Failing {
    fn full() -> Self;
    fn failed() -> Self;
}

// The numbers are the same on every Unix.
const NO_SPACE: i32 = 28;
const IO_ERROR: i32 = 5;

impl Failing for io::Error {
    fn full() -> Self {
        Self::from_raw_os_error(NO_SPACE)
    }

    fn failed() -> Self {
        Self::from_raw_os_error(IO_ERROR)
    }
}

impl Failing for rusqlite::Error {
    fn full() -> Self {
        use rusqlite::ffi;
        Self::SqliteFailure(ffi::Error::new(ffi::SQLITE_FULL), None)
    }

    fn failed() -> Self {
        use rusqlite::ffi;
        Self::SqliteFailure(ffi::Error::new(ffi::SQLITE_IOERR_FSYNC), None)
    }
}

impl Failing for rusqlite_migration::Error {
    fn full() -> Self {
        rusqlite::Error::full().into()
    }

    fn failed() -> Self {
        rusqlite::Error::failed().into()
    }
}

/// Does something, unless a fault is put there.
pub fn doing<T, E: Failing>(
    point: Point,
    operation: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    match reached(point) {
        None => operation(),
        Some(Fault::DiesBefore | Fault::DiesHalfway) => die(),
        Some(Fault::DiesAfter) => {
            let _ = operation();
            die()
        }
        Some(Fault::Full) => Err(E::full()),
        Some(Fault::Fails) => Err(E::failed()),
        Some(Fault::FailsAfter) => operation().and_then(|_| Err(E::failed())),
    }
}

/// Writes bytes, or as many of them as the fault that is put there leaves.
pub fn writing(point: Point, file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let half = &bytes[..bytes.len() / 2];
    match reached(point) {
        None => file.write_all(bytes),
        Some(Fault::DiesBefore) => die(),
        Some(Fault::DiesHalfway) => {
            let _ = file.write_all(half);
            die()
        }
        Some(Fault::DiesAfter) => {
            let _ = file.write_all(bytes);
            die()
        }
        Some(Fault::Full) => file.write_all(half).and(Err(Failing::full())),
        Some(Fault::Fails) => Err(Failing::failed()),
        Some(Fault::FailsAfter) => file.write_all(bytes).and(Err(Failing::failed())),
    }
}

/// Ends the process as a kill would: nothing is unwound, dropped or flushed.
fn die() -> ! {
    std::process::abort()
}

struct Asked {
    point: Point,
    /// `None` is every time.
    nth: Option<usize>,
    fault: Fault,
}

#[derive(Default)]
struct Plan {
    asked: Vec<Asked>,
    seen: Option<File>,
    counts: Mutex<Vec<usize>>,
}

fn plan() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let text = std::env::var(FAULTS).unwrap_or_default();
        let faults = text.split(',').filter(|text| !text.is_empty());
        let seen = std::env::var_os(SEEN);
        Plan {
            // One that can't be read would be a test that tests nothing.
            asked: faults
                .map(|text| read(text).unwrap_or_else(|| die()))
                .collect(),
            seen: seen.map(|file| {
                let file = OpenOptions::new().create(true).append(true).open(file);
                file.unwrap_or_else(|_| die())
            }),
            counts: Mutex::new(vec![0; Point::ALL.len()]),
        }
    })
}

fn read(text: &str) -> Option<Asked> {
    let (point, rest) = text.split_once(':')?;
    let (nth, fault) = rest.split_once(':')?;
    Some(Asked {
        point: *Point::ALL.iter().find(|known| known.name() == point)?,
        nth: match nth {
            "*" => None,
            nth => Some(nth.parse().ok()?),
        },
        fault: *Fault::ALL.iter().find(|known| known.name() == fault)?,
    })
}

fn reached(point: Point) -> Option<Fault> {
    let plan = plan();
    if plan.asked.is_empty() && plan.seen.is_none() {
        return None;
    }
    let nth = {
        let mut counts = plan.counts.lock().unwrap_or_else(|held| held.into_inner());
        counts[point as usize] += 1;
        counts[point as usize]
    };
    if let Some(mut seen) = plan.seen.as_ref() {
        let _ = seen.write_all(format!("{}\n", point.name()).as_bytes());
    }
    let asked = plan
        .asked
        .iter()
        .find(|asked| asked.point == point && asked.nth.is_none_or(|wanted| wanted == nth))?;
    if let Some(mut seen) = plan.seen.as_ref() {
        let _ = seen.write_all(format!("!{} {nth}\n", point.name()).as_bytes());
    }
    Some(asked.fault)
}
