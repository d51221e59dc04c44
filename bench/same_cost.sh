#!/bin/sh
# Does a setting cost nothing where a program does not use what it is about? Counts the instructions of operations with one value and with another, which must be the same.
# same_cost.sh BUILD NAME VALUE OTHER OPERATION...    e.g. same_cost.sh build shader_abort off emulate draw_stream submit
set -eu
[ $# -ge 5 ] || { sed -n 3p "$0" >&2; exit 2; }
build=$1
variable=VK_ASSAY_$(echo "$2" | tr '[:lower:]' '[:upper:]')
values="$3 $4"
shift 4
# Facts that are remembered of shaders over runs would make the first run another one than the second.
export VK_ASSAY_CHECK_SHADERS_CACHING=false
failed=0
same() {
    [ "$1" = "$2" ]
}
for operation; do
    counts=
    for value in $values; do
        said=$(env "$variable=$value" ASSAY_BENCH_COUNT="${ASSAY_BENCH_COUNT:-2000}" ASSAY_BENCH_LINES=0 \
            sh "$(dirname "$0")/callgrind.sh" "$operation" assay-default "$build")
        count=$(echo "$said" | sed -n 's/.*: \([0-9]*\) instructions.*/\1/p')
        [ "${count:-0}" -gt 0 ] || { echo "$said" >&2; exit 1; }
        echo "$operation with $variable=$value: $count instructions"
        counts="$counts $count"
    done
    same $counts || failed=1
done
exit $failed
