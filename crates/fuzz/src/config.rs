//! What holds of the files that people write, gapless.toml and the answers file: they are read or refused with a place in them, no
//! key is passed over, and a configuration that was read and written is the same.

use std::path::Path;

use gapless::{AnswersFile, ConfigArgs, Failure, Settings};
use gapless_domain::{Config, Money, Span};

use crate::input::Input;
use crate::markdown::lines_of;

const FILE: &str = "gapless.toml";

/// Any text as gapless.toml or as an answers file, and any flags over it.
pub fn config(data: &[u8]) {
    let mut input = Input::new(data);
    let shape = input.byte();
    if shape & 1 == 1 {
        answers_file(&input.text());
        return;
    }
    let text = input.text();
    let mut flags = ConfigArgs::default();
    while !input.is_empty() && flags.set.len() < 4 {
        flags.set.push((input.text(), input.text()));
    }
    let settings = match Settings::of_text(Path::new(FILE), text.clone()) {
        Ok(settings) => settings,
        Err(failure) => return assert_told(&failure, &text),
    };
    assert_keys_known(&text);
    let plain = settings.config(Config::default(), &ConfigArgs::default());
    match plain {
        Ok(config) => assert_same_again(&config),
        Err(failure) => panic!("read, and then refused: {}", failure.message),
    }
    match settings.config(Config::default(), &flags) {
        Ok(config) => {
            let keys = flags.set.iter().map(|(key, _)| key.as_str());
            keys.for_each(|key| assert!(Config::KEYS.contains(&key), "--set {key}"));
            assert_same_again(&config);
        }
        Err(failure) => {
            assert!(!flags.set.is_empty(), "{}", failure.message);
            assert!(failure.hint.is_some(), "{} has no hint", failure.message);
        }
    }
}

/// What is wrong is said with a line of the file, and with what to do.
fn assert_told(failure: &Failure, text: &str) {
    let message = &failure.message;
    let line = message
        .strip_prefix(FILE)
        .and_then(|rest| rest.strip_prefix(", line "))
        .and_then(|rest| rest.split_once(": "))
        .and_then(|(line, what)| Some((line.parse::<u32>().ok()?, what)));
    let Some((line, what)) = line else {
        panic!("no line is told: {message}");
    };
    let lines = lines_of(text);
    assert!((1..=lines).contains(&line), "{message}, of {lines} lines");
    assert!(!what.trim().is_empty(), "{message}");
    assert!(failure.hint.is_some(), "{message} has no hint");
}

/// No key at the top of a file that was taken is one that nobody knows.
fn assert_keys_known(text: &str) {
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => panic!("taken, and no TOML: {error}"),
    };
    let tables = ["agents", "agent", "providers", "roles", "prices", "scan"];
    for key in table.keys() {
        let known = Config::KEYS.contains(&key.as_str()) || tables.contains(&key.as_str());
        assert!(known, "`{key}` was passed over");
    }
}

/// A configuration is within its ranges, and is the same when it was written and read: as a file, and as it is logged.
fn assert_same_again(config: &Config) {
    assert_eq!(config.check(), Ok(()));
    let logged = serde_json::to_string(config).unwrap_or_default();
    let read: Result<Config, _> = serde_json::from_str(&logged);
    assert_eq!(read.ok().as_ref(), Some(config), "{logged}");
    let written = toml::to_string(config).unwrap_or_default();
    let again = Settings::of_text(Path::new(FILE), written.clone())
        .and_then(|settings| settings.config(Config::default(), &ConfigArgs::default()));
    match again {
        Ok(again) => assert_eq!(again, *config, "{written}"),
        Err(failure) => panic!("{}, written as:\n{written}", failure.message),
    }
    // What people are shown of them never panics, and is never empty.
    let shown = [
        config.budget_cost.as_ref().map(Money::to_string),
        config.budget_time.as_ref().map(Span::to_string),
    ];
    assert!(shown.iter().flatten().all(|text| !text.is_empty()));
}

fn answers_file(text: &str) {
    match AnswersFile::of_text(Path::new(FILE), text.to_owned()) {
        Err(failure) => assert_told(&failure, text),
        Ok(_) => {
            let table: Result<toml::Table, _> = toml::from_str(text);
            let table = table.unwrap_or_default();
            let keys: Vec<&String> = table.keys().collect();
            let known = keys.iter().all(|key| *key == "answer");
            assert!(known, "{keys:?} were passed over");
        }
    }
}
