/* Pipelines: what draws, dispatches and traces ask of them (10). A pipeline that is linked from
 * libraries has what its parts have. */
#ifndef ASSAY_STATE_PIPELINE_H
#define ASSAY_STATE_PIPELINE_H

#include "state/descriptor/descriptor.h"
#include "state/dynamic_states.h" /* generated: enum dynamic_state, struct dynamic_state_set */

/* color attachments that are kept; maxColorAttachments is 8 on all hardware */
#define PIPELINE_COLORS          8
#define PIPELINE_STAGES          16 /* shader stages that are kept */
#define PIPELINE_VERTEX_BINDINGS 32
#define PIPELINE_INTERFACES      4 /* sets beyond share these; most programs bind no more */
/* even with the largest stamp added the sum is not 0, which stands for no interface */
#define INTERFACE_FIRST (UINT64_C(1) << 62)

struct shader; /* state/pipeline/shader.h: the reflection of one stage, shared and counted */
struct stage_mappings; /* state/memory/mapping.h */

struct pipeline_stage {
    VkShaderStageFlagBits stage;
    struct shader *shader;           /* held; NULL when nothing is known of the code */
    uint32_t entry_point;            /* index in the shader's entry points; UINT32_MAX: unknown */
    uint32_t required_subgroup_size; /* 0 = none */
    struct stage_mappings *mappings; /* held; NULL: none, or not known */
};

struct spirv_entry_point;
/* The code that a stage runs, or NULL where it is not known. */
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

/* The formats that a pipeline was made for, with dynamic rendering; also those of a render pass
 * instance. */
struct rendering_formats {
    uint32_t view_mask;
    uint32_t color_count;
    VkFormat colors[PIPELINE_COLORS];
    VkFormat depth, stencil;
};

/* VkCustomResolveCreateInfoEXT; zero when not given. */
struct pipeline_custom_resolve {
    bool given, resolves;
    uint32_t color_count; /* at most PIPELINE_COLORS */
    VkFormat colors[PIPELINE_COLORS];
    VkFormat depth, stencil;
};

/* VkPipelineFragmentShadingRateStateCreateInfoKHR; not given where it is ignored. */
struct pipeline_shading_rate {
    bool given;
    VkExtent2D size;
    VkFragmentShadingRateCombinerOpKHR first, second;
};

/* VkMultiviewPerViewAttributesInfoNVX */
struct pipeline_view_attributes {
    bool given, per_view, position_x_only;
};

/* VkAttachmentSampleCountInfoAMD; zero when not given. */
struct pipeline_attachment_samples {
    bool given;
    uint32_t color_count; /* at most PIPELINE_COLORS */
    VkSampleCountFlagBits colors[PIPELINE_COLORS];
    VkSampleCountFlagBits depth_stencil;
};

/* Counts of NV's structures beside the viewports; UINT32_MAX when not given. */
struct pipeline_viewport_counts {
    uint32_t w_scalings, palettes, swizzles, exclusive_scissors;
};

/* Threads: const once published, but for areas. One allocation, and the layout and shaders that it
 * holds. */
struct pipeline {
    struct object_state base;
    AREA_ROOM(56);
    VkPipelineBindPoint bind_point;
    uint32_t library_count;
    VkPipelineCreateFlags2 flags;
    _Atomic bool data_released; /* by vkReleaseCapturedPipelineDataKHR. Relaxed */
    /* ids of the libraries that it is linked from, and of those that they are linked from */
    const uint64_t *libraries;
    struct pipeline_layout *layout; /* held; NULL when unknown, or a library without one */
    /* that it has, of its own or linked; 0 for other bind points. A complete pipeline lacks those
     * that it never needs (fragment parts when rasterization is disabled for good, vertex input
     * with mesh shaders) */
    VkGraphicsPipelineLibraryFlagsEXT parts;
    VkShaderStageFlags stages; /* all stages that it has */
    uint32_t stage_count;
    struct pipeline_stage stage[PIPELINE_STAGES];
    /* bit n: a shader statically uses something of descriptor set n */
    uint32_t used_sets;
    bool uses_push_constants;         /* a shader statically does */
    struct dynamic_state_set dynamic; /* states that it takes from the command buffer */
    /* states that binding it makes undefined in the command buffer: it has them itself */
    struct dynamic_state_set fixed;
    /* For the sets whose number is n modulo PIPELINE_INTERFACES: a hash of the code that uses them,
     * its stages, and the layouts of the sets. So pipelines that differ in other things share what
     * was found of a set (descriptor_set::verified). From INTERFACE_FIRST to twice that */
    uint64_t interface[PIPELINE_INTERFACES];

    /* Graphics: vertex input interface */
    bool has_vertex_input;
    uint32_t vertex_binding_count, vertex_attribute_count;
    struct vertex_binding *vertex_bindings;
    struct vertex_attribute *vertex_attributes;
    VkPrimitiveTopology topology;
    bool primitive_restart;
    /* Pre-rasterization */
    uint32_t patch_control_points;
    uint32_t viewport_count, scissor_count;               /* 0 where dynamic with count */
    VkPipelineRasterizationStateCreateInfo rasterization; /* without pNext */
    /* VkPipelineRasterizationDepthClipStateCreateInfoEXT, whose value this is: */
    bool depth_clip_enable_given;
    bool depth_clip_enable;
    /* without pNext; zero when not given */
    VkPipelineViewportDepthClipControlCreateInfoEXT depth_clip_control;
    VkLineRasterizationMode line_mode;
    bool stippled_line;
    VkConservativeRasterizationModeEXT conservative_mode;
    VkProvokingVertexModeEXT provoking_vertex;
    bool has_shading_rate; /* VkPipelineFragmentShadingRateStateCreateInfoKHR */
    struct pipeline_shading_rate shading_rate;
    struct pipeline_view_attributes view_attributes;
    struct pipeline_viewport_counts viewport_counts;
    uint32_t rasterization_stream;
    bool discard_rectangles_given; /* VkPipelineDiscardRectangleStateCreateInfoEXT */
    bool discard_rectangles;       /* a count of them that is not 0 was given */
    /* Fragment shader and output */
    VkSampleCountFlagBits samples;
    bool sample_shading, alpha_to_coverage, alpha_to_one, sample_locations;
    float min_sample_shading;
    VkSampleCountFlagBits location_samples; /* sampleLocationsPerPixel; 0 when not given */
    VkExtent2D location_grid;               /* sampleLocationGridSize, likewise */
    VkPipelineDepthStencilStateCreateInfo depth_stencil; /* without pNext; zero when not given */
    bool has_depth_stencil, has_color_blend, has_multisample, has_input_assembly, has_rasterization,
        has_viewport;
    uint32_t blend_count;
    VkPipelineColorBlendAttachmentState blends[PIPELINE_COLORS];
    uint32_t color_writes_disabled; /* bit per attachment: VkPipelineColorWriteCreateInfoEXT */
    bool logic_op_enable;
    VkPipelineColorBlendStateCreateFlags blend_flags;
    /* The place that it is to be used in: */
    uint64_t render_pass;               /* id; 0 with dynamic rendering */
    uint64_t render_pass_compatibility; /* render_pass::compatibility */
    uint32_t subpass;
    struct rendering_formats formats; /* with dynamic rendering */
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

    /* Compute: the workgroup's size; 0 when not known */
    uint32_t workgroup[3];

    /* Ray tracing */
    uint32_t group_count;
    /* of its own groups, which come before groups of libraries: 1 << VkShaderGroupShaderKHR for
     * each shader of a group; in the same allocation, NULL: there are none */
    uint32_t own_group_count;
    const uint8_t *group_shaders;
    uint32_t max_recursion_depth;
    /* VkRayTracingPipelineInterfaceCreateInfoKHR; 0 when not given */
    uint32_t max_payload_size, max_attribute_size;

    /* Data graph */
    bool optical_flow;     /* VkDataGraphPipelineSingleNodeCreateInfoARM of that type */
    uint32_t flow_size;    /* the larger of its width and height; 0 when not given */
    bool graph_statistics; /* allowNeuralStatistics */
};
/* The last thing before it is published: what follows from its stages. */
void pipeline_publish(struct pipeline *pipeline);
void pipeline_destroy(struct pipeline *pipeline);
STATE_FINDERS(pipeline, VkPipeline, HANDLE_PIPELINE)

/* True if the vertex shader reads the location. True only where the code is known. `used`: what it
 * declares and never loads does not count. */
bool pipeline_stage_reads(const struct pipeline_stage *stage, uint32_t location, bool used);
bool pipeline_reads_location(const struct pipeline *pipeline, uint32_t location);

static inline bool pipeline_is_dynamic(const struct pipeline *pipeline, enum dynamic_state state)
{
    return dynamic_state_set_has(&pipeline->dynamic, state);
}

#endif
