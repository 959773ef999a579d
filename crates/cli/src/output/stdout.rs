//! Standard output. A write that fails stops nothing: it is remembered, and makes the program fail at its end. A reader that
//! went away, such as `head`, wants nothing more, and that is no failure.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use crate::{Failure, Kind};

/// The first write that failed. There is one stdout in a process, and so one of these.
static FAILED: OnceLock<String> = OnceLock::new();

/// Writes a text and the end of its line.
pub(crate) fn line(text: &str) {
    note(writeln!(io::stdout(), "{text}"));
}

/// Writes bytes as they are, and waits until they are out.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut stdout = io::stdout();
    note(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

/// Remembers what came of a write.
pub(crate) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = FAILED.set(error.to_string());
    }
}

/// The failure of this program's output, where anything of it was lost.
pub(crate) fn failure() -> Option<Failure> {
    note(io::stdout().flush());
    let error = FAILED.get()?;
    let message = format!("the output can't be written: {error}");
    Some(Failure::new(Kind::Folder, message).hint(
        "part of it is lost; what the command did beside printing is done: make room, or send the output elsewhere",
    ))
}
