#!/bin/sh
# The comparison with the peer and the generator of valid programs on a machine with many processors, such as one with a GPU:
# all scenarios take 5 minutes on 16 processors. It needs no driver of its own there; lavapipe comes along.
# usage: peer_on_device.sh gather [DIRECTORY]    after `./dev build`: all that is needed, in DIRECTORY (default: .carry, which git is
#                                                told to ignore). Compressing lavapipe takes minutes; it is done once
#        peer_on_device.sh run [DIRECTORY] [ARGUMENTS OF compare_peer.py]   on that machine, as root, in a copy of the checkout.
#                                                What was compared is in $OUT/peer.txt
#        peer_on_device.sh suites [DIRECTORY] [ARGUMENTS OF suites.py]   on that machine: Dawn's and ggml's tests under both layers, where
#                                                ASSAY_SUITES=1 was set for `gather`. What was compared is in $OUT/suites.txt. Where all
#                                                of it is too much for one call, `run` comes first, and its machine is kept
#        peer_on_device.sh place [DIRECTORY]     on that machine: unpacks what was carried, and does nothing else
#        peer_on_device.sh cts [DIRECTORY] [ARGUMENTS OF suites_cts.py]   on that machine: the Vulkan conformance suite, where
#                                                ASSAY_DEQP=PATH was set for `gather`. PATH is a deqp-vk that you have built, with
#                                                the suite's data beside it. The report is $OUT/cts.txt, the results are in
#                                                $OUT/cts.tar.xz. Where drivers.tar.xz and cts.tar.xz are too much for one call,
#                                                carry the first one with `place`, and then the other one with `cts`.
#                                                --driver MANIFEST: that machine's own driver. NVIDIA's makes no instance
#                                                without EGL: for `gather`, set ASSAY_LIBRARIES to a directory that has
#                                                libEGL.so.1 and libGLdispatch.so.0
# ASSAY_PROGRAMS: how many programs the generator makes first (default: 100000; 0: none), from ASSAY_SEED on (default: 1).
set -u
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
verb=${1:-}
directory=${2:-$checkout/.carry}
. "$checkout/tools/dev/carry.sh"
place=/tmp/assay-peer # where it lies on that machine

# lavapipe needs LLVM, and that a prover, of which no shader makes use: functions of its names stand in for it, as what
# travels may have 64 MiB.
gather_drivers() {
    library=$root/usr/lib/x86_64-linux-gnu
    mkdir -p "$to/lib"
    for name in ld-linux-x86-64.so.2 libvulkan_lvp.so libVkLayer_khronos_validation.so libvulkan.so.1 libyyjson.so.0 libdl.so.2 \
        libpthread.so.0 librt.so.1; do
        cp -L -- "$library/$name" "$to/lib/" || exit 1
    done
    for path in $(chroot "$root/" ldd /usr/lib/x86_64-linux-gnu/libvulkan_lvp.so /usr/lib/x86_64-linux-gnu/libVkLayer_khronos_validation.so |
        awk '/=> \//{print $3}' | sort -u); do
        cp -L -- "$root$path" "$to/lib/" || exit 1
    done
    nm -D --undefined-only "$to"/lib/libLLVM.so.* | awk '$2 ~ /^Z3_/ {print "void " $2 "(void) {}"}' | sort -u >"$to/z3.c"
    ${CC:-cc} -shared -fPIC -O0 -Wl,-soname,libz3.so.4 -o "$to/lib/libz3.so.4" "$to/z3.c" || exit 1
    tar -c -C "$to" lib | xz -7 -T0 >"$directory/drivers.tar.xz"
}

# Programs of tools/dev/packages.suites that fit. What the root does not have is downloaded, and not installed.
gather_suites() {
    mkdir -p "$root/tmp/assay-suites" "$to/suites/lib"
    cat >"$root/tmp/assay-suites/unpack" <<'END'
set -e
cd /tmp/assay-suites
apt-get -qq -o APT::Sandbox::User=root download $(apt-cache depends dawn-tools libggml0-backend-vulkan llama.cpp-tests |
    awk '$1 == "Depends:" && $2 ~ /absl|glfw|ggml|llama|gomp/ {print $2}' | sort -u) dawn-tools libggml0-backend-vulkan llama.cpp-tests
for file in *.deb; do dpkg-deb -x "$file" x; done
library=x/usr/lib/x86_64-linux-gnu
cp x/usr/bin/dawn_end2end_tests x/usr/libexec/x86_64-linux-gnu/llama.cpp-tests/test-backend-ops .
LD_LIBRARY_PATH=$PWD/$library ldd dawn_end2end_tests test-backend-ops $library/ggml/backends0/libggml-vulkan.so |
    awk '/=> \//{print $3}' | sort -u >libraries
END
    chroot "$root/" sh /tmp/assay-suites/unpack || exit 1
    tar -tf "$directory/drivers.tar.xz" >"$to/carried"
    for path in $(cat "$root/tmp/assay-suites/libraries"); do
        grep -qx "lib/${path##*/}" "$to/carried" || cp -L -- "$root$path" "$to/suites/lib/" || exit 1
    done
    backends=$root/tmp/assay-suites/x/usr/lib/x86_64-linux-gnu/ggml/backends0
    cp -- "$backends/libggml-vulkan.so" "$backends/libggml-cpu-x64.so" "$to/suites/lib/" || exit 1
    cp -- "$root/tmp/assay-suites/dawn_end2end_tests" "$root/tmp/assay-suites/test-backend-ops" "$to/suites/" || exit 1
    rm -rf -- "$root/tmp/assay-suites"
    tar -c -C "$to" suites | xz -7 -T0 >"$directory/suites.tar.xz"
}

# The user's deqp-vk and the data beside it, with the libraries that it needs.
gather_cts() {
    mkdir -p "$to/cts/lib"
    cp -L -- "$ASSAY_DEQP" "$to/cts/deqp-vk.bin" || exit 1
    for data in "${ASSAY_DEQP%/*}"/*; do
        [ ! -d "$data" ] || cp -R -- "$data" "$to/cts/" || exit 1
    done
    for name in libpng16.so.16 libz.so.1 libstdc++.so.6 libgcc_s.so.1 libX11.so.6 libXext.so.6 libxcb.so.1 libXau.so.6 libXdmcp.so.6; do
        cp -L -- "$root/usr/lib/x86_64-linux-gnu/$name" "$to/cts/lib/" || exit 1
    done
    for path in "${ASSAY_LIBRARIES:-.}/libEGL.so.1" "${ASSAY_LIBRARIES:-.}/libGLdispatch.so.0"; do
        [ ! -f "$path" ] || cp -L -- "$path" "$to/cts/lib/" || exit 1
    done
    tar -c -C "$to" cts | xz -7 -T0 >"$directory/cts.tar.xz"
}

gather() {
    carry_directory "$directory"
    [ -f "$directory/drivers.tar.xz" ] || gather_drivers
    [ "${ASSAY_SUITES:-0}" = 0 ] || [ -f "$directory/suites.tar.xz" ] || gather_suites
    [ -z "${ASSAY_DEQP:-}" ] || gather_cts
    for name in scenarios valid; do
        mkdir -p "$to/build/tests/$name"
        cp -- "$build/tests/$name/$name" "$to/build/tests/$name/$name.bin" || exit 1
    done
    mkdir -p "$to/build/src/khronos" "$to/build/tests/null-driver" "$to/build/tests/layers"
    cp -- "$build"/src/libVkLayer_assay*.so "$build"/src/*.json "$to/build/src/" &&
        cp -- "$build/tests/null-driver/libassay_null.so" "$to/build/tests/null-driver/" &&
        cp -- "$build"/tests/layers/*.so "$build"/tests/layers/*.json "$to/build/tests/layers/" || exit 1
    strip -g "$to"/build/tests/*/*.bin "$to"/build/src/*.so "$to"/build/tests/*/*.so
    cp -- "$root/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" "$to/build/khronos.json" || exit 1
    tar -c -C "$to" build | xz -6 -T0 >"$directory/peer.tar.xz"
    ls -sh "$directory"/*.tar.xz
}

manifest() { # LIBRARY, FILE
    printf '{"file_format_version": "1.0.1", "ICD": {"library_path": "%s", "api_version": "1.4.300"}}\n' "$1" >"$2"
}

# All that was carried, where the programs look for it.
place_all() {
    mkdir -p $place /usr/share/vulkan/icd.d /usr/share/vulkan/explicit_layer.d
    for carried in "drivers.tar.xz $place" "peer.tar.xz $checkout" "suites.tar.xz $place" "cts.tar.xz $place"; do
        # The files of an earlier call on this machine lie there still.
        [ ! -f "$directory/${carried%% *}" ] || tar -xJf "$directory/${carried%% *}" -C "${carried#* }" || exit 1
    done
    ln -sfn "$checkout" /assay # where the manifests and the scenarios look
    manifest $place/lib/libvulkan_lvp.so /usr/share/vulkan/icd.d/lvp_icd.json
    manifest /assay/build/tests/null-driver/libassay_null.so "$build/tests/null-driver/assay_null_icd.json"
    sed 's|"library_path": *"[^"]*"|"library_path": "'$place'/lib/libVkLayer_khronos_validation.so"|' "$build/khronos.json" \
        >/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
    for name in scenarios valid; do
        printf '#!/bin/sh\nexec %s/lib/ld-linux-x86-64.so.2 --library-path %s/lib /assay/build/tests/%s/%s.bin "$@"\n' \
            $place $place $name $name >"$build/tests/$name/$name"
        chmod +x "$build/tests/$name/$name"
    done
    export VK_LOADER_LAYERS_DISABLE='~implicit~'
}

suites() {
    place_all
    tests=/usr/libexec/x86_64-linux-gnu/llama.cpp-tests
    backends=/usr/lib/x86_64-linux-gnu/ggml/backends0
    mkdir -p $tests $backends
    cp -- $place/suites/lib/libggml-vulkan.so $place/suites/lib/libggml-cpu-x64.so $backends/
    for program in /usr/bin/dawn_end2end_tests $tests/test-backend-ops; do
        printf '#!/bin/sh\nexec %s/lib/ld-linux-x86-64.so.2 --library-path %s/suites/lib:%s/lib %s/suites/%s "$@"\n' \
            $place $place $place $place "${program##*/}" >$program
        chmod +x $program
    done
    out=${OUT:-.}/suites.txt
    PYTHONUNBUFFERED=1 python3 "$checkout/tests/suites.py" both --jobs "$(nproc)" "$@" >"$out" 2>&1
    status=$?
    grep -E '^only|unexplained|ended differently' -A1 "$out" || tail -n 5 "$out"
    return $status
}

cts() {
    place_all
    printf '#!/bin/sh\nexec %s/lib/ld-linux-x86-64.so.2 --library-path %s/cts/lib:%s/lib:/usr/local/nvidia/lib64 %s/cts/deqp-vk.bin "$@"\n' \
        $place $place $place $place >$place/cts/deqp-vk
    chmod +x $place/cts/deqp-vk
    out=${OUT:-.}/cts.txt
    PYTHONUNBUFFERED=1 python3 "$checkout/tests/suites_cts.py" --deqp $place/cts/deqp-vk --kept $place/kept "$@" >"$out" 2>&1
    status=$?
    tar -c -C $place --exclude='*.gz' --exclude=layer kept | xz -2 -T0 >"${OUT:-.}/cts.tar.xz"
    grep -v '^batches\|^alone' "$out" | cut -c1-300 | tail -n 60
    return $status
}

run() {
    place_all
    if [ "${ASSAY_PROGRAMS:-100000}" != 0 ]; then
        VK_LAYER_PATH=$build/src VK_DRIVER_FILES=$build/tests/null-driver/assay_null_icd.json "$build/tests/valid/valid" \
            --programs "${ASSAY_PROGRAMS:-100000}" --seed "${ASSAY_SEED:-1}" --jobs "$(nproc)" --keep-going
    fi
    out=${OUT:-.}/peer.txt
    PYTHONUNBUFFERED=1 python3 "$checkout/tests/compare_peer.py" --build "$build" --jobs "$(nproc)" "$@" >"$out" 2>&1
    status=$?
    grep -E 'NOT EXPLAINED|^stale|scenario runs' "$out" || tail -n 5 "$out"
    return $status
}

to=$(mktemp -d)
trap 'rm -rf -- "$to"' EXIT INT TERM
case $verb in
gather) gather ;;
place) place_all ;;
run | suites | cts)
    shift
    [ $# -eq 0 ] || shift
    "$verb" "$@"
    ;;
*)
    sed -n 4,21p "$0" >&2
    exit 2
    ;;
esac
