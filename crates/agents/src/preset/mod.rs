//! The agents that are installed as programs of their own: the built-in ones, which stand in presets.toml, and those
//! that a user defines. Which of them is there is found out by looking, never by a call.

mod agent;
mod definition;
mod detect;
mod errors;
mod messages;
mod own_home;
mod path;
mod reader;

use crate::scheme::is_taken;
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) use agent::PresetAgent;
pub use definition::{BadDefinition, Definition};
pub use detect::{
    Candidate, Credentials, Needs, Sighting, Surroundings, candidates, choose, vendor_of, version,
};

/// Definitions by name, each complete and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Presets {
    by_name: BTreeMap<String, Definition>,
    /// The names in the order in which they are looked for.
    order: Vec<String>,
}

static BUILT_IN: LazyLock<Presets> = LazyLock::new(Presets::read_built_in);

impl Default for Presets {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl Presets {
    /// The file is part of the program and a test reads it: what can't be read there is left out.
    fn read_built_in() -> Self {
        let mut presets = Self {
            by_name: BTreeMap::new(),
            order: Vec::new(),
        };
        let table: toml::Table = toml::from_str(include_str!("presets.toml")).unwrap_or_default();
        for (name, value) in table {
            if let Ok(definition) = value.try_into::<Definition>() {
                presets.order.push(name.clone());
                presets.by_name.insert(name, definition);
            }
        }
        presets
    }

    /// Adds agents that a user defined, in whichever order they are like each other. What is wrong is said with its name.
    pub fn add_all(
        &mut self,
        mut definitions: Vec<(String, Definition)>,
    ) -> Result<(), (String, BadDefinition)> {
        while !definitions.is_empty() {
            let is_ready = |(_, definition): &(String, Definition)| {
                let like = definition.like.as_ref();
                like.is_none_or(|like| self.by_name.contains_key(like))
            };
            // Where none is ready, the first one says why.
            let next = definitions.iter().position(is_ready).unwrap_or(0);
            let (name, definition) = definitions.remove(next);
            self.add(&name, definition).map_err(|bad| (name, bad))?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, definition: Definition) -> Result<(), BadDefinition> {
        let bad = |why| BadDefinition::Name {
            name: name.to_owned(),
            why,
        };
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(bad("it may have small letters, digits, `-` and `_`"));
        }
        if is_taken(name) || self.find(name).is_some() {
            return Err(bad(
                "gapless has an agent of that name; take another one, and `like` to build on that one",
            ));
        }
        let base = definition.like.as_ref().map(|like| {
            self.by_name.get(like).ok_or_else(|| BadDefinition::Like {
                like: like.clone(),
                hint: format!(" (known are {})", self.order.join(", ")),
            })
        });
        let definition = match base.transpose()? {
            Some(base) => definition.over(base),
            None => definition,
        };
        definition.check()?;
        self.order.push(name.to_owned());
        self.by_name.insert(name.to_owned(), definition);
        Ok(())
    }

    /// The names in the order in which they are looked for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    pub fn get(&self, name: &str) -> Option<&Definition> {
        self.by_name.get(name)
    }

    /// The preset that goes by a name, be it the one with a model behind it.
    fn find(&self, name: &str) -> Option<(&str, &Definition)> {
        self.by_name
            .iter()
            .find(|(own, definition)| {
                *own == name || definition.name_with_model.as_deref() == Some(name)
            })
            .map(|(own, definition)| (own.as_str(), definition))
    }

    /// The preset that an agent's name means, and the model that it names.
    pub(crate) fn meant_by<'s>(&self, spec: &'s str) -> Option<(&Definition, Option<&'s str>)> {
        let Some((name, model)) = spec.split_once(':') else {
            let (own, definition) = self.find(spec.trim())?;
            return (own == spec.trim()).then_some((definition, None));
        };
        let (name, model) = (name.trim(), model.trim());
        let (own, definition) = self.find(name)?;
        let with_model = definition.name_with_model.as_deref().unwrap_or(own);
        (with_model == name && !model.is_empty()).then_some((definition, Some(model)))
    }

    /// The own name of the preset that an agent's name means, without a model.
    pub(crate) fn name_meant_by(&self, spec: &str) -> Option<&str> {
        self.meant_by(spec)?;
        let name = spec.split_once(':').map_or(spec, |(name, _)| name);
        self.find(name.trim()).map(|(own, _)| own)
    }

    /// How these agents are named, for people.
    pub fn forms(&self) -> Vec<String> {
        self.names()
            .flat_map(|name| {
                let definition = &self.by_name[name];
                let with_model = definition.name_with_model.as_deref().unwrap_or(name);
                let model = definition
                    .model_arguments
                    .as_ref()
                    .map(|_| format!("{with_model}:<model>"));
                std::iter::once(name.to_owned()).chain(model)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(presets: &mut Presets, name: &str, text: &str) -> Result<(), String> {
        let definition: Definition =
            toml::from_str(text).map_err(|error| error.message().to_owned())?;
        presets
            .add(name, definition)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_built_in_ones_are_all_read_and_sound() {
        let table: toml::Table = toml::from_str(include_str!("presets.toml")).unwrap();
        let presets = Presets::default();
        for (name, value) in table {
            let definition: Definition = value.try_into().unwrap_or_else(|e| panic!("{name}: {e}"));
            definition.check().unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(presets.get(&name), Some(&definition));
        }
        let names: Vec<&str> = presets.names().collect();
        assert_eq!(names, ["claude", "codex", "gemini", "opencode"]);
    }

    #[test]
    fn a_name_may_have_a_model_behind_it() {
        let presets = Presets::default();
        let program = |spec: &str| {
            let (definition, model) = presets.meant_by(spec)?;
            Some((definition.program.as_deref()?, model.map(str::to_owned)))
        };
        assert_eq!(program("claude"), Some(("claude", None)));
        assert_eq!(
            program("claude:opus"),
            Some(("claude", Some("opus".into())))
        );
        assert_eq!(
            program("opencode:anthropic/x:1"),
            Some(("opencode", Some("anthropic/x:1".into())))
        );
        assert_eq!(program("gemini"), Some(("gemini", None)));
        assert_eq!(
            program("gemini-cli:pro"),
            Some(("gemini", Some("pro".into())))
        );
        for none in ["gemini:pro", "claude:", "claude: ", "Claude", "clod", ""] {
            assert_eq!(program(none), None, "{none}");
        }
    }

    #[test]
    fn an_agent_of_ones_own_may_be_like_another() {
        let mut presets = Presets::default();
        let deep = "like = \"claude\"\nmodel = \"opus\"\nmore_arguments = [\"--effort\", \"high\"]\nset = { A = \"1\" }";
        defined(&mut presets, "deep", deep).unwrap();
        let (deep, claude) = (presets.get("deep").unwrap(), presets.get("claude").unwrap());
        assert_eq!(deep.arguments, claude.arguments);
        assert_eq!(deep.more_arguments, ["--effort", "high"]);
        assert_eq!(deep.set.len(), claude.set.len() + 1);
        assert_eq!(presets.names().last(), Some("deep"));
        defined(
            &mut presets,
            "deeper",
            "like = \"deep\"\nmore_arguments = [\"-x\"]",
        )
        .unwrap();
        assert_eq!(
            presets.get("deeper").unwrap().more_arguments,
            ["--effort", "high", "-x"]
        );
    }

    #[test]
    fn what_is_wrong_with_a_definition_is_said() {
        let told: Vec<String> = [
            ("x", "vendor = \"y\""),
            ("x", "program = \"p\"\nargument = []"),
            ("x", "like = \"clade\""),
            ("claude", "program = \"p\""),
            ("human", "program = \"p\""),
            ("gemini-cli", "program = \"p\""),
            ("My Agent", "program = \"p\""),
            ("x", "program = \"p\"\narguments = [\"{modle}\"]"),
            ("x", "program = \"p\"\narguments = [\"{repo}\"]"),
            ("x", "program = \"p\"\nprompt = \"argument\""),
            ("x", "program = \"p\"\narguments = [\"{prompt}\"]"),
            ("x", "program = \"p\"\n[files]\n\"../a\" = \"\""),
            ("x", "program = \"p\"\n[[home]]\nat = \"x\""),
            (
                "x",
                "program = \"p\"\n[[home]]\nvariable = \"H\"\nat = \"../x\"",
            ),
            (
                "x",
                "program = \"p\"\n[[home]]\nvariable = \"H\"\nsign_in = [\"a\"]",
            ),
            ("x", "program = \"p\"\n[home_files]\n\"/a\" = \"\""),
            (
                "x",
                "program = \"p\"\nkeys = [\"A\"]\n[with_key.B]\nC = \"d\"",
            ),
            ("x", "program = \"p\"\n[output]\nform = \"json\""),
            ("x", "program = \"p\"\n[output]\nform = \"xml\""),
        ]
        .map(|(name, text)| defined(&mut Presets::default(), name, text).unwrap_err())
        .into();
        insta::assert_snapshot!(told.join("\n"));
        // Braces of JSON are no placeholders.
        let fine = "program = \"p\"\narguments = ['{\"a\":{}}', \"{folder}\"]";
        assert_eq!(defined(&mut Presets::default(), "x", fine), Ok(()));
    }
}
