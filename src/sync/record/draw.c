/* Records the accesses of a draw to bound resources: descriptors, attachments, vertex and index
 * buffers. */
#include "sync/record/draw.h"

#include "sync/access/access_subpass.h"
#include "sync/access/areas.h"
#include "sync/record/attachments.h"
#include "sync/access/ranges.h"

#include "spirv/module/reflect.h"
#include "state/memory/formats.h"
#include "state/pipeline/shader.h"
#include "vk/index_type.h"

#include <spirv/unified1/spirv.h>

void draw_cache_clear(struct draw_cache *cache)
{
    for (uint32_t i = 0; cache && i < BIND_POINTS; i++)
        cache->known[i] = false;
}

/* "The current value of" a state: `name_` as in current_<name_>() of state/dynamic_values.h. If a
 * dynamic state was not set, `otherwise_` is the value, with which nothing is accessed. */
#define CURRENT(state_, name_, otherwise_) \
    current_##name_((state_)->pipeline, (state_)->recording->command_buffer, (otherwise_))

/* True if the pipeline takes the state from the command buffer. */
static bool draw_is_dynamic(const struct draw_state *state, enum dynamic_state which)
{
    return pipeline_is_dynamic(state->pipeline, which);
}

/* Returns the values that the command buffer has for the state; NULL: it was not set. */
static const struct command_buffer_dynamic *values_of(const struct draw_state *state,
                                                      enum dynamic_state which)
{
    return command_buffer_dynamic_of(state->recording->command_buffer, which);
}

/* --- attachments that a draw accesses --- */

/* Returns the entry point of the first of these stages that the pipeline has, and its code. NULL:
 * there is none, or its code is not known. */
static const struct spirv_entry_point *draw_stage_entry(const struct pipeline *pipeline,
                                                        VkShaderStageFlags stages,
                                                        const struct spirv_reflection **code)
{
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        *code = stage->shader ? stage->shader->reflection : NULL;
        if (stage->stage & stages && *code && stage->entry_point < (*code)->entry_count)
            return &(*code)->entries[stage->entry_point];
    }
    return NULL;
}

/* Returns a mask of the locations that the fragment shader has outputs for. */
static uint32_t written_locations(const struct pipeline *pipeline)
{
    const struct spirv_reflection *code;
    const struct spirv_entry_point *entry =
        draw_stage_entry(pipeline, VK_SHADER_STAGE_FRAGMENT_BIT, &code);
    uint32_t locations = 0;
    for (uint32_t i = 0; entry && i < entry->interface_count; i++) {
        const struct spirv_interface *output = &code->interfaces[entry->first_interface + i];
        if (output->storage != SpvStorageClassOutput || output->location >= 32)
            continue;
        for (uint32_t k = 0; k < output->location_count && output->location + k < 32; k++)
            locations |= 1u << (output->location + k);
    }
    return locations;
}

/* True if a shader chooses the layer (or view) that is drawn to. */
static bool chooses_layer(const struct pipeline *pipeline)
{
    const VkShaderStageFlags stages[] = {
        VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
        VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_MESH_BIT_EXT};
    for (size_t i = 0; i < ARRAY_LENGTH(stages); i++) {
        const struct spirv_reflection *code;
        const struct spirv_entry_point *entry = draw_stage_entry(pipeline, stages[i], &code);
        for (uint32_t k = 0; entry && k < entry->interface_count; k++) {
            const struct spirv_interface *output = &code->interfaces[entry->first_interface + k];
            if (output->storage == SpvStorageClassOutput && output->builtin == SpvBuiltInLayer)
                return true;
        }
    }
    return false;
}

/* --- which primitives are rasterized --- */

enum primitives { PRIMITIVES_UNKNOWN, PRIMITIVES_POLYGONS, PRIMITIVES_OTHERS /* points, lines */ };

/* Finds which primitives the stage's shader declares; returns false if there is no such stage.
 * Execution modes of tessellation may be in either of its two stages. */
static bool primitives_of_stage(const struct pipeline *pipeline, VkShaderStageFlagBits bit,
                                enum primitives *made)
{
    static const struct {
        VkShaderStageFlagBits stage;
        SpvExecutionMode mode;
        enum primitives primitives;
    } modes[] = {
        {VK_SHADER_STAGE_MESH_BIT_EXT, SpvExecutionModeOutputPoints, PRIMITIVES_OTHERS},
        {VK_SHADER_STAGE_MESH_BIT_EXT, SpvExecutionModeOutputLinesEXT, PRIMITIVES_OTHERS},
        {VK_SHADER_STAGE_MESH_BIT_EXT, SpvExecutionModeOutputTrianglesEXT, PRIMITIVES_POLYGONS},
        {VK_SHADER_STAGE_GEOMETRY_BIT, SpvExecutionModeOutputPoints, PRIMITIVES_OTHERS},
        {VK_SHADER_STAGE_GEOMETRY_BIT, SpvExecutionModeOutputLineStrip, PRIMITIVES_OTHERS},
        {VK_SHADER_STAGE_GEOMETRY_BIT, SpvExecutionModeOutputTriangleStrip, PRIMITIVES_POLYGONS},
        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, SpvExecutionModePointMode, PRIMITIVES_OTHERS},
        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, SpvExecutionModeIsolines, PRIMITIVES_OTHERS},
    };
    bool tessellates = bit == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, found = false;
    VkShaderStageFlags stages =
        tessellates ? (VkShaderStageFlags)bit | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT : bit;
    bool known = true;
    *made = PRIMITIVES_UNKNOWN;
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &pipeline->stage[i];
        const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
        if (!(stage->stage & stages))
            continue;
        found = true;
        known &= code && stage->entry_point < code->entry_count;
        for (size_t k = 0; known && k < ARRAY_LENGTH(modes) && *made == PRIMITIVES_UNKNOWN; k++) {
            if (modes[k].stage == bit &&
                spirv_mode_find(code, &code->entries[stage->entry_point], modes[k].mode))
                *made = modes[k].primitives;
        }
    }
    if (found && known && tessellates && *made == PRIMITIVES_UNKNOWN)
        *made = PRIMITIVES_POLYGONS; /* it makes triangles and quads */
    return found;
}

/* Returns the kind of primitives that a topology makes, before tessellation or geometry shaders. */
static enum primitives primitives_of_topology(VkPrimitiveTopology topology)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return PRIMITIVES_OTHERS;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return PRIMITIVES_POLYGONS;
    default:
        return PRIMITIVES_UNKNOWN;
    }
}

/* Returns the primitives that reach the rasterizer. The last stage before it that makes primitives
 * decides, else the topology. */
static enum primitives primitives_of(const struct draw_state *state)
{
    static const VkShaderStageFlagBits last[] = {VK_SHADER_STAGE_MESH_BIT_EXT,
                                                 VK_SHADER_STAGE_GEOMETRY_BIT,
                                                 VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
    enum primitives made;
    for (size_t i = 0; i < ARRAY_LENGTH(last); i++) {
        if (primitives_of_stage(state->pipeline, last[i], &made))
            return made;
    }
    return primitives_of_topology(CURRENT(state, primitive_topology,
                                          VK_PRIMITIVE_TOPOLOGY_MAX_ENUM));
}

/* Returns the faces that are certainly rasterized: only triangles are culled (VkCullModeFlagBits),
 * and "the front stencil state" is for "front-facing polygons or any other primitives" (29.9
 * "Stencil Test"). */
static VkCullModeFlags drawn_faces(const struct draw_state *state)
{
    VkCullModeFlags mode = CURRENT(state, cull_mode, VK_CULL_MODE_FRONT_AND_BACK);
    VkCullModeFlags polygons = VK_CULL_MODE_FRONT_AND_BACK & ~mode;
    if (likely(polygons == VK_CULL_MODE_FRONT_AND_BACK))
        return polygons;
    switch (primitives_of(state)) {
    case PRIMITIVES_POLYGONS:
        return polygons;
    case PRIMITIVES_OTHERS:
        return VK_CULL_MODE_FRONT_BIT;
    default:
        return polygons & VK_CULL_MODE_FRONT_BIT;
    }
}

/* True if the result depends on the value in the attachment (30.1 "Blending"). Advanced operations
 * have an access type of their own. */
static bool blend_takes(VkBlendOp op, VkBlendFactor src, VkBlendFactor dst, bool alpha)
{
    if (op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX)
        return true;
    return op <= VK_BLEND_OP_REVERSE_SUBTRACT &&
           (dst != VK_BLEND_FACTOR_ZERO || src == VK_BLEND_FACTOR_DST_COLOR ||
            src == VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR || src == VK_BLEND_FACTOR_DST_ALPHA ||
            src == VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA ||
            (src == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE && !alpha));
}

/* True if the draw makes a "read access to a color attachment, such as via blending". With logic
 * operations "blending of all attachments is treated as if it were disabled". */
static bool draw_blends(const struct draw_state *state, uint32_t i, VkColorComponentFlags mask)
{
    static const VkPipelineColorBlendAttachmentState none = {0};
    VkPipelineColorBlendAttachmentState blend =
        i < state->pipeline->blend_count ? state->pipeline->blends[i] : none;
    if (!command_buffer_values(state->recording->command_buffer))
        return false; /* memory was out, so the state is not known */
    if (draw_is_dynamic(state, DYNAMIC_COLOR_BLEND_ENABLE_EXT)) {
        const struct command_buffer_dynamic *values =
            values_of(state, DYNAMIC_COLOR_BLEND_ENABLE_EXT);
        blend.blendEnable = values && values->color_blend_enables_set >> i & 1 &&
                            values->color_blend_enables >> i & 1;
    }
    if (!blend.blendEnable || CURRENT(state, logic_op_enable, false))
        return false;
    const struct command_buffer_dynamic *values =
        values_of(state, DYNAMIC_COLOR_BLEND_ADVANCED_EXT);
    if (draw_is_dynamic(state, DYNAMIC_COLOR_BLEND_ADVANCED_EXT) && values &&
        values->color_blend_advanced_set >> i & 1)
        return false;
    VkColorBlendEquationEXT equation = {blend.srcColorBlendFactor, blend.dstColorBlendFactor,
                                        blend.colorBlendOp,        blend.srcAlphaBlendFactor,
                                        blend.dstAlphaBlendFactor, blend.alphaBlendOp};
    if (draw_is_dynamic(state, DYNAMIC_COLOR_BLEND_EQUATION_EXT)) {
        values = values_of(state, DYNAMIC_COLOR_BLEND_EQUATION_EXT);
        if (!values || !(values->color_blend_equations_set >> i & 1))
            return false;
        equation = values->equations[i];
    }
    return (mask & ~(VkColorComponentFlags)VK_COLOR_COMPONENT_A_BIT &&
            blend_takes(equation.colorBlendOp, equation.srcColorBlendFactor,
                        equation.dstColorBlendFactor, false)) ||
           (mask & VK_COLOR_COMPONENT_A_BIT &&
            blend_takes(equation.alphaBlendOp, equation.srcAlphaBlendFactor,
                        equation.dstAlphaBlendFactor, true));
}

/* Returns the color attachments that the draw writes or reads, in DRAWN_ bits, by masks and
 * blending. */
static uint32_t drawn_colors(const struct draw_state *state)
{
    const struct pipeline *pipeline = state->pipeline;
    const struct command_buffer_dynamic *masks = values_of(state, DYNAMIC_COLOR_WRITE_MASK_EXT),
                                        *enables = values_of(state, DYNAMIC_COLOR_WRITE_ENABLE_EXT);
    uint32_t locations = written_locations(pipeline), colors = 0;
    bool takes_masks = draw_is_dynamic(state, DYNAMIC_COLOR_WRITE_MASK_EXT),
         takes_enables = draw_is_dynamic(state, DYNAMIC_COLOR_WRITE_ENABLE_EXT);
    for (uint32_t i = 0; i < PIPELINE_COLORS && locations; i++) {
        uint32_t location = pipeline->color_locations[i];
        if (location >= 32 || !(locations >> location & 1))
            continue;
        VkColorComponentFlags mask =
            i < pipeline->blend_count ? pipeline->blends[i].colorWriteMask : 0;
        /* A mask that was never set counts as 0, so that there is no false report. */
        if (takes_masks)
            mask = masks && masks->color_write_masks_set >> i & 1 ? masks->write_masks[i] : 0;
        bool enabled = takes_enables ? enables && i < enables->color_write_enable_count &&
                                           enables->color_write_enables >> i & 1
                                     : !(pipeline->color_writes_disabled >> i & 1);
        if (!mask || !enabled)
            continue;
        colors |= (uint32_t)DRAWN_COLOR << i;
        if (draw_blends(state, i, mask))
            colors |= (uint32_t)DRAWN_COLOR_READ << i;
    }
    return colors;
}

/* Returns the depth accesses of the draw, in DRAWN_ bits. If the test is not enabled, depth is not
 * written either (29.8 "Depth Test"). */
static uint32_t drawn_depth(const struct draw_state *state)
{
    bool test = CURRENT(state, depth_test_enable, false);
    bool bounds = CURRENT(state, depth_bounds_test_enable, false);
    bool write = test && CURRENT(state, depth_write_enable, false);
    return (test || bounds ? (uint32_t)DRAWN_DEPTH_READ : 0) |
           (write ? (uint32_t)DRAWN_DEPTH_WRITE : 0);
}

/* Says how the depth test may end, which selects the operation on the stencil value. */
struct depth_outcome {
    bool fails, passes; /* true if that may be so for some fragment */
};

/* Returns the possible outcomes. For an unknown comparison it is neither, so that nothing is
 * reported. */
static struct depth_outcome depth_outcome(const struct draw_state *state)
{
    if (!CURRENT(state, depth_test_enable, false))
        return (struct depth_outcome){.passes = true};
    VkCompareOp op = CURRENT(state, depth_compare_op, VK_COMPARE_OP_MAX_ENUM);
    if (op == VK_COMPARE_OP_MAX_ENUM)
        return (struct depth_outcome){0};
    return (struct depth_outcome){.fails = op != VK_COMPARE_OP_ALWAYS,
                                  .passes = op != VK_COMPARE_OP_NEVER};
}

#define STENCIL_BITS 0xffu /* all bits of a stencil value, which has 8 in every format */

/* True if the stencil value of a face may change. */
static bool stencil_writes(const struct draw_state *state, const VkStencilOpState *fixed,
                           uint32_t face)
{
    VkStencilFaceFlags bit = face ? VK_STENCIL_FACE_BACK_BIT : VK_STENCIL_FACE_FRONT_BIT;
    VkStencilOp fail = fixed->failOp, pass = fixed->passOp, depth_fail = fixed->depthFailOp;
    VkCompareOp compare = fixed->compareOp;
    struct depth_outcome depth = depth_outcome(state);
    uint32_t mask = fixed->writeMask;
    if (draw_is_dynamic(state, DYNAMIC_STENCIL_WRITE_MASK)) {
        const struct command_buffer_dynamic *values = values_of(state, DYNAMIC_STENCIL_WRITE_MASK);
        mask =
            values && values->stencil_write_masks_set & bit ? values->stencil[face].write_mask : 0;
    }
    if (draw_is_dynamic(state, DYNAMIC_STENCIL_OP)) {
        const struct command_buffer_dynamic *values = values_of(state, DYNAMIC_STENCIL_OP);
        if (!values || !(values->stencil_ops_set & bit))
            return false;
        fail = values->stencil[face].fail;
        pass = values->stencil[face].pass;
        depth_fail = values->stencil[face].depth_fail;
        compare = values->stencil[face].compare;
    }
    bool fails = compare != VK_COMPARE_OP_ALWAYS, passes = compare != VK_COMPARE_OP_NEVER;
    return mask & STENCIL_BITS && ((fails && fail != VK_STENCIL_OP_KEEP) ||
                                   (passes && depth.passes && pass != VK_STENCIL_OP_KEEP) ||
                                   (passes && depth.fails && depth_fail != VK_STENCIL_OP_KEEP));
}

/* Returns the stencil accesses of the draw, for the faces that are rasterized. */
static uint32_t drawn_stencil(const struct draw_state *state, VkCullModeFlags faces)
{
    const VkPipelineDepthStencilStateCreateInfo *fixed = &state->pipeline->depth_stencil;
    if (!CURRENT(state, stencil_test_enable, false))
        return 0;
    bool writes = (faces & VK_CULL_MODE_FRONT_BIT && stencil_writes(state, &fixed->front, 0)) ||
                  (faces & VK_CULL_MODE_BACK_BIT && stencil_writes(state, &fixed->back, 1));
    return DRAWN_STENCIL_READ | (writes ? (uint32_t)DRAWN_STENCIL_WRITE : 0);
}

/* True if primitives are rasterized. */
static bool draw_rasterizes(const struct draw_state *state)
{
    return !CURRENT(state, rasterizer_discard_enable, true);
}

bool draw_has_fragments(const struct draw_state *state)
{
    return draw_rasterizes(state) && drawn_faces(state);
}

/* Returns the draw's accesses to attachments, in bits of enum drawn_attachment. */
static uint32_t drawn_attachments(const struct draw_state *state)
{
    VkCullModeFlags faces = draw_rasterizes(state) ? drawn_faces(state) : 0;
    if (!faces)
        return 0;
    return drawn_colors(state) | drawn_depth(state) | drawn_stencil(state, faces);
}

/* --- accesses to attachments --- */

/* Returns the part of an attachment that a draw may access: the render area, in the first layer or
 * in the layers of the view mask. */
static struct attachment_part drawn_part(const struct draw_state *state, uint64_t view,
                                         enum access_role role, uint32_t index)
{
    const struct render_pass_instance *rendering = state->recording->command_buffer->rendering;
    return (struct attachment_part){
        .view = view ? image_view_by_id(view) : NULL,
        .area = rendering->area,
        .view_mask = rendering->view_mask,
        .layer_count = 1, /* unless a shader chooses another one */
        .source = {.role = role, .index = index},
    };
}

/* Returns the id of the view of attachment `i`; 0: the framebuffer has no such attachment. */
static uint64_t view_of_attachment(const struct render_pass_instance *rendering,
                                   uint32_t attachment)
{
    return attachment < rendering->view_count ? rendering->views[attachment] : 0;
}

/* True if the load operation of this subpass has read the attachment. Then reads by blending need
 * no check of their own. */
static bool is_loaded(const struct command_buffer *command_buffer, uint32_t attachment)
{
    const struct render_pass_instance *rendering = command_buffer->rendering;
    const struct render_pass *pass = active_render_pass(command_buffer);
    if (!pass || attachment >= pass->attachment_count ||
        pass->attachments[attachment].description.loadOp != VK_ATTACHMENT_LOAD_OP_LOAD)
        return false;
    /* render passes with so many subpasses are not checked */
    if (rendering->subpass >= SYNC_SUBPASSES)
        return true;
    for (uint32_t i = 0; i < rendering->subpass && i < pass->subpass_count; i++) {
        for (uint32_t k = 0; k < pass->subpasses[i].color_count; k++) {
            if (pass->subpasses[i].colors[k].attachment == attachment)
                return false;
        }
    }
    return true;
}

/* Accesses the color attachments of `drawn`. A read after a load operation is not recorded. */
static void access_colors(const struct draw_state *state, uint32_t drawn)
{
    const struct command_buffer *command_buffer = state->recording->command_buffer;
    const struct render_pass_instance *rendering = command_buffer->rendering;
    const struct subpass *subpass = active_subpass(command_buffer);
    for (uint32_t i = 0; i < PIPELINE_COLORS; i++) {
        uint64_t view = 0;
        bool reads = (drawn & (uint32_t)DRAWN_COLOR_READ << i) != 0;
        if (!(drawn & ((uint32_t)DRAWN_COLOR | (uint32_t)DRAWN_COLOR_READ) << i))
            continue;
        if (rendering->kind == RENDERING_DYNAMIC) {
            view = rendering->colors[i].view;
            reads = reads && rendering->colors[i].load != VK_ATTACHMENT_LOAD_OP_LOAD;
        } else if (subpass && i < subpass->color_count) {
            view = view_of_attachment(rendering, subpass->colors[i].attachment);
            reads = reads && !is_loaded(command_buffer, subpass->colors[i].attachment);
        }
        struct attachment_part part = drawn_part(state, view, ROLE_COLOR_ATTACHMENT, i);
        if (reads)
            attachment_access(state->recording, &part, VK_IMAGE_ASPECT_COLOR_BIT,
                              SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ, SYNC_ORDER_COLOR);
        if (drawn & (uint32_t)DRAWN_COLOR << i)
            attachment_access(state->recording, &part, VK_IMAGE_ASPECT_COLOR_BIT,
                              SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                              SYNC_ORDER_COLOR);
    }
}

/* True if the tests certainly come before the fragment shader; then they write in the stage
 * EARLY_FRAGMENT_TESTS. */
static bool tests_early(const struct pipeline *pipeline)
{
    const struct spirv_reflection *code;
    const struct spirv_entry_point *entry =
        draw_stage_entry(pipeline, VK_SHADER_STAGE_FRAGMENT_BIT, &code);
    return entry && spirv_mode_find(code, entry, SpvExecutionModeEarlyFragmentTests);
}

/* Records an access to depth or stencil, as the tests read or write it. */
static void access_aspect(const struct draw_state *state, VkImageAspectFlagBits aspect, bool reads,
                          bool writes)
{
    const struct command_buffer *command_buffer = state->recording->command_buffer;
    const struct render_pass_instance *rendering = command_buffer->rendering;
    const struct subpass *subpass = active_subpass(command_buffer);
    uint64_t view = 0;
    if (rendering->kind == RENDERING_DYNAMIC)
        view =
            aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? rendering->depth.view : rendering->stencil.view;
    else if (subpass)
        view = view_of_attachment(rendering, subpass->depth_stencil.attachment);
    struct attachment_part part = drawn_part(state, view, ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
    if (!part.view || !(attachment_aspects(part.view) & aspect))
        return;
    if (writes)
        attachment_access(state->recording, &part, aspect,
                          tests_early(state->pipeline)
                              ? SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE
                              : SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE,
                          SYNC_ORDER_DEPTH_STENCIL);
    else if (reads)
        attachment_access(state->recording, &part, aspect,
                          SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_READ,
                          SYNC_ORDER_DEPTH_STENCIL);
}

/* Records the draw's accesses to attachments. Without `again`, only those that no earlier draw of
 * the epoch has made. */
static void access_attachments(const struct draw_state *state, struct draw_cache *cache, bool again)
{
    const struct render_pass_instance *rendering =
        active_rendering(state->recording->command_buffer);
    if (!rendering || rendering->inherited ||
        (rendering->layer_count > 1 && chooses_layer(state->pipeline)))
        return;
    uint32_t drawn = drawn_attachments(state);
    uint32_t fresh = again ? drawn : drawn & ~cache->attachments;
    cache->attachments = again ? drawn : drawn | cache->attachments;
    access_colors(state, fresh);
    access_aspect(state, VK_IMAGE_ASPECT_DEPTH_BIT, fresh & DRAWN_DEPTH_READ,
                  fresh & DRAWN_DEPTH_WRITE);
    access_aspect(state, VK_IMAGE_ASPECT_STENCIL_BIT, fresh & DRAWN_STENCIL_READ,
                  fresh & DRAWN_STENCIL_WRITE);
}

/* --- all bound resources --- */

/* Returns the state that a draw or dispatch runs with. Its `pipeline` is NULL if neither a pipeline
 * nor shader objects are bound. */
static ALWAYS_INLINE struct draw_state state_of(struct recording *recording, uint32_t point,
                                                struct draw_cache *cache)
{
    const struct command_buffer *command_buffer = recording->command_buffer;
    const struct pipeline *pipeline = pipeline_by_id(command_buffer->bind[point].pipeline);
    if (unlikely(!pipeline))
        pipeline = draw_shader_objects(recording, point, cache);
    return (struct draw_state){.recording = recording, .pipeline = pipeline, .point = point};
}

void draw_access_bound(struct recording *recording, uint32_t point)
{
    struct sync_command_buffer *sync = recording->sync;
    struct command_buffer *command_buffer = recording->command_buffer;
    struct draw_cache *cache = sync->draws;
    if (!cache)
        cache = mem_make(&sync->draws, NULL, sizeof(*cache));
    if (!cache)
        return;
    struct draw_state state = state_of(recording, point, cache);
    uint32_t dirty = command_buffer_dirty(command_buffer, point, DIRTY_FOR_SYNC);
    /* Something may have been ordered since the last look: then all accesses are recorded again. */
    bool again = !cache->known[point] || cache->epoch[point] != sync->epoch;
    if (state.pipeline &&
        (again || dirty & (DIRTY_PIPELINE | DIRTY_SETS) || cache->writes[point] ||
         (!point && dirty & DIRTY_DYNAMIC_STATE && draw_chooses_fragments(state.pipeline))))
        cache->writes[point] = draw_access_descriptors(&state, cache);
    bool other_attachments = again || dirty & DIRTY_RENDER_PASS;
    if (state.pipeline && !point &&
        (other_attachments || dirty & (DIRTY_PIPELINE | DIRTY_DYNAMIC_STATE)))
        access_attachments(&state, cache, other_attachments);
    cache->known[point] = true;
    cache->epoch[point] = sync->epoch;
    command_buffer_set_dirty(command_buffer, point, DIRTY_FOR_SYNC, false);
}

/* --- vertex and index buffers --- */

/* Reads bytes that were not read in this epoch. Ranges that overlap or touch the last one are
 * joined with it. */
static void read_once(struct recording *recording, struct seen_range *seen,
                      const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                      enum sync_usage usage, const struct access_source *source)
{
    struct sync_place place;
    if (!sync_buffer_place(&place, buffer, offset, size))
        return;
    uint32_t epoch = recording->sync->epoch;
    bool same = seen->epoch == epoch && seen->place.space == place.space;
    if (same && place.begin >= seen->place.begin && place.end <= seen->place.end)
        return;
    uint64_t tag = recording_tag(recording, object_state_id(&buffer->base), source);
    if (!tag)
        return;
    recording_place(recording, &place, tag, usage, SYNC_UNORDERED);
    if (same && place.begin <= seen->place.end && place.end >= seen->place.begin) {
        place.begin = place.begin < seen->place.begin ? place.begin : seen->place.begin;
        place.end = place.end > seen->place.end ? place.end : seen->place.end;
    }
    *seen = (struct seen_range){place, epoch};
}

/* Records an access to some unknown bytes of a range, if every byte has a hazard. Otherwise no
 * hazard is certain. */
static void read_some_bytes(struct recording *recording, const struct buffer *buffer,
                            VkDeviceSize offset, VkDeviceSize size, enum sync_usage usage,
                            const struct access_source *source)
{
    struct sync_context *context = &recording->sync->context;
    struct sync_walk walk;
    struct sync_place place;
    struct sync_hazard hazard;
    const struct sync_access access = {.usage = (uint16_t)usage};
    if (!sync_buffer_place(&place, buffer, offset, size))
        return;
    uint64_t at = place.begin;
    if (context->broken || !sync_walk_place(&walk, context, &place, false))
        return;
    while (sync_walk_next(&walk)) {
        if (walk.piece_begin != at || sync_state_check(walk.state, &access, &hazard) == HAZARD_NONE)
            return;
        at = walk.piece_end;
    }
    if (at == place.end)
        recording_buffer(recording, buffer, offset, size, usage, source);
}

/* Calls read_some_bytes() for a range once in an epoch. */
static void read_some(struct recording *recording, struct seen_range *seen,
                      const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                      enum sync_usage usage, const struct access_source *source)
{
    struct sync_place place;
    if (!sync_buffer_place(&place, buffer, offset, size) ||
        (seen->epoch == recording->sync->epoch && seen->place.space == place.space &&
         seen->place.begin == place.begin && seen->place.end == place.end))
        return;
    *seen = (struct seen_range){place, recording->sync->epoch};
    read_some_bytes(recording, buffer, offset, size, usage, source);
}

/* Finds the bytes of one element that are fetched: [*begin, *end). Returns false if there are none.
 * "For each attribute, raw data is extracted" (23.4 "Vertex Input Extraction"), whether the shader
 * has a variable for it or not. */
static bool element_bytes(const struct draw_state *state, uint32_t binding, VkDeviceSize *begin,
                          VkDeviceSize *end)
{
    uint32_t count;
    const struct vertex_attribute *attributes =
        current_vertex_attributes(state->pipeline, state->recording->command_buffer, &count);
    *begin = UINT64_MAX;
    *end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct vertex_attribute *attribute = &attributes[i];
        const struct format_info *format = format_info(attribute->format);
        if (attribute->binding != binding || !format)
            continue;
        VkDeviceSize last = (VkDeviceSize)attribute->offset + format->block_size;
        *begin = attribute->offset < *begin ? attribute->offset : *begin;
        *end = last > *end ? last : *end;
    }
    return *begin < *end;
}

/* Finds the elements of a binding that a draw reads. Returns false if that is not known; `first` is
 * the least possible element then. */
static bool elements_of(const struct vertex_binding *binding, const struct draw_counts *counts,
                        uint64_t *first, uint64_t *count)
{
    bool instances = binding->rate == VK_VERTEX_INPUT_RATE_INSTANCE;
    *first = counts->indirect || (!instances && counts->indexed) ? 0
             : instances                                         ? counts->first_instance
                                                                 : counts->first_vertex;
    *count = !instances         ? counts->vertex_count
             : binding->divisor ? (counts->instance_count - 1) / binding->divisor + 1
                                : 1;
    return !counts->indirect && (instances || !counts->indexed);
}

/* Records the read of a vertex buffer's bytes by a draw. */
static void access_vertex_binding(const struct draw_state *state,
                                  const struct vertex_binding *binding,
                                  const struct draw_counts *counts)
{
    struct recording *recording = state->recording;
    struct draw_cache *cache = recording->sync->draws;
    if (binding->binding >= BOUND_VERTEX_BUFFERS)
        return;
    const struct bound_buffer *bound =
        bound_vertex_buffer(recording->command_buffer, binding->binding);
    const struct buffer *buffer = bound->buffer ? buffer_by_id(bound->buffer) : NULL;
    VkDeviceSize begin, end;
    uint64_t first, count;
    if (!buffer || !element_bytes(state, binding->binding, &begin, &end))
        return;
    VkDeviceSize stride = draw_is_dynamic(state, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE)
                              ? bound->stride
                              : binding->stride;
    bool known = elements_of(binding, counts, &first, &count);
    struct access_source source = {.role = ROLE_VERTEX_BUFFER, .index = binding->binding};
    VkDeviceSize from = first * stride + begin;
    /* The buffer is not read, or robust access returns other values. */
    if (from >= bound->size)
        return;
    /* Indices choose the vertices that are read: a hazard is certain only if every vertex has
     * it. */
    if (!known) {
        read_some(recording, &cache->guessed[binding->binding], buffer, bound->offset + from,
                  bound->size - from, SYNC_VERTEX_ATTRIBUTE_INPUT_VERTEX_ATTRIBUTE_READ, &source);
        return;
    }
    VkDeviceSize to = (first + count - 1) * stride + end;
    read_once(recording, &cache->vertices[binding->binding], buffer, bound->offset + from,
              (to < bound->size ? to : bound->size) - from,
              SYNC_VERTEX_ATTRIBUTE_INPUT_VERTEX_ATTRIBUTE_READ, &source);
}

/* Records the read of the index buffer's bytes by a draw. */
static void access_indices(struct recording *recording, const struct draw_counts *counts)
{
    const struct bound_buffer *bound = &recording->command_buffer->index_buffer;
    const struct buffer *buffer = bound->buffer ? buffer_by_id(bound->buffer) : NULL;
    struct draw_cache *cache = recording->sync->draws;
    uint64_t size = index_size(recording->command_buffer->index_type);
    const struct access_source source = {.role = ROLE_INDEX_BUFFER};
    if (!buffer || !size)
        return;
    if (counts->indirect) {
        read_some(recording, &cache->indices, buffer, bound->offset, bound->size,
                  SYNC_INDEX_INPUT_INDEX_READ, &source);
        return;
    }
    uint64_t from = counts->first_index * size, to = from + counts->index_count * size;
    if (from < bound->size)
        read_once(recording, &cache->indices, buffer, bound->offset + from,
                  (to < bound->size ? to : bound->size) - from, SYNC_INDEX_INPUT_INDEX_READ,
                  &source);
}

void draw_access_vertices(struct recording *recording, const struct draw_counts *counts)
{
    struct draw_cache *cache = recording->sync->draws;
    uint32_t count;
    if (!cache || counts->mesh)
        return;
    struct draw_state state = state_of(recording, 0, cache);
    if (!state.pipeline)
        return;
    const struct vertex_binding *bindings =
        current_vertex_bindings(state.pipeline, state.recording->command_buffer, &count);
    for (uint32_t i = 0; i < count; i++)
        access_vertex_binding(&state, &bindings[i], counts);
    if (counts->indexed)
        access_indices(recording, counts);
    /* The next draw with the same state can skip this function. */
    cache->no_vertices = !count && !counts->indexed;
}

bool draw_begin(struct recording *recording, struct call *call, const struct draw_counts *counts)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    if (unlikely(!sync))
        return false;
    bool nothing = !counts->indirect && !counts->mesh &&
                   (!counts->instance_count ||
                    !(counts->indexed ? counts->index_count : counts->vertex_count));
    if (nothing ||
        (!draw_needs_look(command_buffer, 0) && sync->draws->no_vertices && !counts->indexed))
        return false;
    return recording_begin(recording, call);
}
