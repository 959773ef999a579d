//! Writes the seeds of every target: a folder for each, a file for each seed.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let into = env::args_os().nth(1).map(PathBuf::from);
    let Some(into) = into else {
        return Err(io::Error::other("say which folder they go into"));
    };
    for (target, _) in gapless_fuzz::TARGETS {
        let folder = into.join(target);
        fs::create_dir_all(&folder)?;
        for (nth, seed) in gapless_fuzz::seeds(target).iter().enumerate() {
            fs::write(folder.join(format!("seed-{nth:03}")), seed)?;
        }
    }
    Ok(())
}
