/* A pipeline of any kind with an array of descriptors of any type. One invocation of one stage
 * reads an element that is pushed to it. Scenarios of GPU-assisted validation change it in one
 * place, run it on lavapipe, and wait for it. */
#ifndef ASSAY_SCENARIOS_GPU_WORLD_H
#define ASSAY_SCENARIOS_GPU_WORLD_H

#include "scenario.h"

/* The kinds of arrays: the enumerator's name, the descriptor's type, and the access in the source
 * of the shader. */
#define GPU_KINDS_X(X)                                                                            \
    X(sampled, SAMPLED_IMAGE,                                                                     \
      "textureLod(sampler2D(things[push.index], the_sampler), vec2(0.5), 0.0)")                   \
    X(combined, COMBINED_IMAGE_SAMPLER, "textureLod(things[push.index], vec2(0.5), 0.0)")         \
    X(sampler, SAMPLER, "textureLod(sampler2D(the_texture, things[push.index]), vec2(0.5), 0.0)") \
    X(storage_image, STORAGE_IMAGE, "imageLoad(things[push.index], ivec2(0))")                    \
    X(uniform_texel, UNIFORM_TEXEL_BUFFER, "vec4(texelFetch(things[push.index], 0))")             \
    X(storage_texel, STORAGE_TEXEL_BUFFER, "vec4(imageLoad(things[push.index], 0))")              \
    X(storage_buffer, STORAGE_BUFFER, "things[push.index].value")                                 \
    X(uniform_buffer, UNIFORM_BUFFER, "things[push.index].value")
enum gpu_kind {
#define X(name_, type_, access_) gpu_kind_##name_,
    GPU_KINDS_X(X)
#undef X
        GPU_KINDS
};

/* The stage, by the suffix of its source; its name in Vulkan; the command that runs it; and how
 * findings call it and the invocation. */
#define GPU_GRAPHICS_STAGES_X(X)                                                        \
    X(vert, VERTEX_BIT, "vkCmdDraw", "Vertex. Vertex index = 1. Instance index = 0")    \
    X(tesc, TESSELLATION_CONTROL_BIT, "vkCmdDraw",                                      \
      "Tessellation Control. Invocation ID = 1. Primitive ID = 0")                      \
    X(tese, TESSELLATION_EVALUATION_BIT, "vkCmdDraw",                                   \
      "Tessellation Evaluation. Primitive ID = 0. TessCoord (u,v) = (1, 0)")            \
    X(geom, GEOMETRY_BIT, "vkCmdDraw", "Geometry. Primitive ID = 0. Invocation ID = 0") \
    X(frag, FRAGMENT_BIT, "vkCmdDraw", "Fragment. Fragment coord (x,y) = (10.5, 20.5)")
#define GPU_COMPUTE_STAGES_X(X) \
    X(comp, COMPUTE_BIT, "vkCmdDispatch", "Compute. Global invocation ID (x,y,z) = (5, 0, 0)")
#define GPU_MESH_STAGES_X(X)                            \
    X(task, TASK_BIT_EXT, "vkCmdDrawMeshTasksEXT",      \
      "Task. Global invocation ID (x,y,z) = (1, 0, 0)") \
    X(mesh, MESH_BIT_EXT, "vkCmdDrawMeshTasksEXT", "Mesh. Global invocation ID (x,y,z) = (1, 0, 0)")
#define GPU_RAY_STAGES_X(X)                                                                       \
    X(rgen, RAYGEN_BIT_KHR, "vkCmdTraceRaysKHR", "Ray Generation. Launch ID (x,y,z) = (1, 0, 0)") \
    X(rahit, ANY_HIT_BIT_KHR, "vkCmdTraceRaysKHR", "Any Hit. Launch ID (x,y,z) = (1, 0, 0)")      \
    X(rchit, CLOSEST_HIT_BIT_KHR, "vkCmdTraceRaysKHR",                                            \
      "Closest Hit. Launch ID (x,y,z) = (1, 0, 0)")                                               \
    X(rmiss, MISS_BIT_KHR, "vkCmdTraceRaysKHR", "Miss. Launch ID (x,y,z) = (1, 0, 0)")            \
    X(rint, INTERSECTION_BIT_KHR, "vkCmdTraceRaysKHR",                                            \
      "Intersection. Launch ID (x,y,z) = (1, 0, 0)")                                              \
    X(rcall, CALLABLE_BIT_KHR, "vkCmdTraceRaysKHR", "Callable. Launch ID (x,y,z) = (1, 0, 0)")
#define GPU_STAGES_X(X) \
    GPU_GRAPHICS_STAGES_X(X) GPU_COMPUTE_STAGES_X(X) GPU_MESH_STAGES_X(X) GPU_RAY_STAGES_X(X)
enum gpu_stage {
#define X(name_, bit_, command_, text_) gpu_stage_##name_,
    GPU_STAGES_X(X)
#undef X
        GPU_STAGES
};

struct gpu_code {
    const uint32_t *words;
    size_t size; /* bytes */
};
#define GPU_CODE(words_) ((struct gpu_code){(words_), sizeof(words_)})

#define GPU_LENGTH  6 /* of the array, in shaders and in layouts */
#define GPU_NO_HOLE UINT32_MAX

/* Threads: the scenario's. Above the line what a scenario may change before gpu_make. */
struct gpu {
    struct baseline *b;
    enum gpu_kind kind;
    enum gpu_stage stage;
    struct gpu_code code;     /* of the stage: reads things[push.index] */
    VkShaderStageFlags also;  /* stages that see the descriptors, too */
    struct gpu_code fragment; /* beside another graphics stage; of the plain one */
    /* of the plain ones of other stages, where there is some */
    struct gpu_code instead[GPU_STAGES];
    uint32_t index, other;   /* pushed */
    VkDeviceAddress address; /* pushed */
    uint32_t count;          /* of the array's descriptors in the layout */
    /* of a variable count: how many there are; 0: the count is not variable */
    uint32_t allocated;
    uint32_t hole; /* this element is not written */
    /* this element is written with `own` instead of `common` */
    uint32_t odd;
    VkDescriptorBindingFlags flags;
    VkDescriptorSetLayoutCreateFlags layout_flags;
    VkPipelineCreateFlags pipeline_flags;
    VkDeviceSize range; /* of buffers in the array */
    bool is_mutable;    /* the array's descriptors may be of any of GPU_KINDS */
    const void *pipeline_next, *stage_next;
    /* --- made --- */
    struct gpu_resource {
        VkImage image;
        VkImageView view;
        VkSampler sampler;
        VkBuffer buffer;
        VkBufferView buffer_view;
    } common, own;
    VkBuffer result; /* a vec4 */
    VkDescriptorSetLayout set_layouts[2];
    VkDescriptorPool pool;
    VkDescriptorSet sets[2];
    VkPipelineLayout layout;
    VkPipelineBindPoint bind_point;
    VkPipeline pipeline;
    VkRenderPass render_pass;
    VkFramebuffer framebuffer;
    VkStridedDeviceAddressRegionKHR tables[4]; /* ray generation, miss, hit, callable */
    VkCommandBuffer commands;
};

/* Makes a world in which all descriptors are written, and the index is 0. */
struct gpu gpu_of(struct baseline *b, enum gpu_kind kind, enum gpu_stage stage);
/* fragment and compute only */
struct gpu_code gpu_runtime_code(enum gpu_kind kind, enum gpu_stage stage);
/* It reads things[2]. Fragment, compute and ray generation only. */
struct gpu_code gpu_constant_code(enum gpu_kind kind, enum gpu_stage stage);
/* So does it, of a sampled image in a compute shader, before its first branch. */
struct gpu_code gpu_certain_code(void);
struct gpu_code gpu_plain_code(enum gpu_stage stage);
/* The access NAME of ACCESSES in shaders/gpu_descriptors.py. */
enum gpu_access { GPU_STORAGE_WORD, GPU_UNIFORM_VECTOR, GPU_ADDRESS_WORD };
struct gpu_code gpu_access_code(enum gpu_access access, enum gpu_stage stage);

/* gpu_make is the next four. */
void gpu_make(struct gpu *g);
void gpu_make_resources(struct gpu *g);
void gpu_make_layout(struct gpu *g);
void gpu_make_set(struct gpu *g);
void gpu_make_pipeline(struct gpu *g);
void gpu_write(struct gpu *g, uint32_t element, const struct gpu_resource *resource);
void gpu_write_as(struct gpu *g, uint32_t element, enum gpu_kind kind,
                  const struct gpu_resource *resource);

/* runs a command buffer that brings the images into their layout */
void gpu_prepare(struct gpu *g);
/* In parts, into `commands`: from beginning, binding and pushing to the command that runs. */
void gpu_begin(struct gpu *g); /* a new command buffer, or the old one again */
void gpu_bind(struct gpu *g);
void gpu_push(struct gpu *g);
void gpu_act(struct gpu *g); /* within a render pass of its own, where there must be one */
void gpu_begin_pass(struct gpu *g, VkSubpassContents contents);
void gpu_submit(struct gpu *g); /* ends, submits and waits */
void gpu_record(struct gpu *g); /* begin, bind, push, act */
void gpu_run(struct gpu *g);    /* prepare, record, submit */

/* A listener to information, for scenarios with the setting "report_flags=error,warn,info"; and how
 * many of its messages have this part. */
void gpu_listen(struct baseline *b, const char *part);
unsigned gpu_heard(void);

/* Objects that scenarios beside these need. */
VkPipeline gpu_compute_pipeline(struct baseline *b, struct gpu_code code, VkPipelineLayout layout);
void gpu_name(struct baseline *b, VkObjectType type, uint64_t handle, const char *name);
void gpu_fill(struct baseline *b, VkBuffer buffer, VkDeviceSize offset, const void *data,
              size_t size);
void gpu_read(struct baseline *b, VkBuffer buffer, VkDeviceSize offset, void *data, size_t size);

extern const VkPhysicalDeviceFeatures2 gpu_features_plain, gpu_features_mesh, gpu_features_ray;
#define GPU_RAY_EXTENSIONS                                                                    \
    VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, \
        VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_RAY_QUERY_EXTENSION_NAME
/* Makes a scenario run with checks on. Commands that are found wrong run all the same. The peer
 * reports what it changes for its checks. */
#define GPU_SETTINGS(...)                                                                   \
    .drivers = LAVAPIPE, .settings = {"gpuav_enable=true", ##__VA_ARGS__}, .proceed = true, \
    .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"}
#define GPU GPU_SETTINGS(), .features = &gpu_features_plain
#define GPU_WITH_MESH                               \
    GPU_SETTINGS(), .features = &gpu_features_mesh, \
        .extensions = {VK_EXT_MESH_SHADER_EXTENSION_NAME}
#define GPU_WITH_RAYS \
    GPU_SETTINGS(), .features = &gpu_features_ray, .extensions = {GPU_RAY_EXTENSIONS}

/* Parts of findings' texts. */
#define GPU_TEXT_INDEX(index_, length_) \
    "Index of " #index_ " used to index descriptor array of length " #length_
#define GPU_TEXT_STAGE(name_)      "Stage = " name_ "."
#define GPU_TEXT_UNWRITTEN(index_) "Descriptor index " #index_ " is uninitialized"
#define GPU_TEXT_DESTROYED(index_, what_) \
    "Descriptor index " #index_ " references " what_ " that was destroyed"

#endif
