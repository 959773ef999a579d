//! What sections of open questions declare, and what stands in them and is none: answers, options, templates, "None".

use crate::inventory::declares;

#[track_caller]
fn declares_nothing(text: &str) {
    declares(text, &[]);
}

#[test]
fn paragraphs_leave_things_open_too() {
    declares(
        "## Open questions\n\nShould a list be paged? We think so.\n\nLong lists are slow.\n\nWho may delete?\n",
        &[
            "3 GAP-OPEN-001 Should a list be paged? We think so.",
            "7 GAP-OPEN-002 Who may delete?",
        ],
    );
    declares(
        "## Unresolved issues\n\nWe have not settled how clients sign in, and may need a second factor.\n\n\
         Both ways are used elsewhere.\n",
        &["3 GAP-OPEN-001 We have not settled how clients sign in, and may need a second factor."],
    );
    declares(
        "## Open questions\n\nNobody has measured it.\n\n### Retention\n\nIt might be a month.\n\nOptions:\n\n- a month\n- a year\n",
        &["5 GAP-RETENTION-001 Retention: It might be a month."],
    );
}

#[test]
fn what_stands_below_a_bold_label_is_one_matter() {
    declares(
        "## Open questions\n\n**Limits**\n\nTen rows could be too few.\n\nWe had ten before.\n\n**How long is it kept?**\n\n\
         We said a month once.\n",
        &[
            "5 GAP-OPEN-001 Limits: Ten rows could be too few.",
            "9 GAP-OPEN-002 How long is it kept?",
        ],
    );
    declares(
        "## Open questions\n\n### Export\n\nIt is unclear how it is done.\n\n**Per field**\n\nSimple.\n\n**Per format**\n\nLong.\n",
        &["3 GAP-EXPORT-001 Export: It is unclear how it is done."],
    );
}

#[test]
fn one_question_is_one_matter() {
    declares(
        "## Open questions\n\n- Which database?\n  - Pro: fast\n  - Con: new\n- Who pays?\n  - Recommendation: we do\n",
        &["3 GAP-OPEN-001 Which database?", "6 GAP-OPEN-002 Who pays?"],
    );
    declares(
        "## Open questions\n\nWho owns it?\n\n- the team\n- the company\n",
        &["3 GAP-OPEN-001 Who owns it?"],
    );
    declares(
        "## Open questions\n\n1. Which one?\n  - this one may do\n2. Who?\n  - the team\n",
        &["3 GAP-OPEN-001 Which one?", "5 GAP-OPEN-002 Who?"],
    );
    declares(
        "## Open questions\n\n- Option A: fast\n- Alternatives: none known\n- Which?\n",
        &["5 GAP-OPEN-001 Which?"],
    );
}

#[test]
fn titles_name_what_is_open_in_many_words() {
    for title in [
        "15. Open product questions",
        "Decisions needed",
        "Questions for review",
        "To be decided",
        "Unresolved technical questions",
        "Offene Fragen",
        "Questions ouvertes",
        "Preguntas pendientes",
        "Открытые вопросы",
        "待确认事项",
    ] {
        let text = format!("## {title}\n\n- the size of a page\n");
        let found = crate::inventory::inventory(&text);
        assert_eq!(found.len(), 1, "{title}");
        assert!(found[0].ends_with("the size of a page"), "{found:?}");
    }
    declares(
        "## Risks and open questions\n\n- The vendor may close.\n- Who hosts it?\n",
        &["4 GAP-RISKS-001 Who hosts it?"],
    );
}

#[test]
fn what_is_answered_is_no_gap() {
    for none in [
        "## Open questions (resolved)\n\n- Which one?\n",
        "## Resolved questions\n\n- How large is it? It is TBD no more.\n- GAP-AA-001: how many\n",
        "## Open questions\n\n1. **Depth** — ✅ ten by default\n2. Which one? (answered in R2)\n3. ~~Which?~~\n",
        "## Open questions\n\n- Which one?\n  - **Answer:** the first.\n",
        "## Open questions\n\n- Which one? **Decision:** the first.\n",
        "## Open questions\n\n- Q: Which one?\n- A: The first.\n",
        "## Open questions\n\n### Which one?\n\n**Status:** resolved\n\nThe first.\n",
        "## Open questions\n\nWhich one?\n\n**Answer:** the first.\n",
        "## Open questions\n\n| # | Question | Decision |\n|---|---|---|\n| 1 | Which one? | the first |\n",
        "## Open questions\n\nAll questions have been resolved in the review.\n",
        "## Offene Fragen\n\n- Wer zahlt? (geklärt)\n- Keine weiteren.\n",
    ] {
        declares_nothing(none);
    }
    declares(
        "## Open questions\n\n- Which one?\n  - Decision: pending\n\n| # | Question | Decision |\n|---|---|---|\n| 1 | Who? | TBD |\n",
        &["3 GAP-OPEN-001 Which one?", "8 GAP-OPEN-002 Who?"],
    );
}

#[test]
fn none_means_that_nothing_is_open() {
    for none in [
        "- None; the pages have all of it already.",
        "None at this time.",
        "* n/a",
        "NA",
        "No known open questions.",
        "There are no unresolved questions, as far as we know.",
        "_None_",
        "- Ninguna por ahora.",
        "暂无。",
    ] {
        declares_nothing(&format!("## Open questions\n\n{none}\n"));
    }
    declares(
        "## Open questions\n\n- None of the limits is known\n",
        &["3 GAP-OPEN-001 None of the limits is known"],
    );
}

#[test]
fn the_words_of_a_template_declare_nothing() {
    for none in [
        "- What parts of the design do you expect to resolve before this is merged?",
        "- Describe what is not decided.\n- _Fill in what you need._",
        "_Say what is open, and who decides it._",
        "> Optional, but suggested for first drafts. What parts of the design are still TBD?",
        "<!-- Which questions are open? TBD -->",
        "- Are there some questions that nobody answered?\n- Can they be resolved in some future proposal?\n- Say so here.",
    ] {
        declares_nothing(&format!("## Open questions\n\n{none}\n"));
    }
    declares_nothing("# S\n\n### Wait, it has two??? Can you do that???\n\nYes.\n");
}

#[test]
fn blocks_marked_as_unresolved_are_one_matter_each() {
    declares(
        "## Queue\n\n<<[UNRESOLVED @anna]>>\nHow is it bounded? It is TBD.\n\n- by size?\n- by age?\n\n<<[/UNRESOLVED]>>\n\n\
         It is <<[UNRESOLVED]>>named foo<<[/UNRESOLVED]>> so far.\n",
        &[
            "3 GAP-QUEUE-001 {Queue} How is it bounded? It is TBD. - by size? - by age?",
            "11 GAP-QUEUE-002 {Queue} named foo",
        ],
    );
    declares(
        "## Queue\n\n<<[UNRESOLVED name]>>\nWhat is it called?\n\n## Next\n\nText.\n",
        &["3 GAP-QUEUE-001 {Queue} What is it called?"],
    );
    declares_nothing("```\n<<[UNRESOLVED]>>\nx\n<<[/UNRESOLVED]>>\n```\n");
}

#[test]
fn marks_in_brackets_and_in_other_languages() {
    declares(
        "## Plan\n\n- Alpha: `<TBD date>` and <tbd>\n- Beta: [TBD: which month]\n\n<TBD owner>\n\nThe size is tbd.\n",
        &[
            "3 GAP-PLAN-001 {Plan} Alpha: `<TBD date>` and <tbd>",
            "4 GAP-PLAN-002 {Plan} which month (Beta: …)",
            "6 GAP-PLAN-003 {Plan} Plan: <TBD owner>",
            "8 GAP-PLAN-004 {Plan} The size is tbd.",
        ],
    );
    declares(
        "| Feld | Wert |\n|---|---|\n| Frist | offen |\n| Ort | noch offen |\n\n| Aufgabe | Status |\n|---|---|\n| x | offen |\n\n\
         La durée est à définir.\n\nEl plazo (por definir) corre.\n\n超时时间待定。\n\nСрок: уточнить\n\nDer Laden ist offen.\n",
        &[
            "3 GAP-OPEN-001 Frist: Wert is offen",
            "4 GAP-OPEN-002 Ort: Wert is noch offen",
            "10 GAP-OPEN-003 La durée est à définir.",
            "12 GAP-OPEN-004 El plazo (por definir) corre.",
            "14 GAP-OPEN-005 超时时间待定。",
            "16 GAP-OPEN-006 Срок: уточнить",
        ],
    );
}

#[test]
fn options_below_a_title_make_the_title_the_matter() {
    declares(
        "## Open questions\n\n### Place of the entry\n\n- Option A: on the first page\n- Option B: in the menu\n- Recommendation: A\n",
        &["3 GAP-PLACE-001 Place of the entry"],
    );
    declares(
        "## 待确认问题（可选）\n\n### 问题 1：入口位置\n\n- **选项 A**：首页\n- **选项 B**：登录页\n- **建议**：选项 A\n",
        &["3 GAP-OPEN-001 问题 1：入口位置"],
    );
}

#[test]
fn paragraphs_with_titles_are_a_matter_each() {
    declares(
        "## Unresolved questions\n\n**Quality.** It isn't reported how many samples fail.\n\n\
         **Retrieval.** No figure says whether it helps; the split is fixed.\n",
        &[
            "3 GAP-OPEN-001 Quality. It isn't reported how many samples fail.",
            "5 GAP-OPEN-002 Retrieval. No figure says whether it helps; the split is fixed.",
        ],
    );
}

#[test]
fn a_label_in_a_paragraph_lists_what_is_open() {
    declares(
        "## Memory\n\nCycles are retained. **Open questions:** borrowing, and the order of destruction.\n",
        &["3 GAP-MEMORY-001 borrowing, and the order of destruction."],
    );
    declares_nothing("## Memory\n\nCycles are retained. **Open questions:** none.\n");
    declares(
        "## Risks, assumptions, open questions\n\n**Assumptions:**\n\n- **A1:** The fields exist\n\n**Open questions:**\n\n- **Q1:** Is it editable?\n",
        &["9 GAP-OPEN-001 =Q1 Is it editable?"],
    );
}

#[test]
fn cells_that_are_struck_and_titles_that_are_done_are_no_gap() {
    declares(
        "## Questions ouvertes\n\n| # | Question | Fichier |\n|---|---|---|\n| 1 | Quel nom ? | a |\n| 2 | ~~Quelle forme ?~~ **TRANCHÉ** | b |\n",
        &["5 GAP-OUVERTES-001 Quel nom ?"],
    );
    declares(
        "## Points à clarifier\n\n| Point | Détail |\n|---|---|\n| Messages | Quel chemin ? |\n",
        &["5 GAP-CLARIFIER-001 Messages"],
    );
    declares_nothing(
        "## Pendientes por definir\n\n### ✅ MD-001 — No existe usuario — RESUELTO\n\n- **Resolución:** Se creó el usuario.\n",
    );
}

#[test]
fn marks_that_are_only_named_are_none() {
    declares_nothing("## State\n\nNo TODO/FIXME/XXX comments exist in the sources.\n");
    declares_nothing("## Problem\n\nTODO stubs pass review.\n");
}
