//! What was read from an agent's document, in a few words.

use gapless_reading::read::Reading;

use crate::output::wording::{count_or_no, list};

pub(crate) fn in_words(reading: &Reading) -> String {
    match reading {
        Reading::Analyst(reading) => format!("found {}", count_or_no(reading.gaps.len(), "gap")),
        Reading::Engineer(reading) => {
            let proposed = list(reading.gaps.iter().map(|bound| &bound.gap));
            let answered = list(reading.responses.iter().map(|response| response.issue));
            let disputed = list(reading.disagreements.iter().map(|block| block.issue));
            let blocked = list(reading.blocked.iter().map(|marker| &marker.gap));
            let parts: Vec<String> = [
                ("proposes", proposed),
                ("answers", answered),
                ("disagrees with", disputed),
                ("needs input for", blocked),
            ]
            .into_iter()
            .filter(|(_, things)| !things.is_empty())
            .map(|(verb, things)| format!("{verb} {things}"))
            .collect();
            parts.join("; ")
        }
        Reading::Reviewer(reading) => {
            let raised = reading.issues.iter().filter(|issue| !issue.withdrawn);
            format!(
                "reviewed {}, raised {}",
                count_or_no(reading.reviews.len(), "gap"),
                count_or_no(raised.count(), "issue")
            )
        }
        Reading::Editor(reading) => {
            let sections = count_or_no(reading.sections.len(), "section");
            format!("gave back {sections}")
        }
        Reading::FinalReviewer(reading) => {
            format!("found {}", count_or_no(reading.blockers.len(), "blocker"))
        }
    }
}
