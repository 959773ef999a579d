//! What holds of the refined spec of any source, any resolutions and any changes: what nothing accepted touches is there byte for
//! byte and in order, every accepted gap is in the trace, and the result can be the source of a new session.

use std::collections::BTreeSet;
use std::ops::Range;

use gapless_domain::{ChangeKind, ChangeText, GapId, Severity, TextHash, gap_ids_in};
use gapless_markdown::Document;
use gapless_mediator::{Incoming, Refusal};
use gapless_reading::read::{declared_gaps, inventory, sections};
use gapless_spec::{
    Accepted, EditedText, Limitation, LimitationKind, Place, Refined, Resolution, refine,
};

use crate::input::Input;
use crate::markdown::{blocks, lines_of};
use crate::sessions::{Session, start};

const MOST_RESOLUTIONS: usize = 6;
const CHANGES: [ChangeKind; 5] = [
    ChangeKind::Replace,
    ChangeKind::AddAfter,
    ChangeKind::AddToSection,
    ChangeKind::NewSection,
    ChangeKind::Remove,
];
const STRANGE: &str = "GAP-STRANGE-001";

struct Case {
    source: String,
    accepted: Vec<Accepted>,
    limitations: Vec<Limitation>,
    /// What stands in for a section, where an Editor wrote something.
    edit: Option<String>,
}

/// Proposals for gaps that the source declares, and for some that it doesn't.
fn read_accepted(input: &mut Input, source: &str) -> Vec<Accepted> {
    let document = Document::parse(source);
    let declared = declared_gaps(&document);
    let sections = sections(&document).into_iter();
    let titles: Vec<String> = sections.map(|section| section.title).collect();
    let mut accepted: Vec<Accepted> = Vec::new();
    while !input.is_empty() && accepted.len() < MOST_RESOLUTIONS {
        let (which, place) = (usize::from(input.byte()), input.byte());
        let text = input.text();
        let gap = declared.get(which % (declared.len() + 2));
        let strange = GapId::new("STRANGE", u16::try_from(which % 8 + 1).unwrap_or(1));
        let Some(id) = gap.map(|gap| gap.id.clone()).or(strange) else {
            continue;
        };
        if accepted.iter().any(|one| one.resolution.gap == id) {
            continue;
        }
        let section = titles.get(usize::from(place >> 3)).cloned();
        let change = (place & 4 != 0).then(|| read_change(input, source, section.clone(), &text));
        let resolution = Resolution {
            gap: id,
            description: gap.map_or_else(|| "something".to_owned(), |gap| gap.description.clone()),
            place: Place {
                line: gap.map(|gap| gap.line).filter(|_| place & 1 == 0),
                section: section.filter(|_| place & 2 == 0),
            },
            heading: None,
            hash: TextHash::of(&text),
            text,
        };
        accepted.push(Accepted {
            resolution,
            changes: Vec::from_iter(change),
            settled_with: None,
            round: 1,
        });
    }
    accepted
}

/// A change of some lines of the source, or of a passage that may not be in it.
fn read_change(input: &mut Input, source: &str, section: Option<String>, text: &str) -> ChangeText {
    let kind = *input.one_of(&CHANGES);
    let (from, count) = (usize::from(input.byte()), usize::from(input.byte()));
    let lines: Vec<&str> = source.lines().skip(from).take(count % 4 + 1).collect();
    let old = input.text_if(count & 128 != 0);
    ChangeText {
        kind,
        section,
        after: None,
        old: Some(old.unwrap_or_else(|| lines.join("\n"))),
        new: Some(text.to_owned()),
        line: 1,
    }
}

impl Case {
    fn read(data: &[u8]) -> Self {
        let mut input = Input::new(data);
        let shape = input.byte();
        let source = input.text();
        let edit = input.text_if(shape & 2 != 0);
        let accepted = read_accepted(&mut input, &source);
        let first = accepted.first();
        let limitation = Limitation {
            id: STRANGE.to_owned(),
            severity: Severity::Low,
            gap: None,
            what: LimitationKind::NotResolved,
            text: first.map_or_else(String::new, |one| one.resolution.text.clone()),
            rationale: None,
        };
        let limitations = Vec::from_iter((shape & 1 == 1).then_some(limitation));
        Self {
            source,
            accepted,
            limitations,
            edit,
        }
    }

    fn gaps(&self) -> BTreeSet<GapId> {
        let accepted = self.accepted.iter();
        accepted.map(|one| one.resolution.gap.clone()).collect()
    }

    /// The words of the passages that changes quote.
    fn quoted(&self) -> BTreeSet<&str> {
        let changes = self.accepted.iter().flat_map(|one| &one.changes);
        let quoted = changes.filter_map(|change| change.old.as_deref());
        quoted.flat_map(words).collect()
    }

    /// The blocks of the source that nothing is done to: none of what is accepted is named or declared in them, and they have no
    /// word of a passage that a change quotes.
    fn untouched(&self) -> Vec<Range<usize>> {
        let document = Document::parse(&self.source);
        let accepted = self.gaps();
        let quoted = self.quoted();
        let declared = inventory(&document).declared.into_iter();
        let declared = declared.filter(|declaration| accepted.contains(&declaration.gap.id));
        let forms = declared.flat_map(|declaration| declaration.forms);
        let lines: BTreeSet<u32> = forms.map(|(line, _)| line).collect();
        let is_touched = |span: &Range<usize>| {
            let own = lines_of(&self.source[..span.start])..=lines_of(&self.source[..span.end]);
            let text = &self.source[span.clone()];
            let has_no_word = words(text).next().is_none();
            names_any(text, &accepted)
                || lines.range(own).next().is_some()
                || words(text).any(|word| quoted.contains(word))
                || has_no_word && !quoted.is_empty()
        };
        let mut untouched = blocks(&self.source);
        untouched.retain(|span| !is_touched(span));
        untouched
    }
}

fn names_any(text: &str, gaps: &BTreeSet<GapId>) -> bool {
    let mut named = gap_ids_in(text).into_iter();
    named.any(|found| gaps.contains(&found.id))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Any source, proposals and edit.
pub fn assembling(data: &[u8]) {
    let case = Case::read(data);
    let source = &case.source;
    let untouched = refine(source, &[], &[], &[]).map(|refined| refined.text);
    assert_eq!(
        untouched.as_ref(),
        Ok(source),
        "nothing was accepted, and the source changed"
    );

    let refined = match refine(source, &case.accepted, &case.limitations, &[]) {
        Ok(refined) => refined,
        Err(error) => panic!("no spec can be written: {error}"),
    };
    assert_holds(&case, &refined);
    assert_edited(&case, &refined);
    assert_goes_on(&case, &refined.text);
}

fn assert_holds(case: &Case, refined: &Refined) {
    let spec = &refined.text;
    let mut from = 0;
    for span in case.untouched() {
        let block = case.source[span.clone()].trim_end();
        match spec[from..].find(block) {
            Some(at) => from += at + block.len(),
            None => panic!("{block:?} is lost or moved in:\n{spec}"),
        }
    }
    let traced: BTreeSet<GapId> = refined.trace.iter().map(|one| one.gap.clone()).collect();
    assert_eq!(
        traced,
        case.gaps(),
        "of these gaps the trace tells:\n{spec}"
    );
    let lines = lines_of(spec);
    for one in &refined.trace {
        let (first, last) = one.lines;
        let is_there = 1 <= first && first <= last && last <= lines + 1;
        assert!(is_there, "{one} of {lines} lines in:\n{spec}");
    }
    let steers = |c: &char| c.is_control() && !"\r\n\t".contains(*c);
    let odd = |text: &str| text.chars().filter(steers).count();
    let kept = odd(spec) <= odd(&case.source);
    assert!(kept, "characters that steer came in:\n{spec:?}");
}

/// An edit is taken or left aside; either way everything before its section stays.
fn assert_edited(case: &Case, plain: &Refined) {
    let Some(text) = &case.edit else { return };
    let document = Document::parse(&case.source);
    let Some(section) = sections(&document).into_iter().find(|section| {
        let mut resolutions = case.accepted.iter().map(|one| &one.resolution);
        resolutions.any(|resolution| resolution.place.line > Some(section.line))
    }) else {
        return;
    };
    let made_from = case.accepted.iter();
    let made_from = made_from.map(|one| (one.resolution.gap.clone(), one.resolution.hash));
    let edit = EditedText {
        section: section.line,
        text: text.clone(),
        made_from: made_from.collect(),
    };
    let edited = match refine(&case.source, &case.accepted, &case.limitations, &[edit]) {
        Ok(edited) => edited,
        Err(error) => panic!("an edit cost the spec: {error}"),
    };
    if edited.edited.is_empty() {
        assert_eq!(edited.text, plain.text, "an edit that was left aside shows");
        return;
    }
    let heading = plain.line_now(&case.source, section.line).unwrap_or(1);
    let before = usize::try_from(heading - 1).unwrap_or(0);
    let same = plain
        .text
        .lines()
        .take(before)
        .eq(edited.text.lines().take(before));
    assert!(same, "before the edited section:\n{}", edited.text);
}

/// The refined spec can be the source of a new session where the source could.
fn assert_goes_on(case: &Case, spec: &str) {
    let begin = |source: &str| {
        let mut session = Session::default();
        session.feed(Incoming::Start(Box::new(start(source))))
    };
    match begin(&case.source) {
        Err(Refusal::EmptySource | Refusal::DuplicateGap { .. } | Refusal::OutOfIds(_)) => return,
        begun => assert!(begun.is_ok(), "the source can't be begun with"),
    }
    match begin(spec) {
        // A text may declare gaps as well as any source.
        Ok(()) | Err(Refusal::EmptySource | Refusal::DuplicateGap { .. }) => {}
        Err(refusal) => panic!("{refusal}, in:\n{spec}"),
    }
}
