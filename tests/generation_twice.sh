#!/bin/sh
# Is generation deterministic? Generates everything a second time, in a build directory of its own and with another
# hash seed, and compares each generated file with the one in the build directory that is given.
# usage: generation_twice.sh BUILD
set -eu

build=$1
unset ASSAY_SHADER_CACHE
second=$(mktemp -d)
trap 'rm -rf "$second"' EXIT
trap 'exit 130' INT TERM

# Outputs of custom targets, relative to the build directory. Linked files are not among them: those are compiled; nor are SPIR-V modules
# with debug information, in which the compiler writes the path that it was given.
generated() { # BUILD
    meson introspect --targets "$1" | jq -r --arg build "$(realpath "$1")/" \
        '.[] | select(.type == "custom") | .filename[] | ltrimstr($build)' | grep -v '\.spv$' | sort
}

PYTHONHASHSEED=4321 meson setup "$second/build" >"$second/setup.log" || {
    cat "$second/setup.log"
    exit 1
}
generated "$build" >"$second/first.list"
generated "$second/build" >"$second/second.list"
cmp "$second/first.list" "$second/second.list"
[ -s "$second/first.list" ] || {
    echo "nothing is generated in $build"
    exit 1
}
for directory in "$build" "$second/build"; do
    # The first build may have left out what nothing in it needs yet.
    tr '\n' '\0' <"$second/second.list" | PYTHONHASHSEED=4321 xargs -0 ninja -C "$directory" >"$second/ninja.log" || {
        tail -n 40 "$second/ninja.log"
        exit 1
    }
done

differing=0
while IFS= read -r file; do
    cmp "$build/$file" "$second/build/$file" || differing=$((differing + 1))
done <"$second/second.list"
echo "$(wc -l <"$second/second.list") files generated twice, $differing differ"
[ "$differing" -eq 0 ]
