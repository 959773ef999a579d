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
    fn text(&self) -> String {
        // A word that was cut goes altogether: half of a key is not known as one.
        let start = match self.cut {
            true => self.bytes.iter().position(u8::is_ascii_whitespace),
            false => Some(0),
        };
        let start = start.unwrap_or(self.bytes.len());
        let text = String::from_utf8_lossy(&self.bytes[start..]);
        console::strip_ansi_codes(&text)
            .chars()
            .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
            .collect::<String>()
            .trim()
            .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_are_kept_and_the_cut_is_shown() {
        let mut tail = Tail::default();
        tail.push("éé ".repeat(2000).as_bytes());
        tail.push(b"the end\n");
        let suffix = tail.as_suffix();
        assert!(suffix.starts_with("; stderr: …éé éé"), "{suffix}");
        assert!(suffix.ends_with("éé the end"), "{suffix}");
    }

    #[test]
    fn a_word_that_was_cut_is_left_out() {
        let mut tail = Tail::default();
        tail.push(b"key sk-0123456789");
        tail.push("x".repeat(KEPT_BYTES - 8).as_bytes());
        tail.push(b" ended\n");
        assert_eq!(tail.as_suffix(), "; stderr: …ended");
    }

    #[test]
    fn colours_and_control_characters_are_left_out() {
        let mut tail = Tail::default();
        tail.push(b"\x1b[31mno\x1b[0m\x07 key\r\nhere\n");
        assert_eq!(tail.as_suffix(), "; stderr: no key\nhere");
    }

    #[test]
    fn silence_adds_nothing() {
        let mut tail = Tail::default();
        tail.push(b" \n");
        assert_eq!(tail.as_suffix(), "");
    }
}
