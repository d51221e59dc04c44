/* Tensors (VK_ARM_tensors, VK_ARM_tensor_controls): descriptions, creation, views, memory. */
#include "scenario.h"

#include "shader_descriptor_contents.h"

static const VkPhysicalDeviceTensorFeaturesARM packed_alone = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM, .tensors = VK_TRUE};
static const VkPhysicalDeviceTensorFeaturesARM with_gaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM,
    .tensorNonPacked = VK_TRUE,
    .tensors = VK_TRUE};

#define ON(features_) \
    .drivers = NULL_DRIVER, .features = &(features_), .extensions = {"VK_ARM_tensors"}
#define LIMITS(values_) .null_driver = "{\"properties\": {" values_ "}}"

/* A linear tensor of 4 x 8 elements of 2 bytes, packed. */
struct tensor {
    int64_t dimensions[4], strides[4];
    VkTensorDescriptionARM description;
    VkTensorCreateInfoARM info;
};

static void fill_tensor(struct tensor *t)
{
    *t = (struct tensor){.dimensions = {4, 8}, .strides = {16, 2}};
    t->description = (VkTensorDescriptionARM){.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
                                              .tiling = VK_TENSOR_TILING_LINEAR_ARM,
                                              .format = VK_FORMAT_R16_SFLOAT,
                                              .dimensionCount = 2,
                                              .pDimensions = t->dimensions,
                                              .pStrides = t->strides,
                                              .usage = VK_TENSOR_USAGE_SHADER_BIT_ARM |
                                                       VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM |
                                                       VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM};
    t->info = (VkTensorCreateInfoARM){.sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM,
                                      .pDescription = &t->description,
                                      .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
}

static void destroy_tensor(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyTensorARM)(b->device, (VkTensorARM)(uintptr_t)handle, NULL);
}

static VkTensorARM create_tensor(struct baseline *b, const VkTensorCreateInfoARM *info)
{
    VkTensorARM tensor = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateTensorARM)(b->device, info, NULL, &tensor) == VK_SUCCESS && tensor)
        cleanup_add(b, destroy_tensor, HANDLE(tensor));
    return tensor;
}

#define TENSOR(name_, change_, features_, ...)    \
    SCENARIO(name_, ON(features_), ##__VA_ARGS__) \
    {                                             \
        struct tensor t;                          \
        fill_tensor(&t);                          \
        change_;                                  \
        create_tensor(b, &t.info);                \
    }
#define DESCRIPTION(id_) .expect = {"VUID-VkTensorDescriptionARM-" id_}
#define INFO(id_)        .expect = {"VUID-VkTensorCreateInfoARM-" id_}

TENSOR(tensor_right, , packed_alone)
TENSOR(tensor_of_gaps, t.strides[0] = 32, with_gaps)
TENSOR(tensor_without_strides, t.description.pStrides = NULL, packed_alone)
TENSOR(tensor_two_components, t.description.format = VK_FORMAT_R8G8_UNORM, packed_alone,
       DESCRIPTION("format-09735"))
TENSOR(tensor_no_format, t.description.format = VK_FORMAT_UNDEFINED, packed_alone,
       DESCRIPTION("format-09735"))
TENSOR(tensor_empty, t.dimensions[0] = 0, packed_alone, DESCRIPTION("pDimensions-09734"),
       .text = {"pDescription->pDimensions[0] is 0"})
TENSOR(tensor_long, t.dimensions[0] = 17, packed_alone, DESCRIPTION("pDimensions-09883"),
       LIMITS("\"maxPerDimensionTensorElements\": 16"))
TENSOR(tensor_as_long_as_may_be, t.dimensions[0] = 16, packed_alone,
       LIMITS("\"maxPerDimensionTensorElements\": 16"))
TENSOR(tensor_last_stride, (t.strides[1] = 4, t.strides[0] = 32), with_gaps,
       DESCRIPTION("pStrides-09736"))
TENSOR(tensor_odd_stride, t.strides[0] = 17, with_gaps, DESCRIPTION("pStrides-09737"))
TENSOR(tensor_no_stride, t.strides[0] = 0, with_gaps, DESCRIPTION("pStrides-09738"))
TENSOR(tensor_far_stride, t.strides[0] = 66, with_gaps, DESCRIPTION("pStrides-09738"),
       LIMITS("\"maxTensorStride\": 64"))
TENSOR(tensor_overlapping, t.strides[0] = 14, with_gaps, DESCRIPTION("pStrides-09739"),
       .text = {"pDescription->pStrides[0] is 14, but pStrides[1] * pDimensions[1] is 16"})
TENSOR(tensor_gaps_without_feature, t.strides[0] = 32, packed_alone, DESCRIPTION("None-09740"))
TENSOR(tensor_large, t.strides[0] = 18, with_gaps, DESCRIPTION("pStrides-09884"),
       LIMITS("\"maxTensorSize\": 64"))
TENSOR(tensor_as_large_as_may_be, , with_gaps, LIMITS("\"maxTensorSize\": 64"))
#define ALIASING                                          \
    (t.description.tiling = VK_TENSOR_TILING_OPTIMAL_ARM, \
     t.description.usage = VK_TENSOR_USAGE_IMAGE_ALIASING_BIT_ARM, t.description.pStrides = NULL)
TENSOR(tensor_aliasing_wide, ALIASING, packed_alone, DESCRIPTION("tiling-09741"))
TENSOR(tensor_aliasing, (ALIASING, t.dimensions[1] = 4), packed_alone)
TENSOR(tensor_many_elements, , packed_alone, INFO("tensorElements-09721"),
       LIMITS("\"maxTensorElements\": 31"))
TENSOR(tensor_as_many_elements_as_may_be, , packed_alone, LIMITS("\"maxTensorElements\": 32"))
#define SHARED(...)                                                        \
    const uint32_t families[] = {__VA_ARGS__};                             \
    t.info.sharingMode = VK_SHARING_MODE_CONCURRENT;                       \
    t.info.queueFamilyIndexCount = sizeof(families) / sizeof(families[0]); \
    t.info.pQueueFamilyIndices = families
TENSOR(tensor_shared_by_one_twice, SHARED(0, 0), packed_alone, INFO("sharingMode-09725"))
TENSOR(tensor_shared_with_nobody,
       (t.info.sharingMode = VK_SHARING_MODE_CONCURRENT, t.info.queueFamilyIndexCount = 2),
       packed_alone, INFO("sharingMode-09722"))
TENSOR(tensor_shared, SHARED(0, 1), packed_alone)

/* --- VK_ARM_tensor_controls --- */

/* 4 x 8 bytes in bricks that are 4 rows high, of which a row has 16 elements. */
#define ROLLING(name_, change_, ...)                                                              \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &packed_alone,                            \
             .extensions = {"VK_ARM_tensors", "VK_ARM_tensor_controls"}, ##__VA_ARGS__)           \
    {                                                                                             \
        struct tensor t;                                                                          \
        VkTensorRollingBackingCreateInfoARM rolling = {                                           \
            .sType = VK_STRUCTURE_TYPE_TENSOR_ROLLING_BACKING_CREATE_INFO_ARM, .wraps = {4, 32}}; \
        fill_tensor(&t);                                                                          \
        t.dimensions[0] = 8;                                                                      \
        t.dimensions[1] = 32;                                                                     \
        t.description.format = VK_FORMAT_R8_SINT;                                                 \
        t.description.tiling = VK_TENSOR_TILING_BRICK_4_WIDE_ARM;                                 \
        t.description.pStrides = NULL;                                                            \
        t.info.pNext = &rolling;                                                                  \
        change_;                                                                                  \
        create_tensor(b, &t.info);                                                                \
    }
#define WRAPS(id_) .expect = {"VUID-VkTensorRollingBackingCreateInfoARM-wraps-" id_}
ROLLING(rolling_right, )
ROLLING(rolling_by_rows, rolling.wraps[1] = 16)
ROLLING(rolling_outside, rolling.wraps[0] = 12, WRAPS("09835"))
ROLLING(rolling_far, (t.dimensions[0] = 1 << 20, rolling.wraps[0] = 1 << 16), WRAPS("09836"))
ROLLING(rolling_whole, (t.dimensions[0] = 1 << 20, rolling.wraps[0] = 1 << 20))
ROLLING(rolling_after_an_odd_one,
        (t.dimensions[0] = 12, rolling.wraps[0] = 12, t.dimensions[1] = 64, rolling.wraps[1] = 48),
        WRAPS("09837"))
ROLLING(rolling_between_bricks, rolling.wraps[0] = 2, WRAPS("09838"))
ROLLING(rolling_part_of_a_row, rolling.wraps[1] = 8, WRAPS("09839"))
#define BLOCK                                                         \
    (t.description.tiling = VK_TENSOR_TILING_BLOCK_U_INTERLEAVED_ARM, \
     t.description.pStrides = NULL, t.info.pNext = NULL)
ROLLING(block_wide, BLOCK, DESCRIPTION("tiling-09842"))
ROLLING(block_right, (BLOCK, t.dimensions[1] = 4))

/* --- memory --- */

static VkTensorARM make_tensor(struct baseline *b)
{
    struct tensor t;
    fill_tensor(&t);
    return create_tensor(b, &t.info);
}

static void bind_tensor(struct baseline *b, VkTensorARM tensor, VkDeviceMemory memory,
                        VkDeviceSize offset)
{
    const VkBindTensorMemoryInfoARM info = {.sType = VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM,
                                            .tensor = tensor,
                                            .memory = memory,
                                            .memoryOffset = offset};
    DEVICE_PROC(b, vkBindTensorMemoryARM)(b->device, 1, &info);
}

/* As large as the null driver says of any tensor. */
#define NEEDED 65536

static VkDeviceMemory make_dedicated(struct baseline *b, VkTensorARM tensor, VkDeviceSize size)
{
    const VkMemoryDedicatedAllocateInfoTensorARM dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM, .tensor = tensor};
    VkMemoryAllocateInfo info = memory_info(size, 0);
    info.pNext = &dedicated;
    return create_memory(b, &info);
}

static void make_tensor_view(struct baseline *b, VkTensorARM tensor, VkFormat format)
{
    const VkTensorViewCreateInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM, .tensor = tensor, .format = format};
    VkTensorViewARM view = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateTensorViewARM)(b->device, &info, NULL, &view) == VK_SUCCESS && view)
        DEVICE_PROC(b, vkDestroyTensorViewARM)(b->device, view, NULL);
}

#define BINDS(name_, ...) SCENARIO(name_, ON(packed_alone), ##__VA_ARGS__)
#define BIND(id_)         .expect = {"VUID-VkBindTensorMemoryInfoARM-" id_}
BINDS(bind_right)
{
    VkTensorARM tensor = make_tensor(b);
    bind_tensor(b, tensor, make_memory(b, NEEDED + 4096), 4096);
    make_tensor_view(b, tensor, VK_FORMAT_R16_SFLOAT);
}
BINDS(bind_again, BIND("tensor-09712"))
{
    VkTensorARM tensor = make_tensor(b);
    bind_tensor(b, tensor, make_memory(b, NEEDED), 0);
    bind_tensor(b, tensor, make_memory(b, NEEDED), 0);
}
/* The null driver's lazily allocated memory is for attachments. */
BINDS(bind_to_a_wrong_type, BIND("memory-09714"))
{
    VkMemoryAllocateInfo info = memory_info(NEEDED, 4);
    bind_tensor(b, make_tensor(b), create_memory(b, &info), 0);
}
BINDS(bind_between, BIND("memoryOffset-09715"))
{
    bind_tensor(b, make_tensor(b), make_memory(b, NEEDED + 4096), 8);
}
BINDS(bind_too_far, BIND("size-09716"), .text = {"but the tensor needs 65536"})
{
    bind_tensor(b, make_tensor(b), make_memory(b, NEEDED), 4096);
}
BINDS(bind_dedicated)
{
    VkTensorARM tensor = make_tensor(b);
    bind_tensor(b, tensor, make_dedicated(b, tensor, NEEDED), 0);
}
BINDS(bind_dedicated_elsewhere, .expect = {"VUID-VkBindTensorMemoryInfoARM-memory-09806",
                                           "VUID-VkBindTensorMemoryInfoARM-size-09716"})
{
    VkTensorARM tensor = make_tensor(b);
    const VkMemoryDedicatedAllocateInfoTensorARM dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM, .tensor = tensor};
    VkMemoryAllocateInfo info = memory_info(NEEDED, 0);
    info.pNext = &dedicated;
    bind_tensor(b, tensor, create_memory(b, &info), 256);
}
BINDS(bind_exported, BIND("memory-09895"))
{
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkMemoryAllocateInfo info = memory_info(NEEDED, 0);
    info.pNext = &exported;
    bind_tensor(b, make_tensor(b), create_memory(b, &info), 0);
}
BINDS(dedicated_too_large,
      .expect = {"VUID-VkMemoryDedicatedAllocateInfoTensorARM-allocationSize-09710"})
{
    make_dedicated(b, make_tensor(b), NEEDED * 2);
}
BINDS(view_of_unbound, .expect = {"VUID-VkTensorViewCreateInfoARM-tensor-09749"})
{
    make_tensor_view(b, make_tensor(b), VK_FORMAT_R16_SFLOAT);
}
BINDS(view_of_incompatible_format, .expect = {"VUID-VkTensorViewCreateInfoARM-tensor-09744"})
{
    struct tensor t;
    fill_tensor(&t);
    t.info.flags = VK_TENSOR_CREATE_MUTABLE_FORMAT_BIT_ARM;
    VkTensorARM tensor = create_tensor(b, &t.info);
    bind_tensor(b, tensor, make_memory(b, NEEDED), 0);
    make_tensor_view(b, tensor, VK_FORMAT_R16_SINT); /* this is */
    make_tensor_view(b, tensor, VK_FORMAT_R8_SINT);
}

BINDS(destroyed_in_use, .expect = {"VUID-vkDestroyTensorARM-tensor-09730"},
      .text = {"tensor is in use by VkCommandBuffer 0x"})
{
    VkTensorARM tensors[2] = {make_tensor(b), make_tensor(b)};
    for (int i = 0; i < 2; i++)
        bind_tensor(b, tensors[i], make_memory(b, NEEDED), 0);
    const VkTensorCopyARM whole = {.sType = VK_STRUCTURE_TYPE_TENSOR_COPY_ARM};
    const VkCopyTensorInfoARM copy = {.sType = VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM,
                                      .srcTensor = tensors[0],
                                      .dstTensor = tensors[1],
                                      .regionCount = 1,
                                      .pRegions = &whole};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyTensorARM)(commands, &copy);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = submit_info(&commands);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    DEVICE_PROC(b, vkDestroyTensorARM)(b->device, tensors[0], NULL);
    VK(vkDeviceWaitIdle(b->device));
}

BINDS(bind_without_dedicated, BIND("tensor-09717"), .null_driver = "{\"dedicated\": true}")
{
    bind_tensor(b, make_tensor(b), make_memory(b, NEEDED), 0);
}

/* --- protected tensors --- */

static const VkPhysicalDeviceProtectedMemoryFeatures protected_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)&packed_alone,
    .protectedMemory = VK_TRUE};
enum { PROTECTED_TYPE = 5 };

static VkTensorARM make_protected(struct baseline *b)
{
    struct tensor t;
    fill_tensor(&t);
    t.info.flags = VK_TENSOR_CREATE_PROTECTED_BIT_ARM;
    return create_tensor(b, &t.info);
}
static VkDeviceMemory make_protected_tensor_memory(struct baseline *b)
{
    VkMemoryAllocateInfo info = memory_info(NEEDED, PROTECTED_TYPE);
    return create_memory(b, &info);
}
#define PROTECTED(name_, ...) SCENARIO(name_, ON(protected_features), ##__VA_ARGS__)
PROTECTED(bind_unprotected, BIND("tensor-09718"))
{
    bind_tensor(b, make_protected(b), make_memory(b, NEEDED), 0);
}
PROTECTED(bind_protected, BIND("tensor-09719"))
{
    bind_tensor(b, make_tensor(b), make_protected_tensor_memory(b), 0);
}
PROTECTED(bind_both_protected)
{
    VkTensorARM tensor = make_protected(b);
    bind_tensor(b, tensor, make_protected_tensor_memory(b), 0);
}

/* --- what dispatches access --- */

static const VkPhysicalDeviceTensorFeaturesARM accessed = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM,
    .shaderTensorAccess = VK_TRUE,
    .tensors = VK_TRUE};

static void destroy_tensor_view(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyTensorViewARM)(b->device, (VkTensorViewARM)(uintptr_t)handle, NULL);
}

static VkTensorViewARM view_of(struct baseline *b, const struct tensor *t)
{
    const VkTensorARM tensor = create_tensor(b, &t->info);
    bind_tensor(b, tensor, make_memory(b, NEEDED), 0);
    const VkTensorViewCreateInfoARM info = {.sType = VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM,
                                            .tensor = tensor,
                                            .format = t->description.format};
    VkTensorViewARM view = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateTensorViewARM)(b->device, &info, NULL, &view));
    cleanup_add(b, destroy_tensor_view, HANDLE(view));
    return view;
}

static VkCommandBuffer dispatch_with(struct baseline *b, const uint32_t *code, size_t size,
                                     VkTensorViewARM view)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_TENSOR_ARM, 1,
                                                  SHADER_STAGE(b), NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_TENSOR_ARM, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &pool_size};
    const VkDescriptorSetLayout set_layout = create_descriptor_set_layout(b, &layout_info);
    const VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    const VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code, size), layout);
    const VkPipeline pipeline = create_compute_pipeline(b, &info);
    const VkDescriptorSet set =
        make_descriptor_set(b, create_descriptor_pool(b, &pool), set_layout);
    const VkWriteDescriptorSetTensorARM tensors = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM,
        .tensorViewCount = 1,
        .pTensorViews = &view};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &tensors,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_TENSOR_ARM};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    VkCommandBuffer c = make_recording(b);
    vkCmdBindPipeline(c, SHADER_POINT(b), pipeline);
    vkCmdBindDescriptorSets(c, SHADER_POINT(b), layout, 0, 1, &set, 0, NULL);
    instead_run(b, c);
    return c;
}

static void dispatch_tensor(struct baseline *b, const uint32_t *code, size_t size,
                            VkTensorUsageFlagsARM usage)
{
    struct tensor t;
    fill_tensor(&t);
    t.description.format = VK_FORMAT_R32_SFLOAT;
    t.description.pStrides = NULL;
    t.description.usage = usage;
    dispatch_with(b, code, size, view_of(b, &t));
}

/* Submits a dispatch that reads a tensor, and destroys the view. `idle`: once it is done. */
static void destroy_read_view(struct baseline *b, bool idle)
{
    struct tensor t;
    fill_tensor(&t);
    t.description.format = VK_FORMAT_R32_SFLOAT;
    t.description.pStrides = NULL;
    const VkTensorViewARM view = view_of(b, &t);
    VkCommandBuffer commands = dispatch_with(b, spirv_tensor_read, sizeof(spirv_tensor_read), view);
    const VkSubmitInfo info = submit_info(&commands);
    VK(vkEndCommandBuffer(commands));
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    if (idle) {
        VK(vkDeviceWaitIdle(b->device));
        FORGET(b, view);
    }
    DEVICE_PROC(b, vkDestroyTensorViewARM)(b->device, view, NULL);
    VK(vkDeviceWaitIdle(b->device));
}
SCENARIO(tensor_view_in_use, ON(accessed),
         .expect = {"VUID-vkDestroyTensorViewARM-tensorView-09750"},
         .text = {"tensorView is used through a descriptor (binding 0 of VkDescriptorSet 0x"})
{
    destroy_read_view(b, false);
}
SCENARIO(tensor_view_done, ON(accessed))
{
    destroy_read_view(b, true);
}

/* A tensor of 8 x 32 bytes, in bricks of 4 rows of 4 elements, or with a backing of 16 elements. */
static const VkPhysicalDeviceVulkan12Features bytes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderInt8 = VK_TRUE};
static const VkPhysicalDeviceTensorFeaturesARM of_bytes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM,
    .pNext = (void *)&bytes,
    .shaderTensorAccess = VK_TRUE,
    .tensors = VK_TRUE};
#define PLACES(name_, shader_, tiling_, rolls_, ...)                                              \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &of_bytes,                                \
             .extensions = {"VK_ARM_tensors", "VK_ARM_tensor_controls"},                          \
             .null_driver = "{\"properties\": {\"maxTensorShaderAccessArrayLength\": 16, "        \
                            "\"maxTensorShaderAccessSize\": 64}}",                                \
             ##__VA_ARGS__)                                                                       \
    {                                                                                             \
        struct tensor t;                                                                          \
        const VkTensorRollingBackingCreateInfoARM rolling = {                                     \
            .sType = VK_STRUCTURE_TYPE_TENSOR_ROLLING_BACKING_CREATE_INFO_ARM, .wraps = {4, 16}}; \
        fill_tensor(&t);                                                                          \
        t.dimensions[0] = 8;                                                                      \
        t.dimensions[1] = 32;                                                                     \
        t.description.format = VK_FORMAT_R8_SINT;                                                 \
        t.description.tiling = VK_TENSOR_TILING_##tiling_##_ARM;                                  \
        t.description.pStrides = NULL;                                                            \
        t.info.pNext = (rolls_) ? &rolling : NULL;                                                \
        dispatch_with(b, spirv_##shader_, sizeof(spirv_##shader_), view_of(b, &t));               \
    }
PLACES(tensor_of_bricks, tensor_from_4, BRICK_4_WIDE, false)
PLACES(tensor_of_bricks_askew, tensor_from_2, BRICK_4_WIDE, false,
       .expect = {"VUID-vkCmdDispatch-OpTensorReadARM-12462"},
       .text = {"is a tensor of VK_TENSOR_TILING_BRICK_4_WIDE_ARM that is accessed with 4 elements "
                "from the innermost coordinate 2 on, which is not a multiple of 4"})
PLACES(tensor_of_bricks_askew_sometimes, tensor_sometimes, BRICK_4_WIDE, false)
PLACES(tensor_optimal_askew, tensor_from_2, OPTIMAL, false)
PLACES(tensor_rolling, tensor_from_12, BRICK_4_WIDE, true)
PLACES(tensor_rolling_around, tensor_8_from_12, BRICK_4_WIDE, true,
       .expect = {"VUID-vkCmdDispatch-pNext-12463", "VUID-vkCmdDispatch-OpTensorReadARM-12462"},
       .text = {"accessed with 8 elements from the innermost coordinate 12 on, but the backing "
                "wraps there after 4"})
PLACES(tensor_without_rolling, tensor_8_from_16, BRICK_4_WIDE, false)

static const VkPhysicalDeviceDataGraphFeaturesARM graphs = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_FEATURES_ARM,
    .pNext = (void *)&accessed,
    .dataGraph = VK_TRUE};
#define ACCESS(name_, shader_, usage_, ...)                                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &graphs,                          \
             .extensions = {"VK_ARM_tensors", "VK_ARM_data_graph", "VK_KHR_maintenance5", \
                            "VK_KHR_deferred_host_operations"},                           \
             ##__VA_ARGS__)                                                               \
    {                                                                                     \
        dispatch_tensor(b, spirv_##shader_, sizeof(spirv_##shader_), (usage_));           \
    }
#define BY_SHADERS VK_TENSOR_USAGE_SHADER_BIT_ARM
#define BY_GRAPHS  VK_TENSOR_USAGE_DATA_GRAPH_BIT_ARM
#define IS(id_)    .expect = {"VUID-vkCmdDispatch-" id_}
ACCESS(tensor_accessed, tensor_read, BY_SHADERS)
ACCESS(tensor_not_for_shaders, tensor_read, BY_GRAPHS, IS("pDescription-09900"))
ACCESS(tensor_of_other_dimensions, tensor_read_3d, BY_SHADERS, IS("dimensionCount-09905"),
       .text = {"is a tensor of 3 dimensions there, but was created with 2",
                "has there is VkTensorViewARM"})
ACCESS(tensor_of_other_elements, tensor_read_uint, BY_SHADERS, IS("OpTypeTensorARM-09906"))
/* Any tensor may be asked what it is like. */
ACCESS(tensor_asked_for_its_size, tensor_sized, BY_GRAPHS)
/* --- barriers --- */

#define COMPUTE_FAMILY 1 /* of the null driver: compute and transfer */
static const VkPhysicalDeviceVulkan13Features with_barriers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)(uintptr_t)&packed_alone,
    .synchronization2 = VK_TRUE};

static void order_tensor_parts(struct baseline *b, uint32_t from, uint32_t to, bool bound)
{
    VkTensorARM tensor = make_tensor(b);
    if (bound)
        bind_tensor(b, tensor, make_memory(b, NEEDED), 0);
    const VkTensorMemoryBarrierARM barrier = {.sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM,
                                              .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                              .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                              .srcQueueFamilyIndex = from,
                                              .dstQueueFamilyIndex = to,
                                              .tensor = tensor};
    const VkTensorDependencyInfoARM several = {.sType =
                                                   VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM,
                                               .tensorMemoryBarrierCount = 1,
                                               .pTensorMemoryBarriers = &barrier};
    const VkDependencyInfo one = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                  .pNext = bound ? (const void *)&several : &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &one);
}
#define TENSOR_BARRIER(name_, from_, to_, bound_, ...)                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &with_barriers, \
             .extensions = {"VK_ARM_tensors"}, ##__VA_ARGS__)           \
    {                                                                   \
        order_tensor_parts(b, from_, to_, bound_);                      \
    }
#define BARRIER(id_) .expect = {"VUID-VkTensorMemoryBarrierARM-tensor-" id_}
TENSOR_BARRIER(tensor_barrier, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED, true)
TENSOR_BARRIER(tensor_released, b->queue_family, COMPUTE_FAMILY, true)
TENSOR_BARRIER(tensor_to_no_family, b->queue_family, 77, true, BARRIER("09756"),
               .text = {"dstQueueFamilyIndex is 77, which is neither VK_QUEUE_FAMILY_IGNORED nor"})
TENSOR_BARRIER(tensor_between_others, COMPUTE_FAMILY, COMPUTE_FAMILY + 1, true, BARRIER("09757"))
TENSOR_BARRIER(tensor_barrier_without_memory, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED,
               false, BARRIER("09758"))
