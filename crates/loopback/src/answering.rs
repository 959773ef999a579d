//! The answering of one request: reading it, and the pace and the end of what is sent back.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::{Request, Response};
use serde_json::{Value, json};

use crate::recorded::{Recorded, api_of};
use crate::reply::{Ending, Reply, What};
use crate::shared::Shared;
use crate::wire::{Said, Wire, wire_for};

type Body = UnsyncBoxBody<Bytes, std::io::Error>;

pub(crate) async fn answer(
    request: Request<Incoming>,
    shared: Arc<Shared>,
) -> Result<Response<Body>, Infallible> {
    let recorded = read(request).await;
    let Some(api) = recorded.api else {
        let aside = beside(&recorded);
        shared.take(recorded);
        return Ok(match aside {
            Some(value) => response(200, "application/json", &[], whole(value.to_string())),
            None => nothing_here(),
        });
    };
    let mut wire = wire_for(api, &recorded);
    let said = Said {
        number: 0,
        model: recorded.model(),
        tokens: None,
        stop_reason: None,
        asked_for_usage: recorded.body["stream_options"]["include_usage"] == true,
    };
    let streams = recorded.streams();
    let reply = shared.take(recorded);
    let said = Said {
        number: shared.asked(),
        tokens: reply.tokens,
        stop_reason: reply.stop_reason.clone(),
        ..said
    };
    tokio::time::sleep(reply.delay).await;
    let headers = reply.headers.clone();
    let content_type = wire.content_type();
    Ok(match &reply.what {
        What::Silence => {
            let _guard = Abandoned::watch(&shared);
            pending().await
        }
        What::Raw {
            status,
            content_type,
            body,
        } => response(*status, content_type, &headers, whole(body.clone())),
        What::Error {
            status,
            message,
            code,
            in_stream: true,
        } if streams => {
            let frames = wire.head(&said)
                + &wire.piece(&said, "The begin")
                + &wire.error_frame(*status, code.as_deref(), message);
            response(200, content_type, &headers, whole(frames))
        }
        What::Error {
            status,
            message,
            code,
            ..
        } => {
            let error = wire.error(*status, code.as_deref(), message).to_string();
            response(*status, "application/json", &headers, whole(error))
        }
        What::Parts(parts) => {
            let frames = wire.parts(&said, parts);
            response(200, content_type, &headers, whole(frames))
        }
        What::Text(text) if !streams => {
            let text = wire.whole(&said, text).to_string();
            response(200, "application/json", &headers, whole(text))
        }
        What::Text(_) | What::Flood(_) => {
            let body = streamed(wire, said, reply, &shared);
            response(200, content_type, &headers, body)
        }
    })
}

fn nothing_here() -> Response<Body> {
    let body = whole("there is nothing here".to_owned());
    response(404, "text/plain", &[], body)
}

async fn read(request: Request<Incoming>) -> Recorded {
    let (parts, body) = request.into_parts();
    let bytes = match body.collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(_) => Bytes::new(),
    };
    let headers = parts.headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    });
    let path = parts.uri.path().to_owned();
    Recorded {
        api: api_of(&path),
        method: parts.method.to_string(),
        path,
        query: parts.uri.query().unwrap_or("").to_owned(),
        headers: headers.collect(),
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    }
}

/// What clients ask for beside the answers of models.
fn beside(request: &Recorded) -> Option<Value> {
    let ends = |end: &str| request.path.ends_with(end);
    if ends("/count_tokens") {
        return Some(json!({"input_tokens": 100}));
    }
    if ends(":countTokens") {
        return Some(json!({"totalTokens": 100}));
    }
    if ends("/models") {
        return Some(json!({
            "object": "list",
            "data": [{"id": "test", "object": "model", "created": 0, "owned_by": "loopback"}],
        }));
    }
    if ends("/api/tags") {
        return Some(json!({"models": [{"name": "test", "model": "test"}]}));
    }
    if ends("/api/version") {
        return Some(json!({"version": "0.0.0"}));
    }
    (request.path == "/").then(|| json!({}))
}

fn response(
    status: u16,
    content_type: &str,
    headers: &[(String, String)],
    body: Body,
) -> Response<Body> {
    let mut builder = Response::builder()
        .status(status)
        .header("content-type", content_type);
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    builder
        .body(body)
        .unwrap_or_else(|error| Response::new(whole(error.to_string())))
}

fn whole(text: String) -> Body {
    let body = Full::new(Bytes::from(text));
    body.map_err(|never: Infallible| match never {})
        .boxed_unsync()
}

/// Counts an answer that is dropped before it is done.
struct Abandoned {
    shared: Arc<Shared>,
    done: bool,
}

impl Abandoned {
    fn watch(shared: &Arc<Shared>) -> Self {
        Self {
            shared: Arc::clone(shared),
            done: false,
        }
    }
}

impl Drop for Abandoned {
    fn drop(&mut self) {
        if !self.done {
            self.shared.abandoned.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Where a streamed answer stands.
struct Stream {
    wire: Box<dyn Wire>,
    said: Said,
    reply: Reply,
    text: Vec<char>,
    endless: bool,
    at: usize,
    pieces: usize,
    state: At,
    guard: Abandoned,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Head,
    Text,
    End,
}

fn streamed(wire: Box<dyn Wire>, said: Said, reply: Reply, shared: &Arc<Shared>) -> Body {
    let (text, endless) = match &reply.what {
        What::Text(text) => (text.chars().collect(), false),
        What::Flood(text) => (text.chars().collect(), true),
        _ => (Vec::new(), false),
    };
    let start = Stream {
        wire,
        said,
        reply,
        text,
        endless,
        at: 0,
        pieces: 0,
        state: At::Head,
        guard: Abandoned::watch(shared),
    };
    let frames = stream::unfold(start, |mut stream| async move {
        let frame = stream.next().await?;
        Some((frame.map(Frame::data), stream))
    });
    StreamBody::new(frames).boxed_unsync()
}

impl Stream {
    async fn next(&mut self) -> Option<std::io::Result<Bytes>> {
        match self.state {
            At::Head => {
                self.state = At::Text;
                Some(Ok(self.wire.head(&self.said).into()))
            }
            At::Text => {
                match self.reply.ending {
                    Ending::Cut(after) if self.pieces >= after => {
                        self.guard.done = true;
                        self.state = At::End;
                        // What was said so far is sent while this waits.
                        tokio::task::yield_now().await;
                        return Some(Err(std::io::Error::other("cut as scripted")));
                    }
                    Ending::Stall(after) if self.pieces >= after => pending().await,
                    _ => {}
                }
                if !self.reply.pace.is_zero() {
                    tokio::time::sleep(self.reply.pace).await;
                }
                if self.at >= self.text.len() && self.endless {
                    self.at = 0;
                }
                if self.at >= self.text.len() {
                    self.state = At::End;
                    self.guard.done = true;
                    let text: String = self.text.iter().collect();
                    return Some(Ok(self.wire.tail(&self.said, &text).into()));
                }
                let end = (self.at + self.reply.piece_chars).min(self.text.len());
                let piece: String = self.text[self.at..end].iter().collect();
                self.at = end;
                self.pieces += 1;
                Some(Ok(self.wire.piece(&self.said, &piece).into()))
            }
            At::End if self.reply.ending == Ending::Linger => pending().await,
            At::End => None,
        }
    }
}
