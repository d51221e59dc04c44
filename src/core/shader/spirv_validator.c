/* Checks with SPIRV-Tools whether a module is valid for this device. The file loads the helper
 * library, sets its options, remembers valid modules, and turns messages into findings. */
#include "core/shader/spirv_validator.h"

#include <string.h>

#include "chassis/validation_cache.h"
#include "core/hooks.h"
#include "core/shader/accesses.h"
#include "core/shader/capture.h"
#include "core/shader/instructions.h"
#include "core/shader/spirv_known.h"
#include "core/shader/spirv_report.h"
#include "core/shader/spirv_rows.h"
#include "objects/spirv_options.h"
#include "report/finding/rule.h"
#include "report/report.h"
#include "report/names/vuid_text.h"
#include "spirv/helper/load.h"
#include "spirv/module/module.h"
#include "spirv/module/reflect.h"

/* The most bytes of a message of SPIRV-Tools that are kept. */
#define TEXT_SIZE 4096

/* Reports once per process that the helper is missing. All instances use the same library. */
static bool report_missing(const struct call *call, const char *error)
{
    static _Atomic bool told;
    if (atomic_exchange_explicit(&told, true, memory_order_relaxed))
        return false;
    return finding_with_severity(call, SEVERITY_WARNING, ASSAY_SpirvHelper, NULL, NULL,
                                 "Shader modules are not statically validated: the "
                                 "library " SPIRV_HELPER_LIBRARY " could not be loaded (%s)",
                                 error);
}

/* Removes empty lines at the end of a message of SPIRV-Tools. */
static void cut_blanks(char *text)
{
    size_t length = strlen(text);
    while (length && strchr(" \n", text[length - 1]))
        text[--length] = '\0';
}

/* Reads the valid usage id that a message of SPIRV-Tools may begin with:
 * "[VUID-StandaloneSpirv-None-04633] ...". Returns the id, and moves `text` past it. Without an id,
 * or with one that the registry does not have, it returns `vuid`. An id further inside the message
 * stays in the text. */
static enum vuid statement_of(const char **text, enum vuid vuid)
{
    assert(*text);
    char name[128];
    const char *begin = *text, *end = strncmp(begin, "[VUID-", 6) == 0 ? strchr(begin, ']') : NULL;
    if (!end || (size_t)(end - begin) >= sizeof(name))
        return vuid;
    memcpy(name, begin + 1, (size_t)(end - begin - 1));
    name[end - begin - 1] = '\0';
    uint32_t number = message_number(name);
    for (uint32_t i = 0; i < VUID_COUNT; i++) {
        if (vuid_number[i] == number) {
            *text = end + 1 + strspn(end + 1, " ");
            return (enum vuid)i;
        }
    }
    return vuid;
}

/* Reports `text` of SPIRV-Tools about instruction `number` (from 1; 0 if about none). If
 * SPIRV-Tools names no valid usage id, a row may have one. */
static bool validator_report(const struct call *call, enum vuid vuid, const struct location *where,
                             const struct spirv_module *module, const char *text, size_t number)
{
    const enum vuid statement = statement_of(&text, vuid);
    bool skip = false, told = false;
    /* A capability that the device lacks is a different mistake from one that has its own valid
     * usage id. */
    if (statement != vuid)
        skip = spirv_rows_check(call, where, module, true, NULL, &told);
    else
        skip = spirv_rows_check(call, where, module, false, text, &told);
    if (told && statement == vuid)
        return skip;
    if (number && number <= module->instruction_count)
        return skip |
               spirv_report_instruction(call, statement, where, module, text, (uint32_t)number - 1);
    return skip |
           BROKEN_BY(call, statement, where, NULL, "is not valid SPIR-V for this device: %s", text);
}

/* Validates with SPIRV-Tools, unless the module is known to be valid. True if it is not: `text`
 * says why, and `*instruction` says where (from 1; 0 if nowhere). `skip` is set if the helper is
 * missing: to the answer of that finding. */
static bool is_bad(struct call *call, const struct spirv_module *module, uint64_t hash,
                   struct validation_cache *cache, char text[TEXT_SIZE], size_t *instruction,
                   bool *skip)
{
    const char *error;
    uint64_t validator_number;
    spirv_validate_function validate = spirv_tools_validator(&error, &validator_number);
    if (!validate) {
        *skip = report_missing(call, error);
        return false;
    }
    struct spirv_validate_options options = spirv_tools_options(call->device);
    bool caching = call->instance->settings.check_shaders_caching;
    uint64_t parts[] = {hash, module->word_count, spirv_hash(&options, sizeof(options))};
    uint64_t key = spirv_hash(parts, sizeof(parts)) | 1; /* 0 marks an empty place */
    if (caching)
        spirv_known_read(validator_number);
    /* The program may store its cache until the validator changes. */
    const uint64_t cache_parts[] = {key, validator_number};
    uint64_t cache_key = cache ? spirv_hash(cache_parts, sizeof(cache_parts)) | 1 : 0;
    if (validation_cache_has(cache, cache_key))
        return false;
    if (caching && spirv_is_known_good(key)) {
        validation_cache_add(cache, cache_key);
        return false;
    }
    int result =
        validate(module->words, module->word_count, &options, text, TEXT_SIZE, instruction);
    if (module->word_count >= MEM_TRIM_CODE / sizeof(*module->words))
        mem_trim();
    if (result == SPIRV_VALIDATE_GOOD) {
        spirv_remember_good(key, caching);
        validation_cache_add(cache, cache_key);
    }
    if (result != SPIRV_VALIDATE_BAD)
        return false;
    /* validate again with friendly names, which cost more than the validation */
    options.friendly_names = true;
    if (validate(module->words, module->word_count, &options, text, TEXT_SIZE, instruction) !=
        SPIRV_VALIDATE_BAD)
        return false;
    cut_blanks(text);
    return true;
}

/* The key of a module that breaks none of the rows, on a device like this one. The key is valid in
 * this process only. */
static uint64_t statements_key(const struct device *device, const struct spirv_module *module,
                               uint64_t hash)
{
    const uint64_t parts[] = {hash, module->word_count,
                              (uint64_t)(uintptr_t)device->physical_device,
                              spirv_hash(&device->features, sizeof(device->features)),
                              spirv_hash(&device->extensions, sizeof(device->extensions))};
    return spirv_hash(parts, sizeof(parts)) | 1; /* 0 marks an empty place */
}

bool spirv_validator_check(struct call *call, enum vuid vuid, const struct location *where,
                           const struct spirv_module *module, uint64_t hash,
                           struct validation_cache *cache)
{
    char text[TEXT_SIZE];
    size_t instruction;
    bool skip = false, told;
    if (is_bad(call, module, hash, cache, text, &instruction, &skip))
        return validator_report(call, vuid, where, module, text, instruction);
    const uint64_t key = statements_key(call->device, module, hash);
    const bool caching = call->instance->settings.check_shaders_caching;
    if (caching && spirv_is_known_good(key))
        return skip;
    skip |= spirv_rows_check(call, where, module, false, NULL, &told);
    skip |= capture_check(call, where, module, &told);
    skip |= instructions_check(call, where, module, &told);
    skip |= accesses_check(call, where, module, &told);
    if (!told && caching)
        spirv_remember_good(key, false);
    return skip;
}

bool core_validate_DestroyDevice_known_shaders(struct call *call, VkDevice device,
                                               const VkAllocationCallbacks *pAllocator)
{
    spirv_known_write();
    return false;
}
