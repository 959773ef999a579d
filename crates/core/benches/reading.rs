//! How long reading and checking an Engineer's document takes: it is linear in the document's length.

#![allow(clippy::disallowed_methods)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gapless_core::ids::{GapId, IssueId};
use gapless_core::read::Mode;
use gapless_core::task::Role;
use gapless_core::validate::{Ground, IssueStanding, Standing, validate};

struct Everything;

impl Ground for Everything {
    fn gap(&self, _: &GapId) -> Standing {
        Standing::Assigned
    }

    fn issue(&self, _: &IssueId) -> IssueStanding {
        IssueStanding::Due
    }
}

/// A canonical document of about this many bytes: 15 kB for each gap, in prose, lists, tables and code.
fn document(bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text += &format!(
            "## Gap Resolution: GAP-FLOW-{number:03}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n"
        );
        for paragraph in 0..40 {
            text += &format!(
                "Rule {paragraph}: a parcel that *nobody* takes in is brought to the `depot` on the same evening, see \
                 GAP-FLOW-{number:03} and ISSUE-R1-001; the courier leaves a card with the opening hours.\n\n\
                 - first, the card\n- then the depot, `after_hours = {paragraph}`\n\n\
                 | Key | Value |\n|---|---|\n| `days` | {paragraph} |\n\n```toml\nkeep_days = {paragraph}\n```\n\n"
            );
        }
        text += "### Trade-offs\n\nIt costs an evening.\n\n### New Gaps Introduced\n\nNone\n\n";
    }
    text
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read and validate");
    group.sample_size(20);
    for (name, bytes) in [("45 kB", 45_000), ("1 MB", 1_000_000), ("4 MB", 4_000_000)] {
        let text = document(bytes);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), &text, |bencher, text| {
            bencher.iter(|| {
                let checked = validate(
                    Role::Engineer,
                    Some(black_box(text)),
                    Mode::Tolerant,
                    &Everything,
                );
                assert!(checked.result.success);
                checked
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
