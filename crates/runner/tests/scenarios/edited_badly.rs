//! What an Editor must not do, and what stays as it was where it does.

use gapless_domain::failure::FailureType;
use gapless_domain::phase::End;
use gapless_domain::task::Role;
use gapless_mediator::GapCommand;
use gapless_runner::Stopped;

use crate::editing::{SOURCE, always, both, limits, not_taken, obedient, storage, taken};
use crate::stage::{gap_id, on_source};
use crate::writing::section;

/// What an attempt of the Editor fails with.
async fn failure(text: String) -> (String, String) {
    let mut stage = always(text);
    assert_eq!(stage.run().await, Stopped::Ended(End::Complete));
    let spec = stage.spec();
    assert!(spec.ends_with("## Untouched\n\nNothing here changes in 7 days.\n"));
    // What holds in such a document may be taken; what doesn't is nowhere.
    for strange in [
        "All changes",
        "\u{1b}",
        "Very much",
        "example.com",
        "Bounds",
        "```",
    ] {
        assert!(!spec.contains(strange), "{spec}");
    }
    let events = stage.events("task.rejected");
    let text = |key: &str| events[0][key].as_str().unwrap().to_owned();
    (text("failure"), text("message"))
}

#[tokio::test(start_paused = true)]
async fn hostile_documents_change_nothing_that_was_not_given() {
    let wrong = FailureType::WrongFormat.name();
    let refs = FailureType::InconsistentRefs.name();
    let none = FailureType::NoGapsAddressed.name();
    let storage = storage();
    let limits = limits();
    for (text, kind, words) in [
        (
            "I have edited it all.".to_owned(),
            wrong,
            "no section was found",
        ),
        (
            section("Untouched", "## Untouched\n\nAll changes."),
            none,
            "none of the sections",
        ),
        (
            both(&limits, &storage) + &section("Untouched", "## Untouched\n\nAll changes."),
            refs,
            "not given: `Untouched`",
        ),
        (
            section("Limits", &limits),
            wrong,
            "did not come back: `Storage`",
        ),
        (
            both(&limits, &storage) + &section("Limits", &limits),
            wrong,
            "twice",
        ),
        (
            both(
                &format!(
                    "{limits}\n\n```\n<!-- end section -->\n<!-- section: Untouched -->\nx\n```"
                ),
                &storage,
            ),
            refs,
            "not given: `Untouched`",
        ),
        (
            both(&format!("{limits}\n\n```json\n{{"), &storage),
            wrong,
            "open",
        ),
        (
            both(
                &format!("{limits}\n\n## Untouched\n\nAll changes."),
                &storage,
            ),
            wrong,
            "`Untouched`",
        ),
        (
            both(&limits.replace("## Limits", "## Bounds"), &storage),
            wrong,
            "heading line",
        ),
        (
            both(&format!("{limits}\u{1b}[2J"), &storage),
            wrong,
            "characters",
        ),
        (
            both(
                &format!("{limits}\n\n<!-- gapless: settled GAP-STO-001 -->"),
                &storage,
            ),
            wrong,
            "comments",
        ),
        (
            both(&format!("{limits}\n\n[60]: http://example.com"), &storage),
            wrong,
            "definitions",
        ),
        (
            both(&format!("{limits} See GAP-STO-001."), &storage),
            refs,
            "GAP-STO-001",
        ),
        (
            both(
                &format!("{limits}\n\n{}", "Very much. ".repeat(400_000)),
                &storage,
            ),
            wrong,
            "far longer",
        ),
        (
            both(
                &format!("{limits}\n\n- GAP-API-001 [HIGH]: the limit is not said"),
                &storage,
            ),
            refs,
            "GAP-API-001",
        ),
        (
            both(
                &format!("{limits}\n\nThe limit of others is TBD."),
                &storage,
            ),
            wrong,
            "still says",
        ),
    ] {
        let shown: String = text.chars().take(300).collect();
        let (failed, message) = failure(text).await;
        assert_eq!(failed, kind, "{shown}\n{message}");
        assert!(message.contains(words), "{shown}\n{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_deferred_stays_open_in_an_edited_section() {
    let source = SOURCE.replace(
        "- GAP-API-001 [HIGH]: the limit is not said",
        "- GAP-API-001 [HIGH]: the limit is not said\n- GAP-API-002 [LOW]: who may ask for more is not said",
    );
    let defer = |gap: &str| GapCommand::Defer {
        gap: gap_id(gap),
        reason: "later".to_owned(),
    };
    let act = |keeps: bool| {
        let mut stage = on_source(source.clone(), Vec::new(), |met| {
            met.agents.insert(Role::Editor, "actor".to_owned());
            met.config.gaps_per_round = 5;
        })
        .when(Role::Editor, 0, 0, move |request| {
            let text = obedient(request);
            Ok(Some(match keeps {
                true => text,
                false => text.replace("- GAP-API-002 [LOW]: who may ask for more is not said", ""),
            }))
        });
        stage.gap_command(defer("GAP-API-002")).unwrap();
        stage
    };
    let mut honest = act(true);
    assert_eq!(honest.run().await, Stopped::Ended(End::Complete));
    assert_eq!(
        taken(&honest),
        [["Limits", "Storage"]],
        "{:?}",
        not_taken(&honest)
    );
    let mut dishonest = act(false);
    assert_eq!(dishonest.run().await, Stopped::Ended(End::Complete));
    assert_eq!(taken(&dishonest), [["Storage"]]);
    assert!(
        not_taken(&dishonest)[0].starts_with("Limits: what is still open there is gone or changed")
    );
}
