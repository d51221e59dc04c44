/* Tracks shader code, and the objects that hold it: modules, stages of pipelines, shader
 * objects. */
#include "state/pipeline/shader.h"
#include "state/hooks.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

#include "base/lock.h"
#include "spirv/module/reflect.h"
#include "state/descriptor/descriptor.h"
#include "state/descriptor/layout_compatibility.h"
#include "state/memory/mapping.h"
#include "vk/chain.h"
#include "vk/pointer.h"

struct shader *shader_acquire(struct shader *shader)
{
    if (shader)
        atomic_fetch_add_explicit(&shader->references, 1, memory_order_relaxed);
    return shader;
}

/* --- code that is known --- */

#define KNOWN_PLACES 4096 /* heads of the lists in `known`, a power of two */
/* The number of recent shaders that are kept: programs create a module, create a pipeline, destroy
 * the module, and create it again. */
#define KNOWN_LATEST 8
/* The largest shader that is kept for that reason: eight reflections are about 300 KB at most. */
#define KNOWN_LATEST_SIZE (64 << 10)

static struct lock known_lock = LOCK_INITIALIZER;
static struct shader *known[KNOWN_PLACES] GUARDED_BY(known_lock);
/* The shaders that were read last; each is acquired. */
static struct shader *latest[KNOWN_LATEST] GUARDED_BY(known_lock);
static uint32_t latest_next GUARDED_BY(known_lock);

/* A shader with this hash and size; the caller compares the words. NULL: there is none. */
static struct shader *known_find(uint64_t hash, size_t size) REQUIRES(known_lock)
{
    struct shader *shader = known[hash % KNOWN_PLACES];
    while (shader && (shader->hash != hash || shader->code_size != size))
        shader = shader->next;
    return shader;
}

/* Removes a shader from the table. */
static void known_remove(const struct shader *shader) REQUIRES(known_lock)
{
    struct shader **link = &known[shader->hash % KNOWN_PLACES];
    while (*link && *link != shader)
        link = &(*link)->next;
    if (*link) /* a shader that could not be read is not in the table */
        *link = shader->next;
}

/* Finds and acquires a known shader. A shader in the table has a count that is not 0: it only
 * becomes 0 under the lock, when the shader leaves the table. */
static struct shader *known_acquire(uint64_t hash, size_t size)
{
    lock_take(&known_lock);
    struct shader *shader = shader_acquire(known_find(hash, size));
    lock_release(&known_lock);
    return shader;
}

/* Adds the shader to the table. Returns the known one, acquired: `shader`, or the same code that
 * another thread has read meanwhile. */
static struct shader *known_add(struct shader *shader)
{
    assert(shader && shader->reflection);
    struct shader *dropped = NULL;
    lock_take(&known_lock);
    struct shader *there = shader_acquire(known_find(shader->hash, shader->code_size));
    if (!there) {
        struct shader **place = &known[shader->hash % KNOWN_PLACES];
        shader->next = *place;
        *place = shader;
        if (shader->code_size <= KNOWN_LATEST_SIZE) {
            /* The latest ones are acquired, as programs create modules again. */
            dropped = latest[latest_next % KNOWN_LATEST];
            latest[latest_next++ % KNOWN_LATEST] = shader_acquire(shader);
        }
    }
    lock_release(&known_lock);
    /* Outside of the lock, which the last release takes. */
    shader_release(there ? shader : dropped);
    return there ? there : shader;
}

/* The last release needs the lock, as a lookup may increment the count. Other releases only
 * decrement it. Each is a read-modify-write with release. The last one acquires, and so comes after
 * all of them. */
void shader_release(struct shader *shader)
{
    if (!shader)
        return;
    uint32_t count = atomic_load_explicit(&shader->references, memory_order_relaxed);
    while (count > 1) {
        if (atomic_compare_exchange_weak_explicit(&shader->references, &count, count - 1,
                                                  memory_order_release, memory_order_relaxed))
            return;
    }
    lock_take(&known_lock);
    const bool last = atomic_fetch_sub_explicit(&shader->references, 1, memory_order_acq_rel) == 1;
    if (last)
        known_remove(shader);
    lock_release(&known_lock);
    if (last) {
        mem_retire(shader->reflection);
        mem_retire(shader);
    }
}

void shader_fork(enum fork_step step)
{
    lock_fork(&known_lock, step);
}

struct shader *shader_of_code(const void *code, size_t size)
{
    if (pointer_is_bad(code))
        return NULL;
    const uint64_t hash = spirv_hash(code, size);
    struct shader *shader = known_acquire(hash, size);
    if (shader)
        return shader;
    shader = mem_alloc_zeroed(sizeof(*shader));
    if (!shader)
        return NULL;
    struct spirv_module module;
    struct spirv_error error;
    atomic_init(&shader->references, 1);
    shader->hash = hash;
    shader->code_size = size;
    if (size % sizeof(uint32_t) == 0 &&
        spirv_module_parse(&module, code, size / sizeof(uint32_t), &error)) {
        shader->reflection = spirv_reflect(&module, shader->hash);
        spirv_module_free(&module);
    }
    /* Unreadable code is not shared: others would not find the mistakes in it. */
    return shader->reflection ? known_add(shader) : shader;
}

struct shader *shader_of_stage(const struct call *call,
                               const VkPipelineShaderStageCreateInfo *stage)
{
    const struct shader_module *module = find_shader_module(call, stage->module);
    if (module)
        return shader_acquire(module->shader);
    const VkShaderModuleCreateInfo *code =
        chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (stage->module || !code)
        return NULL;
    return shader_of_code(code->pCode, code->codeSize);
}

struct spirv_specialization shader_specialization(const VkSpecializationInfo *info)
{
    if (pointer_is_bad(info) || (info->mapEntryCount && pointer_is_bad(info->pMapEntries)) ||
        (info->dataSize && pointer_is_bad(info->pData)))
        return (struct spirv_specialization){0};
    return (struct spirv_specialization){.count = info->mapEntryCount,
                                         .entries = (const void *)info->pMapEntries,
                                         .bytes = info->dataSize,
                                         .data = info->pData};
}

uint32_t shader_execution_model(VkShaderStageFlagBits stage)
{
    switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
        return SpvExecutionModelVertex;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
        return SpvExecutionModelTessellationControl;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        return SpvExecutionModelTessellationEvaluation;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
        return SpvExecutionModelGeometry;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
        return SpvExecutionModelFragment;
    case VK_SHADER_STAGE_COMPUTE_BIT:
    case VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI:
        return SpvExecutionModelGLCompute;
    case VK_SHADER_STAGE_RAYGEN_BIT_KHR:
        return SpvExecutionModelRayGenerationKHR;
    case VK_SHADER_STAGE_ANY_HIT_BIT_KHR:
        return SpvExecutionModelAnyHitKHR;
    case VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR:
        return SpvExecutionModelClosestHitKHR;
    case VK_SHADER_STAGE_MISS_BIT_KHR:
        return SpvExecutionModelMissKHR;
    case VK_SHADER_STAGE_INTERSECTION_BIT_KHR:
        return SpvExecutionModelIntersectionKHR;
    case VK_SHADER_STAGE_CALLABLE_BIT_KHR:
        return SpvExecutionModelCallableKHR;
    case VK_SHADER_STAGE_TASK_BIT_EXT:
        return SpvExecutionModelTaskEXT;
    case VK_SHADER_STAGE_MESH_BIT_EXT:
        return SpvExecutionModelMeshEXT;
    default:
        return UINT32_MAX;
    }
}

const struct spirv_entry_point *shader_entry(const struct shader *shader,
                                             VkShaderStageFlagBits stage, const char *name)
{
    uint32_t model = shader_execution_model(stage);
    if (!shader || !shader->reflection || !name || model == UINT32_MAX)
        return NULL;
    const struct spirv_entry_point *entry = spirv_entry_find(shader->reflection, name, model);
    /* the NV extension has other execution models for the same stages */
    if (!entry && stage == VK_SHADER_STAGE_TASK_BIT_EXT)
        entry = spirv_entry_find(shader->reflection, name, SpvExecutionModelTaskNV);
    if (!entry && stage == VK_SHADER_STAGE_MESH_BIT_EXT)
        entry = spirv_entry_find(shader->reflection, name, SpvExecutionModelMeshNV);
    return entry;
}

void shader_module_free(struct shader_module *module)
{
    if (module)
        shader_release(module->shader);
    mem_retire(module);
}

void state_after_CreateShaderModule(struct call *call, VkDevice device,
                                    const VkShaderModuleCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkShaderModule *pShaderModule)
{
    struct object *object = created_object(call, (uint64_t)*pShaderModule, HANDLE_SHADER_MODULE);
    struct shader_module *module = object_state_new(object, sizeof(*module));
    if (!module)
        return;
    module->shader = shader_of_code(pCreateInfo->pCode, pCreateInfo->codeSize);
    object_state_publish(object, module);
}

void shader_object_free(struct shader_object *shader)
{
    if (shader) {
        shader_release(shader->shader);
        stage_mappings_release(shader->mappings);
    }
    mem_retire(shader);
}

/* A group of linked shaders. Threads: const. */
struct link {
    uint64_t group; /* 0: not linked */
    VkShaderStageFlags stages;
};

/* The stages that are created linked together, and a unique number for them; group 0: not
 * linked. */
static struct link link_of(uint32_t count, const VkShaderCreateInfoEXT *infos)
{
    assert(infos || !count);
    static _Atomic uint64_t groups; /* numbers given so far; relaxed */
    struct link link = {0};
    for (uint32_t i = 0; i < count; i++)
        link.stages |= infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT ? infos[i].stage : 0;
    if (link.stages)
        link.group = atomic_fetch_add_explicit(&groups, 1, memory_order_relaxed) + 1;
    return link;
}

/* Copies the set layouts and push constants of the create info. If a set layout is missing, the
 * compatibility stays unknown. */
static void read_layouts(const struct call *call, const VkShaderCreateInfoEXT *info,
                         struct shader_object *shader)
{
    bool all_known = info->pSetLayouts || !info->setLayoutCount;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        const struct descriptor_layout *layout =
            info->pSetLayouts ? find_descriptor_layout(call, info->pSetLayouts[i]) : NULL;
        /* 0: not known, and compatible with any. */
        shader->set_layouts[i] = layout ? layout->compatibility : 0;
        all_known &= layout != NULL;
    }
    if (info->pushConstantRangeCount && pointer_is_bad(info->pPushConstantRanges))
        return;
    if (info->pushConstantRangeCount)
        memcpy(shader->push_constants, info->pPushConstantRanges,
               info->pushConstantRangeCount * sizeof(*shader->push_constants));
    const uint64_t ranges =
        ranges_compatibility(shader->push_constants, info->pushConstantRangeCount);
    if (all_known)
        sets_compatibility(shader->compatibility, shader->set_layouts, info->setLayoutCount, ranges,
                           0);
}

/* One step of a multiplicative hash. */
static uint64_t hash_add(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 32;
}

/* Derives data from the shader's entry point and its layouts. */
static void finish_interface(struct shader_object *shader, const struct spirv_entry_point *entry)
{
    const struct spirv_reflection *code = shader->shader->reflection;
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        const uint32_t set = code->bindings[entry->first_binding + i].set;
        shader->used_sets |= set < 32 ? 1u << set : 0;
    }
    uint64_t hash =
        hash_add(shader->shader->hash, (uint64_t)shader->stage << 32 | shader->entry_point);
    for (uint32_t i = 0; i < shader->set_layout_count; i++)
        hash = hash_add(hash, shader->set_layouts[i]);
    shader->interface = hash;
}

/* Allocates the state of a shader object. `link`: the shaders that were created linked with it. */
static void add_shader_object(const struct call *call, const VkShaderCreateInfoEXT *info,
                              const struct link *link, VkShaderEXT handle)
{
    assert(info && link && handle);
    struct object *object = created_object(call, (uint64_t)handle, HANDLE_SHADER_EXT);
    size_t layouts = (size_t)2 * info->setLayoutCount * sizeof(uint64_t),
           ranges = info->pushConstantRangeCount * sizeof(VkPushConstantRange);
    struct shader_object *shader = object_state_new(object, sizeof(*shader) + layouts + ranges);
    if (!shader)
        return;
    shader->stage = info->stage;
    shader->next_stage = info->nextStage;
    shader->flags = info->flags;
    const VkCustomResolveCreateInfoEXT *resolve =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT);
    shader->resolve_given = resolve != NULL;
    shader->resolves = resolve && resolve->customResolve;
    if (info->flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT) {
        shader->link_group = link->group;
        shader->link_stages = link->stages;
    }
    /* One allocation: the shader, two numbers for each set layout, and its push constants. */
    shader->set_layouts = (uint64_t *)(shader + 1);
    shader->compatibility = shader->set_layouts + info->setLayoutCount;
    shader->push_constants = (VkPushConstantRange *)(shader->compatibility + info->setLayoutCount);
    shader->set_layout_count = info->setLayoutCount;
    shader->push_constant_count = info->pushConstantRangeCount;
    read_layouts(call, info, shader);
    shader->entry_point = UINT32_MAX;
    if (info->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT)
        shader->shader = shader_of_code(info->pCode, info->codeSize);
    const struct spirv_entry_point *entry = shader_entry(shader->shader, info->stage, info->pName);
    if (entry) {
        shader->entry_point = (uint32_t)(entry - shader->shader->reflection->entries);
        finish_interface(shader, entry);
    }
    shader->mappings = stage_mappings_of(info->pNext, shader->shader, shader->entry_point);
    object_state_publish(object, shader);
}

void state_after_CreateShadersEXT(struct call *call, VkDevice device, uint32_t createInfoCount,
                                  const VkShaderCreateInfoEXT *pCreateInfos,
                                  const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
    const struct link link = link_of(createInfoCount, pCreateInfos);
    for (uint32_t i = 0; i < createInfoCount; i++) {
        if (pShaders[i])
            add_shader_object(call, &pCreateInfos[i], &link, pShaders[i]);
    }
}
