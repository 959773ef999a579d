//! The user's own folder for what gapless remembers on this machine, outside of every workspace.

use std::path::PathBuf;

/// `$XDG_STATE_HOME/gapless`, else `~/.local/state/gapless`; `None` without a home folder.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let set = set.filter(|path| path.is_absolute());
    let state = set.or_else(|| Some(std::env::home_dir()?.join(".local").join("state")))?;
    Some(state.join("gapless"))
}
