//! Where the user wants the refined spec when the session ends, besides the session's folder, and what came of it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::TextHash;

/// Where the refined spec is to be written at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Delivery {
    /// A file of its own, by its absolute path.
    File { path: String },
    /// The user's spec itself, as long as it is what the session started from.
    InPlace {},
    /// A file beside the user's spec, named by [`refined_path`]: where it goes unless the user says otherwise.
    Beside {},
    /// Only the session's folder.
    Nowhere {},
}

impl Delivery {
    /// The file that is written, for a session on this spec.
    pub fn file(&self, source_path: &str) -> Option<String> {
        match self {
            Delivery::File { path } => Some(path.clone()),
            Delivery::InPlace {} => Some(source_path.to_owned()),
            Delivery::Beside {} => Some(refined_path(source_path)),
            Delivery::Nowhere {} => None,
        }
    }

    /// True where the user named the file, so that it matters whether it could be written.
    pub fn is_asked_for(&self) -> bool {
        match self {
            Delivery::File { .. } | Delivery::InPlace {} => true,
            Delivery::Beside {} | Delivery::Nowhere {} => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    Written {
        path: String,
        /// Where what stood there before is kept.
        backup: Option<String>,
        /// What was written; logs of before don't say.
        text: Option<TextHash>,
    },
    Failed {
        path: String,
        why: String,
    },
}

/// What stands before the extension of a refined spec.
const REFINED: &str = ".refined";

/// The refined spec beside a spec: `spec.refined.md` for `spec.md`, and for a file without an extension too.
pub fn refined_path(spec: &str) -> String {
    let path = Path::new(spec);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, extension) = match path.extension() {
        Some(extension) => {
            let extension = extension.to_string_lossy();
            let stem = name.len() - extension.len() - 1;
            (name[..stem].to_owned(), extension.into_owned())
        }
        None => (name.into_owned(), "md".to_owned()),
    };
    let named = path.with_file_name(format!("{stem}{REFINED}.{extension}"));
    named.to_string_lossy().into_owned()
}

/// The names of specs that a file of this name would be the refined spec of; none for any other name.
pub fn refined_of(name: &str) -> Vec<String> {
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return Vec::new();
    };
    let Some(stem) = stem.strip_suffix(REFINED).filter(|stem| !stem.is_empty()) else {
        return Vec::new();
    };
    let candidates = [format!("{stem}.{extension}"), stem.to_owned()];
    let mut specs = Vec::from(candidates);
    specs.retain(|spec| refined_path(spec) == name);
    specs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refined_spec_is_named_after_its_spec() {
        for (spec, refined) in [
            ("spec.md", "spec.refined.md"),
            ("docs/api.v2.markdown", "docs/api.v2.refined.markdown"),
            ("/w/SPEC", "/w/SPEC.refined.md"),
            ("notes.txt", "notes.refined.txt"),
            (".spec", ".spec.refined.md"),
            ("spec.refined.md", "spec.refined.refined.md"),
        ] {
            assert_eq!(refined_path(spec), refined);
        }
    }

    #[test]
    fn the_spec_of_a_refined_one_is_known_by_its_name() {
        assert_eq!(refined_of("spec.refined.md"), ["spec.md", "spec"]);
        assert_eq!(refined_of("a.refined.markdown"), ["a.markdown"]);
        for other in ["spec.md", ".refined.md", "refined.md", "spec.refined"] {
            assert!(refined_of(other).is_empty(), "{other}");
        }
    }
}
