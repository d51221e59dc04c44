#include "assay/run/privileges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

bool program_find(const char *name, char path[PATH_MAX])
{
    const char *search = getenv("PATH");
    char copy[4096], *rest = copy, *directory;
    snprintf(path, PATH_MAX, "%s", name);
    if (strchr(name, '/'))
        return access(path, F_OK) == 0;
    snprintf(copy, sizeof(copy), "%s", search ? search : "");
    while ((directory = strsep(&rest, ":"))) {
        snprintf(path, PATH_MAX, "%s/%s", *directory ? directory : ".", name);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

const char *program_privileges(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    if (status.st_mode & S_ISUID)
        return "setuid";
    if (status.st_mode & S_ISGID)
        return "setgid";
    return getxattr(path, "security.capability", NULL, 0) > 0 ? "file capabilities" : NULL;
}
