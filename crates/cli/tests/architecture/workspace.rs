//! Looking at the workspace: its crates, their sources and their manifests.

use std::path::{Path, PathBuf};

pub fn crates_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The names of the folders under `crates/`, in order.
pub fn crate_names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(crates_folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Every source below a folder, in order.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What a crate depends on outside its tests, as its manifest lists it.
pub fn dependencies(name: &str) -> Vec<String> {
    let manifest = crates_folder().join(name).join("Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    let mut names: Vec<String> = dependencies
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default();
    names.sort();
    names
}
