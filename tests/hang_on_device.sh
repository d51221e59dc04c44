#!/bin/sh
# A device that really is lost: does the layer say which command it was? For a machine with a GPU of its own; ends within a minute.
# usage: hang_on_device.sh gather [DIRECTORY]    after `./dev build`: all that is needed, as DIRECTORY/hang.tar.gz (default: .carry, which git is told to ignore)
#        hang_on_device.sh run [DIRECTORY]       on that machine, in a copy of the checkout. What was said is in $OUT/hang.txt
# ASSAY_SECONDS: how long each may take (default: 10).
# ASSAY_DRIVER: the manifest of the driver (default: NVIDIA's, where it is found). ASSAY_LIBRARIES: where the driver's own libraries are, if elsewhere.
#
# Three programs (tests/run/hang.c), each with 10 seconds for the driver to lose the device:
#   fault  a dispatch writes to an address where nothing is. NVIDIA's driver 580 notes the fault in the kernel's log, and
#          answers VK_SUCCESS all the same (H200, 2026-11-26).
#   loop   a dispatch loops until memory changes, which it does not. Many drivers wait for ever: then the program ends the loop.
#   draw   a vertex shader loops so.
# Where the device is lost, the finding must name the command. Nothing hangs when the programs are gone.
set -u
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
verb=${1:-}
seconds=${ASSAY_SECONDS:-10}
directory=${2:-$checkout/.carry}
. "$checkout/tools/dev/carry.sh"

gather() {
    carry_directory "$directory"
    carry_layer "$to/layers" && carry_libraries "$to/lib" $carried_libraries || exit 1
    cp -- "$build/tests/run/hang" "$to/" && cp -- "$build/tools/assay/assay" "$to/layers/" || exit 1
    strip -g "$to/hang" "$to/layers/assay"
    tar -czf "$directory/hang.tar.gz" -C "$to" .
    ls -sh "$directory/hang.tar.gz"
}

# The finding of what was said in this mode names the command in the secondary.
names_the_command() { # MODE
    command=vkCmdDispatch
    [ "$1" != draw ] || command=vkCmdDraw
    grep -q 'ASSAY-DeviceLost' "$to/said.$1" && grep -q 'command 2 executes VkCommandBuffer' "$to/said.$1" &&
        grep -q "first not known to be done: command [0-9]*, $command, .*in inner" "$to/said.$1"
}

run_mode() { # MODE
    $run "$to/lib/ld-linux-x86-64.so.2" --library-path "$to/lib:/usr/local/nvidia/lib64${ASSAY_LIBRARIES:+:$ASSAY_LIBRARIES}" "$to/hang" "$1" "$seconds" >"$to/said.$1" 2>&1
    status=$?
    { echo "--- $1: status $status"; cat "$to/said.$1"; } >>"$out"
    grep '^hang: ' "$to/said.$1"
    if [ $status -eq 3 ] && names_the_command "$1"; then
        echo "$1: the finding names the command"
    elif [ $status -eq 3 ]; then
        echo "$1: FAILED (status $status): the finding does not name the command"
        sed -n '/ASSAY-DeviceLost/,/^$/p' "$to/said.$1"
        failed=1
    else
        echo "$1: the driver did not lose the device (status $status)"
    fi
}

run() {
    tar -xzf "$directory/hang.tar.gz" -C "$to" || exit 1
    find_driver
    export VK_DRIVER_FILES="$driver" VK_LOADER_LAYERS_DISABLE='~implicit~' VK_ASSAY_BREADCRUMBS=true __GL_SHADER_DISK_CACHE=0
    out=${OUT:-.}/hang.txt
    : >"$out"
    failed=0
    # With `assay run`, where it runs here, the submissions are told as well; else by the environment alone.
    if "$to/layers/assay" --version >/dev/null 2>&1; then
        run="timeout -k 2 $((seconds + 7)) $to/layers/assay run --"
    else
        export VK_LAYER_PATH="$to/layers" VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation
        run="timeout -k 2 $((seconds + 7))"
    fi
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
    for mode in fault loop draw; do run_mode $mode; done
    return $failed
}

to=$(mktemp -d)
trap 'rm -rf -- "$to"' EXIT INT TERM
case $verb in
gather) gather ;;
run) run ;;
*)
    sed -n 3,5p "$0" >&2
    exit 2
    ;;
esac
