# shellcheck shell=sh disable=SC2034,SC2154
# Parts of the scripts that run something on another machine: `. tools/dev/carry.sh`, with $checkout set. What they carry
# lies in $checkout/.carry, or where the caller says.

build=$checkout/build
root=${ASSAY_ROOT:-${ASSAY_CACHE:-/var/cache/assay}/forky}
[ -d "$root/usr" ] || root= # the host has everything
library=$root/usr/lib/x86_64-linux-gnu

# The C library and the dynamic linker come along, with what the loader needs: the root is newer than most machines.
carried_libraries='ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libvulkan.so.1'

# Makes the directory; git is told to ignore .carry.
carry_directory() { # DIRECTORY
    if [ -d "$checkout/.git" ] && ! grep -qsx /.carry/ "$checkout/.git/info/exclude"; then
        mkdir -p "$checkout/.git/info"
        echo /.carry/ >>"$checkout/.git/info/exclude"
    fi
    mkdir -p "$1"
}

carry_libraries() { # DIRECTORY LIBRARY...
    carry_to=$1
    shift
    mkdir -p "$carry_to"
    for name; do
        cp -L -- "$library/$name" "$carry_to/" || return 1
    done
}

# The layer, stripped of what only debuggers read.
carry_layer() { # DIRECTORY
    mkdir -p "$1"
    cp -- "$build/src/libVkLayer_assay.so" "$build/src/libVkLayer_assay_spirv.so" "$build/src/VkLayer_assay.json" "$1/" &&
        strip -g "$1"/libVkLayer_assay*.so
}

# The manifest, with the library beside it.
carry_manifest() { # MANIFEST LIBRARY
    sed 's|"library_path": *"[^"]*"|"library_path": "./'"$2"'"|' "$1"
}

# $driver: ASSAY_DRIVER, or where NVIDIA's manifest is found.
find_driver() {
    driver=${ASSAY_DRIVER:-}
    for manifest in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /etc/vulkan/icd.d/nvidia_icd.json /usr/share/vulkan/icd.d/nvidia_icd.json; do
        if [ -z "$driver" ] && [ -f "$manifest" ]; then driver=$manifest; fi
    done
    [ -n "$driver" ] || { echo "${0##*/}: no driver here: set ASSAY_DRIVER to its manifest" >&2; exit 1; }
}
