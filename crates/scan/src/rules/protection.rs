//! Rules for secrets and personal data that a spec names without saying how they are protected.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gapless_domain::Severity;
use gapless_domain::words::phrases;

use super::silence::said_near;
use crate::facts::Hit;
use crate::rule::{Found, quoted_around};
use crate::{Class, Facts, Purpose, Rule, Sentence, Topic};

pub static CREDENTIALS_UNPROTECTED: Rule = Rule {
    id: "credentials-unprotected",
    category: "SEC",
    severity: Severity::High,
    title: "How are these credentials protected?",
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
        "# Spec\n\n## Access\n\nClients send their API key with each request.\n\n## Storage\n\nEverything is encrypted with AES-256.",
        "# Spec\n\n## Access\n\nThe page shows a field for the password.",
    ],
    check: secrets,
};

pub static PERSONAL_DATA_UNPROTECTED: Rule = Rule {
    id: "personal-data-unprotected",
    category: "PRIV",
    severity: Severity::Medium,
    title: "Who sees this personal data, and how long is it kept?",
    reason: "Whoever keeps data about people must be able to say who sees it and when it goes.",
    suggestion: "say why it is kept, who can see it, how long, and how it is deleted on request",
    topic: Topic::Retention,
    bad: &[
        "# Spec\n\n## Accounts\n\nThe service stores the email address and date of birth of each user.",
    ],
    good: &[
        "# Spec\n\n## Accounts\n\nThe service stores the email address of each user until the account is deleted.",
        "# Spec\n\n## Accounts\n\nThe service sends a welcome message to the email address of the user.",
        "# Spec\n\n## Accounts\n\nThe service stores the email address.\n\n## Privacy\n\nEmail addresses are deleted 30 days after the account.",
    ],
    check: people,
};

fn secrets(facts: &Facts<'_>, found: &mut Found) {
    let question = "how is it stored, sent and revoked?";
    check(facts, Class::Secret, Class::Protect, question, found);
}

fn people(facts: &Facts<'_>, found: &mut Found) {
    let question = "who sees it, how long is it kept, and how is it deleted?";
    check(facts, Class::Personal, Class::Privacy, question, found);
}

/// Asks once for the whole spec, and only where nothing in it protects such data.
fn check(facts: &Facts<'_>, named: Class, guards: Class, question: &str, found: &mut Found) {
    if is_guarded(facts, named, guards) {
        return;
    }
    let mut handled = facts.obliging().filter(|sentence| {
        sentence.has(named) && sentence.has(Class::Handling) && !sentence.has(Class::Not)
    });
    let first = handled.find_map(|sentence| {
        let mut hits = facts.hits_of(sentence, named);
        let hit = hits.find(|hit| is_kept(facts, sentence, hit))?;
        Some((sentence, hit))
    });
    if let Some((sentence, hit)) = first {
        let span = facts.span_of_hit(hit);
        let message = format!("\"{}\": {question}", quoted_around(facts, sentence, &span));
        found.at(span, message);
    }
}

/// Whether the spec says somewhere how such data is protected: in a section about protection, beside the data, or for data
/// of all kinds.
fn is_guarded(facts: &Facts<'_>, named: Class, guards: Class) -> bool {
    facts.sections.iter().any(|section| {
        let own = section.own_classes;
        named == Class::Secret && own.has(Class::Encrypting)
            || section.purpose == Purpose::Protection && own.has(guards) && own.has(named)
            || own.has(named) && said_near(facts, section, named, guards)
    })
}

/// How many words a verb may be from what is kept.
const NEAR: usize = 10;

/// `the credential plugin`, `the password page`: the words are part of another name.
fn is_adjunct(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    static BEHIND: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| phrases(include_str!("../words/behind_data.txt")).collect());
    let behind = hit.first + hit.count;
    if behind >= sentence.words.end {
        return false;
    }
    let between = facts.between(&facts.words[behind - 1], &facts.words[behind]);
    let next = facts.word(behind).to_lowercase();
    between.trim().is_empty() && !BEHIND.contains(next.as_str())
}

/// Whether data is kept or handed on, and not only the address to which something is sent.
fn is_kept(facts: &Facts<'_>, sentence: &Sentence, hit: &Hit) -> bool {
    let before = (sentence.words.start..hit.first).rev().take(4);
    let mut before = before.map(|index| facts.word(index));
    let is_address = hit.classes.has(Class::Personal) && {
        let mut handled = facts.hits_of(sentence, Class::Handling);
        let sends = handled.any(|word| facts.word(word.first).to_lowercase().starts_with("sen"));
        sends && before.any(|word| word.eq_ignore_ascii_case("to"))
    };
    // `checks the setup (API keys, versions)` names them as an example.
    let ahead = facts.text(sentence.span.start..facts.words[hit.first].start);
    let is_aside = ahead.rfind('(') > ahead.rfind(')') && !sentence.is_strict();
    !is_address
        && !is_aside
        && !facts.is_in_quotes(sentence, facts.words[hit.first].start)
        && !is_adjunct(facts, sentence, hit)
        && facts.hits_of(sentence, Class::Keeping).any(|keeping| {
            // What is sent may be sent to a person, and not about one.
            let sends = facts.word(keeping.first).to_lowercase().starts_with("sen");
            let near = keeping.first.abs_diff(hit.first) <= NEAR;
            near && (!sends || hit.classes.has(Class::Secret))
        })
}
