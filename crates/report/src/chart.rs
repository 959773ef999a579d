//! The convergence chart: the open weight by severity at the start and after every run of a round, a column each, with
//! undone runs pale, rollbacks as lines between columns and warnings as marks above them. It shows numbers only, and its
//! colours are names that the page's style gives a value, so that it is read in light, in dark and on paper.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use gapless_domain::{ConvergenceState, quarters};

use crate::gather::severities;
use crate::model::Point;

/// A drawing's size in pixels, and how much room a label of a round needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    width: u32,
    height: u32,
    font: u32,
}

pub const WIDE: Format = Format {
    width: 1000,
    height: 320,
    font: 17,
};
pub const NARROW: Format = Format {
    width: 350,
    height: 250,
    font: 15,
};

/// Colours that stand for names of the page's style; nothing else is drawn in them.
const NAMES: [(RGBColor, &str); 8] = [
    (RGBColor(1, 0, 0), "critical"),
    (RGBColor(1, 0, 1), "high"),
    (RGBColor(1, 0, 2), "medium"),
    (RGBColor(1, 0, 3), "low"),
    (TEXT, "text"),
    (LINE, "line"),
    (WARN, "warn"),
    (BACK, "back"),
];
const TEXT: RGBColor = RGBColor(1, 0, 4);
const LINE: RGBColor = RGBColor(1, 0, 5);
const WARN: RGBColor = RGBColor(1, 0, 6);
const BACK: RGBColor = RGBColor(1, 0, 7);

/// The room above the columns, for what is written there; more with rollbacks.
const TOP: i32 = 26;
const TOP_WITH_ROLLBACKS: i32 = 44;

/// How strong the columns of undone and unfinished runs are.
const PALE: f64 = 0.35;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The chart as SVG; nothing where there are fewer than two points or nothing was ever open.
pub fn svg(points: &[Point], format: Format) -> Option<String> {
    let highest = points.iter().map(Point::weight).max().unwrap_or(0);
    if points.len() < 2 || highest == 0 {
        return None;
    }
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (format.width, format.height));
        let root = root.into_drawing_area();
        draw(&root, points, number(highest), format).ok()?;
        root.present().ok()?;
    }
    for (colour, name) in NAMES {
        let RGBColor(red, green, blue) = colour;
        let drawn = format!("\"#{red:02X}{green:02X}{blue:02X}\"");
        svg = svg.replace(&drawn, &format!("\"var(--{name})\""));
    }
    Some(svg)
}

fn draw(root: &Area<'_>, points: &[Point], highest: f64, format: Format) -> Drawn {
    let count = f64::from(u32::try_from(points.len())?);
    let top = match points.iter().any(|point| point.undone_by.is_some()) {
        true => TOP_WITH_ROLLBACKS,
        false => TOP,
    };
    let mut chart = ChartBuilder::on(root)
        .margin_top(top)
        .margin_right(10)
        .x_label_area_size(26)
        .y_label_area_size(format.font * 2 + 8)
        .build_cartesian_2d(0.0..count, 0.0..top_of(highest))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(7)
        .y_label_formatter(&|weight| format!("{weight:.0}"))
        .bold_line_style(LINE)
        .light_line_style(TRANSPARENT)
        .axis_style(LINE)
        .label_style(("sans-serif", format.font).into_font().color(&TEXT))
        .draw()?;
    let mut left = 0.0;
    for point in points {
        columns(&mut chart, point, left)?;
        left += 1.0;
    }
    let places: Vec<(i32, i32)> = (0_u32..)
        .zip(points)
        .map(|(index, point)| {
            let middle = f64::from(index) + 0.5;
            chart.backend_coord(&(middle, number(point.weight())))
        })
        .collect();
    let bottom = chart.backend_coord(&(0.0, 0.0)).1;
    rounds(root, points, &places, bottom, format)?;
    sums(root, points, &places, format)?;
    warnings(root, points, &places, format)?;
    let between = |index: u32| chart.backend_coord(&(f64::from(index), 0.0)).0;
    rollbacks(root, points, between, bottom, format)
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

/// The severities of a point above each other, the gravest at the bottom.
fn columns(chart: &mut Chart<'_, '_>, point: &Point, left: f64) -> Drawn {
    let strength = match point.undone_by.is_some() || point.unfinished {
        true => PALE,
        false => 1.0,
    };
    let mut below = 0;
    for (place, _) in severities() {
        let weight = point.weights[place];
        if weight == 0 {
            continue;
        }
        let corners = [
            (left + 0.14, number(below + weight)),
            (left + 0.86, number(below)),
        ];
        let colour = NAMES[place].0.mix(strength);
        chart.draw_series([Rectangle::new(corners, colour.filled())])?;
        below += weight;
    }
    Ok(())
}

/// The rounds below their columns, as many as there is room for.
fn rounds(
    root: &Area<'_>,
    points: &[Point],
    places: &[(i32, i32)],
    bottom: i32,
    format: Format,
) -> Drawn {
    let every = (format.font * 2).div_ceil(room(points, format)).max(1);
    let every = usize::try_from(every)?;
    let style = label(format, &TEXT, VPos::Top);
    for (index, (point, (x, _))) in points.iter().zip(places).enumerate() {
        if index % every == 0 {
            let text = point.round.to_string();
            root.draw(&Text::new(text, (*x, bottom + 7), style.clone()))?;
        }
    }
    Ok(())
}

/// How wide a column is with the space around it, in pixels.
fn room(points: &[Point], format: Format) -> u32 {
    let count = u32::try_from(points.len()).unwrap_or(u32::MAX);
    (format.width / count.max(1)).max(1)
}

fn has_sums(points: &[Point], format: Format) -> bool {
    room(points, format) > format.font * 2
}

/// The weight above each column, where there is room for it.
fn sums(root: &Area<'_>, points: &[Point], places: &[(i32, i32)], format: Format) -> Drawn {
    if !has_sums(points, format) {
        return Ok(());
    }
    let style = label(format, &TEXT, VPos::Bottom);
    for (point, (x, y)) in points.iter().zip(places) {
        let text = quarters(point.weight());
        root.draw(&Text::new(text, (*x, *y), style.clone()))?;
    }
    Ok(())
}

fn warnings(root: &Area<'_>, points: &[Point], places: &[(i32, i32)], format: Format) -> Drawn {
    let above = if has_sums(points, format) { 24 } else { 8 };
    for (point, (x, y)) in points.iter().zip(places) {
        if point.state == Some(ConvergenceState::DivergenceWarning) {
            root.draw(&TriangleMarker::new((*x, y - above), 6, WARN.filled()))?;
        }
    }
    Ok(())
}

/// A line behind the last column that a rollback undid, with its number.
fn rollbacks(
    root: &Area<'_>,
    points: &[Point],
    between: impl Fn(u32) -> i32,
    bottom: i32,
    format: Format,
) -> Drawn {
    let style = label(format, &BACK, VPos::Bottom);
    for (index, point) in (1_u32..).zip(points) {
        let Some(number) = point.undone_by else {
            continue;
        };
        let later = points.iter().skip(usize::try_from(index)?);
        if later.clone().any(|later| later.undone_by == Some(number)) {
            continue;
        }
        let x = between(index).min(i32::try_from(format.width)? - 8);
        let line = vec![(x, 18), (x, bottom)];
        root.draw(&PathElement::new(line, BACK.stroke_width(2)))?;
        root.draw(&Text::new(format!("R{number}"), (x, 16), style.clone()))?;
    }
    Ok(())
}

fn label(format: Format, colour: &RGBColor, vertical: VPos) -> TextStyle<'static> {
    let font = ("sans-serif", format.font).into_font();
    font.color(colour).pos(Pos::new(HPos::Center, vertical))
}

/// The end of the axis: the first of its labels at or above the highest column.
fn top_of(highest: f64) -> f64 {
    let mut step = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(60) {
        if highest <= step * 6.0 {
            break;
        }
        step *= factor;
    }
    (highest / step).ceil() * step
}

/// A weight in quarters as the axis has it. A drawing needs no more than its pixels.
fn number(quarters: u64) -> f64 {
    f64::from(u32::try_from(quarters).unwrap_or(u32::MAX)) / 4.0
}

/// What the chart says, for those who don't see it.
pub fn in_words(points: &[Point]) -> String {
    let standing: Vec<&Point> = points
        .iter()
        .filter(|point| point.undone_by.is_none())
        .collect();
    match (standing.first(), standing.last()) {
        (Some(first), Some(last)) => format!(
            "Open weight by severity: {} at the start, {} after round {}",
            quarters(first.weight()),
            quarters(last.weight()),
            last.round
        ),
        _ => "Nothing to show".to_owned(),
    }
}
