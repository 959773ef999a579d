//! The turns at the one terminal that questions and editors share: whoever has it, has it alone.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};

/// What the terminal's owner does while a program has it; ends when it is dropped.
pub type Lending = Box<dyn Send>;

/// The terminal of a run; clones stand for the same one.
#[derive(Clone)]
pub struct SharedTerminal {
    turns: Arc<Mutex<()>>,
    lend: Arc<dyn Fn(&str) -> Lending + Send + Sync>,
}

/// The terminal is somebody's until this is dropped.
pub struct Turn {
    // Dropped in this order: what waited is shown before the next one begins.
    _lending: Option<Lending>,
    _turn: OwnedMutexGuard<()>,
}

impl SharedTerminal {
    /// `lend` is called when a program gets the terminal, with what the person is to be told before it starts. From
    /// then until what it gave back is dropped, its owner must neither draw nor print nor read.
    pub fn new(lend: impl Fn(&str) -> Lending + Send + Sync + 'static) -> Self {
        Self {
            turns: Arc::default(),
            lend: Arc::new(lend),
        }
    }

    /// Waits for the terminal, to ask something there.
    pub async fn turn(&self) -> Turn {
        Turn {
            _turn: Arc::clone(&self.turns).lock_owned().await,
            _lending: None,
        }
    }

    /// Waits for the terminal, for a program that needs all of it.
    pub(crate) async fn lent(&self, announcement: &str) -> Turn {
        let mut turn = self.turn().await;
        turn._lending = Some((self.lend)(announcement));
        turn
    }
}

impl fmt::Debug for SharedTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedTerminal")
    }
}
