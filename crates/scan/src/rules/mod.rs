//! The table of rules: one row each, one file for each family.

mod accounts;
mod asking;
mod bounds;
mod data;
mod deeds;
mod edges;
mod extents;
mod failure;
mod fields;
mod figures;
mod ignoring;
mod measures;
mod modals;
mod omissions;
mod open_lists;
mod placeholders;
mod protection;
mod qualifiers;
mod references;
mod requirements;
mod sections;
mod settings;
mod silence;
mod states;
mod statuses;
mod stories;
mod targets;
mod terms;
mod triggers;
mod undecided;
mod units;
mod vagueness;

use crate::Rule;

pub use placeholders::PLACEHOLDER;

/// Every rule, in the order in which they are listed.
pub static ALL: [&Rule; 67] = [
    &placeholders::PLACEHOLDER,
    &sections::EMPTY_SECTION,
    &sections::THIN_SECTION,
    &vagueness::VAGUE_QUANTITY,
    &qualifiers::VAGUE_QUALIFIER,
    &open_lists::OPEN_LIST,
    &units::MISSING_UNIT,
    &terms::UNDEFINED_ACRONYM,
    &terms::UNDEFINED_TERM,
    &terms::DUPLICATE_DEFINITION,
    &references::DANGLING_REFERENCE,
    &requirements::NO_ACTOR,
    &requirements::UNMEASURABLE,
    &failure::FAILURE_PATH,
    &silence::RETRY_WITHOUT_LIMIT,
    &silence::UNBOUNDED_RESULT,
    &silence::CACHE_LIFETIME,
    &modals::CONTRADICTORY_MODALS,
    &states::STATE_UNREACHABLE,
    &states::STATE_DEAD_END,
    &states::STATE_AMBIGUOUS,
    &fields::FIELD_TYPE,
    &fields::FIELD_BOUND,
    &protection::CREDENTIALS_UNPROTECTED,
    &protection::PERSONAL_DATA_UNPROTECTED,
    &bounds::UNNUMBERED_BOUND,
    &bounds::UNDATED_STATE,
    &measures::UNDEFINED_MEASURE,
    &measures::UNSTATED_CRITERIA,
    &extents::ENOUGH_FOR_WHAT,
    &extents::OPEN_SELECTION,
    &extents::UNNAMED_MATTER,
    &extents::UNTESTED_IDEAL,
    &undecided::UNDECIDED_CHOICE,
    &edges::EDGE_CASE_OPEN,
    &triggers::TRIGGER_UNSAID,
    &statuses::STATUS_UNUSED,
    &accounts::ACCESS_UNSAID,
    &data::RETENTION_UNSAID,
    &omissions::TIMEOUT_UNSAID,
    &accounts::RATE_LIMIT_UNSAID,
    &data::TRANSFER_LIMIT_UNSAID,
    &omissions::HANDLED_TWICE,
    &omissions::CONCURRENT_EDIT,
    &omissions::CONTENDED_THING,
    &omissions::CAPACITY_UNSAID,
    &data::TIME_ZONE_UNSAID,
    &data::PAYLOAD_UNSAID,
    &accounts::SIGN_IN_ATTEMPTS,
    &accounts::SERVICE_CREDENTIALS,
    &data::DELETION_EFFECT,
    &stories::STORY_WITHOUT_ACCEPTANCE,
    &stories::ENDPOINT_WITHOUT_ERRORS,
    &figures::CONFLICTING_FIGURES,
    &accounts::PASSWORD_RULES,
    &accounts::TOKEN_LIFETIME,
    &omissions::NOTIFICATION_CHANNEL,
    &data::ROUNDING_UNSAID,
    &omissions::PARTIAL_FAILURE,
    &data::EXISTING_DATA,
    &targets::TARGET_UNSAID,
    &targets::EMPTY_CELL,
    &targets::EXAMPLE_LIST,
    &settings::OPTION_WITHOUT_DEFAULT,
    &settings::EXIT_CODES_UNSAID,
    &settings::DAMAGED_FILE,
    &ignoring::IGNORE_COMMENT,
];

/// The rules that run only where a project gives them a severity: on most specs they are right too seldom.
pub const OFF: [&str; 4] = [
    settings::EXIT_CODES_UNSAID.id,
    terms::UNDEFINED_ACRONYM.id,
    terms::UNDEFINED_TERM.id,
    requirements::NO_ACTOR.id,
];

/// The rules that need no word of a language: of a spec in one that the rules don't know, only these have something to say.
pub const OF_ANY_LANGUAGE: [&str; 8] = [
    placeholders::PLACEHOLDER.id,
    sections::EMPTY_SECTION.id,
    references::DANGLING_REFERENCE.id,
    states::STATE_UNREACHABLE.id,
    states::STATE_DEAD_END.id,
    states::STATE_AMBIGUOUS.id,
    targets::EMPTY_CELL.id,
    ignoring::IGNORE_COMMENT.id,
];

/// The rules that find words. Only other words in their place settle what these find.
pub const OF_WORDS: [&str; 10] = [
    placeholders::PLACEHOLDER.id,
    vagueness::VAGUE_QUANTITY.id,
    qualifiers::VAGUE_QUALIFIER.id,
    open_lists::OPEN_LIST.id,
    units::MISSING_UNIT.id,
    requirements::UNMEASURABLE.id,
    modals::CONTRADICTORY_MODALS.id,
    extents::ENOUGH_FOR_WHAT.id,
    undecided::UNDECIDED_CHOICE.id,
    targets::EXAMPLE_LIST.id,
];

pub fn by_id(id: &str) -> Option<&'static Rule> {
    ALL.into_iter().find(|rule| rule.id == id)
}

pub fn ids() -> Vec<&'static str> {
    ALL.iter().map(|rule| rule.id).collect()
}
