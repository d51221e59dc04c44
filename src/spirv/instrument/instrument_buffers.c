/* Checks that accesses to uniform, storage and texel buffers are within the bound range. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/abi.h"

/* The offset of an access in a block: fixed + the sum of index * stride. */
struct place {
    uint32_t fixed;
    /* ids of the indices, and their strides in bytes; `count` of each */
    uint32_t ids[INSTRUMENT_CHAIN], strides[INSTRUMENT_CHAIN];
    uint32_t count;
    uint32_t size; /* bytes of the access */
    /* the access is in the runtime array at the end of the block; the members below are valid then
     */
    bool runtime;
    uint32_t member, element, base,
        /* index of the array's struct member, id of the element's index, byte offset of the array
         * and of an element to the next; `fixed` and the sum are within the element */
        stride;
};

/* Adds an index to the place: a constant one as bytes. Returns false if there are too many, or it
 * is too large. */
static bool add_index(const struct instrument *x, struct place *place, uint32_t id, uint32_t stride)
{
    uint64_t value;
    if (instrument_value(x, id, &value)) {
        uint64_t fixed = place->fixed + value * stride;
        place->fixed = (uint32_t)fixed;
        return value <= UINT32_MAX && fixed <= UINT32_MAX;
    }
    if (place->count == INSTRUMENT_CHAIN)
        return false;
    place->ids[place->count] = id;
    place->strides[place->count++] = stride;
    return true;
}

/* Follows an index into a struct. Returns false if the index is not known, or the member has no
 * layout. */
static bool enter_member(const struct instrument *x, struct place *place, uint32_t *type,
                         uint32_t index_id, bool outermost, const struct instrument_member **member)
{
    assert(type && member);
    const struct spirv_instruction *definition = spirv_definition(x->module, *type);
    uint64_t index;
    if (!definition || !instrument_value(x, index_id, &index) || index + 2 >= definition->length)
        return false;
    *member = instrument_member(x, *type, (uint32_t)index);
    if (!*member)
        return false;
    place->fixed += (*member)->offset;
    *type = spirv_words(x->module, definition)[2 + index];
    if (outermost && instrument_opcode(x, *type) == SpvOpTypeRuntimeArray) {
        place->runtime = true;
        place->member = (uint32_t)index;
        place->base = place->fixed;
        place->stride = x->strides[*type];
        place->fixed = 0;
    }
    return true;
}

/* True for a uniform buffer. A shader must not query the length of its runtime array
 * (OpArrayLength). */
static bool is_uniform(const struct instrument *x, const struct instrument_access *access)
{
    return access->storage == SpvStorageClassUniform && !x->buffer_block[access->resource_type];
}

/* Finds the place of an access in its buffer. Returns false if its layout is not understood. */
static bool access_find_place(const struct instrument *x, const struct instrument_access *access,
                              struct place *place)
{
    uint32_t type = access->resource_type;
    const struct instrument_member *member = NULL;
    *place = (struct place){0};
    for (uint32_t i = access->descriptors; i < access->index_count; i++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, type);
        const uint32_t *words =
            definition && definition->length > 2 ? spirv_words(x->module, definition) : NULL;
        bool row_major = member && member->row_major, good = true;
        uint32_t index = access->indices[i];
        if (!words)
            return false;
        switch (definition->opcode) {
        case SpvOpTypeStruct:
            good = enter_member(x, place, &type, index, i == access->descriptors, &member);
            break;
        case SpvOpTypeRuntimeArray:
            good = place->runtime && !place->element && place->stride && !is_uniform(x, access);
            place->element = index;
            type = words[2];
            break;
        case SpvOpTypeArray:
            good = x->strides[type] && add_index(x, place, index, x->strides[type]);
            type = words[2];
            break;
        /* The components of a column in a row-major matrix are not contiguous, so only the first
         * one is checked here. */
        case SpvOpTypeMatrix: {
            uint32_t column = words[2],
                     scalar = instrument_size(x,
                                              instrument_definition(x, column, SpvOpTypeVector, 4)
                                                  ? instrument_definition(x, column,
                                                                          SpvOpTypeVector, 4)[2]
                                                  : 0,
                                              NULL);
            good = member && member->matrix_stride &&
                   add_index(x, place, index, row_major ? scalar : member->matrix_stride);
            type = column;
            break;
        }
        case SpvOpTypeVector:
            good =
                add_index(x, place, index,
                          row_major ? member->matrix_stride : instrument_size(x, words[2], NULL));
            type = words[2];
            break;
        default:
            return false;
        }
        if (!good)
            return false;
    }
    place->size = instrument_size(x, type, member);
    return place->size && (!place->runtime || place->element);
}

/* Emits the offset in the buffer, and returns its id; 0: the type of an index is not understood. */
static uint32_t place_offset(struct instrument *x, const struct place *place)
{
    uint32_t sum = place->fixed ? instrument_u32(x, place->fixed) : 0,
             u32 = spirv_edit_type_u32(&x->edit);
    for (uint32_t i = 0; i < place->count; i++) {
        uint32_t index = instrument_to_u32(x, place->ids[i]);
        if (!index)
            return 0;
        if (place->strides[i] != 1)
            index =
                instrument_emit(x, SpvOpIMul, u32,
                                (const uint32_t[]){index, instrument_u32(x, place->strides[i])}, 2);
        sum = sum ? instrument_emit(x, SpvOpIAdd, u32, (const uint32_t[]){sum, index}, 2) : index;
    }
    return sum ? sum : instrument_u32(x, 0);
}

/* Emits the length of the runtime array at the end of the block, in elements. Returns 0 if the
 * descriptor's index is not understood. */
static uint32_t length_of(struct instrument *x, const struct instrument_access *access,
                          const struct place *place, uint32_t pointer)
{
    uint32_t block = access->variable, index = 0, u32 = spirv_edit_type_u32(&x->edit);
    if (access->descriptors) {
        index = instrument_safe_index(x, access);
        if (!index)
            return 0;
    }
    uint32_t known = instrument_memo_find(x, MEMO_RANGE, access->variable, index, 0);
    if (known)
        return known;
    if (index) {
        uint32_t type = spirv_edit_type_pointer(&x->edit, (SpvStorageClass)access->storage,
                                                access->resource_type);
        block = instrument_emit(x, SpvOpAccessChain, type,
                                (const uint32_t[]){access->variable, index}, 2);
        if (x->non_uniform[pointer])
            spirv_edit_decorate(&x->edit, block, SpvDecorationNonUniform);
    }
    uint32_t length =
        instrument_emit(x, SpvOpArrayLength, u32, (const uint32_t[]){block, place->member}, 2);
    instrument_memo_add(x, MEMO_RANGE, access->variable, index, 0, length);
    return length;
}

/* Emits the descriptor's index, and the number of descriptors in `count`. The library ignores an
 * access with an index out of bounds, which another check reports. */
static uint32_t descriptor_of(struct instrument *x, const struct instrument_access *access,
                              uint32_t *count)
{
    uint32_t index = instrument_descriptor_index(x, access);
    *count = !access->descriptors ? instrument_u32(x, 1)
             : index              ? instrument_descriptor_count(x, access)
                                  : 0;
    *count = *count ? *count : instrument_u32(x, UINT32_MAX);
    return index;
}

/* Adds the site of an access, and returns its id. The shader writes the offset (or texel), the
 * bound size, and the descriptor. */
static uint32_t range_site(struct instrument *x, const struct instrument_access *access,
                           uint32_t error, uint32_t size, uint32_t where)
{
    const struct spirv_site site = {.where = where,
                                    .error = error,
                                    .words = {access->set, access->binding, [4] = size},
                                    .from = {[2] = SITE_C, [3] = SITE_A, [5] = SITE_B}};
    return instrument_site(x, &site);
}

/* Returns the id of the bound bytes, if they were looked up before; 0: they were not. */
static uint32_t known_range(struct instrument *x, const struct instrument_access *access,
                            uint32_t index)
{
    uint32_t range = instrument_memo_find(x, MEMO_RANGE, access->variable, index, 2);
    if (range)
        return range;
    range = instrument_later_range(x, access);
    if (range)
        instrument_memo_add(x, MEMO_RANGE, access->variable, index, 2, range);
    return range;
}

/* Checks an access to an element of a runtime array. For a whole element, OpArrayLength decides.
 * For a part of one, the bound range is looked up if the element is past that length. */
static uint32_t check_element(struct instrument *x, const struct instrument_access *access,
                              const struct place *place, uint32_t element, uint32_t length,
                              uint32_t index, uint32_t count)
{
    /* The site's word holds the set in five bits, and the base in the rest. */
    if (place->size == place->stride && place->base < 1u << 27 && access->set < 32 &&
        !x->info->null_descriptors) {
        const struct spirv_site site = {
            .where = instrument_here(x),
            .error = ERROR_STORAGE_BUFFER_ELEMENT,
            .words = {access->set | place->base << 5, access->binding, [5] = place->stride},
            .from = {[2] = SITE_C, [3] = SITE_A, [4] = SITE_B}};
        const uint32_t arguments[] = {element, length, index, count, instrument_site(x, &site)};
        return instrument_check(x, "assay_whole_element", arguments, ARRAY_LENGTH(arguments));
    }
    uint32_t within = place_offset(x, place), range = known_range(x, access, index), arguments[11],
             at = 0;
    const bool of_one = range && !access->descriptors;
    if (!within)
        return 0;
    arguments[at++] = element;
    arguments[at++] = length;
    arguments[at++] = instrument_u32(x, place->base);
    arguments[at++] = within;
    arguments[at++] = instrument_u32(x, place->stride);
    arguments[at++] = instrument_u32(x, place->size);
    if (!of_one) {
        arguments[at++] = index;
        arguments[at++] = count;
    }
    if (range) {
        arguments[at++] = range;
    } else {
        arguments[at++] =
            instrument_u32(x, access->layout ? instrument_range_entry(access->layout->first) : 0);
        arguments[at++] = instrument_set(x, access->set);
    }
    arguments[at++] =
        range_site(x, access, ERROR_STORAGE_BUFFER_RANGE, place->size, instrument_here(x));
    const char *function = of_one  ? "assay_element_of_one"
                           : range ? "assay_element_in"
                                   : "assay_element";
    return instrument_check(x, function, arguments, at);
}

/* Emits the look-up of the bytes (or texels) that the set's table has for the descriptor, and
 * returns their id. */
static uint32_t range_of(struct instrument *x, const struct instrument_access *access,
                         uint32_t index, uint32_t count)
{
    uint32_t range = known_range(x, access, index), entry;
    if (range)
        return range;
    if (instrument_entry(x, access, &entry))
        range = instrument_bytes(x, entry, access->set);
    if (!range) {
        const uint32_t arguments[] = {
            index, count, instrument_u32(x, instrument_range_entry(access->layout->first)),
            instrument_set(x, access->set)};
        range = instrument_call(x, "assay_bound_range", spirv_edit_type_u32(&x->edit), arguments,
                                ARRAY_LENGTH(arguments));
    }
    instrument_memo_add(x, MEMO_RANGE, access->variable, index, 2, range);
    return range;
}

/* Checks the element of a runtime array that is accessed. */
static void check_runtime(struct instrument *x, const struct instrument_access *access,
                          const struct place *place, uint32_t pointer)
{
    uint32_t element = instrument_to_u32(x, place->element);
    uint32_t done =
        element ? instrument_memo_find(x, MEMO_WITHIN, access->variable,
                                       access->descriptors ? access->indices[0] : 0, element)
                : 0;
    if (done) {
        instrument_require(x, done);
        return;
    }
    uint32_t length = element ? length_of(x, access, place, pointer) : 0;
    uint32_t count, index = length ? descriptor_of(x, access, &count) : 0;
    uint32_t ok = index ? check_element(x, access, place, element, length, index, count) : 0;
    if (ok)
        instrument_memo_add(x, MEMO_WITHIN, access->variable,
                            access->descriptors ? access->indices[0] : 0, element, ok);
}

/* Returns the number of the place's pattern (struct instrument_pattern), from 1 on; 0: the table is
 * full. */
static uint32_t pattern_of(struct instrument *x, const struct instrument_access *access,
                           const struct place *place)
{
    assert(access && place);
    struct instrument_pattern pattern = {.variable = access->variable,
                                         .index = access->descriptors ? access->indices[0] : 0,
                                         .count = place->count};
    if (place->count > ARRAY_LENGTH(pattern.ids))
        return 0;
    memcpy(pattern.ids, place->ids, place->count * sizeof(*place->ids));
    memcpy(pattern.strides, place->strides, place->count * sizeof(*place->strides));
    uint32_t i = 0;
    while (i < x->pattern_count && memcmp(&x->patterns[i], &pattern, sizeof(pattern)) != 0)
        i++;
    if (i == ARRAY_LENGTH(x->patterns))
        return 0;
    if (i == x->pattern_count)
        x->patterns[x->pattern_count++] = pattern;
    return i + 1;
}

/* True if these bytes were checked on every path to this block. Pattern 0 is never covered. */
static bool is_covered(const struct instrument *x, uint32_t pattern, uint32_t low, uint32_t high)
{
    assert(low <= high);
    for (uint32_t i = 0; pattern && i < ARRAY_LENGTH(x->covered); i++) {
        const struct instrument_covered *covered = &x->covered[i];
        if (covered->pattern == pattern && covered->low <= low && covered->high >= high &&
            instrument_dominates(x, covered->block, x->own_block))
            return true;
    }
    return false;
}

/* The bytes that one check covers. */
struct reach {
    uint32_t low, high;   /* bytes of the buffer's block, from `low` to before `high` */
    uint32_t where, size; /* the access that ends last: its instruction, and its size in bytes */
};

/* True if the invocation can continue elsewhere than at the next instruction. */
static bool instruction_leaves(const struct spirv_instruction *instruction)
{
    switch (instruction->opcode) {
    case SpvOpLabel:
    case SpvOpFunctionEnd:
    case SpvOpFunctionCall:
    case SpvOpDemoteToHelperInvocation:
    case SpvOpControlBarrier:
        return true;
    default:
        return false;
    }
}

/* Widens `reach` by an access of the same pattern. */
static void reach_to(struct instrument *x, uint32_t at, uint32_t pointer, uint32_t pattern,
                     struct reach *reach)
{
    struct instrument_access access;
    struct place place;
    if (!pointer || !instrument_resolve(x, pointer, &access) ||
        access.resource_type >= x->module->bound ||
        access.variable != x->patterns[pattern - 1].variable ||
        !access_find_place(x, &access, &place) || place.runtime ||
        place.fixed > UINT32_MAX - place.size || pattern_of(x, &access, &place) != pattern)
        return;
    if (place.fixed < reach->low)
        reach->low = place.fixed;
    if (place.fixed + place.size > reach->high) {
        reach->high = place.fixed + place.size;
        reach->where = at;
        reach->size = place.size;
    }
}

#define REACH_MOST 512 /* the most instructions that are searched */

/* Extends the check to later accesses of the same pattern that certainly follow this one. */
static void reach_further(struct instrument *x, uint32_t pattern, struct reach *reach)
{
    for (uint32_t at = x->index + 1;
         at < x->module->instruction_count && at < x->index + REACH_MOST; at++) {
        const struct spirv_instruction *instruction = &x->module->instructions[at];
        uint32_t second;
        bool writes;
        if (instruction_leaves(instruction))
            return;
        uint32_t pointer =
            instrument_accessed(instruction, spirv_words(x->module, instruction), &second, &writes);
        reach_to(x, at, pointer, pattern, reach);
        reach_to(x, at, second, pattern, reach);
    }
}

/* Checks an access at an offset that is not in a runtime array, together with later accesses of the
 * same pattern. For constant offsets, a check of the access that ends last is enough. For others,
 * the bytes of all accesses are checked, and a failure is reported for the first one. In safe mode
 * each access is checked alone. */
static void check_fixed(struct instrument *x, const struct instrument_access *access,
                        const struct place *given, bool storage)
{
    struct place place = *given;
    uint32_t count, index = access->layout ? descriptor_of(x, access, &count) : 0;
    if (!index)
        return;
    bool constant = !place.count;
    uint32_t pattern =
        x->info->safe || place.fixed > UINT32_MAX - place.size ? 0 : pattern_of(x, access, &place);
    struct reach reach = {place.fixed, place.fixed + place.size, x->index, place.size};
    /* An earlier check has covered all of these bytes. */
    if (is_covered(x, pattern, reach.low, reach.high))
        return;
    if (pattern && x->later.on && x->info->later_accesses)
        reach_further(x, pattern, &reach);
    if (!constant) {
        place.fixed = reach.low;
        place.size = reach.high - reach.low;
        reach.where = x->index;
    } else if (reach.where != x->index) {
        place.fixed = reach.high - reach.size;
        place.size = reach.size;
    }
    uint32_t offset = place_offset(x, &place);
    if (!offset)
        return;
    if (pattern)
        x->covered[x->covered_count++ % ARRAY_LENGTH(x->covered)] = (struct instrument_covered){
            /* If a constant offset is in bounds, all bytes before it are. */
            pattern, x->own_block, constant ? 0 : reach.low, reach.high};
    const uint32_t arguments[] = {
        offset, instrument_u32(x, place.size), range_of(x, access, index, count), index,
        range_site(x, access, storage ? ERROR_STORAGE_BUFFER_RANGE : ERROR_UNIFORM_BUFFER_RANGE,
                   place.size, instrument_place(x, reach.where))};
    (void)instrument_check(x, "assay_bound", arguments, ARRAY_LENGTH(arguments));
}

/* Checks that an access to a buffer is within the bound range, unless the device is robust. */
static void check_access(struct instrument *x, uint32_t pointer)
{
    struct instrument_access access;
    struct place place;
    if (!instrument_resolve(x, pointer, &access) || access.set == SPIRV_NONE ||
        access.binding == SPIRV_NONE || access.resource_type >= x->module->bound ||
        (access.storage != SpvStorageClassUniform &&
         access.storage != SpvStorageClassStorageBuffer))
        return;
    bool storage =
        access.storage == SpvStorageClassStorageBuffer || x->buffer_block[access.resource_type];
    if ((storage ? x->info->robust_storage : x->info->robust_uniform) ||
        !access_find_place(x, &access, &place))
        return;
    if (place.runtime)
        check_runtime(x, &access, &place, pointer);
    else
        check_fixed(x, &access, &place, storage);
}

/* Checks the texel that an instruction accesses in a texel buffer. The number of texels is looked
 * up in the set's table, as the shader must not query an empty descriptor. */
static void check_texel(struct instrument *x, uint32_t pointer, uint32_t coordinate)
{
    const uint32_t *pointer_type =
        instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
    const uint32_t *type =
        pointer_type ? instrument_definition(x, pointer_type[3], SpvOpTypeImage, 9) : NULL;
    struct instrument_access access;
    if (!type || type[3] != SpvDimBuffer || !instrument_resolve(x, pointer, &access) ||
        !access.layout || (type[7] == 2 ? x->info->robust_storage : x->info->robust_uniform))
        return;
    uint32_t texel = instrument_to_u32(x, coordinate), count,
             index = texel ? descriptor_of(x, &access, &count) : 0;
    if (!index)
        return;
    const struct spirv_site site = {.where = instrument_here(x),
                                    .error = ERROR_TEXEL_BUFFER_RANGE,
                                    .words = {access.set, access.binding},
                                    .from = {[2] = SITE_C, [3] = SITE_A, [4] = SITE_B}};
    const uint32_t arguments[] = {texel, range_of(x, &access, index, count), index,
                                  instrument_site(x, &site)};
    (void)instrument_check(x, "assay_texel", arguments, ARRAY_LENGTH(arguments));
}

/* Checks an image's texel. An image that was not loaded from a variable is not checked. */
static void image_buffer_check(struct instrument *x, uint32_t image, uint32_t coordinate)
{
    const uint32_t *load = instrument_definition(x, image, SpvOpLoad, 4);
    if (load)
        check_texel(x, load[3], coordinate);
}

void instrument_buffers(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words)
{
    uint32_t second;
    bool writes;
    if (!(x->info->checks & SPIRV_CHECK_BUFFERS))
        return;
    switch (instruction->opcode) {
    case SpvOpImageFetch:
    case SpvOpImageRead:
        if (instruction->length > 4)
            image_buffer_check(x, words[3], words[4]);
        return;
    case SpvOpImageWrite:
        if (instruction->length > 2)
            image_buffer_check(x, words[1], words[2]);
        return;
    default:
        break;
    }
    uint32_t pointer = instrument_accessed(instruction, words, &second, &writes);
    const uint32_t *texel = instrument_definition(x, pointer, SpvOpImageTexelPointer, 6);
    if (texel)
        check_texel(x, texel[3], texel[4]);
    else if (pointer)
        check_access(x, pointer);
    if (second)
        check_access(x, second);
}
