//! gapless store.
