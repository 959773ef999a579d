//! A whole session with each style of HTTP API.

use crate::rounds::{First, check};
use crate::styles::STYLES;
use crate::support::{Project, Said};

#[test]
fn every_style_goes_through_both_sessions() {
    for style in STYLES {
        for first in First::BOTH {
            let project = Project::with_two_gaps();
            let server = first.server();
            let said = Said::of(style.command(&project, &server).output().unwrap());
            check(first, &project, &server, style.api, said);
        }
    }
}
