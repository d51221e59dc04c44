/* Copying, filling and updating buffers. */
#include "scenario.h"

#define SIZE 256

/* A valid copy of the whole of one buffer to another; a scenario breaks one thing. */
struct copy {
    VkBuffer source, target;
    VkBufferCopy regions[2];
    uint32_t count;
    bool second_form;
};

static struct copy plain_buffer_copy(struct baseline *b)
{
    return (struct copy){.source = make_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                         .target = make_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                         .regions = {{0, 0, SIZE}, {0, 0, 4}},
                         .count = 1};
}

static void record_buffer_copy(struct baseline *b, const struct copy *c)
{
    if (!c->second_form) {
        vkCmdCopyBuffer(make_recording(b), c->source, c->target, c->count, c->regions);
        return;
    }
    VkBufferCopy2 regions[2];
    for (uint32_t i = 0; i < c->count; i++)
        regions[i] = (VkBufferCopy2){VK_STRUCTURE_TYPE_BUFFER_COPY_2, NULL, c->regions[i].srcOffset,
                                     c->regions[i].dstOffset, c->regions[i].size};
    VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                              .srcBuffer = c->source,
                              .dstBuffer = c->target,
                              .regionCount = c->count,
                              .pRegions = regions};
    vkCmdCopyBuffer2(make_recording(b), &info);
}

/* A copy with one mistake: what changes the valid one, and the id. */
#define COPY(name_, vuid_, change_)            \
    SCENARIO(name_, .expect = {"VUID-" vuid_}) \
    {                                          \
        struct copy c = plain_buffer_copy(b);  \
        change_;                               \
        record_buffer_copy(b, &c);             \
    }
#define COPY_VALID(name_, change_)            \
    SCENARIO(name_)                           \
    {                                         \
        struct copy c = plain_buffer_copy(b); \
        change_;                              \
        record_buffer_copy(b, &c);            \
    }

COPY_VALID(copy_whole, )
COPY_VALID(copy_whole_2, c.second_form = true)
COPY_VALID(copy_last_bytes, c.regions[0] = ((VkBufferCopy){SIZE - 1, SIZE - 2, 1}))
COPY(copy_from_behind_the_end, "vkCmdCopyBuffer-srcOffset-00113",
     c.regions[0] = ((VkBufferCopy){SIZE, 0, 1}))
COPY(copy_from_far_behind_the_end, "vkCmdCopyBuffer-srcOffset-00113",
     c.regions[0] = ((VkBufferCopy){UINT64_MAX, 0, 1}))
COPY(copy_from_behind_the_end_2, "VkCopyBufferInfo2-srcOffset-00113",
     c.regions[0] = ((VkBufferCopy){SIZE, 0, 1});
     c.second_form = true)
COPY(copy_to_behind_the_end, "vkCmdCopyBuffer-dstOffset-00114",
     c.regions[0] = ((VkBufferCopy){0, SIZE + 4, 1}))
COPY(copy_more_than_there_is, "vkCmdCopyBuffer-size-00115",
     c.target = make_buffer(b, 2 * SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
     c.regions[0] = ((VkBufferCopy){4, 0, SIZE}))
COPY(copy_almost_everything_there_is_in_64_bits, "vkCmdCopyBuffer-size-00115",
     c.target = make_buffer(b, 2 * SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
     c.regions[0] = ((VkBufferCopy){4, 0, SIZE + 1}))
COPY(copy_more_than_fits, "vkCmdCopyBuffer-size-00116",
     c.regions[0] = ((VkBufferCopy){0, 8, SIZE - 4}))
COPY(copy_more_than_fits_2, "VkCopyBufferInfo2-size-00116",
     c.regions[0] = ((VkBufferCopy){0, 8, SIZE - 4});
     c.second_form = true)
COPY(copy_nothing, "VkBufferCopy-size-01988", c.regions[0].size = 0)
COPY(copy_nothing_2, "VkBufferCopy2-size-01988", c.regions[0].size = 0; c.second_form = true)
COPY(copy_from_wrong_usage, "vkCmdCopyBuffer-srcBuffer-00118",
     c.source = make_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT))
COPY(copy_to_wrong_usage, "vkCmdCopyBuffer-dstBuffer-00120",
     c.target = make_buffer(b, SIZE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT))
COPY(copy_to_itself, "vkCmdCopyBuffer-pRegions-00117",
     c.source = c.target = make_buffer(b, SIZE,
                                       VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                           VK_BUFFER_USAGE_TRANSFER_DST_BIT);
     c.regions[0] = ((VkBufferCopy){0, 63, 64}))
COPY_VALID(copy_beside_itself,
           c.source = c.target = make_buffer(b, SIZE,
                                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT);
           c.regions[0] = ((VkBufferCopy){0, 64, 64}))
COPY(copy_twice_to_one_place, "vkCmdCopyBuffer-pRegions-12482", c.count = 2; c.regions[0].size = 8;
     c.regions[1] = ((VkBufferCopy){16, 4, 8}))
COPY_VALID(copy_to_two_places, c.count = 2; c.regions[0].size = 8;
           c.regions[1] = ((VkBufferCopy){0, 8, 8}))

static VkBuffer unbound_copy_buffer(struct baseline *b, VkBufferUsageFlags usage)
{
    VkBufferCreateInfo info = buffer_info(SIZE, usage);
    return create_buffer(b, &info);
}

COPY(copy_from_unbound, "vkCmdCopyBuffer-srcBuffer-00119",
     c.source = unbound_copy_buffer(b, VK_BUFFER_USAGE_TRANSFER_SRC_BIT))
COPY(copy_to_unbound, "vkCmdCopyBuffer-dstBuffer-00121",
     c.target = unbound_copy_buffer(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT))

SCENARIO(copy_memory_of_two_buffers, .expect = {"VUID-vkCmdCopyBuffer-pRegions-00117"})
{
    struct copy c = plain_buffer_copy(b);
    VkBufferCreateInfo info = buffer_info(SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkBuffer alias = create_buffer(b, &info);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, alias, &requirements);
    VK(vkBindBufferMemory(b->device, alias, buffer_memory(b, c.target), 0));
    c.source = alias;
    record_buffer_copy(b, &c);
}

/* --- fill ------------------------------------------------------------------------------------- */

static void fill_copy_buffer(struct baseline *b, VkBufferUsageFlags usage, VkDeviceSize offset,
                             VkDeviceSize size)
{
    vkCmdFillBuffer(make_recording(b), make_buffer(b, SIZE, usage), offset, size, 7);
}

#define FILL(name_, vuid_, usage_, offset_, size_)             \
    SCENARIO(name_, .expect = {"VUID-vkCmdFillBuffer-" vuid_}) \
    {                                                          \
        fill_copy_buffer(b, usage_, offset_, size_);           \
    }
#define DST VK_BUFFER_USAGE_TRANSFER_DST_BIT

SCENARIO(fill_last_word)
{
    fill_copy_buffer(b, DST, SIZE - 4, 4);
}

SCENARIO(fill_the_rest)
{
    fill_copy_buffer(b, DST, 4, VK_WHOLE_SIZE);
}

SCENARIO(fill_from_behind_the_end, .expect = {"VUID-vkCmdFillBuffer-dstOffset-00024"},
         .text = {"dstOffset is 256, not less than size of VkBuffer"})
{
    fill_copy_buffer(b, DST, SIZE, VK_WHOLE_SIZE);
}

FILL(fill_too_much, "size-00027", DST, 8, SIZE)
FILL(fill_wrong_usage, "dstBuffer-00029", VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 0, 4)

SCENARIO(fill_unbound, .expect = {"VUID-vkCmdFillBuffer-dstBuffer-00031"},
         .text = {"is not bound to memory"})
{
    vkCmdFillBuffer(make_recording(b), unbound_copy_buffer(b, DST), 0, 4, 7);
}

SCENARIO(fill_freed_memory, .expect = {"VUID-vkCmdFillBuffer-dstBuffer-00031"},
         .text = {"which is not bound to memory any more: that was freed"})
{
    VkBuffer buffer = make_buffer(b, SIZE, DST);
    FORGET(b, buffer_memory(b, buffer));
    vkFreeMemory(b->device, buffer_memory(b, buffer), NULL);
    vkCmdFillBuffer(make_recording(b), buffer, 0, 4, 7);
}

SCENARIO(fill_on_transfer_queue_of_1_0, .expect = {"VUID-vkCmdFillBuffer-apiVersion-07894"},
         .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_0)
{
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    vkCmdFillBuffer(make_recording_of(b, family), make_buffer(b, SIZE, DST), 0, 4, 7);
}

SCENARIO(fill_on_transfer_queue, .drivers = NULL_DRIVER)
{
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_TRANSFER_BIT,
                                        VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
    vkCmdFillBuffer(make_recording_of(b, family), make_buffer(b, SIZE, DST), 0, 4, 7);
}

/* --- update ----------------------------------------------------------------------------------- */

static const uint32_t data[65536 / 4 + 1];

static void update_copy_buffer(struct baseline *b, VkBufferUsageFlags usage, VkDeviceSize size,
                               VkDeviceSize offset, VkDeviceSize updated)
{
    vkCmdUpdateBuffer(make_recording(b), make_buffer(b, size, usage), offset, updated, data);
}

#define UPDATE(name_, vuid_, usage_, size_, offset_, updated_)   \
    SCENARIO(name_, .expect = {"VUID-vkCmdUpdateBuffer-" vuid_}) \
    {                                                            \
        update_copy_buffer(b, usage_, size_, offset_, updated_); \
    }

SCENARIO(update_most)
{
    update_copy_buffer(b, DST, 65536 + 4, 4, 65536);
}

UPDATE(update_from_behind_the_end, "dstOffset-00032", DST, SIZE, SIZE, 4)
UPDATE(update_too_much, "dataSize-00033", DST, SIZE, 8, SIZE)
UPDATE(update_wrong_usage, "dstBuffer-00034", VK_BUFFER_USAGE_TRANSFER_SRC_BIT, SIZE, 0, 4)

SCENARIO(update_unbound, .expect = {"VUID-vkCmdUpdateBuffer-dstBuffer-00035"})
{
    vkCmdUpdateBuffer(make_recording(b), unbound_copy_buffer(b, DST), 0, 4, data);
}

/* --- protected memory ------------------------------------------------------------------------- */

static const VkPhysicalDeviceProtectedMemoryFeatures protected_memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .protectedMemory = VK_TRUE};
#define PROTECTED                                          \
    .drivers = NULL_DRIVER, .features = &protected_memory, \
    .null_driver = "{\"properties\": {\"protectedNoFault\": false}}"

static const VkBufferCopy some = {0, 0, 64};

SCENARIO(copy_from_protected, PROTECTED, .expect = {"VUID-vkCmdCopyBuffer-commandBuffer-01822"})
{
    vkCmdCopyBuffer(make_recording(b),
                    make_protected_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                    make_buffer(b, SIZE, DST), 1, &some);
}

SCENARIO(copy_to_protected, PROTECTED, .expect = {"VUID-vkCmdCopyBuffer-commandBuffer-01823"})
{
    vkCmdCopyBuffer(make_recording(b), make_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                    make_protected_buffer(b, SIZE, DST), 1, &some);
}

SCENARIO(copy_protected_to_unprotected, PROTECTED,
         .expect = {"VUID-vkCmdCopyBuffer-commandBuffer-01824"})
{
    vkCmdCopyBuffer(make_protected_recording(b),
                    make_protected_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                    make_buffer(b, SIZE, DST), 1, &some);
}

SCENARIO(copy_protected, PROTECTED)
{
    vkCmdCopyBuffer(make_protected_recording(b),
                    make_protected_buffer(b, SIZE, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                    make_protected_buffer(b, SIZE, DST), 1, &some);
}

SCENARIO(fill_protected, PROTECTED, .expect = {"VUID-vkCmdFillBuffer-commandBuffer-01811"})
{
    vkCmdFillBuffer(make_recording(b), make_protected_buffer(b, SIZE, DST), 0, 4, 7);
}

SCENARIO(fill_unprotected, PROTECTED, .expect = {"VUID-vkCmdFillBuffer-commandBuffer-01812"})
{
    vkCmdFillBuffer(make_protected_recording(b), make_buffer(b, SIZE, DST), 0, 4, 7);
}

SCENARIO(update_protected, PROTECTED, .expect = {"VUID-vkCmdUpdateBuffer-commandBuffer-01813"})
{
    vkCmdUpdateBuffer(make_recording(b), make_protected_buffer(b, SIZE, DST), 0, 4, data);
}

SCENARIO(update_unprotected, PROTECTED, .expect = {"VUID-vkCmdUpdateBuffer-commandBuffer-01814"})
{
    vkCmdUpdateBuffer(make_protected_recording(b), make_buffer(b, SIZE, DST), 0, 4, data);
}

SCENARIO(fill_and_update_protected, PROTECTED)
{
    VkCommandBuffer command_buffer = make_protected_recording(b);
    VkBuffer buffer = make_protected_buffer(b, SIZE, DST);
    vkCmdFillBuffer(command_buffer, buffer, 0, 4, 7);
    vkCmdUpdateBuffer(command_buffer, buffer, 4, 4, data);
}
