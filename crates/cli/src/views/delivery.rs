//! Where the refined spec of an ended session is, whether it was written where the user wants it, and what to do if not.

use std::path::{Path, PathBuf};

use gapless_domain::{Delivered, Delivery, End};
use gapless_runner::NOT_ASKED_FOR;
use gapless_session::State;
use serde_json::{Value, json};

use crate::workspace::quoted;
use crate::{Exit, SessionView, Tone, plain};

/// The lines for a session that has ended: where its refined spec is, and the next commands. None if it was abandoned.
pub(crate) fn lines(view: SessionView<'_>) -> Vec<String> {
    let state = view.state;
    let is_abandoned = |(end, _)| end == End::Abandoned;
    if state.kept.ended.is_none_or(is_abandoned) {
        return Vec::new();
    }
    let shown = |label: &str, path: &Path| {
        let path = plain::one_line(&path.to_string_lossy());
        format!("{label:<13} {path}")
    };
    let mut lines = Vec::new();
    let delivered = delivered_file(view);
    if delivered.is_none() {
        lines.extend(unwritten(view));
    }
    let file = delivered.unwrap_or_else(|| view.file("spec.md"));
    lines.push(shown("Refined spec:", &file));
    if let Some(Delivered::Written {
        backup: Some(backup),
        ..
    }) = &state.kept.delivered
    {
        lines.push(shown("Kept before:", Path::new(backup)));
    }
    lines.push(next(view));
    lines
}

/// The file that the refined spec was written to, if it is there.
pub(crate) fn delivered_file(view: SessionView<'_>) -> Option<PathBuf> {
    match &view.state.kept.delivered {
        Some(Delivered::Written { path, .. }) => {
            let file = view.workspace.root().join(path);
            file.is_file().then_some(file)
        }
        _ => None,
    }
}

/// The commands that are most worth knowing once a session has ended.
fn next(view: SessionView<'_>) -> String {
    let (name, screen) = (view.name, view.screen());
    let command = |words: String| screen.paint(Tone::Info, view.command(&words));
    let diff = command(format!("diff --session {name}"));
    let in_place = view.state.kept.setup.delivery == Some(Delivery::InPlace {});
    if in_place && view.state.delivery_due().is_none() {
        return format!("See what changed: {diff}");
    }
    let origin = view.state.kept.origin.as_ref();
    let spec = Path::new(origin.map_or("", |origin| &origin.source_path));
    let spec = spec.file_name().unwrap_or_default().to_string_lossy();
    let spec = plain::one_line(&spec);
    let apply = command(format!("apply {name}"));
    format!("See what changed: {diff}; write it over {spec}: {apply}")
}

/// Says that the refined spec is not where the user wants it, and how to write it.
fn unwritten(view: SessionView<'_>) -> Vec<String> {
    let (name, state, screen) = (view.name, view.state, view.screen());
    let Some((delivery, path)) = state.delivery_due().zip(wanted_file(view)) else {
        return Vec::new();
    };
    let path = plain::one_line(&path);
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
            _ => format!("--output {}", quoted(&path)),
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
    match delivery {
        Delivery::InPlace {} => lines.push(format!(
            "  Or merge by hand:   {}",
            command(&view.command(&format!("diff --session {name}")))
        )),
        Delivery::File { .. } => {
            lines.push(format!("  Or try again:       {}", command(&resume)));
        }
        Delivery::Beside {} | Delivery::Nowhere {} => {}
    }
    lines
}

/// Turns success into `Unmet` if the refined spec is not where the user asked for it.
pub(crate) fn exit(state: &State, exit: Exit) -> Exit {
    match exit {
        Exit::Done if state.delivery_due().is_some_and(Delivery::is_asked_for) => Exit::Unmet,
        exit => exit,
    }
}

/// The delivery as JSON.
pub(crate) fn document(view: SessionView<'_>) -> Value {
    let state = view.state;
    let Some((delivery, wanted)) = state.kept.setup.delivery.as_ref().zip(wanted_file(view)) else {
        return Value::Null;
    };
    let (path, written, backup, problem) = match &state.kept.delivered {
        // Which may be another place than the one that is wanted by now: a workspace can be moved.
        Some(Delivered::Written { path, backup, .. }) => (path, true, backup.as_ref(), None),
        Some(Delivered::Failed { why, .. }) => (&wanted, false, None, Some(why)),
        None => (&wanted, false, None, None),
    };
    json!({
        "path": path,
        "in_place": matches!(delivery, Delivery::InPlace {}),
        "by_default": !delivery.is_asked_for(),
        "written": written,
        "backup": backup,
        "problem": problem,
    })
}

/// The file that the refined spec is to be written to.
fn wanted_file(view: SessionView<'_>) -> Option<String> {
    let origin = view.state.kept.origin.as_ref()?;
    let delivery = view.state.kept.setup.delivery.as_ref()?;
    let file = view
        .workspace
        .root()
        .join(delivery.file(&origin.source_path)?);
    Some(file.to_string_lossy().into_owned())
}
