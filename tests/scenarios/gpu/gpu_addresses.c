/* Buffer device addresses in shaders: past the end of a buffer, between two, of one that is gone,
 * of none. Some are not aligned as the access says. Wherever they lead, there is memory of the
 * scenario's, or safe mode. */
#include "gpu/gpu_world.h"

#include <string.h>

#include "gpu_descriptors.h"
#include "gpu_more.h"

#define RANGE_ID     "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819"
#define ALIGNMENT_ID "VUID-RuntimeSpirv-PhysicalStorageBuffer64-06315"
#define SAFE         GPU_SETTINGS("gpuav_safe_mode=true"), .features = &gpu_features_plain
#define MEMORY_SIZE  65536
#define SIZE         256

/* One piece of memory, zeros, with two buffers of SIZE bytes in it, far from its ends and from each
 * other. */
struct place {
    VkDeviceMemory memory;
    VkBuffer first, second;
    VkDeviceAddress address, second_address;
};
#define FIRST_OFFSET  4096
#define SECOND_OFFSET 16384

static VkDeviceAddress address_of_buffer(struct baseline *b, VkBuffer buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer};
    return vkGetBufferDeviceAddress(b->device, &info);
}

static VkBuffer make_buffer_at(struct baseline *b, VkDeviceMemory memory, VkDeviceSize offset,
                               VkDeviceSize size)
{
    VkBufferCreateInfo info = buffer_info(size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VK(vkBindBufferMemory(b->device, buffer, memory, offset));
    return buffer;
}

static struct place make_place(struct baseline *b)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = memory_info(MEMORY_SIZE, 0);
    info.pNext = &flags;
    struct place p = {.memory = create_memory(b, &info)};
    void *bytes = NULL;
    VK(vkMapMemory(b->device, p.memory, 0, VK_WHOLE_SIZE, 0, &bytes));
    for (uint32_t *word = bytes; word < (uint32_t *)bytes + MEMORY_SIZE / 4; word++)
        *word = 0;
    vkUnmapMemory(b->device, p.memory);
    p.first = make_buffer_at(b, p.memory, FIRST_OFFSET, SIZE);
    p.second = make_buffer_at(b, p.memory, SECOND_OFFSET, SIZE);
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_BUFFER,
        .objectHandle = HANDLE(p.first),
        .pObjectName = "first"};
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &name));
    p.address = address_of_buffer(b, p.first);
    p.second_address = address_of_buffer(b, p.second);
    return p;
}

static void access_at(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                      VkDeviceAddress address, uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.address = address;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

/* --- stages --- */

#define STAGE(stage_, text_, command_, device_)                                                  \
    SCENARIO(stage_##_past_the_end, DEVICE_##device_, .expect = {RANGE_ID},                      \
             .text = {"Words(push.address).values[push.index]", GPU_TEXT_STAGE(text_), command_, \
                      "Read of 4 bytes at device address"})                                      \
    {                                                                                            \
        access_at(b, gpu_stage_##stage_, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_##stage_),  \
                  make_place(b).address, SIZE / 4, 0);                                           \
    }                                                                                            \
    SCENARIO(stage_##_last_word, DEVICE_##device_)                                               \
    {                                                                                            \
        access_at(b, gpu_stage_##stage_, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_##stage_),  \
                  make_place(b).address, SIZE / 4 - 1, 0);                                       \
    }
#define DEVICE_plain                         GPU
#define DEVICE_mesh                          GPU_WITH_MESH
#define DEVICE_rays                          GPU_WITH_RAYS
#define PLAIN(stage_, bit_, command_, text_) STAGE(stage_, text_, command_, plain)
#define MESH(stage_, bit_, command_, text_)  STAGE(stage_, text_, command_, mesh)
#define RAYS(stage_, bit_, command_, text_)  STAGE(stage_, text_, command_, rays)
GPU_GRAPHICS_STAGES_X(PLAIN)
GPU_COMPUTE_STAGES_X(PLAIN)
GPU_MESH_STAGES_X(MESH)
GPU_RAY_STAGES_X(RAYS)

/* --- kinds of accesses --- */

#define AT(name_, device_, code_, address_, index_, other_, ...)                                \
    SCENARIO(name_, device_, ##__VA_ARGS__)                                                     \
    {                                                                                           \
        struct place p = make_place(b);                                                         \
        (void)p;                                                                                \
        access_at(b, gpu_stage_comp, GPU_CODE(spirv_##code_##_comp), address_, index_, other_); \
    }
#define WRONG(...)      .expect = {RANGE_ID}, .text = {"Stage = Compute.", ##__VA_ARGS__}
#define MISALIGNED(...) .expect = {ALIGNMENT_ID}, .text = {"Stage = Compute.", ##__VA_ARGS__}

AT(before_the_begin, GPU, address_word, p.address - 4, 0, 0, WRONG("Words(push.address)"))
AT(first_word, GPU, address_word, p.address, 0, 0)
AT(between_two_buffers, GPU, address_word, p.address + 2048, 0, 0, WRONG())
AT(of_the_second_buffer, GPU, address_word, p.address, (SECOND_OFFSET - FIRST_OFFSET) / 4, 0)
AT(of_no_buffer, SAFE, address_word, 0x10000, 0, 0,
   WRONG("Read of 4 bytes at device address 0x10000, which lies in no buffer that lives"))
AT(null, SAFE, address_word, 0, 0, 0, WRONG())
AT(store_past_the_end, GPU, address_store, p.address, SIZE / 4, 0,
   WRONG("values[push.index] = 7u", "Write of 4 bytes"))
AT(store_last, GPU, address_store, p.address, SIZE / 4 - 1, 0)
AT(atomic_past_the_end, GPU, address_atomic, p.address, SIZE / 4, 0, WRONG("atomicAdd"))
AT(atomic_last, GPU, address_atomic, p.address, SIZE / 4 - 1, 0)
AT(vector_past_the_end, GPU, address_vector, p.address, SIZE / 16, 0, WRONG())
AT(vector_last, GPU, address_vector, p.address, SIZE / 16 - 1, 0)
AT(vector_across_the_end, GPU, address_unaligned_vector, p.address + 8, SIZE / 16 - 1, 0,
   WRONG("has only 8 bytes left", "The address is byte 248 of VkBuffer 0x",
         " \"first\", which has 256 bytes."))
AT(vector_at_the_end, GPU, address_unaligned_vector, p.address, SIZE / 16 - 1, 0)
AT(loop_past_the_end, GPU, address_sum, p.address, SIZE / 4 + 1, 0, WRONG())
AT(loop, GPU, address_sum, p.address, SIZE / 4, 0)
AT(copies_past_the_end, GPU, address_variable, p.address, SIZE / 4 - 3, 1, WRONG())
AT(copies, GPU, address_variable, p.address, SIZE / 4 - 4, 1)

/* --- matrices by rows --- */

AT(column_of_rows_last, GPU, address_rows_column, p.address, SIZE / 32 - 1, 3)
AT(column_of_rows_across_the_end, GPU, address_rows_column, p.address + 4, SIZE / 32 - 1, 3,
   WRONG("matrices[push.index][push.other] = vec2", "Write of 20 bytes", "has only 16 bytes left"))
AT(first_of_column_last, GPU, address_rows_first, p.address + 16, SIZE / 32 - 1, 3)
AT(first_of_column_past_the_end, GPU, address_rows_first, p.address + 20, SIZE / 32 - 1, 3,
   WRONG("Write of 4 bytes"))
AT(second_of_column_last, GPU, address_rows_second, p.address, SIZE / 32 - 1, 3)
AT(second_of_column_past_the_end, GPU, address_rows_second, p.address + 4, SIZE / 32 - 1, 3,
   WRONG("Write of 4 bytes"))

/* --- alignment --- */

AT(vector_misaligned, GPU, address_vector, p.address + 4, 0, 0,
   MISALIGNED("Vectors(push.address)",
              "which is not a multiple of the 16 bytes that the shader's Aligned operand says",
              "The address is byte 4 of VkBuffer 0x", " \"first\", which has 256 bytes."))
AT(vector_misaligned_by_half, GPU, address_vector, p.address + 8, 0, 0, MISALIGNED())
AT(vector_aligned, GPU, address_vector, p.address + 16, 0, 0)
AT(vector_that_may_be_misaligned, GPU, address_unaligned_vector, p.address + 4, 0, 0)
AT(word_misaligned, GPU, address_word, p.address + 2, 0, 0, MISALIGNED())

/* --- several accesses through one pointer: each is reported as if it was alone --- */

#define WRONG_TWICE(...) .expect = {RANGE_ID, RANGE_ID}, .text = {"Stage = Compute.", ##__VA_ARGS__}

AT(parts_last, GPU, address_parts, p.address + SIZE - 16, 0, 0)
AT(parts_of_which_the_last_is_past_the_end, GPU, address_parts, p.address + SIZE - 12, 0, 0,
   WRONG("parts.rest[1]", "Read of 4 bytes", "which lies in no buffer that lives"))
AT(parts_of_which_two_are_past_the_end, GPU, address_parts, p.address + SIZE - 8, 0, 0,
   WRONG_TWICE("parts.rest[0]", "parts.rest[1]"))
AT(parts_of_which_the_first_is_before_the_begin, GPU, address_parts, p.address - 4, 0, 0,
   WRONG("parts.first"))
AT(parts_of_which_two_are_before_the_begin, GPU, address_parts, p.address - 8, 0, 0,
   WRONG_TWICE("parts.first", "parts.second"))
AT(parts_of_no_buffer, SAFE, address_parts, 0x10000, 0, 0,
   .expect = {RANGE_ID, RANGE_ID, RANGE_ID, RANGE_ID},
   .text = {"parts.first", "parts.second", "parts.rest[0]", "parts.rest[1]",
            "device address 0x1000c, which lies in no buffer that lives"})
AT(parts_misaligned, GPU, address_parts, p.address + 2, 0, 0,
   .expect = {ALIGNMENT_ID, ALIGNMENT_ID, ALIGNMENT_ID, ALIGNMENT_ID},
   .text = {"parts.first", "parts.second", "parts.rest[0]", "parts.rest[1]",
            "The address is byte 14 of VkBuffer 0x"})
AT(parts_of_which_one_is_misaligned, GPU, address_parts_aligned, p.address + 4, 0, 0,
   .expect = {ALIGNMENT_ID, ALIGNMENT_ID}, .text = {"pairs.first", "pairs.third"})
AT(parts_aligned, GPU, address_parts_aligned, p.address + SIZE - 16, 0, 0)
AT(parts_stored, GPU, address_parts_stored, p.address + SIZE - 16, 0, 0)
AT(parts_stored_past_the_end, GPU, address_parts_stored, p.address + SIZE - 8, 0, 0,
   WRONG_TWICE("parts.rest[0] = 3u", "atomicAdd", "Write of 4 bytes"))
AT(parts_between_calls_last, GPU, address_parts_between_calls, p.address + SIZE - 16, 0, 0)
AT(parts_between_calls_past_the_end, GPU, address_parts_between_calls, p.address + SIZE - 8, 0, 0,
   WRONG_TWICE("parts.rest[0]", "parts.rest[1]"))
AT(parts_in_two_buffers, GPU, address_parts_apart, p.address, 0, 0)
AT(parts_between_two_buffers, GPU, address_parts_apart, p.address + SIZE - 4, 0, 0,
   WRONG("apart.second"))
AT(parts_by_index_last, GPU, address_parts_by_index, p.address, SIZE / 4 - 3, SIZE / 4 - 3)
AT(parts_by_index_past_the_end, GPU, address_parts_by_index, p.address, SIZE / 4 - 2, 0,
   WRONG("parts.rest[push.index]"))
AT(parts_by_two_indices_past_the_end, GPU, address_parts_by_index, p.address, SIZE / 4 - 2,
   SIZE / 4, WRONG_TWICE("parts.rest[push.index]", "parts.rest[push.other]"))
AT(parts_by_index_in_another_buffer, GPU, address_parts_by_index, p.address,
   (SECOND_OFFSET - FIRST_OFFSET) / 4, 0)
AT(parts_in_a_branch_not_taken, GPU, address_parts_in_a_branch, p.address - 8, 0, 0)
AT(parts_in_a_branch_taken, GPU, address_parts_in_a_branch, p.address - 8, 0, 1,
   WRONG_TWICE("parts.first", "parts.second"))
AT(parts_behind_a_branch_not_taken, GPU, address_parts_behind_a_branch, p.address + SIZE - 8, 0, 0)
AT(parts_behind_a_branch_taken, GPU, address_parts_behind_a_branch, p.address + SIZE - 8, 0, 1,
   WRONG_TWICE("parts.rest[0]", "parts.rest[1]"))
AT(parts_in_a_loop, GPU, address_parts_in_a_loop, p.address, 4, SIZE / 4 - 1)
AT(parts_in_a_loop_past_the_end, GPU, address_parts_in_a_loop, p.address, 4, SIZE / 4,
   WRONG("parts.second"))
AT(parts_replaced, GPU, address_parts_replaced, p.address, SIZE - 8, 0)
AT(parts_replaced_past_the_end, GPU, address_parts_replaced, p.address, SIZE - 4, 0,
   WRONG("result.value.w = float(parts.second)"))
AT(parts_replaced_by_right_ones, GPU, address_parts_replaced, p.address + SIZE - 4, UINT32_MAX - 7,
   0, WRONG("result.value.y = float(parts.second)"))
AT(parts_in_rows_last, GPU, address_rows_parts, p.address + SIZE - 32, 0, 0)
AT(parts_in_rows_across_the_end, GPU, address_rows_parts, p.address + SIZE - 28, 0, 0,
   WRONG("rows.matrices[0][3] = vec2(2.0)", "Write of 20 bytes", "has only 16 bytes left"))
AT(parts_in_rows_by_index_past_the_end, GPU, address_rows_parts, p.address, SIZE / 32, 0,
   WRONG("rows.matrices[push.index][1].x", "Read of 4 bytes"))

/* The function that is called after the second access may discard. */
static void access_before_discard(struct baseline *b, uint32_t discard)
{
    access_at(b, gpu_stage_frag, GPU_CODE(spirv_address_parts_discarded_frag),
              make_place(b).address + SIZE - 8, 0, discard);
}
SCENARIO(parts_behind_a_discard, GPU)
{
    access_before_discard(b, 1);
}
SCENARIO(parts_where_nothing_is_discarded, GPU, .expect = {RANGE_ID, RANGE_ID},
         .text = {"Stage = Fragment.", "parts.rest[0]", "parts.rest[1]"})
{
    access_before_discard(b, 0);
}

/* --- many accesses, each in a branch: what is not accessed is not reported --- */

#define BIT(i_)  (1u << (i_))
#define THIRTEEN (SIZE - 8 - 4 * 13) /* after this many bytes, rest[13] lies past the end */

AT(branches_not_taken, GPU, address_parts_in_branches, p.address, THIRTEEN, 0)
AT(branches_last, GPU, address_parts_in_branches, p.address, THIRTEEN, BIT(0) | BIT(12))
AT(branches_past_the_end, GPU, address_parts_in_branches, p.address, THIRTEEN, BIT(12) | BIT(13),
   WRONG("parts.rest[13]", "Read of 4 bytes"))
AT(branches_two_past_the_end, GPU, address_parts_in_branches, p.address, THIRTEEN,
   BIT(0) | BIT(13) | BIT(25), WRONG_TWICE("parts.rest[13]", "parts.rest[25]"))
AT(branches_all, GPU, address_parts_in_branches, p.address, 0, UINT32_MAX)
AT(branches_misaligned, GPU, address_parts_in_branches, p.address, 2, BIT(3),
   MISALIGNED("parts.rest[3]", "The address is byte 22 of VkBuffer 0x"))
AT(branches_of_no_buffer, SAFE, address_parts_in_branches, 0x10000, 0, BIT(3) | BIT(4),
   WRONG_TWICE("parts.rest[3]", "parts.rest[4]",
               "device address 0x10018, which lies in no buffer that lives"))
AT(branches_of_no_buffer_not_taken, SAFE, address_parts_in_branches, 0x10000, 0, 0)
AT(branches_of_pushed_last, GPU, address_parts_in_branches_of_pushed, p.address + THIRTEEN, 0,
   BIT(12))
AT(branches_of_pushed_past_the_end, GPU, address_parts_in_branches_of_pushed, p.address + THIRTEEN,
   0, BIT(13), WRONG(".rest[13]"))
AT(branches_of_the_second, GPU, address_parts_in_branches_of_two, p.address - 512, 512, BIT(13))
AT(branches_of_the_second_past_the_end, GPU, address_parts_in_branches_of_two, p.address, THIRTEEN,
   BIT(13), WRONG("parts.rest[13]"))
AT(branches_of_a_loop_last, GPU, address_parts_in_branches_of_a_loop, p.address + THIRTEEN, 10,
   BIT(3))
AT(branches_of_a_loop_past_the_end, GPU, address_parts_in_branches_of_a_loop, p.address + THIRTEEN,
   11, BIT(3), WRONG("parts.rest[3]"))

/* --- pointers in memory --- */

/* The pointer is stored between two loads of it, through one that may lead elsewhere. */
static void load_again(struct baseline *b, uint32_t offset)
{
    struct place p = make_place(b);
    char *bytes = NULL;
    VK(vkMapMemory(b->device, p.memory, 0, VK_WHOLE_SIZE, 0, (void **)&bytes));
    *(VkDeviceAddress *)(void *)(bytes + FIRST_OFFSET) = p.second_address;
    vkUnmapMemory(b->device, p.memory);
    access_at(b, gpu_stage_comp, GPU_CODE(spirv_address_parts_loaded_again_comp), p.address, offset,
              0);
}

SCENARIO(pointer_stored_and_loaded, GPU)
{
    load_again(b, SIZE - 8);
}

SCENARIO(pointer_past_the_end_stored_and_loaded, GPU,
         WRONG("result.value.w = float(holder.parts.second)"))
{
    load_again(b, SIZE - 4);
}

/* In safe mode a load that is not aligned as it says is not done, and gives zero. Another load of
 * the same pointer, which promises less, is done. */
static void load_of_two_alignments(struct baseline *b, uint32_t place, uint32_t offset)
{
    struct place p = make_place(b);
    char *bytes = NULL;
    const VkDeviceAddress pointer = p.second_address + offset;
    VK(vkMapMemory(b->device, p.memory, 0, VK_WHOLE_SIZE, 0, (void **)&bytes));
    memcpy(bytes + FIRST_OFFSET + place, &pointer, sizeof(pointer));
    vkUnmapMemory(b->device, p.memory);
    access_at(b, gpu_stage_comp, GPU_CODE(spirv_loaded_of_two_alignments), p.address + place, 0, 0);
}

SCENARIO(pointer_loaded_of_two_alignments, SAFE)
{
    load_of_two_alignments(b, 16, SIZE - 4);
}

SCENARIO(pointer_of_two_alignments_misaligned, SAFE, .expect = {ALIGNMENT_ID, RANGE_ID},
         .text = {"the 16 bytes that the shader's Aligned operand says",
                  "device address 0x0, which lies in no buffer that lives"})
{
    load_of_two_alignments(b, 8, SIZE - 4);
}

SCENARIO(pointer_of_two_alignments_leads_out, SAFE, .expect = {ALIGNMENT_ID, RANGE_ID, RANGE_ID},
         .text = {"the 16 bytes that the shader's Aligned operand says",
                  "device address 0x0, which lies in no buffer that lives",
                  "Read of 4 bytes at device address"})
{
    load_of_two_alignments(b, 8, SIZE);
}

SCENARIO(pointer_in_memory_null, SAFE, .expect = {RANGE_ID, RANGE_ID},
         .text = {"device address 0x0, which lies in no buffer that lives"})
{
    struct place p = make_place(b);
    access_at(b, gpu_stage_comp, GPU_CODE(spirv_loaded_of_two_alignments), p.address, 0, 0);
}

struct node {
    VkDeviceAddress next;
    uint32_t value, padding;
};

static void walk_list(struct baseline *b, VkDeviceAddress (*last)(const struct place *p))
{
    struct place p = make_place(b);
    char *bytes = NULL;
    VK(vkMapMemory(b->device, p.memory, 0, VK_WHOLE_SIZE, 0, (void **)&bytes));
    *(struct node *)(void *)(bytes + FIRST_OFFSET) = (struct node){p.second_address + 32, 5, 0};
    *(struct node *)(void *)(bytes + SECOND_OFFSET + 32) = (struct node){p.address + 64, 7, 0};
    *(struct node *)(void *)(bytes + FIRST_OFFSET + 64) = (struct node){last(&p), 9, 0};
    vkUnmapMemory(b->device, p.memory);
    access_at(b, gpu_stage_comp, GPU_CODE(spirv_address_list_comp), p.address, 0, 0);
}

static VkDeviceAddress end_of_list(const struct place *p)
{
    (void)p;
    return 0;
}

static VkDeviceAddress behind_second(const struct place *p)
{
    return p->second_address + SIZE;
}

SCENARIO(list, GPU)
{
    walk_list(b, end_of_list);
}

SCENARIO(list_that_leads_out, GPU, WRONG("node"))
{
    walk_list(b, behind_second);
}

static VkDeviceAddress address_of_nothing(const struct place *p)
{
    (void)p;
    return 0x10000;
}

SCENARIO(list_that_leads_nowhere, SAFE,
         WRONG("node", "device address 0x10000, which lies in no buffer"))
{
    walk_list(b, address_of_nothing);
}

/* --- lifetimes --- */

static void forget_and_destroy(struct baseline *b, VkBuffer buffer)
{
    FORGET(b, buffer);
    vkDestroyBuffer(b->device, buffer, NULL);
}

SCENARIO(destroyed_before_recording, GPU, WRONG())
{
    struct place p = make_place(b);
    forget_and_destroy(b, p.first);
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp), p.address, 0,
              0);
}

SCENARIO(other_one_destroyed, GPU)
{
    struct place p = make_place(b);
    forget_and_destroy(b, p.second);
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp), p.address, 0,
              0);
}

SCENARIO(destroyed_and_made_anew, GPU)
{
    struct place p = make_place(b);
    forget_and_destroy(b, p.first);
    make_buffer_at(b, p.memory, FIRST_OFFSET, SIZE);
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp), p.address,
              SIZE / 4 - 1, 0);
}

/* Two buffers in the same memory: each address is in one of them. */
SCENARIO(overlapping_buffers, GPU)
{
    struct place p = make_place(b);
    make_buffer_at(b, p.memory, FIRST_OFFSET + 128, SIZE);
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp), p.address,
              SIZE / 4 + 31, 0);
}

SCENARIO(overlapping_buffer_destroyed, GPU)
{
    struct place p = make_place(b);
    forget_and_destroy(b, make_buffer_at(b, p.memory, FIRST_OFFSET + 128, SIZE));
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp), p.address,
              SIZE / 4 - 1, 0);
}

SCENARIO(behind_a_destroyed_overlapping_buffer, GPU, WRONG())
{
    struct place p = make_place(b);
    forget_and_destroy(b, make_buffer_at(b, p.memory, FIRST_OFFSET + 128, SIZE));
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp), p.address,
              SIZE / 4, 0);
}

/* The buffers that there are when the command runs count. */
static void change_after_recording(struct baseline *b, bool make)
{
    struct place p = make_place(b);
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp);
    g.address = make ? p.address + 1024 : p.address;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_record(&g);
    if (make)
        make_buffer_at(b, p.memory, FIRST_OFFSET + 1024, SIZE);
    else
        forget_and_destroy(b, p.first);
    gpu_submit(&g);
}

SCENARIO(made_after_recording, GPU)
{
    change_after_recording(b, true);
}

SCENARIO(destroyed_after_recording, GPU, WRONG())
{
    change_after_recording(b, false);
}

/* Many buffers: the address is looked up in all of them. */
#define MANY 200
static void access_among_many(struct baseline *b, uint32_t which, uint32_t offset)
{
    struct place p = make_place(b);
    VkDeviceAddress address = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t slot = i * 77 % MANY; /* in no order */
        VkBuffer buffer = make_buffer_at(b, p.memory, SECOND_OFFSET + 1024 + slot * 192, 128);
        if (slot == which)
            address = address_of_buffer(b, buffer);
    }
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp),
              address + offset, 0, 0);
}

#define AMONG(name_, which_)                              \
    SCENARIO(many_buffers_##name_##_begin, GPU)           \
    {                                                     \
        access_among_many(b, which_, 0);                  \
    }                                                     \
    SCENARIO(many_buffers_##name_##_last, GPU)            \
    {                                                     \
        access_among_many(b, which_, 124);                \
    }                                                     \
    SCENARIO(many_buffers_##name_##_behind, GPU, WRONG()) \
    {                                                     \
        access_among_many(b, which_, 128);                \
    }
AMONG(first, 0)
AMONG(middle, 101)
AMONG(latest, MANY - 1)

/* --- the setting --- */

SCENARIO(addresses_off, GPU_SETTINGS("gpuav_buffer_address_oob=false"),
         .features = &gpu_features_plain)
{
    access_at(b, gpu_stage_comp, gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp),
              make_place(b).address, SIZE / 4, 0);
}
