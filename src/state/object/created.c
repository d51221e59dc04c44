/* Tracks how objects of rarer types were created. */
#include "state/object/created.h"
#include "state/hooks.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* Allocates the state of the object that a call has created; NULL: there is no such object, or
 * memory ran out. */
static void *created_state(const struct call *call, uint64_t handle, enum handle_type type,
                           size_t size)
{
    return object_state_new(created_object(call, handle, type), size);
}

/* Publishes the state, as the last step of a hook. */
static void created_publish(struct object_state *state)
{
    assert(state && state->object);
    object_state_publish(state->object, state);
}

void state_after_CreateTensorARM(struct call *call, VkDevice device,
                                 const VkTensorCreateInfoARM *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkTensorARM *pTensor)
{
    struct created_tensor *tensor =
        created_state(call, (uint64_t)*pTensor, HANDLE_TENSOR_ARM, sizeof(*tensor));
    if (!tensor)
        return;
    tensor->flags = pCreateInfo->flags;
    tensor->usage = pCreateInfo->pDescription->usage;
    tensor->sharing_mode = pCreateInfo->sharingMode;
    tensor->format = pCreateInfo->pDescription->format;
    tensor->dimension_count = pCreateInfo->pDescription->dimensionCount;
    const VkExternalMemoryTensorCreateInfoARM *external =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_TENSOR_CREATE_INFO_ARM);
    tensor->external_types = external ? external->handleTypes : 0;
    const VkTensorRollingBackingCreateInfoARM *rolling =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_TENSOR_ROLLING_BACKING_CREATE_INFO_ARM);
    tensor->tiling = pCreateInfo->pDescription->tiling;
    if (rolling && tensor->dimension_count &&
        tensor->dimension_count <= VK_MAX_TENSOR_CREATE_INFO_ROLLING_BACKING_WRAP_COUNT_ARM)
        tensor->wrap = rolling->wraps[tensor->dimension_count - 1];
    const int64_t *dimensions = pCreateInfo->pDescription->pDimensions;
    /* There are more dimensions than are kept, or the pointer is bad: they are not known. */
    tensor->dimensions_known =
        tensor->dimension_count <= TENSOR_DIMENSIONS && !pointer_is_bad(dimensions);
    for (uint32_t i = 0; tensor->dimensions_known && i < tensor->dimension_count; i++)
        tensor->dimensions[i] = dimensions[i];
    created_publish(&tensor->base);
}

void state_after_AllocateMemory_of_tensor(struct call *call, VkDevice device,
                                          const VkMemoryAllocateInfo *pAllocateInfo,
                                          const VkAllocationCallbacks *pAllocator,
                                          VkDeviceMemory *pMemory)
{
    const VkMemoryDedicatedAllocateInfoTensorARM *dedicated =
        chain_find(pAllocateInfo->pNext,
                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM);
    struct created_tensor *tensor =
        dedicated ? call_find_state(call, (uint64_t)dedicated->tensor, HANDLE_TENSOR_ARM) : NULL;
    if (tensor && call->result == VK_SUCCESS)
        atomic_store_explicit(&tensor->dedicated_memory,
                              memory_binding_of(call, *pMemory, 0).memory, memory_order_relaxed);
}

void state_after_BindTensorMemoryARM(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                     const VkBindTensorMemoryInfoARM *pBindInfos)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < bindInfoCount; i++) {
        const VkBindTensorMemoryInfoARM *info = &pBindInfos[i];
        struct created_tensor *tensor =
            call_find_state(call, (uint64_t)info->tensor, HANDLE_TENSOR_ARM);
        if (tensor) {
            tensor->binding = memory_binding_of(call, info->memory, info->memoryOffset);
            atomic_store_explicit(&tensor->bound, true, memory_order_relaxed);
        }
    }
}

void state_after_CreateTensorViewARM(struct call *call, VkDevice device,
                                     const VkTensorViewCreateInfoARM *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator,
                                     VkTensorViewARM *pView)
{
    struct created_tensor_view *view =
        created_state(call, (uint64_t)*pView, HANDLE_TENSOR_VIEW_ARM, sizeof(*view));
    if (!view)
        return;
    const struct created_tensor *tensor =
        call_find_state(call, (uint64_t)pCreateInfo->tensor, HANDLE_TENSOR_ARM);
    view->flags = pCreateInfo->flags;
    view->format = pCreateInfo->format;
    view->usage = tensor ? tensor->usage : 0;
    view->dimension_count = tensor ? tensor->dimension_count : 0;
    view->tiling = tensor ? tensor->tiling : VK_TENSOR_TILING_OPTIMAL_ARM;
    view->wrap = tensor ? tensor->wrap : 0;
    created_publish(&view->base);
}

void state_after_CreateMicromapEXT(struct call *call, VkDevice device,
                                   const VkMicromapCreateInfoEXT *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator,
                                   VkMicromapEXT *pMicromap)
{
    struct created_micromap *micromap =
        created_state(call, (uint64_t)*pMicromap, HANDLE_MICROMAP_EXT, sizeof(*micromap));
    if (!micromap)
        return;
    micromap->flags = pCreateInfo->createFlags;
    micromap->type = pCreateInfo->type;
    micromap->offset = pCreateInfo->offset;
    micromap->size = pCreateInfo->size;
    const struct object *buffer = call_find(call, (uint64_t)pCreateInfo->buffer, HANDLE_BUFFER);
    micromap->buffer = buffer ? atomic_load_explicit(&buffer->id, memory_order_relaxed) : 0;
    created_publish(&micromap->base);
}

/* The GENERATED_ bit of a token of generated commands. */
static uint32_t what_token_does(VkIndirectCommandsTokenTypeEXT type)
{
    switch (type) {
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT:
        return GENERATED_SHADERS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT:
        return GENERATED_CONSTANTS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT:
        return 0;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT:
        return GENERATED_VERTICES;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT:
        return GENERATED_DRAWS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT:
        return GENERATED_MESH_DRAWS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT:
        return GENERATED_DISPATCHES;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT:
        return GENERATED_TRACES;
    default:
        return GENERATED_UNKNOWN;
    }
}

/* True for tokens that read the number of draws from a buffer. */
static bool counts_draws(VkIndirectCommandsTokenTypeEXT type)
{
    return type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_NV_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT;
}

/* The GENERATED_ bit of a token of the NV extension. */
static uint32_t what_nv_token_does(VkIndirectCommandsTokenTypeNV type)
{
    switch (type) {
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_SHADER_GROUP_NV:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PIPELINE_NV:
        return GENERATED_SHADERS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_NV:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_NV:
        return GENERATED_CONSTANTS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_NV:
        return 0;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV:
        return GENERATED_VERTICES;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_NV:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV:
        return GENERATED_DRAWS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV:
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV:
        return GENERATED_MESH_DRAWS;
    case VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_NV:
        return GENERATED_DISPATCHES;
    default: /* VK_INDIRECT_COMMANDS_TOKEN_TYPE_STATE_FLAGS_NV: it sets the front face */
        return GENERATED_UNKNOWN;
    }
}

void state_after_CreateIndirectCommandsLayoutEXT(struct call *call, VkDevice device,
                                                 const VkIndirectCommandsLayoutCreateInfoEXT
                                                     *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkIndirectCommandsLayoutEXT
                                                     *pIndirectCommandsLayout)
{
    struct created_commands_layout *layout =
        created_state(call, (uint64_t)*pIndirectCommandsLayout, HANDLE_INDIRECT_COMMANDS_LAYOUT_EXT,
                      sizeof(*layout));
    if (!layout)
        return;
    layout->flags = pCreateInfo->flags;
    for (uint32_t i = 0; i < pCreateInfo->tokenCount; i++) {
        const VkIndirectCommandsLayoutTokenEXT *token = &pCreateInfo->pTokens[i];
        layout->what |= what_token_does(token->type);
        layout->counts_draws |= counts_draws(token->type);
        if (token->type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT &&
            !pointer_is_bad(token->data.pExecutionSet))
            layout->set_stages = token->data.pExecutionSet->shaderStages;
    }
    /* The layout of pipelines can be given in two ways. */
    layout->has_layout =
        pCreateInfo->pipelineLayout ||
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    layout->has_execution_set = (layout->what & GENERATED_SHADERS) != 0;
    created_publish(&layout->base);
}

void state_after_CreateIndirectCommandsLayoutNV(struct call *call, VkDevice device,
                                                const VkIndirectCommandsLayoutCreateInfoNV
                                                    *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkIndirectCommandsLayoutNV *pIndirectCommandsLayout)
{
    struct created_commands_layout_nv *layout =
        created_state(call, (uint64_t)*pIndirectCommandsLayout, HANDLE_INDIRECT_COMMANDS_LAYOUT_NV,
                      sizeof(*layout));
    if (!layout)
        return;
    layout->flags = pCreateInfo->flags;
    layout->stream_count = pCreateInfo->streamCount;
    for (uint32_t i = 0; i < pCreateInfo->tokenCount; i++) {
        const VkIndirectCommandsTokenTypeNV type = pCreateInfo->pTokens[i].tokenType;
        layout->what |= what_nv_token_does(type);
        layout->draws_tasks |= type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_TASKS_NV;
        layout->draws_mesh_tasks |= type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_NV;
    }
    created_publish(&layout->base);
}

void state_after_CreateOpticalFlowSessionNV(struct call *call, VkDevice device,
                                            const VkOpticalFlowSessionCreateInfoNV *pCreateInfo,
                                            const VkAllocationCallbacks *pAllocator,
                                            VkOpticalFlowSessionNV *pSession)
{
    struct created_optical_flow *session =
        created_state(call, (uint64_t)*pSession, HANDLE_OPTICAL_FLOW_SESSION_NV, sizeof(*session));
    if (!session)
        return;
    session->flags = pCreateInfo->flags;
    created_publish(&session->base);
}

void state_after_CreateDataGraphPipelineSessionARM(struct call *call, VkDevice device,
                                                   const VkDataGraphPipelineSessionCreateInfoARM
                                                       *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator,
                                                   VkDataGraphPipelineSessionARM *pSession)
{
    struct created_graph_session *session =
        created_state(call, (uint64_t)*pSession, HANDLE_DATA_GRAPH_PIPELINE_SESSION_ARM,
                      sizeof(*session));
    if (!session)
        return;
    const struct object *pipeline =
        call_find(call, (uint64_t)pCreateInfo->dataGraphPipeline, HANDLE_PIPELINE);
    session->flags = pCreateInfo->flags;
    session->pipeline = pipeline ? atomic_load_explicit(&pipeline->id, memory_order_relaxed) : 0;
    created_publish(&session->base);
}

void state_after_GetDataGraphPipelineSessionBindPointRequirementsARM(
    struct call *call, VkDevice device,
    const VkDataGraphPipelineSessionBindPointRequirementsInfoARM *pInfo,
    uint32_t *pBindPointRequirementCount,
    VkDataGraphPipelineSessionBindPointRequirementARM *pBindPointRequirements)
{
    struct created_graph_session *session = find_created_graph_session(call, pInfo->session);
    if (!session || call->result < VK_SUCCESS || !pBindPointRequirements)
        return;
    for (uint32_t i = 0; i < *pBindPointRequirementCount; i++) {
        const VkDataGraphPipelineSessionBindPointRequirementARM *requirement =
            &pBindPointRequirements[i];
        const uint32_t point = graph_bind_point_index(requirement->bindPoint);
        if (point < GRAPH_BIND_POINTS &&
            requirement->bindPointType == VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TYPE_MEMORY_ARM)
            /* 1 is added, as 0 means that the number was not queried yet. */
            atomic_store_explicit(&session->objects[point], requirement->numObjects + 1,
                                  memory_order_relaxed);
    }
}

void state_after_BindDataGraphPipelineSessionMemoryARM(
    struct call *call, VkDevice device, uint32_t bindInfoCount,
    const VkBindDataGraphPipelineSessionMemoryInfoARM *pBindInfos)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < bindInfoCount; i++) {
        struct created_graph_session *session =
            find_created_graph_session(call, pBindInfos[i].session);
        const uint32_t point = graph_bind_point_index(pBindInfos[i].bindPoint);
        if (session && point < GRAPH_BIND_POINTS && pBindInfos[i].objectIndex < 32)
            atomic_fetch_or_explicit(&session->bound[point], 1u << pBindInfos[i].objectIndex,
                                     memory_order_relaxed);
    }
}

void state_after_CreatePrivateDataSlot(struct call *call, VkDevice device,
                                       const VkPrivateDataSlotCreateInfo *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkPrivateDataSlot *pPrivateDataSlot)
{
    struct created_slot *slot =
        created_state(call, (uint64_t)*pPrivateDataSlot, HANDLE_PRIVATE_DATA_SLOT, sizeof(*slot));
    if (!slot)
        return;
    slot->flags = pCreateInfo->flags;
    created_publish(&slot->base);
}
