//! Random corruptions of the database and the files beside it: what is read afterwards is what was written, or an error.
//! Anything else is a silent difference, of which there may be none.

use std::fs;
use std::path::PathBuf;

use crate::place::{Came, Place};
use crate::tour::TOUR;

/// How many corruptions there are; `GAPLESS_CORRUPTIONS=2000` has more. `GAPLESS_CORRUPTIONS_FROM` is the first seed.
const ORDINARY: u64 = 40;

/// A generator of numbers that needs no more than to be the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap() % limit.max(1)
    }
}

/// How a session is found: ended cleanly, or killed with everything in the write-ahead log.
const BASES: [(&str, &str); 2] = [("clean", ""), ("killed", "log-end:7:dies-after")];

/// What a session says when nothing is wrong with it.
struct Expected {
    read: Vec<u8>,
    status: String,
    paused: Vec<u8>,
}

fn say(place: &Place, words: &str) -> Came {
    place.call(place.command(&words.split(' ').collect::<Vec<_>>()))
}

/// The session as one file; `None` where it can't be had, with an error that says so.
fn exported(place: &Place, story: &str) -> Option<Vec<u8>> {
    let _ = fs::remove_file(place.path("exported.tar.gz"));
    let came = say(place, "export lamp --output exported.tar.gz");
    is_told(&came, story).then(|| fs::read(place.path("exported.tar.gz")).unwrap())
}

/// True where a call did what it was asked; else there must be an error.
fn is_told(came: &Came, story: &str) -> bool {
    match came.code {
        Some(0) => true,
        Some(1..=3) => {
            assert!(came.err.contains("error: "), "{story}: {came:?}");
            assert!(!came.err.contains("panicked"), "{story}: {came:?}");
            false
        }
        _ => panic!("{story}: {came:?}"),
    }
}

fn base(place: &Place, name: &str, faults: &str) -> Expected {
    fs::remove_dir_all(place.path("")).unwrap();
    fs::create_dir(place.path("")).unwrap();
    (TOUR[0].first)(place);
    let words: Vec<&str> = TOUR[0].words.split(' ').collect();
    let (came, _) = place.call_with(place.command(&words), faults);
    assert_eq!(came.code, (faults.is_empty()).then_some(3), "{came:?}");
    place.keep(name);
    let read = exported(place, name).unwrap();
    let status = say(place, "status lamp --json").out;
    place.bring_back(name);
    assert_eq!(say(place, "pause lamp").code, Some(0));
    let paused = exported(place, name).unwrap();
    Expected {
        read,
        status,
        paused,
    }
}

fn files(place: &Place) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.path(".gapless")).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && !path.to_string_lossy().ends_with("-shm"))
        .collect();
    files.sort();
    files
}

/// Damages one file, and says how.
fn corrupt(place: &Place, dice: &mut Dice) -> String {
    let files = files(place);
    // The record is small, and seldom hit.
    let file = match dice.below(12) {
        0 => &files[dice.below(files.len())],
        _ => {
            let size = |file: &&PathBuf| fs::metadata(file).unwrap().len();
            let large: Vec<_> = files.iter().filter(|file| size(file) > 4096).collect();
            large[dice.below(large.len())]
        }
    };
    let mut bytes = fs::read(file).unwrap();
    let at = dice.below(bytes.len());
    let page = at / 4096 * 4096;
    let to_page_end = (page + 4096).min(bytes.len());
    let how = match dice.below(9) {
        0..=2 => {
            bytes[at] ^= 1 << dice.below(8);
            "a bit flipped"
        }
        3 => {
            bytes[at] = u8::try_from(dice.below(256)).unwrap();
            "a byte changed"
        }
        4 => {
            let end = (at + 1 + dice.below(600)).min(bytes.len());
            bytes[at..end].fill_with(|| u8::try_from(dice.below(256)).unwrap());
            "noise"
        }
        5 => {
            bytes[page..to_page_end].fill(0);
            "a page of zeros"
        }
        6 => {
            bytes.truncate(at);
            "cut off"
        }
        7 => {
            let other = dice.below(bytes.len()) / 4096 * 4096;
            let length = (bytes.len() - other).min(to_page_end - page);
            let copy = bytes[other..other + length].to_vec();
            bytes[page..page + length].copy_from_slice(&copy);
            "a page in place of another"
        }
        _ => {
            let sector = at / 512 * 512;
            let end = (sector + 512).min(bytes.len());
            bytes[sector..end].fill(0);
            "a sector of zeros"
        }
    };
    fs::write(file, bytes).unwrap();
    format!("{} at {at}: {how}", file.file_name().unwrap().display())
}

#[test]
fn no_corruption_passes_in_silence() {
    let count = std::env::var("GAPLESS_CORRUPTIONS");
    let count = count.map_or(ORDINARY, |count| count.parse().unwrap());
    let place = Place::new();
    let bases = BASES.map(|(name, faults)| (name, base(&place, name, faults)));
    for (name, expected) in &bases {
        place.bring_back(name);
        assert!(is_whole(&place, expected, name), "{name}");
    }
    let (mut told, mut harmless, mut saved) = (0, 0, 0);
    let from = std::env::var("GAPLESS_CORRUPTIONS_FROM").map_or(1, |from| from.parse().unwrap());
    for seed in from..from + count {
        let (name, expected) = &bases[usize::try_from(seed % 2).unwrap()];
        place.bring_back(name);
        let dice = || Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let story = corrupt(&place, &mut dice());
        let story = format!("seed {seed}, {name}, {story}");
        if is_whole(&place, expected, &story) {
            harmless += 1;
            continue;
        }
        told += 1;
        place.bring_back(name);
        corrupt(&place, &mut dice());
        saved += u64::from(is_saved(&place, &story));
    }
    println!("{saved} of {told} could be saved, as far as they were sound");
    println!("{count} corruptions: {told} told, {harmless} without effect, 0 silent differences");
    assert!(count < 10 || (told > count / 4 && harmless > 0));
}

/// Reads a session and writes to it. True where all is as it should be, false where it was said that it isn't.
fn is_whole(place: &Place, expected: &Expected, story: &str) -> bool {
    let read = exported(place, story);
    let is_same = |read: &Vec<u8>, expected: &Vec<u8>| {
        assert!(read == expected, "silent difference: {story}");
        true
    };
    let mut whole = read.is_some_and(|read| is_same(&read, &expected.read));
    let status = say(place, "status lamp --json");
    match status.code {
        Some(0) => assert_eq!(status.out, expected.status, "{story}"),
        _ => whole = false,
    }
    if !is_told(&say(place, "pause lamp"), story) {
        return false;
    }
    let paused = exported(place, story);
    whole & paused.is_some_and(|paused| is_same(&paused, &expected.paused))
}

/// Repairs a damaged database. What comes of it must be sound and usable, and nothing that was not there before.
fn is_saved(place: &Place, story: &str) -> bool {
    let repaired = say(place, "doctor --repair");
    if !is_told(&repaired, story) {
        return false;
    }
    for words in ["doctor", "status lamp"] {
        let came = say(place, words);
        assert_eq!(
            came.code,
            Some(0),
            "{story}: {words}: {came:?}\n{repaired:?}"
        );
    }
    let came = say(place, "resume lamp --answers begin.toml");
    assert_eq!(came.code, Some(3), "{story}: {came:?}\n{repaired:?}");
    true
}
