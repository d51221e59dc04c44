/* Checks the arrays of a graphics pipeline that the driver reads (10.3 "Graphics Pipelines").
 * Ignored arrays may be missing. */
#include "core/hooks.h"
#include "core/pipeline/checks.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

/* "It is ignored if the pipeline is created with VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
 * ..._COLOR_BLEND_EQUATION_EXT, and
 * ..._COLOR_WRITE_MASK_EXT dynamic states set, and either ..._COLOR_BLEND_ADVANCED_EXT set or the
 * advancedBlendCoherentOperations feature is not enabled." */
static bool ignores_blend_attachments(const struct call *call, const struct graphics_info *graphics)
{
    return graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ENABLE_EXT) &&
           graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_EQUATION_EXT) &&
           graphics_is_dynamic(graphics, DYNAMIC_COLOR_WRITE_MASK_EXT) &&
           (graphics_is_dynamic(graphics, DYNAMIC_COLOR_BLEND_ADVANCED_EXT) ||
            !device_has_feature(call->device, FEATURE_advancedBlendCoherentOperations));
}

bool core_validate_CreateGraphicsPipelines_arrays(struct call *call, VkDevice device,
                                                  VkPipelineCache pipelineCache,
                                                  uint32_t createInfoCount,
                                                  const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkPipeline *pPipelines)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < createInfoCount; i++) {
        struct graphics_info storage;
        const struct graphics_info *graphics = graphics_info_of(call, &pCreateInfos[i], &storage);
        const VkPipelineColorBlendStateCreateInfo *blend = graphics->color_blend;
        if (!blend || !blend->attachmentCount || !pointer_is_bad(blend->pAttachments) ||
            ignores_blend_attachments(call, graphics))
            continue;
        const struct location pipeline = LOCATION_INDEX(NULL, "pCreateInfos", i),
                              state = LOCATION_POINTER(&pipeline, "pColorBlendState");
        BROKEN(&s, STOPS(VUID_VkPipelineColorBlendStateCreateInfo_pAttachments_07353),
               &LOCATION(&state, "pAttachments"), "is %p, but attachmentCount is %u",
               (const void *)blend->pAttachments, blend->attachmentCount);
    }
    return s.skip;
}
