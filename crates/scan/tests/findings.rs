//! Findings as callers see them: places, ids that stay, topics, and what silences them.

use gapless_scan::{Finding, Language, Rules, SettingError, Topic, Unknown, scan, scan_in, topics};

fn found(text: &str) -> Vec<Finding> {
    scan(text, &Rules::default())
}

fn rules(text: &str) -> Vec<&'static str> {
    found(text).iter().map(|finding| finding.rule).collect()
}

const SPEC: &str = "# Spec\n\n## Waiting\n\nThe client waits a reasonable time.\n\n## Größe\n\nÄh: the size is TBD, 30 rows.\n";

#[test]
fn a_finding_says_where_it_stands() {
    let findings = found(SPEC);
    let places: Vec<_> = findings
        .iter()
        .map(|f| {
            (
                f.rule,
                f.line,
                f.column,
                f.end_line,
                f.end_column,
                f.excerpt.as_str(),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("vague-quantity", 5, 20, 5, 35, "reasonable time"),
            ("placeholder", 9, 17, 9, 20, "TBD"),
        ]
    );
    assert_eq!(findings[0].section, ["Spec", "Waiting"]);
    assert_eq!(&SPEC[findings[1].span.clone()], "TBD");
}

#[test]
fn an_id_stays_when_unrelated_lines_move() {
    let before = found(SPEC);
    let moved = SPEC.replace("# Spec\n", "# Spec\n\nA word before.\n\n- and a list\n");
    let after = found(&moved);
    let ids = |findings: &[Finding]| findings.iter().map(|f| f.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&before), ids(&after));
    assert_ne!(before[0].line, after[0].line);
    let renamed = found(&SPEC.replace("## Waiting", "## Patience"));
    assert_ne!(before[0].id, renamed[0].id);
    let twice = found("# Spec\n\nOne is TBD.\n\nTwo is TBD.\n");
    assert_ne!(twice[0].id, twice[1].id);
}

#[test]
fn comments_silence_the_block_the_section_or_the_file() {
    let first = "One is TBD.";
    let second = "Two is TBD.";
    let ignore = "<!-- gapless: ignore placeholder decided in May -->";
    let cases = [
        (format!("# A\n\n{first}\n\n{second}\n"), 2),
        (
            format!("# A\n\nx y\n\n{ignore}\n\n{first}\n\n{second}\n"),
            1,
        ),
        (format!("# A\n\n{ignore}\n\n{first}\n\n{second}\n"), 0),
        (
            format!(
                "# A\n\n## B\n\n{ignore}\n\n{first}\n\n### C\n\n{second}\n\n## D\n\n{second}\n"
            ),
            1,
        ),
        (
            format!("# A\n\nx y\n\n{ignore}\n\n- {first}\n- {second}\n\n{second}\n"),
            1,
        ),
        (format!("# A\n\n{first} {ignore}\n\n{second}\n"), 1),
        (
            format!("# A\n\n| a | b |\n|---|---|\n| TBD | x {ignore} |\n| TBD | y |\n"),
            1,
        ),
        (
            format!(
                "{second}\n\n{}\n\n# A\n\n{first}\n",
                ignore.replace("ignore", "ignore-file")
            ),
            0,
        ),
        (
            format!(
                "# A\n\n{}\n\n{first}\n",
                ignore.replace("placeholder", "open-list")
            ),
            1,
        ),
        (format!("# A\n\n```\n{ignore}\n```\n\n{first}\n"), 1),
    ];
    for (text, expected) in cases {
        let left = rules(&text)
            .into_iter()
            .filter(|rule| *rule == "placeholder")
            .count();
        assert_eq!(left, expected, "{text}");
    }
    let several = "# A\n\nx y\n\n<!-- gapless: ignore placeholder,vague-quantity decided in May -->\n\nThe client waits a reasonable time, TBD.\n";
    assert!(rules(several).is_empty());
}

#[test]
fn a_project_turns_rules_off_or_grades_them() {
    let mut set = Rules::default();
    set.set("placeholder", "off").unwrap();
    set.set("vague-quantity", "CRITICAL").unwrap();
    let findings = scan(SPEC, &set);
    let told: Vec<_> = findings
        .iter()
        .map(|f| (f.rule, f.severity.name()))
        .collect();
    assert_eq!(told, [("vague-quantity", "CRITICAL")]);
    assert_eq!(
        set.set("vague", "off"),
        Err(SettingError::UnknownRule("vague".to_owned()))
    );
    assert_eq!(
        set.set("placeholder", "loud"),
        Err(SettingError::UnknownSetting("loud".to_owned()))
    );
}

#[test]
fn a_finding_is_keyed_by_its_rule_and_topics() {
    let keys = |text: &str| topics(&found(text)[0]);
    assert_eq!(
        keys("The client waits for a reasonable timeout."),
        ("vague-quantity", vec![Topic::Timeout])
    );
    let (rule, topics) =
        keys("# Spec\n\n## Sending\n\nWhen the send fails, the worker retries it.");
    assert_eq!((rule, topics[0]), ("retry-without-limit", Topic::Retry));
}

#[test]
fn ears_and_rfc_2119_wording_is_understood() {
    for requirement in [
        "When the queue is full, the worker drops messages quickly.",
        "While the pump runs, the controller samples the pressure regularly.",
        "If the login fails, then the system shall wait a short time.",
        "Where a printer is present, the till prints promptly.",
        "The worker MUST drop messages quickly.",
        "The worker SHOULD drop messages quickly.",
    ] {
        assert_eq!(rules(requirement), ["vague-quantity"], "{requirement}");
    }
}

#[test]
fn what_is_no_prose_says_nothing() {
    for text in [
        "```\nThe timeout is TBD.\n```",
        "    The timeout is TBD.\n",
        "<!-- The timeout is TBD. -->",
        "<div>\nThe timeout is TBD.\n</div>",
        "---\ntitle: TBD\nowner: ???\n---\n\n# Spec\n\nThe limit is 20 rows.\n",
        "The word `TBD` is refused.",
    ] {
        assert_eq!(rules(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn letters_that_grow_in_lowercase_move_no_place() {
    let text = "İİİ is [insert the name here] of the owner.";
    let finding = &found(text)[0];
    assert_eq!(
        (finding.rule, finding.excerpt.starts_with("[insert")),
        ("placeholder", true)
    );
}

#[test]
fn a_spec_in_another_language_is_told() {
    let language = |text: &str| scan_in(text, &Rules::default(), &Unknown).language;
    let german = "# Pakete\n\nDer Dienst ruft den Spediteur an und speichert die Antwort. Wenn der Spediteur nicht antwortet, \
                  versucht der Dienst es nach einer angemessenen Zeit noch einmal. Die Kunden sehen den Zustand des Pakets.";
    let japanese = "# 荷物\n\nサービスは運送会社に問い合わせ、その回答を保存する。運送会社が応答しない場合、サービスは適切な時間の後に再試行する。\
                    顧客は荷物の状態を見ることができる。料金は重量と距離によって決まり、月末に請求される。";
    let spanish = "# Paquetes\n\nEl servicio llama al transportista y guarda la respuesta. Si el transportista no responde, el \
                   servicio lo intenta de nuevo despu\u{e9}s de un tiempo razonable. Los clientes ven el estado del paquete.";
    for text in [german, japanese, spanish] {
        assert_eq!(language(text), Language::Unknown, "{text}");
    }
    let table = "| field | type |\n|---|---|\n".to_owned() + &"| name | string |\n".repeat(90);
    for text in [
        SPEC,
        "",
        "# TODO\n",
        &table,
        include_str!("../specs/http-api.md"),
    ] {
        assert_eq!(language(text), Language::English, "{text}");
    }
}

#[test]
fn one_matter_is_told_once() {
    let cases: [(&str, &[&str]); 4] = [
        ("# A\n\nThe page size is TBD.\n", &["placeholder"]),
        (
            "# A\n\nThe client must respect a reasonable timeout, and the poll interval is to be decided.\n",
            &["placeholder"],
        ),
        (
            "# A\n\nThe client must back off for some time after multiple failed sign-ins.\n",
            &["vague-quantity"],
        ),
        // Two sentences are two matters.
        (
            "# A\n\nThe page size is TBD. The service must respect the minimum order value.\n",
            &["placeholder", "unnumbered-bound"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(rules(text), expected, "{text}");
    }
}
