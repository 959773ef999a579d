//! Tells which sentences oblige: those that say what must be or what is done, and not those that explain, compare or describe
//! how things are.

use std::ops::Range;

use gapless_markdown::BlockKind;

use super::lexicon::Class;
use super::sentences::{Force, Modal, Sentence};
use super::spec_text::SpecText;

/// Gives each sentence of a spec its force.
pub fn settle(spec: &mut SpecText<'_>) {
    let forces = forces_of(spec);
    for (sentence, force) in spec.sentences.iter_mut().zip(forces) {
        sentence.force = force;
    }
}

/// The force of each sentence, in order.
fn forces_of(spec: &SpecText<'_>) -> Vec<Force> {
    let style = Style::of(spec);
    let mut forces = Vec::with_capacity(spec.sentences.len());
    let mut from = 0;
    while let Some(first) = spec.sentences.get(from) {
        let block = first.block;
        let rest = spec.sentences[from..].iter();
        let until = from + rest.take_while(|other| other.block == block).count();
        of_block(spec, style, from..until, &mut forces);
        from = until;
    }
    forces
}

/// How the prose of a spec is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// It says what is to be, so that a plain statement is a requirement.
    States,
    /// Its authors speak for themselves, so that a plain statement explains.
    Discusses,
}

impl Style {
    fn of(spec: &SpecText<'_>) -> Self {
        /// One sentence of so many has the authors speaking.
        const ONE_IN: usize = 10;
        let prose = spec.binding().filter(|sentence| sentence.words.len() > 4);
        let (mut all, mut spoken) = (0, 0);
        for sentence in prose {
            all += 1;
            spoken += usize::from(sentence.has(Class::Speaker));
        }
        match spoken > 2 && spoken * ONE_IN > all {
            true => Self::Discusses,
            false => Self::States,
        }
    }
}

fn of_block(spec: &SpecText<'_>, style: Style, range: Range<usize>, forces: &mut Vec<Force>) {
    let sentences = &spec.sentences[range];
    let kind = sentences.first().map(|first| &spec.block_of(first).kind);
    let informs = kind.is_some_and(|kind| *kind == BlockKind::Heading)
        || sentences.first().is_some_and(|first| first.informs);
    let explains = sentences.iter().any(tells);
    for sentence in sentences {
        let obliges = !informs && obliges(spec, style, sentence, explains);
        forces.push(match obliges {
            true => Force::Obliges,
            false => Force::Tells,
        });
    }
}

fn tells(sentence: &Sentence) -> bool {
    sentence.has(Class::Telling) || sentence.has(Class::Speaker)
}

fn obliges(spec: &SpecText<'_>, style: Style, sentence: &Sentence, block_explains: bool) -> bool {
    let behind = &spec.prose()[sentence.span.end..];
    if behind.starts_with('?') || is_step(spec, sentence) || points_elsewhere(spec, sentence) {
        return false;
    }
    match sentence.modal {
        Some(Modal::Must) if !has_soft(spec, sentence) => !sentence.has(Class::Speaker),
        Some(Modal::Must | Modal::Should | Modal::Will) => match tells(sentence) {
            false => !asks(spec, sentence),
            true => {
                sentence.modal != Some(Modal::Will)
                    && !sentence.has(Class::Telling)
                    && orders_after_modal(spec, sentence)
            }
        },
        Some(Modal::May) => false,
        None if tells(sentence) => false,
        None => {
            let section = spec.section_of(sentence);
            let kind = &spec.block_of(sentence).kind;
            let listed = matches!(kind, BlockKind::Item | BlockKind::Cell) && section.obliges;
            let is_sentence = *kind != BlockKind::Cell && sentence.words.len() >= FEWEST_WORDS;
            let states = is_sentence || spec.states_behaviour(sentence);
            match style {
                _ if listed || begins_with(spec, sentence) => true,
                Style::States => states,
                Style::Discusses => section.obliges && !block_explains && states,
            }
        }
    }
}

/// A shorter one is a label or a fragment.
const FEWEST_WORDS: usize = 4;

/// `how items should be routed`: what is asked, and not what is demanded.
fn asks(spec: &SpecText<'_>, sentence: &Sentence) -> bool {
    const ASKING: [&str; 6] = ["how", "what", "whether", "why", "who", "which"];
    let hits = spec.hits[sentence.hits.clone()].iter();
    let mut modals =
        hits.filter(|hit| hit.classes.has(Class::Should) || hit.classes.has(Class::Will));
    let Some(modal) = modals.next() else {
        return false;
    };
    (sentence.words.start..modal.first).any(|index| {
        let word = spec.word(index);
        ASKING
            .iter()
            .any(|asking| word.eq_ignore_ascii_case(asking))
    })
}

/// Whether the sentence demands with `need to` or the like, which also tells what somebody lacks.
fn has_soft(spec: &SpecText<'_>, sentence: &Sentence) -> bool {
    let mut hits = spec.hits_of(sentence, Class::Must);
    !hits.any(|hit| !hit.classes.has(Class::Soft))
}

/// `we need to implement …`, as against `we should think about …`.
fn orders_after_modal(spec: &SpecText<'_>, sentence: &Sentence) -> bool {
    let hits = spec.hits[sentence.hits.clone()].iter();
    let mut modals = hits.filter(|hit| {
        [Class::Must, Class::Should, Class::Will]
            .iter()
            .any(|class| hit.classes.has(*class))
    });
    modals.any(|modal| {
        let verb = modal.first + modal.count;
        spec.hits_of(sentence, Class::Imperative)
            .any(|order| order.first == verb)
    })
}

/// A condition with its consequence, or an order.
fn begins_with(spec: &SpecText<'_>, sentence: &Sentence) -> bool {
    let first = sentence.words.start;
    let mut hits = spec.hits[sentence.hits.clone()].iter();
    hits.any(|hit| {
        hit.first == first && (hit.classes.has(Class::Ears) || hit.classes.has(Class::Imperative))
    })
}

/// `See the guide for more.`
fn points_elsewhere(spec: &SpecText<'_>, sentence: &Sentence) -> bool {
    let first = spec.word(sentence.words.start);
    first.eq_ignore_ascii_case("see")
        || first.eq_ignore_ascii_case("refer") && sentence.modal.is_none()
}

/// `WHEN the user logs in`, `GIVEN an order`: a step that says what comes before, and demands nothing.
fn is_step(spec: &SpecText<'_>, sentence: &Sentence) -> bool {
    let first = spec.word(sentence.words.start);
    if first.eq_ignore_ascii_case("given") {
        let text = spec.text(sentence.span.clone()).to_lowercase();
        return !text.contains("then");
    }
    let conditional = spec
        .hits_of(sentence, Class::Ears)
        .any(|hit| hit.first == sentence.words.start);
    conditional && sentence.modal.is_none() && {
        let text = spec.text(sentence.span.clone());
        !text.contains([',', ':', '→']) && !text.contains(" then ") && !text.contains("THEN")
    }
}
