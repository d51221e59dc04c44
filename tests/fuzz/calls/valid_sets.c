/* Fills the descriptor sets of the valid mode. They have seven bindings, of one kind each, which
 * the shaders of calls/shaders name. */
#include "valid.h"

#include <string.h>

#define STAGES \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT)

enum binding { UNIFORM, COMBINED, STORAGE, TARGET, SAMPLED, ALONE, TEXELS };

static const VkDescriptorType types[SET_BINDINGS] = {
    [UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    [COMBINED] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    [STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [TARGET] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    [SAMPLED] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    [ALONE] = VK_DESCRIPTOR_TYPE_SAMPLER,
    [TEXELS] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};

/* --- layouts --- */

static VkDescriptorSetLayout create_set_layout(struct valid *v, enum layout_kind kind)
{
    VkDescriptorSetLayoutBinding bindings[SET_BINDINGS];
    VkDescriptorBindingFlags flags[SET_BINDINGS];
    for (uint32_t i = 0; i < SET_BINDINGS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, STAGES, NULL};
        if (kind == LAYOUT_IMMUTABLE && (i == COMBINED || i == ALONE))
            bindings[i].pImmutableSamplers = &v->immutable;
        flags[i] =
            VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    }
    VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = SET_BINDINGS,
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = SET_BINDINGS,
                                            .pBindings = bindings};
    if (kind == LAYOUT_AFTER_BIND) {
        info.pNext = &flags_info;
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    }
    if (kind == LAYOUT_PUSH)
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
    if (kind == LAYOUT_ATTACHMENT) {
        bindings[0] = (VkDescriptorSetLayoutBinding){0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                     VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
        info.bindingCount = 1;
    }
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    MUST(TRY(v->w, CreateDescriptorSetLayout, v->w->device, &info, NULL, &layout));
    return layout;
}

static VkDescriptorSetLayout create_second_layout(struct valid *v)
{
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2, STAGES,
                                            NULL};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    MUST(TRY(v->w, CreateDescriptorSetLayout, v->w->device, &info, NULL, &layout));
    return layout;
}

static VkDescriptorUpdateTemplate create_template(struct valid *v, enum layout_kind kind)
{
    static const size_t offsets[SET_BINDINGS] = {
        offsetof(struct set_data, uniform), offsetof(struct set_data, combined),
        offsetof(struct set_data, storage), offsetof(struct set_data, target),
        offsetof(struct set_data, sampled), offsetof(struct set_data, alone),
        offsetof(struct set_data, texels)};
    VkDescriptorUpdateTemplateEntry entries[SET_BINDINGS];
    for (uint32_t i = 0; i < SET_BINDINGS; i++)
        entries[i] = (VkDescriptorUpdateTemplateEntry){i, 0, 1, types[i], offsets[i], 0};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = SET_BINDINGS,
        .pDescriptorUpdateEntries = entries,
        .templateType = kind == LAYOUT_PUSH ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS
                                            : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = v->layouts[kind].set_layout,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = v->layouts[kind].pipeline_layout};
    VkDescriptorUpdateTemplate template = VK_NULL_HANDLE;
    MUST(TRY(v->w, CreateDescriptorUpdateTemplate, v->w->device, &info, NULL, &template));
    return template;
}

static void create_valid_layout(struct valid *v, enum layout_kind kind)
{
    struct layout *layout = &v->layouts[kind];
    layout->set_layout = create_set_layout(v, kind);
    VkDescriptorSetLayout layouts[2] = {layout->set_layout};
    if (kind == LAYOUT_TWO_SETS)
        layouts[1] = layout->second = create_second_layout(v);
    VkPushConstantRange range = {STAGES, 0, 16};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = layouts[1] ? 2 : 1,
                                       .pSetLayouts = layouts,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
    MUST(TRY(v->w, CreatePipelineLayout, v->w->device, &info, NULL, &layout->pipeline_layout));
    if (kind != LAYOUT_IMMUTABLE && kind != LAYOUT_ATTACHMENT)
        layout->template = create_template(v, kind);
}

void layouts_create(struct valid *v)
{
    struct world *w = v->w;
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    MUST(TRY(w, CreateSampler, w->device, &sampler, NULL, &v->immutable));
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++)
        create_valid_layout(v, (enum layout_kind)kind);
    VkDescriptorPoolSize sizes[SET_BINDINGS + 2];
    for (uint32_t i = 0; i < SET_BINDINGS; i++)
        sizes[i] = (VkDescriptorPoolSize){types[i], SETS_MOST};
    sizes[SET_BINDINGS] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, SETS_MOST};
    sizes[SET_BINDINGS + 1] =
        (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2 * SETS_MOST};
    for (unsigned i = 0; i < SET_POOLS; i++) {
        VkDescriptorPoolCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
            .flags =
                VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT |
                (i ? (VkDescriptorPoolCreateFlags)VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
                   : 0u),
            .maxSets = SETS_MOST,
            .poolSizeCount = SET_BINDINGS + 2,
            .pPoolSizes = sizes};
        MUST(TRY(w, CreateDescriptorPool, w->device, &info, NULL, &v->set_pools[i]));
    }
}

void layouts_destroy(struct valid *v)
{
    struct world *w = v->w;
    for (unsigned i = 0; i < SET_POOLS; i++)
        CALL(w, DestroyDescriptorPool, w->device, v->set_pools[i], NULL);
    for (unsigned i = 0; i < LAYOUT_KIND_COUNT; i++) {
        CALL(w, DestroyDescriptorUpdateTemplate, w->device, v->layouts[i].template, NULL);
        CALL(w, DestroyPipelineLayout, w->device, v->layouts[i].pipeline_layout, NULL);
        CALL(w, DestroyDescriptorSetLayout, w->device, v->layouts[i].set_layout, NULL);
        CALL(w, DestroyDescriptorSetLayout, w->device, v->layouts[i].second, NULL);
    }
    CALL(w, DestroySampler, w->device, v->immutable, NULL);
}

/* --- sets --- */

void set_destroy(struct valid *v, struct set *set)
{
    for (unsigned i = 0; i < SET_BINDINGS; i++) {
        if (set->refers[i])
            set->refers[i]->users--;
        if (set->second_refers[i])
            set->second_refers[i]->users--;
    }
    MUST(TRY(v->w, FreeDescriptorSets, v->w->device, v->set_pools[set->pool], 1, &set->handle));
    set->head.alive = false;
}

static struct set *new_set(struct valid *v, struct random *r, enum layout_kind kind, bool second)
{
    struct set *slot = FREE_SLOT(v, r, sets, SETS_MOST, set_destroy);
    if (!slot)
        return NULL;
    *slot = (struct set){
        .head.alive = true, .kind = kind, .second = second, .pool = kind == LAYOUT_AFTER_BIND};
    const struct layout *layout = &v->layouts[kind];
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = v->set_pools[slot->pool],
                                        .descriptorSetCount = 1,
                                        .pSetLayouts =
                                            second ? &layout->second : &layout->set_layout};
    MUST(TRY(v->w, AllocateDescriptorSets, v->w->device, &info, &slot->handle));
    slot->head.users++; /* while it is being filled */
    return slot;
}

static void refer_to_head(struct head **place, struct head *head)
{
    if (head)
        head->users++;
    if (*place)
        (*place)->users--;
    *place = head;
}

/* The layout in which the set is to find the image, which another binding may have, too; UNDEFINED
 * when that cannot be. */
static VkImageLayout layout_for(struct random *r, const struct set *set, unsigned binding,
                                const struct image *image)
{
    for (unsigned i = 0; i < SET_BINDINGS; i++) {
        if (i == binding || set->images[i] != image)
            continue;
        bool fits = binding != TARGET || set->layouts[i] == VK_IMAGE_LAYOUT_GENERAL;
        return fits ? set->layouts[i] : VK_IMAGE_LAYOUT_UNDEFINED;
    }
    return binding == TARGET || random_chance(r, 20) ? VK_IMAGE_LAYOUT_GENERAL
                                                     : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

static bool choose_image(struct valid *v, struct random *r, struct set *set, unsigned binding,
                         VkDescriptorImageInfo *info)
{
    struct view *view =
        need_view(v, r,
                  binding == TARGET ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT);
    VkImageLayout layout =
        view ? layout_for(r, set, binding, view->image) : VK_IMAGE_LAYOUT_UNDEFINED;
    if (!layout)
        return false;
    refer_to_head(&set->refers[binding], &view->head);
    set->images[binding] = view->image;
    set->layouts[binding] = layout;
    info->imageView = view->handle;
    info->imageLayout = layout;
    return true;
}

static bool choose_buffer(struct valid *v, struct random *r, struct set *set, unsigned binding,
                          VkDescriptorBufferInfo *info)
{
    VkBufferUsageFlags usage = binding == UNIFORM ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                                  : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    struct buffer *buffer = need_buffer(v, r, usage, 512);
    if (!buffer)
        return false;
    refer_to_head(&set->refers[binding], &buffer->head);
    bool whole = buffer->size <= v->w->limits.maxUniformBufferRange && random_chance(r, 50);
    *info = (VkDescriptorBufferInfo){buffer->handle, 256 * random_below(r, 2),
                                     whole ? VK_WHOLE_SIZE : 128};
    return true;
}

/* Chooses what a binding shall hold, and notes it. False when there is nothing that fits. */
static bool choose_descriptor(struct valid *v, struct random *r, struct set *set, unsigned binding)
{
    struct set_data *data = &set->data;
    struct sampler *sampler;
    struct buffer_view *view;
    VkDescriptorImageInfo *image;
    switch (binding) {
    case UNIFORM:
        return choose_buffer(v, r, set, binding, &data->uniform);
    case STORAGE:
        return choose_buffer(v, r, set, binding, &data->storage);
    case TARGET:
        return choose_image(v, r, set, binding, &data->target);
    case SAMPLED:
        return choose_image(v, r, set, binding, &data->sampled);
    case TEXELS:
        view = need_buffer_view(v, r);
        if (!view)
            return false;
        refer_to_head(&set->refers[binding], &view->head);
        data->texels = view->handle;
        return true;
    default:
        sampler = need_sampler(v, r);
        if (!sampler)
            return false;
        image = binding == COMBINED ? &data->combined : &data->alone;
        if (binding == COMBINED && !choose_image(v, r, set, binding, image))
            return false;
        refer_to_head(&set->second_refers[binding], &sampler->head);
        image->sampler = sampler->handle;
        return true;
    }
}

static VkWriteDescriptorSet write_of_data(const struct set *set, unsigned binding)
{
    const struct set_data *data = &set->data;
    const VkDescriptorImageInfo *images[SET_BINDINGS] = {[COMBINED] = &data->combined,
                                                         [TARGET] = &data->target,
                                                         [SAMPLED] = &data->sampled,
                                                         [ALONE] = &data->alone};
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set->handle,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = types[binding],
                                  .pImageInfo = images[binding],
                                  .pBufferInfo =
                                      binding == UNIFORM ? &data->uniform : &data->storage,
                                  .pTexelBufferView = &data->texels};
}

void update_set(struct valid *v, struct random *r, struct set *set, bool all)
{
    VkWriteDescriptorSet writes[SET_BINDINGS];
    uint32_t count = 0;
    for (unsigned i = 0; i < SET_BINDINGS; i++) {
        if (!all && !random_chance(r, 30))
            continue;
        if (set->kind == LAYOUT_IMMUTABLE && i == ALONE)
            continue;
        if (choose_descriptor(v, r, set, i))
            writes[count++] = write_of_data(set, i);
    }
    if (count == SET_BINDINGS && v->layouts[set->kind].template && random_chance(r, 40))
        CALL(v->w, UpdateDescriptorSetWithTemplate, v->w->device, set->handle,
             v->layouts[set->kind].template, &set->data);
    else
        CALL(v->w, UpdateDescriptorSets, v->w->device, count, writes, 0, NULL);
    if (all)
        set->whole = count == SET_BINDINGS - (set->kind == LAYOUT_IMMUTABLE);
}

/* All bindings of another whole set of the same kind. */
static void copy_set(struct valid *v, struct random *r, struct set *set)
{
    struct set *from =
        FIND(v, r, sets, SETS_MOST, it != set && it->whole && it->kind == set->kind && !it->second);
    if (!from)
        return;
    VkCopyDescriptorSet copies[SET_BINDINGS];
    uint32_t count = 0;
    for (unsigned i = 0; i < SET_BINDINGS; i++) {
        if (set->kind == LAYOUT_IMMUTABLE && i == ALONE)
            continue;
        copies[count++] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                                .srcSet = from->handle,
                                                .srcBinding = i,
                                                .dstSet = set->handle,
                                                .dstBinding = i,
                                                .descriptorCount = 1};
        refer_to_head(&set->refers[i], from->refers[i]);
        refer_to_head(&set->second_refers[i], from->second_refers[i]);
        set->data = from->data;
        set->images[i] = from->images[i];
        set->layouts[i] = from->layouts[i];
    }
    CALL(v->w, UpdateDescriptorSets, v->w->device, 0, NULL, count, copies);
    set->whole = true;
}

/* Only of a set that no recorded command buffer knows: others would become invalid, or be in use.
 */
void update_some_set(struct valid *v, struct random *r)
{
    struct set *set = FIND(v, r, sets, SETS_MOST,
                           !it->head.users && !it->second && it->kind != LAYOUT_ATTACHMENT);
    if (!set)
        return;
    set->head.users++;
    if (random_chance(r, 25))
        copy_set(v, r, set);
    else
        update_set(v, r, set, !set->whole || random_chance(r, 50));
    set->head.users--;
}

static struct set *second_set(struct valid *v, struct random *r)
{
    struct set *set = FIND(v, r, sets, SETS_MOST, it->second);
    if (set && random_chance(r, 80))
        return set;
    struct set *made = new_set(v, r, LAYOUT_TWO_SETS, true);
    if (!made)
        return set;
    struct buffer *buffer = need_buffer(v, r, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 1024);
    if (buffer) {
        VkDescriptorBufferInfo infos[2] = {{buffer->handle, 0, 64}, {buffer->handle, 256, 64}};
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = made->handle,
                                      .descriptorCount = 2,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                      .pBufferInfo = infos};
        refer_to_head(&made->refers[0], &buffer->head);
        CALL(v->w, UpdateDescriptorSets, v->w->device, 1, &write, 0, NULL);
        made->whole = true;
    }
    made->head.users--;
    return made->whole ? made : set;
}

struct set *need_set(struct valid *v, struct random *r, enum layout_kind kind, bool second)
{
    if (second)
        return second_set(v, r);
    if (kind == LAYOUT_PUSH) /* whose contents are pushed */
        kind = LAYOUT_PLAIN;
    /* Layouts that are defined alike are as good as the same. */
    bool other = kind == LAYOUT_TWO_SETS || kind == LAYOUT_PLAIN;
    struct set *set =
        FIND(v, r, sets, SETS_MOST,
             it->whole && !it->second &&
                 (it->kind == kind ||
                  (other && (it->kind == LAYOUT_TWO_SETS || it->kind == LAYOUT_PLAIN))));
    if (set && random_chance(r, 85))
        return set;
    struct set *made = new_set(v, r, kind, false);
    if (!made)
        return set;
    update_set(v, r, made, true);
    made->head.users--;
    return made->whole ? made : set;
}

struct set *need_attachment_set(struct valid *v, struct random *r, struct view *view)
{
    struct set *set =
        FIND(v, r, sets, SETS_MOST, it->kind == LAYOUT_ATTACHMENT && it->refers[0] == &view->head);
    if (set)
        return set;
    struct set *made = new_set(v, r, LAYOUT_ATTACHMENT, false);
    if (!made)
        return NULL;
    VkDescriptorImageInfo info = {.imageView = view->handle,
                                  .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = made->handle,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                  .pImageInfo = &info};
    refer_to_head(&made->refers[0], &view->head);
    CALL(v->w, UpdateDescriptorSets, v->w->device, 1, &write, 0, NULL);
    made->head.users--;
    return made;
}

/* --- binding --- */

/* A push descriptor set is given what an ordinary one holds. */
static void push_set(struct recording *rec, VkPipelineBindPoint point, const struct set *set)
{
    const struct layout *layout = &rec->v->layouts[LAYOUT_PUSH];
    VkWriteDescriptorSet writes[SET_BINDINGS];
    for (unsigned i = 0; i < SET_BINDINGS; i++)
        writes[i] = write_of_data(set, i);
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE && random_chance(rec->r, 40))
        RECORD(CmdPushDescriptorSetWithTemplate, layout->template, layout->pipeline_layout, 0,
               &set->data);
    else
        RECORD(CmdPushDescriptorSet, point, layout->pipeline_layout, 0, SET_BINDINGS, writes);
}

void bind_sets(struct recording *rec, VkPipelineBindPoint point, enum layout_kind kind,
               const struct set *set)
{
    struct random *r = rec->r;
    const struct layout *layout = &rec->v->layouts[kind];
    const float pushed[4] = {0.5f, 0.5f, 0, 1};
    uint32_t offsets[2] = {0, 256};
    VkDescriptorSet sets[2] = {set->handle};
    uint32_t count = 1;
    if (kind == LAYOUT_TWO_SETS) {
        struct set *second = need_set(rec->v, r, kind, true);
        if (second) {
            use(rec, &second->head);
            sets[count++] = second->handle;
        }
    }
    VkBindDescriptorSetsInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                     .stageFlags = STAGES,
                                     .layout = layout->pipeline_layout,
                                     .descriptorSetCount = count,
                                     .pDescriptorSets = sets,
                                     .dynamicOffsetCount = count == 2 ? 2 : 0,
                                     .pDynamicOffsets = offsets};
    bool everywhere = rec->family == 0 && kind != LAYOUT_ATTACHMENT; /* both bind points at once */
    if (kind == LAYOUT_PUSH)
        push_set(rec, point, set);
    else if (everywhere && random_chance(r, 30))
        RECORD(CmdBindDescriptorSets2, &info);
    else
        RECORD(CmdBindDescriptorSets, point, layout->pipeline_layout, 0, count, sets,
               info.dynamicOffsetCount, offsets);
    VkPushConstantsInfo push = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                .layout = layout->pipeline_layout,
                                .stageFlags = STAGES,
                                .size = sizeof(pushed),
                                .pValues = pushed};
    if (random_chance(r, 30))
        RECORD(CmdPushConstants2, &push);
    else
        RECORD(CmdPushConstants, layout->pipeline_layout, STAGES, 0, sizeof(pushed), pushed);
}
