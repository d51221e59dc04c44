/* The state of pipelines that draws, dispatches and traces use (10). A pipeline that is linked from
 * libraries has the state of its parts. */
#ifndef ASSAY_STATE_PIPELINE_H
#define ASSAY_STATE_PIPELINE_H

#include "state/descriptor/descriptor.h"
#include "state/dynamic_states.h" /* generated: enum dynamic_state, struct dynamic_state_set */

/* color attachments that are kept; maxColorAttachments is 8 on all hardware */
#define PIPELINE_COLORS          8
#define PIPELINE_STAGES          16 /* most shader stages that are kept */
#define PIPELINE_VERTEX_BINDINGS 32
#define PIPELINE_INTERFACES      4 /* sets beyond share these; most programs bind no more */
/* even with the largest stamp added, the sum is not 0, which means no interface */
#define INTERFACE_FIRST (UINT64_C(1) << 62)

/* state/pipeline/shader.h: the reflection of one stage, shared and reference-counted */
struct shader;
struct stage_mappings; /* state/memory/mapping.h */

struct pipeline_stage {
    VkShaderStageFlagBits stage;
    struct shader *shader;           /* acquired; NULL: the code is not known */
    uint32_t entry_point;            /* index in the shader's entry points; UINT32_MAX: unknown */
    uint32_t required_subgroup_size; /* 0: none */
    struct stage_mappings *mappings; /* acquired; NULL: none, or not known */
};

struct spirv_entry_point;
/* The entry point of a stage; NULL: it is not known. */
const struct spirv_entry_point *pipeline_stage_entry(const struct pipeline_stage *stage);

struct vertex_binding {
    uint32_t binding, stride;
    VkVertexInputRate rate;
    uint32_t divisor;
};

struct vertex_attribute {
    uint32_t location, binding, offset;
    VkFormat format;
};

/* The formats for which a pipeline with dynamic rendering was created; also those of a render pass
 * instance. */
struct rendering_formats {
    uint32_t view_mask;
    uint32_t color_count;
    VkFormat colors[PIPELINE_COLORS];
    VkFormat depth, stencil;
};

/* VkCustomResolveCreateInfoEXT; zero if not given. */
struct pipeline_custom_resolve {
    bool given, resolves;
    uint32_t color_count; /* at most PIPELINE_COLORS */
    VkFormat colors[PIPELINE_COLORS];
    VkFormat depth, stencil;
};

/* VkPipelineFragmentShadingRateStateCreateInfoKHR; `given` is false if it is ignored. */
struct pipeline_shading_rate {
    bool given;
    VkExtent2D size;
    VkFragmentShadingRateCombinerOpKHR first, second;
};

/* VkMultiviewPerViewAttributesInfoNVX */
struct pipeline_view_attributes {
    bool given, per_view, position_x_only;
};

/* VkAttachmentSampleCountInfoAMD; zero if not given. */
struct pipeline_attachment_samples {
    bool given;
    uint32_t color_count; /* at most PIPELINE_COLORS */
    VkSampleCountFlagBits colors[PIPELINE_COLORS];
    VkSampleCountFlagBits depth_stencil;
};

/* Counts in structures of NV extensions about viewports; UINT32_MAX: not given. */
struct pipeline_viewport_counts {
    uint32_t w_scalings, palettes, swizzles, exclusive_scissors;
};

/* Threads: const once published, except for areas. It is one allocation, and acquires its layout
 * and shaders. */
struct pipeline {
    struct object_state base;
    AREA_ROOM(56);
    VkPipelineBindPoint bind_point;
    uint32_t library_count;
    VkPipelineCreateFlags2 flags;
    _Atomic bool data_released; /* vkReleaseCapturedPipelineDataKHR was called. Relaxed */
    /* ids of the libraries from which it is linked, and of their libraries */
    const uint64_t *libraries;
    struct pipeline_layout *layout; /* acquired; NULL: unknown, or a library without a layout */
    /* parts that it defines or links; 0 for other bind points. A complete pipeline does not have
     * the parts that it never uses (fragment parts if rasterization is disabled statically, vertex
     * input with mesh shaders) */
    VkGraphicsPipelineLibraryFlagsEXT parts;
    VkShaderStageFlags stages; /* all its stages */
    uint32_t stage_count;
    struct pipeline_stage stage[PIPELINE_STAGES];
    /* bit n: a shader statically uses something of descriptor set n */
    uint32_t used_sets;
    bool uses_push_constants;         /* a shader statically uses some */
    bool has_identifiers;             /* a stage of its own has
                                         VkPipelineShaderStageModuleIdentifierCreateInfoEXT */
    struct dynamic_state_set dynamic; /* dynamic states */
    /* static states, which become undefined in the command buffer when it is bound */
    struct dynamic_state_set fixed;
    /* For the sets whose number modulo PIPELINE_INTERFACES is n: a hash of the code that uses them,
     * its stages, and the layouts of the sets. So pipelines that differ in other ways share the
     * results of checking a set (descriptor_set::verified). From INTERFACE_FIRST to twice that */
    uint64_t interface[PIPELINE_INTERFACES];

    /* Graphics: vertex input interface */
    bool has_vertex_input;
    uint32_t vertex_binding_count, vertex_attribute_count;
    struct vertex_binding *vertex_bindings;
    struct vertex_attribute *vertex_attributes;
    VkPrimitiveTopology topology;
    bool primitive_restart;
    /* Pre-rasterization: */
    uint32_t patch_control_points;
    uint32_t viewport_count, scissor_count;               /* 0 if dynamic with count */
    VkPipelineRasterizationStateCreateInfo rasterization; /* without pNext */
    /* value of VkPipelineRasterizationDepthClipStateCreateInfoEXT: */
    bool depth_clip_enable_given;
    bool depth_clip_enable;
    /* without pNext; zero when not given */
    VkPipelineViewportDepthClipControlCreateInfoEXT depth_clip_control;
    VkLineRasterizationMode line_mode;
    bool stippled_line;
    VkConservativeRasterizationModeEXT conservative_mode;
    VkProvokingVertexModeEXT provoking_vertex;
    bool has_shading_rate; /* VkPipelineFragmentShadingRateStateCreateInfoKHR was given */
    struct pipeline_shading_rate shading_rate;
    struct pipeline_view_attributes view_attributes;
    struct pipeline_viewport_counts viewport_counts;
    uint32_t rasterization_stream;
    bool discard_rectangles_given; /* VkPipelineDiscardRectangleStateCreateInfoEXT was given */
    bool discard_rectangles;       /* its count is not 0 */
    /* Fragment shader and output: */
    VkSampleCountFlagBits samples;
    bool sample_shading, alpha_to_coverage, alpha_to_one, sample_locations;
    float min_sample_shading;
    VkSampleCountFlagBits location_samples; /* sampleLocationsPerPixel; 0 if not given */
    VkExtent2D location_grid;               /* sampleLocationGridSize; 0 if not given */
    VkPipelineDepthStencilStateCreateInfo depth_stencil; /* without pNext; zero when not given */
    bool has_depth_stencil, has_color_blend, has_multisample, has_input_assembly, has_rasterization,
        has_viewport;
    uint32_t blend_count;
    VkPipelineColorBlendAttachmentState blends[PIPELINE_COLORS];
    /* a bit for each attachment: VkPipelineColorWriteCreateInfoEXT */
    uint32_t color_writes_disabled;
    bool logic_op_enable;
    VkPipelineColorBlendStateCreateFlags blend_flags;
    /* The render pass or formats that it is for: */
    uint64_t render_pass;               /* id; 0 with dynamic rendering */
    uint64_t render_pass_compatibility; /* render_pass::compatibility */
    uint32_t subpass;
    struct rendering_formats formats; /* for dynamic rendering */
    struct pipeline_custom_resolve custom_resolve;
    struct pipeline_attachment_samples attachment_samples;
    /* maxFragmentDensityMapLayers of VkPipelineFragmentDensityMapLayeredCreateInfoVALVE; 0 when not
     * given */
    uint32_t density_layers;
    /* VkRenderingAttachmentLocationInfo; identity when not given */
    uint32_t color_locations[PIPELINE_COLORS];
    /* VkRenderingInputAttachmentIndexInfo; identity when not given */
    uint32_t color_input_indices[PIPELINE_COLORS];
    uint32_t depth_input_index, stencil_input_index; /* VK_ATTACHMENT_UNUSED when not given */

    /* Compute: workgroup size; 0: not known */
    uint32_t workgroup[3];

    /* VK_NV_device_generated_commands: how many groups of shaders it has, with those of the
     * pipelines that it names; 0: none. Of a compute pipeline: it has a place for its metadata */
    uint32_t shader_groups;
    bool has_indirect_buffer;

    /* Ray tracing: */
    uint32_t group_count;
    /* for its own groups, which come before those of libraries: 1 << VkShaderGroupShaderKHR for
     * each shader of a group. In the same allocation; NULL: there are none */
    uint32_t own_group_count;
    const uint8_t *group_shaders;
    uint32_t max_recursion_depth;
    /* VkRayTracingPipelineInterfaceCreateInfoKHR; 0 if not given */
    uint32_t max_payload_size, max_attribute_size;

    /* Data graph: */
    /* it has a VkDataGraphPipelineSingleNodeCreateInfoARM for optical flow */
    bool optical_flow;
    uint32_t flow_size;    /* the larger of the flow's width and height; 0 if not given */
    bool graph_statistics; /* allowNeuralStatistics */
};
/* Completes the pipeline with data that follows from its stages, and publishes it. */
void pipeline_publish(struct pipeline *pipeline);
void pipeline_destroy(struct pipeline *pipeline);
STATE_FINDERS(pipeline, VkPipeline, HANDLE_PIPELINE)

/* True if the vertex shader reads the location. False if the code is not known. `used`: inputs that
 * are declared and never loaded do not count. */
bool pipeline_stage_reads(const struct pipeline_stage *stage, uint32_t location, bool used);
bool pipeline_reads_location(const struct pipeline *pipeline, uint32_t location);

static inline bool pipeline_is_dynamic(const struct pipeline *pipeline, enum dynamic_state state)
{
    return dynamic_state_set_has(&pipeline->dynamic, state);
}

#endif
