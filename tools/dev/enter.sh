# How does a command get into the root? Through the mounts that this script makes, as the first process of namespaces
# that ./dev made with unshare(1); they, and every process in them, go when this one ends.
# usage: enter.sh ROOT CHECKOUT CACHE UID:GID DIRECTORY COMMAND [ARGUMENTS]
#   COMMAND is one of inside.sh's, or "install" followed by a program and its arguments.
set -eu

root=$1 checkout=$2 cache=$3 owner=$4 directory=$5 command=$6
shift 6

# Container hosts may forbid a fresh /proc; theirs shows other process ids, which only process listings notice.
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 assay-tmp "$root/tmp"

# The caller's environment stays outside, but for what is meant for us: a stray VK_INSTANCE_LAYERS or CFLAGS must not
# change what a test says.
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
    case $command:$name in
    *:PATH | *:TERM | *:COLORTERM | *:NO_COLOR | *:CI | *:ASSAY_JOBS | *:ASSAY_DEBUG | package:SOURCE_DATE_EPOCH | package:ASSAY_MAINTAINER) ;;
    install:*_proxy | install:*_PROXY) ;;
    *:ASSAY_ROOT | *:ASSAY_CACHE | *:ASSAY_MIRROR | *:ASSAY_HOST) unset "$name" ;;
    cts:ASSAY_GIVEN | update-registry:ASSAY_GIVEN | run:VK_* | run:ASSAY_* | run:MESA_* | run:LP_* | shell:VK_* | shell:ASSAY_* | bench:ASSAY_*) ;;
    *) unset "$name" ;;
    esac
done
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/tmp/home

if [ "$command" = install ]; then
    export DEBIAN_FRONTEND=noninteractive
    mkdir "$root/tmp/home"
    chroot "$root" "$@"
    exit
fi

mount --bind "$checkout" "$root/assay"
# Directories of the host that an argument names; ./dev has put their place in the root into the argument.
number=0
printf '%s' "${ASSAY_GIVEN:+$ASSAY_GIVEN
}" | while IFS= read -r path; do
    mkdir -p "$root/tmp/given/$number"
    mount --bind "$path" "$root/tmp/given/$number"
    number=$((number + 1))
done
unset ASSAY_GIVEN
mount --bind "$cache/ccache-${owner%:*}" "$root/ccache"
# (The tool, tools/assay/root.c, says of a path that is not here that it may be outside.)
export CCACHE_DIR=/ccache XDG_RUNTIME_DIR=/tmp/runtime ASSAY_DIRECTORY="$directory" ASSAY_CHECKOUT="$checkout"
mkdir -m 700 "$root/tmp/home" "$root/tmp/runtime"
mkdir -m 1777 "$root/tmp/.X11-unix"
chown "$owner" "$root/tmp/home" "$root/tmp/runtime" "$root/ccache"
# The files that an earlier run of another user left must not stand in the way of the checkout's owner.
for build in "$root"/assay/build "$root"/assay/build-*; do
    if [ -d "$build" ] && [ "$(stat -c %u:%g "$build")" != "$owner" ]; then
        chown -R "$owner" "$build"
    fi
done
chroot --userspec="$owner" --groups= "$root" /usr/bin/sh /assay/tools/dev/inside.sh "$command" "$@"
