//! How fast specs are scanned, on one core: a spec as people write them, and texts that are made to be slow.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gapless_scan::{Rules, scan};

const SPECS: [&str; 3] = [
    include_str!("../specs/http-api.md"),
    include_str!("../specs/pipeline.md"),
    include_str!("../specs/cli-tool.md"),
];

/// Specs one after the other until they are this long.
fn specs(bytes: usize) -> String {
    SPECS
        .iter()
        .cycle()
        .flat_map(|spec| [*spec, "\n"])
        .scan(0, |length, part| {
            let before = *length;
            *length += part.len();
            (before < bytes).then_some(part)
        })
        .collect()
}

fn pathological(bytes: usize) -> Vec<(&'static str, String)> {
    let repeated = |part: &str| part.repeat(bytes / part.len());
    let columns = 10_000;
    let row = format!("|{}\n", "a|".repeat(columns));
    let table = format!(
        "{row}|{}\n{}",
        "-|".repeat(columns),
        row.repeat(bytes / row.len())
    );
    vec![
        (
            "one line",
            repeated("The client waits a reasonable time, TBD, etc. "),
        ),
        ("headings", repeated("## a\n")),
        ("quotes", repeated("> ")),
        ("brackets", repeated("(")),
        ("wide table", table),
        ("findings", repeated("The service must be fast.\n\n")),
        (
            "comments",
            repeated("<!-- gapless: ignore placeholder x -->\n\n"),
        ),
        ("arrows", format!("## States\n\n{}", repeated("- a -> b\n"))),
    ]
}

fn scanning(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scan");
    group.sample_size(10);
    for bytes in [100_000, 1_000_000, 10_000_000] {
        let text = specs(bytes);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("specs", bytes), &text, |bencher, text| {
            bencher.iter(|| scan(black_box(text), &Rules::default()));
        });
    }
    for bytes in [250_000, 1_000_000] {
        for (name, text) in pathological(bytes) {
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::new(name, bytes), &text, |bencher, text| {
                bencher.iter(|| scan(black_box(text), &Rules::default()));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, scanning);
criterion_main!(benches);
