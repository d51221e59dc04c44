/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_GATING_H
#define ASSAY_TESTS_GATING_H

#include "driver.h"

/* An enumerant, a bit or a chained structure that needs an extension or version, or (with neither `place` nor `head`) the command itself. */
struct gating_test {
    const struct test_command_info *command;
    const char *vuid;
    const char *name;           /* of the value or structure */
    void *(*place)(void *args); /* where the value stands */
    uint64_t value;
    size_t size;
    void *(*head)(void *args);  /* of the chain */
    void *(*structure)(void);   /* to put into it */
    /* Extensions that add it in a block of the registry that depends on others: one is enough. */
    const char *const *alone;
    unsigned alone_count;
};
extern const struct gating_test gating_tests[];
extern const unsigned gating_test_count;

/* A value that needs what is not enabled, and that `number` alone speaks of. */
struct spoken_test {
    const struct test_command_info *command;
    const char *vuid, *number;
    const char *name;
    void *(*place)(void *args);
    uint64_t value;
    size_t size;
};
extern const struct spoken_test spoken_tests[];
extern const unsigned spoken_test_count;

#endif
