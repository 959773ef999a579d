//! Rules for what a whole spec leaves out about access: who may use it, how often, with which secrets, and for how long.

use gapless_domain::Severity;

use super::asking::has_number;
use super::omissions::{has_word, omits, omits_where};
use crate::facts::Classes;
use crate::rule::Found;
use crate::{Class, Facts, Rule, Sentence, Topic};

pub static ACCESS_UNSAID: Rule = Rule {
    id: "access-unsaid",
    category: "ACCESS",
    severity: Severity::Medium,
    title: "Who may use these endpoints or pages?",
    reason: "Left alone, it is open to everybody, or each endpoint guesses.",
    suggestion: "say who may do what, how they are known, and what the others get",
    topic: Topic::Authorisation,
    bad: &["The system must provide an endpoint to register devices."],
    good: &[
        "The system must provide an endpoint to register devices.\n\nOnly administrators may register devices.",
        "The tool must print the list.",
    ],
    check: access,
};

pub static RATE_LIMIT_UNSAID: Rule = Rule {
    id: "rate-limit-unsaid",
    category: "LIMIT",
    severity: Severity::Medium,
    title: "How often may one caller call this?",
    reason: "Somebody will call them a thousand times a second.",
    suggestion: "give the limit for each caller and what a refused one gets, or say where it is enforced",
    topic: Topic::RateLimit,
    bad: &["All search endpoints must be public."],
    good: &["All search endpoints must be public, with a rate limit of 60 requests a minute."],
    check: rates,
};

pub static SIGN_IN_ATTEMPTS: Rule = Rule {
    id: "sign-in-attempts",
    category: "ACCESS",
    severity: Severity::Medium,
    title: "What happens after several wrong passwords?",
    reason: "Without a limit, somebody tries all common passwords in an afternoon.",
    suggestion: "say how many attempts there are, what happens after them, and how an account is unlocked",
    topic: Topic::Authentication,
    bad: &["A user must be able to log in with an email address and a password."],
    good: &[
        "A user must be able to log in with a password. The account is locked after 5 wrong ones.",
    ],
    check: attempts,
};

pub static SERVICE_CREDENTIALS: Rule = Rule {
    id: "service-credentials",
    category: "SECRET",
    severity: Severity::Low,
    title: "Where are the credentials of this service kept?",
    reason: "Keys end up in the code where nobody says where else they go.",
    suggestion: "say which credentials it needs, where they are kept, and who may change them",
    topic: Topic::Secrets,
    bad: &["The system must notify the user over Telegram."],
    good: &[
        "The system must notify the user over Telegram. The bot's token is read from the environment.",
    ],
    check: vendors,
};

pub static PASSWORD_RULES: Rule = Rule {
    id: "password-rules",
    category: "ACCESS",
    severity: Severity::Medium,
    title: "Which passwords are accepted?",
    reason: "The form, the server and the tests each need the same rule.",
    suggestion: "give the least length and what else is required, and what the user is told",
    topic: Topic::Authentication,
    bad: &["The system must refuse a weak password."],
    good: &["The system must refuse a weak password: one of fewer than 12 characters."],
    check: passwords,
};

pub static TOKEN_LIFETIME: Rule = Rule {
    id: "token-lifetime",
    category: "ACCESS",
    severity: Severity::Medium,
    title: "How long is the link, the code or the session valid?",
    reason: "Somebody will find the link in an old mailbox.",
    suggestion: "say how long it is valid, how often it can be used, and what an expired one gets",
    topic: Topic::Authentication,
    bad: &["The system must send a reset link to the address of the account."],
    good: &["The system must send a reset link, which expires after 30 minutes."],
    check: tokens,
};

fn access(facts: &Facts<'_>, found: &mut Found) {
    let question =
        "who may do this, and how does the system know them? The spec says nothing on access.";
    omits_where(
        facts,
        found,
        Class::Exposed,
        Classes::of(Class::Access),
        question,
        |sentence| !has_word(facts, sentence, &["if", "external", "remote", "upstream"]),
    );
}

fn rates(facts: &Facts<'_>, found: &mut Found) {
    let question = "how often may one caller do this? The spec has no rate limit.";
    const DOORS: [&str; 7] = [
        "endpoint",
        "endpoints",
        "route",
        "routes",
        "form",
        "page",
        "pages",
    ];
    omits_where(
        facts,
        found,
        Class::Open,
        Classes::of(Class::Throttled),
        question,
        |sentence| has_word(facts, sentence, &DOORS),
    );
}

fn attempts(facts: &Facts<'_>, found: &mut Found) {
    const PASSWORDS: [&str; 2] = ["password", "passwords"];
    let question = "what happens after several wrong passwords? The spec sets no limit.";
    let answers = Classes::of(Class::Throttled)
        .with(Class::Conflict)
        .with(Class::Repeated);
    omits_where(facts, found, Class::SignIn, answers, question, |sentence| {
        has_word(facts, sentence, &PASSWORDS)
    });
}

fn vendors(facts: &Facts<'_>, found: &mut Found) {
    let question = "which credentials does it need, and where are they kept? The spec doesn't say.";
    omits(
        facts,
        found,
        Class::Vendor,
        Classes::of(Class::Keyed),
        question,
    );
}

fn passwords(facts: &Facts<'_>, found: &mut Found) {
    const BEFORE: [&str; 4] = ["weak", "strong", "secure", "valid"];
    const BEHIND: [&str; 5] = ["strength", "complexity", "policy", "requirements", "rules"];
    const WORDS: [&str; 2] = ["password", "passwords"];
    let is_ruled = |sentence: &Sentence| {
        has_word(facts, sentence, &WORDS)
            && has_number(facts, sentence)
            && has_word(
                facts,
                sentence,
                &["characters", "character", "length", "chars", "digits"],
            )
    };
    if facts.sentences.iter().any(is_ruled) {
        return;
    }
    let question = "which passwords are accepted? The spec gives no rule for them.";
    omits_where(
        facts,
        found,
        Class::Secret,
        Classes::default(),
        question,
        |sentence| {
            let mut words = sentence
                .words
                .clone()
                .filter(|index| WORDS.contains(&facts.word(*index)));
            words.any(|index| {
                BEFORE.contains(&facts.word(index.wrapping_sub(1)))
                    || BEHIND.contains(&facts.word(index + 1))
            })
        },
    );
}

fn tokens(facts: &Facts<'_>, found: &mut Found) {
    let is_limited = |sentence: &Sentence| {
        sentence.has(Class::Lifetime) && sentence.has(Class::Token) && has_number(facts, sentence)
            || has_word(
                facts,
                sentence,
                &["expiration", "expires", "expire", "expiry", "ttl", "valid"],
            ) && has_number(facts, sentence)
    };
    if facts.sentences.iter().any(is_limited) {
        return;
    }
    const ISSUING: [&str; 16] = [
        "send",
        "sends",
        "sent",
        "generate",
        "generates",
        "generated",
        "issue",
        "issues",
        "issued",
        "create",
        "creates",
        "return",
        "returns",
        "receive",
        "invite",
        "extend",
    ];
    let question = "how long is it valid? The spec gives no lifetime.";
    omits_where(
        facts,
        found,
        Class::Token,
        Classes::default(),
        question,
        |sentence| has_word(facts, sentence, &ISSUING),
    );
}
