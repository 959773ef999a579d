//! The anchors of headings, as the common hosts of markdown make them.

use std::collections::BTreeMap;

/// Gives out anchors in the order of the document: the second heading with the same words gets `-1`, the third `-2`.
#[derive(Default)]
pub(super) struct Anchors {
    given: BTreeMap<String, u32>,
}

impl Anchors {
    pub fn of(&mut self, heading: &str) -> String {
        let plain = slug(heading);
        let mut anchor = plain.clone();
        while self.given.contains_key(&anchor) {
            let count = self.given.entry(plain.clone()).or_default();
            *count += 1;
            anchor = format!("{plain}-{count}");
        }
        self.given.insert(anchor.clone(), 0);
        anchor
    }
}

fn slug(heading: &str) -> String {
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_lowercase_words_with_doubles_numbered() {
        let mut anchors = Anchors::default();
        let given: Vec<String> = [
            "Retry schedule",
            "1. What's `next`?",
            "Retry schedule",
            "Retry schedule 1",
            "Größe & Maß",
            "Retry schedule",
        ]
        .iter()
        .map(|heading| anchors.of(heading))
        .collect();
        assert_eq!(
            given,
            [
                "retry-schedule",
                "1-whats-next",
                "retry-schedule-1",
                "retry-schedule-1-1",
                "größe--maß",
                "retry-schedule-2"
            ]
        );
    }
}
