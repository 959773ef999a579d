//! Rules for programs that are configured and run from a command line: options without a default, commands without exit codes,
//! files that may be damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gapless_domain::Severity;
use gapless_markdown::{Block, BlockKind};

use super::asking::{Asked, has_number};
use super::omissions::{has_word, omits};
use crate::facts::Classes;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static OPTION_WITHOUT_DEFAULT: Rule = Rule {
    id: "option-without-default",
    category: "CONFIG",
    severity: Severity::Medium,
    title: "What is the default?",
    reason: "Most installations run with the default, so it is the behaviour.",
    suggestion: "give the default, the allowed values, and what each does",
    topic: Topic::Other,
    bad: &[
        "The worker must skip a task that is older than `max_age`.",
        "When `keep_failed: true` is set, the worker must keep the task.",
        "The depth of the search must be configurable.",
    ],
    good: &[
        "The worker must skip a task that is older than `max_age`.\n\n```yaml\nmax_age: 7d\n```",
        "The worker must skip a task that is older than `max_age` (default: 7 days).",
        "The depth of the search must be configurable, with a default of 3.",
        "| setting | default |\n|---|---|\n| `max_age` | 7 d |\n\nThe worker must respect `max_age`.",
    ],
    check: options,
};

pub static EXIT_CODES_UNSAID: Rule = Rule {
    id: "exit-codes-unsaid",
    category: "API",
    severity: Severity::Medium,
    title: "With which exit codes do the commands end?",
    reason: "Scripts decide by the exit code, and each command would choose its own.",
    suggestion: "list the exit codes with their meaning, for success, wrong usage and each failure",
    topic: Topic::ErrorResponse,
    bad: &["`tidy add` adds a rule, `tidy list` lists rules, and `tidy run` applies them."],
    good: &[
        "`tidy add` adds a rule, `tidy list` lists rules, and `tidy run` applies them. The exit code is 0, or 1 after an error.",
        "Run `git add`, `git commit` and `git push`.",
    ],
    check: commands,
};

pub static DAMAGED_FILE: Rule = Rule {
    id: "damaged-file",
    category: "FAIL",
    severity: Severity::Low,
    title: "What if the file is damaged?",
    reason: "Programs are killed while they write, and people edit what they find.",
    suggestion: "say how files are written, and what happens when one can't be read",
    topic: Topic::ErrorResponse,
    bad: &["The tool must keep its list in a state file."],
    good: &[
        "The tool must keep its list in a state file. A damaged one is moved away, and the tool begins anew.",
    ],
    check: files,
};

/// Parts of the names of options that hold an amount or a time.
const AMOUNTS: [&str; 27] = [
    "max",
    "min",
    "timeout",
    "ttl",
    "interval",
    "limit",
    "size",
    "age",
    "window",
    "threshold",
    "retries",
    "count",
    "period",
    "delay",
    "depth",
    "capacity",
    "rate",
    "days",
    "hours",
    "seconds",
    "bytes",
    "quota",
    "attempts",
    "backoff",
    "retention",
    "concurrency",
    "ratio",
];

fn options(facts: &Facts<'_>, found: &mut Found) {
    let mut open: BTreeMap<String, (&Sentence, Range<usize>)> = BTreeMap::new();
    let mut order = Vec::new();
    let mut asked = Asked::default();
    // A block of code with defaults is where they are.
    let mut code = facts.document.code_blocks.iter();
    let has_defaults = code.any(|span| facts.document.source[span.clone()].contains("default"));
    for (at, sentence) in facts.sentences.iter().enumerate() {
        if !may_set(facts, sentence) {
            continue;
        }
        let names = facts.words_of(sentence).iter();
        let is_list = names.filter(|word| word.is_code()).count() > MOST_NAMES;
        let is_parameter = describes_a_parameter(facts, sentence);
        for word in facts
            .words_of(sentence)
            .iter()
            .filter(|word| word.is_code() && !is_list && !is_parameter)
        {
            if let Some(name) = option_name(facts.text(word.span()))
                && !open.contains_key(&name)
            {
                order.push(name.clone());
                open.insert(name, (sentence, word.span()));
            }
        }
        if let Some(span) = configurable(facts, at, sentence).filter(|_| !has_defaults) {
            asked.about(
                facts,
                sentence,
                span,
                "what is the default, and which values are allowed?",
            );
        }
    }
    let told = defaulted_names(facts, &open);
    for name in order.iter().filter(|name| !told.contains(*name)) {
        if let Some((sentence, span)) = open.remove(name) {
            let question =
                format!("what is the default of `{name}`, and which values are allowed?");
            asked.about(facts, sentence, span, &question);
        }
    }
    asked.tell(found);
}

/// A sentence with more names lists them.
const MOST_NAMES: usize = 2;

/// `min_points (integer, optional): …` may be left out, and then nothing is asked of it.
fn describes_a_parameter(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    let words = facts.words_of(sentence);
    let is_first = words.first().is_some_and(|word| word.is_code());
    has_word(facts, sentence, &["defaulting"])
        || is_first && has_word(facts, sentence, &["optional", "required"])
}

/// Whether an option may be introduced in a sentence: where the spec binds, and not in the title of a table or a list of fields.
fn may_set(facts: &Facts<'_>, sentence: &Sentence) -> bool {
    !facts.section_of(sentence).is_informative
        && !sentence.is_recorded_gap
        && !sentence.is_quoted
        && !sentence.informs
        && !matches!(
            facts.block_of(sentence).kind,
            BlockKind::Heading | BlockKind::Cell
        )
}

/// The name in `max_age` and in `keep_failed: true`.
fn option_name(code: &str) -> Option<String> {
    let code = code.trim_matches('`').trim();
    let (name, value) = match code.split_once(':') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (code, None),
    };
    let is_name = name.contains('_')
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.'))
        && name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_switch = matches!(value, Some("true" | "false"));
    let last = name.rsplit('.').next().unwrap_or(name);
    // `http_request_duration_seconds` is a metric.
    const MOST_PARTS: usize = 3;
    let is_short = last.split('_').count() <= MOST_PARTS && !last.ends_with("_total");
    let is_amount = value.is_none() && is_short && is_amount_name(last);
    (is_name && (is_switch || is_amount)).then(|| last.to_owned())
}

/// `max_age`, `retry_count`, and not `age_restricted`.
fn is_amount_name(name: &str) -> bool {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or("");
    let last = parts.next_back().unwrap_or("");
    matches!(first, "max" | "min") || AMOUNTS.contains(&last)
}

/// Which names have a value or a default in a sentence, a row or a line of code.
fn defaulted_names(
    facts: &Facts<'_>,
    open: &BTreeMap<String, (&Sentence, Range<usize>)>,
) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    if open.is_empty() {
        return told;
    }
    let sentences = facts
        .sentences
        .iter()
        .filter(|sentence| sentence.has(Class::Defaulted) || has_number(facts, sentence));
    let sentences = sentences.map(|sentence| facts.text(sentence.span.clone()));
    let rows = facts
        .document
        .rows
        .iter()
        .map(|row| facts.text(row.span.clone()));
    let code = facts.document.code_blocks.iter();
    let code = code.flat_map(|span| facts.document.source[span.clone()].lines());
    for text in sentences.chain(rows).chain(code) {
        for name in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            if open.contains_key(name) {
                told.insert(name.to_owned());
            }
        }
    }
    told
}

/// `must be configurable`, without a default in the sentence or the next.
fn configurable(facts: &Facts<'_>, at: usize, sentence: &Sentence) -> Option<Range<usize>> {
    if !sentence.has(Class::Optioned) || !sentence.is_strict() {
        return None;
    }
    let near = [
        Some(sentence),
        facts.sentences.get(at + 1),
        at.checked_sub(1).map(|at| &facts.sentences[at]),
    ];
    let answered = near.into_iter().flatten().any(|near| {
        near.block == sentence.block && (near.has(Class::Defaulted) || has_number(facts, near))
    });
    let hit = facts.hits_of(sentence, Class::Optioned).next()?;
    (!answered).then(|| facts.span_of_hit(hit))
}

/// Programs that a spec uses and doesn't define.
const OTHERS: [&str; 80] = [
    "uv",
    "uvx",
    "pipx",
    "poetry",
    "pytest",
    "ruff",
    "pre-commit",
    "twine",
    "gh",
    "claude",
    "bun",
    "bunx",
    "deno",
    "openssl",
    "git",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "cargo",
    "rustup",
    "docker",
    "kubectl",
    "helm",
    "go",
    "pip",
    "python",
    "python3",
    "node",
    "make",
    "brew",
    "apt",
    "apt-get",
    "curl",
    "kill",
    "sudo",
    "ssh",
    "systemctl",
    "terraform",
    "aws",
    "gcloud",
    "az",
    "psql",
    "redis-cli",
    "bundle",
    "rails",
    "php",
    "composer",
    "dotnet",
    "mvn",
    "gradle",
    "select",
    "insert",
    "update",
    "import",
    "from",
    "return",
    "let",
    "const",
    "use",
    "pub",
    "fn",
    "def",
    "type",
    "new",
    "if",
    "for",
    "await",
    "async",
    "export",
    "function",
    "var",
    "class",
    "struct",
    "impl",
    "mod",
    "package",
    "create",
    "alter",
    "drop",
];

/// A program with this many commands is what the spec is about.
const FEWEST_COMMANDS: usize = 3;

fn commands(facts: &Facts<'_>, found: &mut Found) {
    if facts.mentioned.has(Class::Exiting) {
        return;
    }
    let mut programs: BTreeMap<&str, (BTreeSet<String>, Range<usize>)> = BTreeMap::new();
    let source = &facts.document.source;
    let spans = facts.document.code_spans.iter();
    let spans = spans.map(|span| (span.clone(), source[span.clone()].trim_matches('`')));
    let shells = facts
        .document
        .blocks
        .iter()
        .filter(|block| is_shell(facts, block));
    let lines = shells.flat_map(|block| {
        let lines = source[block.span.clone()].lines();
        lines.map(|line| (block.span.clone(), line.trim_start_matches(['$', ' '])))
    });
    for (span, text) in spans.chain(lines) {
        let mut words = text.split(' ').take_while(|word| is_word(word));
        let Some(program) = words.next().filter(|program| !OTHERS.contains(program)) else {
            continue;
        };
        let command: Vec<&str> = words.take(2).collect();
        if !command.is_empty() {
            let entry = programs.entry(program);
            let entry = entry.or_insert_with(|| (BTreeSet::new(), span));
            entry.0.insert(command.join(" "));
        }
    }
    let most = programs
        .iter()
        .max_by_key(|(_, (commands, _))| commands.len());
    let Some((program, (commands, span))) = most else {
        return;
    };
    if commands.len() >= FEWEST_COMMANDS {
        let first =
            span.start..span.start + source[span.clone()].lines().next().map_or(0, str::len);
        let shown: Vec<String> = commands
            .iter()
            .take(4)
            .map(|it| format!("`{program} {it}`"))
            .collect();
        let message = format!(
            "{}: with which exit code does each end, after success and after each failure? The spec names none.",
            quoted(&shown.join(", "))
        );
        found.at(first, message);
    }
}

/// Whether a code block has commands: by its language, or because each of its lines begins with the same program.
fn is_shell(facts: &Facts<'_>, block: &Block) -> bool {
    let BlockKind::Code(language) = &block.kind else {
        return false;
    };
    match language.split(' ').next().unwrap_or("") {
        "sh" | "bash" | "shell" | "console" | "zsh" => true,
        "" | "text" | "txt" => {
            let lines = facts.document.source[block.span.clone()].lines();
            let lines = lines.filter(|line| !line.starts_with("```") && !line.trim().is_empty());
            let mut programs = lines.map(|line| line.split(' ').next().unwrap_or(""));
            let first = programs.next().unwrap_or("");
            is_word(first) && programs.clone().next().is_some() && programs.all(|it| it == first)
        }
        _ => false,
    }
}

fn is_word(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn files(facts: &Facts<'_>, found: &mut Found) {
    let question = "what happens when the file is damaged or can't be read? The spec doesn't say.";
    omits(
        facts,
        found,
        Class::Stored,
        Classes::of(Class::Damaged),
        question,
    );
}
