//! Rolling back from the command line: asking, undoing, refusing, taking decisions up again, and while another process drives.

use serde_json::{Value, json};

use crate::support::{Project, RECORDED, until};

/// An agent that proposes and reviews whatever it is asked for; `before` runs first.
pub fn agent(before: &str) -> String {
    format!(
        r####"
prompt=$(cat)
gaps=$(printf '%s\n' "$prompt" | grep -oE '^### GAP-[A-Z]+-[0-9]+' | sed 's/### //' | sort -u)
{before}
case "$GAPLESS_ROLE" in
  engineer) for gap in $gaps; do
    printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$gap"
    printf 'It is fixed at forty-two units, measured as the norm says, with a tolerance of one unit either way. '
    printf 'Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n'
    printf '### Examples\n\nForty-one passes, forty does not.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
  done ;;
  reviewer) for gap in $gaps; do
    printf '## Review: %s\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n- the tolerance\n\n' "$gap"
  done ;;
  *) cat {RECORDED}/round_007/final_review.md ;;
esac
"####
    )
}

const BEGIN: &str = "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n";

impl Project {
    /// A session of three gaps, one for each round, whose Engineer has nothing to say in round 3; paused there, with a
    /// deferral and a severity that were decided in that round.
    fn at_round_three() -> Self {
        Self::at_round_three_with("")
    }

    fn at_round_three_with(settings: &str) -> Self {
        let project = Self::new();
        project.write(
            "lamp.md",
            "# A lamp\n\nIt has a colour, a height and a switch.\n\n## Known gaps\n\n\
             - GAP-COL-001 [HIGH]: the colour is missing\n- GAP-HGT-001 [MEDIUM]: the height is missing\n\
             - GAP-SWI-001 [LOW]: the switch is missing\n- GAP-PRC-001 [LOW]: the price is missing\n",
        );
        project.write("answers.toml", BEGIN);
        let settings = format!("gaps_per_round = 1\nmax_retries = 0\n{settings}");
        project.write("gapless.toml", &settings);
        let silent = "[ \"$GAPLESS_ROLE $GAPLESS_ROUND\" = 'engineer 3' ] && exit 0";
        let agent = project.agent(&agent(silent));
        let words = ["run", "lamp.md", "--agents", &agent, "--analyst", "none"];
        let words = [words.as_slice(), &["--answers", "answers.toml"]].concat();
        project.gapless(&words).exits(3);
        let grade = [
            "gap",
            "severity",
            "GAP-PRC-001",
            "medium",
            "--reason",
            "shops ask",
        ];
        project.gapless(&grade).exits(0);
        project
    }

    fn undo(&self, to: &str) -> crate::support::Said {
        self.gapless(&["rollback", "--to", to, "--reason", "beside the point"])
    }

    /// The questions that wait, by kind.
    fn waiting_for(&self) -> Vec<String> {
        let questions = self.json(&["questions"]);
        let items = questions["items"].as_array().unwrap().iter();
        let kind = |item: &Value| item["kind"].as_str().unwrap().to_owned();
        items.map(kind).collect()
    }

    /// Without the times, which differ between calls.
    fn said(&self, text: &str) -> String {
        let lines = self.filtered(text);
        let lines = lines.lines().map(|line| match line.find("20") {
            Some(at) if line[at..].len() > 19 && line.as_bytes()[at + 10] == b'T' => {
                format!("{}[time]{}", &line[..at], &line[at + 20..])
            }
            _ => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The commands of an output.
fn commands(out: &str) -> Vec<&str> {
    let lines = out.lines().map(str::trim);
    lines.filter(|line| line.starts_with("gapless ")).collect()
}

#[track_caller]
fn command<'o>(out: &'o str, part: &str) -> &'o str {
    let mut found = commands(out).into_iter().filter(|line| line.contains(part));
    found.next().unwrap_or_else(|| panic!("no {part} in {out}"))
}

#[test]
fn asking_shows_where_to_go_back_to_and_the_printed_commands_work() {
    let project = Project::at_round_three();
    let asked = project.gapless(&["rollback"]).exits(3).out;
    insta::assert_snapshot!("asked", project.said(&asked));
    assert_eq!(commands(&asked).len(), 5, "one for each option");
    // Asked again, it is asked once.
    let document = project.gapless(&["rollback", "--json"]).exits(3).json();
    assert_eq!(document["stopped"], "waiting");
    assert_eq!(document["exit"], 3);
    assert_eq!(project.waiting_for(), ["escalation", "rollback"]);

    let asked = project.gapless(&["rollback"]).exits(3).out;
    let cancelled = project.shell(command(&asked, "--option cancel")).exits(0);
    assert!(
        cancelled.out.contains("gapless resume lamp"),
        "{}",
        cancelled.out
    );
    let asked = project.gapless(&["rollback"]).exits(3).out;
    let narrow = command(&asked, "--option narrow").replace("<why it is undone>", "too much");
    let said = project.shell(&narrow).exits(0).out;
    insta::assert_snapshot!("narrowed", project.said(&said));
    let late = project.shell(command(&asked, "--option cancel")).exits(1);
    assert!(
        late.err.contains("has been answered already"),
        "{}",
        late.err
    );
}

#[test]
fn a_rollback_undoes_and_offers_what_was_decided() {
    let project = Project::at_round_three();
    let escalation = project.json(&["questions"])["items"][0]["id"].clone();
    let said = project.undo("1").exits(3).out;
    insta::assert_snapshot!("undone", project.said(&said));
    let late = [
        "answer",
        "lamp",
        escalation.as_str().unwrap(),
        "--option",
        "skip",
    ];
    let late = project.gapless(&late).exits(1).err;
    assert!(
        late.contains("was withdrawn: round 3 was rolled back"),
        "{late}"
    );

    let archived = project.gapless(&["decisions", "--archived"]).exits(0).out;
    insta::assert_snapshot!("archived", project.said(&archived));
    project
        .shell(command(
            &archived.replace(": gapless", ":\ngapless"),
            "reapply",
        ))
        .exits(0);
    assert!(
        project.waiting_for().is_empty(),
        "it was the only one that was offered"
    );
    let document = project.json(&["decisions", "--archived"]);
    let item = &document["items"][0];
    assert_eq!(item["state"], "REAPPLIED");
    assert_eq!(item["reapplied_as"], "DECISION-R1-001");
    assert_eq!(item["can_be_reapplied"], false);
    let decisions = project.json(&["decisions"]);
    assert_eq!(decisions["items"][0]["reapplied_from"], "DECISION-R3-001");
    let twice = project
        .gapless(&["reapply", "DECISION-R3-001"])
        .exits(1)
        .err;
    assert!(
        twice.contains("re-applied already, as DECISION-R1-001"),
        "{twice}"
    );
    insta::assert_snapshot!(
        "decisions",
        project.said(&project.read(".gapless/sessions/lamp/decisions.md"))
    );

    let log = project.json(&["log"]);
    let events = log["events"].as_array().unwrap();
    let rollback = events.iter().find(|e| e["type"] == "rollback.rolled_back");
    let rollback = rollback.unwrap()["seq"].as_u64().unwrap();
    for event in events {
        let of_round = event["seq"].as_u64().unwrap();
        let began = events
            .iter()
            .find(|e| e["type"] == "round.began" && e["round"] == 2);
        let began = began.unwrap()["seq"].as_u64().unwrap();
        let undone = (began..rollback).contains(&of_round);
        let expected = if undone { rollback.into() } else { Value::Null };
        assert_eq!(event["undone_by"], expected, "{event}");
    }
    let shown = project.gapless(&["log"]).exits(0).out;
    let marked = |line: &&str| line.as_bytes()[5] == b'~';
    let undone = events.iter().filter(|event| !event["undone_by"].is_null());
    assert_eq!(shown.lines().filter(marked).count(), undone.count());
}

#[test]
fn what_was_undone_found_and_told_is_in_the_document_and_in_the_prompt() {
    let project = Project::at_round_three();
    let reason = "nobody sells it like that";
    let words = ["rollback", "--to", "1", "--reason", reason, "--json"];
    let words = [words.as_slice(), &["--adjust", "It is a floor lamp."]].concat();
    let document = project.gapless(&words).exits(3).json();
    assert_eq!(document["rollbacks"]["used"], 1);
    let rollback = &document["rollback"];
    assert_eq!(rollback["reason"], reason);
    assert_eq!(rollback["trigger"], "user");
    assert_eq!(rollback["unasked"], false);
    assert_eq!(rollback["decisions"], json!(["DECISION-R3-001"]));
    let rounds = rollback["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2);
    assert_eq!(rounds[0]["round"], 2);
    assert_eq!(rounds[0]["gaps"], json!(["GAP-HGT-001"]));
    assert_eq!(rounds[0]["archive"], "round_002_rolled_back_1.tar.gz");
    assert_eq!(rounds[0]["patterns"][0]["pattern"], "NARROW_EXAMPLES");
    assert_eq!(rounds[1]["patterns"][0]["pattern"], "MISSING_SECTIONS");
    let told: Vec<&str> = rollback["told"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    assert_eq!(told.len(), 3);
    assert_eq!(
        told[..2],
        [
            "The user undid rounds 2 to 3. Their reason: nobody sells it like that",
            "It is a floor lamp."
        ]
    );
    assert!(
        told[2].ends_with("\n- GAP-HGT-001: only 1 example"),
        "{told:?}"
    );
    let question = project.json(&["questions"])["items"][0]["id"].clone();
    let leave = ["answer", "lamp", question.as_str().unwrap()];
    let leave = [leave.as_slice(), &["--option", "leave"]].concat();
    project.gapless(&leave).exits(0);
    // Round 3 has nothing to say again.
    project.gapless(&["resume"]).exits(3);
    let prompt = project.json(&["show", "2", "--attempt", "engineer-1"]);
    let prompt = prompt.to_string();
    for text in told {
        let encoded = Value::from(text).to_string();
        assert!(prompt.contains(encoded.trim_matches('"')), "{prompt}");
    }
}

#[test]
fn without_anything_to_go_back_to_it_says_why() {
    let project = Project::at_round_three();
    project.undo("0").exits(3);
    let refused = project.gapless(&["rollback"]).exits(1).err;
    assert!(
        refused.contains("every round has been rolled back"),
        "{refused}"
    );
    let project = Project::at_round_three_with("backup_retention_rounds = 1\n");
    project.undo("2").exits(3);
    for words in [
        vec!["rollback"],
        vec!["rollback", "--to", "1", "--reason", "no"],
    ] {
        let refused = project.gapless(&words).exits(1).err;
        insta::assert_snapshot!("nothing_earlier", project.filtered(&refused));
    }
}

#[test]
fn what_can_not_be_undone_is_refused_with_what_can() {
    let project = Project::at_round_three();
    let refused = |words: &[&str], code: i32| {
        let said = project.gapless(words).exits(code);
        assert_eq!(said.out, "");
        project.filtered(&said.err)
    };
    insta::assert_snapshot!(
        "refused",
        [
            refused(&["rollback", "--to", "7", "--reason", "no"], 1),
            refused(&["rollback", "--to", "1", "--reason", " "], 1),
            refused(&["rollback", "--to", "1"], 2),
            refused(&["rollback", "--mode", "sometimes"], 2),
            refused(
                &[
                    "rollback", "--mode", "strict", "--to", "1", "--reason", "no"
                ],
                2
            ),
            refused(&["rollback", "lmap"], 2),
            refused(&["reapply", "DECISION-R3-001"], 1),
            refused(&["reapply", "R3"], 2),
        ]
        .join("\n")
    );
    assert_eq!(project.json(&["status"])["round"], 3);
}

#[test]
fn a_mode_that_is_set_is_kept() {
    let project = Project::at_round_three();
    let said = project
        .gapless(&["rollback", "--mode", "strict"])
        .exits(0)
        .out;
    assert!(said.contains("Rollbacks are strict from now on"), "{said}");
    let taken = project.json(&["rollback", "--mode", "strict"]);
    assert_eq!(taken["taken"], true);
    // Strict looks for the cause from the first rollback on.
    let said = project.undo("2").exits(3).out;
    assert!(
        said.contains("Round 3 was rolled back once: what is behind it?"),
        "{said}"
    );
    assert_eq!(project.waiting_for(), ["undone_decisions", "root_cause"]);
}

#[test]
fn archives_of_an_ended_session_wait_for_the_answer_and_go_with_it() {
    let project = Project::at_round_three();
    project.undo("2").exits(3);
    let said = project.gapless(&["stop", "--abandon"]).exits(0).out;
    assert!(
        said.contains("waits: What becomes of the archives"),
        "{said}"
    );
    assert_eq!(project.waiting_for(), ["archives"]);
    let archive = ".gapless/sessions/lamp/archives/round_003_rolled_back_1.tar.gz";
    assert!(project.path(archive).exists());
    let asked = project.gapless(&["questions"]).exits(0).out;
    insta::assert_snapshot!("archives_asked", project.said(&asked));
    let said = project
        .shell(command(&asked, "--option delete"))
        .exits(0)
        .out;
    assert!(said.contains("1 archive deleted"), "{said}");
    assert!(!project.path(archive).exists());
    assert!(project.waiting_for().is_empty());
    // Its texts are in the log.
    let log = project.json(&["log"]).to_string();
    assert!(log.contains("rollback.rolled_back"));
}

#[test]
fn a_rollback_reaches_the_process_that_drives() {
    let project = Project::with_two_gaps();
    let leave = "[[answer]]\nkind = \"undone_decisions\"\noption = \"leave\"\n";
    project.write("answers.toml", &format!("{BEGIN}{leave}"));
    let fifo = project.path("gate");
    let fifo = fifo.display();
    project.shell(&format!("mkfifo {fifo}")).exits(0);
    // Every Engineer says that it is there, and waits until somebody writes into the pipe.
    let starts = project.path("starts");
    let waits = format!(
        "if [ \"$GAPLESS_ROLE\" = engineer ]; then printf '%s\\n' \"$prompt\" > prompt-$GAPLESS_ROUND.md; \
         echo \"$GAPLESS_ROUND\" >> {}; read word < {fifo}; fi",
        starts.display()
    );
    let agent = project.agent(&agent(&waits));
    let words = ["run", "tiny.md", "--agents", &agent, "--analyst", "none"];
    let words = [words.as_slice(), &["--answers", "answers.toml"]].concat();
    let running = project.start(&words);
    let started = |times: usize| {
        let starts = std::fs::read_to_string(&starts).unwrap_or_default();
        starts.lines().count() >= times
    };
    until("the Engineer is at work", || started(1));
    let grade = [
        "gap",
        "severity",
        "GAP-HGT-001",
        "medium",
        "--reason",
        "tables differ",
    ];
    project.gapless(&grade).exits(0);

    // Without a round, it is asked where the session is driven, and can be answered from here.
    let asked = project.gapless(&["rollback", "tiny"]).exits(0).out;
    let pid = running.id();
    assert_eq!(
        asked.trim_end(),
        format!(
            "Taken by the run that drives tiny (process {pid}): it asks there what is undone. To answer from here: gapless \
             questions tiny"
        )
    );
    let question = project.gapless(&["questions", "tiny"]).exits(0).out;
    let cancelled = project
        .shell(command(&question, "--option cancel"))
        .exits(0)
        .out;
    assert!(
        cancelled.contains("Taken by the run that drives tiny"),
        "{cancelled}"
    );

    // With one, the agent is ended and the round is run again with what was said.
    let words = [
        "rollback",
        "tiny",
        "--to",
        "0",
        "--reason",
        "the wrong lamp",
    ];
    let words = [words.as_slice(), &["--adjust", "it is a floor lamp"]].concat();
    let said = project.gapless(&words).exits(0).out;
    assert!(
        said.contains("it asks there what follows on it, if anything"),
        "{said}"
    );
    for line in [
        "! Rolled back from round 1 to 0: the wrong lamp",
        "archived as round_001_rolled_back_1.tar.gz",
        "    - it is a floor lamp",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let refused = project
        .gapless(&["rollback", "--to", "4", "--reason", "no"])
        .exits(1);
    assert!(
        refused.err.contains("nothing to go back to after round 4"),
        "{}",
        refused.err
    );
    until("the round is run again", || started(2));
    assert!(project.waiting_for().is_empty());
    let again = ["reapply", "DECISION-R1-001", "--text"];
    let refused = project
        .gapless(&[again.as_slice(), &["Half a metre more."]].concat())
        .exits(1);
    assert!(
        refused
            .err
            .contains("these words name none; write CRITICAL"),
        "{}",
        refused.err
    );
    let again = [again.as_slice(), &["MEDIUM: half a metre more.", "--json"]].concat();
    assert_eq!(project.gapless(&again).exits(0).json()["by"], "driver");
    let twice = project
        .gapless(&["reapply", "DECISION-R1-001"])
        .exits(1)
        .err;
    assert!(twice.contains("was re-applied already"), "{twice}");
    let mode = project
        .gapless(&["rollback", "--mode", "auto_retry"])
        .exits(0)
        .out;
    assert!(mode.contains("Taken by the run"), "{mode}");

    project.shell(&format!("echo go > {fifo}")).exits(0);
    let said = running.wait().exits(0).out;
    assert!(
        said.contains("Rolled back from round 1 to 0: the wrong lamp"),
        "{said}"
    );
    assert!(
        said.contains("DECISION-R1-001 is in force again, as DECISION-R1-002"),
        "{said}"
    );
    assert!(said.contains("COMPLETE"), "{said}");
    let log = project.json(&["log"]);
    let prompt = project
        .json(&["show", "1", "--attempt", "engineer-1"])
        .to_string();
    assert!(prompt.contains("it is a floor lamp"), "{prompt}");
    let mode = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .any(|e| e["type"] == "rollback.mode_set");
    assert!(mode);
    assert!(
        !project
            .path(".gapless/sessions/tiny/archives/round_001_rolled_back_1.tar.gz")
            .exists()
    );
    assert_eq!(
        project.json(&["archive", "list"])["items"][0]["place"],
        "cold"
    );
}
