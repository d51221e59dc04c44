/* Remembers data for dumps (dump.h) that the state tracker does not. These are pushed and bound
 * data, the data that descriptors in memory were made from, and layouts. That is done only if a
 * setting requests dumps. */
#ifndef ASSAY_GPU_DUMP_NOTES_H
#define ASSAY_GPU_DUMP_NOTES_H

#include "objects/device.h"
#include "state/command/command_buffer.h"
#include "gpu/device/areas.h"

/* The most bytes of push constants, and of pushed data, that are kept; maxPushConstantsSize is 256
 * on most hardware. */
#define DUMP_PUSH_MOST 512u

struct dump_push {
    uint8_t bytes[DUMP_PUSH_MOST];
    bool known[DUMP_PUSH_MOST]; /* the byte was pushed since vkBeginCommandBuffer */
};

enum dump_heap_kind { DUMP_HEAP_SAMPLERS, DUMP_HEAP_RESOURCES, DUMP_HEAP_COUNT };
struct dump_heap {
    bool bound;
    VkDeviceAddressRangeEXT range;
    VkDeviceSize reserved_offset, reserved_size;
};

/* The dump's notes of a command buffer: gpu_in_command_buffer(command_buffer)->dump. They are kept
 * with the memory of struct command_buffer, which is never freed. Threads: the command buffer's. */
struct dump_recording {
    struct dump_push constants[BIND_POINTS];
    struct dump_push data; /* vkCmdPushDataEXT */
    struct dump_heap heaps[DUMP_HEAP_COUNT];
};

/* The parameters from which the driver made a descriptor in memory. */
struct dump_descriptor {
    uint64_t key; /* descriptor_bytes_key() of the bytes and type; 0: the entry is empty */
    VkDescriptorType type;
    VkImageLayout layout;
    VkFormat format;
    VkDeviceAddress address;
    VkDeviceSize range;
    uint64_t view, sampler; /* ids; 0 = none */
    uint64_t image;         /* id, for a descriptor in a heap, which has no view; 0 = none */
};

/* A type and size of descriptors that have been written into heaps. */
struct dump_size {
    VkDescriptorType type;
    uint32_t size;
};
#define DUMP_SIZES_MOST 16u

struct dump_binding {
    uint32_t binding, count;
    VkDescriptorType type;
    VkDeviceSize offset;
};

/* The offsets of a set's bindings in a descriptor buffer. Const once it is in the list. */
struct dump_layout {
    struct dump_layout *next;
    uint64_t compatibility; /* descriptor_layout::compatibility */
    uint32_t count;
    struct dump_binding bindings[];
};

/* A token of generated commands. */
struct dump_token {
    VkIndirectCommandsTokenTypeEXT type;
    uint32_t offset;
    uint32_t size;  /* bytes of constants, or of pushed data */
    uint32_t first; /* first byte of the push constants; or the vertex buffer's binding */
};

/* A layout of generated commands. Const once it is in the list. */
struct dump_commands_layout {
    struct dump_commands_layout *next;
    uint64_t id;
    uint32_t stride, count;
    struct dump_token tokens[];
};

/* The size of the table of descriptors: sets of DUMP_DESCRIPTOR_WAYS entries, selected by key. The
 * oldest entry of a set is replaced. It takes 6 MB, allocated with the first descriptor. */
#define DUMP_DESCRIPTOR_SETS 16384u
#define DUMP_DESCRIPTOR_WAYS 4u

/* The dump's notes of a device: gpu_in_device(device)->dump. Lock: the lock in dump_notes.c guards
 * all members. Lists only grow while the device lives. */
struct dump_device {
    struct dump_layout *_Atomic layouts;
    struct dump_commands_layout *_Atomic commands;
    struct dump_descriptor *descriptors; /* owned; NULL until the first is kept */
    uint32_t oldest;                     /* index of the entry of a set that is replaced next */
    uint32_t size_count;
    struct dump_size sizes[DUMP_SIZES_MOST];
};

/* Finds the layout for set layouts that are "identically defined"; NULL: not known. Threads:
 * any. */
const struct dump_layout *dump_layout_find(const struct device *device, uint64_t compatibility);
/* Finds the layout of a VkIndirectCommandsLayoutEXT, which may have been destroyed. NULL: not
 * known. */
const struct dump_commands_layout *dump_commands_layout_find(const struct device *device,
                                                             uint64_t id);
/* Finds the data that these bytes were made from, as a descriptor of this type. Returns false if
 * they are not known, or not any more. Threads: any. */
bool dump_descriptor_find(const struct device *device, VkDescriptorType type, const void *bytes,
                          size_t size, struct dump_descriptor *found) MUST_CHECK;

/* Reads the sizes of descriptors that have been written into heaps. Returns the number of `sizes`.
 * Threads: any. */
uint32_t dump_sizes_read(const struct device *device, struct dump_size sizes[DUMP_SIZES_MOST]);

/* --- functions for the generated hooks (dump_hooks.c) --- */

void dump_device_begin(struct call *call);
void dump_device_end(struct call *call);
void dump_recording_begin(struct call *call, const VkCommandBufferBeginInfo *info);
void dump_note_constants(struct call *call, VkShaderStageFlags stages, uint32_t offset,
                         uint32_t size, const void *values);
void dump_note_data(struct call *call, const VkPushDataInfoEXT *info);
void dump_note_heap(struct call *call, enum dump_heap_kind kind, const VkBindHeapInfoEXT *info);
void dump_note_descriptor(struct call *call, const VkDescriptorGetInfoEXT *info, size_t size,
                          const void *bytes);
void dump_note_resources(struct call *call, uint32_t count,
                         const VkResourceDescriptorInfoEXT *infos,
                         const VkHostAddressRangeEXT *places);
void dump_note_layout(struct call *call, VkDescriptorSetLayout layout);
void dump_note_commands_layout(struct call *call, const VkIndirectCommandsLayoutCreateInfoEXT *info,
                               VkIndirectCommandsLayoutEXT layout);

#endif
