//! Prints the report that is measured, to look at: `cargo run -p gapless-report --example large_report > large.html`.
#![allow(clippy::unwrap_used)]

#[path = "../tests/reporting/large.rs"]
mod large;
#[allow(dead_code)]
#[path = "../tests/reporting/played.rs"]
mod played;

fn main() {
    print!("{}", gapless_report::html(&large::LARGE.report()));
}
