//! The words that detection goes by, as data files: what carries no concern, what deflects, what offers an alternative,
//! what only lists an id, what only claims.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use gapless_domain::words::phrases;

macro_rules! list {
    ($file:literal) => {
        LazyLock::new(|| {
            let phrases = phrases(include_str!($file));
            phrases
                .map(|phrase| (phrase, Finder::new(phrase)))
                .collect()
        })
    };
}

pub static DEFLECTIONS: List = list!("words/deflections.txt");
pub static ALTERNATIVES: List = list!("words/alternatives.txt");
pub static ASIDES: List = list!("words/asides.txt");
pub static DEFERRALS: List = list!("words/deferrals.txt");
pub static MENTIONS: List = list!("words/mentions.txt");

/// Phrases that texts are searched for, made ready once.
pub type List = LazyLock<Vec<(&'static str, Finder<'static>)>>;

/// The first phrase of a list that stands in a text, which is [`straight`], as whole words.
pub fn phrase_in(list: &List, text: &str) -> Option<&'static str> {
    let stands = |(phrase, finder): &&(&str, Finder)| {
        let mut places = finder.find_iter(text.as_bytes());
        places.any(|at| is_whole(text, at, phrase))
    };
    list.iter().find(stands).map(|(phrase, _)| *phrase)
}

/// Whether a lowercase phrase stands in a lowercase text as whole words.
pub fn stands_in(phrase: &str, text: &str) -> bool {
    let mut places = text.match_indices(phrase);
    !phrase.is_empty() && places.any(|(at, _)| is_whole(text, at, phrase))
}

fn is_whole(text: &str, at: usize, phrase: &str) -> bool {
    let open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    open(text[..at].chars().next_back()) && open(text[at + phrase.len()..].chars().next())
}

/// Lowercase, on one line, with straight quotes and no emphasis, so that phrases compare.
pub fn straight(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !(line.is_empty() || line.ends_with(' ')) {
            line.push(' ');
        }
        if word.bytes().all(|b| b.is_ascii() && b != b'*' && b != b'`') {
            let start = line.len();
            line.push_str(word);
            line[start..].make_ascii_lowercase();
            continue;
        }
        for c in word.chars() {
            match c {
                '\u{2018}' | '\u{2019}' => line.push('\''),
                '\u{201c}' | '\u{201d}' => line.push('"'),
                '*' | '`' => {}
                c if c.is_ascii() => line.push(c.to_ascii_lowercase()),
                c => line.extend(c.to_lowercase()),
            }
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words() {
        let found = |list: &List, text: &str| phrase_in(list, &straight(text));
        assert_eq!(
            found(&DEFLECTIONS, "The reviewer **misunderstood** the plan."),
            Some("misunderstood")
        );
        assert_eq!(
            found(&DEFLECTIONS, "This isn\u{2019}t a\nreal issue."),
            Some("isn't a real issue")
        );
        assert_eq!(found(&ASIDES, "counterexamples"), None);
        assert_eq!(found(&DEFLECTIONS, ""), None);
    }

    #[test]
    fn a_straight_text_is_its_own() {
        for text in ["a ** b", "** a", "a **", "A\u{2019}S  `b`\n*c* É"] {
            let once = straight(text);
            assert_eq!(straight(&once), once);
        }
    }

    #[test]
    fn every_list_is_lowercase_and_has_entries() {
        let searched = [&DEFLECTIONS, &ALTERNATIVES, &ASIDES, &DEFERRALS, &MENTIONS];
        let searched = searched.map(|list| list.iter().map(|(phrase, _)| *phrase).collect());
        for list in searched {
            let list: Vec<&str> = list;
            assert!(list.len() > 5);
            assert!(list.iter().all(|phrase| *phrase == phrase.to_lowercase()));
        }
    }
}
