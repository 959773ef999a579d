//! Who takes what a program writes.

use gapless_domain::ExecutionError;

use crate::LimitedBytes;

/// Takes what a program writes to stdout, as it comes.
pub(crate) trait Listener: Send {
    fn hear(&mut self, chunk: &[u8]);

    /// Why the program has to be ended now, going by what it wrote.
    fn must_end(&self) -> Option<ExecutionError> {
        None
    }
}

impl Listener for LimitedBytes {
    fn hear(&mut self, chunk: &[u8]) {
        self.push(chunk);
    }
}
