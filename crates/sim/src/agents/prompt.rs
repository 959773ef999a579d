//! Reads the prompt of a simulated agent: the issues and decisions it is shown, what it wrote before, and the id to
//! number new issues from.

/// An issue as a prompt lists it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub id: String,
    pub severity: String,
    pub summary: String,
}

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

/// The issues that the prompt lists below the heading of a gap.
pub fn issues_on(prompt: &str, gap: &str) -> Vec<Listed> {
    let Some((_, below)) = prompt.split_once(&format!("\n### {gap} [")) else {
        return Vec::new();
    };
    let ends = ["\n### ", "\n## ", "\n-----"].map(|end| below.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(below.len());
    issues(&below[..end])
}

/// The decisions that the prompt wants carried out.
pub fn decisions(prompt: &str) -> Vec<&str> {
    let lines = prompt.lines();
    lines
        .filter_map(|line| line.strip_prefix("- DECISION-R"))
        .filter_map(|rest| rest.split_once(" (").map(|(id, _)| id))
        .collect()
}

/// What the Engineer proposed for a gap before.
pub fn last_proposal<'p>(prompt: &'p str, gap: &str) -> Option<&'p str> {
    let behind = prompt.split_once(&format!(" last proposal for {gap}\n"))?.1;
    Some(behind.split_once("\n-----")?.0.trim())
}

/// The round and number that new issues are numbered from.
pub fn next_issue(prompt: &str) -> Option<(u32, u32)> {
    let (before, _) = prompt.split_once("**:` for the first new issue")?;
    let behind = before.rsplit_once("`- **ISSUE-R")?.1;
    let (round, rest) = behind.split_once('-')?;
    Some((round.parse().ok()?, rest.get(..3)?.parse().ok()?))
}

/// The lines of prose of the spec that the prompt shows and that are there once, each with the title of its section.
pub fn spec_lines(prompt: &str) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for block in prompt.split(" specification\n").skip(1) {
        let block = block.split("\n-----").next().unwrap_or("");
        let mut section = String::new();
        for line in block.lines() {
            match line.strip_prefix("## ") {
                Some(title) => title.clone_into(&mut section),
                None if line.starts_with("The ") && block.matches(line).count() == 1 => {
                    lines.push((section.clone(), line.to_owned()));
                }
                None => {}
            }
        }
    }
    lines
}
