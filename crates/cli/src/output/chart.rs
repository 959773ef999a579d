//! A small chart of a session: the open weight at the start and after each round, a column each.

use gapless_domain::quarters;

/// Eighths of a column's cell, from empty to full.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ROWS: u64 = 5;
/// A column with its gap.
const COLUMN: usize = 3;

/// Draws the newest points that fit the width: lines from the top, then the rounds below. Nothing for fewer than two.
pub(crate) fn columns(points: &[(u32, u64)], width: usize) -> Vec<String> {
    let highest = points.iter().map(|(_, weight)| *weight).max().unwrap_or(0);
    if points.len() < 2 || highest == 0 {
        return Vec::new();
    }
    let label = quarters(highest);
    let margin = label.chars().count().max(1);
    let room = width.saturating_sub(margin + 4) / COLUMN;
    let shown = &points[points.len().saturating_sub(room.max(2))..];
    let eighths = |weight: u64| {
        let full = ROWS * 8;
        // Anything that is open is seen, however little it is beside the highest.
        (weight * full).div_ceil(highest).min(full)
    };
    let mut lines = Vec::new();
    for row in (0..ROWS).rev() {
        let scale = match row {
            _ if row == ROWS - 1 => label.clone(),
            0 => "0".to_owned(),
            _ => String::new(),
        };
        let mut line = format!("  {scale:>margin$} │");
        for (_, weight) in shown {
            let filled = eighths(*weight).saturating_sub(row * 8).min(8);
            let cell = EIGHTHS[usize::try_from(filled).unwrap_or(8)];
            line += &format!(" {cell}{cell}");
        }
        lines.push(line.trim_end().to_owned());
    }
    let mut line = format!("  {:>margin$}  ", "");
    for (round, _) in shown {
        line += &format!(" {round:>2}");
    }
    lines.push(line.trim_end().to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_rises_and_falls() {
        let points: Vec<(u32, u64)> = [240, 200, 264, 120, 40, 2, 0]
            .into_iter()
            .enumerate()
            .map(|(round, weight)| (u32::try_from(round).unwrap(), weight))
            .collect();
        insta::assert_snapshot!(columns(&points, 80).join("\n"), @"
        66 │ ▅▅    ██
           │ ██ ▇▇ ██
           │ ██ ██ ██ ▃▃
           │ ██ ██ ██ ██
         0 │ ██ ██ ██ ██ ▇▇ ▁▁
              0  1  2  3  4  5  6
        ");
        assert!(columns(&points[..1], 80).is_empty(), "no round yet");
        assert!(
            columns(&[(0, 0), (1, 0)], 80).is_empty(),
            "nothing was open"
        );
    }

    #[test]
    fn what_does_not_fit_is_the_oldest() {
        let points: Vec<(u32, u64)> = (0..50).map(|round| (round, 200)).collect();
        let lines = columns(&points, 40);
        assert!(lines.iter().all(|line| line.chars().count() <= 40));
        assert!(lines.last().unwrap().ends_with("48 49"));
    }
}
