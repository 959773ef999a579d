//! What a program gets of the user's home and of the project: its sign-in, and the code base that it may read. The rest is planted,
//! and nothing of it may be in a request or have run.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use gapless_loopback::{Loopback, Recorded, Reply};
use serde_json::{Value, json};

use crate::lamp::well;
use crate::planted::{Marks, in_home, in_project};
use crate::programs::{
    CLAUDE, CODEX, CODEX_SIGNED_IN, GEMINI, Installed, OPENCODE, OPENCODE_SIGNED_IN, Ready,
};
use crate::rounds::run;
use crate::support::Said;

/// A planted project with a temporary folder in it, so that it is above the folder that the program runs in.
fn planted(ready: &Ready) -> Marks {
    let marks = Marks::in_folder(ready.project.path("marks"));
    in_home(ready.home.path(), &marks);
    in_project(&ready.project.path(""), &marks);
    std::fs::create_dir(ready.project.path("tmp")).unwrap();
    marks
}

fn session(ready: &Ready, agent: &str, more: &[&str]) -> Said {
    let mut command = ready.command(&[&run(agent), more].concat());
    command.env("TMPDIR", ready.project.path("tmp"));
    Said::of(command.output().unwrap()).exits(0)
}

#[track_caller]
fn nothing_came_in(server: &Loopback, marks: &Marks) {
    for request in server.requests() {
        let body = request.body.to_string();
        for word in ["PLANTED", "SECRET-OUTSIDE"] {
            let at = body
                .find(word)
                .map(|at| &body[at.saturating_sub(300)..at + 40]);
            assert_eq!(at, None, "{}", request.path);
        }
        assert_eq!(request.header("x-planted"), None);
    }
    assert_eq!(marks.left(), Vec::<String>::new());
}

fn alone(installed: &Installed) {
    let server = Loopback::start(|request| Reply::text(well(request))).unwrap();
    let Some(ready) = installed.ready(&server, "") else {
        return;
    };
    let marks = planted(&ready);
    session(&ready, installed.agent, &[]);
    nothing_came_in(&server, &marks);
}

/// A program that looks at a code base: its model reads a file in it, then one outside of it.
fn with_repo(installed: &Installed, read: fn(&Path) -> (&'static str, Value)) {
    let code = tempfile::Builder::new().prefix("code-").tempdir().unwrap();
    let home_marks = Marks::in_folder(code.path().join("marks"));
    in_project(code.path(), &home_marks);
    std::fs::write(code.path().join("sub/code.txt"), "CODE-INSIDE\n").unwrap();
    let inside = read(&code.path().canonicalize().unwrap().join("sub/code.txt"));
    let secret = tempfile::Builder::new()
        .prefix("secret-")
        .tempdir()
        .unwrap();
    std::fs::write(secret.path().join("secret.txt"), "SECRET-OUTSIDE\n").unwrap();
    let outside = read(&secret.path().join("secret.txt"));
    let asked = AtomicUsize::new(0);
    let server =
        Loopback::start(
            move |request: &Recorded| match asked.fetch_add(1, Ordering::SeqCst) {
                0 => Reply::tool(inside.0, inside.1.clone()),
                1 => Reply::tool(outside.0, outside.1.clone()),
                _ => Reply::text(well(request)),
            },
        )
        .unwrap();
    let Some(ready) = installed.ready(&server, "") else {
        return;
    };
    let marks = planted(&ready);
    let repo = code.path().display().to_string();
    session(&ready, installed.agent, &["--repo", &repo]);
    nothing_came_in(&server, &marks);
    assert_eq!(home_marks.left(), Vec::<String>::new());
    let bodies: Vec<String> = server
        .requests()
        .iter()
        .map(|r| r.body.to_string())
        .collect();
    let seen = bodies.iter().any(|body| body.contains("CODE-INSIDE"));
    assert!(seen, "the code base was not read: {:?}", bodies.get(1..3));
}

#[test]
fn claude_alone() {
    alone(&CLAUDE);
}

#[test]
fn claude_with_a_code_base() {
    with_repo(&CLAUDE, |file| ("Read", json!({"file_path": file})));
}

#[test]
fn codex_alone() {
    alone(&CODEX);
}

#[test]
fn codex_with_a_code_base() {
    with_repo(&CODEX, |file| {
        (
            "exec_command",
            json!({"cmd": format!("cat {}", file.display())}),
        )
    });
}

#[test]
fn gemini_alone() {
    alone(&GEMINI);
}

#[test]
fn gemini_with_a_code_base() {
    with_repo(&GEMINI, |file| ("read_file", json!({"file_path": file})));
}

#[test]
fn opencode_alone() {
    alone(&OPENCODE);
}

#[test]
fn opencode_with_a_code_base() {
    with_repo(&OPENCODE, |file| ("read", json!({"filePath": file})));
}

/// A user who signed in has no key in the environment: the sign-in is brought along, and nothing else of the home.
fn signed_in(installed: &Installed, without: &str, file: &str, text: &str, secret: &str) {
    let server = Loopback::start(|request| Reply::text(well(request))).unwrap();
    let Some(mut ready) = installed.ready(&server, "") else {
        return;
    };
    ready.forget(without);
    let marks = planted(&ready);
    let path = ready.home.path().join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    session(&ready, installed.agent, &[]);
    nothing_came_in(&server, &marks);
    let requests = server.requests();
    let mut asked = requests.iter().filter(|request| request.api.is_some());
    let bearer = format!("Bearer {secret}");
    assert!(asked.all(|request| request.header("authorization") == Some(&bearer)));
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

#[test]
fn claude_signed_in() {
    let text = r#"{"claudeAiOauth":{"accessToken":"sk-ant-oat01-dummy","refreshToken":"sk-ant-ort01-dummy","expiresAt":99999999999999,"scopes":["user:inference"],"subscriptionType":"max"}}"#;
    let file = ".claude/.credentials.json";
    signed_in(
        &CLAUDE,
        "ANTHROPIC_API_KEY",
        file,
        text,
        "sk-ant-oat01-dummy",
    );
}

#[test]
fn codex_signed_in() {
    let text = r#"{"OPENAI_API_KEY":"sk-dummy-of-file","tokens":null,"last_refresh":null}"#;
    signed_in(
        &CODEX_SIGNED_IN,
        "OPENAI_API_KEY",
        ".codex/auth.json",
        text,
        "sk-dummy-of-file",
    );
}

#[test]
fn opencode_signed_in() {
    let text = r#"{"mine":{"type":"api","key":"dummy-of-file-11"}}"#;
    let file = ".local/share/opencode/auth.json";
    signed_in(
        &OPENCODE_SIGNED_IN,
        "LOOPBACK_KEY",
        file,
        text,
        "dummy-of-file-11",
    );
}
