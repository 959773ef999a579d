//! What holds of cutting texts to budgets: a cut text is within its budget, says that it was cut, and is cut no further.

use gapless_domain::shortened;
use gapless_mediator::examples::{TRUNCATED, shorten};
use gapless_tokens::{count, estimate, fits, measure};

use crate::input::{Input, same_twice};

/// With less room than this an example is left out.
const LEAST_TOKENS: usize = 40;

/// Any text and any budget.
pub fn truncation(data: &[u8]) {
    let mut input = Input::new(data);
    let budget = usize::from(input.number());
    let budget = if input.yes() { budget % 300 } else { budget };
    let text = input.rest_as_text();
    assert_measured(&text, budget);
    assert_example(&text, budget);
    assert_prefix(&text, budget);
}

fn assert_measured(text: &str, budget: usize) {
    let (counted, bytes) = (count(text), text.len());
    assert!(counted <= bytes, "{counted} tokens in {bytes} bytes");
    assert_eq!(counted == 0, text.is_empty());
    let measured = measure(text, budget);
    assert!(measured == counted || measured == estimate(text));
    assert_eq!(fits(text, budget), measured <= budget);
}

fn assert_example(text: &str, budget: usize) {
    let cut = same_twice("cut twice, and not the same", || shorten(text, budget));
    let Some(cut) = cut else {
        let (none_left, bytes) = (text.trim().is_empty() || budget < LEAST_TOKENS, text.len());
        assert!(
            none_left,
            "nothing is left of {bytes} bytes within {budget}"
        );
        return;
    };
    if cut == text.trim() {
        let short = fits(&cut, budget) || count(&cut) <= budget;
        assert!(short, "not cut, and too long");
        return;
    }
    let tokens = count(&cut);
    assert!(tokens <= budget, "{tokens} tokens of {budget}:\n{cut}");
    let told = cut.ends_with(TRUNCATED);
    assert!(told, "it does not say that it was cut:\n{cut}");
    // What takes hardly any tokens for its length is not counted.
    if cut.len() <= budget * 16 {
        let again = shorten(&cut, budget);
        assert_eq!(again, Some(cut.clone()), "what was cut is cut again");
    }
    // What is left stood there: the marks of a cut aside, every line of it does.
    let lines = cut.lines().filter(|line| !line.trim().is_empty());
    for line in lines.filter(|line| *line != TRUNCATED) {
        let begun = line.strip_suffix(" …").unwrap_or(line);
        let is_fence = begun.trim_start().trim_matches(['`', '~']).is_empty();
        let stands = is_fence || text.contains(begun);
        assert!(stands, "{begun:?} stands nowhere in the text");
    }
}

fn assert_prefix(text: &str, longest: usize) {
    let cut = shortened(text, longest);
    match cut.rsplit_once("\n[shortened: ") {
        Some((kept, said)) if text.len() > longest => {
            assert!(kept.len() <= longest && text.starts_with(kept));
            let lengths = format!("{} of {} characters]", kept.len(), text.len());
            assert_eq!(said, lengths);
        }
        _ => assert_eq!(cut, text),
    }
}
