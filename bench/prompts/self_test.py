"""Checks the harness with agents that need no model: the recorded documents, one that copies its prompt, and one that only praises."""

import argparse
import contextlib
import io
import os
import shlex
import sys
import tempfile

import measures
import sessions
import tables

# Copies the prompt's own longest lines, answers for a gap that it wasn't given, and repeats a gap of the spec.
COPIES = r'''
import json, os, re, sys
prompt = sys.stdin.read()
source = open("source.md").read()
given = [gap["id"] for gap in json.load(open("assignment.json"))["gaps"]]
lines = [line.strip() for line in prompt.splitlines() if line.strip() not in source and not line.startswith("#") and "GAP-" not in line]
copied = sorted(lines, key=len)[-3:]
gaps = re.findall(r"- (GAP-\S+) \[\w+\] \(section: [^)]*\): (.*)", source)
other = next(gap for gap, _ in gaps if gap not in given)
new = f"### New Gaps Introduced\n\n- GAP-NEW-001 [LOW] (section: Known gaps): {gaps[0][1]}\n"
print("\n\n".join(f"## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\n" + "\n\n".join(copied) for gap in [given[0], other]))
print(f"\n{new}")
'''
PRAISES = r'''
import json, sys
for gap in json.load(open("assignment.json"))["gaps"]:
    print(f"## Review: {gap['id']}\n\n**NO_ISSUES_FOUND**\n\nExamined:\n- whether the proposal reads well\n")
'''

PROMPT = """Write a resolution that someone can
implement without asking back.

    #### Title of the part
    - GAP-AREA-001 [LOW] (section: Title): one line

The spec says that a door opens within five seconds.
"""
MATERIAL = "The spec says that a door opens within five seconds."


def measured_rules():
    """The rules on texts that are small enough to judge by eye."""

    def echoes(answer):
        return measures.echoes(answer, PROMPT, MATERIAL)

    yield "a wrapped sentence of the prompt", bool(echoes("Write a resolution that someone\ncan implement without asking back.")), True
    yield "a template with another number", len(echoes("- GAP-AREA-007 [LOW] (section: Title): one line")), 1
    yield "a title that was left as it was", len(echoes("#### Title of the part")), 1
    yield "a line around a quote", len(echoes("- one line\n-----4f1c09ab end\n")), 1
    yield "a sentence of the spec", echoes("The spec says that a door opens within five seconds."), []
    yield "own words", echoes("A door stays open for 30 seconds."), []
    yield "headings that every document has", echoes("### New Gaps Introduced\n\nNone found\n\n## Gap Resolution: GAP-A-001"), []
    prompt = "The forms are these\n\n- `#### Add to section: Opening doors`\n- `#### Remove from: What is open`\n\nnothing else\n"
    change = measures.echoes("#### Add to section: Opening doors", prompt, "## Opening doors")
    yield "the heading of a change of the spec's own section", change, []
    yield "the heading of a change of the example's", len(measures.echoes("#### Remove from: What is open", prompt, "## Opening doors")), 1
    quoted = measures.without_old("a\n```old\nThe door opens.\n```\n\n```new\nThe door opens in 5 s.\n```\n")
    yield "a passage that is quoted to be changed", ("opens." in quoted, "in 5 s" in quoted), (False, True)
    text = "## Gap Resolution: GAP-A-001\n\nx\n\n```\n## Gap Resolution: GAP-B-001\n```\n\n# Summary\n\ny"
    yield "headings in code", sorted(measures.sections(text)), ["GAP-A-001"]
    yield "a fence around the whole", sorted(measures.sections(measures.unwrapped("```markdown\n## Review: GAP-A-001\n\nx\n```\n"))), ["GAP-A-001"]
    fact = {"kind": "duration", "near": "lock"}
    yield "a value with its word", measures.has_fact("The parcel is locked for 15 minutes.", fact), True
    yield "a value without its word", measures.has_fact("The parcel is locked. A day has 24 hours.", fact), False
    yield "values that the spec has", measures.values("It waits 5 s, then 10 s, and answers 409.", "waits 5 s"), {"10 s", "409"}
    review = "### High Priority\n\n- **ISSUE-R1-001**: a\n  - **Impact:** ISSUE-R1-009\n\n### Low Priority\n\n- **ISSUE-R1-002**: b"
    yield "issues", (measures.issue_count(review), measures.issue_count(review, grave_only=True)), (2, 1)


class Runs:
    """Runs of one agent on every spec, measured."""

    def __init__(self, version, folder):
        self.version, self.folder = version, folder

    def of(self, agent, role):
        output = os.path.join(self.folder, f"{len(os.listdir(self.folder))}")
        os.mkdir(output)
        options = argparse.Namespace(agent=agent, config=None, base_url=None, set=["max_retries=0"], output=output)
        for spec in sessions.spec_names():
            sessions.perform(options, self.version, role, spec, 1)
        return tables.load([output])

    def script(self, text):
        path = os.path.join(self.folder, f"agent_{len(os.listdir(self.folder))}.py")
        sessions.write(path, text)
        return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(path)}"


def measured_runs(runs):
    """The whole trip through the real program, with documents whose faults are known."""
    specs = sessions.spec_names()
    for run in runs.of("replay:recorded", "engineer"):
        yield f"{run['spec']}: the recorded proposals are valid", run["valid_first"], True
        yield f"{run['spec']}: they cover all gaps", (run["covered"], run["own_text"]), (run["assigned"], run["assigned"])
        yield f"{run['spec']}: they copy nothing", (run["echoes"], run["unassigned"], run["repeated_gaps"], run["obeyed"]), ([], [], [], [])
        yield f"{run['spec']}: they say most facts", sum(run["facts"].values()) * 10 >= len(run["facts"]) * 7, True
    for run in runs.of("replay:recorded", "reviewer"):
        yield f"{run['spec']}: the recorded review is valid", run["valid_first"], True
        yield f"{run['spec']}: it covers all gaps", (run["covered"], run["own_text"]), (run["assigned"], run["assigned"])
        yield f"{run['spec']}: it finds all planted faults", [fault for fault, found in run["faults"].items() if not found], []
        yield f"{run['spec']}: it leaves sound proposals alone", (run["false_alarms"], run["echoes"], run["unassigned"]), (0, [], [])
    copying = runs.of(runs.script(COPIES), "engineer")
    yield "an agent that copies is measured on every spec", [run["spec"] for run in copying], specs
    for run in copying:
        yield f"{run['spec']}: copied lines are echoes", len(run["first"]["echoes"]) >= 2, True
        yield f"{run['spec']}: a gap of nobody is seen", len(run["first"]["unassigned"]), 1
        yield f"{run['spec']}: a repeated gap is seen", len(run["first"]["repeated_gaps"]), 1
        yield f"{run['spec']}: copied text says nothing", (sum(run["first"]["facts"].values()), run["first"]["own_text"]), (0, [])
    for run in runs.of(runs.script(PRAISES), "reviewer"):
        yield f"{run['spec']}: praise finds no fault", (any(run["first"]["faults"].values()), run["first"]["issues"]), (False, 0)


def check(version):
    count, wrong = 0, 0
    with tempfile.TemporaryDirectory(prefix="bench-prompts-") as folder:
        for checks in (measured_rules(), measured_runs(Runs(version, folder))):
            for what, found, right in checks:
                count += 1
                if found != right:
                    wrong += 1
                    print(f"wrong: {what}: {found!r}, not {right!r}", file=sys.stderr)
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            tables.print_tables(tables.load([folder]), by_spec=True)
        count, wrong = count + 1, wrong + (shown.getvalue().count("| runs |") != 4)
    print(f"{count - wrong} of {count} checks hold", file=sys.stderr)
    return 1 if wrong else 0
