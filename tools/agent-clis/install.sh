#!/bin/sh
# Installs the agents' command-line programs that the presets were checked against into target/agent-clis.
# Put target/agent-clis/node_modules/.bin on PATH to use them. Needs node and npm; touches nothing outside target/.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}/agent-clis

mkdir -p "$target"
cp "$here/package.json" "$here/package-lock.json" "$target/"
cd "$target"

# Not `npm ci`: it wants the packages of every platform in the lock, and takes no lock that was made on one of them.
# No package's own scripts are run but the two below, which put the program of this platform in its place.
npm install --ignore-scripts --no-audit --no-fund --loglevel=error
node node_modules/@anthropic-ai/claude-code/install.cjs
(cd node_modules/opencode-ai && node postinstall.mjs)

for program in claude codex gemini opencode; do
    printf '%s: ' "$program"
    HOME="$target/home" "node_modules/.bin/$program" --version 2>/dev/null </dev/null | tail -n 1
done
