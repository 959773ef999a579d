"""Called by compare.sh: runs both sides, the best of three for every time, and prints the tables."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version

gapless_rounds, gapless, tools, size = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4]
here = os.path.dirname(os.path.abspath(__file__))
TIMES = 3


def run(*command):
    """One run in a folder of its own, on the disk of the project."""
    folder = tempfile.mkdtemp(dir=tools)
    try:
        command = [part.replace("FOLDER", folder) for part in command]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    finally:
        shutil.rmtree(folder)


def rounds(count, measured):
    return run(gapless_rounds, "FOLDER", "rounds", str(count), size, str(measured))


def langgraph(kind, count, measured):
    script = os.path.join(here, "langgraph_rounds.py")
    return run(sys.executable, script, "FOLDER", kind, str(count), size, str(measured))


def best(runs):
    return min(runs, key=lambda result: result["seconds"] / result["measured"])


def started(*command):
    """The shortest of ten starts, in milliseconds."""
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


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
    print(f"load of the machine as the run began: {os.getloadavg()[0]:.1f}\n")


def durable():
    # In turns, so that whatever else the machine does falls on all of them.
    ours, theirs, limits = [], [], []
    for _ in range(TIMES):
        ours.append(rounds(200, 150))
        theirs.append(langgraph("last", 200, 150))
        commits = ours[-1]["commits"] / ours[-1]["measured"]
        payload = int(ours[-1]["bytes"] / ours[-1]["rounds"] / commits)
        count = 1000
        limit = run(gapless_rounds, "FOLDER", "appends", str(count), str(payload))
        limits.append({"measured": count / commits, "seconds": limit["seconds"]})
    ours, theirs, limit = best(ours), best(theirs), best(limits)
    print(f"## Durable rounds ({size} bytes a document, {ours['commits'] / ours['measured']:.1f} commits a round, {payload} bytes appended a commit)\n")
    print("| | ms a round | rounds a second | beside gapless |\n|---|---|---|---|")
    for name, result in [("gapless", ours), ("LangGraph, `durability=\"sync\"`", theirs), ("synced appends alone", limit)]:
        took = per_round(result)
        print(f"| {name} | {took:.2f} | {1000 / took:.0f} | {took / per_round(ours):.2f} times the time |")


def growth():
    print("\n## Cost of a round and database, by length of the session\n")
    print("| rounds | gapless, ms | LangGraph, newest only, ms | LangGraph, history, ms | gapless, kB | LangGraph, newest only, kB | LangGraph, history, kB |\n|---|---|---|---|---|---|---|")
    for count in (10, 100, 1000):
        measured = min(count, 50)
        # Every step stores the whole history once more: at 1,000 rounds that is gigabytes.
        kinds = [("last", count)] + ([("history", count)] if count <= 300 else [])
        ours = best([rounds(count, measured) for _ in range(TIMES)])
        theirs = [langgraph(kind, count, measured) for kind, count in kinds]
        cells = [f"{per_round(result):.2f}" for result in [ours] + theirs] + ["-"] * (2 - len(theirs))
        sizes = [f"{result['bytes'] / 1000:.0f}" for result in [ours] + theirs] + ["-"] * (2 - len(theirs))
        print(f"| {count} | {' | '.join(cells)} | {' | '.join(sizes)} |", flush=True)


def prompts():
    by_round = run(gapless_rounds, "FOLDER", "prompts", "30", size)["rounds"]
    print("\n## Prompt tokens of a round (estimated), Engineer and Reviewer together\n")
    print("| round | gapless | the first prompt and all documents since | ratio |\n|---|---|---|---|")
    for number in (1, 2, 5, 10, 20, 30):
        sent, whole = by_round[number - 1]
        print(f"| {number} | {sent} | {whole} | {whole / sent:.1f} |")
    sent, whole = (sum(column) for column in zip(*by_round))
    print(f"| all 30 | {sent} | {whole} | {whole / sent:.1f} |")


def start_up():
    folder = tempfile.mkdtemp(dir=tools)
    subprocess.run([gapless, "init"], cwd=folder, capture_output=True)
    os.chdir(folder)
    ours = started(gapless, "status")
    # The package by itself is only a name; what a program imports of it is its graph.
    others = ["import langgraph.graph", "import langgraph", "pass"]
    others = [(f"`python -c \"{what}\"`", started(sys.executable, "-c", what)) for what in others]
    os.chdir(here)
    shutil.rmtree(folder)
    print("\n## Start-up\n\n| | ms | beside gapless |\n|---|---|---|")
    for name, took in [("`gapless status`", ours), *others]:
        print(f"| {name} | {took:.1f} | {took / ours:.1f} |")


PARTS = {"durable": durable, "prompts": prompts, "start": start_up, "growth": growth}
machine()
for part in sys.argv[5:] or PARTS:
    PARTS[part]()
