//! What opening an agent needs to know of its surroundings, and why one could not be opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gapless_domain::comma_list;

use crate::{Agent, NotOpened, Person, Presets, Providers, Supervisor};

/// What opening an agent needs to know of its surroundings.
#[derive(Debug, Clone)]
pub struct OpenContext {
    /// The folder that relative replay folders and relative programs are found from.
    pub base: PathBuf,
    /// How the person who runs gapless is reached.
    pub person: Person,
    /// Who serves models over HTTP.
    pub providers: Providers,
    /// Programs that are agents, built-in ones and the user's own.
    pub presets: Arc<Presets>,
    /// Variables that programs get beside the usual ones; `*` stands for anything at either end.
    pub pass: Vec<String>,
    /// What programs are started through; without one they are only leaders of their process groups.
    pub supervisor: Option<Supervisor>,
    /// Folders that programs must not be able to write to; needs the supervisor and Landlock.
    pub protected: Vec<PathBuf>,
}

impl OpenContext {
    /// A folder where nobody sits at a terminal.
    pub fn unattended(base: &Path) -> Self {
        Self {
            base: base.to_owned(),
            person: Person {
                drafts: base.join(".gapless/drafts"),
                editors: Vec::new(),
                terminal: None,
            },
            providers: Providers::default(),
            presets: Arc::default(),
            pass: Vec::new(),
            supervisor: None,
            protected: Vec::new(),
        }
    }
}

/// Why an agent could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("`{spec}` is not an agent{}; known are {}", did_you_mean(.nearest.as_deref()), listed(.known))]
    Unknown {
        spec: String,
        nearest: Option<String>,
        /// How agents are written.
        known: Vec<String>,
    },
    #[error("`replay:` names no folder (replay:<folder>)")]
    NoFolderNamed,
    #[error("there is no folder `{}` to replay", .path.display())]
    FolderMissing { path: PathBuf },
    #[error("`{}` is not a folder, so it can't be replayed", .path.display())]
    NotAFolder { path: PathBuf },
    #[error("the folder `{}` can't be read: {reason}", .path.display())]
    FolderUnreadable { path: PathBuf, reason: String },
    #[error("`cmd:` names no program (cmd:<command line>)")]
    NoCommand,
    #[error("a quote is left open in the command line `{line}`")]
    OpenQuote { line: String },
    #[error("`{spec}` is not trusted in this workspace")]
    NotTrusted { spec: String },
    #[error(transparent)]
    Http(#[from] NotOpened),
}

pub(crate) type Opened = Result<Arc<dyn Agent>, OpenError>;

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |form| format!(" (did you mean `{form}`?)"))
}

fn listed(forms: &[String]) -> String {
    comma_list(forms.iter().map(|form| format!("`{form}`")))
}
