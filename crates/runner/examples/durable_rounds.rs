//! The gapless side of `bench/rounds`: rounds of instant agents in a session on disk, and the same bytes appended to a
//! plain file with a sync after each, which is the machine's own limit. Prints one line of JSON.
//!
//!     durable_rounds FOLDER rounds ROUNDS TEXT_BYTES [MEASURED]
//!     durable_rounds FOLDER appends COUNT BYTES
//!     durable_rounds FOLDER prompts ROUNDS TEXT_BYTES
#![allow(clippy::expect_used)]

mod on_disk;
mod scripted;

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use gapless_domain::task::Role;
use gapless_store::Store;
use serde_json::json;

use on_disk::{OnDisk, database};
use scripted::Script;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
    let (Some(folder), Some(mode), Some(count), Some(bytes)) =
        (arguments.first(), arguments.get(1), number(2), number(3))
    else {
        eprintln!("durable_rounds FOLDER rounds|appends|prompts COUNT BYTES [MEASURED]");
        std::process::exit(2);
    };
    let folder = Path::new(folder);
    let result = match mode.as_str() {
        "appends" => appends(folder, count, bytes),
        "prompts" => prompts(folder, count, bytes),
        _ => rounds(folder, count, bytes, number(4).unwrap_or(count)),
    };
    println!("{result}");
}

fn rounds(folder: &Path, rounds: usize, text_bytes: usize, measured: usize) -> serde_json::Value {
    let folder = folder.join(format!("gapless-{rounds}"));
    let mut running = begin(&folder, text_bytes);
    running.run_to_round(round(rounds - measured + 1));
    let (commits, moment) = (running.session.store().commits(), Instant::now());
    running.run_to_round(round(rounds + 1));
    let seconds = moment.elapsed().as_secs_f64();
    let commits = running.session.store().commits() - commits;
    // Closing the last connection puts everything of the write-ahead log into the database.
    drop(running);
    let bytes = fs::metadata(database(&folder)).expect("the database").len();
    json!({ "rounds": rounds, "measured": measured, "seconds": seconds, "bytes": bytes, "commits": commits })
}

fn appends(folder: &Path, count: usize, bytes: usize) -> serde_json::Value {
    let mut file = File::create(folder.join("appended")).expect("a file");
    let content = vec![b'x'; bytes];
    let moment = Instant::now();
    for _ in 0..count {
        file.write_all(&content).expect("an append");
        file.sync_data().expect("a sync");
    }
    json!({ "appends": count, "bytes": bytes, "seconds": moment.elapsed().as_secs_f64() })
}

/// What each round's prompts come to, and what they would if every document of the rounds before went along.
fn prompts(folder: &Path, rounds: usize, text_bytes: usize) -> serde_json::Value {
    let mut running = begin(&folder.join("gapless-prompts"), text_bytes);
    running.run_to_round(round(rounds + 1));
    let first = |role: Role| {
        let mut calls = running.calls.iter();
        let call = calls.find(|call| call.role == role);
        call.map_or(0, |call| call.prompt)
    };
    // The Reviewer's first prompt has the first document already.
    let shown = |role: Role| match role {
        Role::Engineer => 0,
        _ => running.calls.first().map_or(0, |call| call.output),
    };
    let mut written = 0;
    let mut by_round = vec![(0, 0); rounds];
    for call in &running.calls {
        let place = usize::try_from(call.round).expect("a small number") - 1;
        let (sent, whole) = &mut by_round[place];
        *sent += call.prompt;
        *whole += first(call.role) + written - shown(call.role);
        written += call.output;
    }
    json!({ "rounds": by_round })
}

/// A session of few gaps, so that the rounds are what costs.
fn begin(folder: &Path, text_bytes: usize) -> OnDisk {
    let session = "rounds".to_owned();
    OnDisk::begin(
        folder,
        Script {
            session,
            gaps: 6,
            text_bytes,
        },
    )
}

fn round(number: usize) -> u32 {
    u32::try_from(number).expect("a small number")
}
