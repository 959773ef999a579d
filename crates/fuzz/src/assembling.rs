//! What holds of the refined spec of any source and any resolutions: what no settled gap touches stands byte for byte and in order,
//! every accepted gap has one part, their order doesn't show, and the result can be the source of a new session.

use std::collections::BTreeSet;
use std::ops::Range;

use gapless_domain::{GapId, Severity, TextHash, gap_ids_in};
use gapless_markdown::Document;
use gapless_mediator::{Incoming, Refusal};
use gapless_reading::read::{declared_gaps, inventory, sections, traced_gaps};
use gapless_spec::{
    EditedText, Limitation, LimitationKind, Place, Resolution, refine, refine_with,
};

use crate::input::Input;
use crate::markdown::{blocks, lines_of};
use crate::sessions::{Session, start};

const MOST_RESOLUTIONS: usize = 6;
const STRANGE: &str = "GAP-STRANGE-001";

struct Case {
    source: String,
    resolutions: Vec<Resolution>,
    limitations: Vec<Limitation>,
    /// What stands in for a section, where an Editor wrote something.
    edit: Option<String>,
}

/// Resolutions of gaps that the source declares, and of some that it doesn't.
fn read_resolutions(input: &mut Input, source: &str) -> Vec<Resolution> {
    let document = Document::parse(source);
    let declared = declared_gaps(&document);
    let sections = sections(&document).into_iter();
    let titles: Vec<String> = sections.map(|section| section.title).collect();
    let mut resolutions: Vec<Resolution> = Vec::new();
    while !input.is_empty() && resolutions.len() < MOST_RESOLUTIONS {
        let (which, place) = (usize::from(input.byte()), input.byte());
        let text = input.text();
        let gap = declared.get(which % (declared.len() + 2));
        let strange = GapId::new("STRANGE", u16::try_from(which % 8 + 1).unwrap_or(1));
        let Some(id) = gap.map(|gap| gap.id.clone()).or(strange) else {
            continue;
        };
        if resolutions.iter().any(|resolution| resolution.gap == id) {
            continue;
        }
        let section = titles.get(usize::from(place >> 2)).cloned();
        resolutions.push(Resolution {
            gap: id,
            description: gap.map_or_else(|| "something".to_owned(), |gap| gap.description.clone()),
            place: Place {
                line: gap.map(|gap| gap.line).filter(|_| place & 1 == 0),
                section: section.filter(|_| place & 2 == 0),
            },
            heading: None,
            text,
        });
    }
    resolutions
}

impl Case {
    fn read(data: &[u8]) -> Self {
        let mut input = Input::new(data);
        let shape = input.byte();
        let source = input.text();
        let edit = input.text_if(shape & 2 != 0);
        let resolutions = read_resolutions(&mut input, &source);
        let first = resolutions.first();
        let limitation = Limitation {
            id: STRANGE.to_owned(),
            severity: Severity::Low,
            gap: None,
            what: LimitationKind::NotResolved,
            text: first.map_or_else(String::new, |resolution| resolution.text.clone()),
            rationale: None,
        };
        let limitations = Vec::from_iter((shape & 1 == 1).then_some(limitation));
        Self {
            source,
            resolutions,
            limitations,
            edit,
        }
    }

    fn accepted(&self) -> BTreeSet<GapId> {
        let resolutions = self.resolutions.iter();
        resolutions
            .map(|resolution| resolution.gap.clone())
            .collect()
    }

    /// The blocks of the source that nothing is done to: none of what is accepted is named or declared in them.
    fn untouched(&self) -> Vec<Range<usize>> {
        let document = Document::parse(&self.source);
        let accepted = self.accepted();
        let declared = inventory(&document).declared.into_iter();
        let declared = declared.filter(|declaration| accepted.contains(&declaration.gap.id));
        let forms = declared.flat_map(|declaration| declaration.forms);
        let lines: BTreeSet<u32> = forms.map(|(line, _)| line).collect();
        let is_touched = |span: &Range<usize>| {
            let own = lines_of(&self.source[..span.start])..=lines_of(&self.source[..span.end]);
            names_any(&self.source[span.clone()], &accepted) || lines.range(own).next().is_some()
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

/// Any source, resolutions and edit.
pub fn assembling(data: &[u8]) {
    let case = Case::read(data);
    let Case {
        source,
        resolutions,
        limitations,
        ..
    } = &case;
    let plain = refine(source, &[], &[]);
    let plain = plain.as_ref();
    assert_eq!(
        plain,
        Ok(source),
        "nothing was accepted, and the source changed"
    );

    let spec = match refine(source, resolutions, limitations) {
        Ok(spec) => spec,
        Err(error) => panic!("no spec can be written: {error}"),
    };
    assert_holds(&case, &spec);
    let mut backwards = resolutions.clone();
    backwards.reverse();
    let other = refine(source, &backwards, limitations);
    assert_eq!(other.as_ref(), Ok(&spec), "the order of acceptance shows");
    assert_edited(&case, &spec);
    assert_goes_on(&case, &spec);
}

fn assert_holds(case: &Case, spec: &str) {
    let mut from = 0;
    for span in case.untouched() {
        let block = case.source[span.clone()].trim_end();
        match spec[from..].find(block) {
            Some(at) => from += at + block.len(),
            None => panic!("{block:?} is lost or moved in:\n{spec}"),
        }
    }
    let accepted = case.accepted();
    let count = |text: &str, what: &str| text.matches(&format!("<!-- gapless: {what} -->")).count();
    for gap in &accepted {
        for what in [gap.to_string(), format!("end {gap}")] {
            let new = count(spec, &what) - count(&case.source, &what).min(count(spec, &what));
            assert_eq!(new, 1, "{what} in:\n{spec}");
        }
    }
    for gap in traced_gaps(spec).difference(&traced_gaps(&case.source)) {
        let known = accepted.contains(gap);
        assert!(known, "{gap} was not accepted, and is shown as if:\n{spec}");
    }
    let steers = |c: &char| c.is_control() && !"\r\n\t".contains(*c);
    let odd = |text: &str| text.chars().filter(steers).count();
    let kept = odd(spec) <= odd(&case.source);
    assert!(kept, "characters that steer came in:\n{spec:?}");
}

/// An edit is taken or left aside; either way everything that it isn't about stays.
fn assert_edited(case: &Case, plain: &str) {
    let Some(text) = &case.edit else { return };
    let document = Document::parse(&case.source);
    let Some(section) = sections(&document).into_iter().find(|section| {
        let mut lines = case
            .resolutions
            .iter()
            .map(|resolution| resolution.place.line);
        lines.any(|line| line > Some(section.line))
    }) else {
        return;
    };
    let made_from = case.resolutions.iter();
    let made_from = made_from.map(|made| (made.gap.clone(), TextHash::of(&made.text)));
    let edit = EditedText {
        section: section.line,
        text: text.clone(),
        made_from: made_from.collect(),
    };
    let refined = match refine_with(&case.source, &case.resolutions, &case.limitations, &[edit]) {
        Ok(refined) => refined,
        Err(error) => panic!("an edit cost the spec: {error}"),
    };
    match refined.edited.is_empty() {
        true => assert_eq!(refined.text, plain, "an edit that was left aside shows"),
        false => {
            let before = &case.source[..section.own.start];
            let kept = refined.text.starts_with(before) || names_any(before, &case.accepted());
            assert!(kept, "before the edited section:\n{}", refined.text);
        }
    }
}

/// The refined spec as the source of a new session: what was settled is not declared again, and its ids are taken.
fn assert_goes_on(case: &Case, spec: &str) {
    let begin = |source: &str| {
        let mut session = Session::default();
        let begun = session.feed(Incoming::Start(Box::new(start(source))));
        begun.map(|()| session)
    };
    let before = match begin(&case.source) {
        Err(Refusal::EmptySource | Refusal::DuplicateGap { .. } | Refusal::OutOfIds(_)) => return,
        other => other,
    };
    assert!(before.is_ok(), "the source can't be begun with");
    let session = match begin(spec) {
        Ok(session) => session,
        Err(refusal) => panic!("{refusal}, in:\n{spec}"),
    };
    for gap in case.accepted() {
        let used = session.state.kept.used_gap_ids.contains(&gap);
        assert!(used, "{gap} could be given again");
    }
}
