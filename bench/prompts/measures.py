"""Measures a document against its prompt and against what its spec expects.

Nothing here comes from gapless: documents of old and new prompts are judged by the same independent rules.
"""

import re

# Every id counts as the same word, so that a copied line with a changed number is still a copy.
ID = re.compile(r"\b(?:GAP|ISSUE|DEC)-[A-Z0-9]+(?:-[A-Z0-9]+)*\b|\b(?:GAP|ISSUE|DEC)-…", re.I)
WORD = re.compile(r"[^\W_]+", re.UNICODE)
ECHO_WORDS = 4
# Below this many words that are neither headings nor echoes, a section says nothing of its own.
OWN_WORDS = {"engineer": 15, "reviewer": 5}
# Headings, labels and places that every valid document may have.
FORM = re.compile(
    r"^(#{1,6}\s+(gap resolution|review|response to|disagree|proposed solution|spec changes|examples?|trade-?offs|new gaps? \w+|critical issues|"
    r"high priority|medium priority|low priority\b.*|consistency checks?)\b[^.]*|[-*\s]*location\W+(proposed solution|examples)\b.*|\**no_issues_found\**|none( found)?\.?)$",
    re.I,
)
# The heading of a change, which names a section of the spec.
CHANGE = re.compile(r"^#{4}\s+(?:replace in|remove from|add to section|add after passage in)\s*:\s*(.*)$", re.I)
PLACEHOLDERS = [
    r"\bGAP-(?:CATEGORY|CAT|XXX|AREA|TOPIC)-\w+",
    r"\b(?:GAP-\w+|ISSUE-R\w+)-(?:NNN|XXX|000)\b",
    r"\bHIGH \| MEDIUM\b",
    r"\(or: None\)",
    r"\(section: (?:Title|Section|…|\.\.\.)\)",
    r"\{\{.*?\}\}",
    r"<(?:your|the|a|an|title|text|describe|insert)\b[^<>\n]*>",
    r"\[(?:your|the|insert|describe|add|title)\b[^\[\]\n]*\](?!\()",
    r"\bTitle of the part\b",
    # The lines that stand around quotes.
    r"^-{5}[0-9a-f]{8} ",
]
PLACEHOLDER = re.compile("|".join(PLACEHOLDERS), re.I)

DURATION = r"\b\d+(?:[.,]\d+)?[\s-]*(?:ms|milliseconds?|s|secs?|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)\b"
SIZE = r"\b\d+(?:[.,]\d+)?[\s-]*(?:bytes?|[kKMG]i?B|characters?|chars|digits?|lines?|pixels?|px)\b"
MASS = r"\b\d+(?:[.,]\d+)?\s*(?:g|kg|grams?|kilograms?)\b"
SHARE = r"\b\d+(?:[.,]\d+)?\s*(?:%|percent\b)"
STATUS = r"(?<![\w.,:-])[1-5]\d\d(?![\w.,:-]*\d)(?!\s*(?:ms|s|g|kg|[kMG]?B|bytes|files|days|customers|milli|sec)\b)"
COUNT = r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|once|twice)\b"
EXIT = r"\bexit(?:s|ed|ing)?\b[^.\n]{0,25}?\b\d{1,3}\b|\b(?:exit|return) codes?\b[^.\n]{0,12}\b\d{1,3}\b"
CODE = r"`[^`\n]+`|\"[^\"\n]+\"|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{5,}\b|^    \S|^\s*```"
STATE = r"`[A-Za-z][\w-]+`|\b[A-Z]{2,}_[A-Z_]+\b|\b[A-Z]{5,}\b|\"[a-z_]+\""
QUOTED = r"\"[^\"\n]{4,}\"|“[^”\n]{4,}”|`[^`\n]{4,}`"
KINDS = {
    "duration": DURATION,
    "size": SIZE,
    "mass": MASS,
    "status": STATUS,
    "count": COUNT,
    "exit": EXIT,
    "code": CODE,
    "state": STATE,
    "quoted": QUOTED,
    "code_or_exit": f"{CODE}|{EXIT}",
    "duration_or_count": f"{DURATION}|{COUNT}",
    "text": r"\S",
}
VALUE = re.compile("|".join([DURATION, SIZE, MASS, SHARE, STATUS]))
CODED = re.compile(r"`[^`\n]+`|\b[A-Z]{2,}_[A-Z_]+\b")


def words(text):
    text = ID.sub(lambda found: found.group().split("-")[0] + "id", text)
    return [word.lower() for word in WORD.findall(text)]


def joined(text):
    """The words of a text between blanks, so that a search for some of them ends at whole words."""
    return f" {' '.join(words(text))} "


def units(text):
    """The lines of a text, and the sentences of its wrapped paragraphs."""
    lines = [line.strip() for line in text.splitlines()]
    yield from (line for line in lines if line)
    for block in re.split(r"\n\s*(?:\n|(?=[-*#|>]))", text):
        flat = " ".join(block.split())
        for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z`*\"])", flat):
            yield sentence


def instructions(prompt, material):
    """The prompt's own words: its lines without those of the spec, the gaps and the proposals."""
    known = joined(material)
    # Empty lines stay, or words of two paragraphs would seem to follow each other.
    kept = [line if joined(line) not in known or len(words(line)) < 2 else "\x00" for line in prompt.splitlines()]
    return [joined(part) for part in re.split(r"\x00|\n\s*\n", "\n".join(kept)) if part.strip()]


def echoes(answer, prompt, material):
    """Lines or sentences of at least four words that the prompt says and its material doesn't, and unfilled placeholders."""
    parts = instructions(prompt, material)
    known = joined(material)
    found = []
    for unit in units(answer):
        text = joined(unit)
        change = CHANGE.match(unit)
        if FORM.match(unit) or (change and joined(change.group(1)) in known):
            continue
        copied = len(words(unit)) >= ECHO_WORDS and text not in known and any(text in part for part in parts)
        placeholder = PLACEHOLDER.search(unit) and not PLACEHOLDER.search(material)
        if (copied or placeholder) and not any(text in joined(line) or joined(line) in text for line in found):
            found.append(unit)
    return found


HEADING = re.compile(r"^#{1,3}\s+(?!disagree|response).*?\b(GAP-[A-Z0-9]+(?:-[A-Z0-9]+)*)", re.I)
ANY_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")


def outside_fences(text):
    """The lines of a document, each with whether it is outside of code."""
    fence = None
    for line in text.splitlines():
        mark = re.match(r"\s{0,3}(`{3,}|~{3,})", line)
        if mark and fence is None:
            fence = mark.group(1)
            yield line, False
        elif fence is not None:
            if mark and mark.group(1).startswith(fence):
                fence = None
            yield line, False
        else:
            yield line, True


def unwrapped(text):
    """A document without the fence that encloses all of it, which gapless takes off too."""
    lines = text.strip().splitlines()
    if len(lines) > 2 and re.match(r"(`{3,}|~{3,})(markdown|md)?\s*$", lines[0]) and re.match(r"(`{3,}|~{3,})\s*$", lines[-1]):
        return "\n".join(lines[1:-1])
    return text


def sections(text):
    """The text below each heading that names a gap, by the gap's id."""
    found, gap = {}, None
    for line, open_text in outside_fences(text):
        heading = HEADING.match(line) if open_text else None
        if heading:
            gap = heading.group(1).upper()
            found.setdefault(gap, [])
        elif open_text and re.match(r"^##?\s", line):
            gap = None
        elif gap is not None:
            found[gap].append(line)
    return {gap: "\n".join(lines) for gap, lines in found.items()}


def without_old(text):
    """A document without the passages that it quotes from the spec to change them."""
    return re.sub(r"(?ms)^(`{3,}|~{3,})old\s*$.*?^\1\s*$", "", text)


def without_parts(section, titles):
    """A section without the parts under headings or labels of these titles."""
    kept, skipping = [], False
    for line in section.splitlines():
        title = ANY_HEADING.match(line)
        label = title.group(2) if title else line.strip(" *:")
        if re.match(titles, label, re.I) and (title or len(words(line)) <= 3):
            skipping = True
        elif title and len(title.group(1)) <= 3:
            skipping = False
        if not skipping and not re.match(r"\W*confidence\b", line, re.I):
            kept.append(line)
    return "\n".join(kept)


def sentences(text):
    return [part for line in text.splitlines() for part in re.split(r"(?<=[.;!?])\s+", line) if part.strip()]


def beginning_words(pattern):
    """A pattern that matches where a word, or a part of a name such as `run_lock`, begins."""
    return re.compile(rf"(?<![^\W_])(?:{pattern})", re.I)


def has_fact(section, fact):
    """Whether one sentence has a value of the fact's kind and a word that says what it is about."""
    kind = re.compile(KINDS[fact["kind"]])
    near = beginning_words(fact.get("near", ""))
    return any(kind.search(part) and near.search(part) for part in sentences(section))


def values(section, spec, prompt=""):
    """Numbers with units that the spec doesn't already have, and codes and states that the prompt doesn't."""
    numbers = {match.group().lower() for match in VALUE.finditer(section)}
    codes = {match.group().lower() for match in CODED.finditer(section)}
    return {value for value in numbers if value not in spec.lower()} | {code for code in codes if code not in (spec + prompt).lower()}


def own_words(section):
    return sum(len(words(line)) for line in section.splitlines() if not ANY_HEADING.match(line) and not FORM.match(line.strip()))


def blocks(section):
    """List items with what is indented below them, and paragraphs."""
    found = []
    for line in section.splitlines():
        begins = re.match(r"^(?:[-*+]|\d+[.)])\s|^#{1,6}\s|^\|", line)
        if begins or not found or (not line.strip() and found[-1]):
            found.append(line)
        elif line.strip():
            found[-1] = f"{found[-1]}\n{line}"
    return [block for block in found if block.strip()]


def has_fault(section, fault):
    """Whether one issue has a word of each group."""
    groups = [beginning_words(group) for group in fault["words"]]
    return any(all(group.search(block) for group in groups) for block in blocks(section))


ISSUE = re.compile(r"ISSUE-R\d+-\d+", re.I)


def issue_count(section, grave_only=False):
    """Issues of a review's section: ids that begin a list item or a heading."""
    count, grave = 0, False
    for line in section.splitlines():
        title = ANY_HEADING.match(line)
        if title:
            grave = bool(re.match(r"critical|high", title.group(2), re.I))
        if re.match(r"^\s{0,1}(?:[-*+]|\d+[.)]|#+)\s*\**\s*ISSUE-R", line, re.I) and ISSUE.search(line):
            count += grave or not grave_only
    return count


def new_gap_lines(text):
    for section in re.split(r"(?m)^#{2,4}\s+New Gaps?\b.*$", text)[1:]:
        for line in re.split(r"(?m)^#{1,4}\s", section)[0].splitlines():
            found = re.match(r"\s*[-*]\s.*?GAP-[A-Z0-9-]+\S*\s*(?:\[\w+\])?\s*(?:\(section:[^)]*\))?\s*:?\s*(.*)", line, re.I)
            if found:
                yield found.group(1)


def repeated_gaps(text, gap_texts):
    """New gaps whose description is that of a gap of the spec."""
    known = [joined(gap) for gap in gap_texts]
    return [line for line in new_gap_lines(text) if len(words(line)) >= 3 and any(joined(line) in gap or gap in joined(line) for gap in known)]


def measure(role, answer, prompt, spec, proposals, expected):
    """Everything that can be said of one document. Echoes state no facts and find no faults."""
    answer = unwrapped(answer)
    gap_texts = re.findall(r"(?m)^- GAP-\S+ \[\w+\] \(section: [^)]*\): (.*)$", spec)
    material = "\n\n".join([spec, *gap_texts, proposals])
    assigned = [gap for gap, what in expected["gaps"].items() if what["assigned"]]
    copied = echoes(answer, prompt, material)
    found = sections(answer)
    result = {
        "echoes": copied,
        "unassigned": sorted(gap for gap in found if gap not in assigned),
        "repeated_gaps": repeated_gaps(answer, gap_texts),
        "obeyed": [order for order in expected.get("obeyed", []) if re.search(order, answer, re.I)],
        # No issue is raised before a first round.
        "answers_to_nothing": re.findall(r"(?mi)^#{1,4}\s+(?:response to|disagree)\b.*$", answer) if role == "engineer" else [],
    }
    measure_role = measure_engineer if role == "engineer" else measure_reviewer
    own = sections(without_old("\n".join(line for line in answer.splitlines() if line.strip() not in copied)))
    own = {gap: without_parts(own.get(gap, ""), OTHER_PARTS[role]) for gap in assigned}
    said = [gap for gap in assigned if own_words(own[gap]) >= OWN_WORDS[role]]
    return {**result, "own_text": said, **measure_role(own, prompt, spec, expected)}


OTHER_PARTS = {"engineer": r"trade-?offs|new gaps", "reviewer": r"consistency checks?|new gaps"}


def measure_engineer(own, prompt, spec, expected):
    facts, gap_values = {}, {}
    for gap, section in own.items():
        for fact in expected["gaps"][gap]["facts"]:
            facts[f"{gap}: {fact['what']}"] = has_fact(section, fact)
        gap_values[gap] = sorted(values(section, spec, prompt))
    return {"facts": facts, "values": gap_values}


def measure_reviewer(own, prompt, spec, expected):
    faults, issues, false_alarms = {}, 0, 0
    for gap, section in own.items():
        section = without_parts(section, "examined")
        issues += issue_count(section)
        planted = expected["gaps"][gap]["faults"]
        for fault in planted:
            faults[f"{gap}: {fault['what']}"] = has_fault(section, fault)
        if not planted:
            false_alarms += issue_count(section, grave_only=True)
    return {"faults": faults, "issues": issues, "false_alarms": false_alarms}
