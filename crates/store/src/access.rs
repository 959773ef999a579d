//! What may be done with an open store, and why no more.

/// What may be done with an open store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    ReadWrite,
    ReadOnly(WhyReadOnly),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WhyReadOnly {
    #[error("it was opened for reading only")]
    Asked,
    #[error(
        "version {found} of its schema is newer than version {known}, the last that this program knows"
    )]
    Newer { found: u32, known: u32 },
    #[error("the file or its folder doesn't allow it")]
    NotWritable,
}
