#!/bin/sh
# Is generation deterministic? Compares each generated file of two build directories. `./dev test` generates the files of
# the second one without a cache and with another hash seed (tools/dev/inside.sh, generating_anew). Shaders of scenarios take
# two minutes, nearly all of it in glslang: of those, three files that have every kind of module are made again.
# usage: generation_twice.sh BUILD SECOND
set -eu

build=$1 second=$2
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
trap 'exit 130' INT TERM

# Outputs of custom targets, relative to the build directory. Linked files are not among them: those are compiled; nor are
# SPIR-V modules with debug information, in which the compiler writes the path that it was given.
generated() { # BUILD
    meson introspect --targets "$1" | jq -r --arg build "$(realpath "$1")/" \
        '.[] | select(.type == "custom") | .filename[] | ltrimstr($build)' | grep -v '\.spv$' | sort
}

generated "$build" >"$lists/first"
generated "$second" >"$lists/second"
cmp "$lists/first" "$lists/second"
[ -s "$lists/first" ] || {
    echo "nothing is generated in $build"
    exit 1
}
for directory in "$build" "$second"; do
    # A build leaves out what nothing in it needs yet.
    tr '\n' '\0' <"$lists/first" | xargs -0 ninja -C "$directory" >"$lists/ninja.log" || {
        tail -n 40 "$lists/ninja.log"
        exit 1
    }
done

differing=0
while IFS= read -r file; do
    cmp "$build/$file" "$second/$file" || differing=$((differing + 1))
done <"$lists/first"
for name in gpu_bindless gpu_dump gpu_more; do
    env -u ASSAY_SHADER_CACHE python3 tests/harness/assemble.py --as spirv-as --glslang glslangValidator \
        --out "$lists/$name.h" tests/scenarios/shaders/"$name".*
    cmp "$build/tests/scenarios/$name.h" "$lists/$name.h" || differing=$((differing + 1))
done
echo "$(wc -l <"$lists/first") files generated twice, $differing differ"
[ "$differing" -eq 0 ]
