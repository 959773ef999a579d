//! How the bytes of an answer become JSON documents: lines of them, or server-sent events. No more is held than
//! one line or event may be long, so that no answer can fill the memory.

use bytes::BytesMut;
use tokio_util::codec::{Decoder, LinesCodec, LinesCodecError};

/// How documents stand in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Events,
    Lines,
}

pub(crate) struct Documents {
    framing: Framing,
    lines: LinesCodec,
    waiting: BytesMut,
    longest: usize,
    /// The data of the event that is coming in.
    event: String,
}

impl Documents {
    pub(crate) fn new(framing: Framing, longest: usize) -> Self {
        Self {
            framing,
            lines: LinesCodec::new_with_max_length(longest),
            waiting: BytesMut::new(),
            longest,
            event: String::new(),
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    /// The next document that is whole; after the last byte also one that nothing ends.
    pub(crate) fn next(&mut self, at_end: bool) -> Result<Option<String>, String> {
        loop {
            let line = match at_end {
                true => self.lines.decode_eof(&mut self.waiting),
                false => self.lines.decode(&mut self.waiting),
            };
            let line = line.map_err(|error| self.fault(&error))?;
            if let Some(document) = match line {
                Some(line) => self.take(line)?,
                None if at_end && !self.event.is_empty() => Some(std::mem::take(&mut self.event)),
                None => return Ok(None),
            } {
                return Ok(Some(document));
            }
        }
    }

    fn take(&mut self, line: String) -> Result<Option<String>, String> {
        if self.framing == Framing::Lines {
            return Ok((!line.trim().is_empty()).then_some(line));
        }
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return Ok((!event.is_empty()).then_some(event));
        }
        // The name of an event stands in its data too; comments only keep the connection open.
        if let Some(data) = line.strip_prefix("data:") {
            if !self.event.is_empty() {
                self.event.push('\n');
            }
            self.event.push_str(data.strip_prefix(' ').unwrap_or(data));
            if self.event.len() > self.longest {
                return Err(self.too_long());
            }
        }
        Ok(None)
    }

    fn fault(&self, error: &LinesCodecError) -> String {
        match error {
            LinesCodecError::MaxLineLengthExceeded => self.too_long(),
            LinesCodecError::Io(_) => "a line of the answer is not UTF-8".to_owned(),
        }
    }

    fn too_long(&self) -> String {
        format!("a part of the answer is longer than {} bytes", self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(framing: Framing, chunks: &[&str]) -> Result<Vec<String>, String> {
        let mut documents = Documents::new(framing, 64);
        let mut found = Vec::new();
        for chunk in chunks {
            documents.push(chunk.as_bytes());
            while let Some(document) = documents.next(false)? {
                found.push(document);
            }
        }
        while let Some(document) = documents.next(true)? {
            found.push(document);
        }
        Ok(found)
    }

    #[test]
    fn events_are_found_however_the_bytes_are_cut() {
        let text = ": a comment\r\nevent: x\r\ndata: {\"a\":1}\r\n\r\ndata: one\ndata:two\n\n\n\ndata: [DONE]";
        let expected = ["{\"a\":1}", "one\ntwo", "[DONE]"];
        for size in 1..text.len() {
            let bytes = text.as_bytes().chunks(size);
            let chunks: Vec<&str> = bytes.map(|c| std::str::from_utf8(c).unwrap()).collect();
            assert_eq!(
                documents(Framing::Events, &chunks).unwrap(),
                expected,
                "{size}"
            );
        }
    }

    #[test]
    fn lines_are_documents_of_their_own() {
        let found = documents(
            Framing::Lines,
            &["{\"a\"", ":1}\n\n{\"b\":2}\n{\"c\"", ":3}"],
        );
        assert_eq!(found.unwrap(), ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]);
    }

    #[test]
    fn nothing_longer_than_the_limit_is_held() {
        let long = "x".repeat(65);
        let many = "data: 0123456789\n".repeat(9);
        for chunks in [[long.as_str()], [many.as_str()]] {
            assert!(documents(Framing::Events, &chunks).is_err());
        }
        let mut documents = Documents::new(Framing::Events, 64);
        documents.push(b"data: \xff\xfe\n");
        assert!(documents.next(false).unwrap_err().contains("UTF-8"));
    }
}
