//! A change while it is read: its texts so far, and the changes that they make.

use super::heads::Verb;
use super::labels::Side;
use super::marked_lines::{diff_of, stripped_pair};
use super::text::Text;
use super::written::{Made, UnclearChange, UnclearFault, WrittenChange};
use gapless_domain::ChangeKind;

/// A change while it is read.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    pub line: u32,
    pub heading: String,
    pub verb: Option<Verb>,
    pub section: Option<String>,
    pub after: Option<String>,
    pub texts: Vec<Text>,
    /// A fence of it is the document's last, and is not closed.
    pub is_cut: bool,
}

impl Open {
    pub fn kind(&self) -> Option<ChangeKind> {
        match self.verb? {
            Verb::Kind(kind) => Some(kind),
            Verb::Add => None,
        }
    }

    /// True where it has the texts that a change of its kind has.
    pub fn is_whole(&self) -> bool {
        let wanted = match self.kind() {
            Some(ChangeKind::Replace | ChangeKind::AddAfter) => 2,
            _ => 1,
        };
        self.texts.len() >= wanted
    }

    /// The changes that it makes as it reads, whatever marks its lines have.
    pub fn verbatim(self) -> Result<Vec<Made>, UnclearChange> {
        let kind = self.kind();
        self.made(kind)
    }

    /// The changes that it makes.
    pub fn changes(mut self) -> Result<Vec<Made>, UnclearChange> {
        self.split_differences();
        self.infer_kind();
        let kind = self.settled_kind();
        self.made(kind)
    }

    fn made(self, kind: Option<ChangeKind>) -> Result<Vec<Made>, UnclearChange> {
        if self.is_cut {
            return Err(self.unclear(UnclearFault::OpenFence));
        }
        let Some(kind) = kind else {
            return Err(self.unclear(UnclearFault::NoKind));
        };
        match pairs_of(kind, &self.texts) {
            Some(pairs) => Ok(pairs
                .into_iter()
                .map(|pair| self.change(kind, pair))
                .collect()),
            None => Err(self.unclear(UnclearFault::ManyTexts)),
        }
    }

    pub fn unclear(&self, fault: UnclearFault) -> UnclearChange {
        UnclearChange {
            line: self.line,
            heading: self.heading.clone(),
            fault,
        }
    }

    /// Turns texts whose lines have marks into old and new ones.
    fn split_differences(&mut self) {
        let takes_both = self.kind().is_none_or(ChangeKind::quotes);
        let only = self.texts.len() == 1;
        let mut texts = Vec::with_capacity(self.texts.len());
        for mut text in std::mem::take(&mut self.texts) {
            if let Some(new) = text.replacement.take() {
                text.side = Some(Side::Old);
                texts.push(text);
                texts.push(Text {
                    side: Some(Side::New),
                    ..*new
                });
                continue;
            }
            let adds = matches!(
                self.verb,
                Some(Verb::Add | Verb::Kind(ChangeKind::AddAfter))
            );
            match diff_of(&text, only && takes_both, adds) {
                Some(split) => texts.extend(split),
                None => texts.push(text),
            }
        }
        if let [old, new] = texts.as_mut_slice() {
            stripped_pair(old, new);
        }
        self.texts = texts;
    }

    /// A block with an old and a new text says itself what is done.
    fn infer_kind(&mut self) {
        let both = |side| self.texts.iter().any(|text| text.side == Some(side));
        if self.verb.is_none() && self.is_split() && both(Side::Old) && both(Side::New) {
            self.verb = Some(Verb::Kind(ChangeKind::Replace));
        }
    }

    fn is_split(&self) -> bool {
        self.texts.iter().any(|text| text.is_diff)
    }

    /// The kind by heading and texts.
    fn settled_kind(&self) -> Option<ChangeKind> {
        let has = |side| self.texts.iter().any(|text| text.side == Some(side));
        let two = self.texts.len() > 1;
        let has_new = self
            .texts
            .iter()
            .any(|it| it.side == Some(Side::New) && it.joined().is_some());
        Some(match self.verb? {
            Verb::Add if two || has(Side::Old) => ChangeKind::AddAfter,
            Verb::Add => ChangeKind::AddToSection,
            Verb::Kind(ChangeKind::AddToSection) if has(Side::Old) && two => ChangeKind::AddAfter,
            Verb::Kind(ChangeKind::Remove) if has_new => ChangeKind::Replace,
            // A block that puts nothing in the place of a passage removes it.
            Verb::Kind(ChangeKind::Replace) if self.is_split() && !has_new => ChangeKind::Remove,
            Verb::Kind(kind) => kind,
        })
    }

    fn change(&self, kind: ChangeKind, pair: Pair) -> Made {
        let ranges = pair.new.map_or_else(Vec::new, Text::stretches);
        let change = WrittenChange {
            kind,
            line: self.line,
            section: self.section.clone(),
            after: match kind {
                ChangeKind::NewSection => self.after.clone(),
                _ => None,
            },
            old: pair.old.and_then(Text::joined),
            new: pair.new.and_then(Text::joined),
        };
        (change, ranges)
    }
}

/// The texts of one change.
#[derive(Debug, Clone, Copy, Default)]
struct Pair<'t> {
    old: Option<&'t Text>,
    new: Option<&'t Text>,
}

impl<'t> Pair<'t> {
    fn has(&self, side: Side) -> bool {
        match side {
            Side::Old => self.old.is_some(),
            Side::New => self.new.is_some(),
        }
    }

    fn put(&mut self, side: Side, text: &'t Text) {
        match side {
            Side::Old => self.old = Some(text),
            Side::New => self.new = Some(text),
        }
    }
}

/// The texts of each change under a heading; nothing where one of them can't be told from the text before it.
fn pairs_of(kind: ChangeKind, texts: &[Text]) -> Option<Vec<Pair<'_>>> {
    let single = match kind {
        ChangeKind::Replace | ChangeKind::AddAfter => None,
        ChangeKind::AddToSection | ChangeKind::NewSection => Some(Side::New),
        ChangeKind::Remove => Some(Side::Old),
    };
    if let [one, other] = texts {
        let pair = match (single, one.side, other.side) {
            (None, Some(Side::New), None | Some(Side::Old)) | (None, None, Some(Side::Old)) => {
                Some((other, one))
            }
            (None, None | Some(Side::Old), None | Some(Side::New)) => Some((one, other)),
            _ => None,
        };
        if let Some((old, new)) = pair {
            return Some(vec![Pair {
                old: Some(old),
                new: Some(new),
            }]);
        }
    }
    let mut pairs = vec![Pair::default()];
    let named = texts.iter().any(|text| text.side.is_some());
    // A removal may say that nothing takes the place.
    let says_nothing = |text: &&Text| {
        kind == ChangeKind::Remove && text.side == Some(Side::New) && text.joined().is_none()
    };
    for text in texts.iter().filter(|text| !says_nothing(text)) {
        let pair = pairs.last_mut()?;
        let side = match (text.side, single) {
            (_, Some(side)) => side,
            (Some(side), None) => side,
            // Beside texts that are named, one that isn't is part of something else.
            (None, None) if named => return None,
            (None, None) if pair.has(Side::Old) && !pair.has(Side::New) => Side::New,
            (None, None) => Side::Old,
        };
        let unnamed_more = single.is_some() && pair.has(side) && text.side.is_none();
        if unnamed_more {
            return None;
        }
        if pair.has(side) || (pair.has(Side::Old) && pair.has(Side::New)) {
            let mut next = Pair::default();
            next.put(side, text);
            pairs.push(next);
        } else {
            pair.put(side, text);
        }
    }
    Some(pairs)
}
