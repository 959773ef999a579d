//! Proves that no function outgrows what can be read at once.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, Item, ItemFn, Signature, TraitItemFn};

use crate::module_cycles::is_test;
use crate::workspace::{crate_names, crates_folder, sources};

/// A function has fewer lines than this, from its signature to its last brace.
const MOST_LINES: usize = 80;

#[derive(Default)]
struct Functions {
    found: Vec<(String, usize)>,
}

impl Functions {
    fn take(&mut self, signature: &Signature, block: &Block) {
        let first = signature.span().start().line;
        let last = block.span().end().line;
        self.found
            .push((signature.ident.to_string(), last + 1 - first));
    }
}

impl<'s> Visit<'s> for Functions {
    fn visit_item(&mut self, item: &'s Item) {
        let is_tests = matches!(item, Item::Mod(module) if is_test(&module.attrs));
        if !is_tests {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'s ItemFn) {
        self.take(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'s ImplItemFn) {
        self.take(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'s TraitItemFn) {
        if let Some(block) = &function.default {
            self.take(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// The functions of all crates outside tests, with their lines: `name (file)`.
fn functions() -> Vec<(String, usize)> {
    let mut all = Vec::new();
    for name in crate_names() {
        let folder = crates_folder().join(&name).join("src");
        for file in sources(&folder) {
            if file.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let mut functions = Functions::default();
            functions.visit_file(&syn::parse_file(&text).unwrap());
            let place = file.strip_prefix(&folder).unwrap().display().to_string();
            let found = functions.found.into_iter();
            all.extend(
                found.map(|(function, lines)| (format!("{function} ({name}/{place})"), lines)),
            );
        }
    }
    all
}

/// `SHOW_LONG=60` lists the functions from so many lines on.
#[test]
fn no_function_is_too_long_to_be_read() {
    let functions = functions();
    assert!(functions.len() > 1000, "the sources were not found");
    let listing = |from: usize| {
        let mut long: Vec<&(String, usize)> = functions
            .iter()
            .filter(|(_, lines)| *lines >= from)
            .collect();
        long.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        let lines = long.iter().map(|(name, lines)| format!("{lines} {name}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    if let Some(from) = std::env::var("SHOW_LONG")
        .ok()
        .and_then(|from| from.parse().ok())
    {
        println!("{}", listing(from));
    }
    let too_long = listing(MOST_LINES);
    assert!(too_long.is_empty(), "{too_long}");
}
