//! Finds out whether this process was started by an agent: directly, or through any number of other processes.

use super::RUN_VARIABLE;

/// Whether an agent that gapless runs started this process. On Linux the parents say so: a supervisor adopts every descendant of its
/// program, so that it stays among them also after `setsid` or a double fork. The variable is a second sign, and elsewhere the only one.
pub fn started_by_agent() -> bool {
    if std::env::var_os(RUN_VARIABLE).is_some() {
        return true;
    }
    #[cfg(target_os = "linux")]
    {
        on_linux::is_below_supervisor()
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Whether this process could know if that one is among its ancestors. In a PID namespace of its own it could not. Elsewhere than on
/// Linux nobody looks at ancestors.
pub fn could_see(pid: u32) -> bool {
    #[cfg(target_os = "linux")]
    {
        let pid = i32::try_from(pid).ok();
        pid.is_some_and(|pid| super::processes::read(pid).is_some())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        true
    }
}

#[cfg(target_os = "linux")]
mod on_linux {
    use crate::supervisor::processes::{Process, command_line, has_variable, read, this};
    use crate::supervisor::{EDITOR_VARIABLE, SUPERVISE};

    /// The name of a driver's process.
    const DRIVER: &str = "gapless";
    /// How often the walk begins anew because a process on the way ended meanwhile.
    const TRIES: usize = 20;

    pub(super) fn is_below_supervisor() -> bool {
        // One whose ancestors end faster than they can be read has something to hide.
        (0..TRIES).find_map(|_| walk()).unwrap_or(true)
    }

    /// `None` if an ancestor ended during the walk.
    fn walk() -> Option<bool> {
        let mut child = this()?;
        while child.parent > 0 {
            let Some(parent) = read(child.parent) else {
                // One that may not be seen, as that of another user, is no supervisor; one that ended has left its child to another.
                let unchanged = read(child.pid).is_some_and(|now| now.parent == child.parent);
                return unchanged.then_some(false);
            };
            if is_supervisor(&parent) || is_orphan(&child, &parent) {
                return Some(true);
            }
            child = parent;
        }
        Some(false)
    }

    fn is_supervisor(process: &Process) -> bool {
        command_line(process.pid)
            .get(1)
            .is_some_and(|word| word == SUPERVISE)
    }

    /// A driver adopts what a killed supervisor leaves, until it has killed that too. What it starts itself stays in its session, but
    /// for an editor that puts itself into the background.
    fn is_orphan(child: &Process, parent: &Process) -> bool {
        parent.name == DRIVER
            && child.session != parent.session
            && !has_variable(child.pid, EDITOR_VARIABLE)
    }
}
