//! `gapless man`: manual pages, or the reference as one markdown document.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use serde_json::{Value, json as value};

use crate::output::stdout;
use crate::{Context, Exit, Failure, Kind, Result, json, reference};

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write a page for each command into DIR, which is made where it is missing
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print the reference of all commands and configuration keys as markdown instead
    #[arg(long, conflicts_with = "output")]
    markdown: bool,
}

/// A manual page by the name of its file.
struct Page {
    name: String,
    text: Vec<u8>,
}

/// Prints or writes the pages of `program`, the definition of the whole command line.
pub(crate) fn run(context: &Context, args: &ManArgs, mut program: Command) -> Result<Exit> {
    program.build();
    let screen = &context.screen;
    if args.markdown {
        let text = reference::markdown(&program);
        match screen.is_json() {
            true => json::print(&value!({ "markdown": text })),
            false => stdout::bytes(text.as_bytes()),
        }
        return Ok(Exit::Done);
    }
    let mut pages = Vec::new();
    add_pages(&program, &mut pages)
        .map_err(|error| Failure::new(Kind::Internal, format!("a page can't be made: {error}")))?;
    if let Some(folder) = &args.output {
        let files = write(&context.resolve(folder), &pages)?;
        match screen.is_json() {
            true => json::print(&value!({ "files": files })),
            false => screen.line(&format!(
                "{} pages are in {}",
                files.len(),
                folder.display()
            )),
        }
    } else if screen.is_json() {
        let pages = pages.iter().map(|page| {
            let text = String::from_utf8_lossy(&page.text);
            value!({ "name": page.name, "text": text })
        });
        json::print(&value!({ "pages": pages.collect::<Vec<Value>>() }));
    } else if let Some(page) = pages.first() {
        stdout::bytes(&page.text);
    }
    Ok(Exit::Done)
}

/// The page of a command, and those of the commands below it.
fn add_pages(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let man = Man::new(command.clone()).manual("gapless");
    let mut text = Vec::new();
    man.render(&mut text)?;
    pages.push(Page {
        name: man.get_filename(),
        text,
    });
    let below = command.get_subcommands();
    below
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| add_pages(command, pages))
}

fn write(folder: &Path, pages: &[Page]) -> Result<Vec<PathBuf>> {
    let unwritable = |path: &Path, error: io::Error| {
        let message = format!("{} can't be written: {error}", path.display());
        Failure::new(Kind::Folder, message).hint("name a folder that you may write to")
    };
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    let mut files = Vec::new();
    for page in pages {
        let path = folder.join(&page.name);
        fs::write(&path, &page.text).map_err(|error| unwritable(&path, error))?;
        files.push(path);
    }
    Ok(files)
}
