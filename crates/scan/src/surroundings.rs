//! What a scan may ask about the files around a spec. The scan itself does no I/O.

/// Answers whether a file that a spec links to is there.
pub trait Surroundings: Sync {
    /// Whether a path, relative to the spec, exists; `None` where that is not known.
    fn exists(&self, path: &str) -> Option<bool>;
}

/// Knows nothing: links to files are not judged.
pub struct Unknown;

impl Surroundings for Unknown {
    fn exists(&self, _path: &str) -> Option<bool> {
        None
    }
}
