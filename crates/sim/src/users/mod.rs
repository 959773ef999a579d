//! The simulated users: they answer anything that is legal, try what is not, and give commands at any moment.

pub mod answers;
pub mod commands;
pub mod illegal;
