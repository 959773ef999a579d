//! Fences: the lines of a text that may open or close code.

/// A line that opens or closes a fence.
#[derive(Debug, Clone, Copy)]
pub struct FenceLine<'a> {
    pub start: usize,
    pub end: usize,
    pub mark: char,
    pub length: usize,
    pub info: &'a str,
}

impl FenceLine<'_> {
    /// True where it closes the fence that another line opened.
    pub fn closes(&self, opener: &FenceLine) -> bool {
        self.info.is_empty() && self.mark == opener.mark && self.length >= opener.length
    }
}

/// The lines of a text that open or close a fence.
pub fn fence_lines(text: &str) -> Vec<FenceLine<'_>> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let content = line.trim_end().trim_start_matches(' ');
        for mark in ['`', '~'] {
            let length = content.chars().take_while(|c| *c == mark).count();
            let info = content[length..].trim();
            // Backticks in the info string make it inline code, not a fence.
            if length >= 3 && !(mark == '`' && info.contains('`')) {
                found.push(FenceLine {
                    start: at,
                    end: at + line.len(),
                    mark,
                    length,
                    info,
                });
            }
        }
        at += line.len();
    }
    found
}

/// The fence that closes the one a text leaves open, as CommonMark reads it.
pub fn open_fence(text: &str) -> Option<String> {
    let mut open: Option<FenceLine> = None;
    for line in fence_lines(text) {
        open = match open {
            None => Some(line),
            Some(opener) if line.closes(&opener) => None,
            still => still,
        };
    }
    open.map(|opener| opener.mark.to_string().repeat(opener.length))
}

/// True where a text leaves a fence open, read by nesting: one with an info string opens inside another, a bare one closes
/// the innermost.
pub fn fences_left_open(text: &str) -> bool {
    let mut open: Vec<FenceLine> = Vec::new();
    for line in fence_lines(text) {
        match open.last() {
            Some(inner) if line.closes(inner) => drop(open.pop()),
            Some(_) if line.info.is_empty() => {}
            _ => open.push(line),
        }
    }
    !open.is_empty()
}
