//! Owns what `auto` means: it looks for agents, takes those that are there, and says which and why.

use gapless_agents::{
    Credentials, Needs, OFFLINE, Sighting, Surroundings, candidates, choose, vendor_of,
};
use gapless_core::task::Role;

use crate::context::Context;
use crate::output::plain;
use crate::settings::Settings;

/// What is said where there is nobody to be found.
const NOBODY: &str =
    "no agent was found; offline works from a catalogue of defaults, each for you to confirm";

/// What can be seen of the agents that may be there.
pub fn look(settings: &Settings) -> Vec<Sighting> {
    let around = Surroundings::of_this_process();
    let candidates = candidates(&settings.presets).into_iter();
    candidates.map(|candidate| around.look(candidate)).collect()
}

/// The agents of both roles, where those that are not named are looked for.
pub fn fill_in(
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
        let why = format!("{role}: {} ({}{other})", found.candidate.agent, seen(found));
        context.screen.note(&plain::clean(&why));
        found.candidate.agent.clone()
    };
    if choose(&sightings, None).is_none() {
        let looked_for = sightings.iter().map(|seen| seen.candidate.agent.as_str());
        let looked_for = looked_for.collect::<Vec<_>>().join(", ");
        context.screen.note(&plain::clean(&format!(
            "{NOBODY} (looked for {looked_for})"
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

/// What was seen of an agent, in words.
pub fn seen(sighting: &Sighting) -> String {
    let program = match (&sighting.candidate.needs, &sighting.program) {
        (Needs::Program(_), Some(path)) => Some(path.display().to_string()),
        (Needs::Program(name), None) => Some(format!("`{name}` is not on PATH")),
        (Needs::Key, _) => None,
    };
    let words: Vec<String> = program
        .into_iter()
        .chain([credentials(&sighting.credentials)])
        .collect();
    words.join(", ")
}

pub fn credentials(credentials: &Credentials) -> String {
    match credentials {
        Credentials::Key(name) => format!("{name} is set"),
        Credentials::SignedIn(_) => "signed in".to_owned(),
        Credentials::NotSeen => "no key or sign-in seen".to_owned(),
    }
}
