/* Checks the inputs and outputs that an entry point declares, by rules that no pipeline changes
 * (StandaloneSpirv): shared locations, arrays of arrays, volatile built-ins. */
#include "core/shader/accesses.h"
#include "core/shader/stage.h"
#include "report/finding/rule.h"

#define INTERPOLATION \
    (SPIRV_PER_VERTEX | SPIRV_FLAT | SPIRV_NO_PERSPECTIVE | SPIRV_SAMPLE | SPIRV_CENTROID)

/* the most inputs and outputs of an entry point that are compared with each other */
#define COMPARED_MOST 512

/* The components that a variable takes of each of its locations, a bit for each. */
static uint32_t component_bits(const struct spirv_interface *leaf)
{
    const uint32_t count = leaf->components * (leaf->width == 64 ? 2u : 1u);
    return leaf->component > 3 || count > 3 ? 0xf : ((1u << count) - 1) << leaf->component;
}

/* True if two variables have a location in common, and no component of it. SPIRV-Tools reports
 * components that overlap. */
static bool share_location(const struct spirv_interface *one, const struct spirv_interface *other)
{
    return one->variable != other->variable && one->location != SPIRV_NONE &&
           other->location != SPIRV_NONE &&
           one->location < (uint64_t)other->location + other->location_count &&
           other->location < (uint64_t)one->location + one->location_count &&
           !(component_bits(one) & component_bits(other));
}

static bool is_user_input(const struct spirv_interface *leaf)
{
    return leaf->storage == SpvStorageClassInput && leaf->builtin == SPIRV_NONE;
}

/* Any variable in the Input storage class in the Fragment execution model must not have an assigned
 * Location shared with another variable with different decorations for PerVertexKHR, Flat,
 * NoPerspective, Sample, or Centroid */
static void check_shared_locations(struct subject *s, const struct shader_stage *stage)
{
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        const struct spirv_interface *one = shader_leaf(stage, i);
        for (uint32_t k = 0; k < i && is_user_input(one); k++) {
            const struct spirv_interface *other = shader_leaf(stage, k);
            if (!is_user_input(other) || !((one->flags ^ other->flags) & INTERPOLATION) ||
                !share_location(one, other))
                continue;
            BROKEN(s, VUID_StandaloneSpirv_Input_10604, stage->where,
                   "has the inputs %s and %s, which share location %u, with different decorations "
                   "for their interpolation",
                   shader_text(stage, other->name), shader_text(stage, one->name),
                   one->location > other->location ? one->location : other->location);
            return;
        }
    }
}

/* True for an array of arrays of scalars or vectors. */
static bool is_array_of_arrays(const struct spirv_reflection *reflection, uint32_t index)
{
    for (uint32_t depth = 0; depth < 2; depth++) {
        if (index >= reflection->type_count || reflection->types[index].opcode != SpvOpTypeArray)
            return false;
        index = reflection->types[index].element;
    }
    return index < reflection->type_count && (reflection->types[index].opcode == SpvOpTypeInt ||
                                              reflection->types[index].opcode == SpvOpTypeFloat ||
                                              reflection->types[index].opcode == SpvOpTypeVector);
}

/* Its interface definition must not include any variables in the Input (Output) storage class
 * decorated with Component that are arrays of arrays of scalars or vectors, unless the model is one
 * of these. Variables that are arrays of vertices or primitives are left out. */
static void check_arrays(struct subject *s, const struct shader_stage *stage,
                         const struct spirv_interface *leaf)
{
    const uint32_t model = stage->entry->model;
    const bool input = leaf->storage == SpvStorageClassInput;
    if (leaf->builtin != SPIRV_NONE || leaf->member != SPIRV_NONE ||
        (leaf->flags & (SPIRV_HAS_COMPONENT | SPIRV_ARRAYED)) != SPIRV_HAS_COMPONENT ||
        (input ? model == SpvExecutionModelTessellationControl || model == SpvExecutionModelGeometry
               : leaf->storage != SpvStorageClassOutput || model == SpvExecutionModelMeshNV))
        return;
    REQUIRE(s, input ? VUID_StandaloneSpirv_Execution_10584 : VUID_StandaloneSpirv_Execution_10585,
            !is_array_of_arrays(stage->reflection, leaf->type), stage->where,
            "has the %s %s, an array of arrays that is decorated with Component",
            input ? "input" : "output", shader_text(stage, leaf->name));
}

bool check_entry_interface(const struct call *call, const struct shader_stage *stage)
{
    struct subject s = {.call = call, .objects = STAGE_OBJECT(stage)};
    const uint32_t model = stage->entry->model;
    if (model == SpvExecutionModelFragment && stage->entry->interface_count <= COMPARED_MOST)
        check_shared_locations(&s, stage);
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        const struct spirv_interface *leaf = shader_leaf(stage, i);
        check_arrays(&s, stage, leaf);
        /* If the VulkanMemoryModel capability is not declared, the Volatile decoration must be used
         * on any variable declaration that includes one of these BuiltIn decorations when used in
         * these shaders */
        if (built_in_is_volatile(model, leaf->builtin) && leaf->access & SPIRV_ACCESS_USED &&
            !(leaf->flags & SPIRV_VOLATILE) &&
            !spirv_has_capability(stage->reflection, SpvCapabilityVulkanMemoryModel))
            BROKEN(&s, VUID_StandaloneSpirv_VulkanMemoryModel_04678, stage->where,
                   "uses the built-in %s in a shader for rays, and does not decorate it with "
                   "Volatile",
                   spirv_enumerant(SPIRV_KIND_BuiltIn, leaf->builtin)->name);
    }
    return s.skip;
}
