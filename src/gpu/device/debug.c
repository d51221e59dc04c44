/* Shows an instrumented shader: writes it to files, validates it, and reports on it. */
#include "gpu/device/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "objects/spirv_options.h"
#include "report/finding/finding.h"
#include "spirv/helper/load.h"

/* Writes a shader to a file in the working directory. `when` becomes a part of the file's name;
 * `count` is in words. */
static void debug_write_words(const struct call *call, const struct gpu_shader *shader,
                              const char *when, const uint32_t *words, uint32_t count)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "assay-shader-%016" PRIx64 "-%s.spv", shader->key, when);
    /* Other users may write to the working directory, and may have made a link of this name. The
     * link is removed, as is the file of an earlier run. */
    (void)unlink(path);
    const int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = to < 0 ? NULL : fdopen(to, "wb");
    bool good = file && fwrite(words, sizeof(*words), count, file) == count;
    if (file)
        good &= fclose(file) == 0;
    else if (to >= 0)
        (void)close(to);
    if (!good)
        (void)finding_with_severity(call, SEVERITY_WARNING, UNASSIGNED_GPU_Assisted_Validation,
                                    NULL, NULL, "A shader could not be written to %s: %s", path,
                                    strerror(errno));
}

/* Validates an instrumented shader. An error is the layer's own, and is reported as such. */
static void debug_validate_shader(const struct call *call, const struct gpu_shader *shader)
{
    const char *error;
    uint64_t number;
    char text[2048];
    size_t instruction;
    spirv_validate_function function = spirv_tools_validator(&error, &number);
    struct spirv_validate_options options = spirv_tools_options(call->device);
    if (!function) {
        (void)finding_with_severity(call, SEVERITY_WARNING, ASSAY_SpirvHelper, NULL, NULL,
                                    "Instrumented shaders are not validated: %s", error);
        return;
    }
    if (!options.minor)
        options.minor = 1; /* the layer has asked the driver for Vulkan 1.1 */
    options.friendly_names = true;
    if (function(shader->instrumented, shader->instrumented_count, &options, text, sizeof(text),
                 &instruction) == SPIRV_VALIDATE_BAD)
        (void)finding(call, ASSAY_Internal, NULL, NULL,
                      "The shader %016" PRIx64
                      " is not valid SPIR-V after instrumentation, at instruction %zu: %s",
                      shader->key, instruction, text);
}

void gpu_debug_instrumented(const struct call *call, const struct gpu_shader *shader)
{
    const struct settings *settings = &call->instance->settings;
    if (settings->gpuav_debug_dump_instrumented_shaders) {
        debug_write_words(call, shader, "before", shader->words, shader->word_count);
        debug_write_words(call, shader, "after", shader->instrumented, shader->instrumented_count);
    }
    if (settings->gpuav_debug_validate_instrumented_shaders)
        debug_validate_shader(call, shader);
    if (settings->gpuav_debug_print_instrumentation_info)
        (void)finding_with_severity(call, SEVERITY_INFO, UNASSIGNED_GPU_Assisted_Validation, NULL,
                                    NULL,
                                    "Shader %016" PRIx64 " was instrumented: %" PRIu32
                                    " places were given a check; it had %" PRIu32
                                    " words and has %" PRIu32 "; its pointer comes in %s",
                                    shader->key, shader->checked, shader->word_count,
                                    shader->instrumented_count,
                                    shader->by_push ? "push constants"
                                                    : "specialization constants");
}
