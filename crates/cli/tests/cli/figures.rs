//! All figures come from one place: status.md, `status --json` and the screen say the same of a session that ended with
//! gaps left, and what they say follows from the inventory.

use std::collections::BTreeMap;

use gapless_domain::time::human_millis;
use serde_json::Value;

use crate::support::Project;

const SEVERITIES: [&str; 4] = ["CRITICAL", "HIGH", "MEDIUM", "LOW"];
const WEIGHTS: [f64; 4] = [16.0, 4.0, 2.0, 1.0];

/// A session that ends at its round limit, with gaps open and one deferred; with what the run said last.
fn ended_with_gaps_left() -> (Project, String) {
    let project = Project::with_demo();
    let replayed = ["run", "spec.md", "--agents", "replay:recorded"];
    project.gapless(&replayed).exits(3);
    let gaps = project.json(&["gaps"]);
    let deferred = gaps["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|gap| gap["severity"] == "MEDIUM")
        .unwrap();
    let gap = deferred["id"].as_str().unwrap();
    project
        .gapless(&["gap", "defer", gap, "--reason", "next year"])
        .exits(0);
    let rest = [
        "--answers",
        "answers.toml",
        "--policy",
        "recommended",
        "--max-rounds",
        "2",
    ];
    let resume: Vec<&str> = ["resume", "spec"].into_iter().chain(rest).collect();
    let said = project.gapless(&resume).exits(1);
    (project, said.out)
}

/// The part of a document between a heading and the next of the same or a higher level.
#[track_caller]
fn part<'t>(text: &'t str, heading: &str) -> &'t str {
    let from = text
        .find(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no {heading} in {text}"));
    let body = &text[from + heading.len() + 2..];
    let level = heading.split(' ').next().unwrap().len();
    let ends = (1..=level).filter_map(|level| body.find(&format!("\n{} ", "#".repeat(level))));
    &body[..ends.min().unwrap_or(body.len())]
}

/// The rows of a markdown table whose header begins with these cells.
#[track_caller]
fn table(text: &str, header: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(header));
    assert!(lines.next().is_some(), "no table {header} in {text}");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

/// The rows of a table on the screen: those below the rule under this header.
#[track_caller]
fn screen_table(text: &str, header: &str) -> Vec<Vec<String>> {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.trim().starts_with(header));
    assert!(lines.next().is_some(), "no table {header} in {text}");
    let rows = lines.skip(1).take_while(|line| !line.trim().is_empty());
    rows.map(|row| row.split_whitespace().map(str::to_owned).collect())
        .collect()
}

#[track_caller]
fn line_with<'t>(text: &'t str, words: &str) -> &'t str {
    let found = text.lines().find(|line| line.contains(words));
    found.unwrap_or_else(|| panic!("no {words} in {text}"))
}

fn number(cell: &str) -> f64 {
    if cell == "·" {
        0.0
    } else {
        cell.parse().unwrap_or_else(|_| panic!("{cell}"))
    }
}

/// How much of a gap in this state counts as open.
fn open_part(state: &str) -> f64 {
    match state {
        "OPEN" | "IN_PROGRESS" | "PROPOSED" | "NEEDS_REVISION" => 1.0,
        "USER_DEFERRED" => 0.5,
        "BLOCKED_EXTERNAL" => 0.25,
        _ => 0.0,
    }
}

#[test]
fn status_md_json_and_screen_say_the_same() {
    let (project, last_words) = ended_with_gaps_left();
    let document = project.read(".gapless/sessions/spec/status.md");
    let json = project.json(&["status"]);
    let screen = project.gapless(&["status"]).exits(0).out;

    // The inventory, gap by gap, is what all else is counted from.
    let mut counted: BTreeMap<String, [f64; 4]> = BTreeMap::new();
    let inventory = part(&document, "## Inventory");
    for (place, severity) in SEVERITIES.iter().enumerate() {
        for row in table(part(inventory, &format!("### {severity}")), "| Gap |") {
            counted.entry(row[1].clone()).or_default()[place] += 1.0;
        }
    }
    assert!(
        counted.contains_key("USER_DEFERRED") && counted.contains_key("OPEN"),
        "{counted:?}"
    );
    let by_state: BTreeMap<String, [f64; 4]> = table(inventory, "| State |")
        .iter()
        .map(|row| (row[0].clone(), std::array::from_fn(|i| number(&row[i + 1]))))
        .collect();
    assert_eq!(by_state, counted, "the table by state");
    for shown in [&screen, &last_words] {
        let rows = screen_table(shown, "State ");
        let on_screen: BTreeMap<String, [f64; 4]> = rows
            .iter()
            .map(|row| (row[0].clone(), std::array::from_fn(|i| number(&row[i + 1]))))
            .collect();
        assert_eq!(on_screen, counted, "{shown}");
        for row in &rows {
            assert_eq!(
                number(&row[5]),
                counted[&row[0]].iter().sum::<f64>(),
                "{shown}"
            );
        }
    }
    for (state, count) in json["gaps"]["by_state"].as_object().unwrap() {
        let expected: f64 = counted.get(state).map_or(0.0, |counts| counts.iter().sum());
        assert_eq!(count.as_f64(), Some(expected), "{state}");
    }
    for (place, severity) in SEVERITIES.iter().enumerate() {
        let expected: f64 = counted.values().map(|counts| counts[place]).sum();
        assert_eq!(
            json["gaps"]["by_severity"][severity].as_f64(),
            Some(expected)
        );
    }

    // How much is open.
    let all: f64 = counted.values().flatten().sum();
    let open: f64 = counted
        .iter()
        .map(|(state, counts)| open_part(state) * counts.iter().sum::<f64>())
        .sum();
    assert!(open.fract() > 0.0, "a deferred gap counts a half");
    assert_eq!(json["gaps"]["all"].as_f64(), Some(all));
    assert_eq!(json["open_count"].as_f64(), Some(open));
    assert!(
        document.contains(&format!(
            "**Open:** {open} of {all} gaps (1 deferred, counted half)\n"
        )),
        "{document}"
    );
    assert!(
        screen.contains(&format!(
            "{open} of {all} gaps open (1 deferred, counted half), "
        )),
        "{screen}"
    );
    assert!(
        last_words.contains(&format!(
            "{all} gaps, {open} open (1 deferred, counted half), 2 rounds, "
        )),
        "{last_words}"
    );
    let weight: f64 = counted
        .iter()
        .map(|(state, counts)| {
            let weights = counts
                .iter()
                .zip(WEIGHTS)
                .map(|(count, weight)| count * weight);
            open_part(state) * weights.sum::<f64>()
        })
        .sum();
    let weights = json["open_weights"].as_array().unwrap();
    assert_eq!(
        weights.last().unwrap()["open_weight"].as_f64(),
        Some(weight)
    );

    // The rounds.
    let history = json["history"].as_array().unwrap();
    assert_eq!(
        weights.len(),
        history.len() + 1,
        "the start, and each round"
    );
    let keys = [
        "round",
        "resolved",
        "new",
        "reopened",
        "weighted_net",
        "unweighted_net",
        "open_count",
    ];
    let in_document = table(part(&document, "## Convergence"), "| Round |");
    let on_screen = screen_table(&screen, "Round ");
    assert_eq!(
        (in_document.len(), on_screen.len()),
        (history.len(), history.len())
    );
    for (index, record) in history.iter().enumerate() {
        for (column, key) in keys.iter().enumerate() {
            let expected = record[key].as_f64().unwrap();
            assert_eq!(number(&in_document[index][column]), expected, "{key}");
            assert_eq!(number(&on_screen[index][column]), expected, "{key}");
        }
        assert_eq!(record["state"], in_document[index][7].as_str());
        assert_eq!(record["state"], on_screen[index][7].as_str());
    }
    let last = history.last().unwrap();
    for key in ["weighted_net", "unweighted_net"] {
        assert_eq!(json["convergence"][key], last[key]);
    }
    let (round, most) = (&json["round"], &json["max_rounds"]);
    assert!(document.contains(&format!("- **Rounds:** {round} of at most {most}\n")));
    let (state, flat) = (
        json["convergence"]["state"].as_str().unwrap(),
        &json["convergence"]["flat_count"],
    );
    assert!(
        document.contains(&format!("**State:** {state}, flat rounds: {flat}\n")),
        "{document}"
    );
    assert!(line_with(&screen, " gaps open ").contains(state));

    // The end.
    let end = json["termination"]["type"].as_str().unwrap();
    let reason = json["termination"]["reason"].as_str().unwrap();
    assert_eq!(end, "MAX_ROUNDS");
    assert!(document.contains(&format!("- **End:** {end}\n- **Because:** {reason}\n")));
    assert!(
        screen.contains(&format!("Ended as {end}: {reason}")),
        "{screen}"
    );
    assert!(
        last_words.contains(&format!("{end}: {reason}")),
        "{last_words}"
    );
    let limitations = json["known_limitations"].as_array().unwrap().len();
    let listed = part(&document, "### Known limitations");
    let listed = listed.lines().filter(|line| line.starts_with("- ")).count();
    assert!(limitations > 0);
    assert_eq!(listed, limitations);
    assert_eq!(
        line_with(&screen, "Known limitations"),
        format!("Known limitations: {limitations}")
    );

    // Time and cost.
    let time = &json["time_millis"];
    let millis = |key: &str| time[key].as_u64().unwrap();
    assert_eq!(millis("total"), millis("active") + millis("waiting"));
    let [total, active, waiting] =
        ["total", "active", "waiting"].map(|key| human_millis(millis(key)));
    let section = part(&document, "## Time and cost");
    let told = format!("{total} in all: agents at work {active}, waiting {waiting}.");
    assert!(section.contains(&told), "{section}");
    let told = format!("Time: {total} in all, agents at work {active}, waiting {waiting}");
    assert_eq!(line_with(&screen, "Time: "), told);
    assert_eq!(line_with(&last_words, "Time: "), told);
    let rows = table(section, "| Role |");
    let usage = json["usage"].as_object().unwrap();
    assert_eq!(rows.len(), usage.len() + 1, "each role, and all");
    let tokens = |usage: &Value| {
        usage["input_tokens"]
            .as_u64()
            .map_or("-".to_owned(), |n| n.to_string())
    };
    let written = |usage: &Value| {
        (
            tokens(usage),
            human_millis(usage["millis"].as_u64().unwrap()),
        )
    };
    let mut expected: Vec<(String, String)> = usage.values().map(written).collect();
    let mut by_role: Vec<(String, String)> = rows
        .iter()
        .map(|row| (row[1].clone(), row[4].clone()))
        .collect();
    let in_all = by_role.pop().unwrap();
    assert_eq!(in_all, written(&json["usage_in_all"]));
    expected.sort();
    by_role.sort();
    assert_eq!(by_role, expected);
}

#[test]
fn an_extended_limit_is_told_from_the_one_at_the_start() {
    let project = Project::with_two_gaps();
    let agent = project.agent(
        r####"
cat > /dev/null
case "$GAPLESS_ROLE" in
  engineer) printf '## Gap Resolution: GAP-COL-001\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nBlue, as the norm says.\n' ;;
  *) printf '## Review: GAP-COL-001\n\n### High Priority\n\n- **ISSUE-R%s-001**: shade %s is open\n' "$GAPLESS_ROUND" "$GAPLESS_ROUND" ;;
esac
"####,
    );
    project.write(
        "answers.toml",
        "[[answer]]\nkind = \"inventory\"\noption = \"begin\"\n",
    );
    let quiet =
        "unaddressed_high_threshold = 1000\npattern_threshold = 1000\nstall_threshold = 99\n";
    project.write("gapless.toml", quiet);
    let rest = ["--analyst", "none", "--answers", "answers.toml"];
    let words = [
        &["run", "tiny.md", "--agents", &agent, "--max-rounds", "1"],
        &rest[..],
    ]
    .concat();
    let said = project.gapless(&words).exits(3).out;
    assert!(
        said.contains("At most 1 round for the 2 gaps at the start\n"),
        "{said}"
    );
    let asked = project.json(&["questions"]);
    let id = asked["items"][0]["id"].as_str().unwrap();
    let said = project
        .gapless(&["answer", "tiny", id, "--option", "extend"])
        .exits(0)
        .out;
    assert!(
        said.contains("At most 6 rounds from now on (1 at the start, for 2 gaps)\n"),
        "{said}"
    );
    assert!(
        !said.contains("At most 6 rounds for the 2 gaps at the start"),
        "{said}"
    );
    let status = project.gapless(&["status"]).exits(0).out;
    assert!(status.contains("of at most 6 (1 at the start)"), "{status}");
    let json = project.json(&["status"]);
    assert_eq!(
        (&json["max_rounds"], &json["max_rounds_at_start"]),
        (&6.into(), &1.into())
    );
    project.gapless(&["resume"]);
    let document = project.read(".gapless/sessions/tiny/status.md");
    assert!(
        document.contains("| max_rounds | 6 (1 at the start) |"),
        "{document}"
    );
}
