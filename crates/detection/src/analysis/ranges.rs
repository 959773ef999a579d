//! Looking places up in ordered ranges.

use std::ops::Range;

/// Whether one of these ordered ranges holds a place.
pub(super) fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.start <= at)
}

/// Those of ordered ranges that begin in a range.
pub(super) fn beginning_in<'r>(
    ranges: &'r [Range<usize>],
    within: &Range<usize>,
) -> &'r [Range<usize>] {
    let from = ranges.partition_point(|range| range.start < within.start);
    let to = ranges.partition_point(|range| range.start < within.end);
    &ranges[from..to.max(from)]
}
