/* Makes hints for paths of the host that are given to the tool within ./dev, where only the
 * checkout is visible. */
#include "assay/run/outside.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* tools/dev/enter.sh sets this variable to the path of the checkout on the host. Within ./dev the
 * path is CHECKOUT. */
#define VARIABLE "ASSAY_CHECKOUT"
#define CHECKOUT "/assay"

const char *outside_hint(const char *path, int error)
{
    static char text[3 * PATH_MAX];
    const char *outside = getenv(VARIABLE);
    if (error != ENOENT || !outside || !*outside || access(path, F_OK) == 0)
        return "";
    size_t length = strlen(outside);
    bool is_inside = strncmp(path, outside, length) == 0 && path[length] == '/';
    bool leads_out = path[0] == '/' || strncmp(path, "../", 3) == 0;
    if (!is_inside && (!leads_out || strncmp(path, CHECKOUT "/", strlen(CHECKOUT "/")) == 0))
        return "";
    if (is_inside)
        snprintf(text, sizeof(text),
                 ". This is the Debian root of ./dev, where the checkout, %s, is " CHECKOUT
                 "; try " CHECKOUT "%s",
                 outside, path + length);
    else
        snprintf(text, sizeof(text),
                 ". This is the Debian root of ./dev: of the host it sees only the checkout, %s, "
                 "which is " CHECKOUT
                 " here. Copy it in there, or use build/tools/assay/assay on the host",
                 outside);
    return text;
}
