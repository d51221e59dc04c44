/* Loads SPIRV-Tools' validator, which is in a library of its own.
 *
 * A fork waits until no thread loads the library or is in the validator. Otherwise the child could
 * inherit locks of a thread that it does not have. These are glibc's lock of its list of libraries,
 * those of the library's constructors, and C++ guards. */
#define _GNU_SOURCE
#include "spirv/helper/load.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/layer_path.h"
#include "spirv/module/reflect.h"

/* The most bytes of a path; longer paths are not tried. */
#define PATH_SIZE 4096
/* The most seconds that a fork waits for a module that takes long. A hang would be worse than a
 * child that cannot use the layer. */
#define FORK_SECONDS 5

/* helper_load() writes these once. `validate` NULL: the helper could not be loaded, and
 * `load_error` is the reason. `validator_number` is library_number(). */
static spirv_validate_function validate;
static char load_error[512];
static uint64_t validator_number;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;
/* Read lock: a thread is in the library, or loads it, and takes no other lock. Write lock: the
 * process forks. */
static pthread_rwlock_t in_use = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

/* Returns a number that identifies this build of the library, from the file's size and time; 0: the
 * file cannot be read. Keys of valid modules (validation caches) contain it. */
static uint64_t library_number(const char *path)
{
    struct stat library;
    if (stat(path, &library))
        return 0;
    const uint64_t parts[] = {(uint64_t)library.st_size, (uint64_t)library.st_mtim.tv_sec,
                              (uint64_t)library.st_mtim.tv_nsec, SPIRV_HELPER_VERSION};
    return spirv_hash(parts, sizeof(parts));
}

/* Loads the helper from the directory of the layer, `module`. RTLD_LOCAL is enough to isolate it:
 * the helper binds all its symbols within itself. (It has a version script, libstdc++ linked
 * statically and hidden, and no unique symbols left.) So it uses neither the program's libstdc++
 * nor its SPIRV-Tools. From other libraries it only uses libc, and there the program's own malloc
 * is wanted.
 *
 * dlmopen() would load a second libc. There can be 16 of these at most, and gdb, ASan and preloaded
 * allocators do not see them. ASan ends a process that uses RTLD_DEEPBIND. */
static void *load_beside(const char *module, char path[PATH_SIZE])
{
    const char *slash = strrchr(module, '/');
    int length = snprintf(path, PATH_SIZE, "%.*s" SPIRV_HELPER_LIBRARY,
                          slash ? (int)(slash + 1 - module) : 0, module);
    if (length < 0 || length >= PATH_SIZE) {
        snprintf(load_error, sizeof(load_error), "the path to it is too long");
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, SPIRV_HELPER_FUNCTION) : NULL;
    if (!function) {
        const char *error = dlerror();
        snprintf(load_error, sizeof(load_error), "%s", error ? error : "no reason given");
    }
    return function;
}

/* Loads the helper, once. The layer's path may be a link: then the helper is also looked for beside
 * the link's target. */
static void helper_load(void)
{
    char path[PATH_SIZE], real[PATH_MAX];
    const char *module = layer_path_absolute();
    if (!module) {
        snprintf(load_error, sizeof(load_error),
                 "the layer was loaded by the relative name \"%s\", and where that led is not "
                 "known",
                 layer_path_given());
        return;
    }
    void *function = load_beside(module, path);
    if (!function && realpath(module, real) && strcmp(real, module) != 0)
        function = load_beside(real, path);
    if (!function)
        return;
    validator_number = library_number(path);
    /* converts an object pointer to a function pointer, as dlsym() requires */
    memcpy(&validate, &function, sizeof(validate));
}

/* Calls the validator while no fork can happen. */
static int validate_in_use(const uint32_t *words, size_t word_count,
                           const struct spirv_validate_options *options, char *text,
                           size_t text_size, size_t *instruction)
{
    pthread_rwlock_rdlock(&in_use);
    const int result = validate(words, word_count, options, text, text_size, instruction);
    pthread_rwlock_unlock(&in_use);
    return result;
}

spirv_validate_function spirv_tools_validator(const char **error, uint64_t *number)
{
    pthread_rwlock_rdlock(&in_use);
    pthread_once(&load_once, helper_load);
    pthread_rwlock_unlock(&in_use);
    /* The text is empty if the library was loaded. */
    *error = load_error;
    *number = validator_number;
    return validate ? validate_in_use : NULL;
}

void spirv_tools_fork(enum fork_step step)
{
    /* True while the lock is held. Only the thread that forks accesses this, under other locks. */
    static bool taken;
    if (step == FORK_PREPARE) {
        struct timespec end;
        (void)clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec += FORK_SECONDS;
        taken = pthread_rwlock_timedwrlock(&in_use, &end) == 0;
    } else if (step == FORK_CHILD) {
        in_use = (pthread_rwlock_t)PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    } else if (taken) {
        pthread_rwlock_unlock(&in_use);
    }
}
