//! Suggestions for names that were probably misspelled.

/// Suggests the known name that is most like an unknown one.
pub(crate) fn did_you_mean<'k>(
    name: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

/// Suggests the most similar of the known names, or lists them all.
pub(crate) fn did_you_mean_one_of(name: &str, known: &[&str]) -> String {
    let near = did_you_mean(name, known.iter().copied());
    near.unwrap_or_else(|| format!("known are {}", known.join(", ")))
}

/// Finds the known name that is most like an unknown one.
fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    const ALIKE: f64 = 0.55;
    known
        .into_iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(name, known), known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["gaps_per_round", "max_rounds"];
        assert_eq!(nearest("gap_per_rounds", known), Some("gaps_per_round"));
        assert_eq!(nearest("colour", known), None);
    }
}
