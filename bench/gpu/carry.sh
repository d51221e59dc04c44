#!/bin/sh
# Gathers what a machine with a GPU and its driver and nothing else needs to run the bench of GPU-assisted validation.
# usage: carry.sh [DIRECTORY]    (default: .carry in the checkout, which git is told to ignore): carried.tar.gz in there; then, on that
#                                machine, in a copy of the checkout: on_device.sh [DIRECTORY]
#
# After `./dev build`. The driver is that machine's.
set -eu
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
directory=${1:-$checkout/.carry}
. "$checkout/tools/dev/carry.sh"

carry_directory "$directory"
to=$(mktemp -d)
trap 'rm -rf -- "$to"' EXIT INT TERM
cp -- "$build/bench/gpu/bench_gpu" "$build/bench/gpu/bench_abort" "$build/bench/gpu/try_abort" "$build/examples/shader-assert/shader_assert" "$to/"
carry_libraries "$to/lib" $carried_libraries
# Where the machine has a C library that is new enough (2.38), its own will do: then only these.
mkdir "$to/loader"
cp -- "$to/lib/libvulkan.so.1" "$to/lib/libstdc++.so.6" "$to/lib/libgcc_s.so.1" "$to/loader/"
carry_layer "$to/layers"
carry_libraries "$to/layers" libVkLayer_khronos_validation.so
carry_manifest "$root/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" libVkLayer_khronos_validation.so \
    >"$to/layers/VkLayer_khronos_validation.json"
strip -g "$to/bench_gpu" "$to/bench_abort" "$to/try_abort" "$to/shader_assert" "$to"/layers/*.so
tar -czf "$directory/carried.tar.gz" -C "$to" .
ls -sh "$directory/carried.tar.gz"
