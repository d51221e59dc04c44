/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_REPORT_VUIDS_H
#define ASSAY_REPORT_VUIDS_H

/* Every valid-usage id of the registry's validusage.json, then the layer's ids that are not VUIDs (registry/message_ids.txt), then advice (registry/practices.toml).
 * VUID-VkBufferCreateInfo-size-00912 is VUID_VkBufferCreateInfo_size_00912. */
enum vuid {
% for id in m.message_ids:
    ${m.vuid_constant(id)},
% endfor
    VUID_COUNT,
    VUID_NUMBERED_COUNT = ${len(m.vuids)}, /* ids below it come from validusage.json */
    VUID_FIRST_PRACTICE = ${m.vuid_constant(m.practices[0].id)} /* from here on they come from registry/practices.toml */
};

#endif
