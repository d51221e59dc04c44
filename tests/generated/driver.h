/* The generated test cases stand on this: memory, handles, the chain, and the world around a call.
 */
#ifndef ASSAY_TESTS_GENERATED_DRIVER_H
#define ASSAY_TESTS_GENERATED_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include "../../src/vk/window_systems.h"

/* One rule and the change that breaks it. */
struct test_case {
    const char *vuid;
    void (*change)(void *args);
    bool second_device; /* the call is made on a device that was created without queues */
    /* needs a physical device without VK_KHR_maintenance5, with which a query takes any value */
    bool strict;
    bool custom; /* a structure that is unknown, unless custom_stype_list names it */
    bool among;  /* breaks other rules as well */
};

struct test_command_info {
    const char *name;
    size_t size; /* of its arguments */
    void (*fill)(void *args);
    void (*call)(const void *args);
    bool of_device;          /* comes from vkGetDeviceProcAddr */
    const char *first_alive; /* the rule that the first parameter be a live object, or NULL */
    const struct test_case *cases;
    unsigned case_count;
    const char *no_valid_call; /* why the valid call is not made, or NULL */
};

extern const struct test_command_info *const test_command_list[];
extern const unsigned test_command_count;

/* Zeroed memory that lives as long as the process of one command. */
void *test_allocate(size_t size);
/* More zeroed bytes at the end of each allocation: a row's case may raise the count of an array of
 * one element. */
extern size_t test_spare_size;
void *test_memory(void);                             /* a page, for what a void pointer points to */
void *test_value_array(uint64_t value, size_t size); /* an array whose first element is `value` */
void *test_handle_array(uint64_t handle);            /* likewise */
void *test_pointer_array(void *pointer);             /* likewise */
void *test_count(size_t size);                       /* a count of 1 that is pointed to */
const char *const *test_strings(void);
const char *const *test_layer_names(void);
const char *const *test_extension_names(void);
/* An instance that the loader agrees to make, with a messenger in its chain. */
void test_prepare_instance(const VkInstanceCreateInfo *info);
void test_callback(void); /* for a function pointer that is never called */

/* Puts `structure` (at least a VkBaseInStructure) at the front of the chain of `head`, and returns
 * it. */
void *test_chain(void *head, void *structure, size_t size);
/* Sets a member of a structure in the chain of `info`, which is added where it is not there: a
 * feature that a device is asked to enable. */
void test_enable(void *info, VkStructureType type, size_t size, size_t offset);
/* Copies: of `count` elements that are all alike, of an array, of names up to a NULL. */
void *test_array(const void *element, size_t size, size_t count);
void *test_copy(const void *memory, size_t size);
const char *const *test_names(const char *const *names);
void *test_unknown_structure(void); /* whose sType the registry does not have */
void test_chain_cycle(void *head);  /* a chain that does not end */
void test_make_secondary(VkCommandBuffer *command_buffer);

/* The device's limits, and any of its structures of properties. */
const VkPhysicalDeviceLimits *test_limits(void);
const void *test_properties(VkStructureType type, size_t size);
/* The structure of that type of what the device can do with a profile of that operation. */
const void *test_video_capabilities(VkVideoCodecOperationFlagBitsKHR operation,
                                    VkStructureType type);

/* objects.c: objects that have what a sentence asks for; they are made whatever the layer says of
 * that. */
VkCommandBuffer
test_command_buffer(VkCommandPoolCreateFlags flags); /* of a pool with these flags */
VkVideoSessionKHR test_video_session(VkVideoCodecOperationFlagBitsKHR operation);
void test_begin_video_coding(VkCommandBuffer command_buffer, VkVideoSessionKHR session);
VkDeviceAddress test_address_of(VkBufferUsageFlags2 usage, VkBufferCreateFlags create);
/* Likewise, of a buffer whose memory was freed. */
VkDeviceAddress test_address_freed(VkBufferUsageFlags2 usage, VkBufferCreateFlags create);
VkDeviceAddress
test_address(VkBufferUsageFlags2 usage); /* of a buffer with this usage, and
                                            VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT */
VkImage test_image(VkImageCreateFlags flags, VkSampleCountFlagBits samples);
VkBuffer test_buffer(bool bound);
/* Bound to memory of that type; with a `device_mask`, of these physical devices of the group. */
VkBuffer test_buffer_in(uint32_t memory_type, uint32_t device_mask);
VkAccelerationStructureKHR test_acceleration_structure(VkBuffer buffer);
VkAccelerationStructureKHR test_acceleration_structure_at(VkDeviceAddress address);
VkImage test_bound_image(bool bound);
VkMicromapEXT test_micromap(VkBuffer buffer);
/* Leaves one color attachment to a render pass of one subpass, which is then in order. */
void test_simple_pass(VkRenderPassCreateInfo *info);
/* Says whether the messenger answers VK_TRUE while no case listens. */
void test_refuse(bool refuse);

/* A command as the app gets it from the loader; NULL when the layer and the driver have no such
 * command. */
PFN_vkVoidFunction test_proc(const char *name, bool of_device);
/* With `use`, commands of instances and physical devices are the layer's own functions. The
 * loader's before them end the process when they do not know the object. */
void test_use_layer_functions(bool use);

/* Writes through a const pointer: the cases break what they have made themselves. */
#define SET(lvalue_, value_)                                                  \
    do {                                                                      \
        __typeof__(lvalue_) set_value = (value_);                             \
        memcpy((void *)(uintptr_t)&(lvalue_), &set_value, sizeof(set_value)); \
    } while (0)

#endif
