/* A finding: one rule of the specification that one call broke. Validators say it in the form of
 * rule.h; this is for ids that a table gives, and for what is not a rule. The rest of the room
 * formats, filters and delivers it.
 *
 *     skip |= finding(call, rule->vuid, &LOCATION(where, "size"), NULL, "is 0");
 *
 * The text says what is wrong in one sentence with the values. It does not name the command or the
 * parameter, as the location does that before it: "pCreateInfo->size is 0". Ids in, names out:
 * objects are given as the program's handles. Cost: nothing is formatted before filters and limits
 * have let the finding through. Threads: any. The program's callbacks are called without any lock
 * of the layer held. */
#ifndef ASSAY_REPORT_FINDING_H
#define ASSAY_REPORT_FINDING_H

#include <stdarg.h>

#include "base/base.h"
#include "report/rules.h" /* generated: enum rule, RULE() */
#include "report/vuids.h" /* generated: enum vuid */
#include "objects/call.h"

enum severity {
    SEVERITY_ERROR,
    SEVERITY_WARNING,
    SEVERITY_PERFORMANCE,
    SEVERITY_INFO,
    SEVERITY_DEBUG
};

/* An object that a finding is about, beside the call's own dispatchable one (which every finding
 * names). */
struct finding_object {
    enum handle_type type;
    uint64_t handle; /* as the program sees it */
};

/* The objects of a finding: &OBJECTS({HANDLE_BUFFER, buffer}, {HANDLE_DEVICE_MEMORY, memory}).
 * Functions take NULL for none. */
struct finding_objects {
    uint32_t count;
    struct finding_object list[4];
};

/* A part of a finding beside its sentence: a key ("between") and lines of text. A key should have
 * at most 7 letters, since texts are aligned after that width. */
struct finding_section {
    const char *key;
    const char *text; /* never NULL; lines are indented where they are shown */
};

#define FINDING_SECTIONS 10
struct finding_details {
    uint32_t section_count;
    struct finding_section sections[FINDING_SECTIONS];
    /* The log and the JSON lines show this sentence and the first `row_count` sections in place of
     * the finding's text. Messengers get the text, which says the same. NULL: all get the text. */
    const char *sentence;
    uint32_t row_count;
    /* name of a member that the JSON forms have beside the usual ones; NULL: none */
    const char *json_key;
    const char *json; /* value of the member `json_key` */
    /* the sections name objects, labels and caller already, so the log does not list them again */
    bool tells_objects;
    /* the fix, as finding_with_fix() takes it; NULL: the fix of the id */
    const char *fix;
    /* the id whose statement is quoted; NULL: the finding's own id */
    const enum vuid *quoted;
    /* A number, such as the place in a shader, that distinguishes mistakes whose texts differ in
     * numbers only. The log shows each of them in full. 0: the text is enough */
    uint64_t mistake;
};
#define OBJECT(type_, handle_)             \
    (&(struct finding_objects){.count = 1, \
                               .list = {{.type = (type_), .handle = (uint64_t)(handle_)}}})
#define OBJECT2(type1_, handle1_, type2_, handle2_)                                         \
    (&(struct finding_objects){.count = 2,                                                  \
                               .list = {{.type = (type1_), .handle = (uint64_t)(handle1_)}, \
                                        {.type = (type2_), .handle = (uint64_t)(handle2_)}}})

/* Reports an error. `where` may be NULL (the call as a whole). Returns whether the call shall be
 * skipped: the program's callback said VK_TRUE, or the setting debug_action has FAIL. */
bool finding(const struct call *call, enum vuid vuid, const struct location *where,
             const struct finding_objects *objects, const char *format, ...) COLD PRINTF_LIKE(5, 6);

/* The same as finding(), with a list of arguments. */
bool finding_list(const struct call *call, enum vuid vuid, const struct location *where,
                  const struct finding_objects *objects, const char *format, va_list args) COLD;

/* Reports a command that is not enabled: no other finding of the call is reported (GPU-assisted
 * findings apart, which belong to other calls). The other checks still run, so that the call does
 * not go down with objects that cannot be used. */
bool finding_that_speaks_alone(struct call *call, enum vuid vuid, const char *format, ...) COLD
    PRINTF_LIKE(3, 4);

/* The same as finding(), with a severity. Warnings and information never make the call skip unless
 * a callback says so. */
bool finding_with_severity(const struct call *call, enum severity severity, enum vuid vuid,
                           const struct location *where, const struct finding_objects *objects,
                           const char *format, ...) COLD PRINTF_LIKE(6, 7);

/* True if a finding would be reported now. A check asks this before it gathers a text that takes
 * long. The answer is a hint: other findings may use up the limit first. */
bool finding_is_heard(const struct call *call, enum severity severity, enum vuid vuid) COLD;

/* The same as finding(), with details, about the call as a whole. */
bool finding_with_details(const struct call *call, enum severity severity, enum vuid vuid,
                          const struct finding_objects *objects,
                          const struct finding_details *details, const char *text) COLD;

#endif
