/* Finds what shaders access through descriptors (14.5 "Descriptor Sets"). That is what they
 * statically use of bindings of one descriptor, and the elements of arrays that constants choose.
 * Which other elements they access is not known before they run. The setting
 * syncval_shader_accesses_heuristic takes all for accessed. */
#include "sync/attachments.h"
#include "sync/draw.h"

#include "sync/ranges.h"

#include "spirv/reflect.h"
#include "state/acceleration_structure.h"
#include "state/descriptor_access.h"
#include "state/pipeline.h"
#include "state/shader.h"
#include "state/touched.h"

/* What a stage's accesses are called. */
struct stage_usages {
    VkShaderStageFlagBits stage;
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
    const struct spirv_binding *shader;
    const struct bound_descriptors *bound;
    const struct descriptor_binding *binding;
    struct access_source source;
    bool writes; /* so far */
};

/* Storage that a shader may write counts as written ("NonWritable"), as read where it only loads.
 * SYNC_NONE: it is not known to do either. */
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

static enum sync_usage usage_of(const struct use *use, enum descriptor_tag tag)
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
    return stage ? usage_of(&use, tag) : SYNC_NONE;
}

/* A shader that only makes atomics, which are ordered among themselves. */
static enum sync_ordering ordering_of(const struct use *use, enum sync_usage usage)
{
    uint32_t access = use->shader->access;
    bool atomic = usage_is_storage((uint16_t)usage) && access & SPIRV_ACCESS_ATOMIC &&
                  !(access & (SPIRV_ACCESS_PLAIN | SPIRV_ACCESS_PASSED));
    return atomic ? SYNC_ORDER_ATOMIC : SYNC_UNORDERED;
}

/* Images that are input attachments are read in the render area. With multiview that is in the
 * layers of the views, else in the first layer where no shader chooses another one. */
static void access_input_attachment(const struct use *use, const struct image_view *view)
{
    struct recording *recording = use->state->recording;
    const struct render_pass_instance *rendering = active_rendering(recording->command_buffer);
    if (!rendering || rendering->inherited || (rendering->layer_count > 1 && !rendering->view_mask))
        return;
    const struct attachment_part part = {.view = view,
                                         .area = rendering->area,
                                         .view_mask = rendering->view_mask,
                                         .layer_count = 1,
                                         .source = use->source};
    attachment_access(recording, &part, view->range.aspectMask,
                      SYNC_FRAGMENT_SHADER_INPUT_ATTACHMENT_READ, SYNC_ORDER_INPUT);
}

static void access_view(const struct use *use, struct descriptor descriptor, enum sync_usage usage)
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
    if (image_view_has_slices(image, view))
        image_places_of_slices(&places, image, &view->range);
    else
        image_places_of_range(&places, image, &view->range);
    recording_image_places(use->state->recording, &places, usage, ordering_of(use, usage),
                           &use->source);
}

static void access_buffer(const struct use *use, struct descriptor descriptor, uint32_t element,
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
    /* the block's size: there is nothing after it */
    if (uniform && use->shader->size && use->shader->size < range)
        range = use->shader->size;
    recording_buffer_ordered(use->state->recording, buffer, offset, range, usage,
                             ordering_of(use, usage), &use->source);
}

static void access_descriptor(struct use *use, uint32_t element)
{
    uint32_t index = use->binding->first + element;
    if (index >= use->bound->count)
        return;
    struct descriptor descriptor = descriptor_load(&use->bound->descriptors[index]);
    enum descriptor_tag tag = (enum descriptor_tag)descriptor.tag;
    enum sync_usage usage = descriptor.index ? usage_of(use, tag) : SYNC_NONE;
    if (usage == SYNC_NONE)
        return;
    use->source.index = element;
    use->writes |= sync_usage_info[usage].is_write;
    if (descriptor_is_image(tag)) {
        access_view(use, descriptor, usage);
    } else if (descriptor_is_texel_buffer(tag)) {
        const struct buffer_view *view = buffer_view_by_id(descriptor_buffer_view_id(descriptor));
        if (view)
            recording_buffer_ordered(use->state->recording, buffer_by_id(view->buffer),
                                     view->offset, view->range, usage, ordering_of(use, usage),
                                     &use->source);
    } else if (descriptor_is_buffer(tag)) {
        access_buffer(use, descriptor, element, usage);
    } else if (tag == DESCRIPTOR_ACCELERATION_STRUCTURE_KHR) {
        const struct acceleration_structure *structure =
            acceleration_structure_by_id(descriptor_object_id(descriptor,
                                                              HANDLE_ACCELERATION_STRUCTURE_KHR));
        if (structure)
            recording_buffer(use->state->recording, buffer_by_id(structure->buffer),
                             structure->offset, structure->size, usage, &use->source);
    }
}

/* What is in the descriptor when the shader runs is known now. */
static bool is_certain(const struct descriptor_binding *binding)
{
    const VkDescriptorBindingFlags later = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                           VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                           VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |
                                           VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    return !(binding->flags & later);
}

/* Elements that are looked at: more would cost more than they tell. */
#define GUESSED_ELEMENTS 64

/* Elements of an array that are accessed, bit i for element i; constants chose those. Where shaders
 * say themselves what they access of arrays, that is not reported twice. */
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

static bool access_binding(const struct draw_state *state, const struct bound_descriptors *bound,
                           const struct stage_usages *stage, const struct spirv_binding *shader)
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
        if (elements >> i & 1)
            access_descriptor(&use, i);
    }
    return use.writes;
}

/* --- sets --- */

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
        for (uint32_t k = 0; k < entry->binding_count; k++) {
            const struct spirv_binding *shader = &code->bindings[entry->first_binding + k];
            if (shader->set == number)
                writes |= access_binding(state, bound, usages, shader);
        }
    }
    return writes;
}

static uint32_t hash_offsets(const struct bound_descriptors *bound)
{
    uint32_t hash = 0x811c9dc5;
    for (uint32_t i = 0; i < bound->dynamic_count; i++)
        hash = (hash ^ bound->dynamic_offsets[i]) * 0x01000193;
    return hash;
}

/* Its place in the memory of sets; NULL for push descriptors. */
static struct seen_set *seen_slot(struct draw_cache *cache, const struct seen_set *set)
{
    uint64_t hash =
        (set->set ^ set->shaders * 31 ^ set->offsets ^ set->number) * 0x9e3779b97f4a7c15ull;
    return &cache->sets[(hash >> 40) % SEEN_SETS];
}

/* `objects`: no pipeline, which would have a layout, but shader objects, which tell the layouts of
 * their sets. */
static ALWAYS_INLINE bool access_bound_set(const struct draw_state *state, struct draw_cache *cache,
                                           uint32_t number, bool objects)
{
    const struct bind_point_state *bind = &state->recording->command_buffer->bind[state->point];
    struct bound_descriptors bound;
    if (number >= bind->set_count ||
        (!objects &&
         bind->sets[number].compatibility != state->pipeline->layout->compatibility[number]) ||
        !bound_set_read(bind, number, &bound) || !bound.layout ||
        (objects && bound.layout->compatibility != cache->object->set_layouts[number]))
        return false;
    if (!bound.set)
        return access_set(state, number, &bound);
    struct seen_set now = {.set = bind->sets[number].set,
                           .shaders = objects ? cache->object_hash : bind->pipeline,
                           .version =
                               atomic_load_explicit(&bound.set->version, memory_order_relaxed),
                           .epoch = state->recording->sync->epoch,
                           .number = number,
                           .offsets = hash_offsets(&bound)};
    struct seen_set *seen = seen_slot(cache, &now);
    if (seen->set == now.set && seen->shaders == now.shaders && seen->version == now.version &&
        seen->epoch == now.epoch && seen->number == now.number && seen->offsets == now.offsets)
        return false;
    bool writes = access_set(state, number, &bound);
    if (!writes)
        *seen = now;
    return writes;
}

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
