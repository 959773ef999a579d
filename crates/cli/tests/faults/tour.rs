//! The tour: a session with rounds, an edit, a rollback, archives of every fate, deliveries, exports and an import, as
//! steps that each begin where another one ended.

use std::fs;

use crate::place::Place;

const DAY: i64 = 24 * 60 * 60 * 1000;

pub struct Step {
    pub name: &'static str,
    /// The step that it begins after; `nothing` is an empty folder.
    pub after: &'static str,
    /// What a person does first.
    pub first: fn(&Place),
    pub words: &'static str,
    /// How a session that is there already is gone on with; else the same words are said again.
    pub resume: Option<&'static str>,
    /// How a call ends that finds everything done.
    pub done_already: Option<i32>,
    /// What is said next, before anything is compared.
    pub then: Option<&'static str>,
    /// Faults that the file system has all the time.
    pub always: &'static str,
    /// How much later it is.
    pub later: i64,
}

const STEP: Step = Step {
    name: "",
    after: "nothing",
    first: |_| {},
    words: "",
    resume: None,
    done_already: None,
    then: None,
    always: "",
    later: 0,
};

pub const TOUR: &[Step] = &[
    Step {
        name: "started",
        first: begin,
        words: "run lamp.md --agents replay:recorded --analyst none --answers begin.toml --output out/refined.md",
        resume: Some("resume lamp --answers begin.toml"),
        ..STEP
    },
    Step {
        name: "carried",
        after: "started",
        words: "export lamp --folder carried",
        ..STEP
    },
    Step {
        name: "edited",
        after: "carried",
        first: edit,
        words: "gap severity GAP-PRC-001 medium --reason shops",
        then: Some("resume lamp --answers begin.toml"),
        ..STEP
    },
    Step {
        name: "edited without links",
        after: "carried",
        first: edit,
        words: "gap severity GAP-PRC-001 medium --reason shops",
        then: Some("resume lamp --answers begin.toml"),
        always: "edit-link:*:fails",
        ..STEP
    },
    Step {
        name: "undone",
        after: "edited",
        words: "rollback lamp --to 1 --reason beside-the-point",
        then: Some("resume lamp --answers kept.toml --policy recommended"),
        ..STEP
    },
    Step {
        name: "carried with archives",
        after: "undone",
        words: "export lamp --folder carried",
        ..STEP
    },
    Step {
        name: "cold",
        after: "carried with archives",
        first: damage,
        words: "resume lamp --answers cold.toml --policy recommended",
        ..STEP
    },
    Step {
        name: "deleted",
        after: "carried with archives",
        first: third_round,
        words: "resume lamp --answers deleted.toml --policy recommended --in-place",
        resume: Some("resume lamp --answers deleted.toml --policy recommended"),
        ..STEP
    },
    Step {
        name: "kept",
        after: "carried with archives",
        first: third_round,
        words: "resume lamp --answers kept.toml --policy recommended",
        always: "backup-link:*:fails",
        ..STEP
    },
    Step {
        name: "marked",
        after: "kept",
        words: "archive keep lamp round_002_rolled_back_1",
        ..STEP
    },
    Step {
        name: "restored",
        after: "kept",
        words: "archive restore lamp round_002_rolled_back_1",
        done_already: Some(2),
        ..STEP
    },
    Step {
        name: "pruned",
        after: "cold",
        words: "archive prune",
        later: 400 * DAY,
        ..STEP
    },
    Step {
        name: "reported",
        after: "kept",
        words: "report lamp",
        ..STEP
    },
    Step {
        name: "carried at the end",
        after: "kept",
        words: "export lamp --folder carried",
        ..STEP
    },
    Step {
        name: "carried without archives",
        after: "deleted",
        words: "export lamp --folder carried",
        ..STEP
    },
    Step {
        name: "repaired",
        after: "kept",
        first: lose_an_event,
        words: "doctor --repair",
        then: Some("status lamp"),
        ..STEP
    },
    Step {
        name: "exported",
        after: "marked",
        words: "export lamp",
        ..STEP
    },
    Step {
        name: "imported",
        after: "exported",
        first: |place| fs::create_dir(place.path("there")).unwrap(),
        words: "import lamp.gapless.tar.gz --workspace there",
        resume: Some("resume lamp --workspace there"),
        then: Some("resume lamp --workspace there"),
        ..STEP
    },
    Step {
        name: "imported from a folder",
        after: "carried at the end",
        first: |place| fs::create_dir(place.path("there")).unwrap(),
        words: "import carried --workspace there",
        resume: Some("resume lamp --workspace there"),
        then: Some("resume lamp --workspace there"),
        ..STEP
    },
];

const BEGIN: &str = "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n";
const SESSION: &str = ".gapless/sessions/lamp";

fn begin(place: &Place) {
    place.write(
        "lamp.md",
        "# A lamp\n\nIt has a colour, a height and a switch.\n\n## Known gaps\n\n\
         - GAP-COL-001 [HIGH]: the colour is missing\n- GAP-HGT-001 [MEDIUM]: the height is missing\n\
         - GAP-PRC-001 [LOW]: the price is missing\n",
    );
    place.write("gapless.toml", "gaps_per_round = 1\nmax_retries = 0\n");
    place.write("begin.toml", BEGIN);
    for (name, option) in [("cold", "cold"), ("deleted", "delete"), ("kept", "keep")] {
        let fate = format!("{BEGIN}\n[[answer]]\nkind = \"archives\"\noption = \"{option}\"\n");
        place.write(&format!("{name}.toml"), &fate);
    }
    place.write("out/refined.md", "mine");
    place.write(
        &format!("{SESSION}/examples/engineer.md"),
        "## Gap Resolution: GAP-ONE-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n#### The hook\n\nA hook of brass \
         carries the frame and is screwed to the wall.\n\n### Examples\n\nOne frame, one hook.\n\n### Trade-offs\n\n- For: \
         brass lasts\n\n### New Gaps Introduced\n\nNone\n",
    );
    for (round, gap) in [(1, "GAP-COL-001"), (2, "GAP-HGT-001")] {
        record(place, round, gap);
    }
}

/// The third round, in which the Engineer had nothing to say before.
fn third_round(place: &Place) {
    record(place, 3, "GAP-PRC-001");
    let review = include_str!("../../demo/recorded/round_007/final_review.md");
    place.write("recorded/round_003/final_review.md", review);
}

fn edit(place: &Place) {
    let file = place.path(&format!("{SESSION}/status.md"));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(file, format!("{text}\nA note of mine.\n")).unwrap();
}

/// As after a power cut that took an archive's bytes before its folder was swept.
fn damage(place: &Place) {
    third_round(place);
    let archive = format!("{SESSION}/archives/round_002_rolled_back_1");
    place.write(&format!("{archive}.tar.gz"), "");
    place.write(&format!("{archive}/note.md"), "mine");
}

fn lose_an_event(place: &Place) {
    let database = rusqlite::Connection::open(place.path(".gapless/gapless.db")).unwrap();
    let sql = "DELETE FROM events WHERE seq = 40";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
}

fn record(place: &Place, round: u32, gap: &str) {
    let folder = format!("recorded/round_{round:03}");
    place.write(&format!("{folder}/engineer.md"), &proposal(gap));
    place.write(
        &format!("{folder}/reviewer.md"),
        &format!(
            "## Review: {gap}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n- the tolerance\n"
        ),
    );
}

fn proposal(gap: &str) -> String {
    format!(
        "## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n\
         It is fixed at forty-two units, measured as the norm says, with a tolerance of one unit either way. \
         Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n\
         ### Examples\n\nForty-one passes, forty does not.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n"
    )
}
