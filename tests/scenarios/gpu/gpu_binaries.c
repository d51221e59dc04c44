/* Binaries of shader objects: a program gets those of its own code, as without a layer. It may make
 * shaders of any that it has kept. */
#include "gpu/gpu_world.h"

#include <stdlib.h>
#include <string.h>

#define OUTSIDE(command_) "VUID-" command_ "-None-10068"

static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .shaderObject = VK_TRUE};
#define OBJECTS \
    GPU_SETTINGS(), .features = &shader_objects, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}

/* --- shaders and their binaries --- */

struct binary {
    void *data; /* owned */
    size_t size;
};

static const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 16};

static VkShaderCreateInfoEXT code_info(VkShaderStageFlagBits stage, struct gpu_code code,
                                       const VkDescriptorSetLayout *layout)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = stage,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = code.size,
                                   .pCode = code.words,
                                   .pName = "main",
                                   .setLayoutCount = 1,
                                   .pSetLayouts = layout,
                                   .pushConstantRangeCount = 1,
                                   .pPushConstantRanges = &range};
}

static void make_shaders(struct baseline *b, uint32_t count, const VkShaderCreateInfoEXT *infos,
                         VkShaderEXT *shaders)
{
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, count, infos, NULL, shaders));
    for (uint32_t i = 0; i < count; i++)
        cleanup_add(b, destroy_shader, HANDLE(shaders[i]));
}

static struct binary binary_from(VkDevice device, PFN_vkGetShaderBinaryDataEXT get,
                                 VkShaderEXT shader)
{
    struct binary binary = {0};
    VK(get(device, shader, &binary.size, NULL));
    binary.data = aligned_alloc(16, (binary.size + 15) / 16 * 16);
    VK(get(device, shader, &binary.size, binary.data));
    return binary;
}

static struct binary binary_of(struct baseline *b, VkShaderEXT shader)
{
    return binary_from(b->device, DEVICE_PROC(b, vkGetShaderBinaryDataEXT), shader);
}

static void use_binary(VkShaderCreateInfoEXT *info, const struct binary *binary)
{
    info->codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info->codeSize = binary->size;
    info->pCode = binary->data;
}

static void expect_same(const struct binary *one, const struct binary *other)
{
    EXPECT_EQUAL(one->size, other->size);
    EXPECT(one->size == other->size && !memcmp(one->data, other->data, one->size));
}

/* --- a compute shader --- */

static const float written[4] = {1, 2, 3, 4};

/* With what it reads, and what its layout is needed for. */
static struct gpu compute_world(struct baseline *b)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    gpu_fill(b, g.common.buffer, 0, written, sizeof(written));
    return g;
}

static VkShaderCreateInfoEXT binary_info(const struct gpu *g)
{
    return code_info(VK_SHADER_STAGE_COMPUTE_BIT, g->code, &g->set_layouts[0]);
}

static void dispatch_binary(struct gpu *g, VkShaderEXT shader)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    gpu_prepare(g);
    gpu_begin(g);
    DEVICE_PROC(g->b, vkCmdBindShadersEXT)(g->commands, 1, &stage, &shader);
    vkCmdBindDescriptorSets(g->commands, g->bind_point, g->layout, 0, 1, g->sets, 0, NULL);
    gpu_push(g);
    gpu_act(g);
    gpu_submit(g);
}

static void expect_result(struct gpu *g)
{
    float got[4];
    gpu_read(g->b, g->result, 0, got, sizeof(got));
    EXPECT(!memcmp(got, written, sizeof(got)));
}

SCENARIO(shader_of_a_binary_runs, OBJECTS)
{
    struct gpu g = compute_world(b);
    VkShaderCreateInfoEXT info = binary_info(&g);
    VkShaderEXT shaders[2];
    make_shaders(b, 1, &info, &shaders[0]);
    const struct binary first = binary_of(b, shaders[0]);
    use_binary(&info, &first);
    make_shaders(b, 1, &info, &shaders[1]);
    dispatch_binary(&g, shaders[1]);
    expect_result(&g);
    /* The same answer at any time, and of the shader that was made of it: */
    for (uint32_t i = 0; i < 2; i++) {
        const struct binary again = binary_of(b, shaders[i]);
        expect_same(&first, &again);
        free(again.data);
    }
    free(first.data);
}

/* A shader that runs is checked, whether or not the program has asked for its binary. */
SCENARIO(shader_with_a_binary_is_checked, OBJECTS, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 3: vkCmdDispatch"})
{
    struct gpu g = compute_world(b);
    const VkShaderCreateInfoEXT info = binary_info(&g);
    VkShaderEXT shader = VK_NULL_HANDLE;
    make_shaders(b, 1, &info, &shader);
    free(binary_of(b, shader).data);
    g.index = GPU_LENGTH;
    dispatch_binary(&g, shader);
}

SCENARIO(binary_does_not_fit, OBJECTS)
{
    struct gpu g = compute_world(b);
    const VkShaderCreateInfoEXT info = binary_info(&g);
    VkShaderEXT shader = VK_NULL_HANDLE;
    make_shaders(b, 1, &info, &shader);
    struct binary binary = binary_of(b, shader);
    size_t size = binary.size - 1;
    memset(binary.data, 0x5a, binary.size);
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shader, &size, binary.data),
                 VK_INCOMPLETE);
    for (size_t i = 0; i < binary.size; i++)
        EXPECT(((const unsigned char *)binary.data)[i] == 0x5a);
    free(binary.data);
}

/* The driver's own message about the binary is not a finding. */
static void forget_messages_of_the_driver(struct baseline *b)
{
    for (const struct seen *seen = b->first_seen; seen; seen = seen->next)
        EXPECT(strstr(seen->text, "VK_INCOMPATIBLE_SHADER_BINARY_EXT"));
    b->first_seen = NULL;
    b->last_seen = &b->first_seen;
}

SCENARIO(binary_that_is_none, OBJECTS)
{
    struct gpu g = compute_world(b);
    static const uint64_t garbage[32] __attribute__((aligned(16))) = {1, 2, 3};
    VkShaderCreateInfoEXT infos[2] = {binary_info(&g), binary_info(&g)};
    VkShaderEXT shaders[2];
    use_binary(&infos[1], &(struct binary){(void *)garbage, sizeof(garbage)});
    EXPECT_EQUAL(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 2, infos, NULL, shaders),
                 VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    EXPECT_EQUAL(HANDLE(shaders[1]), 0);
    if (shaders[0]) {
        free(binary_of(b, shaders[0]).data);
        destroy_shader(b, HANDLE(shaders[0]));
    }
    forget_messages_of_the_driver(b);
}

/* "The implementation must not access these objects outside of the duration of the command". */
SCENARIO(binary_after_the_set_layout, OBJECTS)
{
    struct gpu g = compute_world(b);
    const VkShaderCreateInfoEXT info = binary_info(&g);
    VkShaderEXT shaders[2];
    make_shaders(b, 1, &info, &shaders[0]);
    make_shaders(b, 1, &info, &shaders[1]);
    const struct binary before = binary_of(b, shaders[0]);
    forget_handle(b, HANDLE(g.set_layouts[0]));
    vkDestroyDescriptorSetLayout(b->device, g.set_layouts[0], NULL);
    const struct binary after = binary_of(b, shaders[1]);
    expect_same(&before, &after);
    free(before.data);
    free(after.data);
}

/* --- with and without the layer --- */

/* A device of the same driver's, which no layer knows of. */
struct plain {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
};

static struct plain plain_begin(struct baseline *b)
{
    static const float priority = 1;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const char *const extension = VK_EXT_SHADER_OBJECT_EXTENSION_NAME;
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &shader_objects,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    struct plain plain = {0};
    VK(vkCreateInstance(&info, NULL, &plain.instance));
    plain.physical_device = first_physical_device(plain.instance);
    VK(vkCreateDevice(plain.physical_device, &device, NULL, &plain.device));
    return plain;
}

static void plain_end(struct plain *plain)
{
    vkDestroyDevice(plain->device, NULL);
    vkDestroyInstance(plain->instance, NULL);
}

#define PLAIN(plain_, name_) ((PFN_##name_)vkGetDeviceProcAddr((plain_)->device, #name_))

/* The binary of a compute shader's code, where no layer is, with the layout of gpu_make_layout. */
static struct binary plain_binary(const struct plain *plain, const struct gpu *g)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, GPU_LENGTH, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, GPU_LENGTH, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 4,
        .pBindings = bindings};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(vkCreateDescriptorSetLayout(plain->device, &layout_info, NULL, &layout));
    const VkShaderCreateInfoEXT info = code_info(VK_SHADER_STAGE_COMPUTE_BIT, g->code, &layout);
    VK(PLAIN(plain, vkCreateShadersEXT)(plain->device, 1, &info, NULL, &shader));
    const struct binary binary =
        binary_from(plain->device, PLAIN(plain, vkGetShaderBinaryDataEXT), shader);
    PLAIN(plain, vkDestroyShaderEXT)(plain->device, shader, NULL);
    vkDestroyDescriptorSetLayout(plain->device, layout, NULL);
    return binary;
}

static VkPhysicalDeviceShaderObjectPropertiesEXT properties_of(VkPhysicalDevice physical_device)
{
    VkPhysicalDeviceShaderObjectPropertiesEXT objects = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &objects};
    vkGetPhysicalDeviceProperties2(physical_device, &properties);
    return objects;
}

SCENARIO(binary_without_the_layer_is_the_same, OBJECTS, .ours_only = true)
{
    struct gpu g = compute_world(b);
    struct plain plain = plain_begin(b);
    VkShaderCreateInfoEXT info = binary_info(&g);
    VkShaderEXT shaders[2];
    make_shaders(b, 1, &info, &shaders[0]);
    const struct binary ours = binary_of(b, shaders[0]), theirs = plain_binary(&plain, &g);
    expect_same(&ours, &theirs);
    const VkPhysicalDeviceShaderObjectPropertiesEXT here = properties_of(b->physical_device),
                                                    there = properties_of(plain.physical_device);
    EXPECT(!memcmp(here.shaderBinaryUUID, there.shaderBinaryUUID, VK_UUID_SIZE));
    EXPECT_EQUAL(here.shaderBinaryVersion, there.shaderBinaryVersion);
    use_binary(&info, &theirs);
    make_shaders(b, 1, &info, &shaders[1]);
    dispatch_binary(&g, shaders[1]);
    expect_result(&g);
    plain_end(&plain);
    free(ours.data);
    free(theirs.data);
}

/* --- linked shaders --- */

SCENARIO(binaries_of_linked_shaders, OBJECTS)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_frag);
    gpu_make_layout(&g);
    VkShaderCreateInfoEXT infos[2] = {
        code_info(VK_SHADER_STAGE_VERTEX_BIT, gpu_plain_code(gpu_stage_vert), g.set_layouts),
        code_info(VK_SHADER_STAGE_FRAGMENT_BIT, g.code, g.set_layouts)};
    VkShaderEXT shaders[2], again[2];
    struct binary binaries[2];
    infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    for (uint32_t i = 0; i < 2; i++)
        infos[i].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    make_shaders(b, 2, infos, shaders);
    /* One may go before the other is asked: */
    binaries[0] = binary_of(b, shaders[0]);
    forget_handle(b, HANDLE(shaders[0]));
    destroy_shader(b, HANDLE(shaders[0]));
    binaries[1] = binary_of(b, shaders[1]);
    for (uint32_t i = 0; i < 2; i++)
        use_binary(&infos[i], &binaries[i]);
    make_shaders(b, 2, infos, again);
    for (uint32_t i = 0; i < 2; i++) {
        const struct binary of_it = binary_of(b, again[i]);
        expect_same(&binaries[i], &of_it);
        free(of_it.data);
        free(binaries[i].data);
    }
}

/* --- what is said of it --- */

/* The layer says once, as information, that it does not check anything in them. */
SCENARIO(binaries_are_not_checked, GPU_SETTINGS("report_flags=error,warn,info"),
         .features = &shader_objects, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME},
         .ours_only = true)
{
    struct gpu g = compute_world(b);
    gpu_listen(b, "made of binaries run as they are");
    VkShaderCreateInfoEXT info = binary_info(&g);
    VkShaderEXT shader = VK_NULL_HANDLE;
    make_shaders(b, 1, &info, &shader);
    const struct binary binary = binary_of(b, shader);
    EXPECT_EQUAL(gpu_heard(), 0);
    use_binary(&info, &binary);
    make_shaders(b, 1, &info, &shader);
    make_shaders(b, 1, &info, &shader);
    EXPECT_EQUAL(gpu_heard(), 1);
    free(binary.data);
}
