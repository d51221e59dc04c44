/* Decides whether a hazard is certain where shaders access what descriptors name. It is not always
 * known which bytes or texels they access, nor whether they access any.
 *
 * - An access to bytes that constants choose is certain where it has a hazard.
 * - Where it is only known that it is to some part, it is certain where all of that part has a
 *   hazard: wherever the access is, it is one too early.
 * - Two such accesses, which could be to different parts, are never certain.
 * - Nor are two of shaders that make what they access available and visible.
 *
 * A part may have its hazards in several pieces, which are found one after the other. They are
 * added up here. Threads: those of the context that finds them. */
#ifndef ASSAY_SYNC_CERTAIN_H
#define ASSAY_SYNC_CERTAIN_H

#include "sync/access/access_context.h"

/* The part of an access by a descriptor that is certain. Addresses lie in `space`. */
struct access_part {
    uint64_t space;
    uint64_t exact_begin, exact_end;          /* all of this is accessed; equal: nothing */
    uint64_t some_begin, some_end, some_size; /* some of this is; 0 addresses: nothing */
    /* Not 0: fragments of this instance read it, each one perhaps only the samples that it covers.
     * INSTANCE_OF_PRIMARY: of the one that a secondary command buffer is executed in. */
    uint32_t instance;
    /* the shaders' accesses are available and visible by themselves: an execution dependency may be
     * enough (the memory model: "Availability and Visibility Semantics"). */
    bool coherent;
};
#define INSTANCE_OF_PRIMARY UINT32_MAX

#define DOUBT_PLACES 8
#define DOUBTS       8

/* Hazards of one access that are certain if all of `part` has a hazard. */
struct doubt {
    uint64_t tag;
    uint64_t prior; /* tag of the earlier access where that is the one with the part; else 0 */
    uint64_t covered;
    uint32_t place_count; /* of `places`, which has the first places where there are more */
    struct sync_place places[DOUBT_PLACES];
};

/* Zeroed: none. */
struct doubts {
    uint32_t count; /* doubts that there were; only the last DOUBTS are kept */
    struct doubt list[DOUBTS];
    struct doubt decided; /* what doubts_judge() returns */
};

/* Decides where the hazard at the place is certain: in the places of the returned doubt, valid
 * until the next call. NULL: so far it is not certain. A part is NULL if the access is to all of
 * its place. `prior`: the tag of the earlier access. */
const struct doubt *doubts_judge(struct doubts *doubts, const struct access_part *self,
                                 const struct access_part *earlier, const struct sync_place *place,
                                 const struct sync_access *access, uint64_t prior);

#endif
