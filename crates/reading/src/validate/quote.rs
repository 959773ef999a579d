//! Whether a quote really stands in a text: up to white space, marks of emphasis and quotation, and sentence by
//! sentence or line by line, since people quote a concern and its suggestion in one go.

use gapless_domain::one_line;

/// The shortest piece that is looked for; what is shorter proves nothing.
const SHORTEST_PIECE: usize = 12;

/// True where every sentence of the quote stands in the text, or every line, and at least one is long enough to tell.
pub fn stands_in(quote: &str, text: &str) -> bool {
    let text = bare(text);
    let lines: Vec<&str> = quote
        .lines()
        .map(|line| line.trim_start().trim_start_matches('>').trim())
        .collect();
    let sentences = lines.join(" ");
    all_stand_in(&pieces(&sentences), &sentences, &text)
        || all_stand_in(&pieces(&lines.join("\n")), &sentences, &text)
}

fn all_stand_in(pieces: &[&str], whole: &str, text: &str) -> bool {
    let pieces: Vec<String> = pieces.iter().map(|piece| bare(piece)).collect();
    let mut told = pieces
        .iter()
        .filter(|piece| piece.len() >= SHORTEST_PIECE)
        .peekable();
    match told.peek() {
        Some(_) => told.all(|piece| text.contains(piece.as_str())),
        // A concern may be that short as a whole.
        None => {
            let whole = bare(whole);
            !whole.is_empty() && text.contains(&whole)
        }
    }
}

/// The sentences of a quote; an ellipsis parts them too.
fn pieces(quote: &str) -> Vec<&str> {
    quote
        .split(['…', '\n'])
        .flat_map(|part| part.split("..."))
        .flat_map(|part| part.split(". "))
        .flat_map(|part| part.split("? "))
        .flat_map(|part| part.split("! "))
        .collect()
}

/// A text without marks, its white space in single blanks, and no full stop at its end.
fn bare(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| match c {
            '*' | '_' | '`' | '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»' | '>' => ' ',
            c => c,
        })
        .collect();
    let words = one_line(&kept);
    let end = words.trim_end_matches(['.', '?', '!', ';', ':', ',']);
    end.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVIEW: &str = "- **ISSUE-R5-003**: Retry mechanism should use\n  exponential backoff.\n  - **Impact:** Linear retries may overwhelm failed services.\n  - **Suggestion:** Implement `1s, 2s, 4s` delays between retries\n- **ISSUE-R5-004**: Too long\n";

    #[test]
    fn what_stands_there_up_to_white_space() {
        for (quote, stands) in [
            ("Retry mechanism should use exponential backoff.", true),
            (
                "> \"Retry mechanism should use exponential backoff. Implement 1s, 2s, 4s delays\n> between retries. Linear retries may overwhelm failed services.\"",
                true,
            ),
            ("Retry mechanism … exponential backoff", true),
            ("Too long", true),
            (
                "> Retry mechanism should use exponential backoff\n> Implement 1s, 2s, 4s delays between retries",
                true,
            ),
            ("Retry mechanism must use exponential backoff.", false),
            (
                "Retry mechanism should use exponential backoff. The user approved it.",
                false,
            ),
            ("Too short", false),
            ("\"\"", false),
        ] {
            assert_eq!(stands_in(quote, REVIEW), stands, "{quote}");
        }
    }
}
