//! Which section of the source a gap belongs to.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Walked;
use super::phrases::LISTING_WORDS;
use gapless_domain::GapId;
use gapless_markdown::Document;
use gapless_reading::read::{Declaration, DeclaredAs, DeclaredGap, Section};
use gapless_reading::read::{earlier_limitations, lists_what_is_open, sections};

/// What is known of where a gap belongs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The line of the source that declares it, or the gap that it was split from.
    pub line: Option<u32>,
    /// The section that it names.
    pub section: Option<String>,
}

/// What stands in a section: entries that declare gaps, and everything else.
#[derive(Default)]
struct Tally {
    entries: usize,
    others: usize,
    categories: BTreeSet<String>,
}

/// The sections of a source, ready to be asked for the home of a gap.
pub(super) struct Homes<'d> {
    document: &'d Document<'d>,
    pub sections: Vec<Section>,
    /// Sections that list gaps.
    lists: BTreeSet<usize>,
    /// The title of the whole document.
    title: Option<usize>,
    plain_titles: Vec<String>,
    by_title: BTreeMap<String, usize>,
    words: OnceCell<BTreeMap<String, Vec<(usize, u32)>>>,
}

impl<'d> Homes<'d> {
    pub fn of(document: &'d Document<'d>, walked: &Walked, declared: &[Declaration]) -> Self {
        let sections = sections(document);
        let plain_titles: Vec<String> = sections.iter().map(|s| plain_title(&s.title)).collect();
        let mut by_title = BTreeMap::new();
        for (index, title) in plain_titles.iter().enumerate() {
            by_title.entry(title.clone()).or_insert(index);
        }
        let first_level = |section: &Section| section.level == 1;
        let title = (sections.len() > 1
            && sections.first().is_some_and(first_level)
            && !sections[1..].iter().any(first_level))
        .then_some(0);
        let mut homes = Self {
            document,
            sections,
            lists: BTreeSet::new(),
            title,
            plain_titles,
            by_title,
            words: OnceCell::new(),
        };
        homes.lists = homes.gap_lists(walked, declared);
        if let Some(earlier) = earlier_limitations(&document.source) {
            let within = |index: &usize| earlier.contains(&homes.sections[*index].own.start);
            homes.lists.extend((0..homes.sections.len()).filter(within));
        }
        homes
    }

    /// Sections whose entries that declare gaps outnumber everything else in them, unless they are about the one thing
    /// that all these gaps are about: a stub with its gaps in it.
    fn gap_lists(&self, walked: &Walked, declared: &[Declaration]) -> BTreeSet<usize> {
        let mut items: BTreeMap<usize, &GapId> = BTreeMap::new();
        let mut rows: BTreeMap<usize, &GapId> = BTreeMap::new();
        let mut blocks: BTreeMap<usize, &GapId> = BTreeMap::new();
        for declaration in declared {
            for (_, form) in &declaration.forms {
                let (forms, at) = match form {
                    DeclaredAs::Item(index) => (&mut items, *index),
                    DeclaredAs::Row(index) => (&mut rows, *index),
                    DeclaredAs::Words(range) if self.is_block(range) => (&mut blocks, range.start),
                    DeclaredAs::Words(_) | DeclaredAs::Heading | DeclaredAs::Marks(_) => continue,
                };
                forms.insert(at, &declaration.gap.id);
            }
        }
        let mut tallies: BTreeMap<usize, Tally> = BTreeMap::new();
        let mut count = |at: usize, gap: Option<&GapId>| {
            let Some(index) = self.at(at) else {
                return;
            };
            let tally = tallies.entry(index).or_default();
            match gap {
                Some(gap) => {
                    tally.entries += 1;
                    tally.categories.insert(gap.category().to_owned());
                }
                None => tally.others += 1,
            }
        };
        for (index, item) in self.document.items.iter().enumerate() {
            if item.depth == 0 {
                let written = DeclaredGap::from_item(&item.text, item.line).map(|gap| gap.id);
                let gap = items.get(&index).copied().or(written.as_ref());
                count(item.span.start, gap);
            }
        }
        for (index, (row, cells)) in walked.rows.iter().zip(&self.document.rows).enumerate() {
            if !row.is_head {
                let written = DeclaredGap::from_row(&cells.cells, cells.line).map(|gap| gap.id);
                let gap = rows.get(&index).copied().or(written.as_ref());
                count(row.span.start, gap);
            }
        }
        for block in &walked.blocks {
            count(*block, blocks.get(block).copied());
        }
        let open = (0..self.sections.len())
            .filter(|index| lists_what_is_open(&self.sections[*index].title));
        tallies
            .into_iter()
            .filter(|(index, tally)| {
                let about_gaps = says_that_it_lists(&self.plain_titles[*index]);
                tally.entries > tally.others && (about_gaps || tally.categories.len() > 1)
            })
            .map(|(index, _)| index)
            .chain(open)
            .collect()
    }

    /// The section in which a byte of the source stands.
    pub fn at(&self, at: usize) -> Option<usize> {
        self.sections
            .partition_point(|section| section.own.start <= at)
            .checked_sub(1)
    }

    fn is_block(&self, range: &Range<usize>) -> bool {
        let blocks = &self.document.blocks;
        let at = blocks.partition_point(|block| block.span.start < range.start);
        blocks.get(at).is_some_and(|block| block.span == *range)
    }

    fn at_line(&self, line: u32) -> Option<usize> {
        self.sections
            .partition_point(|section| section.line <= line)
            .checked_sub(1)
    }

    /// The section that a gap belongs to: where it is declared, else what it names, else what encloses the list that
    /// declares it, else what its words fit best. `None` where nothing does.
    pub fn home(&self, place: &Place, description: &str) -> Option<usize> {
        let declared = place.line.and_then(|line| self.at_line(line));
        let proper = |index: &usize| !self.lists.contains(index) && self.title != Some(*index);
        // What a heading itself declares stands below it.
        let heads = |index: &usize| Some(self.sections[*index].line) == place.line;
        declared
            .filter(|index| heads(index) || proper(index))
            .or_else(|| self.named(place.section.as_deref()?))
            .or_else(|| self.enclosing(declared?).filter(proper))
            .or_else(|| self.best_fit(description))
            .or_else(|| declared.filter(|index| !self.lists.contains(index)))
    }

    fn enclosing(&self, index: usize) -> Option<usize> {
        let level = self.sections[index].level;
        self.sections[..index]
            .iter()
            .rposition(|section| section.level < level)
    }

    fn named(&self, name: &str) -> Option<usize> {
        let last = name.rsplit(['>', '→', '/']).next().unwrap_or(name);
        [name, last]
            .into_iter()
            .find_map(|name| self.titled(name))
            .filter(|index| !self.lists.contains(index))
    }

    fn titled(&self, name: &str) -> Option<usize> {
        let wanted = plain_title(name);
        if let Some(index) = self.by_title.get(&wanted).filter(|_| !wanted.is_empty()) {
            return Some(*index);
        }
        only_fitting(&self.sections, &self.plain_titles, name)
    }

    /// The section with most of the description's words in it, its title counting more; at least two points are needed.
    fn best_fit(&self, description: &str) -> Option<usize> {
        let index = self.words.get_or_init(|| self.index_of_words());
        let mut scores: BTreeMap<usize, u32> = BTreeMap::new();
        for word in words(description) {
            let places = index.get(&word).map_or(&[][..], Vec::as_slice);
            // What stands nearly everywhere says nothing about where.
            if self.sections.len() >= 6 && places.len() * 2 > self.sections.len() {
                continue;
            }
            for (section, weight) in places {
                *scores.entry(*section).or_default() += weight;
            }
        }
        scores
            .into_iter()
            .filter(|(_, score)| *score >= 2)
            .max_by_key(|(section, score)| (*score, std::cmp::Reverse(*section)))
            .map(|(section, _)| section)
    }

    fn index_of_words(&self) -> BTreeMap<String, Vec<(usize, u32)>> {
        let mut index: BTreeMap<String, Vec<(usize, u32)>> = BTreeMap::new();
        for (number, section) in self.sections.iter().enumerate() {
            if self.lists.contains(&number) || self.title == Some(number) {
                continue;
            }
            let body = self.document.source.get(section.own.clone());
            let mut weights: BTreeMap<String, u32> = BTreeMap::new();
            for word in words(body.unwrap_or("")) {
                *weights.entry(word).or_default() += 1;
            }
            for word in words(&section.title) {
                *weights.entry(word).or_default() += 2;
            }
            for (word, weight) in weights {
                index.entry(word).or_default().push((number, weight));
            }
        }
        index
    }

    /// The level of the document's main sections.
    pub fn main_level(&self) -> u8 {
        let from = usize::from(self.title.is_some());
        let levels = self.sections[from.min(self.sections.len())..].iter();
        let alone = self.sections.len() == 1 && self.sections[0].level == 1;
        match levels.map(|section| section.level).min() {
            Some(level) if !alone => level,
            _ => 2,
        }
    }
}

fn says_that_it_lists(plain_title: &str) -> bool {
    plain_title
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| LISTING_WORDS.contains(&word))
}

/// The sections that a name means: those with the title, or with the title inside the section that is named before it
/// (`Limits > Retries`), else the only one whose title or number fits.
pub(super) fn sections_titled(sections: &[Section], name: &str) -> Vec<usize> {
    let titles: Vec<String> = sections.iter().map(|it| plain_title(&it.title)).collect();
    let wanted = plain_title(name);
    let exact = |wanted: &str| -> Vec<usize> {
        let all = titles.iter().enumerate();
        let same = all.filter(|(_, title)| *title == wanted && !wanted.is_empty());
        same.map(|(index, _)| index).collect()
    };
    let found = exact(&wanted);
    if !found.is_empty() {
        return found;
    }
    if let Some((around, last)) = name.rsplit_once(['>', '→', '/']) {
        let around = around.rsplit(['>', '→', '/']).next().unwrap_or(around);
        let around = exact(&plain_title(around));
        let is_inside = |index: &usize| {
            let start = sections[*index].own.start;
            let mut around = around.iter().map(|outer| &sections[*outer].whole);
            around.any(|whole| whole.contains(&start))
        };
        let mut found = exact(&plain_title(last));
        if found.len() > 1 {
            found.retain(is_inside);
        }
        if !found.is_empty() {
            return found;
        }
    }
    only_fitting(sections, &titles, name).into_iter().collect()
}

/// The only section whose title has the name in it, or the other way round, or that has its number.
fn only_fitting(sections: &[Section], titles: &[String], name: &str) -> Option<usize> {
    let wanted = plain_title(name);
    let number = number(name);
    let fits = |index: &usize| {
        let title = &titles[*index];
        let one_in_the_other = wanted.len() >= 3
            && title.len() >= 3
            && (wanted.contains(title.as_str()) || title.contains(&wanted));
        let same_number = !number.is_empty() && number == self::number(&sections[*index].title);
        one_in_the_other || same_number
    };
    let mut fitting = (0..sections.len()).filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// A title without its number, marks and case.
pub(super) fn plain_title(title: &str) -> String {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ');
    let bare = without_section_word(title).trim_start_matches(is_of_number);
    bare.chars()
        .filter(|c| !matches!(c, '"' | '\'' | '`' | '*' | '“' | '”'))
        .collect::<String>()
        .trim()
        .to_lowercase()
}

fn without_section_word(title: &str) -> &str {
    let title = title.trim().trim_start_matches("Section ");
    title.trim_start_matches("section ").trim_start_matches('§')
}

/// The number of a section: `4.3` of `4.3 Gaps` and of `§4.3`.
fn number(title: &str) -> &str {
    let bare = without_section_word(title).trim();
    let end = bare
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(bare.len());
    bare[..end].trim_matches('.')
}

/// Words of five letters or more, so that small words don't decide, without the ending of a plural.
fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= 5)
        .map(|word| {
            let word = word.to_lowercase();
            match word.strip_suffix("ies") {
                Some(stem) => format!("{stem}y"),
                None => word.trim_end_matches('s').to_owned(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::walk::walk;
    use super::*;
    use gapless_reading::read::inventory;

    fn home(source: &str, line: Option<u32>, section: Option<&str>, what: &str) -> String {
        let document = Document::parse(source);
        let homes = Homes::of(&document, &walk(source), &inventory(&document).declared);
        let place = Place {
            line,
            section: section.map(str::to_owned),
        };
        let home = homes.home(&place, what);
        home.map_or("-".to_owned(), |index| homes.sections[index].title.clone())
    }

    const SOURCE: &str = "# Service\n\n- GAP-TOP-001: zz\n\nAbout.\n\n## 1. Retries\n\n- GAP-RTY-001: zz\n\n## 2. Storage\n\nRows are kept in clusters.\n\n### 2.1 Missing\n\n| Gap | What |\n|---|---|\n| GAP-STO-001 | zz |\n\n## Known gaps\n\n- GAP-AA-001: zz\n- GAP-BB-001: zz\n";

    #[test]
    fn a_gap_belongs_where_it_is_declared_unless_that_is_a_list() {
        assert_eq!(home(SOURCE, Some(9), None, ""), "1. Retries", "a stub");
        assert_eq!(home(SOURCE, Some(20), None, ""), "2. Storage", "around");
        assert_eq!(home(SOURCE, Some(24), None, ""), "-");
        assert_eq!(home(SOURCE, Some(3), None, ""), "Service");
        assert_eq!(home(SOURCE, Some(3), None, "the cluster's rows"), "Service");
        assert_eq!(
            home(SOURCE, Some(3), None, "storage of a row in clusters"),
            "2. Storage",
            "the title of everything is a poor home"
        );
    }

    #[test]
    fn a_gap_names_its_section_in_many_ways() {
        for name in [
            "Storage",
            "storage",
            "2. Storage",
            "§2",
            "the Storage section",
            "Service > Storage",
            "\"Storage\"",
        ] {
            assert_eq!(
                home(SOURCE, Some(24), Some(name), ""),
                "2. Storage",
                "{name}"
            );
        }
        for name in ["", "known gaps", "nowhere", "Retries and Storage", "s"] {
            assert_eq!(home(SOURCE, None, Some(name), ""), "-", "{name}");
        }
    }

    #[test]
    fn words_decide_last() {
        assert_eq!(
            home(SOURCE, None, None, "how clusters keep their rows"),
            "-"
        );
        assert_eq!(home(SOURCE, None, None, "storage clusters"), "2. Storage");
    }
}
