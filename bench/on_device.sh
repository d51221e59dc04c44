#!/bin/sh
# The bench on another machine, such as one with many quiet processors: what the layer costs there, and whether two threads
# do twice the work of one. Only the null driver is measured, so the machine needs none of its own.
# usage: on_device.sh gather [DIRECTORY]                    after `./dev build`: all that is needed, as DIRECTORY/bench.tar.gz
#                                                           (default: .carry in the checkout, which git is told to ignore)
#        on_device.sh run [DIRECTORY [ARGUMENTS OF BENCH]]  on that machine, in a copy of the checkout; it has to have python3.
#                                                           The answer is in $OUT/bench.txt and $OUT/bench.json
#
# e.g. on_device.sh run .carry together_copy together_churn together_update together_barrier together_draw --rounds 5
set -u
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
verb=${1:-}
directory=${2:-$checkout/.carry}
. "$checkout/tools/dev/carry.sh"

gather() {
    carry_directory "$directory"
    mkdir -p "$to/bench" "$to/tests/null-driver"
    carry_layer "$to/src" && carry_libraries "$to/lib" $carried_libraries libyyjson.so.0 &&
        carry_libraries "$to/khronos" libVkLayer_khronos_validation.so || exit 1
    cp -- "$build/bench/bench_ops" "$to/bench/" &&
        cp -- "$checkout/bench/run.py" "$to/bench/bench" &&
        cp -- "$build/tests/null-driver/libassay_null.so" "$to/tests/null-driver/" || exit 1
    carry_manifest "$build/tests/null-driver/assay_null_icd.json" libassay_null.so >"$to/tests/null-driver/assay_null_icd.json"
    carry_manifest "$root/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" libVkLayer_khronos_validation.so \
        >"$to/khronos/VkLayer_khronos_validation.json"
    strip -g "$to/bench/bench_ops" "$to"/tests/null-driver/*.so "$to"/khronos/*.so
    tar -czf "$directory/bench.tar.gz" -C "$to" .
    ls -sh "$directory/bench.tar.gz"
}

run() {
    tar -xzf "$directory/bench.tar.gz" -C "$to" || exit 1
    out=${OUT:-.}
    {
        grep -m1 'model name' /proc/cpuinfo
        nproc
        uptime
        PYTHONUNBUFFERED=1 python3 "$to/bench/bench" --build "$to" --khronos "$to/khronos/VkLayer_khronos_validation.json" \
            --launcher "$to/lib/ld-linux-x86-64.so.2 --library-path $to/lib" --drivers null --json "$out/bench.json" "$@"
        echo "exit $?"
    } 2>&1 | tee "$out/bench.txt"
}

to=$(mktemp -d)
trap 'rm -rf -- "$to"' EXIT INT TERM
case $verb in
gather) gather ;;
run)
    shift
    [ $# -eq 0 ] || shift
    run "$@"
    ;;
*)
    sed -n 4,8p "$0" >&2
    exit 2
    ;;
esac
