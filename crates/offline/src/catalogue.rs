//! The catalogue: what stands in `catalogue/*.md`, read once. An entry is a default that can be proposed; an ask says what
//! is needed where only the user knows the answer.

use std::sync::LazyLock;

use gapless_domain::one_line;
use gapless_scan::Topic;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../catalogue/", $name, ".md")))),*]
    };
}

const DEFAULTS: &[(&str, &str)] = files![
    "timeouts",
    "retries",
    "rate_limits",
    "pagination",
    "sizes",
    "formats",
    "ids",
    "idempotency",
    "ordering",
    "consistency",
    "caching",
    "retention",
    "audit",
    "authentication",
    "authorisation",
    "secrets",
    "errors",
    "versioning",
    "migration",
    "availability",
    "observability",
    "accessibility",
    "localisation",
    "states",
    "configuration",
];

const ASKS: &[(&str, &str)] = files!["asks"];

/// A default: concrete text of a specification, for the user to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    pub id: String,
    /// What the user confirms together, in words.
    pub group: String,
    pub title: String,
    pub topics: Vec<Topic>,
    /// Rules of the scan whose findings it answers whatever else they speak of; rules that only name a topic are not listed.
    pub rules: Vec<String>,
    /// Words, as they begin, of which one must occur.
    pub must: Vec<String>,
    /// Words, as they begin, that speak for it.
    pub should: Vec<String>,
    /// Words of which one must occur somewhere in the spec: what fits an HTTP API fits no library.
    pub settings: Vec<String>,
    /// Who says so, where somebody does.
    pub source: Option<String>,
    pub text: String,
    pub examples: String,
    pub trade_offs: String,
}

/// What is needed where no default can know the answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ask {
    pub id: String,
    /// The title of the part that the user's answer becomes; `{subject}` is what the gap quotes.
    pub title: String,
    pub rules: Vec<String>,
    /// Words that say so in a gap that no rule found.
    pub words: Vec<String>,
    pub needed: String,
}

/// What is wrong with a file of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueError {
    pub file: String,
    pub what: String,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| all_of(DEFAULTS, entry));

static OF_USER: LazyLock<Vec<Ask>> = LazyLock::new(|| all_of(ASKS, ask));

/// What the files without a fault have.
fn all_of<T>(files: &[(&str, &str)], of: fn(&Block<'_>) -> Result<T, String>) -> Vec<T> {
    let read = files.iter().filter_map(|(_, text)| read_as(text, of).ok());
    read.flatten().collect()
}

/// The files that have a fault.
fn faults_of<T>(
    files: &[(&str, &str)],
    of: fn(&Block<'_>) -> Result<T, String>,
) -> Vec<CatalogueError> {
    let faults = files.iter().filter_map(|(name, text)| {
        let what = read_as(text, of).err()?;
        let file = (*name).to_owned();
        Some(CatalogueError { file, what })
    });
    faults.collect()
}

fn read_as<T>(text: &str, of: fn(&Block<'_>) -> Result<T, String>) -> Result<Vec<T>, String> {
    read(text)?.iter().map(of).collect()
}

/// Every default, in the order of the groups.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

/// Everything that only the user can say.
pub fn asks() -> &'static [Ask] {
    &OF_USER
}

/// Says what is wrong with the files, if anything is.
pub fn check() -> Vec<CatalogueError> {
    [faults_of(DEFAULTS, entry), faults_of(ASKS, ask)].concat()
}

/// `## id`, its fields as a list, and its parts under `### Name`.
struct Block<'t> {
    id: &'t str,
    group: &'t str,
    fields: Vec<(&'t str, &'t str)>,
    parts: Vec<(&'t str, String)>,
}

fn read(text: &str) -> Result<Vec<Block<'_>>, String> {
    let mut group = "";
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        let was_in_code = in_code;
        in_code ^= line.starts_with("```");
        let title = |mark: &str| line.strip_prefix(mark).filter(|_| !was_in_code);
        if let Some(name) = title("# ") {
            group = name.trim();
        } else if let Some(id) = title("## ") {
            blocks.push(Block {
                id: id.trim(),
                group,
                fields: Vec::new(),
                parts: Vec::new(),
            });
        } else if let Some(block) = blocks.last_mut() {
            if let Some(name) = title("### ") {
                block.parts.push((name.trim(), String::new()));
            } else if let Some((_, part)) = block.parts.last_mut() {
                part.push_str(line);
                part.push('\n');
            } else if !line.trim().is_empty() {
                let field = line
                    .strip_prefix("- ")
                    .and_then(|rest| rest.split_once(':'));
                let (name, value) =
                    field.ok_or_else(|| format!("`{line}` of {} is no field", block.id))?;
                block.fields.push((name.trim(), value.trim()));
            }
        }
    }
    Ok(blocks)
}

impl Block<'_> {
    fn field(&self, name: &str) -> Option<&str> {
        let (_, value) = self.fields.iter().find(|(known, _)| *known == name)?;
        (!value.is_empty()).then_some(value)
    }

    fn list(&self, name: &str) -> Vec<String> {
        let values = self.field(name).unwrap_or_default().split(',');
        let values = values.map(str::trim).filter(|value| !value.is_empty());
        values.map(str::to_owned).collect()
    }

    fn part(&self, name: &str) -> Result<String, String> {
        let part = self.parts.iter().find(|(known, _)| *known == name);
        let text = part.map(|(_, text)| text.trim()).unwrap_or_default();
        match text.is_empty() {
            true => Err(format!("{} has no {name}", self.id)),
            false => Ok(text.to_owned()),
        }
    }

    fn title(&self) -> Result<String, String> {
        let title = self.field("title").map(str::to_owned);
        title.ok_or_else(|| format!("{} has no title", self.id))
    }

    fn only(&self, fields: &[&str]) -> Result<(), String> {
        match self.fields.iter().find(|(name, _)| !fields.contains(name)) {
            Some((name, _)) => Err(format!(
                "{} has a field `{name}` that nobody reads",
                self.id
            )),
            None => Ok(()),
        }
    }
}

fn entry(block: &Block<'_>) -> Result<Entry, String> {
    block.only(&[
        "title", "topics", "rules", "must", "should", "where", "source",
    ])?;
    let topics = block.list("topics").into_iter().map(|name| {
        topic(&name).ok_or_else(|| format!("{} names a topic `{name}` that is none", block.id))
    });
    Ok(Entry {
        id: block.id.to_owned(),
        group: block.group.to_owned(),
        title: block.title()?,
        topics: topics.collect::<Result<_, _>>()?,
        rules: block.list("rules"),
        must: block.list("must"),
        should: block.list("should"),
        settings: block.list("where"),
        source: block.field("source").map(str::to_owned),
        text: block.part("Text")?,
        examples: block.part("Examples")?,
        trade_offs: block.part("Trade-offs")?,
    })
}

fn ask(block: &Block<'_>) -> Result<Ask, String> {
    block.only(&["title", "rules", "words"])?;
    Ok(Ask {
        needed: one_line(&block.part("Needed")?),
        id: block.id.to_owned(),
        title: block.title()?,
        rules: block.list("rules"),
        words: block.list("words"),
    })
}

pub(crate) fn topic(name: &str) -> Option<Topic> {
    let mut topics = Topic::ALL.iter().copied();
    topics.find(|topic| topic.name() == name)
}
