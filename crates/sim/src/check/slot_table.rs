//! The checkers' own table of slot moves.

/// (event, from, to).
pub const TABLE: [(&str, &str, &str); 15] = [
    ("opened", "-", "ready"),
    ("started", "ready", "running"),
    ("validated", "running", "valid"),
    ("rejected", "running", "ready"),
    ("exhausted", "running", "exhausted"),
    ("failed", "running", "backoff"),
    ("woken", "backoff", "ready"),
    ("pressed", "running", "ready"),
    ("granted", "exhausted", "ready"),
    ("best_taken", "exhausted", "valid"),
    ("best_taken", "ready", "valid"),
    ("skipped", "ready", "skipped"),
    ("skipped", "running", "skipped"),
    ("skipped", "backoff", "skipped"),
    ("skipped", "exhausted", "skipped"),
];
