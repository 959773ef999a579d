#!/bin/sh
# Runs gapless scan side by side with prose linters on the same files, start-up included, and prints how the times compare.
# The linters are installed into target/bench-scan: write-good and textlint by npm, proselint into a Python environment.
#
#   bench/scan/compare.sh [FILE…]        (default: the specs of crates/scan/specs, ten times over)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=$root/target/bench-scan
mkdir -p "$tools"
cd "$root"

cargo build --release --quiet -p gapless
gapless=$root/target/release/gapless

[ -x "$tools/node_modules/.bin/textlint" ] ||
  npm install --silent --no-fund --no-audit --prefix "$tools" write-good textlint textlint-rule-no-todo textlint-rule-write-good >/dev/null
[ -x "$tools/venv/bin/proselint" ] || {
  python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install --quiet proselint
}

if [ $# -gt 0 ]; then
  cat "$@" >"$tools/input.md"
else
  : >"$tools/input.md"
  for _ in 1 2 3 4 5 6 7 8 9 10; do cat crates/scan/specs/*.md >>"$tools/input.md"; done
fi
size=$(wc -c <"$tools/input.md")

# The best of five runs, in milliseconds. Linters end with 1 where they find something.
best() {
  least=
  for _ in 1 2 3 4 5; do
    from=$(date +%s%N)
    "$@" >/dev/null 2>&1 || true
    took=$((($(date +%s%N) - from) / 10000))
    if [ -z "$least" ] || [ "$took" -lt "$least" ]; then least=$took; fi
  done
  echo "$least"
}

cd "$tools"
ours=$(best "$gapless" scan input.md)
show() {
  printf '| %s | %d.%02d | %d.%d |\n' "$1" $(($2 / 100)) $(($2 % 100)) $(($2 / ours)) $(($2 * 10 / ours % 10))
}
printf '%s bytes of markdown\n\n| tool | ms | times as long |\n|---|---|---|\n' "$size"
show "gapless scan" "$ours"
show "write-good" "$(best node_modules/.bin/write-good input.md)"
show "textlint (no-todo, write-good)" "$(best node_modules/.bin/textlint --rule no-todo --rule write-good input.md)"
show "proselint" "$(best venv/bin/proselint check input.md)"
