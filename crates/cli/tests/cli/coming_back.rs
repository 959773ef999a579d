//! Agents whose output is not the document, or not all of it: reasoning, talk behind the document, a document that was cut,
//! copies of the prompt.

#![cfg(unix)]

use crate::support::{Project, RECORDED, Said};

/// What every agent here can write: `propose GAP LIMIT` and the documents of the other roles.
const FUNCTIONS: &str = r####"
prompt=$(cat)
propose() {
  printf '## Gap Resolution: %s\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n' "$1"
  printf 'It is fixed at %s units for %s, measured as the norm says, with a tolerance of one unit. ' "$2" "$1"
  printf 'Every lamp that leaves the works is measured, and one outside the tolerance is not sold.\n\n'
  printf '### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n'
}
all() {
  for gap in GAP-COL-001 GAP-HGT-001; do
    case "$prompt" in *"### $gap ["*) propose $gap "$1" ;; esac
  done
}
others() {
  case "$GAPLESS_ROLE" in
    reviewer) for gap in GAP-COL-001 GAP-HGT-001; do
      case "$prompt" in *"### $gap"*) printf '## Review: %s\n\n**NO_ISSUES_FOUND**\n\nExamined:\n\n- the value\n\n' $gap ;; esac
    done ;;
    *) cat RECORDED/round_007/final_review.md ;;
  esac
}
"####;

/// Runs a session whose Engineer is this script, where `$GAPLESS_ROLE` is the Engineer's.
fn run(project: &Project, engineer: &str) -> Said {
    let functions = FUNCTIONS.replace("RECORDED", RECORDED);
    let agent = project.agent(&format!(
        "{functions}\ncase \"$GAPLESS_ROLE\" in\nengineer)\n{engineer}\n;;\n*) others ;;\nesac\n"
    ));
    project.gapless(&[
        "run",
        "tiny.md",
        "--agents",
        &agent,
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ])
}

fn spec(project: &Project) -> String {
    project.read(".gapless/sessions/tiny/spec.md")
}

#[test]
fn reasoning_and_the_drafts_in_it_never_reach_the_spec() {
    for engineer in [
        "echo '<think>'; echo 'First idea:'; all ninety-nine; echo 'No.'; echo '</think>'; echo; all forty-two",
        // The template of the model opens it.
        "echo 'First idea:'; all ninety-nine; echo 'No.</think>' | sed 's/No.//'; all forty-two",
        // It never closes.
        "echo '<thinking>'; echo 'First idea:'; all ninety-nine; echo 'Wait, again.'; echo; all forty-two",
    ] {
        let project = Project::with_two_gaps();
        let ended = run(&project, engineer).exits(0);
        assert!(ended.out.contains("COMPLETE"), "{}", ended.out);
        let spec = spec(&project);
        assert!(spec.contains("forty-two"), "{engineer}\n{spec}");
        for gone in ["ninety-nine", "think", "First idea", "Wait"] {
            assert!(!spec.contains(gone), "{gone} in {spec}");
        }
        let document = project.read(".gapless/sessions/tiny/round_001/engineer.md");
        assert!(!document.contains("think"), "{document}");
        let validation = project.read(".gapless/sessions/tiny/round_001/summary.md");
        assert!(validation.contains("REASONING_REMOVED"), "{validation}");
    }
}

#[test]
fn a_spec_about_reasoning_tags_keeps_them() {
    let project = Project::with_two_gaps();
    let engineer = "all forty-two | sed 's/Every lamp/The filter takes `<think>` and <\\/think> off. Every lamp/'";
    run(&project, engineer).exits(0);
    assert!(
        spec(&project).contains("takes `<think>` and </think> off."),
        "{}",
        spec(&project)
    );
}

/// A program that speaks the stream of a preset.
#[test]
fn a_document_before_a_tool_call_and_done_is_read() {
    let project = Project::with_two_gaps();
    let functions = FUNCTIONS.replace("RECORDED", RECORDED);
    let script = format!(
        "{functions}\nquoted() {{ sed 's/\\\\/\\\\\\\\/g; s/\"/\\\\\"/g' | awk '{{ printf \"%s\\\\n\", $0 }}'; }}\n\
         say() {{ printf '{{\"type\":\"item.completed\",\"item\":{{\"type\":\"agent_message\",\"text\":\"%s\"}}}}\\n' \"$1\"; }}\n\
         case \"$GAPLESS_ROLE\" in engineer) text=$(all forty-two | quoted) ;; *) text=$(others | quoted) ;; esac\n\
         say 'I look at the files first.'\n\
         echo '{{\"type\":\"item.completed\",\"item\":{{\"type\":\"command_execution\",\"command\":\"ls\"}}}}'\n\
         say \"$text\"\n\
         echo '{{\"type\":\"item.completed\",\"item\":{{\"type\":\"command_execution\",\"command\":\"ls\"}}}}'\n\
         say 'Done.'\n\
         echo '{{\"type\":\"turn.completed\",\"usage\":{{\"input_tokens\":5,\"output_tokens\":6}}}}'\n"
    );
    let path = project.write("stream.sh", &script);
    project.write(
        "gapless.toml",
        &format!(
            "[agent.stream]\nlike = \"codex\"\nprogram = \"sh\"\narguments = [\"{}\"]\nlast_arguments = []\n",
            path.display()
        ),
    );
    project.gapless(&["trust", "--yes"]).exits(0);
    let said = project.gapless(&[
        "run",
        "tiny.md",
        "--agents",
        "stream",
        "--analyst",
        "none",
        "--policy",
        "recommended",
    ]);
    let ended = said.exits(0);
    assert!(ended.out.contains("COMPLETE"), "{}", ended.out);
    assert!(spec(&project).contains("forty-two") && !spec(&project).contains("Done."));
    let validation = project.read(".gapless/sessions/tiny/round_001/summary.md");
    assert!(validation.contains("EARLIER_MESSAGE_READ"), "{validation}");
}

#[test]
fn of_a_document_that_is_cut_the_whole_sections_count_and_the_rest_comes_again() {
    let project = Project::with_two_gaps();
    project.write("gapless.toml", "output_limit_bytes = 4000\n");
    // The second gap's section looks whole, and goes on behind the limit.
    let engineer = "case \"$prompt\" in\n*\"### GAP-COL-001 [\"*) propose GAP-COL-001 forty-two; propose GAP-HGT-001 \
                    ninety-nine; printf '%04000d\\n' 7 ;;\n*) all forty-two ;;\nesac";
    let ended = run(&project, engineer).exits(0);
    assert!(ended.out.contains("COMPLETE"), "{}", ended.out);
    let spec = spec(&project);
    assert!(
        spec.contains("forty-two") && !spec.contains("ninety-nine"),
        "{spec}"
    );
    let first = project.read(".gapless/sessions/tiny/round_001/engineer.md");
    assert!(
        first.contains("GAP-COL-001") && !first.contains("GAP-HGT-001"),
        "{first}"
    );
    let validation = project.read(".gapless/sessions/tiny/round_001/summary.md");
    assert!(
        validation.contains("LAST_SECTION_LEFT_OUT")
            && validation.contains("without a whole section: GAP-HGT-001"),
        "{validation}"
    );
    let second = project.read(".gapless/sessions/tiny/round_002/engineer.md");
    assert!(
        second.contains("GAP-HGT-001") && !second.contains("GAP-COL-001"),
        "{second}"
    );
}

#[test]
fn an_agent_that_copies_its_prompt_settles_nothing() {
    let project = Project::with_two_gaps();
    let copying = "for gap in GAP-COL-001 GAP-HGT-001; do\n\
        printf '## Gap Resolution: %s\\n\\n**Confidence:** HIGH\\n\\n### Proposed Solution\\n\\n#### Title of the part\\n\\n' $gap\n\
        printf '### Trade-offs\\n\\n- For: what this gains, two points or more\\n\\n### New Gaps Introduced\\n\\n'\n\
        printf -- '- GAP-CATEGORY-001 [MEDIUM] (section: Title): one line      (or: None)\\n\\n'\ndone";
    let said = run(&project, copying).exits(3);
    assert!(
        said.out.contains("Is the Engineer's agent broken?"),
        "{}",
        said.out
    );
    let gaps = project.json(&["gaps"]);
    let gaps = gaps["items"].as_array().unwrap();
    assert_eq!(gaps.len(), 2, "{gaps:?}");
    assert!(gaps.iter().all(|gap| gap["state"] != "RESOLVED"));
    let shown = project.gapless(&["show", "1", "--attempt", "engineer-1"]);
    let shown = shown.exits(0).out;
    assert!(
        shown.contains("to be replaced by words of your own: `#### Title of the part`"),
        "{shown}"
    );
    assert!(!spec(&project).contains("Title of the part"));
}
