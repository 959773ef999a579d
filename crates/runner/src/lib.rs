//! gapless runner.
