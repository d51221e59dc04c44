#!/bin/sh
# What does a machine need, that has a GPU and its driver and nothing else, to run the bench of GPU-assisted validation? This gathers it.
# usage: carry.sh [DIRECTORY]    (default: .carry in the checkout, which git is told to ignore): carried.tar.gz in there; then, on that
#                                machine, in a copy of the checkout: on_device.sh [DIRECTORY]
#
# After `./dev build`. Everything comes from the root that it was built in, which is newer than most machines: so the C library and the
# dynamic linker come along, as the loader and the Khronos layer need them. The driver is that machine's.
set -eu
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
directory=${1:-$checkout/.carry}
root=${ASSAY_ROOT:-${ASSAY_CACHE:-/var/cache/assay}/forky}
[ -d "$root/usr" ] || root= # the host has everything
build=$checkout/build
library=$root/usr/lib/x86_64-linux-gnu

if [ -d "$checkout/.git" ] && ! grep -qsx /.carry/ "$checkout/.git/info/exclude"; then
    mkdir -p "$checkout/.git/info"
    echo /.carry/ >>"$checkout/.git/info/exclude"
fi
mkdir -p "$directory"
to=$(mktemp -d)
trap 'rm -rf -- "$to"' EXIT INT TERM
mkdir "$to/lib" "$to/layers"
cp -- "$build/bench/gpu/bench_gpu" "$build/bench/gpu/bench_abort" "$build/bench/gpu/try_abort" "$build/examples/shader-assert/shader_assert" "$to/"
cp -L -- "$library/ld-linux-x86-64.so.2" "$library/libc.so.6" "$library/libm.so.6" "$library/libgcc_s.so.1" "$library/libstdc++.so.6" \
    "$library/libdl.so.2" "$library/libpthread.so.0" "$library/librt.so.1" "$library/libvulkan.so.1" "$to/lib/"
# Where the machine has a C library that is new enough (2.38), its own will do: then only these.
mkdir "$to/loader"
cp -- "$to/lib/libvulkan.so.1" "$to/lib/libstdc++.so.6" "$to/lib/libgcc_s.so.1" "$to/loader/"
cp -- "$build/src/libVkLayer_assay.so" "$build/src/libVkLayer_assay_spirv.so" "$build/src/VkLayer_assay.json" "$to/layers/"
cp -L -- "$library/libVkLayer_khronos_validation.so" "$to/layers/"
sed 's|"library_path": *"[^"]*"|"library_path": "./libVkLayer_khronos_validation.so"|' \
    "$root/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" >"$to/layers/VkLayer_khronos_validation.json"
strip -g "$to/bench_gpu" "$to/bench_abort" "$to/try_abort" "$to/shader_assert" "$to"/layers/*.so
tar -czf "$directory/carried.tar.gz" -C "$to" .
ls -sh "$directory/carried.tar.gz"
