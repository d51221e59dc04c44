# Does the commands of ./dev, once they are where the tools are: builds, tests and runs, from the checkout.
# usage: inside.sh COMMAND [ARGUMENTS], on the host itself or in the root (where the checkout is /assay).
#
# Four builds are tested: build/ (gcc) is the one that people run; build-clang/ and build-tsan/ (clang: gcc's does not model
# fences) show that another compiler agrees, each of its own sources; build-asan/ (gcc: its sanitizer runtime is a library,
# which programs that were built without it can load) and build-tsan/ run tests. Packages are made from build-package/.
set -eu

cd -- "$(dirname -- "$0")/../.."
jobs=${ASSAY_JOBS:-$(nproc)}
passed=0
failed=0
skipped=0
# ccache must not ask which macros a precompiled header has defined, nor when it was made.
export CCACHE_NOHASHDIR=yes CCACHE_BASEDIR="$PWD" CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
cache=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/ccache}
export ASSAY_SHADER_CACHE="$cache/assay-shaders" ASSAY_GENERATED_CACHE="$cache/assay-generated"
export ASSAY_REGISTRY_CACHE="$cache/assay-registry"

say() {
    printf 'assay: %s\n' "$*" >&2
}

die() {
    say "error: $*"
    exit 1
}

# Tells now and then that a long step goes on: the last line of its log.
heartbeat() { # LOG
    if [ -t 2 ]; then pause=1; else pause=20; fi
    seconds=0
    while sleep $pause >/dev/null 2>&1; do
        seconds=$((seconds + pause))
        line=$(tail -n 1 "$1" | tr -cd '[:print:]')
        if [ -t 2 ]; then
            printf '\r\033[K       %4d s  %.90s' $seconds "$line" >&2
        else
            printf '       %4d s  %.90s\n' $seconds "$line" >&2
        fi
    done
}

# quietly LOG COMMAND...: runs it with its output in LOG, and shows that it goes on. Returns the command's status.
quietly() {
    log=$1
    shift
    : >"$log"
    heartbeat "$log" 7>&- 8>&- & # its last sleep outlives it, and must not hold the locks
    heart=$!
    status=0
    "$@" >"$log" 2>&1 </dev/null || status=$?
    kill $heart 2>/dev/null || :
    wait $heart 2>/dev/null || :
    [ ! -t 2 ] || printf '\r\033[K' >&2
    return $status
}

# Shows what a failed build has to say: from its first failure on.
show_failure() { # LOG
    if grep -q '^FAILED:' "$1"; then
        sed -n '/^FAILED:/,$p' "$1" | head -n 200
    else
        tail -n 60 "$1"
    fi | sed 's/^/       | /'
}

# configure DIRECTORY COMPILER OPTIONS...: a build directory that has exactly these options, made anew where it has not.
# An update may bring another compiler by the same name. Whether its warnings are errors is decided when a directory is made.
configure() {
    directory=$1
    compiler=$2
    shift 2
    wanted="$PWD $compiler $*"
    version=$($compiler -dumpversion)
    if [ -f "$directory/build.ninja" ] && [ "$(cat "$directory/configured" 2>/dev/null)" = "$wanted" ]; then
        [ -f "$directory/compiler" ] || echo "$version" >"$directory/compiler" # an older ./dev made it
        [ "$(cat "$directory/compiler")" != "$version" ] || return 0
    fi
    rm -rf -- "$directory"
    if command -v ccache >/dev/null; then compiler="ccache $compiler"; fi
    CC=$compiler meson setup --werror "$@" "$directory" || return 1
    echo "$version" >"$directory/compiler"
    echo "$wanted" >"$directory/configured"
}

# A cold build is most of CI's time: clang's warnings need no optimization, sanitizers little, and of debug information only the lines.
# With ASSAY_DEBUG=full, build/ has variables and types for debuggers; packages always have them. The TSan build shows that each
# source includes what it uses.
configure_build() { # NAME
    case $1 in
    build) if [ "${ASSAY_DEBUG:-}" = full ]; then configure build gcc; else configure build gcc -Dc_args=-g1; fi ;;
    build-package) configure build-package gcc ;;
    build-clang) configure build-clang clang -Doptimization=0 -Ddebug=false -Dasserts=true ;;
    build-asan) configure build-asan gcc -Doptimization=0 -Dc_args=-g1 -Db_sanitize=address,undefined -Dfault_injection=true -Dasserts=true ;;
    build-arm64) configure build-arm64 aarch64-linux-gnu-gcc --cross-file tools/dev/arm64.ini -Dc_args=-g1 ;;
    build-tsan) configure build-tsan clang -Doptimization=1 -Dc_args=-g1 -Db_sanitize=thread -Db_pch=false -Dasserts=true ;;
    esac
}

configure_and_compile() { # NAME [TARGET...]
    configure_build "$1" || return 1
    compiled=$1
    shift
    ninja -C "$compiled" -j "$jobs" "$@"
}

# The files of a build that the tests of a suite need.
needed_by_suite() { # NAME SUITE
    meson introspect "$1" --tests --targets | jq -r --arg suite "assay:$2" --arg here "$PWD/$1/" '
        ([.tests[] | select(.suite | index($suite)) | .depends[]] | unique) as $ids |
        .targets[] | select(.id as $id | $ids | index($id)) | .filename[] | ltrimstr($here)'
}

configure_and_compile_tests() { # NAME SUITE
    configure_build "$1" || return 1
    needed=$(needed_by_suite "$1" "$2")
    [ -n "$needed" ] && ninja -C "$1" -j "$jobs" $needed
}

# compile_the_rest NAME OTHER SUITE: the objects that OTHER, a build by the same compiler, does not compile for the tests of that suite.
compile_the_rest() {
    configure_build "$1" && configure_build "$2" || return 1
    objects=$(mktemp -d)
    ninja -C "$1" -t compdb | jq -r '.[] | select(.command | test(" -c ")) | .output' | sort >"$objects/all"
    ninja -C "$2" -t compdb-targets $(needed_by_suite "$2" "$3") | jq -r '.[].output' | sort >"$objects/other"
    status=0
    [ -s "$objects/other" ] && comm -23 "$objects/all" "$objects/other" | xargs -r ninja -C "$1" -j "$jobs" || status=1
    rm -r -- "$objects"
    return $status
}

# generating_anew COMMAND...: generate.py takes nothing from its cache, and has a hash seed that other builds do not have.
generating_anew() (
    unset ASSAY_GENERATED_CACHE
    export PYTHONHASHSEED=4321
    "$@"
)

# Builds for a command that cannot go on without it: all of it, or what the command runs.
require_build() { # NAME [TARGET...]
    began=$(date +%s)
    if [ ! -f "$1/configured" ]; then say "building into $1/; the first time takes a few minutes"; fi
    quietly "$1.log" configure_and_compile "$@" || {
        show_failure "$1.log" >&2
        die "the build in $1/ failed"
    }
    mv "$1.log" "$1/dev.log"
    # The build has said what is not enforced of a registry other than the one that was read.
    sed -n '/^assay: registry /p' "$1/dev.log" >&2
    took=$(($(date +%s) - began))
    [ $took -lt 5 ] || say "built $1/ in $took s"
}

# stage_ends TITLE BEGAN: notes how long a stage of `./dev test` took, for the table at its end.
stages=
stage_ends() {
    took=$(($(date +%s) - $2))
    stages="$stages$(printf '%6d s  %s' $took "$1")
"
}

# The table is kept in the build directory as well: docs/building.md compares runs.
tell_stages() {
    [ -n "$stages" ] || return 0
    [ ! -d build ] || printf '%s' "$stages" >build/stages.txt
    printf 'time by stage (build/stages.txt)\n%s' "$stages"
}

# check TITLE COMMAND...: one thing that passes or fails, counted; its output is shown if it fails.
check() {
    title=$1
    shift
    began=$(date +%s)
    check_log=${TMPDIR:-/tmp}/assay-check.$$
    if quietly "$check_log" "$@"; then
        stage_ends "$title" "$began"
        passed=$((passed + 1))
        printf 'ok     %s (%d s)\n' "$title" $took
        rm -f "$check_log"
    else
        stage_ends "$title" "$began"
        failed=$((failed + 1))
        show_failure "$check_log"
        printf 'FAILED %s (%d s)\n' "$title" $took
        rm -f "$check_log"
        return 1
    fi
}

# meson_tests BUILD [ARGUMENTS]: runs tests of a finished build and counts them. A test that fails shows its output.
# For all tests a build is finished; where rebuild is empty, what these tests need is built first. Lavapipe keeps the code of
# shaders for all tests and builds, which it does not optimize: each scenario is a process, and most of their time would be its compiler's.
meson_tests() {
    directory=$1
    shift
    results=$directory/meson-logs/testlog.json
    rm -f "$results"
    status=0
    began=$(date +%s)
    GALLIVM_PERF=nopt MESA_SHADER_CACHE_DIR="$cache/assay-lavapipe" meson test -C "$directory" ${rebuild---no-rebuild} --num-processes "$jobs" --print-errorlogs "$@" || status=$?
    stage_ends "tests of $directory/" "$began"
    # One JSON object a line; quotes inside a test's own output are escaped, so this finds the results and nothing else.
    count() { grep -cE "\"result\": \"($1)\"" "$results" 2>/dev/null || :; }
    total=$(count '[A-Z]*')
    good=$(count 'OK|EXPECTEDFAIL')
    idle=$(count 'SKIP|IGNORED')
    passed=$((passed + ${good:-0}))
    skipped=$((skipped + ${idle:-0}))
    failed=$((failed + ${total:-0} - ${good:-0} - ${idle:-0}))
    if [ "${total:-0}" -eq 0 ]; then
        failed=$((failed + 1))
        printf 'FAILED no test ran in %s/ (%s)\n' "$directory" "${*:-all tests}"
    elif [ $status -ne 0 ] && [ "$total" -eq $((${good:-0} + ${idle:-0})) ]; then
        failed=$((failed + 1))
        printf 'FAILED meson test in %s/ ended with status %d\n' "$directory" $status
    fi
}

totals() {
    [ $skipped -eq 0 ] || echo "$skipped skipped"
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] || exit 1
    exit 0
}

# The C files that people write; what is generated is in the build directories.
format() { # OPTIONS...
    find src tests bench tools examples -name '*.[ch]' -print0 | sort -z | xargs -0 -r -n 16 -P "$jobs" clang-format "$@"
}

# The version of a package that is known to work (tools/dev/known-versions).
known_version() { # NAME
    sed -n "s/^$1 //p" tools/dev/known-versions
}

# Another version of clang-format may write things otherwise.
check_format() {
    output=$(format --dry-run --Werror 2>&1) && return
    places=$(printf '%s\n' "$output" | sed -n 's/^\([^ :]*:[0-9]*\):.*/\1/p' | uniq)
    printf '%s\n' "${places:-$output}" 'these lines are not formatted; ./dev format mends them'
    return 1
}

# How this clang-format is not the one whose format the files have; nothing if it is.
other_clang_format() {
    known=$(known_version clang-format)
    here=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
    [ "$here" = "$known" ] || echo "the format is that of version $known, and this is version ${here:-none}"
}

# How these Python tools are not the ones whose word the files follow (pyproject.toml); nothing if they are.
other_python_tool() { # NAME
    known=$(known_version "$1")
    here=$("$1" --version 2>/dev/null | sed -n 's/^[a-z]* \([0-9.]*\).*/\1/p')
    case $here in
    "$known" | "$known".*) ;;
    *) echo "its word is that of version $known, and this is version ${here:-none}" ;;
    esac
}

check_python() {
    status=0
    ruff format --check || {
        echo 'this is not the format of ruff; ./dev format mends it'
        status=1
    }
    ruff check --output-format concise || status=1
    return $status
}

# check_or_skip TITLE OTHER COMMAND...: a check by a tool whose next version may say something else.
check_or_skip() {
    title=$1 other=$2
    shift 2
    if [ -z "$other" ]; then
        check "$title" "$@" || :
    else
        skipped=$((skipped + 1))
        printf 'skip   %s (%s)\n' "$title" "$other"
    fi
}

# Without it a change of one file would build more than it must, and every ./dev command would take that long.
check_nothing_left_to_do() {
    ninja -C build -n | tee /dev/stderr | grep -q 'no work to do'
}

# The stages of `./dev test`, in their order. None needs another one; generating twice is compared where build/ is there.
all_stages='gcc format clang asan tsan'

stage_gcc() {
    check 'gcc build, -Werror' configure_and_compile build || return 0
    meson_tests build
    check 'a finished build has nothing left to do' check_nothing_left_to_do || :
}

stage_format() {
    check_or_skip 'clang-format' "$(other_clang_format)" check_format
    check_or_skip 'ruff: format, imports and names of the Python files' "$(other_python_tool ruff)" check_python
    check_or_skip 'mypy: types of the Python files' "$(other_python_tool mypy)" mypy registry tests tools bench
}

stage_clang() {
    check 'clang build, -Werror, of what the TSan build has not' generating_anew compile_the_rest build-clang build-tsan threads || return 0
    if [ -f build/configured ]; then
        check 'generating twice gives the same files' generating_anew sh tests/generation_twice.sh build build-clang || :
    fi
}

stage_asan() {
    check 'ASan+UBSan build' configure_and_compile build-asan || return 0
    # Symbolised, ended at the first error. Programs built without ASan load the layer too, hence the link order.
    export ASAN_OPTIONS=verify_asan_link_order=0:strict_string_checks=1:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    meson_tests build-asan --timeout-multiplier 20
    unset ASAN_OPTIONS UBSAN_OPTIONS
}

stage_tsan() {
    check 'TSan build' configure_and_compile_tests build-tsan threads || return 0
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/tests/threads/tsan.supp meson_tests build-tsan --timeout-multiplier 30 --suite threads
}

# test_stages [NAME...]: these, or all.
test_stages() {
    [ $# -gt 0 ] || die "--stage needs a name; the stages are: $all_stages"
    for stage in "$@"; do
        case " $all_stages " in
        *" $stage "*) ;;
        *) die "there is no stage \"$stage\"; the stages are: $all_stages" ;;
        esac
    done
    for stage in "$@"; do "stage_$stage"; done
    tell_stages
    totals
}

# The meson tests whose names contain one of the arguments; only what they need is built.
test_named() {
    check 'configured, -Werror' configure_build build || totals
    passed=$((passed - 1)) # the totals are of the tests that were asked for
    patterns=
    for name in "$@"; do patterns="$patterns *$name*"; done
    set -f
    rebuild= meson_tests build $patterns
    totals
}

# with_layer PROGRAM...: with our layer on, on lavapipe. What the caller has set already stays.
with_layer() {
    if [ -z "${VK_DRIVER_FILES:-}" ]; then
        for manifest in /usr/share/vulkan/icd.d/lvp_icd*.json; do VK_DRIVER_FILES=$manifest; done
    fi
    export VK_DRIVER_FILES
    export VK_ADD_LAYER_PATH="$layer_directory${VK_ADD_LAYER_PATH:+:$VK_ADD_LAYER_PATH}"
    export VK_INSTANCE_LAYERS="${VK_INSTANCE_LAYERS-VK_LAYER_ASSAY_validation}"
    [ -n "$VK_INSTANCE_LAYERS" ] || unset VK_INSTANCE_LAYERS
    "$@"
}

# The command after the build may run beside another ./dev: it lets go of the lock that ./dev took on the checkout.
unlock_checkout() {
    flock --unlock 8 2>/dev/null || :
}

# The program of a build, or an error that names what is missing.
require_program() { # FILE
    [ -e "$1" ] || die "$1 is missing; this checkout does not build it"
}

demo() {
    require_build build $layer_targets tests/samples/five_mistakes examples/shader-assert/shader_assert
    unlock_checkout
    say 'a real program, with the layer on: vulkaninfo --summary'
    with_layer vulkaninfo --summary
    say 'a sample with five mistakes, with the layer on'
    with_layer build/tests/samples/five_mistakes
    say 'an assertion in a shader, on a driver that knows none: examples/shader-assert'
    with_layer build/examples/shader-assert/shader_assert
}

# The files that generators read of the sources of rooms.
lists_of_hooks() {
    for room in core gpu practices state sync; do echo "src/$room/hooks.txt"; done
    echo src/stateless/numbers.txt
}

# Where the registry is installed, on this host or in the root.
installed_registry() {
    prefix=$(pkg-config --variable=prefix vulkan 2>/dev/null) || prefix=
    echo "${prefix:-/usr}/share/vulkan/registry"
}

# --- other machines ---

arm64_scenarios() { # DRIVER OPTIONS...
    driver=$1
    shift
    qemu-aarch64 build-arm64/tests/scenarios/scenarios --layer-path "$PWD/build-arm64/src" --null-driver build-arm64/tests/null-driver/assay_null_icd.json \
        --driver "$driver" --jobs "$jobs" "$@"
}

arm64_on() { # MANIFEST PROGRAM...
    VK_DRIVER_FILES=$1
    shift
    export VK_DRIVER_FILES VK_LAYER_PATH="$PWD/build-arm64/src" VK_INSTANCE_LAYERS=VK_LAYER_ASSAY_validation VK_LOADER_LAYERS_DISABLE='~implicit~'
    qemu-aarch64 "$@"
}

five_mistakes_arm64() { # MANIFEST
    arm64_on "$1" build-arm64/tests/samples/five_mistakes >build-arm64/five 2>&1 || :
    cat build-arm64/five
    [ "$(grep -c '^Assay error VUID-' build-arm64/five)" = 5 ]
}

platforms() {
    for argument in "$@"; do
        [ "$argument" = arm64 ] || die "./dev platforms does not know \"$argument\"; it knows: arm64"
    done
    null=build-arm64/tests/null-driver/assay_null_icd.json
    check 'arm64: build, -Werror' configure_and_compile build-arm64 || totals
    rebuild=--no-rebuild meson_tests build-arm64 --suite unit --timeout-multiplier 20
    check 'arm64: five mistakes on the null driver' five_mistakes_arm64 "$PWD/$null" || :
    check 'arm64: five mistakes on lavapipe' five_mistakes_arm64 /usr/share/vulkan/icd.d/lvp_icd.json || :
    check 'arm64: scenarios on the null driver' arm64_scenarios null --all || :
    check 'arm64: scenarios of queries on lavapipe' arm64_scenarios lavapipe --all --file queries || :
    check 'arm64: 2,000 valid programs' arm64_on "$PWD/$null" build-arm64/tests/valid/valid --programs 2000 --seed 1 --jobs "$jobs" || :
    tell_stages
    totals
}

layer_directory=$PWD/build/src
layer_targets='src/libVkLayer_assay.so src/libVkLayer_assay_spirv.so src/VkLayer_assay.json'
command=$1
shift
# On the host the caller's own layers and drivers would change what a test says; enter.sh saw to it in the root.
case $command in
run | shell) ;;
*) for name in $(env | sed -n 's/^\(VK_[A-Za-z0-9_]*\)=.*/\1/p'); do unset "$name"; done ;;
esac
case $command in
build) require_build build ;;
test)
    case ${1:-} in
    '') test_stages $all_stages ;;
    --stage)
        shift
        test_stages "$@"
        ;;
    *) test_named "$@" ;;
    esac
    ;;
format)
    other=$(other_clang_format)
    [ -z "$other" ] || say "clang-format: $other; ./dev test does not check what it writes"
    format -i
    other=$(other_python_tool ruff)
    if [ -n "$other" ]; then
        say "ruff: $other; the Python files are left as they are"
    else
        ruff format --quiet
        ruff check --fix --quiet --select I
    fi
    ;;
demo) demo ;;
run)
    require_build build $layer_targets src/khronos/VkLayer_khronos_validation.json tools/assay/assay
    unlock_checkout
    cd -- "${ASSAY_DIRECTORY:-.}"
    with_layer "$@"
    ;;
bench)
    require_build build
    require_program build/bench/bench
    if [ "${1:-}" = --gpu ]; then
        shift
        exec python3 bench/gpu/run.py --build build "$@"
    fi
    if [ "${1:-}" = --growth ]; then
        shift
        exec python3 bench/growth.py --build build "$@"
    fi
    exec build/bench/bench "$@"
    ;;
who)
    # The last build knows enough; a source that does not build yet is no hindrance.
    [ -f build/src/statements.txt ] || require_build build src/statements.txt
    exec python3 registry/claims/who.py --build build --registry /usr/share/vulkan/registry "$@"
    ;;
update-registry)
    # The ids that sources ask for do not depend on the registry: no generator must understand it.
    require_build build src/spirv-ids src/stateless/asked.json $(lists_of_hooks)
    unlock_checkout
    exec python3 registry/update/update.py --build build --installed "$(installed_registry)" "$@"
    ;;
compare-peer)
    require_build build
    require_program tests/compare_peer.py
    exec python3 tests/compare_peer.py --build build "$@"
    ;;
package)
    require_build build src/VkLayer_assay.json # which would remove an unfinished build/, and the packages in it
    require_build build-package $layer_targets
    require_build build-package "$@" $(meson introspect build-package --installed | jq -r --arg here "$PWD/build-package/" 'keys[] | ltrimstr($here)')
    python3 tools/package/package.py --build build-package --out build/packages
    ;;
platforms) platforms "$@" ;;
real-programs)
    require_build build
    require_program tests/real_programs.py
    exec python3 tests/real_programs.py "$@"
    ;;
suites)
    require_build build $layer_targets
    unlock_checkout
    exec xvfb-run -a python3 tests/suites.py both "$@"
    ;;
cts)
    require_build build $layer_targets
    unlock_checkout
    exec python3 tests/suites_cts.py "$@"
    ;;
shell)
    unlock_checkout
    cd -- "${ASSAY_DIRECTORY:-.}"
    if [ -t 0 ]; then exec bash -i; else exec bash; fi
    ;;
*) die "inside.sh does not know \"$command\"" ;;
esac
