//! A model server on the loopback address, for tests only: it speaks the vendors' wire formats, answers as it is
//! told to, and keeps what it was asked. It runs in a thread with a clock of its own and is gone when it is dropped.

mod answering;
mod recorded;
mod reply;
mod shared;
mod wire;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use recorded::{Api, Recorded};
pub use reply::{Part, Reply, Tokens};
use shared::Shared;

/// A model server that is running.
pub struct Loopback {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Loopback {
    /// Answers every request with what `script` says.
    pub fn start(script: impl FnMut(&Recorded) -> Reply + Send + 'static) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(Box::new(script)),
            requests: Mutex::default(),
            abandoned: AtomicUsize::new(0),
        });
        let stop = CancellationToken::new();
        let (served, stopped) = (Arc::clone(&shared), stop.clone());
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                if let Ok(listener) = TcpListener::from_std(listener) {
                    tokio::select! {
                        () = stopped.cancelled() => {}
                        () = serve(listener, served) => {}
                    }
                }
            });
        });
        Ok(Self {
            address,
            shared,
            stop,
            thread: Some(thread),
        })
    }

    /// Answers with these, one after the other; what is asked for beyond them is an error of the server.
    pub fn scripted(replies: impl IntoIterator<Item = Reply>) -> std::io::Result<Self> {
        let mut replies: std::collections::VecDeque<Reply> = replies.into_iter().collect();
        Self::start(move |_| {
            let next = replies.pop_front();
            next.unwrap_or_else(|| Reply::error(500, "the script has come to its end"))
        })
    }

    /// The address without a path: what `ANTHROPIC_BASE_URL`, `GEMINI_BASE_URL` and `OLLAMA_HOST` take.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address with the version in it: what `OPENAI_BASE_URL` takes.
    pub fn openai_url(&self) -> String {
        format!("{}/v1", self.url())
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Everything that was asked so far.
    pub fn requests(&self) -> Vec<Recorded> {
        let requests = self.shared.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many answers were let go by who asked before they were whole.
    pub fn abandoned(&self) -> usize {
        self.shared.abandoned.load(Ordering::SeqCst)
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let shared = Arc::clone(&shared);
                async move { answering::answer(request, shared).await }
            });
            // A client that goes away, and an answer that is cut, end in an error here: both are meant.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}
