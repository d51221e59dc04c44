/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_THREADS_H
#define ASSAY_TESTS_THREADS_H

#include "handles.h"

/* An object that a call uses, and that another thread is in. */
struct thread_test {
    const struct test_command_info *command;
    const struct handle_type *type;
    bool write;                  /* the call needs it for itself */
    const char *parameter;       /* NULL: implicit */
    void *(*locate)(void *args); /* where the handle stands; NULL: nowhere */
    bool fixed;                  /* the handle there must stay what it is */
    uint64_t (*implicit)(void);  /* the object that is not named */
};
extern const struct thread_test thread_tests[];
extern const unsigned thread_test_count;

#endif
