/* Declarations that the checks of acceleration structures share: their place in memory, the inputs
 * of builds, addresses. Threads: the calling thread. Fields of other objects are read as their own
 * comments allow. */
#ifndef ASSAY_CORE_RAYTRACING_ACCELERATION_STRUCTURE_H
#define ASSAY_CORE_RAYTRACING_ACCELERATION_STRUCTURE_H

#include "report/finding/rule.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/memory/formats.h"

/* The structure as the object of a finding. */
#define STRUCTURE_OBJECT(handle_) OBJECT(HANDLE_ACCELERATION_STRUCTURE_KHR, handle_)

/* A range of memory. `memory`: id of the memory, or of the buffer if that is sparse or not bound;
 * 0: not known. */
struct place {
    uint64_t memory;
    VkDeviceSize first, end;
};
/* The place of the structure's first `size` bytes, or of all of it if it is smaller. */
struct place structure_place(const struct acceleration_structure *structure, VkDeviceSize size);
struct place buffer_place(const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size);

static inline bool places_overlap(struct place a, struct place b)
{
    return a.memory && a.memory == b.memory && a.first < b.end && b.first < a.end;
}

/* True if the structure's buffer is bound to memory that exists, or that is not known. */
bool structure_is_backed(const struct acceleration_structure *structure);
/* Checks "must be fully backed by physical memory". `structure`: NULL: nothing is reported. */
bool structure_check_backed(const struct call *call, const struct acceleration_structure *structure,
                            enum rule rule, const struct location *where);
/* Checks "must be bound to host-visible device memory". */
bool structure_check_host_visible(const struct call *call,
                                  const struct acceleration_structure *structure, enum rule rule,
                                  const struct location *where);
/* Checks that the command's feature is enabled. */
bool check_structure_feature(struct call *call, enum rule rule, enum feature feature,
                             const char *name);

/* --- builds --- */

/* Numbers of primitives of each geometry: their maximum, or the ranges with the numbers. Both are
 * NULL if not known. */
struct build_counts {
    const uint32_t *most;
    const VkAccelerationStructureBuildRangeInfoKHR *ranges;
};
static inline uint32_t build_count(struct build_counts counts, uint32_t geometry)
{
    return counts.most     ? counts.most[geometry]
           : counts.ranges ? counts.ranges[geometry].primitiveCount
                           : 0;
}

/* Checks a VkAccelerationStructureBuildGeometryInfoKHR and its geometries
 * (core/raytracing/geometry.c). `s->where`: location of the info; mistakes are noted in `s`. */
void check_build_geometry_info(struct subject *s,
                               const VkAccelerationStructureBuildGeometryInfoKHR *info,
                               struct build_counts counts);
/* Checks the VkAccelerationStructureBuildRangeInfoKHR of a build. `where`: location of the
 * array. */
void check_build_ranges(struct subject *s, const VkAccelerationStructureBuildGeometryInfoKHR *info,
                        const VkAccelerationStructureBuildRangeInfoKHR *ranges,
                        const struct location *where);
/* Checks the alignment of the addresses of vertices, and micromaps, for a build on the device. */
void check_build_addresses(struct subject *s,
                           const VkAccelerationStructureBuildGeometryInfoKHR *info,
                           const VkAccelerationStructureBuildRangeInfoKHR *ranges);
/* Checks the indices of a triangle geometry that the host builds. `s->where` is the location of the
 * range. */
void check_host_indices(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry,
                        const VkAccelerationStructureBuildRangeInfoKHR *range);
/* Checks the instances of a geometry that the host builds. `infos` has `count` elements, and the
 * geometry belongs to infos[info]. `s->where` is the location of that info. */
void check_host_instances(struct subject *s,
                          const VkAccelerationStructureBuildGeometryInfoKHR *infos, uint32_t count,
                          uint32_t info, const VkAccelerationStructureGeometryKHR *geometry,
                          const VkAccelerationStructureBuildRangeInfoKHR *range);
/* Checks VK_KHR_opacity_micromap of a build on the device. `ranges`: the build's ranges; NULL: they
 * are not known. `s->where`: the geometry. */
void check_opacity(struct subject *s, VkBuildAccelerationStructureFlagsKHR flags,
                   const VkAccelerationStructureGeometryKHR *geometry,
                   const VkAccelerationStructureBuildRangeInfoKHR *range);
/* The alignment of vertices: "the size of the format ... if that format is a packed format, the
 * component size of the format if not"; 0: not known. */
static inline uint32_t build_vertex_alignment(VkFormat vertex_format)
{
    const struct format_info *format = format_info(vertex_format);
    return !format ? 0 : format->packed ? format->block_size : format_component_size(format);
}
/* Checks a geometry of VK_NV_ray_tracing_linear_swept_spheres; other geometries give no finding
 * (core/raytracing/spheres.c). */
void check_spheres(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry);

/* --- what a structure was built of (core/raytracing/update.c) --- */

/* Checks that the structure which a command uses has what the command requires. `info`: how the
 * structure was built by then; BUILD_UNKNOWN: nothing is reported. `where`: the place of a
 * finding. */
bool check_build_use(const struct call *call, const struct build_record *record,
                     const struct build_info *update, const struct build_info *info,
                     const struct location *where);
/* Does the same for a command that is being recorded, if this command buffer has built the
 * structure. */
bool check_recorded_use(const struct call *call, const struct build_record *record,
                        const struct build_info *update, const struct location *where);
struct created_micromap;
/* Checks that a micromap which a command reads was built. If record->argument is not 0, its build
 * must also have allowed compaction. Nothing is reported if `micromap` is NULL. */
bool micromap_check_use(const struct call *call, const struct build_record *record,
                        const struct created_micromap *micromap, const struct location *where);

#endif
