#!/bin/sh
# Installs Assay from the directory that this file is in, or takes it away again. See usage below.
set -eu

usage() {
    cat <<'END'
usage: ./install.sh [--prefix DIRECTORY] [--uninstall]

Copies what is in bin/, lib/ and share/ beside this file to the same places in DIRECTORY, which is
/usr/local unless said otherwise.
  --uninstall   take away what an installation in DIRECTORY has put there. The copy of this file that
                was installed, DIRECTORY/share/assay/install.sh, knows its DIRECTORY

Nothing has to be installed: ./bin/assay run -- PROGRAM works from here, wherever this directory is.
END
}

die() {
    printf 'assay: error: %s\n' "$*" >&2
    exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
prefix=/usr/local
[ ! -f "$here/installed" ] || prefix=${here%/share/assay} # this file is an installed one
uninstall=no
while [ $# -gt 0 ]; do
    case $1 in
    --prefix=*) prefix=${1#--prefix=} ;;
    --prefix)
        [ $# -gt 1 ] || die '--prefix needs a directory'
        prefix=$2
        shift
        ;;
    --uninstall) uninstall=yes ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done
case $prefix in
/*) ;;
'') die '--prefix needs a directory' ;;
*) prefix=$PWD/$prefix ;;
esac
prefix=${prefix%/}
# Relative paths, a line each: files, and with a slash in the end the directories that were not
# there before.
list=share/assay/installed

# remove LIST: the files that it names, and then the directories, deepest first, as far as nothing
# else is in there.
remove() {
    grep -v '/$' "$1" | while IFS= read -r path; do rm -f -- "$prefix/$path"; done ||
        die "cannot take away what is in $prefix"
    grep '/$' "$1" | sed 's,^,/,; s,^/\./$,,' | LC_ALL=C sort -r | while IFS= read -r path; do
        rmdir -- "$prefix$path" 2>/dev/null || :
    done
}

new=$(mktemp "${TMPDIR:-/tmp}/assay-install.XXXXXX")
trap 'rm -f -- "$new"' EXIT
if [ $uninstall = yes ]; then
    [ -f "$prefix/$list" ] ||
        die "there is nothing of Assay's in $prefix: $prefix/$list, which lists it, is missing"
    cp -- "$prefix/$list" "$new"
    remove "$new"
    printf 'assay: taken away from %s\n' "$prefix"
    exit 0
fi

[ -d "$here/lib" ] && [ -d "$here/bin" ] || die "$here has no bin/ and lib/ to install"
[ "$here" != "$prefix" ] || die "$here is where the files are already"

# The files that were made before something failed are on the list as well, so that it can be taken away.
write_list() {
    [ ! -f "$prefix/$list" ] || cat -- "$prefix/$list" >>"$new"
    if [ -d "$prefix/share/assay" ]; then LC_ALL=C sort -u -o "$prefix/$list" "$new"; fi
    rm -f -- "$new"
}

# make_directory RELATIVE: with those above it, each noted if it is new.
make_directory() {
    [ ! -d "$prefix/$1" ] || return 0
    case $1 in
    */*) make_directory "${1%/*}" ;;
    esac
    mkdir -- "$prefix/$1"
    printf '%s/\n' "$1" >>"$new"
}

[ -d "$prefix" ] || echo ./ >>"$new"
mkdir -p -- "$prefix" 2>/dev/null && [ -w "$prefix" ] || die "$prefix cannot be written to"
trap write_list EXIT
trap 'exit 130' INT TERM HUP
make_directory share/assay
echo $list >>"$new"
cd -- "$here"
# Under another name first: a program that runs with the layer of before goes on with that.
find bin lib share -type f | LC_ALL=C sort | while IFS= read -r path; do
    make_directory "${path%/*}"
    cp -- "$path" "$prefix/$path.new"
    if [ -x "$path" ]; then chmod 755 "$prefix/$path.new"; else chmod 644 "$prefix/$path.new"; fi
    mv -fT -- "$prefix/$path.new" "$prefix/$path" || {
        rm -f -- "$prefix/$path.new"
        exit 1
    }
    printf '%s\n' "$path" >>"$new"
done
cp -- install.sh "$prefix/share/assay/install.sh"
chmod 755 "$prefix/share/assay/install.sh"
echo share/assay/install.sh >>"$new"
# Removes what an older installation had and this one does not have.
if [ -f "$prefix/$list" ]; then
    grep -v '/$' "$prefix/$list" | while IFS= read -r path; do
        grep -qxF -- "$path" "$new" || rm -f -- "$prefix/$path"
    done
    # Directories that it made are ours still.
    grep '/$' "$prefix/$list" >>"$new" || :
    rm -f -- "$prefix/$list"
fi
write_list
trap - EXIT
chmod 644 "$prefix/$list"

printf 'assay: installed in %s\n' "$prefix"
case $prefix in
/usr | /usr/local | "${HOME:-/nowhere}/.local") known=yes ;;
*) known=no ;;
esac
if [ $known = no ]; then
    printf '  %s/bin/assay run -- PROGRAM finds the layer by itself.\n' "$prefix"
    printf '  For programs that are started without it:\n'
    printf '    export VK_ADD_LAYER_PATH="%s/share/vulkan/explicit_layer.d"\n' "$prefix"
fi
printf '  To take it away:\n'
printf '    "%s/share/assay/install.sh" --uninstall\n' "$prefix"
