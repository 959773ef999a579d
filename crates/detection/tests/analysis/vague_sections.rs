//! ABSTRACT_OUTPUT on sections of several domains and lengths: those that put everything off, and those that say what holds.

use gapless_detection::analysis::Pattern;

use crate::support::{analyzed, complete, shows};

/// Each says nothing that could be built, at a length of its own, some of them beside code.
const VAGUE: [(&str, &str); 10] = [
    (
        "upload limits",
        "Uploads are limited to a reasonable size. Files that are too large are handled properly, and the user gets an appropriate message. Various formats are supported as needed.",
    ),
    (
        "hotel booking",
        "Guests may cancel within a reasonable time. The hotel might charge an appropriate fee, which typically depends on various factors. Some rooms could be treated differently. Refunds are made correctly and, when necessary, the manager is informed. Overbooking is generally avoided with adequate checks, and a certain number of rooms may be kept free as required.",
    ),
    (
        "irrigation, with code beside it",
        "The pump should run for a sufficient time. Valves are opened correctly and closed properly.\n\n```c\nvoid water(int zone) {\n    open(zone);\n    wait(appropriate_time());\n    close(zone);\n}\n```\n\nZones are watered as needed; generally, a certain amount of water is adequate for various plants.",
    ),
    (
        "session security",
        "Sessions expire after an appropriate period of inactivity. It depends on the sensitivity of the data. Tokens are stored properly and rotated when necessary. Adequate logging is in place so that certain events can be reviewed as required.",
    ),
    (
        "search ranking",
        "Results are ordered by relevance, which is context-dependent. We should consider various signals, such as age and popularity, and combine them with reasonable weights. Some signals may be missing; they are then handled in an appropriate way. Typically the first page should be good enough for most people.",
    ),
    (
        "payroll, as a list",
        "- Overtime is paid at an appropriate rate.\n- Certain holidays might count double.\n- Corrections are applied as needed.\n- Various deductions are made, if applicable.\n- Rounding is done correctly.\n",
    ),
    (
        "device updates, long",
        "Devices look for updates from time to time. The interval should be reasonable so that the server is not overloaded, and devices that are offline generally catch up later. Before an update is installed the device makes sure that sufficient space is there and that the battery has an adequate level. If something goes wrong the device recovers properly. Users may be told about the update when it is appropriate, and some might be able to postpone it for a certain time. Large updates could be split into various parts, if applicable, and are put together correctly on the device. The server keeps the versions that are needed and removes others as required. Security is taken into account at every step, and the process as a whole is designed to be robust and flexible enough for what comes later.",
    ),
    (
        "chess clock, with a schema",
        "Each player has a reasonable amount of time.\n\n```json\n{ \"white\": 300, \"black\": 300 }\n```\n\nIncrements are added as needed. When the time is over, the game ends properly. Various modes may exist; typically a tournament picks the appropriate one, and some could allow a certain delay.",
    ),
    (
        "museum audio guide, as a table",
        "| Situation | Behaviour |\n|---|---|\n| Visitor enters a room | plays an appropriate track |\n| Visitor leaves early | stops when necessary |\n| Several visitors | handled correctly |\n| No signal | falls back to a reasonable default |\n| Language is missing | uses some other language, if applicable |\n",
    ),
    (
        "rate limits under headings",
        "#### Limits\n\nClients are limited to a reasonable rate. Bursts may be allowed to a certain degree.\n\n#### Answers\n\nA client that is too fast gets an appropriate error and should consider waiting. It depends on the client how long is sufficient.\n\n#### Exceptions\n\nSome partners might have higher limits as required.",
    ),
];

/// Each can be built as it stands; several use weak words where those are the right ones.
const CONCRETE: [(&str, &str); 10] = [
    (
        "upload limits",
        "An upload is at most 25 MiB, measured after decoding. A larger one ends with status 413 and the code `too_large` before its body is read. PNG, JPEG and PDF are taken by their first bytes, not by name; anything else ends with status 415.",
    ),
    (
        "hotel booking, with weak words",
        "A guest may cancel until 18:00 on the day before arrival and pays nothing. Later the first night is charged. The hotel may move a guest to a room of a higher class, never to a lower one. Some bookings are prepaid: their refund goes back to the card within 5 days. A booking that was moved keeps its price. Two rooms are kept free every night; the desk may give them out after 20:00.",
    ),
    (
        "irrigation",
        "Zone 1 runs 12 minutes at 05:00, zone 2 runs 8 minutes at 05:15. Rain of more than 4 mm in the last 24 hours skips a run. A valve that is not open within 3 seconds is closed again, the pump stops, and `VALVE_STUCK` is shown until somebody presses reset.",
    ),
    (
        "session security, with code",
        "A session ends 15 minutes after its last request, and 8 hours after its start at the latest.\n\n```toml\nidle = \"15m\"\nlongest = \"8h\"\n```\n\nThe token is 32 random bytes in a cookie with `HttpOnly`, `Secure` and `SameSite=Lax`. It is replaced after each sign-in. The server stores its SHA-256 and nothing else.",
    ),
    (
        "search ranking, with quoted messages",
        "The score is 3 for a match in the title, 1 for one in the text, plus 2 if the page changed within 30 days. Equal scores are ordered by id. With no match the page says \"Some words may be spelled wrong; you could try various others as needed\" and shows the 5 newest pages.",
    ),
    (
        "payroll, as a list",
        "- Overtime is paid at 125 %, from the 41st hour of a week.\n- Sundays count double.\n- A correction is a new entry with the sign turned round; entries are never changed.\n- Amounts are rounded half up to the cent, once, at the end.\n",
    ),
    (
        "device updates, long, with weak words",
        "A device asks for updates once a day, at a minute that is the hash of its serial number modulo 1440, so that the load is even. It may ask earlier if a person presses the button. An update needs 200 MB free and a battery of at least 40 %; below that the device waits and asks again after 6 hours. The image is written to the second partition, its signature is checked with the key in read-only memory, and only then the boot flag is turned. If the new system does not report within 120 seconds, the boot flag is turned back and the error `E-ROLL` is sent. A person could postpone an update three times, by 24 hours each; after that it is installed at 03:00. Some devices have no clock: they count 86,400 seconds from power-on. The server keeps the last three versions and removes a version when the fourth is released. A device that is more than three versions behind gets the oldest that is kept first, then the newest.",
    ),
    (
        "chess clock",
        "Each side has 300 seconds and gets 3 more after each of its moves. The clock counts in hundredths. At 0 the side has lost, unless the other one has only a king: then it is a draw. Pressing the lever twice within 200 ms counts once. Pausing needs both levers for 2 seconds; an arbiter might add or take time in steps of 10 seconds while it is paused.",
    ),
    (
        "museum audio guide, with keywords in capitals",
        "The guide MUST start a room's track within 2 seconds of entering. A visitor MAY skip it with one press; the guide MUST NOT play it again on that day. The device MAY cache up to 40 tracks, MAY drop the oldest, and MAY fetch at night. Without a signal for 10 seconds it says the room's number and waits. Languages are English, French and Polish; a missing track is played in English.",
    ),
    (
        "rate limits under headings",
        "#### Limits\n\nEach key has a bucket of 100 requests that refills with 10 per second.\n\n#### Answers\n\nAn empty bucket is answered with 429 and `Retry-After` in whole seconds, rounded up. A client that waits that long is served. The answer has no body.\n\n#### Exceptions\n\nA key with `partner: true` has 1,000 and 100 per second. The bucket may be shared by several processes, since it lives in the store.",
    ),
];

#[test]
fn every_vague_section_is_found() {
    for (name, solution) in VAGUE {
        let analysis = analyzed(&complete("GAP-ANY-001", solution));
        assert!(shows(&analysis, Pattern::AbstractOutput), "{name}");
    }
}

#[test]
fn no_concrete_section_is() {
    for (name, solution) in CONCRETE {
        let analysis = analyzed(&complete("GAP-ANY-001", solution));
        let finding = analysis.finding(Pattern::AbstractOutput);
        assert_eq!(finding, None, "{name}");
    }
}

#[test]
fn what_is_weighed_in_trade_offs_is_not_proposed() {
    let solution = "A drawer takes parcels of up to 40 kg; a heavier one stays at the desk.";
    let weighing = "It might be slow, could be costly, may break, might need some care and may not be sufficient; generally it depends.";
    let document =
        complete("GAP-ANY-001", solution).replace("no second scale is needed.", weighing);
    assert!(document.contains("generally it depends"));
    assert!(!shows(&analyzed(&document), Pattern::AbstractOutput));
}
