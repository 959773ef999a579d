//! The claims of a whole workspace, as `gapless trust` shows them: its gapless.toml, its prompts, and its sessions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use gapless_runner::Session;
use gapless_session::State;
use gapless_store::SessionName;

use super::claim::Claim;
use super::gather::{Gathering, Origin};
use crate::session_choice::sessions;
use crate::{Result, Workspace, overrides, plain};

/// The claims of a workspace.
#[derive(Default)]
pub(crate) struct WholeWorkspace {
    pub(crate) claims: Vec<Claim>,
    /// Sessions that can't be read, with the reason.
    pub(crate) unreadable: Vec<String>,
}

impl WholeWorkspace {
    /// Gathers them; `spec` says which gapless.toml is meant, beside those of the sessions.
    pub(crate) fn read(workspace: &Workspace, spec: &Path) -> Result<Self> {
        let mut whole = Self::default();
        let mut files = BTreeSet::from([workspace.settings_of(spec)]);
        whole.read_settings(workspace, spec)?;
        if let Err(failure) = whole.read_sessions(workspace, &mut files) {
            whole.unreadable.push(plain::one_line(&failure.message));
        }
        whole.read_examples(workspace)?;
        Ok(whole)
    }

    fn extend(&mut self, claims: Vec<Claim>) {
        for claim in claims {
            if !self.claims.iter().any(|known| known.hash() == claim.hash()) {
                self.claims.push(claim);
            }
        }
    }

    fn read_settings(&mut self, workspace: &Workspace, spec: &Path) -> Result<()> {
        let file = workspace.settings_of(spec);
        let settings = workspace.settings_for(spec)?;
        let mut gathering = Gathering::new(workspace, &settings, file.as_deref());
        for (key, name) in &settings.agents {
            let task = match key.as_str() {
                "all" => "in every role".to_owned(),
                "final_review" => "for the final review".to_owned(),
                role => format!("as the {}{}", role[..1].to_uppercase(), &role[1..]),
            };
            let place = gathering.key(&format!("agents.{key}"));
            gathering.agent(name, &task, &Origin::Folder(place));
        }
        let place = gathering.key("agents.fallback");
        for name in &settings.fallback {
            gathering.agent(name, "as a fallback", &Origin::Folder(place.clone()));
        }
        for name in settings.own_agents.keys() {
            gathering.definition(name);
        }
        for name in settings.http.providers.keys() {
            gathering.provider(name);
        }
        gathering.environment();
        if let Some(repo) = &settings.repo {
            let place = gathering.key("agents.repo");
            gathering.repo(repo, &Origin::Folder(place));
        }
        gathering.templates(&overrides::prompts(workspace)?);
        self.extend(gathering.finish().needed);
        Ok(())
    }

    fn read_sessions(
        &mut self,
        workspace: &Workspace,
        files: &mut BTreeSet<Option<PathBuf>>,
    ) -> Result<()> {
        if !workspace.has_database() {
            return Ok(());
        }
        for summary in sessions(workspace)? {
            let session = Session::open(workspace.read()?, &summary.name)?;
            let state = session.state();
            if state.kept.ended.is_some() {
                continue;
            }
            let origin = state.kept.origin.as_ref();
            let spec = origin.map_or("", |origin| origin.source_path.as_str());
            let spec = workspace.root().join(spec);
            if files.insert(workspace.settings_of(&spec)) {
                self.read_settings(workspace, &spec)?;
            }
            self.read_session(workspace, &spec, &summary.name, state)?;
        }
        Ok(())
    }

    fn read_session(
        &mut self,
        workspace: &Workspace,
        spec: &Path,
        name: &str,
        state: &State,
    ) -> Result<()> {
        let settings = workspace.settings_for(spec)?;
        let mut gathering = Gathering::new(workspace, &settings, None);
        let origin = Origin::recorded_in(name);
        let setup = &state.kept.setup;
        gathering.agents(&setup.agents, |_, _| origin.clone());
        for agent in &setup.fallback {
            gathering.agent(agent, "as a fallback", &origin);
        }
        for task in state.running() {
            let role = task.id.slot.role;
            gathering.agent(&task.agent, &format!("as the {role}"), &origin);
        }
        let repos = state.running().filter_map(|task| task.repo.as_ref());
        for repo in repos.chain(&setup.repo) {
            gathering.repo(Path::new(repo), &origin);
        }
        self.extend(gathering.finish().needed);
        Ok(())
    }

    fn read_examples(&mut self, workspace: &Workspace) -> Result<()> {
        let Ok(folders) = fs::read_dir(workspace.gapless().join("sessions")) else {
            return Ok(());
        };
        let names = folders.filter_map(|folder| folder.ok()?.file_name().into_string().ok());
        let mut names: Vec<SessionName> = names.filter_map(|name| name.parse().ok()).collect();
        names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        let settings = Default::default();
        let mut gathering = Gathering::new(workspace, &settings, None);
        for name in &names {
            gathering.examples(name, &overrides::examples(workspace, name)?);
        }
        self.extend(gathering.finish().needed);
        Ok(())
    }
}
