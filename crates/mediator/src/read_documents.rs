//! The documents that were read since the session last waited: what an output is checked by is what its answers are sought
//! in, and nothing on the way is parsed twice. A cache, and no part of the state: whatever isn't in it is read again.

use std::collections::BTreeMap;
use std::sync::Arc;

use gapless_domain::TextHash;
use gapless_reading::read::ReadDocument;

/// The documents that were read, by their texts.
#[derive(Debug, Default)]
pub struct ReadDocuments(BTreeMap<TextHash, Arc<ReadDocument>>);

impl ReadDocuments {
    pub(super) fn keep(&mut self, text: TextHash, document: ReadDocument) -> Arc<ReadDocument> {
        let document = Arc::new(document);
        self.0.insert(text, Arc::clone(&document));
        document
    }

    pub(super) fn get(&self, text: &TextHash) -> Option<Arc<ReadDocument>> {
        self.0.get(text).map(Arc::clone)
    }
}
