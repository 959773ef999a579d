"""Runs rounds of an Engineer and a Reviewer that answer at once in LangGraph, each step in its SQLite checkpointer before the
next one begins, and prints what that took as one line of JSON.

    langgraph_rounds.py FOLDER last|history ROUNDS TEXT_BYTES [MEASURED]

`last` keeps the newest document of each role in the state, `history` every document, as agents' messages usually are.
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


def engineer(state):
    number = state["round"] + 1
    if number == rounds - measured + 1:
        moments["begin"] = time.perf_counter()
    return {"round": number, **write("engineer", number)}


def reviewer(state):
    return write("reviewer", state["round"])


graph = StateGraph(History if kind == "history" else Last)
graph.add_node("engineer", engineer)
graph.add_node("reviewer", reviewer)
graph.add_edge(START, "engineer")
graph.add_edge("engineer", "reviewer")
graph.add_conditional_edges("reviewer", lambda state: END if state["round"] >= rounds else "engineer")

file = os.path.join(folder, f"langgraph-{kind}-{rounds}.db")
connection = sqlite3.connect(file, check_same_thread=False)
# What gapless sets too: a commit returns when it is on the disk.
connection.execute("PRAGMA synchronous=FULL")
running = graph.compile(checkpointer=SqliteSaver(connection))
config = {"configurable": {"thread_id": "rounds"}, "recursion_limit": 2 * rounds + 10}
start = {"round": 0} | ({"documents": []} if kind == "history" else {"engineer": "", "reviewer": ""})
running.invoke(start, config, durability="sync")
seconds = time.perf_counter() - moments["begin"]

connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.close()
print(json.dumps({"rounds": rounds, "measured": measured, "seconds": seconds, "bytes": os.path.getsize(file)}))
