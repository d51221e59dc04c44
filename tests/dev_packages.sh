# Does `./dev demo` ask for nothing that the lists base and tools lack? A root that has those is not asked for the demo's.
# usage: dev_packages.sh DIRECTORY, which has the lists
set -eu

packages_of() { # SET...
    for set in "$@"; do sed 's/#.*//' "$directory/packages.$set"; done | sort -u | grep .
}

directory=$1
all=$(packages_of base tools)
status=0
for package in $(packages_of demo); do
    [ "$package" != g++ ] || continue # clang brings its libraries
    printf '%s\n' "$all" | grep -qxF "$package" && continue
    echo "packages.demo has $package, which neither packages.base nor packages.tools has"
    status=1
done
exit $status
