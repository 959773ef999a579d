//! The look of lines about events: colours, marks, indents and width.

use std::fmt::Display;

use crate::{Screen, Tone, plain};

/// Lays out lines for a screen.
pub(crate) struct LineStyle {
    screen: Screen,
}

impl LineStyle {
    pub(crate) fn new(screen: &Screen) -> Self {
        Self {
            screen: screen.clone(),
        }
    }

    pub(crate) fn paint(&self, tone: Tone, text: impl AsRef<str>) -> String {
        self.screen.paint(tone, text)
    }

    /// Lays out what happened within a round, in two lines at most.
    pub(crate) fn detail(&self, tone: Tone, mark: &str, text: impl Display) -> String {
        let width = self.screen.width();
        let room = 2 * width.saturating_sub(6);
        let lines = plain::wrapped(&plain::shortened(&text.to_string(), room), width, "    ");
        let text = lines.join("\n");
        format!("  {} {}", self.paint(tone, mark), text.trim_start())
    }

    /// Lays out an error like [`Self::detail`]; what it says to do is kept whole.
    pub(crate) fn error(&self, text: &str) -> String {
        let width = self.screen.width();
        let text = plain::shortened_inside(text, 3 * width.saturating_sub(6));
        let lines = plain::wrapped(&text, width, "    ").join("\n");
        format!("  {} {}", self.paint(Tone::Bad, "✗"), lines.trim_start())
    }

    pub(crate) fn warning(&self, text: impl Display) -> String {
        let text = plain::one_line(&text.to_string());
        self.paint(Tone::Warn, format!("! {text}"))
    }

    /// Lays out a list under its title.
    pub(crate) fn section(&self, title: &str, items: Vec<String>) -> Vec<String> {
        if items.is_empty() {
            return vec![format!("  {title}: nothing")];
        }
        let mut lines = vec![format!("  {title}:")];
        for item in items {
            let item = plain::clean(item.trim()).replace('\n', "\n  ");
            let item = format!("- {item}");
            lines.extend(plain::wrapped(&item, self.screen.width(), "    "));
        }
        lines
    }
}
