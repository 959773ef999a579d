//! The bytes of an archive: the same contents and time give the same bytes, whoever makes them and wherever.

use std::io;

use flate2::{Compression, GzBuilder};
use gapless_domain::Time;
use tar::{Builder, EntryType, Header};

use super::contents::Contents;

/// Packs files, which all have the time of the rollback and no owner.
pub fn pack(contents: &Contents, at: Time) -> io::Result<Vec<u8>> {
    // No time and no name in the head of the stream: both would differ from one writing to the next.
    let stream = GzBuilder::new()
        .mtime(0)
        .operating_system(255)
        .write(Vec::new(), Compression::default());
    let mut builder = Builder::new(stream);
    for (name, bytes) in contents {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(u64::try_from(at.0.div_euclid(1000)).unwrap_or(0));
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes.as_slice())?;
    }
    builder.into_inner()?.finish()
}
