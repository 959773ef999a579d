//! Writes what waits for people as a form, in markdown, that can be sent around and read back. `reading::form` says how a
//! form is read; every text of others in one goes through its `defused`.

mod asked;
mod judged;
mod source;

use std::collections::BTreeSet;

use gapless_domain::{Person, TextHash, Texts, Time, comma_list, one_line};
use gapless_markdown::visible;
use gapless_reading::form::{END, FILLED_IN_BY, PartId, SESSION, TITLE, defused};
use gapless_session::State;

pub use asked::{Asked, asked, asked_by};
pub use judged::{Finding, Repeats, filled_in_by, judge};
pub use source::Source;

/// How many digits tell one session from another.
const ID_DIGITS: usize = 8;

/// A form, and what it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub text: String,
    pub questions: Vec<PartId>,
    pub owners: BTreeSet<Person>,
}

/// What tells a session from others of its name, also where it was exported and imported again.
pub fn session_mark(state: &State) -> String {
    let Some(origin) = &state.kept.origin else {
        return String::new();
    };
    let text = format!(
        "{}\n{}\n{}\n{}",
        origin.name, origin.source, origin.seed, origin.at.0
    );
    let mut mark = TextHash::of(&text).to_string();
    mark.truncate(ID_DIGITS);
    mark
}

/// Writes the form of everything that waits, or of what waits for one owner; `at` tells what is overdue.
pub fn form(
    state: &State,
    texts: &dyn Texts,
    name: &str,
    owner: Option<&Person>,
    at: Time,
) -> Form {
    let mut waiting = asked(state, texts);
    if let Some(owner) = owner {
        waiting.retain(|asked| asked.owners.iter().any(|one| one.is(owner)));
    }
    let source = state.kept.origin.as_ref();
    let source = source.map_or("", |origin| origin.source_path.as_str());
    let mut text = format!(
        "# {TITLE} {name}\n\n- {SESSION} {name} ({})\n- {FILLED_IN_BY}\n\n\
         These questions came up while `{}` was being refined; each waits for an answer that only people have. \
         Tick one box of a question like this: `[x]`, write your words behind the fields that it needs, leave what you don't \
         answer as it is, and send the file back.\n",
        session_mark(state),
        defused(&one_line(source)).replace('`', "'"),
    );
    let mut in_order = Vec::new();
    for (owners, group) in groups(&waiting) {
        in_order.extend(group.iter().map(|asked| asked.entry.id.clone()));
        let questions = match group.len() {
            1 => "1 question".to_owned(),
            count => format!("{count} questions"),
        };
        let whose = match owners.is_empty() {
            true => "anyone".to_owned(),
            false => defused(&comma_list(owners)),
        };
        text += &format!("\n## For {whose} ({questions})\n");
        for asked in group {
            text += &asked.written(at);
        }
    }
    text += &format!("\n{END} What stands below this line is not read.\n");
    Form {
        text: visible(&text),
        questions: in_order,
        owners: waiting.into_iter().flat_map(|asked| asked.owners).collect(),
    }
}

/// What waits by owners, those of nobody last.
fn groups(waiting: &[Asked]) -> Vec<(&BTreeSet<Person>, Vec<&Asked>)> {
    let mut groups: Vec<(&BTreeSet<Person>, Vec<&Asked>)> = Vec::new();
    for asked in waiting {
        match groups
            .iter_mut()
            .find(|(owners, _)| **owners == asked.owners)
        {
            Some((_, group)) => group.push(asked),
            None => groups.push((&asked.owners, vec![asked])),
        }
    }
    groups.sort_by_key(|(owners, _)| (owners.is_empty(), *owners));
    groups
}
