//! The reading of the Editor's document: whole sections between `<!-- section: TITLE -->` and `<!-- end section -->`.
//! Here the comments are the structure, and what stands between them is taken as it is.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use gapless_markdown::Document;

/// What an Editor's document has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EditorReading {
    pub sections: Vec<EditedSection>,
}

/// A section that the Editor gives back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedSection {
    pub title: String,
    pub line: u32,
    pub text: Range<usize>,
}

/// Why an Editor's document can't be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditorError {
    #[error("the section `{title}` (line {line}) is never ended")]
    NeverEnded { title: String, line: u32 },
    #[error("a section ends on line {line} that was never begun")]
    NeverBegun { line: u32 },
}

const BEGIN: &str = "<!-- section:";
const END: &str = "<!-- end section -->";

/// True for a line that begins or ends a section.
pub fn is_section_mark(line: &str) -> bool {
    line == END || (line.starts_with(BEGIN) && line.ends_with("-->"))
}

pub fn read_editor(document: &Document) -> Result<Vec<EditedSection>, EditorError> {
    let mut sections = Vec::new();
    let mut open: Option<(String, u32, usize)> = None;
    let mut at = 0;
    for line in document.source.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let content = line.trim();
        let number = document.line_of(start);
        if let Some(title) = content
            .strip_prefix(BEGIN)
            .and_then(|rest| rest.strip_suffix("-->"))
        {
            if let Some((title, line, _)) = open {
                return Err(EditorError::NeverEnded { title, line });
            }
            open = Some((title.trim().to_owned(), number, end));
        } else if content == END {
            let Some((title, line, from)) = open.take() else {
                return Err(EditorError::NeverBegun { line: number });
            };
            sections.push(EditedSection {
                title,
                line,
                text: from..start,
            });
        }
    }
    match open {
        Some((title, line, _)) => Err(EditorError::NeverEnded { title, line }),
        None => Ok(sections),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_back_whole() {
        let text = "<!-- section: Retries -->\n## Retries\n\nThree.\n<!-- end section -->\n";
        let document = Document::parse(text);
        let sections = read_editor(&document).unwrap();
        assert_eq!(
            (sections[0].title.as_str(), &text[sections[0].text.clone()]),
            ("Retries", "## Retries\n\nThree.\n")
        );
    }

    #[test]
    fn a_section_that_is_not_closed_is_said() {
        let open = Document::parse("<!-- section: A -->\ntext\n");
        assert_eq!(
            read_editor(&open),
            Err(EditorError::NeverEnded {
                title: "A".into(),
                line: 1
            })
        );
        let stray = Document::parse("text\n<!-- end section -->\n");
        assert_eq!(
            read_editor(&stray),
            Err(EditorError::NeverBegun { line: 2 })
        );
    }
}
