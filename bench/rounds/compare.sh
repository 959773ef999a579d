#!/bin/sh
set -eu

help() {
  cat <<'END'
Runs gapless and LangGraph side by side and prints tables with the ratios, all from this one run.

    bench/rounds/compare.sh [PART…]        without a part: all of them

  durable  rounds of agents that answer at once, every step on disk before the next one begins; LangGraph with its SQLite
           checkpointer in its synchronous mode, once with two nodes that hand a text on and once with five that check both
           documents and keep a ledger of issues; and the same bytes as synced appends to a plain file
  growth   time of a round and size of the database at 10, 100 and 1,000 rounds
  prompts  tokens of the prompts of 30 rounds, beside sending the whole history again
  many     1,000 sessions at once in one process with agents that take 50 ms: rounds a second, memory of a session
  start    `gapless status` in a workspace with a session, beside importing LangGraph

TEXT_BYTES is the length of agents' documents (3000). Builds gapless, and installs LangGraph into a Python environment in
target/bench-langgraph; needs cargo and python3 with venv. `many` needs Linux.
END
}

for part in "$@"; do
  case $part in
    durable | growth | prompts | many | start) ;;
    -h | --help) help && exit ;;
    *) help >&2 && exit 2 ;;
  esac
done

root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$root/target/bench-langgraph
mkdir -p "$tools"
cd "$root"

cargo build --profile dist --quiet -p gapless-runner --example durable_rounds --example many_sessions
cargo build --profile dist --quiet -p gapless
[ -x "$tools/venv/bin/pip" ] || python3 -m venv "$tools/venv"
"$tools/venv/bin/python" -c 'import langgraph.checkpoint.sqlite.aio' 2>/dev/null ||
  "$tools/venv/bin/pip" install --quiet langgraph langgraph-checkpoint-sqlite

exec "$tools/venv/bin/python" "$root/bench/rounds/compare.py" \
  "$root/target/dist/examples" "$root/target/dist/gapless" "$tools" "${TEXT_BYTES:-3000}" "$@"
