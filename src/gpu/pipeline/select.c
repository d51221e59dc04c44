/* Selects the shaders that the user, or the program, wants instrumented
 * (gpuav_select_instrumented_shaders). */
#include "gpu/pipeline/shader.h"

#include <regex.h>

#include "vk/chain.h"

bool gpu_chain_selects(const void *chain)
{
    const VkValidationFeaturesEXT *features =
        chain_find(chain, VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
    for (uint32_t i = 0; features && features->pEnabledValidationFeatures &&
                         i < features->enabledValidationFeatureCount;
         i++) {
        if (features->pEnabledValidationFeatures[i] ==
            VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT)
            return true;
    }
    return false;
}

/* True if the expression matches the whole name: the first match is also the longest one. A NULL
 * name does not match. */
static bool matches_whole(const regex_t *regex, const char *name)
{
    regmatch_t match;
    return name && !regexec(regex, name, 1, &match, 0) && match.rm_so == 0 &&
           name[match.rm_eo] == '\0';
}

/* True if the expression matches the module's name or the entry point. An invalid expression, which
 * was reported when the device was created, matches no name. */
static bool select_matches(const char *expression, const char *name, const char *entry)
{
    regex_t regex;
    if (regcomp(&regex, expression, REG_EXTENDED))
        return false;
    bool found = matches_whole(&regex, name) || matches_whole(&regex, entry);
    regfree(&regex);
    return found;
}

bool gpu_name_is_selected(const struct settings *settings, const char *name, const char *entry)
{
    const struct setting_list *expressions = &settings->gpuav_shaders_to_instrument;
    for (uint32_t i = 0; i < expressions->count; i++) {
        if (select_matches(expressions->items[i], name, entry))
            return true;
    }
    return false;
}

const char *gpu_bad_expression(const struct settings *settings, char *error, size_t size)
{
    const struct setting_list *expressions = &settings->gpuav_shaders_to_instrument;
    for (uint32_t i = 0; i < expressions->count; i++) {
        regex_t regex;
        int result = regcomp(&regex, expressions->items[i], REG_EXTENDED | REG_NOSUB);
        if (result) {
            regerror(result, &regex, error, size);
            /* Only the first bad expression is reported: the user corrects it and starts again. */
            return expressions->items[i];
        }
        regfree(&regex);
    }
    return NULL;
}
