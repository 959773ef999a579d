"""Called by compare.sh: runs both sides and prints the tables as they stand in docs/benchmarks.md."""

import atexit
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

examples, gapless, tools, size = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4]
gapless_rounds = os.path.join(examples, "durable_rounds")
here = os.path.dirname(os.path.abspath(__file__))
TIMES = 3
# Both ends of what a graph may do: hand documents on as they are, or check them and keep a ledger of issues.
PLAIN, CHECKING = "LangGraph, two nodes that hand a text on", "LangGraph, five nodes that check and keep a ledger"
STARTS = 20
FEW, MANY, ROUNDS_OF_MANY, AGENT_MILLIS = 10, 1000, 10, 50


def run(*command):
    """One run in a folder of its own, on the disk of the project."""
    folder = tempfile.mkdtemp(dir=tools)
    # Removed after the last run: ext4 is slow to make files right after many were removed.
    atexit.register(shutil.rmtree, folder)
    command = [part.replace("FOLDER", folder) for part in command]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rounds(count, measured):
    return run(gapless_rounds, "FOLDER", "rounds", str(count), size, str(measured))


def langgraph(kind, count, measured):
    script = os.path.join(here, "langgraph_rounds.py")
    return run(sys.executable, script, "FOLDER", kind, str(count), size, str(measured))


def best(runs):
    return min(runs, key=lambda result: result["seconds"] / result["measured"])


def per_round(result):
    return result["seconds"] * 1000 / result["measured"]


def cpu():
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.processor()


def machine():
    disk = subprocess.run(["df", "--output=source,fstype", tools], capture_output=True, text=True).stdout
    print(f"{cpu()}; {' '.join(disk.split()[-2:])}; {platform.system()} {platform.release()}")
    print(f"langgraph {version('langgraph')}, its SQLite checkpointer {version('langgraph-checkpoint-sqlite')}, Python {platform.python_version()}")
    print(f"load of the machine as the run began: {os.getloadavg()[0]:.1f}", flush=True)


def durable():
    # In turns, so that whatever else the machine does falls on all of them.
    ours, theirs, checking, limits = [], [], [], []
    for _ in range(TIMES):
        ours.append(rounds(200, 150))
        theirs.append(langgraph("last", 200, 150))
        checking.append(langgraph("checked", 200, 150))
        commits = ours[-1]["commits"] / ours[-1]["measured"]
        payload = int(ours[-1]["bytes"] / ours[-1]["rounds"] / commits)
        count = 1000
        limit = run(gapless_rounds, "FOLDER", "appends", str(count), str(payload))
        limits.append({"measured": count / commits, "seconds": limit["seconds"]})
    ours, theirs, checking, limit = best(ours), best(theirs), best(checking), best(limits)
    print("\n## Durable rounds\n")
    print("| | ms a round | rounds a second | beside gapless |\n|---|---|---|---|")
    appends = f"synced appends alone, {commits:.1f} of {payload / 1000:.0f} kB a round"
    sides = [("gapless", ours), (PLAIN, theirs), (CHECKING, checking), (appends, limit)]
    for name, result in sides:
        took = per_round(result)
        beside = "" if result is ours else f"{took / per_round(ours):.2f} times the time"
        print(f"| {name} | {took:.2f} | {1000 / took:,.0f} | {beside} |", flush=True)


def growth():
    print("\n## By length of the session\n")
    print("| rounds | gapless, ms | LangGraph, newest, ms | LangGraph, all, ms | gapless, kB | LangGraph, newest, kB | LangGraph, all, kB |\n|---|---|---|---|---|---|---|")
    for count in (10, 100, 1000):
        measured = min(count, 50)
        # Every step stores the whole history once more: at 1,000 rounds that is gigabytes.
        kinds = [("last", count)] + ([("history", count)] if count <= 300 else [])
        ours = best([rounds(count, measured) for _ in range(TIMES)])
        theirs = [langgraph(kind, count, measured) for kind, count in kinds]
        cells = [f"{per_round(result):.2f}" for result in [ours] + theirs] + ["-"] * (2 - len(theirs))
        sizes = [f"{result['bytes'] / 1000:,.0f}" for result in [ours] + theirs] + ["-"] * (2 - len(theirs))
        print(f"| {count:,} | {' | '.join(cells)} | {' | '.join(sizes)} |", flush=True)


def prompts():
    by_round = run(gapless_rounds, "FOLDER", "prompts", "30", size)["rounds"]
    print("\n## Prompts\n")
    print("| round | gapless | whole history | ratio |\n|---|---|---|---|")
    for number in (1, 2, 5, 10, 20, 30):
        sent, whole = by_round[number - 1]
        print(f"| {number} | {sent:,} | {whole:,} | {whole / sent:.1f} |")
    sent, whole = (sum(column) for column in zip(*by_round))
    print(f"| all 30 | {sent:,} | {whole:,} | {whole / sent:.1f} |")


def many():
    script = [sys.executable, os.path.join(here, "langgraph_many.py")]
    sides = {
        "gapless": ([os.path.join(examples, "many_sessions")], []),
        PLAIN: (script, ["last"]),
        CHECKING: (script, ["checked"]),
    }
    runs = {}
    # A second run of each with few sessions says what the process itself takes.
    for sessions in (FEW, MANY):
        for name, (command, kind) in sides.items():
            arguments = ["FOLDER", str(sessions), str(ROUNDS_OF_MANY), size, str(AGENT_MILLIS), *kind]
            runs[name, sessions] = run(*command, *arguments)

    def rate(name):
        return MANY * ROUNDS_OF_MANY / runs[name, MANY]["seconds"]

    def kib_a_session(name, which):
        return (runs[name, MANY][which] - runs[name, FEW][which]) / (MANY - FEW) / 1024

    print(f"\n## {MANY:,} sessions at once\n")
    print("| | rounds a second, of all | beside gapless | KiB a session, all waiting | KiB a session, at most |\n|---|---|---|---|---|")
    for name in sides:
        beside = "" if name == "gapless" else f"{rate(name) / rate('gapless'):.2f} times as many"
        print(f"| {name} | {rate(name):,.0f} | {beside} | {kib_a_session(name, 'waiting'):.0f} | {kib_a_session(name, 'peak'):.0f} |", flush=True)


def start_up():
    # The package by itself is only a name; what a program imports of it is its graph.
    python = {f'`python -c "{what}"`': [sys.executable, "-c", what] for what in ("import langgraph", "import langgraph.graph", "pass")}
    commands = {"`gapless status`": [gapless, "status"], **python}
    times = {name: [] for name in commands}
    folder = tempfile.mkdtemp(dir=tools)
    try:
        # A workspace with a session of 30 rounds.
        made = [gapless_rounds, folder, "rounds", "30", size]
        subprocess.run(made, check=True, capture_output=True)
        os.rename(os.path.join(folder, "gapless-30"), os.path.join(folder, ".gapless"))
        for _ in range(STARTS):
            for name, command in commands.items():
                begin = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True, cwd=folder)
                times[name].append((time.perf_counter() - begin) * 1000)
    finally:
        shutil.rmtree(folder)
    print(f"\n## Start-up\n\n| | ms, median of {STARTS} | shortest | beside gapless |\n|---|---|---|---|")
    ours = statistics.median(times["`gapless status`"])
    for name, took in times.items():
        median = statistics.median(took)
        beside = "" if median == ours else f"{median / ours:.1f} times the time"
        print(f"| {name} | {median:.1f} | {min(took):.1f} | {beside} |", flush=True)


PARTS = {"durable": durable, "growth": growth, "prompts": prompts, "many": many, "start": start_up}
machine()
for part in sys.argv[5:] or PARTS:
    PARTS[part]()
