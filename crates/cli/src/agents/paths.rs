//! Paths in agents' names, kept relative to the workspace root so that a session can be resumed from any folder.

use std::path::Path;

/// Rewrites the path in an agent's name from one relative to `here` to one relative to `root`.
pub(crate) fn from_root(name: &str, here: &Path, root: &Path) -> String {
    if here == root {
        return name.to_owned();
    }
    let turned = |path: &str| {
        let joined = here.join(path);
        let real = joined.canonicalize().unwrap_or(joined);
        let inside = real.strip_prefix(root).ok().map(Path::to_owned);
        match inside {
            // A relative program needs a separator, or it would be looked for on PATH.
            Some(inside) => Path::new(".").join(inside),
            None => real,
        }
        .to_string_lossy()
        .into_owned()
    };
    match name.split_once(':') {
        Some(("replay", folder)) if !folder.trim().is_empty() => {
            format!("replay:{}", turned(folder.trim()))
        }
        Some(("cmd", line)) => match shlex::split(line) {
            Some(words)
                if words.first().is_some_and(|program| {
                    program.contains('/') && !Path::new(program).is_absolute()
                }) =>
            {
                let program = turned(&words[0]);
                let words =
                    std::iter::once(program.as_str()).chain(words[1..].iter().map(String::as_str));
                match shlex::try_join(words) {
                    Ok(line) => format!("cmd:{line}"),
                    Err(_) => name.to_owned(),
                }
            }
            _ => name.to_owned(),
        },
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_turned_to_the_workspace_root() {
        let (here, root) = (Path::new("/w/specs"), Path::new("/w"));
        let cases = [
            ("replay:recorded", "replay:./specs/recorded"),
            ("replay:/x/y", "replay:/x/y"),
            ("cmd:./agent.sh 'a b'", "cmd:./specs/./agent.sh 'a b'"),
            ("cmd:claude -p", "cmd:claude -p"),
            ("cmd:/bin/sh x", "cmd:/bin/sh x"),
            ("human", "human"),
        ];
        for (name, expected) in cases {
            assert_eq!(from_root(name, here, root), expected);
            assert_eq!(from_root(name, root, root), name);
        }
    }
}
