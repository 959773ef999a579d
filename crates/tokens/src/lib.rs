//! The counting of tokens. An estimate from the shape of a text decides where it is far from a budget; near one the
//! text is counted with a real vocabulary, which is embedded, and loaded when it is first needed and not before.

use std::sync::LazyLock;

use tiktoken_rs::CoreBPE;

/// How far from a budget an estimate may be trusted, in percent.
const TRUSTED_DISTANCE: usize = 30;

/// The vocabulary. Agents count with others of their own; they differ by less than a budget's slack.
static VOCABULARY: LazyLock<Option<CoreBPE>> = LazyLock::new(|| tiktoken_rs::cl100k_base().ok());

/// What is counted in one go: what an agent wrote may be one endless line, and the counter's own time and stack must
/// not depend on that.
const PIECE_BYTES: usize = 8 * 1024;

pub fn count(text: &str) -> usize {
    let Some(vocabulary) = VOCABULARY.as_ref() else {
        return estimate(text);
    };
    pieces(text)
        .map(|piece| vocabulary.encode_ordinary(piece).len())
        .sum()
}

/// True where a text has at most this many tokens.
pub fn fits(text: &str, budget: usize) -> bool {
    measure(text, budget) <= budget
}

/// The tokens of a text, counted where they are near the budget and estimated where they are far from it.
pub fn measure(text: &str, budget: usize) -> usize {
    let estimate = estimate(text);
    let low = budget.saturating_mul(100 - TRUSTED_DISTANCE);
    let high = budget.saturating_mul(100 + TRUSTED_DISTANCE);
    match (low..=high).contains(&estimate.saturating_mul(100)) {
        true => count(text),
        false => estimate,
    }
}

/// What a run of characters is to a vocabulary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Capitals,
    Letters,
    Digits,
    Spaces,
    Breaks,
    Mark(u8),
    Other,
}

fn run_of(byte: u8) -> Run {
    match byte {
        b'A'..=b'Z' => Run::Capitals,
        b'a'..=b'z' => Run::Letters,
        b'0'..=b'9' => Run::Digits,
        b' ' | b'\t' => Run::Spaces,
        b'\n' | b'\r' => Run::Breaks,
        _ if byte.is_ascii() => Run::Mark(byte),
        _ => Run::Other,
    }
}

/// Estimates the tokens of a text from its words, numbers and marks.
pub fn estimate(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut tokens, mut at) = (0, 0);
    while let Some(first) = bytes.get(at) {
        let run = run_of(*first);
        let same = bytes[at..].iter().take_while(|byte| run_of(**byte) == run);
        let length = same.count();
        tokens += match run {
            // A capital opens the word behind it; what has several is an abbreviation or a code.
            Run::Capitals
                if length == 1 && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase) =>
            {
                0
            }
            Run::Capitals | Run::Digits => length.div_ceil(3),
            Run::Letters | Run::Mark(_) => length.div_ceil(8),
            // One space belongs to the word behind it.
            Run::Spaces => usize::from(length > 1),
            Run::Breaks => 1,
            Run::Other => text[at..at + length].chars().count(),
        };
        at += length;
    }
    tokens
}

/// A text in pieces of a bounded size, cut behind a line where there is one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len().min(PIECE_BYTES);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        if end < rest.len()
            && let Some(line_end) = rest[..end].rfind('\n')
        {
            end = line_end + 1;
        }
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "The sender retries a delivery after 5, 25 and 125 seconds. When the third retry fails, the \
        delivery is marked `failed`, and the owner of the endpoint gets one e-mail per day that lists them all.\n\n\
        - **Limit:** 100 requests per second and account; above it the answer is `429` with a `Retry-After`.\n";

    #[test]
    fn texts_are_counted_with_the_vocabulary() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert_eq!(count("## Gap Resolution: GAP-API-001\n"), 9);
    }

    #[test]
    fn the_estimate_is_near_for_prose_code_and_codes() {
        let code =
            "fn main() {\n    let total: u64 = items.iter().map(|item| item.price * 3).sum();\n}\n";
        let table = "| key | default | range |\n|---|---|---|\n| `gaps_per_round` | 3 | 1-10 |\n";
        for text in [
            PROSE,
            code,
            table,
            "漢字仮名交じり文で書かれた仕様書の一節です。",
        ] {
            let (estimated, counted) = (estimate(text), count(text));
            assert!(
                estimated * 100 >= counted * 70 && estimated * 100 <= counted * 150,
                "{estimated} for {counted}: {text}"
            );
        }
    }

    #[test]
    fn near_a_budget_the_count_decides_to_the_token() {
        let counted = count(PROSE);
        assert!(fits(PROSE, counted) && !fits(PROSE, counted - 1));
        assert!(fits(PROSE, counted * 10) && !fits(PROSE, counted / 10));
        assert_eq!(measure(PROSE, counted), counted);
        assert_eq!(measure(PROSE, counted * 10), estimate(PROSE));
    }

    #[test]
    fn endless_lines_are_counted() {
        for text in [
            " ".repeat(3_000_000),
            "ab".repeat(300_000),
            "é".repeat(100_000),
        ] {
            let counted = count(&text);
            assert!(counted > 0 && counted <= text.len(), "{counted}");
        }
    }
}
