//! gapless agents.
