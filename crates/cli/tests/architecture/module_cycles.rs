//! Proves that no modules of a crate depend on each other in a circle, by the `use` lines and the paths in their code. What a
//! module only re-exports counts for whoever uses it, and tests inside a module count for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, UseTree, Visibility};

use crate::workspace::{crate_names, crates_folder, sources};

/// A path as it is written or from the root of the crate, segment by segment.
type Names = Vec<String>;

/// What one source has: the paths that its code uses, and what it re-exports by which name.
#[derive(Default)]
struct Paths {
    used: Vec<Names>,
    exported: Vec<(String, Names)>,
}

impl Paths {
    fn take_tree(&mut self, before: &mut Names, tree: &UseTree, is_exported: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.take_tree(before, &path.tree, is_exported);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.take_tree(before, tree, is_exported);
                }
            }
            UseTree::Glob(_) => self.take_leaf(before.clone(), "*", is_exported),
            UseTree::Name(name) if name.ident == "self" => {
                let last = before.last().cloned().unwrap_or_default();
                self.take_leaf(before.clone(), &last, is_exported);
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                let path = before.iter().cloned().chain([name.clone()]);
                self.take_leaf(path.collect(), &name, is_exported);
            }
            UseTree::Rename(rename) => {
                let path = before.iter().cloned();
                let path = path.chain([rename.ident.to_string()]).collect();
                self.take_leaf(path, &rename.rename.to_string(), is_exported);
            }
        }
    }

    fn take_leaf(&mut self, path: Names, name: &str, is_exported: bool) {
        match is_exported {
            true => self.exported.push((name.to_owned(), path)),
            false => self.used.push(path),
        }
    }

    /// The paths in what a macro is given, which is no syntax of its own.
    fn take_tokens(&mut self, tokens: TokenStream) {
        let mut path: Names = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        path.clear();
                    }
                    path.push(ident.to_string());
                    colons = 0;
                    if path.len() > 1 {
                        self.used.push(path.clone());
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1
                }
                TokenTree::Group(group) => {
                    self.take_tokens(group.stream());
                    path.clear();
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => path.clear(),
            }
        }
    }
}

pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|condition| condition.is_ident("test"))
    })
}

impl<'s> Visit<'s> for Paths {
    fn visit_item(&mut self, item: &'s Item) {
        let is_tests = matches!(item, Item::Mod(module) if is_test(&module.attrs));
        if !is_tests {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'s ItemUse) {
        let is_exported = !matches!(item.vis, Visibility::Inherited);
        self.take_tree(&mut Vec::new(), &item.tree, is_exported);
    }

    fn visit_path(&mut self, path: &'s syn::Path) {
        let names = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        let names: Names = names.collect();
        if names.len() > 1 {
            self.used.push(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'s Macro) {
        self.take_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

/// The modules of a crate, each with what its source has.
struct Modules {
    paths: BTreeMap<Names, Paths>,
    /// What a module re-exports, by the path under which others see it.
    exports: BTreeMap<Names, Names>,
}

impl Modules {
    fn of(folder: &Path) -> Self {
        let mut paths = BTreeMap::new();
        for file in sources(folder) {
            let module = module_of(folder, &file);
            if module.iter().any(|name| name == "tests") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let syntax = syn::parse_file(&text).unwrap();
            let mut found = Paths::default();
            found.visit_file(&syntax);
            paths.insert(module, found);
        }
        let mut modules = Self {
            paths,
            exports: BTreeMap::new(),
        };
        let mut exports = BTreeMap::new();
        for (module, paths) in &modules.paths {
            for (name, path) in &paths.exported {
                if let Some(path) = modules.absolute(module, path) {
                    let seen_as = module.iter().cloned().chain([name.clone()]);
                    exports.insert(seen_as.collect(), path);
                }
            }
        }
        modules.exports = exports;
        modules
    }

    /// A path from the root of the crate, where it leads to something of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Names> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let (from, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (module, &path[1..]),
            "super" => (
                &module[..module.len().checked_sub(supers)?],
                &path[supers..],
            ),
            child => {
                let child: Names = module.iter().cloned().chain([child.to_owned()]).collect();
                self.paths.contains_key(&child).then_some((module, path))?
            }
        };
        Some(from.iter().chain(rest).cloned().collect())
    }

    /// The module that owns what a path names, re-exports followed.
    fn owner(&self, mut path: Names) -> Names {
        const MOST_STEPS: usize = 8;
        for _ in 0..MOST_STEPS {
            let exported = (1..=path.len()).rev().find_map(|length| {
                let head = &path[..length];
                let is_module = self.paths.contains_key(head);
                let to = self.exports.get(head).filter(|_| !is_module)?;
                Some(to.iter().chain(&path[length..]).cloned().collect())
            });
            match exported {
                Some(next) => path = next,
                None => break,
            }
        }
        let length = (0..=path.len())
            .rev()
            .find(|length| self.paths.contains_key(&path[..*length]));
        path.truncate(length.unwrap_or(0));
        path
    }

    /// Which modules each module uses.
    fn uses(&self) -> BTreeMap<Names, BTreeSet<Names>> {
        let mut uses: BTreeMap<Names, BTreeSet<Names>> = BTreeMap::new();
        for (module, paths) in &self.paths {
            let used = paths.used.iter();
            let used = used.filter_map(|path| self.absolute(module, path));
            let used = used.map(|path| self.owner(path));
            uses.insert(
                module.clone(),
                used.filter(|owner| owner != module).collect(),
            );
        }
        uses
    }
}

fn module_of(folder: &Path, file: &Path) -> Names {
    let relative = file.strip_prefix(folder).unwrap().with_extension("");
    let mut names: Names = relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let is_root = names.len() == 1 && ["lib", "main"].contains(&names[0].as_str());
    if is_root || names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

/// Everything that a module uses, directly or through others.
fn reached(uses: &BTreeMap<Names, BTreeSet<Names>>, from: &Names) -> BTreeSet<Names> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(module) = open.pop() {
        for used in uses.get(&module).into_iter().flatten() {
            if reached.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    reached
}

/// The modules that use themselves through others, each with those of its circle that it uses.
fn in_cycles(uses: &BTreeMap<Names, BTreeSet<Names>>) -> BTreeMap<Names, Vec<Names>> {
    let reached: BTreeMap<&Names, BTreeSet<Names>> = uses
        .keys()
        .map(|module| (module, reached(uses, module)))
        .collect();
    let circular = uses
        .iter()
        .filter(|(module, _)| reached[module].contains(*module));
    circular
        .map(|(module, used)| {
            let back = |used: &&Names| reached.get(used).is_some_and(|of| of.contains(module));
            (module.clone(), used.iter().filter(back).cloned().collect())
        })
        .collect()
}

fn written(module: &[String]) -> String {
    match module {
        [] => "the root".to_owned(),
        names => names.join("::"),
    }
}

#[test]
fn no_modules_depend_on_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for name in crate_names() {
        let modules = Modules::of(&crates_folder().join(&name).join("src"));
        for (module, uses) in in_cycles(&modules.uses()) {
            let uses: Vec<String> = uses.iter().map(|used| written(used)).collect();
            circles.push(format!(
                "{name}: {} -> {}",
                written(&module),
                uses.join(", ")
            ));
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let module = |name: &str| vec![name.to_owned()];
    let uses = |of: &[(&str, &[&str])]| -> BTreeMap<Names, BTreeSet<Names>> {
        let entries = of.iter();
        entries
            .map(|(name, used)| (module(name), used.iter().map(|used| module(used)).collect()))
            .collect()
    };
    let straight = uses(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert!(in_cycles(&straight).is_empty());
    let round = uses(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    let found: Vec<Names> = in_cycles(&round).into_keys().collect();
    assert_eq!(found, [module("b"), module("c")]);
}
