//! The difference between two versions of a spec: as `patch` reads it, and by word for people.

use clap::Args;
use gapless_domain::line_diff::{LineHunk, Mark, line_hunks};
use gapless_domain::word_diff::{WordLine, word_lines};

use crate::{Screen, Tone, plain};

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DiffFormArgs {
    /// Mark changed words inside their lines (default at a terminal), without colours as `[-old-]{+new+}`
    #[arg(long, conflicts_with = "lines")]
    words: bool,
    /// Show changed lines as a unified diff (default without a terminal), which `patch` reads
    #[arg(long)]
    lines: bool,
    /// How many unchanged lines are shown around a change
    #[arg(long, value_name = "N", default_value_t = 3)]
    context: usize,
}

pub(crate) struct SpecDiff<'v> {
    names: [String; 2],
    hunks: Vec<LineHunk<'v>>,
}

impl<'v> SpecDiff<'v> {
    /// The difference between an old and a new text with these names.
    pub(crate) fn new(names: [String; 2], old: &'v str, new: &'v str, form: DiffFormArgs) -> Self {
        Self {
            names,
            hunks: line_hunks(old, new, form.context),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// How many lines were added or removed.
    pub(crate) fn count(&self, wanted: Mark) -> usize {
        let lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|(mark, _)| *mark == wanted).count()
    }

    /// The diff as `patch` reads it; nothing where nothing changed.
    pub(crate) fn unified(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let [from, to] = &self.names;
        let mut text = format!("--- {from}\n+++ {to}\n");
        for hunk in &self.hunks {
            text += &format!("{}\n", hunk.header);
            for (mark, line) in &hunk.lines {
                text.push(mark.sign());
                text += line;
                if !line.ends_with(['\n', '\r']) {
                    text += "\n\\ No newline at end of file\n";
                }
            }
        }
        text
    }

    /// The lines that are shown: cleaned for a person, byte for byte for `patch`.
    pub(crate) fn lines(&self, screen: &Screen, form: DiffFormArgs) -> Vec<String> {
        let is_seen = screen.is_terminal() || screen.is_coloured();
        match form.words || (is_seen && !form.lines) {
            true => self.by_word(screen, is_seen),
            false => self.by_line(screen, is_seen),
        }
    }

    fn by_line(&self, screen: &Screen, is_seen: bool) -> Vec<String> {
        let unified = self.unified();
        // Not `lines`, which would take the carriage returns of a spec away.
        let lines = unified.strip_suffix('\n').map(|text| text.split('\n'));
        let lines = lines.into_iter().flatten().enumerate();
        lines
            .map(|(index, line)| match is_seen {
                true => painted(screen, index, line),
                false => line.to_owned(),
            })
            .collect()
    }

    fn by_word(&self, screen: &Screen, is_seen: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_empty() {
            return lines;
        }
        let strong = |text: String| screen.paint(Tone::Strong, plain::clean(&text));
        let [from, to] = &self.names;
        lines.push(strong(format!("--- {from}")));
        lines.push(strong(format!("+++ {to}")));
        let shown = |text: &str| match is_seen {
            true => plain::clean(text),
            false => text.to_owned(),
        };
        for hunk in &self.hunks {
            lines.push(screen.paint(Tone::Info, &hunk.header));
            lines.extend(word_lines(hunk).into_iter().map(|line| match line {
                WordLine::Whole(mark, text) => {
                    let line = format!("{}{}", mark.sign(), shown(&text));
                    match mark {
                        Mark::Same => line,
                        Mark::Added => screen.paint(Tone::Good, line),
                        Mark::Removed => screen.paint(Tone::Bad, line),
                    }
                }
                WordLine::Changed(parts) => {
                    let parts = parts.iter();
                    let parts = parts.map(|(mark, text)| marked(screen, *mark, &shown(text)));
                    format!("~{}", parts.collect::<String>())
                }
            }));
        }
        lines
    }
}

/// A part of a changed line.
fn marked(screen: &Screen, mark: Mark, text: &str) -> String {
    match (mark, screen.is_coloured()) {
        (Mark::Same, _) => text.to_owned(),
        (Mark::Added, true) => screen.paint(Tone::NewWords, text),
        (Mark::Removed, true) => screen.paint(Tone::OldWords, text),
        (Mark::Added, false) => format!("{{+{text}+}}"),
        (Mark::Removed, false) => format!("[-{text}-]"),
    }
}

/// A line of a unified diff for a person.
fn painted(screen: &Screen, index: usize, line: &str) -> String {
    let line = plain::clean(line);
    let tone = match line.chars().next() {
        // What the versions are called.
        _ if index < 2 => Tone::Strong,
        Some('+') => Tone::Good,
        Some('-') => Tone::Bad,
        Some('@') => Tone::Info,
        _ => return line,
    };
    screen.paint(tone, line)
}
