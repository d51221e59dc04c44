/* Makes and keeps a device's instrumented shaders. Each is made once for the same code, entry
 * point, layout and settings, and stays until the device is destroyed. Records may refer to it
 * after its last pipeline is destroyed. */
#include "gpu/pipeline/shader.h"

#include "gpu/device/areas.h"
#include "gpu/pipeline/binaries.h"
#include "gpu/gpu.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "chassis/hooks.h"
#include "chassis/translate.h"
#include "gpu/device/debug.h"
#include "gpu/report/report.h"
#include "gpu/device/survive.h"
#include "report/finding/finding.h"
#include "state/descriptor/descriptor_access.h"
#include "spirv/instrument/instrument.h"
#include "spirv/module/reflect.h"
#include "state/command/touched.h"

/* The modules compiled by glslang from gpu/shaders/checks.glsl: gpu_library_glsl450,
 * gpu_library_vulkan. */
#include "library_glsl450.h"
#include "library_vulkan.h"

/* Bits by which the upper half of a 64-bit value is shifted down. */
#define HASH_BITS 32

/* A shader with more checks than this notes their findings, and reports at its end. Accesses past
 * the end of a buffer are only reported at the end if the invocation certainly reaches it: in safe
 * mode, and on lavapipe, which checks each access itself. */
#define CHECKS_AT_ONCE 12

/* --- data of a device --- */

/* Returns the checks that the settings enable, in SPIRV_CHECK_ bits. */
static uint32_t checks_of(const struct device *device)
{
    const struct settings *settings = &device->instance->settings;
    uint32_t checks = settings->printf_enable ? SPIRV_CHECK_PRINTF : 0;
    checks |= emulated_lowers_shaders(device) ? SPIRV_CHECK_ABORT : 0;
    if (!settings->gpuav_enable || !settings->gpuav_shader_instrumentation)
        return checks;
    checks |= settings->gpuav_descriptor_checks ? SPIRV_CHECK_DESCRIPTORS | SPIRV_CHECK_BUFFERS : 0;
    checks |= settings->gpuav_buffer_address_oob ? SPIRV_CHECK_ADDRESSES : 0;
    checks |= settings->gpuav_mesh_shading ? SPIRV_CHECK_MESH : 0;
    checks |= settings->gpuav_validate_trace_ray ? SPIRV_CHECK_TRACE : 0;
    checks |= settings->gpuav_vertex_attribute_fetch_oob ? SPIRV_CHECK_VERTEX_FETCH : 0;
    checks |= settings->gpuav_shader_sanitizer ? SPIRV_CHECK_SANITIZER : 0;
    checks |= settings->gpuav_nan ? SPIRV_CHECK_NAN : 0;
    checks |= settings->gpuav_shared_memory_data_race ? SPIRV_CHECK_SHARED : 0;
    checks |= touched_are_asked_for(settings) ? SPIRV_CHECK_TOUCHED : 0;
    return checks;
}

/* Returns the stages that a push constant range may name: those of the device's version and enabled
 * extensions. */
static VkShaderStageFlags all_stages(const struct device *device)
{
    const struct extension_set *extensions = &device->extensions;
    VkShaderStageFlags stages = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT;
    if (extension_set_has(extensions, EXTENSION_VK_KHR_ray_tracing_pipeline) ||
        extension_set_has(extensions, EXTENSION_VK_NV_ray_tracing))
        stages |= VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                  VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                  VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
    if (extension_set_has(extensions, EXTENSION_VK_EXT_mesh_shader) ||
        extension_set_has(extensions, EXTENSION_VK_NV_mesh_shader))
        stages |= VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    return stages;
}

/* True for llvmpipe (Mesa's lavapipe). Where a fragment shader is plain, its rasterizer copies all
 * push constants, as bytes, into an array for 256 bytes of them on the stack. Those of shader
 * objects of two stages may be 512. The copy ends at the first value that is not between 0 and 1.
 */
static bool needs_guard(const struct device *device)
{
    return device->properties.vendorID == VK_VENDOR_ID_MESA &&
           !strncmp(device->properties.deviceName, "llvmpipe", strlen("llvmpipe"));
}

struct gpu_shaders *gpu_shaders_create(struct device *device)
{
    struct gpu_shaders *shaders = mem_alloc_zeroed(sizeof(*shaders));
    if (!shaders)
        return NULL;
    shaders->checks = checks_of(device);
    shaders->all_stages = all_stages(device);
    /* The pointer follows the limit that the program sees, if it asked to reserve the bytes; the
     * limit is at least 128. */
    const uint32_t told = device->properties.limits.maxPushConstantsSize;
    shaders->push_offset = gpu_reserves(device->instance) ? told : (told - GPU_PUSH_BYTES) & ~7u;
    shaders->push_guard =
        !gpu_reserves(device->instance) && needs_guard(device) ? GPU_PUSH_GUARD_BYTES : 0;
    /* No shader is instrumented before gpu_shaders_begin(), which comes once the device's memory
     * exists. */
    lock_init(&shaders->lock);
    shared_lock_init(&shaders->split_lock);
    lock_init(&shaders->originals_lock);
    return shaders;
}

/* True if the program enabled GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT, which reserves a descriptor
 * set slot for a layer. This layer needs the last bytes of the push constants instead. */
bool gpu_reserves(const struct instance *instance)
{
    const struct settings *settings = &instance->settings;
    return (settings->enables & ENABLES_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT) &&
           (settings->gpuav_enable || settings->printf_enable);
}

void gpu_shaders_end(struct device *device)
{
    if (gpu_in_device(device)->shaders)
        atomic_store_explicit(&gpu_in_device(device)->shaders->active, false, memory_order_relaxed);
}

void gpu_shaders_free(struct gpu_shaders *shaders)
{
    if (!shaders)
        return;
    lock_unneeded(&shaders->lock);
    for (uint32_t i = 0; i < GPU_SHADER_CHAINS; i++) {
        while (shaders->chains[i]) {
            struct gpu_shader *shader = shaders->chains[i];
            shaders->chains[i] = shader->next;
            gpu_shader_release(shader);
        }
    }
    gpu_layouts_free(shaders);
    gpu_originals_end(shaders, NULL);
    lock_destroy(&shaders->lock);
    lock_destroy(&shaders->originals_lock);
    shared_lock_destroy(&shaders->split_lock);
    mem_free(shaders);
}

uint32_t gpu_shaders_most_sets(const struct device *device)
{
    return gpu_in_device(device)->shaders
               ? atomic_load_explicit(&gpu_in_device(device)->shaders->most_sets,
                                      memory_order_relaxed)
               : 0;
}

void gpu_shader_hold(struct gpu_shader *shader)
{
    atomic_fetch_add_explicit(&shader->references, 1, memory_order_relaxed);
}

void gpu_shader_release(struct gpu_shader *shader)
{
    if (shader && atomic_fetch_sub_explicit(&shader->references, 1, memory_order_acq_rel) == 1) {
        mem_free(shader->instrumented);
        mem_free(shader->sites);
        mem_free(shader->aborts);
        mem_free(shader);
    }
}

const struct gpu_shader *gpu_shader_find(const struct device *device, uint32_t id)
{
    struct gpu_shaders *shaders = gpu_in_device(device)->shaders;
    if (!shaders)
        return NULL;
    lock_take(&shaders->lock);
    struct gpu_shader *shader = shaders->chains[id % GPU_SHADER_CHAINS];
    /* Two keys may have the same low half; a shader without instrumented code cannot have written a
     * record. */
    while (shader && (shader->id != id || !shader->instrumented))
        shader = shader->next;
    lock_release(&shaders->lock);
    return shader;
}

/* --- the instrumenter's parameters --- */

static struct spirv_module library_glsl450, library_vulkan; /* written once, by read_libraries() */
static bool libraries_read;

/* Parses the layer's two libraries of check functions, once for the process. If memory is out,
 * nothing is instrumented. */
static void read_libraries(void)
{
    struct spirv_error error;
    libraries_read = spirv_module_parse(&library_glsl450, gpu_library_glsl450,
                                        ARRAY_LENGTH(gpu_library_glsl450), &error) &&
                     spirv_module_parse(&library_vulkan, gpu_library_vulkan,
                                        ARRAY_LENGTH(gpu_library_vulkan), &error);
}

/* True if the entry point uses this set and binding. Its bindings are sorted. */
static bool entry_uses_binding(const struct spirv_reflection *code,
                               const struct spirv_entry_point *entry, uint32_t set,
                               uint32_t binding)
{
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        const struct spirv_binding *used = &code->bindings[entry->first_binding + i];
        if (used->set == set && used->binding == binding)
            return true;
    }
    return entry->truncated;
}

/* True if some access to the variable declares another signedness than the type. The core checks do
 * not know which access does. */
static bool has_other_sign(const struct spirv_reflection *code, const struct spirv_binding *used)
{
    const struct spirv_type *type = used->type < code->type_count ? &code->types[used->type] : NULL;
    if (type && type->opcode == SpvOpTypeSampledImage)
        type = type->element < code->type_count ? &code->types[type->element] : NULL;
    const uint32_t numeric = type ? type->numeric : SPIRV_NUMERIC_NONE;
    return (used->access & SPIRV_ACCESS_SIGNED && numeric != SPIRV_NUMERIC_SINT) ||
           (used->access & SPIRV_ACCESS_UNSIGNED && numeric != SPIRV_NUMERIC_UINT);
}

/* Returns a mask of the binding's elements that the core checks look at, for all variables. 0: the
 * shader checks all of them. */
static uint64_t looked_at(const struct spirv_reflection *code,
                          const struct spirv_entry_point *entry, uint32_t set,
                          const struct descriptor_binding *binding)
{
    uint64_t elements = 0;
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        const struct spirv_binding *used = &code->bindings[entry->first_binding + i];
        if (used->set != set || used->binding != binding->binding)
            continue;
        if (has_other_sign(code, used))
            return 0;
        elements |= descriptor_elements_consumed(binding, used);
    }
    return entry->truncated ? 0 : elements;
}

/* Describes a binding of the layout to the instrumenter. */
static struct spirv_instrument_binding
binding_describe(uint32_t set, const struct descriptor_binding *binding, uint64_t known)
{
    /* descriptorCount of an inline uniform block is a number of bytes */
    bool is_block = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    return (struct spirv_instrument_binding){
        .set = set,
        .binding = binding->binding,
        .count = is_block ? 1 : binding->count,
        .first = binding->first,
        .variable =
            !is_block && (binding->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT),
        .is_mutable = binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
        .checked = !is_block && (binding->count > 1 || (binding->flags & DESCRIPTOR_WRITTEN_LATER)),
        .known = known,
    };
}

/* Returns how many sets of the shader may have tables, BOUND_SETS at most. Keeps the largest such
 * number, as commands' records have room for so many. */
static uint32_t note_sets(struct gpu_shaders *shaders, const struct gpu_request *request)
{
    _Atomic uint32_t *most = &shaders->most_sets;
    const uint32_t count = request->set_count < BOUND_SETS ? request->set_count : BOUND_SETS;
    uint32_t known = atomic_load_explicit(most, memory_order_relaxed);
    while (known < count &&
           !atomic_compare_exchange_weak_explicit(most, &known, count, memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
    return count;
}

/* Returns the bindings that the entry point uses, in scratch memory. NULL: memory is out. */
static const struct spirv_instrument_binding *bindings_of(struct gpu_shaders *shaders,
                                                          const struct gpu_request *request,
                                                          const struct spirv_entry_point *entry,
                                                          uint32_t *count)
{
    uint32_t most = 0;
    *count = 0;
    const uint32_t set_count = note_sets(shaders, request);
    for (uint32_t set = 0; set < set_count; set++)
        most += request->sets[set] ? request->sets[set]->binding_count : 0;
    struct spirv_instrument_binding *list =
        scratch_alloc(&thread_self()->scratch, (most + (size_t)1) * sizeof(*list));
    for (uint32_t set = 0; list && set < set_count; set++) {
        const struct descriptor_layout *layout = request->sets[set];
        for (uint32_t i = 0; layout && i < layout->binding_count; i++) {
            if (entry_uses_binding(request->code->reflection, entry, set,
                                   layout->bindings[i].binding))
                list[(*count)++] =
                    binding_describe(set, &layout->bindings[i],
                                     request->looked_at
                                         ? looked_at(request->code->reflection, entry, set,
                                                     &layout->bindings[i])
                                         : 0);
        }
    }
    return list;
}

/* Returns a hash of everything that the instrumented code depends on. 0: memory is out. */
static uint64_t shader_key(const struct gpu_request *request,
                           const struct spirv_instrument_info *info)
{
    /* Sizes in words: the name with its terminating 0, ten numbers, and eight for each binding. */
    size_t name = (strlen(info->entry) + 4) / 4, size = 10 + name + info->binding_count * (size_t)8;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    uint32_t *words = scratch_alloc(scratch, size * sizeof(*words)), *at = words;
    if (!words)
        return 0;
    *at++ = (uint32_t)request->hash;
    *at++ = (uint32_t)(request->hash >> HASH_BITS);
    *at++ = (uint32_t)(request->size / sizeof(uint32_t));
    *at++ = info->model;
    *at++ = info->checks;
    *at++ = info->push_offset;
    *at++ = info->most_checks;
    *at++ = (uint32_t)info->safe | (uint32_t)info->robust_uniform << 1 |
            (uint32_t)info->robust_storage << 2 | (uint32_t)info->robust_vertex << 3 |
            (uint32_t)info->null_descriptors << 4 | info->forbidden_ray_flags << 8;
    *at++ = info->binding_count;
    *at++ = (uint32_t)name;
    memset(at, 0, name * sizeof(*at));
    memcpy(at, info->entry, strlen(info->entry));
    at += name;
    for (uint32_t i = 0; i < info->binding_count; i++) {
        const struct spirv_instrument_binding *binding = &info->bindings[i];
        *at++ = binding->set;
        *at++ = binding->binding;
        *at++ = binding->count;
        *at++ = binding->first;
        *at++ = binding->variable;
        *at++ = (uint32_t)binding->checked | (uint32_t)binding->is_mutable << 1;
        *at++ = (uint32_t)binding->known;
        *at++ = (uint32_t)(binding->known >> HASH_BITS);
    }
    assert((size_t)(at - words) == size);
    uint64_t key = spirv_hash(words, size * sizeof(*words));
    for (uint32_t i = 0; i < info->constant_count; i++) {
        const struct spirv_abort_constant *constant = &info->constants[i];
        const uint64_t parts[] = {key, constant->id, constant->size,
                                  spirv_hash(constant->data, constant->size)};
        key = spirv_hash(parts, sizeof(parts));
    }
    scratch_rewind(scratch, mark);
    /* 0 means that memory is out, so it is not returned here. */
    return key ? key : 1;
}

/* Returns the number by which records name the shader: the key's low half, never 0. */
static uint32_t shader_key_id(uint64_t key)
{
    return (uint32_t)key ? (uint32_t)key : 1;
}

/* --- one shader --- */

/* Finds the shader with this key, with a reference for the caller; NULL: there is none. */
static struct gpu_shader *shader_look_up(struct gpu_shaders *shaders, uint64_t key)
    REQUIRES(shaders->lock)
{
    struct gpu_shader *shader = shaders->chains[shader_key_id(key) % GPU_SHADER_CHAINS];
    while (shader && shader->key != key)
        shader = shader->next;
    if (shader)
        gpu_shader_hold(shader);
    return shader;
}

/* Adds the shader and returns it with a reference for the caller. If another thread has made the
 * same one meanwhile, that is returned. */
static struct gpu_shader *shader_add(struct gpu_shaders *shaders, struct gpu_shader *shader)
{
    lock_take(&shaders->lock);
    struct gpu_shader *there = shader_look_up(shaders, shader->key);
    if (!there) {
        struct gpu_shader **chain = &shaders->chains[shader->id % GPU_SHADER_CHAINS];
        gpu_shader_hold(shader);
        shader->next = *chain;
        *chain = shader;
    }
    lock_release(&shaders->lock);
    if (!there)
        return shader;
    gpu_shader_release(shader);
    return there;
}

/* Makes a shader with a copy of its words, held once. Returns NULL if memory is out. */
static struct gpu_shader *shader_new(const struct gpu_request *request,
                                     const struct spirv_instrument_info *info, uint64_t key)
{
    struct gpu_shader *shader = mem_alloc(sizeof(*shader) + request->size);
    if (!shader)
        return NULL;
    uint32_t *words = (uint32_t *)(shader + 1);
    memcpy(words, request->words, request->size);
    *shader = (struct gpu_shader){.references = 1,
                                  .id = shader_key_id(key),
                                  .key = key,
                                  .stage = request->stage,
                                  .model = info->model,
                                  .checks = info->checks,
                                  .by_push = info->push_offset != SPIRV_NONE,
                                  .words = words,
                                  .word_count = (uint32_t)(request->size / sizeof(uint32_t))};
    return shader;
}

/* Returns the smaller of two counts. */
static uint32_t shader_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the bytes of shared memory that the stage may have; 0: unknown. */
static uint32_t most_shared(const struct device *device, uint32_t stage)
{
    const VkPhysicalDeviceMeshShaderPropertiesEXT *mesh = &device->extended.MeshShaderPropertiesEXT;
    if (stage == VK_SHADER_STAGE_COMPUTE_BIT)
        return device->properties.limits.maxComputeSharedMemorySize;
    if (stage == VK_SHADER_STAGE_TASK_BIT_EXT)
        return shader_least(mesh->maxTaskSharedMemorySize, mesh->maxTaskPayloadAndSharedMemorySize);
    return shader_least(mesh->maxMeshSharedMemorySize, mesh->maxMeshPayloadAndSharedMemorySize);
}

void gpu_shaders_tell(const struct call *call)
{
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    const char *why = atomic_load_explicit(&shaders->missed, memory_order_relaxed);
    if (why && !atomic_exchange_explicit(&shaders->told_missed, true, memory_order_relaxed))
        (void)finding_with_severity(call, SEVERITY_INFO, WARNING_GPU_Assisted_Validation, NULL,
                                    NULL,
                                    "Races in the shared memory of some shaders are not found "
                                    "(gpuav_shared_memory_data_race), or not all of them: %s. This "
                                    "is reported once",
                                    why);
}

/* Instruments the code and adds the shader. Its `instrumented` is NULL if the code needs no change.
 * Returns NULL if memory is out. */
static struct gpu_shader *shader_make(const struct call *call, const struct gpu_request *request,
                                      struct spirv_instrument_info *info, uint64_t key)
{
    struct spirv_module module;
    struct spirv_error error;
    struct spirv_instrumented result = {0};
    struct gpu_shader *shader = shader_new(request, info, key);
    if (!shader)
        return NULL;
    if (spirv_module_parse(&module, shader->words, shader->word_count, &error)) {
        info->library =
            spirv_uses_vulkan_memory_model(&module) ? &library_vulkan : &library_glsl450;
        info->shader = shader->id;
        if (spirv_instrument(&module, info, &result)) {
            shader->instrumented = result.words;
            shader->instrumented_count = result.word_count;
            shader->checked = result.checks;
            shader->sites = result.sites;
            shader->site_count = result.site_count;
            shader->fetches = result.fetches;
            shader->touches = result.touches;
            shader->aborts = result.aborts;
            if (info->checks & SPIRV_CHECK_PRINTF)
                gpu_check_formats(call, &module);
        }
        /* Code that was left unchanged is reported as well. */
        shader->unreachable = result.pointer_unreachable;
        if (result.shared_missed)
            atomic_store_explicit(&gpu_in_device(call->device)->shaders->missed,
                                  result.shared_missed, memory_order_relaxed);
        spirv_module_free(&module);
    }
    if (shader->instrumented) {
        gpu_debug_instrumented(call, shader);
        gpu_survive_shader(call->device, shader);
    }
    return shader_add(gpu_in_device(call->device)->shaders, shader);
}

/* Returns the program's specialization constants, in scratch memory. Entries beyond the data are
 * left out. NULL: there are none, or memory is out. */
static const struct spirv_abort_constant *constants_of(const VkSpecializationInfo *from,
                                                       uint32_t *count)
{
    const uint32_t most = from && from->pMapEntries ? from->mapEntryCount : 0;
    struct spirv_abort_constant *list =
        most ? scratch_alloc(&thread_self()->scratch, most * sizeof(*list)) : NULL;
    for (uint32_t i = 0; list && i < most; i++) {
        const VkSpecializationMapEntry *entry = &from->pMapEntries[i];
        if (entry->offset <= from->dataSize && entry->size <= from->dataSize - entry->offset)
            list[(*count)++] = (struct spirv_abort_constant){
                entry->constantID, (const unsigned char *)from->pData + entry->offset, entry->size};
    }
    return list;
}

/* Returns the shader for this request, with a reference for the caller. NULL: memory is out, the
 * entry point does not exist, or it is not selected. */
static struct gpu_shader *find_or_make(const struct call *call, const struct gpu_request *request,
                                       bool by_push)
{
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    const struct settings *settings = &call->instance->settings;
    const struct spirv_entry_point *entry =
        shader_entry(request->code, request->stage, request->entry);
    if (!entry || request->size % sizeof(uint32_t) ||
        /* Aborts work in all shaders, as the program asked for the extension. */
        (request->not_selected && !(shaders->checks & SPIRV_CHECK_ABORT)))
        return NULL;
    const VkPhysicalDeviceMeshShaderPropertiesEXT *mesh =
        &call->device->extended.MeshShaderPropertiesEXT;
    struct spirv_instrument_info info = {
        .entry = request->entry,
        .model = entry->model,
        .checks = request->not_selected ? shaders->checks & SPIRV_CHECK_ABORT : shaders->checks,
        .safe = settings->gpuav_safe_mode,
        .push_offset = by_push ? shaders->push_offset : SPIRV_NONE,
        .robust_uniform = request->robust_uniform,
        .robust_storage = request->robust_storage,
        .robust_vertex = request->robust_vertex,
        .null_descriptors = device_has_feature(call->device, FEATURE_nullDescriptor),
        .most_checks = settings->gpuav_debug_max_instrumentations_count,
        .later_from = CHECKS_AT_ONCE,
        .later_accesses = settings->gpuav_safe_mode ||
                          call->device->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
        .most_mesh_groups = {mesh->maxMeshWorkGroupCount[0], mesh->maxMeshWorkGroupCount[1],
                             mesh->maxMeshWorkGroupCount[2]},
        .most_mesh_groups_total = mesh->maxMeshWorkGroupTotalCount,
        .forbidden_ray_flags = request->forbidden_ray_flags,
        .most_shared = most_shared(call->device, request->stage),
    };
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    if (gpu_must_be_lowered(call->device, request->code))
        info.constants = constants_of(request->specialization, &info.constant_count);
    info.bindings = bindings_of(shaders, request, entry, &info.binding_count);
    uint64_t key = info.bindings ? shader_key(request, &info) : 0;
    struct gpu_shader *shader = NULL;
    if (key) {
        lock_take(&shaders->lock);
        shader = shader_look_up(shaders, key);
        /* Instrumentation takes long, so the lock is not held. Two threads may make the same
         * shader. */
        lock_release(&shaders->lock);
        if (!shader)
            shader = shader_make(call, request, &info, key);
    }
    scratch_rewind(scratch, mark);
    return shader;
}

bool gpu_must_be_lowered(const struct device *device, const struct shader *code)
{
    return emulated_lowers_shaders(device) && code && code->reflection &&
           (spirv_has_capability(code->reflection, SpvCapabilityAbortKHR) ||
            spirv_has_capability(code->reflection, SpvCapabilityConstantDataKHR));
}

struct gpu_shader *gpu_shader_acquire(const struct call *call, const struct gpu_request *request)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct gpu_shaders *shaders = gpu_in_device(call->device)->shaders;
    pthread_once(&once, read_libraries);
    if (!libraries_read || !atomic_load_explicit(&shaders->active, memory_order_relaxed))
        return NULL;
    struct gpu_shader *shader = request->by_push ? find_or_make(call, request, true) : NULL;
    /* Functions that take all of the push constants leave no place for the pointer: then it is a
     * specialization constant, and does not identify the command. */
    bool anonymous = (!request->by_push || (shader && shader->unreachable)) && shaders->anonymous;
    if (anonymous) {
        gpu_shader_release(shader);
        shader = find_or_make(call, request, false);
    }
    if (shader && shader->instrumented)
        return shader;
    gpu_shader_release(shader);
    return NULL;
}

void gpu_pipeline_free(struct gpu_pipeline *pipeline)
{
    if (!pipeline)
        return;
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        gpu_shader_release(pipeline->stages[i].shader);
        mem_free(pipeline->stages[i].module_name);
    }
    /* The memory is retired, as a thread that binds the pipeline may still read it. */
    mem_retire(pipeline);
}

void gpu_pipeline_add(struct gpu_pipeline *pipeline, struct gpu_stage stage,
                      const struct gpu_push *push)
{
    pipeline->stages[pipeline->stage_count++] = stage;
    pipeline->checks |= stage.shader->checks;
    pipeline->fetches |= stage.shader->fetches;
    if (!stage.shader->by_push)
        return;
    pipeline->push_stages |= stage.stage;
    pipeline->push = push;
}
