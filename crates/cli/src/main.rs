//! The gapless program.

use std::process::ExitCode;

fn main() -> ExitCode {
    gapless::main()
}
