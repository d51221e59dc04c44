/* The state of indirect execution sets of VK_EXT_device_generated_commands (33 "Device-Generated
 * Commands"). Threads: any; the state is const. */
#ifndef ASSAY_STATE_EXECUTION_SET_H
#define ASSAY_STATE_EXECUTION_SET_H

#include "state/object/object_state.h"

/* The state of a VkIndirectExecutionSetEXT. Const. */
struct execution_set {
    struct object_state base;
    VkIndirectExecutionSetInfoTypeEXT type;
    uint32_t count;            /* maxPipelineCount or maxShaderCount */
    uint64_t initial_pipeline; /* id; 0 in a set of shader objects */
    /* For a set of shader objects, data about the initial ones: */
    VkShaderStageFlags stages;
    bool stages_known; /* `stages` has the stages of all shader objects */
    bool heaps;        /* one of them was created with VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT */
    uint64_t fragment; /* id of the fragment shader; 0: none, or not known */
};
STATE_FINDERS(execution_set, VkIndirectExecutionSetEXT, HANDLE_INDIRECT_EXECUTION_SET_EXT)

#endif
