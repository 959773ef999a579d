//! How raw bytes become a document's text: the size limit, and what is done about bytes that aren't UTF-8.

use std::io::{self, Read};

use gapless_domain::OutputNote;

/// Bytes up to a limit; what comes after is counted as cut and let go.
#[derive(Debug, Default)]
pub(crate) struct LimitedBytes {
    kept: Vec<u8>,
    limit: usize,
    cut: bool,
}

impl LimitedBytes {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.kept.len());
        let fitting = &bytes[..bytes.len().min(room)];
        self.kept.extend_from_slice(fitting);
        self.cut |= fitting.len() < bytes.len();
    }

    /// True where something was let go.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// True where it ends with these bytes, apart from white space behind them.
    pub(crate) fn ends_with(&self, bytes: &[u8]) -> bool {
        self.kept.ends_with(bytes) || self.kept.trim_ascii_end().ends_with(bytes)
    }

    /// True where there is nothing to see in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.kept.trim_ascii().is_empty()
    }

    /// Reads at most one byte more than the limit, enough to know whether anything was cut.
    pub(crate) fn read(limit: u64, source: impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        source
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)?;
        let mut limited = Self::new(limit);
        limited.push(&bytes);
        Ok(limited)
    }

    /// The text so far, whatever had to be mended in it.
    pub(crate) fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }

    /// Gives the text, and notes of what had to be mended.
    pub(crate) fn into_text(mut self) -> (String, Vec<OutputNote>) {
        let mut notes = Vec::new();
        if self.cut {
            self.drop_split_character();
            notes.push(OutputNote::OutputTruncated);
        }
        let text = String::from_utf8(self.kept).unwrap_or_else(|error| {
            notes.push(OutputNote::InvalidUtf8Replaced);
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        (text, notes)
    }

    /// Keeps the cut itself from being taken for invalid UTF-8.
    fn drop_split_character(&mut self) {
        let start = self.kept.len().saturating_sub(3);
        let split = (start..self.kept.len()).find(|&at| {
            std::str::from_utf8(&self.kept[at..])
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        });
        if let Some(at) = split {
            self.kept.truncate(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(limit: u64, bytes: &[u8]) -> (String, Vec<OutputNote>) {
        LimitedBytes::read(limit, bytes).unwrap().into_text()
    }

    #[test]
    fn a_text_of_exactly_the_limit_is_whole() {
        assert_eq!(text_of(4, b"four"), ("four".to_owned(), vec![]));
    }

    #[test]
    fn a_cut_inside_a_character_drops_it_and_is_no_invalid_utf8() {
        for (limit, kept) in [(2, "a"), (3, "a"), (4, "a"), (5, "a😀")] {
            let expected = (kept.to_owned(), vec![OutputNote::OutputTruncated]);
            assert_eq!(text_of(limit, "a😀b".as_bytes()), expected, "{limit}");
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_even_where_the_text_was_cut() {
        let (text, notes) = text_of(3, b"a\xffbc");
        assert_eq!(text, "a\u{fffd}b");
        assert_eq!(
            notes,
            [OutputNote::OutputTruncated, OutputNote::InvalidUtf8Replaced]
        );
    }

    #[test]
    fn an_unfinished_character_at_the_end_of_a_whole_text_is_invalid() {
        let (text, notes) = text_of(9, b"a\xf0\x9f");
        assert_eq!(text, "a\u{fffd}");
        assert_eq!(notes, [OutputNote::InvalidUtf8Replaced]);
    }
}
