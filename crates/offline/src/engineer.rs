//! The Engineer's document: for each gap what the user decided, else a default of the catalogue, else a question. All of it is
//! changes of the specification in place. A default that is still to be confirmed is proposed again as it was.

use std::ops::Range;

use gapless_domain::ids::HIGHEST_NUMBER;
use gapless_domain::{
    AssignedDecision, AssignedGap, Assignment, ChangeText, GapId, IssueId, Role, Strictness,
    comma_list, one_line,
};
use gapless_markdown::Document;
use gapless_reading::read::{EngineerReading, Reading, read_engineer};
use gapless_reading::validate::{GapAssignment, IssueAssignment, ValidationContext, validate};

use crate::changes::{Quoting, applied, fenced, written};
use crate::choosing::{is_there, suggestion};
use crate::plain_words::plain_to;
use crate::{Entry, Spec, Suggestion, Used, asking, decided, in_place};

const LONGEST_SUMMARY: usize = 160;
const NEEDED: &str = "say what should hold here, with its numbers, units and names";
const UNCHANGED: &str = "Nothing is changed: a default is taken or replaced as a whole, and which of the two is the user's to say.";

/// Writes the Engineer's document for an assignment.
pub fn engineer(assignment: &Assignment) -> String {
    // What is blocked comes first: behind a section it would stand in it.
    let (mut parts, mut sections) = (Vec::new(), Vec::new());
    let spec = Spec::of(&assignment.spec);
    let mut writing = Writing {
        assignment,
        used: Used::default(),
        sentences: assignment
            .gaps
            .iter()
            .filter_map(|gap| Some(spec.place_of(gap)?.sentence))
            .collect(),
        taken: Vec::new(),
        text: assignment.spec.clone(),
    };
    for gap in &assignment.gaps {
        match writing.resolution(&spec, gap) {
            Resolution::Blocked(line) => parts.push(line),
            Resolution::Section(text) => sections.push(text),
        }
    }
    parts.append(&mut sections);
    if parts.is_empty() {
        parts.push("No gap is assigned.".to_owned());
    }
    parts.join("\n\n") + "\n"
}

enum Resolution {
    Section(String),
    Blocked(String),
}

/// A document under way.
struct Writing<'a> {
    assignment: &'a Assignment,
    used: Used,
    /// The sentences that its gaps are from.
    sentences: Vec<Range<usize>>,
    /// The passages that its changes quote.
    taken: Vec<Range<usize>>,
    /// The specification with its changes so far.
    text: String,
}

impl Writing<'_> {
    fn resolution(&mut self, spec: &Spec<'_>, gap: &AssignedGap) -> Resolution {
        let decided = decided::on(self.assignment, &gap.id);
        if !decided.is_empty() {
            let section = self.carried_out(spec, gap, &decided);
            let ids = comma_list(decided.iter().map(|decision| decision.id));
            let said = format!("The text is now what the user decided: {ids}.");
            return with_responses(section, gap, &said);
        }
        let mut issues = gap.issues.iter();
        let of_others = issues.find(|issue| issue.severity.holds() && !issue.settled_by_user);
        if let (Some(issue), Some(_)) = (of_others, &gap.proposal) {
            let summary = plain_to(&issue.summary, LONGEST_SUMMARY);
            let needed = format!("say what answers {} ({summary}): no rule can", issue.id);
            return blocked(&gap.id, &needed);
        }
        if let Some(text) = self.still_to_confirm(spec, gap) {
            return with_responses(text, gap, UNCHANGED);
        }
        match self.suggested(spec, gap) {
            Some(section) => with_responses(section, gap, UNCHANGED),
            None => blocked(&gap.id, &asking::question(gap, spec)),
        }
    }

    /// The section of a default that waits for the user, where it still fits.
    fn still_to_confirm(&mut self, spec: &Spec<'_>, gap: &AssignedGap) -> Option<String> {
        let proposal = gap.proposal.as_ref()?;
        let default = proposal.default.as_deref()?;
        let section = proposal.text.trim();
        let reading = read_engineer(&Document::parse(section), Strictness::Strict);
        let [bound] = reading.gaps.as_slice() else {
            return None;
        };
        let changes: Vec<ChangeText> = bound.changes.iter().map(|change| change.texts()).collect();
        let waits = binds_alone(section, &gap.id, Some(default), &changes);
        (waits && !changes.is_empty() && self.take(spec, &changes)).then(|| section.to_owned())
    }

    /// The section of a default from the catalogue.
    fn suggested(&mut self, spec: &Spec<'_>, gap: &AssignedGap) -> Option<String> {
        let sentence = spec.place_of(gap)?.sentence;
        let of_same = self.sentences.iter().filter(|other| **other == sentence);
        let quotings = match of_same.count() {
            0 | 1 => [Quoting::Sentences, Quoting::Words],
            _ => [Quoting::Words, Quoting::Sentences],
        };
        quotings.into_iter().find_map(|quoting| {
            let suggestion = suggestion(gap, spec, &self.used, quoting)
                .filter(|suggestion| !self.is_proposed(suggestion.entry))?;
            let section = default_section(&gap.id, &suggestion);
            let group = Some(suggestion.entry.group.as_str());
            let fits = binds_alone(&section, &gap.id, group, &suggestion.changes)
                && self.take(spec, &suggestion.changes);
            fits.then(|| {
                self.used.note(suggestion.entry);
                section
            })
        })
    }

    /// True where a change of this document, or a proposal that waits, brings a default already.
    fn is_proposed(&self, entry: &Entry) -> bool {
        let proposals = self.assignment.gaps.iter();
        let mut waiting = proposals.filter_map(|gap| gap.proposal.as_ref());
        is_there(entry, &self.text) || waiting.any(|proposal| is_there(entry, &proposal.text))
    }

    /// Notes the passages that changes quote, unless another change of the document quotes one of them too.
    fn take(&mut self, spec: &Spec<'_>, changes: &[ChangeText]) -> bool {
        let mut quoted = Vec::new();
        for change in changes {
            let Some(old) = &change.old else {
                continue;
            };
            let Some(at) = spec.text.find(old.as_str()) else {
                return false;
            };
            quoted.push(at..at + old.len());
        }
        let overlaps = |range: &Range<usize>| {
            let mut taken = self.taken.iter();
            taken.any(|other| range.start < other.end && other.start < range.end)
        };
        if quoted.iter().any(overlaps) {
            return false;
        }
        self.taken.extend(quoted);
        self.make(changes)
    }

    fn make(&mut self, changes: &[ChangeText]) -> bool {
        let mut text = self.text.clone();
        for change in changes {
            match applied(&text, change) {
                Some((changed, _)) => text = changed,
                None => return false,
            }
        }
        self.text = text;
        true
    }

    /// What the user decided as the proposal for a gap.
    fn carried_out(
        &mut self,
        spec: &Spec<'_>,
        gap: &AssignedGap,
        decided: &[&AssignedDecision],
    ) -> String {
        let said = decided::text(decided);
        let ids = comma_list(decided.iter().map(|decision| decision.id));
        let fits = |section: &str, changes: &[ChangeText]| {
            binds_alone(section, &gap.id, None, changes) && keeps_its_parts(section)
        };
        let changes = in_place::changes_for(gap, spec, &said);
        let section = users_section(&gap.id, &said, &changes, &ids);
        if !changes.is_empty() && fits(&section, &changes) && self.take(spec, &changes) {
            return section;
        }
        // Another gap changes the same sentence: these come on top.
        let text = self.text.clone();
        let changes = in_place::changes_for(gap, &Spec::of(&text), &said);
        let section = users_section(&gap.id, &said, &changes, &ids);
        if !changes.is_empty() && fits(&section, &changes) && self.make(&changes) {
            return section;
        }
        let plain = users_section(&gap.id, &said, &[], &ids);
        match fits(&plain, &[]) {
            true => plain,
            // Words that would be read as structure bind nothing in a code block.
            false => users_section(&gap.id, &fenced("text", &said), &[], &ids),
        }
    }
}

fn blocked(gap: &GapId, needed: &str) -> Resolution {
    let line = |needed: &str| format!("BLOCKED_NEEDS_INPUT: {gap} {}", one_line(needed));
    let asked = line(needed);
    Resolution::Blocked(match asks_alone(&asked, gap) {
        true => asked,
        // What it quotes would be read as something else.
        false => line(NEEDED),
    })
}

/// True where a line is read as the marker of this gap and says nothing else.
fn asks_alone(line: &str, gap: &GapId) -> bool {
    [Strictness::Strict, Strictness::Tolerant]
        .into_iter()
        .all(|mode| {
            let checked = validate(Role::Engineer, Some(line), mode, &AnyGap);
            let Some(Reading::Engineer(reading)) = checked.reading else {
                return false;
            };
            let blocked: Vec<&GapId> = reading.blocked.iter().map(|it| &it.gap).collect();
            checked.result.success
                && blocked == [gap]
                && reading.gaps.is_empty()
                && reading.responses.is_empty()
                && reading.disagreements.is_empty()
                && reading.uncertain_about.is_empty()
                && reading.new_gaps.is_empty()
        })
}

fn with_responses(section: String, gap: &AssignedGap, said: &str) -> Resolution {
    let mut text = section;
    for issue in gap.issues.iter().filter(|issue| !issue.settled_by_user) {
        text += &format!("\n\n## Response to {}\n\n{said}", issue.id);
    }
    Resolution::Section(text)
}

fn default_section(gap: &GapId, suggestion: &Suggestion) -> String {
    let Entry {
        group,
        why,
        examples,
        trade_offs,
        source,
        ..
    } = suggestion.entry;
    let source = source
        .as_ref()
        .map_or(String::new(), |source| format!("\n\nSource: {source}."));
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** LOW\n\n**Default to confirm:** {group}\n\n### Proposed Solution\n\n\
         It would say: {} {why}\n\n{}\n\n### Examples\n\n{examples}\n\n### Trade-offs\n\n{trade_offs}{source}\n\n\
         ### New Gaps Introduced\n\nNone",
        quoted(&suggestion.reads),
        written(&suggestion.changes),
    )
}

/// Words of the specification in quotes, with a full stop behind them where they have none.
fn quoted(text: &str) -> String {
    let end = match text.ends_with(['.', '!', '?']) {
        true => "",
        false => ".",
    };
    format!("“{text}”{end}")
}

fn users_section(gap: &GapId, said: &str, changes: &[ChangeText], ids: &str) -> String {
    let changes = match changes.is_empty() {
        true => String::new(),
        false => format!("\n\n{}", written(changes)),
    };
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{said}{changes}\n\n### Trade-offs\n\n\
         It is what the user decided ({ids}); nothing else was weighed.\n\n### New Gaps Introduced\n\nNone"
    )
}

/// True where a section is valid as this gap's, makes these changes and says nothing else, also with another behind it.
fn binds_alone(section: &str, gap: &GapId, default: Option<&str>, changes: &[ChangeText]) -> bool {
    let Some(behind) = GapId::new("ZZ", HIGHEST_NUMBER) else {
        return false;
    };
    let text =
        format!("{section}\n\n## Gap Resolution: {behind}\n\n**Confidence:** LOW\n\nIt ends.\n");
    [Strictness::Strict, Strictness::Tolerant]
        .into_iter()
        .all(|mode| {
            let checked = validate(Role::Engineer, Some(&text), mode, &AnyGap);
            let Some(Reading::Engineer(reading)) = checked.reading else {
                return false;
            };
            let bound: Vec<&GapId> = reading.gaps.iter().map(|bound| &bound.gap).collect();
            bound == [gap, &behind]
                && reading.gaps[0].default.as_deref() == default
                && makes(&reading, changes)
                && says_nothing_else(&reading)
        })
}

fn makes(reading: &EngineerReading, changes: &[ChangeText]) -> bool {
    let read = reading.gaps.iter().flat_map(|bound| &bound.changes);
    let read = read.map(|change| (change.kind, change.old.clone(), change.new.clone()));
    let meant = changes.iter();
    read.eq(meant.map(|change| (change.kind, change.old.clone(), change.new.clone())))
}

/// Takes every gap and every issue for one of the task, so that nothing that a section says of another is passed over.
struct AnyGap;

impl ValidationContext for AnyGap {
    fn gap(&self, _: &GapId) -> GapAssignment {
        GapAssignment::Assigned
    }

    fn issue(&self, _: &IssueId) -> IssueAssignment {
        IssueAssignment::Due
    }
}

fn says_nothing_else(reading: &EngineerReading) -> bool {
    reading.responses.is_empty()
        && reading.disagreements.is_empty()
        && reading.blocked.is_empty()
        && reading.uncertain_about.is_empty()
        && reading.new_gaps.is_empty()
        && reading.gaps.iter().all(|bound| {
            bound.canonical && bound.new_gaps.is_empty() && bound.unclear_changes.is_empty()
        })
}

/// True where the only parts of a section are those of the form: no words of the user open or close one.
fn keeps_its_parts(section: &str) -> bool {
    let document = Document::parse(section);
    let parts = document.headings.iter().filter(|heading| heading.level < 4);
    let wanted = match section.contains("\n### Spec Changes\n") {
        true => 5,
        false => 4,
    };
    let fields = document.prose().lines().filter(|line| {
        line.trim_start().starts_with("**Confidence") || line.trim_start().starts_with("**Default")
    });
    parts.count() == wanted && fields.count() == 1
}
