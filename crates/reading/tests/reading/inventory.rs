//! What a source declares to be missing: tables of what is taken and what is not.

use gapless_markdown::Document;
use gapless_reading::read::{declared_gaps, near_misses};

/// Each declared gap on a line: `line id [severity] alias <waits on> {section} description`, what isn't said left out.
pub fn inventory(text: &str) -> Vec<String> {
    declared_gaps(&Document::parse(text))
        .into_iter()
        .map(|gap| {
            let mut shown = format!("{} {}", gap.line, gap.id);
            if let Some(severity) = gap.severity {
                shown += &format!(" [{severity}]");
            }
            if let Some(alias) = gap.alias {
                shown += &format!(" ={alias}");
            }
            for other in gap.blocked_by {
                shown += &format!(" <{other}>");
            }
            if let Some(section) = gap.section {
                shown += &format!(" {{{section}}}");
            }
            format!("{shown} {}", gap.description)
        })
        .collect()
}

#[track_caller]
pub fn declares(text: &str, expected: &[&str]) {
    assert_eq!(inventory(text), expected, "{text}");
}

#[test]
fn gap_ids_in_lists_tables_and_headings() {
    declares(
        "- GAP-AA-001 [HIGH] (section: Limits; blocked by: GAP-AA-002): how many\n- [ ] **GAP-AA-002**: how long\n",
        &[
            "1 GAP-AA-001 [HIGH] <GAP-AA-002> {Limits} how many",
            "2 GAP-AA-002 how long",
        ],
    );
    declares(
        "| ID | Severity | Description | Section | Blocked by | Impact |\n|---|---|---|---|---|---|\n\
         | **GAP-AA-001** | High | how many | Limits | GAP-AA-002 | a rather long impact |\n| GAP-AA-002 | | how long | | | |\n",
        &[
            "3 GAP-AA-001 [HIGH] <GAP-AA-002> {Limits} how many",
            "4 GAP-AA-002 how long",
        ],
    );
    declares(
        "# S\n\n### GAP-AA-001 [LOW]: how many\n\nMore of it is TBD.\n\n### GAP-AA-002\n\nHow long\nit is.\n",
        &[
            "3 GAP-AA-001 [LOW] how many",
            "7 GAP-AA-002 How long it is.",
        ],
    );
}

#[test]
fn the_same_gap_in_several_places_is_one() {
    declares(
        "| Gap | What |\n|---|---|\n| GAP-AA-001 | how many |\n\n### GAP-AA-001 [HIGH]\n\nText.\n\n**Blocking:**\n\n\
         - GAP-AA-001 (section: Limits): in short\n",
        &["3 GAP-AA-001 [HIGH] {Limits} how many"],
    );
    declares(
        "## Open questions\n\n- OQ-1: how many\n\n| ID | Question |\n|---|---|\n| OQ-1 | how many, again |\n",
        &["3 GAP-OQ-001 =OQ-1 how many"],
    );
    // Two items of lists are a mistake, and are said to be one where the session starts.
    let doubled = "- GAP-AA-001: how many\n- GAP-AA-001: how long\n";
    assert_eq!(inventory(doubled).len(), 2);
}

#[test]
fn names_of_other_shapes_are_aliases() {
    declares(
        "## 4. Known gaps\n\n- XCUT-NAV-001 [HIGH]: how to go back (section: Menu)\n- **OQ-1** (blocked by: XCUT-NAV-001): who\n\
         - Q3. When?\n- FR-012: what\n- GAP-NAV-001: taken\n",
        &[
            "3 GAP-NAV-002 [HIGH] =XCUT-NAV-001 how to go back (section: Menu)",
            "4 GAP-OQ-001 =OQ-1 <GAP-NAV-002> who",
            "5 GAP-OPEN-003 =Q3 When?",
            "6 GAP-FR-012 =FR-012 what",
            "7 GAP-NAV-001 taken",
        ],
    );
    declares(
        "## Open Questions\n\nThese need an answer:\n\n| ID | Question | Options | Depends on |\n|---|---|---|---|\n\
         | **OQ-001** | Per source? | A) one, B) many, C) both of them | |\n| OQ-002 | Which? | | OQ-001 |\n",
        &[
            "7 GAP-OQ-001 =OQ-001 Per source?",
            "8 GAP-OQ-002 =OQ-002 <GAP-OQ-001> Which?",
        ],
    );
    declares("## Requirements\n\n- FR-012: it starts\n- Q3. When?\n", &[]);
}

#[test]
fn what_has_no_name_gets_one() {
    declares(
        "## Open questions\n\n- How long are events kept?\n  - a month\n  - a year\n- [ ] Who may delete [HIGH]?\n- [x] Where?\n\
         - ~~Why?~~\n- Resolved: which.\n- None.\n\nWho pays?\n\nSome prose.\n",
        &[
            "3 GAP-OPEN-001 How long are events kept?",
            "6 GAP-OPEN-002 Who may delete [HIGH]?",
            "12 GAP-OPEN-003 Who pays?",
        ],
    );
    declares(
        "## Open questions\n\n### How long are events kept?\n\n- a month\n- a year\n\n### Types\n\n- What is null?\n\n\
         ### Answered\n\n- What is one?\n\n## Next\n\n- item\n",
        &[
            "3 GAP-OPEN-001 How long are events kept?",
            "10 GAP-TYPES-001 What is null?",
        ],
    );
    declares(
        "## Limits\n\n**Open questions:**\n\n- How many?\n\nOther:\n\n- item\n",
        &["5 GAP-LIMITS-001 How many?"],
    );
    declares(
        "## Open issues\n\n| Question | Status |\n|---|---|\n| How many? | open |\n| How long? | RESOLVED (R2) |\n\n\
         | Category | Count |\n|---|---|\n| a | 5 |\n",
        &["5 GAP-OPEN-001 How many?"],
    );
    for none in [
        "## Phases\n\n- [ ] Write the parser\n- [ ] Write the printer\n",
        "## User Questions This View Answers\n\n| Question | Answer |\n|---|---|\n| How many? | here |\n",
        "## Known limitations\n\n- It is slow.\n",
        "## Open questions\n\n- None at this time.\n\n- n/a\n",
        "# Open questions in schools\n\n## Method\n\n- Ask.\n",
        "```\n## Open questions\n\n- How?\n```\n",
        "<!--\n## Open questions\n\n- How?\n-->\n",
    ] {
        declares(none, &[]);
    }
}

#[test]
fn marks_in_the_text() {
    for (text, expected) in [
        ("The timeout is TBD.", "The timeout is TBD."),
        ("TODO: ask legal. The rest is said.", "ask legal."),
        ("**TODO:** ask legal.", "ask legal."),
        ("- TODO(anna): ask legal", "ask legal"),
        (
            "It waits ??? ms, e.g. for a lock.",
            "It waits ??? ms, e.g. for a lock.",
        ),
        ("> **FIXME**: the unit", "the unit"),
        (
            "Users are archived after [NEEDS CLARIFICATION: how long? One\nyear?] of silence.",
            "how long? One year? (Users are archived after …)",
        ),
        ("[NEEDS CLARIFICATION: who pays]", "who pays"),
        ("TBD", "Retention: TBD"),
        (
            "- The size is TBD and the unit is TBD.",
            "The size is TBD and the unit is TBD.",
        ),
    ] {
        declares(
            &format!("# S\n\n## 3. Retention\n\n{text}\n"),
            &[&format!(
                "5 GAP-RETENTION-001 {{3. Retention}} {}",
                expected.replace("Retention: TBD", "3. Retention: TBD")
            )],
        );
    }
    declares(
        "## Limits\n\nTODO [HIGH] (blocked by: GAP-AA-001): how many\n\n| Field | Size |\n|---|---|\n| name | TBD |\n| `mail` | ??? bytes |\n",
        &[
            "3 GAP-LIMITS-001 [HIGH] <GAP-AA-001> {Limits} how many",
            "7 GAP-LIMITS-002 {Limits} name: Size is TBD",
            "8 GAP-LIMITS-003 {Limits} `mail`: Size: ??? bytes",
        ],
    );
    declares(
        "## Retention (TBD)\n\nText.\n",
        &["1 GAP-RETENTION-001 {Retention (TBD)} Retention (TBD)"],
    );
    declares("TODO", &["1 GAP-OPEN-001 TODO"]);
    declares(
        "It is TODO(GAP-AUTH-003).\n\nThe rest is TBD (GAP-AUTH-004).\n\n- GAP-AUTH-004: the rest\n",
        &[
            "1 GAP-AUTH-003 It is TODO(GAP-AUTH-003).",
            "5 GAP-AUTH-004 the rest",
        ],
    );
    declares(
        "A is TBD (GAP-AA-001), B is TBD (GAP-AA-002).\n\n- GAP-AA-001: a\n",
        &["1 GAP-AA-002 B is TBD", "3 GAP-AA-001 a"],
    );
}

#[test]
fn marks_that_are_none() {
    for none in [
        "`TODO` and ``TBD`` are counted.",
        "```\nTODO: x\n[NEEDS CLARIFICATION: y]\n```",
        "    TODO: x",
        "<!-- TODO: x\n[NEEDS CLARIFICATION: y] -->",
        "A line <!-- TODO --> of text.",
        "The word \"TODO\" and ‘TBD’.",
        "Lines with TODO, TBD, FIXME or ??? are open.",
        "A todo list. Our TODO list. No TBD remains.",
        "[TODO](todo.md) and <https://example.com/TODO> and https://example.com/TODO",
        "[NEEDS CLARIFICATION: x](y.md)",
        "TODO.md, TODO-1, METODO, TODOS",
        "- [x] TODO: done",
        "- GAP-AA-001: it is TBD\n",
    ] {
        let marked = inventory(&format!("# S\n\n{none}\n"));
        assert!(
            marked.iter().all(|gap| gap.contains("GAP-AA-001")),
            "{none}: {marked:?}"
        );
    }
}

#[test]
fn ids_are_the_same_each_time_and_never_twice() {
    let text = "# S\n\n## Limits\n\nTBD. Also TODO: x\n\n- GAP-LIMITS-001: taken\n\n<!-- gapless: GAP-LIMITS-002 -->\n\n\
                ## Limits, again\n\nAn ??? here.\n";
    let ids: Vec<String> = inventory(text)
        .iter()
        .map(|gap| gap.split(' ').nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(
        ids,
        [
            "GAP-LIMITS-003",
            "GAP-LIMITS-004",
            "GAP-LIMITS-001",
            "GAP-LIMITS-005"
        ]
    );
    assert_eq!(inventory(text), inventory(text));
}

#[test]
fn what_a_part_lists_twice_is_no_mistake_of_the_author() {
    let list = "- GAP-AA-002 [LOW]: who pays\n- GAP-AA-002 [LOW]: who pays it\n";
    let refined = format!(
        "# S\n\n<!-- gapless: GAP-AA-001 -->\n## T\n\n{list}\n<!-- gapless: end GAP-AA-001 -->\n"
    );
    declares(&refined, &["6 GAP-AA-002 [LOW] who pays"]);
    let own = format!("# S\n\n{list}");
    assert_eq!(inventory(&own).len(), 2);
}

#[test]
fn what_an_earlier_session_settled_or_put_off_is_not_declared_anew() {
    let refined = "# S\n\nThe timeout is defined in [T](#t) <!-- gapless: settled GAP-OPEN-001 -->.\n\n\
        ## Size (TBD)\n\n<!-- gapless: GAP-SIZE-001 -->\n### Sizes\n\nTen.\n\n<!-- gapless: end GAP-SIZE-001 -->\n\n\
        ## Colour\n\nThe colour is TBD.\n\n\
        ## Open questions\n\n- Settled in [T](#t) (GAP-OPEN-002). <!-- gapless: settled GAP-OPEN-002 -->\n\
        - Who pays?\n\n| ID | Question |\n|---|---|\n| OQ-1 | Settled in [T](#t). <!-- gapless: settled GAP-OQ-001 --> |\n\n\
        ### GAP-AA-009: told\n\n<!-- gapless: GAP-AA-009 -->\n#### T\n\nIt is so.\n\n<!-- gapless: end GAP-AA-009 -->\n\n\
        <!-- gapless: known limitations -->\n## Known limitations\n\n\
        - GAP-COLOUR-001 [LOW]: The colour is TBD. (deferred: later (much))\n- ISSUE-R1-001 [LOW]: a TBD is left\n\n\
        <!-- gapless: end known limitations -->\n";
    declares(
        refined,
        &[
            "16 GAP-COLOUR-001 [LOW] {Colour} The colour is TBD.",
            "21 GAP-OPEN-003 Who pays?",
        ],
    );
}

#[test]
fn what_is_taken_under_another_id_is_no_near_miss() {
    let text = "## Known gaps\n\n- GAP-AA-7: short\n\n## Other\n\n- GAP-AA-8: short\n";
    declares(text, &["3 GAP-AA-007 =GAP-AA-7 short"]);
    let said = near_misses(&Document::parse(text));
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].0, 7);
}

#[test]
fn what_one_place_says_is_done_no_other_declares() {
    let text = "## Gaps\n\n| ID | What | State |\n|---|---|---|\n| GAP-AA-001 | how many | ACCEPTED (R2) |\n\
                | GAP-AA-002 | how long | deferred |\n\n## History\n\n- GAP-AA-001: ten\n\n## Open questions\n\n\
                - [ ] OQ-1: who\n- OQ-2 [answered]: when\n\n## Answers\n\n- [x] OQ-1: we\n";
    declares(text, &["6 GAP-AA-002 how long"]);
    let said = near_misses(&Document::parse(text));
    assert_eq!(
        said,
        [
            (
                10,
                "GAP-AA-001 is open here and done on line 5: it was not taken".to_owned()
            ),
            (
                14,
                "OQ-1 is open here and done on line 19: it was not taken".to_owned()
            ),
        ]
    );
    declares(
        "## Tasks\n\n- [x] FR-012: built\n\n## Open questions\n\n- FR-012: how many\n",
        &["7 GAP-FR-012 =FR-012 how many"],
    );
    declares(
        "### GAP-AA-001: Resolution\n\nTen.\n\n### GAP-AA-002 [RESOLVED]\n\nTwo.\n\n### ~~GAP-AA-003~~\n",
        &[],
    );
}

#[test]
fn the_same_id_in_another_section_is_the_same_gap_and_said() {
    let text = "## Gaps\n\n- GAP-AA-001: how many\n\n## Blocking\n\n1. **GAP-AA-001** - nobody can begin\n";
    declares(text, &["3 GAP-AA-001 how many"]);
    assert_eq!(
        near_misses(&Document::parse(text)),
        [(
            7,
            "GAP-AA-001 is what line 3 says it is, not what stands here".to_owned()
        )]
    );
}

#[test]
fn what_sections_and_groups_say_of_their_entries() {
    declares(
        "## Gap inventory\n\n### CRITICAL (blocks everything)\n\n- GAP-AA-001: a\n- GAP-AA-002 [LOW]: b\n\n### Low\n\n\
         | ID | What |\n|---|---|\n| GAP-AA-003 | c |\n\n### High-level design\n\n- GAP-AA-004: d\n",
        &[
            "5 GAP-AA-001 [CRITICAL] a",
            "6 GAP-AA-002 [LOW] b",
            "12 GAP-AA-003 [LOW] c",
            "16 GAP-AA-004 d",
        ],
    );
    declares(
        "## Open questions\n\n- **Types**\n  - What is null?\n  - What is one?\n- Money:\n  - Q7: who pays\n- How long?\n  - a day?\n",
        &[
            "4 GAP-OPEN-001 What is null?",
            "5 GAP-OPEN-002 What is one?",
            "7 GAP-OPEN-007 =Q7 who pays",
            "8 GAP-OPEN-003 How long?",
        ],
    );
    declares(
        "## Open questions\n\n### 1. Retention\n\nNobody knows. (depends on: OQ-2)\n\n### Notes\n\nRead them.\n\n\
         ### OQ-2: export\n\nCSV?\n",
        &[
            "3 GAP-RETENTION-001 <GAP-OQ-002> Retention: Nobody knows. (depends on: OQ-2)",
            "11 GAP-OQ-002 =OQ-2 export",
        ],
    );
    declares(
        "## Limits\n\nTODO:\n\n- the size\n- the unit\n",
        &["5 GAP-LIMITS-001 the size", "6 GAP-LIMITS-002 the unit"],
    );
    declares(
        "## Decisions pending\n\n| # | Question | Severity | Blocked by |\n|---|---|---|---|\n\
         | 1 | Which tax? | High | GAP-AA-001 |\n\n| Option | Description |\n|---|---|\n| A | one |\n",
        &["5 GAP-OPEN-001 [HIGH] <GAP-AA-001> Which tax?"],
    );
}

#[test]
fn specs_about_such_things_declare_none() {
    for none in [
        "# TODO app\n\n## Todos\n\n- Each todo has a title.\n- Todos are sorted.\n",
        "## States\n\n- TODO: not begun\n- DOING: begun\n- DONE: finished\n",
        "## States\n\n| State | Meaning |\n|---|---|\n| TODO | not begun |\n| DONE | finished |\n",
        "| TODO | DOING | DONE |\n|---|---|---|\n| a | b | c |\n",
        "A card moves from TODO to DONE. The TODO column is first.\n",
        "## Issues\n\nAn issue has a title.\n\n- FR-012: An issue has a title.\n- It has a state.\n\n\
         | Field | Description |\n|---|---|\n| title | what it is |\n",
        "## Open issues view\n\n- It shows what is open.\n- US-3: as a user I see them\n",
        "## How open questions are handled\n\n- The owner answers them.\n",
        "## Requirements\n\n| ID | Requirement | Priority |\n|---|---|---|\n| FR-012 | it starts | HIGH |\n| US-3 | I see it | LOW |\n",
        "## Layout gaps\n\n- 8 px between cards\n",
        "He said “the timeout is TBD for now” and left.\n",
        "- [ ] No [NEEDS CLARIFICATION] markers remain\n- [ ] No TODO remains\n",
    ] {
        declares(none, &[]);
    }
}
