//! Takes off what a model thought before it answered, as `<think>…</think>` and the like. Tags in code and in the middle of a
//! sentence are text. Where one of the two tags is missing, the headings of the document say where it begins.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use gapless_domain::Warning;
use gapless_domain::words::phrases;
use gapless_markdown::{FenceLine, fence_lines};

const REASONING_REMOVED: &str = "REASONING_REMOVED";
const NO_HEADING: &str = "no heading of a document comes behind it";

/// How often a text is looked at again: what one part hid may be visible once it is gone.
const MOST_PASSES: usize = 4;
/// How many removals are said one by one.
const MOST_WARNINGS: usize = 5;
/// How much reasoning may be removed before a tag that is never closed ends the document.
const MOST_UNCLOSED: usize = 100;
/// The deepest indentation of a line that is not code.
const DEEPEST_INDENT: usize = 3;

static TAGS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let lines = phrases(include_str!("words/reasoning_tags.txt"));
    lines.filter_map(|line| line.split_once(' ')).collect()
});

static HEADINGS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| phrases(include_str!("words/document_headings.txt")).collect());

static PARTS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| phrases(include_str!("words/document_parts.txt")).collect());

/// A text without the reasoning in it.
pub(super) struct Unreasoned {
    pub(super) text: String,
    pub(super) warnings: Vec<Warning>,
    open: bool,
}

/// True where a text has reasoning that is begun and never ended, so that nobody can tell whether the document was.
pub fn reasoning_is_open(text: &str) -> bool {
    without_reasoning(text).is_some_and(|found| found.open)
}

/// The text without reasoning; `None` where there is none in it.
pub(super) fn without_reasoning(text: &str) -> Option<Unreasoned> {
    let mut found = Unreasoned {
        text: text.to_owned(),
        warnings: Vec::new(),
        open: false,
    };
    for _ in 0..MOST_PASSES {
        let removals = Scan::of(&found.text).removals();
        if removals.is_empty() {
            break;
        }
        for removal in &removals {
            found.open |= removal.is_open;
            if found.warnings.len() < MOST_WARNINGS {
                found.warnings.push(removal.warning(&found.text));
            }
        }
        found.text = without(&found.text, &removals);
    }
    (!found.warnings.is_empty()).then_some(found)
}

/// A part of a text that is reasoning.
struct Removal {
    range: Range<usize>,
    /// Where its tag is.
    tag: usize,
    why: String,
    is_open: bool,
}

impl Removal {
    fn warning(&self, text: &str) -> Warning {
        let characters = text[self.range.clone()].chars().count();
        let line = text[..self.tag].matches('\n').count() + 1;
        let message = format!("{}; {characters} characters were taken off", self.why);
        Warning::new(REASONING_REMOVED, u32::try_from(line).ok(), message)
    }
}

fn without(text: &str, removals: &[Removal]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for removal in removals {
        left += text.get(from..removal.range.start).unwrap_or("");
        // What stood behind a tag on its line begins a line of its own.
        if !left.is_empty() && !left.ends_with('\n') {
            left.push('\n');
        }
        from = removal.range.end.max(from);
    }
    left += text.get(from..).unwrap_or("");
    match removals.first() {
        Some(first) if text[..first.range.start].trim().is_empty() => {
            left.trim_start_matches(['\n', '\r']).to_owned()
        }
        _ => left,
    }
}

#[derive(Clone)]
struct Tag {
    range: Range<usize>,
    family: usize,
    closes: bool,
    /// Nothing stands before it on its line.
    at_start: bool,
    /// Nothing stands behind it on its line.
    at_end: bool,
    line: Range<usize>,
}

impl Tag {
    fn name(&self) -> &'static str {
        let (open, close) = TAGS[self.family];
        if self.closes { close } else { open }
    }

    fn is_alone(&self) -> bool {
        self.at_start && self.at_end
    }
}

/// A heading with which a document goes on.
struct Opening {
    at: usize,
    title: String,
}

/// The tags, headings and fences of a text, and how far it was read.
struct Scan<'t> {
    text: &'t str,
    tags: Vec<Tag>,
    openings: Vec<Opening>,
    /// Where the parts of sections begin.
    parts: Vec<usize>,
    fences: Vec<FenceLine<'t>>,
    removals: Vec<Removal>,
}

impl<'t> Scan<'t> {
    fn of(text: &'t str) -> Self {
        let tags = tags_of(text);
        // Without a tag nothing else is looked for.
        let (openings, parts, fences) = match tags.is_empty() {
            true => (Vec::new(), Vec::new(), Vec::new()),
            false => (openings_of(text), parts_of(text), fence_lines(text)),
        };
        Self {
            text,
            tags,
            openings,
            parts,
            fences,
            removals: Vec::new(),
        }
    }

    fn removals(mut self) -> Vec<Removal> {
        if self.tags.is_empty() {
            return self.removals;
        }
        let mut code = Code::new(&self.fences);
        let (mut orphan, mut quoted) = (None, None);
        let (mut index, mut from) = (0, 0);
        let tags = self.tags.clone();
        let closings = closings_of(&tags);
        while let Some(tag) = tags.get(index) {
            index += 1;
            if tag.range.start < from || code.covers(tag.range.start) {
                continue;
            }
            if tag.closes {
                if quoted != Some(index - 1) && (tag.at_start || tag.at_end) {
                    orphan = Some(tag.clone());
                }
                continue;
            }
            if !tag.at_start {
                continue;
            }
            let removal = match closings[index - 1].map(|at| &tags[at]) {
                Some(closing) => self.pair(tag, closing),
                None => self.unclosed(tag),
            };
            if let Some(removal) = removal {
                from = removal.range.end;
                code.resume(from);
                self.removals.push(removal);
            } else {
                quoted = closings[index - 1];
            }
        }
        if let Some(removal) = orphan.and_then(|tag| self.unopened(&tag)) {
            // It has all before it in it.
            let end = removal.range.end;
            self.removals.retain(|other| other.range.start >= end);
            self.removals.insert(0, removal);
        }
        self.removals
    }

    fn opened_before(&self, at: usize) -> bool {
        self.openings.first().is_some_and(|first| first.at < at)
    }

    /// Where the section goes on behind a tag in it: at a part that comes before any other section.
    fn next_part(&self, tag: &Tag) -> Option<usize> {
        let at = tag.range.end;
        let part = self
            .parts
            .get(self.parts.partition_point(|part| *part < at))?;
        let section = self
            .openings
            .get(self.openings.partition_point(|it| it.at < at));
        section.is_none_or(|it| *part < it.at).then_some(*part)
    }

    /// Both tags are there. Inside of a document they may be what it is about.
    fn pair(&self, tag: &Tag, closing: &Tag) -> Option<Removal> {
        if self.opened_before(tag.range.start) {
            let one_line = tag.line == closing.line;
            let behind = self.text[closing.range.end..closing.line.end].trim();
            let prose = match one_line {
                true => !behind.is_empty() && !behind.starts_with('#'),
                false => !closing.at_start && !closing.at_end,
            };
            let inside = tag.range.end..closing.range.start;
            let first = self.openings.partition_point(|it| it.at < inside.start);
            let first = self.openings.get(first);
            let spans = first.is_some_and(|first| inside.contains(&first.at))
                || self
                    .next_part(tag)
                    .is_some_and(|part| inside.contains(&part));
            if prose || (spans && !tag.is_alone() && !closing.is_alone()) {
                return None;
            }
        }
        Some(Removal {
            range: tag.range.start..closing.range.end,
            tag: tag.range.start,
            why: format!(
                "the text between {} and {} is reasoning and no part of the document",
                tag.name(),
                closing.name()
            ),
            is_open: false,
        })
    }

    /// Only the tag that opens is there: the document begins with the last headings that don't repeat each other.
    fn unclosed(&self, tag: &Tag) -> Option<Removal> {
        let inside = self.opened_before(tag.range.start);
        if inside && !tag.is_alone() {
            return None;
        }
        if self.removals.len() >= MOST_UNCLOSED {
            return Some(self.never_closed(tag, None));
        }
        // What the section says behind the tag is not lost with it: it may be an issue.
        if let Some(at) = self.next_part(tag).filter(|_| inside) {
            let line = self.text[at..].lines().next().unwrap_or("");
            let title = shown(String::new(), line.trim());
            return Some(self.never_closed(tag, Some(&Opening { at, title })));
        }
        let before = self.openings.iter().filter(|it| it.at < tag.range.start);
        let known: BTreeSet<&str> = before.map(|it| it.title.as_str()).collect();
        let behind = self.openings.iter().filter(|it| it.at >= tag.range.end);
        let mut met = BTreeSet::new();
        let document = behind.rev();
        let document = document.take_while(|it| met.insert(it.title.as_str()));
        let begins = match inside {
            false => document.last(),
            true => {
                let last: Vec<_> = document.collect();
                let mut last = last.into_iter().rev();
                last.find(|it| !known.contains(it.title.as_str()))
            }
        };
        Some(self.never_closed(tag, begins))
    }

    fn never_closed(&self, tag: &Tag, begins: Option<&Opening>) -> Removal {
        let (end, what) = match begins {
            Some(opening) => {
                let line = self.text[..opening.at].matches('\n').count() + 1;
                let title = &opening.title;
                let what =
                    format!("the document was taken to go on with `{title}` (line {line} then)");
                (opening.at, what)
            }
            None => (self.text.len(), NO_HEADING.to_owned()),
        };
        Removal {
            range: tag.range.start..end,
            tag: tag.range.start,
            why: format!("{} is never closed: {what}", tag.name()),
            is_open: true,
        }
    }

    /// Only the tag that closes is there: what stands before it is reasoning, unless the document began before and the tag is
    /// one of its words.
    fn unopened(&self, tag: &Tag) -> Option<Removal> {
        let before = self.opened_before(tag.range.start);
        let last = self.openings.last();
        let behind = last.is_some_and(|last| last.at >= tag.range.end);
        let is_reasoning = match (before, behind) {
            (false, _) => tag.at_start || behind,
            (true, true) => tag.at_start,
            (true, false) => tag.is_alone(),
        };
        is_reasoning.then(|| Removal {
            range: 0..tag.range.end,
            tag: tag.range.start,
            why: format!(
                "the text before {}, which nothing opens, is reasoning and no part of the document",
                tag.name()
            ),
            is_open: false,
        })
    }
}

/// For each tag that opens, the next that closes it.
fn closings_of(tags: &[Tag]) -> Vec<Option<usize>> {
    let mut next = vec![None; TAGS.len()];
    let mut closings = vec![None; tags.len()];
    for (index, tag) in tags.iter().enumerate().rev() {
        closings[index] = next[tag.family];
        if tag.closes {
            next[tag.family] = Some(index);
        }
    }
    closings
}

/// What of a text is code, read from its beginning to its end. A fence that never closes covers nothing.
struct Code<'f> {
    fences: &'f [FenceLine<'f>],
    next: usize,
    covered: Range<usize>,
    /// Fences of this mark and at least this length are known to stay open.
    unclosed: [(char, usize); 2],
}

impl<'f> Code<'f> {
    fn new(fences: &'f [FenceLine<'f>]) -> Self {
        Self {
            fences,
            next: 0,
            covered: 0..0,
            unclosed: [('`', usize::MAX), ('~', usize::MAX)],
        }
    }

    /// Text behind a removal begins outside of code.
    fn resume(&mut self, at: usize) {
        while self.fences.get(self.next).is_some_and(|it| it.start < at) {
            self.next += 1;
        }
        self.covered = 0..0;
    }

    fn covers(&mut self, at: usize) -> bool {
        while at >= self.covered.end {
            let Some(opener) = self.fences.get(self.next).filter(|it| it.start <= at) else {
                return false;
            };
            self.next += 1;
            let mark = self.unclosed.iter_mut().find(|it| it.0 == opener.mark);
            let Some((_, open)) = mark else { continue };
            if opener.length >= *open {
                continue;
            }
            let behind = &self.fences[self.next..];
            match behind.iter().position(|it| it.closes(opener)) {
                Some(offset) => {
                    self.covered = opener.start..behind[offset].end;
                    self.next += offset + 1;
                }
                None => *open = opener.length,
            }
        }
        self.covered.contains(&at)
    }
}

/// The tags of a text that are not inside inline code.
fn tags_of(text: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let mut coded = false;
        for (offset, character) in line.char_indices() {
            match character {
                '`' => coded = !coded,
                '<' | '[' | '◁' if !coded => {
                    tags.extend(tag_at(line, offset, range.clone()));
                }
                _ => {}
            }
        }
    }
    tags
}

fn tag_at(line: &str, offset: usize, range: Range<usize>) -> Option<Tag> {
    let rest = &line[offset..];
    let is = |tag: &str| {
        let found = rest.get(..tag.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(tag))
    };
    let mut families = TAGS.iter().enumerate();
    let (family, closes, length) = families.find_map(|(family, (open, close))| {
        let closes = is(close);
        let length = if closes { close.len() } else { open.len() };
        (closes || is(open)).then_some((family, closes, length))
    })?;
    let before = &line[..offset];
    let at_start = before.trim().is_empty() && before.len() <= DEEPEST_INDENT;
    Some(Tag {
        range: range.start + offset..range.start + offset + length,
        family,
        closes,
        at_start,
        at_end: rest[length..].trim().is_empty(),
        line: range,
    })
}

/// The headings, and the marks of an Editor's sections, with which a document of one of the roles goes on.
fn openings_of(text: &str) -> Vec<Opening> {
    let mut openings = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        // A tag may stand before the heading on its line.
        let own = line.rsplit_once(['>', ']', '▷']);
        let own = own.map_or(line, |(_, behind)| behind);
        for part in [line, own] {
            let part = part.trim();
            let title = part.trim_start_matches('#');
            let level = part.len() - title.len();
            let title = title.trim().to_lowercase();
            let heading =
                (1..=4).contains(&level) && HEADINGS.iter().any(|begin| title.starts_with(begin));
            if heading || (part.starts_with("<!-- section:") && part.ends_with("-->")) {
                let offset = line.find(part).unwrap_or(0);
                openings.push(Opening {
                    at: start + offset,
                    title: shown(title, part),
                });
                break;
            }
        }
    }
    openings
}

fn parts_of(text: &str) -> Vec<usize> {
    let mut parts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("### ") {
            let title = title.trim().to_lowercase();
            if PARTS.iter().any(|begin| title.starts_with(begin)) {
                parts.push(at);
            }
        }
        at += line.len();
    }
    parts
}

/// A title as it is compared and said; that of an Editor's section is its mark.
fn shown(title: String, part: &str) -> String {
    const LONGEST: usize = 80;
    let title = if title.is_empty() {
        part.to_owned()
    } else {
        title
    };
    title.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests;
