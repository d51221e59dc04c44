/* Acceleration structures (12.3 "Acceleration Structures", 37 "Acceleration Structures"): how they
 * were created, and what they were built of. It also says what the commands of a command buffer
 * will make of that when they are executed. */
#ifndef ASSAY_STATE_ACCELERATION_STRUCTURE_H
#define ASSAY_STATE_ACCELERATION_STRUCTURE_H

#include "base/lock.h"
#include "state/command/command_buffer.h"

/* The geometry that an update must have in common with the build that it updates. */
struct built_geometry {
    VkGeometryTypeKHR type;
    VkGeometryFlagsKHR flags;
    VkFormat vertex_format; /* this and what follows: of triangles */
    uint32_t max_vertex;
    VkIndexType index_type;
    bool has_transform;
    bool has_opacity;                    /* VkAccelerationStructureTrianglesOpacityMicromapKHR */
    VkAccelerationStructureKHR micromap; /* of that */
    uint32_t primitive_count;            /* 0 where `counts_known` is false */
};

enum build_content {
    BUILD_UNKNOWN, /* deserialized, or it is not known what ran when */
    BUILD_NOTHING, /* never built */
    BUILD_DONE,
};

struct build_info {
    enum build_content content;
    VkAccelerationStructureTypeKHR type;
    VkBuildAccelerationStructureFlagsKHR flags;
    bool counts_known;     /* not of an indirect build */
    bool geometries_known; /* false where there were too many, or memory was out */
    uint32_t geometry_count;
    const struct built_geometry *geometries; /* of the owner of the info */
};

/* Threads: const, but for the address and the build. The build changes in the order of
 * submission. */
struct acceleration_structure {
    struct object_state base;
    VkAccelerationStructureTypeKHR type;
    VkAccelerationStructureCreateFlagsKHR flags;
    uint64_t buffer; /* id: the buffer may be destroyed before */
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

/* Threads: const, but for the memory, which is bound once. */
struct acceleration_structure_nv {
    struct object_state base;
    VkAccelerationStructureTypeNV type;
    VkBuildAccelerationStructureFlagsNV flags;
    uint32_t instance_count, geometry_count;
    bool compacted;  /* compactedSize was given: it is what another one is copied into */
    uint64_t memory; /* id; 0: not bound */
    VkDeviceSize offset;
    /* scratch memory of a build and of an update, plus 1, as the driver says; 0: not asked yet.
     * Relaxed */
    _Atomic VkDeviceSize scratch[2];
};
STATE_FINDERS(acceleration_structure_nv, VkAccelerationStructureNV,
              HANDLE_ACCELERATION_STRUCTURE_NV)

/* Geometries of one structure that are remembered. */
#define BUILT_GEOMETRIES 4096

/* A copy, with the geometries in the calling thread's scratch memory (none where that is out).
 * Threads: any. */
struct build_info acceleration_structure_build(struct acceleration_structure *structure);

/* Geometry `i` of a build, by either of the two arrays; NULL where there is none. */
const VkAccelerationStructureGeometryKHR *
build_geometry(const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t i);
/* The form in which a build is remembered; `ranges` NULL: not known. The geometries go to
 * `geometries`, of which there are info->geometryCount. NULL: memory is out, and they are not
 * known. */
struct build_info build_info_of(const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                const VkAccelerationStructureBuildRangeInfoKHR *ranges,
                                struct built_geometry *geometries);

enum build_action {
    BUILD_ACTION_BUILD,
    BUILD_ACTION_UPDATE,
    BUILD_ACTION_COPY,        /* clone or compact */
    BUILD_ACTION_SERIALIZE,   /* reads `source` */
    BUILD_ACTION_DESERIALIZE, /* `target` is then built of something unknown */
    BUILD_ACTION_QUERY,       /* reads `source` */
};

/* One recorded command, or one element of it. */
struct build_record {
    enum command command; /* as the program spelt it */
    enum build_action action;
    uint64_t target, source; /* ids; 0 = none */
    /* VkCopyAccelerationStructureModeKHR of a copy, VkQueryType of a query */
    uint32_t argument;
    uint32_t first_geometry;
    /* for a build or update; its geometries are in command_buffer_builds, from `first_geometry`
     * on */
    struct build_info build;
};

/* Threads: as the command buffer that owns it. All arrays are kept over resets. */
struct command_buffer_builds {
    struct build_record *records;
    uint32_t count, capacity;
    struct built_geometry *geometries;
    uint32_t geometry_count, geometry_capacity;
    /* by id of the target: 1 + the index of the last record that writes it; an open-addressing
     * table of a power of two */
    uint32_t *last;
    uint32_t last_capacity, last_count;
    bool incomplete; /* memory was out: nothing can be said of the structures after the commands */
};

/* The last command so far that writes the structure; NULL: none. */
const struct build_record *command_buffer_build(const struct command_buffer *command_buffer,
                                                uint64_t structure);
/* Gives the structure's build after the recorded commands, as far as they say. False: the commands
 * do not touch the structure, and submissions decide. */
bool command_buffer_build_info(const struct command_buffer *command_buffer, uint64_t structure,
                               struct build_info *info);
/* The build of a record of this command buffer, with its geometries. */
struct build_info build_record_info(const struct command_buffer_builds *builds,
                                    const struct build_record *record);

void command_buffer_reset_builds(struct command_buffer *command_buffer);
/* The command buffer is submitted; `unknown`: it is not known when it will run. */
void command_buffer_submit_builds(const struct command_buffer *command_buffer, bool unknown);

/* Asks the driver what a build takes; false where it cannot be asked (extensions that the layer
 * does not follow, memory out). `counts`: primitives of each geometry. Cold. */
bool build_sizes(const struct device *device,
                 const VkAccelerationStructureBuildGeometryInfoKHR *info,
                 VkAccelerationStructureBuildTypeKHR type, const uint32_t *counts,
                 VkAccelerationStructureBuildSizesInfoKHR *sizes) MUST_CHECK;

#endif
