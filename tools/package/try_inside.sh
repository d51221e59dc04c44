# Tries a package in a bare Debian root, as root: see try.sh. Lines that begin with "try: " are shown
# to people.
set -eu

fail() {
    printf 'try: FAILED: %s\n' "$*"
    exit 1
}

told() {
    printf 'try: %s\n' "$*"
}

everything() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /try \
        -o -path /var -o -path /run -o -path /root \) -prune -o -print | LC_ALL=C sort
}

# expect FILE TEXT...: each text is in the file.
expect() {
    file=$1
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$file" && continue
        cat "$file"
        fail "nobody says \"$text\""
    done
}

# runs ASSAY: a program of ours with mistakes, and one of Debian's without.
runs() {
    status=0
    LD_LIBRARY_PATH=/try "$1" run --sync --error-exit=3 -- /try/program start empty hazard end \
        >/tmp/said 2>&1 || status=$?
    [ $status = 3 ] || { cat /tmp/said; fail "assay run ends with $status, not with 3"; }
    expect /tmp/said 'VUID-VkBufferCreateInfo-size-00912' 'pCreateInfo->size is 0' \
        'SYNC-HAZARD-READ-AFTER-WRITE' '2 findings, 2 errors'
    "$1" run -- vulkaninfo --summary >/tmp/said 2>&1 ||
        { cat /tmp/said; fail 'vulkaninfo fails under the layer'; }
    expect /tmp/said 'VK_LAYER_ASSAY_validation' 'nothing was found'
    device=$(sed -n 's/.*deviceName *= *//p' /tmp/said | head -n 1)
    "$1" doctor >/tmp/said 2>&1 || { cat /tmp/said; fail 'assay doctor finds errors'; }
    told "$1: two mistakes of a program, and none of vulkaninfo, on $device of $system"
}

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -qy --no-install-recommends vulkan-tools libvulkan1 mesa-vulkan-drivers binutils \
    man-db xz-utils
for manifest in /usr/share/vulkan/icd.d/lvp_icd*.json; do
    export VK_DRIVER_FILES="$manifest" VK_ICD_FILENAMES="$manifest"
done
system=$(. /etc/os-release && echo "$PRETTY_NAME")
everything >/tmp/before

# The first useful finding comes within a minute of apt install.
begin=$(date +%s)
apt-get install -qy /try/assay_*.deb
LD_LIBRARY_PATH=/try assay run -- /try/program start empty end >/tmp/said 2>&1 || :
seconds=$(($(date +%s) - begin))
expect /tmp/said 'pCreateInfo->size is 0' 'create_empty_buffer'
[ $seconds -le 60 ] || fail "the first finding comes $seconds s after apt install"
told "the first finding, with the function that made it: $seconds s after apt install"
apt-get install -qy /try/assay-dbgsym_*.deb
dpkg -V assay assay-dbgsym || fail 'what is installed is not what the package had'
runs /usr/bin/assay
# The loader finds it by itself under its own name, and not under that of the Khronos layer.
vulkaninfo 2>/dev/null | sed -n '/^Layers:/,/^Presentable\|^GPU/p' >/tmp/said
expect /tmp/said VK_LAYER_ASSAY_validation
! grep -q VK_LAYER_KHRONOS_validation /tmp/said || fail 'the Khronos layer is shadowed by default'
VK_ADD_LAYER_PATH=/usr/share/assay/khronos vulkaninfo 2>/dev/null >/tmp/said
expect /tmp/said VK_LAYER_KHRONOS_validation
# Its debug information is found by the build id, and this Debian's tools can read it.
library=$(echo /usr/lib/*-linux-gnu/libVkLayer_assay.so)
address=$(nm -D "$library" | awk '/ vkGetInstanceProcAddr$/ {print $1}')
addr2line -e "$library" "$address" >/tmp/said
expect /tmp/said .c:
man -w assay >/dev/null || fail 'there is no man page'
apt-get purge -qy assay assay-dbgsym
everything >/tmp/after
diff /tmp/before /tmp/after || fail 'something is left of the .deb'
told 'the .deb is gone again, and nothing is left of it'

mkdir '/opt/a place'
for archive in /try/assay-*.tar.xz; do
    case $archive in *-debug*) ;; *) tar -C '/opt/a place' -xf "$archive" ;; esac
done
set -- '/opt/a place'/assay-*
runs "$1/bin/assay"
"$1/install.sh" --prefix /usr/local
runs /usr/local/bin/assay
vulkaninfo --summary 2>/dev/null >/tmp/said
expect /tmp/said VK_LAYER_ASSAY_validation
/usr/local/share/assay/install.sh --uninstall
rm -rf '/opt/a place'
everything >/tmp/after
diff /tmp/before /tmp/after || fail 'something is left of the .tar.xz'
told 'the .tar.xz ran where it was unpacked, was installed, and is gone again'
