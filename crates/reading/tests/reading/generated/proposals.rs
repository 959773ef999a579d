//! Measures the reading of generated Engineer documents.

use std::fmt;

use gapless_domain::config::Strictness;
use gapless_domain::ids::{GapId, IssueId};
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_reading::read::{EngineerReading, Reading};
use gapless_reading::validate::{
    Checked, GapAssignment, IssueAssignment, ValidationContext, validate,
};

use super::engineer::{self, Proposal, Truth, proposal};
use super::figures::{GAPS, Share, joined, shown};

/// Knows the gaps of generated documents, and takes every issue for one that is due.
struct EveryIssue;

impl ValidationContext for EveryIssue {
    fn gap(&self, gap: &GapId) -> GapAssignment {
        match GAPS.contains(&gap.to_string().as_str()) {
            true => GapAssignment::Assigned,
            false => GapAssignment::Unknown,
        }
    }

    fn issue(&self, _: &IssueId) -> IssueAssignment {
        IssueAssignment::Due
    }
}

/// What came of reading many documents.
#[derive(Default)]
struct Figures {
    documents: Share,
    refused: Share,
    gaps: Share,
    new_gaps: Share,
    responses: Share,
    disagreements: Share,
    not_invented: Share,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "documents taken:           {}", self.documents)?;
        writeln!(f, "others not taken:          {}", self.refused)?;
        writeln!(f, "gaps bound right:          {}", self.gaps)?;
        writeln!(f, "new gaps found:            {}", self.new_gaps)?;
        writeln!(f, "responses found:           {}", self.responses)?;
        writeln!(f, "disagreements right:       {}", self.disagreements)?;
        writeln!(f, "documents, none invented:  {}", self.not_invented)
    }
}

impl Figures {
    /// Fails where less is read right than must be.
    #[track_caller]
    fn hold(&self) {
        assert!(self.documents.reaches(990), "{self}");
        assert!(self.refused.reaches(990), "{self}");
        assert!(self.gaps.reaches(990), "{self}");
        assert!(self.new_gaps.reaches(990), "{self}");
        assert!(self.responses.reaches(990), "{self}");
        assert!(self.disagreements.reaches(970), "{self}");
        assert!(self.not_invented.reaches(990), "{self}");
    }
}

fn check(text: &str) -> Checked {
    validate(
        Role::Engineer,
        Some(text),
        Strictness::Tolerant,
        &EveryIssue,
    )
}

/// True where a gap is bound with its confidence, its trade-offs and its own text.
fn is_bound(reading: &EngineerReading, document: &str, truth: &engineer::BoundGap) -> bool {
    let bound = reading
        .gaps
        .iter()
        .find(|bound| bound.gap.to_string() == truth.gap);
    bound.is_some_and(|bound| {
        let section = joined(&document[bound.section.clone()]);
        bound.confidence.map(|confidence| confidence.name()) == truth.confidence
            && bound.has_trade_offs == truth.has_trade_offs
            && section.contains(&joined(truth.sentence))
    })
}

/// True where a disagreement has all its parts. A concern may stand in quotation marks.
fn is_read(reading: &EngineerReading, truth: &engineer::Disagreement) -> bool {
    let block = reading
        .disagreements
        .iter()
        .find(|block| block.issue.to_string() == truth.issue);
    let same = |read: &Option<String>, truth: Option<&str>| match (read, truth) {
        (Some(read), Some(truth)) => {
            joined(read).contains(&joined(truth)) && read.len() < truth.len() + 8
        }
        (None, None) => true,
        _ => false,
    };
    block.is_some_and(|block| {
        same(&block.concern, Some(truth.concern))
            && same(&block.position, Some(truth.position))
            && same(&block.rationale, Some(truth.rationale))
            && same(&block.alternative, truth.alternative)
    })
}

/// Adds what came of one document, and says what was wrong with it.
fn judge(made: &Proposal, figures: &mut Figures) -> Vec<String> {
    let checked = check(&made.text);
    let mut wrong = Vec::new();
    let Truth::Document {
        gaps,
        new_gaps,
        responses,
        disagreements,
    } = &made.truth
    else {
        figures.refused.count(!checked.result.success);
        if checked.result.success {
            wrong.push("taken though it is no document".to_owned());
        }
        return wrong;
    };
    figures.documents.count(checked.result.success);
    let empty = EngineerReading::default();
    let reading = match &checked.reading {
        Some(Reading::Engineer(reading)) => reading,
        _ => {
            wrong.push(format!("not taken: {}", checked.result.message));
            &empty
        }
    };
    let mut count = |share: &mut Share, right: bool, what: String| {
        share.count(right);
        if !right {
            wrong.push(what);
        }
    };
    for gap in gaps {
        count(
            &mut figures.gaps,
            is_bound(reading, &checked.document.text, gap),
            format!("gap {gap:?}"),
        );
    }
    let read: Vec<_> = reading
        .gaps
        .iter()
        .flat_map(|bound| &bound.new_gaps)
        .chain(&reading.new_gaps)
        .collect();
    for gap in new_gaps {
        let found = read.iter().any(|read| {
            let severity = read.severity.unwrap_or(Severity::Medium);
            read.id.to_string() == gap.id
                && severity.name() == gap.severity
                && joined(&read.description).contains(&joined(gap.sentence))
        });
        count(&mut figures.new_gaps, found, format!("new gap {gap:?}"));
    }
    for issue in responses {
        let found = reading
            .responses
            .iter()
            .any(|response| response.issue.to_string() == *issue);
        count(&mut figures.responses, found, format!("response {issue}"));
    }
    for block in disagreements {
        let found = is_read(reading, block);
        let read = reading
            .disagreements
            .iter()
            .find(|read| read.issue.to_string() == block.issue);
        count(
            &mut figures.disagreements,
            found,
            format!("disagreement {block:?}\n  read {read:?}"),
        );
    }
    let invented = reading.gaps.len() > gaps.len()
        || read.len() > new_gaps.len()
        || reading.responses.len() > responses.len()
        || reading.disagreements.len() > disagreements.len()
        || !reading.blocked.is_empty();
    count(
        &mut figures.not_invented,
        !invented,
        "something was invented".to_owned(),
    );
    wrong
}

const PROPOSALS: u64 = 3000;

#[test]
fn proposals_of_known_words_are_read() {
    let mut figures = Figures::default();
    let mut left = shown();
    for seed in 0..PROPOSALS {
        let made = proposal(seed, false);
        let wrong = judge(&made, &mut figures);
        if !wrong.is_empty() && left > 0 {
            left -= 1;
            println!(
                "=== seed {seed}: {}\n{}\n---\n{}",
                made.made_of,
                wrong.join("\n"),
                made.text
            );
        }
    }
    println!("{figures}");
    figures.hold();
}

#[test]
fn proposals_with_words_kept_aside_are_read() {
    let mut figures = Figures::default();
    for seed in PROPOSALS..2 * PROPOSALS {
        let made = proposal(seed, true);
        if made.used_kept_aside {
            judge(&made, &mut figures);
        }
    }
    println!("{figures}");
    figures.hold();
}
