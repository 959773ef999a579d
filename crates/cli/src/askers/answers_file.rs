//! The answers file: prepared answers by the kind and the subject of a question, each used once and in order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gapless_domain::{About, Answer, DecidedBy, Question, QuestionId};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::files::toml::TomlFile;
use crate::{Kind, Result};

const KEYS: [&str; 6] = ["kind", "subject", "option", "fields", "by", "repeat"];

#[derive(Debug, Default)]
pub struct AnswersFile {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    kind: String,
    /// `None` fits every question of the kind.
    subject: Option<String>,
    answer: Answer,
    repeat: bool,
    given_to: BTreeSet<QuestionId>,
}

impl AnswersFile {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        Self::of_file(&TomlFile::read(path, Kind::Answers)?)
    }

    /// Reads a text as that of the file at `path`.
    pub fn of_text(path: &Path, text: String) -> Result<Self> {
        Self::of_file(&TomlFile::of(path, text, Kind::Answers))
    }

    fn of_file(file: &TomlFile) -> Result<Self> {
        let mut entries = Vec::new();
        for (key, value) in file.table()? {
            let name = key.get_ref().as_ref();
            if name != "answer" {
                return Err(file.unknown(key.span().start, "key", name, &["answer"]));
            }
            let Some(array) = value.get_ref().as_array() else {
                return Err(file.wrong_type("answer", "an array of tables, [[answer]]", &value));
            };
            for value in array.iter() {
                let table = file.table_of("answer", "a table, [[answer]]", value)?;
                entries.push(entry(file, value.span().start, table)?);
            }
        }
        Ok(Self { entries })
    }

    /// The next prepared answer that fits, if any is left.
    pub(crate) fn answer(&mut self, question: &Question) -> Option<Answer> {
        let kind = question.about.kind();
        let subject = question.about.subject();
        let entry = self.entries.iter_mut().find(|entry| {
            let unused = match entry.repeat {
                true => !entry.given_to.contains(&question.id),
                false => entry.given_to.is_empty(),
            };
            unused && entry.kind == kind && entry.subject.as_ref().is_none_or(|own| *own == subject)
        })?;
        entry.given_to.insert(question.id);
        Some(entry.answer.clone())
    }
}

fn entry(file: &TomlFile, at: usize, table: &DeTable<'_>) -> Result<Entry> {
    let mut words: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    let mut fields = BTreeMap::new();
    let mut repeat = false;
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        match name {
            "fields" => fields = read_fields(file, value)?,
            "repeat" => {
                repeat = value
                    .get_ref()
                    .as_bool()
                    .ok_or_else(|| file.wrong_type(name, "true or false", value))?;
            }
            name if KEYS.contains(&name) => {
                words.insert(name, (value.span().start, file.string(name, value)?));
            }
            name => return Err(file.unknown(key.span().start, "key", name, &KEYS)),
        }
    }
    let mut needed = |name: &str| {
        words.remove(name).ok_or_else(|| {
            file.fault(at, format_args!("this answer has no `{name}`"))
                .hint("every answer says its kind and its option")
        })
    };
    let (kind_at, kind) = needed("kind")?;
    if !About::KINDS.contains(&kind.as_str()) {
        return Err(file.unknown(kind_at, "kind of question", &kind, &About::KINDS));
    }
    let (_, option) = needed("option")?;
    let by = match words.remove("by") {
        None => DecidedBy::User,
        Some((_, by)) if by == "user" => DecidedBy::User,
        Some((_, by)) if by == "policy" => DecidedBy::Policy,
        Some((at, by)) => {
            return Err(file.unknown(at, "decider", &by, &["user", "policy"]));
        }
    };
    Ok(Entry {
        kind,
        subject: words.remove("subject").map(|(_, subject)| subject),
        answer: Answer {
            option,
            fields,
            by,
            filled_in_by: None,
        },
        repeat,
        given_to: BTreeSet::new(),
    })
}

fn read_fields(file: &TomlFile, value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<String, String>> {
    file.table_of("fields", "a table, [answer.fields]", value)?
        .iter()
        .map(|(key, value)| {
            let name = key.get_ref().to_string();
            let text = file.string(&name, value)?;
            Ok((name, text))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_domain::question::blocked_gap;
    use gapless_domain::{Choice, Holds};

    fn read(text: &str) -> Result<AnswersFile> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.toml");
        std::fs::write(&path, text).unwrap();
        AnswersFile::read(&path)
    }

    fn question(id: u32, gap: &str) -> Question {
        Question {
            id: QuestionId(id),
            about: About::BlockedGap(blocked_gap::Subject {
                gap: gap.parse().unwrap(),
            }),
            severity: None,
            title: String::new(),
            context: String::new(),
            options: vec![Choice {
                label: "go_on".into(),
                text: String::new(),
                effect: String::new(),
                recommended: true,
                policy_only: false,
            }],
            fields: Vec::new(),
            holds: Holds::Phase,
            without_answer: String::new(),
            accepts: Vec::new(),
            replaces: Vec::new(),
        }
    }

    #[test]
    fn entries_are_used_in_order_and_once() {
        let mut file = read(
            "[[answer]]\nkind = \"blocked_gap\"\nsubject = \"GAP-A-001\"\noption = \"never\"\n\
             [[answer]]\nkind = \"blocked_gap\"\nsubject = \"GAP-RET-001\"\noption = \"input\"\nfields.input = \"30 days\"\n\
             [[answer]]\nkind = \"blocked_gap\"\noption = \"go_on\"\nrepeat = true\n",
        )
        .unwrap();
        let option = |answer: Option<Answer>| answer.map(|answer| answer.option);
        let ret = question(1, "GAP-RET-001");
        let first = file.answer(&ret).unwrap();
        assert_eq!(
            (first.option.as_str(), first.field("input")),
            ("input", "30 days")
        );
        assert_eq!(option(file.answer(&ret)), Some("go_on".to_owned()));
        assert_eq!(
            option(file.answer(&ret)),
            None,
            "refused twice: nothing is left"
        );
        let other = question(2, "GAP-RET-001");
        assert_eq!(option(file.answer(&other)), Some("go_on".to_owned()));
    }

    #[test]
    fn unknown_kinds_and_keys_are_refused_with_the_nearest() {
        let told = |text: &str| {
            let failure = read(text).unwrap_err();
            let (_, message) = failure.message.rsplit_once("answers.toml").unwrap();
            format!("{message} ({})", failure.hint.unwrap_or_default())
        };
        assert_eq!(
            told("[[answer]]\nkind = \"bloked_gap\"\noption = \"x\"\n"),
            ", line 2: there is no kind of question `bloked_gap` (did you mean `blocked_gap`?)"
        );
        assert_eq!(
            told("[[answer]]\nkind = \"stop\"\noptoin = \"x\"\n"),
            ", line 3: there is no key `optoin` (did you mean `option`?)"
        );
        assert_eq!(
            told("[[answer]]\nkind = \"stop\"\n"),
            ", line 1: this answer has no `option` (every answer says its kind and its option)"
        );
    }
}
