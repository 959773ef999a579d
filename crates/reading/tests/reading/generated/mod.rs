//! Documents that are combined from lists of forms and words, with the truth known: how much of them the reader gets right. A
//! fifth of every list was kept aside while the reader was written, and is measured by itself.

pub mod choices;
pub mod engineer;
pub mod review;

mod figures;
mod proposals;
mod reviews;
