#!/bin/sh
# Runs rounds of agents that answer at once, every step on disk before the next one begins, in gapless and in LangGraph with
# its SQLite checkpointer in its synchronous mode, beside synced appends of the same bytes to a plain file. Prints time per
# round, database sizes, prompt sizes, start-up times and how they compare, all from this one run.
# LangGraph is installed into a Python environment in target/bench-langgraph.
#
#   bench/rounds/compare.sh [durable|prompts|start|growth …]        (default: all of them; documents of 3,000 bytes)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$root/target/bench-langgraph
mkdir -p "$tools"
cd "$root"

cargo build --release --quiet -p gapless-runner --example durable_rounds
cargo build --release --quiet -p gapless
[ -x "$tools/venv/bin/pip" ] || python3 -m venv "$tools/venv"
"$tools/venv/bin/python" -c 'import langgraph.checkpoint.sqlite' 2>/dev/null ||
  "$tools/venv/bin/pip" install --quiet langgraph langgraph-checkpoint-sqlite

exec "$tools/venv/bin/python" "$root/bench/rounds/compare.py" \
  "$root/target/release/examples/durable_rounds" "$root/target/release/gapless" "$tools" "${TEXT_BYTES:-3000}" "$@"
