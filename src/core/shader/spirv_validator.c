/* Asks SPIRV-Tools whether a module is valid for this device. It has the helper library, its
 * options, the memory of good modules, and makes findings of its words. */
#include "core/shader/spirv_validator.h"

#include <string.h>

#include "chassis/validation_cache.h"
#include "core/hooks.h"
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

/* Bytes of SPIRV-Tools' message that are kept. */
#define TEXT_SIZE 4096

/* Once per process: all instances have the same library. */
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

/* SPIRV-Tools ends some messages with empty lines. */
static void cut_blanks(char *text)
{
    size_t length = strlen(text);
    while (length && strchr(" \n", text[length - 1]))
        text[--length] = '\0';
}

/* SPIRV-Tools begins with the id of the specification's statement where it knows one (in some
 * messages it stands further in, where it remains text): "[VUID-StandaloneSpirv-None-04633] ...".
 * The finding is then of that id, and `text` goes on after it. Else, and for an id that the
 * registry does not have, it is of `vuid`. */
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

/* Reports what SPIRV-Tools says, in `text`, of an instruction (`number`, from 1; 0: of none). Where
 * it knows no statement for it, one of the rows may. */
static bool validator_report(const struct call *call, enum vuid vuid, const struct location *where,
                             const struct spirv_module *module, const char *text, size_t number)
{
    const enum vuid statement = statement_of(&text, vuid);
    bool skip = false, told = false;
    /* A capability that the device does not have is another mistake than one that has a statement.
     */
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

/* Asks SPIRV-Tools, unless the module is known to be good. True: it is wrong, at `*instruction`
 * (from 1; 0: nowhere), as `text` says. `skip` is what a finding about the helper answered. */
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
    uint64_t key = spirv_hash(parts, sizeof(parts)) | 1; /* 0 is an empty place */
    if (caching)
        spirv_known_read(validator_number);
    /* The program may keep its cache until there is another validator. */
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
    /* once more, for people: the names cost more than the validation */
    options.friendly_names = true;
    if (validate(module->words, module->word_count, &options, text, TEXT_SIZE, instruction) !=
        SPIRV_VALIDATE_BAD)
        return false;
    cut_blanks(text);
    return true;
}

/* The key of a module that breaks none of the statements that are data, on a device like this one.
 * The key is valid in this process only. */
static uint64_t statements_key(const struct device *device, const struct spirv_module *module,
                               uint64_t hash)
{
    const uint64_t parts[] = {hash, module->word_count,
                              (uint64_t)(uintptr_t)device->physical_device,
                              spirv_hash(&device->features, sizeof(device->features)),
                              spirv_hash(&device->extensions, sizeof(device->extensions))};
    return spirv_hash(parts, sizeof(parts)) | 1; /* 0 is an empty place */
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
