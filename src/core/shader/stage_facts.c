/* Answers questions of the checks about one stage: its name, its module's name, its built-ins. */
#include "core/shader/stage.h"

#include <stdio.h>

#include "report/names/object_text.h"

const char *shader_stage_name(VkShaderStageFlagBits stage)
{
    switch (stage) {
/* A case of a switch that returns the name of a stage. */
#define STAGE(name_)              \
    case VK_SHADER_STAGE_##name_: \
        return "VK_SHADER_STAGE_" #name_
        STAGE(VERTEX_BIT);
        STAGE(TESSELLATION_CONTROL_BIT);
        STAGE(TESSELLATION_EVALUATION_BIT);
        STAGE(GEOMETRY_BIT);
        STAGE(FRAGMENT_BIT);
        STAGE(COMPUTE_BIT);
        STAGE(TASK_BIT_EXT);
        STAGE(MESH_BIT_EXT);
        STAGE(RAYGEN_BIT_KHR);
        STAGE(ANY_HIT_BIT_KHR);
        STAGE(CLOSEST_HIT_BIT_KHR);
        STAGE(MISS_BIT_KHR);
        STAGE(INTERSECTION_BIT_KHR);
        STAGE(CALLABLE_BIT_KHR);
#undef STAGE
    default:
        return "the stage";
    }
}

uint64_t stage_shared_bytes(const struct shader_stage *stage)
{
    assert(stage->entry);
    return spirv_has_capability(stage->reflection, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR)
               ? 0
               : spirv_shared_bytes(stage->reflection, stage->entry, SpvStorageClassWorkgroup,
                                    &stage->specialization);
}

const char *shader_modules(const struct call *call, const struct shader_stage *one,
                           const struct shader_stage *other, struct modules_text *text)
{
    if (one->module && other->module)
        (void)snprintf(text->text, sizeof(text->text), " (%s, %s)",
                       NAMED(call, HANDLE_SHADER_MODULE, one->module),
                       NAMED(call, HANDLE_SHADER_MODULE, other->module));
    return text->text;
}

const struct spirv_interface *shader_builtin(const struct shader_stage *stage, uint32_t storage,
                                             uint32_t builtin)
{
    assert(stage->entry);
    for (uint32_t i = 0; i < stage->entry->interface_count; i++) {
        if (shader_leaf(stage, i)->builtin == builtin && shader_leaf(stage, i)->storage == storage)
            return shader_leaf(stage, i);
    }
    return NULL;
}
