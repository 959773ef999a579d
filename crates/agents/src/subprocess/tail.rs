//! The last words of a program on stderr, kept for the message of an error.

const KEPT_BYTES: usize = 2048;

#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    cut: bool,
}

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let surplus = self.bytes.len().saturating_sub(KEPT_BYTES);
        self.bytes.drain(..surplus);
        self.cut |= surplus > 0;
    }

    /// Gives the words as the rest of a message, or nothing where there were none.
    pub(super) fn as_suffix(&self) -> String {
        let words = self.text();
        if words.is_empty() {
            return String::new();
        }
        let dots = if self.cut { "…" } else { "" };
        format!("; stderr: {dots}{words}")
    }

    /// The message ends up on terminals and in documents, where colours and control characters have no place.
    pub(super) fn text(&self) -> String {
        // A word that was cut goes altogether: half of a key is not known as one.
        let start = match self.cut {
            true => self.bytes.iter().position(u8::is_ascii_whitespace),
            false => Some(0),
        };
        let start = start.unwrap_or(self.bytes.len());
        let text = String::from_utf8_lossy(&self.bytes[start..]);
        without_controls(&text).trim().to_owned()
    }
}

/// A text without colours and control characters.
pub(crate) fn without_controls(text: &str) -> String {
    let text = console::strip_ansi_codes(text);
    let characters = text.chars();
    characters
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suffix(said: &[&str]) -> String {
        let mut tail = Tail::default();
        said.iter().for_each(|words| tail.push(words.as_bytes()));
        tail.as_suffix()
    }

    #[test]
    fn the_last_bytes_are_kept_and_the_cut_is_shown() {
        let suffix = suffix(&[&"éé ".repeat(2000), "the end\n"]);
        assert!(suffix.starts_with("; stderr: …éé éé"), "{suffix}");
        assert!(suffix.ends_with("éé the end"), "{suffix}");
    }

    #[test]
    fn a_word_that_was_cut_is_left_out() {
        let rest = "x".repeat(KEPT_BYTES - 8);
        let said = ["key sk-0123456789", &rest, " ended\n"];
        assert_eq!(suffix(&said), "; stderr: …ended");
    }

    #[test]
    fn colours_control_characters_and_blanks_are_left_out() {
        let coloured = "\x1b[31mno\x1b[0m\x07 key\r\nhere\n";
        assert_eq!(suffix(&[coloured]), "; stderr: no key\nhere");
        assert_eq!(suffix(&[" \n"]), "");
    }
}
