//! Archives that others made: nothing but plain files within limits is taken of them, and nothing panics.

use std::fs;

use gapless_store::archive::{ArchiveError, Fault, LIMITS, Limits, Opened};
use proptest::prelude::*;

use crate::support::{Session, entry, files, gzip, name, tar, undone};

fn read_within(bytes: &[u8], limits: &Limits) -> Result<Opened, ArchiveError> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("round_001_rolled_back_1.tar.gz");
    fs::write(&file, bytes).unwrap();
    Opened::read_within(&file, limits)
}

fn read(bytes: &[u8]) -> Result<Opened, ArchiveError> {
    read_within(bytes, &LIMITS)
}

#[track_caller]
fn fault(read: Result<Opened, ArchiveError>) -> Fault {
    match read {
        Err(ArchiveError::Unreadable { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

fn file(name: &str) -> Vec<u8> {
    entry(name.as_bytes(), b'0', b"", b"text")
}

#[test]
fn an_archive_that_others_made_well_is_read() {
    let folder = entry(b"round_001/", b'5', b"", b"");
    let bytes = gzip(&tar(&[folder, file("round_001/a.md"), file("b.md")]));
    let opened = read(&bytes).unwrap();
    let names: Vec<&String> = opened.contents.keys().collect();
    assert_eq!(names, ["b.md", "round_001/a.md"]);
}

#[test]
fn names_that_lead_elsewhere_or_steer_are_refused() {
    for bad in [
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a/..",
        "./a",
        "a//b",
        "a/./b",
        "..",
        ".",
    ] {
        let fault = fault(read(&gzip(&tar(&[file("good.md"), file(bad)]))));
        assert!(matches!(fault, Fault::Outside { .. }), "{bad:?}: {fault}");
    }
    for bad in [
        "a\\b",
        "a\nb",
        "a\u{1b}[2Jb",
        "a\u{202e}b",
        "a\u{7f}",
        "a\u{9b}b",
    ] {
        let fault = fault(read(&gzip(&tar(&[file(bad)]))));
        assert!(matches!(fault, Fault::BadName { .. }), "{bad:?}: {fault}");
        assert!(!fault.to_string().chars().any(char::is_control), "{fault}");
    }
    let not_text = entry(b"a\xff\xfeb", b'0', b"", b"");
    assert!(matches!(
        fault(read(&gzip(&tar(&[not_text])))),
        Fault::BadName { .. }
    ));
}

#[test]
fn long_names_are_checked_too() {
    // The real name comes in an entry before the file's.
    let long = |real: &[u8]| {
        let head = entry(b"././@LongLink", b'L', b"", real);
        read(&gzip(&tar(&[head, file("harmless.md")])))
    };
    let deep = format!("round_001/{}.md", "x".repeat(150));
    let opened = long(deep.as_bytes()).unwrap();
    assert!(opened.contents.contains_key(&deep));
    assert!(matches!(
        fault(long(b"../../etc/passwd\0")),
        Fault::Outside { .. }
    ));
    let endless = "y".repeat(5000);
    assert!(matches!(
        fault(long(endless.as_bytes())),
        Fault::BadName { .. }
    ));
    let pax = entry(b"pax", b'x', b"", b"18 path=../escape\n");
    let read = read(&gzip(&tar(&[pax, file("harmless.md")])));
    assert!(matches!(fault(read), Fault::Outside { .. }));
}

#[test]
fn nothing_but_files_is_taken() {
    // Hard link, link, character device, block device, pipe, contiguous, sparse, unknown.
    for kind in [b'1', b'2', b'3', b'4', b'6', b'7', b'S', b'Z'] {
        let odd = entry(b"odd", kind, b"/etc/passwd", b"");
        let fault = fault(read(&gzip(&tar(&[odd]))));
        let kind = char::from(kind);
        let refused = matches!(fault, Fault::NotAFile { .. } | Fault::Damaged(_));
        assert!(refused, "{kind}: {fault}");
    }
}

#[test]
fn a_name_stands_once() {
    for names in [["a.md", "a.md"], ["a", "a/b.md"], ["a/b.md", "a"]] {
        let fault = fault(read(&gzip(&tar(&names.map(file)))));
        assert!(matches!(fault, Fault::Twice { .. }), "{names:?}: {fault}");
    }
}

#[test]
fn what_unpacks_to_too_much_is_left_off_in_time() {
    let many: Vec<Vec<u8>> = (0..30).map(|n| file(&format!("{n}.md"))).collect();
    let limits = Limits {
        entries: 29,
        ..LIMITS
    };
    let read = read_within(&gzip(&tar(&many)), &limits);
    assert!(matches!(fault(read), Fault::TooMany { most: 29 }));

    let blank = entry(b"blank", b'0', b"", &vec![0; 4 << 20]);
    let bomb = gzip(&tar(&[blank]));
    assert!(bomb.len() < 8192, "{}", bomb.len());
    let small = Limits {
        unpacked: 1 << 20,
        ..LIMITS
    };
    let read = read_within(&bomb, &small);
    assert!(matches!(fault(read), Fault::TooLarge { most: 1_048_576 }));
    let dense = Limits {
        dense_from: 1 << 20,
        ..LIMITS
    };
    assert!(matches!(
        fault(read_within(&bomb, &dense)),
        Fault::TooDense { .. }
    ));
    assert!(read_within(&bomb, &LIMITS).is_ok());
    // The same behind the end of the archive, and in the name of an entry.
    let behind = gzip(&[tar(&[file("a.md")]), vec![0; 4 << 20]].concat());
    assert!(matches!(
        fault(read_within(&behind, &small)),
        Fault::TooLarge { .. }
    ));
    let name = entry(b"././@LongLink", b'L', b"", &vec![b'x'; 4 << 20]);
    let named = gzip(&tar(&[name, file("a.md")]));
    assert!(matches!(
        fault(read_within(&named, &small)),
        Fault::TooLarge { .. }
    ));
}

#[test]
fn what_is_cut_off_or_has_something_behind_it_is_damaged() {
    let whole = gzip(&tar(&[file("a.md"), file("b.md")]));
    for length in 0..whole.len() {
        let fault = fault(read(&whole[..length]));
        assert!(matches!(fault, Fault::Damaged(_)), "{length}: {fault}");
    }
    let mut wrong_sum = whole.clone();
    let at = whole.len() - 8;
    wrong_sum[at] ^= 1;
    assert!(matches!(fault(read(&wrong_sum)), Fault::Damaged(_)));
    let behind = [whole.as_slice(), b"more"].concat();
    assert!(matches!(fault(read(&behind)), Fault::Trailing));
    let twice = [whole.as_slice(), whole.as_slice()].concat();
    assert!(matches!(fault(read(&twice)), Fault::Trailing));
    let hidden = gzip(&[tar(&[file("a.md")]), file("hidden.md")].concat());
    assert!(matches!(fault(read(&hidden)), Fault::Trailing));
}

#[test]
fn an_archive_is_unpacked_into_a_new_folder_only() {
    let session = Session::with_round();
    session.settle(&undone(2, 1)).unwrap();
    let opened = Opened::read(&session.archives().file(name(2, 1))).unwrap();
    let into = session.dir.path().join("back");
    opened.unpack(&into).unwrap();
    assert_eq!(files(&into), opened.contents);
    let there = opened.unpack(&into);
    assert!(
        matches!(there, Err(ArchiveError::InTheWay { .. })),
        "{there:?}"
    );
    let nowhere = opened.unpack(&session.dir.path().join("no/such/place"));
    assert!(nowhere.is_err());
    fs::write(session.dir.path().join("file"), "mine").unwrap();
    assert!(opened.unpack(&session.dir.path().join("file")).is_err());
    assert_eq!(fs::read(session.dir.path().join("file")).unwrap(), b"mine");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is read at all are plain names, and unpacking writes nothing but them.
    #[test]
    fn any_names_either_are_refused_or_stay_inside(
        names in prop::collection::vec("[a./\\\\\u{1b}é]{1,12}", 1..4),
        kinds in prop::collection::vec(prop::sample::select(b"0125".to_vec()), 4),
    ) {
        let entries: Vec<Vec<u8>> = names
            .iter()
            .zip(kinds)
            .map(|(name, kind)| entry(name.as_bytes(), kind, b"/etc", b"text"))
            .collect();
        if let Ok(opened) = read(&gzip(&tar(&entries))) {
            let dir = tempfile::tempdir().unwrap();
            let into = dir.path().join("in/side");
            fs::create_dir(dir.path().join("in")).unwrap();
            opened.unpack(&into).unwrap();
            prop_assert_eq!(files(&into), opened.contents);
            prop_assert!(files(dir.path()).keys().all(|name| name.starts_with("in/side/")));
        }
    }

    /// Bytes turned over anywhere are found, or were of no account.
    #[test]
    fn no_damage_goes_unseen(at in any::<prop::sample::Index>(), flip in 1_u8..) {
        let whole = gzip(&tar(&[file("a.md"), file("b/c.md")]));
        let good = read(&whole).unwrap();
        let mut damaged = whole;
        let at = at.index(damaged.len());
        damaged[at] ^= flip;
        if let Ok(opened) = read(&damaged) {
            prop_assert_eq!(opened, good);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(read(&bytes).is_err());
        // Some tars of noise are empty ones; what matters is that nothing panics.
        let _ = read(&gzip(&bytes));
    }
}
