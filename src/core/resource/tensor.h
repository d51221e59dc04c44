/* Says which formats of tensors a tensor type of SPIR-V takes. Threads: any; nothing is kept. */
#ifndef ASSAY_CORE_RESOURCE_TENSOR_H
#define ASSAY_CORE_RESOURCE_TENSOR_H

#include "spirv/module/reflect.h"
#include "vk/vulkan.h"

/* True if the elements of the tensor type fit the format ("Compatibility Between SPIR-V Tensor
 * Element Types And Vulkan Formats"), or the table does not have them. */
bool tensor_type_fits(const struct spirv_reflection *code, const struct spirv_type *type,
                      VkFormat format);

#endif
