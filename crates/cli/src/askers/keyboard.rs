//! Reads lines from the terminal, only while somebody waits for one: a question can be withdrawn while it is open, and an
//! editor that has the terminal gets every key.

use std::io;
use std::sync::mpsc;

use tokio::sync::oneshot;

/// A request for a line; closed when nobody waits for it any more.
type Want = oneshot::Sender<String>;

/// The result of waiting for a line.
enum Came {
    Line(String),
    /// They went away before anything was typed.
    NotWanted,
    /// Nobody types any more.
    End,
}

/// Where lines are typed. Its thread is detached, and ends when the keyboard is dropped or nobody types any more.
pub(crate) struct Keyboard {
    wants: mpsc::Sender<Want>,
}

impl Keyboard {
    /// The keyboard of this process' terminal.
    pub(crate) fn here() -> Self {
        Self::reading(type_in)
    }

    fn reading(mut read: impl FnMut(&Want) -> Came + Send + 'static) -> Self {
        let (wants, waiting) = mpsc::channel::<Want>();
        std::thread::spawn(move || {
            for want in waiting {
                match read(&want) {
                    Came::Line(line) => drop(want.send(line)),
                    Came::NotWanted => {}
                    Came::End => return,
                }
            }
        });
        Self { wants }
    }

    /// The next line, without its end; `None` where nobody types any more.
    pub(crate) async fn line(&self) -> Option<String> {
        let (want, line) = oneshot::channel();
        self.wants.send(want).ok()?;
        line.await.ok()
    }

    /// Throws away what was typed and not read: it was meant for something that is no longer asked.
    pub(crate) fn forget(&self) {
        #[cfg(unix)]
        {
            use rustix::termios::{QueueSelector, tcflush};
            let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        }
    }

    /// A keyboard on which these lines are typed.
    #[cfg(test)]
    pub(crate) fn typing(lines: &[&str]) -> Self {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let mut lines = lines.into_iter();
        Self::reading(move |_| lines.next().map_or(Came::End, Came::Line))
    }
}

fn type_in(want: &Want) -> Came {
    loop {
        let typed = is_typed();
        // Looked at last: what is typed from now on may be an editor's.
        if want.is_closed() {
            return Came::NotWanted;
        }
        if typed {
            break;
        }
    }
    let mut line = String::new();
    match io::stdin().read_line(&mut line) {
        Ok(1..) => Came::Line(line.trim_end_matches(['\n', '\r']).to_owned()),
        Ok(0) | Err(_) => Came::End,
    }
}

/// Waits a little for a line; true where one can be read without waiting further.
#[cfg(unix)]
fn is_typed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    const LITTLE: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 50_000_000,
    };
    let stdin = io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut watched, Some(&LITTLE)) {
        Ok(ready) => ready > 0,
        Err(rustix::io::Errno::INTR) => false,
        // Reading says what is wrong.
        Err(_) => true,
    }
}

#[cfg(not(unix))]
fn is_typed() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_is_read_for_somebody_who_went_away() {
        let (typed, lines) = mpsc::channel::<&str>();
        let (waits, mut waiting) = tokio::sync::mpsc::unbounded_channel();
        let keyboard = Keyboard::reading(move |want| {
            waits.send(()).unwrap();
            // Stands for a terminal that is looked at again and again.
            loop {
                if want.is_closed() {
                    return Came::NotWanted;
                }
                match lines.try_recv() {
                    Ok(line) => return Came::Line(line.to_owned()),
                    Err(mpsc::TryRecvError::Empty) => std::thread::yield_now(),
                    Err(mpsc::TryRecvError::Disconnected) => return Came::End,
                }
            }
        });
        tokio::select! {
            line = keyboard.line() => panic!("{line:?}"),
            _ = waiting.recv() => {}
        }
        let next = keyboard.line();
        let typing = async {
            waiting.recv().await;
            typed.send("for the next").unwrap();
        };
        let (line, ()) = tokio::join!(next, typing);
        assert_eq!(line.as_deref(), Some("for the next"));
        drop(typed);
        assert_eq!(keyboard.line().await, None);
        assert_eq!(keyboard.line().await, None);
    }
}
