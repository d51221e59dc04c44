/* Tracks how acceleration structures are created and built. Builds take effect when their command
 * buffer is submitted; before that they are records of the command buffer. */
#include "state/raytracing/acceleration_structure.h"

#include <string.h>

#include "base/plain_atomic.h"
#include "base/thread.h"
#include "state/memory/buffer.h"
#include "state/memory/device_address.h"
#include "state/hooks.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* --- geometries --- */

const VkAccelerationStructureGeometryKHR *
build_geometry(const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t i)
{
    assert(info && i < info->geometryCount);
    if (!pointer_is_bad(info->pGeometries))
        return &info->pGeometries[i];
    const VkAccelerationStructureGeometryKHR *geometry =
        pointer_is_bad(info->ppGeometries) ? NULL : info->ppGeometries[i];
    return pointer_is_bad(geometry) ? NULL : geometry;
}

/* The properties of a geometry that updates must match. */
static struct built_geometry geometry_of(const VkAccelerationStructureGeometryKHR *geometry)
{
    assert(geometry);
    struct built_geometry built = {.type = geometry->geometryType, .flags = geometry->flags};
    if (geometry->geometryType != VK_GEOMETRY_TYPE_TRIANGLES_KHR)
        return built;
    const VkAccelerationStructureGeometryTrianglesDataKHR *triangles =
        &geometry->geometry.triangles;
    built.vertex_format = triangles->vertexFormat;
    built.max_vertex = triangles->maxVertex;
    built.index_type = triangles->indexType;
    /* Only whether it is NULL must be the same in an update. */
    built.has_transform = triangles->transformData.deviceAddress != 0;
    const VkAccelerationStructureTrianglesOpacityMicromapKHR *opacity =
        chain_find(triangles->pNext,
                   VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR);
    built.has_opacity = opacity != NULL;
    built.micromap = opacity ? opacity->micromap : VK_NULL_HANDLE;
    return built;
}

struct build_info build_info_of(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                const VkAccelerationStructureBuildRangeInfoKHR *ranges,
                                struct built_geometry *geometries)
{
    assert(info);
    struct build_info build = {.content = BUILD_DONE,
                               .type = info->type,
                               .flags = info->flags,
                               .counts_known = ranges != NULL,
                               .geometries_known = geometries != NULL,
                               .geometry_count = info->geometryCount,
                               .geometries = geometries};
    for (uint32_t i = 0; geometries && i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        geometries[i] = geometry ? geometry_of(geometry) : (struct built_geometry){0};
        /* Indirect builds have their counts in a buffer. */
        geometries[i].primitive_count = ranges ? ranges[i].primitiveCount : 0;
    }
    return build;
}

/* True if the driver can be queried about a build. It must consist of the plain structures of the
 * registry: chains would have to be translated, and unknown values must not reach the driver. */
static bool may_ask(const VkAccelerationStructureBuildGeometryInfoKHR *info)
{
    if (info->pNext || !info->geometryCount)
        return false;
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (!geometry || geometry->pNext)
            return false;
        bool triangles = geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR;
        if ((triangles && geometry->geometry.triangles.pNext) ||
            (!triangles && geometry->geometryType != VK_GEOMETRY_TYPE_AABBS_KHR &&
             geometry->geometryType != VK_GEOMETRY_TYPE_INSTANCES_KHR))
            return false;
    }
    return true;
}

bool build_sizes(const struct device *device,
                 const VkAccelerationStructureBuildGeometryInfoKHR *info,
                 VkAccelerationStructureBuildTypeKHR type, const uint32_t *counts,
                 VkAccelerationStructureBuildSizesInfoKHR *sizes)
{
    assert(info && counts && sizes);
    if (!device->dispatch.GetAccelerationStructureBuildSizesKHR || !may_ask(info))
        return false;
    VkAccelerationStructureBuildGeometryInfoKHR asked = *info;
    asked.srcAccelerationStructure = asked.dstAccelerationStructure =
        VK_NULL_HANDLE; /* "are ignored" */
    *sizes = (VkAccelerationStructureBuildSizesInfoKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    device->dispatch.GetAccelerationStructureBuildSizesKHR(device->handle, type, &asked, counts,
                                                           sizes);
    return true;
}

/* --- structures --- */

/* Allocates the state of an acceleration structure. `by_address`: the buffer was found by its
 * address. */
static void add_structure(const struct call *call, VkAccelerationStructureKHR handle,
                          VkAccelerationStructureTypeKHR type,
                          VkAccelerationStructureCreateFlagsKHR flags, const struct buffer *buffer,
                          VkDeviceSize offset, VkDeviceSize size, bool by_address)
{
    struct object *object =
        created_object(call, (uint64_t)handle, HANDLE_ACCELERATION_STRUCTURE_KHR);
    struct acceleration_structure *structure = object_state_new(object, sizeof(*structure));
    if (!structure)
        return;
    structure->type = type;
    structure->flags = flags;
    structure->buffer = buffer ? object_state_id(&buffer->base) : 0;
    /* Destroying the buffer affects draws. */
    object_described(structure->buffer);
    structure->offset = offset;
    structure->size = size;
    structure->by_address = by_address;
    lock_init(&structure->lock);
    lock_unneeded(&structure->lock);
    structure->build.content = BUILD_NOTHING;
    object_state_publish(object, structure);
}

void state_after_CreateAccelerationStructureKHR(struct call *call, VkDevice device,
                                                const VkAccelerationStructureCreateInfoKHR
                                                    *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkAccelerationStructureKHR *pAccelerationStructure)
{
    add_structure(call, *pAccelerationStructure, pCreateInfo->type, pCreateInfo->createFlags,
                  find_buffer(call, pCreateInfo->buffer), pCreateInfo->offset, pCreateInfo->size,
                  false);
}

/* If several buffers have the address, any of them is taken, as they share the memory. */
void state_after_CreateAccelerationStructure2KHR(struct call *call, VkDevice device,
                                                 const VkAccelerationStructureCreateInfo2KHR
                                                     *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkAccelerationStructureKHR *pAccelerationStructure)
{
    const VkDeviceAddressRangeKHR *range = &pCreateInfo->addressRange;
    struct address_search found =
        device_address_find(call->device, range->address, range->size,
                            VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    const struct buffer *buffer = found.match == ADDRESS_FOUND ? found.buffer : NULL;
    add_structure(call, *pAccelerationStructure, pCreateInfo->type, pCreateInfo->createFlags,
                  buffer, buffer ? buffer->size - found.rest : 0, range->size, true);
}

void acceleration_structure_destroy(struct acceleration_structure *structure)
{
    if (!structure)
        return;
    lock_unneeded(&structure->lock);
    mem_retire(structure->geometries);
    mem_retire(structure);
}

/* Makes room for `count` geometries. False: out of memory. */
static bool structure_reserve(struct acceleration_structure *structure, uint32_t count)
    REQUIRES(structure->lock)
{
    assert(structure->geometries || !structure->geometry_capacity);
    if (count <= structure->geometry_capacity)
        return true;
    struct built_geometry *geometries = mem_alloc(count * sizeof(*geometries));
    if (!geometries)
        return false;
    mem_retire(structure->geometries);
    structure->geometries = geometries;
    structure->geometry_capacity = count;
    return true;
}

/* Notes the last build of the structure. If memory runs out, its geometries are not known. */
static void set_build(struct acceleration_structure *structure, const struct build_info *info)
{
    assert(structure && info);
    lock_take(&structure->lock);
    bool known = info->geometries_known && structure_reserve(structure, info->geometry_count);
    if (known && info->geometry_count)
        memmove(structure->geometries, info->geometries,
                info->geometry_count * sizeof(*info->geometries));
    structure->build = *info;
    structure->build.geometries_known = known;
    structure->build.geometries = NULL;
    lock_release(&structure->lock);
}

struct build_info acceleration_structure_build(struct acceleration_structure *structure)
{
    assert(structure);
    lock_take(&structure->lock);
    struct build_info info = structure->build;
    if (info.geometries_known && info.geometry_count) {
        size_t size = info.geometry_count * sizeof(*info.geometries);
        /* A copy, as a submission may replace the geometries once the lock is released. */
        struct built_geometry *copy = scratch_alloc(&thread_self()->scratch, size);
        if (copy)
            memcpy(copy, structure->geometries, size);
        info.geometries = copy;
        info.geometries_known = copy != NULL;
    }
    lock_release(&structure->lock);
    return info;
}

static const struct build_info unknown_build = {.content = BUILD_UNKNOWN};

/* --- on the host: at once --- */

/* Notes a build on the host. Its geometries are in scratch memory, which the next call reuses. */
static void built_on_host(const struct call *call,
                          const VkAccelerationStructureBuildGeometryInfoKHR *info,
                          const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    struct acceleration_structure *structure =
        find_acceleration_structure(call, info->dstAccelerationStructure);
    if (!structure)
        return;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    struct built_geometry *geometries =
        info->geometryCount <= BUILT_GEOMETRIES
            ? scratch_alloc(scratch, (info->geometryCount + 1) * sizeof(*geometries))
            : NULL;
    struct build_info build = build_info_of(info, ranges, geometries);
    /* A deferred build may still fail. */
    set_build(structure, call->result == VK_OPERATION_DEFERRED_KHR ? &unknown_build : &build);
    scratch_rewind(scratch, mark);
}

void state_after_BuildAccelerationStructuresKHR(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    uint32_t infoCount, const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    if (call->result < VK_SUCCESS)
        return;
    for (uint32_t i = 0; i < infoCount; i++)
        built_on_host(call, &pInfos[i],
                      pointer_is_bad(ppBuildRangeInfos[i]) ? NULL : ppBuildRangeInfos[i]);
}

void state_after_CopyAccelerationStructureKHR(struct call *call, VkDevice device,
                                              VkDeferredOperationKHR deferredOperation,
                                              const VkCopyAccelerationStructureInfoKHR *pInfo)
{
    struct acceleration_structure *source = find_acceleration_structure(call, pInfo->src);
    struct acceleration_structure *target = find_acceleration_structure(call, pInfo->dst);
    if (call->result < VK_SUCCESS || !target)
        return;
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct build_info build = source && call->result != VK_OPERATION_DEFERRED_KHR
                                  ? acceleration_structure_build(source)
                                  : unknown_build;
    set_build(target, &build);
    scratch_rewind(&thread_self()->scratch, mark);
}

void state_after_CopyMemoryToAccelerationStructureKHR(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    struct acceleration_structure *target = find_acceleration_structure(call, pInfo->dst);
    if (call->result >= VK_SUCCESS && target)
        set_build(target, &unknown_build);
}

/* --- recorded --- */

/* The slot of the structure's last build in the command buffer, or the free slot where it would be
 * inserted. */
static uint32_t builds_slot(const struct command_buffer_builds *builds, uint64_t structure)
{
    uint32_t mask = plain_load_acquire(&builds->last_capacity) - 1;
    const uint32_t *last = plain_load_acquire(&builds->last);
    const struct build_record *records = builds->records;
    uint32_t at = object_index(structure) & mask;
    while (last[at] && records[last[at] - 1].target != structure)
        at = (at + 1) & mask;
    return at;
}

const struct build_record *command_buffer_build(const struct command_buffer *command_buffer,
                                                uint64_t structure)
{
    const struct command_buffer_builds *builds = command_buffer->builds;
    if (!builds || !builds->count || !structure)
        return NULL;
    uint32_t index = builds->last[builds_slot(builds, structure)];
    return index ? &builds->records[index - 1] : NULL;
}

struct build_info build_record_info(const struct command_buffer_builds *builds,
                                    const struct build_record *record)
{
    assert(builds && record);
    struct build_info info = record->build;
    info.geometries = builds->geometries + record->first_geometry;
    return info;
}

/* A copy leads back to its source. Chains of more than a few copies are not followed. */
bool command_buffer_build_info(const struct command_buffer *command_buffer, uint64_t structure,
                               struct build_info *info)
{
    assert(command_buffer && info);
    const struct build_record *record = command_buffer_build(command_buffer, structure);
    *info = unknown_build;
    if (!record)
        return false;
    if (record->action == BUILD_ACTION_BUILD || record->action == BUILD_ACTION_UPDATE)
        *info = build_record_info(command_buffer->builds, record);
    return true;
}

/* Doubles the room for builds. False: out of memory. */
static bool grow_records(struct command_buffer_builds *builds)
{
    mem_growth_lock(); /* mem_grow() explains it */
    uint32_t had = builds->capacity, count = builds->count < had ? builds->count : had;
    uint32_t capacity = had ? had * 2 : 16;
    struct build_record *records = mem_alloc_lines_zeroed(capacity * sizeof(*records)),
                        *old_records = builds->records;
    uint32_t *last = mem_alloc_lines_zeroed(capacity * 2 * sizeof(*last)), *old_last = builds->last;
    bool grown = records && last;
    if (grown) {
        if (count)
            memcpy(records, old_records, count * sizeof(*records));
        plain_store_release(&builds->records, records);
        plain_store_release(&builds->last, last);
        plain_store_release(&builds->last_capacity, capacity * 2);
        plain_store_release(&builds->capacity, capacity);
        for (uint32_t i = 0; i < count; i++) {
            if (records[i].target)
                last[builds_slot(builds, records[i].target)] = i + 1;
        }
    }
    mem_retire(grown ? old_records : records);
    mem_retire(grown ? old_last : last);
    mem_growth_unlock();
    return grown;
}

/* Makes room for `count` more geometries. NULL: there are too many, or memory ran out. */
static struct built_geometry *take_geometries(struct command_buffer_builds *builds, uint32_t count)
{
    const uint32_t at = builds->geometry_count;
    if (count > BUILT_GEOMETRIES || at > UINT32_MAX / 4)
        return NULL;
    if (at + count > plain_load_acquire(&builds->geometry_capacity) &&
        !mem_grow(&builds->geometries, &builds->geometry_capacity, at, (at + count) * 2,
                  sizeof(*builds->geometries)))
        return NULL;
    builds->geometry_count = at + count;
    return builds->geometries + at;
}

/* The command buffer's list of builds, which is allocated if necessary; NULL: out of memory. */
static struct command_buffer_builds *make_builds(struct command_buffer *command_buffer)
{
    struct command_buffer_builds *builds = command_buffer->builds;
    return builds ? builds : mem_make(&command_buffer->builds, NULL, sizeof(*builds));
}

/* Adds a build. If memory runs out, the list becomes incomplete, and is not used for reports. */
static void builds_append(struct command_buffer_builds *builds, const struct build_record *record)
{
    assert(builds && record);
    const uint32_t at = builds->count;
    if (at >= plain_load_acquire(&builds->capacity) && !grow_records(builds)) {
        builds->incomplete = true;
        return;
    }
    builds->records[at] = *record;
    builds->count = at + 1;
    if (record->target)
        builds->last[builds_slot(builds, record->target)] = at + 1;
}

void command_buffer_reset_builds(struct command_buffer *command_buffer)
{
    struct command_buffer_builds *builds = command_buffer->builds;
    if (!builds || (!builds->count && !builds->incomplete))
        return;
    if (builds->last_capacity)
        memset(builds->last, 0, builds->last_capacity * sizeof(*builds->last));
    builds->count = builds->geometry_count = 0;
    builds->incomplete = false;
}

/* The id of a structure; 0: it is not known. */
static uint64_t structure_object_id(const struct call *call, VkAccelerationStructureKHR handle)
{
    const struct object *object =
        call_find(call, (uint64_t)handle, HANDLE_ACCELERATION_STRUCTURE_KHR);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* Notes that the call's command buffer uses the structure, and returns its id; 0: not known. */
static uint64_t structure_use(const struct call *call, struct command_buffer *command_buffer,
                              VkAccelerationStructureKHR handle)
{
    struct object *object = call_find(call, (uint64_t)handle, HANDLE_ACCELERATION_STRUCTURE_KHR);
    if (!object)
        return 0;
    command_buffer_uses(command_buffer, object);
    return structure_object_id(call, handle);
}

void record_micromap_use(const struct call *call, VkMicromapEXT micromap, bool compacts)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const struct object *object = call_find(call, (uint64_t)micromap, HANDLE_MICROMAP_EXT);
    struct command_buffer_builds *builds =
        command_buffer && object ? make_builds(command_buffer) : NULL;
    if (!builds)
        return;
    const struct build_record record = {.command = call->command,
                                        .action = BUILD_ACTION_MICROMAP,
                                        .source =
                                            atomic_load_explicit(&object->id, memory_order_relaxed),
                                        .argument = compacts};
    builds_append(builds, &record);
}

/* Records which micromaps a build reads. */
static void record_micromaps(const struct call *call, struct command_buffer_builds *builds,
                             const VkAccelerationStructureBuildGeometryInfoKHR *info)
{
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (!geometry || geometry->geometryType != VK_GEOMETRY_TYPE_TRIANGLES_KHR)
            continue;
        const void *chain = geometry->geometry.triangles.pNext;
        const VkAccelerationStructureTrianglesOpacityMicromapEXT *first =
            chain_find(chain,
                       VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_EXT);
        const VkAccelerationStructureTrianglesOpacityMicromapKHR *second =
            chain_find(chain,
                       VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR);
        if (first && first->micromap)
            record_micromap_use(call, first->micromap, false);
        const struct build_record record = {
            .command = call->command,
            .action = BUILD_ACTION_GEOMETRY,
            .source = second ? structure_object_id(call, second->micromap) : 0};
        if (record.source)
            builds_append(builds, &record);
    }
}

/* Records a build or update. `ranges`: NULL if not known. */
static void record_build(const struct call *call,
                         const VkAccelerationStructureBuildGeometryInfoKHR *info,
                         const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_builds *builds = command_buffer ? make_builds(command_buffer) : NULL;
    if (!builds)
        return;
    bool update = info->mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    struct build_record record = {
        .command = call->command,
        .action = update ? BUILD_ACTION_UPDATE : BUILD_ACTION_BUILD,
        .target = structure_use(call, command_buffer, info->dstAccelerationStructure),
        .source = update ? structure_use(call, command_buffer, info->srcAccelerationStructure) : 0};
    /* Read before take_geometries(), which increments it. */
    record.first_geometry = builds->geometry_count;
    record.build = build_info_of(info, ranges, take_geometries(builds, info->geometryCount));
    builds_append(builds, &record);
    if (extension_set_has(&call->device->extensions, EXTENSION_VK_EXT_opacity_micromap) ||
        extension_set_has(&call->device->extensions, EXTENSION_VK_KHR_opacity_micromap))
        record_micromaps(call, builds, info);
}

void state_after_CmdBuildAccelerationStructuresKHR(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    for (uint32_t i = 0; i < infoCount; i++)
        record_build(call, &pInfos[i],
                     pointer_is_bad(ppBuildRangeInfos[i]) ? NULL : ppBuildRangeInfos[i]);
}

void state_after_CmdBuildAccelerationStructuresIndirectKHR(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkDeviceAddress *pIndirectDeviceAddresses, const uint32_t *pIndirectStrides,
    const uint32_t *const *ppMaxPrimitiveCounts)
{
    for (uint32_t i = 0; i < infoCount; i++)
        record_build(call, &pInfos[i], NULL);
}

/* Adds a command that uses structures to the list. `argument`: build_record::argument. */
static void record_use(const struct call *call, enum build_action action,
                       VkAccelerationStructureKHR target, VkAccelerationStructureKHR source,
                       uint32_t argument)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_builds *builds = command_buffer ? make_builds(command_buffer) : NULL;
    if (!builds)
        return;
    struct build_record record = {.command = call->command,
                                  .action = action,
                                  .argument = argument,
                                  .target = structure_use(call, command_buffer, target),
                                  .source = structure_use(call, command_buffer, source)};
    builds_append(builds, &record);
}

void state_after_CmdCopyAccelerationStructureKHR(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkCopyAccelerationStructureInfoKHR *pInfo)
{
    record_use(call, BUILD_ACTION_COPY, pInfo->dst, pInfo->src, (uint32_t)pInfo->mode);
}

void state_after_CmdCopyAccelerationStructureToMemoryKHR(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    record_use(call, BUILD_ACTION_SERIALIZE, VK_NULL_HANDLE, pInfo->src, 0);
}

void state_after_CmdCopyMemoryToAccelerationStructureKHR(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    record_use(call, BUILD_ACTION_DESERIALIZE, pInfo->dst, VK_NULL_HANDLE, 0);
}

void state_after_CmdWriteAccelerationStructuresPropertiesKHR(struct call *call,
                                                             VkCommandBuffer commandBuffer,
                                                             uint32_t accelerationStructureCount,
                                                             const VkAccelerationStructureKHR
                                                                 *pAccelerationStructures,
                                                             VkQueryType queryType,
                                                             VkQueryPool queryPool,
                                                             uint32_t firstQuery)
{
    for (uint32_t i = 0; i < accelerationStructureCount; i++)
        record_use(call, BUILD_ACTION_QUERY, VK_NULL_HANDLE, pAccelerationStructures[i],
                   (uint32_t)queryType);
}

/* Adds the builds of secondaries to the primary. */
void state_after_CmdExecuteCommands_builds(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t commandBufferCount,
                                           const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        const struct command_buffer_builds *theirs = secondary ? secondary->builds : NULL;
        struct command_buffer_builds *ours = theirs && theirs->count ? make_builds(primary) : NULL;
        for (uint32_t k = 0; ours && theirs != ours && k < theirs->count; k++) {
            struct build_record record = theirs->records[k];
            uint32_t count = record.build.geometries_known ? record.build.geometry_count : 0;
            struct built_geometry *geometries = take_geometries(ours, count);
            record.build.geometries_known = geometries != NULL;
            if (geometries && count)
                memcpy(geometries, theirs->geometries + record.first_geometry,
                       count * sizeof(*geometries));
            /* take_geometries() has already increased the count. */
            record.first_geometry = ours->geometry_count - (geometries ? count : 0);
            builds_append(ours, &record);
        }
    }
}

/* --- submitted --- */

/* Applies a submitted command to its target structure. `unknown`: its build is not known
 * afterwards. */
static void builds_apply(const struct command_buffer_builds *builds,
                         const struct build_record *record, bool unknown)
{
    assert(builds && record->target);
    struct acceleration_structure *target = acceleration_structure_by_id(record->target);
    if (!target)
        return;
    struct acceleration_structure *source = acceleration_structure_by_id(record->source);
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    /* Also for deserialized structures, and for copies of a destroyed structure. */
    struct build_info info = unknown_build;
    if (!unknown && (record->action == BUILD_ACTION_BUILD || record->action == BUILD_ACTION_UPDATE))
        info = build_record_info(builds, record);
    else if (!unknown && record->action == BUILD_ACTION_COPY && source)
        info = acceleration_structure_build(source);
    set_build(target, &info);
    scratch_rewind(&thread_self()->scratch, mark);
}

void command_buffer_submit_builds(const struct command_buffer *command_buffer, bool unknown)
{
    assert(command_buffer->builds);
    const struct command_buffer_builds *builds = command_buffer->builds;
    for (uint32_t i = 0; i < builds->count; i++) {
        if (builds->records[i].target)
            builds_apply(builds, &builds->records[i], unknown || builds->incomplete);
    }
}
