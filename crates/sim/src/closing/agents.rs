//! Agents that try to close issues without settling them. The Engineer defers, mentions, disputes, answers something else or says nothing; the
//! Reviewer renumbers, rewords, reuses ids, takes back and approves; the Analyst and the Engineer give known ids to new gaps;
//! the final review blocks with what resembles something waived. Once everybody works towards an end they do what is asked.

use std::collections::BTreeSet;

use gapless_domain::{Role, Usage};

use super::concerns::{Concern, LIGHT_WORDINGS, WORDINGS};
use super::truth::Truth;
use super::writing::{Sections, entry, filler, grave, new_id};
use crate::agents::prompt::{self, Listed};
use crate::agents::{Written, final_review};
use crate::{Rng, Seen, Work};

/// How often agents of the closing population settle, evade and raise things.
#[derive(Debug, Clone, Copy)]
pub struct ClosingBehaviour {
    /// How often, in percent, the Engineer answers an issue in substance.
    pub honest: u32,
    /// How often the Engineer writes what a decision turned down.
    pub stubborn: u32,
    /// How often the Reviewer brings up something new on a gap.
    pub critical: u32,
    /// How often the Reviewer comes back to an earlier issue.
    pub persistent: u32,
    /// How often a new gap is declared.
    pub spawning: u32,
}

impl ClosingBehaviour {
    const NONE: Self = Self {
        honest: 100,
        stubborn: 0,
        critical: 0,
        persistent: 0,
        spawning: 0,
    };

    pub fn drawn(rng: &mut Rng) -> Self {
        let mut share = |choices| rng.one_of::<u32, 4>(&choices);
        Self {
            honest: share([70, 50, 25, 10]),
            stubborn: share([0, 10, 30, 60]),
            critical: share([20, 40, 60, 80]),
            persistent: share([0, 15, 40, 70]),
            spawning: share([0, 5, 15, 30]),
        }
    }
}

/// Lets an agent work on a task.
pub fn work(
    rng: &mut Rng,
    behaviour: Option<ClosingBehaviour>,
    truth: &Truth,
    seen: &Seen,
) -> Work {
    let behaviour = behaviour.unwrap_or(ClosingBehaviour::NONE);
    let writer = Writer {
        behaviour,
        truth,
        seen,
    };
    let text = match seen.task.id.slot.role {
        Role::Engineer => writer.engineer(rng),
        Role::Reviewer => writer.review(rng),
        Role::Analyst => writer.analysis(rng),
        Role::FinalReviewer => writer.final_review(rng),
        // There is none in these sessions.
        Role::Editor => String::new(),
    };
    Work {
        usage: Usage {
            millis: u64::from(rng.between(50, 90_000)),
            ..Usage::default()
        },
        result: Ok(Written {
            text: Some(text),
            notes: Vec::new(),
        }),
        unfinished: None,
    }
}

/// What an Engineer makes of an issue.
#[derive(Default)]
struct Response {
    sentence: Option<String>,
    /// A section of its own.
    section: String,
}

struct Writer<'w> {
    behaviour: ClosingBehaviour,
    truth: &'w Truth,
    seen: &'w Seen<'w>,
}

impl Writer<'_> {
    fn concern_of(&self, words: &str) -> Option<Concern> {
        let number = self.truth.concerns.worded_in(words).first().copied()?;
        Some(self.truth.concerns.get(number))
    }

    fn engineer(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        let (mut responses, mut decisions) = (String::new(), String::new());
        for gap in &self.seen.task.gaps {
            let name = gap.to_string();
            let issues = prompt::issues_on(self.seen.prompt, &name);
            let mut sentences = self.kept_sentences(&name);
            let mut before: Option<&Listed> = None;
            for issue in &issues {
                let Response { sentence, section } = self.response(rng, issue, before);
                sentences.extend(sentence);
                responses += &section;
                before = Some(issue);
            }
            self.carry_out(rng, &name, &mut sentences);
            decisions += &self.decisions_told(rng, &name);
            let mut said = BTreeSet::new();
            sentences.retain(|sentence| said.insert(sentence.clone()));
            text += &self.section(rng, &name, &sentences);
        }
        if !decisions.is_empty() {
            text += &format!("## Decisions carried out\n\n{decisions}");
        }
        text + &responses
    }

    /// What the last proposal settled stays in the next one.
    fn kept_sentences(&self, gap: &str) -> Vec<String> {
        let Some(last) = prompt::last_proposal(self.seen.prompt, gap) else {
            return Vec::new();
        };
        let lines = last.lines().filter(|line| line.starts_with("When "));
        lines.map(str::to_owned).collect()
    }

    fn section(&self, rng: &mut Rng, gap: &str, sentences: &[String]) -> String {
        let mut solution = format!("Here {} hold.\n", filler(rng));
        for sentence in sentences {
            solution += &format!("\n{sentence}\n");
        }
        let new = match rng.percent(self.behaviour.spawning) {
            true => self.new_gap(rng),
            false => "- None\n".to_owned(),
        };
        format!(
            "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{solution}\n### Examples\n\nOne entry.\n\n\
             ### Trade-offs\n\n{}\n\n### New Gaps Introduced\n\n{new}\n",
            filler(rng)
        )
    }

    /// A planted gap, often under an id that another one has.
    fn new_gap(&self, rng: &mut Rng) -> String {
        let Some(concern) = self.unraised(rng) else {
            return "- None\n".to_owned();
        };
        let (id, severity) = (self.gap_name(rng), grave(rng));
        let words = concern.words(rng.below(WORDINGS));
        format!("- {id} [{severity}]: {words}\n")
    }

    fn gap_name(&self, rng: &mut Rng) -> String {
        match rng
            .pick(&self.seen.remembered.known)
            .filter(|_| rng.percent(60))
        {
            Some(known) => known.to_string(),
            None => format!("GAP-FLOW-{:03}", rng.between(500, 560)),
        }
    }

    fn unraised(&self, rng: &mut Rng) -> Option<Concern> {
        self.unraised_but(rng, &[])
    }

    /// A concern that nobody has raised yet, and that is none of these.
    fn unraised_but(&self, rng: &mut Rng, drawn: &[Concern]) -> Option<Concern> {
        let unraised = self.truth.unraised().into_iter();
        let mut concerns: Vec<Concern> = unraised.map(|it| self.truth.concerns.get(it)).collect();
        concerns.retain(|concern| !drawn.contains(concern));
        rng.pick(&concerns).copied()
    }

    fn response(&self, rng: &mut Rng, issue: &Listed, before: Option<&Listed>) -> Response {
        let Some(concern) = self.concern_of(&issue.summary) else {
            return Response::default();
        };
        let first_try = self.seen.task.id.attempt == 1;
        if rng.percent(self.behaviour.honest) || !first_try {
            return self.substance(rng, &issue.id, concern);
        }
        Response {
            sentence: None,
            section: self.evasion(rng, issue, concern, before),
        }
    }

    /// Something that looks like an answer and settles nothing, an open disagreement, or nothing at all.
    fn evasion(
        &self,
        rng: &mut Rng,
        issue: &Listed,
        concern: Concern,
        before: Option<&Listed>,
    ) -> String {
        let id = &issue.id;
        match rng.below(16) {
            0 => format!("## Notes\n\n{id}: deferred to a later round.\n\n"),
            1 => format!("## Notes\n\n{id} was noted.\n\n"),
            2 => format!(
                "## Response to {id}\n\nThis will be addressed once the storage team has decided.\n\n"
            ),
            3 => format!("## Response to {id}\n\nResolved as discussed; the user approved.\n\n"),
            4 => format!(
                "## Response to {id}\n\nThank you for raising this. We take it seriously and keep it in mind.\n\n"
            ),
            5 => format!("## Response to {id}\n\n{}\n\n", issue.summary),
            6 => format!("## Summary\n\n| Issue | Status |\n|---|---|\n| {id} | closed |\n\n"),
            7 => format!(
                "## Response to {id}\n\nThe reviewer misunderstood the proposal; this is not a real issue.\n\n"
            ),
            8 => format!(
                "## Response to {id}\n\nGood point, and we appreciate the careful feedback on this.\n\n"
            ),
            9 => self.answer_to_two(issue, concern, before),
            10..=12 => format!(
                "## DISAGREE: {id}\n\n**Reviewer Concern:** {}\n**Engineer Position:** {}\n**Rationale:** {}\n\n",
                issue.summary,
                concern.position(),
                filler(rng)
            ),
            13 => format!(
                "## Response to {id}\n\n**Reviewer Concern:** {}\n**Engineer Position:** DISAGREE. {}\n**Rationale:** {}\n\n\
                 **Request:** Escalate to the user\n\n",
                issue.summary,
                concern.position(),
                filler(rng)
            ),
            _ => String::new(),
        }
    }

    /// A response to this issue and the one before that answers only the one before.
    fn answer_to_two(&self, issue: &Listed, concern: Concern, before: Option<&Listed>) -> String {
        let Some(before) = before else {
            return String::new();
        };
        match self.concern_of(&before.summary) {
            Some(other) if other.is_far_from(concern) => format!(
                "## Response to {} and {}\n\nAdded: {}\n\n",
                before.id,
                issue.id,
                other.own_way()
            ),
            _ => String::new(),
        }
    }

    /// An answer in substance: in the proposal, in a response, or in both.
    fn substance(&self, rng: &mut Rng, id: &str, concern: Concern) -> Response {
        let sentence = match rng.percent(60) {
            true => concern.adopted(),
            false => concern.own_way(),
        };
        let section = format!("## Response to {id}\n\nAdded to the solution: {sentence}\n\n");
        let (sentence, section) = match (self.behaviour.honest < 100, rng.below(4)) {
            (true, 0) => (None, section),
            (true, 1) => (Some(sentence), String::new()),
            _ => (Some(sentence), section),
        };
        Response { sentence, section }
    }

    /// Puts what the user decided on a gap in the place of what that turned down, or the other way round.
    fn carry_out(&self, rng: &mut Rng, gap: &str, sentences: &mut Vec<String>) {
        for (number, decided) in self.truth.decided_on(gap) {
            let concern = self.truth.concerns.get(number);
            let stubborn = rng.percent(self.behaviour.stubborn);
            let (chosen, rejected) = match (decided.chosen.as_str(), stubborn) {
                ("A", false) | ("B", true) => (concern.adopted(), concern.position()),
                ("A", true) | ("B", false) => (concern.position(), concern.adopted()),
                _ => continue,
            };
            sentences.retain(|sentence| *sentence != rejected);
            sentences.push(chosen);
        }
    }

    /// The decisions that are to be carried out on a gap, in their own words.
    fn decisions_told(&self, rng: &mut Rng, gap: &str) -> String {
        if rng.percent(self.behaviour.stubborn) {
            return String::new();
        }
        let owed = self.truth.obligations_on(gap).iter();
        owed.map(|(id, words)| format!("As {id} has it for {gap}: {words}\n\n"))
            .collect()
    }

    fn review(&self, rng: &mut Rng) -> String {
        let next = prompt::next_issue(self.seen.prompt);
        let (round, first) = next.unwrap_or((self.seen.task.id.round, 1));
        let mut number = first;
        // Some count from one again below each heading.
        let restarts = rng.percent(35);
        let mut drawn: Vec<Concern> = Vec::new();
        let mut text = String::new();
        for gap in &self.seen.task.gaps {
            let gap = gap.to_string();
            if restarts {
                number = first;
            }
            text += &format!("## Review: {gap}\n\n");
            let mut sections = Sections::default();
            self.come_back(rng, &gap, (round, &mut number), &mut sections);
            while rng.percent(self.behaviour.critical) {
                let Some(concern) = self.unraised_but(rng, &drawn) else {
                    break;
                };
                let earlier = prompt::issues_on(self.seen.prompt, &gap);
                let id = match rng.pick(&earlier).filter(|_| rng.percent(30)) {
                    Some(taken) => taken.id.clone(),
                    None => new_id(rng, round, &mut number),
                };
                drawn.push(concern);
                sections.add(grave(rng), entry(rng, &id, concern, WORDINGS));
                if rng.percent(50) {
                    break;
                }
            }
            text += &sections.text(rng);
            if rng.percent(self.behaviour.spawning) {
                text += &format!("### New Gaps Identified\n\n{}\n", self.new_gap(rng));
            }
        }
        text
    }

    /// Earlier issues and decided matters, under any id and in any words.
    fn come_back(
        &self,
        rng: &mut Rng,
        gap: &str,
        (round, number): (u32, &mut u32),
        sections: &mut Sections,
    ) {
        for issue in prompt::issues_on(self.seen.prompt, gap) {
            let Some(concern) = self.concern_of(&issue.summary) else {
                continue;
            };
            if !rng.percent(self.behaviour.persistent) {
                continue;
            }
            let severity = grave(rng);
            match rng.below(8) {
                0..=2 => sections.add(severity, entry(rng, &issue.id, concern, WORDINGS)),
                3 | 4 => {
                    let id = new_id(rng, round, number);
                    sections.add(severity, entry(rng, &id, concern, WORDINGS));
                }
                5 => sections.add(severity, format!("- **{}** (withdrawn)\n", issue.id)),
                6 => {
                    let words = concern.words(rng.below(WORDINGS));
                    sections.add(
                        severity,
                        format!("- **{}** (withdrawn): {words}\n", issue.id),
                    );
                }
                // The old id is taken back, and the concern stays under a new one.
                _ => {
                    let id = new_id(rng, round, number);
                    sections.add(severity, format!("- **{}** (withdrawn)\n", issue.id));
                    sections.add(severity, entry(rng, &id, concern, WORDINGS));
                }
            }
        }
        for (decided, _) in self.truth.decided_on(gap) {
            if rng.percent(self.behaviour.persistent / 2) {
                let id = new_id(rng, round, number);
                let concern = self.truth.concerns.get(decided);
                sections.add(grave(rng), entry(rng, &id, concern, LIGHT_WORDINGS));
            }
        }
    }

    /// Gaps of the source once more, graver and under any id; and others under their ids.
    fn analysis(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        let mut named = Vec::new();
        let open = self.truth.open();
        for _ in 0..rng.between(0, 4) {
            let again = rng.percent(55);
            let concern = match rng.pick(&open).filter(|_| again) {
                Some(number) => Some(self.truth.concerns.get(*number)),
                None => self.unraised(rng),
            };
            let id = self.gap_name(rng);
            let Some(concern) = concern.filter(|concern| !named.contains(concern)) else {
                continue;
            };
            named.push(concern);
            let words = concern.words(rng.below(LIGHT_WORDINGS));
            text += &format!(
                "## Gap: {id}\n\n**Severity:** {}\n**Section:** Delivery\n**Blocked by:** None\n\n{words}\n\n",
                grave(rng)
            );
        }
        match text.is_empty() || self.behaviour.critical == 0 {
            true => "Read in full.\n\n**NO_GAPS_FOUND**\n".to_owned(),
            false => text,
        }
    }

    fn final_review(&self, rng: &mut Rng) -> String {
        let mut blockers = String::new();
        let round = self.seen.task.id.round.max(1);
        for number in 0..rng.between(0, 2) {
            if !rng.percent(self.behaviour.critical) {
                continue;
            }
            let known = rng.pick(&self.seen.remembered.known);
            let gap = known
                .filter(|_| rng.percent(60))
                .map(|gap| format!("{gap} "));
            let gap = gap.unwrap_or_default();
            if let Some(concern) = self.unraised(rng) {
                let words = concern.words(rng.below(WORDINGS));
                blockers += &format!("- **ISSUE-R{round}-90{number}**: {gap}{words}\n");
            }
        }
        let verdict = match blockers.is_empty() {
            true => "READY_FOR_TERMINATION",
            false => "NOT_READY",
        };
        final_review::form(verdict, &blockers)
    }
}
