//! The file that a person writes in: its form, what of it is the document, and where it is kept.
//! What a person wrote is never removed or written over: a run that is cut short goes on with the same file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gapless_domain::{GapId, OutputNote, Role, TaskId};

use crate::{LimitedBytes, Output, Request};

const HEAD: &str = "<!-- You write as the ";
const CUT: &str = "<!-- ------------ >8 ------------ what stands below this line is cut off ------------ >8 ------------ -->";

/// One attempt's files.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Where the person writes.
    pub(super) path: PathBuf,
    /// The name under which a draft is finished, where no editor's end says so.
    pub(super) finished: PathBuf,
}

impl Draft {
    fn of(folder: &Path, task: &TaskId, gaps: &[GapId]) -> Self {
        let role = task.slot.role.stem();
        // A gap may be run again in its round, and what was written for it before is not meant then.
        let slot = match (task.slot.index, gaps.first()) {
            (1, Some(gap)) => format!("-{gap}"),
            (2.., Some(gap)) => format!("-{gap}-task-{}", task.slot.index + 1),
            _ => String::new(),
        };
        // A round that was undone and is run again is written anew.
        let again = match task.epoch {
            0 => String::new(),
            epoch => format!("-after-rollback-{epoch}"),
        };
        let name = format!("{role}{slot}-{}{again}", task.attempt);
        let folder = folder.join(format!("round_{:03}", task.round));
        Self {
            path: folder.join(format!("{name}.draft.md")),
            finished: folder.join(format!("{name}.md")),
        }
    }

    /// Finds the draft of a request, or lays a new one out: after an invalid document that one, else the bare form.
    pub(super) fn prepare(folder: &Path, request: &Request) -> io::Result<Self> {
        let draft = Self::of(folder, &request.task, &request.gaps);
        draft.refuse_links()?;
        if draft.path.exists() || draft.finished.exists() {
            return Ok(draft);
        }
        let form = Form::of(request);
        let written = match request.task.attempt.checked_sub(1) {
            None | Some(0) => None,
            Some(attempt) => {
                let before = TaskId {
                    attempt,
                    ..request.task
                };
                Self::of(folder, &before, &request.gaps).written(request, &form)
            }
        };
        let folder = draft.path.parent().unwrap_or(folder);
        fs::create_dir_all(folder)?;
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&draft.path)?;
        file.write_all(form.laid_out(written.as_deref()).as_bytes())?;
        Ok(draft)
    }

    /// A draft is written where it seems to be, and read from there: neither it nor its folder is a link, a pipe or a device.
    fn refuse_links(&self) -> io::Result<()> {
        let folder = self.path.parent().map(|folder| (folder, true));
        let files = [(self.path.as_path(), false), (&self.finished, false)];
        for (path, is_folder) in folder.into_iter().chain(files) {
            let fits = match fs::symlink_metadata(path) {
                Ok(found) if is_folder => found.is_dir(),
                Ok(found) => found.is_file(),
                Err(_) => true,
            };
            if !fits {
                let message = format!("{} is a link, or no file: remove it", path.display());
                return Err(io::Error::other(message));
            }
        }
        Ok(())
    }

    /// What an earlier attempt said, if it said anything.
    fn written(&self, request: &Request, form: &Form) -> Option<String> {
        [&self.finished, &self.path]
            .into_iter()
            .find_map(|path| read(path, request, form).ok()?.text)
    }

    /// Reads the document in one of the draft's files.
    pub(super) fn document(path: &Path, request: &Request) -> io::Result<Output> {
        read(path, request, &Form::of(request))
    }
}

fn read(path: &Path, request: &Request, form: &Form) -> io::Result<Output> {
    let limit = request.limits.output_bytes;
    // The form and the prompt don't count: the limit is on what the person wrote.
    let laid_out = form.laid_out(None).len() as u64;
    let (text, mut notes) =
        LimitedBytes::read(limit.saturating_add(laid_out), File::open(path)?)?.into_text();
    let Some(text) = form.filled_in(&text) else {
        return Ok(Output::default());
    };
    let output = Output::of(LimitedBytes::read(limit, text.as_bytes())?);
    notes.retain(|note| *note != OutputNote::OutputTruncated);
    notes.extend(output.notes);
    Ok(Output { notes, ..output })
}

/// What a draft consists of: a head, the role's template, the line, and below it what is asked.
struct Form<'a> {
    head: String,
    sections: Vec<String>,
    prompt: &'a str,
}

impl<'a> Form<'a> {
    fn of(request: &'a Request) -> Self {
        let task = &request.task;
        let (role, round) = (task.slot.role, task.round);
        let again = match task.attempt {
            1 => String::new(),
            attempt => {
                format!(" Attempt {attempt}: why the last one was not taken is said there.")
            }
        };
        let head = format!(
            "{HEAD}{role} of round {round}. What is asked stands below the line at the end.{again} -->"
        );
        let (template, per_gap) = match role {
            Role::Analyst => (include_str!("../../templates/analyst.md"), false),
            Role::Engineer => (include_str!("../../templates/engineer.md"), true),
            Role::Reviewer => (include_str!("../../templates/reviewer.md"), true),
            Role::Editor => (include_str!("../../templates/editor.md"), false),
            Role::FinalReviewer => (include_str!("../../templates/final_review.md"), false),
        };
        let template = template.trim().replace("{round}", &round.to_string());
        let sections = match per_gap {
            true => request
                .gaps
                .iter()
                .map(|gap| template.replace("{gap}", &gap.to_string()))
                .collect(),
            false => vec![template],
        };
        Self {
            head,
            sections,
            prompt: &request.prompt,
        }
    }

    fn laid_out(&self, written: Option<&str>) -> String {
        let template = self.sections.join("\n\n");
        let document = written.map_or(template.as_str(), str::trim);
        format!("{}\n\n{document}\n\n{CUT}\n\n{}\n", self.head, self.prompt)
    }

    /// What the person wrote: without head, what is below the line, and sections that were left as they were, which say
    /// nothing. `None` where nothing is left.
    fn filled_in(&self, text: &str) -> Option<String> {
        let text = text.replace("\r\n", "\n");
        let mut at = 0;
        let cut = text.split_inclusive('\n').find_map(|line| {
            let start = at;
            at += line.len();
            (line.trim() == CUT).then_some(start)
        });
        let text = match cut {
            Some(cut) => &text[..cut],
            // The line is gone: what is asked is still no part of the answer.
            None => text
                .trim_end()
                .strip_suffix(self.prompt.trim_end())
                .unwrap_or(&text),
        };
        let text = match text.trim_start().split_once('\n') {
            Some((head, rest)) if head.starts_with(HEAD) => rest,
            _ => text,
        };
        let written: String = parts(text)
            .into_iter()
            .filter(|part| !self.sections.iter().any(|section| section == part.trim()))
            .collect();
        let written = written.trim();
        (!written.is_empty() && !written.starts_with(HEAD)).then(|| format!("{written}\n"))
    }
}

/// A text cut before every heading of the level that the templates' sections have.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with("## ") && at > start {
            parts.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    parts.push(&text[start..]);
    parts
}
