# How does a machine that lacks the Vulkan stack get one? By a Debian forky root, made here with debootstrap.
# Part of ./dev, which sources it; uses its say(), die(), $checkout. Gives root_ensure, root_enter, root_remove.
#
# A root is made under the name ROOT.partial and renamed when it is whole, so that an interrupted run leaves no root that
# only looks finished; the next run goes on from the last finished step. What changes a root holds ROOT.lock; what runs in
# one shares ROOT.use. Every mount is made in a private mount namespace, which goes with the last process in it.

suite=forky
space_for_demo_kb=1500000
space_for_base_kb=3500000
space_for_programs_kb=6500000

if [ "$(id -u)" = 0 ]; then
    cache=${ASSAY_CACHE:-/var/cache/assay}
else
    cache=${ASSAY_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/assay}
fi
root=${ASSAY_ROOT:-$cache/$suite}
case $root in /*) ;; *) root=$PWD/$root ;; esac
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac
root_upgrade_wanted=no
# These documents, which a root has no room for, packages of ours have to carry on.
include_licences='path-include=/usr/share/doc/*/copyright'
long_step_pid=
# With its checksum, which corepack compares: mirrors of the registry need not carry the signatures.
npm=11.6.0+sha512.77f3fb0dbbd881835d7bd1217deabdf7ed77fc4ec4f363df64fc3cb986404abf6c437661041080f5c5d225103508e7c9ea30cb2742b7e942675d05a10af2d7b9

# Options of unshare(1) for a namespace of our own. Its processes end with unshare, so killing that one ends all.
# Somebody who is not root first becomes it in a user namespace, which needs the ranges of /etc/subuid.
namespaces='--mount --pid --fork --kill-child'
if [ "$(id -u)" != 0 ]; then
    namespaces="--user --map-root-user --map-auto $namespaces"
fi

packages_of() { # SET...
    for set in "$@"; do sed 's/#.*//' "$checkout/tools/dev/packages.$set"; done | sort -u | grep .
}

packages_stamp() { # SET
    packages_of "$1" | cksum | tr ' ' -
}

# True while the root at $1 lacks packages of set $2, or has those of an older list. The sets base and tools have all that
# the set demo has.
packages_missing() {
    if [ "$2" = demo ] && ! packages_missing "$1" base && ! packages_missing "$1" tools; then return 1; fi
    [ "$(cat "$1/var/lib/assay/$2" 2>/dev/null)" != "$(packages_stamp "$2")" ]
}

# The mirror: what the user says, or what the host's own apt uses, or what debootstrap knows.
mirror() {
    if [ -n "${ASSAY_MIRROR:-}" ]; then
        echo "$ASSAY_MIRROR"
        return
    fi
    {
        sed -n 's/^URIs:[[:space:]]*//p' /etc/apt/sources.list.d/*.sources
        sed -n 's/^deb[[:space:]]\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' \
            /etc/apt/sources.list /etc/apt/sources.list.d/*.list
    } 2>/dev/null | tr ' ' '\n' | sed -n 's#^\(https\{0,1\}://.*/debian\)/\{0,1\}$#\1#p' |
        head -n 1 | grep . && return
    sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap)" | grep .
}

interrupted() {
    trap - INT TERM HUP
    [ -z "$long_step_pid" ] || kill -KILL "$long_step_pid" 2>/dev/null || :
    say 'interrupted; run the same command again and it goes on'
    exit 130
}

# long_step TITLE COMMAND...: runs it with its output in a log, shows that it goes on, returns its status. COMMAND must
# be one process when it gets to its long part (a function execs it), so that an interrupt can end it.
long_step() {
    title=$1
    shift
    log=$cache/setup.log
    say "$title ..."
    began=$(date +%s)
    "$@" >"$log" 2>&1 </dev/null &
    long_step_pid=$!
    trap interrupted INT TERM HUP
    last_told=$began
    while kill -0 "$long_step_pid" 2>/dev/null; do
        sleep 1
        now=$(date +%s)
        if [ -t 2 ]; then
            printf '\r\033[K       %4d s  %.80s' $((now - began)) "$(tail -n 1 "$log" | tr -cd '[:print:]')" >&2
        elif [ $((now - last_told)) -ge 20 ]; then
            printf '       %4d s  %.80s\n' $((now - began)) "$(tail -n 1 "$log" | tr -cd '[:print:]')" >&2
            last_told=$now
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
    status=0
    wait "$long_step_pid" || status=$?
    long_step_pid=
    trap - INT TERM HUP
    [ $status -ne 0 ] || say "$title: done in $(($(date +%s) - began)) s"
    return $status
}

# Ends ./dev after a long step failed, with the reason that the log or the disk gives away.
die_of_step() { # WHAT
    reason='the last lines above come from its log'
    tail -n 15 "$log" | sed 's/^/       | /' >&2
    if [ "$(free_kb "$(dirname "$root")")" -lt 100000 ] || grep -q 'No space left on device' "$log"; then
        reason="the disk that holds $root is full"
    elif grep -qiE 'resolv|could not connect|unable to connect|failed getting release|failed to fetch|connection|timed out' "$log"
    then
        reason="the mirror $(mirror) does not answer (no network?); ASSAY_MIRROR names another one"
    elif grep -qiE 'no such script|invalid release|couldn.t find these debs|unable to locate package' "$log"; then
        reason="the mirror $(mirror) does not carry what is needed; ASSAY_MIRROR names another one"
    fi
    die "$1: $reason" "the whole log: $log"
}

free_kb() {
    df -Pk "$1" | awk 'NR == 2 { print $4 }'
}

require_space() { # KB FOR
    available=$(free_kb "$(dirname "$root")")
    [ "$available" -ge "$1" ] || die \
        "not enough disk for $2: $root needs about $(($1 / 1000)) MB more, and $((available / 1000)) MB are free" \
        'free some, or put the root elsewhere: ASSAY_ROOT=/path ./dev ...'
}

require_host_tools() {
    [ "$(uname -s)" = Linux ] || die 'Vulkan layers for Linux are built on Linux; this is another system'
    for tool in unshare mount chroot flock df awk cksum stat setpriv; do
        command -v "$tool" >/dev/null || die "this host has no $tool (Debian's packages util-linux and coreutils)"
    done
    # A Debian user's PATH lacks these directories; chroot and debootstrap live there.
    unshare $namespaces true 2>/dev/null && return
    if [ "$(id -u)" = 0 ]; then
        die 'cannot make a private mount namespace here' \
            'In a container, give it CAP_SYS_ADMIN (docker run --privileged), or build on the host itself:' \
            'docs/building.md, "On a host that has everything".'
    fi
    die 'you are not root, and this host lets nobody else make a root' \
        'Run it as root (sudo ./dev ...; the build belongs to the owner of the checkout all the same), or let an' \
        'administrator install the package uidmap and give you a range in /etc/subuid and /etc/subgid,' \
        'or build on the host itself: docs/building.md, "On a host that has everything".'
}

require_debootstrap() {
    ! command -v debootstrap >/dev/null || return 0
    [ "$(id -u)" = 0 ] || die 'debootstrap is missing on this host: ask for it (apt-get install debootstrap)'
    command -v apt-get >/dev/null || die \
        'debootstrap is missing, and this host has no apt-get to install it with: install it by this system'\''s means'
    long_step 'installing debootstrap on this host' sh -c \
        'apt-get install -qy --no-install-recommends debootstrap ||
         { apt-get update -q && exec apt-get install -qy --no-install-recommends debootstrap; }' ||
        die_of_step 'debootstrap could not be installed'
}

# container=lxc tells debootstrap to bind devices where it may not make any, as in a user namespace.
run_debootstrap() { # TARGET MIRROR [SUITE]
    if [ "$(id -u)" != 0 ]; then
        container=lxc
        export container
    fi
    exec unshare $namespaces debootstrap --variant=minbase --cache-dir="$cache/debs" "${3:-$suite}" "$1" "$2" sid
}

bootstrap() { # TARGET
    require_debootstrap
    source=$(mirror) || die 'no Debian mirror is known here: name one, ASSAY_MIRROR=http://... ./dev ...'
    remove_tree "$1"
    mkdir -p "$cache/debs"
    long_step "making a Debian $suite root from $source (about half a minute)" run_debootstrap "$1" "$source" ||
        die_of_step 'the Debian root could not be made'
    # Speed, size and quiet, in that order: nothing in here must survive a power cut, be read as a manual, or serve.
    echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/assay"
    printf 'path-exclude=/usr/share/%s/*\n' doc man info locale >>"$1/etc/dpkg/dpkg.cfg.d/assay"
    echo "$include_licences" >>"$1/etc/dpkg/dpkg.cfg.d/assay"
    printf 'Acquire::Check-Valid-Until "false";\nAcquire::Retries "3";\nAcquire::Languages "none";\n' \
        >"$1/etc/apt/apt.conf.d/80assay"
    printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
    chmod +x "$1/usr/sbin/policy-rc.d"
    mkdir -p "$1/var/lib/assay"
    : >"$1/var/lib/assay/bootstrapped"
}

run_apt() { # TARGET UPGRADE PACKAGES...
    target=$1
    shift
    exec unshare $namespaces sh "$checkout/tools/dev/enter.sh" "$target" "$checkout" "$cache" 0:0 / install \
        /usr/bin/sh -euc '
            upgrade=$1
            shift
            dpkg --configure -a
            case " $* " in *:arm64\ *) dpkg --add-architecture arm64 ;; esac
            apt-get update -q
            [ "$upgrade" = no ] || apt-get dist-upgrade -qy
            apt-get install -qy --no-install-recommends "$@"
            apt-get clean' sh "$@"
}

# Packages of the list `package` whose licences are not in the root: it is older than $include_licences.
without_licence() { # TARGET SET...
    case " $* " in *' package '*) ;; *) return 0 ;; esac
    for package in $(packages_of package); do
        [ -e "$1/usr/share/doc/$package/copyright" ] || echo "$package"
    done
}

install_packages() { # TARGET SET...
    target=$1
    shift
    grep -qxF "$include_licences" "$target/etc/dpkg/dpkg.cfg.d/assay" || echo "$include_licences" >>"$target/etc/dpkg/dpkg.cfg.d/assay"
    # The host's name servers may have changed since the root was made.
    [ ! -e /etc/resolv.conf ] || cat /etc/resolv.conf >"$target/etc/resolv.conf"
    long_step "installing packages ($*) in the root (a minute or two)" \
        run_apt "$target" "$root_upgrade_wanted" $(packages_of "$@") || die_of_step 'packages could not be installed'
    lacking=$(without_licence "$target" "$@")
    [ -z "$lacking" ] || long_step 'unpacking packages again, for their licences' run_apt "$target" no --reinstall $lacking ||
        die_of_step 'packages could not be installed'
    mkdir -p "$target/var/lib/assay"
    for set in "$@"; do packages_stamp "$set" >"$target/var/lib/assay/$set"; done
}

# Packages of npm, for tests only: without them those are skipped, so that a machine without that registry can work all the same. npm comes with Debian's
# corepack; the host's certificates may know of a proxy's. Nothing of the packages is run here (--ignore-scripts).
run_npm() { # TARGET DIRECTORY PACKAGES...
    target=$1
    shift
    exec unshare $namespaces sh "$checkout/tools/dev/enter.sh" "$target" "$checkout" "$cache" 0:0 / install \
        /usr/bin/sh -euc '
            npm=$1 directory=$2
            shift 2
            export NODE_EXTRA_CA_CERTS=/var/lib/assay/certificates COREPACK_ENABLE_DOWNLOAD_PROMPT=0 COREPACK_INTEGRITY_KEYS=0
            rm -rf "$directory"
            mkdir -p "$directory"
            cd "$directory"
            echo "{\"private\": true}" >package.json
            timeout 300 corepack "npm@$npm" install --ignore-scripts --no-audit --no-fund --legacy-peer-deps "$@"
            program=node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool # npm does not make it executable
            if [ -e "$program" ]; then chmod a+x "$program"; fi' sh "$npm" "$@"
}

# Set "node" lies in /opt/assay-node in the root, set "node-programs" in /opt/assay-node-programs.
install_node_packages() { # TARGET SET
    mkdir -p "$1/var/lib/assay"
    cat /etc/ssl/certs/ca-certificates.crt >"$1/var/lib/assay/certificates" 2>/dev/null || :
    if long_step "installing packages of npm ($2) in the root" run_npm "$1" "/opt/assay-$2" $(packages_of "$2"); then
        packages_stamp "$2" >"$1/var/lib/assay/$2"
    else
        tail -n 3 "$log" | sed 's/^/       | /' >&2
        say 'without them: the tests that need them will be skipped'
    fi
}

# The space that a new root with these sets needs.
space_for() { # SET...
    case " $* " in
    *' platforms '*) echo $space_for_base_kb ;;
    *' programs '* | *' suites '*) echo $((space_for_base_kb + space_for_programs_kb)) ;;
    *' base '*) echo $space_for_base_kb ;;
    *) echo $space_for_demo_kb ;;
    esac
}

# The sets out of "$@" that the root still lacks, or that wait for an upgrade.
sets_to_install() {
    for set in "$@"; do
        if [ ! -d "$root" ] || [ $root_upgrade_wanted = yes ] || packages_missing "$root" "$set"; then
            echo "$set"
        fi
    done
}

# root_ensure SET...: makes the root and installs package sets as far as that is needed, or dies. Quick if it is not.
root_ensure() {
    [ "$(id -u)" = 0 ] || PATH=$PATH:/usr/sbin:/sbin
    require_host_tools
    mkdir -p "$(dirname "$root")" "$cache" 2>/dev/null ||
        die "cannot make the directories $(dirname "$root") and $cache" 'ASSAY_ROOT and ASSAY_CACHE name others.'
    # Those of npm are for the tests of the tools, and for some of the real programs.
    node=
    case " $* " in *' tools '*) node=node ;; esac
    case " $* " in *' programs '*) node="$node node-programs" ;; esac
    [ -n "$(sets_to_install "$@" $node)" ] || return 0

    exec 9>"$root.lock" || die "cannot write beside $root" 'ASSAY_ROOT names another place for the root.'
    flock --nonblock 9 || {
        say 'another ./dev is making the root; waiting for it'
        flock 9
    }
    sets=$(sets_to_install "$@")
    if [ -n "$sets" ]; then
        if [ -d "$root" ]; then
            update=500000
            # It is there for the demo alone.
            case " $sets" in *base*) [ -e "$root/var/lib/assay/base" ] || update=2000000 ;; esac
            require_space $update "an update of the root"
            install_packages "$root" $sets
        else
            require_space "$(space_for $sets)" "the root"
            [ -e "$root.partial/var/lib/assay/bootstrapped" ] || bootstrap "$root.partial"
            install_packages "$root.partial" $sets
            mv "$root.partial" "$root"
        fi
    fi
    for set in $node; do
        if packages_missing "$root" "$set"; then install_node_packages "$root" "$set"; fi
    done
    exec 9>&-
}

# root_enter COMMAND [ARGUMENTS]: a command of inside.sh, run in the root in a namespace of its own, as the owner of the
# checkout. Does not return. An interrupt ends every process in there.
root_enter() {
    owner=$(stat -c %u:%g "$checkout")
    [ "$(id -u)" = 0 ] || owner=0:0 # the user's own id outside
    directory=/assay
    case $PWD/ in "$checkout"/*) directory=/assay${PWD#"$checkout"} ;; esac
    mkdir -p "$cache/ccache-${owner%:*}" "$root/assay" "$root/ccache"
    exec 7>"$root.use"
    flock --shared 7

    set -- $namespaces sh "$checkout/tools/dev/enter.sh" "$root" "$checkout" "$cache" "$owner" "$directory" "$@"
    # A shell has the terminal to itself and gets the signals itself.
    [ "$command" != shell ] || exec unshare "$@"
    exec 3<&0 # a background process is given no standard input unless by another number
    unshare "$@" <&3 3<&- &
    long_step_pid=$!
    trap interrupted INT TERM HUP
    status=0
    wait "$long_step_pid" || status=$?
    exit $status
}

# Removes a directory tree in which nothing is mounted; with a user namespace where its files belong to mapped users.
remove_tree() {
    [ -e "$1" ] || return 0
    ! grep -qF " $1/" /proc/self/mountinfo || die "something is mounted inside $1; unmount it first (findmnt shows it)"
    if [ "$(id -u)" = 0 ]; then
        rm -rf --one-file-system -- "${1:?}"
    else
        unshare --user --map-root-user --map-auto rm -rf --one-file-system -- "${1:?}"
    fi
}

root_remove() {
    [ -e "$root" ] || [ -e "$root.partial" ] || say "there is no root at $root"
    if [ -d "$(dirname "$root")" ]; then
        exec 9>"$root.lock" 7>"$root.use" # left behind, empty: somebody may be waiting for them
        flock --nonblock 9 && flock --nonblock 7 || die "another ./dev is at work in $root; end it first"
        remove_tree "$root"
        remove_tree "$root.partial"
        for bare in "$cache"/bare-*; do remove_tree "$bare"; done
    fi
    rm -rf -- "${cache:?}/debs" "$cache"/ccache-*
}
