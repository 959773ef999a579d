//! Checks the refined spec of an ended session and where it was written: what every accepted proposal said that it changes and
//! nothing of any other, every line of the source that none of them took away, what is left as a limitation, and nothing of an
//! abandoned session.

use std::collections::{BTreeMap, BTreeSet};

use super::model::is_closed;
use super::{Checker, Entry, Verdict, ensure, text, violated};
use crate::agents::spec_changes::{GONE, MADE, NEW, SOLVED};
use crate::source::sentences_in;

const NAME: &str = "spec";

/// True where the text names this id, and not a longer one that begins like it.
fn names(text: &str, id: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + id.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

/// What a proposal says that it does to the spec.
#[derive(Debug, Default)]
struct Said {
    /// Its name; none where it is no simulated Engineer's.
    name: Option<String>,
    new: Vec<String>,
    gone: Vec<String>,
    /// False where its document was cut: it may say more than it does.
    is_whole: bool,
}

impl Said {
    fn of(section: &str) -> Self {
        let sentence = section
            .split_once(" as solved_")
            .map_or("", |(_, rest)| rest);
        let sentence = sentence.split('.').next().unwrap_or("");
        let all = |prefix: &str| {
            let words = sentence.split_whitespace().skip(1);
            words
                .filter_map(|word| word.strip_prefix(prefix))
                .map(str::to_owned)
                .collect()
        };
        Self {
            name: sentence.split_whitespace().next().map(str::to_owned),
            new: all(NEW),
            gone: all(GONE),
            is_whole: section.contains("### New Gaps Introduced"),
        }
    }

    fn has_changes(&self) -> bool {
        !self.new.is_empty() || !self.gone.is_empty()
    }

    /// How often its whole text is in a spec.
    fn times_whole(&self, spec: &str) -> usize {
        self.name
            .as_ref()
            .map_or(0, |name| times(spec, SOLVED, name))
    }
}

/// The proposals whose changes are made, instead of their text being put in as a whole.
fn made<'s>(accepted: &'s BTreeMap<&str, Said>, spec: &str) -> impl Iterator<Item = &'s Said> {
    accepted
        .values()
        .filter(move |said| said.times_whole(spec) == 0)
}

/// The marks with a prefix in a text.
fn marks<'t>(text: &'t str, prefix: &str) -> impl Iterator<Item = &'t str> {
    let words = text.split_whitespace();
    words.filter_map(move |word| Some(word.strip_prefix(prefix)?.trim_end_matches('.')))
}

fn times(text: &str, prefix: &str, mark: &str) -> usize {
    marks(text, prefix).filter(|found| *found == mark).count()
}

impl Checker {
    /// The spec as it is assembled, and as the session's folder has it.
    pub fn check_spec(&self, source: &str, spec: &str, written: Option<&str>) -> Verdict {
        let abandoned = self.kept.ended.as_deref() == Some("ABANDONED");
        let expected = (!abandoned).then_some(spec);
        ensure(written == expected, NAME, || {
            format!("abandoned {abandoned}, and spec.md is {written:?}")
        })?;
        let accepted = self.accepted();
        self.check_changes(&accepted, spec)?;
        self.check_source(&accepted, source, spec)?;
        self.check_limitations(spec)
    }

    /// What the accepted proposals said that they do, by the ids of their gaps.
    fn accepted(&self) -> BTreeMap<&str, Said> {
        let gaps = self.model.gaps.iter();
        let settled = gaps.filter(|(_, gap)| matches!(gap.state.as_str(), "ACCEPTED" | "RESOLVED"));
        let said = settled.map(|(id, gap)| {
            let section = self.text_of(&gap.proposal);
            (id.as_str(), Said::of(section.as_deref().unwrap_or("")))
        });
        said.collect()
    }

    /// Every accepted proposal is in the spec once: its changes, or its text where they don't fit. Nothing else is.
    fn check_changes(&self, accepted: &BTreeMap<&str, Said>, spec: &str) -> Verdict {
        let gone = made(accepted, spec).flat_map(|said| said.gone.iter());
        let gone: BTreeSet<&str> = gone.map(String::as_str).collect();
        for (id, said) in accepted {
            let Some(name) = said.name.as_ref().filter(|_| said.is_whole) else {
                continue;
            };
            let is_gone = |mark: &str| gone.contains(mark);
            let whole = said.times_whole(spec);
            let taken_away = is_gone(&format!("{SOLVED}{name}"));
            let fits = whole == 1 || (whole == 0 && (said.has_changes() || taken_away));
            ensure(fits, NAME, || {
                format!("the text for {id} ({name}) is there {whole} times")
            })?;
            for mark in &said.new {
                let mark = format!("{MADE}{mark}");
                let found = marks(spec, "").filter(|it| *it == mark).count();
                let fits = found == 1 || (found == 0 && (is_gone(&mark) || taken_away));
                ensure(fits, NAME, || {
                    format!("{mark} of {id} is there {found} times, and its text {whole} times")
                })?;
            }
        }
        let known = accepted.values().flat_map(|said| said.new.iter());
        let known: BTreeSet<&str> = known.map(String::as_str).collect();
        let names: BTreeSet<&str> = accepted
            .values()
            .filter_map(|said| said.name.as_deref())
            .collect();
        for (prefix, known) in [(MADE, &known), (SOLVED, &names)] {
            let strange = marks(spec, prefix).find(|mark| !known.contains(mark));
            ensure(strange.is_none(), NAME, || {
                format!(
                    "{prefix}{} is of nothing that is accepted",
                    strange.unwrap_or("")
                )
            })?;
        }
        Ok(())
    }

    /// Every line of the source is there, in its order, but for what names an accepted gap and what changes took away.
    fn check_source(&self, accepted: &BTreeMap<&str, Said>, source: &str, spec: &str) -> Verdict {
        let made: Vec<&Said> = made(accepted, spec).collect();
        let gone: BTreeSet<&str> = made
            .iter()
            .flat_map(|said| said.gone.iter().map(String::as_str))
            .collect();
        let mut lines = spec.lines();
        for line in source.lines().filter(|line| !line.trim().is_empty()) {
            if accepted.keys().any(|id| names(line, id)) {
                continue;
            }
            let sentences = sentences_in(line);
            if sentences.iter().any(|name| gone.contains(name.as_str())) {
                continue;
            }
            // A section that changes left without text goes with it.
            let section = line.trim_start_matches('#').trim().to_lowercase();
            let emptied = section == "gaps" || gone.contains(section.as_str());
            if line.starts_with('#') && emptied && !spec.contains(line) {
                continue;
            }
            // What was added may be in the same paragraph.
            let is_here = |of_spec: &str| match sentences.is_empty() {
                true => of_spec == line,
                false => of_spec.contains(line),
            };
            ensure(lines.any(is_here), NAME, || {
                format!("lost, changed or out of its order: {line}")
            })?;
        }
        Ok(())
    }

    fn check_limitations(&self, spec: &str) -> Verdict {
        let parts = spec.split_once("\n## Known limitations\n");
        let part = parts.map_or("", |(_, part)| part).to_lowercase();
        for (id, gap) in &self.model.gaps {
            let is_left = !is_closed(&gap.state) || gap.state == "WONT_FIX";
            ensure(!is_left || part.contains(&gap.description), NAME, || {
                format!("{id} is {} and no known limitation", gap.state)
            })?;
        }
        Ok(())
    }

    /// A spec is written only of a session that ended with one, where it is wanted, and once for each wish.
    pub(super) fn spec_delivered(&mut self, written: bool, entry: &Entry) -> Verdict {
        let ended = self.kept.ended.as_deref();
        ensure(
            ended.is_some_and(|end| end != "ABANDONED"),
            "delivery",
            || format!("of a session that is {ended:?}"),
        )?;
        let path = text(entry.body, "path");
        let wanted = match text(&self.kept.delivery, "to") {
            "file" => text(&self.kept.delivery, "path"),
            "in_place" => "spec.md",
            "beside" => "spec.refined.md",
            _ => return violated("delivery", format!("nobody wants {path}")),
        };
        let file = std::path::Path::new(path);
        ensure(file.ends_with(wanted), "delivery", || {
            format!("{path} was written, {wanted} was wanted")
        })?;
        let again = self.kept.spec_written;
        ensure(!again, "delivery", || format!("{path} a second time"))?;
        let before = self.kept.spec_not_written.replace(path.to_owned());
        ensure(written || before.is_none(), "delivery", || {
            format!("the same failure on {path} is noted twice")
        })?;
        self.kept.spec_written = written;
        let what = if written { "written" } else { "not written" };
        self.coverage.reach("delivery", what);
        Ok(())
    }
}
