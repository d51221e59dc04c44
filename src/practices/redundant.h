/* Advice on what has no effect (setting validate_best_practices_redundant). The hooks that note
 * what is set and used are generated (templates/practices/redundant_commands.c.mako). */
#ifndef ASSAY_PRACTICES_REDUNDANT_H
#define ASSAY_PRACTICES_REDUNDANT_H

#include "objects/device.h"
#include "state/dynamic_states.h" /* generated */

/* An extension that is in use if its commands are called. Const. */
struct judged_extension {
    enum extension extension;
    /* extensions that need it; the first EXTENSION_COUNT ends them */
    enum extension needed_by[17];
};
extern HIDDEN const struct judged_extension judged_extensions[];
extern HIDDEN const uint32_t judged_extension_count;

/* A feature that only shaders need. Const. */
struct judged_feature {
    enum feature feature;
    const char *name;          /* for example "shaderFloat64" */
    uint32_t capabilities[32]; /* SpvCapability; a shader that declares one of them uses it */
    uint32_t capability_count;
};
extern HIDDEN const struct judged_feature judged_features[];
extern HIDDEN const uint32_t judged_feature_count;

/* Notes that the program has called a command of the extension. Threads: any. */
void redundant_uses(const struct call *call, enum extension extension);

/* Judges a command that is about to set `state`.
 * `value`: a checksum of the command and its values, from REDUNDANT_FIRST by redundant_add_bytes().
 * `checked`: the state with the command's name, which may be another name for the same value.
 * Threads: those of the command buffer. */
void redundant_state(const struct call *call, enum dynamic_state state, enum dynamic_state checked,
                     uint64_t value);
/* Forgets the value of a state, for a command whose values are not compared. */
void redundant_forget_state(const struct call *call, enum dynamic_state state);

#define REDUNDANT_FIRST 0x9e3779b97f4a7c15ull
/* Returns the checksum with `size` bytes added; never 0. A NULL pointer adds nothing. */
uint64_t redundant_add_bytes(uint64_t value, const void *bytes, size_t size);

#endif
