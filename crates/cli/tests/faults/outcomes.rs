//! What a failure at each point comes to, as the sweep holds it, and the page that says so.

use std::fs;
use std::path::Path;

use gapless_store::fault::Point;

/// What a person sees of a failure. Of being killed they see nothing but that it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// The call ends with an error and what to do about it.
    Error,
    /// It is said what was not done, and everything else goes on.
    Note,
    /// It is done in another way.
    Nothing,
}

/// What is seen of a failure at a point, by any of the calls that come there.
pub fn seen(point: Point) -> &'static [Seen] {
    use Seen::{Error, Note, Nothing};
    match point {
        // Who finds the tables made after all needs nothing more.
        Point::SchemaMade => &[Error, Nothing],
        Point::CommitBegin
        | Point::CommitEvents
        | Point::CommitTexts
        | Point::CommitSummary
        | Point::CommitDocuments
        | Point::CommitLetters
        | Point::Commit
        | Point::LetterPosted
        | Point::LockTaken
        | Point::DriverWritten => &[Error],
        Point::DocumentFolder
        | Point::DocumentWritten
        | Point::DocumentNamed
        | Point::DocumentRemoved
        | Point::EditCopied
        | Point::EditNamed => &[Note],
        // Where the record is behind, the log is checked a little less far.
        Point::HeadWritten | Point::EditLinked | Point::BackupLinked => &[Nothing],
        Point::RoundMoved
        | Point::RoundMoveSynced
        | Point::ArchiveWritten
        | Point::ArchiveSynced
        | Point::ArchiveVerified
        | Point::ArchiveNamed
        | Point::ArchiveFolderSynced
        | Point::RoundFileSwept
        | Point::RoundFolderSwept
        | Point::DamagedSetAside => &[Note],
        Point::ManifestWritten
        | Point::ManifestSynced
        | Point::ManifestNamed
        | Point::ManifestFolderSynced => &[Note, Error],
        Point::ColdFolderMade
        | Point::ColdWritten
        | Point::ColdSynced
        | Point::ColdNamed
        | Point::ColdFolderSynced
        | Point::ColdVerified => &[Note],
        Point::ColdLocked => &[Note, Error],
        Point::ManifestRemoved
        | Point::ArchiveRemoved
        | Point::ArchiveRemovalSynced
        | Point::CleanupLogged
        | Point::BackupCopied
        | Point::BackupSynced
        | Point::BackupNamed => &[Note],
        Point::DeliveryWritten
        | Point::DeliverySynced
        | Point::DeliveryNamed
        | Point::DeliveryFolderSynced => &[Note, Error],
        Point::ExportWritten
        | Point::ExportSynced
        | Point::ExportNamed
        | Point::ExportFolderSynced
        | Point::PartWritten
        | Point::PartNamed
        | Point::PartRemoved
        | Point::PlacedWritten
        | Point::PlacedSynced
        | Point::PlacedNamed
        | Point::PlacedFolderSynced
        | Point::DamagedKept
        | Point::RepairedNamed
        | Point::RestoredWritten
        | Point::RestoredNamed => &[Error],
    }
}

const BEGIN: &str = "<!-- points: made from the code; UPDATE_DOCS=1 cargo test -p gapless --test faults outcomes -->\n";
const END: &str = "<!-- /points -->";

fn table() -> String {
    let mut table =
        "| point | what is done there | killed there | a failure there |\n|---|---|---|---|\n"
            .to_owned();
    for point in Point::ALL {
        let words: Vec<&str> = seen(*point)
            .iter()
            .map(|seen| match seen {
                Seen::Error => "error",
                Seen::Note => "note",
                Seen::Nothing => "another way",
            })
            .collect();
        table += &format!(
            "| `{}` | {} | nothing lost, resumed | nothing lost, resumed: {} |\n",
            point.name(),
            point.what(),
            words.join(" or ")
        );
    }
    table
}

#[test]
fn every_point_is_listed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/faults.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&page, expected).unwrap();
    } else {
        assert_eq!(
            text, expected,
            "UPDATE_DOCS=1 cargo test -p gapless --test faults outcomes"
        );
    }
}
