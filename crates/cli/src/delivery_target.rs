//! Where the user wants the refined spec. Whatever is wrong with that place is reported before the session runs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gapless_domain::Delivery;
use gapless_session::State;

use crate::files::spec;
use crate::{Context, Failure, Kind, OutputArgs, Result, Workspace};

/// The place for a new session on this spec: the one that the flags name, else beside the spec.
pub(crate) fn of_new(
    context: &Context,
    workspace: &Workspace,
    spec: &Path,
    args: &OutputArgs,
) -> Result<Delivery> {
    let named = of_spec(context, workspace, spec, args)?;
    Ok(named.unwrap_or(Delivery::Beside {}))
}

/// The place that the flags name, for a session on this spec.
fn of_spec(
    context: &Context,
    workspace: &Workspace,
    spec: &Path,
    args: &OutputArgs,
) -> Result<Option<Delivery>> {
    if args.no_output {
        return Ok(Some(Delivery::Nowhere {}));
    }
    if args.in_place {
        can_write_beside("--in-place", &real(spec))?;
        return Ok(Some(Delivery::InPlace {}));
    }
    let Some(named) = &args.output else {
        return Ok(None);
    };
    let instead = "to replace it at the end, say --in-place";
    let path = check_file(context, workspace, spec, named, instead)?;
    Ok(Some(Delivery::File { path }))
}

/// The place that the flags name, for an existing session.
pub(crate) fn of_session(
    context: &Context,
    workspace: &Workspace,
    state: &State,
    args: &OutputArgs,
) -> Result<Option<Delivery>> {
    let Some(origin) = &state.kept.origin else {
        return Ok(None);
    };
    let spec = workspace.root().join(&origin.source_path);
    // After the end it is known at once whether it can be written; the refined spec may even stand there already.
    if args.in_place && state.kept.ended.is_none() {
        unchanged(&spec, state)?;
    }
    of_spec(context, workspace, &spec, args)
}

fn unchanged(spec: &Path, state: &State) -> Result<()> {
    let expected = state.kept.origin.as_ref().map(|origin| origin.source);
    if spec::hash_now(spec) == expected {
        return Ok(());
    }
    let message = format!(
        "--in-place: {} is no longer what the session started from",
        spec.display()
    );
    Err(Failure::new(Kind::Usage, message).hint(
        "write the refined spec elsewhere with --output FILE, or merge by hand with `gapless diff`",
    ))
}

/// Checks a file that a session is to write to, and returns its whole path; `instead` says what to do if it is the spec itself.
pub(crate) fn check_file(
    context: &Context,
    workspace: &Workspace,
    spec: &Path,
    named: &Path,
    instead: &str,
) -> Result<String> {
    check_file_of("--output", context, workspace, spec, named, instead)
}

/// The same for a file that another flag names.
pub(crate) fn check_file_of(
    flag: &str,
    context: &Context,
    workspace: &Workspace,
    spec: &Path,
    named: &Path,
    instead: &str,
) -> Result<String> {
    let wrong = |why: &str, hint: &str| {
        let message = format!("{flag}: {} {why}", named.display());
        Failure::new(Kind::Usage, message).hint(hint)
    };
    let is_folder = named.to_string_lossy().ends_with(std::path::is_separator);
    let name = match named.file_name() {
        Some(name) if !is_folder => name,
        _ => return Err(wrong("is a folder", "name a file in it")),
    };
    let given = context.resolve(named);
    match fs::metadata(&given) {
        Ok(found) if found.is_dir() => {
            return Err(wrong("is a folder", "name a file in it"));
        }
        Ok(found) if !found.is_file() => {
            return Err(wrong("is not a regular file", "name another"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound && given.is_symlink() => {
            return Err(wrong("is a link to nothing", "name another"));
        }
        _ => {}
    }
    let folder = given.parent().unwrap_or(&context.here);
    let folder = match folder.canonicalize() {
        Ok(folder) if folder.is_dir() => folder,
        _ => {
            let why = format!("can't be written: there is no folder {}", folder.display());
            return Err(wrong(&why, "make it, or name another"));
        }
    };
    let file = folder.join(name);
    let real = real(&file);
    if real == self::real(spec) {
        return Err(wrong("is the spec itself", instead));
    }
    if real.starts_with(self::real(&workspace.gapless())) {
        return Err(wrong(
            "lies in the folder where gapless keeps its own files",
            "name a file outside of .gapless",
        ));
    }
    can_write_beside(flag, &real)?;
    match file.into_os_string().into_string() {
        Ok(path) => Ok(path),
        Err(_) => Err(wrong("is not UTF-8", "name another")),
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Files are replaced by renaming, so what counts is whether their folder can be written.
fn can_write_beside(flag: &str, file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    match tempfile::tempfile_in(folder) {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = format!("{flag}: {} can't be written: {error}", folder.display());
            Err(Failure::new(Kind::Usage, message)
                .hint("check who owns the folder, or name a file elsewhere with --output"))
        }
    }
}
