//! Questions for where no default fits. Each stands alone: it quotes the sentence, says where that is, and asks what whoever
//! implements it would ask.

use gapless_domain::{AssignedGap, one_line};

use crate::spec::{Mark, Place, PlaceForm, Spec};
use crate::{Ask, asks};

const LONGEST_SENTENCE: usize = 240;
const LONGEST_WORDS: usize = 60;
const LONGEST_TITLE: usize = 60;
/// The ask for what no rule found.
const DECLARED: &str = "declared";

/// What to ask about a gap.
pub(crate) fn question(gap: &AssignedGap, spec: &Spec<'_>) -> String {
    let mark = spec.mark_of(gap);
    let is_listed = gap.declared && !matches!(mark, Some(Mark::Within(_)));
    let rule = gap.rule.as_deref().filter(|_| !is_listed);
    let ask = rule.and_then(|rule| ask_for(rule, gap));
    let place = spec.place_of(gap).filter(|_| rule.is_some());
    // What a rule without a question of its own suggests is what it asks for.
    let suggested = rule
        .and_then(gapless_scan::rules::by_id)
        .filter(|_| ask.is_none());
    let ask = ask.or_else(|| asks().iter().find(|ask| ask.id == DECLARED));
    let asked = ask.map_or("what holds?", |ask| ask.question.as_str());
    let words = place.as_ref().map_or(String::new(), |place| {
        cut(
            &inert(spec.text.get(place.found.clone()).unwrap_or_default()),
            LONGEST_WORDS,
        )
    });
    let words = match words.contains(char::is_alphanumeric) {
        true => format!("\"{words}\""),
        false => "it".to_owned(),
    };
    match suggested {
        Some(rule) => format!(
            "{} ({})",
            about(gap, None, spec),
            rule.suggestion.trim_end_matches('.')
        ),
        None => format!(
            "{}: {}",
            about(gap, place.as_ref(), spec),
            asked.replace("{words}", &words)
        ),
    }
}

/// The sentence that opened a gap and where it is; where it is gone, what is said of the gap.
fn about(gap: &AssignedGap, place: Option<&Place>, spec: &Spec<'_>) -> String {
    let in_prose = |place: &&Place| matches!(place.form, PlaceForm::Paragraph | PlaceForm::Item);
    let sentence = place
        .filter(in_prose)
        .and_then(|place| spec.text.get(place.sentence.clone()))
        .map(|sentence| cut(&inert(sentence), LONGEST_SENTENCE))
        .filter(|sentence| sentence.contains(char::is_alphanumeric));
    let said = match sentence {
        Some(sentence) => format!("\"{sentence}\""),
        None => cut(&inert(&gap.description), LONGEST_SENTENCE)
            .trim_end_matches([':', '.'])
            .to_owned(),
    };
    let title = gap.section.as_deref().map(inert);
    let title = title.filter(|title| !title.is_empty() && !said.contains(title.as_str()));
    let title = title.map(|title| format!("section \"{}\"", cut(&title, LONGEST_TITLE)));
    let line = place.map(|place| format!("line {}", place.line));
    let at: Vec<String> = title.into_iter().chain(line).collect();
    match at.is_empty() {
        true => said,
        false => format!("{said} ({})", at.join(", ")),
    }
}

/// The first ask for a rule that is for any topic, or for one of the gap's.
fn ask_for(rule: &str, gap: &AssignedGap) -> Option<&'static Ask> {
    asks().iter().find(|ask| {
        let mut topics = ask.topics.iter();
        let about = ask.topics.is_empty()
            || topics.any(|topic| gap.topics.iter().any(|own| own == topic.name()));
        about && ask.rules.iter().any(|known| known == rule)
    })
}

/// Words on one line, without marks that markdown reads.
fn inert(text: &str) -> String {
    let text = text.replace("**", "").replace('"', "'");
    let marks = ['*', '#', '<', '>', '~', '\\', '&', '|'];
    one_line(&text.replace(marks, " ")).trim().to_owned()
}

/// The first words of a text, with dots for the rest.
fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest).collect();
    let whole = kept
        .rsplit_once(' ')
        .map_or(kept.as_str(), |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', ';', ':', '.']))
}
