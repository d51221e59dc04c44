/* A record becomes a finding about the command that ran, at the line where the program recorded it,
 * and about the shader. Each kind of error has a file with its words; the rest is the same for all.
 */
#ifndef ASSAY_GPU_REPORT_H
#define ASSAY_GPU_REPORT_H

#include "base/string_builder.h"
#include "gpu/device/drain.h"
#include "report/finding/finding.h"
#include "spirv/module/module.h"

struct gpu_shader;
struct gpu_stage;

/* A record that is being reported. Threads: the one that drains; on its stack. */
struct gpu_message {
    /* the recorded command, as if it were called now: command, caller, and the command buffer as
     * its object where that lives */
    struct call call;
    const struct gpu_found *found;
    const uint32_t *words; /* of the record; as many as found->size, which is RECORD_CHECK_LENGTH at
                              least but for ERROR_PRINTF */
    const struct gpu_shader *shader; /* NULL: the shader is unknown */
    /* a stage of the pipeline that ran; NULL: the pipeline is gone, or there was none */
    const struct gpu_stage *stage;
    /* of the reporting function; the shader's code as the program gave it, without instructions
     * where it cannot be read */
    struct spirv_module module;
};

/* Word `i` of the words that belong to the error. */
static inline uint32_t gpu_message_word(const struct gpu_message *message, uint32_t i)
{
    assert(i < 6);
    return message->words[RECORD_ERROR_WORDS + i];
}

/* Tells it: "<sentence> Command buffer (name)(0x..), command 3: vkCmdDraw. Pipeline ... at
 * line 45." and the line of source. An id that the command has no rule for (VUID_COUNT) is replaced
 * by UNASSIGNED-GPU-Assisted-Validation. */
void gpu_message_tell(struct gpu_message *message, enum severity severity, enum vuid vuid,
                      const char *format, ...) PRINTF_LIKE(4, 5);

/* "(set 0, binding 1 \"tex\")": of the resource variable with these decorations. `to` has room for
 * GPU_NAME_SIZE. */
#define GPU_NAME_SIZE 192
const char *gpu_message_variable(const struct gpu_message *message, uint32_t set, uint32_t binding,
                                 char *to);

/* report_names.c: the set and what its descriptor refers to, the buffer with a command's
 * parameters, or what has a device address. It is a sentence after the sentence, or nothing where
 * that is not known. */
void gpu_message_names(const struct gpu_message *message, struct string_builder *to);
/* True if the error is about a descriptor: its words 0 to 2 say which. */
bool gpu_message_has_descriptor(const struct gpu_message *message);
/* The number of the descriptor's set, if gpu_message_has_descriptor(). */
uint32_t gpu_message_set(const struct gpu_message *message);
/* Write what those sentences say, in words alone: likewise nothing where it is not known. The
 * descriptor may have been pushed. */
void gpu_message_descriptor(const struct gpu_message *message, struct string_builder *to);
/* The size in bytes of the storage buffer that is bound there, from the descriptor's offset on
 * (dynamic offsets apart). 0: it is not known, or the descriptor is another one. */
VkDeviceSize gpu_message_bound_bytes(const struct gpu_message *message);
void gpu_message_parameters(const struct gpu_message *message, struct string_builder *to);
void gpu_message_address(const struct gpu_message *message, struct string_builder *to);

/* report_rows.c: the parts of a finding, under keys, as people read them. */
#define GPU_ROWS 6
struct gpu_rows {
    struct string_builder sentence; /* what is wrong, and nothing else */
    struct string_builder text;     /* of the rows, each with its zero */
    struct finding_section rows[GPU_ROWS];
    uint32_t count;
    char sentence_buffer[256], buffer[512];
};
/* `sentence`: what is wrong, with a full stop. False: memory was out. */
bool gpu_rows_begin(struct gpu_rows *rows, const struct gpu_message *message,
                    const char *sentence) MUST_CHECK;
void gpu_rows_end(struct gpu_rows *rows);
/* ` of VkCommandBuffer 0x1234 "frame"`; nothing of one that is gone. `what`: its type in words. */
void gpu_write_command_buffer(struct string_builder *to, const struct gpu_message *message,
                              const char *what, uint64_t id);

/* Writes what follows the sentence, without it: for messages of other shapes (printf_verbose). */
void gpu_message_place(const struct gpu_message *message, struct string_builder *to);

/* report_executed.c: " Executed by command 4 of ...", of a secondary; or nothing. */
void gpu_message_executed(const struct gpu_message *message, struct string_builder *to);
/* Writes a section for a secondary: the commands that execute it, with their labels and callers.
 * False: the section is empty. */
bool gpu_message_primary(const struct gpu_message *message, struct string_builder *to) MUST_CHECK;

/* report_json.c: the member "shader" of its JSON: {"module": ..., "stage": ..., "file": ...,
 * "line": ..., "text": ...}. `around`: how many lines before and after that line are written, too.
 */
void gpu_message_write_json(const struct gpu_message *message, struct string_builder *json,
                            uint32_t around);
/* "Fragment"; NULL of a stage that is not known. */
const char *gpu_stage_name(uint32_t model);

/* report_causes.c: true if the mistake was reported at another place of the command, or is a
 * consequence of one that was. Notes what may have consequences. */
bool gpu_message_is_known(const struct gpu_message *message);

/* --- by kind of error --- */

/* report_descriptors.c: ERROR_DESCRIPTOR_... */
void gpu_tell_descriptor(struct gpu_message *message);
void gpu_tell_command(struct gpu_message *message); /* buffers_report.c: ERROR_COMMAND */
/* report_ranges.c: ERROR_..._RANGE, ERROR_ADDRESS_... */
void gpu_tell_range(struct gpu_message *message);
/* report_sanitizer.c: ERROR_DIVISION_..., ERROR_SHIFT, ERROR_MATH ... */
void gpu_tell_sanitizer(struct gpu_message *message);
/* report_mesh.c: ERROR_MESH_..., ERROR_TASK_GROUPS */
void gpu_tell_mesh(struct gpu_message *message);
void gpu_tell_vertex(struct gpu_message *message); /* report_vertex.c: ERROR_VERTEX_FETCH */
/* report_trace.c: ERROR_TRACE_RAY, ERROR_HIT_... */
void gpu_tell_trace(struct gpu_message *message);
void gpu_tell_shared(struct gpu_message *message); /* report_shared.c: ERROR_SHARED_RACE */
void gpu_tell_abort(struct gpu_message *message);  /* report_abort.c: ERROR_ABORT */
void gpu_tell_printf(struct gpu_message *message); /* report_printf.c: ERROR_PRINTF */

/* Tells of formats that do not go with their arguments, in the call that makes the pipeline or
 * shader object. */
void gpu_check_formats(const struct call *call, const struct spirv_module *module);

#endif
