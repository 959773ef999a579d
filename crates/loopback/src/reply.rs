//! What a request is answered with: a text and how it comes, or an error.

use std::time::Duration;

use serde_json::Value;

/// Tokens as a provider reports them; those that went in with those that were cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    pub input: u64,
    pub cached: u64,
    pub output: u64,
}

/// A part of an answer.
#[derive(Debug, Clone)]
pub enum Part {
    Text(String),
    /// A tool that the model wants to be used.
    Tool {
        name: String,
        arguments: Value,
    },
}

impl Part {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn tool(name: &str, arguments: Value) -> Self {
        let name = name.to_owned();
        Self::Tool { name, arguments }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    Text(String),
    /// Several parts of one answer, all at once.
    Parts(Vec<Part>),
    /// Text without an end.
    Flood(String),
    Error {
        status: u16,
        message: String,
        code: Option<String>,
        /// In the stream, after it has begun well.
        in_stream: bool,
    },
    Raw {
        status: u16,
        content_type: String,
        body: String,
    },
    /// The request is read and nothing is said.
    Silence,
}

/// How a text comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    /// The connection breaks after so many pieces.
    Cut(usize),
    /// Nothing more comes after so many pieces.
    Stall(usize),
    /// It is whole, and the connection stays open.
    Linger,
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) what: What,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) ending: Ending,
    pub(crate) delay: Duration,
    pub(crate) pace: Duration,
    pub(crate) piece_chars: usize,
    /// Why it stopped, in the vendor's own word, where that is not the usual one.
    pub(crate) stop_reason: Option<String>,
}

impl Reply {
    fn new(what: What) -> Self {
        Self {
            what,
            tokens: Some(Tokens {
                input: 100,
                cached: 0,
                output: 20,
            }),
            headers: Vec::new(),
            ending: Ending::Whole,
            delay: Duration::ZERO,
            pace: Duration::ZERO,
            piece_chars: 24,
            stop_reason: None,
        }
    }

    /// A model's answer.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(What::Text(text.into()))
    }

    /// A model's call of a tool, where it streams.
    pub fn tool(name: &str, arguments: Value) -> Self {
        Self::parts([Part::tool(name, arguments)])
    }

    /// An answer of several parts, where it streams.
    pub fn parts(parts: impl IntoIterator<Item = Part>) -> Self {
        Self::new(What::Parts(parts.into_iter().collect()))
    }

    /// An answer that repeats `text` for as long as it is read.
    pub fn flood(text: impl Into<String>) -> Self {
        Self::new(What::Flood(text.into()))
    }

    /// An error in the vendor's own shape.
    pub fn error(status: u16, message: impl Into<String>) -> Self {
        Self::new(What::Error {
            status,
            message: message.into(),
            code: None,
            in_stream: false,
        })
    }

    /// An answer that is no vendor's.
    pub fn raw(status: u16, content_type: &str, body: impl Into<String>) -> Self {
        Self::new(What::Raw {
            status,
            content_type: content_type.to_owned(),
            body: body.into(),
        })
    }

    /// No answer at all, over a connection that stays open.
    pub fn silence() -> Self {
        Self::new(What::Silence)
    }

    /// The code or type of an error, where it is not the one that goes with the status.
    #[must_use]
    pub fn code(mut self, code: &str) -> Self {
        if let What::Error { code: kept, .. } = &mut self.what {
            *kept = Some(code.to_owned());
        }
        self
    }

    /// Lets an error come in a stream that began with status 200.
    #[must_use]
    pub fn in_stream(mut self) -> Self {
        if let What::Error { in_stream, .. } = &mut self.what {
            *in_stream = true;
        }
        self
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    #[must_use]
    pub fn tokens(mut self, input: u64, cached: u64, output: u64) -> Self {
        self.tokens = Some(Tokens {
            input,
            cached,
            output,
        });
        self
    }

    /// Tells nothing of what was used.
    #[must_use]
    pub fn untold(mut self) -> Self {
        self.tokens = None;
        self
    }

    /// Waits before the first byte.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sends pieces of so many characters with a pause before each.
    #[must_use]
    pub fn dribble(mut self, piece_chars: usize, pace: Duration) -> Self {
        self.piece_chars = piece_chars.max(1);
        self.pace = pace;
        self
    }

    /// Breaks the connection after so many pieces of text.
    #[must_use]
    pub fn cut_after(mut self, pieces: usize) -> Self {
        self.ending = Ending::Cut(pieces);
        self
    }

    /// Says nothing more after so many pieces of text.
    #[must_use]
    pub fn stall_after(mut self, pieces: usize) -> Self {
        self.ending = Ending::Stall(pieces);
        self
    }

    /// Sends all of it, and keeps the connection open behind it.
    #[must_use]
    pub fn linger(mut self) -> Self {
        self.ending = Ending::Linger;
        self
    }

    /// Why the model stopped, in the vendor's own word: `max_tokens`, `length`, `SAFETY`.
    #[must_use]
    pub fn stopped_by(mut self, reason: &str) -> Self {
        self.stop_reason = Some(reason.to_owned());
        self
    }
}
