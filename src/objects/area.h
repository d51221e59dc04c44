/* Areas: bytes of an object that a validator keeps there, and that neither the chassis nor the
 * state tracker knows anything of.
 *
 * A structure that validators may keep something in has room for it, `AREA_ROOM(bytes)`. A
 * validator's header says which of these bytes are its own, and of which type (AREA). The offset is
 * a constant of the compiler, so that an area costs what a member of the structure costs.
 * src/validators.c does not compile unless areas fill the room, without a gap and without two in
 * one place.
 *
 * - An area begins as zeroes, which must be a state of its own: nothing is kept yet.
 * - It lives as long as the structure, and by the same rule: bytes that another thread may still
 *   read stay readable, and are never those of something else. A command buffer's memory is kept
 *   for the next command buffer, with what areas own; hooks of the validator empty it.
 * - What an area owns goes in the validator's `areas` (struct validator), before the object's state
 *   is retired. Threads: an area has the rules of the object that it lies in. */
#ifndef ASSAY_OBJECTS_AREA_H
#define ASSAY_OBJECTS_AREA_H

#include "base/base.h"
#include "vk/handle_types.h" /* generated: enum handle_type */

/* The member of a structure that areas lie in. Not of characters: the compiler would have to take
 * each store into the structure for one that may change any other object. */
#define AREA_ROOM(bytes_) uint64_t areas[(bytes_) / 8]

/* `struct name_` lies in the room of `struct object_`, from byte `first_` on: name_(object) gives
 * it. The object is not changed by that, only what the validator keeps in it: it may be const. */
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

/* The first area of a room; one after the other; the last. For src/validators.c. */
#define AREA_BEGINS(name_) static_assert(AREA_FIRST_##name_ == 0, "no gap before it")
#define AREA_FOLLOWS(name_, one_) \
    static_assert((int)AREA_FIRST_##name_ == (int)AREA_END_##one_, "no gap between them")
#define AREA_ENDS(name_, object_)                                                   \
    static_assert(AREA_END_##name_ == (int)sizeof(((struct object_ *)NULL)->areas), \
                  "no gap after it")
/* The only area of a room. */
#define AREA_FILLS(name_, object_) \
    AREA_BEGINS(name_);            \
    AREA_ENDS(name_, object_)

struct object;

/* Says what becomes of a validator's areas when an object of the type goes. */
struct area_end {
    enum handle_type type;
    /* Frees the memory that areas own at the object. object->state is still there, and not NULL.
     * Another thread that wrongly uses the object may be reading: memory that it may read is taken
     * out of reach, and retired (base/retire.c). */
    void (*destroy)(struct object *object);
};

#endif
