//! Intents: which contents a file may have without anyone having edited it.

use gapless_domain::text::TextHash;
use gapless_store::{Intended, Projection, Store};

use crate::{Place, rows, status};

fn intended(store: &impl Store) -> Vec<TextHash> {
    match &store.intended("a").unwrap()[..] {
        [] => Vec::new(),
        [only] => only.hashes.clone(),
        more => panic!("{more:?}"),
    }
}

pub fn unconfirmed_contents_are_all_legitimate<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    for content in ["h1", "h2", "h3"] {
        let mut commit = rows(0, &[]);
        commit.projections = vec![status(content)];
        store.commit("a", &commit).unwrap();
    }
    assert_eq!(
        intended(&store),
        ["h1", "h2", "h3"].map(TextHash::of).to_vec()
    );

    let mut commit = rows(0, &[]);
    commit.confirmed = vec![status("h2")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), ["h2", "h3"].map(TextHash::of).to_vec());

    // Late and unknown confirmations drop nothing.
    commit.confirmed = vec![status("h1"), status("never")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), ["h2", "h3"].map(TextHash::of).to_vec());
}

pub fn intending_and_confirming_in_one_commit<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let mut commit = rows(0, &[]);
    commit.projections = vec![status("h1")];
    store.commit("a", &commit).unwrap();
    commit.projections = vec![status("h2")];
    commit.confirmed = vec![status("h1")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), ["h1", "h2"].map(TextHash::of).to_vec());
    commit.projections = vec![status("h3")];
    commit.confirmed = vec![status("h3")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), [TextHash::of("h3")]);
}

pub fn a_content_intended_again_stays_legitimate<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let mut commit = rows(0, &[]);
    for content in ["h1", "h2", "h1"] {
        commit.projections = vec![status(content)];
        store.commit("a", &commit).unwrap();
    }
    commit.projections.clear();
    // The first h1 was written: h2 may still be, and h1 after it.
    commit.confirmed = vec![status("h1")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), ["h2", "h1"].map(TextHash::of).to_vec());
    commit.confirmed = vec![status("h2")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), ["h2", "h1"].map(TextHash::of).to_vec());
    commit.projections = vec![status("h3")];
    commit.confirmed = vec![status("h3")];
    store.commit("a", &commit).unwrap();
    assert_eq!(intended(&store), [TextHash::of("h3")]);
}

pub fn the_same_content_intended_over_and_over_is_kept_once<P: Place>() {
    let place = P::new();
    let mut store = place.open();
    let mut commit = rows(0, &[]);
    commit.projections = vec![
        status("h1"),
        Projection {
            path: "round_001/summary.md".to_owned(),
            hash: TextHash::of("s"),
        },
    ];
    for _ in 0..3 {
        store.commit("a", &commit).unwrap();
    }
    let once = |path: &str, content| Intended {
        path: path.to_owned(),
        hashes: vec![TextHash::of(content)],
    };
    assert_eq!(
        store.intended("a").unwrap(),
        [once("round_001/summary.md", "s"), once("status.md", "h1")]
    );
}
