/* The shaders that the fuzzer makes pipelines of; shaders.c includes what glslang made of
 * calls/shaders. */
#ifndef ASSAY_FUZZ_SHADERS_H
#define ASSAY_FUZZ_SHADERS_H

#include <vulkan/vulkan.h>

enum shader {
    SHADER_EVERYTHING_COMPUTE,
    SHADER_INPUTS_VERTEX,
    SHADER_PLAIN_VERTEX,
    SHADER_TEXTURED_FRAGMENT,
    SHADER_PLAIN_FRAGMENT,
    SHADER_ATTACHMENT_FRAGMENT,
    SHADER_TRIANGLE_MESH,
    SHADER_COUNT
};

struct shader_code {
    const uint32_t *words;
    size_t size; /* bytes */
    VkShaderStageFlagBits stage;
};

extern const struct shader_code shader_codes[SHADER_COUNT];

#endif
