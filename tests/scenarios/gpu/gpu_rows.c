/* The log says a finding of shaders as a sentence and rows. A messenger hears the text that it
 * always has. */
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_world.h"

#include "gpu_more.h"

#define LOGGED(...)                                                                       \
    GPU_SETTINGS("log_filename=log.txt", ##__VA_ARGS__), .features = &gpu_features_plain, \
        .ours_only = true

static char *read_log(void)
{
    FILE *file = fopen("log.txt", "r");
    char *text = calloc(1, 1 << 16);
    ENSURE(file && text);
    text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The log has the parts in this order. The list ends with NULL. */
static void expect_logged(const char *const *parts)
{
    char *text = read_log(), *at = text;
    for (; *parts; parts++) {
        at = strstr(at, *parts);
        if (!at) {
            scenario_fail(__FILE__, __LINE__, "%s does not have %s", text, *parts);
            break;
        }
        at += strlen(*parts) - 1; /* a part may begin with the line break that ends this one */
    }
    EXPECT(!strstr(text, "Command buffer (") && !strstr(text, "Shader Instruction Index"));
    free(text);
}
#define EXPECT_LOGGED(...) expect_logged((const char *const[]){__VA_ARGS__, NULL})

/* --- where it was --- */

#define LINE "result.value = textureLod(things[push.index], vec2(0.5), 0.0);"

static void read_past_the_array(struct baseline *b, struct gpu_code code)
{
    struct gpu g = gpu_of(b, gpu_kind_combined, gpu_stage_comp);
    g.code = code;
    g.index = 6;
    gpu_make(&g);
    gpu_name(b, VK_OBJECT_TYPE_DESCRIPTOR_SET, HANDLE(g.sets[0]), "material");
    gpu_run(&g);
}

SCENARIO(line_of_the_shader, LOGGED(), .expect = {"VUID-vkCmdDispatch-None-10068"},
         .text = {GPU_TEXT_INDEX(6, 6), " (set 0, binding 2 \"things\"). What VkDescriptorSet 0x",
                  "Shader Instruction Index = ", "in file: debug_info.comp at line 9."})
{
    read_past_the_array(b, GPU_CODE(spirv_debug_info));
    EXPECT_LOGGED("\n  vkCmdDispatch(): Index of 6 used to index descriptor array of length 6\n",
                  "\n    shader  debug_info.comp:9 compute invocation (",
                  "\n            9: " LINE "\n",
                  "\n    reads   set 0, binding 2 \"things\", element 6\n",
                  "\n    descriptor nothing, in VkDescriptorSet 0x", " \"material\"\n",
                  "\n    command vkCmdDispatch, command ", " of VkCommandBuffer 0x",
                  "\n    objects VkCommandBuffer 0x");
}

SCENARIO(no_line_of_the_shader, LOGGED(), .expect = {"VUID-vkCmdDispatch-None-10068"})
{
    read_past_the_array(b, GPU_CODE(spirv_debug_none));
    EXPECT_LOGGED("\n    shader  instruction ", " of VkShaderModule 0x", " compute invocation (",
                  ")\n    reads   set 0, binding 2");
}

/* --- what it accessed --- */

/* The buffer is pushed, and read where it has ended. */
static void read_pushed(struct baseline *b)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_STORAGE_WORD, gpu_stage_comp);
    g.layout_flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
    g.index = 64;
    gpu_make_resources(&g);
    gpu_name(b, VK_OBJECT_TYPE_BUFFER, HANDLE(g.common.buffer), "lights");
    gpu_make_layout(&g);
    gpu_make_pipeline(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    vkCmdBindPipeline(g.commands, g.bind_point, g.pipeline);
    const VkDescriptorBufferInfo result = {g.result, 0, VK_WHOLE_SIZE},
                                 thing = {g.common.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[1 + GPU_LENGTH] = {write_buffer(VK_NULL_HANDLE, &result)};
    for (uint32_t i = 0; i < GPU_LENGTH; i++) {
        writes[1 + i] = write_buffer(VK_NULL_HANDLE, &thing);
        writes[1 + i].dstBinding = 2;
        writes[1 + i].dstArrayElement = i;
    }
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (g.commands, g.bind_point, g.layout, 0, 1 + GPU_LENGTH, writes);
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
}
SCENARIO(pushed_buffer, LOGGED(), .extensions = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME},
         .expect = {"VUID-vkCmdDispatch-storageBuffers-06936"})
{
    read_pushed(b);
    EXPECT_LOGGED("\n    reads   4 bytes at byte 256 of set 0, binding 2 \"things\", element ",
                  "\n    descriptor pushed: VkBuffer 0x", " \"lights\"\n");
}

/* --- whose address it was --- */

/* Reads from where a buffer was, or is, in memory that is still there. */
static void read_address(struct baseline *b, bool destroy, uint32_t index)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory = memory_info(65536, 0);
    memory.pNext = &flags;
    VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                   VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &memory), 4096));
    gpu_name(b, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), "scene nodes");
    const VkBufferDeviceAddressInfo of = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer};
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = gpu_access_code(GPU_ADDRESS_WORD, gpu_stage_comp);
    g.address = vkGetBufferDeviceAddress(b->device, &of);
    g.index = index;
    if (destroy) {
        FORGET(b, buffer);
        vkDestroyBuffer(b->device, buffer, NULL);
    }
    gpu_make(&g);
    gpu_run(&g);
}

#define ADDRESS_ID "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819"
SCENARIO(freed_address, LOGGED("unique_handles=true"), .expect = {ADDRESS_ID},
         .text = {"which lies in no buffer that lives. The address is in VkBuffer ",
                  "\"scene nodes\", which was destroyed by "})
{
    read_address(b, true, 0);
    EXPECT_LOGGED(", which lies in no buffer that lives\n", "\n    reads   4 bytes at address 0x",
                  "\n    address in VkBuffer ", "\"scene nodes\", which was destroyed by ");
}
SCENARIO(address_past_the_end, LOGGED(), .expect = {ADDRESS_ID})
{
    read_address(b, false, 64);
    EXPECT_LOGGED(", which lies in no buffer that lives\n", "\n    reads   4 bytes at address 0x",
                  "\n    command vkCmdDispatch, command ");
}
