//! What holds of cutting texts to budgets: a cut text is within its budget, says that it was cut, and is cut no further.

use gapless_domain::shortened;
use gapless_mediator::examples::{TRUNCATED, shorten};
use gapless_tokens::{count, estimate, fits, measure};

use crate::input::Input;

/// With less room than this an example is left out.
const LEAST_TOKENS: usize = 40;

/// Any text and any budget.
pub fn truncation(data: &[u8]) {
    let mut input = Input::new(data);
    let budget = usize::from(input.number());
    let budget = if input.yes() { budget % 300 } else { budget };
    let text = String::from_utf8_lossy(input.rest()).into_owned();
    assert_measured(&text, budget);
    assert_example(&text, budget);
    assert_prefix(&text, budget);
}

fn assert_measured(text: &str, budget: usize) {
    let counted = count(text);
    assert!(
        counted <= text.len(),
        "{counted} tokens in {} bytes",
        text.len()
    );
    assert_eq!(counted == 0, text.is_empty());
    let measured = measure(text, budget);
    assert!(measured == counted || measured == estimate(text));
    assert_eq!(fits(text, budget), measured <= budget);
}

fn assert_example(text: &str, budget: usize) {
    let cut = shorten(text, budget);
    assert_eq!(cut, shorten(text, budget), "cut twice, and not the same");
    let Some(cut) = cut else {
        let none_left = text.trim().is_empty() || budget < LEAST_TOKENS;
        assert!(
            none_left,
            "nothing is left of {} bytes within {budget}",
            text.len()
        );
        return;
    };
    if cut == text.trim() {
        assert!(
            fits(&cut, budget) || count(&cut) <= budget,
            "not cut, and too long"
        );
        return;
    }
    assert!(
        count(&cut) <= budget,
        "{} tokens of {budget}:\n{cut}",
        count(&cut)
    );
    assert!(
        cut.ends_with(TRUNCATED),
        "it does not say that it was cut:\n{cut}"
    );
    // What takes hardly any tokens for its length is not counted.
    if cut.len() <= budget * 16 {
        let again = shorten(&cut, budget);
        assert_eq!(again, Some(cut.clone()), "what was cut is cut again");
    }
    // What is left stood there: the marks of a cut aside, every line of it does.
    for line in cut
        .lines()
        .filter(|line| !line.trim().is_empty() && *line != TRUNCATED)
    {
        let begun = line.strip_suffix(" …").unwrap_or(line);
        let is_fence = begun
            .trim_start()
            .bytes()
            .all(|byte| matches!(byte, b'`' | b'~'));
        assert!(
            is_fence || text.contains(begun),
            "{begun:?} stands nowhere in the text"
        );
    }
}

fn assert_prefix(text: &str, longest: usize) {
    let cut = shortened(text, longest);
    match cut.rsplit_once("\n[shortened: ") {
        Some((kept, said)) if text.len() > longest => {
            assert!(kept.len() <= longest && text.starts_with(kept));
            assert_eq!(
                said,
                format!("{} of {} characters]", kept.len(), text.len())
            );
        }
        _ => assert_eq!(cut, text),
    }
}
