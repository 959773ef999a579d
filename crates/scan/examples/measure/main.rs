//! Measures the scan on specs that people judged: what share of its findings is right, and what share of the gaps it finds.
//!
//! `measure FOLDER [--judged FILE]… [--matches FILE]… [--only LIST]… [--list]`
//!
//! The folder has `specs/*.md`, `findings.jsonl` (findings with their verdicts) and `gaps.jsonl` (gaps that a reader found).
//! `--judged` adds verdicts, `--matches` says which finding meets which gap where they are not in the same place, and
//! `--only` names the specs to measure, one a line. `--list` also prints each finding that is not right, and candidates.

mod corpus;
mod precision;
mod recall;

use std::path::PathBuf;
use std::process::ExitCode;

use corpus::Corpus;

/// What the command line asks for.
#[derive(Default)]
struct Arguments {
    folder: PathBuf,
    judged: Vec<PathBuf>,
    matches: Vec<PathBuf>,
    only: Vec<PathBuf>,
    lists: bool,
}

const USAGE: &str =
    "usage: measure FOLDER [--judged FILE]… [--matches FILE]… [--only LIST]… [--list]";

fn arguments() -> Result<Arguments, String> {
    let mut read = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let files = match word.as_str() {
            "--judged" => &mut read.judged,
            "--matches" => &mut read.matches,
            "--only" => &mut read.only,
            "--list" => {
                read.lists = true;
                continue;
            }
            _ if word.starts_with("--") || !read.folder.as_os_str().is_empty() => {
                return Err(USAGE.to_owned());
            }
            _ => {
                read.folder = PathBuf::from(word);
                continue;
            }
        };
        files.push(PathBuf::from(words.next().ok_or(USAGE)?));
    }
    match read.folder.as_os_str().is_empty() {
        true => Err(USAGE.to_owned()),
        false => Ok(read),
    }
}

fn run() -> Result<(), String> {
    let arguments = arguments()?;
    let corpus = Corpus::read(&arguments)?;
    let told = precision::tell(&corpus, arguments.lists);
    let told = told + &recall::tell(&corpus, arguments.lists);
    print!("{told}");
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
