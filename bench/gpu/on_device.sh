#!/bin/sh
# Measures what GPU-assisted validation costs on this machine's GPU. Runs what carry.sh gathered.
# usage: on_device.sh [DIRECTORY [RUN.PY'S ARGUMENTS]]    (default: .carry) in a copy of the checkout; the answer is in $OUT/gpu.txt
#
# ASSAY_DRIVER: the manifest of the driver (default: NVIDIA's, where it is found). ASSAY_LIBRARIES: more directories of libraries.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
checkout=$(dirname -- "$(dirname -- "$here")")
. "$checkout/tools/dev/carry.sh"
archive=${1:-$checkout/.carry}/carried.tar.gz
[ $# -eq 0 ] || shift
OUT=${OUT:-.}
carried=$(mktemp -d)
trap 'rm -rf -- "$carried"' EXIT INT TERM
tar -xzf "$archive" -C "$carried" || exit 1

find_driver

# With the machine's own C library, or else, where that is older than 2.38, with the carried one. Which of them works with each layer
# is tried first, since a run that fails late is paid for all the same.
works() { # LAUNCHER
    for layer in '' VK_LAYER_ASSAY_validation VK_LAYER_KHRONOS_validation; do
        said=$(VK_DRIVER_FILES=$driver VK_LAYER_PATH=$carried/layers VK_INSTANCE_LAYERS=$layer VK_LOADER_DEBUG=error,layer \
            timeout 60 $1 "$carried/bench_gpu" --device 2>&1) &&
            { [ -z "$layer" ] || printf '%s' "$said" | grep -q "Insert instance layer \"$layer\""; } ||
            { printf '%s\n' "${layer:-no layer}: $said" >&2 && return 1; }
    done
}
launcher=
more=${ASSAY_LIBRARIES:+:$ASSAY_LIBRARIES}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
for candidate in "env LD_LIBRARY_PATH=$carried/loader$more" \
    "$carried/lib/ld-linux-x86-64.so.2 --library-path $carried/lib$more"; do
    if works "$candidate"; then
        launcher=$candidate
        break
    fi
    echo "on_device.sh: does not work: $candidate" >&2
done
[ -n "$launcher" ] || exit 1

bench() { # TITLE, ARGUMENTS OF RUN.PY
    echo "== $1"
    shift
    PYTHONUNBUFFERED=1 python3 "$here/run.py" --program "$carried/bench_gpu" --assay "$carried/layers" --khronos "$carried/layers" \
        --driver "$driver" --launcher "$launcher" "$@"
    echo "exit $?"
    echo
}
with_assay() { # SECONDS, PROGRAM, ITS ARGUMENTS
    limit=$1 program=$2
    shift 2
    VK_DRIVER_FILES=$driver VK_LAYER_PATH=$carried/layers VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation VK_LOADER_DEBUG=none \
        __GL_SHADER_DISK_CACHE=0 timeout "$limit" $launcher "$carried/$program" "$@"
    echo "exit $?"
    echo
}
aborts() {
    echo '== assertions that hold (bench_abort)'
    with_assay 100 bench_abort --elements 16777216 --rounds 200
    echo '== those that do not'
    with_assay 60 shader_assert
    VK_ASSAY_VALIDATE_CORE=false VK_ASSAY_OBJECT_LIFETIME=false VK_ASSAY_LOG_FILENAME=/dev/null with_assay 100 try_abort --elements 1048576
}
{
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader 2>/dev/null
    date
    aborts
    if [ $# -gt 0 ]; then
        bench "$*" "$@"
    else
        # Small: all data in the GPU's cache. Large: out of its memory.
        bench 'small' --check --elements 1048576 --rounds 5 --ms 100 --seconds 150 --json "$OUT/gpu-small.json"
        bench 'large' --check --elements 16777088 --rounds 5 --ms 150 --seconds 200 --json "$OUT/gpu-large.json"
    fi
} 2>&1 | tee "$OUT/gpu.txt"
