/* Areas: bytes of an object that a validator keeps there, and that neither the chassis nor the
 * state tracker knows anything of.
 *
 * A structure that validators may keep something in has room for it, `AREA_ROOM(bytes)`. A
 * validator's header says which of these bytes are its own, and of which type (AREA). The offset is
 * a constant of the compiler, so that an area costs the same as a member of the structure.
 * src/validators.c only compiles if areas fill the room, without a gap or an overlap.
 *
 * - An area begins as zeroes, which must be a valid state: nothing is kept yet.
 * - It lives as long as the structure, and by the same rule: bytes that another thread may still
 *   read stay readable, and are never those of something else. A command buffer's memory is reused
 *   for the next command buffer, with what areas own; hooks of the validator empty it.
 * - The validator's `areas` (struct validator) release what an area owns before the object's state
 *   is retired. Threads: an area has the rules of the object that contains it. */
#ifndef ASSAY_OBJECTS_AREA_H
#define ASSAY_OBJECTS_AREA_H

#include "base/base.h"
#include "vk/handle_types.h" /* generated: enum handle_type */

/* The member of a structure that contains the areas. Its type is not char: with char the compiler
 * must assume that each store into the structure may change any other object. */
#define AREA_ROOM(bytes_) uint64_t areas[(bytes_) / 8]

/* Declares that `struct name_` begins at byte `first_` in the room of `struct object_`.
 * name_(object) returns it. Storing in the area does not change the object itself, which may be
 * const. */
#define AREA(name_, object_, first_)                                                  \
    enum {                                                                            \
        AREA_FIRST_##name_ = (first_),                                                \
        AREA_END_##name_ = (first_) + (int)sizeof(struct name_)                       \
    };                                                                                \
    static_assert((first_) % 8 == 0 && sizeof(struct name_) % 8 == 0, "whole words"); \
    static_assert(AREA_END_##name_ <= (int)sizeof(((struct object_ *)NULL)->areas),   \
                  "the room of the structure has them");                              \
    static ALWAYS_INLINE struct name_ *name_(const struct object_ *object)            \
    {                                                                                 \
        return (struct name_ *)(uintptr_t)&object->areas[(first_) / 8];               \
    }

/* These check the first area of a room, each following one, and the last one. For
 * src/validators.c. */
#define AREA_BEGINS(name_) static_assert(AREA_FIRST_##name_ == 0, "no gap before it")
#define AREA_FOLLOWS(name_, one_) \
    static_assert((int)AREA_FIRST_##name_ == (int)AREA_END_##one_, "no gap between them")
#define AREA_ENDS(name_, object_)                                                   \
    static_assert(AREA_END_##name_ == (int)sizeof(((struct object_ *)NULL)->areas), \
                  "no gap after it")
/* Checks the only area of a room. */
#define AREA_FILLS(name_, object_) \
    AREA_BEGINS(name_);            \
    AREA_ENDS(name_, object_)

struct object;

/* Frees what a validator's areas own when an object of the type is destroyed. */
struct area_end {
    enum handle_type type;
    /* Frees the memory that areas own for the object. object->state is still there, and not NULL. A
     * wrong program may still read on another thread. So memory that it may read is made
     * unreachable, and retired (base/retire.c). */
    void (*destroy)(struct object *object);
};

#endif
