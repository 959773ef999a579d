//! Rows, texts and summaries: all of a commit or nothing, in order, fenced.

use std::sync::mpsc;
use std::thread;

use gapless_domain::text::{TextHash, Texts};
use gapless_domain::time::Time;
use gapless_store::{Commit, Store, StoreError};

use crate::{Place, all_of, bodies, rows, status, texts};

pub fn rows_come_back_as_written_in_order<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let odd = "{\"a\":\"ü\\u0000\n'\u{1F980}\0\"}";
    assert_eq!(store.commit("a", &rows(0, &["1", odd])).unwrap(), 2);
    assert_eq!(store.commit("a", &rows(2, &["3"])).unwrap(), 3);
    let read = store.read("a").unwrap();
    assert_eq!(
        read.iter().map(|row| row.seq).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(read[1].body, odd);
    assert_eq!((&read[1].type_name[..], read[1].version), ("gap.opened", 2));
    assert_eq!(read[1].at, Time(1_768_228_200_000));
    assert_eq!(store.rows_after("a", 1).unwrap(), read[1..]);
    assert_eq!(store.rows_after("a", 3).unwrap(), []);
    assert_eq!(store.rows_after("a", u64::MAX).unwrap(), []);
}

pub fn an_unknown_session_is_said<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let unknown = |result: Result<_, StoreError>| {
        assert!(matches!(result, Err(StoreError::NoSuchSession { session }) if session == "a"));
    };
    unknown(store.read("a").map(drop));
    unknown(store.rows_after("a", 4).map(drop));
    unknown(store.post("a", Time(0), "{}").map(drop));
    assert_eq!(store.letters("a").unwrap(), []);
    assert_eq!(store.intended("a").unwrap(), []);
    assert_eq!(store.sessions().unwrap(), []);
}

pub fn several_sessions_do_not_mix<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let mut first = rows(0, &["a1", "a2"]);
    first.projections = vec![status("a")];
    store.commit("a", &first).unwrap();
    store.commit("b", &rows(0, &["b1"])).unwrap();
    let letter = store.post("b", Time(1), "{}").unwrap();
    store.commit("a", &rows(2, &["a3"])).unwrap();
    assert_eq!(bodies(&store, "a"), ["a1", "a2", "a3"]);
    assert_eq!(bodies(&store, "b"), ["b1"]);
    assert_eq!(store.letters("a").unwrap(), []);
    assert_eq!(store.intended("b").unwrap(), []);
    // Nor can one session take another's letter.
    let mut theft = rows(3, &[]);
    theft.answered = vec![(letter, "done".to_owned())];
    let refused = store.commit("a", &theft);
    assert!(matches!(refused, Err(StoreError::NotWaiting { .. })));
    assert_eq!(store.letters("b").unwrap().len(), 1);
}

pub fn a_commit_is_all_or_nothing<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    store.commit("a", &rows(0, &["1"])).unwrap();
    let letter = store.post("a", Time(1), "{}").unwrap();
    let before = all_of(&store);
    // The letter that doesn't exist stands last in the commit: everything before it must be undone.
    let commit = Commit {
        texts: texts(&["lost"]),
        projections: vec![status("lost")],
        answered: vec![(letter, "done".to_owned()), (999, "done".to_owned())],
        ..rows(1, &["2", "3"])
    };
    let refused = store.commit("a", &commit);
    assert!(matches!(
        refused,
        Err(StoreError::NotWaiting { id: 999, .. })
    ));
    assert_eq!(all_of(&store), before);
    assert_eq!(store.text(&TextHash::of("lost")), None);
    assert_eq!(store.letter(letter).unwrap().unwrap().outcome, None);
    assert_eq!(store.commits(), 1);
}

pub fn a_fenced_commit_changes_nothing<P: Place>() {
    let place = P::new();
    let (mut old, mut new) = (place.open(), place.open());
    old.commit("a", &rows(0, &["1"])).unwrap();
    new.commit("a", &rows(1, &["2"])).unwrap();
    let before = all_of(&new);
    for after_seq in [0, 1, 3] {
        let mut late = rows(after_seq, &["late"]);
        late.texts = texts(&["late"]);
        late.projections = vec![status("late")];
        let refused = old.commit("a", &late);
        assert!(matches!(
            refused,
            Err(StoreError::Fenced { expected, found: 2, .. }) if expected == after_seq
        ));
    }
    assert_eq!(all_of(&new), before);
    assert_eq!(old.text(&TextHash::of("late")), None);
}

pub fn a_commit_without_rows_is_fenced_too<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    assert_eq!(store.commit("a", &rows(0, &[])).unwrap(), 0);
    assert_eq!(store.read("a").unwrap(), []);
    store.commit("a", &rows(0, &["1"])).unwrap();
    let refused = store.commit("a", &rows(0, &[]));
    assert!(matches!(refused, Err(StoreError::Fenced { .. })));
}

pub fn texts_are_kept_once<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let mut first = rows(0, &["1"]);
    first.texts = texts(&["same", "same", "nul \0 and ü", ""]);
    store.commit("a", &first).unwrap();
    let mut second = rows(0, &["1"]);
    second.texts = texts(&["same", "other"]);
    store.commit("b", &second).unwrap();
    assert_eq!(place.text_count(), 4);
    for kept in ["same", "other", "nul \0 and ü", ""] {
        assert_eq!(store.text(&TextHash::of(kept)).as_deref(), Some(kept));
    }
    assert_eq!(store.text_checked(&TextHash::of("never")).unwrap(), None);
    assert!(store.take_text_error().is_none());
}

pub fn the_summary_is_replaced<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    store.commit("b", &rows(0, &["1"])).unwrap();
    store.commit("a", &rows(0, &["1"])).unwrap();
    let mut next = rows(1, &["2"]);
    next.updated_at = Time(8);
    store.commit("b", &next).unwrap();
    let sessions = store.sessions().unwrap();
    let shown: Vec<_> = sessions
        .iter()
        .map(|summary| (&summary.name[..], summary.updated_at, &summary.body[..]))
        .collect();
    assert_eq!(
        shown,
        [
            ("a", Time(7), "{\"after\":0}"),
            ("b", Time(8), "{\"after\":1}")
        ]
    );
}

pub fn a_store_opened_again_has_everything<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let mut commit = rows(0, &["1", "2"]);
    commit.texts = texts(&["kept"]);
    commit.projections = vec![status("h1")];
    store.commit("a", &commit).unwrap();
    let letter = store.post("a", Time(1), "{}").unwrap();
    let before = all_of(&store);
    drop(store);

    let mut store = place.open();
    assert_eq!(all_of(&store), before);
    assert_eq!(store.text(&TextHash::of("kept")).as_deref(), Some("kept"));
    assert_eq!(store.letters("a").unwrap()[0].id, letter);
    assert_eq!(store.commit("a", &rows(2, &["3"])).unwrap(), 3);
}

pub fn a_reader_beside_the_writer_sees_whole_commits<P: Place>() {
    const COMMITS: u64 = 40;
    let place = P::new();
    let mut writer = place.open();
    writer.commit("a", &rows(0, &["x", "y", "z"])).unwrap();
    let reader = place.open_reader();
    let writing = thread::spawn(move || {
        for nth in 1..COMMITS {
            writer
                .commit("a", &rows(nth * 3, &["x", "y", "z"]))
                .unwrap();
        }
    });
    let mut seen = 0;
    while seen < COMMITS * 3 {
        let now = reader.read("a").unwrap().len() as u64;
        assert!(now >= seen && now.is_multiple_of(3), "{seen} then {now}");
        seen = now;
    }
    writing.join().unwrap();
}

pub fn of_many_rivals_one_wins_each_place<P: Place>() {
    const RIVALS: u64 = 4;
    const EACH: u64 = 10;
    let place = P::new();
    let rivals: Vec<_> = (0..RIVALS)
        .map(|_| {
            let mut store = place.open();
            thread::spawn(move || {
                let (mut won, mut after) = (0, 0);
                while won < EACH {
                    match store.commit("a", &rows(after, &["x"])) {
                        Ok(last) => (won, after) = (won + 1, last),
                        Err(StoreError::Fenced { found, .. }) => after = found,
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    rivals.into_iter().for_each(|rival| rival.join().unwrap());
    let seqs: Vec<u64> = place
        .open()
        .read("a")
        .unwrap()
        .iter()
        .map(|row| row.seq)
        .collect();
    assert_eq!(seqs, (1..=RIVALS * EACH).collect::<Vec<_>>());
}

pub fn each_of_several_commits_is_told_what_came_of_it<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    store.commit("b", &rows(0, &["1"])).unwrap();
    let before = all_of(&store);
    let mut stale = rows(0, &["stale"]);
    stale.texts = texts(&["stale"]);
    stale.projections = vec![status("stale")];
    let mut theft = rows(0, &["theft"]);
    theft.answered = vec![(999, "done".to_owned())];
    let commits = [
        ("a", rows(0, &["a1", "a2"])),
        ("b", stale),
        ("c", theft),
        ("d", rows(0, &["d1"])),
    ];

    let (tell, told) = mpsc::channel();
    let mut others: Vec<P::Store> = commits.iter().map(|_| place.another(&store)).collect();
    let mut turns = Vec::new();
    for (other, (session, commit)) in others.iter_mut().zip(commits) {
        let tell = tell.clone();
        let done = Box::new(move |result| tell.send((session, result)).unwrap());
        turns.extend(other.submit(session, commit, done));
    }
    turns.into_iter().for_each(gapless_store::Turn::take);
    let mut results: Vec<_> = told.try_iter().collect();
    results.sort_by_key(|(session, _)| *session);

    assert!(matches!(
        &results[..],
        [
            ("a", Ok(2)),
            ("b", Err(StoreError::Fenced { found: 1, .. })),
            ("c", Err(StoreError::NotWaiting { id: 999, .. })),
            ("d", Ok(1)),
        ]
    ));
    assert_eq!(bodies(&store, "a"), ["a1", "a2"]);
    assert_eq!(bodies(&store, "d"), ["d1"]);
    assert_eq!(store.text(&TextHash::of("stale")), None);
    assert_eq!(store.sessions().unwrap().len(), 3, "{before}");
    assert_eq!(store.intended("b").unwrap(), []);
}
