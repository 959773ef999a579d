//! Measures the inventory on specs of which it is known how many matters their authors leave open:
//! `declared FOLDER [--only LIST]`. Beside the specs, or in the folder above them, stands `declared.jsonl`, with a `file` and
//! how many matters it has (`declared`) on each line; LIST names the files to look at, one on a line.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gapless_markdown::Document;
use gapless_reading::read::inventory;
use serde::Deserialize;

const USAGE: &str = "say which folder: declared FOLDER [--only LIST]";

/// What is known of a file.
#[derive(Deserialize)]
struct Known {
    file: String,
    declared: usize,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let measured = match arguments.as_slice() {
        [folder] => measure(Path::new(folder), None),
        [folder, "--only", list] => measure(Path::new(folder), Some(list)),
        _ => Err(USAGE.to_owned()),
    };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(folder: &Path, list: Option<&str>) -> Result<(), String> {
    let list = list.map(|list| read(Path::new(list))).transpose()?;
    let only: Option<BTreeSet<&str>> = list.as_deref().map(|list| list.lines().collect());
    let (mut files, mut declared, mut taken) = (0, 0, 0);
    for line in read(&figures_of(folder))?.lines() {
        let known: Known = serde_json::from_str(line).map_err(|why| format!("{line}: {why}"))?;
        if only
            .as_ref()
            .is_some_and(|only| !only.contains(known.file.as_str()))
        {
            continue;
        }
        let spec = read(&spec_of(folder, &known.file))?;
        let found = inventory(&Document::parse(&spec)).declared;
        println!(
            "{}: declared {}, taken {}",
            known.file,
            known.declared,
            found.len()
        );
        for entry in &found {
            println!("  {}: {}", entry.gap.line, entry.gap.description);
        }
        files += 1;
        declared += known.declared;
        taken += found.len();
    }
    println!("{files} files: declared {declared}, taken {taken}");
    Ok(())
}

fn figures_of(folder: &Path) -> PathBuf {
    let inside = folder.join("declared.jsonl");
    match (inside.exists(), folder.parent()) {
        (false, Some(above)) => above.join("declared.jsonl"),
        _ => inside,
    }
}

fn spec_of(folder: &Path, file: &str) -> PathBuf {
    let beside = folder.join(file);
    match beside.exists() {
        true => beside,
        false => folder.join("declared").join(file),
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}
