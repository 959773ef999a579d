//! The structural checks of the report, and MISSING_SECTIONS.

use serde::{Deserialize, Serialize};

use super::material::{Material, Read};
use super::patterns::{Evidence, Finding, Pattern};
use super::produced::{Addressed, Part, Produced};
use super::references::UnknownGap;
use gapless_domain::{Confidence, GapId};
use gapless_reading::validate::THIN_SECTION_CHARS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CheckStatus {
    Pass,
    Fail,
    /// There was nothing to hold it against.
    NotChecked,
}

impl CheckStatus {
    pub fn name(self) -> &'static str {
        match self {
            CheckStatus::Pass => "PASS",
            CheckStatus::Fail => "FAIL",
            CheckStatus::NotChecked => "not checked",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub check: String,
    pub status: CheckStatus,
    /// The gaps for which it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<GapId>,
}

/// The checks, in the order of the report.
pub(super) fn checks(
    read: &Read,
    produced: &[Produced],
    unknown: Option<&[UnknownGap]>,
) -> Vec<Check> {
    let due = || produced.iter().filter(|gap| !gap.has(Part::Blocked));
    let of_gaps = |name: String, fails: &dyn Fn(&Produced) -> bool| {
        let gaps: Vec<GapId> = due()
            .filter(|gap| fails(gap))
            .map(|gap| gap.gap.clone())
            .collect();
        let nothing = read.reading.gaps.is_empty() && due().next().is_none();
        let status = match (gaps.is_empty(), nothing && read.reading.blocked.is_empty()) {
            (true, false) => CheckStatus::Pass,
            _ => CheckStatus::Fail,
        };
        Check {
            check: name,
            status,
            gaps,
        }
    };
    let canonical = |gap: &Produced| {
        let mut bound = read.reading.gaps.iter();
        bound.any(|bound| bound.gap == gap.gap && bound.canonical)
    };
    let thin = |gap: &Produced| (gap.length as usize) < THIN_SECTION_CHARS;
    vec![
        of_gaps("Has ## Gap Resolution headers".to_owned(), &|gap| {
            !canonical(gap)
        }),
        of_gaps("Has ### Trade-offs".to_owned(), &|gap| {
            !gap.has(Part::TradeOffs)
        }),
        of_gaps("Has ### Examples".to_owned(), &|gap| {
            !gap.has(Part::Examples)
        }),
        of_gaps(
            format!("Min length per gap ({THIN_SECTION_CHARS} chars)"),
            &thin,
        ),
        Check {
            check: "Valid cross-references".to_owned(),
            status: match unknown {
                None => CheckStatus::NotChecked,
                Some([]) => CheckStatus::Pass,
                Some(_) => CheckStatus::Fail,
            },
            gaps: Vec::new(),
        },
    ]
}

/// MISSING_SECTIONS: assigned gaps without a section, and sections without a required part.
pub(super) fn missing_sections(
    read: &Read,
    produced: &[Produced],
    material: &Material,
) -> Option<Finding> {
    let on = |gap: Option<&Produced>, text: String, words: Vec<String>| Evidence {
        gap: gap.map(|gap| gap.gap.clone()),
        line: gap.and_then(|gap| gap.line),
        text,
        words,
    };
    let mut evidence = Vec::new();
    let nothing = material
        .document
        .is_none_or(|written| written.text.trim().is_empty());
    if nothing {
        evidence.push(on(None, "nothing was written".to_owned(), Vec::new()));
    } else if read.reading.gaps.is_empty() && read.reading.blocked.is_empty() {
        let text = "no heading binds a gap".to_owned();
        evidence.push(on(None, text, Vec::new()));
    }
    for gap in produced {
        let missing = gap.missing();
        if gap.length == 0 && !gap.has(Part::Blocked) {
            evidence.push(on(
                Some(gap),
                "no section of its own".to_owned(),
                Vec::new(),
            ));
        } else if gap.addressed == Addressed::No && !gap.has(Part::Blocked) {
            evidence.push(on(
                Some(gap),
                "a heading and no text".to_owned(),
                Vec::new(),
            ));
        } else if !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(|part| part.name()).collect();
            let forms = missing.iter().map(|part| part.form().to_owned()).collect();
            evidence.push(on(Some(gap), format!("no {}", names.join(", no ")), forms));
        }
    }
    Finding::on(Pattern::MissingSections, Confidence::High, evidence)
}
