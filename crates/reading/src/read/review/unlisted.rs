//! Findings in places of no known role: a review that asks for a revision, or approves with notes, says why somewhere.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::fields::is_none_word;
use super::fields::is_part_of_issue;
use super::findings::{Findings, top_items};
use super::gap_titles::NamedGap;
use super::item_text::{is_template, names_nothing, objects, without_box};
use super::section::Why;
use super::titles::SectionRole;
use super::verdict_words::Verdict;
use gapless_domain::{GapId, gap_ids_in};

impl Findings<'_, '_> {
    /// A review that asks for a revision, or approves with notes, says why. Where no place for findings has any, the lists in
    /// places that could be anything are taken.
    pub fn read_where_none_was_found(&mut self) {
        let wants =
            |verdict: Verdict| matches!(verdict, Verdict::Revise | Verdict::ApproveWithNotes);
        let revises = |verdict: Verdict| verdict == Verdict::Revise;
        let all = self.review.verdicts.values().copied();
        let mut all = all.chain(self.review.verdict);
        if self.issues.is_empty() && all.clone().any(wants) {
            let revised = all.any(revises);
            self.read_lists_of(&(0..self.review.document.source.len()), revised);
        }
        let issues = self.issues.iter();
        let raised: BTreeSet<GapId> = issues.filter_map(|issue| issue.gap.clone()).collect();
        for scope in self.review.scopes {
            let verdict = |gap: &NamedGap| self.review.verdicts.get(&gap.id).copied();
            let asked = scope.gaps.iter().filter_map(verdict).any(wants);
            let revised = scope.gaps.iter().filter_map(verdict).any(revises);
            let said = scope.gaps.iter().any(|gap| raised.contains(&gap.id));
            if asked && !said {
                self.read_lists_of(&scope.body, revised);
            }
        }
        self.issues.sort_by_key(|issue| issue.line);
    }

    /// Takes the lists of the first kind of section in a range that has any. What comes with an approval stands only where
    /// remarks are announced.
    fn read_lists_of(&mut self, range: &Range<usize>, anywhere: bool) {
        let kinds: [&[SectionRole]; 3] = [
            &[SectionRole::Verdict],
            &[
                SectionRole::Remarks,
                SectionRole::Other,
                SectionRole::Review,
                SectionRole::Title,
            ],
            &[SectionRole::Summary],
        ];
        for roles in kinds {
            let sections = self.outline.within(range).iter();
            let sections = sections.filter(|section| {
                let announced = section.role == SectionRole::Verdict
                    || matches!(section.why, Why::Words(_) | Why::SomeWords(_));
                roles.contains(&section.role)
                    && (anywhere || announced)
                    && section.why != Why::BehindRule
                    && section.own.start >= range.start
                    && section.own.end <= range.end
            });
            let mut entries = Vec::new();
            for section in sections {
                for item in top_items(self.review.document, &section.own) {
                    let text = item.text.as_str();
                    let says = !is_none_word(text) && !names_nothing(text) && !is_template(text);
                    let judges = gap_ids_in(text).first().is_some_and(|gap| gap.at <= 2);
                    let plain = without_box(text) == text && !is_part_of_issue(text);
                    if says && plain && !judges && objects(text) {
                        entries.push(self.found_in(item, text));
                    }
                }
            }
            if !entries.is_empty() {
                self.take_all(entries);
                return;
            }
        }
    }
}
