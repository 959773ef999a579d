//! Generates reviews of proposals as reviewers write them, together with the verdicts and findings that hold.

use std::collections::BTreeMap;

use crate::words;
use review_frame::{Frame, gaps, head};
use review_items::Target;
use review_layout::{Block, Sections, Writer};
use review_verdict::About;

#[path = "review_entries.rs"]
mod review_entries;
#[path = "review_findings.rs"]
mod review_findings;
#[path = "review_frame.rs"]
mod review_frame;
#[path = "review_items.rs"]
mod review_items;
#[path = "review_layout.rs"]
mod review_layout;
#[path = "review_noise.rs"]
mod review_noise;
#[path = "review_severity.rs"]
mod review_severity;
#[path = "review_verdict.rs"]
mod review_verdict;

/// A generated document and what a careful reader takes from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub text: String,
    /// Per reviewed gap the verdict that holds for it, `None` where the document states none.
    pub verdicts: BTreeMap<String, Option<Verdict>>,
    pub findings: Vec<Finding>,
    /// True where an entry was used that was kept aside.
    pub used_kept_aside: bool,
    /// What forms were combined, for the failure message.
    pub made_of: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    ApproveWithNotes,
    Revise,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The sentence that was planted, word for word but for line breaks.
    pub sentence: &'static str,
    pub severity: Severity,
    /// `None` where the document does not tell.
    pub gap: Option<String>,
    pub id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Critical,
    High,
    Medium,
    Low,
}

/// Where the verdicts of several gaps stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stated {
    /// In the section of each gap.
    InSections,
    /// Once for all gaps.
    Once,
    /// In a table or a list with a line per gap.
    PerLine,
}

/// The review of a seed; `with_kept_aside` allows the entries that were kept aside.
pub fn review(seed: u64, with_kept_aside: bool) -> Review {
    let mut writer = Writer::new(seed, with_kept_aside);
    let frame = match writer.below(100) {
        0..=44 => Frame::ReviewOfGap,
        45..=54 => Frame::GapReview,
        55..=68 => Frame::GapTitle,
        69..=81 => Frame::Round,
        82..=92 => Frame::Range,
        _ => Frame::Title,
    };
    let gaps = gaps(&mut writer, frame);
    let mut blocks = Vec::new();
    if writer.percent(12) {
        writer.note("noise: lead-in");
        blocks.push(Block::Text(
            writer.pick(words!("review_lead_ins")).to_owned(),
        ));
    }
    let in_sections = match frame {
        Frame::Round | Frame::Range => gaps.len() > 1 && writer.percent(30),
        Frame::Title => false,
        _ => true,
    };
    let stated = match (in_sections, gaps.len(), writer.below(10)) {
        (true, 1, _) | (true, _, 0..=6) => Stated::InSections,
        (_, 1, _) | (_, _, 7..=8) | (false, _, 0..=3) => Stated::Once,
        _ => Stated::PerLine,
    };
    let verdicts = verdicts(&mut writer, gaps.len(), stated);
    if verdicts.contains(&None) {
        writer.note("verdict: none");
    }
    let head = head(
        &mut writer,
        frame,
        &gaps,
        in_sections,
        stated == Stated::Once,
    );
    let titled = !head.is_empty();
    blocks.extend(head);
    let judged: Vec<(String, Option<Verdict>)> = gaps.into_iter().zip(verdicts).collect();
    let findings = match in_sections {
        true => sections(&mut writer, frame, &judged, stated, titled, &mut blocks),
        false => whole(&mut writer, &judged, stated, &mut blocks),
    };
    if writer.percent(12) {
        blocks.extend(review_noise::sign_off(&mut writer));
    }
    if writer.percent(12) {
        writer.note("noise: closing remark");
        blocks.push(Block::Rule);
        blocks.push(Block::Text(
            writer.pick(words!("review_closings")).to_owned(),
        ));
    }
    Review {
        text: writer.render(&blocks),
        verdicts: judged.into_iter().collect(),
        findings,
        used_kept_aside: writer.choices.used_kept_aside,
        made_of: writer.made_of.join("; "),
    }
}

fn verdicts(writer: &mut Writer, count: usize, stated: Stated) -> Vec<Option<Verdict>> {
    let draw = |writer: &mut Writer, none: usize| match writer.below(100) {
        drawn if drawn < none => None,
        drawn if drawn < 38 => Some(Verdict::Approve),
        drawn if drawn < 62 => Some(Verdict::ApproveWithNotes),
        _ => Some(Verdict::Revise),
    };
    match stated {
        Stated::Once => vec![draw(writer, 12); count],
        Stated::InSections => (0..count).map(|_| draw(writer, 12)).collect(),
        Stated::PerLine => (0..count).map(|_| draw(writer, 0)).collect(),
    }
}

/// A review with a section for each gap.
fn sections(
    writer: &mut Writer,
    frame: Frame,
    judged: &[(String, Option<Verdict>)],
    stated: Stated,
    titled: bool,
    blocks: &mut Vec<Block>,
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut counts = Vec::new();
    let mut body = Vec::new();
    for (at, (gap, verdict)) in judged.iter().enumerate() {
        let title = writer.title(gap);
        let text = match frame {
            Frame::ReviewOfGap if writer.percent(70) => format!("Review: {gap}"),
            Frame::ReviewOfGap => format!("Review: {gap} - {title}"),
            Frame::GapReview => format!("{gap} Review: {title}"),
            _ => format!("{gap}: {title}"),
        };
        let level = writer.layout.level;
        body.push(Block::Top { level, text });
        let count = match verdict {
            Some(Verdict::Approve) => 0,
            // A verdict on all gaps needs findings in one of them.
            _ if stated == Stated::Once && at > 0 => writer.below(3),
            Some(Verdict::ApproveWithNotes) => 1 + writer.below(2),
            _ if judged.len() == 1 => 1 + writer.below(6),
            _ => 1 + writer.below(2),
        };
        let targets: Vec<Target> = (0..count)
            .map(|at| Target {
                gap: Some(gap.clone()),
                named: false,
                verdict: *verdict,
                first: at == 0,
            })
            .collect();
        let own = verdict.filter(|_| stated == Stated::InSections);
        let found = scope(writer, *verdict, own, &targets, &mut body);
        counts.push(found.len());
        findings.extend(found);
        if writer.layout.rules && at + 1 < judged.len() {
            body.push(Block::Rule);
        }
    }
    let lines: Vec<(String, Verdict, usize)> = judged
        .iter()
        .zip(&counts)
        .filter_map(|((gap, verdict), count)| verdict.map(|verdict| (gap.clone(), verdict, *count)))
        .collect();
    let all = lines.len() == judged.len() && judged.len() > 1;
    let overall = judged.first().and_then(|(_, verdict)| *verdict);
    match (stated, overall) {
        (Stated::Once, Some(verdict)) => {
            let about = About {
                verdict,
                count: findings.len(),
                overall: true,
            };
            let place = writer.below(20);
            writer.note("verdict: once for all gaps");
            if titled && place < 9 {
                blocks.extend(review_verdict::at_the_top(writer, about));
            }
            if !titled || place >= 8 {
                body.push(Block::Rule);
                body.extend(review_verdict::at_the_end(writer, about, true));
            }
        }
        (Stated::PerLine, _) => body.extend(review_verdict::for_each_gap(writer, &lines, true)),
        (Stated::InSections, _) if all && writer.percent(15) => {
            writer.note("verdict: twice");
            body.extend(review_verdict::for_each_gap(writer, &lines, true));
        }
        _ => {}
    }
    blocks.append(&mut body);
    findings
}

/// A review in one piece, of one gap or of several.
fn whole(
    writer: &mut Writer,
    judged: &[(String, Option<Verdict>)],
    stated: Stated,
    blocks: &mut Vec<Block>,
) -> Vec<Finding> {
    let several = judged.len() > 1;
    let named = several && (stated != Stated::Once || writer.percent(40));
    if several {
        writer.note(match named {
            true => "findings: name their gaps",
            false => "findings: of no known gap",
        });
    }
    let open: Vec<&(String, Option<Verdict>)> = judged
        .iter()
        .filter(|(_, verdict)| *verdict != Some(Verdict::Approve))
        .collect();
    let count = match stated {
        _ if open.is_empty() => 0,
        Stated::PerLine => open.len() + writer.below(3),
        _ => {
            1 + writer.below(if open[0].1 == Some(Verdict::Revise) {
                6
            } else {
                3
            })
        }
    };
    let mut targets = Vec::new();
    for at in 0..count {
        let (gap, verdict) = match open.get(at) {
            Some(judged) => judged,
            None => open[writer.below(open.len())],
        };
        targets.push(Target {
            gap: Some(gap.clone()).filter(|_| named || !several),
            named,
            verdict: *verdict,
            first: match stated {
                Stated::PerLine => at < open.len(),
                _ => at == 0,
            },
        });
    }
    let shared = judged.first().and_then(|(_, verdict)| *verdict);
    let same = judged.iter().all(|(_, verdict)| *verdict == shared);
    let own = shared.filter(|_| stated != Stated::PerLine);
    let found = scope(writer, shared.filter(|_| same), own, &targets, blocks);
    if stated == Stated::PerLine {
        let lines: Vec<(String, Verdict, usize)> = judged
            .iter()
            .filter_map(|(gap, verdict)| {
                let of_gap = |finding: &&Finding| finding.gap.as_ref() == Some(gap);
                let count = found.iter().filter(of_gap).count();
                verdict.map(|verdict| (gap.clone(), verdict, count))
            })
            .collect();
        blocks.extend(review_verdict::for_each_gap(writer, &lines, false));
    }
    found
}

/// The parts of one section or of a whole review; `own` is the verdict that it states itself.
fn scope(
    writer: &mut Writer,
    verdict: Option<Verdict>,
    own: Option<Verdict>,
    targets: &[Target],
    blocks: &mut Vec<Block>,
) -> Vec<Finding> {
    let (mut parts, found) = review_findings::findings(writer, targets);
    let approves = own == Some(Verdict::Approve);
    if verdict == Some(Verdict::Approve) && writer.percent(30) {
        parts.push(review_findings::empty_sections(writer));
    }
    for _ in 0..*writer.choices.one(&[0, 0, 1, 1, 1, 2, 2, 3]) {
        let noise = review_noise::noise(writer, &found, approves);
        let at = writer.below(parts.len() + 1);
        parts.insert(at, noise);
    }
    let (top, end) = match writer.below(20) {
        0..=6 => (true, false),
        7..=17 => (false, true),
        _ => (true, true),
    };
    let about = own.map(|verdict| About {
        verdict,
        count: found.len(),
        overall: false,
    });
    if let Some(about) = about.filter(|_| top) {
        blocks.extend(review_verdict::at_the_top(writer, about));
    }
    if parts.is_empty() || writer.percent(20) {
        blocks.push(review_noise::paragraph(writer));
    }
    if writer.percent(6) {
        blocks.push(review_noise::examined(writer));
    }
    let after_entries = writer.layout.sections == Sections::Headings
        || parts
            .iter()
            .flatten()
            .any(|block| matches!(block, Block::Entry { .. }));
    for part in parts {
        if writer.layout.rules && writer.percent(15) {
            blocks.push(Block::Rule);
        }
        blocks.extend(part);
    }
    match about {
        Some(about) if end => {
            if top {
                writer.note("verdict: twice");
            }
            blocks.extend(review_verdict::at_the_end(writer, about, after_entries));
        }
        _ => {}
    }
    found
}
