//! Checks the refined spec of an ended session and where it was written: every accepted gap once, every line of the
//! source that names no accepted gap as it was, what is left as a limitation, and nothing of an abandoned session.

use std::collections::BTreeSet;

use super::model::is_closed;
use super::{Checker, Entry, Verdict, ensure, text, violated};

const NAME: &str = "spec";

/// True where the text names this id, and not a longer one that begins like it.
fn names(text: &str, id: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + id.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

impl Checker {
    /// The spec as it is assembled, and as the session's folder has it.
    pub fn check_spec(&self, source: &str, spec: &str, written: Option<&str>) -> Verdict {
        let abandoned = self.kept.ended.as_deref() == Some("ABANDONED");
        let expected = (!abandoned).then_some(spec);
        ensure(written == expected, NAME, || {
            format!("abandoned {abandoned}, and spec.md is {written:?}")
        })?;
        let settled = self.model.gaps.iter();
        let settled =
            settled.filter(|(_, gap)| matches!(gap.state.as_str(), "ACCEPTED" | "RESOLVED"));
        let settled: BTreeSet<&str> = settled.map(|(id, _)| id.as_str()).collect();
        for id in self.model.gaps.keys() {
            let times = usize::from(settled.contains(id.as_str()));
            for end in ["", "end "] {
                let mark = format!("<!-- gapless: {end}{id} -->");
                let found = spec.matches(&mark).count();
                ensure(found == times, NAME, || {
                    format!("`{mark}` stands {found} times, not {times}")
                })?;
            }
        }
        let mut lines = spec.lines();
        for line in source.lines().filter(|line| !line.trim().is_empty()) {
            if settled.iter().any(|id| names(line, id)) {
                continue;
            }
            ensure(lines.any(|of_spec| of_spec == line), NAME, || {
                format!("lost, changed or out of its order: {line}")
            })?;
        }
        self.check_limitations(spec)
    }

    fn check_limitations(&self, spec: &str) -> Verdict {
        let parts = spec.split_once("<!-- gapless: known limitations -->");
        let part = parts.map_or("", |(_, part)| part);
        for (id, gap) in &self.model.gaps {
            let is_left = !is_closed(&gap.state) || gap.state == "WONT_FIX";
            ensure(!is_left || names(part, id), NAME, || {
                format!("{id} is {} and no known limitation", gap.state)
            })?;
        }
        Ok(())
    }

    /// A spec is written only of a session that ended with one, where it is wanted, and once for each wish.
    pub(super) fn spec_delivered(&mut self, written: bool, entry: &Entry) -> Verdict {
        let ended = self.kept.ended.as_deref();
        ensure(
            ended.is_some_and(|end| end != "ABANDONED"),
            "delivery",
            || format!("of a session that is {ended:?}"),
        )?;
        let path = text(entry.body, "path");
        let wanted = match text(&self.kept.delivery, "to") {
            "file" => text(&self.kept.delivery, "path"),
            "in_place" => "spec.md",
            "beside" => "spec.refined.md",
            _ => return violated("delivery", format!("nobody wants {path}")),
        };
        let file = std::path::Path::new(path);
        ensure(file.ends_with(wanted), "delivery", || {
            format!("{path} was written, {wanted} was wanted")
        })?;
        let again = self.kept.spec_written;
        ensure(!again, "delivery", || format!("{path} a second time"))?;
        let before = self.kept.spec_not_written.replace(path.to_owned());
        ensure(written || before.is_none(), "delivery", || {
            format!("the same failure on {path} is noted twice")
        })?;
        self.kept.spec_written = written;
        let what = if written { "written" } else { "not written" };
        self.coverage.reach("delivery", what);
        Ok(())
    }
}
