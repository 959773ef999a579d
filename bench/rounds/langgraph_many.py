"""Runs many sessions (threads, as LangGraph calls them) of an Engineer and a Reviewer at once in one process, each step in the
SQLite checkpointer before the next one begins, and prints what that took as one line of JSON.

    langgraph_many.py FOLDER SESSIONS ROUNDS TEXT_BYTES AGENT_MILLIS last|checked

`last` hands documents on as they are; `checked` has three more nodes, which check both documents and keep a ledger of issues. All begin the first round together, and are all in wait of their Engineers after the last.
"""

import asyncio
import json
import os
import sys
import time
from typing import TypedDict

import aiosqlite
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

import ledger

folder, sessions, rounds, size, takes = sys.argv[1], *map(int, sys.argv[2:6])
is_checked = sys.argv[6] == "checked"


class State(TypedDict):
    session: int
    round: int
    engineer: str
    reviewer: str


class Gate:
    """Lets everybody through when the last has come, and says to one of them that it was the last."""

    def __init__(self):
        self.missing, self.open = sessions, asyncio.Event()

    async def wait(self):
        self.missing -= 1
        is_last = self.missing == 0
        if is_last:
            self.open.set()
        await self.open.wait()
        return is_last


def document(role, state, number):
    # Never the same twice, as agents' texts are.
    head = f"{role} of session {state['session']}, round {number}: "
    return head + ("It does what its name says, within limits. " * (size // 43 + 1))[: size - len(head)]


def memory(which):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(which))


async def main():
    first, last = Gate(), Gate()
    result = {"sessions": sessions, "rounds": rounds}

    async def engineer(state):
        number = state["round"] + 1
        if number == 1 and await first.wait():
            result["begun"] = time.perf_counter()
        if number > rounds and await last.wait():
            seconds = time.perf_counter() - result.pop("begun")
            result.update(seconds=seconds, waiting=memory("VmRSS"), peak=memory("VmHWM"))
        await asyncio.sleep(takes / 1000)
        text = ledger.write_proposals(state, number, size) if is_checked else document("engineer", state, number)
        return {"round": number, "engineer": text}

    async def reviewer(state):
        await asyncio.sleep(takes / 1000)
        text = ledger.write_review(state, state["round"], size) if is_checked else document("reviewer", state, state["round"])
        return {"reviewer": text}

    nodes = [("engineer", engineer), ("reviewer", reviewer)]
    if is_checked:
        nodes[1:1] = [("check_proposals", ledger.check_proposals)]
        nodes += [("check_review", ledger.check_review), ("update_ledger", ledger.update_ledger)]
    graph = StateGraph(ledger.Checked if is_checked else State)
    for name, node in nodes:
        graph.add_node(name, node)
    names = [name for name, _ in nodes]
    graph.add_edge(START, "engineer")
    graph.add_conditional_edges("engineer", lambda state: END if state["round"] > rounds else names[1])
    for before, after in zip(names[1:], names[2:] + names[:1]):
        graph.add_edge(before, after)

    file = os.path.join(folder, "langgraph.db")
    async with aiosqlite.connect(file) as connection:
        # What gapless sets too: a commit returns when it is on the disk.
        await connection.execute("PRAGMA synchronous=FULL")
        running = graph.compile(checkpointer=AsyncSqliteSaver(connection))

        def session(number):
            config = {"configurable": {"thread_id": f"session-{number}"}, "recursion_limit": len(nodes) * rounds + 10}
            plain = {"session": number, "round": 0, "engineer": "", "reviewer": ""}
            start = ledger.start(f"session-{number}") if is_checked else plain
            return running.ainvoke(start, config, durability="sync")

        await asyncio.gather(*(session(number) for number in range(sessions)))
        await connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    print(json.dumps(result | {"bytes": os.path.getsize(file)}))


asyncio.run(main())
