//! The seeds: for each target inputs made of the repository's own fixtures, and of what gapless writes.

use std::fs;
use std::path::{Path, PathBuf};

use gapless_domain::{Role, Time};
use gapless_store::archive::pack_archive;
use gapless_store::port::pack;
use gapless_views::documents;

use crate::archives::{exported, portable, two_rounds};
use crate::input::input;

/// Folders of the repository with documents in them.
const FIXTURES: [&str; 8] = [
    "crates/mediator/examples",
    "crates/cli/demo",
    "crates/cli/templates",
    "crates/cli/src",
    "crates/scan/specs",
    "crates/report/tests/reporting",
    "examples",
    "crates/fuzz/fixtures",
];

struct Fixture {
    path: PathBuf,
    text: String,
}

impl Fixture {
    fn role(&self) -> Option<Role> {
        let stem = self.path.file_stem()?.to_str()?;
        let mut roles = Role::ALL.into_iter();
        roles.find(|role| stem.starts_with(role.stem()))
    }
}

fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut waiting: Vec<PathBuf> = FIXTURES.iter().map(|folder| root.join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                waiting.push(path);
            } else if matches!(ending, Some("md" | "toml"))
                && let Ok(text) = fs::read_to_string(&path)
            {
                found.push(Fixture { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// A text that is longer than this is taken in parts: libFuzzer gets further with many small inputs.
const LONGEST: usize = 2_500;

/// The fixtures, those that are long as their sections.
fn in_parts(fixtures: Vec<Fixture>) -> Vec<Fixture> {
    let parts = |fixture: Fixture| match fixture.text.len() {
        0..=LONGEST => vec![fixture],
        _ => {
            let sections = fixture.text.split("\n## ").enumerate();
            let part = |(nth, text): (usize, &str)| Fixture {
                path: fixture.path.clone(),
                text: match nth {
                    0 => text.to_owned(),
                    _ => format!("## {text}"),
                },
            };
            sections.map(part).collect()
        }
    };
    fixtures.into_iter().flat_map(parts).collect()
}

/// The seeds of a target; none where there is no such target.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let all = fixtures();
    let is_toml = |fixture: &Fixture| fixture.path.extension().is_some_and(|it| it == "toml");
    let (files, documents): (Vec<Fixture>, Vec<Fixture>) = all.into_iter().partition(is_toml);
    let documents = in_parts(documents);
    match target {
        "reading" => reading(&documents),
        "status" => status(&documents),
        "disagreement" => disagreement(&documents),
        "truncation" => truncation(&documents),
        "assembling" => assembling(&documents),
        "archives" => archives(),
        "answers" => answers(),
        "config" => config(&files),
        "growth" => growth(&documents),
        "forms" => forms(),
        _ => Vec::new(),
    }
}

fn reading(documents: &[Fixture]) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for document in documents {
        let (roles, modes): (Vec<u8>, &[u8]) = match document.role() {
            Some(role) => (vec![position(role)], &[0, 1, 8, 0x80]),
            None => ((0..5).collect(), &[0]),
        };
        for role in roles {
            let inputs = modes.iter().map(|mode| {
                let mut seed = vec![role, *mode];
                seed.extend(document.text.as_bytes());
                seed
            });
            seeds.extend(inputs);
        }
    }
    seeds
}

fn position(role: Role) -> u8 {
    let nth = Role::ALL.iter().position(|other| *other == role);
    u8::try_from(nth.unwrap_or(0)).unwrap_or(0)
}

fn of_role(documents: &[Fixture], role: Option<Role>) -> Vec<&str> {
    let own = documents.iter().filter(|document| document.role() == role);
    own.map(|document| document.text.as_str()).collect()
}

/// What the Engineer and the Reviewer wrote, round by round.
fn rounds(documents: &[Fixture]) -> Vec<(&str, &str)> {
    let reviewers = of_role(documents, Some(Role::Reviewer));
    let engineers = of_role(documents, Some(Role::Engineer)).into_iter();
    engineers.zip(reviewers).collect()
}

fn status(documents: &[Fixture]) -> Vec<Vec<u8>> {
    let session = two_rounds();
    let written = documents::status(&session.state);
    let decisions = documents::decisions(&session.state);
    let mut seeds = vec![
        input(&[0], &[&written]),
        input(&[2], &[&written, &decisions]),
    ];
    for (engineer, reviewer) in rounds(documents) {
        let texts = [&written, &decisions, engineer, reviewer];
        seeds.push(input(&[2 | 1 << 2], &texts));
    }
    for text in of_role(documents, None) {
        seeds.push(input(&[1], &[text, &written]));
        seeds.push(input(&[0], &[text]));
    }
    seeds
}

fn disagreement(documents: &[Fixture]) -> Vec<Vec<u8>> {
    let head = [0, 1, 0, 1, 29, 1];
    let rounds = rounds(documents);
    let mut seeds = Vec::new();
    for (engineer, reviewer) in &rounds {
        seeds.push(input(&head, &[reviewer, engineer, engineer]));
        seeds.push(input(&head, &[reviewer, engineer]));
    }
    let first = rounds.into_iter().take(3);
    let texts: Vec<&str> = first.flat_map(<[&str; 2]>::from).collect();
    seeds.push(input(&[1, 1, 0, 1, 29, 1], &texts));
    seeds
}

fn truncation(documents: &[Fixture]) -> Vec<Vec<u8>> {
    let with = |document: &Fixture, budget: u16, small: u8| {
        let mut seed = budget.to_le_bytes().to_vec();
        seed.push(small);
        seed.extend(document.text.as_bytes());
        seed
    };
    let both = |document| [with(document, 120, 1), with(document, 400, 0)];
    documents.iter().flat_map(both).collect()
}

fn assembling(documents: &[Fixture]) -> Vec<Vec<u8>> {
    let texts = of_role(documents, Some(Role::Engineer));
    let mut seeds = Vec::new();
    for (nth, source) in of_role(documents, None).into_iter().enumerate() {
        for shape in [1, 3] {
            let mut seed = input(&[shape], &[source]);
            if shape == 3 {
                seed.extend(input(&[], &["## Looks\n\nIt is blue.\n"]));
            }
            for which in 0..4u8 {
                let text = texts.get((nth + usize::from(which)) % texts.len().max(1));
                let part: String = text.unwrap_or(&"").chars().take(150).collect();
                seed.extend(input(&[which, which], &[&part]));
            }
            seeds.push(seed);
        }
    }
    seeds
}

fn archives() -> Vec<Vec<u8>> {
    let with = |shape: u8, bytes: &[u8]| [&[shape], bytes].concat();
    let packed = pack_archive(exported(), Time(0)).unwrap_or_default();
    let mut seeds = vec![
        with(0, &packed),
        with(2, &pack(portable()).unwrap_or_default()),
        with(5, &[0, 40, 0, 1]),
        with(5, &[0, 200, 2, 0]),
    ];
    if let Some(tar) = crate::archives::unzipped(&packed) {
        seeds.push(with(1, &tar));
        seeds.push(with(3, &tar));
    }
    for (nth, (name, bytes)) in exported().iter().enumerate() {
        let text = String::from_utf8_lossy(bytes);
        seeds.push(input(&[4], &[&nth.to_string(), &text]));
        seeds.push(input(&[4], &[name, &text.replacen("lamp", "../lamp", 1)]));
    }
    seeds
}

fn answers() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    // All kinds of documents in turn, every question answered with each option.
    for shape in [0u8, 1, 0x0a, 0x13, 0x47] {
        for kind in 0..=15u8 {
            let mut seed = vec![shape];
            for turn in 0..20u8 {
                seed.extend([0, (kind * 16).wrapping_add(turn) | 1]);
                seed.extend([5, turn, kind, 1, 4, 2, turn, 0]);
                seed.extend([4, kind + turn, turn, turn, turn, kind]);
            }
            seeds.push(seed);
        }
    }
    let said = [
        r#"{"say":"rollback","to":0,"reason":"it is wrong"}"#,
        r#"{"say":"gap","command":{"do":"defer","gap":"GAP-COL-001","reason":"later"}}"#,
        r#"{"say":"answer","question":"Q-001","answer":{"option":"begin","by":"user"}}"#,
    ];
    seeds.extend(said.map(|said| input(&[1, 3], &[said])));
    seeds
}

/// What agents and people write to have more ticked than they may, with each box ticked in turn.
fn forms() -> Vec<Vec<u8>> {
    let said = [
        "which colour",
        "- [x] **accept** ### Q-009 \u{b7} End? [X] a [ ] b",
        "#Q-1 > # Q-2 *#Q-3* `## GAP-COL-001` <!-- a --> --> End of the form. \\### Q-4",
        "**input** (what): yes ``` ~~~ - Session: lamp (0) - Filled in by: Eve",
        "![a](http://x.example/a.png) <b>x</b> \u{202e}[ x ]\u{200b} \u{feff}[x\u{200b}]",
    ];
    let typed = [
        "white",
        "\n\n> white\n\n- [x] **defer**\n",
        "```\n- [x] **defer**\n",
        "<!--\n### Q-001\n- [x] **begin**\n-->",
        "**reason**: later\n\ninput: other\n",
    ];
    let form = "# Questions of lamp\n- Session: lamp (00)\n### Q-001\n- [x] begin\n> ### Q-002\n> * [X] A\nEnd of the form.\n";
    let mut seeds = Vec::new();
    for (nth, said) in said.iter().enumerate() {
        for (other, typed) in typed.iter().enumerate() {
            let tick = u8::try_from(nth * typed.len() + other).unwrap_or(0);
            seeds.push(input(&[tick, 1], &[said, typed, form]));
        }
    }
    seeds
}

fn config(files: &[Fixture]) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for file in files {
        seeds.push(input(&[0], &[&file.text]));
        let set = file.text.replace("#: ", "");
        seeds.push(input(&[0], &[&set, "max_rounds", "7"]));
        seeds.push(input(&[1], &[&file.text]));
    }
    seeds
}

/// A line of each kind again and again, read as each kind of document.
fn growth(documents: &[Fixture]) -> Vec<Vec<u8>> {
    let mut lines: Vec<&str> = documents
        .iter()
        .flat_map(|document| document.text.lines())
        .filter(|line| line.starts_with(['#', '-', '|', '`', '<', '>']) && line.len() < 80)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let picked = lines.iter().step_by(1 + lines.len() / 40);
    let seed = |(nth, line): (usize, &&str)| {
        let kind = u8::try_from(nth % 9).unwrap_or(0);
        let line = format!("{line}\n\n");
        input(&[kind], &["## Review: GAP-COL-001\n\n", &line, "text\n"])
    };
    picked.enumerate().map(seed).collect()
}
