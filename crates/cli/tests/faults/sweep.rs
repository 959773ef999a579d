//! Every fault at every point: the next call makes up for it, and what is left is what is left without it.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gapless_store::fault::{Fault, Point};

use crate::outcomes::{Seen, seen};
use crate::place::{Came, NOW, Place, Remains};
use crate::tour::{Step, TOUR};

const WORKERS: usize = 2;

/// What a step comes to when nothing happens to it.
struct Undisturbed {
    came: Came,
    then: Option<i32>,
    events: usize,
    remains: Remains,
    /// How often each point is reached.
    reached: BTreeMap<Point, usize>,
}

struct Worker {
    place: Place,
    steps: BTreeMap<&'static str, Undisturbed>,
}

#[derive(Debug, Clone, Copy)]
struct Case {
    step: usize,
    point: Point,
    nth: usize,
    fault: Fault,
}

fn point(name: &str) -> Point {
    let mut all = Point::ALL.iter();
    *all.find(|point| point.name() == name).unwrap()
}

fn command(place: &Place, step: &Step, words: &str) -> Command {
    let words: Vec<&str> = words.split(' ').collect();
    let mut command = place.command(&words);
    command.env("GAPLESS_CLOCK", (NOW + step.later).to_string());
    command
}

/// A call that nothing happens to.
fn call(place: &Place, step: &Step, words: &str) -> Came {
    place.call_with(command(place, step, words), step.always).0
}

impl Worker {
    /// Takes the tour, and remembers what it comes to.
    fn new() -> Self {
        let place = Place::new();
        place.keep("nothing");
        let mut steps = BTreeMap::new();
        for step in TOUR {
            place.bring_back(step.after);
            (step.first)(&place);
            let (came, seen) = place.call_with(command(&place, step, step.words), step.always);
            assert!(matches!(came.code, Some(0 | 3)), "{}: {came:?}", step.name);
            let mut reached = BTreeMap::new();
            for name in seen.iter().filter(|name| !name.starts_with('!')) {
                *reached.entry(point(name)).or_default() += 1;
            }
            place.keep(step.name);
            let events = place.events();
            let then = step.then.map(|words| call(&place, step, words));
            let undisturbed = Undisturbed {
                came,
                then: then.and_then(|came| came.code),
                events,
                remains: place.remains(),
                reached,
            };
            steps.insert(step.name, undisturbed);
        }
        Self { place, steps }
    }

    /// Puts a fault somewhere, and then does what a person would. False where the point was not reached so often: how many
    /// documents are written is a matter of time, since a newer one replaces one that waits.
    fn suffer(&self, case: Case) -> bool {
        let (place, step) = (&self.place, &TOUR[case.step]);
        let undisturbed = &self.steps[step.name];
        let (name, fault) = (case.point.name(), case.fault.name());
        place.bring_back(step.after);
        (step.first)(place);
        let faults = format!("{},{name}:{}:{fault}", step.always, case.nth);
        let (came, reached) = place.call_with(command(place, step, step.words), &faults);
        if !reached.contains(&format!("!{name} {}", case.nth)) {
            assert_eq!(came.code, undisturbed.came.code, "{case:?}: {came:?}");
            return false;
        }
        let story = |again: &Option<Came>| {
            format!(
                "{} ({}): {case:?}\n{came:#?}\n{again:#?}",
                step.name, step.words
            )
        };
        assert_eq!(
            came.code.is_none(),
            case.fault.is_death(),
            "{}",
            story(&None)
        );

        if !case.fault.is_death() {
            let found = what_is_seen(&came, &undisturbed.came);
            let allowed = found.is_some_and(|found| seen(case.point).contains(&found));
            assert!(allowed, "{found:?}: {}", story(&None));
        }
        // What is in the log is not said again; what is under way is gone on with.
        let again = match (place.events() > self.before(step), step.resume, step.then) {
            (true, Some(resume), _) => Some(resume),
            (true, None, Some(_)) => None,
            _ => Some(step.words),
        };
        let again = again.map(|words| place.call_with(command(place, step, words), step.always).0);
        let code = again.as_ref().map(|again| again.code);
        let expected = [undisturbed.came.code, step.done_already];
        assert!(
            code.is_none_or(|code| expected.contains(&code)),
            "{}",
            story(&again)
        );
        if let Some(words) = step.then {
            let then = call(place, step, words);
            assert_eq!(then.code, undisturbed.then, "{}\n{then:#?}", story(&again));
        }
        let remains = place.remains();
        let differing = differing(&remains, &undisturbed.remains);
        assert!(differing.is_empty(), "{}\n{differing:#?}", story(&again));
        true
    }

    /// How many events there are before a step.
    fn before(&self, step: &Step) -> usize {
        let before = self.steps.get(step.after);
        before.map_or(0, |before| before.events)
    }
}

/// What a person sees of a failure; `None` where the program didn't say clearly what it was.
fn what_is_seen(came: &Came, undisturbed: &Came) -> Option<Seen> {
    let said = came.out.lines().chain(came.err.lines());
    let usual: BTreeSet<&str> = undisturbed
        .out
        .lines()
        .chain(undisturbed.err.lines())
        .collect();
    let more: Vec<&str> = said.filter(|line| !usual.contains(line)).collect();
    let says = |words: &[&str]| {
        more.iter()
            .any(|line| words.iter().any(|it| line.contains(it)))
    };
    match came.code {
        Some(2) => (says(&["error: "]) && says(&["hint: "])).then_some(Seen::Error),
        // What was asked for is not there: 1, as for every wish that is unmet.
        code if code == undisturbed.code || code == Some(1) => {
            if says(&[
                "was not written",
                "stay where they are",
                "can't be",
                "failed",
            ]) {
                return Some(Seen::Note);
            }
            (more.is_empty() && code == undisturbed.code).then_some(Seen::Nothing)
        }
        _ => None,
    }
}

/// What is only on one side, or not the same on both.
fn differing(found: &Remains, expected: &Remains) -> Vec<String> {
    let names = found.keys().chain(expected.keys());
    let mut names: Vec<&String> = names.collect();
    names.sort();
    names.dedup();
    names.retain(|name| found.get(*name) != expected.get(*name));
    let show = |bytes: Option<&Vec<u8>>| match bytes {
        None => "not there".to_owned(),
        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let differs = |name: &String| {
        let (found, expected) = (show(found.get(name)), show(expected.get(name)));
        let mut lines = found.lines().zip(expected.lines());
        match lines.find(|(found, expected)| found != expected) {
            Some((found, expected)) => format!("{name}: {found}\n  instead of {expected}"),
            None => format!(
                "{name}: {} bytes instead of {}",
                found.len(),
                expected.len()
            ),
        }
    };
    names.into_iter().map(differs).collect()
}

/// What went wrong once, and would go wrong unseen if it were not looked at each time.
const ALWAYS: [(&str, Point, usize, Fault); 4] = [
    ("cold", Point::RoundFolderSwept, 1, Fault::Fails),
    ("imported", Point::Commit, 1, Fault::FailsAfter),
    ("edited", Point::CommitBegin, 2, Fault::DiesBefore),
    ("cold", Point::ManifestWritten, 4, Fault::DiesAfter),
];

/// All there is, or each fault at each point once, at places spread over the tour.
fn cases(worker: &Worker, all: bool) -> Vec<Case> {
    let (mut cases, mut unreached) = (Vec::new(), Vec::new());
    for point in Point::ALL {
        let mut places = Vec::new();
        for (index, step) in TOUR.iter().enumerate() {
            let times = worker.steps[step.name].reached.get(point);
            // What fails all the time can't do anything else as well.
            let times = times.filter(|_| !step.always.starts_with(&format!("{}:", point.name())));
            places.extend((1..=times.copied().unwrap_or(0)).map(|nth| (index, nth)));
        }
        if places.is_empty() {
            unreached.push(point.name());
            continue;
        }
        for (index, fault) in point.kind().faults().iter().enumerate() {
            let chosen = match all {
                true => places.clone(),
                false => {
                    vec![places[index * (places.len() - 1) / point.kind().faults().len().max(1)]]
                }
            };
            cases.extend(chosen.into_iter().map(|(step, nth)| Case {
                step,
                point: *point,
                nth,
                fault: *fault,
            }));
        }
    }
    cases.extend(ALWAYS.map(|(name, point, nth, fault)| Case {
        step: TOUR.iter().position(|step| step.name == name).unwrap(),
        point,
        nth,
        fault,
    }));
    assert_eq!(
        unreached,
        ["letter"],
        "only letters have a test of their own"
    );
    cases
}

#[test]
fn whatever_fails_wherever_the_next_call_makes_up_for_it() {
    let all = std::env::var_os("GAPLESS_EVERY_FAULT").is_some();
    let first = Worker::new();
    let cases = cases(&first, all);
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = |worker: Worker| {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let suffer = || {
                let first = Case { nth: 1, ..*case };
                assert!(worker.suffer(*case) || worker.suffer(first), "{case:?}");
            };
            if let Err(why) = catch_unwind(AssertUnwindSafe(suffer)) {
                let why = why.downcast_ref::<String>().cloned();
                failures.lock().unwrap().push(why.unwrap_or_default());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..WORKERS {
            scope.spawn(|| work(Worker::new()));
        }
        work(first);
    });
    let failures = failures.into_inner().unwrap();
    let (some, all) = (failures.len(), cases.len());
    assert!(some == 0, "{some} of {all}:\n{}", failures.join("\n\n"));
    println!("{all} faults");
}
