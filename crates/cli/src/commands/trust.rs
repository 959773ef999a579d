//! `gapless trust`: shows what a folder would make gapless do outside of it, and allows that or takes it back.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json as value};

use crate::trust::{Grants, WholeWorkspace, allow, hash_of};
use crate::{Context, Exit, Failure, Kind, Result, Tone, Workspace, json};

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// The spec whose gapless.toml is meant (default: the one that is found from the current folder upwards)
    spec: Option<PathBuf>,
    /// Only show what the folder wants, and what of it is allowed
    #[arg(long, conflicts_with_all = ["revoke", "yes"])]
    show: bool,
    /// Take back everything that was allowed
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
    /// Allow everything that the folder wants, without a question
    #[arg(long)]
    yes: bool,
}

impl TrustArgs {
    /// Whether it allows something, or takes that back.
    pub(super) fn changes(&self) -> bool {
        !self.show
    }
}

pub(crate) fn run(context: &Context, args: &TrustArgs) -> Result<Exit> {
    let (workspace, spec) = match &args.spec {
        Some(spec) => {
            let spec = context.resolve(spec);
            (Workspace::of_spec(context, &spec)?, spec)
        }
        None => (Workspace::to_make(context)?, context.here.join("spec.md")),
    };
    let mut grants = Grants::of(&workspace)?;
    if args.revoke {
        return revoke(context, &workspace, &mut grants);
    }
    let whole = WholeWorkspace::read(&workspace, &spec)?;
    for why in &whole.unreadable {
        context.screen.note(&format!("! not looked at: {why}"));
    }
    let missing = whole.claims.iter().filter(|claim| !grants.has(claim));
    let missing: Vec<_> = missing.cloned().collect();
    let refused = match args {
        _ if missing.is_empty() || args.show => false,
        TrustArgs { yes: true, .. } => {
            grants.add(&missing)?;
            false
        }
        _ if context.terminal.is_some() => !allow(context, &mut grants, &missing)?,
        _ => true,
    };
    show(context, &workspace, &grants, &whole);
    match refused {
        true => Err(Failure::new(Kind::Trust, "nothing was allowed")
            .hint("allow it without a question: gapless trust --yes")),
        false => Ok(Exit::Done),
    }
}

fn revoke(context: &Context, workspace: &Workspace, grants: &mut Grants) -> Result<Exit> {
    let had_some = !grants.is_empty();
    grants.revoke()?;
    let root = workspace.root();
    context.screen.line(&match had_some {
        true => format!("Taken back: {} is not trusted any more.", root.display()),
        false => format!("{} was not trusted.", root.display()),
    });
    if context.screen.is_json() {
        json::print(&value!({ "workspace": root, "revoked": had_some }));
    }
    Ok(Exit::Done)
}

fn show(context: &Context, workspace: &Workspace, grants: &Grants, whole: &WholeWorkspace) {
    let screen = &context.screen;
    let claims = &whole.claims;
    let root = workspace.root();
    let trusted = claims.iter().all(|claim| grants.has(claim));
    let head = match (claims.is_empty(), trusted) {
        (true, _) => "wants nothing outside of it: there is nothing to allow",
        (false, true) => "is trusted with",
        (false, false) => "is not trusted with all that it wants",
    };
    screen.line(&format!("{} {head}", root.display()));
    for claim in claims {
        let mark = match grants.has(claim) {
            true => screen.paint(Tone::Good, "✓"),
            false => screen.paint(Tone::Bad, "✗"),
        };
        screen.line(&format!("  {mark} {}", claim.line()));
    }
    if screen.is_json() {
        let items: Vec<Value> = claims
            .iter()
            .map(|claim| {
                value!({
                    "subject": claim.subject.name(),
                    "what": claim.what(),
                    "place": claim.place(),
                    "hash": claim.hash().to_string(),
                    "trusted": grants.has(claim),
                })
            })
            .collect();
        json::print(&value!({
            "workspace": root,
            "trusted": trusted,
            "hash": hash_of(claims).to_string(),
            "items": items,
            "unreadable": whole.unreadable,
        }));
    }
}
