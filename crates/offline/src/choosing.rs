//! The choice of a default for a gap: only where the rule, the topic and the kind of thing agree, and never for what the author
//! declared open, for money, law, a person's data or a named owner. In doubt the user is asked.

use std::collections::BTreeSet;

use gapless_domain::{AssignedGap, ChangeText, one_line};
use gapless_scan::{Rules, scan};

use crate::changes::{self, Edit, Quoting, applied};
use crate::fields::Fill;
use crate::spec::{Place, PlaceForm, Spec};
use crate::words::{allows_no_default, any_of, is_narrative};
use crate::{Entry, Suggests, asking, entries, tables};

/// What the catalogue has for a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Default(Suggestion),
    /// A question that nobody but the user can answer.
    Ask(String),
}

/// A default at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub entry: &'static Entry,
    pub changes: Vec<ChangeText>,
    /// What would be there, on one line.
    pub reads: String,
}

/// The defaults that a specification has already: none is suggested twice.
#[derive(Debug, Clone, Default)]
pub struct Used(BTreeSet<&'static str>);

impl Used {
    pub(crate) fn note(&mut self, entry: &'static Entry) {
        // A type in a cell is no sentence that could be there twice.
        if !matches!(entry.suggests, Suggests::Fill(_)) {
            self.0.insert(&entry.id);
        }
    }
}

/// What the catalogue has for a gap of this specification.
pub fn answer(gap: &AssignedGap, spec: &Spec<'_>, used: &Used) -> Answer {
    match suggestion(gap, spec, used, Quoting::Sentences) {
        Some(suggestion) => Answer::Default(suggestion),
        None => Answer::Ask(asking::question(gap, spec)),
    }
}

/// The default for a gap, where one fits.
pub(crate) fn suggestion(
    gap: &AssignedGap,
    spec: &Spec<'_>,
    used: &Used,
    quoting: Quoting,
) -> Option<Suggestion> {
    if gap.declared {
        return None;
    }
    let rule = gap.rule.as_deref()?;
    let place = spec.place_of(gap)?;
    let sentence = spec.text.get(place.sentence.clone())?;
    let decides_nothing = allows_no_default(sentence)
        || spec.lead_of(&place).is_some_and(allows_no_default)
        || place.titles.iter().any(|title| is_narrative(title))
        || spec.declares(sentence);
    if decides_nothing {
        return None;
    }
    let lower = one_line(sentence).to_lowercase();
    let block = spec.text.get(place.block.clone()).unwrap_or_default();
    let around = one_line(block).to_lowercase();
    let agrees = |entry: &&'static Entry| {
        let about = |topic: &gapless_scan::Topic| gap.topics.iter().any(|own| own == topic.name());
        entry.rules.iter().any(|known| known == rule)
            && entry.topics.iter().any(about)
            && (entry.kinds.is_empty() || any_of(&lower, &entry.kinds))
            && !any_of(&lower, &entry.not)
            && !any_of(&around, &entry.not_around)
            && !used.0.contains(entry.id.as_str())
            && !spec.declares_topic(&entry.topics)
            && !is_there(entry, spec.text)
    };
    let fitting = entries().iter().filter(agrees);
    fitting
        .filter_map(|entry| at_place(entry, spec, &place, quoting))
        .find(|suggestion| settles(rule, spec, &suggestion.changes))
}

/// Whether a text says already what a default would, in any of its forms. What a cell says of its field is no such sentence.
pub(crate) fn is_there(entry: &Entry, text: &str) -> bool {
    let text = one_line(text);
    match &entry.suggests {
        Suggests::Replace(forms) => forms.iter().any(|form| text.contains(form.value())),
        Suggests::Add(sentences) => text.contains(sentences.as_str()),
        Suggests::Fill(_) => false,
    }
}

/// A default at a place, if one of its forms fits.
fn at_place(
    entry: &'static Entry,
    spec: &Spec<'_>,
    place: &Place,
    quoting: Quoting,
) -> Option<Suggestion> {
    let is_prose = matches!(place.form, PlaceForm::Paragraph | PlaceForm::Item);
    let with = |changes: Vec<ChangeText>, reads: &str| {
        let reads = one_line(reads);
        (!changes.is_empty()).then_some(Suggestion {
            entry,
            changes,
            reads,
        })
    };
    match &entry.suggests {
        Suggests::Replace(forms) if is_prose => {
            let sentence = spec.text.get(place.sentence.clone())?;
            let start = place.sentence.start;
            let found = place.found.start.max(start) - start..place.found.end.max(start) - start;
            let mut fits = forms.iter().filter_map(|form| form.fit(sentence, &found));
            let (range, new) = fits.next()?;
            let reads = format!(
                "{}{new}{}",
                &sentence[..range.start],
                &sentence[range.end..]
            );
            let range = start + range.start..start + range.end;
            let change = changes::replacing(spec, place, &Edit { range, new }, quoting)?;
            with(vec![change], &reads)
        }
        Suggests::Add(text) if is_prose => with(vec![changes::adding(spec, place, text)?], text),
        Suggests::Fill(fills) => {
            filled(fills, spec, place).and_then(|(changes, reads)| with(changes, &reads))
        }
        Suggests::Replace(_) | Suggests::Add(_) => None,
    }
}

/// The rows that a finding is about, with what their fields' names say; nothing where one name says nothing.
fn filled(fills: &[Fill], spec: &Spec<'_>, place: &Place) -> Option<(Vec<ChangeText>, String)> {
    let fit = |name: &str, cell: &str| fills.iter().find_map(|fill| fill.fit(name, cell));
    if place.form == PlaceForm::Item {
        let edit = tables::typed_item(spec, place, |name| fit(name, ""))?;
        let change = changes::replacing(spec, place, &edit, Quoting::Words)?;
        return Some((vec![change], edit.new));
    }
    tables::filled_rows(spec, place, fit)
}

/// True where the rule finds nothing more with these changes, and no rule finds anything new in them.
fn settles(rule: &str, spec: &Spec<'_>, changes: &[ChangeText]) -> bool {
    let mut text = spec.text.to_owned();
    let mut written = Vec::new();
    for change in changes {
        let Some((changed, range)) = applied(&text, change) else {
            return false;
        };
        text = changed;
        written.push(range);
    }
    let of_rule = |findings: &[gapless_scan::Finding]| {
        let own = findings.iter().filter(|finding| finding.rule == rule);
        own.count()
    };
    let after = scan(&text, &Rules::default());
    let is_new = |finding: &gapless_scan::Finding| {
        let mut before = spec.findings.iter();
        !before.any(|known| known.rule == finding.rule && known.excerpt == finding.excerpt)
    };
    let mut inside = after.iter().filter(|finding| {
        let mut written = written.iter();
        written.any(|range| finding.span.start < range.end && range.start < finding.span.end)
    });
    of_rule(&after) < of_rule(&spec.findings) && !inside.any(is_new)
}
