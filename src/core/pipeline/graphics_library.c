/* Checks that the libraries that a graphics pipeline is linked from fit each other, and what it
 * makes itself (10.6 "Graphics Pipeline Libraries"). */
#include "core/pipeline/checks.h"
#include "core/rule.h"

#include "report/names_of_values.h"
#include "state/render_pass.h"
#include "vk/chain.h"

#define PARTS_WITH_SHADERS   (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER)
#define PARTS_OF_RENDER_PASS (PARTS_WITH_SHADERS | PART_FRAGMENT_OUTPUT)

/* --- flags that a pipeline and its libraries have all, or none --- */

struct same_flag {
    VkPipelineCreateFlags2 flag;
    const char *name;
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
    bool retained = theirs & FLAG(RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT);
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle), VUID_VkGraphicsPipelineCreateInfo_flags_06609,
               retained || !(flags & FLAG(LINK_TIME_OPTIMIZATION_BIT_EXT)), where,
               "was created without VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT, "
               "but flags has VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT");
    REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, handle), VUID_VkGraphicsPipelineCreateInfo_flags_06610,
               retained || !(flags & FLAG(RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT)), where,
               "was created without "
               "VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT, which flags has");
    bool captures = flags & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR),
         captured = theirs & FLAG(CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
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

/* Either a library, or what the pipeline makes itself. */
struct side {
    VkGraphicsPipelineLibraryFlagsEXT parts;
    const struct pipeline_layout *layout;
    uint64_t render_pass; /* 0: none */
    uint64_t compatibility;
    uint32_t subpass, view_mask;
    bool own;
};

static struct side side_of_library(const struct pipeline *library)
{
    assert(library);
    return (struct side){.parts = library->parts,
                         .layout = library->layout,
                         .render_pass = library->render_pass,
                         .compatibility = library->render_pass_compatibility,
                         .subpass = library->subpass,
                         .view_mask = library->formats.view_mask};
}

static struct side side_of_own(const struct call *call, const struct graphics_info *graphics)
{
    const struct object *object =
        call_find(call, (uint64_t)graphics->info->renderPass, HANDLE_RENDER_PASS);
    const struct render_pass *render_pass = object_load_state(object);
    return (struct side){.parts = graphics->own,
                         .layout = find_pipeline_layout(call, graphics->info->layout),
                         .render_pass =
                             object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0,
                         .compatibility = render_pass ? render_pass->compatibility : 0,
                         .subpass = graphics->info->subpass,
                         .view_mask = graphics->rendering ? graphics->rendering->viewMask : 0,
                         .own = true};
}

/* "includes at least one of and no more than two of" the three parts that know of a render pass,
 * and the other has one that this lacks. */
static bool share_render_pass(VkGraphicsPipelineLibraryFlagsEXT a,
                              VkGraphicsPipelineLibraryFlagsEXT b)
{
    a &= PARTS_OF_RENDER_PASS;
    b &= PARTS_OF_RENDER_PASS;
    return a && a != PARTS_OF_RENDER_PASS && b & ~a;
}

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

static bool has_null_set(const struct pipeline_layout *layout)
{
    assert(layout);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (!layout->sets[i])
            return true;
    }
    return false;
}

/* "Identically defined": the same sets and push constants. */
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

static bool check_layouts(const struct call *call, const struct location *where,
                          const struct side *a, const struct side *b)
{
    const VkPipelineLayoutCreateFlags independent =
        VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    struct subject s = {.call = call};
    if (!a->layout || !b->layout)
        return false;
    bool of_a = a->layout->flags & independent, of_b = b->layout->flags & independent;
    if (of_a != of_b && (of_a || !a->own))
        BROKEN(&s,
               a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06614
                      : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06615,
               where,
               "has a layout %s VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, "
               "unlike that of %s",
               of_b ? "with" : "without", a->own ? "this pipeline" : "an earlier library");
    /* With flags that differ they are not identically defined, which the rule before has said, but
     * for one case. */
    if (!of_a && (!of_b || a->own) && !has_null_set(a->layout) && !has_null_set(b->layout))
        REQUIRE(&s,
                a->own ? VUID_VkGraphicsPipelineCreateInfo_flags_06612
                       : VUID_VkGraphicsPipelineCreateInfo_pLibraries_06613,
                layouts_identical(a->layout, b->layout), where,
                "has a layout that is not defined as that of %s",
                a->own ? "this pipeline" : "an earlier library");
    return s.skip;
}

static bool is_pair(const struct side *a, const struct side *b)
{
    VkGraphicsPipelineLibraryFlagsEXT first = a->parts & PARTS_WITH_SHADERS,
                                      second = b->parts & PARTS_WITH_SHADERS;
    return first && second && first != PARTS_WITH_SHADERS &&
           second == (PARTS_WITH_SHADERS & ~first);
}

static bool check_sides(const struct call *call, const struct location *where,
                        const struct graphics_info *graphics, const struct side *a,
                        const struct side *b)
{
    struct subject s = {.call = call};
    if (share_render_pass(a->parts, b->parts))
        s.skip |= check_render_passes(call, where, a, b);
    if (!is_pair(a, b))
        return s.skip;
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

static bool check_completeness(const struct call *call, const struct location *where,
                               const struct graphics_info *graphics)
{
    VkGraphicsPipelineLibraryFlagsEXT parts = graphics->parts;
    struct subject s = {.call = call};
    if (graphics->flags & FLAG(LIBRARY_BIT_KHR) || !graphics->known)
        return false;
    if (!(parts & PART_PRE_RASTERIZATION))
        return finding(call, VUID_VkGraphicsPipelineCreateInfo_flags_08901, where, NULL,
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

bool check_graphics_libraries(const struct call *call, const struct location *parent,
                              const struct graphics_info *graphics)
{
    const struct pipeline_layout *layout = find_pipeline_layout(call, graphics->info->layout);
    const struct location *where = &LOCATION_CHAINED(parent, "VkPipelineLibraryCreateInfoKHR");
    struct subject s = {.call = call, .where = parent};
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
    const struct side own = side_of_own(call, graphics);
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
