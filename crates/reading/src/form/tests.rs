//! What is read from a question of a form, by what came back.

use gapless_domain::{Choice, Field};

use super::{Entry, Verdict, read_form};

fn choice(label: &str, text: &str, effect: &str) -> Choice {
    Choice {
        label: label.to_owned(),
        text: text.to_owned(),
        effect: effect.to_owned(),
        recommended: label == "go_on",
        policy_only: false,
    }
}

fn field(name: &str, text: &str, needed_for: &str, exactly: Option<&str>) -> Field {
    Field {
        name: name.to_owned(),
        text: text.to_owned(),
        needed_for: vec![needed_for.to_owned()],
        offered_for: Vec::new(),
        exactly: exactly.map(str::to_owned),
        suggested: None,
    }
}

fn entry() -> Entry {
    let mut entry = Entry {
        id: "Q-004".parse().unwrap(),
        options: vec![
            choice(
                "input",
                "Give the input",
                "the gap is worked on again in this round",
            ),
            choice("defer", "Defer the gap", "it is put off with your reason"),
            choice("accept", "Accept", "the session ends"),
            choice("go_on", "Go on without it", "it stays blocked"),
        ],
        fields: vec![
            field("input", "what the Engineer needs to know", "input", None),
            field("reason", "why it is put off", "defer", None),
            field("critical", "confirm it", "accept", Some("I accept it all")),
        ],
        blank: String::new(),
    };
    entry.blank = blank(&entry);
    entry
}

fn blank(entry: &Entry) -> String {
    let mut text = "### Q-004 · GAP-API-001 waits for your input\n\n*HIGH*\n\nWhy it is asked:\n\n> which contracts\n\n".to_owned();
    for choice in &entry.options {
        text += &format!(
            "- [ ] **{}**: {}\n",
            choice.label,
            entry.option_words(choice)
        );
    }
    for field in &entry.fields {
        text += &format!("\n**{}** {}:\n", field.name, Entry::field_words(field));
    }
    text + "\nEnd of the form. What stands below this line is not read.\n"
}

/// What a question comes to in a line: what it is answered with, or what is wrong.
fn told(text: &str) -> String {
    let form = read_form(text).unwrap();
    let [part] = form.parts.as_slice() else {
        panic!("{} parts", form.parts.len());
    };
    match part.read(&entry()) {
        Verdict::Empty => "empty".to_owned(),
        Verdict::Filled(filled) => {
            let fields = filled.fields.iter();
            let fields = fields.map(|(name, text)| format!(" {name}={text:?}"));
            let remark = filled.remark.iter();
            let remark = remark.map(|remark| format!(" remark {}: {}", remark.line, remark.text));
            filled.option.clone() + &fields.collect::<String>() + &remark.collect::<String>()
        }
        Verdict::Faulty(faults) => {
            let faults = faults.iter();
            let faults = faults.map(|fault| format!("line {}: {}", fault.line, fault.what));
            faults.collect::<Vec<_>>().join("\n")
        }
    }
}

/// The form with some of its text replaced, each time where it first stands.
fn filled(changes: &[(&str, &str)]) -> String {
    let mut text = entry().blank;
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

const INPUT: (&str, &str) = ("- [ ] **input**", "- [x] **input**");
const SAID: (&str, &str) = ("needs to know):", "needs to know): 30 days");

#[test]
fn what_was_filled_in_is_read_in_every_form() {
    assert_eq!(told(&entry().blank), "empty");
    let expected = "input input=\"30 days\"";
    for box_mark in [
        "- [X] **input**",
        "* [ x ] input",
        "+ [x] `input`",
        "  1. [✓] __input__",
        "[x] INPUT",
    ] {
        let text = filled(&[("- [ ] **input**", box_mark), SAID]);
        assert_eq!(told(&text), expected, "{box_mark}");
        assert_eq!(told(&text.replace('\n', "\r\n")), expected, "{box_mark}");
        assert_eq!(told(&format!("\u{feff}{text}")), expected, "{box_mark}");
    }
    for below in [
        "needs to know):\n30 days",
        "needs to know):\n\n  30 days\n\n",
        "needs to know):**\n30 days",
    ] {
        assert_eq!(
            told(&filled(&[INPUT, ("needs to know):", below)])),
            expected,
            "{below}"
        );
    }
    for field in [
        "input: 30 days",
        "input:\n30 days",
        "- **input:** 30 days",
        "**input** (what?): 30 days",
    ] {
        let changed = ("**input** (what the Engineer needs to know):", field);
        assert_eq!(told(&filled(&[INPUT, changed])), expected, "{field}");
    }
    // Below its own box, where nothing else can be meant.
    for below in ["30 days", "  30 days", "\n    30 days\n"] {
        let words = "again in this round. Needs `input`.";
        let to = format!("{words}\n{below}");
        assert_eq!(told(&filled(&[INPUT, (words, &to)])), expected, "{below}");
    }
}

#[test]
fn mails_quote_and_break_lines() {
    let text = filled(&[
        INPUT,
        (
            "needs to know):",
            "needs to know):\nAt most\n\n- 30 days\n- 35 for backups",
        ),
    ]);
    let expected = "input input=\"At most\\n\\n- 30 days\\n- 35 for backups\"";
    assert_eq!(told(&text), expected);
    for mark in ["> ", ">", "> > ", ">> "] {
        let quoted: Vec<String> = text.lines().map(|line| format!("{mark}{line}")).collect();
        let mail = format!("Hi,\n\n{}\n\n-- \nZoë", quoted.join("\n"));
        assert_eq!(told(&mail), expected, "{mark}");
    }
    // A line that breaks behind each blank of what the form says itself.
    let (form, answer) = text.split_once("\n\n**input**").unwrap();
    let (head, boxes) = form.split_once("\n\n").unwrap();
    let boxes = boxes.replace(". Needs", ".\nNeeds").replace(" is", "\nis");
    let answer = answer.replacen("(what the Engineer", "(what the\nEngineer", 1);
    assert_eq!(
        told(&format!("{head}\n\n{boxes}\n\n**input**{answer}")),
        expected
    );
}

#[test]
fn what_has_no_single_meaning_is_no_answer() {
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[INPUT, SAID, ("- [ ] **go_on**", "- [x] **go_on**")],
            "line 12: two boxes are ticked, `input` on line 9 and `go_on` here: leave one",
        ),
        (
            &[INPUT],
            "line 9: `input` needs `input`: what the Engineer needs to know",
        ),
        (
            &[SAID],
            "line 14: “30 days” is written here, but no box is ticked: tick one",
        ),
        (
            &[("- [ ] **input**", "- [x] **inputs**"), SAID],
            "line 9: Q-004 has no box `inputs`; it has: input, defer, accept, go_on",
        ),
        (
            &[("- [ ] **input**", "- [y] **input**"), SAID],
            "line 9: `[y]` is neither ticked nor empty: write [x] or [ ]",
        ),
        (
            &[("- [ ] **go_on**", "- [x] **go_on**"), SAID],
            "line 14: `input` goes with input, and not with `go_on`: tick that box, or empty the field",
        ),
        (
            &[
                ("- [ ] **go_on**", "- [x] **go_on**"),
                (
                    "stays blocked (recommended).",
                    "stays blocked (recommended). But not for long",
                ),
            ],
            "line 12: “But not for long” belongs to no field: write it behind one, or take it out",
        ),
        (
            &[
                ("- [ ] **go_on**", "- [x] **go_on**"),
                ("it stays blocked", "it is closed"),
            ],
            "line 12: the words behind `go_on` are not those of the question as it waits now: write this form anew, or put the \
             words behind a field",
        ),
        (
            &[("- [ ] **accept**", "- [x] **accept**")],
            "line 11: `accept` needs `critical`: I accept it all",
        ),
        (
            &[
                ("- [ ] **accept**", "- [x] **accept**"),
                ("I accept it all):", "I accept it all): i accept it all"),
            ],
            "line 18: `critical` must be exactly: I accept it all",
        ),
        (
            &[INPUT, SAID, ("**reason**", "input: 40 days\n\n**reason**")],
            "line 16: `input` is filled in twice, also on line 14: keep one",
        ),
        (
            &[("Why it is asked:", "We never agreed on this.")],
            "line 5: “We never agreed on this.” stands where nothing is read: tick a box, and write it behind a field",
        ),
    ];
    for (changes, expected) in cases {
        assert_eq!(told(&filled(changes)), *expected, "{changes:?}");
    }
}

#[test]
fn a_sentence_counts_only_where_a_person_typed_it() {
    let accept = ("- [ ] **accept**", "- [x] **accept**");
    let typed = ("I accept it all):", "I accept it all):\nI accept\nit all");
    assert_eq!(
        told(&filled(&[accept, typed])),
        "accept critical=\"I accept it all\""
    );
}

#[test]
fn comments_and_code_tick_nothing() {
    let hidden = "<!-- ### Q-009\n- [x] **accept**\ncritical: I accept it all -->";
    let text = filled(&[INPUT, SAID, ("Why it is asked:", hidden)]);
    assert_eq!(told(&text), "input input=\"30 days\"");
    let text = text.replace("<!-- ", "<!--\n").replace(" -->", "\n-->");
    assert_eq!(told(&text), "input input=\"30 days\"");

    let comment = "<!-- - [x] **accept** --> Why it is asked: <!-- and\n- [x] **go_on**\n-->";
    let text = filled(&[INPUT, SAID, ("Why it is asked:", comment)]);
    assert_eq!(told(&text), "input input=\"30 days\"");

    let code = "needs to know):\n```\n- [x] **go_on**\nreason: x\n```";
    let text = filled(&[INPUT, ("needs to know):", code)]);
    assert_eq!(
        told(&text),
        "input input=\"```\\n- [x] **go_on**\\nreason: x\\n```\""
    );
    // One that is not closed is text.
    let text = filled(&[INPUT, ("needs to know):", "needs to know):\n```\n30 days")]);
    assert_eq!(told(&text), "input input=\"```\\n30 days\"");
}

#[test]
fn remarks_are_said_and_not_taken() {
    let text = filled(&[
        INPUT,
        SAID,
        ("Why it is asked:", "Why it is asked:\n\nI agree, Zoë"),
    ]);
    assert_eq!(
        told(&text),
        "input input=\"30 days\" remark 7: I agree, Zoë"
    );
}

#[test]
fn each_form_has_its_session_and_its_name() {
    let header = |session: &str, name: &str| {
        format!("# Questions of x\n\n- Session: {session}\n- Filled in by:{name}\n\n")
    };
    let question = entry().blank;
    let text = [
        header("one (11aa)", " Zoë"),
        question.clone(),
        header("`two` (22bb)", "\n  Risk  "),
        question.clone(),
        question.clone(),
    ];
    let form = read_form(&text.concat()).unwrap();
    let found: Vec<(Option<&str>, Option<String>)> = form
        .parts
        .iter()
        .map(|part| {
            let session = form.session_of(part);
            let signature = form.signature_of(part);
            let person = signature.map(|signature| signature.person.clone().unwrap().to_string());
            (session.map(|session| session.id.as_str()), person)
        })
        .collect();
    let named = |name: &str| Some(name.to_owned());
    // Behind the end of a form nothing is known of the next.
    let expected = [
        (Some("11aa"), named("Zoë")),
        (Some("22bb"), named("Risk")),
        (None, None),
    ];
    assert_eq!(found, expected);

    // What stands in a question says nothing of the session.
    let inside = question.replace(
        "Why it is asked:",
        "- Session: two (22bb)\n- Filled in by: Eve",
    );
    let form = read_form(&(header("one (11aa)", " Zoë") + &inside)).unwrap();
    assert_eq!((form.sessions.len(), form.signatures.len()), (1, 1));
}

#[test]
fn a_form_has_a_bounded_size() {
    assert!(read_form(&"### Q-001\n".repeat(2_001)).is_err());
    assert!(read_form(&"\n".repeat(200_001)).is_err());
}
