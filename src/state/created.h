/* Keeps what objects were created with of which nothing else is known. The rows of statements ask
 * for it (stateless/row_facts.c). Names are those of the structures that describe the objects. */
#ifndef ASSAY_STATE_CREATED_H
#define ASSAY_STATE_CREATED_H

#include "state/object_state.h"
#include "state/video.h"

/* All of these are const once published. */

struct created_video_session {
    struct object_state base;
    VkVideoCodecOperationFlagsKHR operation;             /* of the profile; 0: unknown */
    VkVideoSessionCreateInfoKHR info;                    /* without pointers */
    VkVideoEncodeIntraRefreshModeFlagsKHR intra_refresh; /* VkVideoEncodeSessionIntraRefresh... */
    struct video_capabilities capabilities;              /* of its profile */
};

struct created_video_parameters {
    struct object_state base;
    VkVideoCodecOperationFlagsKHR operation; /* of the session's profile; 0: unknown */
    VkVideoSessionParametersCreateFlagsKHR flags;
    uint64_t session; /* id */
    uint32_t quality_level;
};

struct created_tensor {
    struct object_state base;
    VkTensorCreateFlagsARM flags;
    VkTensorUsageFlagsARM usage;
    VkSharingMode sharing_mode;
    VkFormat format;
    uint32_t dimension_count;
};

struct created_tensor_view {
    struct object_state base;
    VkTensorViewCreateFlagsARM flags;
};

struct created_micromap {
    struct object_state base;
    VkMicromapCreateFlagsEXT flags;
    VkMicromapTypeEXT type;
    uint64_t buffer; /* id; the buffer may be destroyed before */
    VkDeviceSize size;
};

struct created_commands_layout {
    struct object_state base;
    VkIndirectCommandsLayoutUsageFlagsEXT flags;
    bool has_execution_set; /* a token of VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT */
};

struct created_commands_layout_nv {
    struct object_state base;
    VkIndirectCommandsLayoutUsageFlagsNV flags;
    uint32_t stream_count;
};

struct created_optical_flow {
    struct object_state base;
    VkOpticalFlowSessionCreateFlagsNV flags;
};

struct created_graph_session {
    struct object_state base;
    VkDataGraphPipelineSessionCreateFlagsARM flags;
};

struct created_slot {
    struct object_state base;
    VkPrivateDataSlotCreateFlags flags;
};

#endif
