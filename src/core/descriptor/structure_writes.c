/* Checks the acceleration structures and tensors that descriptor writes have in their pNext chains
 * (14.2.5 "Descriptor Set Updates"). */
#include "core/descriptor/structure_writes.h"

#include "core/hooks.h"
#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "report/names/names_of_values.h"
#include "state/raytracing/acceleration_structure.h"
#include "vk/chain.h"

bool descriptor_leave_out(struct call *call, bool answer)
{
    if (command_root[call->command] != COMMAND_UpdateDescriptorSets)
        return call_stop(call, answer);
    call->dead_element = true;
    return answer;
}

bool descriptor_check_acceleration_structures(struct call *call, const VkWriteDescriptorSet *write,
                                              const struct location *where)
{
    const VkWriteDescriptorSetAccelerationStructureKHR *chained =
        chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
    if (!chained)
        return descriptor_leave_out(call,
                                    BROKEN_BY(call, RULE_02382, &LOCATION(where, "pNext"), NULL,
                                              "has no "
                                              "VkWriteDescriptorSetAccelerationStructureKHR, but "
                                              "descriptorType is "
                                              "VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR"));
    const struct location at =
        LOCATION_CHAINED(where, "VkWriteDescriptorSetAccelerationStructureKHR");
    struct subject s = {.call = call, .where = &at};
    REQUIRE(&s, RULE_02382, chained->accelerationStructureCount == write->descriptorCount,
            "accelerationStructureCount", "is %u, but descriptorCount is %u",
            chained->accelerationStructureCount, write->descriptorCount);
    if (unlikely(chained->accelerationStructureCount < write->descriptorCount))
        s.skip |= descriptor_leave_out(call, s.skip);
    for (uint32_t i = 0;
         chained->pAccelerationStructures && i < chained->accelerationStructureCount; i++) {
        const struct acceleration_structure *structure =
            find_acceleration_structure(call, chained->pAccelerationStructures[i]);
        /* must have been created with a type of VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR or
         * ..._GENERIC_KHR */
        REQUIRE_OF(&s,
                   OBJECT(HANDLE_ACCELERATION_STRUCTURE_KHR, chained->pAccelerationStructures[i]),
                   RULE_03579,
                   !structure || structure->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR ||
                       structure->type == VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR,
                   &LOCATION_INDEX(&at, "pAccelerationStructures", i),
                   "was created as %s, but shaders begin at the top level",
                   value_text(VALUES_VkAccelerationStructureTypeKHR, (uint64_t)structure->type)
                       .text);
    }
    return s.skip;
}

bool descriptor_check_acceleration_structures_nv(struct call *call,
                                                 const VkWriteDescriptorSet *write,
                                                 const struct location *where)
{
    const VkWriteDescriptorSetAccelerationStructureNV *chained =
        chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV);
    if (!chained)
        return descriptor_leave_out(call,
                                    BROKEN_BY(call, RULE_03817, &LOCATION(where, "pNext"), NULL,
                                              "has no VkWriteDescriptorSetAccelerationStructureNV, "
                                              "but "
                                              "descriptorType is "
                                              "VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV"));
    const struct location at =
        LOCATION_CHAINED(where, "VkWriteDescriptorSetAccelerationStructureNV");
    struct subject s = {.call = call, .where = &at};
    REQUIRE(&s, RULE_03817, chained->accelerationStructureCount == write->descriptorCount,
            "accelerationStructureCount", "is %u, but descriptorCount is %u",
            chained->accelerationStructureCount, write->descriptorCount);
    if (unlikely(chained->accelerationStructureCount < write->descriptorCount))
        s.skip |= descriptor_leave_out(call, s.skip);
    for (uint32_t i = 0;
         chained->pAccelerationStructures && i < chained->accelerationStructureCount; i++) {
        const VkAccelerationStructureNV handle = chained->pAccelerationStructures[i];
        const struct acceleration_structure_nv *structure =
            find_acceleration_structure_nv(call, handle);
        /* Each acceleration structure in pAccelerationStructures must have been created with
         * VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR */
        REQUIRE_OF(&s, OBJECT(HANDLE_ACCELERATION_STRUCTURE_NV, handle), RULE_03748,
                   !structure || structure->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
                   &LOCATION_INDEX(&at, "pAccelerationStructures", i),
                   "was created as %s, but shaders begin at the top level",
                   TEXT_OF(VkAccelerationStructureTypeKHR, structure->type));
    }
    return s.skip;
}

bool descriptor_check_partitioned(struct call *call, const VkWriteDescriptorSet *write,
                                  const struct location *where)
{
    const VkWriteDescriptorSetPartitionedAccelerationStructureNV *chained =
        chain_find(write->pNext,
                   VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_PARTITIONED_ACCELERATION_STRUCTURE_NV);
    const struct location at =
        LOCATION_CHAINED(where, "VkWriteDescriptorSetPartitionedAccelerationStructureNV");
    struct subject s = {.call = call, .where = &at};
    if (!chained)
        return false;
    REQUIRE(&s, RULE_10511, chained->accelerationStructureCount == write->descriptorCount,
            "accelerationStructureCount", "is %u, but descriptorCount is %u",
            chained->accelerationStructureCount, write->descriptorCount);
    return s.skip;
}

bool descriptor_check_tensors(struct call *call, const VkWriteDescriptorSet *write,
                              const struct location *where)
{
    const VkWriteDescriptorSetTensorARM *chained =
        chain_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM);
    if (!chained)
        return descriptor_leave_out(call,
                                    BROKEN_BY(call, RULE_09945, &LOCATION(where, "pNext"), NULL,
                                              "has no VkWriteDescriptorSetTensorARM, but "
                                              "descriptorType "
                                              "is VK_DESCRIPTOR_TYPE_TENSOR_ARM"));
    const struct location at = LOCATION_CHAINED(where, "VkWriteDescriptorSetTensorARM");
    struct subject s = {.call = call, .where = &at};
    REQUIRE(&s, RULE_09945, chained->tensorViewCount == write->descriptorCount, "tensorViewCount",
            "is %u, but descriptorCount is %u", chained->tensorViewCount, write->descriptorCount);
    if (unlikely(chained->tensorViewCount < write->descriptorCount))
        s.skip |= descriptor_leave_out(call, s.skip);
    return s.skip;
}
