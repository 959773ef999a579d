//! Fields in tables: what the name of a field says of its type and its bounds.

/// `name, *_name [string, text] -> $type, at most 200 characters`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fill {
    /// Names of fields; a star stands for anything before or behind.
    names: Vec<String>,
    /// The types that the cell may have; none means that it is empty.
    types: Vec<String>,
    text: String,
    /// As the catalogue has it.
    written: String,
}

impl Fill {
    pub(crate) fn read(pattern: &str, text: &str) -> Option<Self> {
        let (names, types) = match pattern.split_once('[') {
            Some((names, types)) => (names, types.strip_suffix(']')?),
            None => (pattern, ""),
        };
        let list = |text: &str| -> Vec<String> {
            let entries = text.split(',').map(str::trim);
            let entries = entries.filter(|entry| !entry.is_empty());
            entries.map(str::to_owned).collect()
        };
        Some(Self {
            names: Some(list(names)).filter(|names| !names.is_empty())?,
            types: list(types),
            text: text.to_owned(),
            written: format!("{pattern} → {text}"),
        })
    }

    /// As the documentation shows it.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// What the cell should say for a field, where its name and what the cell says now agree.
    pub(crate) fn fit(&self, name: &str, cell: &str) -> Option<String> {
        let bare = cell.trim().trim_matches(['`', '*']);
        let typed = match self.types.is_empty() {
            true => matches!(bare, "" | "-" | "—" | "–" | "?"),
            false => self
                .types
                .iter()
                .any(|known| bare.eq_ignore_ascii_case(known)),
        };
        let named = self.names.iter().any(|pattern| is_like(name, pattern));
        (typed && named).then(|| self.text.replace("$type", cell.trim()))
    }
}

fn is_like(name: &str, pattern: &str) -> bool {
    let longer = |rest: &str| name.len() > rest.len();
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end) && longer(end),
        (_, Some(start)) => name.starts_with(start) && longer(start),
        _ => name.eq_ignore_ascii_case(pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_types_have_to_agree() {
        let typed = Fill::read("*_at, *At", "timestamp").unwrap();
        assert_eq!(typed.fit("seen_at", "").as_deref(), Some("timestamp"));
        assert_eq!(typed.fit("seenAt", " - ").as_deref(), Some("timestamp"));
        assert_eq!(typed.fit("_at", ""), None);
        assert_eq!(typed.fit("seen_at", "text"), None);
        assert_eq!(typed.fit("flat", ""), None);
        let bound = Fill::read("name [string, text]", "$type, at most 200 characters").unwrap();
        let said = bound.fit("Name", "`string`");
        assert_eq!(said.as_deref(), Some("`string`, at most 200 characters"));
        assert_eq!(bound.fit("name", "integer"), None);
    }
}
