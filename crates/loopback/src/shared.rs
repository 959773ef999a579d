//! What the server and its answers share: the script, and what was asked so far.

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, PoisonError};

use crate::recorded::Recorded;
use crate::reply::Reply;

/// What a request is answered with.
pub(crate) type Script = dyn FnMut(&Recorded) -> Reply + Send;

pub(crate) struct Shared {
    pub(crate) script: Mutex<Box<Script>>,
    pub(crate) requests: Mutex<Vec<Recorded>>,
    pub(crate) abandoned: AtomicUsize,
}

impl Shared {
    /// Keeps a request and says what it is answered with.
    pub(crate) fn take(&self, request: Recorded) -> Reply {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = script(&request);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
        reply
    }

    /// How many requests there were so far.
    pub(crate) fn asked(&self) -> usize {
        let requests = self.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).len()
    }
}
