/* Reads the environment as a library may that also programs with raised privileges load.
 * Threads: any, as long as none changes the environment. */
#ifndef ASSAY_BASE_ENVIRONMENT_H
#define ASSAY_BASE_ENVIRONMENT_H

/* The value of the variable. NULL: there is no such variable, or the program has raised privileges,
 * so that the environment may be somebody else's. The C library's own declaration needs
 * _GNU_SOURCE, which binds other functions to new versions of it. */
char *secure_getenv(const char *name);

#endif
