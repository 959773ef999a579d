//! Rules for secrets and personal data that a spec names without saying how they are protected.

use std::collections::BTreeSet;

use gapless_domain::Severity;
use gapless_markdown::BlockKind;

use super::silence::said_near;
use crate::facts::normalised;
use crate::rule::{Found, quoted};
use crate::{Class, Facts, Purpose, Rule, Topic};

pub static CREDENTIALS_UNPROTECTED: Rule = Rule {
    id: "credentials-unprotected",
    category: "SEC",
    severity: Severity::High,
    title: "credentials with no word on how they are protected",
    reason: "A secret that is stored, sent or logged as it comes is a breach that the spec allowed.",
    suggestion: "say how it is stored and sent, who can read it, that it is never logged, and how it expires or is revoked",
    topic: Topic::Secrets,
    bad: &[
        "# Spec\n\n## Accounts\n\nThe service stores the user's name and password in the users table.",
        "# Spec\n\n## Access\n\nClients send their API key with each request.",
    ],
    good: &[
        "# Spec\n\n## Accounts\n\nThe service stores the password hashed with argon2id.",
        "# Spec\n\n## Access\n\nClients send their API key with each request.\n\n## Security\n\nAPI keys are sent over TLS only and never logged.",
        "# Spec\n\n## Words\n\nA secret ballot is held.",
    ],
    check: secrets,
};

pub static PERSONAL_DATA_UNPROTECTED: Rule = Rule {
    id: "personal-data-unprotected",
    category: "PRIV",
    severity: Severity::High,
    title: "personal data with no word on how long and for whom",
    reason: "Whoever keeps data about people must be able to say who sees it and when it goes.",
    suggestion: "say why it is kept, who can see it, how long, and how it is deleted on request",
    topic: Topic::Retention,
    bad: &[
        "# Spec\n\n## Accounts\n\nThe service stores the email address and date of birth of each user.",
    ],
    good: &[
        "# Spec\n\n## Accounts\n\nThe service stores the email address of each user until the account is deleted.",
        "# Spec\n\n## Accounts\n\nThe service stores the email address.\n\n## Privacy\n\nEmail addresses are deleted 30 days after the account.",
    ],
    check: people,
};

fn secrets(facts: &Facts<'_>, found: &mut Found) {
    check(facts, Class::Secret, Class::Protect, found, |shown| {
        format!("`{shown}` is handled here, and nothing says how it is protected")
    });
}

fn people(facts: &Facts<'_>, found: &mut Found) {
    check(facts, Class::Personal, Class::Privacy, found, |shown| {
        format!(
            "`{shown}` is personal data: who sees it, how long it is kept and how it is deleted is not said"
        )
    });
}

/// Names that cover all of their kind.
const GENERAL: [&str; 6] = [
    "secret",
    "credential",
    "personal data",
    "personal information",
    "personally identifiable",
    "pii",
];

/// What the sections on security and privacy say how to protect.
fn guarded_names(facts: &Facts<'_>, named: Class, guards: Class) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for section in &facts.sections {
        if section.purpose != Purpose::Protection || !section.own_classes.has(guards) {
            continue;
        }
        for sentence in &facts.sentences[section.sentences.clone()] {
            let hits = facts.hits_of(sentence, named);
            names.extend(hits.map(|hit| normalised(facts.text(facts.span_of_hit(hit)))));
        }
    }
    names
}

fn check(
    facts: &Facts<'_>,
    named: Class,
    guards: Class,
    found: &mut Found,
    message: fn(&str) -> String,
) {
    let guarded = guarded_names(facts, named, guards);
    for section in &facts.sections {
        if section.is_informative
            || !section.own_classes.has(named)
            || said_near(facts, section, named, guards)
        {
            continue;
        }
        let mut sentences = facts.sentences[section.sentences.clone()].iter();
        let sentence = sentences.find(|sentence| {
            sentence.has(named)
                && sentence.has(Class::Handling)
                && facts.block_of(sentence).kind != BlockKind::Heading
                && !sentence.is_recorded_gap
                && !sentence.is_quoted
                && !sentence.has(Class::Not)
        });
        let hit = sentence.and_then(|sentence| facts.hits_of(sentence, named).next());
        if let Some(hit) = hit {
            let span = facts.span_of_hit(hit);
            let shown = quoted(facts.text(span.clone()));
            let name = normalised(&shown);
            if !guarded.contains(&name) && !GENERAL.iter().any(|general| guarded.contains(*general))
            {
                found.at(span, message(&shown));
            }
        }
    }
}
