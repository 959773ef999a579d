//! `gapless init`: a commented gapless.toml and the `.gapless` folder. What is there already is left as it is.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};

use serde_json::json as value;

use crate::context::Context;
use crate::failure::{Exit, Failure, Kind};
use crate::show::json;
use crate::workspace::{SETTINGS, Workspace};

const TEMPLATE: &str = include_str!("../gapless.toml");

pub fn run(context: &Context) -> Result<Exit, Failure> {
    let workspace = Workspace::to_make(context)?;
    let (mut made, mut kept) = (Vec::new(), Vec::new());
    let failed = |path: &std::path::Path, error: std::io::Error| {
        Failure::new(
            Kind::Folder,
            format!("{} can't be made: {error}", path.display()),
        )
        .hint("check who owns the folder, and whether the disk is full or mounted for reading only")
    };
    let gapless = workspace.gapless();
    match gapless.is_dir() {
        true => kept.push(gapless),
        false => {
            fs::create_dir(&gapless).map_err(|error| failed(&gapless, error))?;
            made.push(gapless);
        }
    }
    let settings = workspace.root().join(SETTINGS);
    match OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&settings)
    {
        Ok(mut file) => {
            file.write_all(TEMPLATE.as_bytes())
                .map_err(|error| failed(&settings, error))?;
            made.push(settings);
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => kept.push(settings),
        Err(error) => return Err(failed(&settings, error)),
    }
    let screen = &context.screen;
    for path in &made {
        screen.line(&format!("made {}", path.display()));
    }
    for path in &kept {
        screen.line(&format!(
            "{} is there already, left as it is",
            path.display()
        ));
    }
    screen.line("Name your agents in gapless.toml, then: gapless run SPEC");
    if screen.is_json() {
        json::print(&value!({ "made": made, "kept": kept }));
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_core::budget::{Money, Span};
    use gapless_core::config::Config;

    /// The template with every key taken out of its comment.
    fn uncommented() -> String {
        TEMPLATE
            .lines()
            .map(|line| match line.strip_prefix("#:") {
                Some(code) => code.trim_start(),
                None => line,
            })
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn the_template_has_every_key_with_its_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SETTINGS);
        fs::write(&path, uncommented()).unwrap();
        let settings = crate::settings::Settings::read(Some(&path)).unwrap();
        let config = settings
            .config(Config::default(), &Default::default())
            .unwrap();
        let mut expected = Config::default();
        (expected.stall_threshold, expected.divergence_threshold) = (Some(3), Some(12));
        expected.max_rounds = Some(10);
        // None of these has a default: what stands there is an example.
        (expected.budget_tokens, expected.budget_cost) = (Some(2_000_000), Some(Money(10_000_000)));
        expected.budget_time = Some(Span(4 * 3600));
        expected.vague_words = Some(Config::default().vague_words());
        assert_eq!(config, expected);
        for key in Config::KEYS {
            assert!(TEMPLATE.contains(&format!("#: {key} = ")), "{key}");
        }
    }
}
