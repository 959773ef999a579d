//! Measures the reading of generated reviews.

use std::fmt;

use gapless_domain::config::Strictness;
use gapless_domain::ids::GapId;
use gapless_domain::severity::Severity;
use gapless_domain::task::Role;
use gapless_reading::read::{RaisedIssue, Reading, ReviewerReading, Verdict};
use gapless_reading::validate::validate;

use super::figures::{GAPS, Share, joined, shown};
use super::review::{self, review};
use crate::support::Known;

/// What came of reading many reviews.
#[derive(Default)]
struct Figures {
    taken: Share,
    verdicts: Share,
    findings: Share,
    not_invented: Share,
    severities: Share,
    gaps: Share,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "documents taken:           {}", self.taken)?;
        writeln!(f, "verdicts right:            {}", self.verdicts)?;
        writeln!(f, "findings found:            {}", self.findings)?;
        writeln!(f, "documents, none invented:  {}", self.not_invented)?;
        writeln!(f, "severities right:          {}", self.severities)?;
        writeln!(f, "findings on their gap:     {}", self.gaps)
    }
}

fn class(verdict: Verdict) -> review::Verdict {
    match verdict {
        Verdict::NoIssuesFound | Verdict::Approve => review::Verdict::Approve,
        Verdict::ApproveWithNotes => review::Verdict::ApproveWithNotes,
        Verdict::Revise => review::Verdict::Revise,
    }
}

fn severity(severity: Severity) -> review::Severity {
    match severity {
        Severity::Critical => review::Severity::Critical,
        Severity::High => review::Severity::High,
        Severity::Medium => review::Severity::Medium,
        Severity::Low => review::Severity::Low,
    }
}

/// True where an issue has the planted sentence, in its summary or as its problem.
fn says(issue: &RaisedIssue, sentence: &str) -> bool {
    let concern = &issue.concern;
    let texts = [Some(&concern.summary), concern.impact.as_ref()];
    texts
        .into_iter()
        .flatten()
        .any(|text| joined(text).contains(sentence))
}

/// The verdict that the reading has for a gap.
fn verdict_on(reading: &ReviewerReading, gap: &GapId) -> Option<Verdict> {
    let review = reading.reviews.iter().find(|review| review.gap == *gap)?;
    review.verdict.or(reading.verdict)
}

/// Adds what came of one review, and says what was wrong with it.
fn judge(made: &review::Review, figures: &mut Figures) -> Vec<String> {
    let ground = Known::assigned(&GAPS);
    let checked = validate(
        Role::Reviewer,
        Some(&made.text),
        Strictness::Tolerant,
        &ground,
    );
    let mut wrong = Vec::new();
    let empty = ReviewerReading::default();
    figures.taken.count(checked.result.success);
    let reading = match &checked.reading {
        Some(Reading::Reviewer(reading)) => reading,
        _ => {
            wrong.push(format!("not taken: {}", checked.result.message));
            &empty
        }
    };
    for (gap, truth) in &made.verdicts {
        let found = verdict_on(reading, &gap.parse().unwrap()).map(class);
        figures.verdicts.count(found == *truth);
        if found != *truth {
            wrong.push(format!("verdict on {gap}: {found:?}, not {truth:?}"));
        }
    }
    let mut used = vec![false; reading.issues.len()];
    for planted in &made.findings {
        let sentence = joined(planted.sentence);
        let found =
            (0..used.len()).find(|index| !used[*index] && says(&reading.issues[*index], &sentence));
        figures.findings.count(found.is_some());
        let Some(index) = found else {
            wrong.push(format!("not found: {sentence}"));
            continue;
        };
        used[index] = true;
        let issue = &reading.issues[index];
        let right = severity(issue.concern.severity) == planted.severity;
        figures.severities.count(right);
        if !right {
            wrong.push(format!(
                "{:?}, not {:?}: {sentence}",
                issue.concern.severity, planted.severity
            ));
        }
        if let Some(gap) = &planted.gap {
            let right = issue
                .gap
                .as_ref()
                .is_some_and(|found| found.to_string() == *gap);
            figures.gaps.count(right);
            if !right {
                wrong.push(format!("on {:?}, not {gap}: {sentence}", issue.gap));
            }
        }
    }
    let invented: Vec<&RaisedIssue> = reading
        .issues
        .iter()
        .zip(&used)
        .filter(|(_, used)| !**used)
        .map(|(issue, _)| issue)
        .collect();
    figures.not_invented.count(invented.is_empty());
    for issue in invented {
        wrong.push(format!(
            "invented (line {}): {}",
            issue.line, issue.concern.summary
        ));
    }
    wrong
}

const REVIEWS: u64 = 5000;

#[test]
fn reviews_of_known_words_are_read() {
    let mut figures = Figures::default();
    let mut left = shown();
    for seed in 0..REVIEWS {
        let made = review(seed, false);
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
    assert!(figures.verdicts.reaches(990), "{figures}");
    assert!(figures.findings.reaches(970), "{figures}");
    assert!(figures.not_invented.reaches(990), "{figures}");
    assert!(figures.severities.reaches(950), "{figures}");
}

#[test]
fn reviews_with_words_kept_aside_are_read() {
    let mut figures = Figures::default();
    for seed in REVIEWS..2 * REVIEWS {
        let made = review(seed, true);
        if made.used_kept_aside {
            judge(&made, &mut figures);
        }
    }
    println!("{figures}");
    // Below what was measured, so that a change to the reader may trade a little.
    assert!(figures.verdicts.reaches(960), "{figures}");
    assert!(figures.findings.reaches(980), "{figures}");
    assert!(figures.not_invented.reaches(990), "{figures}");
    assert!(figures.severities.reaches(980), "{figures}");
}
