/* Render passes: dependencies between subpasses, views, fragment shading rate and density map
 * attachments (8.1). */
#include "render/render_pass_builder.h"

#define A(index_) p->attachments[index_]
#define D         p->dependencies[0]
#define TWO_SUBPASSES         \
    p->info.subpassCount = 2; \
    p->info.dependencyCount = 1
/* A subpass that depends on itself. */
#define ITSELF                   \
    p->info.dependencyCount = 1; \
    D.dstSubpass = 0
#define VIEWS(first_, second_)           \
    p->subpasses[0].viewMask = (first_); \
    p->subpasses[1].viewMask = (second_)

RIGHT(dependency, (), TWO_SUBPASSES)
RIGHT(dependency_on_itself, (), ITSELF)
RIGHT(dependency_external, (), TWO_SUBPASSES; D.srcSubpass = VK_SUBPASS_EXTERNAL;
      D.srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
      D.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT)

/* Nothing is said of accesses that a stage of the mask can make, whichever it is. */
RIGHT(dependency_of_all_commands, (), TWO_SUBPASSES; D.srcSubpass = VK_SUBPASS_EXTERNAL;
      D.srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
      D.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT |
                        VK_ACCESS_SHADER_WRITE_BIT;
      D.dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
      D.dstAccessMask = VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_MEMORY_READ_BIT |
                        VK_ACCESS_INPUT_ATTACHMENT_READ_BIT)
PAIR(source_accesses, "VkSubpassDependency-srcAccessMask-00868",
     "VkSubpassDependency2-srcAccessMask-03088", (), TWO_SUBPASSES;
     D.srcSubpass = VK_SUBPASS_EXTERNAL; D.srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
     D.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT)
PAIR(destination_accesses, "VkSubpassDependency-dstAccessMask-00869",
     "VkSubpassDependency2-dstAccessMask-03089", (), TWO_SUBPASSES;
     D.dstSubpass = VK_SUBPASS_EXTERNAL; D.dstStageMask = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
     D.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT)

PAIR(source_beyond_subpasses, "VkRenderPassCreateInfo-pDependencies-06866",
     "VkRenderPassCreateInfo2-srcSubpass-02526", (), p->info.dependencyCount = 1;
     D.srcSubpass = 1; D.dstSubpass = VK_SUBPASS_EXTERNAL)
PAIR(destination_beyond_subpasses, "VkRenderPassCreateInfo-pDependencies-06867",
     "VkRenderPassCreateInfo2-dstSubpass-02527", (), p->info.dependencyCount = 1)
PAIR(backwards, "VkSubpassDependency-srcSubpass-00864", "VkSubpassDependency2-srcSubpass-03084", (),
     TWO_SUBPASSES;
     D.srcSubpass = 1; D.dstSubpass = 0)
PAIR(external_to_external, "VkSubpassDependency-srcSubpass-00865",
     "VkSubpassDependency2-srcSubpass-03085", (), TWO_SUBPASSES;
     D.srcSubpass = D.dstSubpass = VK_SUBPASS_EXTERNAL)
PAIR(itself_out_of_space, "VkSubpassDependency-srcSubpass-06809",
     "VkSubpassDependency2-srcSubpass-06810", (), ITSELF;
     D.dstStageMask |= VK_PIPELINE_STAGE_VERTEX_SHADER_BIT)
PAIR(itself_not_by_region, "VkSubpassDependency-srcSubpass-02243",
     "VkSubpassDependency2-srcSubpass-02245", (), ITSELF;
     D.dependencyFlags = 0)
PAIR(compute_from_subpass, "VkRenderPassCreateInfo-pDependencies-00837",
     "VkRenderPassCreateInfo2-pDependencies-03054", (), TWO_SUBPASSES;
     D.srcStageMask |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
PAIR(transfer_to_subpass, "VkRenderPassCreateInfo-pDependencies-00838",
     "VkRenderPassCreateInfo2-pDependencies-03055", (), TWO_SUBPASSES;
     D.dstStageMask |= VK_PIPELINE_STAGE_TRANSFER_BIT)
PAIR(ownership_flag, "VkSubpassDependency-dependencyFlags-10203",
     "VkSubpassDependency2-dependencyFlags-10204",
     (.drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_8_EXTENSION_NAME}), TWO_SUBPASSES;
     D.dependencyFlags |= VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR)

/* --- stages that features bring --- */

#define STAGE(name_, number_, fields_, stage_)                                                    \
    TWINS(source_##name_, "VkSubpassDependency", "srcStageMask-" number_, fields_, TWO_SUBPASSES; \
          D.srcSubpass = VK_SUBPASS_EXTERNAL; D.srcStageMask |= (stage_))                         \
    TWINS(destination_##name_, "VkSubpassDependency", "dstStageMask-" number_, fields_,           \
          TWO_SUBPASSES;                                                                          \
          D.dstSubpass = VK_SUBPASS_EXTERNAL; D.dstStageMask |= (stage_))
#define EXTENSION(name_) (.drivers = NULL_DRIVER, .extensions = {name_})
STAGE(geometry, "04090", (), VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT)
STAGE(tessellation, "04091", (), VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT)
STAGE(conditional, "04092", EXTENSION(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME),
      VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT)
STAGE(density, "04093", EXTENSION(VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME),
      VK_PIPELINE_STAGE_FRAGMENT_DENSITY_PROCESS_BIT_EXT)
STAGE(feedback, "04094", EXTENSION(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME),
      VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT)
STAGE(mesh, "04095", EXTENSION(VK_EXT_MESH_SHADER_EXTENSION_NAME),
      VK_PIPELINE_STAGE_MESH_SHADER_BIT_EXT)
STAGE(task, "04096", EXTENSION(VK_EXT_MESH_SHADER_EXTENSION_NAME),
      VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT)
STAGE(rate, "07318", EXTENSION(VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME),
      VK_PIPELINE_STAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR)
#define RAYS                                                                              \
    (.drivers = NULL_DRIVER, .extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,   \
                                            VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, \
                                            VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME})
STAGE(rays, "07949", RAYS, VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR)
STAGE(builds, "10754", RAYS, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR)
TWINS(source_zero, "VkSubpassDependency", "srcStageMask-03937", (.features = NULL), TWO_SUBPASSES;
      D.srcStageMask = 0; D.srcAccessMask = 0)
TWINS(destination_zero, "VkSubpassDependency", "dstStageMask-03937", (.features = NULL),
      TWO_SUBPASSES;
      D.dstStageMask = 0; D.dstAccessMask = 0)
RIGHT(stages_zero, (), TWO_SUBPASSES; D.srcStageMask = D.dstStageMask = 0;
      D.srcAccessMask = D.dstAccessMask = 0)

/* --- views --- */

RIGHT_SECOND(views, (), TWO_SUBPASSES; VIEWS(3, 1);
             D.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT; D.viewOffset = 1;
             uint32_t masks[] = {1, 2}; p->info.correlatedViewMaskCount = 2;
             p->info.pCorrelatedViewMasks = masks)
SECOND(views_in_some_subpasses, "VkRenderPassCreateInfo2-viewMask-03058", (), TWO_SUBPASSES;
       VIEWS(1, 0))
SECOND(views_correlated_twice, "VkRenderPassCreateInfo2-pCorrelatedViewMasks-03056", (),
       VIEWS(3, 3);
       uint32_t masks[] = {1, 3}; p->info.correlatedViewMaskCount = 2;
       p->info.pCorrelatedViewMasks = masks)
SECOND(views_correlated_without, "VkRenderPassCreateInfo2-viewMask-03057", (),
       uint32_t masks[] = {1};
       p->info.correlatedViewMaskCount = 1; p->info.pCorrelatedViewMasks = masks)
SECOND(view_local_without, "VkRenderPassCreateInfo2-viewMask-03059", (), TWO_SUBPASSES;
       D.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT)
SECOND(view_local_missing, "VkRenderPassCreateInfo2-pDependencies-03060", (), ITSELF; VIEWS(3, 0))
SECOND(view_offset_of_itself, "VkSubpassDependency2-viewOffset-02530", (), ITSELF; VIEWS(1, 0);
       D.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT; D.viewOffset = 1)
SECOND(view_offset_not_local, "VkSubpassDependency2-dependencyFlags-03092", (), TWO_SUBPASSES;
       VIEWS(1, 1); D.viewOffset = 1)
SECOND(views_without_feature, "VkSubpassDescription2-multiview-06558", (.features = NULL),
       VIEWS(1, 0))
#define SIX_VIEWS \
    (.drivers = NULL_DRIVER, .null_driver = "{\"properties\": {\"maxMultiviewViewCount\": 6}}")
SECOND(views_beyond_limit, "VkSubpassDescription2-viewMask-06706", SIX_VIEWS, VIEWS(64, 0))

#define MULTIVIEW(first_, second_)                                     \
    uint32_t masks[2] = {(first_), (second_)}, correlated[2] = {1, 2}; \
    int32_t offsets[1] = {0};                                          \
    VkRenderPassMultiviewCreateInfo multiview = {                      \
        VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,           \
        NULL,                                                          \
        2,                                                             \
        masks,                                                         \
        1,                                                             \
        offsets,                                                       \
        0,                                                             \
        correlated};                                                   \
    TWO_SUBPASSES;                                                     \
    p->info.pNext = &multiview
#define MULTI(name_, id_, fields_, ...) \
    FIRST(name_, id_, fields_, __VA_ARGS__; (void)correlated; (void)offsets)
SCENARIO(multiview, .features = &pass_features)
{
    struct pass pass_, *p = &pass_;
    pass_begin(p);
    MULTIVIEW(3, 3);
    offsets[0] = 1;
    multiview.correlationMaskCount = 2;
    D.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT;
    ENSURE(pass_create1(b, p));
}
MULTI(multiview_subpasses, "VkRenderPassCreateInfo-pNext-01928", (), MULTIVIEW(1, 1);
      p->info.subpassCount = 1; p->info.dependencyCount = 0; multiview.dependencyCount = 0)
MULTI(multiview_dependencies, "VkRenderPassCreateInfo-pNext-01929", (), MULTIVIEW(1, 1);
      p->info.dependencyCount = 0)
MULTI(multiview_offset_of_itself, "VkRenderPassCreateInfo-pNext-01930", (), MULTIVIEW(1, 1);
      D.dstSubpass = 0; D.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT; offsets[0] = 1)
MULTI(multiview_offset_not_local, "VkRenderPassCreateInfo-pNext-02512", (), MULTIVIEW(1, 1);
      offsets[0] = 1)
MULTI(multiview_in_some_subpasses, "VkRenderPassCreateInfo-pNext-02513", (), MULTIVIEW(1, 0))
MULTI(multiview_local_without, "VkRenderPassCreateInfo-pNext-02514", (), MULTIVIEW(0, 0);
      D.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT)
MULTI(multiview_correlated_without, "VkRenderPassCreateInfo-pNext-02515", (), MULTIVIEW(0, 0);
      multiview.correlationMaskCount = 1)
MULTI(multiview_correlated_twice, "VkRenderPassMultiviewCreateInfo-pCorrelationMasks-00841", (),
      MULTIVIEW(3, 3);
      multiview.correlationMaskCount = 2; correlated[1] = 3)
MULTI(multiview_without_feature, "VkRenderPassMultiviewCreateInfo-multiview-06555",
      (.features = NULL), MULTIVIEW(1, 1))
MULTI(multiview_beyond_limit, "VkRenderPassMultiviewCreateInfo-pViewMasks-06697", SIX_VIEWS,
      MULTIVIEW(1, 64))
MULTI(multiview_local_missing, "VkSubpassDependency-srcSubpass-00872", (), MULTIVIEW(3, 3);
      D.dstSubpass = 0)

/* --- fragment density map --- */

#define DENSITY (.drivers = NULL_DRIVER, .extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME})
#define WITH_MAP                                                            \
    VkRenderPassFragmentDensityMapCreateInfoEXT map = {                     \
        VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT, \
        NULL,                                                               \
        {COLOR_B, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT}};       \
    A(COLOR_B).format = VK_FORMAT_R8G8_UNORM;                               \
    A(COLOR_B).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;                    \
    A(COLOR_B).storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;                  \
    p->info.pNext = &map
RIGHT(density_map, DENSITY, WITH_MAP)
PAIR(density_map_number, "VkRenderPassCreateInfo-fragmentDensityMapAttachment-06471",
     "VkRenderPassCreateInfo2-fragmentDensityMapAttachment-06472", DENSITY, WITH_MAP;
     map.fragmentDensityMapAttachment.attachment = PASS_ATTACHMENTS)
#define MAP(name_, id_, ...)                                                                       \
    PAIR(name_, "VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-" id_,   \
         "VkRenderPassFragmentDensityMapCreateInfoEXT-fragmentDensityMapAttachment-" id_, DENSITY, \
         WITH_MAP;                                                                                 \
         __VA_ARGS__)
MAP(density_map_used, "02548", p->subpasses[0].colorAttachmentCount = 2;
    p->colors[1].attachment = COLOR_B)
MAP(density_map_layout, "02549",
    map.fragmentDensityMapAttachment.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
MAP(density_map_cleared, "02550", A(COLOR_B).loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR)
MAP(density_map_stored, "02551", A(COLOR_B).storeOp = VK_ATTACHMENT_STORE_OP_STORE)
PAIR(density_map_layered, "VkRenderPassCreateInfo-fragmentDensityMapLayered-10828",
     "VkRenderPassCreateInfo2-fragmentDensityMapLayered-10829",
     (.drivers = NULL_DRIVER, .extensions = {VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME,
                                             VK_VALVE_FRAGMENT_DENSITY_MAP_LAYERED_EXTENSION_NAME,
                                             VK_KHR_MAINTENANCE_5_EXTENSION_NAME}),
     WITH_MAP;
     p->info.flags = VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE)

/* --- fragment shading rate attachments --- */

#define RATE (.drivers = NULL_DRIVER, .extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME})
#define WITH_RATE                                        \
    A(COLOR_B).format = VK_FORMAT_R8_UINT;               \
    A(COLOR_B).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE; \
    p->shading_rate.attachment = COLOR_B;                \
    p->subpasses[0].pNext = &p->rate
#define RATE_RULE(name_, id_, ...)                                                              \
    SECOND(name_, "VkFragmentShadingRateAttachmentInfoKHR-pFragmentShadingRateAttachment-" id_, \
           RATE, WITH_RATE;                                                                     \
           __VA_ARGS__)
RIGHT_SECOND(shading_rate, RATE, WITH_RATE)
RATE_RULE(shading_rate_layout, "04524",
          p->shading_rate.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
RATE_RULE(shading_rate_width, "04525", p->rate.shadingRateAttachmentTexelSize.width = 12)
RATE_RULE(shading_rate_height, "04528", p->rate.shadingRateAttachmentTexelSize.height = 12)
SECOND(shading_rate_used, "VkRenderPassCreateInfo2-pAttachments-04585", RATE, WITH_RATE;
       p->subpasses[0].colorAttachmentCount = 2; p->colors[1].attachment = COLOR_B)
SECOND(shading_rate_cleared, "VkRenderPassCreateInfo2-pAttachments-09387", RATE, WITH_RATE;
       A(COLOR_B).loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR)
SECOND(shading_rate_format, "VkRenderPassCreateInfo2-pAttachments-04586", RATE, WITH_RATE;
       A(COLOR_B).format = VK_FORMAT_R32_SFLOAT)
