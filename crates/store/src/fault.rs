//! The points where tests make this process die or fail: every step of a commit, of writing a file and of archiving.
//!
//! Without the feature `faults`, which only tests have, every function here does what it is given and nothing else.

#[cfg(feature = "faults")]
mod injected;

#[cfg(feature = "faults")]
pub use injected::{FAULTS, Failing, Fault, Kind, SEEN, doing, writing};

#[cfg(not(feature = "faults"))]
mod plain {
    use std::fs::File;
    use std::io::{self, Write};

    use super::Point;

    #[inline(always)]
    pub fn doing<T, E>(_: Point, operation: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        operation()
    }

    #[inline(always)]
    pub fn writing(_: Point, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

#[cfg(not(feature = "faults"))]
pub use plain::{doing, writing};

/// Each point with its kind, its name in tests and documents, and the operation that it stands for.
macro_rules! points {
    ($($point:ident $kind:ident $name:literal $what:literal,)*) => {
        /// An operation that can be made to fail, or not to be reached, or to be the last.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Point {
            $($point,)*
        }

        #[cfg(feature = "faults")]
        impl Point {
            pub const ALL: &[Point] = &[$(Point::$point,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Point::$point => $name,)*
                }
            }

            /// What is done there.
            pub fn what(self) -> &'static str {
                match self {
                    $(Point::$point => $what,)*
                }
            }

            pub fn kind(self) -> Kind {
                match self {
                    $(Point::$point => Kind::$kind,)*
                }
            }
        }
    };
}

points! {
    SchemaMade Commit "schema" "making or updating the database's tables",
    CommitBegin Change "commit-begin" "taking the database's write lock",
    CommitEvents Change "commit-events" "the events of a commit, inside its transaction",
    CommitTexts Change "commit-texts" "the texts of a commit, inside its transaction",
    CommitSummary Change "commit-summary" "the session's summary, inside the transaction",
    CommitDocuments Change "commit-documents" "which files are to be written, inside the transaction",
    CommitLetters Change "commit-letters" "the letters that were taken, inside the transaction",
    Commit Commit "commit" "the end of the transaction, with its sync",
    HeadWritten Write "log-end" "noting beside the database where a log ends",
    LetterPosted Commit "letter" "a letter to the process that drives",
    LockTaken Change "lock" "taking `driver.lock`",
    DriverWritten Write "driver" "writing `driver.json`",
    DocumentFolder Change "document-folder" "making the folder of a document",
    DocumentWritten Write "document-write" "writing a document under another name",
    DocumentNamed Change "document-rename" "the document gets its name",
    DocumentRemoved Change "document-remove" "a document that is not to be there goes",
    EditLinked Change "edit-link" "keeping a person's edit beside the file, as a link",
    EditCopied Write "edit-copy" "copying it under another name, where links can't be made",
    EditNamed Change "edit-rename" "the copy gets its name",
    RoundMoved Change "round-aside" "an undone round's folder is moved to the archives",
    RoundMoveSynced Sync "round-aside-sync" "the folders that it was moved between are synced",
    ArchiveWritten Write "archive-write" "writing an archive under another name",
    ArchiveSynced Sync "archive-sync" "the archive is synced",
    ArchiveVerified Change "archive-verify" "it is read back and compared",
    ArchiveNamed Change "archive-rename" "the archive gets its name",
    ArchiveFolderSynced Sync "archive-folder-sync" "the archives' folder is synced",
    RoundFileSwept Change "sweep-file" "a file that is in the archive goes from the undone round's folder",
    RoundFolderSwept Change "sweep-folder" "the empty folder goes",
    DamagedSetAside Change "damaged-aside" "a damaged archive gets another name",
    ManifestWritten Write "manifest-write" "writing `manifest.json` of archives under another name",
    ManifestSynced Sync "manifest-sync" "it is synced",
    ManifestNamed Change "manifest-rename" "it gets its name",
    ManifestFolderSynced Sync "manifest-folder-sync" "its folder is synced",
    ManifestRemoved Change "manifest-remove" "the manifest of an empty cold folder goes",
    ColdFolderMade Change "cold-folder" "making a session's folder in cold storage",
    ColdLocked Change "cold-lock" "taking the lock of cold storage",
    ColdWritten Write "cold-write" "writing an archive into cold storage under another name",
    ColdSynced Sync "cold-sync" "it is synced",
    ColdNamed Change "cold-rename" "it gets its name",
    ColdFolderSynced Sync "cold-folder-sync" "its folder is synced",
    ColdVerified Change "cold-verify" "it is read back and compared",
    ArchiveRemoved Change "archive-remove" "an archive that was moved or is not wanted goes",
    ArchiveRemovalSynced Sync "archive-remove-sync" "its folder is synced",
    CleanupLogged Write "cleanup-log" "a line of `cleanup.log`",
    BackupLinked Change "backup-link" "keeping what stands where the spec is wanted, as a link",
    BackupCopied Write "backup-copy" "copying it under another name, where links can't be made",
    BackupSynced Sync "backup-sync" "the copy is synced",
    BackupNamed Change "backup-rename" "the copy gets its name",
    DeliveryWritten Write "delivery-write" "writing the refined spec or a report under another name",
    DeliverySynced Sync "delivery-sync" "it is synced",
    DeliveryNamed Change "delivery-rename" "it gets its name",
    DeliveryFolderSynced Sync "delivery-folder-sync" "its folder is synced",
    ExportWritten Write "export-write" "writing the one file of an export under another name",
    ExportSynced Sync "export-sync" "it is synced",
    ExportNamed Change "export-rename" "it gets its name",
    ExportFolderSynced Sync "export-folder-sync" "its folder is synced",
    PartWritten Write "export-part-write" "writing a file of an export's folder under another name",
    PartNamed Change "export-part-rename" "it gets its name",
    PartRemoved Change "export-part-remove" "a file of an earlier export goes",
    PlacedWritten Write "import-write" "writing an archive or an example that comes with an import under another name",
    PlacedSynced Sync "import-sync" "it is synced",
    PlacedNamed Change "import-rename" "it gets its name",
    PlacedFolderSynced Sync "import-folder-sync" "its folder is synced",
    DamagedKept Change "repair-aside" "a damaged database, or a file that belongs to it, is moved to a folder of its own",
    RepairedNamed Change "repair-rename" "the new database, or a file that belongs to it, gets its name",
    RestoredWritten Write "restore-write" "writing a file of an archive that is restored",
    RestoredNamed Change "restore-rename" "the restored folder gets its name",
}
