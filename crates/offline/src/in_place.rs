//! The user's words in their place: they replace a mark, a vague phrase or a sentence that they cover, and otherwise come behind
//! the passage. A sentence of the author that says something else stays.

use std::ops::Range;

use gapless_domain::{AssignedGap, ChangeText, one_line};
use gapless_reading::read::lists_what_is_open;

use crate::changes::{self, Edit, Quoting};
use crate::exact::{ended, exact, is_one_paragraph, phrase, sentences};
use crate::spec::{Mark, Place, PlaceForm, Spec};
use crate::tables::{cells, with_cell};

/// Rules that find words which have to go.
const OF_WORDS: [&str; 5] = [
    "vague-quantity",
    "vague-qualifier",
    "unmeasurable",
    "open-list",
    "placeholder",
];
/// The changes that put what the user said where a gap opened; nothing where no place is sure.
pub(crate) fn changes_for(gap: &AssignedGap, spec: &Spec<'_>, said: &str) -> Vec<ChangeText> {
    if !fits_in(said) {
        return Vec::new();
    }
    let place = spec.place_of(gap);
    let change = match (&place, spec.mark_of(gap)) {
        // It goes with its gap, and what is said belongs to the section that it names.
        (_, Some(Mark::Entry)) => in_named_section(gap, spec, said),
        (Some(place), Some(Mark::Whole(range))) => whole(spec, place, range, said),
        (Some(place), Some(Mark::Within(range))) => mark(spec, place, &range, said),
        (Some(place), None) => at_finding(gap, spec, place, said),
        (None, _) => in_named_section(gap, spec, said),
    };
    change.into_iter().collect()
}

/// The change that adds what was said to the section that a gap names, unless that only lists what is open.
fn in_named_section(gap: &AssignedGap, spec: &Spec<'_>, said: &str) -> Option<ChangeText> {
    let title = gap.section.as_deref()?;
    let is_list = lists_what_is_open(title);
    (!is_list).then(|| changes::adding_to_section(spec, title, &sentences(said)))?
}

/// True for words that are no structure of their own: they would bind more than a passage.
fn fits_in(said: &str) -> bool {
    let opens = |line: &str| {
        let line = line.trim_start();
        line.starts_with(['#', '<', '>'])
            || line.starts_with("```")
            || line.starts_with("~~~")
            || line.starts_with("===")
            || line.starts_with("---")
    };
    !said.lines().any(opens) && !said.contains("<!--") && !said.contains('\0')
}

/// A passage that says nothing but what is missing gives way.
fn whole(spec: &Spec<'_>, place: &Place, range: Range<usize>, said: &str) -> Option<ChangeText> {
    let at = Place {
        sentence: range.clone(),
        ..place.clone()
    };
    if place.form == PlaceForm::Cell {
        return cell(spec, place, |_| one_line(said));
    }
    let edit = Edit {
        range,
        new: sentences(said),
    };
    changes::replacing(spec, &at, &edit, Quoting::Sentences)
}

/// A mark within a sentence that says more gives way to a phrase, or goes, and sentences come behind.
fn mark(spec: &Spec<'_>, place: &Place, range: &Range<usize>, said: &str) -> Option<ChangeText> {
    if place.form == PlaceForm::Cell {
        let (start, end) = (
            range.start - place.block.start,
            range.end - place.block.start,
        );
        return cell(spec, place, |cell| {
            let whole = cell.get(..start).zip(cell.get(end..));
            whole.map_or_else(
                || one_line(said),
                |(before, behind)| one_line(&format!("{before}{}{behind}", one_line(said))),
            )
        });
    }
    let sentence = place.sentence.start.min(range.start)..place.sentence.end.max(range.end);
    let text = spec.text.get(sentence.clone())?;
    let before = text.get(..range.start - sentence.start)?;
    let behind = text.get(range.end - sentence.start..)?;
    let in_brackets = spec.text.get(range.clone())?.starts_with(['[', '(', '<']);
    let rest = format!("{before}{behind}");
    if !rest.contains(char::is_alphanumeric) {
        let at = Place {
            sentence: sentence.clone(),
            ..place.clone()
        };
        let edit = Edit {
            range: sentence,
            new: sentences(said),
        };
        return changes::replacing(spec, &at, &edit, Quoting::Sentences);
    }
    let label = before.trim_end().ends_with([':', '-', '–', '—', '=']);
    let new = match phrase(said) {
        Some(phrase) if !in_brackets || label => format!("{before}{phrase}{behind}"),
        None if label && behind.trim().trim_matches('.').is_empty() => {
            format!("{before}{}", said.trim())
        }
        _ if in_brackets => {
            let kept = format!("{}{behind}", before.trim_end());
            format!("{} {}", ended(&kept), sentences(said))
        }
        _ => format!(
            "{before}as follows{} {}",
            ended_with(behind, ":"),
            sentences(said)
        ),
    };
    let at = Place {
        sentence: sentence.clone(),
        ..place.clone()
    };
    changes::replacing(
        spec,
        &at,
        &Edit {
            range: sentence,
            new,
        },
        Quoting::Sentences,
    )
}

/// What is behind a mark, with a colon in the place of a full stop.
fn ended_with(behind: &str, sign: &str) -> String {
    let bare = behind.trim_end().trim_end_matches(['.', ':']);
    format!("{bare}{sign}")
}

/// The row of a place with another text in its cell.
fn cell(spec: &Spec<'_>, place: &Place, new: impl Fn(&str) -> String) -> Option<ChangeText> {
    let mut rows = spec.document.rows.iter();
    let row = rows.find(|row| row.span.contains(&place.found.start))?;
    let text = spec.text.get(row.span.clone())?;
    let lead = text.len() - text.trim_start().len();
    let text = text.trim();
    let at = place.block.start.checked_sub(row.span.start + lead)?;
    let column = cells(text).iter().position(|cell| cell.contains(&at))?;
    let old = spec.text.get(place.block.clone())?;
    changes::replacing_row(spec, place, &row.span, &with_cell(text, column, &new(old))?)
}

/// What the user said about something that a rule found.
fn at_finding(gap: &AssignedGap, spec: &Spec<'_>, place: &Place, said: &str) -> Option<ChangeText> {
    let to_section = || {
        let title = place.titles.last()?;
        changes::adding_to_section(spec, title, &sentences(said))
    };
    match place.form {
        PlaceForm::Heading | PlaceForm::Rigid => return to_section(),
        PlaceForm::Cell => return in_cell(gap, spec, place, said),
        PlaceForm::Paragraph | PlaceForm::Item => {}
    }
    let rule = gap.rule.as_deref().unwrap_or_default();
    if OF_WORDS.contains(&rule) {
        let new = exact(spec, place, said)?;
        let range = place.sentence.clone();
        return changes::replacing(spec, place, &Edit { range, new }, Quoting::Sentences);
    }
    if rule == "undefined-acronym"
        && let Some(phrase) = phrase(said)
    {
        let range = place.found.clone();
        let new = format!("{} ({phrase})", spec.text.get(range.clone())?);
        return changes::replacing(spec, place, &Edit { range, new }, Quoting::Sentences);
    }
    changes::adding(spec, place, &sentences(said)).or_else(to_section)
}

/// A cell says what the user said, behind what it says already.
fn in_cell(gap: &AssignedGap, spec: &Spec<'_>, place: &Place, said: &str) -> Option<ChangeText> {
    let of_field = gap
        .rule
        .as_deref()
        .is_some_and(|rule| rule.starts_with("field-"));
    if gap.rule.as_deref() == Some("placeholder") && is_one_paragraph(said) {
        return cell(spec, place, |_| one_line(said));
    }
    let cell_text = spec.text.get(place.block.clone())?;
    let is_name = !cell_text.is_empty() && cell_text.split_whitespace().count() <= 2;
    if !is_one_paragraph(said) || of_field || is_name {
        let title = place.titles.last()?;
        return changes::adding_to_section(spec, title, &sentences(said));
    }
    cell(spec, place, |cell| {
        let cell = cell.trim();
        match cell.is_empty() {
            true => one_line(said),
            false => format!("{} {}", ended(cell), one_line(&sentences(said))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence with the user's words, where these words opened a gap.
    fn said(sentence: &str, found: &str, words: &str) -> String {
        let text = format!("# Spec\n\n## Part\n\n{sentence}\n");
        let spec = Spec::of(&text);
        let rule = match found {
            "etc" => "open-list",
            "" => "failure-path",
            _ => "vague-quantity",
        };
        let gap = crate::tests::found(
            rule,
            5,
            match found {
                "" => sentence,
                found => found,
            },
        );
        let changes = changes_for(&gap, &spec, words);
        let change = changes.first().unwrap();
        let (after, _) = changes::applied(&text, change).unwrap();
        let after = after.strip_prefix("# Spec\n\n## Part\n\n").unwrap();
        after.trim_end().to_owned()
    }

    #[test]
    fn a_short_answer_takes_the_place_of_the_vague_words() {
        for (sentence, found, words, expected) in [
            (
                "The call has a reasonable timeout.",
                "reasonable timeout",
                "4 s",
                "The call has a timeout of 4 s.",
            ),
            (
                "The call has an appropriate timeout.",
                "appropriate timeout",
                "4 s.",
                "The call has a timeout of 4 s.",
            ),
            (
                "The worker polls the queue periodically.",
                "periodically",
                "every 5 s",
                "The worker polls the queue every 5 s.",
            ),
            (
                "The order page must load quickly.",
                "quickly",
                "within 1 s",
                "The order page must load within 1 s.",
            ),
            (
                "Rows are removed after some time.",
                "some time",
                "after 30 days",
                "Rows are removed after 30 days.",
            ),
            (
                "The system must say that a car is \"due soon\" first.",
                "soon",
                "2 days before",
                "The system must say that a car is \"due soon\" (2 days before) first.",
            ),
            (
                "Sending is retried a few times.",
                "a few",
                "3 times, after 1 minute and 5 minutes",
                "Sending is retried 3 times, after 1 minute and 5 minutes.",
            ),
            (
                "The service must support many users.",
                "many",
                "500 at once",
                "The service must support many (500 at once) users.",
            ),
        ] {
            assert_eq!(said(sentence, found, words), expected);
        }
    }

    #[test]
    fn sentences_come_behind_and_the_vague_word_goes() {
        for (sentence, found, words, expected) in [
            (
                "The call has a reasonable timeout.",
                "reasonable timeout",
                "It ends after 4 s. The order then stays open.",
                "The call has a timeout. It ends after 4 s. The order then stays open.",
            ),
            (
                "The call has a reasonable timeout.",
                "reasonable timeout",
                "The call has a timeout of 4 s. Then it is made again.",
                "The call has a timeout of 4 s. Then it is made again.",
            ),
            (
                "The worker polls the queue periodically.",
                "periodically",
                "The pause is 5 s by day. By night it is 60 s.",
                "The worker polls the queue. The pause is 5 s by day. By night it is 60 s.",
            ),
            (
                "The export supports CSV, JSON, etc.",
                "etc",
                "There are two more. These are XML and Parquet.",
                "The export supports CSV, JSON. There are two more. These are XML and Parquet.",
            ),
            (
                "The service calls the bank with the amount.",
                "",
                "when it fails, the order stays open",
                "The service calls the bank with the amount. When it fails, the order stays open.",
            ),
        ] {
            assert_eq!(said(sentence, found, words), expected);
        }
    }
}
