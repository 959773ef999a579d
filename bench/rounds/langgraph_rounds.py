"""Runs rounds of an Engineer and a Reviewer that answer at once in LangGraph, each step in its SQLite checkpointer before the
next one begins, and prints what that took as one line of JSON.

    langgraph_rounds.py FOLDER last|history|checked ROUNDS TEXT_BYTES [MEASURED]

`last` keeps the newest document of each role in the state, `history` every document, as agents' messages usually are. Both hand the
documents on as they are. `checked` has five nodes: both documents are checked before the next node begins, and the issues go into
a ledger.
MEASURED: time only the last so many rounds.
"""

import json
import operator
import os
import sqlite3
import sys
import time
from typing import Annotated, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

import ledger

folder, kind, rounds, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
measured = int(sys.argv[5]) if len(sys.argv) > 5 else rounds
moments = {}


class Last(TypedDict):
    round: int
    engineer: str
    reviewer: str


class History(TypedDict):
    round: int
    documents: Annotated[list[str], operator.add]


def document(role, number):
    # Never the same twice, as agents' texts are.
    head = f"{role} of round {number}: "
    return head + ("It does what its name says, within limits. " * (size // 43 + 1))[: size - len(head)]


def write(role, number):
    text = document(role, number)
    return {"documents": [text]} if kind == "history" else {role: text}


def begins(number):
    if number == rounds - measured + 1:
        moments["begin"] = time.perf_counter()


def engineer(state):
    number = state["round"] + 1
    begins(number)
    if kind == "checked":
        return {"round": number, "engineer": ledger.write_proposals(state, number, size)}
    return {"round": number, **write("engineer", number)}


def reviewer(state):
    if kind == "checked":
        return {"reviewer": ledger.write_review(state, state["round"], size)}
    return write("reviewer", state["round"])


shapes = {"last": Last, "history": History, "checked": ledger.Checked}
starts = {
    "last": {"round": 0, "engineer": "", "reviewer": ""},
    "history": {"round": 0, "documents": []},
    "checked": ledger.start("rounds"),
}
nodes = [("engineer", engineer), ("reviewer", reviewer)]
if kind == "checked":
    nodes[1:1] = [("check_proposals", ledger.check_proposals)]
    nodes += [("check_review", ledger.check_review), ("update_ledger", ledger.update_ledger)]
graph = StateGraph(shapes[kind])
for name, node in nodes:
    graph.add_node(name, node)
names = [name for name, _ in nodes]
for before, after in zip([START] + names, names):
    graph.add_edge(before, after)
graph.add_conditional_edges(names[-1], lambda state: END if state["round"] >= rounds else "engineer")

file = os.path.join(folder, f"langgraph-{kind}-{rounds}.db")
connection = sqlite3.connect(file, check_same_thread=False)
# What gapless sets too: a commit returns when it is on the disk.
connection.execute("PRAGMA synchronous=FULL")
running = graph.compile(checkpointer=SqliteSaver(connection))
config = {"configurable": {"thread_id": "rounds"}, "recursion_limit": len(nodes) * rounds + 10}
running.invoke(starts[kind], config, durability="sync")
seconds = time.perf_counter() - moments["begin"]

connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.close()
print(json.dumps({"rounds": rounds, "measured": measured, "seconds": seconds, "bytes": os.path.getsize(file)}))
