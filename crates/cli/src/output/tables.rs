//! Tables: their look, coloured cells, and the tables that several commands show.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table,
    TableStyle,
};
use gapless_domain::{
    ConvergenceState, Date, DecisionState, GapState, IssueState, Severity, Signal, quarters,
};
use gapless_session::figures::StateCount;
use gapless_session::state::RoundRecord;

use crate::output::screen::Screen;
use crate::plain;

/// A rule under the header and nothing else.
const LOOK: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Prints a table that fits the screen. The columns at the places `whole`, those of ids and names, are not broken; the others
/// share the rest of the width.
pub(crate) fn print<const N: usize>(
    screen: &Screen,
    header: [&str; N],
    whole: &[usize],
    rows: impl IntoIterator<Item = [Cell; N]>,
) {
    let mut table = Table::new();
    table
        .load_style(LOOK)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(screen.width()).unwrap_or(u16::MAX))
        .set_header(
            header
                .iter()
                .map(|name| Cell::new(name).add_attribute(Attribute::Bold)),
        )
        .add_rows(rows);
    match screen.is_coloured() {
        true => table.enforce_styling(),
        false => table.force_no_tty(),
    };
    for column in whole {
        if let Some(column) = table.column_mut(*column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    // Without the blanks at the ends of its lines.
    screen.line(&table.trim_fmt());
}

pub(crate) fn text(text: &str) -> Cell {
    Cell::new(plain::one_line(text))
}

pub(crate) fn number(value: impl ToString) -> Cell {
    Cell::new(value).set_alignment(CellAlignment::Right)
}

/// A day, and whether it has passed.
pub(crate) fn due(day: Option<Date>, is_overdue: bool) -> Cell {
    match (day, is_overdue) {
        (None, _) => Cell::new(""),
        (Some(day), false) => Cell::new(day),
        (Some(day), true) => Cell::new(format!("{day} (overdue)")).fg(Color::Red),
    }
}

pub(crate) fn severity(severity: Severity) -> Cell {
    let cell = Cell::new(severity);
    match severity {
        Severity::Critical => cell.fg(Color::Red).add_attribute(Attribute::Bold),
        Severity::High => cell.fg(Color::Red),
        Severity::Medium => cell.fg(Color::Yellow),
        Severity::Low => cell,
    }
}

pub(crate) fn gap_state(state: GapState) -> Cell {
    let cell = Cell::new(state);
    match state {
        GapState::Accepted | GapState::Resolved => cell.fg(Color::Green),
        GapState::NeedsRevision => cell.fg(Color::Red),
        GapState::InProgress | GapState::Proposed => cell.fg(Color::Cyan),
        GapState::BlockedExternal | GapState::UserDeferred => cell.fg(Color::Yellow),
        GapState::WontFix | GapState::Superseded => cell.add_attribute(Attribute::Dim),
        GapState::Open => cell,
    }
}

pub(crate) fn issue_state(state: IssueState) -> Cell {
    let cell = Cell::new(state);
    match state {
        IssueState::Open => cell.fg(Color::Red),
        IssueState::Answered => cell.fg(Color::Yellow),
        IssueState::Closed | IssueState::Decided => cell.fg(Color::Green),
        IssueState::Withdrawn | IssueState::Waived | IssueState::Moot => {
            cell.add_attribute(Attribute::Dim)
        }
    }
}

pub(crate) fn decision_state(state: DecisionState) -> Cell {
    let cell = Cell::new(state.name());
    match state {
        DecisionState::ToCarryOut => cell.fg(Color::Yellow),
        DecisionState::InForce => cell.fg(Color::Green),
        DecisionState::Lifted => cell.add_attribute(Attribute::Dim),
    }
}

pub(crate) fn convergence(state: ConvergenceState) -> Cell {
    let cell = Cell::new(state);
    match state {
        ConvergenceState::Converging => cell.fg(Color::Green),
        ConvergenceState::Flat => cell.fg(Color::Yellow),
        ConvergenceState::DivergenceWarning => cell.fg(Color::Red),
    }
}

/// Prints how many gaps there are by state and severity.
pub(crate) fn inventory(screen: &Screen, counts: &[StateCount]) {
    let header = ["State", "CRITICAL", "HIGH", "MEDIUM", "LOW", "All"];
    let rows = counts.iter().map(|count| {
        let [critical, high, medium, low] = count.by_severity.map(|count| match count {
            0 => number("·").add_attribute(Attribute::Dim),
            count => number(count),
        });
        let state = gap_state(count.state);
        [state, critical, high, medium, low, number(count.all())]
    });
    print(screen, header, &[], rows);
}

/// Prints one line per round that was accounted for.
pub(crate) fn rounds<'r>(screen: &Screen, records: impl Iterator<Item = &'r RoundRecord>) {
    let header = [
        "Round",
        "Resolved",
        "New",
        "Reopened",
        "Net weight",
        "Net gaps",
        "Open",
        "State",
    ];
    let rows = records.map(|record| {
        [
            number(record.round),
            number(record.tally.resolved.len()),
            number(record.tally.created.len()),
            number(record.tally.reopened.len()),
            number(format!("{:+}", record.weighted_net)),
            number(format!("{:+}", record.unweighted_net)),
            number(quarters(record.open_quarters)),
            match record.signal {
                Signal::NotJudged => text(record.verdict()),
                _ => convergence(record.convergence.state),
            },
        ]
    });
    print(screen, header, &[], rows);
}
