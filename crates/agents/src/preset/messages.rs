//! The messages of a run: the pieces and blocks of one belong together, and those before the last are kept beside it.

use crate::LimitedBytes;

/// How many messages are kept before the last one.
const MOST_EARLIER: usize = 16;

/// The messages of a run so far.
pub(super) struct Messages {
    limit: u64,
    current: Option<Message>,
    /// Whole messages, oldest first.
    earlier: Vec<String>,
}

#[derive(Default)]
struct Message {
    id: Option<String>,
    /// What came of it before it was cut, where the program asked its model to go on.
    before: Option<LimitedBytes>,
    bytes: LimitedBytes,
    is_cut: bool,
}

impl Message {
    fn is_blank(&self) -> bool {
        self.before.is_none() && self.bytes.is_blank()
    }

    /// All of it, with whether its end is missing. A model that began anew left what was cut behind.
    fn whole(self) -> (LimitedBytes, bool) {
        let Some(mut whole) = self.before else {
            return (self.bytes, self.is_cut);
        };
        if self.bytes.is_blank() {
            return (whole, true);
        }
        let text = self.bytes.to_text();
        if first_line(&text) == first_line(&whole.to_text()) {
            return (self.bytes, self.is_cut);
        }
        whole.push(text.as_bytes());
        (whole, self.is_cut)
    }
}

fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default()
}

/// All that was said.
pub(super) struct Said {
    pub(super) last: Option<LimitedBytes>,
    pub(super) is_cut: bool,
    pub(super) earlier: Vec<String>,
}

impl Messages {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit,
            current: None,
            earlier: Vec::new(),
        }
    }

    /// What comes next is another message.
    pub(super) fn end_message(&mut self) {
        let Some(message) = self.current.take() else {
            return;
        };
        // Only the last one may be cut: of an earlier one that is, nobody would ask for the rest.
        let (bytes, is_cut) = message.whole();
        if is_cut || bytes.is_cut() || bytes.is_blank() {
            return;
        }
        self.earlier.push(bytes.into_text().0);
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let length = |earlier: &[String]| earlier.iter().map(String::len).sum::<usize>();
        while self.earlier.len() > MOST_EARLIER || length(&self.earlier) > limit {
            self.earlier.remove(0);
        }
    }

    /// What comes next is of the message with this id, or of a new one, which goes on where the one before it was cut.
    pub(super) fn begin_message(&mut self, id: Option<&str>) {
        let known = self.current.as_ref().and_then(|it| it.id.as_deref());
        if id.is_some() && known == id {
            return;
        }
        let cut = self.current.take_if(|it| it.is_cut && !it.is_blank());
        self.end_message();
        let message = self.open();
        message.id = id.map(str::to_owned);
        message.before = cut.map(|cut| cut.whole().0);
    }

    fn open(&mut self) -> &mut Message {
        let limit = self.limit;
        self.current.get_or_insert_with(|| Message {
            bytes: LimitedBytes::new(limit),
            ..Message::default()
        })
    }

    /// Adds to the message as it is.
    pub(super) fn piece(&mut self, bytes: &[u8]) {
        self.open().bytes.push(bytes);
    }

    /// Adds a block, which begins on a line of its own.
    pub(super) fn block(&mut self, text: &str) {
        let message = self.open();
        let follows = !message.bytes.is_empty() && !message.bytes.ends_with(b"\n");
        if follows && !text.starts_with(char::is_whitespace) {
            message.bytes.push(b"\n\n");
        }
        message.bytes.push(text.as_bytes());
    }

    /// The message was cut at a limit of the model's, also where nothing of it came.
    pub(super) fn cut(&mut self) {
        self.open().is_cut = true;
    }

    /// True where the last message ends with this text.
    pub(super) fn ends_with(&self, text: &str) -> bool {
        let last = self.current.as_ref();
        last.is_some_and(|last| last.is_cut || last.bytes.ends_with(text.trim().as_bytes()))
    }

    pub(super) fn finish(mut self) -> Said {
        // What ended without a word has the message before as its last.
        let silent = |it: &Message| !it.is_cut && it.is_blank();
        if self.current.as_ref().is_none_or(silent)
            && let Some(last) = self.earlier.pop()
        {
            let mut bytes = LimitedBytes::new(self.limit);
            bytes.push(last.as_bytes());
            return Said {
                last: Some(bytes),
                is_cut: false,
                earlier: self.earlier,
            };
        }
        let last = self.current.map(Message::whole);
        let (last, is_cut) = last.map_or((None, false), |(bytes, is_cut)| (Some(bytes), is_cut));
        Said {
            last,
            is_cut,
            earlier: self.earlier,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of messages, each with whether it was cut.
    fn said(messages: &[(&str, bool)]) -> (String, bool) {
        let mut all = Messages::new(1000);
        for (number, (text, is_cut)) in messages.iter().enumerate() {
            all.begin_message(Some(&number.to_string()));
            all.block(text);
            if *is_cut {
                all.cut();
            }
        }
        let said = all.finish();
        (said.last.unwrap().to_text(), said.is_cut)
    }

    #[test]
    fn a_message_goes_on_where_the_one_before_it_was_cut() {
        let whole = ("# One\nhalf a word".to_owned(), false);
        assert_eq!(said(&[("# One\nhalf a", true), (" word", false)]), whole);
        let parts = [("# One\nha", true), ("lf a", true), (" word", false)];
        assert_eq!(said(&parts), whole);
        let parts = [("# One\nhalf", true), (" a", true)];
        assert_eq!(said(&parts), ("# One\nhalf a".to_owned(), true));
        assert_eq!(
            said(&[("# One", true), ("", false)]),
            ("# One".to_owned(), true)
        );
    }

    #[test]
    fn a_message_that_begins_anew_takes_the_place_of_the_one_that_was_cut() {
        let parts = [("# One\nhalf a", true), ("# One\nall", false)];
        assert_eq!(said(&parts), ("# One\nall".to_owned(), false));
    }
}
