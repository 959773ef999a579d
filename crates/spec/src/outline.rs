//! The view of the refined spec section by section, for prompts.

use super::accepted::{AssemblyError, edited_texts, place, resolutions};
use super::layout::{APPENDIX, Layout, TRACE};
use super::resolution::Placement;
use gapless_domain::{Gap, GapId, Texts};
use gapless_markdown::Document;
use gapless_reading::read::inventory;
use gapless_session::state::State;

/// The sections of the refined spec, for showing those that gaps touch. Behind those of the source stands the one for
/// what belongs nowhere else.
pub struct Outline<'d> {
    state: &'d State,
    layout: Layout<'d>,
}

impl<'d> Outline<'d> {
    pub fn of(
        document: &'d Document<'d>,
        state: &'d State,
        texts: &dyn Texts,
    ) -> Result<Self, AssemblyError> {
        let resolutions = resolutions(state, texts)?;
        let declared = inventory(document).declared;
        Ok(Self {
            state,
            layout: Layout::of(
                document,
                &declared,
                &resolutions,
                Placement::InSections,
                &edited_texts(state, texts)?,
            ),
        })
    }

    pub fn title(&self, index: usize) -> &str {
        let section = self.layout.homes.sections.get(index);
        section.map_or(APPENDIX, |section| &section.title)
    }

    /// The sections that these gaps touch, in the order of the spec.
    pub fn touched_by(&self, gaps: &[&Gap]) -> Vec<usize> {
        let mut touched: Vec<usize> = gaps.iter().filter_map(|gap| self.home(gap)).collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    fn home(&self, gap: &Gap) -> Option<usize> {
        let part = self
            .layout
            .parts
            .iter()
            .find(|part| part.gaps.contains(&gap.id));
        match part {
            Some(part) => Some(part.home.unwrap_or(self.layout.homes.sections.len())),
            None => {
                let place = place(self.state, gap);
                self.layout.homes.home(&place, &gap.description)
            }
        }
    }

    /// The titles of all other sections, on one line.
    pub fn other_titles(&self, touched: &[usize]) -> Option<String> {
        let titles: Vec<&str> = self
            .layout
            .homes
            .sections
            .iter()
            .enumerate()
            .filter(|(index, section)| !touched.contains(index) && section.level <= 3)
            .map(|(_, section)| section.title.as_str())
            .take(60)
            .collect();
        (!titles.is_empty()).then(|| titles.join(" · "))
    }

    /// A section's own text with its parts and replacements, as the refined spec has them, without the marks of what settles
    /// which gap.
    pub fn section_with_resolutions(&self, index: usize) -> String {
        without_traces(&self.layout.section(index))
    }

    /// The refined spec without what is left open, and without the marks.
    pub fn whole(&self) -> String {
        without_traces(&self.layout.write(&[]))
    }
}

/// A text without the lines that say which gap a part settles.
fn without_traces(text: &str) -> String {
    let is_trace = |line: &str| {
        let said = line.trim_end().strip_prefix(TRACE);
        let gap = said.and_then(|said| said.strip_suffix(" -->"));
        gap.is_some_and(|gap| gap.trim_start_matches("end ").parse::<GapId>().is_ok())
    };
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !is_trace(line)).collect()
}
