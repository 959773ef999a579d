//! `gapless init`: writes a commented gapless.toml, the `.gapless` folder and, with `--template`, the skeleton of a spec.
//! Existing files are never overwritten.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json as value;

use crate::files::spec_templates::Template;
use crate::workspace::{SETTINGS, quoted};
use crate::{Context, Exit, Failure, Kind, Result, Workspace, json};

const TEMPLATE: &str = include_str!("../gapless.toml");
const SPEC: &str = "spec.md";

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write the skeleton of a spec too, with the sections that such a spec needs
    #[arg(long, value_enum)]
    template: Option<Template>,
    /// The file that the skeleton goes into; one that is there is never overwritten
    #[arg(value_name = "SPEC", requires = "template")]
    spec: Option<PathBuf>,
}

/// The files that were made, and those that were there.
#[derive(Default)]
struct Written {
    made: Vec<PathBuf>,
    kept: Vec<PathBuf>,
}

impl Written {
    /// Writes a file that is not there.
    fn file(&mut self, path: PathBuf, text: &str) -> Result<()> {
        let mut options = OpenOptions::new();
        match options.write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                let written = file.write_all(text.as_bytes());
                written.map_err(|error| not_made(&path, &error))?;
                self.made.push(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => self.kept.push(path),
            Err(error) => return Err(not_made(&path, &error)),
        }
        Ok(())
    }
}

fn not_made(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{} can't be made: {error}", path.display());
    Failure::new(Kind::Folder, message).hint(
        "check whether the folder is there and who owns it, and whether the disk is full or mounted for reading only",
    )
}

pub(crate) fn run(context: &Context, args: &InitArgs) -> Result<Exit> {
    let file = args.spec.as_deref().unwrap_or(Path::new(SPEC));
    let spec = args
        .template
        .map(|template| (template, context.resolve(file)));
    let workspace = Workspace::to_make(context)?;
    let mut written = Written::default();
    if let Some((template, path)) = &spec {
        if path.symlink_metadata().is_ok() {
            return Err(already_there(*template, path));
        }
        written.file(path.clone(), template.text())?;
    }
    let gapless = workspace.gapless();
    match gapless.is_dir() {
        true => written.kept.push(gapless),
        false => {
            fs::create_dir(&gapless).map_err(|error| not_made(&gapless, &error))?;
            written.made.push(gapless);
        }
    }
    written.file(workspace.root().join(SETTINGS), TEMPLATE)?;
    report(context, spec.as_ref(), &written);
    Ok(Exit::Done)
}

fn already_there(template: Template, path: &Path) -> Failure {
    let message = format!("{} is there already, and is left as it is", path.display());
    Failure::new(Kind::Spec, message).hint(format!(
        "name another file: gapless init --template {} new-spec.md",
        template.name()
    ))
}

fn report(context: &Context, spec: Option<&(Template, PathBuf)>, written: &Written) {
    let screen = &context.screen;
    // As one would type it where one stands.
    let shown = |path: &Path| path.strip_prefix(&context.here).unwrap_or(path).to_owned();
    for path in &written.made {
        screen.line(&format!("made {}", shown(path).display()));
    }
    for path in &written.kept {
        let path = shown(path);
        screen.line(&format!(
            "{} is there already, left as it is",
            path.display()
        ));
    }
    match spec {
        Some((_, path)) => {
            let file = quoted(&shown(path).to_string_lossy());
            screen.line(&format!(
                "Write what you know, then: gapless scan {file}; gapless run {file}"
            ));
        }
        None => screen.line("Name your agents in gapless.toml, then: gapless run SPEC"),
    }
    if screen.is_json() {
        let (template, path) = spec.map(|(template, path)| (template.name(), path)).unzip();
        json::print(&value!({
            "made": written.made,
            "kept": written.kept,
            "template": template,
            "spec": path,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_domain::{Config, Money, Span};

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
        let settings = crate::settings::Settings::read(Some(&path), folder.path()).unwrap();
        let config = settings
            .config(Config::default(), &Default::default())
            .unwrap();
        let mut expected = Config::default();
        (expected.stall_threshold, expected.divergence_threshold) = (Some(3), Some(12));
        expected.max_rounds = Some(10);
        // None of these has a default: what stands there is an example.
        (expected.budget_tokens, expected.budget_cost) = (Some(2_000_000), Some(Money(10_000_000)));
        expected.budget_time = Some(Span(4 * 3600));
        expected.spec_tokens = Some(6_000);
        expected.vague_words = Some(Config::default().vague_words());
        assert_eq!(config, expected);
        for key in Config::KEYS {
            assert!(TEMPLATE.contains(&format!("#: {key} = ")), "{key}");
        }
    }
}
