/* Makes a reflection step by step, and looks up things in one. */
#include "spirv/module/reflect.h"

#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "spirv/module/reflect_build.h"

uint64_t spirv_hash(const void *words, size_t bytes)
{
    return XXH3_64bits(words, bytes);
}

/* Adds a decoration to the list of an id. `member` is the member that is decorated; SPIRV_NONE: the
 * id itself. */
static void add_decoration(struct spirv_build *build, uint32_t id, uint32_t member, uint32_t kind,
                           uint32_t value)
{
    if (id >= build->module->bound)
        return;
    struct spirv_decoration *decoration = LIST_ADD(build, decorations, struct spirv_decoration);
    if (!decoration)
        return;
    *decoration = (struct spirv_decoration){
        .member = member, .kind = kind, .value = value, .next = build->decoration_index[id]};
    build->decoration_index[id] = build->decorations.count - 1;
}

/* Copies the group's decorations to a target of OpGroupDecorate. `build->work` bounds the copies,
 * as groups may be huge. */
static void add_group(struct spirv_build *build, uint32_t group, uint32_t id, uint32_t member)
{
    if (group >= build->module->bound)
        return;
    for (uint32_t i = build->decoration_index[group];
         i != SPIRV_NONE && build->work < SPIRV_WORK_MOST; build->work++) {
        struct spirv_decoration decoration =
            *LIST_AT(build, decorations, i, struct spirv_decoration);
        add_decoration(build, id, member, decoration.kind, decoration.value);
        i = decoration.next;
    }
}

/* Reads annotations and names. They come before the types; OpGroupDecorate comes after the
 * decorations of its group. */
static void read_annotations(struct spirv_build *build)
{
    const struct spirv_module *module = build->module;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t length = instruction->length;
        switch (instruction->opcode) {
        case SpvOpName:
            if (length > 2 && words[1] < module->bound)
                build->name_instruction[words[1]] = i;
            break;
        case SpvOpDecorate:
            if (length > 2)
                add_decoration(build, words[1], SPIRV_NONE, words[2], length > 3 ? words[3] : 0);
            /* A constant with this decoration overrides LocalSize of all entry points. */
            if (length > 3 && words[2] == SpvDecorationBuiltIn &&
                words[3] == SpvBuiltInWorkgroupSize)
                build->workgroup_size_object = words[1];
            break;
        case SpvOpMemberDecorate:
            /* SPIRV_NONE stands for decorations of the whole type; a module does not have such a
             * member. */
            if (length > 3 && words[2] != SPIRV_NONE)
                add_decoration(build, words[1], words[2], words[3], length > 4 ? words[4] : 0);
            break;
        case SpvOpGroupDecorate:
            for (uint32_t w = 2; w < length; w++)
                add_group(build, words[1], words[w], SPIRV_NONE);
            break;
        case SpvOpGroupMemberDecorate:
            for (uint32_t w = 2; w + 1 < length; w += 2)
                add_group(build, words[1], words[w], words[w + 1]);
            break;
        case SpvOpFunction:
            /* 2.4: annotations come before the first function. */
            return;
        default:
            break;
        }
    }
}

/* Reads capabilities, extensions and the memory model. */
static void read_capabilities(struct spirv_build *build)
{
    const struct spirv_module *module = build->module;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t taken;
        const char *name;
        if (instruction->opcode == SpvOpCapability && instruction->length > 1) {
            uint32_t *capability = LIST_ADD(build, capabilities, uint32_t);
            if (capability)
                *capability = words[1];
        } else if (instruction->opcode == SpvOpExtension &&
                   (name = spirv_string(words + 1, instruction->length - 1u, &taken))) {
            uint32_t text = spirv_text_add(build, name),
                     *extension = LIST_ADD(build, extensions, uint32_t);
            if (extension)
                *extension = text;
        } else if (instruction->opcode == SpvOpMemoryModel && instruction->length > 2) {
            build->addressing_model = words[1];
            build->memory_model = words[2];
        } else if (instruction->opcode == SpvOpFunction) {
            return;
        }
    }
}

/* Compares two constants by id, for qsort() and bsearch(). */
static int compare_constants(const void *a, const void *b)
{
    uint32_t one = ((const struct spirv_constant *)a)->id,
             other = ((const struct spirv_constant *)b)->id;
    return (one > other) - (one < other);
}

/* Copies a list to `*at`, and advances `*at` to the next multiple of 8 bytes. Returns the address
 * of the copy. */
static void *list_place(char **at, const struct spirv_list *list, size_t size)
{
    void *begin = *at;
    if (list->count)
        memcpy(begin, list->data, list->count * size);
    *at += (list->count * size + 7) & ~(size_t)7;
    return begin;
}

/* Copies all lists into one allocation. NULL: memory is out. */
static struct spirv_reflection *reflection_pack(struct spirv_build *build, uint64_t hash)
{
/* Names all lists of a reflection with the type of their elements. */
#define PARTS(X)                            \
    X(capabilities, uint32_t)               \
    X(extensions, uint32_t)                 \
    X(types, struct spirv_type)             \
    X(members, struct spirv_member)         \
    X(constants, struct spirv_constant)     \
    X(modes, struct spirv_execution_mode)   \
    X(interfaces, struct spirv_interface)   \
    X(bindings, struct spirv_binding)       \
    X(shared, struct spirv_shared_variable) \
    X(entries, struct spirv_entry_point)    \
    X(graphs, struct spirv_entry_point)     \
    X(text, char)
    if (build->constants.count)
        qsort(build->constants.data, build->constants.count, sizeof(struct spirv_constant),
              compare_constants);
    size_t bytes = (sizeof(struct spirv_reflection) + 7) & ~(size_t)7;
/* Adds the bytes of a list to `bytes`. */
#define SIZE(list_, type_) bytes += (build->list_.count * sizeof(type_) + 7) & ~(size_t)7;
    PARTS(SIZE)
#undef SIZE
    struct spirv_reflection *reflection = mem_alloc(bytes);
    if (!reflection)
        return NULL;
    const struct spirv_module *module = build->module;
    *reflection = (struct spirv_reflection){.version = module->version,
                                            .generator = module->generator,
                                            .hash = hash,
                                            .addressing_model = build->addressing_model,
                                            .memory_model = build->memory_model,
                                            .capability_count = build->capabilities.count,
                                            .extension_count = build->extensions.count,
                                            .type_count = build->types.count,
                                            .member_count = build->members.count,
                                            .constant_count = build->constants.count,
                                            .mode_count = build->modes.count,
                                            .interface_count = build->interfaces.count,
                                            .binding_count = build->bindings.count,
                                            .shared_count = build->shared.count,
                                            .entry_count = build->entries.count,
                                            .graph_count = build->graphs.count,
                                            .bytes = bytes};
    char *at = (char *)reflection + ((sizeof(*reflection) + 7) & ~(size_t)7);
/* Copies a list into the allocation. */
#define PLACE(list_, type_) reflection->list_ = list_place(&at, &build->list_, sizeof(type_));
    PARTS(PLACE)
#undef PLACE
#undef PARTS
    const struct spirv_instruction *object = spirv_definition(module, build->workgroup_size_object);
    if (object && object->length == 6)
        memcpy(reflection->workgroup_size_id, spirv_words(module, object) + 3,
               sizeof(reflection->workgroup_size_id));
    return reflection;
}

/* Allocates a map from ids to indices, which are all SPIRV_NONE. NULL: memory is out, and the build
 * has failed. */
static uint32_t *id_map(struct spirv_build *build)
{
    uint32_t *map = build->failed ? NULL : mem_alloc(build->module->bound * sizeof(*map));
    if (!map) {
        build->failed = true;
        return NULL;
    }
    return memset(map, 0xff, build->module->bound * sizeof(*map)); /* SPIRV_NONE */
}

/* Frees everything that was only needed to make the reflection. */
static void build_free(struct spirv_build *build)
{
    mem_free(build->type_index);
    mem_free(build->variable_index);
    mem_free(build->decoration_index);
    mem_free(build->name_instruction);
    mem_free(build->origins);
    mem_free(build->numbers);
    struct spirv_list *lists[] = {&build->capabilities, &build->extensions, &build->types,
                                  &build->members,      &build->constants,  &build->modes,
                                  &build->interfaces,   &build->bindings,   &build->shared,
                                  &build->entries,      &build->text,       &build->decorations,
                                  &build->variables,    &build->functions,  &build->uses,
                                  &build->calls,        &build->graphs};
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++)
        mem_free(lists[i]->data);
}

struct spirv_reflection *spirv_reflect(const struct spirv_module *module, uint64_t hash)
{
    struct spirv_build build = {.module = module};
    struct spirv_reflection *reflection = NULL;
    build.type_index = id_map(&build);
    build.variable_index = id_map(&build);
    build.decoration_index = id_map(&build);
    build.name_instruction = id_map(&build);
    build.origins = build.failed ? NULL : mem_alloc(module->bound * sizeof(*build.origins));
    build.numbers = build.failed ? NULL : mem_alloc_zeroed(module->bound);
    if (!build.origins || !build.numbers)
        goto fail;
    memset(build.origins, 0xff, module->bound * sizeof(*build.origins));
    (void)spirv_text_add(&build, "");
    read_capabilities(&build);
    read_annotations(&build);
    spirv_build_types(&build);
    spirv_build_functions(&build);
    spirv_build_entries(&build);
    if (!build.failed)
        reflection = reflection_pack(&build, hash);
fail:
    build_free(&build);
    return reflection;
}

const struct spirv_entry_point *spirv_entry_find(const struct spirv_reflection *reflection,
                                                 const char *name, uint32_t model)
{
    for (uint32_t i = 0; i < reflection->entry_count; i++)
        if (reflection->entries[i].model == model &&
            strcmp(reflection->text + reflection->entries[i].name, name) == 0)
            return &reflection->entries[i];
    return NULL;
}

const struct spirv_execution_mode *spirv_mode_find(const struct spirv_reflection *reflection,
                                                   const struct spirv_entry_point *entry,
                                                   uint32_t mode)
{
    for (uint32_t i = 0; i < entry->mode_count; i++)
        if (reflection->modes[entry->first_mode + i].mode == mode)
            return &reflection->modes[entry->first_mode + i];
    return NULL;
}

bool spirv_has_capability(const struct spirv_reflection *reflection, uint32_t capability)
{
    for (uint32_t i = 0; i < reflection->capability_count; i++)
        if (reflection->capabilities[i] == capability)
            return true;
    return false;
}

const struct spirv_constant *spirv_constant_find(const struct spirv_reflection *reflection,
                                                 uint32_t id)
{
    const struct spirv_constant key = {.id = id};
    return reflection->constant_count
               ? bsearch(&key, reflection->constants, reflection->constant_count, sizeof(key),
                         compare_constants)
               : NULL;
}

const struct spirv_constant *spirv_spec_constant_find(const struct spirv_reflection *reflection,
                                                      uint32_t spec_id)
{
    for (uint32_t i = 0; spec_id != SPIRV_NONE && i < reflection->constant_count; i++)
        if (reflection->constants[i].spec_id == spec_id)
            return &reflection->constants[i];
    return NULL;
}

bool spirv_constant_value(const struct spirv_reflection *reflection, uint32_t id,
                          const struct spirv_specialization *specialization, uint64_t *value)
{
    const struct spirv_constant *constant = spirv_constant_find(reflection, id);
    if (!constant)
        return false;
    for (uint32_t i = 0;
         specialization && constant->spec_id != SPIRV_NONE && i < specialization->count; i++) {
        if (specialization->entries[i].id != constant->spec_id)
            continue;
        uint32_t offset = specialization->entries[i].offset;
        if (specialization->entries[i].size != constant->bytes || !specialization->data ||
            offset > specialization->bytes || constant->bytes > specialization->bytes - offset)
            return false;
        *value = 0;
        memcpy(value, (const char *)specialization->data + offset,
               constant->bytes); /* little endian, like all systems that the layer runs on */
        return true;
    }
    *value = constant->value;
    return constant->known;
}

#define DEPTH_MOST 16 /* levels of types within types that are followed */
/* types that are visited: nested structures can be far more than the module has words */
#define TYPES_MOST 4096

/* Returns the bytes of a type in shared memory, with its specialized lengths. The function is
 * recursive; `work` is the number of types that may still be visited. */
static uint64_t type_bytes(const struct spirv_reflection *reflection, uint32_t index,
                           const struct spirv_specialization *specialization, uint32_t depth,
                           uint32_t *work)
{
    const struct spirv_type *type =
        index < reflection->type_count ? &reflection->types[index] : NULL;
    if (!type || !depth || !*work)
        return 0;
    --*work;
    uint64_t bytes = 0, length = type->length;
    switch (type->opcode) {
    case SpvOpTypeArray:
        if (!length && !spirv_constant_value(reflection, type->length_id, specialization, &length))
            return 0;
        bytes = type->stride
                    ? type->stride
                    : type_bytes(reflection, type->element, specialization, depth - 1, work);
        length = length > UINT32_MAX ? UINT32_MAX : length;
        break;
    case SpvOpTypeStruct:
        length = 1;
        for (uint32_t i = 0; i < type->member_count; i++)
            bytes += type_bytes(reflection, reflection->members[type->first_member + i].type,
                                specialization, depth - 1, work);
        bytes = bytes < type->size ? type->size : bytes;
        break;
    default:
        return type->size;
    }
    bytes = bytes > UINT32_MAX ? UINT32_MAX : bytes;
    return bytes * length > UINT32_MAX ? UINT32_MAX : bytes * length;
}

uint64_t spirv_shared_bytes(const struct spirv_reflection *reflection,
                            const struct spirv_entry_point *entry, uint32_t storage,
                            const struct spirv_specialization *specialization)
{
    uint64_t bytes = 0;
    uint32_t work = TYPES_MOST;
    for (uint32_t i = 0; i < entry->shared_count; i++) {
        const struct spirv_shared_variable *variable = &reflection->shared[entry->first_shared + i];
        if (variable->storage == storage)
            bytes += type_bytes(reflection, variable->type, specialization, DEPTH_MOST, &work);
    }
    return bytes;
}

bool spirv_workgroup_size(const struct spirv_reflection *reflection,
                          const struct spirv_entry_point *entry,
                          const struct spirv_specialization *specialization, uint32_t size[3])
{
    const struct spirv_execution_mode *ids =
        spirv_mode_find(reflection, entry, SpvExecutionModeLocalSizeId);
    const struct spirv_execution_mode *literal =
        spirv_mode_find(reflection, entry, SpvExecutionModeLocalSize);
    const uint32_t *constants = reflection->workgroup_size_id[0] ? reflection->workgroup_size_id
                                : ids && ids->operand_count == 3 ? ids->operands
                                                                 : NULL;
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t value;
        if (constants) {
            if (!spirv_constant_value(reflection, constants[i], specialization, &value))
                return false;
            size[i] = (uint32_t)value;
        } else if (literal && literal->operand_count == 3) {
            size[i] = literal->operands[i];
        } else {
            return false;
        }
    }
    return true;
}
