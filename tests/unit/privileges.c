/* Checks that a program with raised privileges does not write files that its environment names. The
 * test starts a copy of itself that has another group's rights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "state/object/aftermath.h"

#define OTHER_GROUP 1
#define NOT_RAISED  3 /* the copy's status: the file system or the sandbox grants no rights */

static void copy_self(const char *path)
{
    char bytes[65536];
    FILE *from = fopen("/proc/self/exe", "rb"), *to = fopen(path, "wb");
    assert_non_null(from);
    assert_non_null(to);
    for (size_t got; (got = fread(bytes, 1, sizeof(bytes), from)) > 0;)
        assert_int_equal(fwrite(bytes, 1, got, to), got);
    fclose(from);
    assert_int_equal(fclose(to), 0);
}

static int run_privileged(const char *path)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        execl(path, path, "child", (char *)NULL);
        _exit(9);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void setgid_program_leaves_no_record(void **state)
{
    char directory[] = "/tmp/assay-privileges-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chmod(directory, 0755), 0);
    (void)snprintf(path, sizeof(path), "%s/program", directory);
    copy_self(path);
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(setenv(AFTERMATH_VARIABLE, "/tmp/record", 1), 0);
    const int plain = run_privileged(path);
    const bool can = chown(path, (uid_t)-1, OTHER_GROUP) == 0 && chmod(path, 02755) == 0;
    const int raised = can ? run_privileged(path) : NOT_RAISED;
    (void)unlink(path);
    (void)rmdir(directory);
    assert_int_equal(plain, NOT_RAISED + 1); /* it is wanted, as nothing is raised */
    if (raised >= NOT_RAISED)
        skip();
    assert_int_equal(raised, 0);
}

/* 0 or 1: with raised privileges; a record is wanted. NOT_RAISED, or one more: without. */
static int judge_privileges(void)
{
    return (getauxval(AT_SECURE) ? 0 : NOT_RAISED) + aftermath_is_wanted();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setgid_program_leaves_no_record),
    };
    if (argc > 1)
        return judge_privileges();
    return cmocka_run_group_tests_name("privileges", tests, NULL, NULL);
}
