//! A document on its way to a file of the session folder, with the hash of its content.

use std::sync::Arc;

use gapless_domain::TextHash;

use crate::store::Projection;

/// The content that a file of the session folder is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) path: String,
    pub(crate) content: Arc<str>,
    pub(crate) hash: TextHash,
    /// The file is not to be there at all.
    pub(crate) absent: bool,
}

impl Document {
    pub fn new(path: impl Into<String>, content: impl Into<Arc<str>>) -> Self {
        let content = content.into();
        Self {
            path: path.into(),
            hash: TextHash::of(&content),
            content,
            absent: false,
        }
    }

    /// A file that is not to be there; what a person made of it is kept aside.
    pub fn absent(path: impl Into<String>) -> Self {
        Self {
            absent: true,
            ..Self::new(path, "")
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn content(&self) -> &Arc<str> {
        &self.content
    }

    /// What the commit before the writing says of it.
    pub fn projection(&self) -> Projection {
        Projection {
            path: self.path.clone(),
            hash: self.hash,
        }
    }
}
