//! Documents that don't come alone: behind reasoning, in two parts, or before a tool and a last word. What is not the document is
//! no part of it, and nothing of the document is lost.

use gapless_loopback::{Part, Recorded, Reply};
use serde_json::{Value, json};

use crate::lamp::well;
use crate::rounds::Ran;
use crate::styles::STYLES;

/// A draft that a model thought of and dropped.
const DRAFT: &str = "forty-one units";

/// The document behind its reasoning, which has a whole draft of it.
fn behind_reasoning(request: &Recorded) -> Reply {
    let text = well(request);
    let draft = text.replace("forty-two units", DRAFT);
    Reply::text(format!(
        "<think>\nLet me try.\n\n{draft}\n\nNo, one more.\n</think>\n\n{text}"
    ))
}

/// The document in two parts of one answer, the second of which begins with a section of its own.
fn in_two_parts(request: &Recorded) -> Reply {
    let text = well(request);
    let middle = text.rfind("\n## ").filter(|at| *at > 0);
    match middle {
        Some(at) => Reply::parts([Part::text(&text[..at]), Part::text(&text[at..])]),
        None => Reply::text(text),
    }
}

/// Every document was valid at the first try, and the spec has both resolutions and no draft.
#[track_caller]
fn check(ran: &Ran) {
    let said = &ran.said;
    assert_eq!(said.code, Some(0), "{}\n{}", said.out, said.err);
    let attempts = ran.attempts();
    let verdicts: Vec<&str> = attempts
        .iter()
        .map(|attempt| attempt["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["VALID"; 3], "{attempts:?}");
    assert_eq!(attempts[0]["gaps"].as_array().unwrap().len(), 2);
    let spec = ran.project.read("tiny.refined.md");
    assert_eq!(spec.matches("forty-two units").count(), 2, "{spec}");
    assert!(!spec.contains(DRAFT), "{spec}");
}

#[test]
fn models_that_think_aloud() {
    for style in &STYLES {
        check(&style.session(behind_reasoning));
    }
}

#[test]
fn models_that_answer_in_two_parts() {
    for style in &STYLES {
        check(&style.session(in_two_parts));
    }
}

#[cfg(unix)]
mod programs {
    use super::*;
    use crate::programs::{CLAUDE, CODEX, GEMINI, Installed, OPENCODE};

    fn session(installed: &Installed, reply: fn(&Recorded) -> Reply) {
        if let Some(ran) = installed.session(&[], reply) {
            check(&ran);
        }
    }

    /// An Engineer that writes its document, looks at the code base, and says that it is done.
    fn before_a_tool(installed: &Installed, call: fn(&str) -> (&'static str, Value)) {
        let code = tempfile::Builder::new().prefix("code-").tempdir().unwrap();
        std::fs::write(code.path().join("lamp.txt"), "CODE-OF-THE-LAMP\n").unwrap();
        let file = code.path().canonicalize().unwrap().join("lamp.txt");
        let (tool, arguments) = call(&file.display().to_string());
        let repo = code.path().display().to_string();
        let ran = installed.session(&["--repo", &repo], move |request: &Recorded| {
            let is_engineer = request.prompt().contains("# Your task: Engineer");
            match request.body.to_string() {
                body if is_engineer && body.contains("CODE-OF-THE-LAMP") => Reply::text("Done."),
                _ if is_engineer => Reply::parts([
                    Part::text(well(request)),
                    Part::tool(tool, arguments.clone()),
                ]),
                _ => Reply::text(well(request)),
            }
        });
        let Some(ran) = ran else {
            return;
        };
        let mut bodies = ran.requests.iter().map(|request| request.body.to_string());
        let looked = bodies.any(|body| body.contains("CODE-OF-THE-LAMP"));
        assert!(looked, "the tool was not used: {}", ran.said.err);
        check(&ran);
    }

    #[test]
    fn claude() {
        session(&CLAUDE, behind_reasoning);
        session(&CLAUDE, in_two_parts);
        before_a_tool(&CLAUDE, |file| ("Read", json!({"file_path": file})));
    }

    #[test]
    fn codex() {
        session(&CODEX, behind_reasoning);
        session(&CODEX, in_two_parts);
        before_a_tool(&CODEX, |file| {
            ("exec_command", json!({"cmd": format!("cat {file}")}))
        });
    }

    #[test]
    fn gemini() {
        session(&GEMINI, behind_reasoning);
        session(&GEMINI, in_two_parts);
        before_a_tool(&GEMINI, |file| ("read_file", json!({"file_path": file})));
    }

    #[test]
    fn opencode() {
        session(&OPENCODE, behind_reasoning);
        session(&OPENCODE, in_two_parts);
        before_a_tool(&OPENCODE, |file| ("read", json!({"filePath": file})));
    }
}
