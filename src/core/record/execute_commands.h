/* Declarations that the checks of vkCmdExecuteCommands share. */
#ifndef ASSAY_CORE_RECORD_EXECUTE_COMMANDS_H
#define ASSAY_CORE_RECORD_EXECUTE_COMMANDS_H

#include "report/finding/finding.h"
#include "state/command/inheritance.h"

/* One element of pCommandBuffers that is being checked. Threads: on the stack. */
struct execution {
    struct call *call;
    struct command_buffer *primary; /* the executing one; not NULL */
    /* not NULL while an element is checked */
    struct command_buffer *secondary;
    const struct command_buffer_inheritance *inheritance; /* NULL when unknown */
    const VkCommandBuffer *elements;
    uint32_t index;
    VkCommandBuffer handle;
    const struct location *where; /* location of the element */
    /* hash table of the elements by handle: 1 + the index of the first element with the handle, or
     * 0. It is in scratch memory; NULL: there are few elements, or an allocation failed */
    uint32_t *first;
    uint32_t first_mask;
};

/* Reports a finding about the element (core/record/execute_report.c). */
bool execution_report(const struct execution *e, enum vuid vuid, const char *format, ...) COLD
    PRINTF_LIKE(3, 4);

/* Checks that the render pass instance was begun for secondaries. */
bool execution_check_contents(const struct execution *e);
/* Checks that the state which the element inherits matches the render pass instance, or that there
 * is none. */
bool execution_check_rendering(const struct execution *e);
/* Checks the structures that are chained to the element's inheritance info, which must be known. */
bool execution_check_tiles(const struct execution *e);
/* Does the same in a dynamic instance with a custom resolve. */
bool execution_check_resolves(const struct execution *e,
                              const struct render_pass_instance *rendering);

#endif
