//! What gapless writes, and what it asks agents to write, reads back as what it was; and anything at all can be read.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Known, engineer, reviewer};
use gapless_domain::config::Strictness;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_domain::text::TextMap;
use gapless_domain::time::Time;
use gapless_markdown::Document;
use gapless_mediator::handle;
use gapless_mediator::{Incoming, Input, RunSettings, Start};
use gapless_reading::read::{Verdict, read_editor, read_status};
use gapless_reading::validate::validate;
use gapless_session::{State, apply};
use gapless_views::documents;
use proptest::prelude::*;

fn gap_id() -> impl Strategy<Value = String> {
    ("[A-Z]{2,10}", 1..=999u16, "[a-z]?").prop_map(|(c, n, child)| format!("GAP-{c}-{n:03}{child}"))
}

fn severity() -> impl Strategy<Value = Severity> {
    prop::sample::select(Severity::GRAVEST_FIRST.to_vec())
}

/// Some words that are no markdown and say nothing that readers know.
fn words() -> impl Strategy<Value = String> {
    "[a-z]{3,8}( [a-z0-9]{2,9}){2,8}".prop_map(|text| format!("the {text}"))
}

type Proposal = (&'static str, String, Option<(String, Severity, String)>);

fn proposal() -> impl Strategy<Value = Proposal> {
    let confidence = prop::sample::select(vec!["HIGH", "MEDIUM", "LOW"]);
    (
        confidence,
        words(),
        prop::option::of((gap_id(), severity(), words())),
    )
}

fn proposal_text(id: &str, (confidence, words, new): &Proposal) -> String {
    let new = match new {
        Some((id, severity, what)) => format!("- {id} [{severity}]: {what}"),
        None => "None".to_owned(),
    };
    format!(
        "## Gap Resolution: {id}\n\n**Confidence:** {confidence}\n\n### Proposed Solution\n\n{words}\n\n\
         ### Examples\n\n```markdown\n## Gap Resolution: GAP-OTHER-001\n```\n\n### Trade-offs\n\n{words}\n\n\
         ### New Gaps Introduced\n\n{new}\n\n"
    )
}

#[derive(Debug, Clone)]
struct Issue {
    severity: Severity,
    summary: String,
    fields: Option<(String, String, String)>,
}

fn issue() -> impl Strategy<Value = Issue> {
    let fields = prop::option::of((words(), words(), words()));
    (severity(), words(), fields).prop_map(|(severity, summary, fields)| Issue {
        severity,
        summary,
        fields,
    })
}

const SECTIONS: [(&str, Severity); 4] = [
    ("Critical Issues", Severity::Critical),
    ("High Priority", Severity::High),
    ("Medium Priority", Severity::Medium),
    ("Low Priority / Nits", Severity::Low),
];

/// Writes a review, and numbers its issues in the order in which they stand.
fn review_text(
    id: &str,
    issues: &[Issue],
    next: &mut u16,
    all: &mut Vec<(String, String, Issue)>,
) -> String {
    let mut text = format!("## Review: {id}\n\n");
    if issues.is_empty() {
        return text + "**NO_ISSUES_FOUND**\n\nExamined:\n\n- the whole\n\n";
    }
    for (title, severity) in SECTIONS {
        text += &format!("### {title}\n\n");
        let own: Vec<&Issue> = issues
            .iter()
            .filter(|issue| issue.severity == severity)
            .collect();
        if own.is_empty() {
            text += "None\n";
        }
        for issue in own {
            *next += 1;
            let issue_id = format!("ISSUE-R3-{next:03}");
            text += &format!("- **{issue_id}**: {}\n", issue.summary);
            if let Some((location, impact, suggestion)) = &issue.fields {
                text += &format!(
                    "  - **Location:** {location}\n  - **Impact:** {impact}\n  - **Suggestion:** {suggestion}\n"
                );
            }
            all.push((issue_id, id.to_owned(), issue.clone()));
        }
        text += "\n";
    }
    text
}

fn in_both_modes(
    role: Role,
    text: &str,
    gaps: &BTreeSet<&str>,
) -> [gapless_reading::validate::Checked; 2] {
    let ids: Vec<&str> = gaps.iter().copied().collect();
    [Strictness::Strict, Strictness::Tolerant]
        .map(|mode| validate(role, Some(text), mode, &Known::assigned(&ids)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_canonical_proposal_reads_back(proposals in prop::collection::btree_map(gap_id(), proposal(), 1..6)) {
        let text: String = proposals.iter().map(|(id, proposal)| proposal_text(id, proposal)).collect();
        let gaps = proposals.keys().map(String::as_str).collect();
        for checked in in_both_modes(Role::Engineer, &text, &gaps) {
            prop_assert!(checked.result.success, "{:?}", checked.result);
            let reading = engineer(&checked);
            prop_assert_eq!(reading.gaps.len(), proposals.len());
            for (bound, (id, (confidence, words, new))) in reading.gaps.iter().zip(&proposals) {
                prop_assert_eq!(&bound.gap.to_string(), id);
                prop_assert_eq!(bound.confidence.unwrap().name(), *confidence);
                prop_assert!(bound.canonical && bound.has_trade_offs);
                prop_assert!(checked.document.text[bound.section.clone()].contains(words.as_str()));
                let declared = bound.new_gaps.iter().map(|gap| {
                    (gap.id.to_string(), gap.severity.unwrap(), gap.description.clone())
                });
                prop_assert_eq!(declared.collect::<Vec<_>>(), new.iter().cloned().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_canonical_review_reads_back(
        reviews in prop::collection::btree_map(gap_id(), prop::collection::vec(issue(), 0..5), 1..5)
    ) {
        let (mut next, mut written) = (0, Vec::new());
        let text: String = reviews
            .iter()
            .map(|(id, issues)| review_text(id, issues, &mut next, &mut written))
            .collect();
        let gaps = reviews.keys().map(String::as_str).collect();
        for checked in in_both_modes(Role::Reviewer, &text, &gaps) {
            prop_assert!(checked.result.success, "{:?}", checked.result);
            let reading = reviewer(&checked);
            let read: Vec<_> = reading.reviews.iter().map(|r| (r.gap.to_string(), r.verdict)).collect();
            let expected: Vec<_> = reviews
                .iter()
                .map(|(id, issues)| (id.clone(), issues.is_empty().then_some(Verdict::NoIssuesFound)))
                .collect();
            prop_assert_eq!(read, expected);
            prop_assert_eq!(reading.issues.len(), written.len());
            for (read, (id, gap, issue)) in reading.issues.iter().zip(&written) {
                prop_assert_eq!(&read.written_id, id);
                prop_assert_eq!(&read.gap.as_ref().unwrap().to_string(), gap);
                prop_assert_eq!(read.concern.severity, issue.severity);
                prop_assert_eq!(&read.concern.summary, &issue.summary);
                let concern = &read.concern;
                let fields = (concern.location.clone(), concern.impact.clone(), concern.suggestion.clone());
                let (location, impact, suggestion) = issue.fields.clone().map_or((None, None, None), |(l, i, s)| (Some(l), Some(i), Some(s)));
                prop_assert_eq!(fields, (location, impact, suggestion));
                prop_assert!(read.canonical && !read.withdrawn);
            }
        }
    }

    #[test]
    fn status_reads_back(gaps in prop::collection::btree_map(gap_id(), (severity(), "[ -~]{1,60}"), 0..12)) {
        let lines: String = gaps
            .iter()
            .map(|(id, (severity, what))| format!("- {id} [{severity}]: the {what}\n"))
            .collect();
        let state = started(&format!("# Spec\n\n{lines}"));
        let text = documents::status(&state);
        let read: BTreeMap<String, _> = read_status(&Document::parse(&text))
            .gaps
            .into_iter()
            .map(|entry| (entry.gap.to_string(), (entry.severity, entry.state)))
            .collect();
        let held: BTreeMap<String, _> = state
            .now
            .gaps
            .values()
            .map(|gap| (gap.id.to_string(), (Some(gap.severity), gap.state)))
            .collect();
        prop_assert_eq!(held.len(), gaps.len());
        prop_assert_eq!(read, held, "{}", text);
    }

    #[test]
    fn anything_can_be_read(text in garbage()) {
        let document = Document::parse(&text);
        read_status(&document);
        let _ = read_editor(&document);
        for role in Role::ALL {
            for mode in [Strictness::Tolerant, Strictness::Strict] {
                for ground in [Known::assigned(&["GAP-FLOW-001"]), Known::record(&["GAP-FLOW-001"])] {
                    let checked = validate(role, Some(&text), mode, &ground);
                    prop_assert_eq!(checked.result.success, checked.reading.is_some());
                    prop_assert_eq!(checked.result.success, checked.result.failure_type.is_none());
                }
            }
        }
    }
}

/// Pieces of documents and of anything else, in any order.
fn garbage() -> impl Strategy<Value = String> {
    let pieces = vec![
        "## Gap Resolution: GAP-FLOW-001",
        "## Review: GAP-FLOW-001",
        "### High Priority",
        "**NO_ISSUES_FOUND**",
        "- **ISSUE-R1-001**: x",
        "- **ISSUE-R1-001** (",
        "  - **Severity:** HIGH",
        "```",
        "```markdown",
        "~~~",
        "<!--",
        "-->",
        "\n",
        "\n\n",
        "\r\n",
        "| a | b |\n|---|---|\n| GAP-FLOW-001 | APPROVED |",
        "> ",
        "- ",
        "    ",
        "# ",
        "**Verdict:** ",
        "Examined:",
        "BLOCKED_NEEDS_INPUT: GAP-FLOW-001",
        "## DISAGREE: ISSUE-R1-001",
        "[x] ",
        "\u{feff}",
        "### New Gaps\n- GAP-NEW-001 [",
        "\u{202e}",
        "é",
        "{\"result\":\"",
        "\"}",
        "**",
        "**Gap:** GAP-FLOW-001",
        "---",
        "<!-- section: A -->",
        "<!-- end section -->",
        "GAP-",
        "ISSUE-R",
        "## Final Review",
        "NO_GAPS_FOUND",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces).prop_map(str::to_owned),
        1 => "\\PC{0,20}",
        2 => Just("\n".to_owned()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// The state of a session that has just been started on this source.
fn started(source: &str) -> State {
    let agents = [Role::Engineer, Role::Reviewer].map(|role| (role, "replay:x".to_owned()));
    let start = Start {
        name: "s".to_owned(),
        source_path: "spec.md".to_owned(),
        source: source.to_owned(),
        found: Vec::new(),
        met: RunSettings {
            agents: BTreeMap::from(agents),
            ..RunSettings::default()
        },
    };
    let input = Input {
        at: Time(0),
        what: Incoming::Start(Box::new(start)),
    };
    let mut state = State::default();
    let outcome = handle(&state, input, &TextMap::default()).unwrap();
    outcome
        .events
        .iter()
        .for_each(|event| apply(&mut state, event));
    state
}
