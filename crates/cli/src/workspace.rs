//! The workspace: the folder with `.gapless/`, its database and its session folders.

use std::path::{Path, PathBuf};

use gapless_store::{
    Access, Held, MISPLACED_HINT, Misplaced, SessionFolder, SessionName, SqliteStore, StoreError,
};

use crate::{Context, Failure, Kind, Result, Settings};

const GAPLESS: &str = ".gapless";
pub(crate) const SETTINGS: &str = "gapless.toml";

/// A project folder. Nothing is made on disk before a session is started there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The workspace of a spec: the one above it, else beside its gapless.toml, else the spec's own folder.
    pub(crate) fn of_spec(context: &Context, spec: &Path) -> Result<Self> {
        Self::around(context, folder_of(spec))
    }

    /// The workspace that commands on existing sessions act in.
    pub(crate) fn existing(context: &Context) -> Result<Self> {
        let missing = |folder: &Path, also: &str| {
            let message = format!("there is no .gapless in {}{also}", folder.display());
            Failure::new(Kind::Workspace, message).hint(
                "start a session with `gapless run SPEC`, or give the folder with --workspace",
            )
        };
        let Some(named) = &context.workspace else {
            let root = above(&context.here, GAPLESS);
            let root = root.ok_or_else(|| missing(&context.here, " or above it"))?;
            let workspace = Self { root };
            check(&workspace)?;
            return Ok(workspace);
        };
        let workspace = named_folder(context, named)?;
        check(&workspace)?;
        match workspace.gapless().exists() {
            true => Ok(workspace),
            false => Err(missing(&workspace.root, "")),
        }
    }

    /// The workspace that `gapless init` makes: the one above, else the folder with a gapless.toml, else the current folder.
    pub(crate) fn to_make(context: &Context) -> Result<Self> {
        Self::around(context, context.here.clone())
    }

    /// The workspace that is named, else the one above the folder, else the folder itself.
    fn around(context: &Context, folder: PathBuf) -> Result<Self> {
        if let Some(named) = &context.workspace {
            let workspace = named_folder(context, named)?;
            check(&workspace)?;
            return Ok(workspace);
        }
        let root = above(&folder, GAPLESS).or_else(|| above(&folder, SETTINGS));
        let workspace = Self {
            root: root.unwrap_or(folder),
        };
        check(&workspace)?;
        Ok(workspace)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn gapless(&self) -> PathBuf {
        self.root.join(GAPLESS)
    }

    pub(crate) fn folder(&self, name: &SessionName) -> SessionFolder {
        SessionFolder::new(&self.gapless(), name)
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.gapless().join("gapless.db")
    }

    /// Opens the database for reading; others may write to it meanwhile.
    pub(crate) fn read(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_read_only(&self.database())
    }

    /// Opens the database for writing, and creates it if it is missing.
    pub(crate) fn write(&self) -> Result<SqliteStore> {
        let store = SqliteStore::open(&self.database())?;
        match store.access() {
            Access::ReadWrite => Ok(store),
            Access::ReadOnly(why) => Err(StoreError::ReadOnly {
                file: self.database(),
                why,
            }
            .into()),
        }
    }

    pub(crate) fn has_database(&self) -> bool {
        self.database().exists()
    }

    /// A path as the session keeps it: relative to the root if it is below it.
    pub(crate) fn relative(&self, path: &Path) -> String {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = real(path);
        let inside = path.strip_prefix(real(&self.root)).map(Path::to_owned);
        inside.unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The gapless.toml beside a spec, or above it.
    pub(crate) fn settings_of(&self, spec: &Path) -> Option<PathBuf> {
        let folder = above(&folder_of(spec), SETTINGS).or_else(|| above(&self.root, SETTINGS))?;
        Some(folder.join(SETTINGS))
    }

    /// The settings for a spec: its gapless.toml, or the defaults.
    pub(crate) fn settings_for(&self, spec: &Path) -> Result<Settings> {
        Settings::read(self.settings_of(spec).as_deref(), &self.root)
    }

    /// A command line of gapless that acts on this workspace when typed in the current folder.
    pub(crate) fn command(&self, context: &Context, words: &str) -> String {
        format!("gapless {words}{}", self.arguments_from(context))
    }

    /// The arguments with which a command finds this workspace from the current folder; empty if it needs none.
    fn arguments_from(&self, context: &Context) -> String {
        if above(&context.here, GAPLESS).as_ref() == Some(&self.root) {
            return String::new();
        }
        format!(" --workspace {}", quoted(&self.root.to_string_lossy()))
    }
}

/// Refuses a workspace whose `.gapless` is a link, since what is written there would land elsewhere, and one whose path is
/// too long for a database.
fn check(workspace: &Workspace) -> Result<()> {
    SqliteStore::check_path(&workspace.database())?;
    match Held::open(workspace.root(), Path::new(GAPLESS)) {
        Err(error) if Misplaced::caused(&error) && workspace.gapless().is_symlink() => {
            Err(misplaced(&error))
        }
        _ => Ok(()),
    }
}

/// Fails if a folder of a session is reached through a link.
pub(crate) fn check_folder(folder: &SessionFolder, inside: &str) -> Result<()> {
    match folder.open(inside) {
        Err(error) if Misplaced::caused(&error) => Err(misplaced(&error)),
        _ => Ok(()),
    }
}

fn misplaced(error: &std::io::Error) -> Failure {
    Failure::new(Kind::Folder, error).hint(MISPLACED_HINT)
}

/// Quotes a word for a shell if it needs quotes.
pub(crate) fn quoted(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => word.replace('\0', ""),
    }
}

fn named_folder(context: &Context, named: &Path) -> Result<Workspace> {
    let root = context.resolve(named);
    if !root.is_dir() {
        let message = format!("the workspace {} is not a folder", named.display());
        return Err(Failure::new(Kind::Workspace, message).hint("make it, or name another"));
    }
    let root = root.canonicalize().unwrap_or(root);
    Ok(Workspace { root })
}

fn folder_of(spec: &Path) -> PathBuf {
    let spec = spec.canonicalize().unwrap_or_else(|_| spec.to_owned());
    spec.parent().map_or_else(|| spec.clone(), Path::to_owned)
}

/// The nearest folder from this one upwards that has something of this name.
fn above(folder: &Path, name: &str) -> Option<PathBuf> {
    folder
        .ancestors()
        // Also a link to nothing: what is written there would come to be where it leads.
        .find(|folder| folder.join(name).symlink_metadata().is_ok())
        .map(Path::to_owned)
}
