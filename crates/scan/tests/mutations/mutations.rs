//! The mutations: each takes one thing out of a complete spec or blurs it, as a hurried author would.

/// One change to a spec, and the rules of which any may notice it.
pub struct Mutation {
    pub spec: &'static str,
    pub find: &'static str,
    pub replace: &'static str,
    pub rules: &'static [&'static str],
}

const fn blur(
    spec: &'static str,
    rules: &'static [&'static str],
    find: &'static str,
    replace: &'static str,
) -> Mutation {
    Mutation {
        spec,
        find,
        replace,
        rules,
    }
}

const API: &str = "http-api";
const PIPE: &str = "pipeline";
const CLI: &str = "cli-tool";

pub const MUTATIONS: &[Mutation] = &[
    // What is left to be filled in.
    blur(
        API,
        &["placeholder"],
        "a price that a carrier offered for a parcel, valid for 15 minutes",
        "a price that a carrier offered for a parcel (validity TBD)",
    ),
    blur(
        API,
        &["placeholder"],
        "Keys expire 400 days after they were made",
        "Keys expire after [NEEDS CLARIFICATION: how long?]",
    ),
    blur(
        PIPE,
        &["placeholder"],
        "Readings are deleted 14 months after",
        "TODO: when are readings deleted? Hours go 14 months after",
    ),
    blur(
        PIPE,
        &["placeholder"],
        "The request has a timeout of 60\nseconds.",
        "The timeout of the request is to be agreed with billing.",
    ),
    blur(
        CLI,
        &["placeholder"],
        "A password has 12 to 1024 characters.",
        "A password has ??? characters.",
    ),
    blur(
        CLI,
        &["placeholder"],
        "kernel 5.4 or newer",
        "kernel <fill in> or newer",
    ),
    blur(
        CLI,
        &["placeholder"],
        "within 60 seconds. The program must not",
        "within XX seconds. The program must not",
    ),
    // Sections that say nothing, or next to nothing.
    blur(
        API,
        &["empty-section"],
        "A key may send 20 requests per second with bursts of 40, counted per key over all servers. Above that the server answers 429 with\n`Retry-After` in seconds. A shop may have at most 10 keys, 5 webhooks and 500000 parcels that are not in an end state.\n",
        "",
    ),
    blur(
        CLI,
        &["empty-section"],
        "The program runs on Linux with kernel 5.4 or newer and on macOS 13 or newer. The format of repositories has a version; a program reads\nits own version and the one before, and refuses newer ones with exit code 2 and the version that is needed. `snapkeep upgrade` moves a\nrepository to the present version under an exclusive lock; when it is interrupted it can be run again.\n",
        "",
    ),
    blur(
        PIPE,
        &["thin-section", "vague-qualifier"],
        "Processes are deployed one replica at a time. Database migrations must work with the version before, so that a deployment can be rolled\nback within 24 hours: a column is added in one release, written in the next, and an old one removed in the one after that. The format\nof batches has a version in the gateway's firmware; the parser reads the present version and the one before it.",
        "Processes are deployed with the usual tool chain.",
    ),
    blur(
        API,
        &["thin-section"],
        "The version is in the path: `/v1`. Within a version, we add optional request fields and new response fields and never remove or\nrename one. A new major version is announced 12 months before the old one is switched off, by email and with the header `Sunset`.",
        "The API has versions.",
    ),
    // Amounts and times without a number.
    blur(
        API,
        &["vague-quantity"],
        "at most 3 seconds. A carrier",
        "for a reasonable time. A carrier",
    ),
    blur(
        API,
        &["vague-quantity"],
        "the key with the response for 24 hours.",
        "the key with the response for a while.",
    ),
    blur(
        API,
        &["vague-quantity"],
        "A shop registers at most 5 webhook addresses",
        "A shop can register several webhook addresses, up to a reasonable limit,",
    ),
    blur(
        PIPE,
        &["vague-quantity"],
        "A gateway uploads a batch every 15 minutes to the object store.",
        "A gateway periodically uploads a batch to the object store.",
    ),
    blur(
        PIPE,
        &["vague-quantity"],
        "The pipeline must process every batch within 10 minutes of its upload at the 99th percentile, measured each\nday.",
        "The pipeline must process every batch soon after its upload.",
    ),
    blur(
        PIPE,
        &["vague-quantity"],
        "with a pause of 10\nseconds",
        "with a short delay",
    ),
    blur(
        PIPE,
        &["vague-quantity"],
        "Each process runs with at most 8 replicas of 2 CPU cores and 4 GB\nof memory.",
        "Each process runs with enough replicas and a sufficient amount of memory.",
    ),
    blur(
        CLI,
        &["vague-quantity"],
        "A lock that was not renewed for 30 minutes is stale",
        "A lock that was not renewed for some time is stale",
    ),
    blur(
        CLI,
        &["vague-quantity"],
        "ends with 130 within 10 seconds",
        "ends with 130 shortly afterwards",
    ),
    blur(
        CLI,
        &["vague-quantity"],
        "`save` must read new data with at least 200 MB per second, and pass over 1 million unchanged\nfiles within 60 seconds.",
        "`save` must read new data quickly, and pass over many unchanged files.",
    ),
    // Qualifiers that nobody can check.
    blur(
        API,
        &["vague-qualifier"],
        "the server answers 422 with the carrier's reason in `detail`",
        "the server answers with an appropriate error",
    ),
    blur(
        API,
        &["vague-qualifier", "retry-without-limit"],
        "the server retries it hourly for 24 hours and then\nwrites",
        "the server retries it as needed and then\nwrites",
    ),
    blur(
        PIPE,
        &["vague-qualifier"],
        "A line that can't be read is skipped, counted in `lines_rejected`, and its first 200 characters are logged.",
        "The parser skips a line that can't be read and logs it if necessary.",
    ),
    blur(
        PIPE,
        &["vague-qualifier"],
        "Refused\nrows are marked `refused` with billing's reason and are shown to support; they are not sent again before support releases them.",
        "The exporter must handle refused\nrows gracefully.",
    ),
    blur(
        CLI,
        &["vague-qualifier", "enough-for-what"],
        "An error message has three parts: what happened, to which file or option, and what the user can do.",
        "The program must print meaningful error messages.",
    ),
    blur(
        CLI,
        &["vague-qualifier"],
        "Sockets, devices and pipes are skipped and counted.",
        "The program skips special files where appropriate.",
    ),
    // Lists that end in "etc."
    blur(
        API,
        &["open-list"],
        "string, one of `parcel.state_changed`, `label.failed`",
        "string, one of `parcel.state_changed`, `label.failed`, etc.",
    ),
    blur(
        PIPE,
        &["open-list"],
        "Each\nrow has `meter_id`, `day`, `watt_hours` and `version`",
        "Each\nrow has `meter_id`, `day` and so on",
    ),
    blur(
        CLI,
        &["open-list"],
        "It saves regular files, folders, symbolic links (as links), permissions, owners,\ntimes with a precision of one nanosecond, and extended attributes.",
        "It saves regular files, folders, symbolic links, permissions, and more.",
    ),
    // Numbers without a unit.
    blur(
        API,
        &["missing-unit"],
        "A delivery succeeds when the shop answers 2xx within 5 seconds.",
        "A delivery succeeds when the shop answers 2xx within 5.",
    ),
    blur(
        API,
        &["missing-unit"],
        "`DELETE /parcels/{id}/label` voids a label as long as the parcel is `labelled`. The server calls the carrier with a timeout of 10\nseconds.",
        "`DELETE /parcels/{id}/label` voids a label as long as the parcel is `labelled`. The server calls the carrier with a timeout of 10.",
    ),
    blur(
        PIPE,
        &["missing-unit"],
        "The fetch has a timeout of 30 seconds.",
        "The fetch has a timeout of 30.",
    ),
    blur(
        CLI,
        &["missing-unit"],
        "| `lock_wait_seconds` | integer, 0 to 86400 | 600 | how long a lock is waited for |",
        "| `lock_timeout` | integer, 0 to 86400 | 600 | how long a lock is waited for |",
    ),
    blur(
        CLI,
        &["missing-unit"],
        "The connection has a timeout of 20 seconds.",
        "The timeout is 20, the port 22.",
    ),
    // Words that are used as if they were known.
    blur(
        API,
        &["undefined-acronym"],
        "and is settled by support.",
        "and is settled by the CRT.",
    ),
    blur(
        PIPE,
        &["undefined-acronym"],
        "by support staff with the role `meter-support`",
        "by the MDM team",
    ),
    blur(
        CLI,
        &["undefined-acronym"],
        "compressed with zstd at level 3",
        "compressed by the PCX at level 3",
    ),
    blur(
        PIPE,
        &["undefined-term"],
        "- **Settlement Day**: the 24 hours from midnight to midnight in the time zone Europe/Berlin for which billing asks one total\n",
        "",
    ),
    blur(
        CLI,
        &["undefined-term"],
        "Temporary files that are\nolder than 24 hours are removed by the next command that holds the lock.",
        "Temporary files are removed at the Grace Point. A command that runs after the Grace Point starts anew.",
    ),
    blur(
        API,
        &["duplicate-definition"],
        "Money is an integer number",
        "Quote means a price that holds until the shop pays. Money is an integer number",
    ),
    blur(
        PIPE,
        &["duplicate-definition"],
        "A batch is a gzip-compressed",
        "Batch refers to one upload of a gateway, whatever its period. A batch is a gzip-compressed",
    ),
    // References to nothing.
    blur(
        API,
        &["dangling-reference"],
        "object, see section 4.2",
        "object, see section 4.7",
    ),
    blur(
        API,
        &["dangling-reference"],
        "the 27 countries of Appendix A",
        "the 27 countries of Appendix C",
    ),
    blur(
        PIPE,
        &["dangling-reference"],
        "the alert of section 10 fires",
        "the alert of section 14 fires",
    ),
    blur(
        CLI,
        &["dangling-reference"],
        "A chunk's name is",
        "As [the format](#chunk-format) says, a chunk's name is",
    ),
    blur(
        CLI,
        &["dangling-reference"],
        "The snapshot is written last:",
        "As Figure 3 shows, the snapshot is written last:",
    ),
    // Requirements without an actor, and without a measure.
    blur(
        API,
        &["no-actor"],
        "A shop can revoke a key at any time, and a revoked key is refused\nwith 401 within 60 seconds on every server.",
        "Leaked keys must be removed.",
    ),
    blur(
        PIPE,
        &["no-actor"],
        "Corrections are accepted for 60 days after the Settlement Day;",
        "Corrections must be approved. They are accepted for 60 days after the Settlement Day;",
    ),
    blur(
        CLI,
        &["no-actor"],
        "Chunks that no snapshot uses are removed in the same run.",
        "Chunks that no snapshot uses must be purged.",
    ),
    blur(
        API,
        &["unmeasurable"],
        "The API answers 99.9% of each month's requests with a status other than 5xx, measured at the load balancer.",
        "The API must be highly available.",
    ),
    blur(
        PIPE,
        &["unmeasurable"],
        "It must catch up with an outage of 24 hours within 6 hours.",
        "It must be robust and scale.",
    ),
    blur(
        CLI,
        &["unmeasurable"],
        "The program must not use more than 500 MB of memory for a repository with 10 million files.",
        "The program must be lightweight.",
    ),
    // Failure paths that go unsaid.
    blur(
        API,
        &["failure-path"],
        "The server calls the carrier with a timeout of 10\nseconds. If the carrier refuses or times out, the label stays, and the response is 502 with the code `void_failed`; the shop may\nrepeat the request.",
        "The server calls the carrier and removes the label.",
    ),
    blur(
        API,
        &["failure-path"],
        "A write to the object store that\nfails is retried 3 times, after 1, 2 and 4 seconds; after that the label is voided with the carrier and the response is 503.",
        "",
    ),
    blur(
        PIPE,
        &["failure-path"],
        "Billing answers 200 when it has stored all rows, 422 with the list of rows that it refuses, and anything else when it failed. Refused\nrows are marked `refused` with billing's reason and are shown to support; they are not sent again before support releases them. Failed\nrequests are retried every 5 minutes until 12:00; after that the alert `export_late` fires and retries go on every 30 minutes. The\nexporter never sends a provisional day.",
        "Billing answers 200 when it has stored all rows. The exporter never sends a provisional day.",
    ),
    blur(
        CLI,
        &["failure-path"],
        "With `--log FILE` the program writes one line for each file and chunk to a log of at most 100 MB, after which the oldest half is dropped.\nThe log has paths and sizes, never contents, passwords or keys. A log that can't be written is a warning and ends nothing.",
        "With `--log FILE` the program writes one line for each file and chunk to a log of at most 100 MB.\nThe log has paths and sizes, never contents, passwords or keys.",
    ),
    blur(
        CLI,
        &["failure-path"],
        "When a chunk is missing or damaged, the file is left out, named on stderr, and\nthe exit code is 4; the files that can be restored are.",
        "",
    ),
    blur(
        API,
        &["retry-without-limit"],
        "A failed delivery is retried after 1, 5, 25\nand 125 minutes and then every 12 hours, until 72 hours have passed; then it is dropped and counted in `webhook_dropped`.",
        "A failed delivery is retried by the server.",
    ),
    blur(
        PIPE,
        &["retry-without-limit"],
        "A fetch or a transaction that fails is retried 5 times, after 1, 2, 4, 8 and 16 seconds. After\nthe last attempt the notice goes to the DLQ `batches.dead` with the error, and the metric `batches_dead` is raised.",
        "When a fetch or a transaction fails, the parser retries it.",
    ),
    blur(
        CLI,
        &["retry-without-limit"],
        "A connection that\nbreaks is made anew up to 5 times, after 1, 2, 4, 8 and 16 seconds; then the command ends with exit code 3.",
        "When the connection breaks, the program reconnects.",
    ),
    blur(
        API,
        &["unbounded-result"],
        "Every list is returned in pages of at most 100 items (default 20), newest first, ordered by creation time and then by id. The\nresponse has `items` and `next_cursor`; the client passes the cursor as `?cursor=` to get the next page, and a missing\n`next_cursor` means that there are no more items. A cursor is valid for 24 hours; an expired one is refused with 410.",
        "The server returns all items of a list, newest first.",
    ),
    blur(
        API,
        &["cache-lifetime"],
        "Quotes are cached\nfor 15 minutes for the same parcel, and dropped when weight, size or address change.",
        "The server caches quotes.",
    ),
    blur(
        PIPE,
        &["cache-lifetime"],
        "The checker compares a reading with the one before it from the same meter,",
        "The checker caches the reading before each one and compares the two,",
    ),
    // The same thing demanded and left free.
    blur(
        API,
        &["contradictory-modals"],
        "For each event of section 6.1, the server sends",
        "An address may be an HTTPS URL. For each event of section 6.1, the server sends",
    ),
    blur(
        PIPE,
        &["contradictory-modals"],
        "Support can correct a reading by hand",
        "The exporter may send a provisional day. Support can correct a reading by hand",
    ),
    blur(
        CLI,
        &["contradictory-modals"],
        "`--dry-run` prints what",
        "Options may be refused. The program may use more than 500 MB of memory. `--dry-run` prints what",
    ),
    // State machines.
    blur(
        API,
        &["state-unreachable"],
        "| `draft` | label bought | `labelled` |\n",
        "",
    ),
    blur(
        API,
        &["state-dead-end"],
        "| `lost` | carrier finds it | `in_transit` |\n",
        "",
    ),
    blur(
        API,
        &["state-ambiguous"],
        "| `in_transit` | carrier reports loss | `lost` |",
        "| `in_transit` | carrier reports delivery | `lost` |",
    ),
    blur(
        PIPE,
        &["state-unreachable"],
        "| `active` | 3 bad readings in a row | `suspect` |\n",
        "",
    ),
    blur(
        PIPE,
        &["state-dead-end"],
        "| `silent` | a reading comes | `active` |\n",
        "",
    ),
    blur(
        CLI,
        &["state-dead-end"],
        "  writing --> done : snapshot written\n  writing --> failed : disk full\n  writing --> interrupted : signal\n",
        "",
    ),
    blur(
        CLI,
        &["state-ambiguous"],
        "  walking --> interrupted : signal\n",
        "  walking --> interrupted : signal\n  walking --> failed : signal\n",
    ),
    blur(
        CLI,
        &["state-unreachable"],
        "  locking --> walking : lock taken\n",
        "",
    ),
    // Fields.
    blur(
        API,
        &["field-type"],
        "| `sequence` | integer, from 1 |",
        "| `sequence` | |",
    ),
    blur(
        PIPE,
        &["field-type"],
        "| `counter_wh` | integer, 0 to 999999999999 |",
        "| `counter_wh` | - |",
    ),
    blur(
        API,
        &["field-bound"],
        "| `reference` | string, 1 to 64 characters |",
        "| `reference` | string |",
    ),
    blur(
        API,
        &["field-bound"],
        "| `street` | string, 1 to 120 characters |",
        "| `street` | string |",
    ),
    // What an implementer must ask for.
    blur(
        API,
        &["unnumbered-bound"],
        "The server calls all carriers at once and waits\nat most 3 seconds.",
        "The server must call all carriers at once within the request timeout.",
    ),
    blur(
        API,
        &["undated-state"],
        "An\naddress that fails for 7 days in a row is disabled, and the shop's owner gets an email.",
        "The server must disable addresses that are unresponsive.",
    ),
    blur(
        API,
        &["undefined-measure"],
        "Reads are answered\nwithin 150 ms and parcel creation within 300 ms at the 95th percentile over each hour;",
        "The server must report the success rate of carriers;",
    ),
    blur(
        API,
        &["unstated-criteria"],
        "The server\nchecks the address against the postcode pattern of its country, and refuses it with 422 and the code `bad_postcode` otherwise.",
        "The server\nmust check the address against delivery policies.",
    ),
    blur(
        API,
        &["status-unused"],
        "string, one of the states of section 4.4",
        "string, state (draft/labelled/frozen)",
    ),
    blur(
        API,
        &["conflicting-figures"],
        "A voided label is refunded on the next invoice.",
        "The carrier timeout is 20 seconds. The carrier timeout is 10 seconds.",
    ),
    blur(
        PIPE,
        &["enough-for-what"],
        "and its first 200 characters are logged",
        "and enough of it must be logged",
    ),
    blur(
        PIPE,
        &["unnamed-matter"],
        "A meter with 3 such readings in a row is put into the state `suspect`.",
        "A meter with anomalies must be put into the state `suspect`.",
    ),
    blur(
        PIPE,
        &["trigger-unsaid"],
        "A\ncustomer's request for erasure is carried out within 30 days for everything that tax law doesn't protect.",
        "When a yearly audit is conducted, the four processes must stop.",
    ),
    blur(
        PIPE,
        &["empty-cell"],
        "| `gap` | more than 2 hours have passed since the reading before |",
        "| `gap` | |",
    ),
    blur(
        CLI,
        &["open-selection"],
        "It prints at most 100\nsnapshots; `--all` prints every one.",
        "It must show recent snapshots.",
    ),
    blur(
        CLI,
        &["untested-ideal"],
        "What was uploaded before\nstays and is not uploaded again.",
        "The program must ensure data integrity.",
    ),
    blur(
        CLI,
        &["undecided-choice"],
        "Chunks are compressed with zstd at level 3.",
        "We may consider compressing chunks.",
    ),
    blur(
        CLI,
        &["edge-case-open"],
        "A repository without\nsnapshots prints nothing and exits with 0.",
        "\n### Edge cases\n\n- What happens in a repository that has no snapshots?",
    ),
    blur(
        CLI,
        &["example-list"],
        "A repository without\nsnapshots prints nothing and exits with 0.",
        "The program must end in a state such as:\n\n- `done`\n- `failed`",
    ),
    blur(
        CLI,
        &["target-unsaid"],
        "On a machine with 4 cores and an SSD, `save` must read new data with at least 200 MB per second, and pass over 1 million unchanged\nfiles within 60 seconds.",
        "`save` must improve on the version before.",
    ),
    blur(
        CLI,
        &["option-without-default"],
        "What was uploaded before\nstays and is not uploaded again.",
        "The program must keep what is younger than `max_part_age`.",
    ),
];
