<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_SCOPES_H
#define ASSAY_TESTS_SCOPES_H

#include "driver.h"

enum scope_side { SCOPE_EITHER, SCOPE_INSIDE, SCOPE_OUTSIDE };

/* Where a command may be recorded, and the ids of the rules that say so; NULL where there is none. */
struct scope_test {
    const struct test_command_info *command;
    VkQueueFlags queues; /* one of these; 0 = any */
    enum scope_side render_pass, video_coding;
    const char *recording, *cmdpool, *bufferlevel, *renderpass, *suspended, *videocoding, *queuetype;
};

extern const struct scope_test scope_tests[];
extern const unsigned scope_test_count;

#endif
