//! The screen: which stream gets what, colours, width, live lines, and silence while a program has the terminal.
//! Writing never stops a session: [`stdout`] remembers what could not be written.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use console::{Style, Term};
use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::args::Colour;
use crate::output::stdout;
use crate::{Failure, json, plain};

/// The meaning of a text, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Strong,
    Faint,
    Good,
    Bad,
    Warn,
    Info,
    /// Words that came into a line.
    NewWords,
    /// Words that went from a line.
    OldWords,
}

impl Tone {
    fn style(self) -> Style {
        let style = Style::new();
        match self {
            Tone::Strong => style.bold(),
            Tone::Faint => style.dim(),
            Tone::Good => style.green(),
            Tone::Bad => style.red().bold(),
            Tone::Warn => style.yellow(),
            Tone::Info => style.cyan(),
            Tone::NewWords => style.green().bold(),
            Tone::OldWords => style.red().strikethrough(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stdout {
    /// Lines for people.
    Lines,
    /// One JSON document; lines go to stderr.
    Document,
}

/// Where everything is shown.
#[derive(Clone)]
pub(crate) struct Screen {
    json: bool,
    colour: bool,
    width: usize,
    live: MultiProgress,
    /// Lines that wait for the terminal, while a program has it.
    lent: Arc<Mutex<Option<Vec<Line>>>>,
}

/// A line on its way to one of the two streams.
enum Line {
    Out(String),
    Err(String),
}

/// The width of lines without a terminal.
const WIDTH_OF_A_FILE: usize = 100;

impl Screen {
    pub(crate) fn new(stdout: Stdout, colour: Colour) -> Self {
        let json = stdout == Stdout::Document;
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let quiet = set("CI");
        let terminal = if json { Term::stderr() } else { Term::stdout() };
        let colour = match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal.is_term() && !quiet && !set("NO_COLOR"),
        };
        // What is piped through a pager or `head` is most likely read in the terminal that stderr still is.
        let seen = [terminal.clone(), Term::stderr()]
            .into_iter()
            .find(|terminal| terminal.is_term());
        let width = match seen {
            Some(terminal) => usize::from(terminal.size().1).clamp(40, 160),
            None => WIDTH_OF_A_FILE,
        };
        let live = match io::stderr().is_terminal() && !quiet {
            true => ProgressDrawTarget::stderr_with_hz(10),
            false => ProgressDrawTarget::hidden(),
        };
        Self {
            json,
            colour,
            width,
            live: MultiProgress::with_draw_target(live),
            lent: Arc::default(),
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn is_coloured(&self) -> bool {
        self.colour
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether a person sees what is printed.
    pub(crate) fn is_terminal(&self) -> bool {
        match self.json {
            true => io::stderr().is_terminal(),
            false => io::stdout().is_terminal(),
        }
    }

    pub(crate) fn live(&self) -> &MultiProgress {
        &self.live
    }

    pub(crate) fn paint(&self, tone: Tone, text: impl AsRef<str>) -> String {
        let style = tone.style().force_styling(self.colour);
        style.apply_to(text.as_ref()).to_string()
    }

    /// Prints a line for people: on stdout, or on stderr if stdout is for a document.
    pub(crate) fn line(&self, text: &str) {
        self.show(match self.json {
            true => Line::Err(text.to_owned()),
            false => Line::Out(text.to_owned()),
        });
    }

    /// Prints lines for people.
    pub(crate) fn lines(&self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            self.line(&line);
        }
    }

    /// Prints a note: always on stderr.
    pub(crate) fn note(&self, text: &str) {
        self.show(Line::Err(self.paint(Tone::Faint, text)));
    }

    fn show(&self, line: Line) {
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *lent {
            Some(waiting) => waiting.push(line),
            None => self.live.suspend(|| match line {
                Line::Out(text) => stdout::line(&text),
                Line::Err(text) => drop(writeln!(io::stderr(), "{text}")),
            }),
        }
    }

    /// Prints without a line end and waits for nothing.
    pub(crate) fn prompt(&self, text: &str) {
        let text = self.paint(Tone::Strong, text);
        match self.json {
            true => drop(io::stderr().write_all(text.as_bytes())),
            false => stdout::bytes(text.as_bytes()),
        }
    }

    /// Reports a failure to people, and to scripts that read JSON.
    pub(crate) fn failure(&self, failure: &Failure) {
        let label = Tone::Bad
            .style()
            .for_stderr()
            .force_styling(self.colour)
            .apply_to("error:");
        let mut text = format!("{label} {}\n", plain::clean(&failure.message));
        if let Some(hint) = &failure.hint {
            for line in plain::clean(&format!("hint: {hint}")).lines() {
                // A command on a line of its own stays whole, so that it can be pasted.
                let lines = match line.trim_start().starts_with("gapless ") {
                    true => vec![line.to_owned()],
                    false => plain::wrapped(line, self.width.min(100), ""),
                };
                text += &lines.join("\n");
                text.push('\n');
            }
        }
        self.live
            .suspend(|| drop(io::stderr().write_all(text.as_bytes())));
        if self.json {
            json::print(&json::failure(failure));
        }
    }

    /// Leaves the terminal to a program until the guard is dropped: nothing is drawn, and lines wait.
    pub(crate) fn lend(&self) -> Lent {
        let held = self.hold();
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        lent.get_or_insert_default();
        Lent {
            screen: self.clone(),
            held: Some(held),
            #[cfg(unix)]
            modes: rustix::termios::tcgetattr(io::stdin()).ok(),
        }
    }

    /// True while a program has the terminal.
    pub(crate) fn is_lent(&self) -> bool {
        let lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        lent.is_some()
    }

    /// Keeps the live lines away until the guard is dropped, for example while something is asked.
    pub(crate) fn hold(&self) -> Held {
        let _ = self.live.clear();
        let hidden = self.live.is_hidden();
        self.live.set_draw_target(ProgressDrawTarget::hidden());
        Held {
            live: (!hidden).then(|| self.live.clone()),
        }
    }
}

/// A terminal that a program has.
pub(crate) struct Lent {
    screen: Screen,
    held: Option<Held>,
    #[cfg(unix)]
    modes: Option<rustix::termios::Termios>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        // A program that was killed leaves them as it liked them.
        #[cfg(unix)]
        if let Some(modes) = &self.modes {
            use rustix::termios::{OptionalActions, tcsetattr};
            let _ = tcsetattr(io::stdin(), OptionalActions::Drain, modes);
        }
        self.held = None;
        let mut lent = self
            .screen
            .lent
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let waiting = lent.take();
        drop(lent);
        for line in waiting.into_iter().flatten() {
            self.screen.show(line);
        }
    }
}

/// Live lines that are kept away.
pub(crate) struct Held {
    live: Option<MultiProgress>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(live) = &self.live {
            live.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
    }
}
