//! Ends what drivers left that were killed together with their supervisors: processes that still have the run's variable, and
//! the run's folder.

use std::fs;

use super::run_folder;

/// What killed drivers had left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leftovers {
    /// The processes that were ended.
    pub processes: usize,
    /// The temporary folders that were removed.
    pub folders: usize,
}

/// Ends and removes everything of the user's runs whose drivers are gone, in whichever workspace they were.
pub fn end_leftovers() -> Leftovers {
    let mut all = Leftovers::default();
    for (folder, lock) in run_folder::abandoned() {
        #[cfg(target_os = "linux")]
        {
            all.processes += end_processes(&folder);
        }
        drop(lock);
        all.folders += usize::from(fs::remove_dir_all(&folder).is_ok());
    }
    all
}

/// Kills the processes that inherited the run's variable, with their descendants. Ids play no part: one that was given to another
/// process since is no danger.
#[cfg(target_os = "linux")]
fn end_processes(folder: &std::path::Path) -> usize {
    use super::{RUN_VARIABLE, processes};
    processes::kill_each(|| {
        let all = processes::all();
        let of_run = |pid: &i32| processes::has_value(*pid, RUN_VARIABLE, folder.as_os_str());
        let roots: Vec<i32> = all.iter().map(|one| one.pid).filter(of_run).collect();
        processes::trees(&all, &roots)
    })
}
