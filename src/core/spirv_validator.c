/* Does SPIRV-Tools find the module valid, for this device? The helper library, its options, the memory of good modules, and its words made a finding. */
#include "core/spirv_validator.h"

#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "chassis/validation_cache.h"
#include "core/hooks.h"
#include "core/spirv_known.h"
#include "report/report.h"
#include "report/vuid_text.h"
#include "spirv/module.h"
#include "spirv/reflect.h"
#include "state/spirv_tools.h"

#define TEXT_SIZE 4096

/* Once per process: all instances have the same library. */
static bool report_missing(const struct call *call, const char *error)
{
    static _Atomic bool told;
    if (atomic_exchange_explicit(&told, true, memory_order_relaxed))
        return false;
    return finding_with_severity(call, SEVERITY_WARNING, ASSAY_SpirvHelper, NULL, NULL,
                                 "Shader modules are not statically validated: the library " SPIRV_HELPER_LIBRARY
                                 " could not be loaded (%s)",
                                 error);
}

/* A source line, as OpLine or NonSemantic.Shader.DebugInfo say it. */
struct source_line {
    const char *file; /* NULL: unknown */
    uint32_t line, column;
};

static const char *string_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *string = spirv_definition(module, id);
    uint32_t taken;
    if (!string || string->opcode != SpvOpString || string->length < 3)
        return NULL;
    return spirv_string(spirv_words(module, string) + 2, string->length - 2u, &taken);
}

static uint32_t constant_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *constant = spirv_definition(module, id);
    return constant && constant->opcode == SpvOpConstant && constant->length > 3 ? spirv_words(module, constant)[3] : 0;
}

/* NonSemantic.Shader.DebugInfo.100: DebugSource is 35, DebugLine is 103. */
static bool read_debug_line(const struct spirv_module *module, const struct spirv_instruction *instruction,
                            struct source_line *line)
{
    const uint32_t *words = spirv_words(module, instruction);
    if (instruction->length < 10 || words[4] != 103)
        return false;
    const struct spirv_instruction *import = spirv_definition(module, words[3]);
    uint32_t taken;
    if (!import || import->opcode != SpvOpExtInstImport || import->length < 3)
        return false;
    const char *set = spirv_string(spirv_words(module, import) + 2, import->length - 2u, &taken);
    if (!set || strncmp(set, "NonSemantic.Shader.DebugInfo.", 29) != 0)
        return false;
    const struct spirv_instruction *source = spirv_definition(module, words[5]);
    if (!source || source->opcode != SpvOpExtInst || source->length < 6 || spirv_words(module, source)[4] != 35)
        return false;
    *line = (struct source_line){.file = string_of(module, spirv_words(module, source)[5]),
                                 .line = constant_of(module, words[6]),
                                 .column = constant_of(module, words[8])};
    return true;
}

/* The line that holds for an instruction: the last one said before it in its block (2.16 "OpLine"). */
static struct source_line source_line_of(const struct spirv_module *module, uint32_t instruction_index)
{
    struct source_line line = {0};
    for (uint32_t i = instruction_index + 1; i-- > 0;) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode == SpvOpLine && instruction->length > 3) {
            line = (struct source_line){.file = string_of(module, words[1]), .line = words[2], .column = words[3]};
            break;
        }
        if (instruction->opcode == SpvOpExtInst && read_debug_line(module, instruction, &line))
            break;
        if (instruction->opcode == SpvOpNoLine || (instruction->opcode == SpvOpLabel && i != instruction_index) ||
            instruction->opcode == SpvOpFunctionEnd)
            break;
    }
    return line;
}

/* SPIRV-Tools begins with the id of the specification's statement where it knows one (in some messages it stands further in, where it remains text): "[VUID-StandaloneSpirv-None-04633] ...". The finding is then of that id, and
 * `text` goes on behind it; else, and for an id that the registry does not have, of `vuid`. */
static enum vuid statement_of(const char **text, enum vuid vuid)
{
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

static bool report(const struct call *call, enum vuid vuid, const struct location *where,
                   const struct spirv_module *module, const char *text, size_t number)
{
    struct source_line line = {0};
    char source[512] = "";
    if (number && number <= module->instruction_count)
        line = source_line_of(module, (uint32_t)number - 1);
    if (line.file)
        snprintf(source, sizeof(source), " (%s:%u:%u)", line.file, line.line, line.column);
    char place[64] = "";
    if (number && number <= module->instruction_count)
        snprintf(place, sizeof(place), " at instruction %zu, word %u", number, module->instructions[number - 1].offset);
    vuid = statement_of(&text, vuid);
    return finding(call, vuid, where, NULL, "is not valid SPIR-V for this device%s%s: %s", place, source, text);
}

bool spirv_validator_check(struct call *call, enum vuid vuid, const struct location *where,
                           const struct spirv_module *module, uint64_t hash, struct validation_cache *cache)
{
    const char *error;
    uint64_t validator_number;
    spirv_validate_function validate = spirv_tools_validator(&error, &validator_number);
    if (!validate)
        return report_missing(call, error);
    struct spirv_validate_options options = spirv_tools_options(call->device);
    bool caching = call->instance->settings.check_shaders_caching;
    uint64_t parts[] = {hash, module->word_count, spirv_hash(&options, sizeof(options))};
    uint64_t key = spirv_hash(parts, sizeof(parts)) | 1; /* 0 is an empty place */
    if (caching)
        spirv_known_read(validator_number);
    /* The app may keep its cache until there is another validator. */
    const uint64_t cache_parts[] = {key, validator_number};
    uint64_t cache_key = cache ? spirv_hash(cache_parts, sizeof(cache_parts)) | 1 : 0;
    if (validation_cache_has(cache, cache_key))
        return false;
    if (caching && spirv_is_known_good(key)) {
        validation_cache_add(cache, cache_key);
        return false;
    }
    char text[TEXT_SIZE];
    size_t instruction;
    int result = validate(module->words, module->word_count, &options, text, sizeof(text), &instruction);
    if (result == SPIRV_VALIDATE_GOOD) {
        spirv_remember_good(key, caching);
        validation_cache_add(cache, cache_key);
    }
    if (result != SPIRV_VALIDATE_BAD)
        return false;
    options.friendly_names = true; /* once more, for people: the names cost more than the validation */
    if (validate(module->words, module->word_count, &options, text, sizeof(text), &instruction) != SPIRV_VALIDATE_BAD)
        return false;
    return report(call, vuid, where, module, text, instruction);
}

bool core_validate_DestroyDevice_known_shaders(struct call *call, VkDevice device,
                                               const VkAllocationCallbacks *pAllocator)
{
    spirv_known_write();
    return false;
}
