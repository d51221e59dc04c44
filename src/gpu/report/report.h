/* Turns a record into a finding about the shader and the command that ran, at the line where the
 * program recorded it. Each kind of error has a file with its texts; the rest is the same for
 * all. */
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
     * its object if that exists */
    struct call call;
    const struct gpu_found *found;
    const uint32_t *words; /* of the record; as many as found->size, which is RECORD_CHECK_LENGTH at
                              least but for ERROR_PRINTF */
    const struct gpu_shader *shader; /* NULL: the shader is unknown */
    /* the stage of the pipeline that ran; NULL: the pipeline was destroyed, or there was none */
    const struct gpu_stage *stage;
    /* filled in by the reporting function: the program's code of the shader, without instructions
     * if it cannot be read */
    struct spirv_module module;
};

/* Returns word `i` of the error's words. */
static inline uint32_t gpu_message_word(const struct gpu_message *message, uint32_t i)
{
    assert(i < 6);
    return message->words[RECORD_ERROR_WORDS + i];
}

/* Reports the finding: "<sentence> Command buffer (name)(0x..), command 3: vkCmdDraw. Pipeline ...
 * at line 45." and the line of source. VUID_COUNT, for a command without such a rule, is replaced
 * by UNASSIGNED-GPU-Assisted-Validation. */
void gpu_message_tell(struct gpu_message *message, enum severity severity, enum vuid vuid,
                      const char *format, ...) PRINTF_LIKE(4, 5);

/* Writes the variable with these decorations: "(set 0, binding 1 \"tex\")". `to` has room for
 * GPU_NAME_SIZE bytes. */
#define GPU_NAME_SIZE 192
const char *gpu_message_variable(const struct gpu_message *message, uint32_t set, uint32_t binding,
                                 char *to);

/* report_names.c: writes a further sentence about the set and its descriptor's object, the buffer
 * with a command's parameters, or the owner of a device address. It writes nothing if that is not
 * known. */
void gpu_message_names(const struct gpu_message *message, struct string_builder *to);
/* True if the error is about a descriptor: its words 0 to 2 are set, binding and index. */
bool gpu_message_has_descriptor(const struct gpu_message *message);
/* Returns the number of the descriptor's set, if gpu_message_has_descriptor(). */
uint32_t gpu_message_set(const struct gpu_message *message);
/* Writes the same as a phrase instead of a sentence, or nothing if it is not known. The descriptor
 * may have been pushed. */
void gpu_message_descriptor(const struct gpu_message *message, struct string_builder *to);
/* Returns the size in bytes of the bound storage buffer, from the descriptor's offset on, without
 * dynamic offsets. 0: it is not known, or the descriptor has changed. */
VkDeviceSize gpu_message_bound_bytes(const struct gpu_message *message);
void gpu_message_parameters(const struct gpu_message *message, struct string_builder *to);
void gpu_message_address(const struct gpu_message *message, struct string_builder *to);

/* report_rows.c: the parts of a finding, with keys, for people to read. */
#define GPU_ROWS 6
struct gpu_rows {
    struct string_builder sentence; /* the error, without its details */
    struct string_builder text;     /* text of the rows, each with a terminating zero */
    struct finding_section rows[GPU_ROWS];
    uint32_t count;
    char sentence_buffer[256], buffer[512];
};
/* Writes the rows. `sentence` states the error, with a full stop. Returns false if memory was
 * out. */
bool gpu_rows_begin(struct gpu_rows *rows, const struct gpu_message *message,
                    const char *sentence) MUST_CHECK;
void gpu_rows_end(struct gpu_rows *rows);
/* Writes ` of VkCommandBuffer 0x1234 "frame"`; nothing if it was freed. `what` is its type as
 * text. */
void gpu_write_command_buffer(struct string_builder *to, const struct gpu_message *message,
                              const char *what, uint64_t id);

/* Writes the details that follow the sentence, for messages of another form (printf_verbose). */
void gpu_message_place(const struct gpu_message *message, struct string_builder *to);

/* report_executed.c: writes " Executed by command 4 of ..." for a secondary, or nothing. */
void gpu_message_executed(const struct gpu_message *message, struct string_builder *to);
/* Writes a section for a secondary: the commands that execute it, with their labels and callers.
 * Returns false if the section is empty. */
bool gpu_message_primary(const struct gpu_message *message, struct string_builder *to) MUST_CHECK;

/* report_json.c: writes the member "shader": {"module": ..., "stage": ..., "file": ..., "line":
 * ..., "text": ...}. `around`: how many lines before and after that line are written, too. */
void gpu_message_write_json(const struct gpu_message *message, struct string_builder *json,
                            uint32_t around);
/* Returns the name of a stage, such as "Fragment"; NULL: the stage is not known. */
const char *gpu_stage_name(uint32_t model);

/* report_causes.c: true if the mistake was reported at another place of the command, or is a
 * consequence of one that was. Notes errors that may have consequences. */
bool gpu_message_is_known(const struct gpu_message *message);

/* --- reports by kind of error --- */

/* report_descriptors.c: ERROR_DESCRIPTOR_... */
void gpu_tell_descriptor(struct gpu_message *message);
void gpu_tell_command(struct gpu_message *message); /* buffers_report.c: ERROR_COMMAND */
/* report_ranges.c: ERROR_..._RANGE, ERROR_ADDRESS_... */
void gpu_tell_range(struct gpu_message *message);
/* report_sanitizer.c: ERROR_NAN; ERROR_DIVISION_..., ERROR_SHIFT, ERROR_MATH ... */
void gpu_tell_nan(struct gpu_message *message);
void gpu_tell_sanitizer(struct gpu_message *message);
/* report_mesh.c: ERROR_MESH_..., ERROR_TASK_GROUPS */
void gpu_tell_mesh(struct gpu_message *message);
void gpu_tell_vertex(struct gpu_message *message); /* report_vertex.c: ERROR_VERTEX_FETCH */
/* report_trace.c: ERROR_TRACE_RAY, ERROR_HIT_... */
void gpu_tell_trace(struct gpu_message *message);
void gpu_tell_shared(struct gpu_message *message); /* report_shared.c: ERROR_SHARED_RACE */
void gpu_tell_abort(struct gpu_message *message);  /* report_abort.c: ERROR_ABORT */
void gpu_tell_printf(struct gpu_message *message); /* report_printf.c: ERROR_PRINTF */

/* Reports formats that do not match their arguments, in the call that makes the pipeline or shader
 * object. */
void gpu_check_formats(const struct call *call, const struct spirv_module *module);

#endif
