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

struct Message {
    id: Option<String>,
    bytes: LimitedBytes,
    is_cut: bool,
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
        if message.is_cut || message.bytes.is_cut() || message.bytes.is_blank() {
            return;
        }
        self.earlier.push(message.bytes.into_text().0);
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let length = |earlier: &[String]| earlier.iter().map(String::len).sum::<usize>();
        while self.earlier.len() > MOST_EARLIER || length(&self.earlier) > limit {
            self.earlier.remove(0);
        }
    }

    /// What comes next is of the message with this id, or of a new one.
    pub(super) fn begin_message(&mut self, id: Option<&str>) {
        let known = self.current.as_ref().and_then(|it| it.id.as_deref());
        if id.is_none() || known != id {
            self.end_message();
            self.open().id = id.map(str::to_owned);
        }
    }

    fn open(&mut self) -> &mut Message {
        let limit = self.limit;
        self.current.get_or_insert_with(|| Message {
            id: None,
            bytes: LimitedBytes::new(limit),
            is_cut: false,
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
        let silent = |it: &Message| !it.is_cut && it.bytes.is_blank();
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
        let (last, is_cut) = match self.current {
            Some(message) => (Some(message.bytes), message.is_cut),
            None => (None, false),
        };
        Said {
            last,
            is_cut,
            earlier: self.earlier,
        }
    }
}
