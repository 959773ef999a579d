//! The skeletons of specs that `gapless init --template` writes: headings that the scan knows, with comments on what each
//! section needs.

use clap::ValueEnum;

/// What a spec is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// an interface that other programs call over a network
    Api,
    /// a program that runs for long and works with others
    Service,
    /// a command-line tool
    Cli,
    /// a user interface
    Ui,
    /// code that other code calls
    Library,
    /// a pipeline or a data set
    Data,
}

impl Template {
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Template::Api => include_str!("../../templates/api.md"),
            Template::Service => include_str!("../../templates/service.md"),
            Template::Cli => include_str!("../../templates/cli.md"),
            Template::Ui => include_str!("../../templates/ui.md"),
            Template::Library => include_str!("../../templates/library.md"),
            Template::Data => include_str!("../../templates/data.md"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gapless_scan::{Rules, scan};

    const BIND_NOBODY: [&str; 2] = ["Non-goals", "Open questions"];

    #[test]
    fn the_scan_finds_every_section_of_a_template_empty_and_nothing_else() {
        for template in Template::value_variants() {
            let text = template.text();
            let titles: Vec<&str> = text
                .lines()
                .filter_map(|line| line.strip_prefix("## "))
                .filter(|title| !BIND_NOBODY.contains(title))
                .collect();
            assert!(titles.len() >= 14, "{}", template.name());
            let found: Vec<(&str, String)> = scan(text, &Rules::default())
                .into_iter()
                .map(|finding| (finding.rule, finding.section[1].clone()))
                .collect();
            let expected: Vec<(&str, String)> = titles
                .iter()
                .map(|title| ("empty-section", (*title).to_owned()))
                .collect();
            assert_eq!(found, expected, "{}", template.name());
        }
    }

    #[test]
    fn most_headings_of_a_template_speak_of_something_that_the_scan_knows() {
        for template in Template::value_variants() {
            let findings = scan(template.text(), &Rules::default());
            let known = findings.iter().filter(|finding| finding.topic.is_some());
            assert!(
                known.count() * 3 >= findings.len() * 2,
                "{}",
                template.name()
            );
        }
    }

    #[test]
    fn every_section_says_what_it_needs() {
        for template in Template::value_variants() {
            let sections = template.text().split("\n## ").skip(1);
            for section in sections {
                let (title, body) = section.split_once('\n').unwrap();
                let hint = body.trim();
                assert!(hint.starts_with("<!--") && hint.ends_with("-->"), "{title}");
            }
        }
    }
}
