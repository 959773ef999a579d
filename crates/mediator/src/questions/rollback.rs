//! Asks where to go back to and how to go on from there, and does that.

use super::Effect;
use super::given::{Given, bad_field};
use super::rollback_lines::short;
use super::wording::{choice, field, suggesting};
use crate::rollback::{Order, Told};
use crate::{Result, Turn};
use gapless_domain::question::rollback::{Fields, Options, Subject};
use gapless_domain::{
    About, Choice, Field, GapId, Question, Role, RollbackTrigger, comma_list, one_line, quarters,
};
use gapless_session::rollback_record::{Target, UndoneRound};
use gapless_session::{Noted, RoundEvent, Taken};

impl Turn<'_> {
    pub(crate) fn rollback_question(&self, trigger: RollbackTrigger) -> Result<Question> {
        let round = self.state.now.round.number;
        let targets = self.state.rollback_targets();
        let newest = targets.first().map_or(0, |target| target.round);
        let undone = self.undone_rounds(newest)?;
        let found = undone.first();
        let earlier = match targets.last() {
            Some(oldest) if oldest.round > 0 => format!(
                " Earlier rounds can't be gone back to: the last {} are kept (`backup_retention_rounds`).",
                self.state.kept.setup.config.backup_retention_rounds
            ),
            _ => String::new(),
        };
        let mut parts = vec![
            targets_table(&targets),
            format!(
                "Open now: {}. Nothing is destroyed: the undone rounds and what was decided in them are archived.{earlier}",
                quarters(self.state.now.open_quarters())
            ),
        ];
        parts.extend(found.and_then(found_in));
        let again = self.state.times_undone(newest + 1) + 1;
        let analysed = again >= self.state.analysis_threshold();
        if analysed {
            parts.push(format!(
                "Round {} would be undone for the {} time: what may be behind it is looked for, and you are asked what to do.",
                newest + 1,
                ordinal(again)
            ));
        }
        parts.push(format!(
            "Rollbacks left in this session: {} of {}.",
            self.state.rollbacks_left(),
            self.state.kept.setup.config.max_rollbacks_session
        ));
        let retries = retry_choices(analysed);
        let undoing: Vec<Options> = retries.iter().map(|(option, _)| *option).collect();
        let mut options: Vec<Choice> = retries.into_iter().map(|(_, offered)| offered).collect();
        options.push(choice(
            Options::Cancel,
            "Don't roll back",
            &format!("the session goes on from round {round}"),
        ));
        Ok(Question {
            options,
            fields: self.rollback_fields(&undoing, newest, found, analysed),
            ..self.question(
                About::Rollback(Subject { round, trigger }),
                format!("Roll back: which rounds up to {round} are undone?"),
                parts.join("\n\n"),
            )
        })
    }

    fn rollback_fields(
        &self,
        undoing: &[Options],
        newest: u32,
        found: Option<&UndoneRound>,
        analysed: bool,
    ) -> Vec<Field> {
        let gaps = found.map_or(&[][..], |undone| &undone.gaps);
        let mut fields = vec![
            suggesting(
                field(Fields::To, "the last round that stays", undoing),
                newest.to_string(),
            ),
            field(Fields::Reason, "why it is undone", undoing),
        ];
        if !analysed {
            fields.push(suggesting(
                field(
                    Fields::Gaps,
                    "the gaps to take, separated by commas",
                    &[Options::Narrow],
                ),
                self.simplest_of(gaps)
                    .map_or(String::new(), |gap| gap.to_string()),
            ));
            fields.push(suggesting(
                field(
                    Fields::Adjust,
                    "what the Engineer is to know or do",
                    &[Options::Context],
                ),
                found.map_or(String::new(), recommended_adjustments),
            ));
        }
        fields
    }

    fn simplest_of(&self, gaps: &[GapId]) -> Option<&GapId> {
        let known = gaps.iter().filter_map(|id| self.state.now.gaps.get(id));
        known
            .min_by_key(|gap| (gap.severity, gap.description.len()))
            .map(|gap| &gap.id)
    }
}

impl Effect for Subject {
    fn carry_out(&self, turn: &mut Turn<'_>, given: &Given<'_, Self>) -> Result<()> {
        let reason = given.field(Fields::Reason);
        let to = || {
            let number = given.field(Fields::To).parse::<u32>();
            let why = "name the round to go back to, as a number";
            number.map_err(|_| bad_field(Fields::To, why))
        };
        let order = |told: Told, adjustments: Vec<String>| Order {
            reason: reason.to_owned(),
            told,
            adjustments,
            trigger: self.trigger,
            unasked: false,
        };
        let what = match given.option {
            Options::Cancel => return Ok(()),
            Options::Retry => return turn.roll_back(to()?, order(Told::Reason, Vec::new())),
            Options::Narrow => {
                let to = to()?;
                turn.roll_back(to, order(Told::Reason, Vec::new()))?;
                let gaps = given.plannable_gaps(turn, Fields::Gaps)?;
                let what = format!(
                    "Round {} is run again with {} alone",
                    to.saturating_add(1),
                    comma_list(&gaps)
                );
                turn.round(RoundEvent::Narrowed { to: gaps });
                what
            }
            Options::Context => {
                let (to, text) = (to()?, given.field(Fields::Adjust));
                turn.roll_back(to, order(Told::Reason, vec![text.to_owned()]))?;
                let round = to.saturating_add(1);
                format!(
                    "Round {round} is run again with context: {}",
                    one_line(text)
                )
            }
            Options::Skip => {
                let to = to()?;
                let undone = turn.undone_rounds(to)?;
                turn.roll_back(to, order(Told::Nothing, Vec::new()))?;
                let gaps = undone.into_iter().flat_map(|undone| undone.gaps);
                let there = |gap: &GapId| turn.state.now.gaps.contains_key(gap);
                let gaps: Vec<GapId> = gaps.filter(there).collect();
                let what = format!("The next round takes others than {}", comma_list(&gaps));
                turn.round(RoundEvent::LeftOut { gaps });
                what
            }
        };
        turn.decide_rollback(what, Vec::new(), reason, given.by);
        Ok(())
    }

    fn noted(&self, option: Options) -> Vec<Noted> {
        match option {
            Options::Cancel => vec![Noted::Taken {
                role: Role::Engineer,
                option: Taken::Rollback(option),
            }],
            Options::Retry | Options::Narrow | Options::Context | Options::Skip => Vec::new(),
        }
    }
}

fn retry_choices(analysed: bool) -> Vec<(Options, Choice)> {
    let retry = match analysed {
        true => "the rounds after the one you name are undone; then you are asked about the cause",
        false => {
            "the rounds after the one you name are undone, and the next is run as it was, told your reason"
        }
    };
    let offered =
        |option: Options, text: &str, effect: &str| (option, choice(option, text, effect));
    let mut choices = vec![offered(Options::Retry, "Roll back and retry", retry)];
    if !analysed {
        choices.extend([
            offered(
                Options::Narrow,
                "Retry, narrowed",
                "undone likewise; the retry takes only the gaps you name, and is told your reason",
            ),
            offered(
                Options::Context,
                "Retry with context",
                "undone likewise; the retry is told your reason and what you write",
            ),
            offered(
                Options::Skip,
                "Skip to other gaps",
                "undone likewise; the next round takes others than the undone ones had",
            ),
        ]);
    }
    choices
}

fn targets_table(targets: &[Target]) -> String {
    let head = "| Back to | Open there | Decisions since | Rounds to undo |\n|---|---|---|---|";
    let rows = targets.iter().map(|target| {
        let name = match target.round {
            0 => "0 (before the first round)".to_owned(),
            round => format!("round {round}"),
        };
        format!(
            "| {name} | {} | {} | {} |",
            quarters(target.open_quarters),
            target.decisions_since,
            target.rounds_to_undo
        )
    });
    let rows: Vec<String> = rows.collect();
    format!("{head}\n{}", rows.join("\n"))
}

/// What was found in the newest round, and what would be added to the prompt for it.
fn found_in(undone: &UndoneRound) -> Option<String> {
    let patterns = &undone.analysis.patterns;
    if patterns.is_empty() {
        return None;
    }
    let lines: Vec<String> = patterns
        .iter()
        .map(|found| {
            let evidence: Vec<&str> = found.evidence.iter().map(|e| e.text.as_str()).collect();
            format!("- {}: {}", found.pattern, short(&evidence.join("; ")))
        })
        .collect();
    Some(format!(
        "**Found in what round {} wrote:**\n\n{}",
        undone.round,
        lines.join("\n")
    ))
}

fn recommended_adjustments(undone: &UndoneRound) -> String {
    let texts: Vec<String> = undone.recommended().collect();
    one_line(&texts.join(" "))
}

fn ordinal(count: u32) -> String {
    match count {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        count => format!("{count}th"),
    }
}
