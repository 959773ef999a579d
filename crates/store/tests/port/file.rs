//! The one file.

use gapless_domain::text::TextHash;
use gapless_store::archive::Fault;
use gapless_store::port::{Flaw, PortError, pack, write_file};

use crate::archives::{entry, gzip, tar};
use crate::support::{
    SOURCE, edit, files, on_disk, packed, plain, portable, read, refused, reseal, sealed,
};

#[test]
fn a_session_comes_back_as_it_went_in_the_same_bytes() {
    let bytes = pack(&portable()).unwrap();
    let brought = read(&bytes).unwrap();
    assert_eq!(brought.portable, portable());
    assert_eq!(brought.places[2], ("events.jsonl".to_owned(), 3));
    assert_eq!(pack(&brought.portable).unwrap(), bytes);
}

#[test]
fn no_byte_can_be_changed_and_none_be_missing() {
    let bytes = pack(&portable()).unwrap();
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 0x20;
        assert!(read(&altered).is_err(), "byte {at}");
        if at % 16 == 0 {
            assert!(read(&bytes[..at]).is_err(), "{at} bytes");
        }
    }
    let longer = [bytes.as_slice(), b"x"].concat();
    assert!(matches!(read(&longer), Err(PortError::Altered { .. })));
}

#[test]
fn what_is_no_export_is_told_from_one_that_is_damaged() {
    for (bytes, why) in [
        (b"# A lamp\n".to_vec(), "it does not begin like one"),
        (gzip(b"a lamp"), "it is packed, but not by `gapless export`"),
        (Vec::new(), "it does not begin like one"),
    ] {
        let error = read(&bytes).unwrap_err();
        assert!(error.to_string().ends_with(why), "{error}");
    }
    let (dir, _) = on_disk(b"");
    assert!(matches!(
        gapless_store::port::unpack(dir.path()),
        Err(PortError::NotAnExport { .. })
    ));
}

#[test]
fn entries_that_lead_elsewhere_are_refused() {
    let good = plain("gapless.json", b"{}");
    let fault = |entry: Vec<u8>| match read(&sealed(&[good.clone(), entry])) {
        Err(PortError::Unpacking { fault, .. }) => fault,
        other => panic!("{other:?}"),
    };
    for bad in ["../x", "/etc/passwd", "texts/../../x"] {
        assert!(matches!(fault(plain(bad, b"")), Fault::Outside { .. }));
    }
    let link = entry(b"texts/x.md", b'2', b"/etc/passwd", b"");
    assert!(matches!(fault(link), Fault::NotAFile { .. }));
    assert!(matches!(fault(good.clone()), Fault::Twice { .. }));
}

#[test]
fn a_bomb_is_not_unpacked() {
    let zeros = vec![0; 80 * 1024 * 1024];
    let bomb = sealed(&[plain("texts/x.md", &zeros)]);
    assert!(bomb.len() < 200_000);
    assert!(matches!(
        read(&bomb),
        Err(PortError::Unpacking {
            fault: Fault::TooDense { .. },
            ..
        })
    ));
}

#[test]
fn a_newer_version_is_told_apart() {
    let mut newer = files(&portable());
    let version = ("\"version\": 1", "\"version\": 2");
    edit(&mut newer, "gapless.json", version.0, version.1);
    assert!(matches!(
        read(&packed(&newer)),
        Err(PortError::Newer { version: 2, .. })
    ));
}

#[test]
fn the_manifest_is_held_to_its_seal() {
    let mut edited = files(&portable());
    edit(&mut edited, "gapless.json", "\"lamp\"", "\"lump\"");
    let error = read(&packed(&edited)).unwrap_err();
    assert_eq!(error.to_string(), "gapless.json: it was edited");
    let nothing = read(&sealed(&[plain("events.jsonl", b"")])).unwrap_err();
    assert_eq!(nothing.to_string(), "gapless.json: it is missing");
}

#[test]
fn events_must_be_whole_in_order_and_written_as_gapless_does() {
    let change = |from: &'static str, to: &'static str| {
        refused(move |files| edit(files, "events.jsonl", from, to))
    };
    let place = |line: u32| format!("events.jsonl, line {line}: ");
    let out_of_order = change("\"seq\":2", "\"seq\":3");
    assert!(out_of_order.contains("event 3 stands where event 2 should"));
    let twice = change("\"seq\":3", "\"seq\":2");
    assert_eq!(twice, place(3) + "event 2 stands where event 3 should");
    let spaced = change("\"seq\":2,", "\"seq\": 2,");
    assert!(spaced.starts_with(&place(2)) && spaced.contains("edited"));
    let unknown = change("\"seq\":1,", "\"seq\":1,\"who\":1,");
    assert!(unknown.starts_with(&(place(1) + "it is no event: unknown field")));
    let cut = refused(|files| {
        let lines = files.get_mut("events.jsonl").unwrap();
        lines.pop();
    });
    assert_eq!(cut, place(3) + "the line is cut off");
    let fewer = refused(|files| {
        let text = String::from_utf8(files["events.jsonl"].clone()).unwrap();
        let two: String = text.split_inclusive('\n').take(2).collect();
        files.insert("events.jsonl".to_owned(), two.into_bytes());
    });
    assert_eq!(fewer, "gapless.json: it says 3 events, and there are 2");
}

#[test]
fn every_text_that_is_named_is_there_and_no_other() {
    let source = TextHash::of(SOURCE);
    let path = format!("texts/{source}.md");
    let lies = refused(|files| drop(files.insert(path.clone(), b"# A lump\n".to_vec())));
    assert_eq!(
        lies,
        format!("gapless.json: the text {source}, which an event names, is missing")
    );
    let unnamed = refused(|files| {
        let hash = source.to_string();
        edit(files, "events.jsonl", &hash, "gone");
    });
    assert_eq!(
        unnamed,
        format!("gapless.json: no event names the text {source}")
    );
    let not_text = refused(|files| drop(files.insert(path.clone(), b"a\nb\xff".to_vec())));
    assert_eq!(not_text, format!("{path}, line 2: it is not UTF-8"));
}

#[test]
fn files_that_nobody_listed_or_that_are_missing_are_refused() {
    let extra = refused(|files| drop(files.insert("texts/x.md".to_owned(), b"x".to_vec())));
    assert_eq!(extra, "texts/x.md: it is no part of the export");
    let missing = refused(|files| drop(files.remove("examples/engineer.md")));
    assert_eq!(missing, "examples/engineer.md: it is missing");
}

#[test]
fn an_archive_in_it_is_opened_with_the_same_suspicion() {
    let path = "archives/round_001_rolled_back_1.tar.gz";
    let hostile = gzip(&tar(&[plain("../x", b"")]));
    let error = refused(|files| drop(files.insert(path.to_owned(), hostile)));
    assert!(error.starts_with(path) && error.contains("../x"), "{error}");
}

#[test]
fn what_stands_there_is_not_written_over() {
    let bytes = pack(&portable()).unwrap();
    let (dir, other) = on_disk(b"mine");
    assert!(matches!(
        write_file(&other, &bytes),
        Err(PortError::InTheWay { .. })
    ));
    assert_eq!(std::fs::read(&other).unwrap(), b"mine");
    let file = dir.path().join("new");
    write_file(&file, &bytes).unwrap();
    write_file(&file, &bytes).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn a_body_that_would_not_come_back_is_not_written() {
    let mut odd = portable();
    odd.rows[1].body = "{ }".to_owned();
    match pack(&odd) {
        Err(PortError::Flaw(Flaw { why, .. })) => {
            assert_eq!(why, "the body of event 2 is not plain JSON");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_resealed_export_that_was_not_changed_is_taken() {
    let mut same = files(&portable());
    reseal(&mut same);
    assert_eq!(read(&packed(&same)).unwrap().portable, portable());
}
