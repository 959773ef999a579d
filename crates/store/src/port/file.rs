//! The one file: a .tar.gz, the same bytes for the same session, whose head says what it is and has the hash of everything
//! behind it.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use gapless_domain::{TextHash, Time};

use super::error::PortError;
use super::portable::{Brought, PORT_LIMITS, Portable};
use super::tree;
use crate::archive::{Fault, pack_archive, read_stream};
use crate::durable::{self, Steps};
use crate::fault::Point;

/// The head of a gzip stream with a comment, without time and name, made on no system in particular.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff];
const COMMENT: &str = "gapless session; blake3 ";
const DIGITS: usize = 64;

const STEPS: Steps = Steps {
    write: Point::ExportWritten,
    sync: Some(Point::ExportSynced),
    rename: Point::ExportNamed,
    sync_folder: Some(Point::ExportFolderSynced),
};
/// The largest file that is looked at.
const LARGEST: u64 = 512 * 1024 * 1024;

/// The bytes of an export.
pub fn pack(portable: &Portable) -> Result<Vec<u8>, PortError> {
    let contents = tree::grow(portable, None)?;
    let at = portable.rows.last().map_or(Time(0), |row| row.at);
    let stream = pack_archive(&contents, at)
        .map_err(|error| PortError::io(Path::new("the export"), "packing it", error))?;
    // Behind the plain head that every packed stream has.
    let packed = stream.get(HEAD.len()..).unwrap_or_default();
    let mut bytes = HEAD.to_vec();
    bytes.extend(COMMENT.bytes());
    bytes.extend(TextHash::of_bytes(packed).to_string().bytes());
    bytes.push(0);
    bytes.extend(packed);
    Ok(bytes)
}

/// Reads an export; nothing of it is believed before its hash is right.
pub fn unpack(file: &Path) -> Result<Brought, PortError> {
    unpack_bytes(file, &read(file)?)
}

/// Reads bytes as those of the export at `file`.
pub fn unpack_bytes(file: &Path, bytes: &[u8]) -> Result<Brought, PortError> {
    let comment = HEAD.len()..HEAD.len() + COMMENT.len();
    let digits = comment.end..comment.end + DIGITS;
    let is_ours = bytes.get(..HEAD.len()) == Some(&HEAD[..])
        && bytes.get(comment) == Some(COMMENT.as_bytes());
    if !is_ours {
        let why = match bytes.starts_with(&HEAD[..2]) {
            true => "it is packed, but not by `gapless export`",
            false => "it does not begin like one",
        };
        return Err(PortError::NotAnExport {
            place: file.to_owned(),
            why: why.to_owned(),
        });
    }
    let altered = || PortError::Altered {
        file: file.to_owned(),
    };
    let said = bytes
        .get(digits.clone())
        .and_then(|digits| std::str::from_utf8(digits).ok());
    let packed = bytes.get(digits.end + 1..).unwrap_or_default();
    let hash = TextHash::of_bytes(packed).to_string();
    if said != Some(hash.as_str()) || bytes.get(digits.end) != Some(&0) {
        return Err(altered());
    }
    let size = bytes.len() as u64;
    let opened = read_stream(bytes, size, &PORT_LIMITS).map_err(|fault| match fault {
        Fault::Damaged(_) => altered(),
        fault => PortError::Unpacking {
            file: file.to_owned(),
            fault,
        },
    })?;
    tree::gather(&opened.contents, true)
}

fn read(file: &Path) -> Result<Vec<u8>, PortError> {
    let failed = |error| PortError::io(file, "reading it", error);
    let metadata = fs::metadata(file).map_err(failed)?;
    // Reading a device or a pipe may never end.
    if !metadata.is_file() || metadata.len() > LARGEST {
        return Err(PortError::NotAnExport {
            place: file.to_owned(),
            why: format!("it is no file of at most {} MB", LARGEST / (1024 * 1024)),
        });
    }
    let mut bytes = Vec::new();
    let stream = File::open(file).map_err(failed)?;
    stream
        .take(LARGEST)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

/// Writes an export where nothing stands yet; the same bytes may.
pub fn write_file(file: &Path, bytes: &[u8]) -> Result<(), PortError> {
    let failed = |error| PortError::io(file, "writing it", error);
    let Some(metadata) = durable::found(fs::symlink_metadata(file)).map_err(failed)? else {
        return durable::put(file, bytes, &STEPS).map_err(failed);
    };
    let same = metadata.is_file()
        && metadata.len() == bytes.len() as u64
        && fs::read(file).map_err(failed)? == bytes;
    match same {
        true => Ok(()),
        false => Err(PortError::InTheWay {
            place: file.to_owned(),
        }),
    }
}
