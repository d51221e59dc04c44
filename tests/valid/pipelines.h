/* Graphics pipelines of every make, for what is drawn to. */
#ifndef ASSAY_VALID_PIPELINES_H
#define ASSAY_VALID_PIPELINES_H

#include "valid.h"

#define COLORS_MOST 3

/* The attachments that a subpass, or a dynamic rendering instance, draws to. */
struct target {
    uint32_t color_count;
    const struct format *colors[COLORS_MOST]; /* NULL: an attachment that is not there */
    const struct format *depth;               /* NULL: none */
    VkSampleCountFlagBits samples;
    uint32_t view_mask, width, height, layers;
    bool read_only_depth;
    VkRenderPass pass; /* VK_NULL_HANDLE: dynamic rendering */
    uint32_t subpass;
    bool input; /* the fragment shader reads input attachment 0 */
    /* Where color attachments are written and read in dynamic rendering; NULL: as they are
     * numbered. */
    const uint32_t *locations, *inputs;
    bool rates; /* with a fragment shading rate attachment */
    bool dense; /* with a fragment density map */
};

/* States, in the order of their commands in states.c. */
enum state {
    STATE_VIEWPORT,
    STATE_SCISSOR,
    STATE_LINE_WIDTH,
    STATE_DEPTH_BIAS,
    STATE_BLEND_CONSTANTS,
    STATE_DEPTH_BOUNDS,
    STATE_COMPARE_MASK,
    STATE_WRITE_MASK,
    STATE_REFERENCE,
    STATE_CULL_MODE,
    STATE_FRONT_FACE,
    STATE_TOPOLOGY,
    STATE_VIEWPORTS,
    STATE_SCISSORS,
    STATE_STRIDE,
    STATE_DEPTH_TEST,
    STATE_DEPTH_WRITE,
    STATE_DEPTH_COMPARE,
    STATE_BOUNDS_TEST,
    STATE_STENCIL_TEST,
    STATE_STENCIL_OP,
    STATE_DISCARD,
    STATE_BIAS_ENABLE,
    STATE_RESTART,
    STATE_PATCH,
    STATE_LOGIC_OP,
    STATE_VERTEX_INPUT,
    STATE_COLOR_WRITE,
    STATE_POLYGON,
    STATE_SAMPLES,
    STATE_SAMPLE_MASK,
    STATE_TO_COVERAGE,
    STATE_TO_ONE,
    STATE_LOGIC_ENABLE,
    STATE_BLEND_ENABLE,
    STATE_BLEND_EQUATION,
    STATE_COLOR_MASK,
    STATE_CLAMP,
    STATE_CLIP,
    STATE_ORIGIN,
    STATE_STREAM,
    STATE_CONSERVATIVE,
    STATE_OVERESTIMATION,
    STATE_PROVOKING,
    STATE_LINE_MODE,
    STATE_STIPPLE_ENABLE,
    STATE_NEGATIVE_ONE,
    STATE_STIPPLE,
    STATE_LOCATIONS_ENABLE,
    STATE_RATE,
    STATE_FEEDBACK,
    STATE_COUNT
};
#define STATE(name_) (1ull << STATE_##name_)

enum geometry {
    GEOMETRY_VERTICES,
    GEOMETRY_INPUTS,
    GEOMETRY_TESSELLATION,
    GEOMETRY_GEOMETRY,
    GEOMETRY_MESH,
    GEOMETRY_PUSH
};

struct pipe {
    VkPipeline handle;
    VkPipelineLayout layout;
    VkDescriptorSetLayout set_layout; /* or VK_NULL_HANDLE */
    VkDescriptorSet set;
    VkShaderEXT shaders[5];
    VkShaderStageFlagBits shader_stages[5];
    uint32_t shader_count; /* 0: a pipeline */
    const struct target *target;
    enum geometry geometry;
    uint64_t dynamic; /* states that are set by commands */
    VkPrimitiveTopology topology;
    bool discard, task, textured, pushes;
    struct buffer *vertices, *other_vertices, *uniform;
    struct image *texture; /* or the input attachment */
    struct values *values;
    struct buffer *indices, *indirect;
    VkShaderStageFlags push_stages;
};

struct pipe *make_pipe(struct world *w, const struct target *target);
/* Outside of render passes: what the pipe reads is made ready. */
void pipe_prepare(struct record *rec, struct pipe *pipe);
/* Binds everything, and sets all that is dynamic. */
void pipe_bind(struct record *rec, struct pipe *pipe);
void pipe_draw(struct record *rec, struct pipe *pipe);
/* Makes a set of one binding, and at times one more that has no descriptors: pipe->set_layout and
 * pipe->set. */
void pipe_make_set(struct world *w, struct pipe *pipe, VkDescriptorType type,
                   VkShaderStageFlags stages, uint32_t binding);
/* `image` or `buffer` is NULL. */
void pipe_write_set(struct world *w, const struct pipe *pipe, VkDescriptorType type,
                    uint32_t binding, const VkDescriptorImageInfo *image,
                    const VkDescriptorBufferInfo *buffer);
void set_write_image(struct world *w, const struct pipe *pipe, VkDescriptorType type,
                     uint32_t binding, VkImageView view, VkImageLayout layout);
#define PIPE_USES (USE(VERTEX) | USE(INDEX) | USE(INDIRECT) | USE(SHADER_READ))
/* --- states.c --- */

/* The values of the states, static or not: as features allow. */
struct values {
    VkPrimitiveTopology topology;
    uint32_t patch, blend, color_mask;
    bool discard, depth_test, depth_write, bounds_test, stencil_test, logic, bias, clamp,
        to_coverage;
    VkPolygonMode polygon;
    VkSampleMask sample_mask;
};

#define VIEWPORTS_MOST 3

extern const VkDynamicState vk_states[STATE_COUNT];
extern const VkStencilOpState stencil_state;
/* True if the state may be dynamic on this device; `objects`: with shader objects, which have no
 * other kind. */
bool state_there(struct world *w, enum state state, bool objects);
/* One number for each target: pipelines that share dynamic viewports agree on it. */
uint32_t viewport_count(const struct world *w, const struct target *target);
void set_rare_states(struct record *rec, const struct pipe *pipe);
void set_states(struct record *rec, const struct pipe *pipe, const struct values *v);
/* --- rates.c --- */
bool rates_there(struct world *w);
void any_rate(struct world *w, VkExtent2D *size, VkFragmentShadingRateCombinerOpKHR *operations);
/* A pipeline's own rate; `dynamic`: what it has is ignored. */
void *chain_rate(struct world *w, const void *next, bool dynamic);
/* An attachment for an area of this size; NULL: there is none. */
struct image *make_rates(struct world *w, uint32_t width, uint32_t height, uint32_t layers,
                         VkExtent2D *texel, VkImageView *view);
/* The flag of attachments that a density map is used with. Needed without
 * fragmentDensityMapNonSubsampledImages. */
VkImageCreateFlags subsampled(struct world *w);
struct image *make_density(struct world *w, uint32_t width, uint32_t height, uint32_t layers,
                           VkImageView *view);
/* Any formats and samples, as the device has them. */
void any_target(struct world *w, struct target *target);

#endif
