//! How bytes become what a target needs: a few choices first, then texts. The byte 0xFF, which no UTF-8 has, ends a text.

use std::fmt::Debug;

/// What ends a text in an input.
pub const END: u8 = 0xff;

/// Bytes that are being used up.
pub struct Input<'d> {
    left: &'d [u8],
}

impl<'d> Input<'d> {
    pub fn new(data: &'d [u8]) -> Self {
        Self { left: data }
    }

    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The next byte; 0 where there is none.
    pub fn byte(&mut self) -> u8 {
        match self.left.split_first() {
            Some((first, rest)) => {
                self.left = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn number(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    pub fn yes(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn one_of<'t, T>(&mut self, choices: &'t [T]) -> &'t T {
        &choices[usize::from(self.byte()) % choices.len()]
    }

    /// The bytes up to the next end.
    pub fn bytes(&mut self) -> &'d [u8] {
        let end = self.left.iter().position(|byte| *byte == END);
        let (bytes, rest) = match end {
            Some(end) => (&self.left[..end], &self.left[end + 1..]),
            None => (self.left, &[][..]),
        };
        self.left = rest;
        bytes
    }

    /// The next text, decoded as what agents write is: what is no UTF-8 is replaced.
    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// The next text, where there is any.
    pub fn some_text(&mut self) -> Option<String> {
        (!self.is_empty()).then(|| self.text())
    }

    /// The next text, where one is asked for and there is any.
    pub fn text_if(&mut self, asked: bool) -> Option<String> {
        if asked { self.some_text() } else { None }
    }

    /// Everything that is left, decoded like a text.
    pub fn rest_as_text(&mut self) -> String {
        String::from_utf8_lossy(self.rest()).into_owned()
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'d [u8] {
        std::mem::take(&mut self.left)
    }
}

/// Does something twice, and holds it to giving the same.
pub fn same_twice<T: PartialEq + Debug>(what: &str, look: impl Fn() -> T) -> T {
    let first = look();
    assert_eq!(first, look(), "{what}");
    first
}

/// Puts an input together as [`Input`] takes it apart: for seeds.
pub fn input(choices: &[u8], texts: &[&str]) -> Vec<u8> {
    let mut data = choices.to_vec();
    for text in texts {
        data.extend(text.as_bytes());
        data.push(END);
    }
    data
}
