/* Checks that modules that were found valid are known in a later run. A file must be survived that
 * another program wrote, or that was not finished. Each run is a process. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/shader/spirv_known.h"

static char directory[] = "/tmp/assay-known-XXXXXX";
static char file[sizeof(directory) + 32];

/* A run that reads, says which of the keys 1 ... 40 it knows as the bits of a file of its own, adds
 * `add` (0: none), and writes. */
static uint64_t run_validator(uint64_t validator, uint64_t add)
{
    int ends[2];
    uint64_t known = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        spirv_known_read(validator);
        for (uint64_t key = 1; key <= 40; key++)
            known |= (uint64_t)spirv_is_known_good(key) << key;
        if (add)
            spirv_remember_good(add, true);
        spirv_known_write();
        _exit(write(ends[1], &known, sizeof(known)) == (ssize_t)sizeof(known) ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(read(ends[0], &known, sizeof(known)), sizeof(known));
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    close(ends[0]);
    close(ends[1]);
    return known;
}

static void later_runs_know(void **state)
{
    assert_int_equal(run_validator(7, 3), 0);
    assert_int_equal(run_validator(7, 5), 1u << 3);
    assert_int_equal(run_validator(7, 0), 1u << 3 | 1u << 5);
}

static void another_validator_begins_anew(void **state)
{
    assert_int_equal(run_validator(8, 4), 0);
    assert_int_equal(run_validator(8, 0), 1u << 4);
    assert_int_equal(run_validator(7, 0), 0);
}

static void a_broken_file_is_survived(void **state)
{
    assert_int_equal(run_validator(8, 6), 1u << 4);
    assert_int_equal(truncate(file, 16 + 8 + 3), 0); /* in the middle of the second key */
    assert_int_equal(run_validator(8, 12), 1u << 4);
    assert_int_equal(run_validator(8, 0), 1u << 4 | 1u << 12);
    assert_int_equal(truncate(file, 5), 0);
    assert_int_equal(run_validator(8, 9), 0);
    assert_int_equal(run_validator(8, 0), 1u << 9);
    FILE *other = fopen(file, "w");
    assert_non_null(other);
    fputs("something else altogether, and longer than the head", other);
    fclose(other);
    assert_int_equal(run_validator(8, 9), 0);
    assert_int_equal(run_validator(8, 0), 1u << 9);
}

static void a_full_file_begins_anew(void **state)
{
    assert_int_equal(truncate(file, 16 + 65536 * 8), 0);
    assert_int_equal(run_validator(8, 10), 1u << 9);
    struct stat now;
    assert_int_equal(stat(file, &now), 0);
    assert_int_equal(now.st_size, 16 + 8);
    assert_int_equal(run_validator(8, 0), 1u << 10);
}

static void no_home_no_file(void **state)
{
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/nowhere/at/all", 1);
    assert_int_equal(run_validator(8, 11), 0);
    assert_int_equal(run_validator(8, 0), 0);
    setenv("XDG_CACHE_HOME", directory, 1);
}

int main(void)
{
    if (!mkdtemp(directory))
        return 1;
    snprintf(file, sizeof(file), "%s/assay/valid-spirv", directory);
    setenv("XDG_CACHE_HOME", directory, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_runs_know),
        cmocka_unit_test(another_validator_begins_anew),
        cmocka_unit_test(a_broken_file_is_survived),
        cmocka_unit_test(a_full_file_begins_anew),
        cmocka_unit_test(no_home_no_file),
    };
    int failed = cmocka_run_group_tests_name("spirv_known", tests, NULL, NULL);
    unlink(file);
    *strrchr(file, '/') = '\0';
    rmdir(file);
    rmdir(directory);
    return failed;
}
