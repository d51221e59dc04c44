/* Finds which parts of a graphics pipeline a create info defines, and which of its pointers are
 * read (10.6 "Graphics Pipelines"). */
#include "state/pipeline/graphics_info.h"

#include "vk/chain.h"

/* Stages of the pre-rasterization part. */
#define STAGES_PRE_RASTERIZATION                                                  \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |      \
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | \
     VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)
/* The two tessellation stages. */
#define STAGES_TESSELLATION \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

VkPipelineCreateFlags2 pipeline_create_flags(const void *next, VkPipelineCreateFlags flags)
{
    const VkPipelineCreateFlags2CreateInfo *flags2 =
        chain_find(next, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
    return flags2 ? flags2->flags : flags;
}

VkGraphicsPipelineLibraryFlagsEXT dynamic_state_parts(enum dynamic_state state)
{
    assert((unsigned)state < DYNAMIC_STATE_COUNT);
    switch (state) {
    case DYNAMIC_VERTEX_INPUT_EXT:
    case DYNAMIC_VERTEX_INPUT_BINDING_STRIDE:
    case DYNAMIC_PRIMITIVE_TOPOLOGY:
    case DYNAMIC_PRIMITIVE_RESTART_ENABLE:
        return PART_VERTEX_INPUT;
    case DYNAMIC_FRAGMENT_SHADING_RATE_KHR:
        return PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER;
    case DYNAMIC_DEPTH_BOUNDS:
    case DYNAMIC_STENCIL_COMPARE_MASK:
    case DYNAMIC_STENCIL_WRITE_MASK:
    case DYNAMIC_STENCIL_REFERENCE:
    case DYNAMIC_DEPTH_TEST_ENABLE:
    case DYNAMIC_DEPTH_WRITE_ENABLE:
    case DYNAMIC_DEPTH_COMPARE_OP:
    case DYNAMIC_DEPTH_BOUNDS_TEST_ENABLE:
    case DYNAMIC_STENCIL_TEST_ENABLE:
    case DYNAMIC_STENCIL_OP:
    case DYNAMIC_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV:
        return PART_FRAGMENT_SHADER;
    case DYNAMIC_SAMPLE_LOCATIONS_EXT:
    case DYNAMIC_SAMPLE_LOCATIONS_ENABLE_EXT:
    case DYNAMIC_RASTERIZATION_SAMPLES_EXT:
    case DYNAMIC_SAMPLE_MASK_EXT:
    case DYNAMIC_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case DYNAMIC_ALPHA_TO_ONE_ENABLE_EXT:
    case DYNAMIC_COVERAGE_TO_COLOR_ENABLE_NV:
    case DYNAMIC_COVERAGE_TO_COLOR_LOCATION_NV:
    case DYNAMIC_COVERAGE_MODULATION_MODE_NV:
    case DYNAMIC_COVERAGE_MODULATION_TABLE_ENABLE_NV:
    case DYNAMIC_COVERAGE_MODULATION_TABLE_NV:
    case DYNAMIC_COVERAGE_REDUCTION_MODE_NV:
        return PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT;
    case DYNAMIC_BLEND_CONSTANTS:
    case DYNAMIC_LOGIC_OP_EXT:
    case DYNAMIC_LOGIC_OP_ENABLE_EXT:
    case DYNAMIC_COLOR_WRITE_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_ENABLE_EXT:
    case DYNAMIC_COLOR_BLEND_EQUATION_EXT:
    case DYNAMIC_COLOR_WRITE_MASK_EXT:
    case DYNAMIC_COLOR_BLEND_ADVANCED_EXT:
    case DYNAMIC_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT:
        return PART_FRAGMENT_OUTPUT;
    case DYNAMIC_RAY_TRACING_PIPELINE_STACK_SIZE_KHR:
    case DYNAMIC_STATE_COUNT:
        return 0;
    default:
        return PART_PRE_RASTERIZATION;
    }
}

struct dynamic_state_set graphics_given_dynamic_states(const VkPipelineDynamicStateCreateInfo *info)
{
    struct dynamic_state_set set = {{0}};
    if (pointer_is_bad(info) || pointer_is_bad(info->pDynamicStates))
        return set;
    for (uint32_t i = 0; i < info->dynamicStateCount; i++) {
        enum dynamic_state state = dynamic_state_of(info->pDynamicStates[i]);
        if (state < DYNAMIC_STATE_COUNT)
            dynamic_state_set_add(&set, state);
    }
    return set;
}

/* The dynamic states that belong to these parts of a pipeline; others are ignored. */
static struct dynamic_state_set of_parts(const struct dynamic_state_set *given,
                                         VkGraphicsPipelineLibraryFlagsEXT parts)
{
    struct dynamic_state_set set = {{0}};
    for (uint32_t state = 0; state < DYNAMIC_STATE_COUNT; state++) {
        if (dynamic_state_set_has(given, state) && dynamic_state_parts(state) & parts)
            dynamic_state_set_add(&set, state);
    }
    return set;
}

/* The stages in pStages; 0: the array cannot be read. */
static VkShaderStageFlags given_stages(const VkGraphicsPipelineCreateInfo *info)
{
    VkShaderStageFlags stages = 0;
    if (pointer_is_bad(info->pStages))
        return 0;
    for (uint32_t i = 0; i < info->stageCount; i++)
        stages |= info->pStages[i].stage;
    return stages;
}

/* The parts that the create info defines. If this structure is omitted, and either flags includes
 * VK_PIPELINE_CREATE_LIBRARY_BIT_KHR or [there are libraries], it is as if flags is 0. Otherwise if
 * this structure is omitted, it is as if flags includes all possible subsets. */
static VkGraphicsPipelineLibraryFlagsEXT asked_parts(const struct graphics_info *graphics)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *library =
        chain_find(graphics->info->pNext,
                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    if (library)
        return library->flags & PARTS_ALL;
    return graphics->flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR || graphics->libraries
               ? 0
               : PARTS_ALL;
}

/* Adds the parts of linked libraries. If a library is not known, `known` becomes false. */
static void add_libraries(struct graphics_info *graphics, const struct call *call)
{
    const VkPipelineLibraryCreateInfoKHR *libraries =
        chain_find(graphics->info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    if (!libraries || !libraries->libraryCount || pointer_is_bad(libraries->pLibraries))
        return;
    graphics->libraries = libraries;
    for (uint32_t i = 0; i < libraries->libraryCount; i++) {
        const struct pipeline *library = find_pipeline(call, libraries->pLibraries[i]);
        if (!library) {
            /* Its parts, stages and rasterization may be anything. */
            graphics->known = false;
            continue;
        }
        graphics->linked |= library->parts;
        graphics->all_stages |= library->stages;
        if (library->parts & PART_PRE_RASTERIZATION &&
            !pipeline_is_dynamic(library, DYNAMIC_RASTERIZER_DISCARD_ENABLE) &&
            library->rasterization.rasterizerDiscardEnable)
            graphics->rasterizes = false;
    }
}

/* Finds the pipeline's own parts. Without rasterization there are no fragment parts, and with mesh
 * shaders there is no vertex input. */
static void find_own_parts(struct graphics_info *graphics)
{
    const VkGraphicsPipelineCreateInfo *info = graphics->info;
    VkShaderStageFlags stages = given_stages(info);
    graphics->own = graphics->asked;
    if (graphics->asked & PART_PRE_RASTERIZATION) {
        graphics->stages |= stages & STAGES_PRE_RASTERIZATION;
        if (!pointer_is_bad(info->pRasterizationState))
            graphics->rasterization = info->pRasterizationState;
        if (graphics->rasterization && graphics->rasterization->rasterizerDiscardEnable &&
            !graphics_is_dynamic(graphics, DYNAMIC_RASTERIZER_DISCARD_ENABLE))
            /* Only a static value is considered: a dynamic one is only known when drawing. */
            graphics->rasterizes = false;
    }
    graphics->all_stages |= graphics->stages;
    /* A mesh shader may come from a library, so `all_stages` is used. */
    if (graphics->all_stages & VK_SHADER_STAGE_MESH_BIT_EXT)
        graphics->own &= ~(VkFlags)PART_VERTEX_INPUT;
    if (!graphics->rasterizes)
        graphics->own &= ~(VkFlags)(PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT);
    if (graphics->own & PART_FRAGMENT_SHADER)
        graphics->stages |= stages & VK_SHADER_STAGE_FRAGMENT_BIT;
    graphics->all_stages |= graphics->stages;
}

/* The pointer if the condition holds and the pointer is not bad; otherwise NULL. */
#define READ_IF(condition_, pointer_) \
    ((condition_) && !pointer_is_bad(pointer_) ? (pointer_) : NULL)

/* Derives what a graphics pipeline's create info defines: its parts, dynamic states, and the
 * pointers that are read. */
static struct graphics_info derive_graphics(const struct call *call,
                                            const VkGraphicsPipelineCreateInfo *info)
{
    assert(call->device && info);
    struct graphics_info graphics = {.info = info, .known = true, .rasterizes = true};
    graphics.flags = pipeline_create_flags(info->pNext, info->flags);
    graphics.given = graphics_given_dynamic_states(info->pDynamicState);
    add_libraries(&graphics, call);
    /* Libraries are added before, as their parts are not defined here. */
    graphics.asked = asked_parts(&graphics);
    find_own_parts(&graphics);
    graphics.parts = graphics.own | graphics.linked;
    graphics.dynamic = of_parts(&graphics.given, graphics.own);
    if (!info->renderPass)
        graphics.rendering =
            chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    VkGraphicsPipelineLibraryFlagsEXT own = graphics.own;
    graphics.vertex_input = READ_IF(own & PART_VERTEX_INPUT &&
                                        !graphics_is_dynamic(&graphics, DYNAMIC_VERTEX_INPUT_EXT),
                                    info->pVertexInputState);
    graphics.input_assembly = READ_IF(own & PART_VERTEX_INPUT, info->pInputAssemblyState);
    graphics.tessellation =
        READ_IF(own & PART_PRE_RASTERIZATION && graphics.stages & STAGES_TESSELLATION,
                info->pTessellationState);
    graphics.viewport =
        READ_IF(own & PART_PRE_RASTERIZATION && graphics.rasterizes, info->pViewportState);
    graphics.multisample =
        READ_IF(own & (PART_FRAGMENT_SHADER | PART_FRAGMENT_OUTPUT), info->pMultisampleState);
    graphics.depth_stencil = READ_IF(own & PART_FRAGMENT_SHADER, info->pDepthStencilState);
    graphics.color_blend = READ_IF(own & PART_FRAGMENT_OUTPUT, info->pColorBlendState);
    return graphics;
}

/* A derived graphics_info in the call's ring. */
struct derived_graphics {
    struct derived base;
    struct graphics_info graphics;
};

/* Finds what the call has already derived from the create info; NULL: nothing yet. All hooks go
 * through the array in order, so the search begins after the last result. */
static struct derived *find_derived(struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    struct derived *last = call->derived;
    for (struct derived *at = last ? last->next : NULL; at; at = at != last ? at->next : NULL) {
        if (at->of == info)
            return at;
    }
    return NULL;
}

/* Derives what a create info defines, and stores it in the call's ring for the next validator.
 * NULL: out of memory. */
static struct derived *add_derived(struct call *call, const VkGraphicsPipelineCreateInfo *info)
{
    struct derived_graphics *made = mem_alloc(sizeof(*made));
    if (!made)
        return NULL;
    made->graphics = derive_graphics(call, info);
    made->base = (struct derived){call->derived ? call->derived->next : &made->base, info};
    if (call->derived)
        call->derived->next = &made->base;
    return &made->base;
}

const struct graphics_info *graphics_info_of(const struct call *call,
                                             const VkGraphicsPipelineCreateInfo *info,
                                             struct graphics_info *storage)
{
    assert(info && storage);
    /* the call is on the stack of the entry, where it is not const */
    struct call *keeps = (struct call *)(uintptr_t)call;
    if (call->command == COMMAND_CreateGraphicsPipelines) {
        struct derived *derived = find_derived(keeps, info);
        derived = derived ? derived : add_derived(keeps, info);
        if (derived) {
            keeps->derived = derived;
            return &((const struct derived_graphics *)derived)->graphics;
        }
    }
    *storage = derive_graphics(call, info);
    return storage;
}

bool pipeline_is_complete(const VkGraphicsPipelineCreateInfo *info)
{
    assert(info);
    return !chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT) &&
           !chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

bool pipeline_reads_stages(const VkGraphicsPipelineCreateInfo *info)
{
    assert(info);
    const VkGraphicsPipelineLibraryCreateInfoEXT *library =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    return pipeline_is_complete(info) ||
           (library && library->flags & (PART_PRE_RASTERIZATION | PART_FRAGMENT_SHADER));
}
