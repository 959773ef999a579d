"""Measures kept runs and prints them as tables, a row for each version of the prompts."""

import glob
import json
import os

from measures import measure
from sessions import expected, read


def load(folders):
    """The runs below these folders, each with the measures of its documents: the first one, and the accepted one where there is one."""
    runs = []
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "**", "run.json"), recursive=True)):
            runs.append(measured(json.loads(read(path)), os.path.dirname(path)))
    return runs


def document(folder, attempt):
    path = os.path.join(folder, f"{attempt['name']}.md")
    return read(path) if os.path.exists(path) else ""


def measured(run, folder):
    ran = [attempt for attempt in run["attempts"] if attempt["verdict"] != "EXECUTION_ERROR"]
    valid = [attempt for attempt in ran if attempt["verdict"] == "VALID"]
    first = ran[0]
    used = valid[-1] if valid else first
    spec = read(os.path.join(folder, "workspace", "spec.md"))
    proposals = read(os.path.join(folder, "workspace", "recorded", "round_001", "engineer.md")) if run["role"] == "reviewer" else ""
    prompt = read(os.path.join(folder, f"{first['name']}.prompt.md"))
    measures = {
        key: measure(run["role"], document(folder, attempt), prompt, spec, proposals, expected(run["spec"]))
        for key, attempt in (("first", first), ("used", used))
    }
    assigned = first["gaps"]
    covered = [gap for gap in assigned if run["gaps"].get(gap, {}).get("bound")]
    return {
        **{key: run[key] for key in ("version", "program", "agent", "role", "spec", "run", "seconds")},
        "folder": folder,
        "assigned": assigned,
        "covered": covered,
        "valid_first": first["verdict"] == "VALID",
        "accepted": bool(valid),
        "attempts": len(ran),
        "failures": [attempt["failure_type"] for attempt in ran if attempt["failure_type"]],
        "input_tokens": total(ran, "input_tokens"),
        "output_tokens": total(ran, "output_tokens"),
        "cost_micros": total(ran, "cost_micros"),
        "estimated": any((attempt.get("usage") or {}).get("estimated") for attempt in ran),
        "first": measures["first"],
        **measures["used"],
    }


def total(attempts, key):
    told = [attempt["usage"][key] for attempt in attempts if attempt.get("usage") and attempt["usage"].get(key) is not None]
    return sum(told) if told else None


def share(runs, having):
    return f"{sum(1 for run in runs if having(run))} of {len(runs)}"


def of_all(runs, done, asked):
    done, asked = sum(done(run) for run in runs), sum(asked(run) for run in runs)
    return f"{done} of {asked} ({100 * done / asked:.0f}%)" if asked else "-"


def mean(runs, value, form="{:.1f}"):
    told = [value(run) for run in runs if value(run) is not None]
    return form.format(sum(told) / len(told)) if told else "-"


COMMON = {
    "valid at first try": lambda runs: share(runs, lambda run: run["valid_first"]),
    "attempts": lambda runs: mean(runs, lambda run: run["attempts"]),
    "first tries with echoes": lambda runs: share(runs, lambda run: run["first"]["echoes"]),
    "echoes in a first try": lambda runs: mean(runs, lambda run: len(run["first"]["echoes"])),
    "accepted documents with echoes": lambda runs: share([run for run in runs if run["accepted"]], lambda run: run["echoes"]),
    "gaps covered": lambda runs: of_all(runs, lambda run: len(run["covered"]), lambda run: len(run["assigned"])),
    "gaps with own text": lambda runs: of_all(runs, lambda run: len(run["own_text"]) if run["accepted"] else 0, lambda run: len(run["assigned"])),
    "first tries that touch unassigned gaps": lambda runs: share(runs, lambda run: run["first"]["unassigned"]),
    "first tries that repeat known gaps": lambda runs: share(runs, lambda run: run["first"]["repeated_gaps"]),
}
ENGINEER = {
    "first tries that answer issues of nobody": lambda runs: share(runs, lambda run: run["first"]["answers_to_nothing"]),
    "facts said": lambda runs: of_all(runs, lambda run: sum(run["facts"].values()), lambda run: len(run["facts"])),
    "values a gap": lambda runs: mean(runs, lambda run: sum(map(len, run["values"].values())) / len(run["values"])),
}
REVIEWER = {
    "faults found": lambda runs: of_all(runs, lambda run: sum(run["faults"].values()), lambda run: len(run["faults"])),
    "issues": lambda runs: mean(runs, lambda run: run["issues"]),
    "grave issues on sound proposals": lambda runs: mean(runs, lambda run: run["false_alarms"]),
}
COST = {
    "tokens in": lambda runs: tokens(runs, "input_tokens"),
    "tokens out": lambda runs: tokens(runs, "output_tokens"),
    "cost": lambda runs: mean(runs, lambda run: micros(run), "{:.4f}"),
    "seconds": lambda runs: mean(runs, lambda run: run["seconds"], "{:.0f}"),
}


def tokens(runs, key):
    counted_here = "~" if any(run["estimated"] for run in runs) else ""
    return counted_here + mean(runs, lambda run: run[key], "{:,.0f}")


def micros(run):
    return None if run["cost_micros"] is None else run["cost_micros"] / 1_000_000


def columns(role, runs):
    special = ENGINEER if role == "engineer" else REVIEWER
    obeyed = {"first tries that obeyed the spec": lambda some: share(some, lambda run: run["first"]["obeyed"])} if any(run["first"]["obeyed"] for run in runs) else {}
    return {**COMMON, **special, **obeyed, **COST}


def groups(runs, keys):
    found = {}
    for run in runs:
        found.setdefault(tuple(run[key] for key in keys), []).append(run)
    return found


def print_tables(runs, by_spec=False):
    """For each role and agent a table whose columns are versions, or versions and specs."""
    for (role, agent), some in groups(runs, ("role", "agent")).items():
        print(f"\n## {role.capitalize()}, {agent}\n")
        keys = ("version", "spec") if by_spec else ("version",)
        sides = groups(some, keys)
        print(f"| | {' | '.join(', '.join(side) for side in sides)} |")
        print("|---|" + "---|" * len(sides))
        print(f"| runs | {' | '.join(str(len(side)) for side in sides.values())} |")
        for name, column in columns(role, some).items():
            print(f"| {name} | {' | '.join(column(side) for side in sides.values())} |")
    for (version,), some in groups(runs, ("version",)).items():
        print(f"\n{version}: {', '.join(sorted({run['program'] for run in some}))}")


def print_json(runs):
    rows = []
    for (version, agent, role), some in groups(runs, ("version", "agent", "role")).items():
        row = {"version": version, "agent": agent, "role": role, "runs": len(some)}
        rows.append({**row, **{name: column(some) for name, column in columns(role, some).items()}})
    print(json.dumps({"version": 1, "table": rows, "runs": runs}, indent=1, ensure_ascii=False))
