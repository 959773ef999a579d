//! How shares and counts are worked out and written.

/// A share in whole percent; none of nothing.
pub fn percent(part: u32, whole: u32) -> Option<u32> {
    let (part, whole) = (u64::from(part), u64::from(whole));
    let percent = (part * 200 + whole).checked_div(whole * 2)?;
    u32::try_from(percent).ok()
}

/// A count of quarters as people write it: `3`, `2.5`, `0.25`.
pub fn quarters(count: u64) -> String {
    match (count / 4, count % 4) {
        (whole, 0) => whole.to_string(),
        (whole, 1) => format!("{whole}.25"),
        (whole, 2) => format!("{whole}.5"),
        (whole, _) => format!("{whole}.75"),
    }
}
