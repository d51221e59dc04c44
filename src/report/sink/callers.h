/* The stack of a call in the program, as a finding shows it. */
#ifndef ASSAY_REPORT_CALLERS_H
#define ASSAY_REPORT_CALLERS_H

#include "base/stack_depot.h"
#include "objects/call.h"
#include "objects/validator.h"

#define CALLERS DEPOT_FRAMES /* the innermost frames, which are kept */

/* A stack. Threads: it belongs to the thread that filled it in. */
struct callers {
    const void *addresses[CALLERS]; /* return addresses, innermost first */
    uint32_t count;                 /* 0 when the call has no caller */
    /* index of the frame that a message in one line shows: the first one outside of the loader, of
     * well-known wrappers, and of modules that the setting caller_ignore names */
    uint32_t first;
};

/* Finds the frames of this call, from the function that called Vulkan outwards. If the stack cannot
 * be walked to that function, only its frame is found. Frames of the C library at the outer end are
 * left out. */
void callers_find(struct callers *callers, const struct call *call) COLD;

/* Returns the frame that a message in one line shows; NULL: the call has no caller. The stack is
 * walked only if the call's own caller is passed over. */
const void *callers_first(const struct call *call) COLD;

/* True if the setting caller_ignore names source files or functions. Only tools can look these up,
 * so tools choose the shown frame. */
bool callers_are_chosen_by_tools(const struct call *call) COLD;

/* Finds the frames of an earlier call. `kept` is that call's `caller`, as an object or a recorded
 * command has kept it: a stack in the depot, or one address. If it is the caller of `call` itself,
 * the stack is walked. `kept` NULL: no frames are found. */
void callers_of_kept(struct callers *callers, const struct call *call, const void *kept) COLD;
/* Returns the frame of a kept caller that a message in one line shows; NULL: nothing was kept. */
const void *callers_first_of_kept(const struct call *call, const void *kept) COLD;

/* True if the module of this path is the Vulkan loader. */
bool caller_is_loader(const char *path);

/* --- callers that objects and commands keep (report/sink/kept_callers.c) --- */

/* Is enabled by the setting record_stacks. It has the first hook of all commands whose caller is
 * kept, and replaces the caller by a whole stack. */
extern const struct validator recorded_callers_validator;
/* Is enabled without that setting. It has the first hook of the few commands for which the loader
 * has work to do after the call, and so is their caller. The hook replaces the loader's frame by
 * the frame that called the loader. */
extern const struct validator loader_callers_validator;
/* Generated: the commands (enum command) of the two validators. */
extern const uint16_t recorded_callers_commands[], loader_callers_commands[];
extern const uint32_t recorded_callers_count, loader_callers_count;

#endif
