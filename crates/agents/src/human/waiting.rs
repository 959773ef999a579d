//! The waiting for a file that a person finishes: the file system says when something happens, and since not every one
//! does, the file is also looked at now and then. It is finished when it has its name and has come to rest.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use notify::{RecursiveMode, Watcher};
use tokio::sync::Notify;

/// How long a file has to stay as it is: renaming is done at once, but nothing keeps a person from writing there directly.
const REST: Duration = Duration::from_millis(250);
/// How often it is looked at where the file system says nothing.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits until there is a file with something in it that no longer changes.
pub(super) async fn finished(file: &Path) {
    let stirred = Arc::new(Notify::new());
    // Held to the end of the wait. Where it can't be had, looking has to do.
    let _watcher = file.parent().and_then(|folder| watch(folder, &stirred));
    let mut seen = state_of(file);
    loop {
        match seen {
            // Whatever stirs meanwhile, the second look comes no sooner.
            Some(_) => tokio::time::sleep(REST).await,
            None => {
                let _ = tokio::time::timeout(LOOK_EVERY, stirred.notified()).await;
            }
        }
        let now = state_of(file);
        if now.is_some() && now == seen {
            return;
        }
        seen = now;
    }
}

fn watch(folder: &Path, stirred: &Arc<Notify>) -> Option<impl Watcher + use<>> {
    let stirred = Arc::clone(stirred);
    let mut watcher = notify::recommended_watcher(move |_| stirred.notify_one()).ok()?;
    watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}

/// Size and time of a file with something in it; an empty one is not begun.
fn state_of(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let metadata = std::fs::metadata(path).ok()?;
    let begun = metadata.is_file() && metadata.len() > 0;
    begun.then(|| (metadata.len(), metadata.modified().ok()))
}
