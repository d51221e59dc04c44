/* The parts of a dump (dump.h) are written with these functions. They are about text for people and
 * JSON side by side, marks of suspicious values, objects and addresses. Private to the files
 * dump*.c. Threads: a dump is on the stack of the call that it is about. */
#ifndef ASSAY_GPU_DUMP_TEXT_H
#define ASSAY_GPU_DUMP_TEXT_H

#include "base/string_builder.h"
#include "objects/device.h"
#include "state/command/command_buffer.h"
#include "state/memory/device_address.h"
#include "state/pipeline/shader.h"

/* Elements of an array, structures and sequences beyond this number are counted, not listed. */
#define DUMP_ELEMENTS_MOST 16u

/* A shader that the command runs: a stage of the pipeline, or a shader object. */
struct dump_stage {
    const struct spirv_reflection *code; /* never NULL */
    const struct spirv_entry_point *entry;
};

#define DUMP_STAGES 16
struct dump {
    const struct call *call;
    const struct device *device;
    const struct command_buffer *command_buffer;
    const struct bind_point_state *bind; /* NULL: the command runs no shaders */
    /* NULL: shader objects are used, or the command runs no shaders */
    const struct pipeline *pipeline;
    /* one of the bound shader objects; NULL if there is a pipeline */
    const struct shader_object *object;
    uint32_t stage_count;
    struct dump_stage stages[DUMP_STAGES];
    bool heaps; /* the shaders use descriptors in heaps */
    struct string_builder text, json;
    struct string_builder marks, marks_json; /* marks that dump_marks_end() has not written yet */
    uint32_t wrong;                          /* number of marks so far */
};

/* Adds a mark, such as "! it was destroyed". dump_marks_end() writes it after the line of its
 * object. */
void dump_mark(struct dump *dump, const char *format, ...) PRINTF_LIKE(2, 3);
/* Ends an object, an address or a value: writes its marks, in JSON as the member "wrong". */
void dump_marks_end(struct dump *dump);

/* Writes an object: `VkBuffer 0x3 "vertices"`, in JSON a member with that key. NULL: it is gone,
 * which the caller marks. */
void dump_object(struct dump *dump, const char *key, enum handle_type type, struct object *object);
/* Writes a member with text of the program's, escaped, and a comma before it. */
void dump_json_text(struct dump *dump, const char *key, const char *text);

/* The requirements on an address by the command, or by the shader that reads it. */
struct dump_wanted {
    VkDeviceSize size;         /* bytes; 0: not known */
    VkBufferUsageFlags2 usage; /* the buffer needs one of these usages; 0: no requirement */
    VkDeviceSize alignment;    /* in bytes; 0: no requirement */
    /* the name of the limit that sets the alignment; NULL: it has no name */
    const char *alignment_of;
    bool may_be_null;
    /* the value may be something else than an address, so having no buffer is right */
    bool may_be_none;
};

/* Writes an address: "0x7f00 in VkBuffer 0x3 "values", at byte 512, 512 bytes left", with marks. In
 * JSON the members are address, object, at, left. */
void dump_address(struct dump *dump, VkDeviceAddress address, const struct dump_wanted *wanted);

/* Copies bytes at that address from the program's mapping. Returns false if the memory is not
 * mapped, or the address is not known. */
bool dump_read(const struct dump *dump, VkDeviceAddress address, void *copy,
               size_t size) MUST_CHECK;

/* --- the parts --- */

/* dump_sets.c: dumps the descriptors of a set that the shaders use. */
void dump_set(struct dump *dump, uint32_t number);
/* dump_images.c: dumps views and samplers by id. `usage` is a usage that the view must have; 0: no
 * requirement. */
void dump_view(struct dump *dump, uint64_t id, VkImageLayout layout, VkImageUsageFlags usage);
void dump_sampler(struct dump *dump, uint64_t id, bool immutable);
VkImageUsageFlags dump_image_usage(VkDescriptorType type);

/* dump_buffers.c: dumps a set in a descriptor buffer, and heaps. */
void dump_buffered_set(struct dump *dump, const struct bound_set *set, uint32_t number);
void dump_heaps(struct dump *dump);

/* Dumps device addresses among the push constants (dump_addresses.c). Returns false if the shaders
 * read no push constants. */
bool dump_pushed(struct dump *dump);

/* dump_indirect.c: dumps structures that a command reads from memory. */
void dump_copies(struct dump *dump, const VkStridedDeviceAddressRangeKHR *range, uint32_t count,
                 bool to_image);
void dump_generated(struct dump *dump, const VkGeneratedCommandsInfoEXT *info);

#endif
