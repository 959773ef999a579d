//! Whether the refined spec was written to the place that the user named, and what to do if not.

use gapless_domain::{Delivered, Delivery};
use gapless_runner::NOT_ASKED_FOR;
use gapless_session::State;
use serde_json::{Value, json};

use crate::workspace::quoted;
use crate::{Exit, SessionView, Tone, plain};

/// The lines for a session that has ended; none if the user named no place.
pub(crate) fn lines(view: SessionView<'_>) -> Vec<String> {
    let (name, state, screen) = (view.name, view.state, view.screen());
    if let Some(Delivered::Written { path, backup }) = &state.kept.delivered {
        let mut lines = vec![format!("Written to:   {}", plain::one_line(path))];
        if let Some(backup) = backup {
            lines.push(format!("Kept before:  {}", plain::one_line(backup)));
        }
        return lines;
    }
    let Some(delivery) = state.delivery_due() else {
        return Vec::new();
    };
    let path = plain::one_line(&path(view, delivery));
    let resume = view.command(&format!("resume {name}"));
    let command = |text: &str| screen.paint(Tone::Info, text);
    let why = match &state.kept.delivered {
        Some(Delivered::Failed { why, .. }) => why,
        _ => {
            let text = format!("! the refined spec is not yet written to {path}");
            return vec![
                screen.paint(Tone::Warn, text),
                format!("  Write it with: {}", command(&resume)),
            ];
        }
    };
    let text = format!(
        "! the refined spec was not written to {path}: {}",
        plain::one_line(why)
    );
    if why == NOT_ASKED_FOR {
        let flag = match delivery {
            Delivery::InPlace {} => "--in-place".to_owned(),
            Delivery::File { path } => format!("--output {}", quoted(path)),
        };
        let there = command(&format!("{resume} {flag}"));
        let text = screen.paint(Tone::Warn, text);
        return vec![text, format!("  Write it there: {there}")];
    }
    let mut lines = vec![
        screen.paint(Tone::Warn, text),
        format!(
            "  Write it elsewhere: {}",
            command(&format!("{resume} --output FILE"))
        ),
    ];
    lines.push(match delivery {
        Delivery::InPlace {} => format!(
            "  Or merge by hand:   {}",
            command(&view.command(&format!("diff --session {name}")))
        ),
        Delivery::File { .. } => format!("  Or try again:       {}", command(&resume)),
    });
    lines
}

/// Turns success into `Unmet` if the refined spec is not where the user wants it.
pub(crate) fn exit(state: &State, exit: Exit) -> Exit {
    match exit {
        Exit::Done if state.delivery_due().is_some() => Exit::Unmet,
        exit => exit,
    }
}

/// The delivery as JSON.
pub(crate) fn document(view: SessionView<'_>) -> Value {
    let state = view.state;
    let Some(delivery) = &state.kept.setup.delivery else {
        return Value::Null;
    };
    let (written, backup, problem) = match &state.kept.delivered {
        Some(Delivered::Written { backup, .. }) => (true, backup.as_ref(), None),
        Some(Delivered::Failed { why, .. }) => (false, None, Some(why)),
        None => (false, None, None),
    };
    json!({
        "path": path(view, delivery),
        "in_place": matches!(delivery, Delivery::InPlace {}),
        "written": written,
        "backup": backup,
        "problem": problem,
    })
}

fn path(view: SessionView<'_>, delivery: &Delivery) -> String {
    match (delivery, &view.state.kept.origin) {
        (Delivery::File { path }, _) => path.clone(),
        (Delivery::InPlace {}, Some(origin)) => {
            let file = view.workspace.root().join(&origin.source_path);
            file.to_string_lossy().into_owned()
        }
        (Delivery::InPlace {}, None) => String::new(),
    }
}
