//! A report of 500 gaps and 50 rounds, from the log to the page: it must take less than 300 ms and 3 MB.
#![allow(clippy::unwrap_used)]

#[path = "../tests/reporting/large.rs"]
mod large;
#[allow(dead_code)]
#[path = "../tests/reporting/played.rs"]
mod played;

use criterion::{Criterion, criterion_group, criterion_main};
use gapless_report::{Report, html, markdown};

fn reporting(criterion: &mut Criterion) {
    let played = &*large::LARGE;
    let report = played.report();
    println!(
        "{} gaps, {} runs of rounds, {} events: {} kB of HTML, {} kB of markdown",
        report.figures.gaps,
        report.rounds.len(),
        played.events.len(),
        html(&report).len() / 1000,
        markdown(&report).len() / 1000,
    );
    let mut group = criterion.benchmark_group("a report of 500 gaps and 50 rounds");
    group.sample_size(20);
    group.bench_function("from the log to HTML", |bencher| {
        bencher.iter(|| html(&Report::of(&played.events, &played.texts)));
    });
    group.bench_function("from the log to markdown", |bencher| {
        bencher.iter(|| markdown(&Report::of(&played.events, &played.texts)));
    });
    group.bench_function("gathering alone", |bencher| {
        bencher.iter(|| Report::of(&played.events, &played.texts));
    });
    group.finish();
}

criterion_group!(benches, reporting);
criterion_main!(benches);
