/* Says which state structures of a graphics pipeline are read (10.6 "Graphics Pipelines").
 * Structures that are ignored may hold anything. In the others, members of dynamic state are
 * ignored: pipeline_ignores(). */
#ifndef ASSAY_STATELESS_PIPELINE_H
#define ASSAY_STATELESS_PIPELINE_H

#include "state/pipeline/graphics_info.h"
#include "stateless/check.h"

/* The check of one graphics pipeline with all its structures. Threads: on its stack. */
struct graphics_check {
    struct check check;
    const struct graphics_info *graphics;
    VkShaderStageFlags stages; /* the stages of all pStages */
};

/* The graphics pipeline that is being checked. Call this only from checks of structures that only
 * pipelines contain. */
static inline const struct graphics_info *pipeline_graphics(const struct check *c)
{
    assert(c->of_pipeline);
    return ((const struct graphics_check *)c)->graphics;
}

static inline VkGraphicsPipelineLibraryFlagsEXT pipeline_parts(const struct check *c)
{
    return c->of_pipeline ? pipeline_graphics(c)->own : 0;
}

/* True if the check is that of a pipeline which reads a state: `state_` is the member of struct
 * graphics_info. */
#define pipeline_reads(c_, state_) ((c_)->of_pipeline && pipeline_graphics(c_)->state_)

static inline VkShaderStageFlags pipeline_stages(const struct check *c)
{
    return c->of_pipeline ? ((const struct graphics_check *)c)->stages : 0;
}

static inline bool pipeline_makes_dynamic(const struct check *c, enum dynamic_state state)
{
    return c->of_pipeline && graphics_is_dynamic(pipeline_graphics(c), state);
}

/* These two functions need the render pass to know the attachments. If it is not known, they return
 * true: the state is read. */
bool pipeline_reads_depth_stencil(const struct check *c);
bool pipeline_reads_color_blend(const struct check *c);

/* True if the member is dynamic state of the pipeline, and therefore ignored. `where` is the
 * structure of the member. (check.c) */
bool pipeline_ignores(const struct check *c, const struct location *where, const char *member) COLD;

/* The generated list of members that are ignored if a state is dynamic. */
struct ignored_member {
    const char *structure; /* the structure, or NULL if the name of the member is enough */
    const char *member;
    uint8_t state; /* enum dynamic_state */
};
extern const struct ignored_member ignored_members[];
extern const uint32_t ignored_member_count;

#endif
