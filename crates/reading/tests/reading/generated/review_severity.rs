//! How severe the findings of a generated review are, and the words that say so.

use super::review_layout::Writer;
use super::{Severity, Verdict};
use crate::words;

/// A severity that goes with the verdict; the first finding of a gap carries the verdict.
pub fn severity_for(writer: &mut Writer, verdict: Option<Verdict>, first: bool) -> Severity {
    let drawn = writer.below(100);
    match (verdict, first) {
        (Some(Verdict::Revise), true) => match drawn {
            0..=34 => Severity::Critical,
            _ => Severity::High,
        },
        (Some(Verdict::Revise), false) | (None, _) => match drawn {
            0..=14 => Severity::Critical,
            15..=44 => Severity::High,
            45..=77 => Severity::Medium,
            _ => Severity::Low,
        },
        _ => match drawn {
            0..=49 => Severity::Medium,
            _ => Severity::Low,
        },
    }
}

/// The severity that holds where nothing tells it.
pub fn default_severity(verdict: Option<Verdict>) -> Severity {
    match verdict {
        Some(Verdict::Revise) => Severity::High,
        _ => Severity::Medium,
    }
}

/// The heading of a section.
pub fn heading_of(writer: &mut Writer, severity: Severity) -> &'static str {
    writer.pick(match severity {
        Severity::Critical => words!("review_section_critical"),
        Severity::High => words!("review_section_high"),
        Severity::Medium => words!("review_section_medium"),
        Severity::Low => words!("review_section_low"),
    })
}

/// The tag before a finding's sentence.
pub fn tag_of(writer: &mut Writer, severity: Severity) -> &'static str {
    writer.pick(match severity {
        Severity::Critical => words!("review_tag_critical"),
        Severity::High => words!("review_tag_high"),
        Severity::Medium => words!("review_tag_medium"),
        Severity::Low => words!("review_tag_low"),
    })
}

/// The value of a field or of a cell.
pub fn value_of(writer: &mut Writer, severity: Severity) -> &'static str {
    writer.pick(match severity {
        Severity::Critical => words!("review_value_critical"),
        Severity::High => words!("review_value_high"),
        Severity::Medium => words!("review_value_medium"),
        Severity::Low => words!("review_value_low"),
    })
}
