//! What a command is given, and what is taken for its document.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;

use gapless_agents::{Output, Request};
use gapless_domain::task::{ExecutionErrorKind, OutputNote, Role};
use support::{error, open_in, output, request, run, script};

fn engineer() -> Request {
    request(Role::Engineer)
}

fn document(text: &str, notes: &[OutputNote]) -> Output {
    Output {
        text: Some(text.to_owned()),
        notes: notes.to_vec(),
        ..Output::default()
    }
}

#[tokio::test]
async fn the_prompt_comes_on_stdin_and_stdout_is_the_document() {
    let finished = run(&script("cat; echo; sleep 0.02", &[]), engineer()).await;
    assert_eq!(finished.result.unwrap(), document("the prompt\n", &[]));
    assert!(finished.usage.millis >= 20);
    assert_eq!(finished.usage.input_tokens, None);
}

#[tokio::test]
async fn words_are_split_as_a_shell_does_and_no_shell_sees_them() {
    let echo = open_in(
        Path::new("/"),
        r#"cmd:printf '<%s>' "a b" c\ d '$HOME' ';' *"#,
    );
    let got = output(&echo, engineer()).await;
    assert_eq!(got, document("<a b><c d><$HOME><;><*>", &[]));
}

#[tokio::test]
async fn the_environment_names_role_round_and_output() {
    let echo = script(
        r#"echo "$GAPLESS_ROLE $GAPLESS_ROUND $GAPLESS_OUTPUT""#,
        &[],
    );
    let got = output(&echo, engineer()).await;
    assert_eq!(got, document("engineer 3 round_003/engineer.md\n", &[]));
}

#[tokio::test]
async fn the_working_folder_holds_the_inputs_alone_and_is_removed() {
    let mut request = engineer();
    request.inputs = vec![
        ("spec.md".to_owned(), "the spec\n".into()),
        ("round_003/assignment.md".to_owned(), "the gaps\n".into()),
    ];
    let look = script(
        r#"find . -type f | sort; cat spec.md round_003/assignment.md; printf %s "$PWD""#,
        &[],
    );
    let text = output(&look, request).await.text.unwrap();
    let (listing, folder) = text.rsplit_once('\n').unwrap();
    assert_eq!(
        listing,
        "./round_003/assignment.md\n./spec.md\nthe spec\nthe gaps"
    );
    assert!(Path::new(folder).is_absolute());
    assert!(!Path::new(folder).exists());
}

#[tokio::test]
async fn every_run_has_a_folder_of_its_own() {
    let look = script("touch left-behind; pwd", &[]);
    let (one, two) = tokio::join!(output(&look, engineer()), output(&look, engineer()));
    assert_ne!(one.text, two.text);
}

#[tokio::test]
async fn names_that_lead_elsewhere_are_refused() {
    let idle = script("true", &[]);
    let elsewhere = [
        "../a.md",
        "/a.md",
        "other/a.md",
        "round_003/x/a.md",
        "",
        "..",
    ];
    for name in elsewhere
        .iter()
        .chain(&["round_003/engineer.md", "round_003"])
    {
        let mut request = engineer();
        request.inputs = vec![((*name).to_owned(), "".into())];
        let refused = error(&idle, request).await;
        assert_eq!(refused.kind, ExecutionErrorKind::Provider, "{name}");
        assert!(refused.message.contains(name), "{refused}");
    }
    for path in ["../a.md", "/a.md", "", "a/", "."] {
        let mut request = engineer();
        request.output_path = path.to_owned();
        let refused = error(&idle, request).await;
        assert_eq!(refused.kind, ExecutionErrorKind::Provider, "{path}");
    }
}

#[tokio::test]
async fn a_relative_program_is_found_from_the_base() {
    let base = tempfile::tempdir().unwrap();
    std::fs::create_dir(base.path().join("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/sh", base.path().join("bin/agent")).unwrap();
    for spec in [
        "cmd:bin/agent -c 'echo here'",
        "cmd:./bin/../bin/agent -c 'echo here'",
    ] {
        let got = output(&open_in(base.path(), spec), engineer()).await;
        assert_eq!(got, document("here\n", &[]));
    }
}

#[tokio::test]
async fn a_file_at_the_output_path_goes_before_stdout() {
    let writer = script(r#"echo chatter; echo document > "$GAPLESS_OUTPUT""#, &[]);
    assert_eq!(
        output(&writer, engineer()).await,
        document("document\n", &[])
    );

    let mut flat = engineer();
    flat.output_path = "answer.md".to_owned();
    assert_eq!(output(&writer, flat).await, document("document\n", &[]));
}

#[tokio::test]
async fn a_link_at_the_output_path_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("engineer.md"), "secret").unwrap();
    let target = outside.path().to_str().unwrap();
    let to_file = r#"ln -s "$1/engineer.md" "$GAPLESS_OUTPUT"; echo said"#;
    let to_folder = r#"rmdir round_003; ln -s "$1" round_003; echo said"#;
    let to_pipe = r#"mkfifo "$GAPLESS_OUTPUT"; echo said"#;
    for trick in [to_file, to_folder, to_pipe] {
        let got = output(&script(trick, &[target]), engineer()).await;
        assert_eq!(got, document("said\n", &[]), "{trick}");
    }
    let silent = script(r#"ln -s "$1/engineer.md" "$GAPLESS_OUTPUT""#, &[target]);
    assert_eq!(output(&silent, engineer()).await, Output::default());
}

#[tokio::test]
async fn nothing_written_is_no_document_and_a_blank_file_is_an_empty_one() {
    for silent in ["true", r"printf ' \n\t\n'"] {
        assert_eq!(
            output(&script(silent, &[]), engineer()).await,
            Output::default()
        );
    }
    for blank in [
        r#": > "$GAPLESS_OUTPUT""#,
        r#"printf ' \n' > "$GAPLESS_OUTPUT"; echo x"#,
    ] {
        assert_eq!(
            output(&script(blank, &[]), engineer()).await,
            document("", &[])
        );
    }
}

#[tokio::test]
async fn a_document_with_an_error_exit_is_read() {
    let notes = [OutputNote::NonzeroExit];
    let said = script("echo document; exit 1", &[]);
    assert_eq!(
        output(&said, engineer()).await,
        document("document\n", &notes)
    );
    let written = script(r#"echo document > "$GAPLESS_OUTPUT"; exit 3"#, &[]);
    assert_eq!(
        output(&written, engineer()).await,
        document("document\n", &notes)
    );
}

#[tokio::test]
async fn an_error_exit_without_a_document_tells_code_and_stderr() {
    for failing in [
        "echo 'no key' >&2; exit 7",
        "echo; echo 'no key' >&2; exit 7",
        r#": > "$GAPLESS_OUTPUT"; echo 'no key' >&2; exit 7"#,
    ] {
        let failed = error(&script(failing, &[]), engineer()).await;
        assert_eq!(failed.kind, ExecutionErrorKind::ExitedWithoutOutput);
        assert_eq!(
            failed.message,
            "`sh` exited with code 7 and left no document; stderr: no key"
        );
    }
    let killed = error(&script("kill -9 $$", &[]), engineer()).await;
    assert_eq!(killed.kind, ExecutionErrorKind::ExitedWithoutOutput);
    assert!(killed.message.contains("signal 9"), "{killed}");
}

#[tokio::test]
async fn only_the_end_of_a_long_stderr_is_kept() {
    let noisy = script(
        "yes eee | head -c 3000000 >&2; echo 'the reason' >&2; exit 1",
        &[],
    );
    let failed = error(&noisy, engineer()).await;
    assert!(failed.message.ends_with("eee\nthe reason"), "{failed}");
    assert!(failed.message.len() < 2300, "{}", failed.message.len());
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let base = tempfile::tempdir().unwrap();
    let missing = open_in(base.path(), "cmd:no-such-agent-here --print");
    let failed = error(&missing, engineer()).await;
    assert_eq!(failed.kind, ExecutionErrorKind::NotFound);
    assert!(failed.message.contains("`no-such-agent-here`"), "{failed}");
    assert!(failed.message.contains("PATH"), "{failed}");

    let failed = error(&open_in(base.path(), "cmd:./agent"), engineer()).await;
    assert_eq!(failed.kind, ExecutionErrorKind::NotFound);
    let path = base.path().join("agent");
    assert!(failed.message.contains(path.to_str().unwrap()), "{failed}");

    std::fs::write(&path, "not a program").unwrap();
    let failed = error(&open_in(base.path(), "cmd:./agent"), engineer()).await;
    assert_eq!(failed.kind, ExecutionErrorKind::NotFound);
    assert!(failed.message.contains("may not be executed"), "{failed}");
}

#[tokio::test]
async fn ten_megabytes_are_cut_without_blocking_the_program() {
    let flood = "head -c 10000000 /dev/zero | tr '\\0' 'x'; echo done >&2";
    let mut request = engineer();
    request.limits.output_bytes = 1000;
    let got = output(&script(flood, &[]), request.clone()).await;
    let notes = [OutputNote::OutputTruncated];
    assert_eq!(got, document(&"x".repeat(1000), &notes));

    let into_file = format!("( {flood} ) > \"$GAPLESS_OUTPUT\"");
    let got = output(&script(&into_file, &[]), request).await;
    assert_eq!(got, document(&"x".repeat(1000), &notes));
}

#[tokio::test]
async fn binary_output_is_made_text_with_a_note() {
    let got = output(&script(r"printf 'a\377\000b'", &[]), engineer()).await;
    let notes = [OutputNote::InvalidUtf8Replaced];
    assert_eq!(got, document("a\u{fffd}\0b", &notes));
    let written = script(r#"printf 'a\377b' > "$GAPLESS_OUTPUT"; exit 1"#, &[]);
    let notes = [OutputNote::InvalidUtf8Replaced, OutputNote::NonzeroExit];
    assert_eq!(
        output(&written, engineer()).await,
        document("a\u{fffd}b", &notes)
    );
}

#[tokio::test]
async fn a_large_prompt_may_be_read_ignored_or_refused() {
    let mut request = engineer();
    request.prompt = "p".repeat(5_000_000).into();
    for (reader, text) in [
        ("wc -c | tr -d ' '", "5000000\n"),
        ("echo unread", "unread\n"),
        ("exec <&-; echo closed", "closed\n"),
        ("head -c 10; echo", "pppppppppp\n"),
    ] {
        let got = output(&script(reader, &[]), request.clone()).await;
        assert_eq!(got, document(text, &[]), "{reader}");
    }
    request.limits.output_bytes = 6_000_000;
    let echoed = output(&script("cat", &[]), request).await;
    assert_eq!(echoed.text.unwrap().len(), 5_000_000);
}
