//! Asks for what only the user settles: defaults, and issues that a review leaves to the user.

use super::Effect;
use super::given::{Given, bad_field};
use super::wording::{choice, field, gap_line, remark};
use crate::{Result, Turn};
use gapless_domain::question::defaults::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, Decision, DecisionKind, Gap, GapId, Holds, IssueId, IssueMove, Origin, Question,
    Severity, comma_list, quoted, shortened,
};

/// How many bytes of a proposal the question shows; the rest is in the session folder.
const LONGEST_PROPOSAL: usize = 1_600;

/// What the question shows of the proposals that the issues are on.
struct Shown<'t> {
    gaps: Vec<&'t Gap>,
    parts: Vec<String>,
    are_defaults: bool,
}

impl Turn<'_> {
    pub(crate) fn defaults_question(&self, group: String, issues: &[IssueId]) -> Result<Question> {
        let Shown {
            gaps,
            parts,
            are_defaults,
        } = self.shown_of(issues)?;
        let severity = gaps.iter().map(|gap| gap.severity).max();
        let gravest = gaps.iter().map(|gap| gap.gravest).max();
        let needs_person = gaps.iter().any(|gap| only_person_confirms(gap));
        let title = match (are_defaults, gaps.as_slice()) {
            (true, [gap]) => format!("{group}: does this default hold for {}?", gap.id),
            (true, gaps) => format!("{group}: do these {} defaults hold?", gaps.len()),
            (false, _) => format!("The Reviewer asks for your word on {group}"),
        };
        let lead = match (are_defaults, gaps.len()) {
            (true, 1) => {
                "Nobody worked this out for this spec: it is what is usual. It counts for nothing until you confirm it."
            }
            (true, _) => {
                "Nobody worked these out for this spec: they are what is usual. They count for nothing until you confirm \
                 them."
            }
            (false, _) => "Only you can settle this.",
        };
        let mut fields = vec![
            field(Fields::Text, "what shall hold instead", &[Options::Own]),
            field(Fields::Reason, "why", &[Options::Defer, Options::Close]),
        ];
        if gaps.len() > 1 {
            let which = "which of the gaps, separated by commas; all if it is empty";
            fields.insert(0, remark(Fields::Gaps, which));
        }
        let verb = if gaps.len() == 1 { "is" } else { "are" };
        Ok(Question {
            severity,
            options: choices(gravest, needs_person),
            fields,
            holds: Holds::Gap,
            without_answer: format!(
                "{} {verb} not planned until this is answered",
                comma_list(gaps.iter().map(|gap| &gap.id))
            ),
            ..self.question(
                About::Defaults(Subject {
                    group,
                    issues: issues.to_vec(),
                }),
                title,
                format!("{lead}\n\n{}", parts.join("\n\n")),
            )
        })
    }

    fn shown_of(&self, issues: &[IssueId]) -> Result<Shown<'_>> {
        let mut gaps: Vec<&Gap> = Vec::new();
        let mut parts: Vec<String> = Vec::new();
        let mut are_defaults = true;
        for id in issues {
            let issue = self.issue(id)?;
            let on = self.state.now.gaps.values();
            for gap in on.filter(|gap| gap.standing_issues.contains(id) && gap.state.is_open()) {
                let Some(proposal) = &gap.proposal else {
                    continue;
                };
                are_defaults &= proposal.default.is_some();
                let solution = self.text(&proposal.solution)?;
                let solution = quoted(&shortened(solution.trim(), LONGEST_PROPOSAL));
                let asked = match proposal.default {
                    Some(_) => String::new(),
                    None => format!("\n\n{id}: {}", issue.concern.summary),
                };
                parts.push(format!("{}{asked}\n\n{solution}", gap_line(gap)));
                if !gaps.iter().any(|known| known.id == gap.id) {
                    gaps.push(gap);
                }
            }
        }
        Ok(Shown {
            gaps,
            parts,
            are_defaults,
        })
    }
}

/// What an answer is about, of what was asked: the issues with the gaps that they stand on.
struct Meant {
    issues: Vec<IssueId>,
    gaps: Vec<GapId>,
    /// The issues that it leaves for another answer.
    left: Vec<IssueId>,
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let meant = turn.meant_of(&self.issues, given)?;
        let reason = given.field(Fields::Reason);
        match given.option {
            Options::Confirm => {
                let decided = turn.decision(
                    DecisionKind::Confirmation,
                    format!("{}: confirmed", self.group),
                    "What is proposed holds as it stands.".to_owned(),
                    given.by,
                );
                turn.settle_defaults(&meant, "confirmed as proposed", decided, reason)?;
            }
            Options::Own => {
                let decided = Decision {
                    obliges: true,
                    ..turn.decision(
                        DecisionKind::Input,
                        format!("{}: what shall hold instead", self.group),
                        given.field(Fields::Text).to_owned(),
                        given.by,
                    )
                };
                turn.settle_defaults(&meant, "something else shall hold", decided, reason)?;
            }
            Options::Defer => turn.defer_all(&meant.gaps, reason, given.by)?,
            Options::Close => turn.close_all(&meant.gaps, reason, given.by)?,
        }
        if !meant.left.is_empty() {
            turn.ask_defaults(self.group.clone(), meant.left)?;
        }
        Ok(())
    }
}

impl Turn<'_> {
    /// What an answer means of the issues that still ask; where it names gaps, those on the others are left.
    fn meant_of(&self, issues: &[IssueId], given: &Given<'_, Subject>) -> Result<Meant> {
        let chosen = match given.field(Fields::Gaps) {
            "" => None,
            _ => Some(given.gaps(self, Fields::Gaps)?),
        };
        let mut meant = Meant {
            issues: Vec::new(),
            gaps: Vec::new(),
            left: Vec::new(),
        };
        for issue in issues.iter().copied().filter(|id| self.still_asks(id)) {
            let mut gaps = self.gaps_with_issue(&issue);
            gaps.retain(|gap| self.gap_is(gap, |gap| gap.state.is_open()));
            match &chosen {
                _ if gaps.is_empty() => {}
                Some(chosen) if !gaps.iter().any(|gap| chosen.contains(gap)) => {
                    meant.left.push(issue);
                }
                _ => {
                    meant.issues.push(issue);
                    meant.gaps.extend(gaps);
                }
            }
        }
        if let Some(stranger) = chosen
            .iter()
            .flatten()
            .find(|gap| !meant.gaps.contains(gap))
        {
            let why = format!("{stranger} is not asked about here");
            return Err(bad_field(Fields::Gaps, &why));
        }
        meant.gaps.sort();
        meant.gaps.dedup();
        Ok(meant)
    }

    fn settle_defaults(
        &mut self,
        meant: &Meant,
        how: &str,
        decided: Decision,
        rationale: &str,
    ) -> Result<()> {
        for issue in &meant.issues {
            self.move_issue(issue, IssueMove::Decide, Some(how))?;
        }
        let as_proposed = !decided.obliges;
        self.decide(Decision {
            gaps: meant.gaps.clone(),
            rationale: rationale.to_owned(),
            ..decided
        });
        for gap in &meant.gaps {
            self.carry_decision(gap, as_proposed)?;
        }
        Ok(())
    }
}

/// Whether only a person may confirm a default for a gap: where it is grave, and where the author listed the gap as open and it is
/// more than a trifle.
pub(crate) fn only_person_confirms(gap: &Gap) -> bool {
    let mut origins = gap.origins.iter();
    let is_declared = origins.any(|origin| matches!(origin, Origin::Source { .. }));
    gap.severity.holds() || (is_declared && gap.severity >= Severity::Medium)
}

fn choices(gravest: Option<Severity>, needs_person: bool) -> Vec<Choice> {
    let mut options = vec![
        Choice {
            recommended: !needs_person,
            ..choice(
                Options::Confirm,
                "Confirm",
                "it holds as proposed, and goes into the refined spec",
            )
        },
        choice(
            Options::Own,
            "Say what shall hold",
            "your text is a decision, and the next proposal must carry it out",
        ),
        choice(
            Options::Defer,
            "Put off",
            "the gaps are deferred, with your reason",
        ),
    ];
    // A CRITICAL gap is closed through its own gate, which this question has no field for.
    if gravest != Some(Severity::Critical) {
        options.push(choice(
            Options::Close,
            "Close",
            "the gaps are WONT_FIX, with your reason",
        ));
    }
    options
}
