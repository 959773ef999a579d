//! What a preset says of a program: how it is called, what it is given, and how its output is read. It is data, so
//! that a new one is a few lines; one may be `like` another and say only what differs.

use std::collections::BTreeMap;

use gapless_domain::{ExecutionErrorKind, comma_list};
use serde::Deserialize;
use serde_json::Value;

use crate::subprocess::plain_path;

/// A program as a preset describes it, as it stands in a file.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Definition {
    /// The preset whose keys hold where this one has none.
    pub like: Option<String>,
    /// Whose model answers; two roles are given to different vendors where that can be.
    pub vendor: Option<String>,
    pub program: Option<String>,
    /// The arguments; `{model}`, `{folder}`, `{output}`, `{repo}` and `{prompt}` stand for what they name.
    pub arguments: Option<Vec<String>>,
    /// Added behind `arguments`, also behind those of the preset that this one is like.
    pub more_arguments: Vec<String>,
    /// The model that is used where the agent's name has none.
    pub model: Option<String>,
    /// Added where a model is named.
    pub model_arguments: Option<Vec<String>>,
    /// Added where there is no code base to look at.
    pub alone_arguments: Option<Vec<String>>,
    /// Added where there is one. A preset without this key cannot look at one.
    pub repo_arguments: Option<Vec<String>>,
    /// Added at the very end.
    pub last_arguments: Option<Vec<String>>,
    pub prompt: Option<PromptBy>,
    /// Variables that are set, and those that are set only without or with a code base.
    pub set: BTreeMap<String, String>,
    pub alone_set: BTreeMap<String, String>,
    pub repo_set: BTreeMap<String, String>,
    /// Files that are written into the working folder.
    pub files: BTreeMap<String, String>,
    pub alone_files: BTreeMap<String, String>,
    pub repo_files: BTreeMap<String, String>,
    /// Folders of a home of its own, which every run gets fresh in place of the user's.
    pub home: Option<Vec<HomeFolder>>,
    /// Files that are written into the home.
    pub home_files: BTreeMap<String, String>,
    /// Its sign-in can't be brought along: it has a home of its own only where one of `keys` is set.
    pub home_needs_key: Option<bool>,
    /// Variables that are set where this one of `keys` is the first that is set.
    pub with_key: BTreeMap<String, BTreeMap<String, String>>,
    /// Variables that are set where none of `keys` is, and a sign-in was brought along.
    pub with_sign_in: BTreeMap<String, String>,
    /// Variables that are passed on beside the usual ones; `*` stands for anything at either end.
    pub pass: Option<Vec<String>>,
    /// Variables that aren't, though one of the others names them.
    pub unset: Option<Vec<String>>,
    /// How long it may be silent, where that is longer than for others.
    pub patience_seconds: Option<u64>,
    /// It finds the files beside its prompt, and can write its document to one.
    pub files_beside: bool,
    /// How many tokens a prompt and its answer may have together.
    pub context_tokens: Option<u32>,
    /// How it is called with a model behind its name, where that is not its own name.
    pub name_with_model: Option<String>,
    /// Variables of which one is enough to be let in.
    pub keys: Option<Vec<String>>,
    /// Files that are there once somebody signed in; `file#word` wants the word in it.
    pub signed_in: Option<Vec<String>>,
    /// How it is installed, for people.
    pub install: Option<String>,
    pub output: Option<OutputRules>,
}

/// A folder of a run's own home, and the files of the user's that it holds.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HomeFolder {
    /// The variable that names it to the program.
    pub variable: String,
    /// Where the user's is, unless they set that variable; `~/` is their home.
    pub usual: Option<String>,
    /// Where it is in the run's home; empty for the home itself.
    pub at: String,
    /// The files with the sign-in, below the user's folder as below this one.
    pub sign_in: Vec<String>,
}

/// How the prompt reaches the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptBy {
    #[default]
    Stdin,
    /// Where `{prompt}` stands in the arguments.
    Argument,
}

/// How stdout is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputForm {
    /// It is the document.
    #[default]
    Text,
    /// It is one JSON document.
    Json,
    /// Every line is one.
    JsonLines,
}

/// Conditions on a JSON value: paths with what stands there. Texts may have a `*` at either end.
pub type When = BTreeMap<String, Value>;

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputRules {
    pub form: OutputForm,
    pub text: Vec<TextRule>,
    /// What is said behind a line like one of these is another message.
    pub restart: OneOrMore<When>,
    /// Why the model stopped; a line that says so is no error besides.
    pub end: Vec<EndRule>,
    /// The file that says it, where stdout doesn't.
    pub log: Option<LogRule>,
    /// The first that fits is taken.
    pub error: Vec<ErrorRule>,
    /// What is said on stderr or besides the format where there is neither a document nor an error; the first that fits is taken.
    pub words: Vec<WordsRule>,
    /// What ends the program when it comes too often.
    pub limits: Vec<LimitRule>,
    /// What fits is added up.
    pub usage: Vec<UsageRule>,
}

/// One value, or a list of them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> Default for OneOrMore<T> {
    fn default() -> Self {
        OneOrMore::More(Vec::new())
    }
}

impl<T> OneOrMore<T> {
    pub(super) fn as_slice(&self) -> &[T] {
        match self {
            OneOrMore::One(one) => std::slice::from_ref(one),
            OneOrMore::More(list) => list,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRule {
    #[serde(default)]
    pub when: When,
    /// What fits this is left out.
    #[serde(default)]
    pub unless: When,
    /// A list whose parts are texts, where they fit `each_when`; `at` is a path in a part.
    pub each: Option<String>,
    #[serde(default)]
    pub each_when: When,
    pub at: String,
    #[serde(default)]
    pub join: Join,
    /// What tells messages apart: texts with the same value are of one message.
    pub message: Option<String>,
    /// It says again what came before, and counts only where that did not come.
    #[serde(default)]
    pub repeats: bool,
}

/// What becomes of texts that come one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Each is a message.
    #[default]
    Last,
    /// They are pieces of one message.
    All,
    /// They are blocks of one message, which begin on lines of their own.
    Blocks,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndRule {
    #[serde(default)]
    pub when: When,
    pub end: EndReason,
    /// Where the program's own word for it is.
    pub at: Option<String>,
}

/// Why a model stopped before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// At the most tokens that it may write: its last message is cut.
    Cut,
    /// It, or a filter of its provider, would not go on.
    Refusal,
}

/// A file of JSON values in the working folder, the last of which that says why the model stopped counts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogRule {
    pub file: String,
    /// Where a value says it; the last one of a list.
    pub at: String,
    /// The program's words for either reason.
    #[serde(default)]
    pub cut: Vec<String>,
    #[serde(default)]
    pub refusal: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRule {
    #[serde(default)]
    pub when: When,
    pub at: String,
    #[serde(default = "provider")]
    pub kind: ExecutionErrorKind,
    /// It may get over it: it counts only where nothing better came.
    #[serde(default)]
    pub passing: bool,
    /// Said in place of the program's own words.
    pub says: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordsRule {
    /// Words that are said.
    pub has: String,
    #[serde(default = "provider")]
    pub kind: ExecutionErrorKind,
    pub says: String,
    pub hint: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRule {
    pub when: When,
    /// How many of these are let pass.
    pub most: u32,
    #[serde(default = "provider")]
    pub kind: ExecutionErrorKind,
    pub says: String,
    /// Where the line says why it came.
    pub at: Option<String>,
}

fn provider() -> ExecutionErrorKind {
    ExecutionErrorKind::Provider
}

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UsageRule {
    pub when: When,
    /// Paths of which all are added up; a part `*` stands for every key.
    pub input: Vec<String>,
    pub output: Vec<String>,
    /// Those of the input that were read from a cache.
    pub cached: Vec<String>,
    /// Where tokens of thought are counted in the total alone.
    pub total: Option<String>,
    /// In the currency's unit, like 0.25.
    pub cost: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDefinition {
    #[error("`{name}` can't be an agent's name: {why}")]
    Name { name: String, why: &'static str },
    #[error("`like` names `{like}`, which is no agent that is defined{hint}")]
    Like { like: String, hint: String },
    #[error("it names no `program`, and is not `like` another agent")]
    NoProgram,
    #[error("`{key}` has `{{{placeholder}}}`, which stands for nothing there (known are {known})")]
    Placeholder {
        key: &'static str,
        placeholder: String,
        known: String,
    },
    #[error("`prompt = \"argument\"` needs `{{prompt}}` in `arguments`")]
    PromptNowhere,
    #[error("`{{prompt}}` in `arguments` needs `prompt = \"argument\"`")]
    PromptTwice,
    #[error("the file `{0}` would not be inside the working folder")]
    File(String),
    #[error("`{0}` would not be inside the run's own home")]
    HomePath(String),
    #[error("a folder of `home` needs the `variable` that names it to the program")]
    HomeVariable,
    #[error(
        "the folder `{0}` of `home` has `sign_in`, and no `usual` says where the user's files are"
    )]
    NoUsual(String),
    #[error("`with_key` names `{0}`, which is not one of `keys`")]
    NoKey(String),
    #[error("`output.form` is JSON, and no rule of `output.text` says where the document is")]
    NoText,
}

impl Definition {
    /// This definition with the keys of `base` where it has none.
    pub(super) fn over(self, base: &Definition) -> Definition {
        let base = base.clone();
        let joined = |own: BTreeMap<String, String>, mut base: BTreeMap<String, String>| {
            base.extend(own);
            base
        };
        let more = base.more_arguments.into_iter().chain(self.more_arguments);
        Definition {
            like: None,
            vendor: self.vendor.or(base.vendor),
            program: self.program.or(base.program),
            arguments: self.arguments.or(base.arguments),
            more_arguments: more.collect(),
            model: self.model.or(base.model),
            model_arguments: self.model_arguments.or(base.model_arguments),
            alone_arguments: self.alone_arguments.or(base.alone_arguments),
            repo_arguments: self.repo_arguments.or(base.repo_arguments),
            last_arguments: self.last_arguments.or(base.last_arguments),
            prompt: self.prompt.or(base.prompt),
            set: joined(self.set, base.set),
            alone_set: joined(self.alone_set, base.alone_set),
            repo_set: joined(self.repo_set, base.repo_set),
            files: joined(self.files, base.files),
            alone_files: joined(self.alone_files, base.alone_files),
            repo_files: joined(self.repo_files, base.repo_files),
            home: self.home.or(base.home),
            home_files: joined(self.home_files, base.home_files),
            home_needs_key: self.home_needs_key.or(base.home_needs_key),
            with_key: {
                let mut with_key = base.with_key;
                with_key.extend(self.with_key);
                with_key
            },
            with_sign_in: joined(self.with_sign_in, base.with_sign_in),
            pass: self.pass.or(base.pass),
            unset: self.unset.or(base.unset),
            patience_seconds: self.patience_seconds.or(base.patience_seconds),
            files_beside: self.files_beside || base.files_beside,
            context_tokens: self.context_tokens.or(base.context_tokens),
            // A name stands for itself alone.
            name_with_model: self.name_with_model,
            keys: self.keys.or(base.keys),
            signed_in: self.signed_in.or(base.signed_in),
            install: self.install.or(base.install),
            output: self.output.or(base.output),
        }
    }

    /// Checks what can be checked without running it.
    pub(super) fn check(&self) -> Result<(), BadDefinition> {
        if self.program.as_deref().is_none_or(|p| p.trim().is_empty()) {
            return Err(BadDefinition::NoProgram);
        }
        let more = Some(self.more_arguments.as_slice());
        let lists = [
            ("arguments", self.arguments.as_deref(), PROMPT),
            ("more_arguments", more, NO_OTHERS),
            (
                "model_arguments",
                self.model_arguments.as_deref(),
                NO_OTHERS,
            ),
            (
                "alone_arguments",
                self.alone_arguments.as_deref(),
                NO_OTHERS,
            ),
            ("repo_arguments", self.repo_arguments.as_deref(), REPO),
            ("last_arguments", self.last_arguments.as_deref(), NO_OTHERS),
        ];
        for (key, words, others) in lists {
            for word in words.unwrap_or_default() {
                check_placeholders(key, word, others)?;
            }
        }
        let maps = [
            ("set", &self.set, NO_OTHERS),
            ("alone_set", &self.alone_set, NO_OTHERS),
            ("repo_set", &self.repo_set, REPO),
            ("files", &self.files, NO_OTHERS),
            ("alone_files", &self.alone_files, NO_OTHERS),
            ("repo_files", &self.repo_files, REPO),
            ("home_files", &self.home_files, NO_OTHERS),
            ("with_sign_in", &self.with_sign_in, NO_OTHERS),
        ];
        for (key, map, others) in maps {
            for (name, value) in map {
                check_placeholders(key, value, others)?;
                if key == "home_files" && plain_path(name).is_none() {
                    return Err(BadDefinition::HomePath(name.clone()));
                }
                if key.ends_with("files") && plain_path(name).is_none() {
                    return Err(BadDefinition::File(name.clone()));
                }
            }
        }
        self.check_home()?;
        let mut words = self.arguments.iter().flatten();
        let has_prompt = words.any(|word| word.contains("{prompt}"));
        match (self.prompt.unwrap_or_default(), has_prompt) {
            (PromptBy::Argument, false) => return Err(BadDefinition::PromptNowhere),
            (PromptBy::Stdin, true) => return Err(BadDefinition::PromptTwice),
            _ => {}
        }
        let log = self.output.as_ref().and_then(|rules| rules.log.as_ref());
        if let Some(log) = log.filter(|log| plain_path(&log.file).is_none()) {
            return Err(BadDefinition::File(log.file.clone()));
        }
        match &self.output {
            Some(rules) if rules.form != OutputForm::Text && rules.text.is_empty() => {
                Err(BadDefinition::NoText)
            }
            _ => Ok(()),
        }
    }
}

impl Definition {
    /// Checks what it says of a home of its own.
    fn check_home(&self) -> Result<(), BadDefinition> {
        for folder in self.home.iter().flatten() {
            if folder.variable.trim().is_empty() {
                return Err(BadDefinition::HomeVariable);
            }
            let at = Some(&folder.at).filter(|at| !at.is_empty());
            let mut paths = at.into_iter().chain(&folder.sign_in);
            if let Some(path) = paths.find(|path| plain_path(path).is_none()) {
                return Err(BadDefinition::HomePath(path.clone()));
            }
            if folder.usual.is_none() && !folder.sign_in.is_empty() {
                return Err(BadDefinition::NoUsual(folder.variable.clone()));
            }
        }
        let is_key = |name: &String| self.keys.iter().flatten().any(|key| key == name);
        match self.with_key.keys().find(|name| !is_key(name)) {
            Some(name) => Err(BadDefinition::NoKey(name.clone())),
            None => Ok(()),
        }
    }
}

/// What every key may have a placeholder for.
const ANYWHERE: [&str; 6] = [
    "model",
    "folder",
    "output",
    "home",
    "folder:json",
    "program:json",
];
/// What some keys may have besides.
const NO_OTHERS: &[&str] = &[];
const PROMPT: &[&str] = &["prompt"];
const REPO: &[&str] = &["repo", "repo:json"];

/// Refuses `{word}` where it would be taken for a placeholder and is none. Other braces, as JSON has them, are no matter.
fn check_placeholders(key: &'static str, text: &str, others: &[&str]) -> Result<(), BadDefinition> {
    let known = || ANYWHERE.iter().chain(others);
    for after in text.split('{').skip(1) {
        let Some((inner, _)) = after.split_once('}') else {
            continue;
        };
        let is_word = !inner.is_empty()
            && inner
                .chars()
                .all(|c| c.is_ascii_lowercase() || c == '_' || c == ':');
        if is_word && !known().any(|name| *name == inner) {
            return Err(BadDefinition::Placeholder {
                key,
                placeholder: inner.to_owned(),
                known: comma_list(known().map(|name| format!("{{{name}}}"))),
            });
        }
    }
    Ok(())
}
