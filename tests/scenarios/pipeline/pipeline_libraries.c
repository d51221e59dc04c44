/* Links graphics pipelines from libraries (10.6 "Graphics Pipeline Libraries"). */
#include "scenario.h"

#include "shader_interface.h"

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};
#define LIBRARIES                                                                  \
    .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"}, \
    .features = &library_feature
#define LAYOUT_FLAG VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT

enum part { INPUT, PRE, FRAGMENT, OUTPUT, PARTS };
#define FLAGS_OF(part_) ((VkGraphicsPipelineLibraryFlagsEXT)1 << (part_))

/* The infos that each library is made with, and the pipeline that is linked from them. */
struct linking {
    VkPipelineLayout layout[PARTS];
    VkRenderPass render_pass[PARTS];
    uint32_t subpass[PARTS];
    VkPipelineCreateFlags flags[PARTS];
    VkGraphicsPipelineLibraryFlagsEXT parts[PARTS]; /* 0: not made */
    VkSampleCountFlagBits samples;
    VkPipelineCreateFlags linked_flags;
    VkPipelineLayout linked_layout;
    VkPipeline extra;          /* one more library */
    VkShaderModule modules[2]; /* of the vertex and fragment shaders, if they are others */
};

static struct linking linking_of(struct baseline *b)
{
    struct linking linking = {.linked_layout = make_empty_pipeline_layout(b)};
    VkRenderPass render_pass = make_render_pass(b);
    for (uint32_t i = 0; i < PARTS; i++) {
        linking.layout[i] = linking.linked_layout;
        linking.render_pass[i] = render_pass;
        linking.flags[i] = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
        linking.parts[i] = FLAGS_OF(i);
    }
    return linking;
}

/* The stages that belong to the parts. */
static void choose_stages(struct graphics_pipeline *p, VkGraphicsPipelineLibraryFlagsEXT parts)
{
    bool pre = parts & FLAGS_OF(PRE), fragment = parts & FLAGS_OF(FRAGMENT);
    p->info.stageCount = (uint32_t)pre + (uint32_t)fragment;
    p->info.pStages = &p->stages[!pre];
}

static VkPipeline make_linked_library(struct baseline *b, const struct linking *linking, uint32_t i)
{
    struct graphics_pipeline p;
    VkGraphicsPipelineLibraryCreateInfoEXT parts = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = linking->parts[i]};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    begin_graphics_pipeline(b, &p, linking->layout[i], linking->render_pass[i]);
    for (uint32_t k = 0; k < 2; k++) {
        if (linking->modules[k])
            p.stages[k].module = linking->modules[k];
    }
    choose_stages(&p, linking->parts[i]);
    p.info.pNext = &parts;
    p.info.flags = linking->flags[i];
    p.info.subpass = linking->subpass[i];
    p.info.pDepthStencilState = &depth;
    VkPipeline library = create_graphics_pipeline(b, &p.info);
    ENSURE(library);
    return library;
}

static VkPipeline link_those(struct baseline *b, const struct linking *linking,
                             VkPipeline libraries[PARTS + 1])
{
    VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .pLibraries = libraries};
    for (uint32_t i = 0; i < PARTS; i++) {
        if (linking->parts[i])
            libraries[linked.libraryCount++] = make_linked_library(b, linking, i);
    }
    if (linking->extra)
        libraries[linked.libraryCount++] = linking->extra;
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &linked,
                                         .flags = linking->linked_flags,
                                         .layout = linking->linked_layout,
                                         .basePipelineIndex = -1};
    return create_graphics_pipeline(b, &info);
}

static void link_them(struct baseline *b, const struct linking *linking)
{
    VkPipeline libraries[PARTS + 1];
    link_those(b, linking, libraries);
}

#define MISTAKE(name_, id_, change_, ...)                              \
    SCENARIO(name_, .expect = {"VUID-" id_}, LIBRARIES, ##__VA_ARGS__) \
    {                                                                  \
        struct linking l = linking_of(b);                              \
        change_;                                                       \
        link_them(b, &l);                                              \
    }
#define RIGHT(name_, change_, ...)            \
    SCENARIO(name_, LIBRARIES, ##__VA_ARGS__) \
    {                                         \
        struct linking l = linking_of(b);     \
        change_;                              \
        link_them(b, &l);                     \
    }
#define GRAPHICS(id_) "VkGraphicsPipelineCreateInfo-" id_

RIGHT(libraries_in_order, )
RIGHT(libraries_of_two,
      (l.parts[INPUT] = 0, l.parts[PRE] = FLAGS_OF(INPUT) | FLAGS_OF(PRE), l.parts[FRAGMENT] = 0,
       l.parts[OUTPUT] = FLAGS_OF(FRAGMENT) | FLAGS_OF(OUTPUT)))

/* --- parts --- */

MISTAKE(library_input_missing, GRAPHICS("flags-08899"), l.parts[INPUT] = 0)
MISTAKE(library_pre_missing, GRAPHICS("flags-08901"), l.parts[PRE] = 0)
MISTAKE(library_output_missing, GRAPHICS("flags-08909"), l.parts[OUTPUT] = 0,
        .text = {"no fragment output interface state"})
MISTAKE(library_part_twice, GRAPHICS("pLibraries-06611"),
        l.extra = make_linked_library(b, &l, INPUT))
MISTAKE(library_not_a_library, "VkPipelineLibraryCreateInfoKHR-pLibraries-03381",
        (l.parts[INPUT] = l.parts[PRE] = l.parts[FRAGMENT] = l.parts[OUTPUT] = 0,
         l.extra = make_any_graphics_pipeline(b)))
RIGHT(library_of_libraries,
      (l.linked_flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, l.parts[OUTPUT] = 0))

static void make_stage_part(struct baseline *b, VkGraphicsPipelineLibraryFlagsEXT parts,
                            uint32_t first, uint32_t count, VkPipelineCreateFlags flags)
{
    struct graphics_pipeline p;
    VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.pStages = &p.stages[first];
    p.info.stageCount = count;
    p.info.pNext = &library;
    p.info.flags = flags;
    p.info.pDepthStencilState = &depth;
    create_graphics_pipeline(b, &p.info);
}
#define PART(name_, id_, ...)                                     \
    SCENARIO(name_, .expect = {"VUID-" GRAPHICS(id_)}, LIBRARIES) \
    {                                                             \
        make_stage_part(b, __VA_ARGS__);                          \
    }
#define LIBRARY VK_PIPELINE_CREATE_LIBRARY_BIT_KHR

PART(part_pre_with_fragment, "pStages-06894", FLAGS_OF(PRE), 0, 2, LIBRARY)
PART(part_fragment_with_vertex, "pStages-06895", FLAGS_OF(FRAGMENT), 0, 2, LIBRARY)
PART(part_input_with_stages, "stageCount-09587", FLAGS_OF(INPUT), 0, 1, LIBRARY)
PART(part_all_as_library, "flags-06608", 0xf, 0, 2, LIBRARY)
PART(part_retained_without_library, "flags-09245", 0xf, 0, 2,
     VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT)

SCENARIO(part_without_feature,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-graphicsPipelineLibrary-06606"},
         .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"})
{
    make_stage_part(b, FLAGS_OF(INPUT), 0, 0, LIBRARY);
}

SCENARIO(part_without_layout, .expect = {"VUID-VkGraphicsPipelineCreateInfo-flags-06642"},
         LIBRARIES)
{
    struct graphics_pipeline p;
    VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .flags = FLAGS_OF(PRE)};
    begin_graphics_pipeline(b, &p, VK_NULL_HANDLE, make_render_pass(b));
    p.info.stageCount = 1;
    p.info.pNext = &library;
    p.info.flags = LIBRARY;
    create_graphics_pipeline(b, &p.info);
}

/* --- flags --- */

#define OPTIMIZE VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT
#define RETAIN   VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT
#define ALL(field_, value_) \
    (l.field_[INPUT] = l.field_[PRE] = l.field_[FRAGMENT] = l.field_[OUTPUT] = (value_))
#define CAPTURE VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR

RIGHT(optimized, (ALL(flags, LIBRARY | RETAIN), l.linked_flags = OPTIMIZE))
MISTAKE(optimized_without_information, GRAPHICS("flags-06609"), l.linked_flags = OPTIMIZE)
MISTAKE(retained_without_information, GRAPHICS("flags-06610"),
        (l.linked_flags = LIBRARY | RETAIN, l.parts[OUTPUT] = 0))
SCENARIO(captured_in_part, .expect = {"VUID-" GRAPHICS("pLibraries-06646")}, .drivers = NULL_DRIVER,
         .features = &library_feature,
         .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library",
                        "VK_KHR_pipeline_executable_properties"})
{
    struct linking l = linking_of(b);
    l.flags[PRE] |= CAPTURE;
    link_them(b, &l);
}

static const VkPhysicalDevicePipelineProtectedAccessFeaturesEXT protected_access = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROTECTED_ACCESS_FEATURES_EXT,
    .pNext = (void *)&library_feature,
    .pipelineProtectedAccess = VK_TRUE};
#define PROTECTION(name_, id_, change_)                                                    \
    SCENARIO(name_, .expect = {"VUID-" GRAPHICS(id_)}, .drivers = NULL_DRIVER,             \
             .features = &protected_access,                                                \
             .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library", \
                            "VK_EXT_pipeline_protected_access"})                           \
    {                                                                                      \
        struct linking l = linking_of(b);                                                  \
        change_;                                                                           \
        link_them(b, &l);                                                                  \
    }
PROTECTION(library_not_unprotected, "flags-12357",
           l.linked_flags = VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT)
PROTECTION(library_unprotected, "flags-12358",
           l.flags[PRE] |= VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT_EXT)
PROTECTION(library_not_protected, "flags-12359",
           l.linked_flags = VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT)
PROTECTION(library_protected, "flags-12360",
           l.flags[PRE] |= VK_PIPELINE_CREATE_PROTECTED_ACCESS_ONLY_BIT_EXT)

static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
    .pNext = (void *)&library_feature,
    .descriptorBuffer = VK_TRUE};
#define DESCRIPTOR_BUFFER(name_, id_, change_)                                             \
    SCENARIO(name_, .expect = {"VUID-" GRAPHICS(id_)}, .drivers = NULL_DRIVER,             \
             .features = &descriptor_buffers,                                              \
             .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library", \
                            "VK_EXT_descriptor_buffer"})                                   \
    {                                                                                      \
        struct linking l = linking_of(b);                                                  \
        change_;                                                                           \
        link_them(b, &l);                                                                  \
    }
DESCRIPTOR_BUFFER(library_without_descriptor_buffer, "flags-12355",
                  l.linked_flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)
DESCRIPTOR_BUFFER(library_with_descriptor_buffer, "flags-12356",
                  l.flags[PRE] |= VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT)

/* --- render passes and layouts --- */

static VkRenderPass make_other_render_pass(struct baseline *b, uint32_t subpasses, VkFormat format)
{
    static const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    static const VkSubpassDescription subpass = {.pipelineBindPoint =
                                                     VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                 .colorAttachmentCount = 1,
                                                 .pColorAttachments = &color};
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachment = info.pAttachments[0];
    VkSubpassDescription both[2] = {subpass, subpass};
    attachment.format = format;
    info.pAttachments = &attachment;
    info.subpassCount = subpasses;
    info.pSubpasses = both;
    return create_render_pass(b, &info);
}

MISTAKE(libraries_of_subpasses, GRAPHICS("pLibraries-06623"),
        (ALL(render_pass, make_other_render_pass(b, 2, COLOR_FORMAT)), l.subpass[PRE] = 1))
MISTAKE(libraries_of_render_passes, GRAPHICS("pLibraries-06628"),
        l.render_pass[PRE] = make_other_render_pass(b, 1, VK_FORMAT_R8_UNORM))
RIGHT(libraries_of_compatible_passes, l.render_pass[PRE] = make_render_pass(b))

static VkPipelineLayout make_linked_layout(struct baseline *b, VkPipelineLayoutCreateFlags flags)
{
    VkDescriptorSetLayout set = make_descriptor_set_layout(b);
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&set);
    info.flags = flags;
    return create_pipeline_layout(b, &info);
}

MISTAKE(libraries_of_layouts, GRAPHICS("pLibraries-06613"),
        l.layout[FRAGMENT] = make_linked_layout(b, 0))
MISTAKE(libraries_of_independence, GRAPHICS("pLibraries-06615"),
        l.layout[FRAGMENT] = make_linked_layout(b, LAYOUT_FLAG))
RIGHT(libraries_independent,
      (l.layout[PRE] = l.layout[FRAGMENT] = l.linked_layout = make_linked_layout(b, LAYOUT_FLAG)))

/* --- a pipeline that makes a part itself, and takes another from a library -------------------- */

enum side { THEIRS, OWN };

/* The infos of the library and the pipeline: the pre-rasterization part, and the fragment shader.
 */
struct sides {
    VkGraphicsPipelineLibraryFlagsEXT parts[2];
    VkPipelineLayout layout[2];
    VkRenderPass render_pass[2];
    uint32_t subpass[2], view_mask[2];
    VkPipelineCreateFlags2 flags[2];
    bool without_multisample, without_depth, lost_depth, discards;
    bool coverage[2], shading[2], no_multisample[2];
    const void *more[2];       /* chained */
    uint32_t dynamic_count;    /* of the states of depth and stencil */
    VkShaderModule modules[2]; /* of the vertex and fragment shader; VK_NULL_HANDLE: the usual */
};

static const VkDynamicState depth_states[] = {
    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,    VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS};

static struct sides check_both_sides(struct baseline *b)
{
    VkPipelineLayout layout = make_empty_pipeline_layout(b);
    VkRenderPass render_pass = make_render_pass(b);
    return (struct sides){.parts = {FLAGS_OF(PRE), FLAGS_OF(FRAGMENT)},
                          .layout = {layout, layout},
                          .render_pass = {render_pass, render_pass},
                          .flags = {LIBRARY, LIBRARY}};
}

static VkPipeline make_side(struct baseline *b, const struct sides *s, enum side side,
                            uint32_t count, const VkPipeline *libraries)
{
    struct graphics_pipeline p;
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .pNext = s->more[side],
        .flags = s->flags[side]};
    const VkFormat format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .pNext = s->flags[side] >> 32 ? &flags : s->more[side],
        .viewMask = s->view_mask[side],
        .colorAttachmentCount = (s->parts[side] & FLAGS_OF(OUTPUT)) != 0,
        .pColorAttachmentFormats = &format};
    const void *chain = s->render_pass[side] ? rendering.pNext : &rendering;
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .pNext = chain,
        .libraryCount = count,
        .pLibraries = libraries};
    const VkGraphicsPipelineLibraryCreateInfoEXT parts = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = &linked,
        .flags = s->parts[side]};
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    begin_graphics_pipeline(b, &p, s->layout[side], s->render_pass[side]);
    for (uint32_t i = 0; i < 2; i++) {
        if (s->modules[i])
            p.stages[i].module = s->modules[i];
    }
    choose_stages(&p, s->parts[side]);
    p.info.pNext = s->parts[side] ? (const void *)&parts : (const void *)&linked;
    p.info.flags = (VkPipelineCreateFlags)s->flags[side];
    p.info.subpass = s->subpass[side];
    p.info.pDepthStencilState = s->lost_depth ? (void *)64 : s->without_depth ? NULL : &depth;
    const VkPipelineDynamicStateCreateInfo states = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = s->dynamic_count,
        .pDynamicStates = depth_states};
    if (s->dynamic_count)
        p.info.pDynamicState = &states;
    p.rasterization.rasterizerDiscardEnable = s->discards;
    p.multisample.alphaToCoverageEnable = s->coverage[side];
    p.multisample.sampleShadingEnable = s->shading[side];
    if (s->without_multisample || s->no_multisample[side])
        p.info.pMultisampleState = NULL;
    return create_graphics_pipeline(b, &p.info);
}

static void link_sides(struct baseline *b, const struct sides *s)
{
    VkPipeline library = make_side(b, s, THEIRS, 0, NULL);
    ENSURE(library);
    make_side(b, s, OWN, 1, &library);
}

#define ALL_OF(...) \
    .extensions = {"VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library", ##__VA_ARGS__}
#define SIDES(name_, features_, change_, ...)                \
    SCENARIO(name_, .features = &(features_), ##__VA_ARGS__) \
    {                                                        \
        struct sides s = check_both_sides(b);                \
        change_;                                             \
        link_sides(b, &s);                                   \
    }
#define WRONG(id_, text_) .expect = {"VUID-" GRAPHICS(id_)}, .text = {text_}
static const VkPhysicalDeviceMultiviewFeatures views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
    .pNext = (void *)&library_feature,
    .multiview = VK_TRUE};
static const VkPhysicalDeviceDynamicRenderingFeatures dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
    .pNext = (void *)&views,
    .dynamicRendering = VK_TRUE};

SIDES(own_and_library, library_feature, , ALL_OF())
SIDES(own_in_another_subpass, library_feature,
      (s.render_pass[OWN] = s.render_pass[THEIRS] = make_other_render_pass(b, 2, COLOR_FORMAT),
       s.subpass[THEIRS] = 1),
      ALL_OF(),
      WRONG("flags-06684",
            "pLibraries[0] was created for subpass 1, but this pipeline is for subpass 0"))
SIDES(own_in_another_pass, library_feature,
      s.render_pass[THEIRS] = make_other_render_pass(b, 1, VK_FORMAT_R8_UNORM), ALL_OF(),
      WRONG("renderpass-06624",
            "was created for a render pass that renderPass is not compatible with"))
SIDES(own_in_compatible_pass, library_feature,
      s.render_pass[THEIRS] = make_other_render_pass(b, 1, COLOR_FORMAT), ALL_OF())
SIDES(own_without_pass, dynamic, s.render_pass[OWN] = VK_NULL_HANDLE, ALL_OF(),
      WRONG("renderpass-06625", "was created for a render pass, but renderPass is VK_NULL_HANDLE"))
SIDES(own_and_library_without_pass, dynamic,
      s.render_pass[OWN] = s.render_pass[THEIRS] = VK_NULL_HANDLE, ALL_OF())
SIDES(own_of_other_views, dynamic,
      (s.render_pass[OWN] = s.render_pass[THEIRS] = VK_NULL_HANDLE, s.view_mask[THEIRS] = 1),
      ALL_OF(),
      WRONG("flags-06626", "was created with a view mask of 0x1, but that of this pipeline is 0"))
SIDES(own_of_same_views, dynamic,
      (s.render_pass[OWN] = s.render_pass[THEIRS] = VK_NULL_HANDLE,
       s.view_mask[THEIRS] = s.view_mask[OWN] = 1),
      ALL_OF())
SIDES(own_layout_is_independent, library_feature,
      (s.layout[OWN] = make_linked_layout(b, LAYOUT_FLAG),
       s.layout[THEIRS] = make_linked_layout(b, 0)),
      ALL_OF(),
      WRONG("flags-06614",
            "has a layout without VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, unlike that "
            "of this pipeline"))
SIDES(both_layouts_are_independent, library_feature,
      (s.layout[OWN] = make_linked_layout(b, LAYOUT_FLAG),
       s.layout[THEIRS] = make_linked_layout(b, LAYOUT_FLAG)),
      ALL_OF())
SIDES(own_layout_is_another, library_feature, s.layout[OWN] = make_linked_layout(b, 0), ALL_OF(),
      WRONG("flags-06612", "has a layout that is not defined as that of this pipeline"))
SIDES(own_captures, library_feature, s.flags[OWN] |= CAPTURE,
      ALL_OF("VK_KHR_pipeline_executable_properties"), .drivers = NULL_DRIVER,
      WRONG("flags-06645",
            "was created without VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, "
            "which flags has"))
SIDES(library_captures, library_feature, s.flags[THEIRS] |= CAPTURE,
      ALL_OF("VK_KHR_pipeline_executable_properties"), .drivers = NULL_DRIVER,
      WRONG("pLibraries-06647",
            "was created with VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, which "
            "flags lacks"))
SIDES(both_capture, library_feature, (s.flags[OWN] |= CAPTURE, s.flags[THEIRS] |= CAPTURE),
      ALL_OF("VK_KHR_pipeline_executable_properties"), .drivers = NULL_DRIVER)

static const VkPhysicalDeviceMaintenance5FeaturesKHR wide_flags = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
    .pNext = (void *)&library_feature,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&wide_flags,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .descriptorHeap = VK_TRUE};
#define HEAPS ALL_OF("VK_EXT_descriptor_heap", "VK_KHR_maintenance5"), .drivers = NULL_DRIVER
#define HEAP_SIDE(side_)                                             \
    (s.flags[side_] |= VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, \
     s.layout[side_] = VK_NULL_HANDLE)
SIDES(both_with_heaps, heaps, (HEAP_SIDE(OWN), HEAP_SIDE(THEIRS)), HEAPS)
SIDES(own_with_heap, heaps, HEAP_SIDE(OWN), HEAPS,
      WRONG("flags-11273",
            "was created without VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, which flags has"))
SIDES(library_with_heap, heaps, HEAP_SIDE(THEIRS), HEAPS,
      WRONG("flags-11274",
            "was created with VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT, which flags lacks"))

/* Two libraries, and nothing of its own. */
static void link_both(struct baseline *b, const struct sides *s)
{
    struct sides linked = *s;
    const VkPipeline libraries[2] = {make_side(b, s, THEIRS, 0, NULL),
                                     make_side(b, s, OWN, 0, NULL)};
    linked.parts[OWN] = 0;
    linked.view_mask[OWN] = 0;
    linked.more[OWN] = NULL;
    make_side(b, &linked, OWN, 2, libraries);
}
#define BOTH(name_, features_, change_, ...)                 \
    SCENARIO(name_, .features = &(features_), ##__VA_ARGS__) \
    {                                                        \
        struct sides s = check_both_sides(b);                \
        change_;                                             \
        link_both(b, &s);                                    \
    }

static void link_views(struct baseline *b, uint32_t mask)
{
    struct sides s = check_both_sides(b);
    s.render_pass[OWN] = s.render_pass[THEIRS] = VK_NULL_HANDLE;
    s.view_mask[THEIRS] = 1;
    s.view_mask[OWN] = mask;
    link_both(b, &s);
}

SCENARIO(libraries_of_views, .features = &dynamic, ALL_OF())
{
    link_views(b, 1);
}

SCENARIO(libraries_of_other_views, .features = &dynamic, ALL_OF(),
         WRONG("pLibraries-06627",
               "was created with a view mask of 0x3, but that of an earlier library is 0x1"))
{
    link_views(b, 3);
}

/* --- samples, rates and views that both sides speak of ------------------------------------------
 */

#define PARTS_ARE(theirs_, own_) \
    (s.parts[THEIRS] = FLAGS_OF(theirs_), s.parts[OWN] = FLAGS_OF(own_))
#define NO_PASS   (s.render_pass[OWN] = s.render_pass[THEIRS] = VK_NULL_HANDLE)
#define NOT_ALIKE "has a pMultisampleState whose alphaToCoverageEnable is not that of "
#define NO_STATE                                                                            \
    "goes with a fragment output interface that has sampleShadingEnable, but the fragment " \
    "shader has no pMultisampleState"
static const VkPhysicalDeviceFeatures2 shading_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&dynamic,
    .features = {.sampleRateShading = VK_TRUE}};

SIDES(own_samples_alike, library_feature,
      (PARTS_ARE(OUTPUT, FRAGMENT), s.coverage[OWN] = s.coverage[THEIRS] = true), ALL_OF())
SIDES(own_fragment_of_other_samples, library_feature,
      (PARTS_ARE(OUTPUT, FRAGMENT), s.coverage[OWN] = true), ALL_OF(),
      WRONG("flags-06633", NOT_ALIKE "this pipeline"))
SIDES(own_output_of_other_samples, library_feature,
      (PARTS_ARE(FRAGMENT, OUTPUT), s.coverage[OWN] = true), ALL_OF(),
      WRONG("pLibraries-06634", NOT_ALIKE "this pipeline"))
BOTH(libraries_of_other_samples, library_feature,
     (PARTS_ARE(FRAGMENT, OUTPUT), s.coverage[OWN] = true), ALL_OF(),
     WRONG("pLibraries-06635", NOT_ALIKE "an earlier library"))
SIDES(own_fragment_without_samples, shading_feature,
      (PARTS_ARE(OUTPUT, FRAGMENT), NO_PASS, s.shading[THEIRS] = true,
       s.no_multisample[OWN] = true),
      ALL_OF(), WRONG("pLibraries-09567", NO_STATE))
SIDES(own_output_with_shading, shading_feature,
      (PARTS_ARE(FRAGMENT, OUTPUT), NO_PASS, s.shading[OWN] = true,
       s.no_multisample[THEIRS] = true),
      ALL_OF(), WRONG("flags-06637", NO_STATE))
BOTH(library_without_samples, shading_feature,
     (PARTS_ARE(FRAGMENT, OUTPUT), NO_PASS, s.shading[OWN] = true, s.no_multisample[THEIRS] = true),
     ALL_OF(), WRONG("pLibraries-06636", NO_STATE))
SIDES(own_output_without_shading, shading_feature,
      (PARTS_ARE(FRAGMENT, OUTPUT), NO_PASS, s.no_multisample[THEIRS] = true), ALL_OF())

#define RATE(width_)                                                                  \
    {.sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR, \
     .fragmentSize = {width_, 1}}
static const VkPipelineFragmentShadingRateStateCreateInfoKHR rate_one = RATE(1), rate_two = RATE(2);
static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)&library_feature,
    .pipelineFragmentShadingRate = VK_TRUE};
#define RATES               ALL_OF("VK_KHR_fragment_shading_rate"), .drivers = NULL_DRIVER
#define MORE(own_, theirs_) (s.more[OWN] = &(own_), s.more[THEIRS] = &(theirs_))
SIDES(own_rate_alike, rates, MORE(rate_two, rate_two), RATES)
SIDES(own_rate_alone, rates, s.more[OWN] = &rate_two, RATES)
SIDES(own_rate_differs, rates, MORE(rate_one, rate_two), RATES,
      WRONG("flags-06638", "(2x1) that is not that of this pipeline (1x1)"))
BOTH(libraries_of_other_rates, rates, MORE(rate_one, rate_two), RATES,
     WRONG("pLibraries-06639", "(1x1) that is not that of an earlier library (2x1)"))

#define VIEWS_NVX(all_, x_)                                             \
    {.sType = VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_ATTRIBUTES_INFO_NVX, \
     .perViewAttributes = (all_),                                       \
     .perViewAttributesPositionXOnly = (x_)}
static const VkMultiviewPerViewAttributesInfoNVX views_none = VIEWS_NVX(false, false),
                                                 views_each = VIEWS_NVX(true, false),
                                                 views_x = VIEWS_NVX(true, true);
#define VIEWS_OF ALL_OF("VK_NVX_multiview_per_view_attributes"), .drivers = NULL_DRIVER
SIDES(own_view_attributes_alike, dynamic, (NO_PASS, MORE(views_x, views_x)), VIEWS_OF)
SIDES(own_view_attributes_differ, dynamic, (NO_PASS, MORE(views_none, views_each)), VIEWS_OF,
      WRONG("flags-06596", "has a perViewAttributes that is not that of this pipeline"))
SIDES(own_view_positions_differ, dynamic, (NO_PASS, MORE(views_each, views_x)), VIEWS_OF,
      WRONG("flags-06598",
            "has a perViewAttributesPositionXOnly that is not that of this pipeline"))
BOTH(libraries_of_other_view_attributes, dynamic, (NO_PASS, MORE(views_none, views_each)), VIEWS_OF,
     WRONG("pLibraries-06597", "has a perViewAttributes that is not that of an earlier library"))
BOTH(libraries_of_other_view_positions, dynamic, (NO_PASS, MORE(views_each, views_x)), VIEWS_OF,
     WRONG("pLibraries-06599",
           "has a perViewAttributesPositionXOnly that is not that of an earlier library"))

static const VkFormat resolved_format = COLOR_FORMAT;
#define RESOLVES(value_)                                        \
    {.sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT, \
     .customResolve = (value_),                                 \
     .colorAttachmentCount = 1,                                 \
     .pColorAttachmentFormats = &resolved_format}
static const VkCustomResolveCreateInfoEXT resolves = RESOLVES(VK_TRUE),
                                          resolves_not = RESOLVES(VK_FALSE);
static const VkPhysicalDeviceCustomResolveFeaturesEXT custom_resolve = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .customResolve = VK_TRUE};
#define RESOLVING \
    ALL_OF("VK_EXT_custom_resolve", "VK_KHR_dynamic_rendering"), .drivers = NULL_DRIVER
#define RESOLVE_PARTS (PARTS_ARE(OUTPUT, FRAGMENT), NO_PASS)
SIDES(both_resolve, custom_resolve, (RESOLVE_PARTS, MORE(resolves, resolves)), RESOLVING)
SIDES(own_says_that_it_does_not_resolve, custom_resolve,
      (RESOLVE_PARTS, s.more[OWN] = &resolves_not), RESOLVING)
SIDES(own_resolves, custom_resolve, (RESOLVE_PARTS, MORE(resolves, resolves_not)), RESOLVING,
      WRONG("flags-11856", "was created with customResolve VK_FALSE, unlike this pipeline"))
SIDES(library_resolves, custom_resolve, (RESOLVE_PARTS, s.more[THEIRS] = &resolves), RESOLVING,
      WRONG("flags-11857", "was created with customResolve VK_TRUE, unlike this pipeline"))
BOTH(earlier_library_resolves, custom_resolve, (RESOLVE_PARTS, MORE(resolves_not, resolves)),
     RESOLVING,
     WRONG("customResolve-11858",
           "was created with customResolve VK_FALSE, unlike an earlier library"))
BOTH(later_library_resolves, custom_resolve, (RESOLVE_PARTS, MORE(resolves, resolves_not)),
     RESOLVING,
     WRONG("customResolve-11859",
           "was created with customResolve VK_TRUE, unlike an earlier library"))

static const VkPhysicalDeviceOpacityMicromapFeaturesKHR micromaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_KHR,
    .pNext = (void *)&wide_flags,
    .micromap = VK_TRUE};
#define UNMIXED VK_PIPELINE_CREATE_2_OPACITY_MICROMAP_DISALLOW_MIXED_SPECIAL_INDEX_BIT_KHR
#define MICROMAPS                                                              \
    ALL_OF("VK_KHR_opacity_micromap", "VK_KHR_device_address_commands",        \
           "VK_KHR_deferred_host_operations", "VK_KHR_acceleration_structure", \
           "VK_KHR_maintenance5"),                                             \
        .drivers = NULL_DRIVER
SIDES(both_unmixed, micromaps, (s.flags[OWN] |= UNMIXED, s.flags[THEIRS] |= UNMIXED), MICROMAPS)
SIDES(own_unmixed, micromaps, s.flags[OWN] |= UNMIXED, MICROMAPS,
      WRONG("pLibraries-11594", "was created without "
                                "VK_PIPELINE_CREATE_2_OPACITY_MICROMAP_DISALLOW_MIXED_SPECIAL_"
                                "INDEX_BIT_KHR, which flags has"))

MISTAKE(libraries_and_another_layout, GRAPHICS("layout-07827"),
        ALL(layout, make_linked_layout(b, 0)))
/* A layout may have more sets than those of the libraries. */
RIGHT(libraries_and_a_larger_layout, l.linked_layout = make_linked_layout(b, 0))

/* --- layouts with sets that are not there, and what else a part needs ------------------------- */

static VkPipelineLayout make_layout_with_null(struct baseline *b)
{
    const VkDescriptorSetLayout sets[2] = {make_descriptor_set_layout(b), VK_NULL_HANDLE};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(sets);
    info.flags = LAYOUT_FLAG;
    info.setLayoutCount = 2;
    return create_pipeline_layout(b, &info);
}

#define ONE_PART(name_, parts_, change_, ...) \
    SCENARIO(name_, LIBRARIES, ##__VA_ARGS__) \
    {                                         \
        struct sides s = check_both_sides(b); \
        s.parts[OWN] = (parts_);              \
        change_;                              \
        make_side(b, &s, OWN, 0, NULL);       \
    }
ONE_PART(null_set_of_vertices, FLAGS_OF(PRE), s.layout[OWN] = make_layout_with_null(b))
ONE_PART(null_set_of_both_shaders, FLAGS_OF(PRE) | FLAGS_OF(FRAGMENT),
         s.layout[OWN] = make_layout_with_null(b),
         WRONG("flags-06682", "layout was created with a set layout that is VK_NULL_HANDLE, but "
                              "the pipeline has pre-rasterization and fragment shaders"))
ONE_PART(null_set_of_discarding_vertices, FLAGS_OF(PRE),
         (s.layout[OWN] = make_layout_with_null(b), s.discards = true),
         WRONG("flags-06683", "layout was created with a set layout that is VK_NULL_HANDLE, but "
                              "there is no fragment shader to come"))
ONE_PART(fragment_without_multisample, FLAGS_OF(FRAGMENT), s.without_multisample = true,
         WRONG("renderpass-06631",
               "pMultisampleState is NULL, but there is a fragment shader for a render pass"))
/* Drivers make it all the same, and so does the layer where the messenger answers VK_FALSE. */
SCENARIO(fragment_without_multisample_is_made, LIBRARIES, .proceed = true,
         WRONG("renderpass-06631",
               "pMultisampleState is NULL, but there is a fragment shader for a render pass"))
{
    struct sides s = check_both_sides(b);
    s.parts[OWN] = FLAGS_OF(FRAGMENT);
    s.without_multisample = true;
    EXPECT(make_side(b, &s, OWN, 0, NULL) != VK_NULL_HANDLE);
}
ONE_PART(part_of_garbage_pass, FLAGS_OF(FRAGMENT), s.render_pass[OWN] = GARBAGE(VkRenderPass),
         WRONG("flags-06643", "renderPass"))

SCENARIO(layout_is_garbage, WRONG("layout-06602", "layout"))
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, GARBAGE(VkPipelineLayout), make_render_pass(b));
    create_graphics_pipeline(b, &p.info);
}

static void make_fragment_without_pass(struct baseline *b, bool without_depth)
{
    struct sides s = check_both_sides(b);
    s.render_pass[OWN] = VK_NULL_HANDLE;
    s.without_depth = without_depth;
    make_side(b, &s, OWN, 0, NULL);
}

SCENARIO(fragment_without_pass, .features = &dynamic, ALL_OF())
{
    make_fragment_without_pass(b, false);
}

SCENARIO(fragment_without_pass_and_depth, .features = &dynamic, ALL_OF(),
         WRONG("renderPass-09035", "pDepthStencilState is NULL, but the library has fragment "
                                   "shader state without a render pass"))
{
    make_fragment_without_pass(b, true);
}

static void make_fragment_with_dynamic_depth(struct baseline *b, uint32_t count)
{
    struct sides s = check_both_sides(b);
    s.render_pass[OWN] = VK_NULL_HANDLE;
    s.without_depth = true;
    s.dynamic_count = count;
    make_side(b, &s, OWN, 0, NULL);
}

SCENARIO(fragment_with_lost_depth_that_is_dynamic, .features = &dynamic, .drivers = NULL_DRIVER,
         ALL_OF("VK_EXT_extended_dynamic_state3"),
         WRONG("pDepthStencilState-09036", "pDepthStencilState is 0x40, which is not a valid "
                                           "pointer"))
{
    struct sides s = check_both_sides(b);
    s.render_pass[OWN] = VK_NULL_HANDLE;
    s.lost_depth = true;
    s.dynamic_count = 7;
    make_side(b, &s, OWN, 0, NULL);
}

/* "... the VK_EXT_extended_dynamic_state3 extension is not enabled, or any of the ... dynamic
 * states are not set" */
SCENARIO(fragment_without_pass_and_depth_that_is_dynamic, .features = &dynamic,
         ALL_OF("VK_EXT_extended_dynamic_state3"))
{
    make_fragment_with_dynamic_depth(b, 7);
}

SCENARIO(fragment_without_pass_and_depth_that_is_dynamic_in_part, .features = &dynamic,
         ALL_OF("VK_EXT_extended_dynamic_state3"),
         WRONG("renderPass-09035", "pDepthStencilState is NULL, but the library has fragment "
                                   "shader state without a render pass"))
{
    make_fragment_with_dynamic_depth(b, 6);
}

SCENARIO(fragment_without_pass_and_depth_that_is_dynamic_without_the_third, .features = &dynamic,
         ALL_OF(),
         WRONG("renderPass-09035", "pDepthStencilState is NULL, but the library has fragment "
                                   "shader state without a render pass"))
{
    make_fragment_with_dynamic_depth(b, 7);
}

/* --- how long libraries live ------------------------------------------------------------------ */

static void destroy_library(struct baseline *b, VkPipeline pipeline)
{
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
}

#define GONE                                                            \
    LIBRARIES, .expect = {"VUID-vkCmdBindPipeline-pipeline-parameter"}, \
        .text = {"pipeline was linked from a pipeline library that has been destroyed since"}

SCENARIO(bound_without_its_library, GONE)
{
    struct linking l = linking_of(b);
    VkPipeline libraries[PARTS + 1], pipeline = link_those(b, &l, libraries);
    destroy_library(b, libraries[FRAGMENT]);
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

/* A library that is linked itself, from two: the last part of the pipeline is another one. */
static void bind_nested(struct baseline *b, bool gone)
{
    struct linking l = linking_of(b);
    VkPipeline libraries[PARTS + 1];
    l.parts[OUTPUT] = 0;
    l.linked_flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    struct linking last = l;
    last.extra = link_those(b, &l, libraries);
    VkPipeline inner = libraries[INPUT];
    last.parts[INPUT] = last.parts[PRE] = last.parts[FRAGMENT] = 0;
    last.parts[OUTPUT] = FLAGS_OF(OUTPUT);
    last.linked_flags = 0;
    VkPipeline pipeline = link_those(b, &last, libraries);
    if (gone)
        destroy_library(b, inner);
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

SCENARIO(bound_without_library_of_library, GONE)
{
    bind_nested(b, true);
}

SCENARIO(bound_with_library_of_library, LIBRARIES)
{
    bind_nested(b, false);
}

/* The pipeline goes first. */
SCENARIO(library_outlives_what_is_linked, LIBRARIES)
{
    struct linking l = linking_of(b);
    VkPipeline libraries[PARTS + 1], pipeline = link_those(b, &l, libraries);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    run_commands(b, commands);
    destroy_library(b, pipeline);
    destroy_library(b, libraries[FRAGMENT]);
}

/* --- set layouts that are VK_NULL_HANDLE, and independent sets ----------------------------------
 */

#define NOTHING 0
#define VERTEX  VK_SHADER_STAGE_VERTEX_BIT
#define PIXELS  VK_SHADER_STAGE_FRAGMENT_BIT
#define BOTH_OF (VERTEX | PIXELS)

static VkDescriptorSetLayout make_set_for(struct baseline *b, VkShaderStageFlags stages)
{
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            .descriptorCount = 1,
                                            .stageFlags = stages};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1, .pBindings = &binding};
    return stages ? create_descriptor_set_layout(b, &info) : VK_NULL_HANDLE;
}

/* Two sets with a binding for these stages each; NOTHING: VK_NULL_HANDLE. */
static VkPipelineLayout make_sets(struct baseline *b, VkPipelineLayoutCreateFlags flags,
                                  VkShaderStageFlags first, VkShaderStageFlags second)
{
    const VkDescriptorSetLayout sets[] = {make_set_for(b, first), make_set_for(b, second)};
    VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .flags = flags, .setLayoutCount = 2, .pSetLayouts = sets};
    return create_pipeline_layout(b, &info);
}

static VkPipelineLayout make_pushing(struct baseline *b, VkShaderStageFlags stages, uint32_t size)
{
    const VkPushConstantRange range = {stages, 0, size};
    VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .flags = LAYOUT_FLAG, .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
    return create_pipeline_layout(b, &info);
}

#define LAYOUTS(flags_, pre_, fragment_, linked_)          \
    (l.layout[PRE] = make_sets(b, flags_, pre_),           \
     l.layout[FRAGMENT] = make_sets(b, flags_, fragment_), \
     l.layout[INPUT] = l.layout[OUTPUT] = VK_NULL_HANDLE,  \
     l.linked_layout = make_sets(b, flags_, linked_))
#define SETS(first_, second_) first_, second_

/* A set that both shaders use, beside one that is VK_NULL_HANDLE in one layout. */
#define USING_SETS                                       \
    (l.modules[0] = MAKE_SHADER(b, spirv_vertex_of_set), \
     l.modules[1] = MAKE_SHADER(b, spirv_fragment_of_set))
MISTAKE(used_set_that_differs, GRAPHICS("pLibraries-06619"),
        (USING_SETS, LAYOUTS(0, SETS(VERTEX, NOTHING), SETS(PIXELS, PIXELS), SETS(VERTEX, PIXELS))))
RIGHT(used_set_that_is_the_same,
      (USING_SETS,
       LAYOUTS(0, SETS(BOTH_OF, NOTHING), SETS(BOTH_OF, PIXELS), SETS(BOTH_OF, PIXELS))))
RIGHT(independent_halves,
      LAYOUTS(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(NOTHING, PIXELS), SETS(VERTEX, PIXELS)))
MISTAKE(null_where_the_other_has_bindings, GRAPHICS("pLibraries-06758"),
        LAYOUTS(LAYOUT_FLAG, SETS(NOTHING, VERTEX), SETS(BOTH_OF, VERTEX), SETS(BOTH_OF, VERTEX)))
RIGHT(null_where_the_other_has_bindings_of_its_own,
      LAYOUTS(LAYOUT_FLAG, SETS(NOTHING, VERTEX), SETS(PIXELS, VERTEX), SETS(PIXELS, VERTEX)))
MISTAKE(null_in_both, GRAPHICS("pLibraries-06681"),
        LAYOUTS(0, SETS(BOTH_OF, NOTHING), SETS(BOTH_OF, NOTHING), SETS(BOTH_OF, NOTHING)))
RIGHT(null_in_both_of_independent,
      LAYOUTS(LAYOUT_FLAG, SETS(BOTH_OF, NOTHING), SETS(BOTH_OF, NOTHING), SETS(BOTH_OF, NOTHING)))
SCENARIO(independent_sets_that_differ, LIBRARIES,
         .expect = {"VUID-" GRAPHICS("pLibraries-06617"), "VUID-" GRAPHICS("flags-06730")})
{
    struct linking l = linking_of(b);
    LAYOUTS(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(PIXELS, PIXELS), SETS(VERTEX, PIXELS));
    link_them(b, &l);
}
MISTAKE(linked_with_another_set, GRAPHICS("flags-06730"),
        LAYOUTS(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(NOTHING, PIXELS), SETS(VERTEX, VERTEX)))
MISTAKE(linked_without_independence, GRAPHICS("flags-06730"),
        (LAYOUTS(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(NOTHING, PIXELS), SETS(VERTEX, PIXELS)),
         l.linked_layout = make_sets(b, 0, VERTEX, PIXELS)))
#define OPTIMIZED (ALL(flags, LIBRARY | RETAIN), l.linked_flags = OPTIMIZE)
RIGHT(optimized_without_independence,
      (OPTIMIZED,
       LAYOUTS(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(NOTHING, PIXELS), SETS(VERTEX, PIXELS)),
       l.linked_layout = make_sets(b, 0, VERTEX, PIXELS)))
MISTAKE(optimized_with_another_set, GRAPHICS("flags-06729"),
        (OPTIMIZED,
         LAYOUTS(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(NOTHING, PIXELS), SETS(VERTEX, VERTEX))))
#define PUSHING(pre_, fragment_)                                        \
    (l.layout[PRE] = make_pushing(b, pre_),                             \
     l.layout[FRAGMENT] = l.linked_layout = make_pushing(b, fragment_), \
     l.layout[INPUT] = l.layout[OUTPUT] = VK_NULL_HANDLE)
MISTAKE(pushed_to_both_in_other_ways, GRAPHICS("pLibraries-06621"),
        PUSHING(SETS(BOTH_OF, 16), SETS(BOTH_OF, 32)))
RIGHT(pushed_to_each_in_its_way, PUSHING(SETS(VERTEX, 16), SETS(PIXELS, 32)))

/* THEIRS makes the pre-rasterization shaders, OWN the fragment shader. */
#define OF_SIDES(flags_, theirs_, own_) \
    (s.layout[THEIRS] = make_sets(b, flags_, theirs_), s.layout[OWN] = make_sets(b, flags_, own_))
SIDES(own_null_where_the_library_has_bindings, library_feature,
      OF_SIDES(LAYOUT_FLAG, SETS(BOTH_OF, VERTEX), SETS(NOTHING, VERTEX)), ALL_OF(),
      .expect = {"VUID-" GRAPHICS("flags-06756")})
SIDES(library_null_where_own_has_bindings, library_feature,
      OF_SIDES(LAYOUT_FLAG, SETS(NOTHING, VERTEX), SETS(BOTH_OF, VERTEX)), ALL_OF(),
      .expect = {"VUID-" GRAPHICS("flags-06757")})
SIDES(own_and_library_null_apart, library_feature,
      OF_SIDES(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(NOTHING, PIXELS)), ALL_OF())
SIDES(own_and_library_both_null, library_feature,
      OF_SIDES(0, SETS(VERTEX, NOTHING), SETS(VERTEX, NOTHING)), ALL_OF(),
      .expect = {"VUID-" GRAPHICS("flags-06679")})
SIDES(own_set_is_another, library_feature,
      OF_SIDES(LAYOUT_FLAG, SETS(VERTEX, NOTHING), SETS(PIXELS, NOTHING)), ALL_OF(),
      .expect = {"VUID-" GRAPHICS("flags-06616")})
#define USING_SET_OF_SIDES                               \
    (s.modules[0] = MAKE_SHADER(b, spirv_vertex_of_set), \
     s.modules[1] = MAKE_SHADER(b, spirv_fragment_of_set))
SIDES(own_used_set_is_another, library_feature,
      (USING_SET_OF_SIDES, OF_SIDES(0, SETS(VERTEX, NOTHING), SETS(PIXELS, PIXELS))), ALL_OF(),
      .expect = {"VUID-" GRAPHICS("flags-06618")})
SIDES(own_used_set_is_the_same, library_feature,
      (USING_SET_OF_SIDES, OF_SIDES(0, SETS(BOTH_OF, NOTHING), SETS(BOTH_OF, PIXELS))), ALL_OF())
SIDES(own_pushes_in_another_way, library_feature,
      (s.layout[THEIRS] = make_pushing(b, BOTH_OF, 16),
       s.layout[OWN] = make_pushing(b, BOTH_OF, 8)),
      ALL_OF(), .expect = {"VUID-" GRAPHICS("flags-06620")})
SIDES(own_pushes_as_the_library, library_feature,
      (s.layout[THEIRS] = make_pushing(b, BOTH_OF, 16),
       s.layout[OWN] = make_pushing(b, BOTH_OF, 16)),
      ALL_OF())
/* 06635 has no exception for a fragment shader that does not ask for its samples. */
BOTH(libraries_of_other_samples_without_shading, dynamic,
     (PARTS_ARE(FRAGMENT, OUTPUT), NO_PASS, s.coverage[OWN] = true), ALL_OF(),
     WRONG("pLibraries-06635", NOT_ALIKE "an earlier library"))
