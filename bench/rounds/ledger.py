"""What the nodes of the checking variant do: documents of the same form as gapless's agents write in this benchmark, checks of
their headings and required sections, and a ledger of issues in the state. Shared by both LangGraph scripts."""

import re
from typing import TypedDict

GAPS = [f"GAP-PART-{number:03}" for number in (1, 2, 3)]
REQUIRED = ("Proposed Solution", "Examples", "Trade-offs", "New Gaps Introduced")
HEADING = re.compile(r"^(#{1,6}) +(.+?) *$")
ISSUE = re.compile(r"^- \*\*(ISSUE-R\d+-\d+)\*\*: (.+)$")
FIELD = re.compile(r"^ +- \*\*(Location|Impact|Suggestion):\*\* (.+)$")


class Checked(TypedDict):
    session: str
    round: int
    engineer: str
    reviewer: str
    # What was read of the newest documents, and every issue with its state.
    proposals: dict
    found: list
    ledger: dict


def start(session):
    return {"session": session, "round": 0, "engineer": "", "reviewer": "", "proposals": {}, "found": [], "ledger": {}}


def filled(sentence, size):
    return (sentence * (size // len(sentence) + 1))[: max(size, 0)].rstrip()


def write_proposals(state, number, size):
    answers = "".join(
        f"## Response to {issue}\n\nThe limit is now said in the solution.\n\n"
        for issue, entry in state["ledger"].items()
        if entry["status"] == "open"
    )
    share = (size - 160 * len(GAPS) - len(answers)) // len(GAPS)
    text = ""
    for gap in GAPS:
        text += f"## Gap Resolution: {gap}\n\n**Confidence:** HIGH\n\n### Proposed Solution\n\nIn round {number} of {state['session']}: "
        text += filled("the limit is 100 per second, and above it the answer is 429. ", share)
        text += "\n\n### Examples\n\nOne.\n\n### Trade-offs\n\nNone.\n\n### New Gaps Introduced\n\nNone\n\n"
    return text + answers


def write_review(state, number, size):
    text = ""
    for place, gap in enumerate(GAPS, 1):
        impact = filled("it may be too low at the end of a month, when all report. ", size // len(GAPS) - 220)
        text += (
            f"## Review: {gap}\n\n### High Priority\n\n- **ISSUE-R{number}-{place:03}**: the limit of {state['session']} is not justified.\n"
            f"  - **Location:** Proposed Solution\n  - **Impact:** {impact}\n  - **Suggestion:** say where it comes from\n\n"
        )
    return text


def sections(text):
    """Every heading with its level and the lines below it, code left out."""
    found, fenced = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        heading = None if fenced else HEADING.match(line)
        if heading:
            found.append((len(heading[1]), heading[2], []))
        elif found:
            found[-1][2].append(line)
    return found


def check_proposals(state):
    """The engineer's document, by gap: every required section is there and not empty, and each open issue has an answer."""
    proposals, answered, gap = {}, set(), None
    for level, title, lines in sections(state["engineer"]):
        body = "\n".join(lines).strip()
        if level == 2 and title.startswith("Gap Resolution: "):
            gap = title.removeprefix("Gap Resolution: ")
            proposals[gap] = {"confidence": "HIGH" if "**Confidence:** HIGH" in body else "LOW", "sections": {}}
        elif level == 2 and title.startswith("Response to "):
            gap = None
            if body:
                answered.add(title.removeprefix("Response to "))
        elif level == 3 and gap:
            proposals[gap]["sections"][title] = len(body)
    missing = [gap for gap in GAPS if gap not in proposals]
    missing += [f"{gap}: {name}" for gap, read in proposals.items() for name in REQUIRED if not read["sections"].get(name)]
    missing += [issue for issue, entry in state["ledger"].items() if entry["status"] == "open" and issue not in answered]
    if missing:
        raise ValueError(f"the engineer's document lacks {missing}")
    return {"proposals": proposals}


def check_review(state):
    """The reviewer's document: a review of every gap, and every issue with all of its fields."""
    found, gap, severity = [], None, None
    for level, title, lines in sections(state["reviewer"]):
        if level == 2:
            gap = title.removeprefix("Review: ")
            continue
        severity = title.removesuffix(" Priority").upper()
        for line in lines:
            if issue := ISSUE.match(line):
                found.append({"id": issue[1], "gap": gap, "severity": severity, "summary": issue[2]})
            elif (field := FIELD.match(line)) and found:
                found[-1][field[1].lower()] = field[2]
    known = {issue["gap"] for issue in found}
    broken = [gap for gap in GAPS if gap not in known]
    broken += [issue["id"] for issue in found if not {"location", "impact", "suggestion"} <= issue.keys()]
    if broken:
        raise ValueError(f"the review lacks {broken}")
    return {"found": found}


def update_ledger(state):
    """Closes what was answered and opens what was found. Closed issues of earlier rounds leave the state, so that it doesn't grow."""
    ledger = {}
    for issue, entry in state["ledger"].items():
        if entry["status"] == "open":
            ledger[issue] = entry | {"status": "answered", "in": state["round"]}
    for issue in state["found"]:
        if issue["id"] in ledger:
            raise ValueError(f"{issue['id']} was raised before")
        ledger[issue["id"]] = issue | {"status": "open", "raised": state["round"]}
    return {"ledger": ledger}
