/* Says which of a graphics pipeline's state structures are read (10.6 "Graphics Pipelines"). Those
 * that are ignored may hold anything: the pipeline never uses them. Of the others, single members
 * are ignored where a state is dynamic: pipeline_ignores(). */
#ifndef ASSAY_STATELESS_PIPELINE_H
#define ASSAY_STATELESS_PIPELINE_H

#include "state/pipeline/graphics_info.h"
#include "stateless/check.h"

/* The check of all that one graphics pipeline is made of. Threads: on its stack. */
struct graphics_check {
    struct check check;
    const struct graphics_info *graphics;
    VkShaderStageFlags stages; /* of all pStages */
};

/* The pipeline that is looked at. The first is for what only a pipeline is made of. */
static inline const struct graphics_info *pipeline_graphics(const struct check *c)
{
    assert(c->of_pipeline);
    return ((const struct graphics_check *)c)->graphics;
}

static inline VkGraphicsPipelineLibraryFlagsEXT pipeline_parts(const struct check *c)
{
    return c->of_pipeline ? pipeline_graphics(c)->own : 0;
}

/* True where the pipeline reads one of its states: `state_` is the member of struct graphics_info.
 */
#define pipeline_reads(c_, state_) ((c_)->of_pipeline && pipeline_graphics(c_)->state_)

static inline VkShaderStageFlags pipeline_stages(const struct check *c)
{
    return c->of_pipeline ? ((const struct graphics_check *)c)->stages : 0;
}

static inline bool pipeline_makes_dynamic(const struct check *c, enum dynamic_state state)
{
    return c->of_pipeline && graphics_is_dynamic(pipeline_graphics(c), state);
}

/* The render pass tells which attachments there are; where nothing is known of it, these two answer
 * that the state is read. */
bool pipeline_reads_depth_stencil(const struct check *c);
bool pipeline_reads_color_blend(const struct check *c);

/* True if the member is dynamic state of the pipeline that is looked at, and so ignored. `where`:
 * the structure that it is in. (check.c) */
bool pipeline_ignores(const struct check *c, const struct location *where, const char *member) COLD;

/* Generated: what is ignored where the state is dynamic. */
struct ignored_member {
    const char *structure; /* where the member alone does not say it; else NULL */
    const char *member;
    uint8_t state; /* enum dynamic_state */
};
extern const struct ignored_member ignored_members[];
extern const uint32_t ignored_member_count;

#endif
