/* Render passes: attachment descriptions, references and subpasses (8.1). */
#include "render/render_pass_builder.h"

#define A(index_) p->attachments[index_]
/* The depth/stencil attachment is used. */
#define WITH_DEPTH p->subpasses[0].pDepthStencilAttachment = &p->depth_stencil
#define WITH_INPUT(attachment_, aspect_)      \
    p->subpasses[0].inputAttachmentCount = 1; \
    p->inputs[0].attachment = (attachment_);  \
    p->inputs[0].aspectMask = (aspect_);      \
    A(attachment_).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE
/* COLOR_4 is resolved to COLOR. */
#define WITH_RESOLVE                   \
    p->colors[0].attachment = COLOR_4; \
    p->resolves[0].attachment = COLOR; \
    p->subpasses[0].pResolveAttachments = p->resolves
/* DEPTH_STENCIL_4 is resolved to DEPTH_STENCIL. */
#define WITH_DEPTH_RESOLVE                         \
    WITH_DEPTH;                                    \
    p->colors[0].attachment = COLOR_4;             \
    p->depth_stencil.attachment = DEPTH_STENCIL_4; \
    p->subpasses[0].pNext = &p->resolve

#define NO_FEATURES (.features = NULL)

RIGHT(render_pass, ())
RIGHT(render_pass_depth, (), WITH_DEPTH)
RIGHT(render_pass_resolve, (), WITH_RESOLVE)
RIGHT_SECOND(render_pass_depth_resolve, (), WITH_DEPTH_RESOLVE)
RIGHT(render_pass_input, (), WITH_INPUT(COLOR_B, VK_IMAGE_ASPECT_COLOR_BIT))
RIGHT(render_pass_without_features, NO_FEATURES, WITH_DEPTH)

/* --- attachments: layouts against the format --- */

#define FORMAT_RULE(name_, id_, attachment_, member_, layout_) \
    TWINS(name_, "VkAttachmentDescription", id_, (),           \
          A(attachment_).member_ = VK_IMAGE_LAYOUT_##layout_)
#define FORMAT_RULES(name_, initial_, final_, attachment_, layout_)                           \
    FORMAT_RULE(attachment_##name_##_initial, "format-" initial_, attachment_, initialLayout, \
                layout_)                                                                      \
    FORMAT_RULE(attachment_##name_##_final, "format-" final_, attachment_, finalLayout, layout_)

FORMAT_RULES(_depth_stencil, "03280", "03282", COLOR, DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
FORMAT_RULES(_color, "03281", "03283", DEPTH_STENCIL, COLOR_ATTACHMENT_OPTIMAL)
FORMAT_RULES(_depth, "03286", "03287", COLOR, DEPTH_ATTACHMENT_OPTIMAL)
FORMAT_RULES(_stencil, "03290", "03291", DEPTH, STENCIL_READ_ONLY_OPTIMAL)
FORMAT_RULES(_mixed, "06487", "06488", COLOR, DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)
FORMAT_RULES(_stencil, "06906", "06907", DEPTH_STENCIL, STENCIL_ATTACHMENT_OPTIMAL)
FIRST(stencil_depth_initial, "VkAttachmentDescription-format-03292", (),
      A(STENCIL).initialLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
FIRST(stencil_depth_final, "VkAttachmentDescription-format-03293", (),
      A(STENCIL).finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
FIRST(both_depth_initial, "VkAttachmentDescription-format-06242", (),
      A(DEPTH_STENCIL).initialLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
FIRST(both_depth_final, "VkAttachmentDescription-format-06243", (),
      A(DEPTH_STENCIL).finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
SECOND(stencil_depth_initial_second, "VkAttachmentDescription2-format-06247", (),
       A(STENCIL).initialLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
SECOND(stencil_depth_final_second, "VkAttachmentDescription2-format-06248", (),
       A(STENCIL).finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
SECOND(both_depth_initial_second, "VkAttachmentDescription2-format-06249", (),
       A(DEPTH_STENCIL).initialLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
SECOND(both_depth_final_second, "VkAttachmentDescription2-format-06250", (),
       A(DEPTH_STENCIL).finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL)
RIGHT(layouts_fit_formats, (), A(COLOR).initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
      A(DEPTH_STENCIL).initialLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
      A(DEPTH_STENCIL).finalLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
      A(DEPTH).initialLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
      A(DEPTH).finalLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
      A(STENCIL).initialLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
      A(STENCIL).finalLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL)

/* --- layouts that features bring --- */

#define LAYOUT_FEATURE(name_, initial_, final_, reference_, attachment_, fields_, layout_)   \
    TWINS(initial_needs_##name_, "VkAttachmentDescription", initial_, fields_,               \
          A(attachment_).initialLayout = (layout_))                                          \
    TWINS(final_needs_##name_, "VkAttachmentDescription", final_, fields_,                   \
          A(attachment_).finalLayout = (layout_))                                            \
    TWINS(reference_needs_##name_, "VkAttachmentReference", reference_, fields_, WITH_DEPTH, \
          p->depth_stencil.attachment = (attachment_),                                       \
          p->colors[0].attachment = VK_ATTACHMENT_UNUSED, p->depth_stencil.layout = (layout_))

LAYOUT_FEATURE(separate, "separateDepthStencilLayouts-03284", "separateDepthStencilLayouts-03285",
               "separateDepthStencilLayouts-03313", DEPTH, NO_FEATURES,
               VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL)
LAYOUT_FEATURE(synchronization2, "synchronization2-06908", "synchronization2-06909",
               "synchronization2-06910", DEPTH_STENCIL, NO_FEATURES,
               VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL)
LAYOUT_FEATURE(feedback_loop, "attachmentFeedbackLoopLayout-07309",
               "attachmentFeedbackLoopLayout-07310", "attachmentFeedbackLoopLayout-07311",
               DEPTH_STENCIL,
               (.extensions = {VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME}),
               VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT)
LAYOUT_FEATURE(local_read, "dynamicRenderingLocalRead-09544", "dynamicRenderingLocalRead-09545",
               "dynamicRenderingLocalRead-09546", DEPTH_STENCIL,
               (.extensions = {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME}),
               VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ)
RIGHT(reference_synchronization2, (), p->colors[0].layout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL)

/* --- load operations, formats --- */

TWINS(load_undefined, "VkAttachmentDescription", "format-06699", (),
      A(COLOR).loadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
PAIR(load_stencil_undefined, "VkAttachmentDescription-format-06700",
     "VkAttachmentDescription2-pNext-06704", (),
     A(STENCIL).stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
RIGHT(load_what_is_there, (), A(COLOR).loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
      A(COLOR).stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
      A(COLOR).initialLayout = VK_IMAGE_LAYOUT_GENERAL,
      A(STENCIL).loadOp = VK_ATTACHMENT_LOAD_OP_LOAD)
PAIR(attachment_without_format, "VkAttachmentDescription-format-06698",
     "VkAttachmentDescription2-format-09332", (), A(COLOR_B).format = VK_FORMAT_UNDEFINED)

#define STENCIL_LAYOUTS(initial_, final_)                                    \
    VkAttachmentDescriptionStencilLayout stencil = {                         \
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,    \
        .stencilInitialLayout = VK_IMAGE_LAYOUT_##initial_,                  \
        .stencilFinalLayout = VK_IMAGE_LAYOUT_##final_};                     \
    A(DEPTH_STENCIL).finalLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL; \
    A(DEPTH_STENCIL).pNext = &stencil

RIGHT_SECOND(stencil_layouts, (), STENCIL_LAYOUTS(UNDEFINED, STENCIL_ATTACHMENT_OPTIMAL))
SECOND(load_stencil_layout_undefined, "VkAttachmentDescription2-pNext-06705", (),
       STENCIL_LAYOUTS(UNDEFINED, STENCIL_ATTACHMENT_OPTIMAL);
       A(DEPTH_STENCIL).stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD)

static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .pNext = (void *)&pass_features,
    .maintenance10 = VK_TRUE};
#define SRGB_RESOLVE_EXTENSIONS \
    .drivers = NULL_DRIVER, .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME}
#define SRGB_RESOLVE \
    (SRGB_RESOLVE_EXTENSIONS, .features = &maintenance10, .null_driver = SRGB_CONTROL("true"))
#define SRGB_CONTROL(value_) \
    "{\"properties\": {\"resolveSrgbFormatSupportsTransferFunctionControl\": " value_ "}}"
#define SRGB(flags_)                             \
    A(COLOR_B).format = VK_FORMAT_R8G8B8A8_SRGB; \
    A(COLOR_B).flags = VK_ATTACHMENT_DESCRIPTION_RESOLVE_##flags_##_TRANSFER_FUNCTION_BIT_KHR

RIGHT(srgb_resolve, SRGB_RESOLVE, SRGB(SKIP))
TWINS(srgb_no_control, "VkAttachmentDescription", "flags-11774",
      (SRGB_RESOLVE_EXTENSIONS, .features = &maintenance10, .null_driver = SRGB_CONTROL("false")),
      SRGB(SKIP))
TWINS(srgb_of_unorm, "VkAttachmentDescription", "flags-11776", SRGB_RESOLVE, SRGB(ENABLE);
      A(COLOR_B).format = COLOR_FORMAT)

/* --- references --- */

#define REFERENCE_LAYOUT(name_, id_, role_, layout_) \
    TWINS(name_, "VkSubpassDescription", id_, (), role_(layout_))
#define AS_INPUT(layout_)                           \
    WITH_INPUT(COLOR_B, VK_IMAGE_ASPECT_COLOR_BIT); \
    p->inputs[0].layout = VK_IMAGE_LAYOUT_##layout_
#define AS_DEPTH_INPUT(layout_)                   \
    WITH_INPUT(DEPTH, VK_IMAGE_ASPECT_DEPTH_BIT); \
    p->inputs[0].layout = VK_IMAGE_LAYOUT_##layout_
/* Loaded, so that no rule about clearing what is read-only has anything to say. */
#define AS_COLOR(layout_)                              \
    A(COLOR).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE; \
    p->colors[0].layout = VK_IMAGE_LAYOUT_##layout_
#define AS_RESOLVE(layout_)                            \
    WITH_RESOLVE;                                      \
    A(COLOR).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE; \
    p->resolves[0].layout = VK_IMAGE_LAYOUT_##layout_
#define AS_DEPTH(layout_)                                      \
    WITH_DEPTH;                                                \
    A(DEPTH_STENCIL).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE; \
    p->depth_stencil.layout = VK_IMAGE_LAYOUT_##layout_

REFERENCE_LAYOUT(input_in_color_layout, "attachment-06912", AS_INPUT, COLOR_ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(color_in_shader_layout, "attachment-06913", AS_COLOR, SHADER_READ_ONLY_OPTIMAL)
REFERENCE_LAYOUT(resolve_in_depth_layout, "attachment-06914", AS_RESOLVE,
                 DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(depth_in_color_layout, "attachment-06915", AS_DEPTH, COLOR_ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(color_in_mixed_layout, "attachment-06916", AS_COLOR,
                 DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)
REFERENCE_LAYOUT(resolve_in_mixed_layout, "attachment-06917", AS_RESOLVE,
                 DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(input_in_depth_layout, "attachment-06918", AS_DEPTH_INPUT,
                 DEPTH_ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(color_in_stencil_layout, "attachment-06919", AS_COLOR, STENCIL_ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(resolve_in_depth_read_only_layout, "attachment-06920", AS_RESOLVE,
                 DEPTH_READ_ONLY_OPTIMAL)
REFERENCE_LAYOUT(input_in_attachment_layout, "attachment-06921", AS_INPUT, ATTACHMENT_OPTIMAL)
REFERENCE_LAYOUT(color_in_read_only_layout, "attachment-06922", AS_COLOR, READ_ONLY_OPTIMAL)
REFERENCE_LAYOUT(resolve_in_read_only_layout, "attachment-06923", AS_RESOLVE, READ_ONLY_OPTIMAL)
TWINS(color_in_present_layout, "VkAttachmentReference", "layout-03077", (), AS_COLOR(UNDEFINED))
RIGHT(references_in_general_layout, (), AS_DEPTH(GENERAL);
      p->colors[0].layout = VK_IMAGE_LAYOUT_GENERAL)
RIGHT(unused_in_any_layout, (), p->subpasses[0].colorAttachmentCount = 2;
      p->colors[1].layout = VK_IMAGE_LAYOUT_UNDEFINED)

PAIR(reference_beyond_attachments, "VkRenderPassCreateInfo-attachment-00834",
     "VkRenderPassCreateInfo2-attachment-03051", (), p->colors[0].attachment = PASS_ATTACHMENTS)
SECOND(depth_resolve_beyond_attachments, "VkRenderPassCreateInfo2-pSubpasses-06473", (),
       WITH_DEPTH_RESOLVE;
       p->depth_stencil_resolve.attachment = PASS_ATTACHMENTS)

#define STENCIL_REFERENCE(layout_, stencil_)                            \
    VkAttachmentReferenceStencilLayout stencil = {                      \
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT, \
        .stencilLayout = VK_IMAGE_LAYOUT_##stencil_};                   \
    WITH_DEPTH;                                                         \
    p->depth_stencil.layout = VK_IMAGE_LAYOUT_##layout_;                \
    p->depth_stencil.pNext = &stencil

RIGHT_SECOND(stencil_reference, (),
             STENCIL_REFERENCE(DEPTH_ATTACHMENT_OPTIMAL, STENCIL_READ_ONLY_OPTIMAL))
SECOND(stencil_reference_of_depth, "VkAttachmentReferenceStencilLayout-stencilLayout-03318", (),
       STENCIL_REFERENCE(DEPTH_ATTACHMENT_OPTIMAL, DEPTH_READ_ONLY_OPTIMAL))
SECOND(stencil_reference_twice, "VkSubpassDescription2-attachment-06251", (),
       STENCIL_REFERENCE(STENCIL_ATTACHMENT_OPTIMAL, STENCIL_ATTACHMENT_OPTIMAL);
       p->depth_stencil.attachment = STENCIL)
SECOND(depth_layout_of_both, "VkRenderPassCreateInfo2-attachment-06244", (),
       AS_DEPTH(DEPTH_ATTACHMENT_OPTIMAL))
SECOND(stencil_layout_of_both, "VkRenderPassCreateInfo2-attachment-06245", (),
       AS_DEPTH(STENCIL_ATTACHMENT_OPTIMAL))
SECOND(depth_layout_of_stencil, "VkRenderPassCreateInfo2-attachment-06246", (),
       AS_DEPTH(DEPTH_ATTACHMENT_OPTIMAL);
       p->depth_stencil.attachment = STENCIL)

/* --- input attachments --- */

#define ASPECT(name_, id_, aspect_)                                    \
    SECOND(name_, "VkSubpassDescription2-attachment-" id_,             \
           (.expect = {"VUID-VkSubpassDescription2-attachment-" id_}), \
           WITH_INPUT(COLOR_B, aspect_))
ASPECT(input_aspect_unknown, "02799", VK_IMAGE_ASPECT_COLOR_BIT | 1u << 20)
SECOND(input_aspect_zero, "VkSubpassDescription2-attachment-02800", (), WITH_INPUT(COLOR_B, 0))
ASPECT(input_aspect_metadata, "02801", VK_IMAGE_ASPECT_METADATA_BIT)
SECOND(input_aspect_memory_plane, "VkSubpassDescription2-attachment-04563",
       (.expect = {"VUID-VkSubpassDescription2-attachment-04563"},
        .extensions = {VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME}, .drivers = NULL_DRIVER),
       WITH_INPUT(COLOR_B, VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT))
SECOND(input_aspect_depth_of_color, "VkRenderPassCreateInfo2-attachment-02525", (),
       WITH_INPUT(COLOR_B, VK_IMAGE_ASPECT_DEPTH_BIT))

#define ASPECT_REFERENCE(subpass_, index_, aspect_)                                           \
    VkInputAttachmentAspectReference aspect = {(subpass_), (index_), (aspect_)};              \
    VkRenderPassInputAttachmentAspectCreateInfo aspects = {                                   \
        VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO, NULL, 1, &aspect}; \
    WITH_INPUT(DEPTH_STENCIL, VK_IMAGE_ASPECT_DEPTH_BIT);                                     \
    p->info.pNext = &aspects
SCENARIO(aspect_reference)
{
    struct pass pass_, *p = &pass_;
    pass_begin(p);
    ASPECT_REFERENCE(0, 0, VK_IMAGE_ASPECT_STENCIL_BIT);
    ENSURE(pass_create1(b, p));
}
FIRST(aspect_reference_subpass, "VkRenderPassCreateInfo-pNext-01926", (),
      ASPECT_REFERENCE(1, 0, VK_IMAGE_ASPECT_DEPTH_BIT))
FIRST(aspect_reference_index, "VkRenderPassCreateInfo-pNext-01927", (),
      ASPECT_REFERENCE(0, 1, VK_IMAGE_ASPECT_DEPTH_BIT))
FIRST(aspect_reference_color, "VkRenderPassCreateInfo-pNext-01963", (),
      ASPECT_REFERENCE(0, 0, VK_IMAGE_ASPECT_COLOR_BIT))
FIRST(aspect_reference_metadata, "VkInputAttachmentAspectReference-aspectMask-01964", (),
      ASPECT_REFERENCE(0, 0, VK_IMAGE_ASPECT_METADATA_BIT))
FIRST(aspect_reference_memory_plane, "VkInputAttachmentAspectReference-aspectMask-02250",
      (.extensions = {VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME}, .drivers = NULL_DRIVER),
      ASPECT_REFERENCE(0, 0, VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT))

/* --- what formats can do --- */

#define NO_ATTACHMENT VK_FORMAT_BC1_RGB_UNORM_BLOCK
PAIR(input_of_compressed, "VkSubpassDescription-pInputAttachments-02647",
     "VkSubpassDescription2-pInputAttachments-02897", (),
     WITH_INPUT(COLOR_B, VK_IMAGE_ASPECT_COLOR_BIT);
     A(COLOR_B).format = NO_ATTACHMENT)
PAIR(color_of_compressed, "VkSubpassDescription-pColorAttachments-02648",
     "VkSubpassDescription2-pColorAttachments-02898", (), A(COLOR).format = NO_ATTACHMENT)
PAIR(color_resolve_of_compressed, "VkSubpassDescription-pResolveAttachments-02649",
     "VkSubpassDescription2-pResolveAttachments-09343",
     (.allow = {"VUID-VkSubpassDescription-pResolveAttachments-00850",
                "VUID-VkSubpassDescription2-externalFormatResolve-09339"}),
     WITH_RESOLVE, A(COLOR).format = NO_ATTACHMENT)
PAIR(depth_of_color, "VkSubpassDescription-pDepthStencilAttachment-02650",
     "VkSubpassDescription2-pDepthStencilAttachment-02900", (), WITH_DEPTH,
     p->depth_stencil.attachment = COLOR_B)
SECOND(depth_resolve_of_color,
       "VkSubpassDescriptionDepthStencilResolve-pDepthStencilResolveAttachment-02651", (),
       WITH_DEPTH_RESOLVE;
       p->depth_stencil_resolve.attachment = COLOR_B)

/* --- the attachments of one subpass together --- */

RIGHT(as_many_colors_as_can_be, (.drivers = NULL_DRIVER), p->subpasses[0].colorAttachmentCount = 8)
TWINS(too_many_inputs, "VkSubpassDescription", "inputAttachmentCount-12293",
      (.drivers = NULL_DRIVER,
       .null_driver = "{\"limits\": {\"maxPerStageDescriptorInputAttachments\": 1}}"),
      p->subpasses[0].inputAttachmentCount = 2)
PAIR(compute_subpass, "VkSubpassDescription-pipelineBindPoint-04952",
     "VkSubpassDescription2-pipelineBindPoint-04953", (),
     p->subpasses[0].pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE)
PAIR(color_and_depth, "VkSubpassDescription-pDepthStencilAttachment-04438",
     "VkSubpassDescription2-pDepthStencilAttachment-04440",
     (.allow = {"VUID-VkSubpassDescription-pDepthStencilAttachment-02650",
                "VUID-VkSubpassDescription2-pDepthStencilAttachment-02900"}),
     AS_DEPTH(GENERAL);
     p->depth_stencil.attachment = COLOR; p->colors[0].layout = VK_IMAGE_LAYOUT_GENERAL)
/* An input attachment before them hides nothing. */
PAIR(color_and_depth_and_input, "VkSubpassDescription-pDepthStencilAttachment-04438",
     "VkSubpassDescription2-pDepthStencilAttachment-04440",
     (.allow = {"VUID-VkSubpassDescription-pDepthStencilAttachment-02650",
                "VUID-VkSubpassDescription2-pDepthStencilAttachment-02900"}),
     AS_DEPTH(GENERAL);
     WITH_INPUT(COLOR, VK_IMAGE_ASPECT_COLOR_BIT); p->depth_stencil.attachment = COLOR;
     p->colors[0].layout = p->inputs[0].layout = VK_IMAGE_LAYOUT_GENERAL)
PAIR(two_layouts, "VkSubpassDescription-layout-02519", "VkSubpassDescription2-layout-02528", (),
     WITH_INPUT(COLOR, VK_IMAGE_ASPECT_COLOR_BIT))
RIGHT(one_layout, (), WITH_INPUT(COLOR, VK_IMAGE_ASPECT_COLOR_BIT);
      p->colors[0].layout = p->inputs[0].layout = VK_IMAGE_LAYOUT_GENERAL)
PAIR(samples_of_colors, "VkSubpassDescription-pColorAttachments-09430",
     "VkSubpassDescription2-multisampledRenderToSingleSampled-06869",
     (.text = {"pColorAttachments[1].attachment is ", ", but pColorAttachments[0].attachment is "}),
     p->subpasses[0].colorAttachmentCount = 2;
     p->colors[1].attachment = COLOR_4)
PAIR(samples_of_depth, "VkSubpassDescription-pDepthStencilAttachment-01418",
     "VkSubpassDescription2-multisampledRenderToSingleSampled-06872",
     (.text = {", but the depth/stencil attachment, ", "has VK_SAMPLE_COUNT_4_BIT"}), WITH_DEPTH,
     p->depth_stencil.attachment = DEPTH_STENCIL_4)
#define MIXED \
    (.extensions = {VK_AMD_MIXED_ATTACHMENT_SAMPLES_EXTENSION_NAME}, .drivers = NULL_DRIVER)
PAIR(mixed_samples_fewer, "VkSubpassDescription-None-09431", "VkSubpassDescription2-None-09456",
     MIXED, WITH_DEPTH, p->colors[0].attachment = COLOR_4)
RIGHT(mixed_samples, MIXED, WITH_DEPTH, p->depth_stencil.attachment = DEPTH_STENCIL_4)

PAIR(resolve_of_unused, "VkSubpassDescription-pResolveAttachments-00847",
     "VkSubpassDescription2-externalFormatResolve-09335",
     (.text =
          {", but pColorAttachments[0].attachment, which it resolves, is VK_ATTACHMENT_UNUSED"}),
     WITH_RESOLVE, p->colors[0].attachment = VK_ATTACHMENT_UNUSED)
PAIR(resolve_of_one_sample, "VkSubpassDescription-pResolveAttachments-00848",
     "VkSubpassDescription2-externalFormatResolve-09338",
     (.text = {"pResolveAttachments[0].attachment is ", ", but pColorAttachments[0].attachment is ",
               ", which has one sample: there is nothing to resolve"}),
     WITH_RESOLVE, p->colors[0].attachment = COLOR_B)
PAIR(resolve_to_four_samples, "VkSubpassDescription-pResolveAttachments-00849",
     "VkSubpassDescription2-pResolveAttachments-03067",
     (.text = {"pResolveAttachments[0].attachment is ",
               ", which has VK_SAMPLE_COUNT_4_BIT, but one is resolved to"}),
     WITH_RESOLVE, A(COLOR).samples = VK_SAMPLE_COUNT_4_BIT)
PAIR(resolve_to_other_format, "VkSubpassDescription-pResolveAttachments-00850",
     "VkSubpassDescription2-externalFormatResolve-09339",
     (.text = {"pResolveAttachments[0].attachment is ",
               ", which has the format VK_FORMAT_B8G8R8A8_UNORM, but "
               "pColorAttachments[0].attachment is ",
               ", which has VK_FORMAT_R8G8B8A8_UNORM"}),
     WITH_RESOLVE, A(COLOR).format = VK_FORMAT_B8G8R8A8_UNORM)

/* --- depth/stencil resolves --- */

#define DEPTH_RESOLVE(name_, id_, fields_, ...)                                                \
    SECOND(name_, "VkSubpassDescriptionDepthStencilResolve-" id_, fields_, WITH_DEPTH_RESOLVE; \
           __VA_ARGS__)
#define RESOLVE_PROPERTIES(depth_, stencil_, none_, independent_)                            \
    (.drivers = NULL_DRIVER, .null_driver =                                                  \
                                 "{\"properties\": {\"supportedDepthResolveModes\": " depth_ \
                                 ", \"supportedStencilResolveModes\": " stencil_             \
                                 ", \"independentResolveNone\": " none_                      \
                                 ", \"independentResolve\": " independent_ "}}")
DEPTH_RESOLVE(depth_resolve_of_none, "pDepthStencilResolveAttachment-03177", (),
              p->subpasses[0].pDepthStencilAttachment = NULL)
DEPTH_RESOLVE(depth_resolve_without_mode, "pDepthStencilResolveAttachment-03178",
              (.text = {"are both VK_RESOLVE_MODE_NONE, but attachment ", " is to be resolved to"}),
              p->resolve.depthResolveMode = p->resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE)
DEPTH_RESOLVE(depth_resolve_of_one_sample, "pDepthStencilResolveAttachment-03179",
              (.text = {", but the depth/stencil attachment, ",
                        ", has one sample: there is nothing to resolve"}),
              p->colors[0].attachment = COLOR;
              A(DEPTH_STENCIL_4).samples = VK_SAMPLE_COUNT_1_BIT)
DEPTH_RESOLVE(depth_resolve_to_four_samples, "pDepthStencilResolveAttachment-03180",
              (.text = {", which has VK_SAMPLE_COUNT_4_BIT, but one is resolved to"}),
              A(DEPTH_STENCIL).samples = VK_SAMPLE_COUNT_4_BIT)
DEPTH_RESOLVE(depth_resolve_to_other_depth, "pDepthStencilResolveAttachment-03181",
              (.text = {", which has the format VK_FORMAT_D16_UNORM, whose depth component is not "
                        "that of the depth/stencil attachment, "}),
              p->depth_stencil_resolve.attachment = DEPTH;
              A(DEPTH).format = VK_FORMAT_D16_UNORM;
              p->resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE)
DEPTH_RESOLVE(depth_resolve_to_stencil, "pDepthStencilResolveAttachment-03182",
              (.text = {", but the depth/stencil attachment, ",
                        ", has VK_FORMAT_D32_SFLOAT, without stencil"}),
              A(DEPTH_STENCIL_4).format = VK_FORMAT_D32_SFLOAT)
DEPTH_RESOLVE(depth_resolve_mode, "depthResolveMode-03183",
              RESOLVE_PROPERTIES("1", "3", "true", "true"),
              p->resolve.depthResolveMode = VK_RESOLVE_MODE_AVERAGE_BIT)
DEPTH_RESOLVE(stencil_resolve_mode, "stencilResolveMode-03184",
              RESOLVE_PROPERTIES("3", "1", "true", "true"),
              p->resolve.stencilResolveMode = VK_RESOLVE_MODE_MIN_BIT)
DEPTH_RESOLVE(resolve_modes_differ, "pDepthStencilResolveAttachment-03185",
              RESOLVE_PROPERTIES("3", "3", "false", "false"),
              p->resolve.depthResolveMode = VK_RESOLVE_MODE_NONE)
DEPTH_RESOLVE(resolve_modes_not_none, "pDepthStencilResolveAttachment-03186",
              RESOLVE_PROPERTIES("15", "15", "true", "false"),
              p->resolve.depthResolveMode = VK_RESOLVE_MODE_MIN_BIT)
RIGHT_SECOND(resolve_modes, RESOLVE_PROPERTIES("3", "3", "true", "false"), WITH_DEPTH_RESOLVE;
             p->resolve.depthResolveMode = VK_RESOLVE_MODE_NONE)

/* --- multisampled render to single sampled --- */

static const VkPhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT single_sampled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .multisampledRenderToSingleSampled = VK_TRUE};
#define SINGLE_SAMPLED_WITH(depth_, stencil_, none_, independent_)     \
    (UNWRAP RESOLVE_PROPERTIES(depth_, stencil_, none_, independent_), \
     .features = &single_sampled,                                      \
     .extensions = {VK_EXT_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_EXTENSION_NAME})
#define SINGLE_SAMPLED SINGLE_SAMPLED_WITH("15", "15", "true", "true")
#define WITH_SINGLE_SAMPLED(samples_)                                                           \
    VkMultisampledRenderToSingleSampledInfoEXT single = {                                       \
        VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT, &p->resolve, VK_TRUE, \
        (samples_)};                                                                            \
    WITH_DEPTH;                                                                                 \
    p->depth_stencil_resolve.attachment = VK_ATTACHMENT_UNUSED;                                 \
    p->subpasses[0].pNext = &single
RIGHT_SECOND(single_sampled_subpass, SINGLE_SAMPLED, WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT))
SECOND(single_sampled_one, "VkMultisampledRenderToSingleSampledInfoEXT-rasterizationSamples-06878",
       SINGLE_SAMPLED, WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_1_BIT))
SECOND(single_sampled_other, "VkSubpassDescription2-pNext-06870", SINGLE_SAMPLED,
       WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_2_BIT);
       p->colors[0].attachment = COLOR_4)
SECOND(single_sampled_without_resolve, "VkSubpassDescription2-pNext-06871", SINGLE_SAMPLED,
       WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT);
       single.pNext = NULL)
SECOND(single_sampled_without_mode, "VkSubpassDescriptionDepthStencilResolve-pNext-06873",
       SINGLE_SAMPLED, WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT);
       p->resolve.depthResolveMode = p->resolve.stencilResolveMode = VK_RESOLVE_MODE_NONE)
SECOND(single_sampled_depth_mode, "VkSubpassDescriptionDepthStencilResolve-pNext-06874",
       SINGLE_SAMPLED_WITH("1", "15", "true", "true"), WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT);
       p->resolve.depthResolveMode = VK_RESOLVE_MODE_MIN_BIT)
SECOND(single_sampled_stencil_mode, "VkSubpassDescriptionDepthStencilResolve-pNext-06875",
       SINGLE_SAMPLED_WITH("15", "1", "true", "true"), WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT);
       p->resolve.stencilResolveMode = VK_RESOLVE_MODE_MIN_BIT)
SECOND(single_sampled_modes_differ, "VkSubpassDescriptionDepthStencilResolve-pNext-06876",
       SINGLE_SAMPLED_WITH("15", "15", "false", "false"),
       WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT);
       p->resolve.depthResolveMode = VK_RESOLVE_MODE_NONE)
SECOND(single_sampled_modes_not_none, "VkSubpassDescriptionDepthStencilResolve-pNext-06877",
       SINGLE_SAMPLED_WITH("15", "15", "true", "false"), WITH_SINGLE_SAMPLED(VK_SAMPLE_COUNT_4_BIT);
       p->resolve.depthResolveMode = VK_RESOLVE_MODE_MIN_BIT)

/* --- first uses that are cleared --- */

#define CLEARED_DEPTH(layout_) \
    WITH_DEPTH;                \
    p->depth_stencil.layout = VK_IMAGE_LAYOUT_##layout_
#define CLEARED_STENCIL(layout_)                               \
    CLEARED_DEPTH(layout_);                                    \
    A(DEPTH_STENCIL).loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE; \
    A(DEPTH_STENCIL).stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR
FIRST(clear_read_only, "VkRenderPassCreateInfo-pAttachments-00836", (),
      CLEARED_DEPTH(DEPTH_STENCIL_READ_ONLY_OPTIMAL))
FIRST(clear_read_only_depth, "VkRenderPassCreateInfo-pAttachments-01566", (),
      CLEARED_DEPTH(DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL))
FIRST(clear_read_only_stencil, "VkRenderPassCreateInfo-pAttachments-02511", (),
      CLEARED_STENCIL(DEPTH_STENCIL_READ_ONLY_OPTIMAL))
FIRST(clear_stencil_read_only, "VkRenderPassCreateInfo-pAttachments-01567", (),
      CLEARED_STENCIL(DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL))
SECOND(clear_read_only_second, "VkRenderPassCreateInfo2-pAttachments-02522", (),
       CLEARED_DEPTH(DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL))
SECOND(clear_read_only_stencil_second, "VkRenderPassCreateInfo2-pAttachments-02523", (),
       CLEARED_STENCIL(DEPTH_STENCIL_READ_ONLY_OPTIMAL))
RIGHT(clear_the_writable_aspect, (), CLEARED_DEPTH(DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL))
TWINS(input_cleared, "VkSubpassDescription", "loadOp-00846", (), AS_INPUT(GENERAL);
      A(COLOR_B).loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR)

/* --- preserved attachments --- */

#define SECOND_SUBPASS        \
    p->info.subpassCount = 2; \
    p->info.dependencyCount = 1
#define PRESERVE(attachment_)                    \
    SECOND_SUBPASS;                              \
    p->subpasses[1].preserveAttachmentCount = 1; \
    p->preserves[0] = (attachment_)
RIGHT(preserve, (), PRESERVE(COLOR))
PAIR(preserve_unused, "VkSubpassDescription-attachment-00853",
     "VkSubpassDescription2-attachment-03073", (), PRESERVE(VK_ATTACHMENT_UNUSED))
PAIR(preserve_used, "VkSubpassDescription-pPreserveAttachments-00854",
     "VkSubpassDescription2-pPreserveAttachments-03074", (), PRESERVE(COLOR);
     p->second_colors[0].attachment = COLOR)
PAIR(preserve_independently, "VkRenderPassCreateInfo-None-10915",
     "VkRenderPassCreateInfo2-None-10916", (), PRESERVE(COLOR);
     p->info.dependencyCount = 0)
/* Subpass 0 uses it, 1 does not, and 2 depends on 1 alone. */
RIGHT(preserve_by_way_of_another, (), PRESERVE(COLOR); p->subpasses[1].preserveAttachmentCount = 0;
      p->subpasses[2].preserveAttachmentCount = 1; p->info.subpassCount = 3;
      p->info.dependencyCount = 2; p->dependencies[1].srcSubpass = 1;
      p->dependencies[1].dstSubpass = 2)
PAIR(preserve_beyond_attachments, "VkRenderPassCreateInfo-attachment-00834",
     "VkRenderPassCreateInfo2-attachment-03051", (), PRESERVE(PASS_ATTACHMENTS))

/* --- flags of subpasses --- */

#define PER_VIEW \
    (.extensions = {VK_NVX_MULTIVIEW_PER_VIEW_ATTRIBUTES_EXTENSION_NAME}, .drivers = NULL_DRIVER)
PAIR(per_view_position, "VkSubpassDescription-flags-00856", "VkSubpassDescription2-flags-03076",
     PER_VIEW, p->subpasses[0].flags = VK_SUBPASS_DESCRIPTION_PER_VIEW_POSITION_X_ONLY_BIT_NVX)
RIGHT(per_view_attributes, PER_VIEW,
      p->subpasses[0].flags = VK_SUBPASS_DESCRIPTION_PER_VIEW_POSITION_X_ONLY_BIT_NVX |
                              VK_SUBPASS_DESCRIPTION_PER_VIEW_ATTRIBUTES_BIT_NVX)
static const VkPhysicalDeviceCustomResolveFeaturesEXT custom_resolve = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT,
    .pNext = (void *)&pass_features,
    .customResolve = VK_TRUE};
#define CUSTOM_RESOLVE                                                                  \
    (.extensions = {VK_EXT_CUSTOM_RESOLVE_EXTENSION_NAME}, .features = &custom_resolve, \
     .drivers = NULL_DRIVER)
#define CUSTOM p->subpasses[0].flags = VK_SUBPASS_DESCRIPTION_CUSTOM_RESOLVE_BIT_EXT
RIGHT(custom_resolve_subpass, CUSTOM_RESOLVE, CUSTOM)
PAIR(custom_resolve_with_resolve, "VkSubpassDescription-flags-03341",
     "VkSubpassDescription2-flags-04907", CUSTOM_RESOLVE, WITH_RESOLVE;
     CUSTOM)
SECOND(custom_resolve_with_depth_resolve, "VkSubpassDescription2-flags-04908", CUSTOM_RESOLVE,
       WITH_DEPTH_RESOLVE;
       CUSTOM)
PAIR(custom_resolve_not_last, "VkSubpassDescription-flags-03343",
     "VkSubpassDescription2-flags-04909", CUSTOM_RESOLVE, SECOND_SUBPASS;
     CUSTOM)

#define TRANSFORM \
    (.extensions = {VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME}, .drivers = NULL_DRIVER)
FIRST(transform_with_input, "VkSubpassDescription-pInputAttachments-02868", TRANSFORM,
      WITH_INPUT(COLOR_B, VK_IMAGE_ASPECT_COLOR_BIT);
      p->info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM)

/* --- shading rates, tile shading -------------------------------------------------------------- */

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rate_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&pass_features,
    .attachmentFragmentShadingRate = VK_TRUE};
#define RATED(...)                                                                            \
    (.extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME}, .features = &rate_features, \
     .drivers = NULL_DRIVER, __VA_ARGS__)
#define RATES(limits_) .null_driver = "{\"properties\": {\"max" limits_ "}}"
#define WITH_RATE(width_, height_)                             \
    p->info.attachmentCount = 2;                               \
    p->attachments[1].format = VK_FORMAT_R8_UINT;              \
    p->attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;         \
    p->attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;     \
    p->attachments[1].initialLayout = VK_IMAGE_LAYOUT_GENERAL; \
    p->shading_rate.attachment = 1;                            \
    p->rate.shadingRateAttachmentTexelSize.width = (width_);   \
    p->rate.shadingRateAttachmentTexelSize.height = (height_); \
    p->subpasses[0].pNext = &p->rate
#define RATE(name_, id_, limits_, text_, width_, height_)                                       \
    SECOND(name_, "VkFragmentShadingRateAttachmentInfoKHR-pFragmentShadingRateAttachment-" id_, \
           RATED(.null_driver = "{\"properties\": {" limits_ "}}", .text = {text_}),            \
           WITH_RATE(width_, height_))
RIGHT_SECOND(rate, RATED(), WITH_RATE(8, 8))
#define RATIO                                                   \
    "\"maxFragmentShadingRateAttachmentTexelSize\": [64, 64], " \
    "\"maxFragmentShadingRateAttachmentTexelSizeAspectRatio\": 2"
RATE(rate_flat, "04531", RATIO,
     "is 32 x 8, but maxFragmentShadingRateAttachmentTexelSizeAspectRatio is 2", 32, 8)
RATE(rate_tall, "04532", RATIO,
     "is 8 x 32, but maxFragmentShadingRateAttachmentTexelSizeAspectRatio is 2", 8, 32)
SECOND(rate_and_transform, "VkRenderPassCreateInfo2-flags-04521",
       (.extensions = {VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME,
                       VK_QCOM_RENDER_PASS_TRANSFORM_EXTENSION_NAME},
        .features = &rate_features, .drivers = NULL_DRIVER,
        .text =
            {"attachment is 1, but the render pass has VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM"}),
       WITH_RATE(8, 8);
       p->info.flags = VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM)

static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&pass_features,
    .fragmentDensityMap = VK_TRUE,
    .fragmentDensityMapNonSubsampledImages = VK_TRUE};
static const VkPhysicalDeviceTileShadingFeaturesQCOM tile_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,
    .pNext = (void *)(uintptr_t)&density_features,
    .tileShading = VK_TRUE,
    .tileShadingPerTileDraw = VK_TRUE,
    .tileShadingApron = VK_TRUE,
    .tileShadingAnisotropicApron = VK_TRUE};
#define TILES(...)                                                                               \
    (.extensions = {VK_QCOM_TILE_SHADING_EXTENSION_NAME, VK_QCOM_TILE_PROPERTIES_EXTENSION_NAME, \
                    VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME},                                 \
     .features = &tile_features, .drivers = NULL_DRIVER, __VA_ARGS__)
static VkRenderPassTileShadingCreateInfoQCOM tiles;
static VkRenderPassFragmentDensityMapCreateInfoEXT density_map;
#define TILE_FLAGS(flags_, apron_)                                            \
    tiles = (VkRenderPassTileShadingCreateInfoQCOM){                          \
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM, \
        .flags = (flags_),                                                    \
        .tileApronSize = {(apron_), (apron_)}};                               \
    p->info.pNext = &tiles
#define ENABLED  VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM
#define PER_TILE VK_TILE_SHADING_RENDER_PASS_PER_TILE_EXECUTION_BIT_QCOM
RIGHT(tile_shading, TILES(), TILE_FLAGS(ENABLED, 0))
PAIR(tile_shading_with_density_map, "VkRenderPassCreateInfo-fragmentDensityMapAttachment-10648",
     "VkRenderPassCreateInfo2-fragmentDensityMapAttachment-10651", TILES(), TILE_FLAGS(ENABLED, 0);
     p->info.attachmentCount = 2; p->attachments[1].format = VK_FORMAT_R8G8_UNORM;
     p->attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
     p->attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
     p->attachments[1].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
     p->attachments[1].initialLayout = VK_IMAGE_LAYOUT_GENERAL;
     density_map = ((VkRenderPassFragmentDensityMapCreateInfoEXT){
         .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
         .fragmentDensityMapAttachment = {1, VK_IMAGE_LAYOUT_GENERAL}});
     tiles.pNext = &density_map)
#define APRON p->subpasses[0].flags = VK_SUBPASS_DESCRIPTION_TILE_SHADING_APRON_BIT_QCOM
RIGHT(tile_shading_apron, TILES(), TILE_FLAGS(ENABLED, 1); APRON)
RIGHT(tile_shading_apron_of_width, TILES(), TILE_FLAGS(ENABLED, 1); tiles.tileApronSize.height = 0;
      APRON)
PAIR(tile_shading_apron_of_no_size, "VkSubpassDescription-flags-10683",
     "VkSubpassDescription2-flags-10683",
     TILES(.text = {"flags includes VK_SUBPASS_DESCRIPTION_TILE_SHADING_APRON_BIT_QCOM, but the "
                    "render pass has no tileApronSize"}),
     TILE_FLAGS(ENABLED, 0);
     APRON)
