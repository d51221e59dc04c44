/* Finds the accesses of shaders through descriptors (14.5 "Descriptor Sets"). These are the static
 * uses of bindings with one descriptor, and the elements of arrays that constants choose. Which
 * other elements they access is not known before they run. For some accesses it is also unknown
 * which bytes or texels they are to, and whether they happen: sync/access/certain.h decides on
 * their hazards. The setting syncval_shader_accesses_heuristic counts all as accessed. */
#include "sync/record/attachments.h"
#include "sync/record/draw.h"

#include "sync/access/ranges.h"

#include "spirv/module/reflect.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/descriptor/descriptor_access.h"
#include "state/pipeline/pipeline.h"
#include "state/descriptor/sampler.h"
#include "state/pipeline/shader.h"
#include "state/command/touched.h"

#include <string.h>

/* The usages of a stage's accesses. */
struct stage_usages {
    VkShaderStageFlagBits stage;
    /* by kind of descriptor */
    enum sync_usage uniform, sampled, storage_read, storage_write, structure;
};
#define STAGE(bit_, NAME_)                       \
    {bit_,                                       \
     SYNC_##NAME_##_SHADER_UNIFORM_READ,         \
     SYNC_##NAME_##_SHADER_SHADER_SAMPLED_READ,  \
     SYNC_##NAME_##_SHADER_SHADER_STORAGE_READ,  \
     SYNC_##NAME_##_SHADER_SHADER_STORAGE_WRITE, \
     SYNC_##NAME_##_SHADER_ACCELERATION_STRUCTURE_READ}
static const struct stage_usages stages[] = {
    STAGE(VK_SHADER_STAGE_VERTEX_BIT, VERTEX),
    STAGE(VK_SHADER_STAGE_FRAGMENT_BIT, FRAGMENT),
    STAGE(VK_SHADER_STAGE_COMPUTE_BIT, COMPUTE),
    STAGE(VK_SHADER_STAGE_GEOMETRY_BIT, GEOMETRY),
    STAGE(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, TESSELLATION_CONTROL),
    STAGE(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, TESSELLATION_EVALUATION),
    STAGE(VK_SHADER_STAGE_TASK_BIT_EXT, TASK),
    STAGE(VK_SHADER_STAGE_MESH_BIT_EXT, MESH),
    STAGE(VK_SHADER_STAGE_RAYGEN_BIT_KHR, RAY_TRACING),
    STAGE(VK_SHADER_STAGE_ANY_HIT_BIT_KHR, RAY_TRACING),
    STAGE(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, RAY_TRACING),
    STAGE(VK_SHADER_STAGE_MISS_BIT_KHR, RAY_TRACING),
    STAGE(VK_SHADER_STAGE_INTERSECTION_BIT_KHR, RAY_TRACING),
    STAGE(VK_SHADER_STAGE_CALLABLE_BIT_KHR, RAY_TRACING),
};

/* Returns the usages of a stage; NULL: its accesses are not followed. */
static const struct stage_usages *usages_of(VkShaderStageFlagBits stage)
{
    for (size_t i = 0; i < ARRAY_LENGTH(stages); i++) {
        if (stages[i].stage == stage)
            return &stages[i];
    }
    return NULL;
}

/* One binding that a stage statically uses. */
struct use {
    const struct draw_state *state;
    const struct stage_usages *stage;
    const struct spirv_binding *shader;       /* the shader's variable */
    const struct bound_descriptors *bound;    /* the bound set */
    const struct descriptor_binding *binding; /* the binding in the set's layout */
    struct access_source source;
    bool runs;   /* some invocation certainly runs */
    bool writes; /* a write was found so far */
};

/* Returns the usage of an access to storage. Storage that a shader may write counts as written (no
 * "NonWritable"), and as read if the shader only loads. SYNC_NONE: neither is known. */
static enum sync_usage storage_usage(const struct use *use)
{
    uint32_t access = use->shader->access, flags = use->shader->flags;
    if (access & SPIRV_ACCESS_PASSED && !(flags & (SPIRV_NON_WRITABLE | SPIRV_NON_READABLE)))
        return SYNC_NONE;
    if (access & (SPIRV_ACCESS_WRITE | SPIRV_ACCESS_ATOMIC) && !(flags & SPIRV_NON_WRITABLE))
        return use->stage->storage_write;
    return access & (SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE) && !(flags & SPIRV_NON_READABLE)
               ? use->stage->storage_read
               : SYNC_NONE;
}

/* Returns the usage of the shader's access to a descriptor; SYNC_NONE: the shader does not access
 * memory by it. */
static enum sync_usage descriptor_usage(const struct use *use, enum descriptor_tag tag)
{
    switch ((int)tag) {
    case DESCRIPTOR_UNIFORM_BUFFER:
    case DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC:
        return use->stage->uniform;
    case DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
    case DESCRIPTOR_SAMPLED_IMAGE:
    case DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
        return use->stage->sampled;
    case DESCRIPTOR_STORAGE_BUFFER:
    case DESCRIPTOR_STORAGE_BUFFER_DYNAMIC:
    case DESCRIPTOR_STORAGE_IMAGE:
    case DESCRIPTOR_STORAGE_TEXEL_BUFFER:
        return storage_usage(use);
    case DESCRIPTOR_ACCELERATION_STRUCTURE_KHR:
        return use->stage->structure;
    case DESCRIPTOR_INPUT_ATTACHMENT:
        return SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ;
    default:
        return SYNC_NONE;
    }
}

enum sync_usage draw_descriptor_usage(VkShaderStageFlagBits bit, enum descriptor_tag tag,
                                      bool writes)
{
    const struct stage_usages *stage = usages_of(bit);
    const struct spirv_binding shader = {.access = writes ? SPIRV_ACCESS_WRITE : SPIRV_ACCESS_READ};
    const struct use use = {.stage = stage, .shader = &shader};
    return stage ? descriptor_usage(&use, tag) : SYNC_NONE;
}

/* Returns the ordering of the shader's accesses: those of a shader that only makes atomic accesses
 * are ordered among themselves. */
static enum sync_ordering ordering_of(const struct use *use, enum sync_usage usage)
{
    uint32_t access = use->shader->access;
    bool atomic = usage_is_storage((uint16_t)usage) && access & SPIRV_ACCESS_ATOMIC &&
                  !(access & (SPIRV_ACCESS_PLAIN | SPIRV_ACCESS_PASSED));
    return atomic ? SYNC_ORDER_ATOMIC : SYNC_UNORDERED;
}

/* --- the certain part of an access --- */

/* True if each invocation makes the access for certain, and some invocation runs. */
static bool is_sure(const struct use *use, enum sync_usage usage)
{
    uint32_t sure = sync_usage_info[usage].is_write ? (uint32_t)SPIRV_ACCESS_SURE_WRITE
                                                    : (uint32_t)SPIRV_ACCESS_SURE_READ;
    return use->runs && use->shader->access & sure;
}

/* Adds the certain part of the access to the log and returns its number; PART_UNCERTAIN: no part is
 * certain. `coherent` is filled in here. */
static uint32_t add_part(const struct use *use, struct access_part *part)
{
    part->coherent =
        use->shader->access & SPIRV_ACCESS_COHERENT || use->shader->flags & SPIRV_COHERENT;
    return part->some_size || part->exact_begin != part->exact_end
               ? command_log_add_part(use->state->recording->sync->log, part)
               : PART_UNCERTAIN;
}

/* Returns the part of an access to some unknown bytes of a place. */
static uint32_t part_of_place(const struct use *use, const struct sync_place *place,
                              enum sync_usage usage)
{
    struct access_part part = {.space = place->space,
                               .some_begin = place->begin,
                               .some_end = place->end,
                               .some_size = place->end - place->begin};
    return is_sure(use, usage) ? add_part(use, &part) : PART_UNCERTAIN;
}

/* Finds the addresses of a span in the buffer range at the place. An empty span gives *begin equal
 * to *end. */
static void clip_span(const struct sync_place *place, struct spirv_span span, uint64_t *begin,
                      uint64_t *end)
{
    const uint64_t size = place->end - place->begin;
    uint64_t first = span.begin < size ? span.begin : size;
    uint64_t last = span.end != UINT32_MAX && span.end < size ? span.end : size;
    *begin = place->begin + first;
    *end = place->begin + (span.end > span.begin ? last : first);
}

/* Finds the invocation numbers that choose elements, over the whole dispatch: the first one, and
 * their count, without gaps. Returns false if they are not known. */
static bool numbers_of(const struct use *use, uint8_t number, uint64_t *first, uint64_t *count)
{
    const struct dispatch_groups *groups = use->state->recording->groups;
    const uint32_t *size = use->state->pipeline->workgroup;
    if (use->stage->stage != VK_SHADER_STAGE_COMPUTE_BIT || !groups || !size[0])
        return false;
    const bool global = number == SPIRV_NUMBER_GLOBAL_X;
    *first = global ? (uint64_t)groups->first[0] * size[0] : 0;
    *count = global ? (uint64_t)groups->count[0] * size[0] : (uint64_t)size[0] * size[1] * size[2];
    return true;
}

/* Adds the bytes that the invocations access, each in its own element. If an element's access does
 * not fill the stride, only the first invocation's element is added. */
static void add_each(const struct use *use, const struct sync_place *place,
                     const struct spirv_each *each, struct access_part *part)
{
    const uint64_t size = each->first.end - each->first.begin, room = place->end - place->begin;
    uint64_t first, count;
    if (each->first.end <= each->first.begin || !numbers_of(use, each->number, &first, &count))
        return;
    const uint64_t length = each->length ? each->length : room / each->stride + 1;
    if (first >= length || each->first.begin + first * each->stride >= room)
        return;
    count = count > length - first ? length - first : count;
    count = size == each->stride ? count : 1;
    const uint64_t begin = place->begin + each->first.begin + first * each->stride;
    const uint64_t end = begin + count * size < place->end ? begin + count * size : place->end;
    /* A part has room for one exact range, so the larger one is kept. */
    if (end - begin > part->exact_end - part->exact_begin) {
        part->exact_begin = begin;
        part->exact_end = end;
    }
}

/* Finds the part of a buffer that constants, blocks and the numbers of invocations choose. */
static uint32_t part_of_buffer(const struct use *use, const struct sync_place *place,
                               enum sync_usage usage)
{
    const struct spirv_spans *spans = &use->shader->spans;
    const bool writes = sync_usage_info[usage].is_write;
    struct access_part part = {.space = place->space};
    if (!use->runs)
        return PART_UNCERTAIN;
    clip_span(place, writes ? spans->written : spans->read, &part.exact_begin, &part.exact_end);
    clip_span(place, writes ? spans->some_written : spans->some_read, &part.some_begin,
              &part.some_end);
    part.some_size = part.some_end - part.some_begin;
    add_each(use, place, writes ? &spans->each_written : &spans->each_read, &part);
    return add_part(use, &part);
}

/* Returns the render pass instance in which each fragment may read only the samples that it covers.
 * 0: constants choose what the shader reads, or it runs in another stage. */
static uint32_t instance_of_fragments(const struct use *use)
{
    const struct sync_context *context = &use->state->recording->sync->context;
    if (use->stage->stage != VK_SHADER_STAGE_FRAGMENT_BIT ||
        use->shader->access & SPIRV_ACCESS_SURE_FIXED)
        return 0;
    return context->inherits_instance ? INSTANCE_OF_PRIMARY : context->instance;
}

/* True if the dispatch has an invocation for each texel of the view's first mip level, and each
 * accesses its texel. */
static bool covers_view(const struct use *use, const struct image_view *view, enum sync_usage usage)
{
    const struct dispatch_groups *groups = use->state->recording->groups;
    const uint32_t *size = use->state->pipeline->workgroup;
    const uint32_t each = sync_usage_info[usage].is_write ? (uint32_t)SPIRV_ACCESS_EACH_WRITE
                                                          : (uint32_t)SPIRV_ACCESS_EACH_READ;
    uint32_t sides[3] = {view->extent.width, 1, 1};
    if (use->stage->stage != VK_SHADER_STAGE_COMPUTE_BIT || !groups ||
        !(use->shader->access & each) || view->range.levelCount != 1)
        return false;
    switch ((int)view->type) {
    case VK_IMAGE_VIEW_TYPE_3D:
        sides[2] = view->extent.depth;
        break;
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
    case VK_IMAGE_VIEW_TYPE_CUBE:
        sides[2] = view->range.layerCount;
        break;
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_2D:
        break;
    default:
        return false;
    }
    if (view->type != VK_IMAGE_VIEW_TYPE_1D)
        sides[1] = view->extent.height;
    for (uint32_t i = 0; i < 3; i++) {
        /* Dispatches with a base workgroup leave the first texels out. */
        if (groups->first[i] || (uint64_t)groups->count[i] * size[i] < sides[i])
            return false;
    }
    return true;
}

/* Returns the part of an access to an image: all of the places, or some unknown texel. */
static uint32_t part_of_image(const struct use *use, const struct image_view *view,
                              struct image_places places, enum sync_usage usage)
{
    uint32_t count = 0;
    struct access_part part = {.some_end = UINT64_MAX, .instance = instance_of_fragments(use)};
    if (!is_sure(use, usage))
        return PART_UNCERTAIN;
    for (; image_places_next(&places); count++) {
        part.space = places.place.space;
        part.some_size += places.place.end - places.place.begin;
        part.exact_begin = places.place.begin;
        part.exact_end = places.place.end;
    }
    if (count != 1 || !covers_view(use, view, usage))
        part.exact_begin = part.exact_end = 0;
    return add_part(use, &part);
}

/* --- accesses --- */

/* "When VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT is
 * included in a pipeline, it forms a framebuffer-local memory dependency" (30.1 "Blending"), from
 * writes of earlier fragments to reads of input attachments. 29.7 "Depth and Stencil Operations"
 * says the same about each aspect. Returns the ordering of such reads. */
static enum sync_ordering input_ordering(const struct pipeline *pipeline,
                                         VkImageAspectFlags aspects)
{
    if (!pipeline)
        return SYNC_ORDER_INPUT;
    const VkFlags blend = pipeline->blend_flags, tests = pipeline->depth_stencil.flags;
    VkImageAspectFlags ordered = 0;
    if (blend & VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT)
        ordered |= VK_IMAGE_ASPECT_COLOR_BIT;
    if (tests &
        VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT)
        ordered |= VK_IMAGE_ASPECT_DEPTH_BIT;
    if (tests &
        VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT)
        ordered |= VK_IMAGE_ASPECT_STENCIL_BIT;
    if (aspects & ~ordered)
        return SYNC_ORDER_INPUT;
    return aspects & VK_IMAGE_ASPECT_COLOR_BIT ? SYNC_ORDER_COLOR : SYNC_ORDER_DEPTH_STENCIL;
}

/* Records the read of an image that is an input attachment: it is in the render area. With
 * multiview the views' layers are read, else the first layer, unless a shader chooses another
 * one. */
static void access_input_attachment(const struct use *use, const struct image_view *view)
{
    struct recording *recording = use->state->recording;
    const struct render_pass_instance *rendering = active_rendering(recording->command_buffer);
    if (!rendering || rendering->inherited || (rendering->layer_count > 1 && !rendering->view_mask))
        return;
    struct attachment_part part = {.view = view,
                                   .area = rendering->area,
                                   .view_mask = rendering->view_mask,
                                   .layer_count = 1,
                                   .source = use->source};
    part.source.part =
        is_sure(use, SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ) ? 0 : PART_UNCERTAIN;
    attachment_access(recording, &part, view->range.aspectMask,
                      SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ,
                      input_ordering(use->state->pipeline, view->range.aspectMask));
}

/* Returns the mip levels of the view's range that may be sampled. Levels beyond the sampler's
 * maxLod are left out if nothing else reads the image (16.6.4 "LOD Operation"). */
static VkImageSubresourceRange sampled_range(const struct use *use, const struct image_view *view,
                                             struct descriptor descriptor, uint32_t element)
{
    VkImageSubresourceRange range = view->range;
    const uint32_t other = SPIRV_ACCESS_TEXEL | SPIRV_ACCESS_PASSED;
    if (descriptor.tag != DESCRIPTOR_COMBINED_IMAGE_SAMPLER || use->shader->access & other ||
        range.levelCount < 2)
        return range;
    const struct sampler *sampler =
        sampler_by_id(descriptor_sampler_id(use->bound->layout, use->binding, element, descriptor));
    if (sampler && sampler->info.maxLod < (float)(range.levelCount - 1)) {
        /* The value is rounded up by hand, as the layer does not use libm. */
        const float most = sampler->info.maxLod > 0 ? sampler->info.maxLod : 0;
        const uint32_t whole = (uint32_t)most;
        range.levelCount = whole + ((float)whole < most) + 1;
    }
    return range;
}

/* Accesses the image of a descriptor, or the input attachment that it names. */
static void access_view(struct use *use, struct descriptor descriptor, uint32_t element,
                        enum sync_usage usage)
{
    const struct image_view *view = image_view_by_id(descriptor_view_id(descriptor));
    const struct image *image = view ? image_by_id(view->image) : NULL;
    struct image_places places;
    if (!image)
        return;
    use->state->recording->wanted[0] = use->state->recording->wanted[1] =
        descriptor_image_layout(descriptor);
    if (descriptor.tag == DESCRIPTOR_INPUT_ATTACHMENT) {
        access_input_attachment(use, view);
        return;
    }
    const VkImageSubresourceRange range = sampled_range(use, view, descriptor, element);
    if (image_view_has_slices(image, view))
        image_places_of_slices(&places, image, &range);
    else
        image_places_of_range(&places, image, &range);
    use->source.part = part_of_image(use, view, places, usage);
    recording_image_places(use->state->recording, &places, usage, ordering_of(use, usage),
                           &use->source);
}

/* Accesses bytes of a buffer; `part_of` says which part of the access is certain. */
static void access_bytes(struct use *use, const struct buffer *buffer, VkDeviceSize offset,
                         VkDeviceSize size, enum sync_usage usage,
                         uint32_t (*part_of)(const struct use *, const struct sync_place *,
                                             enum sync_usage))
{
    struct recording *recording = use->state->recording;
    struct sync_place place;
    if (!buffer || !sync_buffer_place(&place, buffer, offset, size))
        return;
    use->source.part = part_of(use, &place, usage);
    uint64_t tag = recording_tag(recording, object_state_id(&buffer->base), &use->source);
    if (tag)
        recording_place(recording, &place, tag, usage, ordering_of(use, usage));
}

/* Accesses the bytes of a buffer that the descriptor and its dynamic offset select. */
static void access_buffer(struct use *use, struct descriptor descriptor, uint32_t element,
                          enum sync_usage usage)
{
    const struct buffer *buffer = buffer_by_id(descriptor_buffer_id(descriptor));
    VkDeviceSize offset, range = descriptor_buffer_range(descriptor);
    if (!buffer || !descriptor_buffer_offset(descriptor, &offset))
        return;
    if (descriptor.tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC ||
        descriptor.tag == DESCRIPTOR_STORAGE_BUFFER_DYNAMIC) {
        uint32_t index = use->binding->first_dynamic + element;
        if (index >= use->bound->dynamic_count)
            return;
        offset += use->bound->dynamic_offsets[index];
    }
    bool uniform = descriptor.tag == DESCRIPTOR_UNIFORM_BUFFER ||
                   descriptor.tag == DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC;
    /* limits the range to the size of the shader's block */
    if (uniform && use->shader->size && use->shader->size < range)
        range = use->shader->size;
    access_bytes(use, buffer, offset, range, usage, part_of_buffer);
}

/* Accesses the resource that one descriptor of the binding refers to now. */
static void access_descriptor(struct use *use, uint32_t element)
{
    uint32_t index = use->binding->first + element;
    if (index >= use->bound->count)
        return;
    struct descriptor descriptor = descriptor_load(&use->bound->descriptors[index]);
    enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    /* index 0: the descriptor is null, or was never written */
    enum sync_usage usage = descriptor.index ? descriptor_usage(use, tag) : SYNC_NONE;
    if (usage == SYNC_NONE)
        return;
    use->source.index = element;
    use->writes |= sync_usage_info[usage].is_write;
    if (descriptor_is_image(tag)) {
        access_view(use, descriptor, element, usage);
    } else if (descriptor_is_texel_buffer(tag)) {
        const struct buffer_view *view = buffer_view_by_id(descriptor_buffer_view_id(descriptor));
        if (view)
            access_bytes(use, buffer_by_id(view->buffer), view->offset, view->range, usage,
                         part_of_place);
    } else if (descriptor_is_buffer(tag)) {
        access_buffer(use, descriptor, element, usage);
    } else if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR) {
        const struct acceleration_structure *structure =
            acceleration_structure_by_id(descriptor_object_id(descriptor,
                                                              HANDLE_ACCELERATION_STRUCTURE_KHR));
        if (structure)
            access_bytes(use, buffer_by_id(structure->buffer), structure->offset, structure->size,
                         usage, part_of_place);
    }
}

/* True if the descriptor that the shader will find when it runs is known now. */
static bool is_certain(const struct descriptor_binding *binding)
{
    const VkDescriptorBindingFlags later = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                           VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                           VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |
                                           VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    return !(binding->flags & later);
}

/* The most elements that are looked at; more would cost too much. */
#define GUESSED_ELEMENTS 64

/* Returns the elements of an array that constants choose, bit i for element i. Where shaders report
 * their own accesses to arrays, such accesses are left out, so that they are not reported twice. */
static uint64_t accessed_elements(const struct settings *settings,
                                  const struct spirv_binding *shader,
                                  const struct descriptor_binding *binding)
{
    bool guess = settings->syncval_shader_accesses_heuristic;
    if (!guess && !is_certain(binding))
        return 0;
    if (!shader->arrayed)
        return guess || binding->count == 1;
    if (!shader->any_element && shader->elements && (guess || !touched_are_asked_for(settings)))
        return shader->elements;
    return guess ? UINT64_MAX : 0;
}

/* True if the element is the only one that is accessed. The reflection has one entry for all
 * elements of an array, which is certain only then. */
static bool is_only_element(const struct spirv_binding *shader, uint32_t element)
{
    return !shader->arrayed || (!shader->any_element && shader->accessed == UINT64_C(1) << element);
}

/* Accesses the descriptors of a binding that a stage statically uses. `runs`: some invocation of
 * the stage certainly runs. Returns true if a descriptor's resource is written. */
static bool access_binding(const struct draw_state *state, const struct bound_descriptors *bound,
                           const struct stage_usages *stage, const struct spirv_binding *shader,
                           bool runs)
{
    const struct descriptor_binding *binding =
        descriptor_layout_find(bound->layout, shader->binding);
    if (!binding || !(shader->access & ~(uint32_t)SPIRV_ACCESS_USED))
        return false;
    uint64_t elements =
        accessed_elements(&state->recording->call->instance->settings, shader, binding);
    if (!elements)
        return false;
    struct use use = {
        .state = state,
        .stage = stage,
        .shader = shader,
        .bound = bound,
        .binding = binding,
        .source = {.role = ROLE_DESCRIPTOR, .set = shader->set, .binding = shader->binding}};
    for (uint32_t i = 0; i < binding->count && i < GUESSED_ELEMENTS; i++) {
        use.runs = runs && is_only_element(shader, i);
        if (elements >> i & 1)
            access_descriptor(&use, i);
    }
    return use.writes;
}

/* --- sets --- */

/* True if the stage certainly runs. It is not known what rays hit, how many mesh workgroups task
 * shaders launch, and which patches are discarded. Without primitives there are no fragments. */
static bool stage_runs(const struct draw_state *state, VkShaderStageFlagBits stage)
{
    const struct pipeline *pipeline = state->pipeline;
    const VkShaderStageFlags of_rays =
        VK_SHADER_STAGE_ANY_HIT_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
        VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR |
        VK_SHADER_STAGE_CALLABLE_BIT_KHR;
    const VkShaderStageFlags first = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT |
                                     VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_TASK_BIT_EXT |
                                     VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    const VkShaderStageFlags amplifiers =
        VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    if (stage & (first | of_rays))
        return stage & first;
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        if (pipeline->stage[i].stage & amplifiers)
            return false;
    }
    return stage != VK_SHADER_STAGE_FRAGMENT_BIT || draw_has_fragments(state);
}

/* Records the accesses of the pipeline's shaders to a bound set. Returns true if one of them
 * writes. */
static bool access_set(const struct draw_state *state, uint32_t number,
                       const struct bound_descriptors *bound)
{
    bool writes = false;
    for (uint32_t i = 0; i < state->pipeline->stage_count; i++) {
        const struct pipeline_stage *stage = &state->pipeline->stage[i];
        const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
        const struct stage_usages *usages = usages_of(stage->stage);
        if (!code || !usages || stage->entry_point >= code->entry_count)
            continue;
        const struct spirv_entry_point *entry = &code->entries[stage->entry_point];
        const bool runs = stage_runs(state, stage->stage);
        for (uint32_t k = 0; k < entry->binding_count; k++) {
            const struct spirv_binding *shader = &code->bindings[entry->first_binding + k];
            if (shader->set == number)
                writes |= access_binding(state, bound, usages, shader, runs);
        }
    }
    return writes;
}

/* Hashes the dynamic offsets (FNV-1a): a set that is bound again with other offsets is looked at
 * again. */
static uint32_t hash_offsets(const struct bound_descriptors *bound)
{
    uint32_t hash = 0x811c9dc5;
    for (uint32_t i = 0; i < bound->dynamic_count; i++)
        hash = (hash ^ bound->dynamic_offsets[i]) * 0x01000193;
    return hash;
}

/* Returns the SEEN_WAYS slots where a set may be remembered. */
static struct seen_set *seen_slots(struct draw_cache *cache, const struct seen_set *set)
{
    uint64_t hash =
        (set->set ^ set->shaders * 31 ^ set->offsets ^ set->number) * 0x9e3779b97f4a7c15ull;
    return &cache->sets[(hash >> 40) % (SEEN_SETS / SEEN_WAYS) * SEEN_WAYS];
}

/* True if two sets have the same accesses at this point of the recording. */
static ALWAYS_INLINE bool seen_is_same(const struct seen_set *a, const struct seen_set *b)
{
    return a->offsets == b->offsets && a->set == b->set && a->shaders == b->shaders &&
           a->version == b->version && a->epoch == b->epoch && a->number == b->number;
}

/* True if the set is remembered in one of the slots. */
static ALWAYS_INLINE bool seen_has(const struct seen_set *slots, const struct seen_set *set)
{
    for (uint32_t i = 0; i < SEEN_WAYS; i++) {
        if (seen_is_same(&slots[i], set))
            return true;
    }
    return false;
}

/* Remembers the set in place of the one that was remembered first. */
static void seen_add(struct seen_set *slots, const struct seen_set *set)
{
    memmove(&slots[1], &slots[0], (SEEN_WAYS - 1) * sizeof(slots[0]));
    slots[0] = *set;
}

/* Accesses a set that is bound to `number`. `objects` is true for shader objects, which have set
 * layouts instead of a pipeline layout. */
static ALWAYS_INLINE bool access_bound_set(const struct draw_state *state, struct draw_cache *cache,
                                           uint32_t number, bool objects)
{
    const struct bind_point_state *bind = &state->recording->command_buffer->bind[state->point];
    const struct bound_set *slot = bound_set_at(bind, number);
    struct bound_descriptors bound;
    if (!slot ||
        /* A set of another layout is disturbed: the draw does not use it. */
        (!objects && slot->compatibility != state->pipeline->layout->compatibility[number]) ||
        !bound_set_read(bind, number, &bound) || !bound.layout ||
        (objects && bound.layout->compatibility != cache->object->set_layouts[number]))
        return false;
    if (!bound.set)
        return access_set(state, number, &bound);
    struct seen_set now = {.set = slot->set,
                           .shaders = objects ? cache->object_hash : bind->pipeline,
                           .version =
                               atomic_load_explicit(&bound.set->version, memory_order_relaxed),
                           .epoch = state->recording->sync->epoch,
                           .number = number,
                           .offsets = hash_offsets(&bound)};
    if (!state->point && draw_chooses_fragments(state->pipeline))
        /* If dynamic state turns fragments off, the same set has other accesses. */
        now.number |= (uint32_t)draw_has_fragments(state) << 8;
    struct seen_set *seen = seen_slots(cache, &now);
    if (likely(seen_has(seen, &now)))
        return false;
    bool writes = access_set(state, number, &bound);
    /* Writes must be recorded each time; reads that were recorded need not be again. */
    if (!writes)
        seen_add(seen, &now);
    return writes;
}

/* Accesses the sets of bound shader objects, by the set layouts of one of them. */
static COLD bool access_sets_of_objects(const struct draw_state *state, struct draw_cache *cache)
{
    const struct shader_object *object = cache->object;
    bool writes = false;
    if (state->pipeline != &cache->objects ||
        object->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT)
        return false;
    for (uint32_t i = 0; i < object->set_layout_count && i < BOUND_SETS; i++)
        writes |= access_bound_set(state, cache, i, true);
    return writes;
}

bool draw_access_descriptors(const struct draw_state *state, struct draw_cache *cache)
{
    const struct pipeline_layout *layout = state->pipeline->layout;
    const VkPipelineCreateFlags2 other = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT |
                                         VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    bool writes = false;
    if (!layout)
        return access_sets_of_objects(state, cache);
    if (state->pipeline->flags & other)
        return false;
    for (uint32_t i = 0; i < layout->set_count && i < BOUND_SETS; i++) {
        if (layout->sets[i] && state->pipeline->used_sets >> i & 1)
            writes |= access_bound_set(state, cache, i, false);
    }
    return writes;
}
