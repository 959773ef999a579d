//! The text of a refined spec while it is written: line ends as the source has them, and blank lines between blocks.

/// A text under construction, in the source's line ends.
pub(super) struct Writer {
    pub text: String,
    line_end: &'static str,
    pub has_parts: bool,
    pub is_closed: bool,
}

impl Writer {
    pub fn new(line_end: &'static str) -> Self {
        Self {
            text: String::new(),
            line_end,
            has_parts: false,
            is_closed: false,
        }
    }

    pub fn line(&mut self, line: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text += self.line_end;
        }
        self.text += line;
        self.text += self.line_end;
    }

    pub fn blank_line(&mut self) {
        if matches!(self.text.as_str(), "" | "\u{feff}") {
            return;
        }
        if !self.text.ends_with('\n') {
            self.text += self.line_end;
        }
        if !self.text.ends_with("\n\n") && !self.text.ends_with("\n\r\n") {
            self.text += self.line_end;
        }
    }

    /// Adds a section in the place of one of the source, which begins a line of its own.
    pub fn section(&mut self, section: &str) {
        if self.has_parts {
            self.blank_line();
        }
        self.text += &section.replace('\n', self.line_end);
        self.has_parts = true;
    }

    /// Adds a block that ends its lines with `\n`, behind a blank line.
    pub fn block(&mut self, block: &str) {
        if block.is_empty() {
            return;
        }
        self.blank_line();
        self.text += &block.replace('\n', self.line_end);
        self.has_parts = true;
    }
}
