//! What holds for the sources of all crates: which crate depends on which, that no modules depend on each other in a circle,
//! and that what decides asks nothing of the outside world.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod crate_layers;
mod function_length;
mod module_cycles;
mod purity;
mod workspace;
