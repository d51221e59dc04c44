/* The values that vkCmdSet* commands gave a command buffer's dynamic states (10.17 "Dynamic
 * State"). Which of them are set is in command_buffer::dynamic_set; a value whose bit is not set
 * there means nothing. */
#ifndef ASSAY_STATE_DYNAMIC_VALUES_H
#define ASSAY_STATE_DYNAMIC_VALUES_H

#include "state/command_buffer.h"
#include "state/pipeline.h"

#define DYNAMIC_VIEWPORTS          16 /* that are kept; maxViewports is 16 on all hardware */
#define DYNAMIC_COLORS             8  /* color attachments that are kept */
#define DYNAMIC_DISCARD_RECTANGLES 16
#define DYNAMIC_VERTEX_BINDINGS    32
#define DYNAMIC_VERTEX_ATTRIBUTES  32

/* Of front and back: index 0 and 1. */
struct dynamic_stencil {
    VkStencilOp fail, pass, depth_fail;
    VkCompareOp compare;
    uint32_t compare_mask, write_mask, reference;
};

/* Threads: as struct command_buffer. */
struct command_buffer_dynamic {
    /* Bit i: element i was set since the state was last undefined. Viewports and scissors with
     * count set all that they count. */
    uint32_t viewports_set, scissors_set, exclusive_scissors_set, discard_rectangles_set;
    uint32_t color_blend_enables_set, color_blend_equations_set, color_write_masks_set,
        color_blend_advanced_set;
    uint8_t stencil_ops_set, stencil_compare_masks_set, stencil_write_masks_set,
        stencil_references_set; /* VkStencilFaceFlags */

    uint32_t viewport_count, scissor_count; /* of the WithCount commands */
    VkViewport viewports[DYNAMIC_VIEWPORTS];
    VkRect2D scissors[DYNAMIC_VIEWPORTS];
    uint32_t viewport_w_scaling_count; /* highest one set, and one */
    uint32_t viewport_swizzle_count;
    uint32_t shading_rate_palette_count;
    uint32_t exclusive_scissor_enable_count;

    float line_width;
    float depth_bias_constant, depth_bias_clamp, depth_bias_slope;
    float blend_constants[4];
    float min_depth_bounds, max_depth_bounds;
    struct dynamic_stencil stencil[2];
    VkCullModeFlags cull_mode;
    VkFrontFace front_face;
    VkPrimitiveTopology topology;
    bool depth_test, depth_write, depth_bounds_test, stencil_test, rasterizer_discard, depth_bias,
        primitive_restart;
    VkCompareOp depth_compare;
    VkLogicOp logic_op;
    uint32_t patch_control_points;
    uint32_t line_stipple_factor;
    uint16_t line_stipple_pattern;
    VkExtent2D fragment_size;
    VkFragmentShadingRateCombinerOpKHR combiner_ops[2];

    bool discard_rectangle_enable;
    VkDiscardRectangleModeEXT discard_rectangle_mode;
    VkRect2D discard_rectangles[DYNAMIC_DISCARD_RECTANGLES];

    VkSampleCountFlagBits sample_locations_per_pixel; /* VkSampleLocationsInfoEXT */
    VkExtent2D sample_location_grid;
    uint32_t sample_location_count;

    /* Extended dynamic state 3 */
    bool depth_clamp, alpha_to_coverage, alpha_to_one, logic_op_enable, depth_clip,
        sample_locations_enable, line_stipple, negative_one_to_one;
    bool viewport_w_scaling_enable, coverage_to_color, coverage_modulation_table_enable,
        shading_rate_image, representative_fragment_test;
    VkPolygonMode polygon_mode;
    VkSampleCountFlagBits rasterization_samples;
    VkSampleCountFlagBits sample_mask_samples; /* that vkCmdSetSampleMaskEXT was given */
    VkSampleMask sample_mask[2];
    VkTessellationDomainOrigin domain_origin;
    uint32_t rasterization_stream;
    VkConservativeRasterizationModeEXT conservative_mode;
    float extra_overestimation;
    VkProvokingVertexModeEXT provoking_vertex;
    VkLineRasterizationMode line_mode;
    uint32_t coverage_to_color_location;
    VkCoverageModulationModeNV coverage_modulation;
    VkCoverageReductionModeNV coverage_reduction;
    uint32_t coverage_modulation_table_count;
    VkImageAspectFlags feedback_loop_aspects;
    VkDepthClampModeEXT depth_clamp_mode;
    VkDepthClampRangeEXT depth_clamp_range;

    uint32_t color_write_enable_count;
    uint32_t color_write_enables; /* bit per attachment */
    uint32_t color_blend_enables; /* bit per attachment */
    VkColorBlendEquationEXT equations[DYNAMIC_COLORS];
    VkColorComponentFlags write_masks[DYNAMIC_COLORS];
    VkColorBlendAdvancedEXT advanced[DYNAMIC_COLORS];

    /* vkCmdSetVertexInputEXT */
    uint32_t vertex_binding_count, vertex_attribute_count;
    struct vertex_binding vertex_bindings[DYNAMIC_VERTEX_BINDINGS];
    struct vertex_attribute vertex_attributes[DYNAMIC_VERTEX_ATTRIBUTES];
};

/* True if the state is set in the command buffer. */
static inline bool command_buffer_has_dynamic(const struct command_buffer *command_buffer,
                                              enum dynamic_state state)
{
    return dynamic_state_set_has(&command_buffer->dynamic_set, state);
}

#endif
