//! Who takes what a program writes.

use crate::LimitedBytes;

/// Takes what a program writes to stdout, as it comes.
pub(crate) trait Listener: Send {
    fn hear(&mut self, chunk: &[u8]);
}

impl Listener for LimitedBytes {
    fn hear(&mut self, chunk: &[u8]) {
        self.push(chunk);
    }
}
