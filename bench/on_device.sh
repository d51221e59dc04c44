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
build=$checkout/build

# Everything comes from the root that it was built in, which is newer than most machines: so the C library and the dynamic
# linker come along, as the loader and the Khronos layer need them.
gather() {
    root=${ASSAY_ROOT:-${ASSAY_CACHE:-/var/cache/assay}/forky}
    [ -d "$root/usr" ] || root= # the host has everything
    library=$root/usr/lib/x86_64-linux-gnu
    if [ -d "$checkout/.git" ] && ! grep -qsx /.carry/ "$checkout/.git/info/exclude"; then
        mkdir -p "$checkout/.git/info"
        echo /.carry/ >>"$checkout/.git/info/exclude"
    fi
    mkdir -p "$directory" "$to/bench" "$to/src" "$to/tests/null-driver" "$to/khronos" "$to/lib"
    cp -- "$build/bench/bench_ops" "$to/bench/" &&
        cp -- "$checkout/bench/run.py" "$to/bench/bench" &&
        cp -- "$build/src/libVkLayer_assay.so" "$build/src/libVkLayer_assay_spirv.so" "$build/src/VkLayer_assay.json" "$to/src/" &&
        cp -- "$build/tests/null-driver/libassay_null.so" "$to/tests/null-driver/" &&
        cp -L -- "$library/libVkLayer_khronos_validation.so" "$to/khronos/" || exit 1
    relative() { # LIBRARY, MANIFEST
        sed 's|"library_path": *"[^"]*"|"library_path": "./'"$1"'"|' "$2"
    }
    relative libassay_null.so "$build/tests/null-driver/assay_null_icd.json" >"$to/tests/null-driver/assay_null_icd.json"
    relative libVkLayer_khronos_validation.so "$root/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" \
        >"$to/khronos/VkLayer_khronos_validation.json"
    for name in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libvulkan.so.1 \
        libyyjson.so.0; do
        cp -L -- "$library/$name" "$to/lib/" || exit 1
    done
    strip -g "$to/bench/bench_ops" "$to"/src/*.so "$to"/tests/null-driver/*.so "$to"/khronos/*.so
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
