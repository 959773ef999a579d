//! The gate before an end with gaps left: what is left, in tiers, each with the sentence and the reasons that it asks for.

use super::wording::{abandon_choice, choice, field, gap_line, named_field};
use super::{Effect, Given};
use crate::termination::{CRITICAL_SENTENCE, HIGH_SENTENCE, Left};
use crate::{Refusal, Result, Turn};
use gapless_domain::question::stop::{Fields, Options, Subject};
use gapless_domain::{
    About, DecisionKind, End, Field, Question, Role, Severity, Trigger, comma_list,
};

impl Turn<'_> {
    /// The gate before an end: what is left, in tiers, each with the sentence and the reasons that it asks for.
    pub(crate) fn stop_question(&self, end: End, trigger: Trigger) -> Result<Question> {
        if let Some((conflict, _)) = self.state.now.conflicts(Severity::Critical).next() {
            return Err(Refusal::CriticalConflict(conflict.id));
        }
        let left = Left::of(&self.state.now);
        let count = left.critical.len() + left.high.len() + left.lesser.len();
        let grave = left.end() == End::UserApproved;
        let mut accept = choice(
            Options::Accept,
            "Accept and end",
            &format!("the session ends as {end}; what is left is listed as known limitations"),
        );
        accept.recommended = !grave;
        let title = match count {
            0 => "End the session?".to_owned(),
            1 => "End the session with 1 gap left?".to_owned(),
            count => format!("End the session with {count} gaps left?"),
        };
        Ok(Question {
            severity: match (left.critical.is_empty(), grave) {
                (false, _) => Some(Severity::Critical),
                (true, true) => Some(Severity::High),
                (true, false) => None,
            },
            options: vec![
                accept,
                choice(
                    Options::Continue,
                    "Go on",
                    "the session goes on as if you had not asked",
                ),
                choice(
                    Options::Pause,
                    "Pause",
                    "nothing runs until `gapless resume`",
                ),
                abandon_choice(Options::Abandon),
            ],
            fields: acceptance_fields(&left),
            accepts: left.all(),
            ..self.question(
                About::Stop(Subject { end, trigger }),
                title,
                self.what_is_left(&left),
            )
        })
    }

    fn what_is_left(&self, left: &Left) -> String {
        let tiers = [
            (
                &left.critical,
                "**CRITICAL: the spec can't be implemented without these.** Ending needs the exact sentence and a reason \
                 for each.",
            ),
            (
                &left.high,
                "**HIGH: without these the implementation will be wrong for a common case.** Ending needs your \
                 acknowledgment and a reason for each.",
            ),
            (
                &left.lesser,
                "**MEDIUM and LOW.** Accepting acknowledges them.",
            ),
        ];
        let mut parts = Vec::new();
        for (gaps, warning) in tiers {
            if gaps.is_empty() {
                continue;
            }
            let lines = gaps
                .iter()
                .filter_map(|id| self.state.now.gaps.get(id))
                .map(|gap| format!("{} ({})", gap_line(gap), gap.state));
            let lines: Vec<String> = std::iter::once(format!("{warning}\n"))
                .chain(lines)
                .collect();
            parts.push(lines.join("\n"));
        }
        if !left.conflicts.is_empty() {
            let conflicts = comma_list(&left.conflicts);
            parts.push(format!(
                "**Undecided between Engineer and Reviewer:** {conflicts}. Ending needs your acknowledgment."
            ));
        }
        if parts.is_empty() {
            parts.push("Nothing is left open or deferred.".to_owned());
        }
        parts.join("\n\n")
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        match given.option {
            Options::Accept => turn.accept_what_is_left(self, given),
            Options::Continue => {
                if self.trigger == Trigger::NoFinalReview {
                    // Going on without a final review means asking for one again.
                    turn.open_slot(Role::FinalReviewer, Vec::new());
                }
                Ok(())
            }
            Options::Pause => turn.pause(),
            Options::Abandon => turn.abandon(),
        }
    }
}

impl Turn<'_> {
    fn accept_what_is_left(&mut self, subject: &Subject, given: &Given<'_, Subject>) -> Result<()> {
        if let Some((conflict, _)) = self.state.now.conflicts(Severity::Critical).next() {
            return Err(Refusal::CriticalConflict(conflict.id));
        }
        let end = subject.end;
        let left = Left::of(&self.state.now);
        for gap in left.critical.iter().chain(&left.high).chain(&left.lesser) {
            let mut decision = self.decision_on_gap(
                DecisionKind::Acceptance,
                gap,
                format!("{gap} is accepted as a known limitation"),
                format!("The session ends as {end} with {gap} left."),
                given.by,
            );
            decision.rationale = given.named_field(&gap.to_string()).to_owned();
            self.decide(decision);
        }
        self.end(end, subject.trigger)
    }
}

/// The sentences and reasons without which an end is not accepted.
fn acceptance_fields(left: &Left) -> Vec<Field> {
    let sentence = |name: Fields, exactly: &str| Field {
        exactly: Some(exactly.to_owned()),
        ..field(name, &format!("exactly: {exactly}"), &[Options::Accept])
    };
    let mut fields = Vec::new();
    if !left.critical.is_empty() {
        fields.push(sentence(Fields::Critical, CRITICAL_SENTENCE));
    }
    if !left.high.is_empty() || !left.conflicts.is_empty() {
        fields.push(sentence(Fields::High, HIGH_SENTENCE));
    }
    for gap in left.critical.iter().chain(&left.high) {
        fields.push(named_field(
            gap.to_string(),
            "why it may stay open",
            &[Options::Accept],
        ));
    }
    fields
}
