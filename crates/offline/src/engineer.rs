//! The Engineer's document: for each gap what the user decided, else a default of the catalogue, else what only the user can
//! say. A default that is still to be confirmed is proposed again as it was.

use std::collections::BTreeSet;

use gapless_domain::ids::HIGHEST_NUMBER;
use gapless_domain::{
    AssignedDecision, AssignedGap, Assignment, GapId, IssueId, Role, Strictness, comma_list,
    one_line,
};
use gapless_markdown::Document;
use gapless_reading::read::{EngineerReading, Reading};
use gapless_reading::validate::{GapAssignment, IssueAssignment, ValidationContext, validate};

use crate::{Answer, Ask, Entry, answer, own_words, place};

const ANYTHING: &str = "say what should hold here, with its numbers and what happens when it fails: no default of the catalogue fits";
const LONGEST_SUMMARY: usize = 160;
const LONGEST_SUBJECT: usize = 40;

/// Writes the Engineer's document for an assignment.
pub fn engineer(assignment: &Assignment) -> String {
    let mut titles = BTreeSet::new();
    // What is blocked comes first: behind a section it would stand in it.
    let (mut parts, mut sections) = (Vec::new(), Vec::new());
    for gap in &assignment.gaps {
        match resolution(assignment, gap, &mut titles) {
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

fn resolution(
    assignment: &Assignment,
    gap: &AssignedGap,
    titles: &mut BTreeSet<String>,
) -> Resolution {
    let answer = answer(gap, &assignment.spec);
    let decided = own_words::on(assignment, &gap.id);
    if !decided.is_empty() {
        let section = carried_out(gap, answer, &decided);
        let ids = comma_list(decided.iter().map(|decision| decision.id));
        let said = format!("The part is now what the user decided: {ids}.");
        return with_responses(section, gap, &said);
    }
    let mut issues = gap.issues.iter();
    let of_others = issues.find(|issue| issue.severity.holds() && !issue.settled_by_user);
    if let (Some(issue), Some(_)) = (of_others, &gap.proposal) {
        let summary = place::plain_to(&issue.summary, LONGEST_SUMMARY);
        let needed = format!("say what answers {} ({summary}): no rule can", issue.id);
        return blocked(&gap.id, &needed);
    }
    if let Some(proposal) = &gap.proposal
        && proposal.default.is_some()
        && binds_alone(proposal.text.trim(), &gap.id, proposal.default.as_deref())
    {
        return with_responses(proposal.text.trim().to_owned(), gap, UNCHANGED);
    }
    match answer {
        Answer::Default(entry) => with_responses(default(gap, entry, titles), gap, UNCHANGED),
        Answer::Ask(ask) => blocked(&gap.id, &ask.needed),
        Answer::Nothing => blocked(&gap.id, ANYTHING),
    }
}

const UNCHANGED: &str = "Nothing is changed: a default is taken or replaced as a whole, and which of the two is the user's to say.";

fn blocked(gap: &GapId, needed: &str) -> Resolution {
    Resolution::Blocked(format!("BLOCKED_NEEDS_INPUT: {gap} {}", one_line(needed)))
}

fn with_responses(section: String, gap: &AssignedGap, said: &str) -> Resolution {
    let mut text = section;
    for issue in gap.issues.iter().filter(|issue| !issue.settled_by_user) {
        text += &format!("\n\n## Response to {}\n\n{said}", issue.id);
    }
    Resolution::Section(text)
}

fn default(gap: &AssignedGap, entry: &Entry, titles: &mut BTreeSet<String>) -> String {
    let title = free_title(place::title(&entry.title, gap), gap, titles);
    let source = entry
        .source
        .as_ref()
        .map_or(String::new(), |source| format!("\n\nSource: {source}."));
    format!(
        "## Gap Resolution: {}\n\n**Confidence:** LOW\n\n**Default to confirm:** {}\n\n### Proposed Solution\n\n#### {title}\n\n{}\n\n\
         ### Examples\n\n{}\n\n### Trade-offs\n\n{}{source}\n\n### New Gaps Introduced\n\nNone",
        gap.id, entry.group, entry.text, entry.examples, entry.trade_offs
    )
}

/// A title that no other part of this document has: with what the gap quotes, else with a number.
fn free_title(title: String, gap: &AssignedGap, titles: &mut BTreeSet<String>) -> String {
    if titles.insert(title.to_lowercase()) {
        return title;
    }
    let with_subject = subject(gap).map(|subject| format!("{title}, {subject}"));
    let numbered = (2..).map(|number: usize| format!("{title} ({number})"));
    let mut free = with_subject.into_iter().chain(numbered);
    free.find(|title| titles.insert(title.to_lowercase()))
        .unwrap_or(title)
}

/// What the user decided as the proposal for a gap.
fn carried_out(gap: &AssignedGap, answer: Answer, decided: &[&AssignedDecision]) -> String {
    let title = match answer {
        Answer::Default(entry) => Some(place::title(&entry.title, gap)),
        // The core derives one from what a person wrote of the gap; a rule's message is no title.
        Answer::Ask(_) | Answer::Nothing if gap.rule.is_none() => None,
        Answer::Ask(ask) => Some(title_of(ask, gap)),
        Answer::Nothing => Some(place::title("What holds", gap)),
    };
    let heading = title.map_or(String::new(), |title| format!("#### {title}\n\n"));
    let ids = comma_list(decided.iter().map(|decision| decision.id));
    let section = |text: &str| {
        format!(
            "## Gap Resolution: {}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n{heading}{text}\n\n### Trade-offs\n\n\
             It is what the user decided ({ids}); nothing else was weighed.\n\n### New Gaps Introduced\n\nNone",
            gap.id
        )
    };
    let text = own_words::text(decided);
    let plain = section(&text);
    match binds_alone(&plain, &gap.id, None) && keeps_its_parts(&plain) {
        true => plain,
        false => section(&own_words::as_code(&text)),
    }
}

fn title_of(ask: &Ask, gap: &AssignedGap) -> String {
    match (ask.title.contains("{subject}"), subject(gap)) {
        (true, Some(subject)) => ask.title.replace("{subject}", &subject),
        (true, None) => {
            let title = ask.title.split(" {subject}").next();
            place::title(title.unwrap_or("What holds"), gap)
        }
        (false, _) => place::title(&ask.title, gap),
    }
}

/// What a gap quotes first, as a title can have it.
fn subject(gap: &AssignedGap) -> Option<String> {
    let quotes = place::quotes(&gap.description);
    let subject = place::plain_to(quotes.first()?, LONGEST_SUBJECT);
    (!subject.is_empty()).then_some(subject)
}

/// True where a section is valid as this gap's and says nothing else, also with another behind it.
fn binds_alone(section: &str, gap: &GapId, default: Option<&str>) -> bool {
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
                && says_nothing_else(&reading)
        })
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
        && reading
            .gaps
            .iter()
            .all(|bound| bound.canonical && bound.new_gaps.is_empty())
}

/// True where the only parts of a section are those of the form: no words of the user open or close one.
fn keeps_its_parts(section: &str) -> bool {
    let document = Document::parse(section);
    let parts = document.headings.iter().filter(|heading| heading.level < 4);
    let fields = document.prose().lines().filter(|line| {
        line.trim_start().starts_with("**Confidence") || line.trim_start().starts_with("**Default")
    });
    parts.count() == 4 && fields.count() == 1
}
