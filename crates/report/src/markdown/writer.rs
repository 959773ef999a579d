//! The writing of markdown: every text that is given to it is escaped, so that nothing can be put in by oversight. Only words
//! of the program itself, which are known when it is built, can be markup.

use super::escape::{code, fenced, inline};

/// Markdown that is being written.
#[derive(Debug, Default)]
pub struct Writer(String);

impl Writer {
    pub fn into_text(self) -> String {
        self.0
    }

    pub fn markup(&mut self, words: &'static str) {
        self.0 += words;
    }

    pub fn heading(&mut self, level: usize, text: &str) {
        self.apart();
        self.0 += &format!("{} {}\n\n", "#".repeat(level), inline(text));
    }

    pub fn words(&mut self, text: &str) {
        self.0 += &inline(text);
    }

    pub fn strong(&mut self, text: &str) {
        self.0 += &format!("**{}**", inline(text));
    }

    pub fn code(&mut self, text: &str) {
        self.0 += &code(text);
    }

    pub fn paragraph(&mut self, text: &str) {
        self.0 += &format!("{}\n", inline(text));
    }

    pub fn item(&mut self, text: &str) {
        self.0 += &format!("- {}\n", inline(text));
    }

    pub fn row<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        let cells: Vec<String> = cells.into_iter().map(inline).collect();
        self.0 += &format!("| {} |\n", cells.join(" | "));
    }

    /// The head of a table.
    pub fn columns<const N: usize>(&mut self, names: [&'static str; N]) {
        self.apart();
        self.row(names);
        self.0 += &format!("|{}\n", "---|".repeat(N));
    }

    pub fn lines(&mut self, text: &str, language: &'static str) {
        self.apart();
        self.0 += &fenced(text, language);
    }

    /// An empty line behind what is written so far.
    pub fn apart(&mut self) {
        let written = self.0.trim_end_matches('\n').len();
        self.0.truncate(written);
        if written > 0 {
            self.0 += "\n\n";
        }
    }
}
