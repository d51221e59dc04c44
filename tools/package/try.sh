# Do the packages do their work where nothing of ours is? In bare Debian roots: made with
# debootstrap, the .deb installed with apt, the .tar.xz with its install.sh, a program run under
# each, and everything taken away again. Part of ./dev, which sources it after tools/dev/root.sh.
# Needs the network. A bare root is kept in the cache directory.

bare_root() { # SUITE: its path in $bare
    bare=$cache/bare-$1
    [ ! -d "$bare" ] || return 0
    require_debootstrap
    source=$(mirror) ||
        die 'no Debian mirror is known here: name one, ASSAY_MIRROR=http://... ./dev ...'
    remove_tree "$bare.partial"
    mkdir -p "$cache/debs"
    long_step "making a bare Debian $1 root from $source" \
        run_debootstrap "$bare.partial" "$source" "$1" ||
        die_of_step 'the Debian root could not be made'
    printf 'APT::Install-Recommends "true";\n' >"$bare.partial/etc/apt/apt.conf.d/80assay"
    printf '#!/bin/sh\nexit 101\n' >"$bare.partial/usr/sbin/policy-rc.d"
    chmod +x "$bare.partial/usr/sbin/policy-rc.d"
    mv "$bare.partial" "$bare"
}

run_try() { # ROOT ARGUMENTS...
    target=$1
    shift
    exec unshare $namespaces sh "$checkout/tools/dev/enter.sh" \
        "$target" "$checkout" "$cache" 0:0 / install /usr/bin/sh /try/inside.sh "$@"
}

try_suite() { # SUITE
    bare_root "$1"
    rm -rf -- "${bare:?}/try"
    mkdir "$bare/try"
    cp -- "$checkout"/build/packages/assay* "$checkout/tools/package/try_inside.sh" "$bare/try/"
    mv "$bare/try/try_inside.sh" "$bare/try/inside.sh"
    cp -- "$checkout/build-package/tests/run/program" "$checkout/build-package/tests/run/librhi.so" "$bare/try/"
    [ ! -e /etc/resolv.conf ] || cat /etc/resolv.conf >"$bare/etc/resolv.conf"
    long_step "trying the packages in a bare Debian $1" run_try "$bare" ||
        die_of_step "the packages do not work in Debian $1"
    sed -n 's/^try: /       | /p' "$log" >&2
}

try_packages() { # SUITE...
    [ $# -gt 0 ] || set -- bookworm
    prepare base tools package
    (inside package tests/run/program tests/run/librhi.so) || exit 1
    [ "$(id -u)" = 0 ] || PATH=$PATH:/usr/sbin:/sbin
    require_host_tools
    for wanted in "$@"; do try_suite "$wanted"; done
    say "the packages work in: $*"
}
