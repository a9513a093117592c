#!/bin/sh
# Runs the fuzz targets for some seconds each (default: all targets, 60 seconds) and
# prints one line per target: name, executions, executions per second. Fails if a
# target crashes; fuzz/artifacts then contains the input that caused it.
#
#     fuzz/run.sh [SECONDS] [TARGET...]
set -eu
cd "$(dirname "$0")"
seconds=${1:-60}
[ $# -gt 0 ] && shift

# The coverage flags are unstable; this makes the stable compiler accept them.
export RUSTC_BOOTSTRAP=1
unset CARGO_TARGET_DIR
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked
# No sanitizer: nearly all code is safe Rust, and the build takes half as long.
cargo fuzz build --fuzz-dir . --sanitizer none --codegen-units 16
programs=target/$(rustc -vV | sed -n 's/^host: //p')/release
[ $# -gt 0 ] || set -- $(sed -n 's/^name = "\([a-z_]*\)"$/\1/p' Cargo.toml)

# Makes a huge allocation fail, even if its memory would never be used.
ulimit -v 8388608
n_crashed=0
for target; do
    mkdir -p "corpus/$target" "artifacts/$target"
    log=artifacts/$target/log
    if "$programs/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=60 -max_len=16384 \
        -print_final_stats=1 -artifact_prefix="artifacts/$target/" \
        "corpus/$target" "seeds/$target" >"$log" 2>&1; then
        verdict=
    else
        verdict="  CRASHED, see fuzz/$log"
        n_crashed=$((n_crashed + 1))
    fi
    n_runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    printf '%-12s %10s runs %8s per second%s\n' "$target" "${n_runs:-?}" "${rate:-?}" "$verdict"
    [ -z "$verdict" ] || grep -a -m1 -A2 'panicked at\|ERROR: libFuzzer' "$log" || true
done
[ "$n_crashed" -eq 0 ]
