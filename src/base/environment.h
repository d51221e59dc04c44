/* Reads the environment in a way that is safe for a library which programs with raised privileges
 * load. Threads: any, as long as none changes the environment. */
#ifndef ASSAY_BASE_ENVIRONMENT_H
#define ASSAY_BASE_ENVIRONMENT_H

/* The value of the variable. NULL: there is no such variable, or the program has raised privileges,
 * so that another user may control the environment. The C library's own declaration needs
 * _GNU_SOURCE, which binds other functions to newer versions. */
char *secure_getenv(const char *name);

#endif
