/* The way that a call took through the program: what a finding shows of the stack. */
#ifndef ASSAY_REPORT_CALLERS_H
#define ASSAY_REPORT_CALLERS_H

#include "base/stack_depot.h"
#include "objects/call.h"
#include "objects/validator.h"

#define CALLERS DEPOT_FRAMES /* frames that are kept, the innermost */

/* Threads: the calling thread's own. */
struct callers {
    const void *addresses[CALLERS]; /* return addresses, innermost first */
    uint32_t count;                 /* 0 when the call has no caller */
    /* index of the frame that a line shows: the first one outside of the loader, of wrappers that
     * everybody uses, and of modules that caller_ignore names */
    uint32_t first;
};

/* The callers of this call, from the one that called Vulkan outwards. Where the stack cannot be
 * walked up to there, or the layer's own frames do not lead to it, this is the call's caller alone.
 * Frames of the C library at the outer end are left out. */
void callers_find(struct callers *callers, const struct call *call) COLD;

/* The frame that a line shows, or NULL. The stack is walked only if the call's own caller is passed
 * over. */
const void *callers_first(const struct call *call) COLD;

/* True if caller_ignore names source files or functions, which only tools know. Then tools choose
 * the shown frame among all frames. */
bool callers_are_chosen_by_tools(const struct call *call) COLD;

/* Those of a call that was made before. `kept` is what an object or a recorded command has kept of
 * it (call->caller of that call): a stack of the depot, or one address. It may be this very call,
 * whose stack is walked then. `kept` may be NULL. */
void callers_of_kept(struct callers *callers, const struct call *call, const void *kept) COLD;
/* The frame of a kept caller that a line shows, or NULL. */
const void *callers_first_of_kept(const struct call *call, const void *kept) COLD;

/* True if the module of this path is the Vulkan loader. */
bool caller_is_loader(const char *path);

/* --- what calls keep (report/sink/kept_callers.c) --- */

/* The setting record_stacks: the first hook of all commands whose caller is kept by somebody. It
 * puts a stack in its place. */
extern const struct validator recorded_callers_validator;
/* Without it: the first hook of the few commands for which the loader does something on the way
 * back, so that it is their caller. In its place goes the one that called the loader. */
extern const struct validator loader_callers_validator;
/* Generated: the commands (enum command) of the two validators. */
extern const uint16_t recorded_callers_commands[], loader_callers_commands[];
extern const uint32_t recorded_callers_count, loader_callers_count;

#endif
