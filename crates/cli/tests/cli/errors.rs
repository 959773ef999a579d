//! Everything that can be wrong with a call and its surroundings: an error a person can act on, the right exit code,
//! and nothing written.

use std::fs;

use rusqlite::Connection;

use crate::support::{AS_BEFORE_HASHES, Project, RECORDED, Said};

struct Case {
    name: &'static str,
    prepare: fn(&Project),
    words: &'static [&'static str],
    kind: &'static str,
    said: &'static str,
}

const RUN: &[&str] = &["run", "spec.md", "--agents", "AGENT"];

fn nothing(_: &Project) {}

fn with_session(project: &Project) {
    project.write("spec.md", "# A spec\n\n- GAP-AB-001: nothing is said\n");
    call(project, RUN).exits(3);
}

fn change_database(project: &Project, sql: &str) {
    with_session(project);
    let database = Connection::open(project.path(".gapless/gapless.db")).unwrap();
    database.execute_batch(sql).unwrap();
}

fn call(project: &Project, words: &[&str]) -> Said {
    let replay = format!("replay:{RECORDED}");
    let words: Vec<&str> = words
        .iter()
        .map(|word| match *word {
            "AGENT" => replay.as_str(),
            word => word,
        })
        .collect();
    // Where nothing is on PATH, no agent is found.
    Said::of(project.command(&words).env("PATH", "").output().unwrap())
}

const CASES: &[Case] = &[
    Case {
        name: "missing spec",
        prepare: nothing,
        words: RUN,
        kind: "spec",
        said: "there is no spec at",
    },
    Case {
        name: "spec is a folder",
        prepare: |project| fs::create_dir(project.path("spec.md")).unwrap(),
        words: RUN,
        kind: "spec",
        said: "is a folder, not a spec",
    },
    Case {
        name: "empty spec",
        prepare: |project| drop(project.write("spec.md", " \n\n")),
        words: RUN,
        kind: "spec",
        said: "the spec is empty",
    },
    Case {
        name: "spec of 50 MB",
        prepare: |project| {
            let file = fs::File::create(project.path("spec.md")).unwrap();
            file.set_len(50 * 1024 * 1024).unwrap();
        },
        words: RUN,
        kind: "spec",
        said: "is 50 MB; gapless takes specs of at most 4 MB",
    },
    Case {
        name: "spec that is not UTF-8",
        prepare: |project| fs::write(project.path("spec.md"), b"# A\n\nb\xff\n").unwrap(),
        words: RUN,
        kind: "spec",
        said: "is not UTF-8: byte 6 (line 3)",
    },
    Case {
        name: "duplicate gap ids",
        prepare: |project| {
            project.write("spec.md", "# A\n\n- GAP-AB-001: one\n- GAP-AB-001: two\n");
        },
        words: RUN,
        kind: "spec",
        said: "declares GAP-AB-001 twice, on lines 3 and 4",
    },
    Case {
        name: "unknown key in gapless.toml",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write("gapless.toml", "\ngaps_per_roud = 3\n");
        },
        words: RUN,
        kind: "config",
        said: "gapless.toml, line 2: there is no key `gaps_per_roud`\nhint: did you mean `gaps_per_round`?",
    },
    Case {
        name: "flag out of range",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &[
            "run",
            "spec.md",
            "--agents",
            "AGENT",
            "--gaps-per-round",
            "11",
        ],
        kind: "config",
        said: "`gaps_per_round` is 11; it must be from 1 to 10",
    },
    Case {
        name: "unknown key of --set",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &[
            "run",
            "spec.md",
            "--agents",
            "AGENT",
            "--set",
            "max_round=3",
        ],
        kind: "config",
        said: "did you mean `max_rounds`?",
    },
    Case {
        name: "a fallback that is no agent",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write("gapless.toml", "[agents]\nfallback = [\"relpay:x\"]\n");
        },
        words: RUN,
        kind: "agent",
        said: "did you mean `replay:<folder>`?",
    },
    Case {
        name: "a code base that is not there",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &["run", "spec.md", "--agents", "AGENT", "--repo", "nowhere"],
        kind: "agent",
        said: "there is no code base in",
    },
    Case {
        name: "an agent of one's own with an unknown key",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(
                "gapless.toml",
                "\n[agent.mine]\nprogram = \"x\"\nargument = []\n",
            );
        },
        words: RUN,
        kind: "config",
        said: "line 4: agent `mine`: unknown field `argument`",
    },
    Case {
        name: "an agent of one's own that takes a name",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write("gapless.toml", "[agent.claude]\nprogram = \"x\"\n");
        },
        words: RUN,
        kind: "config",
        said: "line 1: agent `claude`: `claude` can't be an agent's name",
    },
    Case {
        name: "an unknown agent to test",
        prepare: nothing,
        words: &["agents", "test", "telepathy"],
        kind: "agent",
        said: "`telepathy` is not an agent",
    },
    Case {
        name: "unknown agent",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &["run", "spec.md", "--agents", "relpay:x"],
        kind: "agent",
        said: "did you mean `replay:<folder>`?",
    },
    Case {
        name: "replay of nothing",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &["run", "spec.md", "--agents", "replay:nowhere"],
        kind: "agent",
        said: "there is no folder",
    },
    Case {
        name: "unknown prompt template",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(".gapless/prompts/enginer.md", "x");
        },
        words: RUN,
        kind: "prompt",
        said: "did you mean `engineer.md`? Known are analyst.md",
    },
    Case {
        name: "unreadable prompt template",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(".gapless/prompts/engineer.md", "{% if %}");
        },
        words: RUN,
        kind: "prompt",
        said: "prompt template `engineer`",
    },
    Case {
        name: "unknown text of a retry",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(".gapless/prompts/retry/wrong_form.md", "x");
        },
        words: RUN,
        kind: "prompt",
        said: "did you mean `retry/wrong_format.md`?",
    },
    Case {
        name: "example of nobody",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(".gapless/sessions/spec/examples/enginer.md", "x");
        },
        words: RUN,
        kind: "example",
        said: "did you mean `engineer.md`? Known are analyst.md",
    },
    Case {
        name: "missing answers file",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &[
            "run",
            "spec.md",
            "--agents",
            "AGENT",
            "--answers",
            "none.toml",
        ],
        kind: "answers",
        said: "none.toml can't be read",
    },
    Case {
        name: "unknown kind of question in the answers file",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(
                "a.toml",
                "[[answer]]\nkind = \"inventori\"\noption = \"x\"\n",
            );
        },
        words: &["run", "spec.md", "--agents", "AGENT", "--answers", "a.toml"],
        kind: "answers",
        said: "did you mean `inventory`?",
    },
    Case {
        name: "bad session name",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &["run", "spec.md", "--agents", "AGENT", "--name", "../x"],
        kind: "usage",
        said: "`../x` can't name a session",
    },
    Case {
        // Where a file stands in place of the folder nobody can write, whoever they are.
        name: "folder that can't be made",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(".gapless", "a file");
        },
        words: RUN,
        kind: "folder",
        said: ".gapless is a file, and gapless needs a folder there",
    },
    Case {
        name: "read-only file system",
        prepare: nothing,
        words: &["run", "/proc/self/comm", "--agents", "AGENT", "--name", "x"],
        kind: "folder",
        said: "can't be",
    },
    Case {
        name: "init where nothing can be written",
        prepare: nothing,
        words: &["init", "--workspace", "/proc/self"],
        kind: "folder",
        said: "/proc/",
    },
    Case {
        name: "database that is none",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write(".gapless/gapless.db", &"no database at all ".repeat(100));
        },
        words: RUN,
        kind: "store",
        said: "is not a gapless database",
    },
    Case {
        name: "database that is none, read",
        prepare: |project| {
            project.write(".gapless/gapless.db", &"no database at all ".repeat(100));
        },
        words: &["status"],
        kind: "store",
        said: "is not a gapless database",
    },
    Case {
        name: "damaged database",
        prepare: |project| {
            with_session(project);
            let path = project.path(".gapless/gapless.db");
            let database = Connection::open(&path).unwrap();
            database
                .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
                .unwrap();
            drop(database);
            let mut bytes = fs::read(&path).unwrap();
            let end = bytes.len();
            bytes[4096..end].fill(0xa5);
            fs::write(&path, bytes).unwrap();
        },
        words: &["status"],
        kind: "store",
        said: "is damaged",
    },
    Case {
        name: "newer database",
        prepare: |project| change_database(project, "PRAGMA user_version = 99"),
        words: &["resume"],
        kind: "store",
        said: "version 99 of its schema is newer",
    },
    Case {
        name: "newer event",
        prepare: |project| {
            change_database(
                project,
                &format!("UPDATE events SET version = 9 WHERE seq = 3; {AS_BEFORE_HASHES}"),
            );
            fs::remove_file(project.path(".gapless/gapless.db-head-spec")).unwrap();
        },
        words: &["resume"],
        kind: "store",
        said: "event 3 of the log",
    },
    Case {
        name: "changed event",
        prepare: |project| change_database(project, "UPDATE events SET version = 9 WHERE seq = 3"),
        words: &["resume"],
        kind: "store",
        said: "is damaged since event 3",
    },
    Case {
        name: "no workspace",
        prepare: nothing,
        words: &["status"],
        kind: "workspace",
        said: "there is no .gapless in",
    },
    Case {
        name: "workspace that is no folder",
        prepare: nothing,
        words: &["status", "--workspace", "nowhere"],
        kind: "workspace",
        said: "the workspace nowhere is not a folder",
    },
    Case {
        name: "unknown session",
        prepare: with_session,
        words: &["resume", "spce"],
        kind: "session",
        said: "there is no session `spce`\nhint: did you mean `spec`?",
    },
    Case {
        name: "unknown question",
        prepare: with_session,
        words: &["answer", "spec", "Q-077", "--option", "begin"],
        kind: "refused",
        said: "there is no question Q-077",
    },
    Case {
        name: "bad question id",
        prepare: with_session,
        words: &["answer", "spec", "seven", "--option", "begin"],
        kind: "usage",
        said: "`seven` is not a question id",
    },
    Case {
        name: "bad gap id",
        prepare: with_session,
        words: &["gap", "defer", "GAP-1", "--reason", "x"],
        kind: "usage",
        said: "`GAP-1` is not a gap id",
    },
    Case {
        name: "unknown gap",
        prepare: with_session,
        words: &["gap", "defer", "GAP-XY-001", "--reason", "x"],
        kind: "refused",
        said: "there is no gap GAP-XY-001",
    },
    Case {
        name: "bad issue id",
        prepare: with_session,
        words: &["issue", "waive", "ISSUE-1", "--reason", "x"],
        kind: "usage",
        said: "ISSUE-1",
    },
    Case {
        name: "unknown issue",
        prepare: with_session,
        words: &["issue", "severity", "ISSUE-R1-001", "LOW", "--reason", "x"],
        kind: "refused",
        said: "there is no issue ISSUE-R1-001\nhint: `gapless issues` lists them",
    },
    Case {
        name: "no such severity",
        prepare: with_session,
        words: &["issue", "severity", "ISSUE-R1-001", "TINY", "--reason", "x"],
        kind: "usage",
        said: "TINY",
    },
    Case {
        name: "waiver without a reason",
        prepare: with_session,
        words: &["issue", "waive", "ISSUE-R1-001"],
        kind: "usage",
        said: "--reason",
    },
    Case {
        name: "decisions of no session",
        prepare: with_session,
        words: &["decisions", "nobody"],
        kind: "session",
        said: "nobody",
    },
    Case {
        name: "round that is not there",
        prepare: with_session,
        words: &["show", "7"],
        kind: "usage",
        said: "there is no round 7 yet",
    },
    Case {
        name: "diff of a round that is not there",
        prepare: with_session,
        words: &["diff", "7"],
        kind: "usage",
        said: "there is no round 7 yet\nhint: there are: 0",
    },
    Case {
        name: "output that is the spec",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &[
            "run",
            "spec.md",
            "--agents",
            "AGENT",
            "--output",
            "./spec.md",
        ],
        kind: "usage",
        said: "./spec.md is the spec itself\nhint: to replace it at the end, say --in-place",
    },
    Case {
        name: "output that is a folder",
        prepare: |project| {
            project.write("spec.md", "# A\n");
            project.write("out/x", "");
        },
        words: &["run", "spec.md", "--agents", "AGENT", "--output", "out"],
        kind: "usage",
        said: "--output: out is a folder",
    },
    Case {
        name: "output in a folder that is not there",
        prepare: |project| drop(project.write("spec.md", "# A\n")),
        words: &[
            "run",
            "spec.md",
            "--agents",
            "AGENT",
            "--output",
            "no/out.md",
        ],
        kind: "usage",
        said: "no/out.md can't be written: there is no folder",
    },
    Case {
        name: "output among the files of gapless",
        prepare: with_session,
        words: &["resume", "--output", ".gapless/gapless.db"],
        kind: "usage",
        said: "lies in the folder where gapless keeps its own files",
    },
    Case {
        name: "output that is the spec, on resuming",
        prepare: with_session,
        words: &["resume", "--output", "spec.md"],
        kind: "usage",
        said: "spec.md is the spec itself",
    },
    Case {
        name: "output that is a folder, on stopping",
        prepare: with_session,
        words: &["stop", "--output", "."],
        kind: "usage",
        said: "--output: . is a folder",
    },
    Case {
        name: "in place of a spec that has changed",
        prepare: |project| {
            with_session(project);
            project.write("spec.md", "# Another\n");
        },
        words: &["resume", "--in-place"],
        kind: "usage",
        said: "is no longer what the session started from",
    },
    Case {
        name: "both a file and in place",
        prepare: with_session,
        words: &["resume", "--in-place", "--output", "out.md"],
        kind: "usage",
        said: "cannot be used with",
    },
    Case {
        name: "giving up with an output",
        prepare: with_session,
        words: &["stop", "--abandon", "--output", "out.md"],
        kind: "usage",
        said: "cannot be used with",
    },
    Case {
        name: "stop of an unknown session",
        prepare: with_session,
        words: &["stop", "spce"],
        kind: "session",
        said: "there is no session `spce`",
    },
    Case {
        name: "stop with an answers file that is not there",
        prepare: with_session,
        words: &["stop", "--answers", "none.toml"],
        kind: "answers",
        said: "none.toml can't be read",
    },
    Case {
        name: "unknown command",
        prepare: nothing,
        words: &["rum", "spec.md"],
        kind: "usage",
        said: "unrecognized subcommand 'rum'",
    },
];

#[test]
fn every_error_says_what_to_do_and_exits_2() {
    for case in CASES {
        let project = Project::new();
        (case.prepare)(&project);
        let said = call(&project, case.words);
        let all = format!("{}: {said:?}", case.name);
        assert_eq!(said.code, Some(2), "{all}");
        assert_eq!(said.out, "", "{all}");
        assert!(said.err.contains(case.said), "{all}");
        assert!(!said.err.contains("panicked"), "{all}");

        let words: Vec<&str> = case.words.iter().copied().chain(["--json"]).collect();
        let document = call(&project, &words).exits(2).json();
        let error = &document["error"];
        assert_eq!(error["kind"], case.kind, "{all}");
        let message = error["message"].as_str().unwrap();
        let hint = error["hint"].as_str().unwrap();
        assert!(!message.is_empty() && !hint.is_empty(), "{all}");
    }
}

#[test]
fn a_refused_start_leaves_nothing_behind() {
    for spec in ["", "# A\n\n- GAP-AB-001: one\n- GAP-AB-001: two\n"] {
        let project = Project::new();
        project.write("spec.md", spec);
        call(&project, RUN).exits(2);
        assert!(!project.path(".gapless").exists());
    }
}

#[test]
fn a_newer_database_can_be_read() {
    let project = Project::new();
    change_database(&project, "PRAGMA user_version = 99");
    call(&project, &["status"]).exits(0);
    call(&project, &["gaps"]).exits(0);
    let said = call(&project, &["pause"]).exits(2);
    assert!(said.err.contains("update gapless"), "{}", said.err);
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let project = Project::new();
    let disk = project.path("disk");
    fs::create_dir(&disk).unwrap();
    let mount = format!("mount -t tmpfs -o size=400k none {}", disk.display());
    if project.shell(&mount).code != Some(0) {
        // Only where mounting is allowed; the mapping of the error has a test of its own.
        return;
    }
    project
        .shell(&format!("cp {}/../spec.md disk/spec.md", RECORDED))
        .exits(0);
    let answers = format!("--answers {RECORDED}/../answers.toml");
    let said = project.shell(&format!(
        "cd disk && gapless run spec.md --agents replay:{RECORDED} {answers}"
    ));
    let more = format!("mount -o remount,size=20m {}", disk.display());
    let grown = project.shell(&more).code;
    let resumed = project.shell(&format!("cd disk && gapless resume {answers}"));
    project
        .shell(&format!("umount {}", disk.display()))
        .exits(0);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("no space left to write"), "{said:?}");
    assert_eq!((grown, resumed.code), (Some(0), Some(0)), "{resumed:?}");
}

#[test]
fn a_flag_of_the_configuration_says_what_it_must_be() {
    let project = Project::with_two_gaps();
    let cases: [(&[&str], &str); 6] = [
        (&["--gaps-per-round", "many"], "a whole number from 1 to 10"),
        (&["--gaps-per-round", "11"], "from 1 to 10"),
        (&["--max-rounds", "-1"], "a whole number from 1 to 9999"),
        (
            &["--set", "rollback_mode=foo"],
            "\"interactive\", \"auto_retry\" or \"strict\"",
        ),
        (&["--budget", "tokens=lots"], "a whole number of at least 0"),
        (&["--scan-from", "grave"], "critical, high, medium, low"),
    ];
    for (flag, wanted) in cases {
        let words = [&["run", "tiny.md", "--agents", "offline"], flag].concat();
        let said = project.gapless(&words).exits(2);
        assert!(said.err.contains(wanted), "{flag:?}: {}", said.err);
    }
}

#[test]
fn a_prompt_template_without_end_is_named_with_its_limit() {
    let row = "x".repeat(2000);
    for (template, limit) in [
        (
            "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}"
                .to_owned(),
            "prompt template `engineer`: it takes more than 2000000 steps, the limit of a template",
        ),
        (
            format!("{{% for a in range(90000) %}}{row}{{% endfor %}}"),
            "prompt template `engineer`: it writes more than 67108864 bytes, the limit of a prompt",
        ),
    ] {
        let project = Project::with_two_gaps();
        project.write(".gapless/prompts/engineer.md", &template);
        let words = [
            "run",
            "tiny.md",
            "--agents",
            "offline",
            "--policy",
            "recommended",
        ];
        let said = project.gapless(&words).exits(2);
        assert!(said.err.contains(limit), "{}", said.err);
    }
}
