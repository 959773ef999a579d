//! Counts tokens where nobody told them: those of the prompt, and of the text so far.

use std::sync::Arc;

use gapless_domain::Usage;
use gapless_tokens as tokens;

/// The usage with tokens counted here in the place of those that were not told, and marked so.
pub(crate) async fn completed(usage: Usage, prompt: &Arc<str>, written: String) -> Usage {
    let prompt = Arc::clone(prompt);
    let counting = move || {
        (
            tokens::count(&prompt) as u64,
            tokens::count(&written) as u64,
        )
    };
    let Ok((read, written)) = tokio::task::spawn_blocking(counting).await else {
        return usage;
    };
    Usage {
        input_tokens: usage.input_tokens.or(Some(read)),
        output_tokens: Some(usage.output_tokens.unwrap_or(0).max(written)),
        estimated: true,
        ..usage
    }
}
