/* Tracks how objects were created that have no other state. The rows use it
 * (stateless/row_facts.c). Members have the names of the structures' members. Threads: any; each
 * member that is not const says its own. */
#ifndef ASSAY_STATE_CREATED_H
#define ASSAY_STATE_CREATED_H

#include "state/memory/memory.h"
#include "state/object/object_state.h"
#include "state/video/video_session.h"

/* All states are const once published, except for memory that is bound once. */

/* The most dimensions of a tensor that are kept; most devices support 4 to 6. */
#define TENSOR_DIMENSIONS 8

struct created_tensor {
    struct object_state base;
    VkTensorCreateFlagsARM flags;
    VkTensorUsageFlagsARM usage;
    VkSharingMode sharing_mode;
    VkFormat format;
    uint32_t dimension_count;
    VkExternalMemoryHandleTypeFlags external_types;
    /* written once, by a call that has the tensor externally synchronised */
    struct memory_binding binding;
    /* id of the memory that was last allocated as dedicated to it; 0: none. Relaxed */
    _Atomic uint64_t dedicated_memory;
    _Atomic bool bound; /* bound to memory, which may have been freed since. Relaxed */
    VkTensorTilingARM tiling;
    uint32_t wrap; /* wrap of its rolling backing in the innermost dimension; 0: it has none */
    bool dimensions_known;
    int64_t dimensions[TENSOR_DIMENSIONS];
};

struct created_tensor_view {
    struct object_state base;
    VkTensorViewCreateFlagsARM flags;
    VkFormat format;
    /* from the tensor: */
    VkTensorUsageFlagsARM usage;
    uint32_t dimension_count; /* 0: the tensor is not known */
    VkTensorTilingARM tiling;
    uint32_t wrap;
};
STATE_FINDERS(created_tensor_view, VkTensorViewARM, HANDLE_TENSOR_VIEW_ARM)

/* The bits of created_micromap::built. */
enum micromap_built {
    MICROMAP_BUILT = 1 << 0,
    MICROMAP_COMPACTABLE = 1 << 1, /* VK_BUILD_MICROMAP_ALLOW_COMPACTION_BIT_EXT, or not known */
};

struct created_micromap {
    struct object_state base;
    VkMicromapCreateFlagsEXT flags;
    VkMicromapTypeEXT type;
    uint64_t buffer; /* id; the buffer may be destroyed earlier */
    VkDeviceSize offset, size;
    /* what any command could make of it that was recorded so far, or done by the host. Bits are
     * never taken away. Relaxed */
    _Atomic uint32_t built;
};
STATE_FINDERS(created_micromap, VkMicromapEXT, HANDLE_MICROMAP_EXT)

/* The actions of the tokens in a layout of generated commands. */
enum generated_what {
    GENERATED_DRAWS = 1 << 0,
    GENERATED_MESH_DRAWS = 1 << 1,
    GENERATED_DISPATCHES = 1 << 2,
    GENERATED_TRACES = 1 << 3,
    GENERATED_SHADERS = 1 << 4,   /* other shaders replace the bound ones */
    GENERATED_CONSTANTS = 1 << 5, /* push constants or push data are set */
    GENERATED_VERTICES = 1 << 6,  /* vertex buffers are bound */
    GENERATED_UNKNOWN = 1 << 7,   /* there is a token without a bit above */
};

struct created_commands_layout {
    struct object_state base;
    VkIndirectCommandsLayoutUsageFlagsEXT flags;
    bool has_execution_set; /* a token of VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT */
    uint32_t what;          /* enum generated_what */
    bool counts_draws;      /* a draw token reads its count from memory */
    /* pipelineLayout, or a VkPipelineLayoutCreateInfo in the chain */
    bool has_layout;
    /* VkIndirectCommandsExecutionSetTokenEXT; 0: none, or not known */
    VkShaderStageFlags set_stages;
};
STATE_FINDERS(created_commands_layout, VkIndirectCommandsLayoutEXT,
              HANDLE_INDIRECT_COMMANDS_LAYOUT_EXT)

struct created_commands_layout_nv {
    struct object_state base;
    VkIndirectCommandsLayoutUsageFlagsNV flags;
    uint32_t stream_count;
    uint32_t what; /* enum generated_what */
    /* tokens of VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV, and of ..._DRAW_MESH_TASKS_NV */
    bool draws_tasks, draws_mesh_tasks;
};
STATE_FINDERS(created_commands_layout_nv, VkIndirectCommandsLayoutNV,
              HANDLE_INDIRECT_COMMANDS_LAYOUT_NV)

struct created_optical_flow {
    struct object_state base;
    VkOpticalFlowSessionCreateFlagsNV flags;
};
STATE_FINDERS(created_optical_flow, VkOpticalFlowSessionNV, HANDLE_OPTICAL_FLOW_SESSION_NV)

/* number of bind points at which sessions need memory */
#define GRAPH_BIND_POINTS 2

struct created_graph_session {
    struct object_state base;
    VkDataGraphPipelineSessionCreateFlagsARM flags;
    uint64_t pipeline; /* id */
    /* Index: graph_bind_point_index(). All members are relaxed. */
    _Atomic uint32_t objects[GRAPH_BIND_POINTS]; /* 1 + numObjects; 0: not queried yet */
    _Atomic uint32_t bound[GRAPH_BIND_POINTS];   /* bit i: object i has memory */
};
STATE_FINDERS(created_graph_session, VkDataGraphPipelineSessionARM,
              HANDLE_DATA_GRAPH_PIPELINE_SESSION_ARM)

/* The index of a bind point; GRAPH_BIND_POINTS: not known. */
static inline uint32_t graph_bind_point_index(VkDataGraphPipelineSessionBindPointARM point)
{
    return point == VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TRANSIENT_ARM ? 0
           : point == VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_OPTICAL_FLOW_CACHE_ARM
               ? 1
               : GRAPH_BIND_POINTS;
}

struct created_slot {
    struct object_state base;
    VkPrivateDataSlotCreateFlags flags;
};

#endif
