//! The runtime that agents run in.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::{Failure, Kind, Result};

/// How long tasks that are still running may take to end.
const SHUTDOWN: Duration = Duration::from_millis(200);

/// Runs something asynchronous to its end, and stops whatever it left running.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T> {
    let runtime = start()?;
    let result = runtime.block_on(future);
    runtime.shutdown_timeout(SHUTDOWN);
    Ok(result)
}

fn start() -> Result<Runtime> {
    let started = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    started.map_err(|error| {
        let message = format!("no runtime could be started: {error}");
        Failure::new(Kind::Internal, message)
    })
}
