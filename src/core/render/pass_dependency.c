/* Checks each dependency between subpasses: VkSubpassDependency and its second version (8.1). */
#include "core/render/pass.h"
#include "core/barrier/stages.h"

#include "report/finding/rule.h"

#define SPACE_STAGES                                                                      \
    (VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | \
     VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |                                          \
     VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT) /* framebuffer-space */

/* Stages that no graphics pipeline has. */
#define OTHER_STAGES                                                             \
    (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |     \
     VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR | \
     VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR)

enum end { END_SRC, END_DST };
static const char *const stage_members[] = {"srcStageMask", "dstStageMask"};

/* The ids of a rule, which has the same number for both ends and both versions. */
#define STAGE_VUIDS(number_)                                \
    {                                                       \
        {VUID_VkSubpassDependency_srcStageMask_##number_,   \
         VUID_VkSubpassDependency_dstStageMask_##number_},  \
        {VUID_VkSubpassDependency2_srcStageMask_##number_,  \
         VUID_VkSubpassDependency2_dstStageMask_##number_}, \
    }

/* Stages that a mask must not contain unless one of these features (or the extension) is
 * enabled. */
static const struct {
    enum vuid vuids[2][2];
    VkPipelineStageFlags stages;
    uint32_t feature_count;
    enum feature features[2];
    const char *names;
} stage_rules[] = {
    {STAGE_VUIDS(04095),
     VK_PIPELINE_STAGE_MESH_SHADER_BIT_EXT,
     2,
     {FEATURE_MeshShaderFeaturesEXT_meshShader, FEATURE_MeshShaderFeaturesNV_meshShader},
     "meshShader"},
    {STAGE_VUIDS(04096),
     VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT,
     2,
     {FEATURE_MeshShaderFeaturesEXT_taskShader, FEATURE_MeshShaderFeaturesNV_taskShader},
     "taskShader"},
    {STAGE_VUIDS(07949),
     VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR,
     1,
     {FEATURE_rayTracingPipeline},
     "rayTracingPipeline"},
    {STAGE_VUIDS(10754),
     VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
     1,
     {FEATURE_accelerationStructure},
     "accelerationStructure"},
};

/* True if one of the features that the row's stages need is enabled. */
static bool has_feature_of(const struct call *call, uint32_t row)
{
    assert(row < ARRAY_LENGTH(stage_rules));
    for (uint32_t i = 0; i < stage_rules[row].feature_count; i++) {
        if (device_has_feature(call->device, stage_rules[row].features[i]))
            return true;
    }
    /* VK_NV_ray_tracing has the same two stages, and needs no feature for them. */
    const VkPipelineStageFlags rays = VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR |
                                      VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
    return stage_rules[row].stages & rays && call_has_extension(call, EXTENSION_VK_NV_ray_tracing);
}

/* Checks the stages of one end of a dependency: their features are enabled, and the pipelines of
 * its subpass have them. */
static void pass_dependency_check_stages(struct pass_check *c, const struct location *where,
                                         enum end end, VkPipelineStageFlags stages,
                                         uint32_t subpass)
{
    for (uint32_t i = 0; i < ARRAY_LENGTH(stage_rules); i++) {
        if (stages & stage_rules[i].stages && !has_feature_of(c->s.call, i))
            BROKEN_OF(&c->s, NULL, stage_rules[i].vuids[c->version2][end],
                      &LOCATION(where, stage_members[end]),
                      "includes %s, but the feature %s is not enabled",
                      value_text(VALUES_VkPipelineStageFlags, stages & stage_rules[i].stages).text,
                      stage_rules[i].names);
    }
    /* if the subpass is not VK_SUBPASS_EXTERNAL, all stages must be ones that its bind point's
     * pipelines have */
    if (subpass >= c->pass->subpass_count ||
        c->pass->subpasses[subpass].bind_point != VK_PIPELINE_BIND_POINT_GRAPHICS)
        return;
    enum vuid vuid = end == END_SRC ? c->version2 ? RULE(c->s.call, 03054) : RULE(c->s.call, 00837)
                     : c->version2 ? RULE(c->s.call, 03055)
                                    : RULE(c->s.call, 00838);
    REQUIRE(&c->s, vuid, !(stages & OTHER_STAGES), &LOCATION(where, stage_members[end]),
            "includes %s, which is not a stage of the graphics pipelines of subpass %u",
            value_text(VALUES_VkPipelineStageFlags, stages & OTHER_STAGES).text, subpass);
}

/* Checks a dependency of a subpass on itself. */
static void check_self(struct pass_check *c, const struct location *where,
                       const VkSubpassDependency2 *dependency, bool has_masks)
{
    uint32_t views = dependency->srcSubpass < c->pass->subpass_count
                         ? c->pass->subpasses[dependency->srcSubpass].view_mask
                         : 0;
    /* that subpass has more than one bit set in the view mask: dependencyFlags must include
     * VIEW_LOCAL */
    REQUIRE(&c->s, c->version2 ? RULE_03060 : RULE_00872,
            !(views & (views - 1)) || dependency->dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT,
            &LOCATION(where, "dependencyFlags"),
            "does not include VK_DEPENDENCY_VIEW_LOCAL_BIT, but subpass %u, which depends on "
            "itself, "
            "has several views (0x%x)",
            dependency->srcSubpass, views);
    REQUIRE(&c->s, RULE_01930, c->version2 || !dependency->viewOffset,
            &LOCATION(where, "srcSubpass"),
            "has the view offset %d, but subpass %u depends on itself", dependency->viewOffset,
            dependency->srcSubpass);
    if (!has_masks)
        return;
    VkPipelineStageFlags src = dependency->srcStageMask, dst = dependency->dstStageMask;
    if (!(src & SPACE_STAGES))
        return;
    REQUIRE(&c->s, c->version2 ? RULE_06810 : RULE_06809, !(dst & ~SPACE_STAGES),
            &LOCATION(where, "dstStageMask"),
            "is %s, but a subpass that depends on itself in a framebuffer-space stage must do so "
            "in "
            "such stages alone",
            value_text(VALUES_VkPipelineStageFlags, dst).text);
    REQUIRE(&c->s, c->version2 ? RULE_02245 : RULE_02243,
            !(dst & SPACE_STAGES) || dependency->dependencyFlags & VK_DEPENDENCY_BY_REGION_BIT,
            &LOCATION(where, "dependencyFlags"),
            "does not include VK_DEPENDENCY_BY_REGION_BIT, but subpass %u depends on itself in "
            "framebuffer-space stages",
            dependency->srcSubpass);
}

/* Checks the numbers of both subpasses: they exist, and the destination is not before the
 * source. */
static void check_subpass_numbers(struct pass_check *c, const struct location *where,
                                  const VkSubpassDependency2 *dependency)
{
    uint32_t src = dependency->srcSubpass, dst = dependency->dstSubpass,
             count = c->pass->subpass_count;
    bool src_external = src == VK_SUBPASS_EXTERNAL, dst_external = dst == VK_SUBPASS_EXTERNAL;
    REQUIRE(&c->s, c->version2 ? RULE_02526 : RULE_06866, src_external || src < count,
            &LOCATION(where, "srcSubpass"), "is %u, but subpassCount is %u", src, count);
    REQUIRE(&c->s, c->version2 ? RULE_02527 : RULE_06867, dst_external || dst < count,
            &LOCATION(where, "dstSubpass"), "is %u, but subpassCount is %u", dst, count);
    REQUIRE(&c->s, c->version2 ? RULE_03084 : RULE_00864,
            src_external || dst_external || src <= dst || src >= count,
            &LOCATION(where, "srcSubpass"), "is %u, which is after dstSubpass, %u", src, dst);
}

/* Any access flag included in srcAccessMask (dstAccessMask) must be supported by one of the stages
 * in srcStageMask */
static void check_accesses(struct pass_check *c, const struct location *where,
                           const struct dependency_masks *masks)
{
    c->s.skip |=
        accesses_check_supported(c->s.call,
                                 c->version2 ? RULE(c->s.call, 03088) : RULE(c->s.call, 00868),
                                 masks->src_stages, masks->src_accesses,
                                 &LOCATION(where, "srcAccessMask"));
    c->s.skip |=
        accesses_check_supported(c->s.call,
                                 c->version2 ? RULE(c->s.call, 03089) : RULE(c->s.call, 00869),
                                 masks->dst_stages, masks->dst_accesses,
                                 &LOCATION(where, "dstAccessMask"));
}

/* Checks the rules of a chained VkMemoryBarrier2. */
static void check_barrier(struct pass_check *c, const struct location *dependency,
                          const struct dependency_masks *masks)
{
    const struct call *call = c->s.call;
    const struct location where = LOCATION_CHAINED(dependency, "VkMemoryBarrier2");
    c->s.skip |= stages_check_features(call, MASK_VkMemoryBarrier2_srcStageMask, masks->src_stages,
                                       &LOCATION(&where, "srcStageMask"));
    c->s.skip |= stages_check_features(call, MASK_VkMemoryBarrier2_dstStageMask, masks->dst_stages,
                                       &LOCATION(&where, "dstStageMask"));
    c->s.skip |= accesses_check_stages(call, MASK_VkMemoryBarrier2_srcAccessMask, masks->src_stages,
                                       masks->src_accesses, &LOCATION(&where, "srcAccessMask"));
    c->s.skip |= accesses_check_stages(call, MASK_VkMemoryBarrier2_dstAccessMask, masks->dst_stages,
                                       masks->dst_accesses, &LOCATION(&where, "dstAccessMask"));
}

/* Checks dependency `number`. The masks of a chained VkMemoryBarrier2 replace its own. */
static void check_dependency(struct pass_check *c, uint32_t number)
{
    assert(number < c->pass->dependency_count);
    const VkSubpassDependency2 *dependency = &c->pass->dependencies[number];
    const struct location where = LOCATION_INDEX(&c->where, "pDependencies", number);
    bool local = dependency->dependencyFlags & VK_DEPENDENCY_VIEW_LOCAL_BIT;
    bool src_external = dependency->srcSubpass == VK_SUBPASS_EXTERNAL;
    /* Masks are ignored where a VkMemoryBarrier2 is chained. */
    bool has_masks = !c->pass->dependency_masks[number].of_barrier;
    check_subpass_numbers(c, &where, dependency);
    REQUIRE(&c->s, RULE_02512, c->version2 || local || !dependency->viewOffset,
            &LOCATION(&where, "dependencyFlags"),
            "has the view offset %d, but VK_DEPENDENCY_VIEW_LOCAL_BIT is not in dependencyFlags",
            dependency->viewOffset);
    if (has_masks) {
        pass_dependency_check_stages(c, &where, END_SRC, dependency->srcStageMask,
                                     dependency->srcSubpass);
        pass_dependency_check_stages(c, &where, END_DST, dependency->dstStageMask,
                                     dependency->dstSubpass);
        check_accesses(c, &where, &c->pass->dependency_masks[number]);
    } else {
        check_barrier(c, &where, &c->pass->dependency_masks[number]);
    }
    if (dependency->srcSubpass == dependency->dstSubpass && !src_external)
        check_self(c, &where, dependency, has_masks);
}

void check_dependencies(struct pass_check *c)
{
    for (uint32_t i = 0; i < c->pass->dependency_count; i++)
        check_dependency(c, i);
}
