/* Copies a create info with all that it points to. It uses the generated tables; if they do not
 * know a part, the copy fails. */
#include "gpu/pipeline/copy.h"

#include <string.h>

#include "vk/chain.h"
#include "vk/pointer.h"

static bool copy_pointers(struct arena *arena, const struct copied_structure *structure,
                          unsigned char *copy);

/* Finds the table's entry for a structure type; NULL: the generated tables do not know it, and the
 * copy fails. */
static const struct copied_structure *structure_find(VkStructureType type)
{
    for (uint32_t i = 0; i < copied_structure_count; i++) {
        if (copied_structures[i].type == type && type != COPIED_NO_TYPE)
            return &copied_structures[i];
    }
    return NULL;
}

/* Replaces the chain of a copied structure by a copy. Returns false if memory is out, or a
 * structure in it is unknown. Structures with a size of 0 in the table do not matter here, and are
 * left out. */
static bool copy_chain(struct arena *arena, unsigned char *next)
{
    const VkBaseInStructure *in;
    memcpy(&in, next, sizeof(in));
    memset(next, 0, sizeof(in));
    for (uint32_t length = 0; in; in = in->pNext) {
        const struct copied_structure *structure = structure_find(in->sType);
        if (!structure || ++length > CHAIN_LIMIT)
            return false;
        if (!structure->size)
            continue;
        unsigned char *copy = arena_take(arena, structure->size);
        if (!copy)
            return false;
        memcpy(copy, in, structure->size);
        memset(copy + offsetof(VkBaseInStructure, pNext), 0, sizeof(in));
        if (!copy_pointers(arena, structure, copy))
            return false;
        memcpy(next, &copy, sizeof(copy));
        next = copy + offsetof(VkBaseInStructure, pNext);
    }
    return true;
}

/* Returns how many elements the pointer leads to: bytes, or structures of its kind. A sample mask
 * has a word for each 32 samples. */
static size_t count_of(const struct copied_pointer *pointer, const unsigned char *structure,
                       const void *value)
{
    uint32_t number;
    size_t bytes;
    switch (pointer->count) {
    case COPIED_ONE:
        return 1;
    case COPIED_STRING:
        return strlen(value) + 1;
    case COPIED_BYTES:
        memcpy(&bytes, structure + pointer->counter, sizeof(bytes));
        return bytes;
    default:
        memcpy(&number, structure + pointer->counter, sizeof(number));
        return pointer->count == COPIED_SAMPLES ? (number + 31) / 32 : number;
    }
}

/* Copies what `count` structures in an array point to; the array itself has been copied already. */
static bool copy_elements(struct arena *arena, const struct copied_structure *structure,
                          unsigned char *elements, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *element = elements + i * structure->size;
        if (structure->type != COPIED_NO_TYPE &&
            !copy_chain(arena, element + offsetof(VkBaseInStructure, pNext)))
            return false;
        if (!copy_pointers(arena, structure, element))
            return false;
    }
    return true;
}

/* Copies the data that one pointer of a copied structure points to. */
static bool copy_pointer(struct arena *arena, const struct copied_pointer *pointer,
                         unsigned char *structure, const void *value)
{
    if (pointer->count == COPIED_NEVER || pointer_is_bad(value))
        return false;
    if (pointer->count == COPIED_CHAIN)
        return copy_chain(arena, structure + pointer->offset);
    size_t count = count_of(pointer, structure, value), size = count * pointer->size;
    unsigned char *elements = arena_take(arena, size + 1);
    if (!elements)
        return false;
    memcpy(elements, value, size);
    memcpy(structure + pointer->offset, &elements, sizeof(elements));
    return pointer->structure == COPIED_PLAIN ||
           copy_elements(arena, &copied_structures[pointer->structure], elements, count);
}

/* Replaces all pointers of a copied structure by copies. Returns false if memory is out, or a part
 * of it is unknown. */
static bool copy_pointers(struct arena *arena, const struct copied_structure *structure,
                          unsigned char *copy)
{
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct copied_pointer *pointer = &copied_pointers[structure->first + i];
        const void *value;
        memcpy(&value, copy + pointer->offset, sizeof(value));
        if (value && !copy_pointer(arena, pointer, copy, value))
            return false;
    }
    return true;
}

void *gpu_copy_create_info(struct arena *arena, const void *info)
{
    const struct copied_structure *structure =
        structure_find(((const VkBaseInStructure *)info)->sType);
    /* All memory comes from the arena, so a copy that fails half way needs no clean-up. */
    unsigned char *copy = structure ? arena_take(arena, structure->size) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, info, structure->size);
    return copy_elements(arena, structure, copy, 1) ? copy : NULL;
}
