<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_HANDLES_H
#define ASSAY_TESTS_HANDLES_H

#include "valid.h"

/* How objects of one type come and go in the world that is in use. */
struct handle_type {
    const char *name;
    VkObjectType type;
    bool dispatchable;
    uint64_t (*get)(void);                                    /* the world's own, made once */
    uint64_t (*create)(const VkAllocationCallbacks *callbacks); /* a new one; NULL: none can be made at will */
    void (*destroy)(uint64_t handle);                         /* NULL: the app cannot */
    uint64_t (*of_second_pool)(void);                         /* a new one of a pool of its own; NULL: comes from no pool */
};
extern const struct handle_type handle_types[TYPE_COUNT];

/* A handle in a command's arguments, and the ids of the rules that it be alive and of the same parent. */
struct handle_test {
    const struct test_command_info *command;
    const char *owner, *member;
    void *(*locate)(void *args); /* fills in what leads to it; returns where it stands */
    const struct handle_type *type;
    const char *alive, *parent;
    bool pooled;   /* `parent` also asks for one pool */
    bool instance; /* belongs to the instance */
};
extern const struct handle_test handle_tests[];
extern const unsigned handle_test_count;

/* A command that destroys an object, and the ids of the rules on its allocation callbacks. */
struct allocator_test {
    const struct test_command_info *command;
    void *(*locate)(void *args);
    size_t allocator; /* where pAllocator stands in the arguments */
    const struct handle_type *type;
    const char *had_callbacks, *had_none;
};
extern const struct allocator_test allocator_tests[];
extern const unsigned allocator_test_count;

#endif
