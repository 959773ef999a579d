//! Trust: what a folder would make gapless run, send or read outside of it is a claim. A claim has no effect before the user
//! allowed it on this machine; what the user typed needs no permission.
//!
//! A grant is for one workspace and for the content of a claim, so that a changed claim is asked for again.

mod claim;
mod gate;
mod gather;
mod grants;
mod guard;
mod session_claims;
mod whole_workspace;

pub(crate) use claim::hash_of;
pub(crate) use gate::{allow, remember, require};
pub(crate) use gather::{Gathered, Gathering, Origin};
pub(crate) use grants::Grants;
pub(crate) use guard::{AGENT_FIELD, Passed, TrustedAgents, TypedAgents};
pub(crate) use session_claims::SessionClaims;
pub(crate) use whole_workspace::WholeWorkspace;
