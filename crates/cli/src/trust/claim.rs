//! A claim: one thing that a folder would make gapless do outside of it.

use gapless_domain::TextHash;

use crate::plain;

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Agent,
    Definition,
    Provider,
    Environment,
    Repo,
    Template,
    Example,
}

impl Subject {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Subject::Agent => "agent",
            Subject::Definition => "definition",
            Subject::Provider => "provider",
            Subject::Environment => "environment",
            Subject::Repo => "repo",
            Subject::Template => "template",
            Subject::Example => "example",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) subject: Subject,
    /// What it would do, for people.
    what: String,
    /// Where that is written.
    place: String,
    hash: TextHash,
}

impl Claim {
    /// `content` is everything that may not change unseen.
    pub(crate) fn new(subject: Subject, what: &str, place: &str, content: &str) -> Self {
        Self {
            subject,
            what: plain::one_line(what),
            place: plain::one_line(place),
            hash: TextHash::of(&format!("{}\0{content}", subject.name())),
        }
    }

    /// What it would do, and where that is written.
    pub(crate) fn line(&self) -> String {
        format!("{} ({})", self.what, self.place)
    }

    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    pub(crate) fn hash(&self) -> TextHash {
        self.hash
    }
}

/// The hash over the contents of all claims, in whichever order they are.
pub(crate) fn hash_of(claims: &[Claim]) -> TextHash {
    let mut hashes: Vec<String> = claims.iter().map(|claim| claim.hash.to_string()).collect();
    hashes.sort();
    hashes.dedup();
    TextHash::of(&hashes.join("\n"))
}
