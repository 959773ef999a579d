//! Letters: taken once, with their outcome, by the session they were posted to.

use gapless_domain::time::Time;
use gapless_store::{Commit, Store, StoreError};

use crate::{Place, bodies, rows};

pub fn letters_are_taken_exactly_once<P: Place>() {
    let place = P::new();
    let (mut driver, mut other) = (place.open(), place.open());
    driver.commit("a", &rows(0, &["1"])).unwrap();
    let first = other.post("a", Time(1), "{\"pause\":true}").unwrap();
    let second = other.post("a", Time(2), "{}").unwrap();
    let waiting = driver.letters("a").unwrap();
    assert_eq!(
        waiting.iter().map(|letter| letter.id).collect::<Vec<_>>(),
        [first, second]
    );
    assert_eq!(waiting[0].body, "{\"pause\":true}");
    assert_eq!(waiting[0].posted_at, Time(1));

    let take = |after_seq, id| Commit {
        answered: vec![(id, "paused".to_owned())],
        ..rows(after_seq, &["took"])
    };
    driver.commit("a", &take(1, first)).unwrap();
    let outcome = other.letter(first).unwrap().unwrap().outcome;
    assert_eq!(outcome.as_deref(), Some("paused"));
    assert_eq!(driver.letters("a").unwrap(), waiting[1..]);

    let again = driver.commit("a", &take(2, first));
    assert!(matches!(again, Err(StoreError::NotWaiting { id, .. }) if id == first));
    let mut twice = take(2, second);
    twice.answered.push((second, "again".to_owned()));
    let twice = driver.commit("a", &twice);
    assert!(matches!(twice, Err(StoreError::NotWaiting { id, .. }) if id == second));
    assert_eq!(bodies(&driver, "a"), ["1", "took"]);
    assert_eq!(driver.letter(999).unwrap(), None);
}
