#!/bin/sh
# How many instructions does one operation take, and in which functions? Counting is exact where time is not.
# callgrind.sh OPERATION [none|assay|khronos|assay-default|khronos-default|assay-sync|khronos-sync|assay-muted] [BUILD]    (bench_ops --list names the operations)
# The two layers with the same checks (all but the core ones), as they come, or with synchronization validation too.
# {assay,khronos}-practices: as they come, with best practices; -vendors: those of all vendors, too.
# assay-muted sets mute_labels to ASSAY_BENCH_MUTE (by default the label that the bench begins).
# Runs bench_ops twice under callgrind on the null driver, with N and 2 N operations; the difference over N is one operation.
set -eu
operation=${1:?usage: callgrind.sh OPERATION [none|assay|khronos] [BUILD]}
layer=${2:-assay}
build=$(cd "${3:-$(dirname "$0")/../build}" && pwd)
count=${ASSAY_BENCH_COUNT:-20000}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT INT TERM

VK_DRIVER_FILES=$build/tests/null-driver/assay_null_icd.json
VK_LOADER_LAYERS_DISABLE='~implicit~'
export VK_DRIVER_FILES VK_LOADER_LAYERS_DISABLE
unset VK_INSTANCE_LAYERS VK_LAYER_SETTINGS_PATH
case $layer in
none) ;;
assay)
    export VK_ADD_LAYER_PATH="$build/src" VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation
    echo 'assay.validate_core = false' >"$directory/settings.txt"
    ;;
assay-default | assay-practices | assay-vendors) export VK_ADD_LAYER_PATH="$build/src" VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation ;;
khronos-default | khronos-practices | khronos-vendors) export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation ;;
assay-sync)
    export VK_ADD_LAYER_PATH="$build/src" VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation
    echo 'assay.validate_sync = true' >"$directory/settings.txt"
    ;;
assay-muted)
    export VK_ADD_LAYER_PATH="$build/src" VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation
    echo "assay.mute_labels = ${ASSAY_BENCH_MUTE:-imgui*}" >"$directory/settings.txt"
    ;;
khronos-sync)
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
    echo 'khronos_validation.validate_sync = true' >"$directory/settings.txt"
    ;;
khronos)
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
    printf 'khronos_validation.%s = false\n' validate_core check_shaders >"$directory/settings.txt"
    echo 'khronos_validation.thread_safety = true' >>"$directory/settings.txt"
    ;;
*)
    echo "callgrind.sh: no layer \"$layer\"" >&2
    exit 2
    ;;
esac
[ "$layer" = none ] || export VK_LAYER_SETTINGS_PATH="$directory/settings.txt"

case $layer in
*-practices | *-vendors)
    # Whatever advice comes is told, in both.
    case $layer in
    assay-*) prefix=assay ;;
    *) prefix=khronos_validation ;;
    esac
    printf '%s.validate_best_practices = true\n%s.report_flags = error,warn,perf\n' $prefix $prefix >"$directory/settings.txt"
    case $layer in
    *-vendors) printf "$prefix.validate_best_practices_%s = true\n" arm amd img nvidia >>"$directory/settings.txt" ;;
    esac
    ;;
esac

# Instructions of the whole process with $1 operations; the profile stays in $directory/$1.
instructions() {
    if ! valgrind --tool=callgrind --callgrind-out-file="$directory/$1" "$build/bench/bench_ops" --count "$1" "$operation" \
        >"$directory/output" 2>&1; then
        cat "$directory/output" >&2
        exit 1
    fi
    sed -n 's/^==.*Collected : //p' "$directory/output"
}
# The first run of a layer that was just built keeps files (shaders that were found valid): it is not counted.
instructions 1 >/dev/null
once=$(instructions $count)
twice=$(instructions $((2 * count)))
echo "$operation, $layer: $(((twice - once) / count)) instructions an operation"
# The same by function: what the second half of the longer run added.
for run in $count $((2 * count)); do
    callgrind_annotate --auto=no --threshold=100 "$directory/$run" >"$directory/$run.txt"
done
awk -v count=$count '
    !/[0-9]x)/ && match($0, /^ *[0-9,]+ \([ 0-9.]+%\) +/) {
        name = substr($0, RLENGTH + 1)
        sub(/ \[.*/, "", name)
        sub(/.*\//, "", name)
        gsub(/,/, "", $1)
        cost[name] += FNR == NR ? -$1 : $1
        next
    }
    END { for (name in cost) if (cost[name] >= count) printf "%8.1f  %s\n", cost[name] / count, name }
' "$directory/$count.txt" "$directory/$((2 * count)).txt" | sort -rn | head -n "${ASSAY_BENCH_LINES:-30}"
