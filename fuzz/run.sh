#!/usr/bin/env bash
# Runs fuzz targets: fuzz/run.sh SECONDS [TARGET...]. Each begins from the repository's fixtures and from what earlier runs kept in
# fuzz/corpus, and runs for so many seconds; an input may take TIMEOUT seconds by the clock, 60 if unset. Ends with 1 where something was found; what was found is in fuzz/artifacts.
set -u
cd "$(dirname "$0")/.." || exit 2

usage() {
    echo "usage: fuzz/run.sh SECONDS [TARGET...]" >&2
    echo "targets: $all" >&2
    exit 2
}

all=$(sed -n 's/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml | tail -n +2 | tr '\n' ' ')
seconds=${1:-}
case $seconds in
'' | *[!0-9]*) usage ;;
esac
shift
targets=${*:-$all}
for target in $targets; do
    case " $all" in
    *" $target "*) ;;
    *) echo "there is no target $target" >&2; usage ;;
    esac
done
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "cargo-fuzz is missing; install it with: cargo install cargo-fuzz --locked" >&2
    exit 2
fi

logs=${LOGS:-fuzz/logs}
mkdir -p "$logs"
cargo run --quiet -p gapless-fuzz --example seeds -- fuzz/corpus || exit 2
for target in $targets; do
    cargo fuzz build --sanitizer none "$target" >"$logs/$target.log" 2>&1 || { tail -20 "$logs/$target.log" >&2; exit 2; }
done

found=0
printf '%-14s %9s %14s %10s %8s  %s\n' target seconds executions per-second coverage findings
for target in $targets; do
    log=$logs/$target.log
    mkdir -p "fuzz/artifacts/$target"
    before=$(find "fuzz/artifacts/$target" -type f | sort)
    began=$(date +%s)
    # There is no unsafe code: without a sanitizer it runs on a stable toolchain, and several times as fast. Debug assertions and
    # overflow checks stay on.
    cargo fuzz run --sanitizer none "$target" -- -max_total_time="$seconds" -max_len=262144 -len_control=20 \
        -timeout="${TIMEOUT:-60}" -rss_limit_mb=2048 -dict=fuzz/tokens.dict -print_final_stats=1 >"$log" 2>&1
    code=$?
    took=$(($(date +%s) - began))
    new=$(comm -13 <(echo "$before") <(find "fuzz/artifacts/$target" -type f | sort))
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -d' ' -f2)
    says=none
    if [ -n "$new" ]; then
        says=$(echo "$new" | tr '\n' ' ')
    elif [ $code -ne 0 ]; then
        says="did not run, see $log"
    fi
    [ $code -eq 0 ] || found=1
    printf '%-14s %9s %14s %10s %8s  %s\n' "$target" "$took" "${runs:--}" "$((${runs:-0} / (took > 0 ? took : 1)))" "${coverage:--}" "$says"
done
exit $found
