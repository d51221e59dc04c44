/* Checks that the libraries of a graphics pipeline match each other, and the parts that the
 * pipeline defines itself (10.6 "Graphics Pipeline Libraries"). */
#include "core/pipeline/checks.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/command/render_pass.h"
#include "state/pipeline/shader.h"
#include "vk/chain.h"

/* Parts of a pipeline that have shader stages. */
#define PARTS_WITH_SHADERS (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER)
/* Parts of a pipeline that depend on a render pass. */
#define PARTS_OF_RENDER_PASS (PARTS_WITH_SHADERS | PART_FRAGMENT_OUTPUT)
#define LAYOUT_INDEPENDENT   VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT

/* --- flags that a pipeline and its libraries have all, or none --- */

/* A flag that all libraries must have, or none. */
struct same_flag {
    VkPipelineCreateFlags2 flag;
    const char *name;
    /* rule if the pipeline itself has the flag; rule if it does not */
    enum vuid with, without;
};
static const struct same_flag same_flags[] = {
    {FLAG(DESCRIPTOR_HEAP_BIT_EXT), "VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT",
     VUID_VkGraphicsPipelineCreateInfo_flags_11273, VUID_VkGraphicsPipelineCreateInfo_flags_11274},
    {FLAG(DESCRIPTOR_BUFFER_BIT_EXT), "VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT",
     VUID_VkGraphicsPipelineCreateInfo_flags_12355, VUID_VkGraphicsPipelineCreateInfo_flags_12356},
    {FLAG(NO_PROTECTED_ACCESS_BIT), "VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT",
     VUID_VkGraphicsPipelineCreateInfo_flags_12357, VUID_VkGraphicsPipelineCreateInfo_flags_12358},
    {FLAG(PROTECTED_ACCESS_ONLY_BIT), "VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT",
     VUID_VkGraphicsPipelineCreateInfo_flags_12359, VUID_VkGraphicsPipelineCreateInfo_flags_12360},
};

/* Checks that a linked library has the same flags as the pipeline, where they must agree. */
static bool check_library_flags(const struct call *call, const struct location *where,
                                const struct graphics_info *graphics,
                                const struct pipeline *library, VkPipeline handle)
{
    assert(library);
    VkPipelineCreateFlags2 flags = graphics->flags, theirs = library->flags;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < ARRAY_LENGTH(same_flags); i++) {
        const struct same_flag *rule = &same_flags[i];
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle), rule->with,
                   !(flags & rule->flag) || theirs & rule->flag, where,
                   "was created without %s, which flags has", rule->name);
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle), rule->without,
                   flags & rule->flag || !(theirs & rule->flag), where,
                   "was created with %s, which flags lacks", rule->name);
    }
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle),
               VUID_VkGraphicsPipelineCreateInfo_pLibraries_11594,
               !(flags & FLAG(OPACITY_MICROMAP_DISALLOW_MIXED_SPECIAL_INDEX_BIT_KHR)) ||
                   theirs & FLAG(OPACITY_MICROMAP_DISALLOW_MIXED_SPECIAL_INDEX_BIT_KHR),
               where,
               "was created without "
               "VK_PIPELINE_CREATE_2_OPACITY_MICROMAP_DISALLOW_MIXED_SPECIAL_INDEX_BIT_KHR, which "
               "flags "
               "has");
    bool retained = theirs & FLAG(RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT);
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle), VUID_VkGraphicsPipelineCreateInfo_flags_06609,
               retained || !(flags & FLAG(LINK_TIME_OPTIMIZATION_BIT_EXT)), where,
               "was created without VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT, "
               "but flags has VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT");
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle), VUID_VkGraphicsPipelineCreateInfo_flags_06610,
               retained || !(flags & FLAG(RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT)), where,
               "was created without "
               "VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT, which flags has");
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle),
               VUID_VkPipelineLibraryCreateInfoKHR_pLibraries_06855,
               !library->has_identifiers || flags & FLAG(FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT),
               where,
               "was created with a shader module identifier, but flags lacks "
               "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT");
    bool captures = flags & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR),
         captured = theirs & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
    /* The pipeline is itself a library. */
    if (graphics->asked) {
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle),
                   VUID_VkGraphicsPipelineCreateInfo_flags_06645, !captures || captured, where,
                   "was created without "
                   "VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, which flags has");
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle),
                   VUID_VkGraphicsPipelineCreateInfo_pLibraries_06647, captures || !captured, where,
                   "was created with VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, "
                   "which flags lacks");
    }
    return s.skip;
}

/* --- what two sides say of the same thing --- */

/* Members of VkPipelineMultisampleStateCreateInfo, except its mask. */
struct side_samples {
    /* sampleShadingEnable, alphaToCoverageEnable, alphaToOneEnable */
    bool given, shading, coverage, one;
    VkSampleCountFlagBits count;
    float least; /* minSampleShading */
};

/* One side of a link: a library, or the parts that the pipeline defines itself. */
struct side {
    VkGraphicsPipelineLibraryFlagsEXT parts;
    const struct pipeline_layout *layout; /* NULL: none, or not known */
    uint64_t render_pass;                 /* 0: none */
    uint64_t compatibility;               /* render_pass::compatibility */
    uint32_t subpass, view_mask;
    struct side_samples samples;
    struct pipeline_shading_rate rate;
    struct pipeline_view_attributes views;
    bool resolves;                    /* VkCustomResolveCreateInfoEXT::customResolve */
    struct dynamic_state_set dynamic; /* dynamic states of its parts */
    uint32_t used_sets;               /* bit n: its shaders use set n */
    bool own;                         /* the pipeline itself, not a library */
};

/* Describes a library as one side of a link. */
static struct side side_of_library(const struct pipeline *library)
{
    assert(library);
    return (struct side){.parts = library->parts,
                         .layout = library->layout,
                         .render_pass = library->render_pass,
                         .compatibility = library->render_pass_compatibility,
                         .subpass = library->subpass,
                         .view_mask = library->formats.view_mask,
                         .samples = {library->has_multisample, library->sample_shading,
                                     library->alpha_to_coverage, library->alpha_to_one,
                                     library->samples, library->min_sample_shading},
                         .rate = library->shading_rate,
                         .views = library->view_attributes,
                         .resolves = library->custom_resolve.resolves,
                         .dynamic = library->dynamic,
                         .used_sets = library->used_sets};
}

/* The sets that the pipeline's own shaders use, as in side::used_sets. */
static uint32_t own_used_sets(const struct call *call, const struct graphics_info *graphics)
{
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    uint32_t sets = 0;
    if (!(graphics->own & PARTS_WITH_SHADERS) || pointer_is_bad(info->pStages))
        return 0;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        struct shader *shader = shader_of_stage(call, &info->pStages[i]);
        const struct spirv_entry_point *entry =
            pointer_is_bad(info->pStages[i].pName)
                ? NULL
                : shader_entry(shader, info->pStages[i].stage, info->pStages[i].pName);
        for (uint32_t k = 0; entry && k < entry->binding_count; k++) {
            const uint32_t set = shader->reflection->bindings[entry->first_binding + k].set;
            sets |= set < 32 ? 1u << set : 0;
        }
        shader_release(shader);
    }
    return sets;
}

/* Describes the pipeline's own parts as one side of a link. */
static struct side side_of_own(const struct call *call, const struct graphics_info *graphics)
{
    const struct object *object =
        call_find(call, (uint64_t)graphics->info->renderPass, HANDLE_RENDER_PASS);
    const struct render_pass *render_pass = object_load_state_typed(object, HANDLE_RENDER_PASS);
    const VkPipelineMultisampleStateCreateInfo *samples = graphics->multisample;
    const VkCustomResolveCreateInfoEXT *resolve =
        CHAINED(graphics->info->pNext, CUSTOM_RESOLVE_CREATE_INFO_EXT);
    return (struct side){
        .parts = graphics->own,
        .layout = find_pipeline_layout(call, graphics->info->layout),
        .render_pass = object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0,
        .compatibility = render_pass ? render_pass->compatibility : 0,
        .subpass = graphics->info->subpass,
        .view_mask = graphics->rendering ? graphics->rendering->viewMask : 0,
        .samples =
            samples
                ? (struct side_samples){true, samples->sampleShadingEnable,
                                        samples->alphaToCoverageEnable, samples->alphaToOneEnable,
                                        samples->rasterizationSamples, samples->minSampleShading}
                : (struct side_samples){.given = false},
        .rate = graphics_shading_rate(graphics),
        .views = graphics_view_attributes(graphics),
        .resolves = resolve && resolve->customResolve,
        .dynamic = graphics->dynamic,
        .used_sets = own_used_sets(call, graphics),
        .own = true};
}

/* True if one "includes at least one of and no more than two of" the three parts that depend on a
 * render pass, and the other has a part that this one does not have. */
static bool share_render_pass(VkGraphicsPipelineLibraryFlagsEXT a,
                              VkGraphicsPipelineLibraryFlagsEXT b)
{
    a &= PARTS_OF_RENDER_PASS;
    b &= PARTS_OF_RENDER_PASS;
    return a && a != PARTS_OF_RENDER_PASS && b & ~a;
}

/* Checks that two sides were created for the same subpass of compatible render passes. `a` is the
 * pipeline itself, or an earlier library. */
static bool check_render_passes(const struct call *call, const struct location *where,
                                const struct side *a, const struct side *b)
{
    assert(a && b && a != b);
    struct subject s = {.call = call};
    bool own = a->own, same_kind = !a->render_pass == !b->render_pass;
    REQUIRE(&s,
            own ? VUID_VkGraphicsPipelineCreateInfo_flags_06684
                : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06623,
            a->subpass == b->subpass, where, "was created for subpass %u, but %s for subpass %u",
            b->subpass, own ? "this pipeline is" : "an earlier library was", a->subpass);
    if (!own) {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pLibraries_06628,
                same_kind && (a->render_pass == b->render_pass || !a->compatibility ||
                              !b->compatibility || a->compatibility == b->compatibility),
                where,
                "was created for a render pass that is not compatible with that of an "
                "earlier library");
    } else if (a->render_pass) {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderpass_06624,
                b->render_pass && (a->render_pass == b->render_pass || !a->compatibility ||
                                   !b->compatibility || a->compatibility == b->compatibility),
                where, "was created for a render pass that renderPass is not compatible with");
    } else {
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_renderpass_06625, !b->render_pass, where,
                "was created for a render pass, but renderPass is VK_NULL_HANDLE");
    }
    return s.skip;
}

/* True if a set of the layout is missing (INDEPENDENT_SETS). */
static bool has_null_set(const struct pipeline_layout *layout)
{
    assert(layout);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (!layout->sets[i])
            return true;
    }
    return false;
}

/* True if the layouts are "identically defined": they have the same sets and push constants. */
static bool layouts_identical(const struct pipeline_layout *a, const struct pipeline_layout *b)
{
    assert(a && b);
    if (a == b)
        return true;
    if (a->set_count != b->set_count ||
        a->push_constant_compatibility != b->push_constant_compatibility)
        return false;
    return !a->set_count ||
           a->compatibility[a->set_count - 1] == b->compatibility[a->set_count - 1];
}

/* The stages of the shader part that a side has. */
static VkShaderStageFlags stages_of_side(const struct side *side)
{
    return side->parts & PART_FRAGMENT_SHADER
               ? VK_SHADER_STAGE_FRAGMENT_BIT
               : (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_TASK_BIT_EXT |
                  VK_SHADER_STAGE_MESH_BIT_EXT) &
                     ~(VkShaderStageFlags)VK_SHADER_STAGE_FRAGMENT_BIT;
}

/* True if some binding is for one of the stages. */
static bool set_has_stages(const struct descriptor_layout *set, VkShaderStageFlags stages)
{
    for (uint32_t i = 0; i < set->binding_count; i++) {
        if (set->bindings[i].stages & stages)
            return true;
    }
    return false;
}

/* Compares one set of two layouts, either of which may be VK_NULL_HANDLE. */
static void check_set(struct subject *s, const struct location *where, const struct side *a,
                      const struct side *b, uint32_t index)
{
    const struct descriptor_layout *ours = a->layout->sets[index], *theirs = b->layout->sets[index];
    const char *other = a->own ? "this pipeline" : "an earlier library";
    const VkPipelineLayoutCreateFlags independent =
        (a->layout->flags | (a->own ? 0 : b->layout->flags)) & LAYOUT_INDEPENDENT;
    /* INDEPENDENT_SETS was not used, and ... must not both be VK_NULL_HANDLE */
    if (!ours && !theirs) {
        REQUIRE(s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06679
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06681,
                (a->layout->flags | b->layout->flags) & LAYOUT_INDEPENDENT, where,
                "has a layout whose set %u is VK_NULL_HANDLE, as that of %s is, and none was "
                "created with VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT",
                index, other);
        return;
    }
    /* ... was VK_NULL_HANDLE, then the corresponding element of the other pSetLayouts must not have
     * shader bindings for shaders in the other subset */
    if (!ours || !theirs) {
        REQUIRE(s,
                !a->own ? VUID_VkGraphicsPipelineCreateInfo_pLibraries_06758
                : !ours ? VUID_VkGraphicsPipelineCreateInfo_flags_06756
                        : VUID_VkGraphicsPipelineCreateInfo_flags_06757,
                !set_has_stages(ours ? ours : theirs, stages_of_side(ours ? b : a)), where,
                "has a layout whose set %u is %s, but that of %s %s bindings for shaders of the "
                "part where it is VK_NULL_HANDLE",
                index, theirs ? "not VK_NULL_HANDLE" : "VK_NULL_HANDLE", other,
                theirs ? "is, and it has" : "has");
        return;
    }
    /* layout was created with INDEPENDENT_SETS: elements that are not VK_NULL_HANDLE must be
     * identically defined to the element at the same index of the library's layout */
    REQUIRE(s,
            a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06616
                   : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06617,
            !independent || !ours->compatibility || !theirs->compatibility ||
                ours->compatibility == theirs->compatibility,
            where, "has a layout whose set %u is not defined as that of %s", index, other);
}

/* Compares a set that the shaders of both sides use. If the layouts are independent, or must be
 * identical as a whole, another rule applies. */
static void check_used_set(struct subject *s, const struct location *where, const struct side *a,
                           const struct side *b, uint32_t index)
{
    const struct descriptor_layout *ours = a->layout->sets[index], *theirs = b->layout->sets[index];
    if ((a->layout->flags | b->layout->flags) & LAYOUT_INDEPENDENT || !ours || !theirs ||
        (!has_null_set(a->layout) && !has_null_set(b->layout)))
        return;
    /* any descriptor set layout N specified by layout in both which include bindings accessed by
     * shader stages in each must be identically defined */
    REQUIRE(s,
            a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06618
                   : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06619,
            !(index < 32 && a->used_sets & b->used_sets & 1u << index) || !ours->compatibility ||
                !theirs->compatibility || ours->compatibility == theirs->compatibility,
            where,
            "has a layout whose set %u, which shaders of both parts use, is not defined as that "
            "of %s",
            index, a->own ? "this pipeline" : "an earlier library");
}

/* The next range that shaders of both parts use. `*next`: position of the iteration. */
static const VkPushConstantRange *next_shared_range(const struct pipeline_layout *layout,
                                                    VkShaderStageFlags pre, uint32_t *next)
{
    while (*next < layout->push_constant_count) {
        const VkPushConstantRange *range = &layout->push_constants[(*next)++];
        if (range->stageFlags & pre && range->stageFlags & VK_SHADER_STAGE_FRAGMENT_BIT)
            return range;
    }
    return NULL;
}

/* Push constants specified in both layouts which are available to shader stages in each must be
 * identically defined. Returns false if they differ. */
static bool pushes_identical(const struct side *a, const struct side *b)
{
    const VkShaderStageFlags pre = stages_of_side(a->parts & PART_FRAGMENT_SHADER ? b : a);
    uint32_t x = 0, y = 0;
    const VkPushConstantRange *one = next_shared_range(a->layout, pre, &x),
                              *other = next_shared_range(b->layout, pre, &y);
    if (!one || !other)
        return true; /* the ranges are not specified on both sides */
    for (; one && other; one = next_shared_range(a->layout, pre, &x),
                         other = next_shared_range(b->layout, pre, &y)) {
        if (one->offset != other->offset || one->size != other->size ||
            one->stageFlags != other->stageFlags)
            return false;
    }
    return !one && !other;
}

/* Checks that two sides have matching layouts. Unknown layouts are not checked. */
static bool check_layouts(const struct call *call, const struct location *where,
                          const struct side *a, const struct side *b)
{
    struct subject s = {.call = call};
    if (!a->layout || !b->layout)
        return false;
    for (uint32_t i = 0; i < a->layout->set_count && i < b->layout->set_count && !s.wrong; i++) {
        check_set(&s, where, a, b, i);
        check_used_set(&s, where, a, b, i);
    }
    bool of_a = a->layout->flags & LAYOUT_INDEPENDENT, of_b = b->layout->flags & LAYOUT_INDEPENDENT;
    if (of_a != of_b && (of_a || !a->own))
        BROKEN(&s,
               a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06614
                      : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06615,
               where,
               "has a layout %s VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, "
               "unlike that of %s",
               of_b ? "with" : "without", a->own ? "this pipeline" : "an earlier library");
    /* Layouts with different flags are not identically defined, which another rule has reported
     * except in one case. */
    if (!of_a && (!of_b || a->own) && !has_null_set(a->layout) && !has_null_set(b->layout))
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06612
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06613,
                layouts_identical(a->layout, b->layout), where,
                "has a layout that is not defined as that of %s",
                a->own ? "this pipeline" : "an earlier library");
    else
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06620
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06621,
                pushes_identical(a, b), where,
                "has a layout with push constants for both parts that are not defined as those of "
                "%s",
                a->own ? "this pipeline" : "an earlier library");
    return s.skip;
}

/* True if each of the two libraries has one of the two parts with shaders. */
static bool is_pair(const struct side *a, const struct side *b)
{
    VkGraphicsPipelineLibraryFlagsEXT first = a->parts & PARTS_WITH_SHADERS,
                                      second = b->parts & PARTS_WITH_SHADERS;
    return first && second && first != PARTS_WITH_SHADERS &&
           second == (PARTS_WITH_SHADERS & ~first);
}

/* The first member about samples in which the two differ, except for dynamic state; NULL: there is
 * none. */
static const char *differing_samples(const struct side *a, const struct side *b)
{
    const struct side_samples *x = &a->samples, *y = &b->samples;
    struct dynamic_state_set dynamic = a->dynamic;
    for (uint32_t i = 0; i < ARRAY_LENGTH(dynamic.bits); i++)
        dynamic.bits[i] |= b->dynamic.bits[i];
    if (x->count != y->count && !dynamic_state_set_has(&dynamic, DYNAMIC_RASTERIZATION_SAMPLES_EXT))
        return "rasterizationSamples";
    if (x->shading != y->shading)
        return "sampleShadingEnable";
    if (x->shading && (x->least < y->least || x->least > y->least))
        return "minSampleShading";
    if (x->coverage != y->coverage &&
        !dynamic_state_set_has(&dynamic, DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT))
        return "alphaToCoverageEnable";
    if (x->one != y->one && !dynamic_state_set_has(&dynamic, DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT))
        return "alphaToOneEnable";
    return NULL;
}

/* Compares pMultisampleState of a fragment shader part with that of its fragment output part. */
static bool check_samples(const struct call *call, const struct location *where,
                          const struct side *a, const struct side *b)
{
    const VkGraphicsPipelineLibraryFlagsEXT both = PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT;
    bool first = (a->parts & both) == PART_FRAGMENT_SHADER;
    const struct side *shader = first ? a : b, *output = first ? b : a;
    struct subject s = {.call = call};
    if ((shader->parts & both) != PART_FRAGMENT_SHADER ||
        (output->parts & both) != PART_FRAGMENT_OUTPUT || !output->samples.given)
        return false;
    if (!shader->samples.given) {
        REQUIRE(&s,
                shader->own   ? VUID_VkGraphicsPipelineCreateInfo_pLibraries_09567
                : output->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06637
                              : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06636,
                !output->samples.shading, where,
                "goes with a fragment output interface that has sampleShadingEnable, but the "
                "fragment shader has no pMultisampleState");
        return s.skip;
    }
    const char *differs = differing_samples(a, b);
    REQUIRE(&s,
            shader->own   ? VUID_VkGraphicsPipelineCreateInfo_flags_06633
            : output->own ? VUID_VkGraphicsPipelineCreateInfo_pLibraries_06634
                          : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06635,
            !differs, where, "has a pMultisampleState whose %s is not that of %s", differs,
            a->own ? "this pipeline" : "an earlier library");
    return s.skip;
}

/* Compares VkCustomResolveCreateInfoEXT, which is ignored with a render pass. */
static bool check_resolves(const struct call *call, const struct location *where,
                           const struct side *a, const struct side *b)
{
    const VkGraphicsPipelineLibraryFlagsEXT either = PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT;
    struct subject s = {.call = call};
    if (!(a->parts & either) || !(b->parts & either) || a->render_pass || b->render_pass)
        return false;
    REQUIRE(&s,
            a->own ? (a->resolves ? VUID_VkGraphicsPipelineCreateInfo_flags_11856
                                  : VUID_VkGraphicsPipelineCreateInfo_flags_11857)
                   : (a->resolves ? VUID_VkGraphicsPipelineCreateInfo_customResolve_11858
                                  : VUID_VkGraphicsPipelineCreateInfo_customResolve_11859),
            a->resolves == b->resolves, where, "was created with customResolve %s, unlike %s",
            b->resolves ? "VK_TRUE" : "VK_FALSE", a->own ? "this pipeline" : "an earlier library");
    return s.skip;
}

/* Compares state that both the pre-rasterization part and the fragment shader part have. */
static bool check_rates_and_views(const struct call *call, const struct location *where,
                                  const struct side *a, const struct side *b)
{
    const char *other = a->own ? "this pipeline" : "an earlier library";
    struct subject s = {.call = call};
    if (a->rate.given && b->rate.given)
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06638
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06639,
                a->rate.size.width == b->rate.size.width &&
                    a->rate.size.height == b->rate.size.height && a->rate.first == b->rate.first &&
                    a->rate.second == b->rate.second,
                where,
                "has a VkPipelineFragmentShadingRateStateCreateInfoKHR (%ux%u) that is not that "
                "of %s (%ux%u)",
                b->rate.size.width, b->rate.size.height, other, a->rate.size.width,
                a->rate.size.height);
    if (a->views.given && b->views.given) {
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06596
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06597,
                a->views.per_view == b->views.per_view, where,
                "has a perViewAttributes that is not that of %s", other);
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06598
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06599,
                a->views.position_x_only == b->views.position_x_only, where,
                "has a perViewAttributesPositionXOnly that is not that of %s", other);
    }
    return s.skip;
}

/* Compares two sides of a link. `a` is the pipeline itself, or an earlier library than `b`. */
static bool check_sides(const struct call *call, const struct location *where,
                        const struct graphics_info *graphics, const struct side *a,
                        const struct side *b)
{
    struct subject s = {.call = call};
    if (share_render_pass(a->parts, b->parts))
        s.skip |= check_render_passes(call, where, a, b);
    s.skip |= check_samples(call, where, a, b);
    s.skip |= check_resolves(call, where, a, b);
    if (!is_pair(a, b))
        return s.skip;
    s.skip |= check_rates_and_views(call, where, a, b);
    if (!a->render_pass && !b->render_pass)
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06626
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06627,
                a->view_mask == b->view_mask, where,
                "was created with a view mask of %#x, but that of %s is %#x", b->view_mask,
                a->own ? "this pipeline" : "an earlier library", a->view_mask);
    if (!(graphics->flags & FLAG(DESCRIPTOR_HEAP_BIT_EXT)))
        s.skip |= check_layouts(call, where, a, b);
    return s.skip;
}

/* --- the parts as a whole --- */

/* Checks that a pipeline, unless it is a library, has all the parts that it requires, its own or
 * linked. */
static bool check_completeness(const struct call *call, const struct location *where,
                               const struct graphics_info *graphics)
{
    VkGraphicsPipelineLibraryFlagsEXT parts = graphics->parts;
    struct subject s = {.call = call};
    if (graphics->flags & FLAG(LIBRARY_BIT_KHR) || !graphics->known)
        return false;
    if (!(parts & PART_PRE_RASTERIZATION))
        return BROKEN_BY(call, VUID_VkGraphicsPipelineCreateInfo_flags_08901, where, NULL,
                         "has no pre-rasterization shader state, neither of its own nor from a "
                         "library, and is not a library itself");
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_flags_08899,
            !(graphics->all_stages & VK_SHADER_STAGE_VERTEX_BIT) ||
                (graphics->parts | graphics->asked) & PART_VERTEX_INPUT,
            where,
            "has a vertex shader, but no vertex input state, neither of its own nor "
            "from a library");
    if (graphics->rasterizes)
        REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_flags_08909,
                parts & PART_FRAGMENT_SHADER && parts & PART_FRAGMENT_OUTPUT, where,
                "rasterizes, but has no fragment %s state, neither of its own nor from a library",
                parts & PART_FRAGMENT_SHADER ? "output interface" : "shader");
    return s.skip;
}

/* The layout of a library; NULL: it has none, or is not known. */
static const struct pipeline_layout *
library_layout(const struct call *call, const struct graphics_info *graphics, uint32_t index)
{
    const struct pipeline *library = find_pipeline(call, graphics->libraries->pLibraries[index]);
    return library ? library->layout : NULL;
}

/* True if each library was created with a layout with independent sets. Libraries without shaders
 * may have no layout. */
static bool are_independent(const struct call *call, const struct graphics_info *graphics)
{
    uint32_t with = 0;
    for (uint32_t i = 0; i < graphics_library_count(graphics); i++) {
        const struct pipeline *library = find_pipeline(call, graphics->libraries->pLibraries[i]);
        const struct pipeline_layout *theirs = library ? library->layout : NULL;
        if (!library || (theirs ? !(theirs->flags & LAYOUT_INDEPENDENT)
                                : (library->parts & PARTS_WITH_SHADERS) != 0))
            return false;
        with += theirs != NULL;
    }
    return with > 0;
}

/* Checks a pipeline that consists of libraries with independent sets: layout must be compatible
 * with the union of the libraries' pipeline layouts. Another rule reports libraries that differ
 * from each other. */
static bool check_union(const struct call *call, const struct location *where,
                        const struct graphics_info *graphics, const struct pipeline_layout *layout)
{
    const bool optimizes = graphics->flags & FLAG(LINK_TIME_OPTIMIZATION_BIT_EXT);
    const enum vuid vuid = optimizes ? VUID_VkGraphicsPipelineCreateInfo_flags_06729
                                     : VUID_VkGraphicsPipelineCreateInfo_flags_06730;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < graphics_library_count(graphics) && !s.wrong; i++) {
        const struct pipeline_layout *theirs = library_layout(call, graphics, i);
        const struct location *at = &LOCATION_INDEX(where, "pLibraries", i);
        for (uint32_t set = 0; theirs && set < theirs->set_count && !s.wrong; set++) {
            const struct descriptor_layout *one = theirs->sets[set], *ours = set < layout->set_count
                                                                                 ? layout->sets[set]
                                                                                 : NULL;
            REQUIRE(&s, vuid,
                    !one || (ours && (!one->compatibility || !ours->compatibility ||
                                      one->compatibility == ours->compatibility)),
                    at, "has a layout whose set %u is not that of layout", set);
        }
    }
    if (!optimizes && !s.wrong)
        REQUIRE(&s, vuid, layout->flags & LAYOUT_INDEPENDENT, &LOCATION(where, "pLibraries"),
                "have layouts with VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, which "
                "layout was created without");
    return s.skip;
}

/* Checks a pipeline that consists of libraries without independent sets: its layout must be
 * compatible with the layouts of all libraries. The first library that breaks this is reported. */
static bool check_linked_layouts(const struct call *call, const struct location *where,
                                 const struct graphics_info *graphics,
                                 const struct pipeline_layout *layout)
{
    assert(layout);
    const struct pipeline_layout *wrong = NULL, *first = NULL;
    uint32_t index = 0;
    if (graphics->own || (graphics->linked & PARTS_ALL) != PARTS_ALL)
        return false;
    if (are_independent(call, graphics))
        return check_union(call, where, graphics, layout);
    if (has_null_set(layout))
        return false;
    for (uint32_t i = 0; i < graphics_library_count(graphics); i++) {
        const struct pipeline *library = find_pipeline(call, graphics->libraries->pLibraries[i]);
        const struct pipeline_layout *theirs = library ? library->layout : NULL;
        if (!library || (theirs && (theirs->flags & LAYOUT_INDEPENDENT || has_null_set(theirs))))
            return false;
        if (!theirs || !(library->parts & PARTS_WITH_SHADERS))
            continue;
        /* 06613 reports layouts of two libraries that differ */
        first = first ? first : theirs;
        if (!layouts_identical(first, theirs))
            return false;
        if (wrong)
            continue;
        uint32_t count = theirs->set_count;
        if (layout->push_constant_compatibility == theirs->push_constant_compatibility &&
            (!count || (count <= layout->set_count &&
                        layout->compatibility[count - 1] == theirs->compatibility[count - 1])))
            continue;
        wrong = theirs;
        index = i;
    }
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_layout_07827, !wrong,
            &LOCATION_INDEX(where, "pLibraries", index),
            "has a layout that layout is not compatible with: its %s",
            wrong->push_constant_compatibility == layout->push_constant_compatibility
                ? "sets differ"
                : "push constants differ");
    return s.skip;
}

bool check_graphics_libraries(const struct call *call, const struct location *parent,
                              const struct graphics_info *graphics)
{
    const struct pipeline_layout *layout = find_pipeline_layout(call, graphics->info->layout);
    const struct location *where = &LOCATION_CHAINED(parent, "VkPipelineLibraryCreateInfoKHR");
    struct subject s = {.call = call, .where = parent};
    /* With descriptor heaps the layout is VK_NULL_HANDLE. */
    bool heap = graphics->flags & FLAG(DESCRIPTOR_HEAP_BIT_EXT);
    s.skip |= check_completeness(call, parent, graphics);
    if (!heap && graphics->asked != PARTS_ALL && graphics->own & PARTS_WITH_SHADERS)
        REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_flags_06642), graphics->info->layout,
                "layout", "is VK_NULL_HANDLE, but the pipeline has shaders of its own");
    if (!heap && !graphics->libraries && graphics->asked == PARTS_ALL)
        REQUIRE(&s, STOPS(VUID_VkGraphicsPipelineCreateInfo_None_07826), graphics->info->layout,
                "layout", "is VK_NULL_HANDLE");
    if (!heap && layout && graphics->asked != PARTS_ALL) {
        if ((graphics->asked & PARTS_WITH_SHADERS) == PARTS_WITH_SHADERS)
            REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE_LAYOUT, graphics->info->layout),
                       VUID_VkGraphicsPipelineCreateInfo_flags_06682, !has_null_set(layout),
                       "layout",
                       "was created with a set layout that is VK_NULL_HANDLE, but the pipeline "
                       "has pre-rasterization and fragment shaders");
        else if (graphics->own & PART_PRE_RASTERIZATION && !graphics->rasterizes &&
                 graphics->rasterization)
            REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE_LAYOUT, graphics->info->layout),
                       VUID_VkGraphicsPipelineCreateInfo_flags_06683, !has_null_set(layout),
                       "layout",
                       "was created with a set layout that is VK_NULL_HANDLE, but there is no "
                       "fragment shader to come");
    }
    if (!heap && layout)
        s.skip |= check_linked_layouts(call, where, graphics, layout);
    const struct side own = side_of_own(call, graphics);
    /* Each part may only come from one place. */
    VkGraphicsPipelineLibraryFlagsEXT taken = graphics->own;
    uint32_t capturing = 0, not_capturing = 0;
    for (uint32_t i = 0; i < graphics_library_count(graphics); i++) {
        const struct location *at = &LOCATION_INDEX(where, "pLibraries", i);
        VkPipeline handle = graphics->libraries->pLibraries[i];
        const struct pipeline *library = find_pipeline(call, handle);
        if (!library || library->bind_point != VK_PIPELINE_BIND_POINT_GRAPHICS)
            continue;
        const struct side theirs = side_of_library(library);
        s.skip |= check_library_flags(call, at, graphics, library, handle);
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle),
                   VUID_VkGraphicsPipelineCreateInfo_pLibraries_06611, !(library->parts & taken),
                   at, "has a part that the pipeline or an earlier library has, too: %s",
                   value_text(VALUES_VkGraphicsPipelineLibraryFlagsEXT, library->parts & taken)
                       .text);
        s.skip |= check_sides(call, at, graphics, &own, &theirs);
        for (uint32_t k = 0; k < i; k++) {
            const struct pipeline *earlier =
                find_pipeline(call, graphics->libraries->pLibraries[k]);
            /* A side without parts matches all others. */
            const struct side before = earlier ? side_of_library(earlier) : (struct side){0};
            s.skip |= check_sides(call, at, graphics, &before, &theirs);
        }
        taken |= library->parts;
        if (library->flags & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR))
            capturing++;
        else
            not_capturing++;
    }
    REQUIRE(&s, VUID_VkGraphicsPipelineCreateInfo_pLibraries_06646, !capturing || !not_capturing,
            &LOCATION(where, "pLibraries"),
            "has libraries with and without "
            "VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR");
    return s.skip;
}
