#!/bin/sh
# Measures what best practices add to a call, here and in the Khronos layer. Counts instructions, and prints a row of Markdown for each operation.
# practices.sh [OPERATION...]    (docs/bench.md "What best practices cost"; without a name, all operations that they have to do with)
# The first ratio is of what practices add, the second of what they add with the advice of all vendors.
set -eu
directory=$(dirname "$0")
[ $# -gt 0 ] || set -- draw draw_stream draw_dynamic draw_culled dispatch bindless rendering label update_1 update_16 update_template \
    copy_barrier copy_512 image_barrier image_barrier2 begin_end churn_buffer churn_view churn_image churn_image_view churn_framebuffer \
    churn_sampler churn_fence submit submit_copies pipeline
export ASSAY_BENCH_LINES=0

# Instructions of one operation $1 with the configuration $2.
instructions() {
    case $1 in # those that record do so a thousand at a time
    dispatch | bindless | pipeline | submit* | copy_512 | update_16* | churn_*) count=${ASSAY_BENCH_COUNT:-1000} ;;
    *) count=${ASSAY_BENCH_COUNT:-2000} ;;
    esac
    ASSAY_BENCH_COUNT=$count sh "$directory/callgrind.sh" "$1" "$2" "${ASSAY_BENCH_BUILD:-$directory/../build}" | sed -n 's/.*: \(-*[0-9]*\) instructions.*/\1/p'
}

# Both layers remember shaders over runs: what the first run writes down would be missing from the second one.
for layer in assay-practices khronos-practices; do
    instructions pipeline $layer >/dev/null
done
echo '| operation | Assay | practices add | with vendors | Khronos layer | practices add | with vendors | ratio | with vendors |'
echo '|---|--:|--:|--:|--:|--:|--:|--:|--:|'
for operation; do
    figures=
    for layer in assay khronos; do
        for with in default practices vendors; do
            figures="$figures $(instructions "$operation" $layer-$with)"
        done
    done
    echo "$operation $figures" | awk '
        function part(ours, theirs) { return theirs > 0 ? sprintf("%.3f", ours / theirs) : "-" }
        { print "| " $1 " | " $2 " | " $3 - $2 " | " $4 - $2 " | " $5 " | " $6 - $5 " | " $7 - $5 " | " \
              part($3 - $2, $6 - $5) " | " part($4 - $2, $7 - $5) " |" }'
done
