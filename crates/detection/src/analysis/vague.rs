//! ABSTRACT_OUTPUT: vague words in what is proposed, whole words in prose only, per thousand words. Weak words count
//! half; everything is counted in halves.

use std::collections::BTreeMap;

use super::material::{Material, Read};
use super::patterns::{Evidence, Finding, LONGEST_QUOTE, Pattern, quoted};
use super::produced::GapSection;
use super::prose::{Word, without_quotations, words};
use gapless_domain::{Confidence, GapId};

/// Words that a precise text uses too.
const WEAK_WORDS: [&str; 4] = ["may", "might", "could", "some"];
/// So many hits at least, however short the text is.
const LEAST_HITS: u32 = 5;

/// The vague words as they are looked up: by their first word, longest first.
struct Lexicon<'w> {
    by_first: BTreeMap<String, Vec<Phrase<'w>>>,
}

struct Phrase<'w> {
    entry: &'w str,
    rest: Vec<String>,
    halves: u32,
}

impl<'w> Lexicon<'w> {
    fn new(entries: &'w [String]) -> Self {
        let mut by_first: BTreeMap<String, Vec<Phrase<'w>>> = BTreeMap::new();
        for entry in entries {
            let mut parts = words(entry)
                .into_iter()
                .map(|word| word.text.to_lowercase());
            let Some(first) = parts.next() else {
                continue;
            };
            let weak = WEAK_WORDS.contains(&entry.trim().to_lowercase().as_str());
            by_first.entry(first).or_default().push(Phrase {
                entry: entry.trim(),
                rest: parts.collect(),
                halves: if weak { 1 } else { 2 },
            });
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
            phrases.dedup_by(|one, other| one.rest == other.rest);
        }
        Self { by_first }
    }

    /// The phrase that begins at a word.
    fn at(&self, words: &[Word], index: usize) -> Option<&Phrase<'w>> {
        let first = &words[index];
        if is_keyword(first.text) {
            return None;
        }
        let phrases = self.by_first.get(&first.text.to_lowercase())?;
        phrases.iter().find(|phrase| {
            let behind = words.get(index + 1..index + 1 + phrase.rest.len());
            behind.is_some_and(|behind| {
                let mut pairs = behind.iter().zip(&phrase.rest);
                pairs.all(|(word, wanted)| word.joined && word.text.to_lowercase() == *wanted)
            })
        })
    }
}

/// `MAY` in capitals says exactly what is allowed, as in RFC 2119.
fn is_keyword(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_uppercase() || !c.is_alphabetic())
}

/// What was counted in a text.
#[derive(Default)]
struct Count<'w> {
    words: usize,
    halves: u32,
    hits: u32,
    /// How often each entry stood there.
    entries: BTreeMap<&'w str, u32>,
    first_at: Option<usize>,
}

impl<'w> Count<'w> {
    fn add(&mut self, lexicon: &Lexicon<'w>, text: &str, offset: usize) {
        let found = words(text);
        self.words += found.len();
        let mut index = 0;
        while index < found.len() {
            let word = &found[index];
            let next = found.get(index + 1);
            // `Some(x)` is code without its marks, and a number behind `May` makes it the month.
            let end = word.at + word.text.len();
            let called = text[end..].starts_with('(');
            let month = word.text == "May"
                && next.is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()));
            match lexicon.at(&found, index) {
                Some(phrase) if !called && !month => {
                    self.hits += 1;
                    self.halves += phrase.halves;
                    *self.entries.entry(phrase.entry).or_default() += 1;
                    self.first_at.get_or_insert(offset + word.at);
                    index += 1 + phrase.rest.len();
                }
                _ => index += 1,
            }
        }
    }

    /// Whole hits per thousand words, rounded down.
    fn per_thousand(&self) -> u64 {
        u64::from(self.halves) * 500 / (self.words.max(1) as u64)
    }

    fn exceeds(&self, per_thousand: u32) -> bool {
        let reached =
            u64::from(self.halves) * 1000 >= 2 * u64::from(per_thousand) * self.words as u64;
        self.hits >= LEAST_HITS && reached
    }

    fn text(&self) -> String {
        let mut entries: Vec<(&str, u32)> = self.entries.iter().map(|(e, n)| (*e, *n)).collect();
        entries.sort_by_key(|(entry, times)| (std::cmp::Reverse(*times), *entry));
        let shown: Vec<String> = entries
            .iter()
            .take(5)
            .map(|(entry, times)| match times {
                1 => format!("\"{}\"", quoted(entry, LONGEST_QUOTE)),
                _ => format!("\"{}\" ×{times}", quoted(entry, LONGEST_QUOTE)),
            })
            .collect();
        format!(
            "{}: {} per 1,000 words ({} in {} words)",
            shown.join(", "),
            self.per_thousand(),
            self.hits,
            self.words
        )
    }
}

/// ABSTRACT_OUTPUT: proposals that say too much in vague words. Trade-offs are not proposed and may weigh what might be.
pub(super) fn abstract_output(
    read: &Read,
    sections: &[GapSection],
    material: &Material,
) -> Option<Finding> {
    let lexicon = Lexicon::new(material.vague_words);
    let mut evidence = Vec::new();
    let mut strongest = 0;
    let mut judge = |gap: Option<&GapId>, ranges: &[std::ops::Range<usize>]| {
        let mut count = Count::default();
        for range in ranges {
            let prose = without_quotations(&read.document.own_prose_of(range.clone()));
            count.add(&lexicon, &prose, range.start);
        }
        if count.exceeds(material.vague_per_thousand) {
            strongest = strongest.max(count.per_thousand());
            let mut words: Vec<(&str, u32)> = count.entries.iter().map(|(e, n)| (*e, *n)).collect();
            words.sort_by_key(|(entry, times)| (std::cmp::Reverse(*times), *entry));
            evidence.push(Evidence {
                gap: gap.cloned(),
                line: count.first_at.map(|at| read.document.line_of(at)),
                text: count.text(),
                words: words
                    .iter()
                    .take(5)
                    .map(|(entry, _)| quoted(entry, LONGEST_QUOTE))
                    .collect(),
            });
        }
    };
    for section in sections {
        if let Some(bound) = section.bound {
            judge(Some(&section.facts.gap), &bound.solution);
        }
    }
    if read.reading.gaps.is_empty() {
        let whole = 0..read.document.source.len();
        judge(None, &[whole]);
    }
    let twice = u64::from(material.vague_per_thousand) * 2;
    let confidence = match strongest >= twice {
        true => Confidence::High,
        false => Confidence::Medium,
    };
    Finding::on(Pattern::AbstractOutput, confidence, evidence)
}
