//! Owns the words that detection goes by, as data files: what carries no concern, what deflects, what offers an alternative,
//! what only lists an id, what only claims.

/// Function words, and the words of any complaint and any proposal.
pub const STOP_WORDS: &str = include_str!("words/stop_words.txt");
pub const DEFLECTIONS: &str = include_str!("words/deflections.txt");
pub const ALTERNATIVES: &str = include_str!("words/alternatives.txt");
pub const ASIDES: &str = include_str!("words/asides.txt");
pub const DEFERRALS: &str = include_str!("words/deferrals.txt");
pub const CLAIMS: &str = include_str!("words/claims.txt");

/// The entries of a list that has one on each line.
pub fn phrases(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The first phrase of a list that stands in a text as whole words, whatever its case.
pub fn phrase_in(list: &'static str, text: &str) -> Option<&'static str> {
    let text = straight(text);
    phrases(list).find(|phrase| stands_in(phrase, &text))
}

/// Whether a lowercase phrase stands in a lowercase text as whole words.
pub fn stands_in(phrase: &str, text: &str) -> bool {
    let open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    !phrase.is_empty()
        && text.match_indices(phrase).any(|(at, found)| {
            open(text[..at].chars().next_back()) && open(text[at + found.len()..].chars().next())
        })
}

/// Lowercase, on one line, with straight quotes and no emphasis, so that phrases compare.
pub fn straight(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            match c {
                '\u{2018}' | '\u{2019}' => line.push('\''),
                '\u{201c}' | '\u{201d}' => line.push('"'),
                '*' | '`' => {}
                c => line.extend(c.to_lowercase()),
            }
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words() {
        assert_eq!(
            phrase_in(DEFLECTIONS, "The reviewer **misunderstood** the plan."),
            Some("misunderstood")
        );
        assert_eq!(
            phrase_in(DEFLECTIONS, "This isn\u{2019}t a\nreal issue."),
            Some("isn't a real issue")
        );
        assert_eq!(phrase_in(ASIDES, "counterexamples"), None);
        assert_eq!(phrase_in(DEFLECTIONS, ""), None);
    }

    #[test]
    fn every_list_is_lowercase_and_has_entries() {
        for list in [
            DEFLECTIONS,
            ALTERNATIVES,
            ASIDES,
            DEFERRALS,
            CLAIMS,
            STOP_WORDS,
        ] {
            assert!(phrases(list).count() > 5);
            assert!(phrases(list).all(|phrase| phrase == phrase.to_lowercase()));
        }
    }
}
