/* Finds entry points, their interfaces, and the resources that each uses in all functions that it
 * calls. */
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect_build.h"

#define LEAVES_MOST     512u  /* entries of struct spirv_interface for one variable */
#define INTERFACES_MOST 4096u /* the same for one entry point */

/* The state while one entry point is read. */
struct entry {
    struct spirv_build *build;
    struct spirv_entry_point *point; /* a copy on the stack, as the list may move */
    uint32_t *function_of;           /* for each id its index in `functions` */
    /* indices of the reached functions, in the order in which they were found */
    uint32_t *reached;
    /* for each function the mark of the last walk that reached it */
    uint32_t *mark;
    /* for each variable the uses of all reached functions together */
    struct spirv_use *totals;
    uint32_t number; /* number of the entry point, from which marks are made */
    bool heaps;      /* the module declares the capability DescriptorHeapEXT */
    bool sole;       /* the module has no other entry point */
    bool wide_size;  /* the module has an OpConstantSizeOfEXT of 64 bits */
};

/* Reads the execution modes of an entry point. */
static void read_modes(const struct entry *entry)
{
    struct spirv_build *build = entry->build;
    const struct spirv_module *module = build->module;
    entry->point->first_mode = build->modes.count;
    for (uint32_t i = 0; i < module->instruction_count && build->work < SPIRV_WORK_MOST;
         i++, build->work++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunction || instruction->opcode == SpvOpTypeVoid)
            break;
        if (instruction->opcode != SpvOpExecutionMode &&
            instruction->opcode != SpvOpExecutionModeId)
            continue;
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->length < 3 || words[1] != entry->point->function)
            continue;
        struct spirv_execution_mode *mode = LIST_ADD(build, modes, struct spirv_execution_mode);
        if (!mode)
            return;
        mode->mode = words[2];
        mode->ids = instruction->opcode == SpvOpExecutionModeId;
        uint32_t count = instruction->length - 3u;
        mode->operand_count = (uint8_t)(count < 3 ? count : 3);
        memcpy(mode->operands, words + 3, mode->operand_count * sizeof(*words));
        entry->point->mode_count++;
    }
}

/* Adds one function's use of a variable to the total. */
static void use_add(struct spirv_use *total, const struct spirv_use *use)
{
    total->access |= use->access & ~(uint32_t)SPIRV_ACCESS_SURE;
    total->read |= use->read;
    total->written |= use->written;
    total->elements |= use->elements;
    total->any_element |= use->any_element;
    total->accessed |= use->accessed;
    if (use->texel_components > total->texel_components)
        total->texel_components = use->texel_components;
    total->used_components |= use->used_components;
    spirv_use_sampler(total, use->sampler, use->sampler_element);
    if (use->begin == use->end)
        return;
    if (total->begin == total->end) {
        total->begin = use->begin;
        total->end = use->end;
    } else {
        total->begin = use->begin < total->begin ? use->begin : total->begin;
        total->end = use->end > total->end ? use->end : total->end;
    }
}

/* Adds a function to `reached`, unless this walk has reached it before. `mark` belongs to the
 * walk. */
static void entry_reach(struct entry *entry, uint32_t *count, uint32_t function_id, uint32_t mark)
{
    uint32_t index =
        function_id < entry->build->module->bound ? entry->function_of[function_id] : SPIRV_NONE;
    if (index == SPIRV_NONE || entry->mark[index] == mark)
        return;
    entry->mark[index] = mark;
    entry->reached[(*count)++] = index;
}

/* Follows the calls that each invocation certainly makes. Every entry point has two marks: this
 * walk has the second one. */
static void follow_certain_calls(struct entry *entry)
{
    struct spirv_build *build = entry->build;
    const uint32_t mark = entry->number * 2 + 2;
    uint32_t count = 0;
    entry_reach(entry, &count, entry->point->function, mark);
    for (uint32_t i = 0; i < count && build->work < SPIRV_WORK_MOST; i++) {
        const struct spirv_function *function =
            LIST_AT(build, functions, entry->reached[i], struct spirv_function);
        for (uint32_t u = 0; u < function->use_count; u++) {
            const struct spirv_use *use =
                LIST_AT(build, uses, function->first_use + u, struct spirv_use);
            entry->totals[use->variable].access |= use->access & SPIRV_ACCESS_SURE;
            entry->totals[use->variable].surely_accessed |= use->surely_accessed;
            spirv_spans_add(&entry->totals[use->variable].spans, &use->spans);
            spirv_places_add(&entry->totals[use->variable].places, &use->places);
        }
        for (uint32_t c = 0; c < function->call_count; c++) {
            const uint32_t called = *LIST_AT(build, calls, function->first_call + c, uint32_t);
            if (called & SPIRV_CALL_CERTAIN)
                entry_reach(entry, &count, called & ~SPIRV_CALL_CERTAIN, mark);
        }
        build->work += 1u + function->use_count + function->call_count;
    }
}

/* Follows all calls, each function once, and adds up what the functions use. */
static void follow_calls(struct entry *entry)
{
    struct spirv_build *build = entry->build;
    uint32_t count = 0;
    if (build->variables.count)
        memset(entry->totals, 0, build->variables.count * sizeof(*entry->totals));
    build->work += build->variables.count;
    entry_reach(entry, &count, entry->point->function, entry->number * 2 + 1);
    for (uint32_t i = 0; i < count && build->work < SPIRV_WORK_MOST; i++) {
        const struct spirv_function *function =
            LIST_AT(build, functions, entry->reached[i], struct spirv_function);
        entry->point->uses |= function->uses;
        for (uint32_t u = 0; u < function->use_count; u++) {
            const struct spirv_use *use =
                LIST_AT(build, uses, function->first_use + u, struct spirv_use);
            use_add(&entry->totals[use->variable], use);
        }
        for (uint32_t c = 0; c < function->call_count; c++)
            entry_reach(entry, &count,
                        *LIST_AT(build, calls, function->first_call + c, uint32_t) &
                            ~SPIRV_CALL_CERTAIN,
                        entry->number * 2 + 1);
        build->work += 1u + function->use_count + function->call_count;
    }
    follow_certain_calls(entry);
    if (build->work >= SPIRV_WORK_MOST)
        entry->point->truncated = true;
}

/* The state of a walk through the type of an interface variable. A leaf is a part of the type that
 * becomes one struct spirv_interface. */
struct leaf {
    struct entry *entry;
    struct spirv_interface seed;   /* the members that are equal for all leaves of the variable */
    const struct spirv_use *total; /* the variable's uses; NULL: it is not used */
    uint32_t leaves;               /* leaves of the variable so far */
};

/* Returns the locations of one scalar, vector or column: two for 64-bit vectors of three or four
 * components (15.1.5 "Location and Component Assignment"), else one. */
static uint32_t locations_of(const struct spirv_interface *leaf)
{
    return leaf->width == 64 && leaf->components > 2 ? 2 : 1;
}

/* Adds one leaf of an interface variable, with its accesses. Returns false if there are too many,
 * or memory is out. */
static bool add_leaf(struct leaf *walk, const struct spirv_interface *leaf)
{
    struct spirv_build *build = walk->entry->build;
    if (++walk->leaves > LEAVES_MOST || walk->entry->point->interface_count >= INTERFACES_MOST) {
        walk->entry->point->truncated = true;
        return false;
    }
    struct spirv_interface *place = LIST_ADD(build, interfaces, struct spirv_interface);
    if (!place)
        return false;
    *place = *leaf;
    if (walk->total) {
        uint64_t bit = leaf->member == SPIRV_NONE ? UINT64_MAX
                       : leaf->member < 63        ? UINT64_C(1) << leaf->member
                                                  : UINT64_C(1) << 63;
        place->access = walk->total->access &
                        ~(uint32_t)(SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE | SPIRV_ACCESS_USED);
        if (walk->total->read & bit)
            place->access |= SPIRV_ACCESS_READ | SPIRV_ACCESS_USED;
        if (walk->total->written & bit)
            place->access |= SPIRV_ACCESS_WRITE | SPIRV_ACCESS_USED;
        if (leaf->member == SPIRV_NONE) {
            place->access |= walk->total->access & SPIRV_ACCESS_USED;
            place->used_components = walk->total->used_components;
        }
    }
    walk->entry->point->interface_count++;
    return true;
}

static uint32_t leaf_flatten(struct leaf *walk, struct spirv_interface leaf, uint32_t type_index,
                             uint32_t depth);

/* Flattens the members one after the other; a member with a location of its own begins a new
 * count. Returns how many locations the members take in all. */
static uint32_t flatten_struct(struct leaf *walk, const struct spirv_interface *outer,
                               const struct spirv_type *type, uint32_t depth)
{
    const struct spirv_build *build = walk->entry->build;
    uint32_t location = outer->location, taken = 0;
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct spirv_member *member =
            LIST_AT(build, members, type->first_member + i, struct spirv_member);
        struct spirv_interface leaf = *outer;
        leaf.flags |= member->flags;
        if (depth == 0) {
            leaf.member = i;
            leaf.flags |= SPIRV_BLOCK_MEMBER;
        }
        if (member->flags & SPIRV_HAS_BUILTIN)
            leaf.builtin = member->builtin;
        if (member->flags & SPIRV_HAS_LOCATION)
            location = member->location;
        if (member->flags & SPIRV_HAS_COMPONENT)
            leaf.component = member->component;
        leaf.location = location;
        uint32_t count = leaf_flatten(walk, leaf, member->type, depth + 1);
        if (walk->entry->point->truncated)
            return taken;
        taken += count;
        if (location != SPIRV_NONE)
            location = location > UINT32_MAX - 1 - count ? UINT32_MAX - 1 : location + count;
    }
    return taken;
}

/* Splits a type into leaves; returns how many locations the type takes. */
static uint32_t leaf_flatten(struct leaf *walk, struct spirv_interface leaf, uint32_t type_index,
                             uint32_t depth)
{
    struct spirv_build *build = walk->entry->build;
    const struct spirv_type *type = spirv_build_type(build, type_index);
    leaf.type = type_index;
    leaf.elements = leaf.columns = leaf.components = 1;
    if (depth > 16)
        walk->entry->point->truncated = true;
    if (!type || depth > 16)
        return 0;
    uint64_t elements = 1;
    uint32_t nested = 0;
    bool unknown = false;
    const struct spirv_type *inner = type;
    while (inner && inner->opcode == SpvOpTypeArray && nested++ < 16) {
        elements *= inner->length;
        unknown |= inner->length == 0;
        /* 65536 is more than the number of any location */
        elements = elements > 65536 ? 65536 : elements;
        inner = spirv_build_type(build, inner->element);
    }
    if (!inner)
        return 0;
    if (inner->opcode == SpvOpTypeStruct && leaf.builtin == SPIRV_NONE) {
        uint32_t taken = 0;
        if (elements == 1 && !nested)
            return flatten_struct(walk, &leaf, inner, depth);
        if (unknown)
            walk->entry->point->truncated = true;
        for (uint64_t i = 0; i < elements && !walk->entry->point->truncated; i++) {
            uint32_t count = flatten_struct(walk, &leaf, inner, depth + 1);
            taken += count;
            if (leaf.location != SPIRV_NONE)
                leaf.location =
                    leaf.location > UINT32_MAX - 1 - count ? UINT32_MAX - 1 : leaf.location + count;
        }
        return taken;
    }
    leaf.elements = unknown ? 0 : (uint32_t)elements;
    leaf.numeric = inner->numeric;
    leaf.width = inner->width;
    if (inner->opcode == SpvOpTypeMatrix) {
        const struct spirv_type *column = spirv_build_type(build, inner->element);
        leaf.columns = inner->length < 5 ? inner->length : 4;
        leaf.components = (uint8_t)(column && column->length < 5 ? column->length : 4);
    } else if (inner->opcode == SpvOpTypeVector) {
        leaf.components = (uint8_t)(inner->length < 255 ? inner->length : 255);
    }
    leaf.location_count = leaf.builtin == SPIRV_NONE ? (leaf.elements ? leaf.elements : 1) *
                                                           leaf.columns * locations_of(&leaf)
                                                     : 0;
    return add_leaf(walk, &leaf) ? leaf.location_count : 0;
}

/* True if variables of this kind are arrays with one element for each vertex (or primitive). */
static bool is_arrayed(uint32_t model, uint32_t storage, uint32_t flags)
{
    switch (model) {
    case SpvExecutionModelTessellationControl:
        return !(flags & SPIRV_PATCH);
    case SpvExecutionModelTessellationEvaluation:
        return storage == SpvStorageClassInput && !(flags & SPIRV_PATCH);
    case SpvExecutionModelGeometry:
        return storage == SpvStorageClassInput;
    case SpvExecutionModelMeshEXT:
    case SpvExecutionModelMeshNV:
        return storage == SpvStorageClassOutput;
    case SpvExecutionModelFragment:
        return storage == SpvStorageClassInput && flags & SPIRV_PER_VERTEX;
    default:
        return false;
    }
}

/* Adds an input or output of the entry point, split into leaves. */
static void add_interface(struct entry *entry, const struct spirv_variable *variable,
                          uint32_t index)
{
    struct spirv_build *build = entry->build;
    struct spirv_decorations decorations;
    spirv_decorations_read(build, variable->id, &decorations);
    uint32_t type_index = variable->type;
    const struct spirv_type *type = spirv_build_type(build, type_index);
    struct leaf walk = {.entry = entry,
                        .total = entry->totals[index].access ? &entry->totals[index] : NULL};
    walk.seed = (struct spirv_interface){.variable = variable->id,
                                         .member = SPIRV_NONE,
                                         .name = spirv_name_of(build, variable->id),
                                         .storage = (uint8_t)variable->storage,
                                         .initialized = variable->initialized,
                                         .flags = decorations.flags,
                                         .builtin = decorations.builtin,
                                         .location = decorations.location,
                                         .component = decorations.component,
                                         .index = decorations.index,
                                         .stream = decorations.stream,
                                         .xfb_buffer = decorations.xfb_buffer,
                                         .xfb_stride = decorations.xfb_stride};
    uint32_t flags = decorations.flags;
    const struct spirv_type *element =
        type && type->opcode == SpvOpTypeArray ? spirv_build_type(build, type->element) : NULL;
    if (element && element->opcode == SpvOpTypeStruct &&
        /* the members may have Patch and PerVertex in place of the variable */
        element->member_count) {
        const struct spirv_member *member =
            LIST_AT(build, members, element->first_member, struct spirv_member);
        flags |= member->flags & (SPIRV_PATCH | SPIRV_PER_VERTEX);
    }
    bool arrayed = is_arrayed(entry->point->model, variable->storage, flags);
    /* These built-ins, of a mesh shader's primitives and of a patch, are arrays themselves. */
    if (decorations.builtin != SPIRV_NONE &&
        (decorations.builtin == SpvBuiltInPrimitivePointIndicesEXT ||
         decorations.builtin == SpvBuiltInPrimitiveLineIndicesEXT ||
         decorations.builtin == SpvBuiltInPrimitiveTriangleIndicesEXT ||
         decorations.builtin == SpvBuiltInPrimitiveIndicesNV))
        arrayed = false;
    if (arrayed && type && type->opcode == SpvOpTypeArray) {
        walk.seed.flags |= SPIRV_ARRAYED;
        walk.seed.outer_length = type->length;
        type_index = type->element;
    }
    (void)leaf_flatten(&walk, walk.seed, type_index, 0);
}

/* Returns the SPIRV_USES_ bit of the descriptor heap that the variable is by its decoration; 0: it
 * is not a heap. */
static uint32_t heap_of(const struct spirv_build *build, uint32_t id)
{
    struct spirv_decorations decorations;
    if (id >= build->module->bound)
        return 0;
    spirv_decorations_read(build, id, &decorations);
    return decorations.builtin == SpvBuiltInSamplerHeapEXT    ? SPIRV_USES_SAMPLER_HEAP
           : decorations.builtin == SpvBuiltInResourceHeapEXT ? SPIRV_USES_RESOURCE_HEAP
                                                              : 0;
}

/* Reads the inputs and outputs among the variables that OpEntryPoint lists. (From SPIR-V 1.4 on it
 * lists other variables as well.) */
static void read_interface(struct entry *entry, const uint32_t *words, uint32_t length)
{
    struct spirv_build *build = entry->build;
    entry->point->first_interface = build->interfaces.count;
    for (uint32_t w = 0; w < length && !build->failed && !entry->point->truncated; w++) {
        uint32_t index =
            words[w] < build->module->bound ? build->variable_index[words[w]] : SPIRV_NONE;
        const struct spirv_variable *variable =
            LIST_AT(build, variables, index, struct spirv_variable);
        if (variable && (variable->storage == SpvStorageClassInput ||
                         variable->storage == SpvStorageClassOutput))
            add_interface(entry, variable, index);
        else if (entry->heaps)
            entry->point->uses |= heap_of(build, words[w]);
    }
}

/* Returns the kind of resource of an image type, by its operands Dim and Sampled. */
static enum spirv_resource image_resource(const struct spirv_type *type)
{
    if (type->image_dim == SpvDimSubpassData)
        return SPIRV_RESOURCE_INPUT_ATTACHMENT;
    if (type->image_dim == SpvDimBuffer)
        return type->image_sampled == 2 ? SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER
                                        : SPIRV_RESOURCE_UNIFORM_TEXEL_BUFFER;
    return type->image_sampled == 2 ? SPIRV_RESOURCE_STORAGE_IMAGE : SPIRV_RESOURCE_SAMPLED_IMAGE;
}

/* Returns the kind of resource that a variable is, by the table "Shader Resource and Descriptor
 * Type Correspondence" (15.6.2). */
static enum spirv_resource variable_resource(const struct spirv_variable *variable,
                                             const struct spirv_type *type)
{
    switch (type->opcode) {
    case SpvOpTypeSampler:
        return SPIRV_RESOURCE_SAMPLER;
    case SpvOpTypeImage:
        return image_resource(type);
    case SpvOpTypeSampledImage:
        return type->image_dim == SpvDimBuffer ? SPIRV_RESOURCE_UNIFORM_TEXEL_BUFFER
                                               : SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER;
    case SpvOpTypeAccelerationStructureKHR:
        return SPIRV_RESOURCE_ACCELERATION_STRUCTURE;
    case SpvOpTypeTensorARM:
        return SPIRV_RESOURCE_TENSOR;
    case SpvOpTypeStruct:
        if (variable->storage == SpvStorageClassStorageBuffer)
            return SPIRV_RESOURCE_STORAGE_BUFFER;
        if (variable->storage == SpvStorageClassUniform)
            return type->flags & SPIRV_TYPE_BUFFER_BLOCK ? SPIRV_RESOURCE_STORAGE_BUFFER
                                                         : SPIRV_RESOURCE_UNIFORM_BUFFER;
        return SPIRV_RESOURCE_UNKNOWN;
    default:
        return SPIRV_RESOURCE_UNKNOWN;
    }
}

const char *spirv_resource_name(enum spirv_resource resource)
{
    static const char *const names[] = {
        [SPIRV_RESOURCE_UNKNOWN] = "resource",
        [SPIRV_RESOURCE_SAMPLER] = "sampler",
        [SPIRV_RESOURCE_SAMPLED_IMAGE] = "sampled image",
        [SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER] = "combined image sampler",
        [SPIRV_RESOURCE_STORAGE_IMAGE] = "storage image",
        [SPIRV_RESOURCE_UNIFORM_TEXEL_BUFFER] = "uniform texel buffer",
        [SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER] = "storage texel buffer",
        [SPIRV_RESOURCE_UNIFORM_BUFFER] = "uniform buffer",
        [SPIRV_RESOURCE_STORAGE_BUFFER] = "storage buffer",
        [SPIRV_RESOURCE_INPUT_ATTACHMENT] = "input attachment",
        [SPIRV_RESOURCE_ACCELERATION_STRUCTURE] = "acceleration structure",
        [SPIRV_RESOURCE_TENSOR] = "tensor",
    };
    return resource < ARRAY_LENGTH(names) ? names[resource] : names[0];
}

/* Notes the set, binding and element of the sampler that an image is always sampled with. */
static void read_sampler(const struct spirv_build *build, struct spirv_binding *binding,
                         const struct spirv_use *total)
{
    const uint32_t placed = SPIRV_HAS_SET | SPIRV_HAS_BINDING;
    struct spirv_decorations decorations;
    if (!total->sampler || total->sampler == SPIRV_NONE)
        return;
    spirv_decorations_read(build, total->sampler, &decorations);
    if ((decorations.flags & placed) != placed)
        return;
    binding->sampler_set = decorations.set;
    binding->sampler_binding = decorations.binding;
    binding->sampler_element = total->sampler_element;
}

/* Adds a resource of the entry point with its accesses. */
static void add_binding(struct entry *entry, const struct spirv_variable *variable,
                        const struct spirv_use *total)
{
    struct spirv_build *build = entry->build;
    struct spirv_decorations decorations;
    spirv_decorations_read(build, variable->id, &decorations);
    uint32_t type_index = variable->type;
    const struct spirv_type *type = spirv_build_type(build, type_index);
    struct spirv_binding binding = {.variable = variable->id,
                                    .storage = (uint8_t)variable->storage,
                                    .set = decorations.set,
                                    .binding = decorations.binding,
                                    .count = 1,
                                    .flags = decorations.flags,
                                    .access = total->access,
                                    .attachment = decorations.attachment,
                                    .elements = total->elements,
                                    .any_element = total->any_element,
                                    .accessed = total->accessed,
                                    .surely_accessed = total->surely_accessed,
                                    .texel_components = total->texel_components,
                                    .spans = total->spans,
                                    .places = total->places,
                                    .sampler_set = SPIRV_NONE};
    for (uint32_t depth = 0;
         type && (type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray) &&
         depth < 16;
         depth++) {
        binding.arrayed = true;
        binding.count_id = type->opcode == SpvOpTypeArray ? type->length_id : 0;
        uint64_t count =
            (uint64_t)binding.count * (type->opcode == SpvOpTypeArray ? type->length : 0);
        binding.count = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
        type_index = type->element;
        type = spirv_build_type(build, type_index);
    }
    if (!type)
        return;
    binding.type = type_index;
    binding.resource = (uint8_t)variable_resource(variable, type);
    binding.size = type->size;
    binding.flags |= (type->flags & SPIRV_TYPE_NON_WRITABLE ? (uint32_t)SPIRV_NON_WRITABLE : 0) |
                     (type->flags & SPIRV_TYPE_NON_READABLE ? (uint32_t)SPIRV_NON_READABLE : 0);
    if (binding.resource == SPIRV_RESOURCE_SAMPLED_IMAGE)
        read_sampler(build, &binding, total);
    binding.name = spirv_name_of(build, variable->id);
    if (!binding.name) /* a block without an instance name gets the name of the block's type */
        binding.name = spirv_name_of(build, type->id);
    struct spirv_binding *place = LIST_ADD(build, bindings, struct spirv_binding);
    if (!place)
        return;
    *place = binding;
    entry->point->binding_count++;
}

/* Reads the names of the struct's members. It is only called for modules with physical addresses,
 * as other names are not needed. */
static void read_member_names(struct spirv_build *build, const struct spirv_type *type)
{
    const struct spirv_module *module = build->module;
    for (uint32_t i = 0;
         i < module->instruction_count && module->instructions[i].opcode != SpvOpFunction; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t taken;
        if (instruction->opcode != SpvOpMemberName || instruction->length < 4 ||
            words[1] != type->id || words[2] >= type->member_count)
            continue;
        struct spirv_member *member =
            LIST_AT(build, members, type->first_member + words[2], struct spirv_member);
        const char *name = spirv_string(words + 3, instruction->length - 3u, &taken);
        if (name && !member->name)
            member->name = spirv_text_add(build, name);
    }
    build->work += module->instruction_count;
}

/* Notes which bytes of push constants the entry point declares and may access. */
static void read_push_constants(struct entry *entry, const struct spirv_variable *variable,
                                const struct spirv_use *total)
{
    struct spirv_build *build = entry->build;
    const struct spirv_type *type = spirv_build_type(build, variable->type);
    if (!type || type->opcode != SpvOpTypeStruct || !type->member_count)
        return;
    uint32_t begin = UINT32_MAX;
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct spirv_member *member =
            LIST_AT(build, members, type->first_member + i, struct spirv_member);
        begin = member->offset < begin ? member->offset : begin;
    }
    if (build->addressing_model == SpvAddressingModelPhysicalStorageBuffer64)
        read_member_names(build, type);
    entry->point->push_constant_type = variable->type;
    entry->point->push_constant_begin = begin < type->size ? begin : type->size;
    entry->point->push_constant_end = type->size;
    entry->point->push_accessed_begin = total->begin;
    entry->point->push_accessed_end = total->end;
}

/* Adds a variable of shared memory to the entry point. */
static void add_shared(struct entry *entry, const struct spirv_variable *variable)
{
    struct spirv_shared_variable *place =
        LIST_ADD(entry->build, shared, struct spirv_shared_variable);
    if (!place)
        return;
    *place = (struct spirv_shared_variable){.storage = variable->storage, .type = variable->type};
    entry->point->shared_count++;
}

/* Reads all resources that the entry point uses. */
static void read_resources(struct entry *entry)
{
    struct spirv_build *build = entry->build;
    entry->point->first_binding = build->bindings.count;
    entry->point->first_shared = build->shared.count;
    entry->point->push_constant_type = SPIRV_NONE;
    for (uint32_t i = 0; i < build->variables.count && !build->failed; i++) {
        const struct spirv_variable *variable = LIST_AT(build, variables, i, struct spirv_variable);
        const struct spirv_use *total = &entry->totals[i];
        const bool is_shared = variable->storage == SpvStorageClassWorkgroup ||
                               variable->storage == SpvStorageClassTaskPayloadWorkgroupEXT;
        /* With a sole entry point all shared memory counts. With several, memory that this one does
         * not access may belong to another one. */
        if (!total->access && !(is_shared && entry->sole))
            continue;
        switch (variable->storage) {
        case SpvStorageClassUniformConstant:
        case SpvStorageClassUniform:
        case SpvStorageClassStorageBuffer:
            add_binding(entry, variable, total);
            break;
        case SpvStorageClassPushConstant:
            read_push_constants(entry, variable, total);
            break;
        case SpvStorageClassWorkgroup:
        case SpvStorageClassTaskPayloadWorkgroupEXT:
            add_shared(entry, variable);
            break;
        default:
            break;
        }
    }
    /* The product of entry points and variables may be large, so it counts as work. */
    build->work += build->variables.count;
}

/* Adds an entry point with its modes, calls, interface and resources. */
static void add_entry(struct entry *entry, const struct spirv_instruction *instruction)
{
    struct spirv_build *build = entry->build;
    const uint32_t *words = spirv_words(build->module, instruction);
    struct spirv_entry_point point = {0};
    uint32_t taken;
    const char *name =
        instruction->length > 3 ? spirv_string(words + 3, instruction->length - 3u, &taken) : NULL;
    if (!name)
        return;
    point.model = words[1];
    point.function = words[2];
    point.name = spirv_text_add(build, name);
    point.uses = entry->wide_size && entry->sole ? SPIRV_USES_WIDE_SIZE : 0;
    entry->point = &point;
    read_modes(entry);
    follow_calls(entry);
    read_interface(entry, words + 3 + taken, instruction->length - 3u - taken);
    read_resources(entry);
    struct spirv_entry_point *place = LIST_ADD(build, entries, struct spirv_entry_point);
    if (place)
        *place = point;
    entry->number++;
}

/* Adds an entry point of a graph with its name, and with all resources in its interface. */
static void add_graph(struct entry *entry, const struct spirv_instruction *instruction)
{
    struct spirv_build *build = entry->build;
    const uint32_t *words = spirv_words(build->module, instruction);
    const struct spirv_use use = {.access = SPIRV_ACCESS_USED};
    struct spirv_entry_point point = {.first_binding = build->bindings.count};
    uint32_t taken;
    const char *name =
        instruction->length > 2 ? spirv_string(words + 2, instruction->length - 2u, &taken) : NULL;
    if (!name)
        return;
    point.name = spirv_text_add(build, name);
    entry->point = &point;
    for (uint32_t w = 2 + taken; w < instruction->length && !build->failed; w++) {
        const struct spirv_variable *variable =
            words[w] < build->module->bound
                ? LIST_AT(build, variables, build->variable_index[words[w]], struct spirv_variable)
                : NULL;
        if (variable)
            add_binding(entry, variable, &use);
    }
    struct spirv_entry_point *place = LIST_ADD(build, graphs, struct spirv_entry_point);
    if (place)
        *place = point;
}

/* True for an OpConstantSizeOfEXT whose type has 64 bits. */
static bool is_wide_size(const struct spirv_build *build,
                         const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(build->module, instruction);
    if (instruction->opcode != SpvOpConstantSizeOfEXT || instruction->length < 3 ||
        words[1] >= build->module->bound)
        return false;
    const struct spirv_type *type = spirv_build_type(build, build->type_index[words[1]]);
    return type && type->opcode == SpvOpTypeInt && type->width == 64;
}

void spirv_build_entries(struct spirv_build *build)
{
    const struct spirv_module *module = build->module;
    struct entry entry = {.build = build};
    if (build->failed)
        return;
    entry.function_of = mem_alloc(module->bound * sizeof(*entry.function_of));
    entry.reached = mem_alloc((build->functions.count + 1) * sizeof(*entry.reached));
    entry.mark = mem_alloc_zeroed((build->functions.count + 1) * sizeof(*entry.mark));
    entry.totals = mem_alloc((build->variables.count + 1) * sizeof(*entry.totals));
    if (!entry.function_of || !entry.reached || !entry.mark || !entry.totals) {
        build->failed = true;
        goto done;
    }
    bool graphs = false;
    for (uint32_t i = 0; i < build->capabilities.count; i++) {
        const uint32_t capability = *LIST_AT(build, capabilities, i, uint32_t);
        entry.heaps |= capability == SpvCapabilityDescriptorHeapEXT;
        graphs |= capability == SpvCapabilityGraphARM;
    }
    /* Each element is SPIRV_NONE. */
    memset(entry.function_of, 0xff, module->bound * sizeof(*entry.function_of));
    for (uint32_t i = 0; i < build->functions.count; i++) {
        uint32_t id = LIST_AT(build, functions, i, struct spirv_function)->id;
        if (id < module->bound)
            entry.function_of[id] = i;
    }
    uint32_t entries = 0;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        if (module->instructions[i].opcode == SpvOpFunction)
            break;
        entries += module->instructions[i].opcode == SpvOpEntryPoint;
        entry.wide_size |= is_wide_size(build, &module->instructions[i]);
    }
    entry.sole = entries == 1;
    for (uint32_t i = 0; i < module->instruction_count && !build->failed; i++) {
        if (module->instructions[i].opcode == SpvOpFunction)
            break;
        if (module->instructions[i].opcode == SpvOpEntryPoint)
            add_entry(&entry, &module->instructions[i]);
    }
    for (uint32_t i = 0; graphs && i < module->instruction_count; i++) {
        if (module->instructions[i].opcode == SpvOpGraphEntryPointARM)
            add_graph(&entry, &module->instructions[i]);
    }
done:
    mem_free(entry.function_of);
    mem_free(entry.reached);
    mem_free(entry.mark);
    mem_free(entry.totals);
}
