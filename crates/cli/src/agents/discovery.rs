//! Finds installed agents for `auto`, and says which were found and why they are taken.

use gapless_agents::{
    Credentials, Needs, OFFLINE, Sighting, Surroundings, candidates, choose, vendor_of,
};
use gapless_domain::Role;

use crate::output::wording::list;
use crate::{Context, Settings, plain};

/// The note for a machine without agents.
const NONE_FOUND: &str =
    "no agent was found; offline works from a catalogue of defaults, each for you to confirm";

/// Looks for every known agent.
pub(crate) fn look(settings: &Settings) -> Vec<Sighting> {
    let around = Surroundings::of_this_process();
    let candidates = candidates(&settings.presets).into_iter();
    candidates.map(|candidate| around.look(candidate)).collect()
}

/// Looks for the agents of the roles that name none.
pub(crate) fn fill_in(
    context: &Context,
    settings: &Settings,
    engineer: Option<String>,
    reviewer: Option<String>,
) -> (String, String) {
    let (engineer, reviewer) = match (engineer, reviewer) {
        (Some(engineer), Some(reviewer)) => return (engineer, reviewer),
        named => named,
    };
    let sightings = look(settings);
    let vendor = |agent: &String| vendor_of(agent, &settings.presets);
    let find = |role: Role, beside: Option<String>| {
        let beside = beside.as_deref();
        let Some(found) = choose(&sightings, beside) else {
            return OFFLINE.to_owned();
        };
        let other = match beside {
            Some(vendor) if vendor != found.candidate.vendor => ", of another vendor",
            _ => "",
        };
        let why = format!(
            "{role}: {} ({}{other})",
            found.candidate.agent,
            in_words(found)
        );
        context.screen.note(&plain::clean(&why));
        found.candidate.agent.clone()
    };
    if choose(&sightings, None).is_none() {
        let looked_for = list(sightings.iter().map(|seen| &seen.candidate.agent));
        context.screen.note(&plain::clean(&format!(
            "{NONE_FOUND} (looked for {looked_for})"
        )));
    }
    let engineer = match engineer {
        Some(engineer) => engineer,
        None => find(Role::Engineer, reviewer.as_ref().and_then(vendor)),
    };
    let reviewer = match reviewer {
        Some(reviewer) => reviewer,
        None => find(Role::Reviewer, vendor(&engineer)),
    };
    (engineer, reviewer)
}

/// Says what was found of an agent.
fn in_words(sighting: &Sighting) -> String {
    let program = match (&sighting.candidate.needs, &sighting.program) {
        (Needs::Program(_), Some(path)) => Some(path.display().to_string()),
        (Needs::Program(name), None) => Some(format!("`{name}` is not on PATH")),
        (Needs::Key, _) => None,
    };
    list(
        program
            .into_iter()
            .chain([access_in_words(&sighting.credentials)]),
    )
}

pub(crate) fn access_in_words(credentials: &Credentials) -> String {
    match credentials {
        Credentials::Key(name) => format!("{name} is set"),
        Credentials::SignedIn(_) => "signed in".to_owned(),
        Credentials::NotSeen => "no key or sign-in seen".to_owned(),
    }
}
