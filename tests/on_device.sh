#!/bin/sh
# Scenarios on a real GPU: the files that run on lavapipe run with that machine's driver in its place.
# usage: on_device.sh gather [DIRECTORY]            after `./dev build`: all that is needed, as DIRECTORY/scenarios.tar.gz (default: .carry, which git is told to ignore)
#        on_device.sh run [DIRECTORY] FILE...       on that machine, in a copy of the checkout, as root: scenario files, in both handle modes, and seeds A-B of the fuzzer of aborts
#                                                   that `gather` has made with ASSAY_SEEDS=A-B. What failed is in $OUT/scenarios.txt
# ASSAY_DRIVER: the manifest of the driver (default: NVIDIA's, where it is found).
set -u
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
verb=${1:-}
directory=${2:-$checkout/.carry}
. "$checkout/tools/dev/carry.sh"

gather() {
    carry_directory "$directory"
    mkdir -p "$to/below" "$to/seeds"
    carry_layer "$to/layers" && carry_libraries "$to/lib" $carried_libraries libyyjson.so.0 || exit 1
    cp -- "$build/tests/scenarios/scenarios" "$build/tests/fuzz/abort-flow" "$to/"
    cp -- "$build/tests/layers/libassay_test_device_fault.so" "$to/below/"
    carry_manifest "$build/tests/layers/device_fault.json" libassay_test_device_fault.so >"$to/below/device_fault.json"
    if [ -n "${ASSAY_SEEDS:-}" ]; then
        echo "python3 tests/fuzz/abort_flow.py --seeds $ASSAY_SEEDS --keep build/on-device --list >build/on-device.list" | (cd "$checkout" && ./dev shell) &&
            cp -- "$build/on-device.list" "$to/list" && cp -- "$build"/on-device/*.spv "$to/seeds/"
        rm -rf -- "$build/on-device" "$build/on-device.list"
    fi
    strip -g "$to/scenarios"
    tar -czf "$directory/scenarios.tar.gz" -C "$to" .
    ls -sh "$directory/scenarios.tar.gz"
}

run() {
    tar -xzf "$directory/scenarios.tar.gz" -C "$to" || exit 1
    find_driver
    # Where the harness looks for them.
    mkdir -p /usr/share/vulkan/icd.d /assay/build/tests
    [ "$driver" = /usr/share/vulkan/icd.d/lvp_icd.json ] || cp -- "$driver" /usr/share/vulkan/icd.d/lvp_icd.json
    ln -sfn "$to/below" /assay/build/tests/layers
    export __GL_SHADER_DISK_CACHE=0
    failed=0
    out=${OUT:-.}/scenarios.txt
    with="$to/lib/ld-linux-x86-64.so.2 --library-path $to/lib:/usr/local/nvidia/lib64${ASSAY_LIBRARIES:+:$ASSAY_LIBRARIES}"
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
    for ids in true false; do
        for file; do
            timeout 150 env VK_ASSAY_UNIQUE_HANDLES=$ids $with "$to/scenarios" --layer-path "$to/layers" --driver lavapipe --file "$file" --jobs 12 --all >"$to/log" 2>&1
            echo "$file, ids $ids: exit $?, $(tail -n 1 "$to/log")"
            grep '^FAIL' "$to/log" && failed=1
            cat "$to/log" >>"$out"
        done
    done
    if [ -s "$to/list" ]; then
        # Some of them take a driver's compiler a minute or two, without a layer, too.
        export VK_LAYER_PATH="$to/layers" VK_DRIVER_FILES="$driver" VK_LOADER_LAYERS_DISABLE='~implicit~'
        tr ' ' '\n' <"$to/list" | xargs -P 13 -I'{}' sh -c "timeout 200 $with $to/abort-flow $to/seeds {} >$to/log.{} 2>&1; echo \"seed {}: exit \$?, \$(tail -n 1 $to/log.{})\" >$to/end.{}"
        cat "$to"/log.* >>"$out"
        echo "seeds: $(cat "$to"/end.* | wc -l), right: $(cat "$to"/end.* | grep -c 'exit 0,')"
        grep -hv 'exit 0,' "$to"/end.* && failed=1
    fi
    return $failed
}

to=$(mktemp -d)
trap 'rm -rf -- "$to"' EXIT INT TERM
case $verb in
gather) gather ;;
run)
    [ $# -ge 3 ] || { sed -n 3,5p "$0" >&2; exit 2; }
    shift 2
    run "$@"
    ;;
*)
    sed -n 3,6p "$0" >&2
    exit 2
    ;;
esac
