//! A folder that can't be written, and a disk that is full: a session can still be read there, and exported to elsewhere.

use std::fs;
use std::process::Command;

use crate::place::{Came, NOW, Place};
use crate::tour::TOUR;

/// Commands that only read.
const READING: &[&str] = &[
    "status lamp",
    "status lamp --json",
    "gaps lamp",
    "issues lamp",
    "decisions lamp",
    "questions lamp",
    "log lamp",
    "show 1",
    "show 1 engineer",
    "show 1 --attempt engineer-1",
    "diff 1",
    "stats",
    "archive list lamp",
    "doctor",
    "export lamp --output ELSEWHERE/lamp.tar.gz",
    "export lamp --folder ELSEWHERE/lamp",
    "report lamp --output ELSEWHERE/report.html",
    "report lamp --format md --output ELSEWHERE/report.md",
];

/// Runs a command in a mount namespace of its own, after a line of shell.
fn within(place: &Place, first: &str, words: &str) -> Came {
    let elsewhere = place.path("../elsewhere");
    let words = words.replace("ELSEWHERE", &elsewhere.to_string_lossy());
    let line = format!(
        "{first} && cd '{}' && exec {} {words}",
        place.path("").display(),
        env!("CARGO_BIN_EXE_gapless")
    );
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c", &line])
        .env("XDG_DATA_HOME", place.path("data"))
        .env("GAPLESS_CLOCK", NOW.to_string());
    place.call(command)
}

/// A session, ended cleanly or killed with all of it in the write-ahead log, and with or without the file that readers share.
fn prepared(faults: &str, keeps_shared: bool) -> Place {
    let place = Place::new();
    (TOUR[0].first)(&place);
    let words: Vec<&str> = TOUR[0].words.split(' ').collect();
    place.call_with(place.command(&words), faults);
    if !keeps_shared {
        let _ = fs::remove_file(place.path(".gapless/gapless.db-shm"));
    }
    fs::create_dir(place.path("../elsewhere")).unwrap();
    place
}

fn read_only(place: &Place) -> String {
    let folder = place.path("");
    let folder = folder.display();
    format!("mount --bind '{folder}' '{folder}' && mount -o remount,ro,bind '{folder}'")
}

/// Where mounting is not allowed there is nothing to be tested.
fn may_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["-m", "sh", "-c", "mount -t tmpfs none /mnt"])
        .output();
    let may = tried.is_ok_and(|tried| tried.status.success());
    if !may {
        eprintln!("skipped: no rights to mount");
    }
    may
}

#[test]
fn a_session_in_a_folder_mounted_for_reading_can_be_read_and_exported() {
    if !may_mount() {
        return;
    }
    for (faults, keeps_shared) in [
        ("", false),
        ("log-end:7:dies-after", false),
        ("log-end:7:dies-after", true),
    ] {
        let place = prepared(faults, keeps_shared);
        for words in READING {
            let came = within(&place, &read_only(&place), words);
            let usual = match words.contains("ELSEWHERE") {
                true => None,
                false => Some(place.call(place.command(&words.split(' ').collect::<Vec<_>>()))),
            };
            assert_eq!(came.code, Some(0), "{faults}: {words}: {came:?}");
            if let Some(usual) = usual {
                assert_eq!(came.out, usual.out, "{faults}: {words}");
            }
            // A reader that may write has left the file that readers share.
            if !keeps_shared {
                let _ = fs::remove_file(place.path(".gapless/gapless.db-shm"));
            }
        }
        for words in ["resume lamp", "pause lamp", "doctor --repair"] {
            let came = within(&place, &read_only(&place), words);
            let nothing_to_repair = words.starts_with("doctor") && came.code == Some(0);
            assert!(nothing_to_repair || came.code == Some(2), "{came:?}");
        }
        let export = fs::metadata(place.path("../elsewhere/lamp.tar.gz")).unwrap();
        assert!(export.len() > 1000);
    }
}

#[test]
fn a_session_on_a_full_disk_can_be_read_and_exported() {
    if !may_mount() {
        return;
    }
    for faults in ["", "log-end:7:dies-after"] {
        let place = prepared(faults, false);
        let disk = place.path("../disk");
        fs::create_dir(&disk).unwrap();
        // A small disk with a copy of everything, filled to the last byte, stands in for the folder.
        let full = format!(
            "mount -t tmpfs -o size=8m none '{0}' && cp -r '{1}.' '{0}' && {{ cat /dev/zero > '{0}/filler' 2>/dev/null || true; }} \
             && mount --bind '{0}' '{1}'",
            disk.display(),
            place.path("").display(),
        );
        for words in READING {
            let came = within(&place, &full, words);
            assert_eq!(came.code, Some(0), "{faults}: {words}: {came:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_without_the_right_to_write_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let place = prepared("", false);
    let folder = place.path(".gapless");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        eprintln!("skipped: rights don't hold this user");
        let _ = fs::remove_file(folder.join("probe"));
    } else {
        for words in READING.iter().filter(|words| !words.contains("ELSEWHERE")) {
            let came = place.call(place.command(&words.split(' ').collect::<Vec<_>>()));
            assert_eq!(came.code, Some(0), "{words}: {came:?}");
        }
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
}
