//! What holds of the time that reading takes: it grows with the length of a text and no faster. There is no clock here: what
//! grows faster takes so long on a text of some size that whoever runs this gives up on it.

use gapless_detection::disagreement::{Parameters, examine_pair};
use gapless_domain::{ChangeKind, ChangeText, GapId, Role, Strictness, TextHash};
use gapless_markdown::Document;
use gapless_mediator::examples::shorten;
use gapless_reading::read::{
    inventory, near_misses, read_decisions, read_foreign, read_status, sections,
};
use gapless_reading::validate::{salvage, validate};
use gapless_spec::{Accepted, Place, Resolution, refine};

use crate::input::Input;
use crate::reading::Known;

/// How long a text is made.
const LENGTH: usize = 128 * 1024;

/// Something said again and again, between a beginning and an end.
pub fn growth(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = input.byte();
    let (begin, again, end) = (input.text(), input.text(), input.text());
    if again.is_empty() || data.len() > 1024 {
        return;
    }
    let times = LENGTH / again.len();
    let text = format!("{begin}{}{end}", again.repeat(times));
    match kind % 9 {
        role @ 0..5 => {
            let ground = Known::of(&text, 0);
            let role = Role::ALL[usize::from(role)];
            let _ = validate(role, Some(&text), Strictness::Tolerant, &ground);
            let _ = salvage(role, &text, &ground);
        }
        5 => {
            let document = Document::parse(&text);
            let _ = (read_status(&document), read_foreign(&document));
            let _ = read_decisions(&document);
        }
        6 => {
            let document = Document::parse(&text);
            let _ = (sections(&document), inventory(&document));
            let _ = near_misses(&document);
        }
        7 => {
            let _ = examine_pair(&text, &text, Some(&begin), None, &Parameters::default());
            let _ = shorten(&text, 500);
        }
        _ => {
            let Ok(gap) = "GAP-COL-001".parse::<GapId>() else {
                return;
            };
            let replace = ChangeText {
                kind: ChangeKind::Replace,
                section: None,
                after: None,
                old: Some(begin),
                new: Some(end.clone()),
                line: 1,
            };
            let accepted = |changes: Vec<ChangeText>| Accepted {
                resolution: Resolution {
                    gap: gap.clone(),
                    description: "the colour".to_owned(),
                    place: Place::default(),
                    heading: None,
                    hash: TextHash::of(&end),
                    text: end.clone(),
                },
                changes,
                settled_with: None,
                round: 1,
            };
            for changes in [Vec::new(), vec![replace]] {
                let _ = refine(&text, &[accepted(changes)], &[], &[]);
            }
        }
    }
}
