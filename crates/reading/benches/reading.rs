//! How long reading and checking a document takes: it is linear in the document's length.

#![allow(clippy::disallowed_methods)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gapless_domain::config::Strictness;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::task::Role;
use gapless_reading::validate::{GapAssignment, IssueAssignment, ValidationContext, validate};

struct Everything;

impl ValidationContext for Everything {
    fn gap(&self, _: &GapId) -> GapAssignment {
        GapAssignment::Assigned
    }

    fn issue(&self, _: &IssueId) -> IssueAssignment {
        IssueAssignment::Due
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

/// A review of about this many bytes in the form that prompts ask for: some 3 kB for each gap.
fn canonical_review(bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text += &format!("## Review: GAP-FLOW-{:03}\n\n", number % 999 + 1);
        for severity in [
            "Critical Issues",
            "High Priority",
            "Medium Priority",
            "Low Priority / Nits",
        ] {
            text += &format!("### {severity}\n\n");
            for issue in 0..2 {
                text += &format!(
                    "- **ISSUE-R1-{issue:03}**: the card that the courier leaves does not name the depot {issue}\n  \
                     - **Location:** Proposed Solution, second sentence\n  - **Impact:** people drive to the wrong depot\n  \
                     - **Suggestion:** print the address of the depot on the card\n"
                );
            }
            text.push('\n');
        }
        text += "### Consistency Checks\n\n- the wait in the cage\n- the letter to the sender\n\n";
    }
    text
}

/// A review of about this many bytes as models write them unasked: bold lines, tables, tags, praise and plans.
fn free_review(bytes: usize) -> String {
    let mut text = String::from("# Review: Round 3\n\n");
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text += &format!(
            "## GAP-FLOW-{:03}: parcels that nobody takes in\n\n**Overall Assessment:** Approved with minor notes\n\n\
             **✅ Strengths**\n\n- the card is short and clear\n- the depot is open in the evening\n\n\
             **🔍 Concerns**\n\n1. [HIGH] the card does not name the depot\n2. 🟡 nobody counts the days\n\n\
             #### 1. Opening hours\n\n**Issue:** the hours differ from town to town\n**Recommendation:** print them\n\n\
             | # | Severity | Finding | Fix |\n|---|---|---|---|\n| 1 | P2 | the font is small | enlarge it |\n\n\
             **Earlier issues**\n\n- ISSUE-R2-001: labels fade - RESOLVED\n- ISSUE-R2-002: vans rust - STILL OPEN\n\n\
             ### Next steps\n\n- print the cards\n- brief the couriers\n\n---\n\n",
            number % 999 + 1
        );
    }
    text
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read and validate");
    group.sample_size(20);
    let sizes = [("45 kB", 45_000), ("1 MB", 1_000_000), ("4 MB", 4_000_000)];
    type Make = fn(usize) -> String;
    let kinds: [(&str, Role, Make); 3] = [
        ("proposal", Role::Engineer, document),
        ("canonical review", Role::Reviewer, canonical_review),
        ("free review", Role::Reviewer, free_review),
    ];
    for (kind, role, make) in kinds {
        for (size, bytes) in sizes {
            let text = make(bytes);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::new(kind, size), &text, |bencher, text| {
                bencher.iter(|| {
                    let checked = validate(
                        role,
                        Some(black_box(text)),
                        Strictness::Tolerant,
                        &Everything,
                    );
                    assert!(checked.result.success, "{}", checked.result.message);
                    checked
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
