//! What to do where a program wants its user to sign in: its own words are for its own prompt, which nobody sees here.

/// Words of programs, and how to sign in to the one that says them.
const HINTS: [(&str, &str); 8] = [
    (
        "/login",
        "start `claude` in a terminal and sign in with /login there, then `gapless resume`",
    ),
    (
        "claude login",
        "start `claude` in a terminal and sign in with /login there, then `gapless resume`",
    ),
    ("codex login", "run `codex login`, then `gapless resume`"),
    (
        "set an auth method",
        "start `gemini` in a terminal and choose how to sign in, or export GEMINI_API_KEY, then `gapless resume`",
    ),
    (
        "opencode auth login",
        "run `opencode auth login`, then `gapless resume`",
    ),
    (
        "not logged in",
        "sign in with the program itself, then `gapless resume`",
    ),
    (
        "please log in",
        "sign in with the program itself, then `gapless resume`",
    ),
    (
        "please sign in",
        "sign in with the program itself, then `gapless resume`",
    ),
];

/// How to sign in, where these words of a program ask for it.
pub(crate) fn sign_in_hint(said: &str) -> Option<&'static str> {
    let said = said.to_lowercase();
    let mut hints = HINTS.into_iter();
    hints.find_map(|(words, hint)| said.contains(words).then_some(hint))
}

/// The words with the hint behind them.
pub(crate) fn with_sign_in_hint(said: &str) -> String {
    match sign_in_hint(said) {
        Some(hint) => format!("{said}; {hint}"),
        None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_wants_its_user_to_sign_in_is_told_by_its_words() {
        let hint = |said| sign_in_hint(said).unwrap_or("none");
        assert!(hint("Invalid API key · Please run /login").contains("start `claude`"));
        assert!(hint("Please set an Auth method in your settings.json").contains("GEMINI_API_KEY"));
        assert!(hint("Not logged in. Run `codex login`.").contains("run `codex login`"));
        assert_eq!(
            hint("openai failed (500): the login service is down"),
            "none"
        );
    }
}
