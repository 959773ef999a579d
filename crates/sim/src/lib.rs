//! gapless sim.
