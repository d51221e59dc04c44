/* The state of acceleration structures (12.3 "Acceleration Structures", 37 "Acceleration
 * Structures"): how they were created and built. It also has the builds that the commands of a
 * command buffer will do when they execute. */
#ifndef ASSAY_STATE_ACCELERATION_STRUCTURE_H
#define ASSAY_STATE_ACCELERATION_STRUCTURE_H

#include "base/lock.h"
#include "state/command/command_buffer.h"

/* The properties of a geometry that an update and the build before it must have in common. */
struct built_geometry {
    VkGeometryTypeKHR type;
    VkGeometryFlagsKHR flags;
    VkFormat vertex_format; /* this member and the following ones: for triangles */
    uint32_t max_vertex;
    VkIndexType index_type;
    bool has_transform;
    bool has_opacity;                    /* VkAccelerationStructureTrianglesOpacityMicromapKHR */
    VkAccelerationStructureKHR micromap; /* from that structure */
    uint32_t primitive_count;            /* 0 if `counts_known` is false */
};

enum build_content {
    BUILD_UNKNOWN, /* deserialized, or the order of execution is not known */
    BUILD_NOTHING, /* never built */
    BUILD_DONE,
};

struct build_info {
    enum build_content content;
    VkAccelerationStructureTypeKHR type;
    VkBuildAccelerationStructureFlagsKHR flags;
    bool counts_known;     /* false for an indirect build */
    bool geometries_known; /* false if there were too many, or memory ran out */
    uint32_t geometry_count;
    const struct built_geometry *geometries; /* the owner of the info owns them */
};

/* Threads: const, except for the build, which changes in the order of submissions. */
struct acceleration_structure {
    struct object_state base;
    VkAccelerationStructureTypeKHR type;
    VkAccelerationStructureCreateFlagsKHR flags;
    uint64_t buffer; /* id; the buffer may be destroyed earlier */
    VkDeviceSize offset, size;
    bool by_address; /* created by vkCreateAccelerationStructure2KHR; `buffer` has the address */
    AREA_ROOM(8);
    struct lock lock;
    struct build_info build GUARDED_BY(lock);
    struct built_geometry *geometries GUARDED_BY(lock); /* owned */
    uint32_t geometry_capacity GUARDED_BY(lock);
};
STATE_FINDERS(acceleration_structure, VkAccelerationStructureKHR, HANDLE_ACCELERATION_STRUCTURE_KHR)
void acceleration_structure_destroy(struct acceleration_structure *structure);

/* Threads: const, except for the memory, which is bound once. */
struct acceleration_structure_nv {
    struct object_state base;
    VkAccelerationStructureTypeNV type;
    VkBuildAccelerationStructureFlagsNV flags;
    uint32_t instance_count, geometry_count;
    bool compacted;  /* compactedSize was given: another structure is to be copied into it */
    uint64_t memory; /* id; 0: not bound */
    VkDeviceSize offset;
    /* 1 + size of the scratch memory for a build [0] and an update [1], as the driver reports it;
     * 0: not queried yet. Relaxed */
    _Atomic VkDeviceSize scratch[2];
};
STATE_FINDERS(acceleration_structure_nv, VkAccelerationStructureNV,
              HANDLE_ACCELERATION_STRUCTURE_NV)

/* The most geometries of one structure that are kept. */
#define BUILT_GEOMETRIES 4096

/* A copy of the build. Its geometries are in the calling thread's scratch memory, or unknown if
 * that ran out. Threads: any. */
struct build_info acceleration_structure_build(struct acceleration_structure *structure);

/* Geometry `i` of a build, from either of the two arrays; NULL: there is none. */
const VkAccelerationStructureGeometryKHR *
build_geometry(const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t i);
/* The form in which a build is kept. `ranges`: NULL if not known. `geometries`: room for
 * info->geometryCount geometries; NULL: memory ran out, and they are not known. */
struct build_info build_info_of(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                const VkAccelerationStructureBuildRangeInfoKHR *ranges,
                                struct built_geometry *geometries);

enum build_action {
    BUILD_ACTION_BUILD,
    BUILD_ACTION_UPDATE,
    BUILD_ACTION_COPY,        /* clone or compact */
    BUILD_ACTION_SERIALIZE,   /* reads `source` */
    BUILD_ACTION_DESERIALIZE, /* the build of `target` is then unknown */
    BUILD_ACTION_QUERY,       /* reads `source` */
    BUILD_ACTION_GEOMETRY,    /* a build; `source` is the micromap of a geometry */
    BUILD_ACTION_MICROMAP,    /* reads a VkMicromapEXT, whose id is `source` */
};

/* One recorded command, or one element of it. */
struct build_record {
    enum command command; /* as the program called it */
    enum build_action action;
    uint64_t target, source; /* ids; 0: none */
    /* VkCopyAccelerationStructureModeKHR for a copy, VkQueryType for a query */
    uint32_t argument;
    uint32_t first_geometry;
    /* for a build or update; its geometries are in command_buffer_builds, from `first_geometry`
     * on */
    struct build_info build;
};

/* Threads: those of the command buffer that owns it. All arrays are kept over resets. */
struct command_buffer_builds {
    struct build_record *records;
    uint32_t count, capacity;
    struct built_geometry *geometries;
    uint32_t geometry_count, geometry_capacity;
    /* by id of the target: 1 + the index of the last record that writes it. Open addressing; the
     * capacity is a power of two */
    uint32_t *last;
    uint32_t last_capacity, last_count;
    bool incomplete; /* memory ran out: the structures' builds after the commands are not known */
};

/* The last command so far that writes the structure; NULL: there is none. */
const struct build_record *command_buffer_build(const struct command_buffer *command_buffer,
                                                uint64_t structure);
/* Finds the structure's build after the recorded commands, as far as it is known. False: the
 * commands do not write the structure, and its build is that of submitted work. */
bool command_buffer_build_info(const struct command_buffer *command_buffer, uint64_t structure,
                               struct build_info *info);
/* The build of a record of this command buffer, with its geometries. */
struct build_info build_record_info(const struct command_buffer_builds *builds,
                                    const struct build_record *record);

/* Notes that the call's command reads a VkMicromapEXT. `compacts`: it must have been built with
 * VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT. */
void record_micromap_use(const struct call *call, VkMicromapEXT micromap, bool compacts);
void command_buffer_reset_builds(struct command_buffer *command_buffer);
/* Notes that the command buffer is submitted. `unknown`: it is not known when it will execute. */
void command_buffer_submit_builds(const struct command_buffer *command_buffer, bool unknown);

/* Queries the driver for the sizes that a build needs. False: it cannot be queried (extensions that
 * the layer does not support, or out of memory). `counts`: primitives of each geometry. Cold. */
bool build_sizes(const struct device *device,
                 const VkAccelerationStructureBuildGeometryInfoKHR *info,
                 VkAccelerationStructureBuildTypeKHR type, const uint32_t *counts,
                 VkAccelerationStructureBuildSizesInfoKHR *sizes) MUST_CHECK;

#endif
