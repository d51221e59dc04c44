/* The facts of a hazard, with everything looked up. report.c and report_between.c gather them.
 * report_text.c and report_json.c write them as text, and report_mend.c writes the missing barrier.
 * A fact that is not known is zero, and is left out.
 * Threads: the facts lie on the stack of the thread that reports. */
#ifndef ASSAY_SYNC_REPORT_FACTS_H
#define ASSAY_SYNC_REPORT_FACTS_H

#include "report/report.h"
#include "sync/access/ranges.h"
#include "sync/record/recording.h"
#include "sync/report/report.h"

/* The kind of a part of a resource, in the terms of the API. */
enum extent_kind {
    EXTENT_UNKNOWN,
    EXTENT_BYTES,        /* `offset` and `size` */
    EXTENT_SUBRESOURCES, /* `range`, and `texels` of its only subresource */
};

struct report_extent {
    enum extent_kind kind;
    bool whole; /* for an image: all of its subresources */
    VkDeviceSize offset, size;
    VkImageSubresourceRange range;
    struct image_texels texels;
};

#define SIDE_LABELS 8 /* the most labels of a side; the innermost ones are kept */

/* One of the two accesses. */
struct report_side {
    bool known; /* the command that made the access is known */
    enum command command;
    uint32_t command_index;
    struct report_object command_buffer; /* HANDLE_NONE: not known */
    /* `command_buffer` is a secondary that another command buffer executes */
    bool executed;
    uint32_t executed_index; /* command index of the vkCmdExecuteCommands */
    /* HANDLE_NONE: the command buffer that is being recorded */
    struct report_object executed_by;
    /* the queue that it was submitted to; HANDLE_NONE: it was not, or that is not known */
    struct report_object queue;
    uint64_t submission; /* number on the queue, from 1; 0: not known */
    enum sync_usage usage;
    struct access_source source;
    struct report_object resource;
    struct report_extent extent;
    uint32_t more_ranges; /* number of further ranges of the resource with the same hazard */
    uint32_t label_count;
    const char *labels[SIDE_LABELS]; /* the outermost first */
    struct caller caller;
    /* the path of `caller`; owned; NULL if only `caller` is known */
    struct caller_path *path;
};

/* Says how nearly a command with barriers orders the two accesses. */
enum barrier_fault {
    FAULT_NOTHING_THERE, /* there is no such command */
    /* its barriers are for other resources, or other parts of this one
     * (report_between::other_parts) */
    FAULT_ELSEWHERE,
    FAULT_EVENT,              /* it waits for events that were not set after the earlier access */
    FAULT_NOT_IN_FIRST_SCOPE, /* the stage of the earlier access is not in the first scope */
    /* the first scope has the stage of the earlier access, and not the access itself */
    FAULT_NOT_AVAILABLE,
    FAULT_NOT_IN_SECOND_SCOPE, /* the stage of this access is not in the second scope */
    /* the second scope has the stage of this access, and not the access itself */
    FAULT_NOT_VISIBLE,
};

/* A command with barriers between the two accesses, with the one of its barriers that comes nearest
 * to ordering them. */
struct report_barrier {
    enum command command;
    uint32_t command_index;
    uint32_t count; /* barriers that the command has */
    enum barrier_fault fault;
    struct sync_barrier barrier;
    bool all_memory; /* the barrier is not for one resource */
    /* the resource that the barrier is for; 0: it was destroyed, or the barrier is for all
     * memory */
    uint64_t resource_id;
    const void *called_by; /* as access_entry::caller */
    /* filled in by report_describe_barriers() */
    struct report_object resource;
    struct caller caller;
    /* the path of `caller`; owned; NULL if only `caller` is known */
    struct caller_path *path;
};

#define BARRIERS_SHOWN 6 /* the last barriers are shown */

/* An operation of a submission, or the host, on a semaphore. */
struct report_semaphore {
    struct report_object semaphore, queue;
    struct semaphore_operation operation;
};

/* Masks as the program wrote them. */
struct report_masks {
    bool known;
    /* for a dependency of a render pass: the masks are those of a VkMemoryBarrier2 */
    bool version2;
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses;
};

/* Describes the barriers between the two accesses. */
struct report_between {
    bool looked;               /* the commands between the two were searched */
    uint32_t barrier_commands; /* number of commands with barriers that were found */
    enum barrier_fault fault;  /* of the nearest barrier */
    enum command command;      /* the command with the nearest barrier; 0: a subpass dependency */
    uint32_t command_index;
    struct sync_barrier barrier; /* the scopes of the nearest barrier */
    /* The masks from which the barrier was made. If no barrier stood between the two, and the
     * earlier access is a layout transition, they are the masks of the barrier that makes the
     * transition. */
    struct report_masks written;
    /* The earlier access is a transition by a barrier in a render pass instance, and this access is
     * in no command of the same subpass: the barrier's scopes end before it. */
    bool beyond_subpass;
    bool in_scope;    /* the nearest barrier's second access scope has this access */
    bool other_parts; /* FAULT_ELSEWHERE: the barrier is known to be for this resource */
    /* the nearest barrier is a subpass dependency, between these subpasses (or SYNC_EXTERNAL): */
    bool dependency;
    uint32_t src_subpass, dst_subpass;
    bool own; /* the nearest barrier makes the transition that is this access */
    /* the nearest barrier is for no single resource; otherwise see `resource_id` */
    bool all_memory;
    uint64_t resource_id;    /* the resource that the nearest barrier is for; 0: not known */
    sync_stage_mask ordered; /* as in struct sync_hazard */
    struct usage_mask visible;
    uint32_t shown_count;
    struct report_barrier shown[BARRIERS_SHOWN];
};

enum mend_kind {
    MEND_BARRIER,        /* a barrier between the two */
    MEND_BARRIER_BEFORE, /* before the render pass instance that this access is in */
    /* this access is a layout transition: widen the first scope of its own barrier */
    MEND_WIDEN_SOURCE,
    /* the earlier access is a layout transition: widen the second scope of its barrier */
    MEND_WIDEN_DESTINATION,
    /* as MEND_WIDEN_DESTINATION, but move the barrier before the render pass instance that it is
     * in */
    MEND_MOVE_BARRIER,
    MEND_DEPENDENCY, /* a dependency of the render pass, from src_subpass to dst_subpass */
    /* both accesses are builds of one command: use a command for each, and a barrier between
     * them */
    MEND_SPLIT_BUILDS,
    /* both accesses are in one dynamic render pass instance: end it between the two */
    MEND_SPLIT_RENDERING,
    MEND_SEMAPHORE, /* a semaphore between two queues */
    MEND_ACQUIRE,   /* a wait for the semaphore or fence of vkAcquireNextImageKHR */
    MEND_PRESENT,   /* a semaphore that vkQueuePresentKHR waits for */
    MEND_HOST,      /* the host makes the access: it has to wait for the earlier one */
};

struct report_mend {
    enum mend_kind kind;
    bool synchronization2; /* the program may use it */
    /* the program may name VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR */
    bool structure_copies;
    uint32_t src_subpass, dst_subpass; /* or VK_SUBPASS_EXTERNAL */
    VkImageLayout layout; /* the image's layout now; VK_IMAGE_LAYOUT_MAX_ENUM: not known */
    /* the layout that this access takes the image to have; VK_IMAGE_LAYOUT_UNDEFINED: not known */
    VkImageLayout wanted;
};

struct report_facts {
    enum hazard kind;
    enum command called; /* the call that found the hazard */
    struct report_side self, earlier;
    bool same_command_buffer; /* both accesses are in the same recording of one command buffer */
    struct report_between between;
    struct report_mend mend;
    uint32_t semaphore_count;                             /* for hazards between submissions */
    struct report_semaphore semaphores[OPERATIONS_SHOWN]; /* the last operations, latest first */
};

struct render_pass; /* state/command/render_pass.h */

/* report.c */

/* Finds the object with this id; its name is owned. The type is HANDLE_NONE if the object has been
 * destroyed, as its handle may mean another object by now. */
struct report_object report_look_up(const struct call *call, uint64_t id);
/* Adds `label` and the labels around it in a log before those that the side has, the outermost
 * first. If there are more than a side has room for, the innermost ones are kept. */
void report_find_labels(struct report_side *side, const struct command_log *log, uint32_t label);
void report_free_side(struct report_side *side);
/* Fills in the commands that recorded the barriers which are shown, and the resources of these
 * barriers. */
void report_describe_barriers(const struct call *call, struct report_between *between);
void report_free_between(struct report_between *between);

/* report_place.c: finds which part of the resource (by id) lies at the place. */
void report_find_extent(struct report_extent *extent, const struct sync_place *place,
                        uint64_t resource);

/* report_between.c: searches for barriers between the two accesses; `between` already has the facts
 * that the hazard gives. */
void report_find_between(struct report_between *between, const struct sync_context *context,
                         const struct command_log *log, const struct sync_place *place,
                         const struct sync_access *access, const struct sync_hazard *hazard);
/* Judges the barrier that makes the transition which is this access. */
void report_judge_own_barrier(struct report_between *between, const struct sync_barrier *barrier,
                              const struct sync_access *access, const struct sync_hazard *hazard);
/* Finds the masks that the program wrote for the nearest barrier. Called after
 * report_find_between(). `pass`: the render pass of the active instance; may be NULL. */
void report_find_written(struct report_between *between, const struct sync_command_buffer *sync,
                         const struct render_pass *pass, const struct sync_place *place,
                         const struct sync_access *access, const struct sync_hazard *hazard);
/* Returns the subpass of the current render pass object's instance that made the access, or
 * SYNC_EXTERNAL. */
uint32_t report_subpass_of(const struct sync_context *context, uint64_t tag);

/* report_words.c: writes flags by names that the program knows: those of version 2, or of version 1
 * if `version2` is false (then COPY is called TRANSFER ...). */
void write_stages(struct string_builder *text, VkPipelineStageFlags2 stages, bool version2);
void write_accesses(struct string_builder *text, VkAccessFlags2 accesses, bool version2);
/* True if the command's barriers have masks of version 2. */
bool command_is_version2(enum command command);
/* Writes an object: `VkBuffer 0x100000107 "vertices"`. */
void write_object(struct string_builder *text, const struct report_object *object);
/* Writes a caller: `./app+0x12 (symbol+0x2)`. */
void write_caller(struct string_builder *text, const struct caller *caller);
/* Writes the part of a resource: `bytes 0 to 255 of VkBuffer 0x100000107 "vertices"`, `VkImage 0x2
 * (depth, mip level 0, layers 0 to 5)`. */
void write_resource(struct string_builder *text, const struct report_side *side);
/* Writes a role: `vertex buffer binding 1`; nothing for ROLE_PARAMETER. */
void write_role(struct string_builder *text, const struct access_source *source);
/* Writes a subpass: `subpass 1`, `VK_SUBPASS_EXTERNAL`. */
void write_subpass(struct string_builder *text, uint32_t subpass);
/* Writes aspects: "color, depth and stencil". */
void write_aspects(struct string_builder *text, VkImageAspectFlags aspects);
static inline bool usage_writes(enum sync_usage usage)
{
    return sync_usage_info[usage].is_write;
}
static inline bool usage_is_transition(enum sync_usage usage)
{
    return usage == SYNC_IMAGE_LAYOUT_TRANSITION || usage == SYNC_QUEUE_FAMILY_OWNERSHIP_TRANSFER;
}
/* Returns a name such as "READ_AFTER_WRITE". */
const char *hazard_name(enum hazard kind);

/* report_text.c */
void write_hazard_sentence(struct string_builder *text, const struct report_facts *facts);
void write_hazard_side(struct string_builder *text, const struct report_facts *facts,
                       const struct report_side *side);
void write_hazard_between(struct string_builder *text, const struct report_facts *facts);
/* Writes the `key = value` lines of the setting syncval_message_extra_properties. */
void write_hazard_properties(struct string_builder *text, const struct report_facts *facts);

enum barrier_form { FORM_MEMORY, FORM_BUFFER, FORM_IMAGE };

/* A barrier that is to be written as code. */
struct barrier_code {
    enum barrier_form form;
    bool version2; /* in the form for vkCmdPipelineBarrier2 */
    VkPipelineStageFlags2 src_stages, dst_stages;
    VkAccessFlags2 src_accesses, dst_accesses; /* 0: the member is left out */
    const struct report_object *resource;      /* unused for FORM_MEMORY */
    VkDeviceSize offset, size;
    VkImageLayout old_layout, new_layout;
    VkImageSubresourceRange range;
};
/* report_mend.c: writes the barrier and the call that has it; each line follows a line break. */
void write_barrier_code(struct string_builder *text, const struct barrier_code *code);
/* Writes the repair in a line, and the code for it. */
void write_hazard_mend(struct string_builder *text, const struct report_facts *facts);

/* report_details.c: all texts of a hazard, in the form that a finding carries. */
struct hazard_texts {
    struct finding_details details;
    const char *sentence;
    struct string_builder builders[7];
    char buffers[7][1024];
};
void hazard_texts_write(struct hazard_texts *texts, const struct report_facts *facts,
                        bool with_properties);
void hazard_texts_end(struct hazard_texts *texts);

/* report_json.c writes {"hazard": ..., "this": {...}, "earlier": {...}, "between": ..., "mend":
 * ...} */
void write_hazard_json(struct string_builder *text, const struct report_facts *facts);

#endif
