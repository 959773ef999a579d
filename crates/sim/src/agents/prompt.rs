//! Owns what a simulated agent reads in its prompt: the issues it is shown, and the id to number new ones from.

/// An issue as a prompt lists it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub id: String,
    pub severity: String,
    pub summary: String,
}

/// The issues that the prompt lists.
pub fn issues(prompt: &str) -> Vec<Listed> {
    let items = prompt
        .lines()
        .filter_map(|line| line.strip_prefix("- ISSUE-R"));
    items
        .filter_map(|rest| {
            let (id, behind) = rest.split_once(" [")?;
            let (severity, summary) = behind.split_once("] ")?;
            Some(Listed {
                id: format!("ISSUE-R{id}"),
                severity: severity.to_owned(),
                summary: summary.to_owned(),
            })
        })
        .collect()
}

/// The round and number that new issues are numbered from.
pub fn next_issue(prompt: &str) -> Option<(u32, u32)> {
    let behind = prompt
        .split_once("Number new issues of this round from ISSUE-R")?
        .1;
    let (round, rest) = behind.split_once('-')?;
    Some((round.parse().ok()?, rest.get(..3)?.parse().ok()?))
}
