/* Keeps the layer's path from when the loader loaded the layer. */
#define _GNU_SOURCE
#include "base/layer_path.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/* Written once, by layer_path_resolve(); only read by calls after the loader's first one. "": the
 * given path is absolute, or could not be resolved. */
static char resolved[PATH_MAX];
static pthread_once_t resolve_once = PTHREAD_ONCE_INIT;

/* The path that the loader gave to dlopen(), which may be relative. "": the linker does not know
 * it. */
const char *layer_path_given(void)
{
    Dl_info layer = {0};
    return dladdr(&resolve_once, &layer) && layer.dli_fname ? layer.dli_fname : "";
}

/* Runs once, at the loader's first call, as the program may change its directory later. */
static void layer_path_resolve(void)
{
    const char *given = layer_path_given();
    if (given[0] != '/' && !realpath(given, resolved))
        resolved[0] = '\0';
}

void layer_path_note(void)
{
    (void)pthread_once(&resolve_once, layer_path_resolve);
}

const char *layer_path_absolute(void)
{
    const char *given = layer_path_given();
    if (given[0] == '/')
        return given;
    return resolved[0] ? resolved : NULL;
}
