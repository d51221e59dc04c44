/* The name and type of a command's first parameter, and the rule that requires it to be valid.
 * Threads: any; what it declares is const. */
#ifndef ASSAY_LIFETIMES_FIRST_H
#define ASSAY_LIFETIMES_FIRST_H

#include "report/vuids.h"
#include "vk/commands.h"
#include "vk/handle_types.h"

struct lifetimes_first {
    const char *name;
    enum handle_type type;
    enum vuid alive;
};
extern const struct lifetimes_first lifetimes_first[COMMAND_ROOT_COUNT]; /* generated: commands.c */

#endif
