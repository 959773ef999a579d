//! The catalogue: reads `catalogue/*.md` once. An entry is a default that can be suggested; an ask is a question for where only
//! the user knows the answer.

use std::sync::LazyLock;

use gapless_domain::one_line;
use gapless_scan::Topic;

use crate::fields::Fill;
use crate::forms::Form;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../catalogue/", $name, ".md")))),*]
    };
}

const DEFAULTS: &[(&str, &str)] = files![
    "timeouts",
    "retries",
    "retention",
    "caching",
    "pagination",
    "sizes",
    "formats",
    "secrets",
    "errors",
    "availability",
];

const ASKS: &[(&str, &str)] = files!["asks"];

/// A default: one or two sentences of a specification, or exact words in the place of vague ones, for the user to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    pub id: String,
    /// What the user confirms together, in words.
    pub group: String,
    pub topics: Vec<Topic>,
    /// Rules of the scan whose findings it may answer.
    pub rules: Vec<String>,
    /// The kinds of things that it holds for: words of which one must be in the sentence, as they begin.
    pub kinds: Vec<String>,
    /// Words, as they begin, with which it doesn't hold.
    pub not: Vec<String>,
    /// Words, as they begin, with which it doesn't hold anywhere in the paragraph.
    pub not_around: Vec<String>,
    /// Who says so, where somebody does.
    pub source: Option<String>,
    pub suggests: Suggests,
    pub why: String,
    pub examples: String,
    pub trade_offs: String,
}

/// What an entry does to the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggests {
    /// Puts exact words in the place of vague ones, by the first form that fits.
    Replace(Vec<Form>),
    /// Adds sentences behind the one that leaves something out.
    Add(String),
    /// Fills the cell of a table by the name of its field.
    Fill(Vec<Fill>),
}

impl Default for Suggests {
    fn default() -> Self {
        Suggests::Replace(Vec::new())
    }
}

/// What is asked where no default fits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ask {
    pub id: String,
    pub rules: Vec<String>,
    /// The topics that it is for; none means any.
    pub topics: Vec<Topic>,
    /// The question, for a finding that asks nothing itself; `{words}` stands for what the rule found.
    pub question: String,
    /// How to answer, with examples.
    pub answer: String,
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

impl Block<'_> {
    fn topics(&self) -> Result<Vec<Topic>, String> {
        let named = self.list("topics").into_iter().map(|name| {
            let mut topics = Topic::ALL.iter().copied();
            let topic = topics.find(|topic| topic.name() == name);
            topic.ok_or_else(|| format!("{} names a topic `{name}` that is none", self.id))
        });
        named.collect()
    }

    /// The one part that says what the entry does.
    fn suggests(&self) -> Result<Suggests, String> {
        let has = |name: &str| self.parts.iter().any(|(known, _)| *known == name);
        match (has("Replace"), has("Add"), has("Fill")) {
            (true, false, false) => self.each("Replace", Form::read).map(Suggests::Replace),
            (false, true, false) => Ok(Suggests::Add(one_line(&self.part("Add")?))),
            (false, false, true) => self.each("Fill", Fill::read).map(Suggests::Fill),
            _ => Err(format!(
                "{} needs one of the parts Replace, Add and Fill",
                self.id
            )),
        }
    }

    /// The items of a part: each has a pattern, an arrow and a text.
    fn each<T>(&self, part: &str, read: fn(&str, &str) -> Option<T>) -> Result<Vec<T>, String> {
        let text = self.part(part)?;
        let items = text.lines().map(|line| {
            let item = line
                .strip_prefix("- ")
                .and_then(|item| item.split_once(" -> "));
            let item = item.and_then(|(pattern, text)| read(pattern.trim(), text.trim()));
            item.ok_or_else(|| format!("`{line}` of {} can't be read", self.id))
        });
        items.collect()
    }
}

fn entry(block: &Block<'_>) -> Result<Entry, String> {
    block.only(&["topics", "rules", "kinds", "not", "not around", "source"])?;
    Ok(Entry {
        id: block.id.to_owned(),
        group: block.group.to_owned(),
        topics: block.topics()?,
        rules: block.list("rules"),
        kinds: block.list("kinds"),
        not: block.list("not"),
        not_around: block.list("not around"),
        source: block.field("source").map(str::to_owned),
        suggests: block.suggests()?,
        why: one_line(&block.part("Why")?),
        examples: block.part("Examples")?,
        trade_offs: block.part("Trade-offs")?,
    })
}

fn ask(block: &Block<'_>) -> Result<Ask, String> {
    block.only(&["rules", "topics"])?;
    Ok(Ask {
        question: one_line(&block.part("Question")?),
        answer: one_line(&block.part("Answer")?),
        id: block.id.to_owned(),
        rules: block.list("rules"),
        topics: block.topics()?,
    })
}
