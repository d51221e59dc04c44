/* The checks of vkCmdExecuteCommands share this. */
#ifndef ASSAY_CORE_RECORD_EXECUTE_COMMANDS_H
#define ASSAY_CORE_RECORD_EXECUTE_COMMANDS_H

#include "report/finding/finding.h"
#include "state/command/inheritance.h"

/* One element of pCommandBuffers at work. Threads: on the stack. */
struct execution {
    struct call *call;
    struct command_buffer *primary; /* that executes; not NULL */
    /* not NULL, while an element is looked at */
    struct command_buffer *secondary;
    const struct command_buffer_inheritance *inheritance; /* NULL when unknown */
    const VkCommandBuffer *elements;
    uint32_t index;
    VkCommandBuffer handle;
    const struct location *where; /* the element */
    /* of many elements, by hash of the handle: 1 and the index of the first that has it, or 0. In
     * scratch memory; NULL: there are few, or memory was out */
    uint32_t *first;
    uint32_t first_mask;
};

/* A finding about the element (core/record/execute_report.c). */
bool execution_report(const struct execution *e, enum vuid vuid, const char *format, ...) COLD
    PRINTF_LIKE(3, 4);

/* Checks that the render pass instance was begun for secondaries. */
bool execution_check_contents(const struct execution *e);
/* Checks that what the element inherits goes with the render pass instance, or its absence. */
bool execution_check_rendering(const struct execution *e);
/* Checks the structures that are chained to the element's inheritance, which is known. */
bool execution_check_tiles(const struct execution *e);
/* The same in a dynamic instance that contains a custom resolve. */
bool execution_check_resolves(const struct execution *e,
                              const struct render_pass_instance *rendering);

#endif
