//! How a generated review names the gaps that it reviews, and what stands above it.

use super::review_layout::{Block, Writer};
use super::review_noise;
use crate::generated::figures::GAPS;
use crate::words;

/// How the document names the gaps that it reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// `## Review: GAP-A-001` per gap.
    ReviewOfGap,
    /// `### GAP-A-001 Review: title` per gap.
    GapReview,
    /// `## GAP-A-001: title` per gap.
    GapTitle,
    /// `# Review: Round 3` with a field that names the gaps.
    Round,
    /// `## Review: GAP-A-001 through GAP-A-003`.
    Range,
    /// One title that names the only gap.
    Title,
}

/// The gaps under review, in the order of the document.
pub fn gaps(writer: &mut Writer, frame: Frame) -> Vec<String> {
    let picked: &[&str] = match frame {
        Frame::Title => &[*writer.choices.one(&GAPS)],
        Frame::Range => match writer.below(4) {
            0..=1 => &GAPS[0..3],
            2 => &GAPS[3..5],
            _ => &[GAPS[1], GAPS[3], GAPS[5]],
        },
        _ => match writer.below(10) {
            0..=4 => &[*writer.choices.one(&GAPS)],
            5..=7 => {
                let first = writer.below(5);
                &GAPS[first..first + 2]
            }
            _ => {
                let first = writer.below(4);
                &GAPS[first..first + 3]
            }
        },
    };
    picked.iter().map(|gap| (*gap).to_owned()).collect()
}

/// What stands above the review: a title and fields.
pub fn head(
    writer: &mut Writer,
    frame: Frame,
    gaps: &[String],
    in_sections: bool,
    once: bool,
) -> Vec<Block> {
    let title = writer.title(&gaps[0]);
    let round = *writer.choices.one(&[
        "Review: Round 3",
        "Review Round 3",
        "Round 3 Review",
        "Review Report – Round 3",
        "Technical Review, Round 3",
    ]);
    let (level, text) = match frame {
        Frame::Round => (1, round.to_owned()),
        Frame::Range => {
            writer.note("gaps: range or list");
            (
                1 + writer.below(2),
                format!("Review: {}", range(writer, gaps)),
            )
        }
        Frame::Title => {
            writer.note("gaps: title");
            let gap = &gaps[0];
            let text = match writer.below(4) {
                0 => format!("{gap} Review"),
                1 => format!("Review of {gap}: {title}"),
                2 => format!("Review Report: {gap}"),
                _ => format!("Technical Review – {gap} ({title})"),
            };
            (1, text)
        }
        _ => {
            writer.note(match frame {
                Frame::ReviewOfGap => "gaps: Review: GAP",
                Frame::GapReview => "gaps: GAP Review: title",
                _ => "gaps: GAP: title",
            });
            writer.layout.level = if frame == Frame::GapReview { 3 } else { 2 };
            let needed = once && gaps.len() > 1;
            if !needed && !writer.percent(25) {
                return Vec::new();
            }
            (1, round.to_owned())
        }
    };
    let mut blocks = vec![Block::Top { level, text }];
    if matches!(frame, Frame::Round | Frame::Range | Frame::Title) {
        writer.layout.level = level + usize::from(in_sections);
    }
    if frame == Frame::Round {
        writer.note("gaps: field");
        let label = writer.pick(words!("review_scope_labels"));
        let names = match writer.percent(75) {
            true => gaps.join(", "),
            false => range(writer, gaps),
        };
        let mut lines = vec![writer.field(label, &names)];
        if writer.percent(50) {
            lines.extend(review_noise::head_fields(writer));
        }
        let joint = if writer.percent(50) { "\n" } else { "  \n" };
        blocks.push(Block::Raw(lines.join(joint)));
    } else if writer.percent(15) {
        let lines = review_noise::head_fields(writer);
        blocks.push(Block::Raw(lines.join("  \n")));
    }
    if writer.percent(25) {
        blocks.push(review_noise::paragraph(writer));
    }
    if writer.layout.rules {
        blocks.push(Block::Rule);
    }
    blocks
}

/// The gaps as a range where they follow each other, else as a list.
fn range(writer: &mut Writer, gaps: &[String]) -> String {
    let (first, last) = (&gaps[0], &gaps[gaps.len() - 1]);
    let family = |gap: &str| gap.rsplit_once('-').map(|(family, _)| family.to_owned());
    let following = gaps.len() > 1 && gaps.iter().all(|gap| family(gap) == family(first));
    match (following, writer.below(5)) {
        (true, 0..=1) => format!("{first} through {last}"),
        (true, 2) => format!("{first} to {last}"),
        (true, 3) => format!("{first} – {last}"),
        _ => match gaps {
            [first, second] => format!("{first} and {second}"),
            [first, second, third] => format!("{first}, {second}, and {third}"),
            _ => gaps.join(", "),
        },
    }
}
